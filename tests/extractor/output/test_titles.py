"""The title has no name of the site and no sign of a link, and is found in linear time."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

TEXT = "<p>The town council has voted to reopen the footpath along the lower weir.</p>" * 4


def title_of(head: str, host: str = "www.marlowcourier.example", body: str = "") -> str | None:
    html = f"<html><head><title>{head}</title></head><body>{body}{TEXT}</body></html>"
    metadata = extract(html, f"https://{host}/a/b.html", formats=("metadata",)).metadata
    return metadata and metadata.title


@pytest.mark.parametrize("separator", [" | ", " - ", " – ", " — ", " · ", " » ", " : "])
@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("www.marlowcourier.example", "The Marlow Courier"),
        ("www.marlowcourier.example", "Marlow Courier Online"),
        ("www.rheinbote.example", "Der Rheinbote"),
        ("www.rheinbote.example", "Rheinbote Online"),
        ("www.gazette-locale.example", "La Gazette locale"),
        ("www.gazette-locale.example", "Gazette locale en ligne"),
        ("www.diarionorte.example", "El Diario Norte"),
    ],
)
def test_a_name_that_is_longer_than_the_host(host: str, name: str, separator: str) -> None:
    assert title_of(f"River path reopens{separator}{name}", host) == "River path reopens"
    assert title_of(f"{name}{separator}River path reopens", host) == "River path reopens"


@pytest.mark.parametrize("title", ["Courier news - what a path costs", "The river - the path"])
def test_parts_that_are_no_name_stay(title: str) -> None:
    assert title_of(title) == title


def test_a_separator_before_the_title_is_dropped() -> None:
    assert title_of(" - Home") == "Home"


@pytest.mark.parametrize("sign", ["#", "¶", "§", "🔗", "\u00a0"])
def test_a_headline_of_a_million_signs(sign: str) -> None:
    assert title_of("Path", body=f"<h1>a{sign * 1_000_000}b</h1>")
