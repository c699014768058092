"""What a kept post of a thread quotes is kept with it.

A model decides block by block, and a quote repeats what stands above it on the page, so its blocks,
and the short line that says who is quoted, are often dropped. Without them an answer has no
question.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page

_POST = re.compile(
    r"\b(?:post\w*|messages?|messagetext|messagebody|msg|comments?|reply|cooked|bb ?wrapper)\b"
)
"""Class words, ids and roles of the elements around the text of a post."""
_STEMS = ("post", "message", "msg", "comment", "reply", "cooked", "wrapper")
"""Every match of ``_POST`` has one of these. They are found faster."""
_posts = ClassNames(_STEMS, _POST)
_HEAD = re.compile(r"\bquote ?(?:head|header|top|title|author|name)\b|\btitle quote\b")
"""Class words of a line before a quote that says who is quoted."""
_MIN_POSTS = 2
"""The least posts of one template of which something is kept. An article is one."""


def complete_quotes(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the quotes in posts of which other text is kept, if there are several.

    Hidden blocks are not added.
    """
    if "blockquote" not in page.names[0]:  # as on most pages
        return kept
    names = _posts.on(page)
    if not names:
        return kept
    pairs, places = page.paths
    depths = [
        (0, False) if names.isdisjoint(words) else _post_and_quote(tags, words, names)
        for tags, words in pairs
    ]
    if not any(in_quote for _, in_quote in depths):
        return kept
    inside = [i for i, place in enumerate(places) if depths[place][0] > 0]
    posts = [
        (i, block.nodes[depths[places[i]][0]], block.hidden)
        for i, block in zip(inside, page.blocks_at(inside), strict=True)
    ]
    of_template: dict[tuple[Ancestors, Ancestors], set[int]] = {}
    for i, node, _ in posts:
        depth, in_quote = depths[places[i]]
        if kept[i] and not in_quote:
            tags, words = pairs[places[i]]
            of_template.setdefault((tags[: depth + 1], words[: depth + 1]), set()).add(node)
    wanted = {node for nodes in of_template.values() if len(nodes) >= _MIN_POSTS for node in nodes}
    completed = kept.copy()
    for i, node, hidden in posts:
        completed[i] |= depths[places[i]][1] and node in wanted and not hidden
    return completed


def _post_and_quote(
    tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]
) -> tuple[int, bool]:
    """Return the depth of the innermost element of a path that is a post, outside of quotes, and
    whether the path leads into a quote in it, or to its head; 0 if there is no post.

    ``names``: the class words that name posts.
    """
    found = 0
    for depth, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
        if found and (tag == "blockquote" or _HEAD.search(words)):
            return found, True
        if words in names and tag not in ("html", "body"):
            found = depth
    return found, False
