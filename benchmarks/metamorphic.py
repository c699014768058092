r"""How far a page's text depends on how its source is written: the same page, written otherwise.

    python benchmarks/metamorphic.py SET... --pages 200 \
        --out-markdown docs/results/robustness/metamorphic.md

Each rewriting of ``rewriting.py`` changes nothing that a browser shows. What is compared is the
text of the blocks, which must be the same, and the main text that the model makes of them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reporting import Report, add_outputs
from rewriting import REWRITINGS
from subjects import draw_pages

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.evaluation.metrics import word_score
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.html.decode import decode
from scrapy_boilernet.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.labeling import label_page
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.progress import progress

PARTING = ("comments between tags", "comments within text")
"""A comment makes two DOM text nodes of one, so of leaves the text as a whole is compared."""


@dataclass
class Tally:
    """What one rewriting did to the pages."""

    pages: int = 0
    """Those that it changed at all."""
    other_blocks: list[str] = field(default_factory=list)
    """Pages whose blocks have other texts."""
    other_leaves: list[str] = field(default_factory=list)
    other_texts: list[str] = field(default_factory=list)
    """Pages with another main text, though their blocks are the same."""
    scores: list[float] = field(default_factory=list)
    """Word-F1 of the main text against that of the page as it was; 1 where they are the same."""


def main() -> None:
    """Measure and write the report."""
    options = arguments()
    report = Report("The same page, written otherwise")
    sets = draw_pages(report, options.sets, {}, options.pages, options.cache)
    labeler = load_labeler(options.model, options.engine)
    pages = [page for drawn in sets.values() for page in drawn]
    tallies = {name: Tally() for name in REWRITINGS}
    for page in progress(pages, len(pages), "pages"):
        compare(page, labeler, tallies)
    told = ", ".join(f"{len(pages)} of {name}" for name, pages in sets.items())
    write_table(report, tallies, f"the model `{options.model}` ({options.engine}) on {told}")
    report.write(options, None)


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=200, help="of each set")
    parser.add_argument("--model", default="default", help="one that labels blocks")
    parser.add_argument("--engine", default="numpy")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    return parser.parse_args()


def compare(page: GoldPage, labeler: Labeler, tallies: dict[str, Tally]) -> None:
    """Add what each rewriting does to the page."""
    html = decode(page.html, page.encoding)
    before = blockify(html, page.url)
    leaves = texts_of(html, "leaf")
    main_text = label_page(before, labeler).text
    for name, rewrite in REWRITINGS.items():
        tally, written = tallies[name], rewrite(html)
        if written == html:
            continue
        after = blockify(written, page.url)
        text = label_page(after, labeler).text
        tally.pages += 1
        tally.scores.append(1.0 if text == main_text else word_score(text, main_text).f1)
        if _texts(after) != _texts(before):
            tally.other_blocks.append(f"{page.dataset}/{page.id}")
        elif text != main_text:
            tally.other_texts.append(f"{page.dataset}/{page.id}")
        own = texts_of(written, "leaf")
        if own != leaves and (name not in PARTING or _whole(own) != _whole(leaves)):
            tally.other_leaves.append(f"{page.dataset}/{page.id}")


def texts_of(html: str, units: Units) -> list[str]:
    """Return the texts of all of the page's units: a comment makes two leaves of one."""
    return _texts(blockify(html, units=units, max_blocks=len(html)))


def _texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def _whole(texts: Sequence[str]) -> str:
    return "".join("".join(texts).split())


def write_table(report: Report, tallies: dict[str, Tally], told: str) -> None:
    """Add what was measured, per rewriting."""
    report.text(
        "Rewritings that change nothing that a browser shows. Other blocks, other leaves: pages of "
        "which the texts of all blocks, or of all DOM text nodes, are not the same any more (where "
        "comments part text nodes: all their text put together). "
        "Other main text: the blocks are the same, but the model labels some otherwise. F1: of the "
        f"words of the main text against those before, over all pages that were changed; {told}."
    )
    header = ["rewriting", "pages", "other blocks", "other leaves", "other main text",
              "F1 below 1", "mean F1", "least F1"]  # fmt: skip
    report.table(header, [_row(name, tally) for name, tally in tallies.items()])
    report.figures = {name: vars(tally) for name, tally in tallies.items()}


def _row(name: str, tally: Tally) -> list[str]:
    scores: Sequence[float] = tally.scores or [1.0]
    below = sum(score < 1 for score in scores)
    counts = (tally.pages, *map(len, (tally.other_blocks, tally.other_leaves, tally.other_texts)))
    mean = sum(scores) / len(scores)
    return [name, *map(str, (*counts, below)), f"{mean:.5f}", f"{min(scores):.3f}"]


if __name__ == "__main__":
    main()
