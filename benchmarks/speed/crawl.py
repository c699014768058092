r"""Crawl real pages from a server on loopback, without the plugin and with it, in turns.

    python benchmarks/crawl.py SET... --pages 500 --responses 5000 --rounds 3 \
        --out-markdown docs/results/speed/crawl.md
    python benchmarks/crawl.py SET... --memory --responses 50000 --modes thread

Pages per second; the reactor's lag: the time between when a call was due in the reactor and when it
ran, every 10 ms; resident memory; items. ``--memory``: one crawl per mode, its memory as it goes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from crawl_report import Crawls, plot_memory, plot_speed, write_memory, write_table
from crawl_server import Server, serving
from measuring import ONE_THREAD, rotated
from reporting import Report, add_outputs
from subjects import draw_pages, usable

from scrapy_boilernet.config import Config, ConfigError
from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.progress import progress

WITHOUT, TRAFILATURA = "without", "trafilatura in the callback"
MODES = ("thread", "process", "inline")
CONCURRENT_REQUESTS = 16
SPIDER = Path(__file__).with_name("crawl_spider.py")


def main() -> None:
    """Run all rounds and write the report."""
    options = arguments()
    report = Report("Memory over a crawl" if options.memory else "A crawl over real pages")
    pages = drawn(report, options)
    variants = settings_of(report, options)
    crawls: Crawls = {name: [] for name in variants}
    names = list(variants)
    rounds = 1 if options.memory else options.rounds
    turns = [(r, i) for r, k in product(range(rounds), [len(names)]) for i in rotated(k, r)]
    with serving(pages) as server:
        for _, i in progress(turns, len(turns), "crawls"):
            crawls[names[i]].append(crawl(server, options, names[i], variants[names[i]]))
    report.figures = {"distinct_pages": len(pages), "crawls": crawls}
    report.text(introduction(options, pages))
    if options.memory:
        write_memory(report, crawls)
        report.write(options, partial(plot_memory, crawls))
    else:
        write_table(report, crawls)
        report.write(options, partial(plot_speed, crawls))


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=500, help="distinct pages, over all sets")
    parser.add_argument("--responses", type=int, help="default: 1000, with --memory 50000")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engine", nargs="+", default=["auto"], metavar="ENGINE")
    parser.add_argument(
        "--modes", nargs="+", default=[WITHOUT, *MODES, TRAFILATURA],
        choices=[WITHOUT, *MODES, TRAFILATURA],
    )  # fmt: skip
    parser.add_argument("--select", action="store_true",
                        help="the callback selects the page's title, so it parses")  # fmt: skip
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", dest="more",
                        help="settings of the crawls with the plugin")  # fmt: skip
    parser.add_argument("--memory", action="store_true", help="resident memory along one crawl")
    parser.add_argument("--sample-every", type=int, default=1000, metavar="RESPONSES")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser)
    options = parser.parse_args()
    options.responses = options.responses or (50_000 if options.memory else 1000)
    return options


def drawn(report: Report, options: argparse.Namespace) -> list[GoldPage]:
    """Return the pages, as evenly from the sets as they allow, drawn with a fixed seed."""
    share = -(-options.pages // len(options.sets))
    sets = draw_pages(report, options.sets, {}, share, options.cache)
    return [page for pages in sets.values() for page in pages][: options.pages]


def settings_of(report: Report, options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Return the plugin's settings per variant that can run here; {} without the plugin.

    The cache of blockified pages is off: pages come again here more often than in a crawl.
    """
    more = dict(entry.split("=", 1) for entry in options.more)
    engines = usable(report, options.engine)
    variants: dict[str, dict[str, Any]] = {}
    for mode in options.modes:
        if mode == TRAFILATURA and not find_spec("trafilatura"):
            report.lacks("trafilatura, which is not installed: pip install '.[peers]'")
        elif mode in (WITHOUT, TRAFILATURA):
            variants[mode] = {}
        else:
            for engine in engines:
                own = {"BOILERNET_MODE": mode, "BOILERNET_ENGINE": engine}
                settings = {"BOILERNET_ENABLED": True, "BOILERNET_CACHE_BLOCKS": 0, **own, **more}
                try:
                    Config.from_settings(settings)
                    variants[f"{mode}, {engine}"] = settings
                except ConfigError as error:
                    report.lacks(f"the mode {mode} ({error})")
    return variants


def crawl(
    server: Server, options: argparse.Namespace, name: str, settings: dict[str, Any]
) -> dict[str, Any]:
    """Run one crawl in a process of its own and return what it counted and measured."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "result.json"
        addons = {"ADDONS": {"scrapy_boilernet.Addon": 500}} if settings else {}
        job = {
            "port": server.port,
            "responses": options.responses,
            "concurrent": CONCURRENT_REQUESTS,
            "sample_every": options.sample_every,
            "trafilatura": name == TRAFILATURA,
            "select": options.select,
            "settings": {**settings, **addons},
            "out": str(out),
        }
        before = server.cpu_seconds()
        command = [sys.executable, str(SPIDER), json.dumps(job)]
        done = subprocess.run(command, check=False, env={**os.environ, **ONE_THREAD})
        if not out.is_file():
            raise SystemExit(
                f"the crawl {name!r} ended with status {done.returncode} and no result; its log is "
                "above"
            )
        result: dict[str, Any] = json.loads(out.read_text())
    result["server_cpu_seconds"] = server.cpu_seconds() - before
    return result


def introduction(options: argparse.Namespace, pages: list[GoldPage]) -> str:
    """Return what is to be known before the figures."""
    sets = ", ".join(sorted({page.dataset for page in pages}))
    rounds = "one crawl each" if options.memory else f"{options.rounds} crawls each, in turns"
    cores = os.cpu_count() or 1
    few = (
        f" This machine has {cores} cores for the crawl, its workers and the server together: "
        "what a mode gains by another core is cut short by them."
        if cores <= 2
        else ""
    )
    selects = " The callback selects the page's title by CSS." if options.select else ""
    return (
        f"{options.responses:,} responses over {len(pages)} distinct pages of {sets}, served on "
        f"loopback by another process, {CONCURRENT_REQUESTS} at a time; {rounds}, in a process of "
        f"its own. The plugin's cache of blockified pages is off.{selects}{few}"
    )


if __name__ == "__main__":
    main()
