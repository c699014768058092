"""Why a BoilerNet model labels a block so: what its logit loses as a kind of input is taken away.

Occlusion (Zeiler and Fergus 2014), a forward pass per kind of input. It is taken from the whole
page, since the network reads each block amid its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.feature_numbers import GROUPS
from scrapy_boilernet.features import Bag, Features
from scrapy_boilernet.labelers.classical import log_odds
from scrapy_boilernet.labelers.input_values import (
    BAG_NAMES,
    HEAD_NAME,
    NUMBER_NAMES,
    URL_NAME,
    bag_value,
    head_value,
    known_words,
    number_value,
    url_value,
)
from scrapy_boilernet.labelers.reasons import Reason, weightiest
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.page import Page

Score = Callable[[Features], NDArray[np.float32]]
"""From the arrays of a page with blocks to P(content) per block."""


class _Without(NamedTuple):
    """A page without one kind of input, and what that input is of each block."""

    name: str
    features: Features
    values: Sequence[str]


def occluded_reasons(
    page: Page, features: Features, spec: ModelSpec, score: Score
) -> list[list[Reason]]:
    """Return per block the kinds of input by what its logit loses without them, the most first.

    ``features``: the page's, as the model reads them. A weight is logit(all) - logit(without);
    what moves nothing is left out. A page without blocks gives [].
    """
    if not page.blocks:
        return []
    logits = log_odds(score(features))
    found: list[list[Reason]] = [[] for _ in page.blocks]
    for name, without, values in _occluded(page, features, spec):
        weights = (logits - log_odds(score(without))).tolist()
        for reasons, value, weight in zip(found, values, weights, strict=True):
            reasons.append(Reason(name, value, weight))
    return [weightiest(reasons, len(reasons)) for reasons in found]


def _occluded(page: Page, features: Features, spec: ModelSpec) -> Iterator[_Without]:
    if spec.featurizer["kind"] == "counts":
        yield from _without_counts(page, features, spec.featurizer["words"])
        return
    for group, columns in GROUPS.items():
        rows = features.numbers[:, columns].tolist()
        numbers = features.numbers.copy()
        # As if all blocks were alike in it: what stays is what no block stands out by. Zeros would
        # be far from any page; but a page of one block has no mean besides its own.
        numbers[:, columns] = numbers[:, columns].mean(axis=0) if len(rows) > 1 else 0
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
    """The paper's featuriser counts words and tags in one bag, the words first."""
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
