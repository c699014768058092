"""Tables that lay out the posts of a thread: some programs of forums write a table per post, or a
row, with the author in one cell and the text in another. They are no data tables.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page

_TEXT = re.compile(
    r"\b(?:(?:post|message|msg|comment|reply) ?(?:body|text|content|message|entry)|td post|"
    r"bb ?wrapper|postmsg|post ?bit ?text)\b"
)
"""Class words and ids of the element that holds the text of a post."""
_STEMS = ("post", "message", "msg", "comment", "reply", "wrapper")
"""Every match of ``_TEXT`` has one of these. They are found faster."""
_of_texts = ClassNames(_STEMS, _TEXT)
_CELLS = frozenset(("td", "th"))


def post_tables(page: Page) -> frozenset[int]:
    """Return the numbers of the elements of the tables that have the text of a post in a cell."""
    names = _of_texts.on(page)
    if not names:
        return frozenset()
    pairs, places = page.paths
    steps = [_table_steps(tags, words, names) for tags, words in pairs]
    inside = [i for i, place in enumerate(places) if steps[place]]
    blocks = page.blocks_at(inside)
    return frozenset(
        block.nodes[step]
        for i, block in zip(inside, blocks, strict=True)
        for step in steps[places[i]]
    )


def _table_steps(tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]) -> list[int]:
    """Return the steps of the tables in a path with the text of a post in one of their cells."""
    last = max((step for step, words in enumerate(class_words) if words in names), default=-1)
    tables = [step for step, tag in enumerate(tags[: last + 1]) if tag == "table"]
    return [step for step in tables if not _CELLS.isdisjoint(tags[step : last + 1])]
