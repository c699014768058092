"""What leaving out hidden text costs or gains, and which pages hide all of their text.

    scrapy boilernet evaluate --hidden drop --json drop.json SET...
    scrapy boilernet evaluate --hidden model --json model.json SET...
    python -m benchmarks.hostile.hidden drop.json model.json --out-markdown FILE
    python -m benchmarks.hostile.hidden --sets SET... --out-markdown FILE

Several pairs of runs may be given. ``--sets`` labels the pages itself, with the shipped model.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from html import escape
from itertools import islice
from pathlib import Path

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.extractor.options import FALLBACK_STEPS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.metrics import word_score
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval

Scores = dict[tuple[str, str], float]

BUT_HIDDEN = tuple(step for step in FALLBACK_STEPS if step != "hidden")
WORDS = "cheap watches casino bonus loan payday replica bags free slots poker"
TIMES = (1, 5, 20)
ARTICLE_CHARS = 1500


def main() -> None:
    """Compare the runs, label the sets, and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="*", type=Path, help="pairs: of drop, then of model")
    parser.add_argument("--sets", nargs="+", type=Path, default=[], metavar="SET")
    parser.add_argument("--attacked", type=int, default=100, help="pages per set (default: 100)")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    compared = "Text that pages hide: left out, or left to the model"
    attacked_too = "Pages that are hidden as a whole, and text hidden beside articles"
    report = Report(compared if options.runs else attacked_too)
    if options.runs:
        add_runs(report, options.runs)
    folders = [open_dataset(path, options.cache) for path in options.sets]
    if folders:
        add_hidden_pages(report, folders)
        add_attacks(report, folders, options.attacked)
    report.write(options, None)


def add_runs(report: Report, runs: list[Path]) -> None:
    """Compare pairs of runs of ``evaluate``."""
    report.text(
        "Word-F1 of the same pages by the two values of the setting, and the difference, page by "
        "page, with its 95 % bootstrap interval. Last, the number of pages whose source is "
        "`hidden`: they hide their main text, and it is kept."
    )
    header = ["data set", "pages", "pages that differ", "drop", "model", "difference", "source"]
    pairs = zip(runs[::2], runs[1::2], strict=True)
    report.table(header, [row for pair in pairs for row in rows_of(*pair)])


def rows_of(drop_file: Path, model_file: Path) -> Iterator[list[str]]:
    """Yield a row per data set of the two runs."""
    (drop, rescued), (model, _) = read(drop_file), read(model_file)
    for name in dict.fromkeys(dataset for dataset, _ in drop):
        pages = [key for key in drop if key[0] == name]
        changes = [drop[page] - model[page] for page in pages]
        yield [
            name,
            f"{len(pages):,}",
            str(sum(change != 0 for change in changes)),
            f"{mean([drop[page] for page in pages]):.4f}",
            f"{mean([model[page] for page in pages]):.4f}",
            with_interval(changes),
            str(rescued[name]),
        ]


def read(file: Path) -> tuple[Scores, Counter[str]]:
    """Return a run's word-F1 per page, and per set the pages whose source is ``hidden``."""
    rows = json.loads(file.read_text(encoding="utf-8"))["pages"]
    scores = {(row["dataset"], row["page"]): row["metrics"]["word_f1"] for row in rows}
    return scores, Counter(row["dataset"] for row in rows if row["source"] == "hidden")


def add_hidden_pages(report: Report, folders: list[Path]) -> None:
    """Add the pages that are hidden as a whole, and how well their text is found."""
    report.text(
        "Pages that hide text, and those among them that are hidden as a whole: `hidden` is the "
        "source of their text. Word-F1 of the latter if all hidden text is left out "
        "(`BOILERNET_FALLBACK` without `hidden`), as it is by default, and by `BOILERNET_HIDDEN = "
        '"model"`; the difference of the first two, page by page, has its 95 % bootstrap interval.'
    )
    header = ["data set", "pages", "hide text", "as a whole", "all left out", "drop", "model"]
    report.table([*header, "drop to all left out"], [hidden_pages(folder) for folder in folders])


def hidden_pages(folder: Path) -> list[str]:
    """Return a set's row."""
    counts: Counter[str] = Counter()
    scores: dict[str, list[float]] = {"without": [], "drop": [], "model": []}
    for source in read_pages(folder):
        if source.gold is None:
            continue
        dropped = labeled(source)
        counts["pages"] += 1
        counts["hide text"] += any(block.hidden for block in dropped.page.blocks)
        if dropped.source == "hidden":
            without = extract(source.html, source.url, source.encoding, fallback=BUT_HIDDEN)
            model = extract(source.html, source.url, source.encoding, hidden="model")
            for name, each in (("without", without), ("drop", dropped), ("model", model)):
                scores[name].append(word_score(each.text, source.gold).f1)
    changes = [a - b for a, b in zip(scores["drop"], scores["without"], strict=True)]
    return [
        folder.name,
        f"{counts['pages']:,}",
        str(counts["hide text"]),
        str(len(changes)),
        *(f"{mean(each):.3f}" if each else "" for each in scores.values()),
        with_interval(changes) if changes else "",
    ]


def add_attacks(report: Report, folders: list[Path], most: int) -> None:
    """Add how often text is given out that was put into pages and hidden."""
    report.text(
        f"Hidden text that is added to pages that hide none, at most {most} of a set: the gold "
        f"text of the page before, so often, or {len(WORDS.split())} words of spam 1,000 times, in "
        "a `<div>` with `display:none` at the end. The columns count the pages that give any of it "
        f"out, among those whose kept text has {ARTICLE_CHARS:,} characters or more, and among "
        "others."
    )
    header = ["data set", "article", "pages", *(f"text, {n} times" for n in TIMES), "spam"]
    report.table(header, [row for folder in folders for row in attacked(folder, most)])


def attacked(folder: Path, most: int) -> Iterator[list[str]]:
    """Yield a set's rows: of pages with an article, and of others."""
    sums: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    sources = (source for source in read_pages(folder) if source.gold)
    unhidden = (
        source
        for source in sources
        if not any(block.hidden for block in blockify(source.html, encoding=source.encoding).blocks)
    )
    before = ""
    for source in islice(unhidden, most):
        text, before = before, source.gold or ""
        if not text:
            continue
        counts = sums[len(labeled(source).text) >= ARTICLE_CHARS]
        counts["pages"] += 1
        for n in TIMES:
            counts[f"text {n}"] += gives_out(source, text.split("\n") * n)
        counts["spam"] += gives_out(source, [f"{WORDS} " * 1000])
    for article, counts in sums.items():
        names = ("pages", *(f"text {n}" for n in TIMES), "spam")
        yield [folder.name, "yes" if article else "no", *(str(counts[name]) for name in names)]


def gives_out(source: GoldPage, lines: list[str]) -> bool:
    """Return whether text that is hidden in the page is kept."""
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in lines)
    added = f"<div style='display:none'>{paragraphs}</div>".encode("ascii", "xmlcharrefreplace")
    result = extract(source.html + added, source.url, source.encoding)
    return any(block.hidden for block in result.content)


def labeled(source: GoldPage) -> LabeledPage:
    """Return the page, labeled with the default options."""
    return extract(source.html, source.url, source.encoding)


def mean(values: list[float]) -> float:
    """Return the mean."""
    return sum(values) / len(values)


def with_interval(changes: list[float]) -> str:
    """Return the mean with its 95 % bootstrap interval."""
    low, high = bootstrap_interval(changes)
    return f"{mean(changes):+.4f} [{low:+.4f}, {high:+.4f}]"


if __name__ == "__main__":
    main()
