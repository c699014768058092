"""How often the warning about a template that the model drops is false, and how soon it comes.

    python -m benchmarks.quality.lost_templates dragnet --out-markdown FILE

The pages of the sets are labeled. Crawls of one domain each are drawn from a real domain's pages,
of those with at least ``--min-pages`` pages.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.common.reporting import Report
from benchmarks.common.subjects import crawl_options
from scrapy_boilernet.crawl.templates import (
    MAX_TEMPLATES,
    MIN_DROPPED,
    MIN_KEPT_SHARE,
    MIN_PAGES_BEFORE,
    WINDOW_PAGES,
    Templates,
)
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.sites.domains import host_of
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages
from scrapy_boilernet.workers.templates import judged_templates

Judged = tuple[int, ...]
Pages = Sequence[Judged]
"""The templates of each page of a domain, as a crawl counts them."""
RUN_PAGES = 50
_ABOUT = """\
{domains} real domains with {pages} pages of content. A crawl draws the pages of one domain with
replacement. A template counts as lost if it was dropped on {dropped} of the last {window} pages
with it, and kept on {share:.0%} of at least {before} pages before; {most} templates of a domain are
followed."""
_STABLE = """\
## False warnings

Crawls of {pages} pages each, of domains that do not change. `in runs`: a crawl that goes
from section to section: {run} pages at a time are drawn from only 5 pages of the domain, or, made
as hard as can be, from 2. The bounds above were chosen on such crawls."""
_CHANGED = """\
## Pages until the warning

Crawls of {pages} pages each, of domains with a template that the model keeps on {share:.0%} of
their pages, of which it drops that template on all pages after the first {begin}. `found`: warnings
after the change. The median and the 95th percentile are of these, in pages from the change to the
warning."""


def main() -> None:
    """Measure and write."""
    options = crawl_options(__doc__ or "")
    report = Report("Warnings of templates that the model drops")
    folders = [open_dataset(path, options.cache) for path in options.sets]
    known = judged_pages(folders, load_labeler(options.model), options.min_pages)
    if not known:
        sys.exit(
            f"no domain has {options.min_pages} pages with content: name sets whose pages.jsonl "
            "has URLs, or lower --min-pages"
        )
    write(known, options.domains, options.pages, report)
    report.write(options, None)


def judged_pages(folders: Iterable[Path], labeler: Labeler, min_pages: int) -> list[Pages]:
    """Return per domain the templates of each page with content."""
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
                judged = [judged_templates(page) for page in labeled if any(page.kept)]
                found += [judged] if len(judged) >= min_pages else []
    return found


def write(known: Sequence[Pages], crawls: int, length: int, report: Report) -> None:
    """Add what is measured, and both tables: of domains that do not change, and of others."""
    pages = sum(map(len, known))
    report.figures.update(domains=len(known), pages=pages)
    about = _ABOUT.format(
        domains=len(known), pages=pages, dropped=MIN_DROPPED, window=WINDOW_PAGES,
        share=MIN_KEPT_SHARE, before=MIN_PAGES_BEFORE, most=MAX_TEMPLATES,
    )  # fmt: skip
    report.text(about)
    report.text(_STABLE.format(pages=length, run=RUN_PAGES))
    rows = []
    for name, draw in STABLE.items():
        random = Random(name)
        drawn = (draw(random.choice(known), length, random) for _ in range(crawls))
        warned = sum(warned_at(crawl) > 0 for crawl in drawn)
        report.figures[f"false, {name}"] = warned / crawls
        rows.append([name, str(crawls), str(warned)])
    report.table(["pages", "crawls", "warned of"], rows)
    write_changed(known, crawls, length, report)


def write_changed(known: Sequence[Pages], crawls: int, length: int, report: Report) -> None:
    """Add the table of domains of which the model begins to drop a template."""
    steady = [(pages, main) for pages in known if (main := main_template(pages))]
    begin = length // 2
    report.text(_CHANGED.format(pages=length, begin=begin, share=MIN_KEPT_SHARE))
    random = Random("changed")
    found = []
    for _ in range(crawls if steady else 0):
        own, main = random.choice(steady)
        drawn_pages = random.choices(own, k=length)
        found.append(warned_at([*drawn_pages[:begin], *without(drawn_pages[begin:], main)]))
    delays = sorted(at - begin for at in found if at > begin)
    early = sum(0 < at <= begin for at in found)
    figures = [delays[round(share * (len(delays) - 1))] for share in (0.5, 0.95) if delays]
    report.figures["lost"] = {"found": len(delays) / crawls, "median, p95": figures}
    row = [*map(str, (len(steady), len(found), early, len(delays), *(figures or ("", ""))))]
    columns = ["domains", "crawls", "warned before", "found", "median", "95th percentile"]
    report.table(columns, [row])


def warned_at(crawl: Iterable[Judged]) -> int:
    """Return how many pages the crawl had when it warned; 0 if it did not."""
    templates = Templates()
    return next((number for number, page in enumerate(crawl, 1) if templates.add(page)), 0)


def main_template(pages: Pages) -> int:
    """Return the template that is kept on most pages; 0 if it is kept on too few."""
    counts: defaultdict[int, int] = defaultdict(int)
    for page in pages:
        for number in page:
            counts[number] += number > 0
    main = max(counts, key=lambda number: counts[number], default=0)
    return main if counts[main] >= MIN_KEPT_SHARE * len(pages) else 0


def without(pages: Pages, number: int) -> Iterable[Judged]:
    """Return the pages as they are if the model drops the template."""
    return (tuple([-one if one == number else one for one in page]) for page in pages)


def in_runs(pages: Pages, length: int, random: Random, kinds: int) -> Pages:
    """Return a crawl of runs of pages that are drawn from a few of the domain's."""
    crawl: list[Judged] = []
    while len(crawl) < length:
        crawl += random.choices(random.sample(pages, min(kinds, len(pages))), k=RUN_PAGES)
    return crawl[:length]


STABLE: dict[str, Callable[[Pages, int, Random], Pages]] = {
    "as they are": lambda pages, length, random: random.choices(pages, k=length),
    "in runs of 5 pages": partial(in_runs, kinds=5),
    "in runs of 2 pages": partial(in_runs, kinds=2),
}


if __name__ == "__main__":
    main()
