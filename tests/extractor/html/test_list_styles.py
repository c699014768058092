"""Lists count as the kind that their styles show."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def markdown(html: str) -> str:
    return written(blockify(f"<p>One</p>{html}", markup=True)).markdown or ""


COUNTED = [
    "list-style-type:decimal",
    "color: red; LIST-STYLE-TYPE : Lower-Alpha ;",
    "list-style: outside upper-roman",
    "list-style:decimal-leading-zero inside",
]


@pytest.mark.parametrize("style", COUNTED)
def test_lists_with_numbers_are_counted(style: str) -> None:
    of_list = f"<ul style='{style}'><li>a<li>b<ul><li>c</ul></ul>"
    of_items = f"<ul><li style='{style}'>a<li style='{style}'>b<ul><li>c</ul></ul>"
    for html in (of_list, of_items):
        assert markdown(html) == "One\n\n1. a\n2. b\n   - c"
        assert blockify(html).blocks[0].tags[-2:] == ("ol", "li")
    assert markdown(f"<ul><li>a{of_list}</ul>") == "One\n\n- a\n  1. a\n  2. b\n     - c"


@pytest.mark.parametrize("style", ["list-style-type:disc", "list-style: square inside"])
def test_ordered_lists_with_bullets_are_not(style: str) -> None:
    assert markdown(f"<ol style='{style}'><li>a<li value=4>b</ol>") == "One\n\n- a\n- b"


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<ul style='list-style-type:none'><li>a<li>b</ul>", "- a\n- b"),
        ("<ul style='x-list-style-type:decimal'><li>a</ul>", "- a"),
        ("<ul style='list-style-type:decimals'><li>a</ul>", "- a"),
        ("<ul style='list-style-type:decimal'><li style='list-style:none'>a<li>b</ul>", "- a\n- b"),
        ("<ul><li style='list-style-type:decimal'>a<li>b</ul>", "- a\n- b"),
        ("<ol style='list-style-type:none'><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol style='list-style-type:lower-alpha'><li>a<li>b</ol>", "1. a\n2. b"),
        ("<div style='list-style-type:decimal'>a</div>", "a"),
    ],
)
def test_other_lists_stay(html: str, right: str) -> None:
    assert markdown(html) == f"One\n\n{right}"


def test_items_by_role_in_such_lists_have_no_numbers() -> None:
    for own in ("ol", "ul style='list-style:decimal'"):
        items = "<div role=listitem>a</div><li>b<div role=listitem>c</div>"
        html = f"<div role=list><{own}>{items}</{own[:2]}></div>"
        assert markdown(html) == "One\n\n- a\n1. b\n   - c"
