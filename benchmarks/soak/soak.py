r"""Crawl broken pages for long, with workers killed meanwhile, and look at what grows or is lost.

    python benchmarks/soak.py --responses 100000 --modes process thread without \
        --out-markdown docs/results/robustness/soak.md --plot docs/results/robustness/soak.svg

A real crawl from a server on loopback that sends sound pages and every kind of broken one, by a
seed; in the mode ``process`` workers are killed or stopped at random times. Items in and out;
memory, threads, processes and open files all along and afterwards. ``without``: the same crawl with
``BOILERNET_ENABLED = False``, to tell Scrapy's own growth. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import soak_labeler
from measuring import ONE_THREAD
from reporting import Report, add_outputs
from soak_report import introduction, plot, write_report
from soak_server import soaking

WITHOUT = "without"
PROCESS = Path(__file__).with_name("soak_process.py")


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
    """Run one crawl in a session of its own and return what it saw, and what it left behind."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        soak_labeler.install(place / "plug-ins")
        own = {
            "BOILERNET_ENABLED": True,
            "BOILERNET_MODEL": soak_labeler.NAME,
            "BOILERNET_MODE": mode,
            "BOILERNET_TIMEOUT": options.timeout,
            **({"BOILERNET_WORKERS": options.workers} if mode == "process" else {}),
            **dict(entry.split("=", 1) for entry in options.more),
        }
        job = {
            "port": port,
            "mode": "" if mode == WITHOUT else mode,
            "label": name,
            "settings": {"BOILERNET_ENABLED": False} if mode == WITHOUT else own,
            "plug_ins": str(place / "plug-ins"),
            "log": str((options.keep_log or place) / f"{mode}.log"),
            "out": str(place / "result.json"),
            "objects_every": max(1, options.responses // 10),
            **{name: getattr(options, name) for name in _PASSED_ON},
        }
        environment = {
            **os.environ,
            **ONE_THREAD,
            soak_labeler.ENGINE_VARIABLE: options.engine,
            soak_labeler.MODE_VARIABLE: mode,
            soak_labeler.HANG_VARIABLE: str(1.5 * options.timeout),
        }
        command = [sys.executable, str(PROCESS), json.dumps(job)]
        with subprocess.Popen(command, env=environment, start_new_session=True) as process:
            status = process.wait()
            session = in_session(process.pid)
        if not Path(job["out"]).is_file():
            raise SystemExit(f"the crawl {name!r} ended with status {status} and no result")
        result: dict[str, Any] = json.loads(Path(job["out"]).read_text())
    return {**result, "left_processes": len(session), "left_names": session}


_PASSED_ON = (
    "responses", "seed", "concurrent", "kill_every", "download_timeout", "sample_seconds",
)  # fmt: skip


def in_session(session: int) -> list[str]:
    """Return the names of the processes of a session that run; Linux only."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it has ended meanwhile
            continue
        name, _, rest = text.partition("(")[2].rpartition(")")
        fields = rest.split()
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(name)
    return found


if __name__ == "__main__":
    main()
