"""Decides which pages train, validate and test, in the same way on every machine.

Pages of one registered domain and near-duplicates form a group, which goes to one part as a whole.
"""

from __future__ import annotations

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import numpy as np
import tldextract

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    GoldPage,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.lab.evaluation.same_pages import has_page, keys_of

Part = Literal["train", "validation", "test", "excluded"]
SHINGLE_TOKENS, SAMPLE_ONE_IN, MIN_SHARED = 6, 8, 0.5
"""An eighth of the shingles of 6 tokens is sampled by hash; near-duplicates share half of these."""
HALVED_BY_LANGUAGE = frozenset({"daniel-waddle"})
"""Sets in which half of each language's groups test."""
TRAINING_ONLY = frozenset(
    {
        "by-hand", "canola", "docs", "fundus", "harvest-forums", "mercury", "site-rules",
        "wcxb-dev",
    }
)  # fmt: skip
"""Sets without test pages: too small to test on, or measured by cross-validation."""
TEST_ONLY = frozenset(
    {
        "cleaneval", "cleaneval-leaves", "cleanportaleval", "l3s-gn1", "mozilla-readability",
        "msvcode-big9-2005-2017", "msvcode-chaos-2017", "trafilatura-eval",
    }
)  # fmt: skip
"""Sets that never train, most because of their gold's licence: every page with gold tests."""
TEST_ONE_IN, VALIDATE_ONE_IN = 5, 10
SPLIT_WITH_DEV = frozenset({"googletrends2017"})
"""Sets whose own dev part trains; the dev part of any other set validates."""
BROKEN_PAGES = frozenset(f"wcxb_dev_{n}" for n in (4145, 4147, 4278, 4314, 4607, 4838))
"""Forum pages of WCXB whose file has the markup of another page."""
_ANY_TYPE = "any type"
_DANIEL_HOST = re.compile(r"\A\d{8}_([^_]+)_")
_suffixes = tldextract.TLDExtract(suffix_list_urls=())  # the package's list: no network


@dataclass(frozen=True)
class LeftOut:
    """The number of pages that were not measured on, since they are also in other sets."""

    sets: tuple[str, ...]
    """Names of the other sets."""
    counts: dict[str, tuple[int, int]]
    """Per measured set (pages left out, pages with gold text or snippets before that)."""


@dataclass(frozen=True)
class MeasuredPages:
    """The pages to measure on."""

    pages: list[GoldPage]
    left_out: LeftOut | None
    """None if no other set was named."""


def assign(pages: Sequence[GoldPage], validates: bool = True) -> list[Part]:
    """Return the part of each page.

    A set's own split is used; its dev part validates. In a set without one, groups of registered
    domains and near-duplicates are split: a fifth of them tests, or half per language for the sets
    in :data:`HALVED_BY_LANGUAGE`. In a set without a dev part, a tenth of the training groups
    validates; without ``validates``, all of these pages train. A page that trains by gold is not a
    near-duplicate of a test page in ``pages``, and not of a domain that tests in a set without its
    own split. Other sets, and pages that train by votes, are not checked;
    :mod:`scrapy_boilernet.lab.evaluation.provenance` counts these overlaps.
    """
    parts: list[Part] = ["excluded"] * len(pages)
    for dataset in dict.fromkeys(page.dataset for page in pages):
        numbers = [i for i, page in enumerate(pages) if page.dataset == dataset]
        dataset_parts = _assign_dataset([pages[i] for i in numbers])
        for i, part in zip(numbers, dataset_parts, strict=True):
            parts[i] = part
    if not validates:
        parts = ["train" if part == "validation" else part for part in parts]
    return without_leaks(pages, parts)


def without_leaks(pages: Sequence[GoldPage], parts: Sequence[Part]) -> list[Part]:
    """Return the parts with the training and validation pages excluded that leak to a test page.

    These are near-duplicates of a test page of any set, and pages of a registered domain that tests
    in a set without its own split. For a fold of a cross-validation, its pages are "test" and all
    others "train".
    """
    tested = {
        domain(page)
        for page, part in zip(pages, parts, strict=True)
        if part == "test" and not _has_own_split(page)
    }
    duplicates = _duplicates_of_test(pages, parts)
    return [
        "excluded"
        if part in ("train", "validation") and (i in duplicates or domain(page) in tested)
        else part
        for i, (page, part) in enumerate(zip(pages, parts, strict=True))
    ]


def folds(pages: Sequence[GoldPage], k: int) -> list[int]:
    """Return the fold of each page for cross-validation, 0 to k - 1; -1 for pages left out.

    Pages without gold and broken files are left out. A group of registered domains and
    near-duplicates is in one fold; the folds have about equally many pages of each set and of each
    of its page types. Other sets and the order of the pages change nothing.
    """
    fold_of_page = [-1] * len(pages)
    for dataset in dict.fromkeys(page.dataset for page in pages):
        numbers = [i for i, page in enumerate(pages) if page.dataset == dataset]
        dataset_folds = _fold_dataset([pages[i] for i in numbers], k)
        for i, fold in zip(numbers, dataset_folds, strict=True):
            fold_of_page[i] = fold
    return fold_of_page


def evaluation_pages(
    paths: Sequence[Path],
    cache: Path,
    part: str,
    sample: int | None,
    only: Container[tuple[str, str]] | None = None,
    except_of: Sequence[Path] = (),
) -> MeasuredPages:
    """Return the pages with gold text or snippets, of the test parts or of all parts.

    ``part``: ``"test"`` or ``"all"``. ``only``: (data set, id) of pages to use instead of a part.
    ``except_of``: sets whose pages are left out, as :func:`has_page` finds them. ``sample``: the
    most pages per set, drawn from the rest with a fixed seed. Raises ``DatasetError`` if a set
    cannot be read or has no page to measure on.
    """
    excepted = [open_dataset(path, cache) for path in except_of]
    names = tuple(folder.name for folder in excepted)
    keys = keys_of(page for folder in excepted for page in read_pages(folder))
    counts: dict[str, tuple[int, int]] = {}
    chosen = []
    for path in paths:
        folder = open_dataset(path, cache)
        pages = list(read_pages(folder))
        measurable = [page for page in _of_part(pages, part, only) if page.measurable]
        if not measurable:
            raise DatasetError(_none_left(path, pages, part, only is not None))
        kept = [page for page in measurable if not has_page(keys, page)]
        if not kept:
            raise DatasetError(
                f"{path} has no page to measure on that is not in {' or '.join(names)}, too; leave "
                "out that --except-pages-of, or this set"
            )
        counts[folder.name] = len(measurable) - len(kept), len(measurable)
        chosen += kept if sample is None else drawn(kept, sample)
    return MeasuredPages(chosen, LeftOut(names, counts) if names else None)


def drawn(pages: Sequence[GoldPage], most: int) -> list[GoldPage]:
    """Return at most ``most`` of the pages, in their order, drawn with a fixed seed."""
    if most >= len(pages):
        return [*pages]
    picks = np.random.default_rng(0).permutation(len(pages))[:most]
    return [pages[i] for i in sorted(picks)]


def groups(pages: Sequence[GoldPage], domains: bool = True) -> list[int]:
    """Return a group number per page.

    Pages with near-duplicate golds are in one group, and pages of one domain, unless ``domains`` is
    False.
    """
    parent = list(range(len(pages)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    by_domain: dict[str, int] = {}
    for i, page in enumerate(pages if domains else ()):
        parent[root(i)] = root(by_domain.setdefault(domain(page), i))
    for i, j in near_duplicates([page.gold or "" for page in pages]):
        parent[root(i)] = root(j)
    return [root(i) for i in range(len(pages))]


def near_duplicates(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of texts that share half of the shorter one's sampled shingles.

    Equal texts are paired with the next one only, which is enough to join groups.
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
    for text_numbers in holders.values():
        if len(text_numbers) <= 20:  # more texts share only a site's template
            for a, i in enumerate(text_numbers):
                for j in text_numbers[a + 1 :]:
                    shared[i, j] += 1
    return equal + [
        (i, j)
        for (i, j), count in shared.items()
        if count >= 2 and count >= MIN_SHARED * min(sizes[i], sizes[j])
    ]


def held_out(group_name: str, one_in: int, salt: str = "") -> bool:
    """Return whether a group is held out: one in ``one_in`` groups is, by its name's CRC-32.

    Another ``salt`` draws other groups.
    """
    return zlib.crc32((salt + group_name).encode()) % one_in == 0


def domain(page: GoldPage) -> str:
    """Return the page's registered domain, or its data set and id where there is no URL."""
    return known_domain(page) or f"{page.dataset}/{page.id}"


def known_domain(page: GoldPage) -> str | None:
    """Return the page's registered domain; None if the set does not state its host."""
    host = _host(page.url) if page.url else None
    if host is None and (match := _DANIEL_HOST.match(page.id)):  # daniel-waddle: hosts in ids
        host = match[1]
    if not host:
        return None
    extracted = _suffixes(host)
    return f"{extracted.domain}.{extracted.suffix}" if extracted.suffix else host


def _assign_dataset(pages: Sequence[GoldPage]) -> list[Part]:
    """Return the parts of one set's pages; other sets do not change them."""
    numbers, names = _named_groups(pages)
    own_dev = _has_dev(pages)
    parts = [
        _first_part(page, names[number], own_dev)
        for page, number in zip(pages, numbers, strict=True)
    ]
    _halve_by_language(pages, numbers, names, parts)
    return parts


def _named_groups(pages: Sequence[GoldPage]) -> tuple[list[int], dict[int, str]]:
    """Return group numbers, and per number a name that does not depend on the pages' order."""
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
    """Return whether the set's own split has a dev part beside other parts."""
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
    validates = not own_dev and held_out(group, VALIDATE_ONE_IN, "validation:")
    return "validation" if validates else "train"


def _halve_by_language(
    pages: Sequence[GoldPage], numbers: Sequence[int], names: dict[int, str], parts: list[Part]
) -> None:
    """Assign every second group of each language to the test part, in the order of names."""
    languages: dict[tuple[str, str | None], set[int]] = {}
    for page, number in zip(pages, numbers, strict=True):
        if page.dataset in HALVED_BY_LANGUAGE:
            languages.setdefault((page.dataset, page.language), set()).add(number)
    testing: set[int] = set()
    for group_numbers in languages.values():
        testing.update(sorted(group_numbers, key=lambda number: names[number])[::2])
    for i, page in enumerate(pages):
        if page.dataset in HALVED_BY_LANGUAGE and parts[i] != "excluded":
            if numbers[i] in testing:
                parts[i] = "test"
            elif parts[i] == "test":
                parts[i] = "train"


def _duplicates_of_test(pages: Sequence[GoldPage], parts: Sequence[Part]) -> set[int]:
    """Return the pages outside the test parts whose gold is a near-duplicate of a test page's."""
    duplicates = set()
    for i, j in near_duplicates([page.gold or "" for page in pages]):
        if (parts[i] == "test") != (parts[j] == "test"):
            duplicates.add(j if parts[i] == "test" else i)
    return duplicates


def _fold_dataset(pages: Sequence[GoldPage], k: int) -> list[int]:
    """Return the fold of each page; each group, the largest first, goes to the fold that has the
    fewest pages of the group's page types.
    """
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


def _of_part(
    pages: list[GoldPage], part: str, only: Container[tuple[str, str]] | None
) -> list[GoldPage]:
    if only is not None:
        return [page for page in pages if (page.dataset, page.id) in only]
    if part == "all":
        return pages
    return [
        page for page, page_part in zip(pages, assign(pages), strict=True) if page_part == "test"
    ]


def _none_left(path: Path, pages: Sequence[GoldPage], part: str, chosen: bool) -> str:
    """Return why no page can be measured on, and the remedy if other pages could be."""
    if chosen:
        return f"{path} has no page that the models' folds.json names with gold text or snippets"
    if part == "test" and any(page.measurable for page in pages):
        return f"{path} has no page in its test part; measure on all its pages with --part all"
    return f"{path} has no page with gold text or snippets; add gold/<id>.txt"


def _sampled_shingles(text: str) -> frozenset[int]:
    words = tokens(text)
    runs = (" ".join(words[i : i + SHINGLE_TOKENS]) for i in range(len(words) - SHINGLE_TOKENS + 1))
    hashes = (zlib.crc32(run.encode("utf-8", "surrogatepass")) for run in runs)
    return frozenset(value for value in hashes if value % SAMPLE_ONE_IN == 0)


def _host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
