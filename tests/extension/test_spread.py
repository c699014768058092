"""The extension spreads labels over a page as the package does."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.extension import Node, NodeError, page_json
from testing.models import PAGE_FILES
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.labelers.grf.block_graph import GraphOptions, block_graph
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.lab.evaluation.align import common_length
from scrapy_boilernet.lab.training.adapt import spread_labels

SHARE = 0.2
TEXTS = st.lists(st.sampled_from("abcd"), max_size=30)


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.stem)
def test_labels_of_a_fifth_of_the_blocks_spread_alike(
    node: Node, labeler: Labeler, file: Path
) -> None:
    page = blockify(file.read_bytes())
    labels = [label == "content" for label in label_page(page, labeler).labels]
    if len(set(labels)) < 2:
        pytest.skip("the labels are all the same")
    drawn = random.Random(1).sample(range(len(labels)), round(SHARE * len(labels)))
    chosen = sorted({*drawn, labels.index(True), labels.index(False)})
    labeled = {(0, i): labels[i] for i in chosen}
    graph = block_graph([page], GraphOptions())
    (expected,) = spread_labels([page], labeled, False, graph)
    found = node.ask("spread", page=page_json(page), given=[[i, labels[i]] for i in chosen])
    # Where blocks are equally far away, either may be a neighbour.
    assert np.quantile(np.abs(np.array(found) - expected), 0.9) < 1e-3
    assert np.mean((np.array(found) >= 0.5) == (expected >= 0.5)) >= 0.99


def test_labels_of_one_kind_cannot_be_spread(node: Node) -> None:
    page = page_json(blockify("<p>One</p><p>Two</p>"))
    with pytest.raises(NodeError, match="label a block as boilerplate first"):
        node.ask("spread", page=page, given=[[0, True]])


@QUICK
@given(TEXTS, TEXTS)
def test_alignment_is_a_longest_common_subsequence(
    node: Node, one: list[str], other: list[str]
) -> None:
    places = node.ask("aligned", one=one, other=other)
    pairs = [(i, j) for i, j in enumerate(places) if j >= 0]
    assert all(one[i] == other[j] for i, j in pairs)
    assert [j for _, j in pairs] == sorted({j for _, j in pairs})
    assert len(pairs) == common_length(one, other)
