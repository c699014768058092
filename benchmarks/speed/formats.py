"""What Markdown, HTML and metadata cost over plain text, as ratios to lxml's parse.

    python -m benchmarks.speed.formats wcxb-dev mercury by-hand --pages 100 --out-markdown FILE

Per page the least CPU time of seven interleaved rounds counts, each after a collection of garbage.
The time of a format is the extra time to read the page for it, plus the time to write it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from statistics import mean, median
from time import process_time

from benchmarks.common.measuring import one_core
from benchmarks.common.reporting import Report
from benchmarks.common.subjects import page_options, requested_pages
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import plain_tree
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import FORMATS, Format, parts_read_for
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress

_ROUNDS = 7
_WANTED: dict[str, tuple[Format, ...]] = {
    "Markdown": ("markdown",),
    "HTML": ("html",),
    "Markdown and HTML": ("markdown", "html"),
    "metadata": ("metadata",),
    "Markdown and metadata": ("markdown", "metadata"),
    "all, with posts": FORMATS,
}
_PARSE, _TEXT = "parse", "plain text, without the labels"


def main() -> None:
    """Measure and write."""
    one_core()
    options = page_options(__doc__ or "")
    report = Report("What Markdown, HTML and metadata cost")
    pages = requested_pages(report, options)
    labeler = load_labeler(options.model)
    ratios: dict[str, list[float]] = {}
    for source in progress(pages, len(pages), "times"):
        for name, ratio in page_ratios(source, labeler).items():
            ratios.setdefault(name, []).append(ratio)
    report.text("CPU time over that of plain text, as a ratio to lxml's parse of the page:")
    rows = [[name, f"{median(own):.2f}", f"{mean(own):.2f}"] for name, own in ratios.items()]
    report.table(["", "median page", "mean"], rows)
    report.figures["ratios"] = {
        name: {"median": median(own), "mean": mean(own)} for name, own in ratios.items()
    }
    report.write(options, None)


def page_ratios(source: GoldPage, labeler: Labeler) -> dict[str, float]:
    """Return the ratios of one page: of plain text to the parse, and of what each format adds."""
    body = to_utf8(source.html, None, None, source.url)
    plain = label_page(blockify(source.html, source.url), labeler)
    works: dict[str, Callable[[], object]] = {
        _PARSE: lambda: plain_tree(body),
        _TEXT: lambda: blockify(source.html, source.url),
    }
    for name, formats in _WANTED.items():
        markup, stated, thread = parts_read_for(formats)
        page = blockify(source.html, source.url, markup=markup, stated=stated, thread=thread)
        labeled = label_page(page, labeler)
        _ = labeled.text
        works[f"{name}: read"] = lambda markup=markup, stated=stated, thread=thread: blockify(  # type: ignore[misc]
            source.html, source.url, markup=markup, stated=stated, thread=thread
        )
        works[f"{name}: write"] = lambda labeled=labeled, formats=formats: written(  # type: ignore[misc]
            labeled, formats
        )
    _ = plain.text
    seconds = least_seconds(works)
    parse = seconds[_PARSE]
    ratios = {_TEXT: seconds[_TEXT] / parse}
    for name in _WANTED:
        more = seconds[f"{name}: read"] - seconds[_TEXT] + seconds[f"{name}: write"]
        ratios[name] = more / parse
    return ratios


def written(labeled: LabeledPage, formats: Sequence[Format]) -> LabeledPage:
    """Return the page with the formats; their cached blocks are dropped and made again."""
    vars(labeled.page).pop("blocks_without_xpaths", None)
    return with_formats(labeled, formats)


def least_seconds(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the least CPU time of each work over the rounds, by name."""
    least = dict.fromkeys(works, float("inf"))
    gc.collect()
    gc.freeze()
    for _ in range(_ROUNDS):
        for name, work in works.items():
            gc.collect()  # of this work alone: all else is frozen
            begin = process_time()
            work()
            least[name] = min(least[name], process_time() - begin)
    gc.unfreeze()
    return least


if __name__ == "__main__":
    main()
