"""Which pages must stay on one side of a split: same registered domain, or near-duplicates."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit

import tldextract

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.tokens import tokens

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
