"""Where figures and pages come from, and how close test pages are to pages that trained.

``src`` in ``pages.jsonl`` says it of a page: ``owner/repository:path (licence)``, or a few words.

What a domain and a near-duplicate is, :mod:`scrapy_boilernet.evaluation.splits` says, as for the
splits. Where a page has no gold text, what the blockifier reads of it stands in.
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

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, open_dataset
from scrapy_boilernet.evaluation.splits import evaluation_pages, known_domain, near_duplicates
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Page

TRAINING_DISTRIBUTIONS = ("scrapy-boilernet", "lxml", "rapidfuzz")
"""What else the pages, blocks and labels that a model learns from depend on."""


def versions(*others: str) -> dict[str, str]:
    """Return the versions that a figure depends on; of engines those that are installed.

    ``others``: more distributions.
    """
    found = {"python": platform.python_version()}
    for distribution in ("torch", "numpy", "onnxruntime", "lightgbm", "scipy", *others):
        try:
            found[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return found


def shown_arguments(arguments: Sequence[str]) -> list[str]:
    """Return a command's arguments with paths cut to their last part, for a document."""
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        option, equals, value = argument.rpartition("=")
        is_path = "/" in value and "--without" not in (before, option)
        shown.append(f"{option}{equals}{Path(value).name}" if is_path else argument)
    return shown


def command_line(action: str) -> str:
    """Return the command that runs now, as a document shows it."""
    arguments = sys.argv[sys.argv.index(action) + 1 :] if action in sys.argv else []
    return shlex.join(["scrapy", "boilernet", action, *shown_arguments(arguments)])


_LICENCE = re.compile(r"\(([^()]+)\)\s*\Z")


def origin_counts(pages: Sequence[GoldPage]) -> dict[str, dict[str, object]]:
    """Return pages and licence per origin; nothing for a set that is from one place.

    An origin is what ``src`` has before its colon. Where no page's ``src`` has one, it names files
    of the set's own source.
    """
    found = [page.origin for page in pages if page.origin is not None]
    if not any(":" in origin for origin in found):
        return {}
    counts: dict[str, dict[str, object]] = {}
    for name in sorted({_name(origin) for origin in found}):
        mine = [origin for origin in found if _name(origin) == name]
        licences = sorted({match[1] for origin in mine if (match := _LICENCE.search(origin))})
        counts[name] = {"pages": len(mine), "licence": ", ".join(licences) or "not stated"}
    return counts


def _name(origin: str) -> str:
    return origin.partition(":")[0].strip()


def parsed_without(options: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the beginnings of ``src`` to leave out, per data set, of options ``SET:SRC``.

    Raises ``DatasetError`` for one that is written otherwise.
    """
    found: dict[str, tuple[str, ...]] = {}
    for option in options:
        dataset, _, start = option.partition(":")
        if not dataset or not start:
            raise DatasetError(
                f"--without {option}: write it as SET:SRC, the data set's name and how src in its "
                "pages.jsonl begins"
            )
        found[dataset] = (*found.get(dataset, ()), start)
    return found


def need_sets(left_out: Mapping[str, object], names: Sequence[str]) -> None:
    """Raise ``DatasetError`` if pages of a set are to be left out that is not read."""
    for dataset in left_out.keys() - set(names):
        raise DatasetError(
            f"--without {dataset}:...: no set {dataset!r} among {', '.join(sorted(names))}"
        )


def without_origins(pages: Sequence[GoldPage], starts: Sequence[str]) -> list[GoldPage]:
    """Return the pages of one set whose ``src`` begins with none of ``starts``.

    Raises ``DatasetError`` for a start that no page has.
    """
    for start in starts:
        if not any(_begins(page, (start,)) for page in pages):
            known = sorted({_name(page.origin) for page in pages if page.origin is not None})[:20]
            raise DatasetError(
                f"--without {pages[0].dataset}:{start}: no page has a src that begins so; they "
                f"begin with {', '.join(known) or 'nothing: pages.jsonl has no src'}"
            )
    return [page for page in pages if not _begins(page, starts)]


def _begins(page: GoldPage, starts: Sequence[str]) -> bool:
    return page.origin is not None and page.origin.startswith(tuple(starts))


@dataclass(frozen=True)
class Compared:
    """What is compared of a page."""

    key: tuple[str, str]
    """Its data set and id."""
    domain: str | None
    """None where the set knows no host of it."""
    text: str


def by_gold(page: GoldPage) -> Compared:
    """Return the page with its gold text, or with all of its text if it has none."""
    return by_text(page) if page.gold is None else _compared(page, page.gold)


def by_text(page: GoldPage, shown: Page | None = None) -> Compared:
    """Return the page with the text of all its blocks: it is learned from by votes.

    ``shown``: the page as the blockifier has read it, if that has been done.
    """
    shown = shown or blockify(page.html, url=page.url, encoding=page.encoding)
    return _compared(page, "\n".join(block.text for block in shown.blocks))


def _compared(page: GoldPage, text: str) -> Compared:
    return Compared((page.dataset, page.id), known_domain(page), text)


def overlap_with(
    paths: Iterable[str], cache: Path, known: Mapping[str, list[Compared]]
) -> dict[str, list[Compared]]:
    """Return ``known``, per data set the pages that test, with the test parts of other sets.

    Raises ``DatasetError`` for a set that cannot be read or has no test part.
    """
    found = dict(known)
    for path in paths:
        folder = open_dataset(Path(path), cache)
        if folder.name not in found:
            pages = evaluation_pages([folder], cache, "test", None)
            found[folder.name] = [by_gold(page) for page in pages]
    return found


def overlap_record(
    tests: Mapping[str, Sequence[Compared]], gold: Sequence[Compared], voted: Sequence[Compared]
) -> dict[str, Any]:
    """Return per data set how many of its test pages are close to pages that were learned from.

    ``gold``: the pages that trained or validated by gold text; ``voted``: those by votes.
    """
    learned = {"gold": gold, "votes": voted}
    return {
        "pages": {way: len(pages) for way, pages in learned.items()},
        "without_domain": {
            way: sum(page.domain is None for page in pages) for way, pages in learned.items()
        },
        "sets": {
            name: {
                "test_pages": len(pages),
                "without_domain": sum(page.domain is None for page in pages),
                "on_domain": {way: _on_domain(pages, found) for way, found in learned.items()},
                "near_duplicates": {way: _twins(pages, found) for way, found in learned.items()},
            }
            for name, pages in tests.items()
        },
    }


def _on_domain(tests: Sequence[Compared], learned: Sequence[Compared]) -> int:
    domains = {page.domain for page in learned} - {None}
    return sum(page.domain in domains for page in tests)


def _twins(tests: Sequence[Compared], learned: Sequence[Compared]) -> int:
    """Test pages that are near-duplicates of a page that was learned from, or that page itself."""
    # Of many equal texts each is paired with the next only, so each comes once on either side.
    taught = list(dict.fromkeys(page.text for page in learned))
    tested = list(dict.fromkeys(page.text for page in tests))
    pairs = near_duplicates([*taught, *tested])
    first = len(taught)
    twins = {tested[j - first] for i, j in pairs if i < first <= j}
    keys = {page.key for page in learned}
    return sum(page.key in keys or page.text in twins for page in tests)
