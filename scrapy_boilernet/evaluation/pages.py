"""Which pages an evaluation measures on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

import numpy as np

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, open_dataset, read_pages
from scrapy_boilernet.evaluation.splits import assign


def evaluation_pages(
    paths: Sequence[Path],
    cache: Path,
    part: str,
    sample: int | None,
    only: Container[tuple[str, str]] | None = None,
) -> list[GoldPage]:
    """Return the pages to measure on: the test parts, or all pages with gold text or snippets.

    ``only``: instead of a part exactly these pages, (data set, id), as far as they are in the
    sets. ``sample``: at most so many per set, drawn with a fixed seed. Raises ``DatasetError`` if
    a set cannot be read or has no page to measure on.
    """
    chosen = []
    for path in paths:
        pages = list(read_pages(open_dataset(path, cache)))
        found = [page for page in _of_part(pages, part, only) if page.measurable]
        if not found:
            raise DatasetError(_none_left(path, pages, part, only is not None))
        chosen += found if sample is None else drawn(found, sample)
    return chosen


def drawn(pages: Sequence[GoldPage], most: int) -> list[GoldPage]:
    """Return at most ``most`` of the pages, in their order; the same ones each time."""
    if most >= len(pages):
        return [*pages]
    picks = np.random.default_rng(0).permutation(len(pages))[:most]
    return [pages[i] for i in sorted(picks)]


def _none_left(path: Path, pages: Sequence[GoldPage], part: str, chosen: bool) -> str:
    """Why there is nothing to measure on, and what to do if other pages could be measured on."""
    if chosen:
        return f"{path} has no page that the models' folds.json names with gold text or snippets"
    if part == "test" and any(page.measurable for page in pages):
        return f"{path} has no page in its test part; measure on all its pages with --part all"
    return f"{path} has no page with gold text or snippets; add gold/<id>.txt"


def _of_part(
    pages: list[GoldPage], part: str, only: Container[tuple[str, str]] | None
) -> list[GoldPage]:
    if only is not None:
        return [page for page in pages if (page.dataset, page.id) in only]
    if part == "all":
        return pages
    return [page for page, found in zip(pages, assign(pages), strict=True) if found == "test"]
