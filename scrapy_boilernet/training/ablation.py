"""Inputs that a model learns without: those that the augmentation always drops.

A weight that no training page ever reached would still be read in serving, at its random first
value. So the dense layer starts with zeros for such inputs, which no gradient moves.
"""

from __future__ import annotations

import torch

from scrapy_boilernet.feature_numbers import GROUPS
from scrapy_boilernet.features import BAG_ROWS
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.training.augmentation import Augmentation
from scrapy_boilernet.training.options import DefaultOptions


def dropped_inputs(options: DefaultOptions) -> list[slice]:
    """Return the columns of the dense layer's input that the augmentation always drops."""
    drops = options.augmentation
    found, begin = [], 0
    for name in (*BAG_ROWS, "page"):
        end = begin + options.columns[name]
        if _always_dropped(drops, name):
            found.append(slice(begin, end))
        begin = end
    for group, columns in GROUPS.items():
        if drops.numbers_all.get(group, 0.0) >= 1:
            found.append(slice(begin + columns.start, begin + columns.stop))
    return found


def _always_dropped(drops: Augmentation, name: str) -> bool:
    shares = {
        "words": drops.words_all,
        "classes": drops.classes_all,
        "page": min(drops.head_all, drops.url_all),
    }
    return shares.get(name, 0.0) >= 1


def forget(network: BoilerNetNetwork, inputs: list[slice]) -> None:
    """Set the dense layer's weights of these inputs to zero."""
    weight = network.dense.weight
    if weight is None:
        return
    with torch.no_grad():
        for columns in inputs:
            weight[:, columns] = 0
