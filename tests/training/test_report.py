"""The evaluation's report holds every set, system, cut and figure, in well-formed tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

from scrapy_boilernet.training.evaluate import PageRow, System, summarize
from scrapy_boilernet.training.report import markdown

VERSIONS = {"python": "3.11.0", "numpy": "2.0.0"}
SYSTEMS = [
    System(name, version, lambda _: ("", None))
    for name, version in (("mine", "ours"), ("peer-a", "1.2"), ("peer-b", "3.4"))
]


def report(systems: list[System] = SYSTEMS) -> str:
    rng = np.random.default_rng(0)
    rows = [
        PageRow(
            dataset, f"p{n}", "forum" if n % 2 else "article", "fi" if dataset == "one" else None,
            system.name, 0.75, 0.25, float(rng.random()),
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
    for line in ("## Word-F1 per page type", "| one: forum |", "| two: article |",
                 "## Word-F1 per language", "| one: fi |"):  # fmt: skip
        assert line in text


def test_figures_carry_intervals_and_leads_carry_signs() -> None:
    row = tables(report())[0][2]
    assert len(re.findall(r" \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\] ", row)) == 3
    assert len(re.findall(r" [+-]\d\.\d{3} \[[+-]\d\.\d{3}, [+-]\d\.\d{3}\] ", row)) == 2


def test_precision_recall_and_cpu_time_are_per_set_and_system() -> None:
    last = tables(report())[-1]
    assert len(last) == 2 + 2 * 3
    assert "| two | peer-b | 0.750 | 0.250 | 12.5 |" in last


def test_calibration_is_told_of_the_system_with_confidence_only() -> None:
    text = report()
    assert "Expected calibration error of mine's confidence" in text
    assert "calibration error of peer-a" not in text


def test_a_cut_that_no_page_has_is_left_out() -> None:
    rows = [PageRow("one", "p", None, None, "mine", 1, 1, 1, None, 0.1)]
    text = markdown(summarize(rows, SYSTEMS[:1]), "command", VERSIONS)
    assert "page type" not in text
    assert "language" not in text
    assert "calibration" not in text
