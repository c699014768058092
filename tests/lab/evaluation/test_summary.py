"""Means, leads, best peers and confidence of an evaluation, from its rows; figures by hand."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.evaluated import PERFECT, SILENT, gold_pages
from testing.synthetic import QUICK, gold_page

from scrapy_boilernet.lab.evaluation.evaluate import PageRow, evaluate
from scrapy_boilernet.lab.evaluation.summary import figures, ratio, summarize
from scrapy_boilernet.lab.evaluation.systems import Extraction, System


def row(
    system: str, f1: float | None, dataset: str = "made", page: str = "p", **fields: object
) -> PageRow:
    known = {"page_type": None, "language": None, "confidence": None, "seconds": 0.001}
    names = ("word_precision", "word_recall", "word_f1")
    metrics = {} if f1 is None else dict.fromkeys(names, f1)
    return PageRow(dataset, page, system=system, metrics=metrics, **known | fields)


def named(*names: str) -> list[System]:
    """Our system and peers after it."""
    return [
        System(name, "1" if n else "ours", lambda _: Extraction("")) for n, name in enumerate(names)
    ]


def test_the_paired_lead_is_of_the_first_system_over_the_others() -> None:
    systems = [PERFECT, SILENT]
    rows = evaluate(gold_pages(), systems)
    ahead = summarize(rows, systems)
    behind = summarize(rows, systems[::-1])
    assert ahead["cuts"]["data set"]["made"]["silent"]["lead"] == 1
    assert behind["cuts"]["data set"]["made"]["perfect"]["lead"] == -1
    assert ahead["macro_difference"]["silent"] == {"lead": 1.0, "interval": (1.0, 1.0)}
    assert behind["macro_difference"]["perfect"]["lead"] == -1
    assert "lead" not in ahead["cuts"]["data set"]["made"]["perfect"]


def test_pages_without_main_text_are_counted_separately_in_sets_that_have_some() -> None:
    mixed = [*gold_pages("mixed", 3), gold_page(9, "mixed", gold="")]
    systems = [PERFECT, SILENT]
    cut = summarize(evaluate([*mixed, *gold_pages("plain", 2)], systems), systems)["cuts"][
        "kind of gold"
    ]
    assert {group: cut[group]["pages"] for group in cut} == {
        "mixed: with text": 3,
        "mixed: empty": 1,
    }
    assert (cut["mixed: with text"]["silent"]["f1"], cut["mixed: empty"]["silent"]["f1"]) == (0, 1)


def test_means_are_per_set_and_the_macro_mean_is_over_sets() -> None:
    rows = [row("a", f1, "one", f"p{n}") for n, f1 in enumerate((1.0, 0.5, 0.0))]
    rows.append(row("a", 0.9, "two"))
    summary = summarize(rows, named("a"))
    cut = summary["cuts"]["data set"]
    assert (cut["one"]["a"]["f1"], cut["two"]["a"]["f1"]) == (0.5, 0.9)
    assert (cut["one"]["pages"], cut["two"]["pages"]) == (3, 1)
    assert summary["macro_f1"] == {"a": pytest.approx(0.7)}
    low, high = cut["one"]["a"]["interval"]
    assert low < 0.5 < high
    assert cut["one"]["a"]["ms_per_page"] == pytest.approx(1)


def test_the_interval_of_a_lead_is_paired_by_page() -> None:
    hard = np.linspace(0, 0.9, 20)
    rows = [row("a", f1 + 0.1, page=f"p{n}") for n, f1 in enumerate(hard)]
    rows += [row("b", f1, page=f"p{n}") for n, f1 in enumerate(hard)]
    found = summarize(rows, named("a", "b"))["cuts"]["data set"]["made"]["b"]
    assert found["lead_interval"] == pytest.approx((0.1, 0.1))
    assert found["interval"][1] - found["interval"][0] > 0.1


def test_types_and_languages_are_cut_within_their_set_where_known() -> None:
    rows = [
        row("a", 1.0, "one", "p1", page_type="forum", language="fi"),
        row("a", 0.0, "one", "p2", page_type="article"),
        row("a", 0.5, "two", "p3", page_type="forum"),
    ]
    cuts = summarize(rows, named("a"))["cuts"]
    assert list(cuts["page type"]) == ["one: forum", "one: article", "two: forum"]
    assert list(cuts["language"]) == ["one: fi"]
    assert cuts["page type"]["two: forum"]["a"]["f1"] == 0.5


def test_calibration_is_of_the_systems_that_state_confidence() -> None:
    systems = [PERFECT, SILENT]
    summary = summarize(evaluate(gold_pages(), systems), systems)
    assert summary["calibration_error"] == {"perfect": pytest.approx(0.1)}


def test_the_best_peer_is_one_and_the_same_over_all_sets() -> None:
    scores = {"mine": (0.9, 0.5), "a": (0.95, 0.3), "b": (0.6, 0.6)}
    rows = [
        row(name, f1, dataset)
        for name, both in scores.items()
        for dataset, f1 in zip(("one", "two"), both, strict=True)
    ]
    summary = summarize(rows, named(*scores))
    best = summary["best_peer"]
    assert best["name"] == "a"
    assert best["macro_f1"] == pytest.approx(0.625)
    assert best["lead"] == pytest.approx(0.7 - 0.625)
    assert best["interval"] == pytest.approx((0.075, 0.075))
    assert {d: gap["name"] for d, gap in summary["gaps"].items()} == {"one": "a", "two": "b"}
    assert summary["gaps"]["one"]["lead"] == pytest.approx(-0.05)


def test_a_model_of_ours_is_no_peer() -> None:
    systems = [PERFECT, System("other", "ours", lambda _: Extraction(""))]
    summary = summarize(evaluate(gold_pages(), systems), systems)
    assert summary["best_peer"] is None
    assert summary["gaps"] == {}


def test_pages_without_gold_text_have_no_part_in_word_f1() -> None:
    rows = [row("mine", 0.5, "one", "p1"), row("mine", None, "one", "p2")]
    rows.append(row("mine", None, "snippets", "p3"))
    rows[2].metrics["with_rate"] = 0.25
    summary = summarize(rows, named("mine"))
    assert summary["cuts"]["data set"]["one"]["pages"] == 1
    assert summary["macro_f1"] == {"mine": 0.5}
    found = summary["figures"]["snippets"]["mine"]
    assert found == {"with_rate": {"value": 0.25, "interval": (0.25, 0.25)}}


def test_an_evaluation_by_snippets_alone_has_no_word_f1() -> None:
    summary = summarize([row("mine", None), row("a", None)], named("mine", "a"))
    cuts = ("data set", "page type", "language", "kind of gold")
    assert summary["cuts"] == {cut: {} for cut in cuts}
    assert summary["macro_f1"] == summary["macro_difference"] == {}
    assert summary["best_peer"] is None


def test_sure_pages_are_those_of_confidence_of_9_tenths() -> None:
    stated = [(0.9, 0.8), (0.95, 1.0), (0.89, 0.1), (0.5, 0.5)]
    rows = [row("mine", f1, page=f"p{n}", confidence=c) for n, (c, f1) in enumerate(stated)]
    sure = summarize(rows, named("mine"))["sure"]["mine"]
    assert (sure["share"], sure["f1"]) == (0.5, pytest.approx(0.9))
    assert sure["interval"] == pytest.approx((0.8, 1.0))
    none = summarize(rows[2:], named("mine"))["sure"]["mine"]
    assert none == {"share": 0.0, "f1": None, "interval": None}


def test_the_language_gap_is_between_languages_with_enough_pages() -> None:
    rows = [
        row("mine", f1, "news", f"{language}{n}", language=language)
        for language, f1, number in (("pl", 0.9, 20), ("zh", 0.7, 20), ("ru", 0.1, 19))
        for n in range(number)
    ]
    rows.append(row("mine", 1.0, "other", language="en"))
    gaps = summarize(rows, named("mine"))["language_gaps"]
    assert gaps == {"news": {"best": "pl", "worst": "zh", "gap": pytest.approx(0.2)}}


def values(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: found["value"] for name, found in figures(rows).items()}


def test_means_are_over_the_pages_that_have_a_metric() -> None:
    assert values([{"exact": 1.0, "x": 0.5}, {"exact": 0.0}]) == {"exact": 0.5, "x": 0.5}


def test_empty_pages_are_counted() -> None:
    assert values([{"empty": 1.0}, {"empty": 0.0}, {"empty": 1.0}, {}])["empty"] == 2


def test_the_f1_of_shingles_is_the_harmonic_mean_of_two_means() -> None:
    rows = [
        {"shingle_precision": 1.0, "shingle_recall": 0.5},
        {"shingle_recall": 0.1},
        {"shingle_precision": 0.5, "shingle_recall": 0.0},
    ]
    found = values(rows)
    assert found["shingle_precision"] == 0.75
    assert found["shingle_recall"] == pytest.approx(0.2)
    assert found["shingle_f1"] == pytest.approx(2 * 0.75 * 0.2 / 0.95)


def test_label_counts_are_pooled_before_scores_are_made_of_them() -> None:
    counts = {"block_hits": 3.0, "block_extra": 1.0, "block_missed": 2.0, "block_right": 4.0}
    other = {"block_hits": 1.0, "block_extra": 0.0, "block_missed": 0.0, "block_right": 0.0}
    found = values([counts, other, {}])
    assert found == {
        "block_content_precision": 4 / 5,
        "block_content_recall": 4 / 6,
        "block_content_f1": 8 / 11,
        "block_boilerplate_precision": 4 / 6,
        "block_boilerplate_recall": 4 / 5,
        "block_boilerplate_f1": 8 / 11,
        "block_accuracy": 8 / 11,
    }


def test_snippets_have_accuracy() -> None:
    counts = {
        "snippet_hits": 3.0, "snippet_extra": 1.0, "snippet_missed": 2.0, "snippet_right": 4.0
    }  # fmt: skip
    assert values([counts]) == {
        "snippet_precision": 3 / 4,
        "snippet_recall": 3 / 5,
        "snippet_f1": 6 / 9,
        "snippet_accuracy": 7 / 10,
    }


def test_nothing_found_is_a_score_of_0() -> None:
    counts = dict.fromkeys(("leaf_hits", "leaf_extra", "leaf_missed", "leaf_right"), 0.0)
    assert set(values([counts]).values()) == {0.0}


def test_the_interval_is_that_of_the_mean() -> None:
    drawn = np.random.default_rng(0).random(200)
    low, high = figures([{"x": float(value)} for value in drawn])["x"]["interval"]
    assert low < drawn.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * drawn.std() / 200**0.5, rel=0.15)


def test_a_ratio_to_nothing_is_0() -> None:
    assert ratio(np.array([1.0, 1.0]), np.array([0.0, 2.0])).tolist() == [0, 0.5]


@QUICK
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 4), min_size=1, max_size=6))
def test_pooled_figures_lie_between_0_and_1(pages: list[tuple[int, ...]]) -> None:
    names = ("leaf_hits", "leaf_extra", "leaf_missed", "leaf_right")
    rows = [dict(zip(names, map(float, page), strict=True)) for page in pages]
    for found in figures(rows).values():
        low, high = found["interval"]
        assert 0 <= low <= high <= 1
        assert 0 <= found["value"] <= 1
