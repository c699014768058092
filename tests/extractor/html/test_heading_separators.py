"""Signs that a style sheet writes between the names of a heading."""

from __future__ import annotations

from time import perf_counter

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify

SEP = '<span class="sep"></span>'


def heading(html: str, title: str = "") -> str:
    page = blockify(f"<title>{title}</title><h1>{html}</h1><p>A text below it.")
    return page.texts[0]


@pytest.mark.parametrize(
    ("html", "title", "expected"),
    [
        (f"<a href=/h>Harbour</a>{SEP}<a href=/b>Boat</a>{SEP}sail_to", "", "Harbour Boat sail_to"),
        (f"<a href=/h>Harbour</a>{SEP}<a href=/b>Boat</a>{SEP}sail_to", "Harbour.Boat.sail_to",
         "Harbour.Boat.sail_to"),
        (f"<a href=/h>Harbour</a>{SEP}<a href=/b>Boat</a>:depth", "Harbour.Boat:depth",
         "Harbour.Boat:depth"),
        (f"Harbour{SEP}Boat", "Docs: Harbour/Boat", "Harbour/Boat"),
        (f"Harbour{SEP}Boat", "Harbour | Boat", "Harbour | Boat"),
        (f"Harbour{SEP}Boat", "Harbour Boat", "Harbour Boat"),
        (f"Harbour{SEP}Boat", "The Harbour, Harbour - Boat", "Harbour - Boat"),
        (f"<a>Politik</a>{SEP}<a>Hafen</a>", "Tagblatt", "Politik Hafen"),
        ('News<i class="title-separator"></i>Sport', "", "News Sport"),
        ("News<span class=divider></span><b>Sport</b>", "", "News Sport"),
        (f"Häfen{SEP}Boote", "", "Häfen Boote"),
    ],
)  # fmt: skip
def test_names_in_a_heading_are_kept_apart(html: str, title: str, expected: str) -> None:
    assert heading(html, title) == expected


@pytest.mark.parametrize(
    "html",
    [
        f"Harbour {SEP}Boat", f"Harbour{SEP} Boat", f"Harbour:{SEP} Boat", f"{SEP}Harbour Boat",
        f"Harbour Boat{SEP}", "Harbour<span class=sep> </span>Boat",
        "Harbour <span class=sep>Boat</span>", "Harbour<span class=separate></span>Boat",
        f"<b>Harbour </b>{SEP}<b>Boat</b>",
    ],
)  # fmt: skip
def test_nothing_is_written_where_something_else_keeps_texts_apart(html: str) -> None:
    shown = heading(html, "Harbour.Boat").replace(":", "")
    assert shown.replace("HarbourBoat", "Harbour Boat") == "Harbour Boat"


def test_elsewhere_nothing_is_written() -> None:
    assert blockify(f"<p>Harbour{SEP}Boat").texts == ("HarbourBoat",)


@pytest.mark.parametrize("letter", ["a", "字"])
def test_long_names_take_no_time(letter: str) -> None:
    begin = perf_counter()
    heading((letter * 8_000 + f" {SEP}") * 20 + "b")
    assert perf_counter() - begin < 10


def test_the_title_has_the_sign() -> None:
    result = extract(
        f"<title>Harbour.Boat</title><h1><a href=/h>Harbour</a>{SEP}Boat</h1>"
        + "<p>A boat that sails to the harbour." * 3,
        formats=("markdown", "metadata"),
    )
    assert result.metadata is not None
    assert result.metadata.title == "Harbour.Boat"
    assert result.markdown is not None
    assert result.markdown.startswith("# [Harbour](/h).Boat")
