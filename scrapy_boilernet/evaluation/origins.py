"""Where the pages of a collected set are from: counted for a card, and left out where asked.

``src`` in ``pages.jsonl`` says it of a page: ``owner/repository:path (licence)``, or a few words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage

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
