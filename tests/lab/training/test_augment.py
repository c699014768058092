"""Other markup: the texts, their order and subtrees are the same; tags and classes change."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.features.hashed import featurize
from scrapy_boilernet.extractor.features.numbers import GROUPS, SAME_TAGS_NUMBERS
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Block, Head, Page
from scrapy_boilernet.lab.training.augment import restyled

KEPT = ("text", "xpath", "link_chars", "hidden", "noscript")
PAGE = blockify(article(3)[0], "https://shore.example/tide-pools")
SUBTREES = slice(0, -len(SAME_TAGS_NUMBERS))
"""The tree numbers of subtrees, without those of paths with the same tags."""

parts = st.lists(
    st.tuples(
        st.sampled_from(
            ["<p>", "<div class='nav x'>", "</div>", "<main>", "</main>", "<h2>", "<ul><li>",
             "<section id=a>", "</section>", "<table><td>", "</table>", "<article>", "<br>"]
        ),
        st.sampled_from(["Tide pools", "warm", "", "sea of stars"]),
    ),
    max_size=25,
).map(lambda found: blockify("".join(tag + text for tag, text in found)))  # fmt: skip


def styles(page: Page, number: int = 12) -> Iterator[Page]:
    return (restyled(page, np.random.default_rng(seed)) for seed in range(number))


def ancestors(block: Block) -> set[tuple[int, int]]:
    """Return pairs (node, the node above it)."""
    return set(zip(block.nodes[1:], block.nodes, strict=False))


def check(page: Page, other: Page) -> None:
    for before, after in zip(page.blocks, other.blocks, strict=True):
        assert all(getattr(before, name) == getattr(after, name) for name in KEPT)
        assert len(after.tags) == len(after.class_words) == len(after.nodes)
        assert after.nodes[-1] == before.nodes[-1]
        assert len(set(after.nodes)) == len(after.nodes)
        left = iter(after.nodes)
        assert all(node in left for node in before.nodes)
    parent: dict[int, int] = {}
    tag: dict[int, tuple[str, str]] = {}
    for block in other.blocks:
        for node, above in ancestors(block):
            assert parent.setdefault(node, above) == above
        for node, *named in zip(block.nodes, block.tags, block.class_words, strict=True):
            assert tag.setdefault(node, tuple(named)) == tuple(named)  # type: ignore[arg-type]
    assert (page.title, page.digest, page.units) == (other.title, other.digest, other.units)


@QUICK
@given(parts, st.integers(0, 999))
def test_any_page_keeps_its_blocks_in_a_valid_tree(page: Page, seed: int) -> None:
    check(page, restyled(page, np.random.default_rng(seed)))


@QUICK
@given(parts, st.integers(0, 999))
def test_wrappers_change_no_numbers_of_subtrees(page: Page, seed: int) -> None:
    other = restyled(page, np.random.default_rng(seed))
    before, after = (featurize(p).numbers[:, GROUPS["tree"]][:, SUBTREES] for p in (page, other))
    np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_real_pages_keep_their_blocks_too(name: str, read_page: Callable[[str], bytes]) -> None:
    page = blockify(read_page(name))
    for other in styles(page, 4):
        check(page, other)


def test_blocks_of_one_element_share_their_tuples() -> None:
    page = blockify("<main><div>one<br>two</div><p>three</main>")
    for other in styles(page):
        assert other.blocks[0].nodes is other.blocks[1].nodes
        assert other.blocks[0].nodes != other.blocks[2].nodes


def test_half_of_the_styles_are_old_without_metadata_and_url() -> None:
    page = blockify('<meta name="author" content="A"><main><p>Tide', "https://shore.example/")
    heads = [(other.head, other.url) for other in styles(page, 60)]
    old = heads.count((Head(), None))
    assert 15 < old < 45
    assert heads.count((page.head, page.url)) == 60 - old


def test_styles_differ_in_tags_classes_and_wrappers() -> None:
    found = list(styles(PAGE))
    assert len({tuple(block.tags for block in other.blocks) for other in found}) > 6
    assert {any(any(b.class_words) for b in other.blocks) for other in found} == {True, False}
    deeper = [any(len(b.tags) > len(a.tags) for a, b in zip(PAGE.blocks, other.blocks, strict=True))
              for other in found]  # fmt: skip
    assert any(deeper)
    assert not any(
        "main" in b.tags for o in found if o.head == Head() != PAGE.head for b in o.blocks
    )


def test_the_same_draw_gives_the_same_page() -> None:
    assert list(styles(PAGE, 3)) == list(styles(PAGE, 3))


def test_a_page_without_blocks_stays_empty() -> None:
    assert restyled(blockify(""), np.random.default_rng(0)).blocks == ()
