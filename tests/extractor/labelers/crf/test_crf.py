"""The CRF labeler: labels, reasons, and weights that are refused."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pycrfsuite")
pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import load, save
from testing.synthetic import QUICK, article, gold_page, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Explaining
from scrapy_boilernet.extractor.labelers.classical import ClassicalSpec
from scrapy_boilernet.extractor.labelers.crf import labeler as crf
from scrapy_boilernet.extractor.labelers.crf.labeler import (
    MOST_LOG_ODDS,
    MOST_REASONS,
    CrfLabeler,
    Field,
    groups_of,
)
from scrapy_boilernet.extractor.labelers.crf.segments import LABELS, tagged_text
from scrapy_boilernet.extractor.labelers.crf.victor_features import victor_attributes
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.training.crf import fit
from scrapy_boilernet.lab.training.gold import gold_blocks

SPEC = ClassicalSpec("crf", "crf", CrfLabeler.featurizer, "leaf", 0.5)


@pytest.fixture(scope="module")
def payload() -> bytes:
    pages = [page for n in range(8) if (page := gold_blocks(gold_page(n), "leaf"))]
    return fit(pages, {"max_iterations": 30, "min_frequency": 2}, 0, lambda _: None)


@pytest.fixture(scope="module")
def labeler(payload: bytes) -> CrfLabeler:
    return CrfLabeler(SPEC, payload)


def test_a_page_like_the_training_pages_is_labeled_correctly(labeler: CrfLabeler) -> None:
    html, gold = article(20)
    page = blockify(html, units="leaf")
    kept = labeler.logits(page) > 0
    assert "\n".join(b.text for b, keep in zip(page.blocks, kept, strict=True) if keep) == gold
    labels = labeler.segment_labels(page)
    assert [label != "other" for label in labels] == kept.tolist()
    first, *others = tagged_text(page, labels).split("\n")
    assert first.startswith("<h>")
    assert all(line.startswith("<p>") for line in others)


def test_marginals_are_a_distribution_that_the_logit_is_computed_from(labeler: CrfLabeler) -> None:
    page = blockify(article(20)[0], units="leaf")
    found = labeler.marginals(page)
    assert found.shape == (len(page.blocks), len(LABELS))
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-6)
    content = 1 - found[:, -1]
    np.testing.assert_allclose(1 / (1 + np.exp(-labeler.logits(page))), content, atol=1e-6)


def test_reasons_are_readable_and_add_up_to_the_sign_of_the_label(labeler: CrfLabeler) -> None:
    assert isinstance(labeler, Explaining)
    page = blockify(article(20)[0], units="leaf")
    of_blocks = labeler.reasons(page)
    assert len(of_blocks) == len(page.blocks)
    for reasons, logit in zip(of_blocks, labeler.logits(page), strict=True):
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert 0 < len(reasons) <= MOST_REASONS
        assert sum(reason.weight for reason in reasons) * logit > 0
        assert all(":" not in reason.feature and "=" not in reason.feature for reason in reasons)


def test_a_page_without_blocks_is_labeled(labeler: CrfLabeler) -> None:
    page = blockify("", units="leaf")
    assert labeler.probabilities([page])[0].shape == (0,)
    assert labeler.reasons(page) == []
    assert labeler.segment_labels(page) == ()
    assert labeler.marginals(page).shape == (0, 5)


@pytest.mark.parametrize("text", ["!!!", "x", "\ud800", "潮", "\x00"])
def test_a_page_of_one_unusual_block_is_labeled(labeler: CrfLabeler, text: str) -> None:
    page = page_of([text], "leaf")
    assert np.isfinite(labeler.logits(page)).all()
    assert len(labeler.reasons(page)) == len(labeler.segment_labels(page)) == 1


def test_5000_blocks_are_labeled(labeler: CrfLabeler) -> None:
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


def test_a_payload_is_read_and_written_without_loss(payload: bytes) -> None:
    field = Field.from_bytes(payload)
    assert field.to_bytes() == payload
    assert field.state.shape == (len(field.attributes), len(LABELS))
    assert sorted(field.attributes) == list(field.attributes)


def test_a_label_that_is_not_in_the_training_pages_has_probability_0(payload: bytes) -> None:
    known = Field.from_bytes(payload).known.astype(bool)
    assert known.tolist() == [True, True, False, False, True]  # the articles have no lists
    for page in (blockify(article(20)[0], units="leaf"), page_of(["潮", "x"], "leaf")):
        found = CrfLabeler(SPEC, payload).marginals(page)
        assert (found[:, ~known] == 0).all()
        assert (found[:, known] > 0).all()


def test_log_odds_are_exact_before_they_are_clipped(payload: bytes) -> None:
    field = Field.from_bytes(payload)
    big = CrfLabeler(SPEC, replace(field, state=field.state * np.float32(1e3)).to_bytes())
    page = blockify(article(20)[0], units="leaf")
    logits = big.logits(page)
    assert np.abs(logits).max() == MOST_LOG_ODDS
    for reasons, logit in zip(big.reasons(page), logits, strict=True):
        assert sum(reason.weight for reason in reasons) * logit > 0
        assert max(abs(reason.weight) for reason in reasons) > MOST_LOG_ODDS


def test_the_largest_weights_that_a_payload_can_hold_give_probabilities(payload: bytes) -> None:
    field = Field.from_bytes(payload)
    rng = np.random.default_rng(0)
    huge = np.float32(3e38)
    wild = replace(
        field,
        state=huge * rng.choice([-1, 1], field.state.shape).astype(np.float32),
        transitions=huge * rng.choice([-1, 1], (5, 5)).astype(np.float32),
    )
    labeler = CrfLabeler(SPEC, wild.to_bytes())
    page = blockify(article(20)[0], units="leaf")
    assert np.isfinite(labeler.logits(page)).all()
    assert np.isfinite(labeler.marginals(page)).all()
    assert np.isfinite([r.weight for block in labeler.reasons(page) for r in block]).all()


@pytest.mark.parametrize("cut", [0, 7, 8, 100, 1000, -1])
def test_a_truncated_model_is_refused(payload: bytes, cut: int) -> None:
    with pytest.raises(ValueError, match="not the weights"):
        CrfLabeler(SPEC, payload[:cut])


@QUICK
@given(st.data())
def test_a_garbled_model_is_refused_or_scores(payload: bytes, data: st.DataObject) -> None:
    garbled = bytearray(payload)
    places = st.one_of(st.integers(0, 400), st.integers(0, len(payload) - 1))
    for _ in range(data.draw(st.integers(1, 4))):
        garbled[data.draw(places)] = data.draw(st.integers(0, 255))
    try:
        labeler = CrfLabeler(SPEC, bytes(garbled))
    except ValueError:
        return
    assert np.isfinite(labeler.logits(page_of(["one two", "three"], "leaf"))).all()


def spoiled(payload: bytes, **changed: Any) -> bytes:
    """Return the payload with other tensors; None removes one."""
    tensors = {**load(payload), **changed}
    return save({name: value for name, value in tensors.items() if value is not None})


def lines(text: bytes) -> NDArray[np.uint8]:
    return np.frombuffer(text, dtype=np.uint8)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"known": None}, "tensors state, transitions beside"),
        ({"attributes": None}, "attributes"),
        ({"more": np.zeros(1, np.float32)}, "tensors known, more, state"),
        ({"transitions": np.zeros((5, 4), np.float32)}, "transitions: float32 of shape"),
        ({"transitions": np.zeros((5, 5))}, "transitions: float64"),
        ({"transitions": np.full((5, 5), np.nan, np.float32)}, "transitions"),
        ({"transitions": np.full((5, 5), np.inf, np.float32)}, "transitions"),
        ({"state": np.zeros((2, 5), np.float32)}, r"state: .*\(2, 5\)"),
        ({"attributes": lines(b"a\nb")}, "state"),
        ({"attributes": np.array([97, 10, 98])}, "attributes: int64"),
        ({"attributes": lines(b"")}, "state"),
        ({"attributes": lines(b"\xff\xfe")}, "utf-8"),
        ({"known": np.ones(4, np.uint8)}, "known"),
        ({"known": np.ones(5, np.bool_)}, "known: bool"),
        ({"known": np.array([1, 1, 1, 1, 2], np.uint8)}, "known: "),
        ({"known": np.array([1, 1, 1, 1, 0], np.uint8)}, "known: "),
        ({"known": np.array([0, 0, 0, 0, 1], np.uint8)}, "known: "),
    ],
)
def test_weights_that_do_not_fit_together_are_refused(
    payload: bytes, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        CrfLabeler(SPEC, spoiled(payload, **changed))


@pytest.mark.parametrize("text", [b"a\na", b"a\n", b"\na"])
def test_a_duplicate_or_empty_name_is_refused(payload: bytes, text: bytes) -> None:
    two = {"state": np.ones((2, 5), np.float32), "attributes": lines(text)}
    with pytest.raises(ValueError, match="twice, or is empty"):
        CrfLabeler(SPEC, spoiled(payload, **two))


def test_reasons_compute_the_features_once(
    labeler: CrfLabeler, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = blockify(article(20)[0], units="leaf")
    read: list[Page] = []

    def counted(page: Page, groups: Sequence[str]) -> list[list[str]]:
        read.append(page)
        return victor_attributes(page, groups)

    monkeypatch.setattr(crf, "victor_attributes", counted)
    labeler.reasons(page)
    assert read == [page]


def test_a_block_without_known_attributes_is_labeled(payload: bytes) -> None:
    spec = replace(SPEC, options={"groups": ["classes"]})
    page = page_of(["a", "b"], "leaf")
    assert victor_attributes(page, ["classes"]) == [[], []]
    assert np.isfinite(CrfLabeler(spec, payload).logits(page)).all()


def test_the_labeler_does_not_import_crfsuite() -> None:
    module = "scrapy_boilernet.extractor.labelers.crf.labeler"
    code = f"import sys, {module}; print('pycrfsuite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("groups", [["x"], [], 5, "markup", ["markup", "x"], [["markup"]], None])
def test_invalid_groups_are_refused(payload: bytes, groups: Any) -> None:
    with pytest.raises(ValueError, match="groups"):
        CrfLabeler(replace(SPEC, options={"groups": groups}), payload)


def test_groups_are_put_in_order() -> None:
    assert groups_of({"groups": ["content", "markup"]}) == ("markup", "content")
