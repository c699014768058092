"""The table of labelers: every figure where it belongs, a dash where there is none."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("rapidfuzz")

from hypothesis import given
from hypothesis import strategies as st
from testing.models import write_fold_models
from testing.synthetic import QUICK

from scrapy_boilernet.lab.evaluation.evaluate import PageRow
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.evaluation.summary import figures
from scrapy_boilernet.lab.evaluation.systems import Extraction, System, labeler_systems
from scrapy_boilernet.lab.report.labeler_table import (
    COLUMNS,
    cells_of,
    labelers_page,
    pages_of,
    published,
    served_bytes,
    system_bytes,
    training_line,
)

BY_KEY = {column.key: column for column in COLUMNS}
NAMES = ("mine", "peer")
SYSTEMS = [
    System(name, version, lambda _: Extraction(""))
    for name, version in zip(NAMES, ("ours", "1.2"), strict=True)
]
LEAVES = ("leaf_hits", "leaf_extra", "leaf_missed", "leaf_right")


def row(system: str, dataset: str, page: int, **metrics: float) -> PageRow:
    return PageRow(dataset, f"p{page}", None, None, system, metrics, None, 0.002 * (page + 1))


def leaves(*counts: float) -> dict[str, float]:
    return dict(zip(LEAVES, counts, strict=True))


def made_rows(seed: int = 0) -> list[PageRow]:
    rng = np.random.default_rng(seed)
    return [
        *(row(n, "cleaneval-leaves", p, **leaves(*rng.integers(1, 9, 4).tolist()))
          for p in range(6) for n in NAMES),
        *(row(n, "l3s-gn1", p, token_set_f1=float(rng.random()), lcs_f1=float(rng.random()))
          for p in range(5) for n in NAMES),
        row("mine", "wcxb-dev", 0, word_f1=1.0),
        row("peer", "wcxb-dev", 0, word_f1=0.5),
    ]  # fmt: skip


def page_lines(systems: list[System] = SYSTEMS, rows: list[PageRow] | None = None) -> list[str]:
    rows = made_rows() if rows is None else rows
    command = "scrapy boilernet evaluate one --labelers labelers.md"
    return labelers_page(rows, systems, command, {"python": "3.11.0"}).splitlines()


def tables(lines: list[str]) -> list[list[list[str]]]:
    text = "\n".join(lines) + "\n"
    found = re.findall(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)
    return [[line[2:-2].split(" | ") for line in table.splitlines()] for table in found]


def test_leaves_are_pooled_and_other_figures_are_means() -> None:
    rows = [
        row("mine", "googletrends2017", 0, **leaves(3, 1, 2, 4)),
        row("mine", "googletrends2017", 1, **leaves(0, 0, 1, 5)),
        row("mine", "googletrends2017", 2, word_f1=1.0),
        row("mine", "dragnet", 0, word_precision=0.5, word_recall=0.7, word_f1=0.6),
        row("mine", "dragnet", 1, word_precision=0.7, word_recall=0.9, word_f1=0.8),
    ]
    cells = cells_of(rows, "mine")
    assert set(cells) == {
        "googletrends_content", "googletrends_boilerplate", "dragnet_words", "ms",
    }  # fmt: skip
    assert cells["googletrends_content"].values == pytest.approx((3 / 4, 3 / 6, 6 / 10))
    assert cells["googletrends_boilerplate"].values == pytest.approx((9 / 12, 9 / 10, 18 / 22))
    assert cells["dragnet_words"].values == pytest.approx((0.6, 0.8, 0.7))
    assert cells["ms"].values == pytest.approx((1000 * 0.018 / 5,))
    assert pages_of(rows, BY_KEY["googletrends_content"]) == 2
    assert pages_of(rows, BY_KEY["ms"]) == 5


def test_figures_and_intervals_are_those_of_the_report() -> None:
    rows = made_rows()
    for name in NAMES:
        cells = cells_of(rows, name)
        for dataset, keys in (
            ("cleaneval-leaves", ("cleaneval_content", "cleaneval_boilerplate")),
            ("l3s-gn1", ("l3s_token_set", "l3s_lcs")),
        ):
            mine = [r.metrics for r in rows if (r.dataset, r.system) == (dataset, name)]
            found = figures(mine)
            for key in keys:
                names = list(BY_KEY[key].figures)
                assert cells[key].values == pytest.approx([found[n]["value"] for n in names])
                assert cells[key].interval == pytest.approx(found[names[-1]]["interval"])


@QUICK
@given(st.integers(0, 1000))
def test_differences_are_paired_by_page(seed: int) -> None:
    rows = made_rows(seed)
    mine, peer = (cells_of(rows, name)["l3s_lcs"] for name in NAMES)
    a, b = (
        np.array([r.metrics["lcs_f1"] for r in rows if r.dataset == "l3s-gn1" and r.system == n])
        for n in NAMES
    )
    difference, interval = mine.minus(peer)
    assert difference == pytest.approx((a - b).mean())
    assert interval == pytest.approx(bootstrap_interval((a - b).tolist()))
    assert mine.minus(mine) == (0, (0, 0))


def test_all_labelers_stand_in_one_table_ours_first_published_ones_last() -> None:
    lines = page_lines(SYSTEMS[::-1])
    table = tables(lines)[0]
    assert table[0][1:-1] == [column.title for column in COLUMNS]
    assert all(len(cells) == len(COLUMNS) + 2 for cells in (table[0], *table[2:]))
    names = [cells[0] for cells in table[2:]]
    assert names[:2] == ["mine", "peer"]
    assert names[2:] == [f"{row['name']}, published" for row in published()]
    assert "BoilerNet, published" in names


def test_what_is_not_there_is_a_dash() -> None:
    table = tables(page_lines())[0]
    mine, peer = table[2:4]
    by_title = dict(zip(table[0], mine, strict=True))
    assert by_title["Dragnet token-set F1"] == by_title["CleanEval official, text"] == "-"
    assert re.fullmatch(r"0\.\d{3} / 0\.\d{3} / 0\.\d{3}", mine[1])
    assert (mine[-1], peer[-1]) == ("0", "-")  # it needs no model; what the peer has is not known
    empty = tables(page_lines(rows=[row("mine", "x", 0), row("peer", "x", 0)]))[0]
    assert set(empty[2][1:-2]) == {"-"}


def test_intervals_and_differences_are_of_what_was_measured() -> None:
    lines = page_lines()
    _, pages, intervals, differences = tables(lines)
    assert pages[2] == ["CleanEval leaves, content, P / R / F1", "cleaneval-leaves", "6"]
    assert pages[-1] == ["CPU ms per page", "all", "12"]
    assert [len(intervals[0]), len(differences[0])] == [6, 6]
    assert [cells[0] for cells in intervals[2:]] == ["mine", "peer"]
    assert [cells[0] for cells in differences[2:]] == ["peer"]
    assert "## mine minus each of the others" in lines
    cell = r"[+-]\d\.\d{3} \[[+-]\d\.\d{3}, [+-]\d\.\d{3}\]"
    assert all(re.fullmatch(cell, text) for text in differences[2][1:-1])
    assert "minus each" not in "\n".join(page_lines(SYSTEMS[:1]))


def test_columns_with_a_better_peer_are_named_under_the_table() -> None:
    rows = [
        row("mine", "l3s-gn1", 0, token_set_f1=0.5, lcs_f1=0.75),
        row("peer", "l3s-gn1", 0, token_set_f1=0.625, lcs_f1=0.5),
        row("mine", "dragnet", 0, word_precision=1.0, word_recall=1.0, word_f1=1.0),
    ]
    lines = page_lines(rows=rows)
    place = lines.index("## Behind the best peer of a column")
    assert lines[place + 2] == (
        "mine is behind the best peer on 1 of 2 columns: "
        "L3S-GN1 token-set F1 -0.125 [-0.125, -0.125] (peer)."
    )
    assert place < next(n for n, line in enumerate(lines) if line.startswith("Leaves: every text"))
    assert not any("best peer" in line for line in page_lines(SYSTEMS[:1], rows))


def test_the_page_says_how_it_was_made_and_what_published_figures_are() -> None:
    lines = page_lines()
    assert lines[0] == "# Labelers"
    assert lines[-1] == "Versions: python 3.11.0, peer 1.2"
    assert lines[-3] == "Command: `scrapy boilernet evaluate one --labelers labelers.md`"
    assert any("but not on the same pages" in line for line in lines)
    assert all(any(row["source"] in line for line in lines) for row in published())


def test_published_rows_have_sources_and_known_columns() -> None:
    for row in published():
        assert row["name"]
        assert row["source"]
        keys = set(row) - {"name", "source"}
        assert keys
        assert keys <= set(BY_KEY)
        for key in keys:
            shown = row[key].split(" / ")
            assert len(shown) in (1, len(BY_KEY[key].figures))
            for figure in shown:
                assert figure == "-" or 0 < float(figure.removeprefix("about ")) < 1
    names = [row["name"] for row in published()]
    assert len(set(names)) == len(names)


def test_bytes_are_those_of_the_files_that_serve(tmp_path: Path) -> None:
    for name, size in {
        "model.json": 10, "model.safetensors": 200, "model.onnx": 3000, "README.md": 7, "c.svg": 7,
        "floors.json": 7,
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(b"x" * size)
    assert served_bytes(tmp_path) == 3210
    two = System("two", "ours", lambda _: Extraction(""), folders=(tmp_path, tmp_path))
    assert system_bytes(two) == 3210
    assert system_bytes(SYSTEMS[0]) == 0
    assert system_bytes(SYSTEMS[1]) is None


def test_the_training_sets_are_read_from_the_model(tmp_path: Path) -> None:
    record = {
        "datasets": {"dragnet": {"train_pages": 7, "validation_pages": 2}, "canola": {}},
        "voted": {"unlabeled": {"voted_pages": 5}},
    }
    (tmp_path / "model.json").write_text(json.dumps({"format_version": 1, "training": record}))
    system = System("trained", "ours", lambda _: Extraction(""), folders=(tmp_path,))
    line = training_line(system, ["dragnet", "l3s-gn1"])
    assert line == "dragnet (9 pages) of these sets; besides canola, unlabeled"
    assert training_line(system, ["l3s-gn1"]).startswith("none of these sets; besides dragnet")
    assert training_line(SYSTEMS[0], []) == "unknown: it has no model.json"
    needs_none = System("grf", "ours", lambda _: Extraction(""))
    assert training_line(needs_none, []) == "nothing: it needs no training"
    (tmp_path / "model.json").write_text('{"format_version": 1}')
    assert training_line(system, ["dragnet"]) == "unknown: its model.json does not state it"


def test_systems_know_where_their_models_are(tmp_path: Path, tiny_model: Path) -> None:
    models = {"fold-0": [["mine", "p0"]], "fold-1": [["mine", "p8"]]}
    folder = write_fold_models(tmp_path / "crossed", tiny_model, models)
    plain, crossed = labeler_systems([str(tiny_model), str(folder)], "numpy")
    assert plain.folders == (tiny_model,)
    assert crossed.folders == (folder / "fold-0", folder / "fold-1")
    assert system_bytes(plain) == served_bytes(tiny_model)
    assert system_bytes(crossed) == served_bytes(folder / "fold-0")
