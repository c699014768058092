"""A term and its kind are kept apart as the style sheet of Sphinx does."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def term(html: str) -> str:
    page = blockify(f"<dl><dt>{html}</dt><dd>The speed.</dd></dl>", markup=True)
    return str(written(page).markdown).split("\n")[0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("knots<span class=classifier>int</span>", "**knots : int**"),
        ("<strong>x</strong><span class=classifier>array_like</span>", "**x : array_like**"),
        (
            "wind<span class='classifier'>str</span><span class='classifier'>optional</span>",
            "**wind : str : optional**",
        ),
        ("速さ<span class=classifier> 整数 </span>", "**速さ : 整数**"),
        (
            "x<span class=classifier><a href=/i>int</a> or <a href=/s>str</a></span>",
            "**x : int or** [**str**](/s)",
        ),
    ],
)
def test_a_colon_is_between_a_term_and_its_kind(html: str, expected: str) -> None:
    assert term(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("x : <span class=classifier>int</span>", "**x : int**"),
        ("x<span class=classifier>: int</span>", "**x: int**"),
        ("<span class=classifier>int</span>", "**int**"),
        ("x<span class=classifier></span>", "**x**"),
        ("x<span class=classifier-name>y</span>", "**xy**"),
        (
            "x<span class=classifier-delimiter>:</span> <span class=classifier>int</span>",
            "**x: int**",
        ),
        ("x<b class=classifier>y</b>", "**xy**"),
    ],
)
def test_other_terms_stay(html: str, expected: str) -> None:
    assert term(html) == expected


def test_elsewhere_it_is_no_kind() -> None:
    assert [*blockify("<p>x<span class=classifier>y</span></p>").texts] == ["xy"]
