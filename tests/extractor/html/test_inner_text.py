"""The text of an element has its parts in the order of the page."""

from __future__ import annotations

import pytest
from lxml import html

from scrapy_boilernet.extractor.html.elements import NOT_TEXT, inner_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Ada <b>Shore</b> writes", "Ada Shore writes"),
        ("<p><a><img> Ada Shore</a>, Marlow Today", "Ada Shore , Marlow Today"),
        ("<p><a><i>Ada</i></a>、<a><i>Ben</i></a>", "Ada 、 Ben"),
        ("<p><a><i><b>Ada</b> S.</i> T.</a> U.", "Ada S. T. U."),
        ("<p>Ada<script>x<!-- y --></script> Shore", "Ada Shore"),
    ],
)
def test_what_follows_an_element_comes_after_its_text(markup: str, text: str) -> None:
    found, _ = inner_text(html.fragment_fromstring(markup), NOT_TEXT, 60, 1_000)
    assert " ".join(found.split()) == text


def test_many_elements_and_long_texts_are_not_read() -> None:
    element = html.fragment_fromstring(f"<p>{'<b><i>Ada</i></b> x' * 50}")
    assert inner_text(element, NOT_TEXT, 60, 1_000)[0] == ""
    assert inner_text(element, NOT_TEXT, 600, 100)[0] == ""
