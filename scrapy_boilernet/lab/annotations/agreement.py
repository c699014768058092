"""How far people who annotated the same pages agree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import NamedTuple, TypeVar

from scrapy_boilernet.lab.annotations.placing import Placed
from scrapy_boilernet.lab.evaluation.align import common_runs

Label = TypeVar("Label", bound=Hashable)


class PairAgreement(NamedTuple):
    """How far two people agree on the pages that both annotated."""

    one: str
    other: str
    pages: int
    blocks: int
    """The number of blocks that both labeled."""
    content: float
    """Cohen's kappa of content against the rest, at most 1."""
    kinds: float
    """Cohen's kappa of the kinds, at most 1."""


def cohens_kappa(counts: Mapping[tuple[Label, Label], int]) -> float:
    """Return the agreement beyond chance, at most 1; 1 if all labels are equal.

    ``counts``: per pair of labels, by the first and by the second person, the number of things with
    these labels. Cohen, *A Coefficient of Agreement for Nominal Scales*, 1960.

    >>> cohens_kappa({(1, 1): 2, (0, 0): 1, (0, 1): 1})
    0.5
    """
    ones: Counter[Label] = Counter()
    others: Counter[Label] = Counter()
    for (one, other), times in counts.items():
        ones[one] += times
        others[other] += times
    count = ones.total()
    same = sum(times for (one, other), times in counts.items() if one == other) / count
    chance = sum(ones[label] * others[label] for label in ones) / count**2
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)


class Agreements:
    """The agreement of each two people, counted page by page."""

    def __init__(self) -> None:
        self._pages: Counter[tuple[str, str]] = Counter()
        self._kinds: defaultdict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)

    def add(self, placed: Iterable[Placed]) -> None:
        """Count a page; ``placed``: its annotations, of which the last one per person counts."""
        by_person = {page.sidecar.annotator: page for page in placed}
        for one, other in combinations(sorted(by_person), 2):
            self._pages[one, other] += 1
            self._kinds[one, other].update(_pairs(by_person[one], by_person[other]))

    def __iter__(self) -> Iterator[PairAgreement]:
        for (one, other), kinds in sorted(self._kinds.items()):
            if not kinds:
                continue
            content: Counter[tuple[bool, bool]] = Counter()
            for (first, second), times in kinds.items():
                content[first == "main", second == "main"] += times
            yield PairAgreement(
                one, other, self._pages[one, other], kinds.total(),
                cohens_kappa(content), cohens_kappa(kinds),
            )  # fmt: skip


def _pairs(one: Placed, other: Placed) -> Iterator[tuple[str, str]]:
    """Yield both kinds of each block that both labeled; the page may have changed in between."""
    one_kinds, other_kinds = _kinds(one), _kinds(other)
    for a, b, length in common_runs(one.page.texts, other.page.texts):
        for step in range(length):
            first, second = one_kinds[a + step], other_kinds[b + step]
            if first and second:
                yield first, second


def _kinds(page: Placed) -> list[str | None]:
    if page.sidecar.nothing:
        return ["boilerplate" if given else None for given in page.given]
    return [given.kind if given else None for given in page.given]
