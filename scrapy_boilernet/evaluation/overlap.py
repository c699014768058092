"""How close a model's test pages are to the pages that it learned from: domains, near-duplicates.

What a domain and a near-duplicate is, :mod:`scrapy_boilernet.evaluation.groups` says, as for the
splits. Where a page has no gold text, what the blockifier reads of it stands in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.evaluation.datasets import GoldPage, open_dataset
from scrapy_boilernet.evaluation.groups import known_domain, near_duplicates
from scrapy_boilernet.evaluation.pages import evaluation_pages
from scrapy_boilernet.page import Page


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
