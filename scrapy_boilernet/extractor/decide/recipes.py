"""The ingredients, steps and notes of recipes, which are kept as a whole.

A page about food is an article with a recipe in short lines behind it. A model that is sure of the
article decides against these lines, so it loses what readers come for. Class words and the names of
microdata tell them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.odds import BETWEEN, are_likely, middle_odds
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_INGREDIENTS = re.compile(
    r"ingredi|\bzutaten|\bingr\b|skladnik|malzeme|hozzavalo|ainekset|sastojci|材料|食材"
)
_STEPS = lazy_pattern(
    r"instruction|(?<!flex )\bdirections?\b|(?<!private )\bnotes\b|"
    r"\b(?:recipes?|create) (?:summary|description)\b|"
    r"\b(?:method|preparations?|procedures?|steps?|zubereitung\w*|anleitung|preparacion|elaboracion|"
    r"pasos|etapes?|preparazione|procedimento|preparo|bereiding\w*|werkwijze|framgangsm\w+|"
    r"tillagning|fremgangsm\w+|przygotowanie|elkeszites|hazirlanisi)\b"
)
"""Class words of the elements of ingredients, and of steps, notes and summaries if one around names
a recipe."""
_RECIPE = re.compile(
    r"recip|rezept|recett|receta|receita|ricett|recept|opskrift|oppskrift|przepis|\btarif\b|"
    r"\b(?:mv create|ers|itr|wprm|dr)\b"
)
"""Class words that name a recipe, with those of plugins for blogs."""
_BESIDE = re.compile(
    r"\b(?:ads?|nav|menu|related|teasers?|search|modal|popup|sponsor\w*|comments?|feedback|cart|"
    r"basket)\b"
)
"""Class words of what may name ingredients, but is no recipe of the page."""
_AMONG = lazy_pattern(
    r"\b(?:shop\w*|buy|buttons?|btn|filters?|nutrition\w*|calories|ratings?|shar(?:e|ing)|whatsapp|"
    r"adjustable|scale|convert|conversion|units?|cook mode|toggle|switch|timer|times?|timing|"
    r"clipboard|progress|stepper|slider|controls?|tags|prev|next|count|step number)\b"
)
"""Class words of what stands among ingredients and steps, such as buttons for other amounts."""
_CONTROLS = frozenset(("button", "nav", "select", "footer"))
_PAGE_TAGS = frozenset(("html", "body", "main", "article"))
"""Elements that have more than a part of a recipe, whatever their classes say."""
_MAX_LINKED = 0.8
"""The share of characters in links above which a list of ingredients leads to other recipes."""
_STEMS = (
    "ingredi", "zutaten", "ingr", "skladnik", "malzeme", "hozzavalo", "ainekset", "sastojci",
    "材料", "食材",
)  # fmt: skip
"""Every text in which ``_INGREDIENTS`` finds something has one of these."""
_of_ingredients = ClassNames(_STEMS, _INGREDIENTS)


def complete_recipes(
    page: Page, kept: NDArray[np.bool_], probabilities: NDArray[np.float32], threshold: float
) -> NDArray[np.bool_]:
    """Return ``kept`` with the lists of ingredients of a recipe and its steps, each as a whole.

    ``probabilities``: per block, those by which ``threshold`` decided. Hidden blocks are not added,
    nor lines that stand elsewhere in what is kept, since many pages have a recipe twice.
    """
    if not _of_ingredients.on(page):  # as on most pages
        return kept
    middle = middle_odds(probabilities, threshold)
    if middle is None or not kept.any():
        return kept
    steps = np.array([_step(*pair) for pair in page.paths.pairs], dtype=np.int64)[page.path_places]
    (nodes, _), starts = page.nodes, page.starts
    inside = (page.shown & (steps > 0)).nonzero()[0]
    parts: dict[int, list[int]] = defaultdict(list)
    for i, element in zip(inside.tolist(), nodes[(starts + steps)[inside]].tolist(), strict=True):
        parts[element].append(i)
    texts, completed = page.texts, kept.copy()
    known = {texts[i] for i in kept.nonzero()[0].tolist()}
    for places in parts.values():
        for i in _missing(page, places, kept, probabilities, middle - BETWEEN):
            completed[i] |= texts[i] not in known
            known.add(texts[i])
    return completed


def _missing(
    page: Page,
    places: list[int],
    kept: NDArray[np.bool_],
    probabilities: NDArray[np.float32],
    least: float,
) -> list[int]:
    """Return which blocks of a part of a recipe belong to it beside those that are kept.

    If most of its text is kept, those are the blocks with the path of a kept one; else all of them,
    if the mean of their log-odds is above ``least``, and not most of them links.
    """
    chars = [len(page.texts[i]) for i in places]
    if 2 * sum(compress(chars, kept[places].tolist())) > sum(chars):
        paths = page.path_places
        alike = {*paths[places][kept[places]].tolist()}
        return [i for i in places if paths[i] in alike]
    leads = int(page.marks[0][places].sum()) > _MAX_LINKED * sum(chars)
    return places if not leads and are_likely(page, places, probabilities, least) else []


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _step(tags: Ancestors, class_words: Ancestors) -> int:
    """Return the step of the element of ingredients, or of the steps of a recipe, that a block with
    this path is in, the outermost; 0 if it is in none. Steps may be in an element that also has the
    ingredients.
    """
    found, of_steps, in_recipe = 0, False, False
    for step, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
        if tag in _CONTROLS or _BESIDE.search(words):
            return 0
        in_recipe = in_recipe or _RECIPE.search(words) is not None
        names = _INGREDIENTS.search(words) is not None
        names_steps = in_recipe and not names and _STEPS.search(words) is not None
        if (
            tag not in _PAGE_TAGS
            and (names or names_steps)
            and (not found or names_steps > of_steps)
        ):
            found, of_steps = step, names_steps
        if found and _AMONG.search(words):
            return 0
    return found
