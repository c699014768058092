"""Hints over a sentence are no part of it."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify


def texts(html: str) -> list[str]:
    return [block.text for block in blockify(html).blocks]


@pytest.mark.parametrize(
    "hint",
    [
        '<span role="tooltip" id=t>One mile per hour</span>',
        "<span class=tip role='tooltip'>Eine Meile je Stunde</span>",
        "<small role=Tooltip>毎時一マイル</small>",
        "<span popover id=p>Один узел</span>",
        "<em popover='hint'>un nœud</em>",
    ],
)
def test_a_hint_is_not_read(hint: str) -> None:
    assert texts(f"<p>The knot{hint} is old.</p>") == ["The knot is old."]
    assert texts(f"<p>The knot <b>{hint}</b>is old.</p>") == ["The knot is old."]


@pytest.mark.parametrize(
    "html",
    [
        "<p>The knot<span role=note>a text</span> is old.</p>",
        "<p>The knot<span data-toggle=popover>a text</span> is old.</p>",
        "<p>The knot<span popovertarget=p>a text</span> is old.</p>",
        "<p>The knot<span title=tooltip>a text</span> is old.</p>",
    ],
)
def test_other_elements_are_read(html: str) -> None:
    assert texts(html) == ["The knota text is old."]


def test_a_box_is_hidden_by_others_if_at_all() -> None:
    assert texts("<p>One</p><div role=tooltip>A whole box of text</div>")[1:] == [
        "A whole box of text"
    ]
