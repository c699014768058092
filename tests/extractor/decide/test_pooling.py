"""Blocks of one template are drawn to the mean of their template only."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.pooling import pooled, pooled_logits, templates
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

THREAD = """<body><h1>How deep are the pools?</h1>
<div class="post"><p class="by">Ann, Monday<div class="said"><p>Two reach a metre.</div></div>
<div class="post"><p class="by">Bob, Tuesday<div class="said"><p>At spring tide.</div></div>
<footer><p>Imprint</footer>"""


def page_of(kinds: list[int]) -> Page:
    """A page with a block per number, in an element of a class of that number."""
    return blockify(
        "".join(f"<p class='kind{'x' * kind}'>Block {i}" for i, kind in enumerate(kinds))
    )


def test_a_template_is_the_tags_and_class_words_near_the_text() -> None:
    page = blockify(THREAD)
    texts = [block.text for block in page.blocks]
    of_text = dict(zip(texts, templates(page).tolist(), strict=True))
    assert of_text["Ann, Monday"] == of_text["Bob, Tuesday"]
    assert of_text["Two reach a metre."] == of_text["At spring tide."]
    assert len(set(of_text.values())) == 4


def test_the_mean_is_over_words() -> None:
    page = blockify("<p>Tide<p>Twelve more letters than that.<div>Tide</div>")
    words = np.array([len(block.text) for block in page.blocks])
    logits = np.array([2.0, -1.0, 3.0], dtype=np.float32)
    mean = (words[0] * 2 - words[1]) / (words[0] + words[1])
    assert pooled_logits(page, logits, 0.5) == pytest.approx([1 + mean / 2, -0.5 + mean / 2, 3])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1, width=32)), min_size=1, max_size=12),
    st.floats(0, 0.99),
)
def test_each_template_keeps_its_range_and_its_order(
    drawn: list[tuple[int, float]], share: float
) -> None:
    kinds, values = zip(*drawn, strict=True)
    page = page_of(list(kinds))
    before = np.array(values, dtype=np.float32)
    after = pooled(page, before, share)
    assert (after.dtype, after.shape) == (np.float32, before.shape)
    for kind in set(templates(page).tolist()):
        own = templates(page) == kind
        assert before[own].min() - 1e-5 <= after[own].min()
        assert after[own].max() <= before[own].max() + 1e-5
        in_order = np.argsort(before[own], kind="stable")
        assert (np.diff(after[own][in_order]) >= -1e-6).all()


@given(st.lists(st.floats(0, 1, width=32), max_size=8))
def test_without_a_share_nothing_changes(values: list[float]) -> None:
    page = page_of([0] * len(values))
    before = np.array(values, dtype=np.float32)
    assert pooled(page, before, 0.0) is before


def test_a_page_without_blocks_has_no_rows() -> None:
    nothing = np.zeros(0, dtype=np.float32)
    assert pooled(blockify(""), nothing, 0.8).shape == (0,)
    assert templates(blockify("")).shape == (0,)
