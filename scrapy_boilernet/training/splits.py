"""Which page trains, which chooses (validation) and which tests; the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from scrapy_boilernet.training.datasets import GoldPage
from scrapy_boilernet.training.groups import domain, groups, held_out, near_duplicates

Part = Literal["train", "validation", "test", "excluded"]

HALVED_BY_LANGUAGE = frozenset({"daniel-waddle"})
"""Sets of which half of the groups of each language test."""
TRAINING_ONLY = frozenset({"canola", "fundus", "harvest-forums"})
"""Sets too small to test on."""
TEST_ONE_IN, VALIDATE_ONE_IN = 5, 10
SPLIT_WITH_DEV = frozenset({"googletrends2017", "cleaneval-leaves"})
"""Sets whose own split has a dev part, which trains."""
BROKEN_PAGES = frozenset(f"wcxb_dev_{n}" for n in (4145, 4147, 4278, 4314, 4607, 4838))
"""Forum pages of WCXB whose file is the shell of another page."""


def assign(pages: Sequence[GoldPage]) -> list[Part]:
    """Return the part of each page.

    A set's own split stands. Without one, registered domains and near-duplicates go to one side
    together: a fifth of the groups tests (half per language where the set asks for it). A page
    that trains is never a near-duplicate of a test page of any set, nor from a domain that tests
    in a set that is split by domain. A tenth of the training groups is for validation.
    """
    parts: list[Part] = ["excluded"] * len(pages)
    for dataset in dict.fromkeys(page.dataset for page in pages):
        mine = [i for i, page in enumerate(pages) if page.dataset == dataset]
        found = _assign_dataset([pages[i] for i in mine])
        for i, part in zip(mine, found, strict=True):
            parts[i] = part
    tested = {
        domain(page)
        for page, part in zip(pages, parts, strict=True)
        if part == "test" and not _has_own_split(page)
    }
    twins = _twins_of_test(pages, parts)
    for i, page in enumerate(pages):
        if parts[i] in ("train", "validation") and (i in twins or domain(page) in tested):
            parts[i] = "excluded"
    return parts


def _assign_dataset(pages: Sequence[GoldPage]) -> list[Part]:
    """The parts of one set's pages; they do not depend on which other sets are at hand."""
    numbers = groups(pages)
    names: dict[int, str] = {}
    for page, number in zip(pages, numbers, strict=True):
        names[number] = min(domain(page), names.get(number, domain(page)))
    parts = [_first_part(page, names[number]) for page, number in zip(pages, numbers, strict=True)]
    _halve_by_language(pages, numbers, names, parts)
    return parts


def _has_own_split(page: GoldPage) -> bool:
    return page.split in ("train", "test") or page.dataset in SPLIT_WITH_DEV


def _first_part(page: GoldPage, group: str) -> Part:
    if page.gold is None or page.id in BROKEN_PAGES:
        return "excluded"
    if _has_own_split(page):
        if page.split == "test":
            return "test"
    elif page.dataset not in TRAINING_ONLY and held_out(group, TEST_ONE_IN):
        return "test"
    return "validation" if held_out(group, VALIDATE_ONE_IN, "validation:") else "train"


def _halve_by_language(
    pages: Sequence[GoldPage], numbers: Sequence[int], names: dict[int, str], parts: list[Part]
) -> None:
    """Test on every second group of each language, in the order of their names."""
    languages: dict[tuple[str, str | None], set[int]] = {}
    for page, number in zip(pages, numbers, strict=True):
        if page.dataset in HALVED_BY_LANGUAGE:
            languages.setdefault((page.dataset, page.language), set()).add(number)
    testing: set[int] = set()
    for found in languages.values():
        testing.update(sorted(found, key=lambda number: names[number])[::2])
    for i, page in enumerate(pages):
        if page.dataset in HALVED_BY_LANGUAGE and parts[i] != "excluded":
            if numbers[i] in testing:
                parts[i] = "test"
            elif parts[i] == "test":
                parts[i] = "train"


def _twins_of_test(pages: Sequence[GoldPage], parts: Sequence[Part]) -> set[int]:
    """Pages outside the test parts whose gold is a near-duplicate of a test page's."""
    twins = set()
    for i, j in near_duplicates([page.gold or "" for page in pages]):
        if (parts[i] == "test") != (parts[j] == "test"):
            twins.add(j if parts[i] == "test" else i)
    return twins
