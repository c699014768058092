"""The speed benchmarks run through on two pages and say what is missing; nothing is timed."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import scrapy
from conftest import PAGES
from synthetic import write_set

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"
TIMEOUT_SECONDS = 300
OURS = "scrapy-boilernet, numpy"

pytestmark = [
    pytest.mark.skipif(
        not (ROOT / "models" / "default" / "model.json").is_file(), reason="no shipped model"
    ),
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="no benchmarks beside the tests"),
]


@pytest.fixture(scope="module")
def small_set(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two pages."""
    names = ("article", "forum")
    pages: Any = {name: ((PAGES / f"{name}.html").read_bytes(), None) for name in names}
    return write_set(tmp_path_factory.mktemp("sets") / "small", pages)


def run(
    folder: Path, script: str, *arguments: str | Path, plot: bool = True
) -> tuple[str, dict[str, Any]]:
    """Return the benchmark's Markdown and JSON; a plot is written where matplotlib is."""
    outputs = ["--out-markdown", "out/r.md", "--json", "out/r.json"]
    outputs += ["--plot", "out/r.svg"] if plot else []
    completed = subprocess.run(
        [sys.executable, str(BENCHMARKS / script), *map(str, arguments), *outputs],
        cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr
    text = (folder / "out" / "r.md").read_text(encoding="utf-8")
    assert f"Command: `python benchmarks/{script} " in text
    assert str(folder) not in text
    if not plot:
        assert ".svg" not in text
    elif find_spec("matplotlib"):
        assert "(r.svg)" in text
        assert (folder / "out" / "r.svg").stat().st_size > 1000
    else:
        assert "Missing: matplotlib" in text
    return text, json.loads((folder / "out" / "r.json").read_text(encoding="utf-8"))


def test_extraction(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "extraction.py", small_set, "no-such-set", "--rounds", "2", "--engines", "numpy",
        "--pages", "small=2", "--counted-pages", "1", "--peers",
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
    text, document = run(tmp_path, "agreement.py", small_set, "--pages", "2", plot=False)
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
        tmp_path, "growth.py", "--sizes", "10", "20", "40", "--shapes", "paragraphs",
        "--engines", "numpy", "--limit", "20", "--peers",
    )  # fmt: skip
    curves = document["curves"]["paragraphs"]
    assert {"blockify", "featurize", "network, numpy", OURS} < set(curves)
    assert all([p["blocks"] for p in curve] == [10, 20, 40] for curve in curves.values())
    assert "over" not in text.split("## Paragraphs")[1]


def test_growth_ends_what_takes_too_long(tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "growth.py", "--sizes", "5000", "9000", "--shapes", "link lists",
        "--engines", "numpy", "--limit", "0.0001", "--peers",
    )  # fmt: skip
    (point,) = document["curves"]["link lists"][OURS]  # the larger size is not tried
    assert (point["seconds"], point["failure"]) == (None, "over")
    assert f"| {OURS} | over |" in text


@pytest.mark.skipif(scrapy.version_info < (2, 13), reason="spiders begin in another way")
def test_crawl(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "crawl.py", small_set, "--pages", "2", "--responses", "40", "--rounds", "1",
        "--engine", "numpy", "--modes", "without", "thread",
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
        tmp_path, "crawl.py", small_set, "--pages", "2", "--responses", "40", "--memory",
        "--sample-every", "10", "--modes", "without", "--engine", "numpy",
    )  # fmt: skip
    assert "Growth over the second half" in text
    samples = document["crawls"]["without"][0]["memory_kb"]
    assert [sample[0] for sample in samples] == [10, 20, 30, 40]


def test_footprint(small_set: Path, tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "footprint.py", small_set, "--pages", "2", "--rounds", "1",
        "--engine-rounds", "1", "--engines", "numpy",
    )  # fmt: skip
    (found,) = document["engines"]["numpy"]
    assert found["bare_kb"] <= found["imported_kb"] <= found["peak_kb"]
    assert "| scrapy |" in text


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module that makes pages."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module("growth_pages")


def test_the_made_pages_have_the_blocks_asked_for(made: Any) -> None:
    from scrapy_boilernet.blockify import blockify

    for shape in made.SHAPES:
        for wanted in (100, 1000):
            blocks = blockify(made.page_of(shape, wanted)).blocks
            assert len(blocks) == pytest.approx(wanted, rel=0.05), shape
