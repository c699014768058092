"""Marks of texts in Markdown and HTML: emphasis in superscripts, and superscripts in others."""

from __future__ import annotations

import pytest
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
