"""The speed benchmarks run on two pages and report what is missing; nothing is timed."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import scrapy
from testing.benchmark_runs import needs_shipped_model, run, run_module
from testing.models import PAGES
from testing.synthetic import article, write_set

from benchmarks.common import subjects
from benchmarks.common.reporting import Report
from benchmarks.quality import paper_table
from benchmarks.speed import growth
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.peers import PEERS

OURS = "scrapy-boilernet, numpy"

pytestmark = needs_shipped_model


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two pages."""
    names = ("article", "forum")
    pages: Any = {name: ((PAGES / f"{name}.html").read_bytes(), None) for name in names}
    return write_set(tmp_path_factory.mktemp("sets") / "small", pages)


def test_extraction(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.extraction", small_set, "no-such-set", "--rounds", "2",
        "--engines", "numpy", "--pages", "small=2", "--counted-pages", "1", "--peers",
    )  # fmt: skip
    assert "Missing: the set no-such-set" in text
    assert document["pages"] == {"small": 2}
    parse, ours = document["systems"]
    assert (parse["ratio"], ours["name"]) == (1.0, OURS)
    assert len(ours["round_ratios"]) == 2
    assert ours["empty_pages"] == 0
    stages = document["stages"]["numpy"]
    parts = [ratio for stage, ratio in stages.items() if stage != "all"]
    assert sum(parts) == pytest.approx(stages["all"])
    assert set(document["peak_bytes"]) == {parse["name"], OURS}


def test_agreement(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.agreement", small_set, "--pages", "2", plot=False
    )
    rows = {name: figures for name, *figures in document["rows"]}
    assert rows["numpy"][0] == "0.0e+00"
    assert all(
        float(figures[0]) < (0.1 if "int8" in name or "shipped" in name else 1e-3)
        for name, figures in rows.items()
    )
    if find_spec("onnxruntime") and find_spec("onnx"):
        assert rows["onnx, float32"][2].startswith("0 of")
        assert "onnx, int8" in rows
    else:
        assert "Missing: onnxruntime or onnx" in text


def test_growth(tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.growth", "--sizes", "10", "20", "40", "--shapes", "paragraphs",
        "--engines", "numpy", "--limit", "20", "--peers",
    )  # fmt: skip
    curves = document["curves"]["paragraphs"]
    assert {"blockify", "featurize", "network, numpy", OURS} < set(curves)
    assert all([p["blocks"] for p in curve] == [10, 20, 40] for curve in curves.values())
    assert "over" not in text.split("## Paragraphs")[1]


def test_growth_ends_what_takes_too_long(tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.growth", "--sizes", "5000", "9000", "--shapes", "link lists",
        "--engines", "numpy", "--limit", "0.0001", "--peers",
    )  # fmt: skip
    (point,) = document["curves"]["link lists"][OURS]  # the larger size is not tried
    assert (point["seconds"], point["failure"]) == (None, "over")
    assert f"| {OURS} | over |" in text


@pytest.mark.skipif(scrapy.version_info < (2, 13), reason="spiders begin in another way")
def test_crawl(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.crawl", small_set, "--pages", "2", "--responses", "40",
        "--rounds", "1", "--engine", "numpy", "--modes", "without", "thread",
    )  # fmt: skip
    assert "| pages per second |" in text
    for (crawl,), texts in zip(document["crawls"].values(), (0, 40), strict=True):
        assert (crawl["responses"], crawl["items_in"], crawl["items_out"]) == (40, 40, 40)
        assert crawl["with_text"] == texts
        assert crawl["lag_p50_ms"] <= crawl["lag_p95_ms"] <= crawl["lag_max_ms"]
        assert crawl["server_cpu_seconds"] >= 0


@pytest.mark.skipif(scrapy.version_info < (2, 13), reason="spiders begin in another way")
def test_memory_of_a_crawl(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.crawl", small_set, "--pages", "2", "--responses", "40",
        "--memory", "--sample-every", "10", "--modes", "without", "--engine", "numpy",
    )  # fmt: skip
    assert "Growth over the second half" in text
    samples = document["crawls"]["without"][0]["memory_kb"]
    assert [sample[0] for sample in samples] == [10, 20, 30, 40]


def test_footprint(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.speed.footprint", small_set, "--pages", "2", "--rounds", "1",
        "--engine-rounds", "1", "--engines", "numpy",
    )  # fmt: skip
    (found,) = document["engines"]["numpy"]
    assert found["bare_kb"] <= found["imported_kb"] <= found["peak_kb"]
    assert "| scrapy |" in text


def test_the_made_pages_have_the_blocks_asked_for() -> None:
    for shape in growth.SHAPES:
        for wanted in (100, 1000):
            blocks = blockify(growth.page_of(shape, wanted)).blocks
            assert len(blocks) == pytest.approx(wanted, rel=0.05), shape


def test_the_papers_table_gives_the_deviation_of_the_sample() -> None:
    assert paper_table.spread([0.5, 0.7]) == "0.600 ± 0.141"
    assert paper_table.spread([0.5]) == "0.500"


def test_the_papers_table_has_the_best_seeds_model_beside_the_published_figures() -> None:
    scores = [{"precision": f1, "recall": f1, "f1": f1} for f1 in (0.9, 0.8)]
    runs = [
        {"seed": seed, "dev_f1": dev_f1, "content": score, "boilerplate": score}
        for seed, (dev_f1, score) in enumerate(zip((0.6, 0.7), scores, strict=True))
    ]
    measures = [f"{a}_{b}" for a in ("content", "boilerplate") for b in paper_table.MEASURES]
    report = "\n".join(f"| leaf_{m} | 0.{n} [0.1, 0.9] | 0.8 |" for n, m in enumerate(measures))
    lines = paper_table.model_table({"dataset": "googletrends2017", "runs": runs}, report)
    assert "| content | f1 | 0.78 | 0.800 | 0.2 [0.1, 0.9] | 0.8 |" in lines
    assert "| boilerplate | precision |  | 0.800 | 0.3 [0.1, 0.9] | 0.8 |" in lines
    assert any("seed 1 of 0, 1" in line for line in lines)


def test_no_subject_gets_the_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report("")
    echo = ("json", "scrapy", lambda _: lambda *given: repr(given))
    monkeypatch.setitem(PEERS, "trafilatura", echo)
    html = "<p>Żółw idzie powoli przez całą drogę.</p>".encode("iso-8859-2")
    page = GoldPage("set", "p", html, None, "iso-8859-2", "https://a.com/1", language="pl")
    (peer,) = subjects.peer_subjects(report, ["trafilatura"])
    assert peer.run(page) == repr((html, "https://a.com/1", "pl"))
    (ours,) = subjects.our_subjects(report, ["numpy"])
    text = ours.run(page)
    assert "idzie powoli" in text
    assert text == ours.run(replace(page, encoding=None))


def test_hidden(tmp_path: Path) -> None:
    bell = "A brass bell from a coaster that was broken up in Hull."
    pages: Any = {
        "dialog": ((PAGES / "hidden_by_dialog.html").read_bytes(), bell),
        "passages": ((PAGES / "hidden_passages.html").read_bytes(), "A ferry."),
        **{f"shown{n}": article(n) for n in range(3)},
    }
    folder = write_set(tmp_path / "sets" / "small", pages)
    text, _ = run(
        tmp_path, "benchmarks.hostile.hidden", "--sets", folder, "--attacked", "3", plot=False
    )
    row = next(line for line in text.splitlines() if line.startswith("| small | 5 | 2 | 1 | "))
    without, drop, model = map(float, row.split(" | ")[4:7])
    assert without < 0.1 < drop == model
    assert "| small | no | 2 |" in text


def test_spread(tmp_path: Path) -> None:
    pages: Any = {f"page{n}": article(n) for n in range(3)}
    folder = write_set(tmp_path / "sets" / "small", pages)
    text, document = run(tmp_path, "benchmarks.quality.spread", folder, "--pages", "2", plot=False)
    assert "## 2 pages" in text
    assert "| default | " in text
    assert document["3"]


def test_frames(small_set: Path, tmp_path: Path) -> None:
    completed = run_module(
        tmp_path, "benchmarks.speed.frames", small_set, "--pages", "2", "--no-instructions"
    )
    assert completed.returncode == 0, completed.stderr
    lines = completed.stdout.splitlines()
    assert lines[0].startswith("2 pages, ")
    sizes = {name: int(size.replace(",", "")) for name, size, _ in map(str.split, lines[1:5])}
    assert 0 < sizes["record"] < sizes["result"]
    assert 0 < sizes["job"] < sizes["stored_job"]
    assert [line.split("  ")[0] for line in lines[5:]] == [
        "result written", "result read", "rows read", "record read",
    ]  # fmt: skip
