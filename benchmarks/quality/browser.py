"""The extension beside the package, on the same pages: its results, its reading and its times.

    python -m benchmarks.quality.browser wcxb-dev mercury --golden 250 --dom 50 --out-markdown FILE

Needs Node.js, Chromium with its driver, Selenium, and the extension built for tests (``npm ci`` and
``npm run build -- --test`` in ``extension/``).
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8, unpack
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.workers.progress import progress
from tests.testing.agreement import Agreement
from tests.testing.chromium import Chromium, dom_agreement
from tests.testing.extension import CHROMIUM, DIST, NODE, Node, Pages
from tests.testing.golden import Golden, compare, default_labeler

_GOLDEN = """\
The same `Page` goes through the package and, as JSON, through the extension's code in Node:
features, probabilities of the default model (against the NumPy engine, full precision), decision,
plain text and Markdown. Largest differences; the ids of all bags must be equal."""
_DOM = """\
The same HTML goes through the package's blockifier (libxml2) and through Chromium, with scripts
off, and the extension's. A block is the same if its text is, in the same order; text: the share of
the blocks of both; elements: the share of these that stand in elements of the same names; labels:
the share of these that have the same label, each page labeled as it was read."""
_WHY = """\
Elements differ where a page writes `<tbody>` without white space around it (a browser makes one for
every table, so the extension leaves out those that nothing shows to be the page's own), and where
elements are not closed in the order in which they were opened, which the two parsers mend in
different ways (`<b><p>`, `<p>` in a heading, a form or a link around cells or blocks)."""
_TIMES = """\
Pages by their number of blocks, read in Chromium and labeled in the extension's background, as a
click does: the first click after the browser's start, which loads the model, and {runs} more, their
median and the largest."""
_RUNS = 7
_MOST_SHOWN = 6


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--golden", type=int, default=250, help="pages of each set for Node")
    parser.add_argument("--dom", type=int, default=50, help="pages of each set for Chromium")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    if not (DIST / "test-chromium").is_dir():
        sys.exit("the extension is not built: npm ci && npm run build -- --test, in extension/")
    report = Report("The extension beside the package")
    pages = {
        folder.name.removesuffix(".tar.xz"): _drawn(folder, options) for folder in options.sets
    }
    node, labeler = Node(), default_labeler()
    node.load("default")
    _add_golden(report, node, labeler, {name: own[: options.golden] for name, own in pages.items()})
    _add_dom(report, node, labeler, {name: own[: options.dom] for name, own in pages.items()})
    _add_times(report, [page for own in pages.values() for page in own])
    sizes = {zipped.name: zipped.stat().st_size for zipped in sorted(DIST.glob("*.zip"))}
    packed = [f"`{name}` {size:,} bytes" for name, size in sizes.items() if "test" not in name]
    report.text(f"Packed: {', '.join(packed) or 'not built'}.")
    report.text(f"Browser: {_version(CHROMIUM)}; Node.js {_version(NODE)}.")
    report.figures["zip"] = sizes
    report.write(options, None)


def _drawn(folder: Path, options: argparse.Namespace) -> list[GoldPage]:
    pages = list(read_pages(open_dataset(folder, options.cache)))
    random.Random(options.seed).shuffle(pages)
    return pages


def _add_golden(
    report: Report, node: Node, labeler: Labeler, sets: dict[str, list[GoldPage]]
) -> None:
    rows = []
    for name, pages in sets.items():
        found: list[Golden] = []
        blocks = 0
        for page in progress(pages, len(pages), f"{name}, Node"):
            read = blockify(page.html, page.url, markup=True)
            blocks += len(read.blocks)
            found.append(compare(node, read, labeler))
        rows.append([
            name, str(len(found)), f"{blocks:,}", str(sum(not own.ids for own in found)),
            f"{max(own.numbers for own in found):.1e}",
            f"{max(own.probabilities for own in found):.1e}",
            *(
                str(sum(not getattr(own, what) for own in found))
                for what in ("labels", "own_labels", "kinds", "text", "markdown")
            ),
        ])  # fmt: skip
        report.figures[f"golden {name}"] = [own._asdict() for own in found]
    report.text("## What is computed")
    report.text(_GOLDEN)
    other = [
        f"pages of other {what}" for what in ("labels", "own labels", "kinds", "text", "Markdown")
    ]
    header = ["set", "pages", "blocks", "pages of other ids", "numbers", "probabilities", *other]
    report.table(header, rows)
    report.text("Labels: from the package's probabilities; own labels: from the extension's.")


def _add_dom(report: Report, node: Node, labeler: Labeler, sets: dict[str, list[GoldPage]]) -> None:
    rows, every = [], Agreement(0, 0, 0, 0)
    worst: list[tuple[float, str]] = []
    with Chromium() as browser, Pages() as site:
        for name, pages in sets.items():
            total, count, below = Agreement(0, 0, 0, 0), 0, 0
            for page in progress(pages, len(pages), f"{name}, Chromium"):
                url = site.put("/page.html", _utf8(page))
                own = dom_agreement(browser, url, _utf8(page), node, labeler)
                total, count, below = total + own, count + 1, below + (own.labels < 0.99)
                worst.append((own.labels, f"{name}/{page.id}"))
            every += total
            rows.append([name, str(count), *_shares(total), str(below)])
    rows.append(["all", str(len(worst)), *_shares(every), str(sum(int(row[-1]) for row in rows))])
    report.text("## What is read")
    report.text(_DOM)
    report.table(
        ["set", "pages", "blocks", "text", "elements", "labels", "pages below .99 of labels"], rows
    )
    report.text(_WHY)
    shown = ", ".join(f"{page} {share:.3f}" for share, page in sorted(worst)[:_MOST_SHOWN])
    report.text(f"Least labels: {shown}.")
    report.figures["dom"] = [*every]


def _shares(own: Agreement) -> list[str]:
    return [f"{own.blocks // 2:,}", f"{own.text:.4f}", f"{own.tags:.4f}", f"{own.labels:.4f}"]


def _add_times(report: Report, pages: Sequence[GoldPage]) -> None:
    rows = []
    for size, page in _sized(pages, (300, 3000)):
        with Chromium(DIST / "test-chromium") as browser, Pages() as site:
            browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            browser.open(site.put("/page.html", _utf8(page)))
            times: list[dict[str, float]] = []
            for _ in range(1 + _RUNS):
                summary = browser.toggle()
                times.append(summary["ms"])
                browser.toggle()
            blocks = str(summary["blocks"])
            steps = [[own[step] for own in times] for step in ("walk", "label", "paint")]
            steps.append([sum(own.values()) for own in times])
            usual = (f"{median(own[1:]):.0f} ({max(own[1:]):.0f})" for own in steps)
            rows.append([blocks, f"{steps[-1][0]:.0f}", *usual])
            report.figures[f"times {size}"] = times
    report.text("## What it takes")
    report.text(_TIMES.format(runs=_RUNS))
    report.table(
        ["blocks", "first, ms", "read, ms", "label, ms", "paint, ms", "together, ms"], rows
    )


def _version(program: str | None) -> str:
    done = subprocess.run([str(program), "--version"], capture_output=True, check=True, text=True)
    return done.stdout.strip()


def _utf8(page: GoldPage) -> bytes:
    return to_utf8(unpack(page.html, MAX_BYTES)[0], page.encoding, None, page.url)


def _sized(pages: Sequence[GoldPage], sizes: Sequence[int]) -> Iterator[tuple[int, GoldPage]]:
    """Yield per size the page whose number of blocks is nearest to it."""
    blocks = [(len(blockify(page.html, page.url).blocks), page) for page in pages]
    for size in sizes:
        yield size, min(blocks, key=lambda own: abs(own[0] - size))[1]


if __name__ == "__main__":
    main()
