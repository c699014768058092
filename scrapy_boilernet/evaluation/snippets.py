"""Snippets that a page's main text must and must not hold, and how many it does.

Two benchmarks have them: WCXB counts shares per page, trafilatura's own pools over pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Snippets:
    """What must be in the main text and what must not be there."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def read_snippets(folder: Path, page_id: str, row: Mapping[str, Any]) -> Snippets | None:
    """Return a page's snippets, or None if the set has none for it.

    They are in the page's row, ``"snippets": {"with": [...], "without": [...]}``, or, as in WCXB,
    in ``extra/ground-truth/dev/<number>.json``, where the number ends the page's id.
    """
    found = row.get("snippets")
    if found is None:
        file = folder / "extra" / "ground-truth" / "dev" / f"{page_id.rpartition('_')[2]}.json"
        if not file.is_file():
            return None
        found = json.loads(file.read_text(encoding="utf-8"))["ground_truth"]
    snippets = Snippets(tuple(found.get("with") or ()), tuple(found.get("without") or ()))
    return snippets if snippets.wanted or snippets.unwanted else None


def snippet_rates(text: str, snippets: Snippets) -> dict[str, float]:
    """Return WCXB's ``with_rate`` and ``without_rate`` of a page, each in [0, 1].

    The share of the snippets of a kind that are substrings of ``text``, both in lower case; more
    is better for the first, less for the second. A kind that the page has none of is left out.
    """
    text = text.lower()
    kinds = {"with_rate": snippets.wanted, "without_rate": snippets.unwanted}
    return {
        name: sum(snippet.lower() in text for snippet in kind) / len(kind)
        for name, kind in kinds.items()
        if kind
    }


def snippet_counts(text: str, snippets: Snippets) -> tuple[int, int, int, int]:
    """Return trafilatura's (hits, extra, missed, right) counts of a page, to be pooled.

    A wanted snippet in the text is a hit, else missed; an unwanted one is extra, else right. A
    snippet is in the text if it is a substring after white space is collapsed in both; letter
    case counts. As in ``tests/eval_common.py`` of trafilatura 2.3.
    """
    flat = _flat(text)
    hits = _found(snippets.wanted, flat)
    extra = _found(snippets.unwanted, flat)
    return hits, extra, len(snippets.wanted) - hits, len(snippets.unwanted) - extra


def _found(snippets: Sequence[str], flat: str) -> int:
    return sum(_flat(snippet) in flat for snippet in snippets)


def _flat(text: str) -> str:
    return " ".join(text.split())
