"""The origin of figures and pages, and how close test pages are to pages that trained.

The origin of figures is a command and the versions of packages. The origin of a page is its ``src``
in ``pages.jsonl``: ``owner/repository:path (licence)`` or a few words. Closeness is counted by the
domains and near-duplicates of :mod:`scrapy_boilernet.lab.evaluation.splits`; for a page without
gold text, the text of its blocks is compared.
"""

from __future__ import annotations

import platform
import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, GoldPage, open_dataset
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages, known_domain, near_duplicates

TRAINING_DISTRIBUTIONS = ("scrapy-boilernet", "lxml", "rapidfuzz")
"""Distributions that the pages, blocks and labels of a training depend on."""
_LICENCE = re.compile(r"\(([^()]+)\)\s*\Z")
_NO_PATHS = frozenset({"--without", "--without-licence"})
"""Options whose values may have a slash but are not paths."""


@dataclass(frozen=True)
class Compared:
    """The values of a page that are compared."""

    key: tuple[str, str]
    """Its data set and id."""
    domain: str | None
    """None if the set does not state the page's host."""
    text: str


def versions(*more: str) -> dict[str, str]:
    """Return versions by name: of Python, and of engines and ``more`` if they are installed."""
    version_of = {"python": platform.python_version()}
    for distribution in ("torch", "numpy", "onnxruntime", "lightgbm", "scipy", *more):
        try:
            version_of[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return version_of


def command_line(action: str) -> str:
    """Return the command line of this process, with paths cut to their last part."""
    arguments = sys.argv[sys.argv.index(action) + 1 :] if action in sys.argv else []
    return shlex.join(["scrapy", "boilernet", action, *shown_arguments(arguments)])


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with paths cut to their last part."""
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        option, equals, value = argument.rpartition("=")
        is_path = "/" in value and _NO_PATHS.isdisjoint((before, option))
        shown.append(f"{option}{equals}{Path(value).name}" if is_path else argument)
    return shown


def origin_counts(pages: Sequence[GoldPage]) -> dict[str, dict[str, object]]:
    """Return ``pages`` and ``licence`` per origin; {} for a set with one source.

    An origin is the part of ``src`` before the colon. If no page's ``src`` has a colon, the set has
    one source.
    """
    origins = [page.origin for page in pages if page.origin is not None]
    if not any(":" in origin for origin in origins):
        return {}
    counts: dict[str, dict[str, object]] = {}
    for name in sorted({_name(origin) for origin in origins}):
        same_name = [origin for origin in origins if _name(origin) == name]
        licences = sorted(filter(None, {stated_licence(origin) for origin in same_name}))
        counts[name] = {"pages": len(same_name), "licence": ", ".join(licences) or "not stated"}
    return counts


def parsed_without(options: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the beginnings of ``src`` to leave out per data set, from options ``SET:SRC``.

    Raises ``DatasetError`` for an option of another form.
    """
    starts_of: dict[str, tuple[str, ...]] = {}
    for option in options:
        dataset, _, start = option.partition(":")
        if not dataset or not start:
            raise DatasetError(
                f"--without {option}: write it as SET:SRC, the data set's name and how src in its "
                "pages.jsonl begins"
            )
        starts_of[dataset] = (*starts_of.get(dataset, ()), start)
    return starts_of


def need_sets(left_out: Mapping[str, object], names: Sequence[str]) -> None:
    """Raise ``DatasetError`` if ``left_out`` has a set that is not in ``names``."""
    for dataset in left_out.keys() - set(names):
        raise DatasetError(
            f"--without {dataset}:...: no set {dataset!r} among {', '.join(sorted(names))}"
        )


def without_origins(pages: Sequence[GoldPage], starts: Sequence[str]) -> list[GoldPage]:
    """Return the pages of one set whose ``src`` begins with none of ``starts``.

    Raises ``DatasetError`` for a start that matches no page.
    """
    for start in starts:
        if not any(_begins(page, (start,)) for page in pages):
            names = sorted({_name(page.origin) for page in pages if page.origin is not None})[:20]
            raise DatasetError(
                f"--without {pages[0].dataset}:{start}: no page has a src that begins like "
                f"this; they begin with {', '.join(names) or 'nothing: pages.jsonl has no src'}"
            )
    return [page for page in pages if not _begins(page, starts)]


def need_licences(licences: Sequence[str], pages: Iterable[GoldPage]) -> None:
    """Raise ``DatasetError`` if no page's ``src`` states one of the licences."""
    if not licences:
        return
    stated = {name for page in pages if (name := stated_licence(page.origin)) is not None}
    for licence in licences:
        if licence not in stated:
            raise DatasetError(
                f"--without-licence {licence}: no page has a src that ends in ({licence}); stated "
                f"are {', '.join(sorted(stated)) or 'none'}"
            )


def without_licences(pages: Iterable[GoldPage], licences: Sequence[str]) -> list[GoldPage]:
    """Return the pages whose ``src`` states none of the licences, or no licence at all."""
    return [page for page in pages if stated_licence(page.origin) not in licences]


def stated_licence(origin: str | None) -> str | None:
    """Return the licence in the last brackets of a page's ``src``; None if it states none."""
    match = _LICENCE.search(origin or "")
    return match[1] if match else None


def by_gold(page: GoldPage) -> Compared:
    """Return the page with its gold text; without gold, with the text of all its blocks."""
    return by_text(page) if page.gold is None else _compared(page, page.gold)


def by_text(page: GoldPage, blocks: Page | None = None) -> Compared:
    """Return the page with the text of all its blocks, as for a page that trains by votes.

    ``blocks``: the page's blocks, if they have been read already.
    """
    blocks = blocks or blockify(page.html, url=page.url, encoding=page.encoding)
    return _compared(page, "\n".join(block.text for block in blocks.blocks))


def overlap_with(
    paths: Iterable[str], cache: Path, tested: Mapping[str, list[Compared]]
) -> dict[str, list[Compared]]:
    """Return the test pages per data set: ``tested``, and the test parts of the sets in ``paths``.

    Raises ``DatasetError`` for a set that cannot be read or has no test part.
    """
    all_tested = dict(tested)
    for path in paths:
        folder = open_dataset(Path(path), cache)
        if folder.name not in all_tested:
            pages = evaluation_pages([folder], cache, "test", None).pages
            all_tested[folder.name] = [by_gold(page) for page in pages]
    return all_tested


def overlap_record(
    tests: Mapping[str, Sequence[Compared]], gold: Sequence[Compared], voted: Sequence[Compared]
) -> dict[str, Any]:
    """Return the numbers of test pages of each data set that are close to pages that trained.

    ``gold``: the pages that trained or validated by gold text; ``voted``: those by votes.
    """
    learned = {"gold": gold, "votes": voted}
    return {
        "pages": {label_kind: len(pages) for label_kind, pages in learned.items()},
        "without_domain": {
            label_kind: sum(page.domain is None for page in pages)
            for label_kind, pages in learned.items()
        },
        "sets": {
            name: {
                "test_pages": len(pages),
                "without_domain": sum(page.domain is None for page in pages),
                "on_domain": {
                    label_kind: _on_domain(pages, trained)
                    for label_kind, trained in learned.items()
                },
                "near_duplicates": {
                    label_kind: _count_duplicates(pages, trained)
                    for label_kind, trained in learned.items()
                },
            }
            for name, pages in tests.items()
        },
    }


def _name(origin: str) -> str:
    return origin.partition(":")[0].strip()


def _begins(page: GoldPage, starts: Sequence[str]) -> bool:
    return page.origin is not None and page.origin.startswith(tuple(starts))


def _compared(page: GoldPage, text: str) -> Compared:
    return Compared((page.dataset, page.id), known_domain(page), text)


def _on_domain(tests: Sequence[Compared], learned: Sequence[Compared]) -> int:
    domains = {page.domain for page in learned} - {None}
    return sum(page.domain in domains for page in tests)


def _count_duplicates(tests: Sequence[Compared], learned: Sequence[Compared]) -> int:
    """Return the number of test pages that trained, or are near-duplicates of one that trained."""
    # near_duplicates pairs equal texts with the next one only, so each text is given once per side.
    trained = list(dict.fromkeys(page.text for page in learned))
    tested = list(dict.fromkeys(page.text for page in tests))
    pairs = near_duplicates([*trained, *tested])
    first = len(trained)
    duplicates = {tested[j - first] for i, j in pairs if i < first <= j}
    keys = {page.key for page in learned}
    return sum(page.key in keys or page.text in duplicates for page in tests)
