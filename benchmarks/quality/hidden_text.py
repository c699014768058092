"""What leaving out hidden text costs and gains on real pages, by the reason why it is hidden.

    python -m benchmarks.quality.hidden_text by-hand dragnet wcxb-dev --out-markdown FILE

``--pages`` are drawn over the sets, as evenly as the sets are large enough. Of a set with its own
split, only the parts for training and development are read. Every page is labeled with hidden text
left out, as by default, and with the rule off (``hidden="model"``: the model decides on hidden
text, too).

Words are counted as multisets. A word of a hidden text is lost if the gold has it more often than
our output has: texts that hide a word that the gold has twice, and the output once, lose it once,
the first of them. So a word of a menu may count as lost where the output lacks it in a sentence.
Two columns take such words: of all hidden texts, and of those that the model would keep. The second
is what the rule costs. The other words of texts that the model would keep are what it gains.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.hiding import INVISIBLE_CHARACTERS, REASONS
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import CONTENT, LabelOptions
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.lab.evaluation.splits import BROKEN_PAGES
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.workers.progress import progress

SHEET = "the page's own style sheet"
"""Stands for all reasons that a style sheet gives."""
ROWS = (*REASONS[1:], SHEET, INVISIBLE_CHARACTERS)
MAX_BLOCKS = 3_000
"""Pages with more blocks are left out."""
_WORST = 20
"""So many texts with the most lost words are in the JSON."""
_STYLES = re.compile(rb"(<style\b[^>]*>).*?(?=</style)", re.IGNORECASE | re.DOTALL)
_LEFT_OUT = ("texts", "words", "in the gold and missing", "would be kept", "lost", "gained")
_GIVEN_OUT = ("given out: texts", "words", "in the gold")
_EXPLAINED = """\
Hidden texts and their words, summed over the pages. First those that are left out: `in the gold and
missing`: words that the gold has more often than our output. `would be kept`: words of texts that
the model would keep if the rule were off, and of these `lost`: in the gold and missing, which is
what the rule costs, and `gained`: all others. Then hidden texts that are given out, by the step
`hidden`, and how many of their words are in the gold. Invisible characters are never content.

Word-F1 with hidden text left out, as by default, and with the rule off; the difference, page by
page, has its 95 % bootstrap interval."""


@dataclass
class Counts:
    """What was counted of some hidden texts, and on how many pages."""

    pages: int = 0
    numbers: Counter[str] = field(default_factory=Counter)

    def cells(self) -> list[str]:
        """Return the counts as cells of a row."""
        names = (*(f"out {name}" for name in _LEFT_OUT), *(f"in {name}" for name in _GIVEN_OUT))
        return [f"{number:,}" for number in (self.pages, *(self.numbers[name] for name in names))]


@dataclass(frozen=True)
class Measured:
    """A page: what was counted per reason, its word-F1 by both options, and texts with losses."""

    dataset: str
    by_reason: dict[str, Counter[str]]
    f1_drop: float
    f1_off: float
    losses: list[dict[str, Any]]


def main() -> None:
    """Draw, measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--pages", type=int, default=1000, help="of all sets (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: 0)")
    parser.add_argument("--model", default="default", help="a shipped model or a model folder")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report, labeler = Report("Hidden text on real pages"), load_labeler(options.model)
    folders = [open_dataset(path, options.cache) for path in options.sets]
    drawn = drawn_pages(folders, options.pages, options.seed)
    chosen = progress(drawn, len(drawn), "pages")
    measured = [each for source in chosen if (each := measure(source, labeler))]
    write(measured, report)
    report.write(options, None)


def drawn_pages(folders: Sequence[Path], number: int, seed: int) -> list[GoldPage]:
    """Return so many pages with gold text, drawn over the sets: as many of each as it has."""
    sets = [
        [
            source
            for source in read_pages(folder)
            if source.gold
            and source.split in (None, "train", "dev")
            and source.id not in BROKEN_PAGES
        ]
        for folder in folders
    ]
    random, drawn = Random(seed), list[GoldPage]()
    for left, pages in zip(range(len(sets), 0, -1), sorted(sets, key=len), strict=True):
        share = -(-(number - len(drawn)) // left)
        drawn += random.sample(pages, min(share, len(pages)))
    return drawn


def measure(source: GoldPage, labeler: Labeler) -> Measured | None:
    """Return what was counted of a page; None if it has too many blocks."""
    page = blockify(source.html, source.url, source.encoding)
    if len(page.blocks) > MAX_BLOCKS:
        return None
    drop = label_page(page, labeler)
    off = label_page(page, labeler, LabelOptions(hidden="model"))
    gold = source.gold or ""
    by_reason, losses = counted(drop, off, gold, reasons_of(source, page))
    scores = (word_score(each.text, gold).f1 for each in (drop, off))
    named = [{"set": source.dataset, "page": source.id, **loss} for loss in losses]
    return Measured(source.dataset, by_reason, *scores, named)


def reasons_of(source: GoldPage, page: Page) -> list[str]:
    """Return per block why it is hidden, a name of :data:`ROWS`; "" if it is shown.

    The page is read again with empty style sheets: what is shown then, they hide.
    """
    if not any(page.hidden):
        return [""] * len(page.blocks)
    bare = blockify(_STYLES.sub(rb"\1", source.html), source.url, source.encoding)
    others = {(block.xpath, block.text): block.hidden_by for block in bare.blocks}
    return [
        (others.get((block.xpath, block.text)) or SHEET) if block.hidden else ""
        for block in page.blocks
    ]


def counted(
    drop: LabeledPage, off: LabeledPage, gold: str, reasons: Sequence[str]
) -> tuple[dict[str, Counter[str]], list[dict[str, Any]]]:
    """Return per reason the counts of a page's hidden texts, and the texts with lost words.

    ``drop``, ``off``: the page with hidden text left out, and as the model decides.
    """
    by_reason: dict[str, Counter[str]] = {}
    losses: list[dict[str, Any]] = []
    in_gold = Counter(tokens(gold))
    missing = in_gold - Counter(tokens(drop.text))
    missing_of_kept = missing.copy()
    for reason, block, label, label_off in hidden_texts(drop, off, reasons):
        numbers, words = by_reason.setdefault(reason, Counter()), Counter(tokens(block.text))
        if label == CONTENT:
            found = taken(words, in_gold)
            numbers.update({f"in {_GIVEN_OUT[0]}": 1, "in words": words.total()})
            numbers["in in the gold"] += found
            continue
        numbers.update({"out texts": 1, "out words": words.total()})
        numbers["out in the gold and missing"] += taken(words, missing)
        if label_off == CONTENT:
            lost = taken(words, missing_of_kept)
            numbers.update({"out would be kept": words.total(), "out lost": lost})
            numbers["out gained"] += words.total() - lost
            if lost:
                losses.append({"reason": reason, "lost": lost, **shown(block.text, block.xpath)})
    for text in drop.page.invisible:
        numbers, words = by_reason.setdefault(text.reason, Counter()), Counter(tokens(text.text))
        numbers.update({"out texts": 1, "out words": words.total()})
        numbers["out in the gold and missing"] += taken(words, missing)
    return by_reason, losses


def hidden_texts(
    drop: LabeledPage, off: LabeledPage, reasons: Sequence[str]
) -> Iterator[tuple[str, Any, str, str]]:
    """Yield (reason, block, label, label with the rule off) of the blocks that are hidden."""
    columns = zip(reasons, drop.page.blocks, drop.labels, off.labels, strict=True)
    return (column for column in columns if column[0])


def taken(words: Counter[str], wanted: Counter[str]) -> int:
    """Take the words out of those that are wanted, and return how many there were.

    >>> wanted = Counter("aab")
    >>> taken(Counter("abb"), wanted), wanted["a"]
    (2, 1)
    """
    common = words & wanted
    wanted.subtract(common)
    return common.total()


def shown(text: str, xpath: str) -> dict[str, str]:
    """Return the beginning of a text and its XPath, for the JSON."""
    return {"text": text[:200], "xpath": xpath}


def write(measured: Sequence[Measured], report: Report) -> None:
    """Add a table per reason, a table per set, and word-F1."""
    hides = sum(bool(page.by_reason) for page in measured)
    report.text(f"{len(measured):,} pages, of which {hides:,} hide text.\n\n{_EXPLAINED}")
    reasons = {name: Counts() for name in ROWS}
    sets = {page.dataset: Counts() for page in measured}
    everything = Counts()
    for page in measured:
        for reason, numbers in page.by_reason.items():
            reasons[reason].pages += 1
            for sums in (reasons[reason], sets[page.dataset], everything):
                sums.numbers.update(numbers)
        for sums in (sets[page.dataset], everything):
            sums.pages += bool(page.by_reason)
    header = ["hide text", *_LEFT_OUT, *_GIVEN_OUT]
    named = [*reasons.items(), ("all", everything)]
    report.table(["reason", *header], [[name, *sums.cells()] for name, sums in named])
    report.table(["set", *header], [[name, *sums.cells()] for name, sums in sets.items()])
    scores = [score_row(name, [p for p in measured if p.dataset == name]) for name in sets]
    header = ["set", "pages", "pages that differ", "left out", "rule off", "difference"]
    report.table(header, [*scores, score_row("all", measured)])
    report.figures["reasons"] = {name: dict(sums.numbers) for name, sums in named}
    losses = [loss for page in measured for loss in page.losses]
    report.figures["worst"] = sorted(losses, key=lambda loss: -loss["lost"])[:_WORST]


def score_row(name: str, pages: Sequence[Measured]) -> list[str]:
    """Return the word-F1 of some pages by both options, with the interval of the difference."""
    changes = [page.f1_drop - page.f1_off for page in pages]
    low, high = bootstrap_interval(changes)
    drop, off = (sum(values) / len(pages) for values in zip(*map(_scores, pages), strict=True))
    difference = f"{drop - off:+.4f} [{low:+.4f}, {high:+.4f}]"
    differ = sum(change != 0 for change in changes)
    return [name, f"{len(pages):,}", f"{differ:,}", f"{drop:.4f}", f"{off:.4f}", difference]


def _scores(page: Measured) -> tuple[float, float]:
    return page.f1_drop, page.f1_off


if __name__ == "__main__":
    main()
