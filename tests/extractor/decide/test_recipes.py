"""Ingredients and steps of recipes, by the markup of plugins and sites."""

from __future__ import annotations

import numpy as np
import pytest
from testing.food_pages import CARDS, INGREDIENTS, PARAGRAPHS, STEPS, food_page

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.recipes import complete_recipes
from scrapy_boilernet.extractor.html.blockify import blockify

LISTED = "<ul>" + "".join(f"<li>{each}</li>" for each in INGREDIENTS) + "</ul>"
SURE, LIKELY, UNLIKELY = 0.9, 0.2, 0.001


def labels(html: str, probabilities: dict[str, float], other: float = LIKELY) -> list[str]:
    """The texts that are content from 0.5 on if blocks have the probability of the first key they
    begin with, and ``other`` else. The most likely one below has 0.45.
    """
    page = blockify(f"{html}<footer><p>Perhaps</p></footer>")
    known = {"Perhaps": 0.45, **dict.fromkeys(PARAGRAPHS, SURE), **probabilities}
    p = np.array(
        [
            next((p for begin, p in known.items() if text.startswith(begin)), other)
            for text in page.texts
        ],
        dtype=np.float32,
    )
    kept = complete_recipes(page, p >= 0.5, p, 0.5)
    return [text for text, keep in zip(page.texts, kept, strict=True) if keep]


@pytest.mark.parametrize("name", CARDS)
def test_a_recipe_is_kept_as_a_whole(name: str) -> None:
    kept = labels(food_page(CARDS[name]), {})
    assert [text for text in kept if text in INGREDIENTS] == [*INGREDIENTS]
    assert [text for text in kept if text in STEPS] == [*STEPS]
    assert {*kept} - {"Ingredients", "Instructions"} == {*PARAGRAPHS, *INGREDIENTS, *STEPS}


@pytest.mark.parametrize("name", CARDS)
def test_an_unlikely_one_is_not(name: str) -> None:
    assert labels(food_page(CARDS[name]), {}, UNLIKELY) == [*PARAGRAPHS]


@pytest.mark.parametrize("name", ["tasty", "easyrecipe"])  # of the others, the model keeps all
def test_the_shipped_model_loses_nothing_of_it(name: str) -> None:
    text = extract(food_page(CARDS[name]), "https://blog.example.com/lentil-soup").text
    assert all(each in text for each in (*PARAGRAPHS, *INGREDIENTS, *STEPS))
    assert "I made it twice" not in text


@pytest.mark.parametrize(
    "classes",
    [
        ("recipe", "recipe-ingredients"),
        ("product-details", "ingredients"),
        ("hrecipe", "ingredients-list"),
        ("", "recipeIngredients"),
        ("przepis", "lista-skladnikow skladniki"),
    ],
)
def test_ingredients_need_no_recipe_around(classes: tuple[str, str]) -> None:
    outer, inner = classes
    html = f'<p>{PARAGRAPHS[0]}</p><div class="{outer}"><div class="{inner}">{LISTED}</div></div>'
    assert labels(html, {}) == [PARAGRAPHS[0], *INGREDIENTS]


@pytest.mark.parametrize(
    "card",
    [
        f'<div class="related-recipes"><div class="ingredients">{LISTED}</div></div>',
        f'<nav class="ingredients">{LISTED}</nav>',
        f'<div class="ingredients-filter">{LISTED}</div>',
        f'<div class="recipe-teaser"><div class="ingredients">{LISTED}</div></div>',
        f'<div class="recipe"><div class="shopping-cart ingredients">{LISTED}</div></div>',
        f'<div class="ingredients" hidden>{LISTED}</div>',
        f'<div class="comment-list"><div class="ingredients">{LISTED}</div></div>',
        f'<div class="ingredients">{LISTED.replace("<li>", "<li><a href=/x>")}</div>',
        f'<div class="list">{LISTED}</div>',
        '<div class="ingredients"></div><div class="shipping-method"><p>Post or van</p></div>',
        '<div class="ingredients"></div><div class="flex-direction-column"><p>Post</p></div>',
    ],
)
def test_what_only_leads_to_recipes_is_not_kept(card: str) -> None:
    assert labels(f"<p>{PARAGRAPHS[0]}</p>{card}", {}) == [PARAGRAPHS[0]]


def test_a_page_that_keeps_nothing_is_left_as_it_is() -> None:
    assert labels(f'<div class="recipe-ingredients">{LISTED}</div>', {}) == []


def test_a_copy_of_what_is_kept_is_not_added() -> None:
    twice = (
        CARDS["tasty"] + f'<div class="recipe-print"><div class="ingredients">{LISTED}</div></div>'
    )
    kept = labels(food_page(twice), dict.fromkeys(INGREDIENTS[:1], SURE))
    assert [text for text in kept if text in INGREDIENTS].count(INGREDIENTS[1]) == 1


def test_lines_of_a_kept_list_are_added_but_nothing_else_of_it() -> None:
    likely = dict.fromkeys(INGREDIENTS[:3], SURE)
    html = (
        f'<p>{PARAGRAPHS[0]}</p><div class="ingredients"><p>For four</p>{LISTED}<p>Jump</p></div>'
    )
    assert labels(html, likely, UNLIKELY) == [PARAGRAPHS[0], *INGREDIENTS]


@pytest.mark.parametrize(
    ("recipe", "notes"),
    [
        ("wprm-recipe", "wprm-recipe-notes-container"),
        ("wprm-recipe", "wprm-recipe-summary"),
        ("tasty-recipes", "tasty-recipes-notes"),
        ("tasty-recipes", "tasty-recipes-description"),
        ("mv-create-card", "mv-create-notes mv-create-notes-slot"),
        ("mv-create-card", "mv-create-description"),
        ("recipe-card", "recipe-notes"),
        ("hrecipe", "notes"),
        ("recept", "recept-notes"),
    ],
)
def test_notes_and_summaries_of_a_recipe_are_kept(recipe: str, notes: str) -> None:
    html = (
        f'<p>{PARAGRAPHS[0]}</p><div class="{recipe}"><div class="ingredients">{LISTED}</div>'
        f'<div class="{notes}"><h3>Notes</h3><div><span>Serve it with bread.</span></div></div>'
    )
    wanted = [PARAGRAPHS[0], *INGREDIENTS, "Notes", "Serve it with bread."]
    assert labels(html, {}) == wanted
    assert labels(html, {"Notes": UNLIKELY, "Serve": UNLIKELY}) == wanted[:-2]


@pytest.mark.parametrize(
    "notes",
    [
        '<div class="wprm-private-notes-container">Click here to add your own notes</div>',
        '<div class="notes-modal">Serve it with bread.</div>',
        '<div class="comments"><div class="recipe-notes">I made it twice.</div></div>',
        '<div class="recipe-notes-toggle">Show</div>',
        '<div class="footnote">Serve it with bread.</div>',
        '<div class="recipe-notes"><a href="/bread">Bread</a></div>',
        '<div class="summary">Serve it with bread.</div>',
    ],
)
def test_other_notes_are_not(notes: str) -> None:
    html = (
        f'<p>{PARAGRAPHS[0]}</p><div class="recipe"><div class="ingredients">{LISTED}</div>{notes}'
    )
    assert labels(html, {}) == [PARAGRAPHS[0], *INGREDIENTS]
    alone = '<div class="release-notes"><h3>Notes</h3><p>Bread is served.</p></div>'
    assert labels(f"<p>{PARAGRAPHS[0]}</p>{alone}", {}) == [PARAGRAPHS[0]]
