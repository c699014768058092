"""Bylines that also name photographers, sources and dates."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.output.credits import writers_of
from scrapy_boilernet.extractor.output.name_lists import split_names

TEXT = (
    "<p>The town council has voted to reopen the footpath along the lower weir, four years after "
    "a landslip closed it to walkers and anglers alike, and residents were glad of it.</p>"
)
MARA, HANA, WANG, ZHANG, HANAKO = ("Mara Holt",), ("김하나",), ("王小明",), ("张三",), ("山田花子",)


def authors_of(byline: str, kind: str = "byline") -> tuple[str, ...]:
    """Return the authors of a page with this line of this class below its headline."""
    html = (
        "<html><head><title>River path reopens</title></head><body><main>"
        f"<h1>River path reopens</h1><p class={kind}>{byline}</p>{TEXT * 4}</main></body></html>"
    )
    metadata = extract(html, "https://marlow.example/a.html", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize("kind", ["byline", "author", "x1"])
@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Text: Mara Holt, Fotos: Jo Fink", MARA),
        ("Text: Mara Holt Foto: Jo Fink", MARA),
        ("Fotos: Jo Fink, Text: Mara Holt", MARA),
        ("Text und Fotos: Mara Holt", MARA),
        ("Tekst: Mara Holt Foto: Jo Fink", MARA),
        ("Tekst og foto: Mara Holt", MARA),
        ("Words: Mara Holt Photos: Jo Fink", MARA),
        ("Words: Mara Holt and Ann Lee Photos: Jo Fink", ("Mara Holt", "Ann Lee")),
        ("Texto: Mara Holt Fotos: Jo Fink", MARA),
        ("Texte : Mara Holt – Photos : Jo Fink", MARA),
        ("Testo di Mara Holt, foto di Jo Fink", MARA),
        ("Tekst: Mara Holt, zdjęcia: Jo Fink", MARA),
        ("Tekst: Mara Holt Foto's: Jo Fink", MARA),
        ("Teksti: Mara Holt, kuvat: Jo Fink", MARA),
        ("Текст: Мария Иванова Фото: Иван Петров", ("Мария Иванова",)),
        ("Photos by Jo Fink, text by Mara Holt", MARA),
        ("Words by Mara Holt, photos by Jo Fink", MARA),
        ("By Mara Holt and photos by Jo Fink", MARA),
        ("By Mara Holt | Photo: Jo Fink", MARA),
        ("Story and photos by Mara Holt", MARA),
        ("文・山田花子 写真・鈴木一郎", HANAKO),
        ("文：山田花子 写真：鈴木一郎", HANAKO),
        ("取材・文／山田花子　撮影／鈴木一郎", HANAKO),
        ("文・写真＝山田花子", HANAKO),
        ("김하나 기자 입력 2024.05.03 14:05", HANA),
        ("김하나 특파원 등록 2024.05.03", HANA),
        ("입력 2024.05.03 14:05 | 김하나 기자", HANA),
        ("来源：新华网 作者：张三 2024-05-03", ZHANG),
        ("May 3, 2024 - Mara Holt", MARA),
        ("03/05/2024 - Mara Holt", MARA),
        ("3. Mai 2024 - Mara Holt", MARA),
        ("Mara Holt - May 3, 2024", MARA),
        ("May 3, 2024 | Mara Holt", MARA),
        ("May 3, 2024 - 5 min read", ()),
        ("Posted on May 3, 2024 by mara", ("mara",)),
        ("Posted on 03/05/2024 at 5:06 pm by mara", ("mara",)),
        ("Posted by mara on May 3, 2024", ("mara",)),
        ("Veröffentlicht am 3. Mai 2024 von mara", ("mara",)),
        ("Publicado el 3 de mayo de 2024 por mara", ("mara",)),
        ("Posted on May 3, 2024 by admin", ()),
        ("Posted on May 3, 2024 by popular demand", ()),
        ("By Mara Holt", MARA),
    ],
)
def test_a_byline_names_the_writers_only(byline: str, names: tuple[str, ...], kind: str) -> None:
    assert authors_of(byline, kind) == names


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("기자명 김하나 기자", HANA),
        ("글쓴이: 김하나", HANA),
        ("승인 2024.05.03 14:05 김하나 기자", HANA),
        ("입력 2024.05.03 14:05", ()),
        ("記者王小明／台北報導", WANG),
        ("記者王小明/台北報導", WANG),
        ("〔記者王小明／台北報導〕", WANG),
        ("（记者 王小明／上海报道）", WANG),
        ("記者王小明、李大同／台北報導", (*WANG, "李大同")),
        ("作者：张三 来源：新华网 2024-05-03", ZHANG),
        ("作者：张三 责任编辑：李四", ZHANG),
        ("作者：张三 时间：2024-05-03", ZHANG),
        ("文/张三 图/李四", ZHANG),
        ("Teksti: Mara Holt", MARA),
        ("Photos by Jo Fink", ("Jo Fink",)),
        ("Von Mara Holt (Text) und Jo Fink (Fotos)", MARA),
    ],
)
def test_a_line_of_the_class_of_a_byline_has_words_around_a_name(
    byline: str, names: tuple[str, ...]
) -> None:
    assert authors_of(byline) == names


@pytest.mark.parametrize(
    "byline",
    [
        "Mara Holt", "By Mara Holt and Jo Fink", "Text: Mara Holt", "Photos by Jo Fink",
        "김하나 기자", "Foto: Jo Fink", "Von Mara Holt (Text) und Jo Fink (Fotos)", "マラ・ホルト",
        "文ちゃん", "Bild am Sonntag",
    ],
)  # fmt: skip
def test_a_byline_with_credits_of_one_kind_stays(byline: str) -> None:
    assert writers_of(byline) == byline


@pytest.mark.parametrize("name", ["記者會", "记者站编辑部", "Video Vera", "文字游戏"])
def test_a_name_may_begin_like_a_credit(name: str) -> None:
    assert split_names(name) == (name,)


@pytest.mark.parametrize("piece", ["文", "記者王", "photos and ", "foto: ", "王/", "입력 ", " "])
def test_long_bylines_take_linear_time(piece: str) -> None:
    assert isinstance(writers_of(piece * 20_000), str)
