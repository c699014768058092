"""The kind of a block: title, main text, caption or readers' comment.

Gold standards and users disagree on whether headline, captions and comments belong to the main
text. So rules find them, and settings decide. The rules were developed on the training part of
Dragnet (Peters and Lecocq 2013), whose gold keeps comments apart, and on half of the domains of a
set of 725 pages in some 40 languages, whose gold has title, captions and comments. The results on
both halves and on Dragnet are in ``docs/results/quality/kinds.md``, which
``benchmarks/quality/kinds.py`` writes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.captions import find_captions
from scrapy_boilernet.extractor.decide.comments import (
    are_of_article,
    find_comments,
    find_signatures,
)
from scrapy_boilernet.extractor.decide.headline import find_title
from scrapy_boilernet.extractor.decide.threads import is_thread
from scrapy_boilernet.extractor.options import BlockKind, CommentOption, LabelOptions, Step
from scrapy_boilernet.extractor.page import Page

Scores = NDArray[np.float32]

_MIN_COMMENT_MEAN = 0.3
"""Comments stay if their words have this mean probability, and neither the page nor their class
says that they are below an article or a product. ``docs/results/quality/decisions.md``: what that
costs on articles, and what it saves of threads that do not say that they are one."""


class Found(NamedTuple):
    """The indexes of the blocks of some kinds, by the names of the options for them."""

    captions: frozenset[int]
    comments: frozenset[int]
    title: frozenset[int]
    signatures: frozenset[int]
    """Below the posts of a thread. ``comments = "auto"`` drops them, whatever the page is."""


def found_in(page: Page, decided: Sequence[bool], also_hidden: bool = False) -> Found:
    """Return the captions, comments and titles of a page.

    ``decided``: per block whether it is content before the options for these kinds are applied, so
    that the options do not change what is found. ``also_hidden``: whether hidden blocks may be
    among them, since hidden text may be content.
    """
    if also_hidden and any(page.hidden):
        blocks = [block._replace(hidden_by="") for block in page.blocks_without_xpaths]
        page = replace(page, blocks=tuple(blocks))
    captions, comments = find_captions(page, decided), find_comments(page, decided)
    return Found(captions, comments, find_title(page, decided), find_signatures(page))


def apply_options(
    options: LabelOptions,
    page: Page,
    found: Found,
    kept: list[bool],
    steps: list[Step],
    learned: Scores | None,
) -> None:
    """Apply the options for captions, comments and titles to ``kept`` and ``steps``.

    ``kept``, ``steps``: per block whether it is content, and the step that decided it.
    ``learned``: the probability of each block, of a labeler that has learned which comments are
    content; else None.
    """
    rules: tuple[tuple[Step, CommentOption, frozenset[int]], ...] = (
        ("captions", options.captions, found.captions),
        ("comments", options.comments, found.comments),
        ("title", options.title, found.title),
    )
    for step, choice, places in rules:
        if choice == "auto":
            choice = "drop"
            if options.threshold is not None:
                choice = "model"
            elif not drops_comments(page, places, learned):
                places = found.signatures
        for i in places if choice != "model" else ():
            if kept[i] != (choice == "keep"):
                kept[i], steps[i] = not kept[i], step


def block_kinds(page: Page, kept: Sequence[bool], found: Found) -> tuple[BlockKind, ...]:
    """Return the kind of each block. ``kept``: per block whether it is content in the end."""
    kinds: list[BlockKind] = ["boilerplate"] * len(kept)
    for i in compress(range(len(kept)), page.hidden):
        kinds[i] = "hidden"
    for i in compress(range(len(kept)), kept):
        kinds[i] = "main"
    others: tuple[tuple[BlockKind, frozenset[int]], ...] = (
        ("caption", found.captions), ("comment", found.comments), ("title", found.title),
    )  # fmt: skip
    for kind, places in others:
        for i in places:
            kinds[i] = kind
    return tuple(kinds)


def drops_comments(page: Page, comments: Collection[int], learned: Scores | None) -> bool:
    """Return whether ``comments = "auto"`` drops the comments of this page.

    ``comments``: the indexes of their blocks. ``learned``: as of :func:`apply_options`.
    """
    if not comments or is_thread(page):
        return False
    if learned is None or are_of_article(page, comments):
        return True
    places = sorted(comments)
    words = np.array(page.words, dtype=np.float64)[places]
    return float(learned[places] @ words) < _MIN_COMMENT_MEAN * float(words.sum())
