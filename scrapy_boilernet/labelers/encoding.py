"""From a page's arrays to what the dense layer reads, in NumPy; for the engines without torch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.features import Bag, Features
from scrapy_boilernet.labelers.model_folder import Tensors
from scrapy_boilernet.labelers.spec import Architecture

Array = NDArray[np.float32]


class Encoder:
    """Looks up a model's embeddings."""

    def __init__(self, architecture: Architecture, tensors: Tensors) -> None:
        self._mode = architecture.bag_mode
        self._tables = {name: _table(tensors, f"bags.{name}") for name in architecture.bags}
        self._page_table = _table(tensors, "page_bag") if architecture.page_bag else None

    def encode(self, features: Features) -> Array:
        """Return a row per block: its bags, the page's bag, its numbers; (blocks, width)."""
        columns = [_bag(self._tables[n], features.bags[n], self._mode) for n in self._tables]
        if self._page_table is not None:
            ids = features.page
            whole = Bag(ids, np.array([0, len(ids)], dtype=np.int64))
            row = _bag(self._page_table, whole, self._mode)
            columns.append(np.repeat(row, len(features.numbers), axis=0))
        return np.concatenate([*columns, features.numbers], axis=1)


def _table(tensors: Tensors, name: str) -> Array:
    return np.ascontiguousarray(tensors[f"{name}.weight"], dtype=np.float32)


def _bag(table: Array, bag: Bag, mode: str) -> Array:
    """Sum or mean of the rows of each block's ids; zeros for a block without ids."""
    if bag.shared is not None:
        once, places = bag.shared
        return _reduced(table, once, mode).take(places, axis=0)
    return _reduced(table, bag, mode)


def _reduced(table: Array, bag: Bag, mode: str) -> Array:
    counts = np.diff(bag.offsets)
    out = np.zeros((len(counts), table.shape[1]), dtype=np.float32)
    filled = counts > 0
    if filled.any():
        # take with an axis is quicker than table[ids]
        rows = table.take(bag.ids, axis=0)
        out[filled] = np.add.reduceat(rows, bag.offsets[:-1][filled], axis=0)
    if mode == "mean":
        out /= np.maximum(counts, 1)[:, None].astype(np.float32)
    return out
