"""The title has no name of the site and no sign of a link, and is found in linear time."""

from __future__ import annotations

import pytest
from testing.food_pages import UNFILLED

from scrapy_boilernet import extract

TEXT = "<p>The town council has voted to reopen the footpath along the lower weir.</p>" * 4


def title_of(head: str, host: str = "www.marlowcourier.example", body: str = "") -> str | None:
    html = f"<html><head><title>{head}</title></head><body>{body}{TEXT}</body></html>"
    metadata = extract(html, f"https://{host}/a/b.html", formats=("metadata",)).metadata
    return metadata and metadata.title


@pytest.mark.parametrize("separator", [" | ", " - ", " – ", " — ", " · ", " » ", " : "])
@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("www.marlowcourier.example", "The Marlow Courier"),
        ("www.marlowcourier.example", "Marlow Courier Online"),
        ("www.rheinbote.example", "Der Rheinbote"),
        ("www.rheinbote.example", "Rheinbote Online"),
        ("www.gazette-locale.example", "La Gazette locale"),
        ("www.gazette-locale.example", "Gazette locale en ligne"),
        ("www.diarionorte.example", "El Diario Norte"),
    ],
)
def test_a_name_that_is_longer_than_the_host(host: str, name: str, separator: str) -> None:
    assert title_of(f"River path reopens{separator}{name}", host) == "River path reopens"
    assert title_of(f"{name}{separator}River path reopens", host) == "River path reopens"


@pytest.mark.parametrize("title", ["Courier news - what a path costs", "The river - the path"])
def test_parts_that_are_no_name_stay(title: str) -> None:
    assert title_of(title) == title


def test_a_separator_before_the_title_is_dropped() -> None:
    assert title_of(" - Home") == "Home"


@pytest.mark.parametrize("sign", ["#", "¶", "§", "🔗", "\u00a0"])
def test_a_headline_of_a_million_signs(sign: str) -> None:
    assert title_of("Path", body=f"<h1>a{sign * 1_000_000}b</h1>")


@pytest.mark.parametrize(
    "number",
    [
        "Page 1 of 242", "page 2", "Page 2/5", "Seite 2 von 5", "Page 2 sur 5", "Página 2 de 5",
        "Pagina 2 di 5", "Strona 2 z 5", "Sida 2 av 5", "Страница 2 из 5", "第2页", "第 2 頁",
        "2페이지", "[Page 2 of 5]",
    ],
)  # fmt: skip
def test_the_number_of_a_page_is_no_headline(number: str) -> None:
    title = "ROM - Marsh [CM13] - Phone Forums"
    html = f"<html><head><title>{title}</title></head><body><h1>{number}</h1>{TEXT}</body></html>"
    page = extract(html, "https://phones.example/t/1", formats=("metadata", "markdown"))
    assert page.metadata
    assert page.metadata.title == title
    assert page.markdown
    assert not page.markdown.startswith("#")


@pytest.mark.parametrize(
    "headline",
    ["Page One", "Page 1 of my diary", "Pages 1 to 5", "Seite an Seite", "Page 12b", "第2章"],
)
def test_headlines_that_begin_like_the_number_of_a_page(headline: str) -> None:
    html = f"<title>Some other words</title><h1>{headline}</h1>{TEXT}"
    page = extract(html, formats=("markdown",))
    assert page.markdown
    assert page.markdown.startswith(f"# {headline}\n")


@pytest.mark.parametrize("place", UNFILLED.values())
@pytest.mark.parametrize("title", ["Soup of leeks", "{{ page.title }}", ""])
def test_a_place_that_a_script_would_have_filled_is_no_title(place: str, title: str) -> None:
    html = f"<title>{title}</title><h1>{place}</h1>{TEXT}"
    page = extract(html, "https://soups.example/t/1", formats=("metadata", "markdown"))
    assert page.metadata
    assert page.metadata.title == ("Soup of leeks" if title.startswith("Soup") else None)
    assert "{{" not in (page.markdown or "{{")


@pytest.mark.parametrize("host", ["jinja.example", "docs.example"])
@pytest.mark.parametrize("place", ["{{#if}}", "{{ super() }}"])
@pytest.mark.parametrize("separator", [" - ", " | "])
def test_a_place_in_a_manual_of_templates_is_its_title(
    host: str, place: str, separator: str
) -> None:
    stated, body = f"{place}{separator}Jinja", f"<h1>{place}</h1>"
    assert title_of(stated, host, body=body) == place
    other = "<meta property=og:title content='The block super'>"
    assert title_of(f"{stated}</title>{other}<title>", host, body=body) == "The block super"


@pytest.mark.parametrize("code", ["404", "Error 404", "404 error", "Fehler 404", "Oops!", "Ups…"])
@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Page not found | X", "Page not found"),
        ("X - Page not found", "Page not found"),
        ("Seite nicht gefunden – Rheinbote", "Seite nicht gefunden"),
        ("Página no encontrada", "Página no encontrada"),
        ("Something else happened", "Something else happened"),
    ],
)
def test_the_title_of_an_error_page_is_no_code(code: str, stated: str, title: str) -> None:
    assert title_of(stated, body=f"<h1>{code}</h1>") == title


@pytest.mark.parametrize(
    ("stated", "headline"),
    [
        ("404 | X", "404"),
        ("X", "404"),
        ("Marlow Courier", "Error 404"),
        ("Page not found | X", "404 – Page not found"),
        ("Cars of the year | X", "Peugeot 404"),
        ("Figures of the year | X", "1404"),
    ],
)
def test_a_code_stays_where_no_title_says_more(stated: str, headline: str) -> None:
    assert title_of(stated, body=f"<h1>{headline}</h1>") == headline


def test_a_heading_with_the_site_alone_is_no_title() -> None:
    site = "<meta property=og:site_name content='Marlow Notes'>"
    heading = "<h1>Marlow Notes</h1>"
    assert title_of(f"River path reopens « Marlow Notes</title>{site}<title>", body=heading) == (
        "River path reopens"
    )
    assert title_of(f"Marlow Notes</title>{site}<title>", body=heading) == "Marlow Notes"
    archive = "Marlow Notes » Blog Archive » River path reopens"
    assert title_of(archive, body=heading) == "River path reopens"


def test_the_work_is_the_title_and_not_its_artist() -> None:
    stated = "The Weirs and Rivers – Low Water"
    body = "<h1>Low Water</h1><h2><a href=/a>The Weirs and Rivers</a></h2>"
    head = f"{stated} Lyrics</title><meta property=og:title content='{stated}'>"
    work = f"{head}<meta property=og:type content='music.song'><title>"
    assert title_of(work, body=body) in ("Low Water", stated)


def test_a_section_above_the_headline_is_no_title() -> None:
    stated = "River path reopens – Local News"
    head = f"{stated}</title><meta property=og:title content='{stated}'><title>"
    body = "<h1>Local News</h1><h2><a href=/a>River path reopens</a></h2>"
    assert title_of(head, body=body) == "River path reopens"


@pytest.mark.parametrize("label", ["Thread: ", "Thema: ", "THEMA: ", "Sujet : "])
def test_the_title_of_a_thread_has_no_label(label: str) -> None:
    body = f"<h1>{label}River path reopens</h1>"
    assert title_of("River path reopens - Marlow Forum", body=body) == "River path reopens"
    whole = f"{label}River path reopens"
    assert title_of(f"{whole} - Marlow Forum", body=body) == whole


def test_the_box_of_a_translator_has_no_title() -> None:
    box = "<div class='skiptranslate'><div><h1 class='title gray'>Original text</h1></div></div>"
    assert title_of("River path reopens", body=TEXT + box) == "River path reopens"


@pytest.mark.parametrize(
    ("shown", "stated", "title"),
    [
        ("Which rope? (self.boats)", "Which rope? : boats", "Which rope?"),
        ("Which rope? (x.example/a)", "Which rope? : boats", "Which rope?"),
        (
            "Which rope? (x.example)",
            "Which rope? (x.example) | Boat News",
            "Which rope? (x.example)",
        ),
        ("Which rope? (part 2)", "Which rope? : boats", "Which rope? (part 2)"),
    ],
)
def test_the_domain_of_a_link_is_no_part_of_the_title(shown: str, stated: str, title: str) -> None:
    text = (
        "<p>The boats of the harbour sail at noon, and the pier has room for all of them.</p>" * 4
    )
    html = f"<title>{stated}</title><body><h1>{shown}</h1>{text}</body>"
    metadata = extract(html, "https://b.example/a/b", formats=("metadata",)).metadata
    assert metadata
    assert metadata.title == title


def untitled(body: str, url: str | None = None) -> tuple[str | None, str]:
    """Return the title and the Markdown of a page without a <title>."""
    found = extract(f"<html><body>{body}</body></html>", url, formats=("metadata", "markdown"))
    assert found.metadata
    return found.metadata.title, found.markdown or ""


@pytest.mark.parametrize("dash", ["-", "–", "—", "--"])
@pytest.mark.parametrize("name", ["NAME", "Name", "NOM", "NAZWA", "名前"])
def test_a_manual_page_is_named_in_its_first_section(name: str, dash: str) -> None:
    line = f"<p>Weir::Path {dash} base class of all paths</p>"
    title, markdown = untitled(f"<h1>{name}</h1>{line}<h1>DESCRIPTION</h1>{TEXT}")
    assert title == "Weir::Path"
    assert markdown.startswith(f"# {name}\n")
    for body in ("<p>No dash</p><h1>DESCRIPTION</h1>", "<p>Ann Lee - author</p>"):
        assert untitled(f"<h1>{name}</h1>{body}{TEXT}")[0] == name


def test_a_title_comes_before_the_name_in_the_first_section() -> None:
    body = f"<h1>NAME</h1><p>weir - opens a path</p><h1>DESCRIPTION</h1>{TEXT}"
    assert title_of("weir(4)", body=body) == "weir(4)"


BANNER = "<div id={}><h1><a href=https://blog.example/ accesskey=1>Ole Berg</a></h1></div>"


@pytest.mark.parametrize("name", ["banner", "masthead", "site-title", "logo", "x1"])
@pytest.mark.parametrize("tag", ["h2", "h3"])
def test_a_heading_in_a_banner_is_the_site(name: str, tag: str) -> None:
    post = f"<h2 class=date>October 27, 2003</h2><{tag} class=title>The lower weir</{tag}>{TEXT}"
    url = "https://blog.example/a/b.html" if name == "x1" else None
    assert untitled(BANNER.format(name) + post, url)[0] == "The lower weir"


def test_a_heading_in_a_banner_without_another_one_stays() -> None:
    assert untitled(BANNER.format("banner") + TEXT)[0] == "Ole Berg"
    hero = f"<div id=banner><h1>The lower weir</h1></div><h2>Opening</h2>{TEXT}"
    assert untitled(hero)[0] == "The lower weir"


@pytest.mark.parametrize("name", ["id=masthead", "class=site-header"])
@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("#top", None), ("#top", "https://blog.example/a/b"), ("b#c", "https://blog.example/a/b"),
        ("/a/b", "https://blog.example/a/b"), ("https://blog.example/", "https://blog.example/"),
    ],
)  # fmt: skip
def test_a_heading_that_leads_to_its_own_page_is_no_banner(
    name: str, href: str, url: str | None
) -> None:
    banner = f"<header {name}><h1><a href={href}>The lower weir</a></h1></header>"
    assert untitled(f"{banner}<h2>Where it runs</h2>{TEXT}", url)[0] == "The lower weir"


STATED = {
    "open graph": "<meta property=og:title content='The lower weir'>",
    "twitter": "<meta name=twitter:title content='The lower weir'>",
    "json-ld": '<script type="application/ld+json">{"@type": "NewsArticle", "headline": '
    '"The lower weir"}</script>',
}


@pytest.mark.parametrize("head", STATED.values())
@pytest.mark.parametrize("tag", ["h2", "h3"])
@pytest.mark.parametrize("banner", ["", BANNER.format("banner"), "<h1>The lower weir</h1>"])
def test_a_stated_title_comes_before_that_of_a_section(head: str, tag: str, banner: str) -> None:
    body = f"{banner}<{tag}>Introduction</{tag}>{TEXT}<h4>More</h4>{TEXT}"
    found = extract(f"{head}<body>{body}", "https://blog.example/a", formats=("metadata",))
    assert found.metadata
    assert found.metadata.title == "The lower weir"


def test_the_only_heading_of_its_level_is_the_title() -> None:
    assert untitled(f"<h3>The lower weir</h3><h4>Opening</h4>{TEXT}")[0] == "The lower weir"
    assert untitled(f"<h3>The lower weir</h3>{TEXT}<h3>Opening</h3>{TEXT}")[0] is None
    assert untitled(f"{TEXT * 3}<h3>The lower weir</h3>{TEXT}")[0] is None


@pytest.mark.parametrize(
    ("site", "host", "cut"),
    [
        ("Project for Paths in Marlow (PPM)", "www.ppm.example", True),
        ("Marlow Path Project (MPP)", "www.marlowpathproject.example", True),
        ("Project for Paths in Marlow (PPM)", "www.other.example", False),
        ("Overview of all paths (PPM)", "www.ppm.example", False),
        ("Project for Paths in Marlow (2nd part)", "www.ppm.example", False),
    ],
)
def test_a_site_with_its_abbreviation(site: str, host: str, cut: bool) -> None:
    title = f"River path reopens | {site}"
    assert title_of(title, host) == ("River path reopens" if cut else title)
