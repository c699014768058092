"""Pages of wikis that are lists or tables are kept as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.wikis import complete_wikis
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

LEAD = "This is a list of the lighthouses of the coast, from north to south."
NAMES = (
    "Cape Horn Light",
    "North Pier",
    "Old Tower",
    "Skerry",
    "The Wolf",
    "Seal Rock",
    "Low Light",
)
LIST = f"<h2>Towers</h2><ul>{''.join(f'<li><a href=/{n}>{n}</a></li>' for n in NAMES)}</ul>"
ROWS = "".join(f"<tr><td>{n}</td><td>18{i}0</td></tr>" for i, n in enumerate(NAMES))
TABLE = f"<table class=wikitable><tr><th>Light</th><th>Year</th></tr>{ROWS}</table>"
LINKS = "<div><a href=/a>Beacons</a></div><div><a href=/b>Buoys</a></div>"
CONTENTS = {
    "before 2023": '<div class="mw-parser-output">{}</div>',
    "since": '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr">{}</div>',
    "category": '<div class="mw-category-generated" lang="en"><div id="mw-pages">{}</div></div>',
    "to the left": '<div class="mw-content-rtl mw-parser-output" lang="he" dir="rtl">{}</div>',
}


def wiki(inside: str, content: str = CONTENTS["since"]) -> Page:
    own = content.format(f"<p>{LEAD}</p>{inside}")
    menu = "<div id=mw-navigation><ul><li><a href=/>Main page</a></li></ul></div>"
    html = f"<main id=content><div id=mw-content-text>{own}</div></main>{menu}"
    return blockify(html, "https://wiki.example/wiki/List_of_lighthouses")


def added(page: Page, *kept: str) -> list[str]:
    """What is added to the lead and these texts."""
    before = np.array([text in (LEAD, *kept) for text in page.texts], np.bool_)
    whole = complete_wikis(page, before)
    assert (whole >= before).all()
    return [text for text, old, new in zip(page.texts, before, whole, strict=True) if new > old]


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS.keys())
@pytest.mark.parametrize("inside", [LIST, TABLE, f'<div class="div-col">{LIST}</div>'])
def test_a_page_that_is_a_list_is_kept_as_a_whole(content: str, inside: str) -> None:
    page = wiki(inside * 3, content)
    assert {*added(page)} == {*page.texts} - {LEAD, "Main page"}


def test_a_page_of_which_half_is_kept_stays_as_it_is() -> None:
    assert added(wiki(f"<h2>See also</h2>{LINKS}")) == []
    assert added(wiki(LIST * 3), *NAMES) == []


@pytest.mark.parametrize(
    "named",
    [
        "navbox", "toc", "hatnote navigation-not-searchable", "side-box metadata side-box-right",
        "noprint", "reflist", "mw-references-wrap references", "box-Unreferenced ambox",
    ],
)  # fmt: skip
def test_what_stands_beside_the_text_is_not_added(named: str) -> None:
    page = wiki(f'{LIST * 3}<div class="{named}">{LINKS}</div>')
    assert {"Beacons", "Buoys"}.isdisjoint(added(page))


def test_hidden_texts_are_not_added() -> None:
    assert "Gone" not in added(wiki(f"{LIST * 3}<p style='display:none'>Gone</p>"))


@pytest.mark.parametrize("content", ["<div class=entry-content>{}</div>", "<article>{}</article>"])
def test_pages_of_other_software_stay_as_they_are(content: str) -> None:
    assert added(wiki(LIST * 3, content)) == []
