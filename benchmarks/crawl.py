"""Crawl real pages from a server on loopback, without and with the plugin, in turns.

    python benchmarks/crawl.py DATASET... --pages 300 --rounds 3 --markdown docs/results/crawl.md

Counts pages, items, skips and errors; measures pages per second and the reactor's lag: the time
between when a call was due in the reactor and when it ran, sampled every 10 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from scrapy_boilernet.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.evaluation.provenance import versions
from scrapy_boilernet.progress import progress

CONCURRENT_REQUESTS = 16
SPIDER = Path(__file__).with_name("crawl_spider.py")


def main() -> None:
    """Run all rounds and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", default="torch")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--markdown", type=Path)
    options = parser.parse_args()
    pages = sample(options.datasets, options.cache, options.pages)
    turns = [(n, plugin) for n in range(options.rounds) for plugin in (False, True)]
    results: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    with serving(pages) as port:
        for _, plugin in progress(turns, len(turns), "crawl"):
            results[plugin].append(crawl(port, len(pages), plugin, options.engine))
    names = {path.name.removesuffix(".tar.xz") for path in options.datasets}
    text = report(results, pages, sorted(names), options)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def sample(datasets: list[Path], cache: Path, number: int) -> list[GoldPage]:
    """Return ``number`` pages, as evenly from the sets as they allow, drawn with a fixed seed."""
    rng = np.random.default_rng(0)
    share = -(-number // len(datasets))
    pages: list[GoldPage] = []
    for path in datasets:
        found = list(read_pages(open_dataset(path, cache)))
        pages += [found[i] for i in sorted(rng.permutation(len(found))[:share])]
    return pages[:number]


@contextmanager
def serving(pages: list[GoldPage]) -> Iterator[int]:
    """Serve page i at ``/i`` from a process of its own; yield the port."""
    mine, theirs = Pipe()
    process = Process(target=_serve, args=(pages, theirs), daemon=True)
    process.start()
    try:
        yield mine.recv()
    finally:
        process.terminate()
        process.join()


def _serve(pages: list[GoldPage], pipe: Connection) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            page = pages[int(self.path.strip("/"))]
            charset = f"; charset={page.encoding}" if page.encoding else ""
            self.send_response(200)
            self.send_header("Content-Type", f"text/html{charset}")
            self.send_header("Content-Length", str(len(page.html)))
            self.end_headers()
            self.wfile.write(page.html)

        def log_message(self, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64

    server = Server(("127.0.0.1", 0), Handler)
    pipe.send(server.server_address[1])
    server.serve_forever()


def crawl(port: int, pages: int, plugin: bool, engine: str) -> dict[str, Any]:
    """Run one crawl in a process of its own and return what it counted and measured."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        arguments = {
            "port": port, "pages": pages, "plugin": plugin, "engine": engine,
            "concurrent_requests": CONCURRENT_REQUESTS, "out": str(out),
        }  # fmt: skip
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, str(SPIDER), json.dumps(arguments)]
        subprocess.run(command, check=True, env=environment)
        result: dict[str, Any] = json.loads(out.read_text())
    return result


def report(
    results: dict[bool, list[dict[str, Any]]],
    pages: list[GoldPage],
    datasets: list[str],
    options: argparse.Namespace,
) -> str:
    """Return the report as Markdown."""
    last = results[True][-1]
    stats = last["stats"]
    command = (
        f"python benchmarks/crawl.py {' '.join(datasets)} --pages {options.pages} "
        f"--rounds {options.rounds} --engine {options.engine}"
    )
    lines = [
        "# A crawl over real pages",
        "",
        f"{len(pages)} pages of {', '.join(datasets)}, served on loopback, "
        f"{CONCURRENT_REQUESTS} at a time; {options.rounds} crawls without and with the plugin, "
        "in turns, each in a process of its own. Median of the rounds.",
        "",
        f"Command: `{command}`",
        "",
        "Versions: " + ", ".join(f"{k} {v}" for k, v in {**versions(), **last["versions"]}.items()),
        "",
        "| | without | with the plugin | ratio |",
        "|---|---|---|---|",
        _line("pages per second", results, lambda r: r["responses"] / r["seconds"]),
        _line("reactor lag, median (ms)", results, lambda r: r["lag_ms"]["p50"]),
        _line("reactor lag, 95th percentile (ms)", results, lambda r: r["lag_ms"]["p95"]),
        _line("reactor lag, largest (ms)", results, lambda r: r["lag_ms"]["max"]),
        _line("peak resident memory (MB)", results, lambda r: r["peak_mb"]),
        "",
        "Counts of the last crawl with the plugin:",
        "",
        "| what | count |",
        "|---|---|",
        f"| responses | {last['responses']} |",
        f"| items out | {last['items']} |",
        f"| items with main text | {last['with_text']} |",
        f"| items with an empty main text | {last['empty_text']} |",
        f"| items without the field | {last['without_field']} |",
    ]
    lines += [f"| `{name}` | {round(value, 2)} |" for name, value in sorted(stats.items())]
    return "\n".join(lines) + "\n"


def _line(title: str, results: dict[bool, list[dict[str, Any]]], value: Any) -> str:
    off, on = (median(value(row) for row in results[plugin]) for plugin in (False, True))
    return f"| {title} | {off:.1f} | {on:.1f} | {on / off:.2f} |"


if __name__ == "__main__":
    main()
