"""The block tree: every block is in one leaf, and elements that a reader cannot see are merged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.gbdt.block_tree import BlockTree
from scrapy_boilernet.extractor.page import Page

Tree = list["Tree | str"]
texts = st.sampled_from(["Tide pools", "T", "warm", "|", "<a href=/>Sign in</a>", "<b>x</b>y<br>z"])
trees = st.recursive(texts, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=12)


def markup(tree: Tree | str) -> str:
    if isinstance(tree, str):
        return f"<p>{tree}</p>"
    return "<div>" + "".join(map(markup, tree)) + "</div>"


def tree_of(html: str) -> BlockTree:
    return BlockTree.of(blockify(html))


def leaf_texts(html: str) -> list[str]:
    return [block.text for block in tree_of(html).leaves.blocks]


@QUICK
@given(trees)
def test_every_block_is_in_one_leaf_and_every_node_but_the_root_has_a_parent(
    tree: Tree | str,
) -> None:
    page = blockify(markup(tree))
    found = BlockTree.of(page)
    assert found.leaf_of.shape == (len(page.blocks),)
    assert set(np.diff(found.leaf_of).tolist()) <= {0, 1}
    leaves = len(found.leaves.blocks)
    assert set(found.leaf_of.tolist()) == set(range(leaves))
    assert found.branches + leaves == len(found.parents) == len(found.tags)
    assert found.parents[0] == -1
    assert (found.parents[1:] < np.arange(1, len(found.parents))).all()
    assert (found.parents[1:] < found.branches).all()
    assert (found.depths[1:] == found.depths[found.parents[1:]] + 1).all()
    # No text is lost or added.
    for leaf, block in enumerate(found.leaves.blocks):
        texts = [page.blocks[i].text for i in np.flatnonzero(found.leaf_of == leaf)]
        assert block.text.replace(" ", "") == "".join(texts).replace(" ", "")


@QUICK
@given(trees)
def test_every_branch_but_the_root_has_two_children_or_more(tree: Tree | str) -> None:
    found = tree_of(markup(tree))
    children = np.bincount(found.parents[1:], minlength=len(found.parents))
    assert (children[1 : found.branches] >= 2).all()
    assert (children[found.branches :] == 0).all()


@QUICK
@given(trees)
def test_a_subtree_sum_is_the_sum_of_its_leaves(tree: Tree | str) -> None:
    found = tree_of(markup(tree))
    values = np.arange(1.0, len(found.leaves.blocks) + 1)
    expected = np.zeros(len(found.parents))
    for leaf, value in enumerate(values, found.branches):
        node = leaf
        while node >= 0:
            expected[node] += value
            node = int(found.parents[node])
    assert found.subtree_sums(values).tolist() == expected.tolist()


def test_elements_with_a_single_child_are_merged_with_it() -> None:
    found = tree_of(
        "<div class=wrap><div id=inner><p>One thing.<p>Another.</div></div><div><em>Last</em></div>"
    )
    # The html element has no child but the body.
    assert found.tags == ((), ("html", "body"), ("div", "div"), ("p",), ("p",), ("div", "em"))
    assert found.class_words[2] == ("wrap", "inner")
    assert found.parents.tolist() == [-1, 0, 1, 2, 2, 1]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><div class=cap>T</div><p>he tide is out.</p></div>", ["The tide is out."]),
        ("<div><div>T</div><p>The tide is out.</p></div>", ["T", "The tide is out."]),
        ("<div><div>T</div></div><div><div><p>he tide.</p></div></div>", ["T", "he tide."]),
        ("<div>One line<br>and another<br><i>in italics</i></div>",
         ["One line and another in italics"]),
        ("<p>One line</p><p>and another</p>", ["One line", "and another"]),
        ("<div>Some words here<br><a href=/>all links</a></div>", ["Some words here", "all links"]),
        ("<ul><li>Home</li><li>|</li><li>News</li></ul>", ["Home |", "News"]),
        ("<div>shown<br></div><div hidden>hidden</div>", ["shown", "hidden"]),
    ],
)  # fmt: skip
def test_blocks_that_look_like_one_are_one_leaf(html: str, expected: list[str]) -> None:
    assert leaf_texts(html) == expected


def test_a_leaf_has_the_links_and_the_element_of_its_blocks() -> None:
    (leaf,) = tree_of("<div id=a><b>Sea stars</b><br><a href=/>are</a> slow</div>").leaves.blocks
    assert leaf.tags[-1] == "div"
    assert leaf.link_chars == 3


def test_an_empty_page_has_only_a_root() -> None:
    found = tree_of("")
    assert found.parents.tolist() == [-1]
    assert found.leaf_of.shape == (0,)
    assert found.subtree_sums(np.zeros((0, 2))).shape == (1, 2)


def test_unusual_texts_and_missing_ancestors_are_accepted() -> None:
    page = page_of(["\ud800", "", "x" * 10_000, "tail"])
    bare = page.blocks[0]._replace(tags=(), class_words=(), nodes=())
    found = BlockTree.of(type(page)(None, "", (*page.blocks, bare), ""))
    assert len(found.leaf_of) == 5
    assert found.parents[-1] == 0


@pytest.mark.parametrize(("row", "rows"), [
    ("<div>a {}<p>", 1500), ("<p>Row {}</p>", 5000), ("some text<br>", 4900),
])  # fmt: skip
def test_work_is_linear_in_the_page(row: str, rows: int) -> None:
    def sums(page: Page) -> None:
        found = BlockTree.of(page)
        found.subtree_sums(np.ones(len(found.leaves.blocks)))
        assert len(found.leaf_of) == len(page.blocks)

    def calls(rows: int) -> int:
        page = blockify("<div>" + "".join(row.format(i) for i in range(rows)))
        return calls_of(lambda: sums(page))

    assert calls(rows) < 12 * calls(rows // 10)
