"""Marks of texts in Markdown and HTML: emphasis in superscripts, and superscripts in others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from testing.raised_cases import EMPHASIZED, NESTED
from testing.rendered import html_of, written

from scrapy_boilernet.extractor.html.blockify import blockify


def markdown(html: str) -> str:
    return written(blockify(f"<p>{html}</p>", markup=True)).markdown or ""


@pytest.mark.parametrize(("html", "expected"), EMPHASIZED)
def test_emphasis_stands_inside_of_what_is_raised_alone(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(("html", "expected"), EMPHASIZED)
def test_no_delimiter_is_left_as_text(html: str, expected: str) -> None:
    assert "*" not in html_of(expected)
    assert "~" not in html_of(expected)
    assert html


@pytest.mark.parametrize(("html", "expected"), NESTED)
def test_what_is_raised_in_another_stays_so(html: str, expected: str) -> None:
    assert markdown(html) == expected
    page = written(blockify(f"<p>{html}</p>", markup=True))
    assert page.html == f"<p>{expected}</p>"


STARS = {
    "<strong>Bold<em>both</em></strong><em>it</em>": "**Boldboth***it*",
    "<em>a<strong>b</strong></em><strong>c</strong>": "*a***bc**",
    "<em>a<strong>b</strong>c</em>": "*a**b**c*",
    "<em>a <strong>b</strong> c</em>": "*a **b** c*",
    "<strong>a<em>b</em>c</strong>": "**a*b*c**",
    "<strong>a</strong><em>b<strong>c</strong>d</em>": "**a***bcd*",
    "<em>a</em><strong>b</strong><em>c</em>": "*a***b***c*",
    "<em>a <strong>b</strong></em><strong>c</strong>": "*a* ***b*c**",
    "<em>a <strong>b</strong></em> <strong>c</strong>": "*a **b*** **c**",
    "<b><i>a</i>b<i>c</i></b>": "***a*bc**",
    "<b><i>a</i> b <i>c</i></b>": "***a* b *c***",
    "<i>a.</i><b>b</b>": "a.**b**",
    "<i>a</i><b>(b)</b>": "*a*(b)",
    "<b><i>a</i></b>": "***a***",
    "<b>字<i>体</i></b><i>书</i>": "**字体***书*",
    "<b>a</b><sub><i>b</i></sub><i>c</i>": "**a**<sub>*b*</sub>*c*",
}


@pytest.mark.parametrize("html", STARS)
def test_emphasis_and_strong_texts_beside_each_other(html: str) -> None:
    assert markdown(f"x {html} y") == f"x {STARS[html]} y"


RUNS = st.recursive(
    st.sampled_from(["a", "b ", " c", "é", "字", "d.", "(e)"]),
    lambda inner: st.tuples(
        st.sampled_from(["b", "i", "strong", "em"]), st.lists(inner, min_size=1, max_size=4)
    ).map(lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"),
    max_leaves=8,
)


def marks(html: str) -> list[tuple[str, bool, bool]]:
    """Each character that is no space, and whether it is strong and emphasized."""
    paragraph = lxml_html.fromstring(html)
    found = []
    for text in paragraph.xpath(".//text()"):
        above = text.getparent() if text.is_text else text.getparent().getparent()
        tags = {one.tag for one in (above, *above.iterancestors())}
        strong, emphasis = not tags.isdisjoint("b strong".split()), not tags.isdisjoint(["i", "em"])
        found += [(char, strong, emphasis) for char in text if not char.isspace()]
    return found


@given(st.lists(RUNS, min_size=1, max_size=6).map("".join))
def test_no_mark_is_added_and_no_asterisk_shown(html: str) -> None:
    wanted, shown = marks(f"<p>x {html} y</p>"), marks(html_of(markdown(f"x {html} y")))
    assert [char for char, *_ in shown] == [char for char, *_ in wanted]
    for (_, *own), (_, *seen) in zip(wanted, shown, strict=True):
        assert all(a >= b for a, b in zip(own, seen, strict=True))
