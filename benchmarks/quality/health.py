"""How often the warning about a domain that turned bad is false, and how soon it comes.

    python -m benchmarks.quality.health dragnet --out-markdown docs/results/quality/health.md

The pages of the sets are labeled. Crawls of one domain each are drawn from the confidences of a
real domain's pages, of those with at least ``--min-pages`` pages.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

from benchmarks.common.reporting import Report
from benchmarks.common.subjects import crawl_options
from scrapy_boilernet.crawl.health import (
    MIN_ERRORS,
    MIN_SCORE_BEFORE,
    WINDOW_PAGES,
    Confidence,
    Domain,
)
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.sites.domains import host_of
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

Pages = Sequence[Confidence]
Change = Callable[[Confidence, Random], Confidence]
RUN_PAGES, RUN_KINDS = 50, 2
_STABLE = """\
## False warnings

Crawls of {pages} pages each, of domains that do not change. `empty`: that share of the pages, at
random, is made empty. `in runs`: a crawl that goes from section to section, made as hard as can be:
{run} pages at a time are drawn from only {kinds} pages of the domain. The rule's {errors} standard
errors were chosen on such crawls: 4 gave a few false warnings with 20 % empty pages, 5 missed more
changes."""
_CHANGED = """\
## Pages until the warning

Crawls of {pages} pages each, of domains with a mean score of at least {good} (an empty page's score
is 0), whose pages change after the first {half}, or earlier where that is said. `found`: warnings
after the change. The median and the 95th percentile are of these, in pages from the change to the
warning."""


def main() -> None:
    """Measure and write."""
    options = crawl_options(__doc__ or "")
    report = Report("Warnings of domains that turned bad")
    folders = [open_dataset(path, options.cache) for path in options.sets]
    known = confidences(folders, load_labeler(options.model), options.min_pages)
    if not any(fmean(scores(pages)) >= MIN_SCORE_BEFORE for pages in known):
        sys.exit(
            f"no domain has {options.min_pages} pages and a mean score of {MIN_SCORE_BEFORE}: "
            "name sets whose pages.jsonl has URLs, or lower --min-pages"
        )
    describe(known, report)
    write(known, options.domains, options.pages, report)
    report.write(options, None)


def confidences(folders: Iterable[Path], labeler: Labeler, min_pages: int) -> list[Pages]:
    """Return per domain the confidence of each page, None of an empty one."""
    found: list[Pages] = []
    for folder in folders:
        domains = defaultdict(list)
        for source in read_pages(folder):
            if name := host_of(source.url or "").removeprefix("www."):
                domains[name].append(source)
        for sources in domains.values():
            if len(sources) >= min_pages:
                pages = (blockify(page.html, page.url, page.encoding) for page in sources)
                labeled = [label_page(page, labeler) for page in pages]
                found.append([page.confidence if page.content else None for page in labeled])
    return found


def scores(pages: Pages) -> list[float]:
    """Return the scores of the pages: 0 of an empty one."""
    return [confidence or 0.0 for confidence in pages]


def describe(known: Sequence[Pages], report: Report) -> None:
    """Add a summary of the confidences."""
    means = sorted(fmean(scores(pages)) for pages in known)
    deviations = sorted(pstdev(scores(pages)) for pages in known)
    pages = sum(map(len, known))
    empty = sum(pages.count(None) for pages in known)
    report.figures.update(domains=len(known), pages=pages, empty=empty)
    report.text(
        f"{len(known)} real domains with {pages} pages, {empty} of them empty. A domain's mean "
        f"score lies between {means[0]:.2f} and {means[-1]:.2f}, with the median "
        f"{_at(means, 0.5):.2f}; its standard deviation between {deviations[0]:.2f} and "
        f"{deviations[-1]:.2f}, with the median {_at(deviations, 0.5):.2f}. The model may have "
        "trained on some of these pages: its confidences on them are those of a domain that it "
        "knows well. A crawl draws the pages of one domain with replacement; a warning depends on "
        f"its last {WINDOW_PAGES} pages."
    )


def _at(ascending: Sequence[float], share: float) -> float:
    """Return the value below which this share of the others is."""
    return ascending[round(share * (len(ascending) - 1))]


def write(known: Sequence[Pages], crawls: int, length: int, report: Report) -> None:
    """Add both tables: of domains that do not change, and of those that do."""
    report.text(_STABLE.format(pages=length, run=RUN_PAGES, kinds=RUN_KINDS, errors=MIN_ERRORS))
    rows = []
    for name, crawl in STABLE.items():
        random = Random(name)
        warned = sum(
            warned_at(crawl(random.choice(known), length, random)) > 0 for _ in range(crawls)
        )
        report.figures[f"false, {name}"] = warned / crawls
        rows.append([name, str(crawls), str(warned)])
    report.table(["pages", "crawls", "warned of"], rows)
    good = [pages for pages in known if fmean(scores(pages)) >= MIN_SCORE_BEFORE]
    report.text(_CHANGED.format(pages=length, good=MIN_SCORE_BEFORE, half=length // 2))
    rows = []
    for name, (begin, change) in CHANGES.items():
        delays, early = delays_of(good, crawls, length, begin or length // 2, change, Random(name))
        figures = [_at(delays, share) for share in (0.5, 0.95) if delays]
        report.figures[name] = {"found": len(delays) / crawls, "median, p95": figures}
        rows.append([name, *map(str, (crawls, early, len(delays), *(figures or ("", ""))))])
    report.table(["change", "crawls", "warned before", "found", "median", "95th percentile"], rows)


def delays_of(
    known: Sequence[Pages], crawls: int, length: int, begin: int, change: Change, random: Random
) -> tuple[list[int], int]:
    """Return (pages from the change to the warning, of the crawls that were warned of after it, in
    ascending order; crawls that were warned of before it).
    """
    found = []
    for _ in range(crawls):
        pages = random.choices(random.choice(known), k=length)
        found.append(warned_at([*pages[:begin], *(change(c, random) for c in pages[begin:])]))
    return sorted(at - begin for at in found if at > begin), sum(0 < at <= begin for at in found)


def warned_at(crawl: Pages) -> int:
    """Return how many pages the crawl had when it warned; 0 if it did not."""
    domain = Domain()
    return next((number for number, page in enumerate(crawl, 1) if domain.add(page)), 0)


def with_empty(pages: Pages, length: int, random: Random, share: float) -> Pages:
    """Return a crawl of the domain of which that share of the pages is made empty."""
    drawn = random.choices(pages, k=length)
    return [None if random.random() < share else confidence for confidence in drawn]


def in_runs(pages: Pages, length: int, random: Random) -> Pages:
    """Return a crawl of runs of pages that are drawn from a few of the domain's."""
    crawl: list[Confidence] = []
    while len(crawl) < length:
        crawl += random.choices(random.sample(pages, min(RUN_KINDS, len(pages))), k=RUN_PAGES)
    return crawl[:length]


def lower(confidence: Confidence, by: float) -> Confidence:
    """Return the confidence, lowered; an empty page stays one."""
    return None if confidence is None else max(confidence - by, 0.0)


STABLE: dict[str, Callable[[Pages, int, Random], Pages]] = {
    "as they are": lambda pages, length, random: random.choices(pages, k=length),
    "5 % empty": partial(with_empty, share=0.05),
    "20 % empty": partial(with_empty, share=0.2),
    "in runs": in_runs,
}
CHANGES: dict[str, tuple[int, Change]] = {
    "every page is empty": (0, lambda _, __: None),
    "every page is empty, after 40 pages": (40, lambda _, __: None),
    "every other page is empty": (0, lambda c, random: c if random.random() < 0.5 else None),
    "confidence falls by .35, as from .95 to .60": (0, lambda c, _: lower(c, 0.35)),
    "confidence falls by .25": (0, lambda c, _: lower(c, 0.25)),
}
"""What changes, and after how many pages; 0: in the middle."""


if __name__ == "__main__":
    main()
