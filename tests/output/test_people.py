"""Names in bylines and in lists of authors."""

from __future__ import annotations

import pytest

from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.output.people import in_title_case, split_names

MAUD = ("Maud Ellery",)


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By Maud Ellery, Health Correspondent", MAUD),
        ("Von Maud Ellery, dpa", MAUD),
        ("Par Maud Ellery, envoyée spéciale à Lyon", MAUD),
        ("Por Maud Ellery, corresponsal en Madrid", MAUD),
        ("Di Maud Ellery, nostro inviato", MAUD),
        ("By Maud Ellery, The Marlow Courier", MAUD),
        ("By Maud Ellery, Senior Reporter and Bo Chan", ("Maud Ellery", "Bo Chan")),
        ("By Maud Ellery and staff", MAUD),
        ("By Maud Ellery with agencies", MAUD),
        ("Von Maud Ellery mit Agenturen", MAUD),
        ("Maud Ellery maud@x.example", MAUD),
        ("By Maud Ellery <maud@x.example>", MAUD),
        ("Maud Ellery (@maud)", MAUD),
        ("Follow @maud", ()),
        ("@maud_e", ()),
        ("By Maud Ellery, PhD", ("Maud Ellery, PhD",)),
        ("作者：李木匠", ("李木匠",)),
        ("记者：李木匠", ("李木匠",)),
        ("文／王小明", ("王小明",)),
        ("取材・文＝山田太郎", ("山田太郎",)),
        ("執筆：山田太郎", ("山田太郎",)),
        ("홍길동 기자", ("홍길동",)),
        ("Текст: Мария Иванова и Пётр Петров", ("Мария Иванова", "Пётр Петров")),
        ("By ABBY GOODWIN, TOM KELLER and BO PEARCE", ("Abby Goodwin", "Tom Keller", "Bo Pearce")),
    ],
)
def test_a_byline_gives_only_names(byline: str, names: tuple[str, ...]) -> None:
    assert split_names(byline) == names


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("Ellery, Maud", MAUD),
        ("Ellery, Maud; Abara, Jon", ("Maud Ellery", "Jon Abara")),
        ("Ellery, Maud A.", ("Maud A. Ellery",)),
        ("van der Berg, Jan", ("Jan van der Berg",)),
        ("O'Hara, Maud", ("Maud O'Hara",)),
        ("Müller, Jörg", ("Jörg Müller",)),
        ("Иванова, Мария", ("Мария Иванова",)),
        ("Ann Lee, Bo Chan", ("Ann Lee", "Bo Chan")),
        ("Ann Lee, Bo Chan, Cy Diaz", ("Ann Lee", "Bo Chan", "Cy Diaz")),
        ("李木匠, 王小明", ("李木匠", "王小明")),
    ],
)
def test_last_and_first_name_are_one_author(stated: str, names: tuple[str, ...]) -> None:
    assert split_names(stated, shown=False) == names


@pytest.mark.parametrize(
    ("capitals", "name"),
    [
        ("JOHANNA MCDONALD", "Johanna McDonald"),
        ("J.K. O'HARA", "J.K. O'Hara"),
        ("ÉLÉONORE DE LA TOUR", "Éléonore de la Tour"),
        ("JAN VAN DER BERG", "Jan van der Berg"),
        ("İBRAHİM KAYA", "İbrahim Kaya"),
        ("МАРИЯ ИВАНОВА", "Мария Иванова"),
        ("BBC NEWS", "BBC NEWS"),
        ("REUTERS", "REUTERS"),
        ("Ann Lee", "Ann Lee"),
        ("李木匠", "李木匠"),
    ],
)
def test_names_in_capitals_are_written_as_names(capitals: str, name: str) -> None:
    assert in_title_case(capitals) == name


def test_entities_encoded_twice_are_text_in_every_field() -> None:
    page = b'<meta name="author" content="Maud O&amp;#039;Hara"><p>A text.</p>'
    stated = blockify(page, stated=True).stated
    assert stated is not None
    assert stated.meta("author") == "Maud O'Hara"
