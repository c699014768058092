r"""Crawl broken pages for a long time while workers are killed, and report what grows or is lost.

    python -m benchmarks.soak.soak --responses 100000 --modes process thread without \
        --out-markdown docs/results/robustness/soak.md --plot docs/results/robustness/soak.svg

A real crawl from a server on loopback that sends sound pages and every kind of broken one, by a
seed; in the mode ``process`` workers are killed or stopped at random times. The report counts items
in and out, and memory, threads, processes and open files during the crawl and afterwards.
``without``: the same crawl with ``BOILERNET_ENABLED = False``, for Scrapy's own growth. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil

from benchmarks.common.measuring import environment, module_command
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.soak import labeler
from benchmarks.soak.figures import introduction, plot, write_report
from benchmarks.soak.server import soaking

WITHOUT = "without"
PROCESS = "benchmarks.soak.crawl"
_PASSED_ON = (
    "responses", "seed", "concurrent", "kill_every", "download_timeout", "sample_seconds",
)  # fmt: skip


def main() -> None:
    """Crawl once per mode and write the report."""
    options = arguments()
    report = Report("A soak")
    crawls: dict[str, dict[str, Any]] = {}
    for mode in options.modes:
        name = f"{mode}, {options.workers} workers" if mode == "process" else mode
        with soaking(options.seed, options.slow_seconds) as port:
            crawls[name] = crawl(port, options, mode, name)
    report.figures = {"crawls": crawls}
    report.text(introduction(options))
    write_report(report, crawls)
    report.write(options, partial(plot, crawls))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--responses", type=int, default=100_000, help="that reach the spider")
    parser.add_argument("--modes", nargs="+", default=["process", "thread", WITHOUT],
                        choices=["process", "thread", WITHOUT])  # fmt: skip
    parser.add_argument("--workers", type=int, default=2, help="of the mode process")
    parser.add_argument("--engine", default="onnx")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrent", type=int, default=16, help="requests at a time")
    parser.add_argument("--kill-every", type=float, default=1000, metavar="RESPONSES",
                        help="between two signals to workers, in the mean; 0: none")  # fmt: skip
    parser.add_argument("--timeout", type=float, default=5.0, help="BOILERNET_TIMEOUT")
    parser.add_argument("--download-timeout", type=float, default=4.0, help="DOWNLOAD_TIMEOUT")
    parser.add_argument("--slow-seconds", type=float, default=0.3,
                        help="between the four pieces of a slow answer, at most")  # fmt: skip
    parser.add_argument("--sample-seconds", type=float, default=2.0)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", dest="more",
                        help="more settings of the crawls with the plugin")  # fmt: skip
    parser.add_argument("--keep-log", type=Path, metavar="FOLDER", help="the crawls' logs")
    add_outputs(parser)
    return parser.parse_args()


def crawl(port: int, options: argparse.Namespace, mode: str, name: str) -> dict[str, Any]:
    """Run one crawl in its own session; return its results and the processes that it left."""
    with tempfile.TemporaryDirectory() as folder:
        plug_ins, out = Path(folder) / "plug-ins", Path(folder) / "result.json"
        labeler.install(plug_ins)
        log = (options.keep_log or Path(folder)) / f"{mode}.log"
        job = {**job_of(port, options, mode, name), "log": str(log), "out": str(out)}
        given = {
            **environment(plug_ins),
            labeler.ENGINE_VARIABLE: options.engine,
            labeler.MODE_VARIABLE: mode,
            labeler.HANG_VARIABLE: str(1.5 * options.timeout),
        }
        command = module_command(PROCESS, json.dumps(job))
        with subprocess.Popen(command, env=given, start_new_session=True) as process:
            status = process.wait()
            session = in_session(process.pid)
        if not out.is_file():
            raise SystemExit(f"the crawl {name!r} ended with status {status} and no result")
        result: dict[str, Any] = json.loads(out.read_text())
    return {**result, "left_processes": len(session), "left_names": session}


def job_of(port: int, options: argparse.Namespace, mode: str, name: str) -> dict[str, Any]:
    """Return the job of a crawl's process."""
    own = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODEL": labeler.NAME,
        "BOILERNET_MODE": mode,
        "BOILERNET_TIMEOUT": options.timeout,
        **({"BOILERNET_WORKERS": options.workers} if mode == "process" else {}),
        **dict(entry.split("=", 1) for entry in options.more),
    }
    return {
        "port": port,
        "mode": "" if mode == WITHOUT else mode,
        "label": name,
        "settings": {"BOILERNET_ENABLED": False} if mode == WITHOUT else own,
        "objects_every": max(1, options.responses // 10),
        **{option: getattr(options, option) for option in _PASSED_ON},
    }


def in_session(session: int) -> list[str]:
    """Return the names of the running processes of a session."""
    names = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, ProcessLookupError):  # it has ended meanwhile
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                names.append(process.name())
    return names


if __name__ == "__main__":
    main()
