"""Blocks as vectors and as a graph: shapes, similarities, any text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, page_of

pytest.importorskip("scipy")

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.grf import block_graph as module
from scrapy_boilernet.extractor.labelers.grf.block_graph import (
    COLUMNS,
    NUMBERS,
    GraphOptions,
    block_graph,
    class_vectors,
    number_vectors,
    path_vectors,
    text_vectors,
)
from scrapy_boilernet.extractor.page import Block, Page

PLAIN = GraphOptions()
OUT = float("inf")


def check(graph: module.BlockGraph, pages: list[Page], options: GraphOptions) -> None:
    weights = graph.weights
    count = len(graph.pages)
    assert weights.shape == (count, count)
    assert (weights.data > 0).all()
    assert np.isfinite(weights.data).all()
    assert abs(weights - weights.T).sum() == 0
    assert not weights.diagonal().any()
    blocks = sum(len(page.blocks) for page in pages)
    assert weights.nnz <= 2 * blocks * (2 * options.neighbours + 1)
    for page, nodes in zip(pages, graph.nodes, strict=True):
        assert nodes.shape == (len(page.blocks),)


def block(text: str, *tags: str, words: str = "") -> Block:
    return Block(text, tags, (words,) * len(tags), tuple(range(len(tags))), "/x", 0)


@QUICK
@given(st.lists(st.text(min_size=1, max_size=30), max_size=12))
def test_any_texts_make_a_graph(texts: list[str]) -> None:
    page = page_of(texts)
    check(block_graph([page], PLAIN), [page], PLAIN)


def test_no_pages_and_empty_pages_have_a_graph() -> None:
    assert block_graph([], PLAIN).weights.shape == (0, 0)
    empty = blockify("")
    graph = block_graph([empty, empty], PLAIN)
    assert [len(nodes) for nodes in graph.nodes] == [0, 0]


def test_lone_surrogates_and_punctuation_are_texts() -> None:
    page = page_of(["\ud800 x", "!!!", "潮", " "])
    check(block_graph([page], PLAIN), [page], PLAIN)
    assert np.isfinite(text_vectors(page.blocks)).all()


def test_equal_blocks_with_the_same_path_share_a_node_across_pages() -> None:
    pages = [blockify(article(seed)[0]) for seed in range(3)]
    graph = block_graph(pages, PLAIN)
    home = [page.blocks[0].text for page in pages]
    assert home == ["Home"] * 3
    node = graph.nodes[0][0]
    assert all(nodes[0] == node for nodes in graph.nodes)
    assert graph.pages[node] == 3
    titles = [nodes[6] for nodes in graph.nodes]
    assert len(set(titles)) == 3
    check(graph, pages, PLAIN)


def test_the_graph_is_the_same_each_time() -> None:
    page = blockify(article(1)[0])
    one, other = block_graph([page], PLAIN), block_graph([page], PLAIN)
    assert abs(one.weights - other.weights).sum() == 0


def test_a_group_that_is_left_out_changes_nothing() -> None:
    only_path = GraphOptions(text=OUT, numbers=OUT, classes=OUT, adjacent=0.0)
    texts = [page_of(["a b", "c d", "e f"]), page_of(["x", "y!", "1 2 3 4"])]
    one, other = (block_graph([page], only_path).weights for page in texts)
    assert abs(one - other).sum() == 0


def test_adjacent_blocks_of_one_parent_have_an_edge() -> None:
    page = page_of([f"text {i}" for i in range(30)])
    options = replace(PLAIN, neighbours=1, adjacent=0.0)
    without = block_graph([page], options).weights
    edges = block_graph([page], replace(options, adjacent=2.0)).weights - without
    assert all(edges[i, i + 1] == pytest.approx(2.0) for i in range(29))
    assert edges.nnz == 2 * 29


def test_texts_with_common_words_are_nearer() -> None:
    tide = "The tide pools warm at night because of the rocks"
    rows = text_vectors(
        [block(tide, "p"), block(tide + " around", "p"), block("Sign in or register", "p")]
    )
    assert rows.shape == (3, COLUMNS)
    assert rows[0] @ rows[1] > 0.7 > 0.4 > rows[0] @ rows[2]


def test_paths_with_a_longer_common_beginning_are_nearer() -> None:
    paths = [("html", "body", "main", "p"), ("html", "body", "main", "h2"), ("html", "body", "p")]
    rows = path_vectors([block("x", *path) for path in paths])
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.05


def test_blocks_with_other_classes_of_near_ancestors_are_farther_apart() -> None:
    words = ("post body", "post body", "main menu")
    rows = class_vectors([block("x", "div", words=each) for each in words])
    np.testing.assert_allclose(rows[0], rows[1])
    assert rows[0] @ rows[2] < 0.5


def test_numbers_are_small_and_complete() -> None:
    page = blockify(article(2)[0])
    rows = number_vectors(page.blocks, np.linspace(0, 1, len(page.blocks)))
    assert rows.shape == (len(page.blocks), NUMBERS)
    assert ((rows >= 0) & (rows <= 2)).all()


def test_large_graphs_are_made_in_parts_that_can_be_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_MAX_PART", 64)
    page = page_of([f"text {i % 50} and {i}" for i in range(500)])
    seen = []

    def watch(parts, total):  # type: ignore[no-untyped-def]
        for part in parts:
            seen.append(len(part))
            yield part
        assert total == len(seen)

    check(block_graph([page], PLAIN, watch), [page], PLAIN)
    assert sum(seen) == 2 * 500
    assert max(seen) <= 64


def test_few_pairs_of_5000_blocks_are_compared() -> None:
    rng = np.random.default_rng(0)
    page = page_of([f"row {i} {' '.join(map(str, rng.integers(0, 99, 8)))}" for i in range(5000)])
    pairs = 0

    def watch(parts, total):  # type: ignore[no-untyped-def]
        nonlocal pairs
        for part in parts:
            pairs += len(part) ** 2
            yield part

    check(block_graph([page], PLAIN, watch), [page], PLAIN)
    assert 0 < pairs <= 2 * 5000 * module._MAX_PART


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("neighbours", 0),
        ("neighbours", 2.5),
        ("text", 0.0),
        ("path", float("nan")),
        ("adjacent", -1),
    ],
)
def test_invalid_options_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        GraphOptions(**{name: value})  # type: ignore[arg-type]
