"""Calibration: its inverse, its composition, and the choice on given pages."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("rapidfuzz")

import torch
from hypothesis import given
from hypothesis import strategies as st
from testing.learned import prepared, toy
from testing.synthetic import QUICK, TINY, gold_page, random_features

from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.lab.training.calibration import (
    CALIBRATION_POINTS,
    Calibration,
    calibrate,
    calibrated,
    confidence_points,
    decided_f1,
    expected_scores,
    recalibrated,
    scores_of,
    text_scores,
    write_calibration_plot,
)
from scrapy_boilernet.lab.training.examples import LearningPage
from scrapy_boilernet.lab.training.fit import predict, predict_logits, tensors_of

calibrations = st.builds(Calibration, st.floats(0.5, 3), st.floats(-1, 1), st.floats(0.01, 0.3))


def logits_of(*probabilities: float) -> np.ndarray:
    p = np.array(probabilities)
    return np.log(p / (1 - p)).astype(np.float32)


def drawn(pages: int, sharpness: float) -> tuple[list, list[np.ndarray]]:  # type: ignore[type-arg]
    """Return pages whose labels are drawn by logits, and these logits times ``sharpness``."""
    rng = np.random.default_rng(5)
    true = [rng.normal(-0.5, 1.5, 20) for _ in range(pages)]
    targets = [(rng.random(20) < 1 / (1 + np.exp(-z))).astype(float).tolist() for z in true]
    return [toy("a", t) for t in targets], [(sharpness * z).astype(np.float32) for z in true]


@QUICK
@given(calibrations, st.lists(st.floats(-8, 8, width=32), min_size=1, max_size=9))
def test_raw_logits_are_the_inverse_of_probabilities(
    found: Calibration, values: list[float]
) -> None:
    scaled = np.array(values, dtype=np.float32)
    logits = (scaled - np.float32(found.bias)) * np.float32(found.temperature)
    back = found.raw_logits(found.probabilities(logits))
    np.testing.assert_allclose(back, logits, atol=0.01)


@QUICK
@given(calibrations, calibrations, st.lists(st.floats(-20, 20, width=32), min_size=1, max_size=9))
def test_recalibrating_gives_the_wanted_probabilities(
    folded: Calibration, wanted: Calibration, values: list[float]
) -> None:
    logits = np.array(values, dtype=np.float32)
    folded_logits = logits / folded.temperature + folded.bias
    facts = {"temperature": folded.temperature, "bias": folded.bias, "floor": folded.floor}
    again = recalibrated(facts, wanted)
    assert again.floor == wanted.floor
    found, expected = again.probabilities(folded_logits), wanted.probabilities(logits)
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_network_gives_the_probabilities_of_a_folded_calibration() -> None:
    torch.manual_seed(1)
    network = BoilerNetNetwork(TINY)
    page = random_features(30, np.random.default_rng(0))
    wanted = Calibration(1.5, -0.4, 0.1)
    expected = wanted.probabilities(predict_logits(network, [page])[0])
    folded = calibrated(tensors_of(network), wanted)
    network.load_state_dict({name: torch.from_numpy(t) for name, t in folded.items()})
    np.testing.assert_allclose(predict(network, [page])[0], expected, atol=1e-6)


def test_logits_that_are_too_large_get_a_temperature_above_1() -> None:
    assert calibrate(*drawn(80, 2.0))[0].temperature > 1


def test_calibrated_confidence_is_nearer_the_truth() -> None:
    pages, logits = drawn(80, 2.0)
    chosen = calibrate(pages, logits)[0]

    def gap(candidate: Calibration) -> float:
        expected = expected_scores(pages, logits, candidate).mean()
        return abs(float(expected - decided_f1(pages, logits, candidate).mean()))

    assert gap(chosen) < gap(Calibration(1.0, 0.0, chosen.floor))


def test_the_scores_are_of_the_decisions() -> None:
    pages = [toy("a", [1, 1, 0, 0]), toy("b", [1, 0])]
    logits = [logits_of(0.9, 0.8, 0.1, 0.1), logits_of(0.9, 0.1)]
    chosen, found = calibrate(pages, logits)
    assert found == {"a": 1.0, "b": 1.0} == scores_of(pages, logits, chosen)


def test_keeping_nothing_of_a_page_with_empty_gold_scores_1() -> None:
    page, logits = toy("a", [0, 0]), [logits_of(0.05, 0.01)]
    assert decided_f1([page], logits, Calibration(1, 0, 0.1)).tolist() == [1.0]
    assert decided_f1([page], logits, Calibration(1, 0, 0.02)).tolist() == [0.0]


def test_large_sets_weigh_more_but_do_not_decide_alone() -> None:
    large, small = toy("large", [1, 0, 0, 0]), toy("small", [0, 0, 0, 0])
    of_large, of_small = logits_of(0.06, 0.02, 0.02, 0.02), logits_of(0.1, 0.02, 0.02, 0.02)

    def scores(pages: int) -> dict[str, float]:
        return calibrate([large] * pages + [small], [of_large] * pages + [of_small])[1]

    assert scores(1)["large"] + scores(1)["small"] == 1  # no floor is right for both
    assert scores(100)["large"] == 1


def test_confidence_points_are_ascending() -> None:
    rng = np.random.default_rng(5)
    pages = [toy("a", (rng.random(12) < 0.5).astype(float).tolist()) for _ in range(40)]
    logits = [rng.normal(0, 2, 12).astype(np.float32) for _ in pages]
    points = confidence_points(pages, logits, calibrate(pages, logits)[0], judges_comments=False)
    expected, true = zip(*points, strict=True)
    assert 1 <= len(points) <= CALIBRATION_POINTS
    assert list(expected) == sorted(expected)
    assert list(true) == sorted(true)
    assert all(0 <= value <= 1 for value in (*expected, *true))


def real(html: str, kept: str) -> tuple[LearningPage, np.ndarray]:
    """Return a page of which the texts in ``kept`` are the gold, and logits that know it."""
    found = prepared(gold_page(1, "real", html=html.encode(), gold=kept))
    assert found is not None
    return found, np.where(found.targets > 0.5, 2.0, -3.0).astype(np.float32)


STORY = "The ferry to the island leaves every hour from the old pier, as it has since 1931."
ARTICLE = "<nav><a href=/a>Home</a></nav><main><h1>The ferry</h1>{}</main><footer>Imprint</footer>"
STUB = "<title>Page not found</title><main><p>The page that you requested was not found.</p></main>"


def test_the_confidence_is_that_of_the_text_after_all_steps() -> None:
    boats = [(f"Boat {n}", f"leaves at {n}:15") for n in range(9)]
    rows = "".join(f"<tr><td>{name}<td>{time}</tr>" for name, time in boats)
    html = ARTICLE.format(f"<p>{STORY}</p><table>{rows}</table><p>{STORY}</p>")
    page, logits = real(html, "\n".join([STORY, *chain.from_iterable(boats), STORY]))
    logits[[page.page.texts.index(cell) for cell in boats[-1]]] = -3.0  # the table is completed
    calibration = Calibration(1.0, 0.0, 0.1)
    (decided,) = decided_f1([page], [logits], calibration)
    (_,), (whole,) = text_scores([page], [logits], calibration, judges_comments=True)
    assert decided < whole


def test_pages_without_a_text_and_without_content_have_no_say_in_the_confidence() -> None:
    calibration = Calibration(1.0, 0.0, 0.1)
    story, sure = real(ARTICLE.format(f"<p>{STORY}</p>"), STORY)
    stub, of_stub = real(STUB, "The page that you requested was not found.")
    nothing = np.full_like(sure, -9.0)
    given = ([story, stub, story], [sure, of_stub, nothing])
    expected, true = text_scores(*given, calibration, judges_comments=True)
    assert len(expected) == len(true) == 1
    points = confidence_points(*given, calibration, judges_comments=True)
    assert points == ((round(float(expected[0]), 4), round(float(true[0]), 4)),)


def test_without_any_text_the_confidence_is_what_is_expected() -> None:
    empty = ([toy("a", [0, 0])], [logits_of(0.01, 0.01)])
    points = confidence_points(*empty, Calibration(1.0, 0.0, 0.1), judges_comments=True)
    assert points == ((0.0, 0.0), (1.0, 1.0))


def test_scores_are_in_the_order_of_the_sets_names() -> None:
    names = [f"set{n}" for n in range(10)]
    found = calibrate([toy(name, [1, 0]) for name in names], [logits_of(0.9, 0.1)] * 10)[1]
    assert list(found) == names


@pytest.mark.parametrize("pages", [1, 5, 300])
def test_the_plot_is_an_svg_with_the_number_of_pages(tmp_path: Path, pages: int) -> None:
    pytest.importorskip("matplotlib")
    confidences = np.random.default_rng(0).random(pages)
    files = [tmp_path / "one.svg", tmp_path / "other.svg"]
    for file in files:
        write_calibration_plot(file, confidences, confidences**2)
    root = ET.fromstring(files[0].read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    texts = " ".join(root.itertext())
    assert f"{pages} pages that were not trained on" in texts
    assert "confidence" in texts
    assert files[0].read_bytes() == files[1].read_bytes()
