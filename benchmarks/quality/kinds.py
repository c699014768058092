"""How well the rules of ``decide.kinds`` find comments and titles in Dragnet's pages.

    python -m benchmarks.quality.kinds DRAGNET

Dragnet's gold keeps the comments apart, in ``extra/comments/<id>.txt``. Only the pages of its
training part are read. What counts as content beside a rule is the gold's main text and comments.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.decide.kinds import find_comments, find_title
from scrapy_boilernet.evaluation.align import soft_labels
from scrapy_boilernet.evaluation.datasets import open_dataset, read_pages
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Page

Marks = NDArray[np.bool_]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("dragnet", type=Path, help="the data set, a folder or its .tar.xz")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    options = parser.parse_args()
    sums: Counter[str] = Counter()
    for page, main_text, comments in marked_pages(open_dataset(options.dragnet, options.cache)):
        decided = (main_text | comments).tolist()
        title = sorted(find_title(page, decided))
        sums["titles"] += bool(title)
        sums["titles in gold"] += bool(title and main_text[title[0]])
        sums["pages"] += 1
        if comments.any():
            add_comments(sums, page, comments, decided)
    report(sums)


def marked_pages(folder: Path) -> Iterator[tuple[Page, Marks, Marks]]:
    """Yield (page, blocks of the gold's main text, blocks of its comments) of the training part."""
    for source in read_pages(folder):
        if source.split != "train" or not source.gold:
            continue
        page = blockify(source.html, source.url, source.encoding)
        file = folder / "extra" / "comments" / f"{source.id}.txt"
        text = file.read_text(encoding="utf-8") if file.is_file() else ""
        yield page, soft_labels(page, source.gold)[0] > 0.5, soft_labels(page, text)[0] > 0.5


def add_comments(sums: Counter[str], page: Page, comments: Marks, decided: list[bool]) -> None:
    """Add a page with comments: per block, and per character."""
    of_comments = find_comments(page, decided)
    sums["commented pages"] += 1
    for i, block in enumerate(page.blocks):
        in_gold, is_found = "" if comments[i] else "not ", "" if i in of_comments else "not "
        kind = f"{in_gold}gold, {is_found}found"
        sums[f"blocks {kind}"] += 1
        sums[f"characters {kind}"] += len(block.text)


def report(sums: Counter[str]) -> None:
    """Print the figures."""
    print(f"{sums['pages']} training pages, {sums['commented pages']} with comments in the gold")
    for unit in ("blocks", "characters"):
        hits = sums[f"{unit} gold, found"]
        precision = hits / max(hits + sums[f"{unit} not gold, found"], 1)
        recall = hits / max(hits + sums[f"{unit} gold, not found"], 1)
        print(f"comments, by {unit}: precision {precision:.3f}, recall {recall:.3f}")
    print(f"titles: found on {sums['titles']} pages, {sums['titles in gold']} in the main text")


if __name__ == "__main__":
    main()
