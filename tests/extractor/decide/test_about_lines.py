"""Lines about a text are no text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from testing.food_pages import PARAGRAPHS

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.about_lines import (
    _FILED,
    _LINE,
    _RIGHTS,
    _RIGHTS_SIGNS,
    _signs,
    tell_of_rights,
    tell_of_the_text,
)
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
LINES = [
    "Last edited by Ada on Wed Mar 21, 2012 2:12 pm, edited 2 times in total.",
    "This post was edited on May 3", "Zuletzt geändert von Ada; 03.05.2019 um 18:20.",
    "Edited by Ada on 5/3/19 at 18:20",
    "Dernière modification par Ada", "Última edición por Ada", "Ultima modifica di Ada",
    "Последний раз редактировалось Ада 3 мая", "Ostatnio edytowane przez Ada",
    "A post shared by Ada (@ada) on May 20, 2018", "Ein Beitrag geteilt von Ada (@ada)",
    "Send any friend a story", "Vous pouvez offrir 5 articles par mois",
    "As a subscriber, you have 10 gift articles to give each month. Anyone can read it.",
    "Rate this recipe", "Follow us on Instagram", "Suivez-nous sur Instagram", "113 likes",
    "责任编辑：王晓", "【编辑：王晓】", "（来源：山水日报）", "(责编： 山水)",
    "最后编辑于 2020-03-04",
]  # fmt: skip
FILED = [
    "Tags:",
    "Filed under:",
    "Category:",
    "Schlagwörter:",
    "Étiquettes :",
    "Теги:",
    "标签：",
    "Tags：",
]
RIGHTS = [
    "© 2025 Mill Review", "Copyright 2025 Mill Review. All rights reserved.",
    "Mill Review © tous droits réservés", "(c) 2025 Mill Review. Alle Rechte vorbehalten.",
    "Все права защищены.", "Material of Mill Review, all rights reserved",
]  # fmt: skip


def found(html: str) -> list[str]:
    page = blockify(f"<article>{html}</article>")
    kept = np.full(len(page.blocks), True)
    places = {*tell_of_the_text(page, kept), *tell_of_rights(page, range(len(kept)))}
    return [page.texts[place] for place in sorted(places)]


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("html", ["<p>{}</p>", "<div><i>{}</i></div>", "<ul><li>{}</ul>"])
def test_lines_about_a_text_are_found(line: str, html: str) -> None:
    assert found(html.format(line) + TEXT) == [line]


@pytest.mark.parametrize("begin", FILED)
def test_lines_of_links_to_what_is_filed_so_are_found(begin: str) -> None:
    links = "<a href=/a>mills</a>, <a href=/b>weirs and gates</a>"
    line = f"{begin} mills, weirs and gates"
    assert found(f"<p>{begin} {links}</p>{TEXT}") == [line]
    assert found(f"<p>{line}</p>{TEXT}") == []


@pytest.mark.parametrize("line", RIGHTS)
def test_the_rights_are_found_at_the_end(line: str) -> None:
    assert found(f"{TEXT}<p>{line}</p>") == [line]
    assert found(f"{TEXT}<p>{line}</p><p>Ada</p><p>Bea</p>") == [line]
    assert found(f"<p>{line}</p>{TEXT}") == []
    assert found(f"{TEXT}<h2>License</h2><p>{line}</p>") == []
    assert found(f"{TEXT}<pre>{line}</pre>") == []


@pytest.mark.parametrize(
    "text",
    [
        "Last edited volumes are sold first, said the keeper of the archive.",
        "Rate this against what the mill earns in a year.",
        "Edited by hand, the list had forty names.",
        "113 likes were given to it, and nobody knows why.",
        "A post shared the field with two larches.",
        "来源很多，但都不可靠。",
        "来源：伞形科植物当归的干燥根。",
        "编辑：修改已有的文件。",
        "Ein von Nebel stiller See",
        "Modifié par la loi n° 2004-575 du 21 juin 2004",
        "Edited by John Ruskin, London 1862, the volume was sold out.",
        "Editado por Anagrama en 1998, el libro tuvo lectores.",
        "Изменено было всё: и дом, и сад.",
        "Follow me on the narrow path to the mill.",
        "Folge uns auf leisen Wegen",
        "Send a friend this way, and he will find the mill.",
        "You have 10 gift shops to choose from in the old town.",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert found(f"<p>{text}</p>{TEXT}") == []


@pytest.mark.parametrize(
    "text",
    [
        "The court held that copyright does not protect an idea.",
        "Whoever copies a mill, it said, does not break copyright, but a neighbor's heart.",
        "Copyright had been its greatest fear.",
    ],
)
def test_an_article_about_rights_keeps_its_end(text: str) -> None:
    assert found(f"{TEXT}<p>{text}</p>") == []


@pytest.mark.parametrize("tag", ["h2", "td", "dt", "pre"])
def test_a_heading_and_a_cell_stay(tag: str) -> None:
    html = {"td": "<table><tr><td>{0}<td>What it is.</table>", "dt": "<dl><dt>{0}<dd>It.</dl>"}
    whole = html.get(tag, "<{1}>{0}</{1}>").format("Rate this recipe", tag)
    assert found(whole + TEXT) == []


@given(st.one_of(st.from_regex(_LINE.pattern), st.from_regex(_FILED.pattern)))
def test_every_line_has_a_sign(line: str) -> None:
    assume(not {*line} & {*"İıſK"})  # whose cases re ignores
    assert any(sign.decode() in line.lower() for sign in _signs.stems)


@given(st.from_regex(_RIGHTS.pattern))
def test_every_line_on_rights_has_a_sign(line: str) -> None:
    assert any(sign in line.lower() for sign in _RIGHTS_SIGNS)


def test_they_are_left_out_of_a_page() -> None:
    html = f"<title>Soup</title><article><h1>Soup</h1>{TEXT}<p>{RIGHTS[1]}</p></article>"
    result = extract(html, "https://blog.example.com/soup")
    assert RIGHTS[1] not in result.text
    assert PARAGRAPHS[-1] in result.text
