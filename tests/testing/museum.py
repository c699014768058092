"""A site of made-up museum objects, on which the default model errs: it keeps the museum's appeals,
which are prose in the middle of the text, and leaves out the visitors' stories of an object, which
stand in a box beside it.
"""

from __future__ import annotations

from random import Random

STORIES, APPEALS = "aside.related", "section.appeal"
"""Selectors of the visitors' stories, which are content, and of the appeals, which are not."""
_THINGS = (
    "loom", "barometer", "sextant", "butter churn", "letter press", "music box", "ship model",
    "sundial", "spinning wheel", "weather vane", "carriage lamp", "type case",
)  # fmt: skip
_PLACES = "Aldersund", "Brekkevik", "Corland", "Dunmere", "Eastholm", "Farrow"
_PEOPLE = "Ada Lindqvist", "Tomas Vell", "Irene Osgood", "Paul Marr", "Ruth Ekdal"
_MATERIALS = "oak", "brass", "pear wood", "iron", "walnut", "copper"
_SENTENCES = (
    "The {thing} came to the museum from a house in {place}, where three generations had used it.",
    "{person} repaired it twice, the second time with parts of {material} that are still in place.",
    "Visitors may see it at work on the first Sunday of each month, if the weather is dry.",
    "A label inside names the maker, who sold his work at the market of {place} until {year}.",
    "Of the twelve that were built, only this one has kept its frame of {material}.",
    "The family of {person} gave it to the town in {year}, together with a box of letters.",
    "Nobody knows why one of its sides is painted, while the others show the bare {material}.",
    "In {year} a flood reached the store, and the {thing} stood in water for two days.",
)
_APPEALS = (
    "The museum lives on gifts. With your help the {thing} can be seen for another hundred years, "
    "so please think of us when you visit the town in summer.",
    "Our friends meet in the hall on the last Friday of each month, and whoever wants to join them "
    "finds coffee, cake and good company there.",
    "The shop has a book on the {thing} with many pictures, and it is a present that people in "
    "{place} have been glad to get.",
)
_STORIES = (
    "My aunt {person} had one",
    "Seen in {place} as a child",
    "It was louder than that",
    "We called it the old {thing}",
    "There is one more in {place}",
    "The {material} was painted",
    "Sold in {year}, I believe",
)


def museum_page(number: int) -> str:
    """Return page ``number`` of the site; every number has other texts."""
    rng = Random(number)

    def fill(text: str) -> str:
        return text.format(
            thing=thing, place=rng.choice(_PLACES), person=rng.choice(_PEOPLE),
            material=rng.choice(_MATERIALS), year=rng.randrange(1780, 1950),
        )  # fmt: skip

    thing = _THINGS[number % len(_THINGS)]
    title = f"{thing.capitalize()} no. {number + 101}"
    paragraphs = [
        f"<p>{' '.join(fill(text) for text in rng.sample(_SENTENCES, 3))}</p>\n" for _ in range(3)
    ]
    appeals = [
        f'<section class="appeal"><p>{fill(rng.choice(_APPEALS))}</p></section>\n' for _ in range(2)
    ]
    stories = "".join(f"<li>{fill(text)}</li>\n" for text in rng.sample(_STORIES, 4))
    others = "".join(
        f'<li><a href="/object/{other}">{_THINGS[other % len(_THINGS)].capitalize()}</a></li>\n'
        for other in rng.sample(range(60), 6)
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} | Town museum</title></head><body>
<header class="top"><a href="/">Town museum</a><nav><ul><li><a href="/visit">Visit</a></li>
<li><a href="/objects">Objects</a></li><li><a href="/shop">Shop</a></li></ul></nav></header>
<main class="object"><h1>{title}</h1>
{paragraphs[0]}{appeals[0]}{paragraphs[1]}{appeals[1]}{paragraphs[2]}</main>
<aside class="related"><h3>Told by visitors</h3><ul>
{stories}</ul></aside>
<aside class="more"><h3>Other objects</h3><ul>
{others}</ul></aside>
<footer class="bottom"><p>Town museum, Harbour street 3. Open from April to October.</p></footer>
</body></html>"""
