"""The text of a page without the step that drops copies."""

from __future__ import annotations

from testing.food_pages import CARDS, STEPS, food_page

from benchmarks.quality.copies import without_the_step
from scrapy_boilernet import extract


def test_without_the_step_copies_are_in_the_text() -> None:
    card = CARDS["tasty"]
    twice = f'<div class="desktop">{card}</div><div class="mobile">{card}</div>'
    labeled = extract(food_page(twice), "https://blog.example.com/lentil-soup")
    assert labeled.text.count(STEPS[0]) == 1
    assert without_the_step(labeled).text.count(STEPS[0]) == 2
