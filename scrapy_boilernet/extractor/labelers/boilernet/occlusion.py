"""The reasons for a BoilerNet model's labels: how much a logit falls without a kind of input.

This is occlusion (Zeiler and Fergus 2014), with one forward pass per kind of input. The input is
removed from the whole page, since the network reads each block among its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.threshold import log_odds
from scrapy_boilernet.extractor.features.counts import paper_words
from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.features.numbers import BLOCK_NUMBERS, FAR_BLOCKS, GROUPS, SUBTREES
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.labelers.base import Reason, weightiest
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.extractor.page import Block, Page

NUMBER_NAMES = {
    "text": "length, links, wording",
    "place": "place on the page",
    "tree": "parts of the page around it",
    "claims": "what metadata quotes",
    "kin": "blocks of its kind",
    "headings": "headings near it",
}
"""Names of :data:`scrapy_boilernet.extractor.features.numbers.GROUPS` for people."""
BAG_NAMES = {
    "tags": "tags around it",
    "classes": "class and id names",
    "words": "words of the text",
}
"""Names of the bags of :data:`scrapy_boilernet.extractor.features.hashed.BAG_ROWS` for people."""
HEAD_NAME, URL_NAME = "metadata of the page", "address of the page"

_STEPS, _WORDS, _MAX_CHARS = 4, 8, 60
_NONE = "none of its own"
_MAX_READ_CHARS = 2000
"""Characters of a block's text that are read for its first words."""
_TEXT_FLAGS = {
    "ends as a sentence": "ends a sentence",
    "text is repeated": "text repeated",
    "hidden": "hidden",
    "in noscript": "in noscript",
    "has a date or time": "date or time",
    "has an address": "web or mail address",
}
"""Columns of the group "text" that are flags, and how a reason names them."""
_HEAD_PREFIXES = (
    ("og:type:", "og:type "), ("ld:", "JSON-LD "), ("it:", "microdata "), ("m:", "meta "),
    ("r:", "link "), ("b:", "class "),
)  # fmt: skip
"""Prefixes of the words of a page's head, and how a reason names them. Those for the kind of page
come first."""


def number_value(group: str, row: Mapping[str, float]) -> str:
    """Return a short description of a block by the numbers of one group.

    ``row``: their natural values by the names in
    :data:`scrapy_boilernet.extractor.features.numbers.BLOCK_NUMBERS`.
    """
    return _NUMBER_VALUES[group](row)


def natural_rows(numbers: NDArray[np.float32], group: str) -> list[dict[str, float]]:
    """Return per block the natural values of a group's columns by name.

    ``numbers``: those of a page, (blocks, NUMBERS).
    """
    names = [number.name for number in BLOCK_NUMBERS[group]]
    columns = numbers[:, GROUPS[group]].T.astype(np.float64)
    values = [
        number.natural(column).tolist()
        for number, column in zip(BLOCK_NUMBERS[group], columns, strict=True)
    ]
    return [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]


def bag_value(bag: str, block: Block) -> str:
    """Return the tags, class words (innermost first) or words of a block.

    A block that has none of them still has a reason, which comes from its neighbours.
    """
    if bag == "tags":
        return " > ".join(block.tags[-_STEPS:])
    if bag == "classes":
        named = [words for words in block.class_words if words]
        return _clipped(" < ".join(named[:-_STEPS:-1])) or _NONE
    return _clipped(" ".join(tokens(block.text[:_MAX_READ_CHARS])[:_WORDS])) or _NONE


def known_words(block: Block, known: frozenset[str]) -> str:
    """Return how many words of a block are in the paper's vocabulary, and the first of them."""
    words = paper_words(block.text)
    hits = [word for word in words if word in known]
    count = f"{len(hits)} of {_count(len(words), 'word')} known"
    return _clipped(": ".join([count, *[" ".join(dict.fromkeys(hits[:_WORDS]))][: len(hits)]]))


def head_value(page: Page) -> str:
    """Return the first words of the page's head, those for the kind of page first.

    Counts of elements are left out.
    """
    words = [
        label + word.removeprefix(prefix)
        for prefix, label in _HEAD_PREFIXES
        for word in page.head.words
        if word.startswith(prefix)
    ]
    return _clipped(", ".join(words[:_WORDS]))


def url_value(page: Page) -> str:
    """Return the page's address without its scheme."""
    return _clipped(re.sub(r"^\w+://", "", page.url or ""))


def _text_value(row: Mapping[str, float]) -> str:
    parts = [_count(row["words"], "word"), f"{row['link density']:.0%} in links"]
    parts += [words for name, words in _TEXT_FLAGS.items() if row[name]]
    shared = row["words shared with the title"]
    return ", ".join([*parts, f"{shared:.0%} as the title"] if shared else parts)


def _place_value(row: Mapping[str, float]) -> str:
    blocks, words = row["place in the page"], row["words of the page before"]
    return f"{blocks:.0%} of the blocks and {words:.0%} of the words come before"


def _tree_value(row: Mapping[str, float]) -> str:
    """Describe the nearest subtree that holds more than the block."""
    levels = range(1, SUBTREES + 1)
    level = next((level for level in levels if round(row[f"blocks, subtree {level}"]) > 1), 1)
    blocks = _count(row[f"blocks, subtree {level}"], "block")
    links = row[f"link density, subtree {level}"]
    share = row[f"share of the page's words, subtree {level}"]
    return f"{blocks} together, {links:.0%} in links, {share:.0%} of all words"


def _claims_value(row: Mapping[str, float]) -> str:
    body = row["text in the JSON-LD body"]
    in_body = f", {body:.0%} in the JSON-LD body" if row["page has a JSON-LD body"] else ""
    return f"{row['words in the description']:.0%} in the description{in_body}"


def _kin_value(row: Mapping[str, float]) -> str:
    blocks = _count(row["blocks of its kind"], "block")
    words = _count(row["words per block of its kind"], "word")
    return f"{blocks}, {words} each, {row['link density of its kind']:.0%} in links"


def _headings_value(row: Mapping[str, float]) -> str:
    since, level = round(row["blocks since a heading"]), round(row["level of the heading above"])
    place = "no heading above"
    if level:
        far = f"{FAR_BLOCKS} blocks or more"
        blocks = far if since == FAR_BLOCKS else _count(since, "block")
        place = f"{blocks} below an h{level}" if since else f"in an h{level}"
    return f"{place}, before the first h1" if row["after the first h1"] < 0 else place


_NUMBER_VALUES: dict[str, Callable[[Mapping[str, float]], str]] = {
    "text": _text_value,
    "place": _place_value,
    "tree": _tree_value,
    "claims": _claims_value,
    "kin": _kin_value,
    "headings": _headings_value,
}


def _count(number: float, unit: str) -> str:
    whole = round(number)
    return f"{whole:,} {unit}{'' if whole == 1 else 's'}"


def _clipped(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else f"{text[: _MAX_CHARS - 1]}…"


Score = Callable[[Features], NDArray[np.float32]]
"""Returns P(content) per block from the arrays of a page that has blocks."""


class _Without(NamedTuple):
    """A page without one kind of input."""

    name: str
    """The kind of input."""
    features: Features
    values: Sequence[str]
    """Per block a description of that input."""


def occluded_reasons(
    page: Page, features: Features, spec: ModelSpec, score: Score
) -> list[list[Reason]]:
    """Return per block the kinds of input with their weights, by falling absolute weight.

    ``features``: the page's, as the model reads them. A weight is logit(all) - logit(without); an
    input of weight 0 is left out. A page without blocks gives [].
    """
    if not page.blocks:
        return []
    logits = log_odds(score(features))
    of_blocks: list[list[Reason]] = [[] for _ in page.blocks]
    for name, without, values in _occluded(page, features, spec):
        weights = (logits - log_odds(score(without))).tolist()
        for reasons, value, weight in zip(of_blocks, values, weights, strict=True):
            reasons.append(Reason(name, value, weight))
    return [weightiest(reasons, len(reasons)) for reasons in of_blocks]


def _occluded(page: Page, features: Features, spec: ModelSpec) -> Iterator[_Without]:
    if spec.featurizer["kind"] == "counts":
        yield from _without_counts(page, features, spec.featurizer["words"])
        return
    for group, columns in GROUPS.items():
        numbers = features.numbers.copy()
        # Every block gets the mean, so that no block stands out. Zeros would be unlike any page,
        # but are used for a page of one block, whose mean is its own value.
        numbers[:, columns] = numbers[:, columns].mean(axis=0) if len(numbers) > 1 else 0
        rows = natural_rows(features.numbers, group)
        values = [number_value(group, row) for row in rows]
        yield _Without(NUMBER_NAMES[group], replace(features, numbers=numbers), values)
    for name, bag in features.bags.items():
        bags = {**features.bags, name: _thinned(bag, np.zeros(len(bag.ids), dtype=np.bool_))}
        values = [bag_value(name, block) for block in page.blocks]
        yield _Without(BAG_NAMES[name], replace(features, bags=bags), values)
    if len(features.head):
        without = replace(features, head=features.head[:0])
        yield _Without(HEAD_NAME, without, [head_value(page)] * len(page.blocks))
    if len(features.url):
        without = replace(features, url=features.url[:0])
        yield _Without(URL_NAME, without, [url_value(page)] * len(page.blocks))


def _without_counts(page: Page, features: Features, words: Sequence[str]) -> Iterator[_Without]:
    """Yield the page without words and without tags, which share the bag of the paper's featurizer.

    The ids of words come before those of tags.
    """
    bag, known = features.bags["counts"], frozenset(words)
    is_tag = bag.ids > len(words)  # 0 is the unknown word
    values = [known_words(block, known) for block in page.blocks]
    without = replace(features, bags={"counts": _thinned(bag, is_tag)})
    yield _Without(BAG_NAMES["words"], without, values)
    values = [bag_value("tags", block) for block in page.blocks]
    without = replace(features, bags={"counts": _thinned(bag, ~is_tag)})
    yield _Without(BAG_NAMES["tags"], without, values)


def _thinned(bag: Bag, keep: NDArray[np.bool_]) -> Bag:
    offsets = np.concatenate([[0], np.cumsum(keep)])[bag.offsets]
    return Bag(bag.ids[keep], offsets.astype(np.int64))
