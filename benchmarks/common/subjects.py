"""What the benchmarks measure: pages, drawn the same each time; our engines; other extractors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lxml import etree, html

from benchmarks.common.peer_options import FAST, load
from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet import __version__, extract
from scrapy_boilernet.extractor.labelers.registry import ModelError, load_labeler
from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    GoldPage,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.lab.evaluation.peers import PEERS

ENGINES = ("torch", "onnx", "numpy")
PEER_NAMES = (
    "trafilatura", FAST, *(name for name in PEERS if name not in ("trafilatura", "readability-js")),
)  # fmt: skip
"""All peers but Readability.js, which runs in Node."""
BASELINE = "lxml.html parse"
OURS = "scrapy-boilernet, "
"""The beginning of our subjects' names."""
_WITH, _AND = ", with ", " and "
"""What stands before and between the formats in their names."""


@dataclass(frozen=True)
class Subject:
    """Something that is timed on a page."""

    name: str
    version: str
    run: Callable[[GoldPage], str]
    """Takes a page and returns its main text, "" if it finds none. It gets the bytes and the URL,
    a peer also the language, but not the encoding that the set states."""


def draw_pages(
    report: Report, sets: Sequence[Path], wanted: Mapping[str, int], number: int, cache: Path
) -> dict[str, list[GoldPage]]:
    """Return pages per set, drawn with a fixed seed: ``wanted[set]`` of them, else ``number``.

    Pages that lxml cannot parse are left out, as there is no parse to compare with.
    """
    drawn = {}
    for path in sets:
        try:
            pages = [page for page in read_pages(open_dataset(path, cache)) if _parses(page)]
        except DatasetError as error:
            reason = str(error).replace(f"{path.resolve().parent}/", "")
            report.lacks(f"the set {path.name} ({reason.replace(str(path), path.name)})")
            continue
        name = pages[0].dataset if pages else path.name
        share = wanted.get(name, number)
        if len(pages) < share:
            report.lacks(f"{share - len(pages)} of the {share} pages asked of {name}")
        order = np.random.default_rng(0).permutation(len(pages))[:share]
        drawn[name] = [pages[i] for i in sorted(order)]
    if not any(drawn.values()):
        raise SystemExit("no pages: name at least one data set, a folder with html/<id>.html")
    return drawn


def page_counts(entries: Iterable[str], defaults: Mapping[str, int]) -> dict[str, int]:
    """Return the number of pages per set: the defaults, changed by ``--pages SET=N``."""
    counts = dict(defaults)
    for entry in entries:
        name, equals, number = entry.partition("=")
        if not equals or not number.isdigit():
            raise SystemExit(f"--pages {entry}: must be SET=NUMBER, such as wcxb-dev=300")
        counts[name] = int(number)
    return counts


def baseline() -> Subject:
    """Return lxml's own parse of the bytes, as :mod:`lxml.html` does it."""

    def run(page: GoldPage) -> str:
        return str(html.document_fromstring(page.html).tag)

    return Subject(BASELINE, etree.__version__, run)


def our_subjects(report: Report, engines: Sequence[str]) -> list[Subject]:
    """Return ``extract`` with text, labels and confidence, per usable engine."""
    return [Subject(OURS + each, __version__, _ours(each)) for each in usable(report, engines)]


def usable(report: Report, engines: Sequence[str]) -> list[str]:
    """Return the engines that can load the default model; it is loaded with each."""
    loaded = []
    for engine in engines:
        try:
            load_labeler("default", engine)
            loaded.append(engine)
        except ModelError as error:
            report.lacks(f"the engine {engine} ({error})")
    return loaded


def our_subject(name: str) -> Subject:
    """Return the one of our subjects with this name, with formats or without."""
    engine, _, formats = name.removeprefix(OURS).partition(_WITH)
    if formats:
        return our_formats(engine, formats.split(_AND))
    return Subject(name, __version__, _ours(engine))


def our_formats(engine: str, formats: Sequence[str]) -> Subject:
    """Return ``extract`` with these formats, by a usable engine."""
    name = f"{OURS}{engine}{_WITH}{_AND.join(formats)}"
    return Subject(name, __version__, _ours(engine, formats))


def _ours(engine: str, formats: Sequence[str] = ()) -> Callable[[GoldPage], str]:
    def run(page: GoldPage) -> str:
        result = extract(page.html, page.url, engine=engine, formats=formats)
        _ = result.labels, result.confidence
        return result.text

    return run


def peer_subjects(report: Report, names: Sequence[str]) -> list[Subject]:
    """Return the installed peers; each gets bytes and URL, and leaves comments out."""
    subjects = []
    for name in names:
        try:
            subjects.append(_peer(name))
        except ImportError:
            report.lacks(f"{name}, which is not installed: pip install '.[peers]'")
    return subjects


def _peer(name: str) -> Subject:
    extractor, version = load(name)
    return Subject(name, version, lambda page: extractor(page.html, page.url, page.language))


def crawl_options(description: str) -> argparse.Namespace:
    """Return the command line of a benchmark of crawls that are drawn from labeled pages; the
    first line of the description is shown.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", default="default", help="a shipped model or a model folder")
    parser.add_argument("--min-pages", type=int, default=5, help="per domain")
    parser.add_argument("--domains", type=int, default=1000, help="crawls per row")
    parser.add_argument("--pages", type=int, default=500, help="per crawl")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    return parser.parse_args()


def page_options(description: str) -> argparse.Namespace:
    """Return the options of a benchmark over pages of some sets: ``sets``, ``model``, ``cache``,
    ``pages`` of each set, and the outputs.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", default="default")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, default=100, help="of each set")
    add_outputs(parser, plot=False)
    return parser.parse_args()


def requested_pages(report: Report, options: argparse.Namespace) -> list[GoldPage]:
    """Return the pages that the options of :func:`page_options` ask for, and report how many."""
    drawn = draw_pages(report, options.sets, {}, options.pages, options.cache)
    pages = [page for of_set in drawn.values() for page in of_set]
    report.text(f"{len(pages)} pages: {', '.join(f'{n} {len(p)}' for n, p in drawn.items())}.")
    return pages


def _parses(page: GoldPage) -> bool:
    try:
        html.document_fromstring(page.html)
    except (etree.LxmlError, ValueError):
        return False
    return True
