"""How far people who annotated the same pages agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scrapy_boilernet.annotations.placing import Placed
from scrapy_boilernet.evaluation.align import common_runs


class PairAgreement(NamedTuple):
    """How far two people agree on the pages that both annotated."""

    one: str
    other: str
    pages: int
    blocks: int
    """That both have a label for."""
    content: float
    """Cohen's kappa of content or not, at most 1."""
    kinds: float
    """Cohen's kappa of the kinds, at most 1."""


def cohens_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Return the agreement beyond chance, at most 1; 1 if all labels are the same one.

    Cohen, *A Coefficient of Agreement for Nominal Scales*, 1960.

    >>> cohens_kappa([(1, 1), (1, 1), (0, 0), (0, 1)])
    0.5
    """
    count = len(pairs)
    same = sum(one == other for one, other in pairs) / count
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(ones[label] * others[label] for label in ones) / count**2
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)


def agreements(placed: Iterable[Placed]) -> Iterator[PairAgreement]:
    """Yield how far each two people agree who annotated the same page, by URL."""
    by_url: dict[str, dict[str, Placed]] = {}
    for page in placed:
        by_url.setdefault(page.sidecar.url, {})[page.sidecar.annotator] = page
    people = sorted({name for pages in by_url.values() for name in pages})
    for one, other in combinations(people, 2):
        both = [(own[one], own[other]) for own in by_url.values() if one in own and other in own]
        pairs = [pair for pages in both for pair in _pairs(*pages)]
        if pairs:
            content = [tuple(kind == "main" for kind in pair) for pair in pairs]
            yield PairAgreement(
                one, other, len(both), len(pairs),
                cohens_kappa([(a, b) for a, b in content]), cohens_kappa(pairs),
            )  # fmt: skip


def _pairs(one: Placed, other: Placed) -> Iterator[tuple[str, str]]:
    """The two kinds of each block that both pages have; they may have been read at other times."""
    kinds = [_kinds(page) for page in (one, other)]
    for a, b, length in common_runs(one.page.texts, other.page.texts):
        for step in range(length):
            mine, yours = kinds[0][a + step], kinds[1][b + step]
            if mine and yours:
                yield mine, yours


def _kinds(page: Placed) -> list[str | None]:
    if page.sidecar.nothing:
        return ["boilerplate" if own else None for own in page.given]
    return [own.kind if own else None for own in page.given]
