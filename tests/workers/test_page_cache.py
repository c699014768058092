"""The cached blockifier: bounded by blocks, keyed by all that a page depends on, thread-safe."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.options import FORMATS, Limits
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier


def body(name: str, blocks: int = 2) -> bytes:
    return "".join(f"<p>{name} {i}" for i in range(blocks)).encode()


def ask(
    cache: CachedBlockifier,
    html: bytes,
    url: str | None = None,
    encoding: str | None = None,
    units: Any = "block",
    page_blocks: int = 5000,
    charset: str | None = None,
    **limits: int,
) -> tuple[Page, bool]:
    job = PageJob(
        html, url, charset=charset, encoding=encoding,
        limits=Limits(max_blocks=page_blocks, **limits),
    )  # fmt: skip
    return cache(job, units)


def held(cache: CachedBlockifier, html: bytes) -> bool:
    """Whether the page is in the cache; asking makes it the most recently used."""
    return ask(cache, html)[1]


def test_the_second_time_a_page_comes_from_the_cache() -> None:
    cache = CachedBlockifier(100)
    first, second = ask(cache, body("a"), "https://x/"), ask(cache, body("a"), "https://x/")
    assert (first[1], second[1]) == (False, True)
    assert first[0] is second[0]
    assert first[0] == blockify(body("a"), url="https://x/")


def test_the_same_body_under_another_url_gets_that_url() -> None:
    cache = CachedBlockifier(100)
    first, _ = ask(cache, body("a"), "https://x/1")
    second, hit = ask(cache, body("a"), "https://x/2")
    assert hit
    assert (first.url, second.url) == ("https://x/1", "https://x/2")
    assert second.blocks is first.blocks
    assert len(cache) == 1


def test_the_same_body_on_another_top_level_domain_is_another_page() -> None:
    """The detector of encodings uses the domain as a hint."""
    cache = CachedBlockifier(100)
    ask(cache, body("a"), "https://x.jp/1")
    assert not ask(cache, body("a"), "https://x.ru/1")[1]
    assert ask(cache, body("a"), "https://y.jp/2")[1]


@pytest.mark.parametrize(
    "other",
    [
        {"encoding": "utf-8"}, {"charset": "koi8-r"}, {"units": "leaf"}, {"page_blocks": 1},
        {"max_bytes": 9},
    ],
)  # fmt: skip
def test_other_options_are_other_pages(other: dict[str, Any]) -> None:
    cache = CachedBlockifier(100)
    html = b"<p>caf\xe9 <b>A</b><p>B"
    plain, _ = ask(cache, html)
    changed, hit = ask(cache, html, **other)
    assert not hit
    assert changed != plain
    assert ask(cache, html, **other) == (changed, True)
    assert ask(cache, html) == (plain, True)


PARTS = {
    "images": '<img src="/{n}.png" alt="">', "images of a text": "w<img src=/{n}.png alt=a>",
    "links": "<a href=/{n}>w</a> ", "emphasis": "w <b>{n}</b> ", "code": "w <code>{n}</code>",
    "cells": "<table><tr><td>{n}<td colspan=2>w</table>", "items": "<ol><li>{n}<li>w</ol>",
    "meta elements": '<meta name="author{n}" content="w">', "times": "<time datetime={n}>w</time>",
    "JSON-LD": '<script type="application/ld+json">{{"@type": "Person", "a{n}": "w"}}</script>',
    "microdata": '<p itemscope itemtype="http://schema.org/Person"><b itemprop=name>{n}</b></p>',
    "lazy images": '<p><img data-src="/{n}.png" class=lazy>潮の満ち引き',
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_all_that_formats_need_weighs_what_it_takes(part: str) -> None:
    cache = CachedBlockifier(1_000_000)
    html = "".join(PARTS[part].format(n=n) for n in range(2000)).encode()
    tracemalloc.start()
    try:
        cache(PageJob(html, None, formats=FORMATS), "block")
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(cache) == 1
    assert taken < 2000 * cache.blocks + 300_000


def test_a_page_with_markup_is_another_in_the_cache() -> None:
    cache = CachedBlockifier(100)
    plain, _ = cache(PageJob(body("a"), None), "block")
    weight = cache.blocks
    marked, hit = cache(PageJob(body("a"), None, formats=("html",)), "block")
    assert not hit
    assert plain.markup is None
    assert marked.markup is not None
    assert cache.blocks >= 2 * weight
    assert cache(PageJob(body("a"), None, formats=("markdown",)), "block") == (marked, True)


def test_another_body_is_another_page() -> None:
    cache = CachedBlockifier(100)
    ask(cache, body("a"))
    assert not held(cache, body("b"))


def test_it_counts_the_blocks_it_holds() -> None:
    cache = CachedBlockifier(100)
    for number in (3, 5, 3):
        ask(cache, body("a", number))
    assert (len(cache), cache.blocks) == (2, 8)


def test_a_page_without_blocks_counts_as_one() -> None:
    cache = CachedBlockifier(2)
    for html in (b"", b" ", b"<p>"):
        ask(cache, html)
    assert (len(cache), cache.blocks) == (2, 2)


def test_it_never_holds_more_blocks_than_its_limit() -> None:
    cache = CachedBlockifier(20)
    for number in (*range(1, 25), *range(24, 0, -1)):
        ask(cache, body("a", number))
        assert cache.blocks <= 20
    assert len(cache) > 0


def test_the_least_recently_used_page_goes_first() -> None:
    cache = CachedBlockifier(6)
    for name in ("a", "b", "c"):
        ask(cache, body(name))
    assert held(cache, body("a"))
    ask(cache, body("d"))
    assert held(cache, body("a"))
    assert held(cache, body("c"))
    assert held(cache, body("d"))
    assert not held(cache, body("b"))


def test_a_page_that_can_never_fit_drops_no_other() -> None:
    cache = CachedBlockifier(6)
    ask(cache, body("a"))
    ask(cache, body("huge", 7))
    assert not held(cache, body("huge", 7))
    assert held(cache, body("a"))


def test_a_limit_of_zero_switches_it_off() -> None:
    cache = CachedBlockifier(0)
    for _ in range(2):
        page, hit = ask(cache, body("a"), "https://x/")
        assert (page, hit) == (blockify(body("a"), url="https://x/"), False)
    assert (len(cache), cache.blocks) == (0, 0)


def test_threads_get_their_own_pages_and_keep_the_count_right() -> None:
    cache = CachedBlockifier(30)
    threads = 6
    start = Barrier(threads, timeout=60)

    def work(thread: int) -> int:
        start.wait()
        hits = 0
        for step in range(300):
            name, url = f"page {(step * (thread + 1)) % 17}", f"https://x/{thread}/{step}"
            page, hit = ask(cache, body(name, 3), url)
            hits += hit
            assert page.url == url
            assert [block.text for block in page.blocks] == [f"{name} {i}" for i in range(3)]
        return hits

    with ThreadPoolExecutor(threads) as pool:
        hits = list(pool.map(work, range(threads)))
    assert sum(hits) > 0
    assert cache.blocks == 3 * len(cache) <= 30


def test_long_blocks_weigh_more_so_that_the_cache_is_bounded_in_memory() -> None:
    cache = CachedBlockifier(100)
    for number in range(30):
        ask(cache, f"<p>{number} {'tide ' * 4000}</p>".encode())
    assert cache.blocks <= 100
    assert len(cache) == 4
