"""The text of a page without the step that drops copies."""

from __future__ import annotations

from testing.food_pages import PARAGRAPHS

from benchmarks.quality.copies import without_the_step
from scrapy_boilernet import extract


def test_without_the_step_copies_are_in_the_text() -> None:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    twice = f'<div class="hidden lg:block">{text}</div><div class="lg:hidden">{text}</div>'
    html = f"<title>Soup</title><body><article><h1>Soup</h1>{twice}</article>"
    labeled = extract(html, "https://blog.example.com/soup")
    assert labeled.text.count(PARAGRAPHS[1]) == 1
    assert without_the_step(labeled).text.count(PARAGRAPHS[1]) == 2
