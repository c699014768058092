"""Crawl while something fails, and count the items in, the items out and what is left behind.

    python -m benchmarks.hostile.faults --pages 300 --out-markdown docs/results/robustness/faults.md

Each row is one real crawl of a site on loopback, in a separate process; the spiders, the labelers
and the site are from the tests. Ends with status 1 if a crawl lost an item or left a process.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.common.measuring import crawl_with_this_checkout
from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.workers.progress import progress
from tests.testing import faulty

Pages = list[dict[str, Any]]
HEADER = (
    "fault", "how often", "mode", "pages", "items in", "items out", "labeled",
    "unlabeled, by reason", "of these without a fault of their own", "workers replaced",
    "left over",
)  # fmt: skip
WORKERS = 2
TIMEOUT_SECONDS = 1


@dataclass(frozen=True)
class Case:
    """A fault, and how the crawl causes it."""

    fault: str
    often: str
    pages: Callable[[int], Pages]
    """The plan of a crawl of so many pages."""
    modes: Sequence[str] = ("thread", "process")
    settings: dict[str, Any] = field(default_factory=dict)
    chained: bool = False
    resumed: bool = False
    """Whether the crawl is run again in its ``JOBDIR``."""


def every(nth: int, *faults: str, act: str = "") -> Callable[[int], Pages]:
    """Return a plan in which every nth page has the next of the faults."""

    def plan(number: int) -> Pages:
        wrong = {n: faults[n // nth % len(faults)] for n in range(nth - 1, number, nth)}
        return [faulty.page(n, wrong.get(n, ""), act if n in wrong else "") for n in range(number)]

    return plan


def acting(nth: int, *acts: str) -> Callable[[int], Pages]:
    """Return a plan in which the callback of every nth page does the next of the acts."""

    def plan(number: int) -> Pages:
        done = {n: acts[n // nth % len(acts)] for n in range(nth - 1, number, nth)}
        return [faulty.page(n, act=done.get(n, "")) for n in range(number)]

    return plan


def sent(nth: int, *paths: str, **meta: Any) -> Callable[[int], Pages]:
    """Return a plan in which every nth page is one of the site's odd answers."""

    def plan(number: int) -> Pages:
        pages: Pages = [faulty.page(n) for n in range(number)]
        for n in range(nth - 1, number, nth):
            path = paths[n // nth % len(paths)]
            pages[n] = {"path": f"{path}?{n}", "fault": path, "meta": meta}
        return pages

    return plan


def in_the_middle(fault: str, act: str) -> Callable[[int], Pages]:
    """Return a plan in which one page in the middle has a fault."""

    def plan(number: int) -> Pages:
        return [faulty.page(n, *((fault, act) if n == number // 2 else ())) for n in range(number)]

    return plan


def first(most: int, plan: Callable[[int], Pages]) -> Callable[[int], Pages]:
    """Return the plan of at most ``most`` pages, for crawls that take long."""
    return lambda number: plan(min(number, most))


WRONG = ("NaN", "too short", "two dimensions", "list", "None", "words", "no array", "None for all")
RAISED = ("ZeroDivisionError", "RudeError", "MemoryError", "RecursionError", "StopIteration")
ODD = ("/reset", "/too-long", "/not-gzip", "/cut-gzip", "/bomb", "/html-as-image", "/charset-bytes",
       "/no-http", "/circle", "/zero", "/flaky", "/broken")  # fmt: skip
MODES = ("thread", "process", "deferred")
PROCESS = ("process",)
DISK = "BOILERNET_DEFERRED_FOLDER"

CASES = (
    Case("none", "never", every(10**9, "")),
    Case("the labeler raises", "every 3rd page", every(3, *RAISED)),
    Case("the labeler gives no probabilities", "every 3rd page", every(3, *WRONG)),
    Case("`threshold_for` or `confidence` raises, or gives no number", "every 3rd page",
         every(3, "threshold raises", "confidence raises", "confidence None", "threshold NaN")),
    Case("the labeler raises SystemExit, KeyboardInterrupt", "every 30th page",
         every(30, "SystemExit", "KeyboardInterrupt")),
    Case("a page kills its worker (SIGKILL, crash, exit)", "every 30th page",
         every(30, "kill", "segfault", "exit"), PROCESS),
    Case("all workers are killed from outside", "at every 30th page",
         acting(30, "kill_workers"), PROCESS),
    Case("every page kills its worker", "every page", first(12, every(1, "kill")), PROCESS),
    Case("a worker dies when its model is gone; the model comes back", "two pages later",
         first(40, acting(2, "take_model_away", "give_model_back", *[""] * 18)), PROCESS,
         chained=True),
    Case("a page hangs: a loop, C code that holds the GIL, a stopped process",
         "every 75th page", every(75, "spin", "gil", "stop"), PROCESS,
         {"BOILERNET_TIMEOUT": TIMEOUT_SECONDS}),
    Case("a page hangs until it has been given up", "one page", in_the_middle("wait", "release"),
         ("thread",), {"BOILERNET_TIMEOUT": TIMEOUT_SECONDS}),
    Case("the site: cut and refused connections, wrong lengths, types and codings, bombs, errors",
         "every 3rd page", sent(3, *ODD)),
    Case("no file can grow", "half of the pages",
         acting(10, "forbid_writing", "allow_writing"), ("deferred",), chained=True),
    Case("the folder of stored pages is a file, then gone", "a third of the pages",
         acting(10, "put_file_in_place_of_folder", "take_file_away", "remove_folder"),
         ("deferred",), chained=True),
    Case("Ctrl-C, then resumed with JOBDIR", "once",
         every(10**9, ""), resumed=True),
)  # fmt: skip


def main() -> None:
    """Run all crawls and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=300, help="of each crawl; some take fewer")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES)
    parser.add_argument("--only", metavar="WORD", help="faults whose names have it")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    crawl_with_this_checkout()
    report = Report("Crawls with faults")
    chosen = [case for case in CASES if not options.only or options.only in case.fault]
    turns = [(case, mode) for case in chosen for mode in case.modes if mode in options.modes]
    rows = []
    with faulty.FaultySite() as site:
        for case, mode in progress(turns, len(turns), "crawls"):
            rows.append(row(case, mode, site, case.pages(options.pages)))
    report.figures = {"crawls": rows}
    report.text(
        "One real crawl per row, in a process of its own. Items in: what callbacks and errbacks "
        "yielded; out: what came out of the last pipeline. Labeled: items with their page's main "
        "text (in the mode deferred, with the key of the stored page). Left over: threads and "
        f"processes when the crawl's process was about to end. {WORKERS} workers in the mode "
        "process."
    )
    report.table(HEADER, [[str(cell) for cell in each.values()] for each in rows])
    total = [sum(each[name] for each in rows) for name in ("pages", "items in", "items out")]
    report.text("In all {:,} pages, {:,} items in, {:,} items out.".format(*total))
    report.write(options, None)
    if any(each["items in"] != each["items out"] or each["left over"] != "none" for each in rows):
        raise SystemExit("a crawl lost an item, or left something behind")


def row(case: Case, mode: str, site: faulty.FaultySite, pages: Pages) -> dict[str, Any]:
    """Run the crawl, twice if it is resumed, and return its row of the table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = folder / "model"
        for part in (model, folder / "disk"):
            part.mkdir()
        (model / "model.json").write_text(json.dumps({"labeler": "faulty", "tag": "p"}))
        given = faulty.settings(mode, str(model), LOG_LEVEL="CRITICAL", **case.settings)
        if mode == "process":
            given["BOILERNET_WORKERS"] = WORKERS
        if mode == "deferred":
            given[DISK] = str(folder / "disk" / "store")
        if case.resumed:
            given["JOBDIR"] = str(folder / "job")
        given["DOWNLOAD_MAXSIZE"] = faulty.BOMB_BYTES // 2
        crawls = []
        for pause in [len(pages) // 2, 0] if case.resumed else [0]:
            given["FAULTS_PAUSE_AT"] = pause
            crawls.append(faulty.crawl_faults(site, folder, pages, given, chained=case.chained))
    items = [item for each in crawls for item in each.crawl.fields()]
    labeled = [item for item in items if "main_text" in item or "boilernet_page" in item]
    left = [name for each in crawls for names in each.left.values() for name in names]
    cells = (
        case.fault, case.often, mode, len(pages),
        sum(each.stats["faults/in"] for each in crawls), len(items), len(labeled),
        reasons(crawls, items),
        sum(1 for item in items if not item["fault"] and item not in labeled),
        sum(each.counts.get("workers/restarted", 0) for each in crawls),
        ", ".join(left) or "none",
    )  # fmt: skip
    return dict(zip(HEADER, cells, strict=True))


def reasons(crawls: Sequence[faulty.Faulted], items: Sequence[dict[str, Any]]) -> str:
    """Return why pages are unlabeled, with counts: the plugin's stats, and failed downloads."""
    counts: Counter[str] = Counter()
    for each in crawls:
        for name, number in each.counts.items():
            if name.startswith(("errors/", "skipped/")):
                counts[f"`{name}`"] += number
    counts["no page"] = sum("failure" in item for item in items)
    return ", ".join(f"{name} {number}" for name, number in sorted(counts.items()) if number) or "-"


if __name__ == "__main__":
    main()
