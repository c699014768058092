"""The paper's leaf labels: pages whose text leaves carry ``__boilernet_label`` in the markup."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import plain_tree
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import DatasetError

LABEL_ATTRIBUTE = "__boilernet_label"
MAX_LEAVES = 100_000
_NODE_ATTRIBUTE = "__boilernet_node"
_LABEL = re.compile(rf"""\s{LABEL_ATTRIBUTE}=("[^"]*"|'[^']*'|[^\s>]*)""")


@dataclass(frozen=True)
class LeafSplit:
    """Pages with one 0/1 label per leaf: training, development and test part."""

    train: list[tuple[Page, NDArray[np.float32]]]
    dev: list[tuple[Page, NDArray[np.float32]]]
    test: list[tuple[Page, NDArray[np.float32]]]


def read_leaf_split(folder: Path) -> LeafSplit:
    """Return the set's own split; raises ``DatasetError`` if it has no labeled leaves."""
    prepared = folder / "extra" / "prepared_html"
    lists = sorted((folder / "extra").glob("*split"))
    if not prepared.is_dir() or not lists:
        raise DatasetError(
            f"{folder} has no leaf labels: need extra/prepared_html/ and extra/<name>split/ "
            "with train_set.txt, dev_set.txt and test_set.txt"
        )
    parts = {}
    for part in ("train", "dev", "test"):
        try:
            names = (lists[0] / f"{part}_set.txt").read_text(encoding="utf-8").split()
            parts[part] = [labeled_leaves((prepared / name).read_bytes()) for name in names]
        except FileNotFoundError as error:
            raise DatasetError(f"{folder} lacks {error.filename}, which its split needs") from error
    return LeafSplit(**parts)


def labeled_leaves(html: bytes) -> tuple[Page, NDArray[np.float32]]:
    """Return (page in leaf units, labels): float32 of shape (leaves,), each 0 or 1.

    A leaf has the label of its nearest labeled ancestor, or 0.
    """
    text = html.decode("utf-8", errors="replace")
    page = blockify(text, units="leaf", max_blocks=MAX_LEAVES)
    label_of: dict[int, float] = {0: 0.0}
    for node, element in enumerate(plain_tree(to_utf8(text))[0].iter(etree.Element), 1):
        element.set(_NODE_ATTRIBUTE, str(node))
        parent = element.getparent()
        above = 0 if parent is None else int(parent.get(_NODE_ATTRIBUTE, "0"))
        label_of[node] = float(element.get(LABEL_ATTRIBUTE, label_of[above]))
    return page, np.array([label_of[b.nodes[-1]] for b in page.blocks], dtype=np.float32)


def without_labels(html: bytes) -> str:
    """Return the page without the label attributes, as an extractor may see it."""
    return _LABEL.sub("", html.decode("utf-8", errors="replace"))
