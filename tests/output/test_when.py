"""The date of a teaser is never taken for that of the page."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

TEXTS = {
    "en": "The town council has voted to reopen the footpath along the lower weir, four years "
    "after a landslip closed it to walkers and anglers alike, and residents were glad of it.",
    "de": "Der Stadtrat hat am Montag beschlossen, den Uferweg nach vier Jahren wieder zu öffnen, "
    "nachdem ein Erdrutsch ihn für Spaziergänger und Angler gesperrt hatte.",
    "fr": "Le conseil municipal a décidé lundi de rouvrir le chemin de halage, fermé depuis quatre "
    "ans aux promeneurs et aux pêcheurs après un glissement de terrain.",
}
DATES = {"en": "May 22, 2026", "de": "22. Mai 2026", "fr": "22 mai 2026"}
LINK = '<a href="/a">Ferry service to the islands resumes after long strike</a>'
TIME = '<time datetime="2026-03-03T00:00:00">3 March</time>'
TEASERS = {
    "item": f"<li>{LINK} {TIME}</li>",
    "card": f"<div><h3>{LINK}</h3><p>Short text about it</p>{TIME}</div>",
    "time first": f"<div>{TIME}<h4>{LINK}</h4></div>",
    "paragraphs": f"<p>{LINK}</p><p>{TIME}</p>",
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("teaser", TEASERS)
@pytest.mark.parametrize("place", ["above", "below", "beside"])
@pytest.mark.parametrize("paragraphs", [3, 12])
@pytest.mark.parametrize("own", [True, False])
def test_teasers(language: str, teaser: str, place: str, paragraphs: int, own: bool) -> None:
    body = "".join(f"<p>{TEXTS[language]} {i}</p>" for i in range(paragraphs))
    shown = f"<p class=x1>{DATES[language]}</p>" if own else ""
    more = f"<div class=more>{TEASERS[teaser] * 3}</div>"
    parts = {
        "above": f"{more}<main><h1>River path reopens</h1>{shown}{body}</main>",
        "below": f"<main><h1>River path reopens</h1>{shown}{body}</main>{more}",
        "beside": f"<main><h1>River path reopens</h1>{shown}{body}</main><aside>{more}</aside>",
    }
    html = f"<html lang={language}><title>River path reopens</title><body>{parts[place]}</body>"
    found = extract(html, "https://x.example/a.html", formats=("metadata",)).metadata
    assert found
    assert found.date_published == ("2026-05-22" if own else None)


def test_a_later_date_completes_a_year() -> None:
    html = (
        '<html lang=en><script type="application/ld+json">{"@type": "NewsArticle", "headline": '
        '"River path reopens", "datePublished": "2018"}</script><body><main>'
        f"<h1>River path reopens</h1><p>{TEXTS['en']}</p></main></body>"
    )
    found = extract(html, "https://x.example/a.html", formats=("metadata",)).metadata
    assert found
    assert found.date_published == "2018"
