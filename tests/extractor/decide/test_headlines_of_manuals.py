"""Headlines of manuals: numbered headings, names of classes, and headings of several lines."""

from __future__ import annotations

import pytest
from testing.manual_headings import LINES, NO_PARTS, PARTS, TEXT

from scrapy_boilernet.extractor.decide.headline import find_title
from scrapy_boilernet.extractor.html.blockify import blockify


def title(name: str, html: str) -> list[str]:
    page = blockify(f"<title>{name}</title><body>{html}<p>{TEXT}</p><p>{TEXT}</p>")
    found = find_title(page, [text == TEXT for text in page.texts])
    return [page.texts[i] for i in sorted(found)]


@pytest.mark.parametrize(("name", "heading"), PARTS)
def test_a_heading_above_the_text_that_is_a_part_of_the_title_is_the_headline(
    name: str, heading: str
) -> None:
    assert title(name, heading) == [*blockify(heading).texts]
    assert title(name, f"<h1>Another one</h1>{heading}") == ["Another one"]


@pytest.mark.parametrize(("name", "heading"), NO_PARTS)
def test_other_headings_are_none(name: str, heading: str) -> None:
    assert title(name, heading) == []


def test_lines_that_have_more_of_the_title_belong_to_the_headline() -> None:
    name, heading = LINES[0]
    assert title(name, heading) == ["The Foundry Guide", "Chapter 2 - Basic Casting"]


@pytest.mark.parametrize(("name", "heading"), LINES[1:])
def test_a_line_with_the_name_of_the_site_or_a_byline_does_not(name: str, heading: str) -> None:
    assert title(name, heading) == ["Basic Casting of Bells"]
