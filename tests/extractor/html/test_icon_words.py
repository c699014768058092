"""The names of icons that a font draws are no words."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify


def texts(html: str) -> list[str]:
    page = blockify(html, markup=True)
    assert [block.text for block in blockify(html).blocks] == [block.text for block in page.blocks]
    return [block.text for block in page.blocks]


ICONS = [
    "<i class=material-icons>directions_boat</i>",
    "<i class='icon material-icons-outlined md-18'> check </i>",
    "<span class='material-icons-two-tone'>3d_rotation</span>",
    "<span class=material-symbols-outlined>check</span>",
    "<span class='material-symbols-rounded'>home</span>",
    "<span class='notranslate material-symbols-sharp'>arrow_back</span>",
    "<i class='google-material-icons notranslate'>check</i>",
    "<mat-icon role=img class='mat-icon material-icons'>check</mat-icon>",
    "<mat-icon>check</mat-icon>",
    "<md-icon>check</md-icon>",
]


@pytest.mark.parametrize("icon", ICONS)
@pytest.mark.parametrize("words", ["Boats", "Die Boote", "船"])
def test_the_name_of_an_icon_is_not_read(icon: str, words: str) -> None:
    assert texts(f"<h2>{icon} {words}</h2><p>{words}{icon}</p>") == [words, words]
    assert texts(f"<p>See <a href=/x>{words} {icon}</a>.</p>") == [f"See {words} ."]
    assert texts(f"{icon}<p>{words}</p>") == [words]


@pytest.mark.parametrize(
    "other",
    [
        "<p class=material-icons>How to use these icons</p>",
        "<p class=material-icons-demo>check</p>",
        "<div class='my-material-icons'>check</div>",
        "<span class=material-icons>Check</span>",
        "<i class=icon>check</i>",
        "<div class=material-icons>in <b>bold</b></div>",
        "<code>material-icons</code>",
        "<p>See mat-icon</p>",
    ],
)
def test_other_words_are_read(other: str) -> None:
    shown = other.partition(">")[2].replace("<b>", "").replace("</b>", "").partition("</")[0]
    assert texts(f"<div class=material-icons></div>{other}") == [shown]


@pytest.mark.parametrize(
    ("icon", "text"),
    [
        ("<i class=material-icons>check</i>", "✓"),
        ("<span class=material-symbols-outlined>check_circle</span>", "✓"),
        ("<mat-icon>done</mat-icon>", "✓"),
        ("<i class=material-icons>close</i>", "✗"),
        ("<md-icon>cancel</md-icon>", "✗"),
        ("<i class=material-icons>check_box_outline_blank</i>", "✗"),
        ("<i class=material-icons aria-label=included>check</i>", "included"),
        ("<i class=material-icons>check</i> on request", "on request"),
    ],
)
def test_an_icon_alone_in_a_cell_is_what_it_says(icon: str, text: str) -> None:
    assert texts(f"<table><tr><td>Horn<td>{icon}</td></tr></table>") == ["Horn", text]
