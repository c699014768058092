"""How much of the recipe of a page about food is kept, by sets whose gold is the recipe alone.

    python -m benchmarks.quality.recipes recipe-scrapers-weak --peer trafilatura

Such gold says what must be kept, and nothing of what must not, so only recall is measured. A line
counts if the page shows it: the first line, the title, does not.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.quality.structures import Shingles, share_in, shingles
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems, peer_system
from scrapy_boilernet.workers.progress import progress

MIN_LINES = 4
"""Pages that show fewer lines of their recipe are left out."""
WHOLE, LOST = 0.9, 0.1
IN_TEXT = 0.8
_EXPLAINED = f"""\
`lines`: the mean share of a recipe's lines, its ingredients and steps, that stand in the text with
at least {IN_TEXT} of their runs of three words. `whole` and `lost`: the share of pages that have at
least {WHOLE} of them, and at most {LOST}. Only lines that the page shows count, and only pages that
show at least {MIN_LINES}. Brackets hold 95 % bootstrap intervals over pages. `characters`: the mean
length of the texts, since this gold does not tell what a text has beyond it."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--peer", action="append", default=[], help="as for evaluate; repeatable")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Recipes")
    report.text(_EXPLAINED)
    chosen = evaluation_pages(options.sets, options.cache, "all", None, None).pages
    pages = [(page, lines) for page in chosen if len(lines := shown_lines(page)) >= MIN_LINES]
    systems = [*labeler_systems(options.model or ["default"]), *map(peer_system, options.peer)]
    rows = [_row(system, pages, report) for system in systems]
    report.table(["system", "pages", "lines", "whole", "lost", "characters"], rows)
    report.write(options, None)


def shown_lines(page: GoldPage) -> list[str]:
    """Return the lines of the recipe that the page shows, without its title."""
    blocks = blockify(page.html, page.url, page.encoding)
    shown = shingles("\n".join(block.text for block in blocks.blocks if not block.hidden))
    lines = [line for line in (page.gold or "").splitlines()[1:] if shingles(line)]
    return [line for line in lines if _stands_in(line, shown)]


def _stands_in(line: str, text: Shingles) -> bool:
    return share_in(shingles(line), text) >= IN_TEXT


def _row(
    system: System, pages: Sequence[tuple[GoldPage, Sequence[str]]], report: Report
) -> list[str]:
    """Return the row of a system; add its figures to the report."""
    shares, chars = [], []
    for page, lines in progress(pages, len(pages), system.name):
        text = system.extract(page).text
        own = shingles(text)
        shares.append(np.mean([_stands_in(line, own) for line in lines]))
        chars.append(len(text))
    share = np.array(shares)
    figures = {"lines": share, "whole": share >= WHOLE, "lost": share <= LOST}
    report.figures[system.name] = {name: float(np.mean(values)) for name, values in figures.items()}
    shown = []
    for values in figures.values():
        low, high = bootstrap_interval(values.astype(np.float64).tolist())
        shown.append(f"{values.mean():.3f} [{low:.3f}, {high:.3f}]")
    return [system.name, f"{len(share):,}", *shown, f"{np.mean(chars):,.0f}"]


if __name__ == "__main__":
    main()
