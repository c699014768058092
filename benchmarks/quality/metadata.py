"""How often title, author and date of the metadata are right, and their costs, beside libraries.

    python -m benchmarks.quality.metadata wcxb-dev mercury --out-markdown metadata.md

A set's gold is ``extra/ground-truth/dev/*.json`` (WCXB) or ``extra/metadata.jsonl``. Every system
gets a page's bytes and URL. ``--languages`` names sets whose ``pages.jsonl`` has languages.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.quality.kinds import ALL, DEVELOPED, OTHER, half_of
from benchmarks.quality.page_kind import SHELLS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import parse
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.output.language import text_language
from scrapy_boilernet.extractor.output.metadata import page_metadata
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples
from scrapy_boilernet.workers.files import json_lines

FIELDS = ("title", "author", "date")
OURS = "scrapy-boilernet"
_EXPLAINED = """\
Shares of the pages with a gold value on which a system gives exactly it. Title and author: the
same words in the same order, case and punctuation aside, and "and" between names. Date: the same
day; where the gold is a moment in UTC, its day in any time zone. Our date is `Metadata.date`:
that of publication, or else of the last change. `given without gold`: the share of the other
pages on which a system gives a value. `developed on`: the half of the domains that the rules were
developed on, those with an even CRC-32. Intervals are 95 % bootstrap intervals over pages.

The pages of mercury have metadata whose `content` attributes are named `value`, as the tests of
that parser have them. Ours reads both; the others do not."""


class Values(NamedTuple):
    """The values of a page, by the gold or by a system; "" for none."""

    title: str
    author: str
    date: str


class Answer(NamedTuple):
    """A page's values by the gold and by each system, and the CPU seconds of each system."""

    part: str
    gold: Values
    systems: dict[str, Values]
    seconds: dict[str, float]


System = Callable[[bytes, str | None], Values]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--languages", type=Path, nargs="*", default=[], help="sets with languages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each Nth page")
    parser.add_argument("--model", default="default", help="a shipped model or a model folder")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Metadata: title, author, date")
    report.text(_EXPLAINED)
    labeler = load_labeler(options.model)
    peers = _peers(report)
    for path in options.sets:
        folder = open_dataset(path, options.cache)
        answers = [
            answer
            for i, source in enumerate(read_pages(folder))
            if i % options.every == 0 and (answer := answer_of(folder, source, labeler, peers))
        ]
        if not answers:
            sys.exit(f"{folder} has neither extra/ground-truth nor extra/metadata.jsonl")
        write(folder.name, answers, report)
    if options.languages:
        folders = [open_dataset(path, options.cache) for path in options.languages]
        write_languages(folders, options.every, labeler, report)
    report.write(options, None)


def answer_of(
    folder: Path, source: GoldPage, labeler: Labeler, peers: dict[str, System]
) -> Answer | None:
    """Return the page's values by all systems; None if the set has no gold values for it."""
    gold = gold_of(folder, source)
    if gold is None:
        return None
    own, seconds = ours(source, labeler)
    systems = {OURS: own}
    for name, system in peers.items():
        start = process_time()
        try:
            systems[name] = system(source.html, source.url)
        except Exception:  # a peer's crash on a page
            systems[name] = Values("", "", "")
        seconds[name] = process_time() - start
    return Answer(half_of(source), gold, systems, seconds)


def gold_of(folder: Path, source: GoldPage) -> Values | None:
    """Return the page's gold values, or None if the set has none for it."""
    number = source.id.rpartition("_")[2]
    file = folder / "extra" / "ground-truth" / "dev" / f"{number}.json"
    if file.is_file() and number not in SHELLS:
        row = json.loads(file.read_text(encoding="utf-8"))["ground_truth"]
        return Values(row["title"] or "", row["author"] or "", row["publish_date"] or "")
    row = _listed(folder / "extra" / "metadata.jsonl").get(source.id)
    keys = ("title", "author", "date_published")
    return row and Values(*(row.get(key) or "" for key in keys))


@cache
def _listed(file: Path) -> dict[str, Any]:
    return {row["id"]: row for _, row in json_lines(file)} if file.is_file() else {}


def ours(source: GoldPage, labeler: Labeler) -> tuple[Values, dict[str, float]]:
    """Return our values, and the CPU seconds of the parse and of the metadata alone."""
    body = to_utf8(source.html, None, None, source.url)
    blockify(source.html, source.url)
    times = [process_time()]
    parse(body)
    times.append(process_time())
    blockify(source.html, source.url)
    times.append(process_time())
    page = blockify(source.html, source.url, stated=True)
    times.append(process_time())
    labeled = label_page(page, labeler)
    _ = labeled.text
    times.append(process_time())
    metadata = page_metadata(labeled)
    times.append(process_time())
    parsed, plain, stated, _labeled, made = np.diff(times).tolist()
    values = Values(metadata.title or "", ", ".join(metadata.authors), metadata.date or "")
    return values, {"parse": parsed, OURS: max(stated - plain, 0.0) + made}


def _peers(report: Report) -> dict[str, System]:
    """Return the libraries that are installed."""
    peers: dict[str, System] = {}
    makers = {
        "trafilatura": _trafilatura, "newspaper": _newspaper, "htmldate": _htmldate,
    }  # fmt: skip
    logging.disable(logging.CRITICAL)  # their failures are scores
    for name, make in makers.items():
        if find_spec(name):
            peers[name] = make(import_module(name))
        else:
            report.lacks(f"{name}: pip install '.[peers]' in a checkout")
    return peers


def _trafilatura(module: Any) -> System:
    def system(html: bytes, url: str | None) -> Values:
        found = module.extract_metadata(html, default_url=url)
        return Values(found.title or "", found.author or "", found.date or "")

    return system


def _newspaper(module: Any) -> System:
    def system(html: bytes, url: str | None) -> Values:
        article = module.Article(url or "http://localhost/", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        date = article.publish_date
        return Values(
            article.title or "", ", ".join(article.authors), date.isoformat() if date else ""
        )

    return system


def _htmldate(module: Any) -> System:
    """Return htmldate, asked for the date of publication."""
    return lambda html, url: Values(
        "", "", module.find_date(html, url=url, original_date=True) or ""
    )


def is_right(field: str, gold: str, given: str) -> bool:
    """Return whether the value is the gold's."""
    if field == "date":
        return bool(given) and any(given[: len(day)] == day for day in _days(gold))
    return _words(given) == _words(gold)


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W_]+", text.lower()) if word != "and"]


def _days(gold: str) -> set[str]:
    """Return the days of the gold: one, or those of its moment anywhere on earth."""
    if "T" not in gold:
        return {gold}
    moment = datetime.fromisoformat(gold)
    return {(moment + timedelta(hours=hours)).date().isoformat() for hours in (-12, 0, 14)}


def write(name: str, answers: Sequence[Answer], report: Report) -> None:
    """Add the tables of a set."""
    report.text(f"## {name}\n\n{len(answers)} pages.")
    rows = []
    for field, system, part in (
        (field, system, part)
        for field in FIELDS
        for system in answers[0].systems
        for part in (DEVELOPED, OTHER, ALL)
    ):
        if system == "htmldate" and field != "date":
            continue
        chosen = [answer for answer in answers if part in (answer.part, ALL)]
        scores = np.array([
            is_right(field, gold, getattr(answer.systems[system], field))
            for answer in chosen
            if (gold := getattr(answer.gold, field))
        ], dtype=float)  # fmt: skip
        if not len(scores):
            continue
        low, high = interval_of(resamples(len(scores)) @ scores / len(scores))
        without = [
            bool(getattr(answer.systems[system], field))
            for answer in chosen
            if not getattr(answer.gold, field)
        ]
        share = f"{np.mean(without):.3f}" if without else ""
        rows.append([
            field, system, part, str(len(scores)), f"{scores.mean():.3f} [{low:.3f}, {high:.3f}]",
            share,
        ])  # fmt: skip
        report.figures[f"{name}, {field}, {system}, {part}"] = {
            "right": scores.mean(), "low": low, "high": high, "pages": len(scores),
        }  # fmt: skip
    report.table(["field", "system", "part", "pages", "right", "given without gold"], rows)
    write_costs(name, answers, report)


def write_costs(name: str, answers: Sequence[Answer], report: Report) -> None:
    """Add the cost of each system; ours is what metadata adds to reading and labeling a page."""
    total: dict[str, float] = defaultdict(float)
    for answer in answers:
        for system, seconds in answer.seconds.items():
            total[system] += seconds
    rows = [
        [
            system,
            f"{1000 * total[system] / len(answers):.2f}",
            f"{total[system] / total['parse']:.2f}",
        ]
        for system in total
    ]
    report.text("CPU time per page; ours is what metadata adds to a page that is labeled anyway.")
    report.table(["", "ms", "of the parse by lxml"], rows)
    report.figures[f"{name}, seconds"] = {s: total[s] / len(answers) for s in total}


def write_languages(folders: Sequence[Path], every: int, labeler: Labeler, report: Report) -> None:
    """Add how often the stated language and the text's language are the set's."""
    has_text = bool(find_spec("py3langid"))
    if not has_text:
        report.lacks("py3langid: pip install '.[language]' in a checkout")
    rows = []
    for folder in folders:
        marks: dict[str, list[bool]] = defaultdict(list)
        for i, source in enumerate(read_pages(folder)):
            if i % every or not source.language or not source.gold:
                continue
            labeled = label_page(blockify(source.html, source.url, stated=True), labeler)
            gold = source.language.lower()[:2]
            stated = page_metadata(labeled).language
            marks["stated"].append(bool(stated))
            if stated:
                marks["right"].append(stated.lower()[:2] == gold)
            if has_text:
                marks["text"].append(text_language(labeled.text) == gold)
        shares = {name: float(np.mean(values)) for name, values in marks.items()}
        report.figures[f"{folder.name}, language"] = shares
        cells = [f"{shares[n]:.3f}" if n in shares else "" for n in ("stated", "right", "text")]
        rows.append([folder.name, str(len(marks["stated"])), *cells])
    report.text("## Language\n\nOf pages with main text in the gold.")
    header = ["set", "pages", "states one", "that is right", "of the text right"]
    report.table(header, rows)


if __name__ == "__main__":
    main()
