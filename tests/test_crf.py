"""The CRF labeler."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

pytest.importorskip("pycrfsuite")
pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from synthetic import QUICK, article, gold_page, page_of

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.classical.segments import LABELS, tagged_text
from scrapy_boilernet.labelers.classical import ClassicalSpec
from scrapy_boilernet.labelers.crf import MOST_REASONS, CrfLabeler
from scrapy_boilernet.labelers.reasons import Explaining
from scrapy_boilernet.training.crf import fit
from scrapy_boilernet.training.gold_blocks import gold_blocks

SPEC = ClassicalSpec("crf", "crf", CrfLabeler.featurizer, "leaf", 0.5)


@pytest.fixture(scope="module")
def payload() -> bytes:
    pages = [page for n in range(8) if (page := gold_blocks(gold_page(n), "leaf"))]
    return fit(pages, {"max_iterations": 30, "min_frequency": 2}, 0, lambda _: None)


@pytest.fixture(scope="module")
def labeler(payload: bytes) -> CrfLabeler:
    return CrfLabeler(SPEC, payload)


def test_a_page_like_those_learned_is_labeled_right(labeler: CrfLabeler) -> None:
    html, gold = article(20)
    page = blockify(html, units="leaf")
    kept = labeler.logits(page) > 0
    assert "\n".join(b.text for b, keep in zip(page.blocks, kept, strict=True) if keep) == gold
    labels = labeler.segment_labels(page)
    assert [label != "other" for label in labels] == kept.tolist()
    first, *others = tagged_text(page, labels).split("\n")
    assert first.startswith("<h>")
    assert all(line.startswith("<p>") for line in others)


def test_marginals_are_a_distribution_and_the_logit_is_of_them(labeler: CrfLabeler) -> None:
    page = blockify(article(20)[0], units="leaf")
    found = labeler.marginals(page)
    assert found.shape == (len(page.blocks), len(LABELS))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    content = 1 - found[:, -1]
    np.testing.assert_allclose(1 / (1 + np.exp(-labeler.logits(page))), content, atol=1e-6)


def test_reasons_are_readable_and_speak_for_the_label(labeler: CrfLabeler) -> None:
    assert isinstance(labeler, Explaining)
    page = blockify(article(20)[0], units="leaf")
    reasons = labeler.reasons(page)
    assert len(reasons) == len(page.blocks)
    for told, logit in zip(reasons, labeler.logits(page), strict=True):
        weights = [abs(reason.weight) for reason in told]
        assert weights == sorted(weights, reverse=True)
        assert 0 < len(told) <= MOST_REASONS
        assert sum(reason.weight for reason in told) * logit > 0
        assert all(":" not in reason.feature and "=" not in reason.feature for reason in told)


def test_pages_without_blocks(labeler: CrfLabeler) -> None:
    page = blockify("", units="leaf")
    assert labeler.probabilities([page])[0].shape == (0,)
    assert labeler.reasons(page) == []
    assert labeler.segment_labels(page) == ()
    assert labeler.marginals(page).shape == (0, 5)


@pytest.mark.parametrize("text", ["!!!", "x", "\ud800", "潮", "\x00"])
def test_a_page_of_one_odd_block(labeler: CrfLabeler, text: str) -> None:
    page = page_of([text], "leaf")
    assert np.isfinite(labeler.logits(page)).all()
    assert len(labeler.reasons(page)) == len(labeler.segment_labels(page)) == 1


def test_5000_blocks(labeler: CrfLabeler) -> None:
    page = page_of([f"Row {i}: some text, and more." for i in range(5000)], "leaf")
    assert np.isfinite(labeler.logits(page)).all()
    assert len(labeler.segment_labels(page)) == 5000


@QUICK
@given(st.lists(st.text(max_size=12), max_size=8))
def test_any_page_is_labeled(labeler: CrfLabeler, texts: list[str]) -> None:
    page = page_of(texts, "leaf")
    assert np.isfinite(labeler.logits(page)).all()
    assert set(labeler.segment_labels(page)) <= set(LABELS)


def test_threads_may_share_a_labeler(labeler: CrfLabeler) -> None:
    pages = [blockify(article(n)[0], units="leaf") for n in range(20, 24)] * 4
    alone = [labeler.logits(page) for page in pages]
    with ThreadPoolExecutor(4) as pool:
        for one, other in zip(alone, pool.map(labeler.logits, pages), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.parametrize("cut", [0, 10, 47, 48, 1000, -1])
def test_half_a_model_is_refused(payload: bytes, cut: int) -> None:
    with pytest.raises(ValueError):
        CrfLabeler(SPEC, payload[:cut])


@pytest.mark.parametrize("place", [0, 5, 9, 30])
def test_a_garbled_header_is_refused(payload: bytes, place: int) -> None:
    garbled = bytearray(payload)
    garbled[place : place + 2] = b"\xff\xff"
    with pytest.raises(ValueError):
        CrfLabeler(SPEC, bytes(garbled))


def test_a_model_of_other_labels_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    trainer.append([["a"], ["b"]], ["yes", "no"])
    file = tmp_path_factory.mktemp("crf") / "model"
    trainer.train(str(file))
    with pytest.raises(ValueError, match="yes"):
        CrfLabeler(SPEC, file.read_bytes())


def test_the_groups_of_the_recipe_are_read(payload: bytes) -> None:
    spec = ClassicalSpec(
        "crf", "crf", CrfLabeler.featurizer, "leaf", 0.5, options={"groups": ["x"]}
    )
    with pytest.raises(ValueError, match="groups"):
        CrfLabeler(spec, payload)
