"""The SVM labeler: its machine, its weights on disk, its scores and reasons."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load, save
from testing.counting import calls_of
from testing.synthetic import QUICK, article, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.classical import ClassicalSpec, save_classical
from scrapy_boilernet.extractor.labelers.svm import labeler as svm
from scrapy_boilernet.extractor.labelers.svm.labeler import MOST_REASONS, Machine, SvmLabeler
from scrapy_boilernet.extractor.labelers.svm.yao_features import NUMBER_NAMES, NUMBERS, features

NAMES = ("menu", "sidebar", "footer")
BARE = ("<p>!!!", "<p>one", "潮", "<a href=/>x</a>", "<p>---<p>***")
SPEC = ClassicalSpec("svm", "small", SvmLabeler.featurizer, "block", 0.5)


def machine(vectors: int = 40, sets: tuple[str, ...] = ("text", "position", "tokens")) -> Machine:
    rng = np.random.default_rng(1)
    names = NAMES if "tokens" in sets else ()
    width = sum({"text": 7, "position": 1, "tokens": len(names)}[name] for name in sets)
    return Machine(
        support=rng.normal(size=(vectors, width)).astype(np.float32),
        dual=rng.normal(size=vectors).astype(np.float32),
        mean=rng.normal(size=width).astype(np.float32),
        deviation=rng.uniform(0.5, 2, size=width).astype(np.float32),
        numbers=np.array([0.3, 0.1, 2.0, -0.5]),
        names=names,
        sets=sets,
    )


def labeler(**changes: object) -> SvmLabeler:
    return SvmLabeler(SPEC, machine(**changes).to_bytes())  # type: ignore[arg-type]


def plain_log_odds(machine: Machine, row: np.ndarray) -> float:
    intercept, gamma, slope, offset = machine.numbers
    kernel = [np.exp(-gamma * ((row - vector) ** 2).sum()) for vector in machine.support]
    return float(slope * (np.dot(kernel, machine.dual) + intercept) + offset)


@pytest.mark.parametrize("sets", [("text",), ("text", "position"), ("position", "tokens")])
def test_bytes_and_back_give_the_same_machine(sets: tuple[str, ...]) -> None:
    one = machine(sets=sets)
    again = Machine.from_bytes(one.to_bytes())
    assert again.to_bytes() == one.to_bytes()
    assert (again.names, again.sets) == (one.names, sets)
    assert np.array_equal(again.support, one.support)


def test_log_odds_are_those_of_the_definition(monkeypatch: pytest.MonkeyPatch) -> None:
    one, page = machine(), blockify(article(1)[0])
    scaled = one.scaled(features(page, NAMES))
    expected = [plain_log_odds(one, row.astype(np.float64)) for row in scaled]
    np.testing.assert_allclose(one.log_odds(scaled), expected, atol=1e-4)
    monkeypatch.setattr(svm, "CHUNK_VALUES", 100)  # three blocks at once
    np.testing.assert_allclose(one.log_odds(scaled), expected, atol=1e-4)


def test_a_saved_model_gives_the_same_scores(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    payload = machine().to_bytes()
    save_classical(folder, SPEC, payload, SvmLabeler)
    page = blockify(article(1)[0])
    (one,), (other,) = (
        each.probabilities([page]) for each in (SvmLabeler.load(folder), SvmLabeler(SPEC, payload))
    )
    assert np.array_equal(one, other)
    save_classical(folder, SPEC, payload[:-8], SvmLabeler)
    with pytest.raises(ModelError, match=r"model\.safetensors.*train or copy"):
        SvmLabeler.load(folder)


def broken_payloads() -> list[bytes]:
    one = machine()
    tensors = load(one.to_bytes())
    changed = [
        replace(one, dual=one.dual[:-1]),
        replace(one, dual=one.dual.astype(np.float64)),
        replace(one, mean=one.mean * np.float32("nan")),
        replace(one, deviation=one.deviation * 0),
        replace(one, support=one.support[:0], dual=one.dual[:0]),
        replace(one, names=one.names[:2]),
        replace(one, names=tuple("abcdefghijk")),
        replace(one, sets=("text", "colour")),
        replace(one, sets=()),
        replace(one, numbers=np.array([0.3, 0.0, 2.0, -0.5])),
        replace(one, numbers=one.numbers[:3]),
    ]
    documents = [b"{", b"\xff", b"[]", b'{"names": 3, "sets": []}', b'{"sets": ["text"]}']
    return [
        b"",
        b"no tensors",
        save({"support": tensors["support"]}),
        *(each.to_bytes() for each in changed),
        *(save({**tensors, "document": np.frombuffer(d, dtype=np.uint8)}) for d in documents),
    ]


@pytest.mark.parametrize("payload", broken_payloads())
def test_broken_weights_are_refused(payload: bytes) -> None:
    with pytest.raises(ValueError):
        SvmLabeler(SPEC, payload)


@pytest.mark.parametrize("html", ["", *BARE, article(2)[0]])
def test_any_page_has_probabilities_and_reasons(html: str | bytes) -> None:
    page, one = blockify(html), labeler()
    (found,) = one.probabilities([page])
    assert found.shape == (len(page.blocks),)
    assert found.dtype == np.float32
    assert ((found >= 0) & (found <= 1)).all()
    assert len(one.reasons(page)) == len(page.blocks)


@QUICK
@given(st.lists(st.text(st.characters(codec=None), max_size=80), max_size=10))
def test_any_text_is_scored_finitely(texts: list[str]) -> None:
    page, one = page_of(texts), labeler()
    assert np.isfinite(one.logits(page)).all()
    for reasons in one.reasons(page):
        weights = [abs(reason.weight) for reason in reasons]
        assert weights == sorted(weights, reverse=True)
        assert np.isfinite(weights).all()


def test_a_reason_weighs_as_much_as_the_log_odds_fall_at_the_features_mean() -> None:
    one, page = labeler(), blockify(article(3)[0])
    whole = one.logits(page)
    scaled = one.machine.scaled(features(page, NAMES))
    for row, reasons in enumerate(one.reasons(page)):
        assert 0 < len(reasons) <= MOST_REASONS
        for reason in reasons:
            if reason.feature in NUMBER_NAMES:
                changed = scaled[row].astype(np.float64)
                changed[NUMBER_NAMES.index(reason.feature)] = 0
                lost = whole[row] - plain_log_odds(one.machine, changed)
                assert reason.weight == pytest.approx(lost, abs=1e-3)
                assert float(reason.value) >= 0


def test_names_are_reasons_only_for_blocks_that_have_them() -> None:
    page, one = blockify(article(3)[0]), labeler()
    flags = features(page, NAMES)[:, NUMBERS:]
    changed = replace(one.machine, support=one.machine.support.copy())
    changed.support[:, :NUMBERS] = 0  # so that only names have a weight
    reasons = SvmLabeler(SPEC, changed.to_bytes()).reasons(page)
    wanted = {f"class or id names “{name}”": place for place, name in enumerate(NAMES)}
    found = [{wanted[r.feature] for r in block if r.feature in wanted} for block in reasons]
    assert any(found)
    assert all(flags[row, place] for row, places in enumerate(found) for place in places)


def test_feature_sets_that_are_not_read_are_no_reasons() -> None:
    page = blockify(article(3)[0])
    for reasons in labeler(sets=("position",)).reasons(page):
        assert {reason.feature for reason in reasons} <= {"place in the page"}


def test_work_is_linear_in_the_page() -> None:
    one = labeler(vectors=3000)

    def calls(blocks: int) -> int:
        rows = "".join(f"<p class=row>Row {i}: some text, and more." for i in range(blocks))
        page = blockify(rows)
        return calls_of(lambda: one.probabilities([page]))

    assert calls(5000) < 12 * calls(500)
