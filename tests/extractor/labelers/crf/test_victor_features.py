"""Victor's features: attributes of leaves, by group."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.counting import calls_of
from testing.synthetic import QUICK, article, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.crf.victor_block import PATTERNS, end_of, text_attributes
from scrapy_boilernet.extractor.labelers.crf.victor_features import (
    GROUPS,
    victor_attributes,
)
from scrapy_boilernet.extractor.page import Page


def leaves(html: str | bytes) -> Page:
    return blockify(html, units="leaf")


def test_attributes_begin_with_their_group() -> None:
    page = leaves(article(1)[0])
    found = victor_attributes(page)
    assert len(found) == len(page.blocks)
    for attributes in found:
        assert len(set(attributes)) == len(attributes)
        assert [*dict.fromkeys(a.partition(":")[0] for a in attributes)] in (
            [*GROUPS], [*GROUPS[:3]],
        )  # fmt: skip
        assert all("=" in attribute and attribute.isascii() for attribute in attributes)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_is_the_same_alone(group: str) -> None:
    page = leaves(article(1)[0])
    alone, all_of_them = victor_attributes(page, [group]), victor_attributes(page)
    assert alone == [[a for a in found if a.startswith(f"{group}:")] for found in all_of_them]
    assert any(alone)


def test_containers_and_splits_are_attributes() -> None:
    page = leaves("<ul><li><a href=/>Home</a></li></ul><h2>Head</h2><p>One<br>two <b>three</b>")
    home, head, one, two, three = (set(found) for found in victor_attributes(page, ["markup"]))
    assert {"markup:inside=a", "markup:inside class=list", "markup:innermost=a"} <= home
    assert "markup:block element=li" in home
    assert {"markup:opens=h2", "markup:closes=li", "markup:closes class=link"} <= head
    assert "markup:block element=p" in one
    assert "markup:split=none" in two
    assert "markup:gap=under 1" in two  # a gap of 1 for two places, visible where <b> opens
    assert {"markup:opens=b", "markup:split=style only"} <= three


def test_shares_of_div_groups_are_attributes() -> None:
    html = "<div><a href=/>one two</a></div><div>three four five six seven eight</div>"
    link, text = (set(found) for found in victor_attributes(leaves(html), ["markup"]))
    assert {"markup:share of page in div=0", "markup:link share of div=1"} <= link
    assert {"markup:share of page in div=from 0.75", "markup:link share of div=0"} <= text


def test_a_wrapper_that_is_not_html_is_left_out() -> None:
    html = "<html><body><table><tr><td><p>One two.</p><p>Three.</p></td></tr></table></body></html>"
    wrapped = f'<text id="u" title="t" encoding="x">{html}</text>'
    plain, inside = victor_attributes(leaves(html)), victor_attributes(leaves(wrapped))
    assert "text" in leaves(wrapped).blocks[0].tags
    gaps = ("markup:gap=", "markup:gap, no split=")
    for one, other in zip(plain, inside, strict=True):
        kept = [[a for a in found if not a.startswith(gaps)] for found in (one, other)]
        assert kept[0] == kept[1]


def test_duplicates_are_attributes() -> None:
    page = page_of(["Home", "Text here", "home!", "Home"], "leaf")
    found = victor_attributes(page, ["content"])
    twins = [a.partition("=")[2] for each in found for a in each if "duplicate" in a]
    assert twins == ["first", "none", "later", "later"]


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("12/05/2007", "date"), ("May 3, 2001", "date"), ("3. märz 2001, 4 Oct", "date"),
        ("at 12:30", "time"), ("9 p.m", "time"), ("see www.here", "URL"), ("a@b", "e-mail"),
        ("* one", "bullet"), ("(1) one", "bullet"), ("© 2007", "copyright"), ("$ 5", "price"),
    ],
)  # fmt: skip
def test_patterns_are_found(text: str, pattern: str) -> None:
    assert f"pattern={pattern}" in text_attributes(text)
    assert not any(a.startswith("pattern") for a in text_attributes("Plain words, may be."))
    assert pattern in PATTERNS


@pytest.mark.parametrize(
    ("text", "kind"), [("a.", "full stop"), ("a", "letter"), ("", "other"), ("7", "digit"),
                       ("—", "punctuation"), ("★", "other"), ("何？", "question mark")],
)  # fmt: skip
def test_the_last_character_has_a_kind(text: str, kind: str) -> None:
    assert end_of(text) == kind


def test_a_page_without_blocks_has_no_attributes() -> None:
    assert victor_attributes(leaves("")) == []


@QUICK
@given(st.lists(st.text(st.characters(), min_size=0, max_size=20), min_size=1, max_size=12))
def test_any_text_gives_attributes_that_crfsuite_can_read(texts: list[str]) -> None:
    page = page_of([*texts, "\ud800"], "leaf")
    for attributes in victor_attributes(page):
        assert attributes
        assert all(attribute.isascii() for attribute in attributes)


@QUICK
@given(st.text("<>/abpdivl \"='", max_size=120))
def test_any_markup_gives_attributes(html: str) -> None:
    page = leaves(html)
    assert len(victor_attributes(page)) == len(page.blocks)


def test_work_is_linear_in_the_page() -> None:
    def calls(rows: int) -> int:
        html = "".join(f"<div><p>Row {i}: some text.<br>More</p></div>" for i in range(rows))
        page = leaves(html)
        return calls_of(lambda: victor_attributes(page))

    assert calls(2500) < 12 * calls(250)


def test_leaves_of_a_deep_page_have_attributes() -> None:
    deep = leaves("<div>x" * 500)
    assert len(victor_attributes(deep)) == len(deep.blocks) > 100
