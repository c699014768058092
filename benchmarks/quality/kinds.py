"""How well the rules of ``decide`` find titles, captions and comments.

    python -m benchmarks.quality.kinds by-hand dragnet --out-markdown docs/results/quality/kinds.md

A set's gold is ``extra/kinds.jsonl``, a row per page with the numbers of its blocks of each kind,
or ``extra/comments/<id>.txt``, the text of the comments. Of a set with its own split, only the
training part is read. A rule gets the content blocks once from the gold and once from a model.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.decide.captions import find_captions
from scrapy_boilernet.extractor.decide.comments import find_comments
from scrapy_boilernet.extractor.decide.headline import find_title
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.splits import domain
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.workers.files import json_lines

Marks = NDArray[np.bool_]
RULES = {"title": find_title, "captions": find_captions, "comments": find_comments}
DEVELOPED, OTHER, ALL = "developed on", "other half", "all"
UNITS = ("blocks", "characters")
_EXPLAINED = """\
A rule gets the content blocks from the gold or from the model. Counts are summed over the pages;
the intervals are 95 % bootstrap intervals over pages. `developed on`: the half of the domains that
the rules were developed on, those with an even CRC-32.

Comments in by-hand's gold are what people wrote; Dragnet's have the lines of authors and dates,
too, and the rule counts these as comments. So by-hand's precision by blocks is low, and precision
by characters says more. Of Dragnet only training pages with comments in the gold are counted; the
rules were developed on these, too. The shipped models trained on the pages of both sets, so the
rows by a model show how the rules work with its decisions, not how good it is on other pages."""


@dataclass
class MarkedPage:
    """A page with marks per block: whether the gold has it as content, and as each kind."""

    source: GoldPage
    page: Page
    content: Marks
    kinds: dict[str, Marks]


@dataclass
class Counts:
    """Per page the blocks and characters that a rule finds rightly, finds wrongly, and misses."""

    rows: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, page: Page, gold: Marks, found: Marks) -> None:
        """Add a page: (right, wrong, missed) of the blocks, then of the characters."""
        chars = np.array([len(block.text) for block in page.blocks])
        parts = (gold & found, found & ~gold, gold & ~found)
        self.rows.append(
            np.array([[part.sum() for part in parts], [chars[part].sum() for part in parts]], float)
        )

    def scores(self, unit: int) -> tuple[float, float, float, tuple[float, float]]:
        """Return precision, recall, F1 and its interval by ``unit`` of :data:`UNITS`."""
        counts = np.array(self.rows)[:, unit]
        precision, recall, f1 = _scores(counts.sum(axis=0))
        _, _, draws = _scores((resamples(len(counts)) @ counts).T)
        return float(precision), float(recall), float(f1), interval_of(draws)


def _scores(counts: NDArray[np.float64]) -> tuple[Any, Any, Any]:
    right, wrong, missed = counts
    return (
        right / np.maximum(right + wrong, 1),
        right / np.maximum(right + missed, 1),
        2 * right / np.maximum(2 * right + wrong + missed, 1),
    )


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", default="default", help="a shipped model or a model folder")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Titles, captions and comments found by rule")
    report.text(_EXPLAINED)
    labeler = load_labeler(options.model)
    for path in options.sets:
        folder = open_dataset(path, options.cache)
        pages = list(marked_pages(folder))
        if not pages:
            sys.exit(f"{folder} has neither extra/kinds.jsonl nor extra/comments; name other sets")
        write(folder.name, pages, labeler, report)
    report.write(options, None)


def marked_pages(folder: Path) -> Iterator[MarkedPage]:
    """Yield the pages of the set whose gold has kinds."""
    file, comments = folder / "extra" / "kinds.jsonl", folder / "extra" / "comments"
    rows = {row["id"]: row for _, row in json_lines(file)} if file.is_file() else {}
    for source in read_pages(folder):
        if source.split not in (None, "train") or source.gold is None:
            continue
        page = blockify(source.html, source.url, source.encoding)
        if source.id in rows:
            yield MarkedPage(source, page, *marks_of(page, source.gold, rows[source.id]))
        elif comments.is_dir() and source.gold:
            text = comments / f"{source.id}.txt"
            said = text.read_text(encoding="utf-8") if text.is_file() else ""
            main, comment = (soft_labels(page, gold)[0] > 0.5 for gold in (source.gold, said))
            yield MarkedPage(source, page, main | comment, {"comments": comment})


def marks_of(page: Page, gold: str, row: dict[str, Any]) -> tuple[Marks, dict[str, Marks]]:
    """Return per block whether it is content, and whether it is of each kind.

    ``row``: the page's row in ``kinds.jsonl``. If the page had other blocks when it was labeled,
    they are found by their text. A headline that stands twice in a row is one title.
    """
    if row["blocks"] == len(page.blocks):
        content = marked(page, row["content"])
        kinds = {kind: marked(page, row[kind]) for kind in RULES}
    else:
        content = soft_labels(page, gold)[0] > 0.5
        kinds = {
            kind: np.array([block.text in row[f"{kind}_text"] for block in page.blocks], dtype=bool)
            for kind in RULES
        }
    for i in range(1, len(page.blocks)):
        kinds["title"][i] |= (
            kinds["title"][i - 1] and page.blocks[i].text == page.blocks[i - 1].text
        )
    return content, kinds


def marked(page: Page, ranges: str) -> Marks:
    """Return marks of the blocks in ``ranges``, such as ``"3,5-7"``."""
    marks = np.zeros(len(page.blocks), dtype=bool)
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        marks[int(first) : int(last or first) + 1] = True
    return marks


def write(name: str, pages: Sequence[MarkedPage], labeler: Labeler, report: Report) -> None:
    """Add the table of a set."""
    counts: dict[tuple[str, str, str], Counts] = {}
    for marked_page in pages:
        page, of_model = marked_page.page, f"model {labeler.name}"
        kept = label_page(page, labeler).kept
        for content, decided in (("gold", marked_page.content.tolist()), (of_model, kept)):
            for kind, gold in marked_page.kinds.items():
                if len(marked_page.kinds) == 1 and not gold.any():
                    continue  # without the other kinds, no comments may mean that none were noted
                found = np.zeros(len(gold), dtype=bool)
                found[list(RULES[kind](page, decided))] = True
                for part in parts_of(marked_page):
                    counts.setdefault((kind, content, part), Counts()).add(page, gold, found)
    with_kind = ", ".join(
        f"{sum(bool(page.kinds[kind].any()) for page in pages)} with {kind}"
        for kind in pages[0].kinds
    )
    report.text(f"## {name}\n\n{len(pages)} pages, {with_kind} in the gold.")
    rows = []
    for (kind, content, part), count in sorted(counts.items(), key=_order):
        cells = [kind, f"by {content}", part, str(len(count.rows))]
        for number, unit in enumerate(UNITS):
            precision, recall, f1, (low, high) = count.scores(number)
            cells += [f"{precision:.3f}", f"{recall:.3f}", f"{f1:.3f} [{low:.3f}, {high:.3f}]"]
            report.figures[f"{name}, {kind}, by {content}, {part}, {unit}"] = {
                "precision": precision, "recall": recall, "f1": f1, "low": low, "high": high,
            }  # fmt: skip
        rows.append(cells)
    header = [f"{figure}, {unit}" for unit in UNITS for figure in ("precision", "recall", "F1")]
    report.table(["kind", "content", "part", "pages", *header], rows)
    if "title" not in pages[0].kinds:
        report.text(titles_in_content(pages))


def _order(item: tuple[tuple[str, str, str], Counts]) -> tuple[int, str, int]:
    kind, content, part = item[0]
    return [*RULES].index(kind), content, (DEVELOPED, OTHER, ALL).index(part)


def titles_in_content(pages: Sequence[MarkedPage]) -> str:
    """Return how many titles are found by the gold's content, and how many are a part of it."""
    found = [(page, find_title(page.page, page.content.tolist())) for page in pages]
    inside = sum(any(page.content[i] for i in title) for page, title in found)
    titles = sum(bool(title) for _, title in found)
    return f"A title is found on {titles} pages; on {inside} of them the gold has it as content."


def parts_of(page: MarkedPage) -> tuple[str, ...]:
    """Return the parts that a page is counted in: one, if the set was developed on as a whole."""
    if page.source.split:
        return (ALL,)
    return (half_of(page.source), ALL)


def half_of(page: GoldPage) -> str:
    """Return the half of the domains that the page is in: DEVELOPED (even CRC-32) or OTHER."""
    return DEVELOPED if zlib.crc32(domain(page).encode()) % 2 == 0 else OTHER


if __name__ == "__main__":
    main()
