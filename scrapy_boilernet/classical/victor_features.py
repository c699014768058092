"""The features of Victor: a page's blocks as lists of attributes for a linear-chain CRF.

After Marek, Pecina and Spousta, *Web Page Cleaning with Conditional Random Fields*, CleanEval 2007,
who read of each block, the text between two tags, its markup (containers, splits, div and td
groups) and its content (characters, tokens, sentences, patterns, duplicates, position, document).
An attribute is ``"<group>:<name>=<value>"``; groups can be left out, for the paper's ablations. Two
groups are not of the paper: what is around a block, and the class words of its ancestors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.victor_buckets import count, size
from scrapy_boilernet.classical.victor_context import class_attributes, context_attributes
from scrapy_boilernet.classical.victor_markup import (
    container_attributes,
    group_attributes,
    split_attributes,
)
from scrapy_boilernet.classical.victor_text import sentence_count, text_attributes
from scrapy_boilernet.columns import Columns
from scrapy_boilernet.page import Page
from scrapy_boilernet.tokens import tokens

VERSION = 1
PAPER_GROUPS = ("markup", "content")
GROUPS = (*PAPER_GROUPS, "context", "classes")

_Numbers = NDArray[np.int64]
Attributes = list[list[str]]
"""Per block its attributes; those of a group side by side, none twice."""


def victor_attributes(page: Page, groups: Sequence[str] = GROUPS) -> Attributes:
    """Return per block its attributes of the groups, in the order of :data:`GROUPS`.

    All ASCII but none of the page's own text; what is not in :data:`GROUPS` raises ``ValueError``.
    """
    groups = check_groups(groups)
    columns = Columns.of(page)
    words = np.array([len(tokens(text)) for text in columns.texts], dtype=np.int64)
    link_words = np.where(2 * columns.link_chars > columns.chars, words, 0)
    made: Attributes = [[] for _ in page.blocks]
    for group in groups:
        if group == "markup":
            parts = _markup(page, columns, words, link_words)
        elif group == "content":
            parts = _content(columns, words)
        elif group == "context":
            parts = context_attributes(page, words, link_words)
        else:
            parts = _classes(columns)
        for attributes, more in zip(made, parts, strict=True):
            attributes += [f"{group}:{name}" for name in more]
    return made


def check_groups(groups: Sequence[str]) -> tuple[str, ...]:
    """Return the groups in their order; raises ``ValueError`` if there are none or others."""
    if not groups or isinstance(groups, str) or set(groups) - set(GROUPS):
        raise ValueError(f"groups {groups!r}: must be a list of some of {GROUPS}")
    return tuple(group for group in GROUPS if group in groups)


def _markup(page: Page, columns: Columns, words: _Numbers, link_words: _Numbers) -> Attributes:
    containers = [container_attributes(tags) for tags in columns.tags.values]
    rest = zip(
        columns.tags.places.tolist(),
        split_attributes(page.blocks),
        group_attributes(columns, words, link_words),
        page.blocks,
        strict=True,
    )
    return [
        [*containers[place], *split, *group, f"hidden={block.hidden}"]
        for place, split, group, block in rest
    ]


def _content(columns: Columns, words: _Numbers) -> Attributes:
    own = {text: text_attributes(text) for text in dict.fromkeys(columns.texts)}
    document = [
        f"words of the page={size(words.sum())}",
        f"blocks of the page={size(len(words))}",
        f"sentences of the page={size(sum(map(sentence_count, columns.texts)))}",
    ]
    keys = {text: " ".join(tokens(text)) or text for text in own}
    times = Counter(keys[text] for text in columns.texts)
    seen: set[str] = set()
    read = words.cumsum() / max(words.sum(), 1)
    made = []
    for i, text in enumerate(columns.texts):
        key = keys[text]
        twin = "none" if times[key] == 1 else "later" if key in seen else "first"
        seen.add(key)
        made.append(
            [
                *own[text],
                f"duplicate={twin}",
                f"times on the page={count(times[key])}",
                f"place={10 * i // len(words)}0%",
                f"words before={int(10 * read[i])}0%",
                f"blocks before={count(i)}",
                f"blocks after={count(len(words) - 1 - i)}",
                *document,
            ]
        )
    return made


def _classes(columns: Columns) -> Attributes:
    pairs: dict[tuple[int, int], list[str]] = {}
    made = []
    for pair in zip(columns.class_words.places.tolist(), columns.tags.places.tolist(), strict=True):
        if pair not in pairs:
            words, tags = columns.class_words.values[pair[0]], columns.tags.values[pair[1]]
            pairs[pair] = class_attributes(words, tags)
        made.append(pairs[pair])
    return made
