"""The evaluation's report holds every set, system, cut and figure, in well-formed tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from scrapy_boilernet.lab.evaluation.evaluate import PageRow
from scrapy_boilernet.lab.evaluation.summary import summarize
from scrapy_boilernet.lab.evaluation.systems import Extraction, System
from scrapy_boilernet.lab.report.markdown import markdown

VERSIONS = {"python": "3.11.0", "numpy": "2.0.0"}
SYSTEMS = [
    System(name, version, lambda _: Extraction(""))
    for name, version in (("mine", "ours"), ("peer-a", "1.2"), ("peer-b", "3.4"))
]


def metrics(f1: float) -> dict[str, float]:
    return {"word_precision": 0.75, "word_recall": 0.25, "word_f1": f1}


def report(systems: list[System] = SYSTEMS) -> str:
    rng = np.random.default_rng(0)
    rows = [
        PageRow(
            dataset, f"p{n}", "forum" if n % 2 else "article", "fi" if dataset == "one" else None,
            system.name, metrics(float(rng.random())),
            0.5 if system.version == "ours" else None, 0.0125,
        )
        for dataset, number in (("one", 12), ("two", 7))
        for n in range(number)
        for system in systems
    ]  # fmt: skip
    return markdown(summarize(rows, systems), "scrapy boilernet evaluate one two", VERSIONS)


def tables(text: str) -> list[list[str]]:
    found = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    return [table.splitlines() for table in found]


def test_command_and_versions_stand_at_the_top() -> None:
    lines = report().splitlines()
    assert lines[0] == "Command: `scrapy boilernet evaluate one two`"
    assert lines[2] == "Versions: python 3.11.0, numpy 2.0.0, peer-a 1.2, peer-b 3.4"


def test_every_set_and_system_is_there() -> None:
    first = tables(report())[0]
    assert first[0] == (
        "| data set | pages | mine | peer-a | peer-b | mine - peer-a | mine - peer-b |"
    )
    assert [row.split(" | ")[0] for row in first[2:]] == ["| one", "| two", "| **mean over sets**"]
    assert first[2].startswith("| one | 12 | ")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_all_rows_of_a_table_have_as_many_cells_as_its_head(number: int) -> None:
    for table in tables(report(SYSTEMS[:number])):
        assert len({row.count("|") for row in table}) == 1


def test_types_and_languages_have_tables_of_their_own() -> None:
    text = report()
    for line in ("## Word-F1 per page type", "| one: forum |", "## Word-F1 per language",
                 "| one: fi |"):  # fmt: skip
        assert line in text
    assert "| two: article |" not in text  # four pages are too few


def test_many_systems_have_their_leads_in_a_table_of_their_own() -> None:
    many = [*SYSTEMS, System("peer-c", "5.6", lambda _: Extraction(""))]
    first, *others = tables(report(many))
    assert first[0] == "| data set | pages | mine | peer-a | peer-b | peer-c |"
    assert first[2].count("[") == 1
    leads = next(table for table in others if table[0] == "| over | one | two | mean over sets |")
    assert [row.split(" | ")[0] for row in leads[2:]] == ["| peer-a", "| peer-b", "| peer-c"]
    assert all(row.count("[") == 3 for row in leads[2:])


def test_figures_carry_intervals_and_leads_carry_signs() -> None:
    row = tables(report())[0][2]
    assert len(re.findall(r" \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\] ", row)) == 3
    assert len(re.findall(r" [+-]\d\.\d{3} \[[+-]\d\.\d{3}, [+-]\d\.\d{3}\] ", row)) == 2


def test_precision_recall_and_cpu_time_are_per_set_and_system() -> None:
    found = tables(report())[-2]
    assert len(found) == 2 + 2 * 3
    assert "| two | peer-b | 0.750 | 0.250 | 12.5 |" in found


def test_calibration_is_given_only_for_the_system_with_confidence() -> None:
    text = report()
    assert "Expected calibration error of mine's confidence" in text
    assert "calibration error of peer-a" not in text


def test_a_cut_that_no_page_has_is_left_out() -> None:
    rows = [PageRow("one", "p", None, None, "mine", metrics(1), None, 0.1)]
    text = markdown(summarize(rows, SYSTEMS[:1]), "command", VERSIONS)
    assert "page type" not in text
    assert "language" not in text
    assert "calibration" not in text


def test_a_cut_of_few_pages_each_is_left_out() -> None:
    rows = [
        PageRow("one", f"p{n}", f"type {n}", "fi", "mine", metrics(1), None, 0.1) for n in range(5)
    ]
    text = markdown(summarize(rows, SYSTEMS[:1]), "command", VERSIONS)
    assert "page type" not in text
    assert "| one: fi | 5 |" in text


def test_the_engine_of_our_models_is_named() -> None:
    ours = System("mine", "ours", lambda _: Extraction(""), engine=lambda: "onnx")
    assert "\nEngines: mine by onnx\n" in report([ours, SYSTEMS[1]])
    assert "Engines" not in report()


def test_the_best_peer_stands_beside_each_set_and_the_mean() -> None:
    last = tables(report())[-1]
    assert last[0] == "| data set | best peer | word-F1 | mine - best peer |"
    assert [row.split(" | ")[0] for row in last[2:]] == ["| one", "| two", "| **mean over sets**"]
    assert "best peer" not in report(SYSTEMS[:1])


@pytest.mark.parametrize("number", [2, 3])
def test_sets_with_a_better_peer_are_named_right_under_the_means(number: int) -> None:
    leads = {"one": (0.0, 0.25), "two": (-0.5, 0.125), "three": (0.25, -0.125)}
    systems = SYSTEMS[:number]
    rows = [
        PageRow(dataset, "p", None, None, system.name, metrics(0.5 - lead), None, 0.01)
        for dataset, others in leads.items()
        for system, lead in zip(systems, (0.0, *others), strict=False)
    ]
    lines = markdown(summarize(rows, systems), "command", VERSIONS).splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("| **mean over sets**"))
    assert lines[place + 2] == "## Behind the best peer of a set"
    line = lines[place + 4]
    if number == 2:
        assert line == (
            "mine is behind the best peer on 1 of 3 sets: two -0.500 [-0.500, -0.500] (peer-a)."
        )
    else:
        assert line == (
            "mine is behind the best peer on 2 of 3 sets: two -0.500 [-0.500, -0.500] (peer-a), "
            "three -0.125 [-0.125, -0.125] (peer-b)."
        )


def test_without_peers_there_is_no_line_on_them() -> None:
    assert "best peer" not in report(SYSTEMS[:1])


def test_the_number_and_the_quality_of_sure_pages_are_given() -> None:
    assert "Sure (confidence of 0.9 or more) of 0% of the pages." in report()


def test_other_metrics_have_a_table_per_set() -> None:
    rows = [
        PageRow("one", "p", None, None, system.name, extra, None, 0.1)
        for system, extra in zip(
            SYSTEMS,
            ({**metrics(1), "exact": 0.5, "empty": 1.0}, metrics(1), {**metrics(1), "exact": 0.25}),
            strict=True,
        )
    ]
    table = tables(markdown(summarize(rows, SYSTEMS), "command", VERSIONS))[-1]
    assert table[0] == "| metric | mine | peer-a | peer-b |"
    assert table[2] == "| exact | 0.500 [0.500, 0.500] | - | 0.250 [0.250, 0.250] |"
    assert table[3] == "| empty | 1 | - | - |"


def test_a_missing_rouge_score_is_reported_with_the_costly_metrics() -> None:
    for costly, reported in (("cleaneval_lcs_f1", True), ("cleaneval_f1", False)):
        found = {**metrics(1), costly: 1.0}
        rows = [PageRow("one", "p", None, None, "mine", found, None, 0.1)]
        text = markdown(summarize(rows, SYSTEMS[:1]), "command", VERSIONS)
        assert ("| rouge_lsum: needs rouge_score | - |" in text) == reported


def test_a_run_on_snippets_alone_has_a_report() -> None:
    rows = [PageRow("one", "p", None, None, "mine", {"with_rate": 1.0}, None, 0.1)]
    text = markdown(summarize(rows, SYSTEMS[:1]), "command", VERSIONS)
    assert "| with_rate | 1.000 [1.000, 1.000] |" in text
    assert "Word-F1" not in text
