"""The hashed featurizer: shapes, ranges, and the same arrays in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testing.models import PAGES

from scrapy_boilernet import Page
from scrapy_boilernet.extractor.features.hashed import (
    BAG_ROWS,
    NUMBERS,
    PAGE_ROWS,
    Features,
    featurize,
)
from scrapy_boilernet.extractor.features.numbers import BLOCK_NUMBERS, GROUPS, scale
from scrapy_boilernet.extractor.html.blockify import blockify

DIGEST_SCRIPT = """
import hashlib, sys
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.features.hashed import featurize
digest = hashlib.sha256()
for path in sys.argv[1:]:
    found = featurize(blockify(open(path, "rb").read(), "https://blog.shore.example/a/b.html"))
    digest.update(found.numbers.tobytes() + found.page.tobytes())
    for name in sorted(found.bags):
        digest.update(found.bags[name].ids.tobytes() + found.bags[name].offsets.tobytes())
print(digest.hexdigest())
"""


def check(found: Features, page: Page) -> None:
    """Assert what holds of the arrays of every page."""
    blocks = len(page.blocks)
    assert found.numbers.shape == (blocks, NUMBERS)
    assert found.numbers.dtype == np.float32
    assert np.isfinite(found.numbers).all()
    assert blocks == 0 or -1 <= found.numbers.min() <= found.numbers.max() <= 4
    below = np.flatnonzero((found.numbers < -1e-6).any(axis=0))
    assert set(below.tolist()) <= set(range(NUMBERS)[GROUPS["headings"]])
    for ids in (found.head, found.url, found.page):
        assert ids.dtype == np.int64
        assert ((ids >= 0) & (ids < PAGE_ROWS)).all()
    assert found.page.tolist() == [*found.head, *found.url]
    assert set(found.bags) == set(BAG_ROWS)
    for name, bag in found.bags.items():
        assert bag.ids.dtype == bag.offsets.dtype == np.int64
        assert bag.ids.ndim == bag.offsets.ndim == 1
        assert len(bag.offsets) == blocks + 1
        assert (bag.offsets[0], bag.offsets[-1]) == (0, len(bag.ids))
        assert (np.diff(bag.offsets) >= 0).all()
        assert ((bag.ids >= 0) & (bag.ids < BAG_ROWS[name])).all()


def column(html: str, group: str, name: str) -> list[float]:
    """One column of a group of numbers, per block."""
    place = [number.name for number in BLOCK_NUMBERS[group]].index(name)
    values = featurize(blockify(html)).numbers[:, GROUPS[group]][:, place]
    return [round(float(value), 4) for value in values]


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_arrays_of_real_pages_hold_what_is_promised(
    name: str, read_page: Callable[[str], bytes]
) -> None:
    page = blockify(read_page(name))
    check(featurize(page), page)


def test_a_page_without_blocks_has_arrays_without_rows() -> None:
    page = blockify("")
    check(featurize(page), page)


def test_a_page_of_5000_blocks_stays_in_range() -> None:
    page = blockify("".join(f"<p>Row {i}, and <a href=/>more</a>.</p>" for i in range(5000)))
    assert len(page.blocks) == 5000
    check(featurize(page), page)


@pytest.mark.parametrize("text", ["x" * 3_000_000, "word, " * 500_000, "潮" * 999_999, "!" * 9999])
def test_a_huge_block_stays_in_range(text: str) -> None:
    page = blockify(f"<p>{text}</p><p>next")
    check(featurize(page), page)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["<p>", "<div class='nav x'>", "<a href=/>", "<td>", "<br>", "</div>"]),
            st.text(max_size=20),
        ),
        max_size=20,
    )
)
@settings(max_examples=200, deadline=None)
def test_arrays_of_any_page_hold_what_is_promised(parts: list[tuple[str, str]]) -> None:
    page = blockify("".join(tag + text for tag, text in parts))
    check(featurize(page), page)


def test_groups_cover_every_number_once() -> None:
    columns = [i for group in GROUPS.values() for i in range(*group.indices(NUMBERS))]
    assert sorted(columns) == list(range(NUMBERS))


def test_every_number_has_a_name_of_its_own() -> None:
    names = [number.name for numbers in BLOCK_NUMBERS.values() for number in numbers]
    assert len(set(names)) == len(names) == NUMBERS


@pytest.mark.parametrize("group", BLOCK_NUMBERS)
def test_scales_can_be_undone(group: str) -> None:
    values = np.array([0.0, 0.25, 1.0, 3.0])
    scaled = scale(np.tile(values, (NUMBERS, 1)))[GROUPS[group]]
    extremes = scale(np.tile([1e9, 0.0], (NUMBERS, 1)) * [1, -1])[GROUPS[group]]
    for number, row, extreme in zip(BLOCK_NUMBERS[group], scaled, extremes, strict=True):
        wanted = np.minimum(values, number.most) if number.most else values
        assert number.natural(row) == pytest.approx(wanted)
        if number.most:
            assert extreme[0] == number.most / number.divisor


def test_the_same_page_gives_the_same_arrays_in_processes_of_other_hash_seeds() -> None:
    paths = [str(path) for path in sorted(PAGES.glob("*.html"))]
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST_SCRIPT, *paths],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(digests) == 1


def test_the_url_changes_its_own_words_only(read_page: Callable[[str], bytes]) -> None:
    html = read_page("article.html")
    one = featurize(blockify(html, url="https://a.example/"))
    other = featurize(blockify(html, url="https://b.example/news"))
    assert (one.numbers == other.numbers).all()
    assert all((one.bags[name].ids == other.bags[name].ids).all() for name in BAG_ROWS)
    assert one.head.tolist() == other.head.tolist() != []
    assert one.url.tolist() != other.url.tolist()
    assert len(featurize(blockify(html)).url) == 0


def test_the_site_does_not_change_the_words_of_a_url(read_page: Callable[[str], bytes]) -> None:
    html = read_page("article.html")
    one, other = (featurize(blockify(html, url=f"https://{s}.example/news/a-b")) for s in "ab")
    assert one.page.tolist() == other.page.tolist()


def test_pages_of_one_head_share_its_ids() -> None:
    head = '<meta property="og:type" content="article"><body class="single">'
    one, other = (featurize(blockify(f"{head}<p>{text}")) for text in ("Tide", "Pools warm"))
    assert one.head.tolist() == other.head.tolist()
    assert one.head.tolist() != featurize(blockify("<p>Tide")).head.tolist()


def test_link_share_is_the_share_of_characters_inside_links() -> None:
    page = "<p><a href=/>abcd</a></p><p>abcd</p><p><a href=/>ab</a>cd</p>"
    assert column(page, "text", "link density") == [1.0, 0.0, 0.5]


def test_hidden_repeated_and_noscript_blocks_are_flagged() -> None:
    page = "<p hidden>Menu</p><p>Menu</p><noscript>On</noscript>"
    assert column(page, "text", "text is repeated") == [1.0, 1.0, 0.0]
    assert column(page, "text", "hidden") == [1.0, 0.0, 0.0]
    assert column(page, "text", "in noscript") == [0.0, 0.0, 1.0]


def test_rank_runs_from_the_first_block_to_the_last() -> None:
    assert column("<p>a<p>b<p>c<p>d", "place", "place in the page") == [0.0, 0.25, 0.5, 0.75]


def test_bags_distinguish_tags_classes_and_words() -> None:
    bags = featurize(blockify("<p class=a1b>One</p><p class=bb>One</p><h1 class=bb>Two</h1>")).bags

    def ids(name: str, block: int) -> list[int]:
        begin, end = bags[name].offsets[block : block + 2]
        return list(bags[name].ids[begin:end])

    assert ids("words", 0) == ids("words", 1) != ids("words", 2)
    assert ids("tags", 0) == ids("tags", 1) != ids("tags", 2)
    assert ids("classes", 0) == []
    assert ids("classes", 1) == ids("classes", 2) != []


def test_ids_that_blocks_share_are_stored_once(
    read_page: Callable[[str], bytes],
) -> None:
    bags = featurize(blockify(read_page("forum.html"))).bags
    for name in ("tags", "classes"):
        bag = bags[name]
        assert bag.shared is not None
        once, places = bag.shared
        expanded = [once.ids[once.offsets[p] : once.offsets[p + 1]].tolist() for p in places]
        assert expanded == [part.tolist() for part in np.split(bag.ids, bag.offsets[1:-1])]
        assert len(once.offsets) < len(bag.offsets)
