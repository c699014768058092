"""The lines of a recipe that a page shows."""

from __future__ import annotations

from testing.food_pages import CARDS, INGREDIENTS, STEPS, food_page

from benchmarks.quality.recipes import shown_lines
from scrapy_boilernet.lab.evaluation.datasets import GoldPage


def test_only_lines_that_the_page_shows_count() -> None:
    hidden = "<p hidden>Serve it with three spoons of yoghurt.</p>"
    gold = "\n".join(
        (
            "Lentil soup",
            *INGREDIENTS,
            *STEPS,
            "Serve it with three spoons of yoghurt.",
            "Not there.",
        )
    )
    page = GoldPage("food", "1", (food_page(CARDS["tasty"]) + hidden).encode(), gold)
    assert shown_lines(page) == [*INGREDIENTS, *STEPS]
