"""Follow items through real crawls: what happens to each, and the size of logs, feeds and memory.

    python -m benchmarks.hostile.items --pages 120 --before OLDER_TREE --sets SET... \
        --out-markdown docs/results/items.md

Each case is a real crawl of a site on loopback; the spiders and the site are those of the tests.
Ends with status 1 if an item is lost, is counted twice or not at all, or has another page's text.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks.common.measuring import ROOT, crawl_with_this_checkout
from benchmarks.common.page_server import serving
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages
from scrapy_boilernet.extractor.options import LABEL_KEYS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress
from tests.testing import item_crawls, loopback

Versions = dict[str, Path | None]
"""Per version its folder with the package; None: this checkout."""
EXAMPLE = ROOT / "example_project" / "site"
STATES = item_crawls.STATES
COUNTED = ("yielded", "fed", *STATES, "fields/kept", "errors/refused_field")
NOW = "this version"
NEWS_PAGES = 100


def main() -> None:
    """Run all crawls and write the report."""
    options = arguments()
    crawl_with_this_checkout()
    report = Report("Items through crawls")
    versions = versions_of(options.before)
    with loopback.Site() as site:
        wrong = write_cases(report, site.url, options.files, options.pages)
        write_logs(report, site.url, versions, options.news_pages)
        write_feeds(report, versions, sets_of(report, options))
        write_held(report, site.url, versions, options.items)
    report.write(options, None)
    if wrong:
        raise SystemExit(f"not as expected: {', '.join(wrong)}")


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=120, help="of each case; a multiple of 6")
    parser.add_argument(
        "--files", nargs="+", default=item_crawls.FILES, choices=item_crawls.FILES, metavar="FILE",
        help="cases in tests/testing/spiders",
    )  # fmt: skip
    parser.add_argument("--news-pages", type=int, default=NEWS_PAGES, help="whose log is measured")
    parser.add_argument("--items", type=int, default=2000, help="whose memory is measured")
    parser.add_argument("--sets", nargs="+", type=Path, default=[], metavar="SET",
                        help="whose feed is measured; else the example project")  # fmt: skip
    parser.add_argument("--set-pages", type=int, default=50, help="of each set")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--before", type=Path, metavar="FOLDER",
                        help="an older working tree, to compare with")  # fmt: skip
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    if options.pages % item_crawls.PAGES:
        parser.error(f"--pages {options.pages}: must be a multiple of {item_crawls.PAGES}")
    return options


def versions_of(before: Path | None) -> Versions:
    """Return the versions that are compared: the older one first, if there is one."""
    if before is None:
        return {NOW: None}
    command = ["git", "-C", str(before), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    return {f"before ({commit})": before.resolve(), NOW: None}


def write_cases(report: Report, site: str, files: Sequence[str], pages: int) -> list[str]:
    """Run all cases and add their table; return the names of those not as expected."""
    outcomes = [
        outcome
        for file in progress(files, len(files), "processes")
        for outcome in item_crawls.run(file, site, pages)
    ]
    wrong = [each.name for each in outcomes if is_wrong(each)]
    report.figures["cases"] = [vars(each) for each in outcomes]
    report.text(
        f"One real crawl of {pages} pages per row. Yielded: items of the spider; fed: those that "
        "reached the feed, read from its file. The six states are the stats `boilernet/items/*`; "
        "of the fields, those that the spider had set and the plugin left (`fields/kept`), and "
        "those that an item did not take (`errors/refused_field`). Right: items of the feed whose "
        "text is their own page's; wrong: another's. Expected: whether every one of these counts, "
        "and the text of each item, is what it must be, and no page is held at the end."
    )
    header = ("case", "mode", *COUNTED, "right", "wrong", "expected")
    report.table(header, [list(map(str, case_row(each))) for each in outcomes])
    sums = Counter[str]()
    for each in outcomes:
        sums.update(each.counts)
    counted = sum(sums[state] for state in STATES)
    uncounted = sum(each.counts["yielded"] for each in outcomes if not states(each))
    dropped = sum(each.counts["yielded"] - states(each) for each in outcomes if states(each))
    report.text(
        f"In all {sums['yielded']:,} items yielded = {counted:,} counted in exactly one state "
        f"+ {dropped:,} that an earlier pipeline dropped or failed at + {uncounted:,} while the "
        f"plugin's pipeline was off; {sums['fed']:,} reached the feed."
    )
    return wrong


def case_row(outcome: item_crawls.Outcome) -> Sequence[object]:
    """Return the case's row of the table."""
    texts = outcome.texts
    counts = [outcome.counts.get(name, 0) for name in COUNTED]
    expected = "no" if is_wrong(outcome) else "yes"
    right, wrong = texts.get("right", 0), texts.get("wrong", 0)
    return (outcome.shows, outcome.mode, *counts, right, wrong, expected)


def is_wrong(outcome: item_crawls.Outcome) -> bool:
    """Whether a count is not as expected, an item has another page's text, or one is held."""
    return bool(outcome.counts != outcome.expected or "wrong" in outcome.texts or outcome.held)


def states(outcome: item_crawls.Outcome) -> int:
    """Return how many items were counted."""
    return sum(outcome.counts.get(state, 0) for state in STATES)


def write_logs(report: Report, site: str, versions: Versions, pages: int) -> None:
    """Measure logs at the level DEBUG, and add their table."""
    paths = [f"/news?{n}" for n in range(pages)]
    rows = []
    for name, package in versions.items():
        without, _ = item_crawls.sizes(site, paths, {"BOILERNET_ENABLED": False}, package)
        log, _ = item_crawls.sizes(site, paths, {}, package)
        rows.append({"version": name, "without": without, "with": log, "ratio": log / without})
    report.figures["logs"] = rows
    report.text("## Log")
    report.text(
        f"Bytes of the log at the level DEBUG of a crawl of {pages} pages of 200 blocks, whose "
        "items have a URL, a title and a heading of their own."
    )
    cells = [
        [row["version"], f"{row['without']:,}", f"{row['with']:,}", f"{row['ratio']:.2f}",
         f"{(row['with'] - row['without']) / pages:,.0f}"]
        for row in rows
    ]  # fmt: skip
    report.table(("", "without the plugin", "with it", "ratio", "more per page"), cells)


def sets_of(report: Report, options: argparse.Namespace) -> dict[str, list[GoldPage]]:
    """Return the pages whose feed is measured."""
    if options.sets:
        return draw_pages(report, options.sets, {}, options.set_pages, options.cache)
    pages = [
        GoldPage("example_project", path.stem, path.read_bytes(), None)
        for path in sorted(EXAMPLE.glob("*.html"))
    ]
    return {"example_project": pages}


def write_feeds(report: Report, versions: Versions, sets: dict[str, list[GoldPage]]) -> None:
    """Measure feeds in JSON lines, and add their table."""
    rows = []
    for name, pages in sets.items():
        with serving(pages) as server:
            site, paths = f"http://127.0.0.1:{server.port}", [f"/{n}" for n in range(len(pages))]
            for version, package in versions.items():
                _, feed = item_crawls.sizes(site, paths, {"LOG_LEVEL": "INFO"}, package)
                rows.append({"set": name, "version": version, **parts(feed)})
    report.figures["feeds"] = rows
    report.text("## Feed")
    report.text(
        "Bytes per item of a feed in JSON lines with the default settings, in the mean over the "
        "pages of a data set; of `block_labels`, by key, with the key's name and punctuation. "
        "Rest: what the spider had set, and the confidence."
    )
    names = ("items", "all", "main_text", *LABEL_KEYS, "rest")
    of_keys = [f"`{key}`" for key in LABEL_KEYS]
    header = ("pages", "", "items", "all", "`main_text`", *of_keys, "rest")
    cells = [[row["set"], row["version"], *(f"{row[n]:,.0f}" for n in names)] for row in rows]
    report.table(header, cells)


def parts(feed: bytes) -> dict[str, float]:
    """Return the mean bytes of an item, and of its parts."""
    lines = feed.splitlines(keepends=True)
    sums = Counter[str]({"all": len(feed)})
    for line in lines:
        item = json.loads(line)
        own = Counter[str]()
        if "main_text" in item:
            own["main_text"] = entry("main_text", item["main_text"])
        for row in item.get("block_labels") or ():
            own.update({key: entry(key, value) for key, value in row.items()})
        sums.update(own)
        sums["rest"] += len(line) - own.total()
    mean = {name: sums[name] / len(lines) for name in ("all", "main_text", *LABEL_KEYS, "rest")}
    return {"items": len(lines), **mean}


def entry(name: str, value: object) -> int:
    """Return the bytes of a value in a feed, with its name and the punctuation around it."""
    return len(json.dumps({name: value}))


def write_held(report: Report, site: str, versions: Versions, items: int) -> None:
    """Count the labeled pages that are alive during crawls, and add their table."""
    rows = [
        {"version": name, "spider": spider, "alive": alive}
        for name, package in versions.items()
        for spider, alive in item_crawls.alive(site, items, package).items()
    ]
    report.figures["held"] = rows
    report.text("## Memory")
    report.text(
        f"`LabeledPage` objects alive, counted ten times along a crawl of {items:,} pages with an "
        "item each, 16 requests at a time: an earlier pipeline replaces every item by one with "
        "another value, or the plugin's pipeline is switched off."
    )
    names = {"off": "pipeline off", "replaced": "items replaced"}
    cells = [
        [row["version"], names[row["spider"]], f"{max(row['alive']):,}", f"{row['alive'][-1]:,}"]
        for row in rows
    ]
    report.table(("", "crawl", "most", "at the last item"), cells)


if __name__ == "__main__":
    main()
