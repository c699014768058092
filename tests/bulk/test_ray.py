"""The same pipeline on a real Ray cluster of this machine, whose processes are killed."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from types import ModuleType

import pytest
from testing.every_input import csv_of, parquet_of, wacz_of
from testing.gates import GATED_URLS, Gate, gate_of, gated_pages, is_alive, wait_for

pytest.importorskip("ray")
pytest.importorskip("psutil")
pytest.importorskip("datatrove")
pytest.importorskip("orjson")

import psutil
import ray

EXAMPLE = Path(__file__).parents[2] / "docs/examples/bulk_pipeline.py"
SECONDS = 200
TOKEN = token_hex(32)
"""Ray keeps the first token of a process."""


@pytest.fixture
def example() -> ModuleType:
    """The example of the guide."""
    spec = importlib.util.spec_from_file_location("bulk_pipeline", EXAMPLE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    """A closed gate in a cluster of two cores."""
    gate = gate_of(tmp_path, monkeypatch)
    short = mkdtemp(prefix="ray-")  # the names of sockets have at most some 100 characters
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)
    ray.init(
        num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", _temp_dir=short,
        _memory=4 << 30, object_store_memory=100 << 20,
    )  # fmt: skip
    yield gate
    gate.open()
    ray.shutdown()
    shutil.rmtree(short, ignore_errors=True)


def urls(folder: Path) -> list[str]:
    files = folder.glob("*.jsonl.gz")
    return sorted(json.loads(line)["url"] for path in files for line in gzip.open(path))


def test_no_page_is_lost_or_doubled_if_workers_are_killed(
    example: ModuleType, gate: Gate, tmp_path: Path
) -> None:
    corpus = tmp_path / "corpus"
    command = [
        str(gated_pages(tmp_path / "crawl")), str(corpus), "--executor", "ray", "--model", "gated",
        "--tasks", "4", "--workers", "2", "--memory-gb", "1",
    ]  # fmt: skip
    with ThreadPoolExecutor(1) as thread:
        run = thread.submit(example.main, command)
        wait_for(lambda: len(gate.waiting()) == 2)
        one, other = map(psutil.Process, gate.waiting())
        task = other.parent()
        worker = task.parent()
        assert worker.cmdline()[0].startswith("ray::RankWorker")
        os.kill(one.pid, signal.SIGKILL)
        os.kill(worker.pid, signal.SIGKILL)
        wait_for(lambda: not any(map(is_alive, [one, other, task, worker])))
        wait_for(lambda: len(gate.waiting()) == 4)
        gate.open()
        assert run.result(SECONDS) == 0
    assert urls(corpus / "pages") == GATED_URLS
    stats = json.loads((corpus / "logs/stats.json").read_text(encoding="utf-8"))
    labels = stats[1]["stats"]
    assert labels["workers_restarted"]["total"] == 1
    written = {path: path.stat().st_mtime_ns for path in corpus.glob("pages/*")}
    assert example.main(command) == 0
    assert {path: path.stat().st_mtime_ns for path in corpus.glob("pages/*")} == written


def test_each_task_reads_a_file_of_another_kind(
    example: ModuleType, gate: Gate, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    gate.open()
    (tmp_path / "crawl").mkdir()
    makers = {"wacz": wacz_of, "csv": csv_of, "parquet": parquet_of}
    for ending, maker in makers.items():
        pages = [(f"https://example.com/{ending}/{n}", f"<p>Page {n}.".encode()) for n in range(9)]
        (tmp_path / "crawl" / f"a.{ending}").write_bytes(maker(pages))
    command = [
        str(tmp_path / "crawl"), str(tmp_path / "corpus"), "--executor", "ray", "--model", "gated",
        "--tasks", "3", "--workers", "2", "--memory-gb", "1",
    ]  # fmt: skip
    assert example.main(command) == 0
    assert urls(tmp_path / "corpus/pages") == sorted(
        f"https://example.com/{ending}/{n}" for ending in makers for n in range(9)
    )
