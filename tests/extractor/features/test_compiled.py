"""The compiled functions of the featurizer give the same as those in Python."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testing.models import PAGES
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.decide import threshold
from scrapy_boilernet.extractor.features import block_numbers, hashed, table, texts
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.boilernet import scoring
from scrapy_boilernet.extractor.page import Head, Page

row_sums = pytest.importorskip("scrapy_boilernet.extractor.features.compiled").row_sums

PIECES = st.one_of(
    st.sampled_from((
        "tide", "Tide Pools", "2021", "1999-12-31", "12:30", "3.4", "19", "20201", "1/2x", "x1:20",
        " ", "\n", ".", "!", "?", '."', "。", "東京", "ภาษา", "Ⱥ", "İstanbul", "ΟΔΟΣ", "ǅ", "🦀",
        "\u0301", "@", "http:", "https:", "www.", "a_b", "|", "©", "٢٠٢١", "x" * 700, "y z " * 40,
    )),
    st.text(max_size=12),
)  # fmt: skip
TEXT = st.lists(PIECES, min_size=1, max_size=12).map("".join).filter(bool)
PATH = st.lists(
    st.sampled_from(("div", "p", "", "main content", "été x", "a\tb", "a\u2003b", "\ud800")),
    max_size=20,
).map(tuple)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and np.array_equal(one, other)


def check_counts(found: list[str], title: str, head: Head) -> None:
    in_python = texts._counts(found, texts.tokens(title)[:40], head)
    counts = texts.count_texts(found, title, head)
    assert len(counts) == len(in_python) == len(texts.COUNTS)
    for name, one, other in zip(texts.COUNTS, counts, in_python, strict=True):
        assert same(one, other), name


@settings(QUICK, max_examples=300)
@given(st.lists(TEXT, max_size=6), TEXT, TEXT, TEXT)
def test_counts_of_any_texts_are_the_same(
    found: list[str], title: str, description: str, body: str
) -> None:
    check_counts(found, title, Head((), description, body))
    check_counts(found, " ".join(found), Head((), " ".join(found), " ".join(found)))


@settings(QUICK, max_examples=300)
@given(st.lists(TEXT, max_size=6).map(" ".join))
def test_hashes_of_any_text_are_the_same(text: str) -> None:
    assert same(texts.token_hashes(text), texts._token_hashes(text.lower()))


def test_every_character_is_counted_alike() -> None:
    planes = (range(0x33500), range(0xE0000, 0xE0200), range(0x10FF00, 0x110000))
    every = [chr(code) for code in chain(*planes)]  # Unicode has no characters between them
    found = [f"a{''.join(every[i : i + 97])} 1" for i in range(0, len(every), 97)]
    check_counts(found, "", Head())
    together = " ".join(found)
    assert same(texts.token_hashes(together), texts._token_hashes(together.lower()))
    check_counts([f"{char}{char} x" for char in every[:0x3000] if char.isprintable()], "x", Head())


@settings(QUICK, max_examples=200)
@given(st.lists(PATH, max_size=12), st.integers(0, 20), st.booleans())
def test_ids_of_any_paths_are_the_same(
    paths: list[tuple[str, ...]], steps: int, by_words: bool
) -> None:
    begins = tuple(range(3, 3 + steps))
    for one, other in zip(
        hashed.path_ids(paths, begins, 1024, by_words),
        hashed._path_ids(paths, begins, 1024, by_words),
        strict=True,
    ):
        assert same(one, other)


@settings(QUICK, max_examples=200)
@given(
    st.lists(st.tuples(PATH, PATH), max_size=12),
    st.integers(0, 4) | st.just(1 << 30), st.integers(0, 4) | st.just(1 << 30),
)  # fmt: skip
def test_numbers_of_any_pairs_are_the_same(
    pairs: list[tuple[tuple[str, ...], tuple[str, ...]]], tag_steps: int, class_steps: int
) -> None:
    equal = [tuple(tuple(f"{step}x"[:-1] for step in path) for path in pair) for pair in pairs]
    together = (*pairs, *((one, other) for one, other in equal))
    assert same(
        table.number_pairs(together, tag_steps, class_steps),
        table._number_pairs(together, tag_steps, class_steps),
    )


@settings(QUICK, max_examples=200)
@given(
    st.lists(
        st.tuples(
            st.lists(st.integers(1, 30), max_size=8, unique=True).map(sorted).map(tuple),
            st.floats(0, 300), st.floats(0, 300),
        ),
        max_size=20,
    ),
    st.integers(1, 6),
)  # fmt: skip
def test_sums_of_any_subtrees_are_the_same(
    blocks: list[tuple[tuple[int, ...], float, float]], levels: int
) -> None:
    nodes = np.array([node for nodes, _, _ in blocks for node in nodes], dtype=np.int64)
    depths = np.array([len(nodes) for nodes, _, _ in blocks], dtype=np.int64)
    words = np.array([words for _, words, _ in blocks], dtype=np.float64)
    links = np.array([links for _, _, links in blocks], dtype=np.float64)
    assert same(
        block_numbers.subtree_sums(nodes, depths, words, links, levels),
        block_numbers._subtree_sums(nodes, depths, words, links, levels),
    )


def check_numbers(page: Page) -> None:
    columns = table.Columns.of(page)
    counts = texts.count_texts(columns.texts, page.title, page.head)
    given = (counts, columns.chars, columns.link_chars, 1.7)
    both = block_numbers.word_columns(*given), block_numbers._word_columns(*given)
    assert all(map(same, *both))
    words, link_words, _ = both[0]
    sums = block_numbers.PageSums(max(float(words.sum()), 1.0), float(link_words.sum()), 3.0)
    found = block_numbers.number_rows(columns, counts, words, link_words, sums)
    wanted = block_numbers._number_rows(columns, counts, words, link_words, sums)
    for name, row in block_numbers.ROWS.items():
        assert same(found[row], wanted[row]), name


@pytest.mark.parametrize("file", sorted(PAGES.glob("*.html")), ids=lambda file: file.name)
def test_counts_and_numbers_of_pages_are_the_same(file) -> None:  # type: ignore[no-untyped-def]
    page = blockify(file.read_bytes())
    check_counts([block.text for block in page.blocks], page.title, page.head)
    check_numbers(page)
    check_numbers(replace(page, blocks=page.blocks[:]))


@settings(QUICK, max_examples=100)
@given(st.lists(st.sampled_from((
    "<h1>Tide</h1>", "<div class='card x'>", "</div>", "<p>A tide pool, 2021.</p>", "<h3>", "x",
    "<a href=/>y 東京</a>", "<p hidden>A tide pool, 2021.</p>", "<noscript>n</noscript>", "<li>",
)), max_size=20))  # fmt: skip
def test_numbers_of_any_page_are_the_same(parts: list[str]) -> None:
    check_numbers(blockify("".join(parts)))


@settings(QUICK, max_examples=200)
@given(
    st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30, unique=True),
    st.integers(0, 2**32 - 1), st.floats(0, 1), st.sampled_from((0.25, 1.0, 4.0)),
)  # fmt: skip
def test_best_prefixes_are_the_same(
    probabilities: list[float], seed: int, share: float, beta_2: float
) -> None:
    levels = np.sort(np.array(probabilities))[::-1].copy()
    weights = np.random.default_rng(seed).integers(1, 2000, len(levels)) / 6
    behind = np.interp(levels, threshold._normal_cdf, threshold._normal)
    tables = (
        threshold._moves, threshold._factor_weights, threshold._normal, threshold._normal_cdf,
        threshold._normal_slopes,
    )  # fmt: skip
    arguments = (levels, weights, behind, *tables, share * levels[0], beta_2, threshold._DIVISOR)
    assert threshold.best_prefix(*arguments) == threshold._best_prefix(*arguments)


@given(
    st.lists(st.integers(0, 140), max_size=12), st.integers(1, 40), st.integers(0, 2**32 - 1)
)  # fmt: skip
@settings(QUICK, max_examples=100)
def test_rows_are_added_in_numpys_order(counts: list[int], width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = (random.normal(size=(50, width)) * 10.0 ** random.integers(-3, 4)).astype(np.float32)
    ids = random.integers(0, len(rows), sum(counts))
    offsets = np.cumsum([0, *counts])
    for is_mean in (False, True):
        found = row_sums(rows, ids, offsets, is_mean)
        if max(counts, default=0) > 129:
            assert found is None
        else:
            assert same(found, scoring._row_sums(rows, ids, offsets, is_mean))


def test_a_row_outside_of_the_table_is_refused() -> None:
    with pytest.raises(IndexError, match="7"):
        row_sums(np.zeros((7, 2), np.float32), np.array([0, 7]), np.array([0, 2]), False)
