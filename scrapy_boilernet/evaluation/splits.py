"""Which page trains, which chooses (validation) and which tests; the same on every machine."""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import numpy as np
import tldextract

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage, open_dataset, read_pages
from scrapy_boilernet.features.words import tokens

SHINGLE_TOKENS, SAMPLE_ONE_IN, MIN_SHARED = 6, 8, 0.5
"""Shingles of 6 tokens, a hashed eighth of them; half shared makes a near-duplicate."""

_DANIEL_HOST = re.compile(r"\A\d{8}_([^_]+)_")
_suffixes = tldextract.TLDExtract(suffix_list_urls=())  # the list that ships with it: no network


def domain(page: GoldPage) -> str:
    """Return the page's registered domain, or its data set and id where there is no URL."""
    return known_domain(page) or f"{page.dataset}/{page.id}"


def known_domain(page: GoldPage) -> str | None:
    """Return the page's registered domain; None where the set knows no host of it."""
    host = _host(page.url) if page.url else None
    if host is None and (match := _DANIEL_HOST.match(page.id)):  # the set keeps hosts in its ids
        host = match[1]
    if not host:
        return None
    found = _suffixes(host)
    return f"{found.domain}.{found.suffix}" if found.suffix else host


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def groups(pages: Sequence[GoldPage]) -> list[int]:
    """Return a group number per page; equal domains and near-duplicate golds share one."""
    parent = list(range(len(pages)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    by_domain: dict[str, int] = {}
    for i, page in enumerate(pages):
        parent[root(i)] = root(by_domain.setdefault(domain(page), i))
    for i, j in near_duplicates([page.gold or "" for page in pages]):
        parent[root(i)] = root(j)
    return [root(i) for i in range(len(pages))]


def near_duplicates(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of texts that share half of the shorter one's sampled shingles.

    Of many equal texts each is paired with the next only: the pairs are for joining groups.
    """
    holders: dict[int, list[int]] = defaultdict(list)
    last_with: dict[frozenset[int], int] = {}
    sizes = []
    equal = []
    for i, text in enumerate(texts):
        sample = _sampled_shingles(text)
        sizes.append(len(sample))
        if sample and sample in last_with:
            equal.append((last_with[sample], i))
        last_with[sample] = i
        for shingle in sample:
            holders[shingle].append(i)
    shared: dict[tuple[int, int], int] = defaultdict(int)
    for found in holders.values():
        if len(found) <= 20:  # shingles of a site's template tell nothing about two pages
            for a, i in enumerate(found):
                for j in found[a + 1 :]:
                    shared[i, j] += 1
    return equal + [
        (i, j)
        for (i, j), count in shared.items()
        if count >= 2 and count >= MIN_SHARED * min(sizes[i], sizes[j])
    ]


def held_out(group_name: str, one_in: int, salt: str = "") -> bool:
    """Whether a group goes to the held-out part: a fixed draw by the CRC-32 of its name.

    ``salt`` makes an independent draw.
    """
    return zlib.crc32((salt + group_name).encode()) % one_in == 0


def _sampled_shingles(text: str) -> frozenset[int]:
    words = tokens(text)
    runs = (" ".join(words[i : i + SHINGLE_TOKENS]) for i in range(len(words) - SHINGLE_TOKENS + 1))
    hashes = (zlib.crc32(run.encode("utf-8", "surrogatepass")) for run in runs)
    return frozenset(value for value in hashes if value % SAMPLE_ONE_IN == 0)


Part = Literal["train", "validation", "test", "excluded"]

HALVED_BY_LANGUAGE = frozenset({"daniel-waddle"})
"""Sets of which half of the groups of each language test."""
TRAINING_ONLY = frozenset({"canola", "fundus", "harvest-forums", "wcxb-dev"})
"""Sets of which no page is held out: too small to test on, or measured by cross-validation."""
TEST_ONLY = frozenset(
    {
        "cleaneval", "cleaneval-leaves", "cleanportaleval", "l3s-gn1", "mozilla-readability",
        "msvcode-big9-2005-2017", "msvcode-chaos-2017", "trafilatura-eval",
    }
)  # fmt: skip
"""Sets that never train, most by the licence of their gold: every page that has gold tests."""
TEST_ONE_IN, VALIDATE_ONE_IN = 5, 10
SPLIT_WITH_DEV = frozenset({"googletrends2017"})
"""Sets whose own split has a dev part that trains; that of any other set validates."""
BROKEN_PAGES = frozenset(f"wcxb_dev_{n}" for n in (4145, 4147, 4278, 4314, 4607, 4838))
"""Forum pages of WCXB whose file is the shell of another page."""
_ANY_TYPE = "any type"


def assign(pages: Sequence[GoldPage]) -> list[Part]:
    """Return the part of each page.

    A set's own split stands; its dev part validates. Without one, registered domains and
    near-duplicates go to one side together: a fifth of the groups tests (half per language where
    the set asks for it). By gold, a page that trains is never a near-duplicate of a test page of
    these sets, nor from a domain that tests in one of them that is split by domain or only tests.
    Sets that are not among ``pages`` and pages that train by votes are not looked at;
    :mod:`scrapy_boilernet.evaluation.provenance` counts what that leaves. Where a set has no
    dev part, a tenth of the training groups is for validation.
    """
    parts: list[Part] = ["excluded"] * len(pages)
    for dataset in dict.fromkeys(page.dataset for page in pages):
        mine = [i for i, page in enumerate(pages) if page.dataset == dataset]
        found = _assign_dataset([pages[i] for i in mine])
        for i, part in zip(mine, found, strict=True):
            parts[i] = part
    return without_leaks(pages, parts)


def without_leaks(pages: Sequence[GoldPage], parts: Sequence[Part]) -> list[Part]:
    """Return the parts with each learning page excluded that would give a test page away.

    Such is a near-duplicate of a test page of any set, and a page of a registered domain that
    tests in a set without a split of its own. For a fold of a cross-validation: call its pages
    test and all others train.
    """
    tested = {
        domain(page)
        for page, part in zip(pages, parts, strict=True)
        if part == "test" and not _has_own_split(page)
    }
    twins = _twins_of_test(pages, parts)
    return [
        "excluded"
        if part in ("train", "validation") and (i in twins or domain(page) in tested)
        else part
        for i, (page, part) in enumerate(zip(pages, parts, strict=True))
    ]


def _assign_dataset(pages: Sequence[GoldPage]) -> list[Part]:
    """The parts of one set's pages; they do not depend on which other sets are at hand."""
    numbers, names = _named_groups(pages)
    own_dev = _has_dev(pages)
    parts = [
        _first_part(page, names[number], own_dev)
        for page, number in zip(pages, numbers, strict=True)
    ]
    _halve_by_language(pages, numbers, names, parts)
    return parts


def _named_groups(pages: Sequence[GoldPage]) -> tuple[list[int], dict[int, str]]:
    """Group numbers, and per number a name that does not depend on the order of the pages."""
    numbers = groups(pages)
    names: dict[int, str] = {}
    for page, number in zip(pages, numbers, strict=True):
        names[number] = min(domain(page), names.get(number, domain(page)))
    return numbers, names


def _has_own_split(page: GoldPage) -> bool:
    if page.dataset in TEST_ONLY:
        return False
    return page.split in ("train", "test") or page.dataset in SPLIT_WITH_DEV


def _has_dev(pages: Sequence[GoldPage]) -> bool:
    """Whether the own split of one set names pages to validate on: dev, beside other pages.

    Where every page is dev, the word tells of the set, not of a part of it.
    """
    splits = {page.split for page in pages if page.dataset not in SPLIT_WITH_DEV}
    return "dev" in splits and len(splits) > 1


def _first_part(page: GoldPage, group: str, own_dev: bool) -> Part:
    if page.dataset in TEST_ONLY and page.measurable:
        return "test"
    if page.gold is None or page.id in BROKEN_PAGES:
        return "excluded"
    if own_dev and page.split == "dev":
        return "validation"
    if _has_own_split(page):
        if page.split == "test":
            return "test"
    elif page.dataset not in TRAINING_ONLY and held_out(group, TEST_ONE_IN):
        return "test"
    drawn = not own_dev and held_out(group, VALIDATE_ONE_IN, "validation:")
    return "validation" if drawn else "train"


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


def folds(pages: Sequence[GoldPage], k: int) -> list[int]:
    """Return the fold of each page for cross-validation, 0 to k - 1; -1 for pages left out.

    Left out are pages without gold and broken files. Registered domains and near-duplicates of a
    set are in one fold together; the folds have about equally many pages of each set and of each
    of its page types. Which other sets are at hand and the order of the pages change nothing.
    """
    found = [-1] * len(pages)
    for dataset in dict.fromkeys(page.dataset for page in pages):
        mine = [i for i, page in enumerate(pages) if page.dataset == dataset]
        chosen = _fold_dataset([pages[i] for i in mine], k)
        for i, fold in zip(mine, chosen, strict=True):
            found[i] = fold
    return found


def _fold_dataset(pages: Sequence[GoldPage], k: int) -> list[int]:
    """Large groups first, each to the fold that has the least of what the group brings."""
    numbers, names = _named_groups(pages)
    used = [page.gold is not None and page.id not in BROKEN_PAGES for page in pages]
    brings: dict[int, Counter[str | None]] = {number: Counter() for number in numbers}
    for page, number, use in zip(pages, numbers, used, strict=True):
        if use:
            brings[number].update((page.page_type, _ANY_TYPE))
    total = sum(brings.values(), Counter[str | None]())
    has: list[Counter[str | None]] = [Counter() for _ in range(k)]
    chosen = {}
    for number in sorted(
        brings, key=lambda n: (-brings[n].total(), zlib.crc32(names[n].encode()), names[n])
    ):
        shares = {kind: count / total[kind] for kind, count in brings[number].items()}
        costs = [sum(share * fold[kind] for kind, share in shares.items()) for fold in has]
        chosen[number] = min(range(k), key=costs.__getitem__)
        has[chosen[number]].update(brings[number])
    return [chosen[n] if use else -1 for n, use in zip(numbers, used, strict=True)]


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
