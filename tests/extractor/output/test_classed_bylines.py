"""Bylines below the headline whose class alone tells them from boxes for users and companies."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

TEXT = (
    "<p>The town council has voted to reopen the footpath along the lower weir, four years after "
    "a landslip closed it to walkers and anglers alike, and residents were glad of it.</p>"
)
SITE = "<meta name=author content='Marlow Post'>"
MARA = ("Mara Holt",)
BUTTONS = (
    "Iniciar Sesión", "Guest User", "Get Started", "Crear Cuenta", "Вход Регистрация",
    "Zaloguj Się", "Mein Konto", "Sign In", "Créer Compte", "Wojti Registration", "Criar Conta",
)  # fmt: skip


def authors_of(
    above: str = "", below: str = "", head: str = "", language: str = "en"
) -> tuple[str, ...]:
    """Return the authors of a page in the language with this above and below its headline."""
    html = (
        f"<html lang={language}><head><title>River path reopens | Marlow Post</title>{head}</head>"
        f"<body>{above}<main><h1>River path reopens</h1>{below}{TEXT * 4}</main></body></html>"
    )
    metadata = extract(html, "https://marlow.example/a.html", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize("text", BUTTONS)
@pytest.mark.parametrize(
    "box",
    [
        "<header><div class=auth><button>{}</button></div></header>",
        "<header><p class=auth>{}</p></header>",
        "<nav class=auth>{}</nav>",
        "<form><div class=auth>{}</div></form>",
        "<div class=auth>{}</div>",
    ],
)
def test_a_box_for_users_names_no_author(text: str, box: str) -> None:
    box = box.format(text)
    assert authors_of(above=box) == authors_of(below=box) == ()
    assert authors_of(above=box, head=SITE) == authors_of(below=box, head=SITE) == ("Marlow Post",)
    dated = "<p>Mara Holt · May 4, 2024</p>"
    assert authors_of(box, dated) == authors_of(box, dated, SITE) == MARA


@pytest.mark.parametrize(
    "box",
    [
        "<header><p class=auth>{}</p></header>",
        "<nav><p class=auth>{}</p></nav>",
        "<p class=auth><button>{}</button></p>",
        "<form class=auth><p>{}</p></form>",
        "<aside><p class=firma>{}</p></aside>",
    ],
)
def test_names_in_boxes_of_the_layout_are_no_authors(box: str) -> None:
    box = box.format("Mara Holt")
    assert authors_of(above=box, language="es") == authors_of(below=box, language="es") == ()


@pytest.mark.parametrize("language", ["de", "pl", "en", ""])
@pytest.mark.parametrize("text", ["Müller Maschinenbau", "Müller Maschinenbau GmbH", "Mara Holt"])
def test_the_german_class_is_of_a_company(language: str, text: str) -> None:
    assert authors_of(below=f"<p class=firma>{text}</p>", language=language or "''") == ()


@pytest.mark.parametrize("name", ["Müller Maschinenbau GmbH", "Grupo Marlow", "Marlow Post Team"])
@pytest.mark.parametrize("kind", ["auth", "firma"])
def test_an_organization_is_no_author_by_its_class(name: str, kind: str) -> None:
    assert authors_of(below=f"<p class={kind}>{name}</p>", language="es") == ()


@pytest.mark.parametrize(
    "byline",
    [
        "<p class=firma>Mara Holt</p>",
        "<p class=firma><em>Mara Holt</em> | Madrid</p>",
        "<p class=firma>di Mara Holt</p>",
        "<div class=art-byline><div class=auth>Mara Holt</div></div>",
        "<p class=auth><b>MARA HOLT</b></p>",
    ],
)
@pytest.mark.parametrize("language", ["es", "it-IT", "ES"])
@pytest.mark.parametrize("head", ["", SITE])
def test_a_person_below_the_headline_is_the_author(byline: str, language: str, head: str) -> None:
    assert authors_of("", byline, head, language) == MARA


def test_a_byline_may_be_in_the_header_of_the_article() -> None:
    html = (
        "<html lang=es><title>River path reopens</title><article><header><h1>River path reopens"
        f"</h1><p class=firma>Mara Holt</p></header>{TEXT * 4}</article></html>"
    )
    metadata = extract(html, formats=("metadata",)).metadata
    assert metadata
    assert metadata.authors == MARA
