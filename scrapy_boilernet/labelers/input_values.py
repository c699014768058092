"""What each kind of input of a BoilerNet model is called, and in words what it is of a block."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.paper_features import paper_words
from scrapy_boilernet.tokens import tokens

NUMBER_NAMES = {
    "text": "length, links, wording",
    "place": "place on the page",
    "tree": "parts of the page around it",
    "claims": "what metadata quotes",
    "kin": "blocks of its kind",
    "headings": "headings near it",
}
"""Names of :data:`scrapy_boilernet.feature_numbers.GROUPS` for people."""
BAG_NAMES = {
    "tags": "tags around it",
    "classes": "class and id names",
    "words": "words of the text",
}
"""Names of the bags of :data:`scrapy_boilernet.features.BAG_ROWS` for people."""
HEAD_NAME, URL_NAME = "metadata of the page", "address of the page"

_STEPS, _WORDS, _MOST_CHARS = 4, 8, 60
_NONE = "none of its own"
_MOST_READ = 2000
"""Characters of a block's text that are read for a few words of it."""
_TEXT_FLAGS = (
    (5, "ends a sentence"), (9, "text repeated"), (10, "hidden"), (11, "in noscript"),
    (13, "date or time"), (15, "web or mail address"),
)  # fmt: skip
"""Columns of the group "text" that are flags, and what they say."""
_TREE_STEP, _TREE_STEPS = 4, 5
"""Numbers per subtree, and subtrees, in the group "tree"."""
_HEAD_PREFIXES = (
    ("og:type:", "og:type "), ("ld:", "JSON-LD "), ("it:", "microdata "), ("m:", "meta "),
    ("r:", "link "), ("b:", "class "),
)  # fmt: skip
"""Of the words of a page's head: those that say what the page is come first."""


def number_value(group: str, row: Sequence[float]) -> str:
    """Return what the numbers of one group say of a block.

    ``row``: its columns of ``group``, as :mod:`scrapy_boilernet.feature_numbers` makes them.
    """
    return _NUMBER_VALUES[group](row)


def bag_value(bag: str, block: Block) -> str:
    """Return the tags, class words (innermost first) or words of a block.

    A block without any has a reason nevertheless: its neighbours'.
    """
    if bag == "tags":
        return " > ".join(block.tags[-_STEPS:])
    if bag == "classes":
        named = [words for words in block.class_words if words]
        return _clipped(" < ".join(named[:-_STEPS:-1])) or _NONE
    return _clipped(" ".join(tokens(block.text[:_MOST_READ])[:_WORDS])) or _NONE


def known_words(block: Block, known: frozenset[str]) -> str:
    """Return how many words of a block the paper's vocabulary has, and the first of them."""
    words = paper_words(block.text)
    hits = [word for word in words if word in known]
    said = f"{len(hits)} of {_count(len(words), 'word')} known"
    return _clipped(": ".join([said, *[" ".join(dict.fromkeys(hits[:_WORDS]))][: len(hits)]]))


def head_value(page: Page) -> str:
    """Return what the page's head calls it, else what else it says; no counts of elements."""
    found = [
        label + word.removeprefix(prefix)
        for prefix, label in _HEAD_PREFIXES
        for word in page.head.words
        if word.startswith(prefix)
    ]
    return _clipped(", ".join(found[:_WORDS]))


def url_value(page: Page) -> str:
    """Return the page's address without its scheme."""
    return _clipped(re.sub(r"^\w+://", "", page.url or ""))


def _text_value(row: Sequence[float]) -> str:
    said = [_count(math.expm1(4 * row[0]), "word"), f"{row[2]:.0%} in links"]
    said += [words for column, words in _TEXT_FLAGS if row[column]]
    return ", ".join([*said, f"{row[16]:.0%} as the title"] if row[16] else said)


def _place_value(row: Sequence[float]) -> str:
    return f"{row[0]:.0%} of the blocks and {row[3]:.0%} of the words come before"


def _tree_value(row: Sequence[float]) -> str:
    """The nearest subtree that holds more than the block."""
    subtrees = [row[_TREE_STEP * k : _TREE_STEP * (k + 1)] for k in range(_TREE_STEPS)]
    larger = (subtree for subtree in subtrees if _blocks(subtree[3]) > 1)
    share, links, _, blocks = next(larger, subtrees[0])
    together = f"{_count(_blocks(blocks), 'block')} together"
    return f"{together}, {links:.0%} in links, {share:.0%} of all words"


def _claims_value(row: Sequence[float]) -> str:
    in_body = f", {row[1]:.0%} in the JSON-LD body" if row[2] else ""
    return f"{row[0]:.0%} in the description{in_body}"


def _kin_value(row: Sequence[float]) -> str:
    words = _count(math.expm1(4 * row[4]), "word")
    return f"{_count(_blocks(row[2]), 'block')}, {words} each, {row[1]:.0%} in links"


def _headings_value(row: Sequence[float]) -> str:
    since, level = round(20 * row[0]), round(6 * row[1])
    said = "no heading above"
    if level:
        blocks = "20 blocks or more" if since == 20 else _count(since, "block")
        said = f"{blocks} below an h{level}" if since else f"in an h{level}"
    return f"{said}, before the first h1" if row[2] < 0 else said


_NUMBER_VALUES: dict[str, Callable[[Sequence[float]], str]] = {
    "text": _text_value,
    "place": _place_value,
    "tree": _tree_value,
    "claims": _claims_value,
    "kin": _kin_value,
    "headings": _headings_value,
}


def _blocks(logarithm: float) -> int:
    return round(math.expm1(6 * logarithm))


def _count(number: float, unit: str) -> str:
    whole = round(number)
    return f"{whole:,} {unit}{'' if whole == 1 else 's'}"


def _clipped(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[: _MOST_CHARS - 1]}…"
