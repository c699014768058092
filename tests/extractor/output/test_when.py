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


def dates_of(html: str, language: str = "en") -> tuple[str | None, str | None]:
    """Return the dates of publication and change of a page with this body."""
    page = f"<html lang={language}><title>River path reopens</title><body>{html}</body></html>"
    found = extract(page, "https://x.example/a.html", formats=("metadata",)).metadata
    assert found
    return found.date_published, found.date_modified


H1 = "<h1>River path reopens</h1>"


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize(
    "header",
    [
        # A date beside links: to the author, to categories, to other series.
        "<header><div><a href=/s>The River and Weir Podcast</a> <a href=/d>{}</a></div>"
        "{h1}</header>",
        "{h1}<div class=meta><a href=/a>Maud Ellery</a> <a href=/c>Rivers, weirs and paths</a> "
        "<a href=/d>{}</a> <a href=/t>walking</a>, <a href=/t>council</a> 0 Comments</div>",
        # A date beside the link to an author with a long name.
        "{h1}<p>{lead}</p><div><div>{}</div><div>von <address class=author><a href=/r>"
        "marlow-courier.example Redaktion</a></address></div></div>",
        # A date in a box that links something else, once.
        "{h1}<div class=info><p class=line>{}</p><a href=/blog><h3>Notes from the river, a blog"
        "</h3></a></div>",
    ],
)
def test_a_date_beside_links_is_the_pages_own(language: str, header: str) -> None:
    text = TEXTS[language]
    shown = header.format(DATES[language], h1=H1, lead=text)
    body = "".join(f"<p>{text} {i}</p>" for i in range(6))
    assert dates_of(f"<main>{shown}<div>{body}</div></main>", language)[0] == "2026-05-22"


@pytest.mark.parametrize(
    ("language", "published", "changed"),
    [
        ("en", "March 5, 2024", "Updated March 6, 2024"),
        ("en", "05 Mar 2024 06:23PM", "(Updated: 06 Mar 2024 06:27PM)"),
        ("de", "5. März 2024", "Letzte Änderung: 6. März 2024"),
        ("de", "Erschienen am 05.03.2024", "zuletzt aktualisiert am 06.03.2024"),
        ("fr", "Publié le 5 mars 2024", "Mise à jour le 6 mars 2024"),
        ("es", "5 de marzo de 2024", "Última actualización: 6 de marzo de 2024"),
        ("pt", "5 de março de 2024", "Última atualização: 6 de março de 2024"),
        ("it", "5 marzo 2024", "Ultimo aggiornamento: 6 marzo 2024"),
        ("nl", "5 maart 2024", "Laatst bijgewerkt op 6 maart 2024"),
        ("sv", "5 mars 2024", "Uppdaterad 6 mars 2024"),
        ("tr", "5 Mart 2024", "Güncelleme: 6 Mart 2024"),
        ("ru", "5 марта 2024", "Обновлено 6 марта 2024"),
        ("ko", "입력 2024.03.05", "수정 2024.03.06"),
        ("eu", "2024ko martxoaren 5a", "Eguneratua: 2024ko martxoaren 6a"),
    ],
)
@pytest.mark.parametrize(
    "form", ["<p>{} {}</p>", "<p>{}</p><p>{}</p>", "<p class=date>{} | {}</p>"]
)
def test_dates_of_publication_and_change(
    language: str, published: str, changed: str, form: str
) -> None:
    html = f"<main>{H1}{form.format(published, changed)}{'<p>' + TEXTS['en'] + '</p>'}</main>"
    first, last = dates_of(html, language)
    assert (first or "")[:10] == "2024-03-05"
    assert (last or "")[:10] == "2024-03-06"


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Erschienen am: 01.11.2023", "2023-11-01", None),
        ("Letzte Änderung: 31.10.2023", None, "2023-10-31"),
        ("Stand 27.01.2022", None, "2022-01-27"),
        ("Published on 1 November 2023", "2023-11-01", None),
        ("Last updated: 31 October 2023", None, "2023-10-31"),
        ("Publié le 1er novembre 2023", "2023-11-01", None),
        ("Dernière mise à jour : 31 octobre 2023", None, "2023-10-31"),
        ("Ostatnia aktualizacja: 31 października 2023", None, "2023-10-31"),
        ("Senast uppdaterad 31 oktober 2023", None, "2023-10-31"),
        ("Последнее обновление: 31 октября 2023", None, "2023-10-31"),
    ],
)
def test_a_date_that_is_called_so_counts_anywhere(
    text: str, first: str | None, last: str | None
) -> None:
    links = "".join(f"<li><a href=/{i}>Entry {i}</a></li>" for i in range(40))
    body = f"<main>{H1}{('<p>' + TEXTS['de'] + '</p>') * 5}</main>"
    assert dates_of(f"{body}<ul>{links}</ul><p>{text}</p>", "de") == (first, last)
