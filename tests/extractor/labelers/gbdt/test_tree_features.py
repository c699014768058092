"""The features of a block tree: names, groups, values that are easy to check, any page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, article, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.gbdt.tree_features import (
    GROUPS,
    feature_names,
    tree_features,
)
from scrapy_boilernet.extractor.labelers.gbdt.tree_leaves import (
    CLASS_KINDS,
    TAG_KINDS,
    class_bits,
    tag_bits,
)

PAGE = """
<body><nav class="main-menu"><ul><li><a href=/a>Home</a><li><a href=/b>All news</a></ul></nav>
<div id=content><h1>Sea stars</h1>
<p>Sea stars leave the warm pools, and with them the crabs and the snails that they fed on.
<p>The water is 3 degrees warmer than it was; nobody who was asked knows for how long.
<div class="entry-meta"><span>By A. Writer</span></div></div>
<div class="comments"><p>I saw it, too, at the old pier behind the harbour last summer.</div>
"""


def of_leaf(text: str, html: str = PAGE) -> dict[str, float]:
    """Return the features of the leaf that begins with ``text``."""
    page = blockify(html)
    found = tree_features(page)
    block = next(i for i, block in enumerate(page.blocks) if block.text.startswith(text))
    return dict(zip(found.names, found.values[found.leaf_of[block]].tolist(), strict=True))


def test_names_are_unique_and_every_group_has_features() -> None:
    names = feature_names()
    assert len(set(names)) == len(names) > 40
    apart = [feature_names((group,)) for group in GROUPS]
    assert all(apart)
    assert sum(apart, ()) == names


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_has_the_same_columns_with_and_without_the_others(group: str) -> None:
    page = blockify(PAGE)
    alone, every = tree_features(page, (group,)), tree_features(page)
    places = [every.names.index(name) for name in alone.names]
    assert np.array_equal(alone.values, every.values[:, places])


def test_shallow_features_are_of_the_text() -> None:
    found = of_leaf("The water")
    assert found["words"] == pytest.approx(17)
    assert found["words outside links"] == pytest.approx(17)
    assert found["link density"] == 0
    assert found["ends as a sentence"] == 1
    assert found["sentence ends"] == pytest.approx(1)
    assert found["punctuation marks"] == pytest.approx(1)
    assert found["blocks joined"] == 1
    assert of_leaf("All news")["link density"] == 1


def test_levels_to_kinds_of_ancestors_are_counted_in_nodes() -> None:
    menu, prose, comment = of_leaf("All news"), of_leaf("The water"), of_leaf("I saw")
    assert menu["levels to list item"] == 0
    assert menu["levels to nav"] == menu["levels to class navigation"] == 1
    assert prose["levels to nav"] == prose["levels to class comment"] == 20
    assert prose["levels to p"] == 0
    assert prose["levels to class content"] == 1
    # A wrapper with a single child is the same node.
    assert comment["levels to class comment"] == 0


def test_the_main_branch_is_where_the_prose_is() -> None:
    menu, prose = of_leaf("All news"), of_leaf("The water")
    assert prose["levels to a branch around the main branch"] == 1
    assert prose["levels from there to the main branch"] == 0
    assert menu["levels to a branch around the main branch"] == 2
    assert menu["levels from there to the main branch"] == 1
    assert 0.5 < prose["page's prose in the branch that it shares with the main branch"] < 1


def test_siblings_do_not_include_the_leaf_itself() -> None:
    found = of_leaf("The water")
    assert found["leaves beside it"] == 3
    assert found["branches beside it"] == 0
    assert found["words per leaf beside it"] == pytest.approx((18 + 2 + 3) / 3)
    assert found["prose beside it"] == pytest.approx(18 / 23)


def test_neighbours_are_the_leaves_before_and_after() -> None:
    found = of_leaf("The water")
    assert found["words, 1 before"] == pytest.approx(18)
    assert found["words, 2 before"] == pytest.approx(2)
    assert found["words, 1 after"] == pytest.approx(3)
    assert found["in the same branch, 1 after"] == 1
    assert found["in the same branch, 2 after"] == 0
    assert found["under the same tags, 1 before"] == 1
    assert found["leaves since a heading"] == pytest.approx(2)
    assert found["words of 3 leaves before"] == pytest.approx(18 + 2 + 2)
    assert found["link density of 3 leaves before"] == pytest.approx(2 / 22)
    first = of_leaf("Home")
    assert first["words, 1 before"] == 0
    assert first["link density, 1 before"] == -1
    assert first["words of 8 leaves before"] == 0


def test_a_wrapper_around_everything_changes_no_place_in_the_tree() -> None:
    body = PAGE.partition("<body>")[2]
    bare = tree_features(blockify(f"<body>{body}"))
    wrapped = tree_features(blockify(f"<body><div class=x><div>{body}</div></div>"))
    for name, one, other in zip(bare.names, bare.values.T, wrapped.values.T, strict=True):
        if name != "depth in elements":
            assert np.array_equal(one, other), name


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("main menu", {"content", "navigation"}),
        ("sidebar", {"sidebar"}),
        ("ad", {"advertisement"}),
        ("address", set()),
        ("commentlist", {"comment"}),
        ("headline", {"title"}),
        ("", set()),
    ],
)
def test_class_words_have_kinds(words: str, kinds: set[str]) -> None:
    bits = class_bits(words)
    assert {kind for i, kind in enumerate(CLASS_KINDS) if bits >> i & 1} == kinds


def test_each_tag_has_one_kind() -> None:
    tags = " ".join(TAG_KINDS.values()).split()
    assert len(set(tags)) == len(tags)
    assert tag_bits(("div",)) == 0


@QUICK
@given(st.lists(st.text(st.characters(), min_size=1, max_size=30), max_size=8))
def test_any_texts_have_finite_features(texts: list[str]) -> None:
    found = tree_features(page_of(texts))
    assert found.values.dtype == np.float32
    assert found.values.shape == (int(found.leaf_of.max(initial=-1)) + 1, len(feature_names()))
    assert np.isfinite(found.values).all()


@pytest.mark.parametrize("html", ["", "x", "<p>!!!", "<a href=/>x</a>", "潮", "<p>---<p>***"])
def test_bare_pages_have_features(html: str) -> None:
    found = tree_features(blockify(html))
    assert np.isfinite(found.values).all()


def test_features_are_the_same_each_time(read_page: Callable[[str], bytes]) -> None:
    page = blockify(read_page("forum.html"))
    assert np.array_equal(tree_features(page).values, tree_features(page).values)


def test_work_is_linear_in_the_page() -> None:
    def calls(blocks: int) -> int:
        rows = "".join(
            f"<div class=c{i}><p>Row {i}: text.<p>More</div>" for i in range(blocks // 2)
        )
        page = blockify(article(1)[0] + rows.encode())
        return calls_of(lambda: tree_features(page))

    calls(50)  # tables are filled at the first call
    assert calls(4900) < 12 * calls(490)
