"""One run over stored pages, in a separate process; prints its costs as JSON.

    python -m benchmarks.bulk.one_run WORKERS LABELER OUT FILE...

``LABELER``: ``ours``, ``formats`` (ours with Markdown and metadata), or another extractor's name.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from time import perf_counter

import psutil

from benchmarks.bulk.peer_main import PEER_VARIABLE
from scrapy_boilernet.bulk.output import format_of
from scrapy_boilernet.bulk.pool import PROGRAM, Pool
from scrapy_boilernet.bulk.records import RecordOptions, read_records, write_stored_jobs
from scrapy_boilernet.bulk.run import carry_out
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.task import Run
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.child import Program

PEER = Program("benchmarks.bulk.peer_main", write_stored_jobs, read_records)
_EVERY_PAGES = 1_000


def main() -> None:
    """Run, and print the figures."""
    workers, labeler, out, *files = sys.argv[1:]
    ours = labeler in ("ours", "formats")
    os.environ[PEER_VARIABLE] = labeler
    config = Config(mode="process", workers=int(workers), cache_blocks=0, timeout=60)
    wanted = RecordOptions(("markdown", "metadata") if labeler == "formats" else ())
    run = Run(tuple(files), Path(out), format_of(Path(out), None), wanted)
    memory: list[tuple[int, float, float]] = []

    def show(_: int, pages: int, __: int) -> None:
        if pages % _EVERY_PAGES == 0 and (not memory or memory[-1][0] != pages):
            memory.append((pages, _mb(os.getpid()), max(map(_mb, pool.workers.pids))))

    with (
        Files(run, run.asked(config)) as written,
        Pool(config, PROGRAM if ours else PEER) as pool,
    ):
        children = [psutil.Process(pid) for pid in pool.workers.pids]
        before = [_cpu_seconds(one) for one in (psutil.Process(), *children)]
        begin = perf_counter()
        carry_out(run, config, pool, written, show)
        seconds = perf_counter() - begin
        after = [_cpu_seconds(one) for one in (psutil.Process(), *children)]
    cpu = [end - start for start, end in zip(before, after, strict=True)]
    parts = Path(out).rglob("*.parquet") if Path(out).is_dir() else [Path(out)]
    figures = {
        "out_bytes": sum(part.stat().st_size for part in parts),
        "pages": written.summary.labeled, "failures": dict(written.summary.failed),
        "seconds": seconds, "main_cpu_seconds": cpu[0], "worker_cpu_seconds": sum(cpu[1:]),
        "memory": memory,
    }  # fmt: skip
    print(json.dumps(figures))


def _cpu_seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _mb(pid: int) -> float:
    try:
        return float(psutil.Process(pid).memory_info().rss / 1e6)
    except psutil.Error:
        return 0.0


if __name__ == "__main__":
    main()
