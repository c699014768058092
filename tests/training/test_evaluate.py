"""Evaluation: systems side by side on the same pages, their means, leads and calibration."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from scrapy_boilernet import labelers
from scrapy_boilernet.commands import evaluate as command
from scrapy_boilernet.training.datasets import GoldPage, read_pages
from scrapy_boilernet.training.evaluate import (
    PageRow,
    System,
    as_json,
    evaluate,
    labeler_systems,
    peer_system,
    summarize,
)
from scrapy_boilernet.training.peers import PEERS, load_peer

from .synthetic import article, gold_page, write_set

PERFECT = System("perfect", "ours", lambda page: (page.gold or "", 0.9))
SILENT = System("silent", "1.0", lambda _: ("", None))


def pages(dataset: str = "made", number: int = 4, **fields: object) -> list[GoldPage]:
    return [gold_page(n, dataset, **fields) for n in range(number)]


def row(
    system: str, f1: float, dataset: str = "made", page: str = "p", **fields: object
) -> PageRow:
    known = {"page_type": None, "language": None, "confidence": None, "seconds": 0.001}
    return PageRow(dataset, page, system=system, precision=f1, recall=f1, f1=f1, **known | fields)


def named(*names: str) -> list[System]:
    return [System(name, "1", lambda _: ("", None)) for name in names]


def test_every_system_has_a_row_for_every_page_in_turn() -> None:
    rows = evaluate(pages(), [PERFECT, SILENT])
    assert [(r.page, r.system) for r in rows] == [
        (f"page{n}", name) for n in range(4) for name in ("perfect", "silent")
    ]
    assert [r.f1 for r in rows] == [1, 0] * 4
    assert [r.confidence for r in rows[:2]] == [0.9, None]
    assert all(r.seconds >= 0 for r in rows)
    assert as_json(rows)[0]["page"] == "page0"


def test_the_paired_lead_is_of_the_first_system_over_the_others() -> None:
    systems = [PERFECT, SILENT]
    rows = evaluate(pages(), systems)
    ahead = summarize(rows, systems)
    behind = summarize(rows, systems[::-1])
    assert ahead["cuts"]["data set"]["made"]["silent"]["lead"] == 1
    assert behind["cuts"]["data set"]["made"]["perfect"]["lead"] == -1
    assert ahead["macro_difference"]["silent"] == {"lead": 1.0, "interval": (1.0, 1.0)}
    assert behind["macro_difference"]["perfect"]["lead"] == -1
    assert "lead" not in ahead["cuts"]["data set"]["made"]["perfect"]


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
    summary = summarize(evaluate(pages(), systems), systems)
    assert summary["calibration_error"] == {"perfect": pytest.approx(0.1)}


def test_two_models_of_one_name_are_told_apart(tmp_path: Path, tiny_model: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("rapidfuzz")
    models = [str(shutil.copytree(tiny_model, tmp_path / name)) for name in ("first", "second")]
    mine = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(2)})
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    arguments = [str(mine), "--part", "all", "--json", str(tmp_path / "found.json")]
    for model in models:
        arguments += ["--model", model]
    assert command.run(parser.parse_args(arguments)) == 0
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert len(found["summary"]["systems"]) == 2


def test_a_model_folder_is_measured_beside_a_peer(tmp_path: Path, tiny_model: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("trafilatura")
    folder = write_set(tmp_path / "mine", {f"p{n}": article(n) for n in range(3)})
    systems = [*labeler_systems([str(tiny_model)]), peer_system("trafilatura")]
    rows = evaluate(read_pages(folder), systems)
    assert [r.system for r in rows] == ["tiny", "trafilatura"] * 3
    assert all(r.f1 > 0.8 for r in rows if r.system == "trafilatura")
    assert all(0 <= (r.confidence or 0) <= 1 for r in rows if r.system == "tiny")
    summary = summarize(rows, systems)
    assert summary["systems"]["tiny"] == "ours"
    assert summary["macro_difference"]["trafilatura"]["lead"] < 0


def test_each_model_is_loaded_once_however_many_there_are(
    tmp_path: Path, tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[Path] = []
    load = labelers.load_model
    monkeypatch.setattr(labelers, "load_model", lambda path: loaded.append(path) or load(path))
    systems = []
    for number in range(6):
        folder = shutil.copytree(tiny_model, tmp_path / f"model{number}")
        systems += labeler_systems([str(folder)], "numpy")
    evaluate(pages(number=2), systems)
    assert len(loaded) == 6


def test_an_unknown_peer_is_a_key_error() -> None:
    with pytest.raises(KeyError, match="nosuch"):
        peer_system("nosuch")


def test_a_page_on_which_a_peer_crashes_gives_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_: str) -> str:
        raise RuntimeError

    monkeypatch.setitem(PEERS, "crashing", ("json", "scrapy", lambda _: crash))
    extractor, version = load_peer("crashing")
    assert extractor("<p>x</p>") == ""
    assert version


@pytest.mark.parametrize("name", list(PEERS))
def test_installed_peers_find_the_article(name: str) -> None:
    pytest.importorskip(PEERS[name][0].split(".")[0])
    html, gold = article(5, 6)
    text = load_peer(name)[0](html.decode())
    if name != "justext":  # it knows made-up words for boilerplate
        assert gold.splitlines()[1] in text
    assert "Copyright 2024" not in text
