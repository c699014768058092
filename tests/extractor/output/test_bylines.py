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


STATED_PREFIXES = (
    "di Mara Holt", "par Mara Holt", "por Mara Holt", "von Mara Holt", "door Mara Holt",
    "av Mara Holt", "af Mara Holt", "przez Mara Holt", "By Mara Holt", "Автор: Mara Holt",
    "作者：Mara Holt", "Text: Mara Holt", "Auteur : Mara Holt", "Gepostet von Mara Holt",
    "Publié par Mara Holt", "Publicado por Mara Holt", "Pubblicato da Mara Holt",
    "Geplaatst door Mara Holt", "Publicerad av Mara Holt", "Diposkan oleh Mara Holt",
)  # fmt: skip


@pytest.mark.parametrize("text", STATED_PREFIXES)
def test_words_before_a_stated_name_are_no_part_of_it(text: str) -> None:
    assert split_names(text, shown=False) == MARA
    card = f"<span class='post-author vcard'>{text.replace('Mara Holt', '')} <b class=fn>Mara Holt"
    assert authors_of(f"{card}</b></span>", "post-footer") == MARA


@pytest.mark.parametrize(
    "name",
    ["von Trapp", "von der Leyen", "di Caprio", "Di Stefano", "Merk Hansen", "Ana Markova",
     "50 Cent", "3 Days Grace", "2024 Collective", "Text Pilot", "Visita Lopez"],
)  # fmt: skip
def test_names_that_begin_like_other_texts_stay(name: str) -> None:
    assert split_names(name, shown=False) == (name,)


@pytest.mark.parametrize(
    "text",
    ["Category: Clocks", "Categoría: Relojes", "Brand: Keel", "Marque : Keel", "Marca: Keel",
     "Visit the Keel Store", "Besuche den Keel-Store", "Visita lo Store di Keel",
     "Visiter la boutique Keel", "Visita la tienda de Keel"],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["byline", "posted_in", "author-info"])
def test_categories_and_brands_are_no_authors(text: str, kind: str) -> None:
    assert authors_of(text, kind) == ()


def test_links_to_tags_are_no_authors() -> None:
    shop = '<span class=posted_in>Kategorie: <a href="/c" rel=tag>Mara Holt</a></span>'
    assert authors_of(shop, "product_meta") == ()
    assert authors_of("<span class=posted-by>Mara Holt</span>", "meta") == MARA


BUTTONS = (
    "Listen Now", "Watch Video", "Open App", "Télécharger PDF", "Scarica PDF", "Pobierz PDF",
    "Lataa MP3", "Скачать MP3", "Download PDF", "Print this page", "Leer Más", "PDF Herunterladen",
    "Ladda Ned", "Hent PDF", "Écouter Podcast", "Play Audio",
)  # fmt: skip


@pytest.mark.parametrize("text", BUTTONS)
@pytest.mark.parametrize("form", ["14 May 2024 | <a href=x>{}</a>", "14 May 2024<p><a>{}</a></p>"])
def test_links_beside_a_date_that_tell_what_to_do_are_no_authors(text: str, form: str) -> None:
    assert authors_of(form.format(text), "date") == ()
    assert authors_of(form.format("Mara Holt"), "date") == MARA


@pytest.mark.parametrize(
    "text",
    ["Mara Holt, 14 March 2026", "Mara Holt, 2 hours ago", "Mara Holt | vor 2 Stunden",
     "Mara Holt, il y a 3 jours", "Mara Holt, hace 2 horas", "Mara Holt · 2024年5月1日",
     "Mara Holt, 5 мая 2024"],
)  # fmt: skip
def test_dates_and_ages_are_no_names(text: str) -> None:
    assert split_names(text) == split_names(text, shown=False) == MARA


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By <a rel=author>Mara Holt</a> and Ann Lee", ("Mara Holt", "Ann Lee")),
        ("By Gazette Staff and Mara Holt", ("Gazette Staff", "Mara Holt")),
        ("By Mara Holt, Staff Writer", MARA),
        ("By Mara Holt, staff and agencies", MARA),
        ("By <a rel=author>Mara Holt</a> and Tide News", MARA),
        ("By <a rel=author>Mara Holt</a>, Tide Press", MARA),
    ],
)
def test_who_wrote_it_too(byline: str, names: tuple[str, ...]) -> None:
    assert authors_of(byline, "x1") == names


MAIL = "Mara Holt <a href='mailto:list%40x.example?Subject=x'>mara at x.example</a>"


@pytest.mark.parametrize(
    ("above", "below", "names"),
    [
        ("<span class=author>tide</span>/<b>lib</b>", "", ()),
        (
            "<span class=author>tide</span>/<b>lib</b>",
            "<h3><a class=author>ana</a> commented May 1, 2024</h3>",
            ("ana",),
        ),
        ("<span class=author>Mara Holt</span> / Marlow", "", MARA),
        ("", f"<b>Mara Holt</b> {MAIL[10:]}<br><i>Fri Jan 12 10:11:12 CET 2024</i>", MARA),
        ("", "Write to us at x.example<br><i>Fri Jan 12 10:11:12 CET 2024</i>", ()),
        (
            "",
            "<p>214 points by <a class=hnuser>mkeel</a> 55 days ago</p>"
            "<p><a class=hnuser>salt</a> 55 days ago</p>",
            ("mkeel",),
        ),
    ],
)
def test_owners_and_addresses_are_no_authors(above: str, below: str, names: object) -> None:
    html = (
        f"<title>River path reopens</title><body><div>{above}</div><h1>River path reopens</h1>"
        f"<div>{below}</div>{TEXT * 4}</body>"
    )
    metadata = extract(html, "https://marlow.example/a.html", formats=("metadata",)).metadata
    assert metadata
    assert metadata.authors == names


@pytest.mark.parametrize("kind", ["byline", "x1"])
@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("作者：张三", ZHANG),
        ("作者:张三", ZHANG),
        ("2024-05-03 14:05来源：港口报 作者：张三", ZHANG),
        ("来源：港口报<span>作者：张三</span>", ZHANG),
        ("发表于2024-05-03 14:05| 116次阅读| 来源港口报| 作者张三", ZHANG),
        ("作者：张三 王小明返回港口，查看更多", ("张三", "王小明")),
        ("作者：张三 编辑：李四", ZHANG),
        ("著者：山田花子", HANAKO),
        ("Un texte de Mara Holt", MARA),
    ],
)
def test_the_word_for_the_author_without_a_space(
    byline: str, names: tuple[str, ...], kind: str
) -> None:
    assert authors_of(byline, kind) == names


@pytest.mark.parametrize(
    "line", ["作者简介：张三，港口报记者", "作者授权", "读者：张三", "本书作者很多"]
)
def test_other_lines_with_that_word_name_no_author(line: str) -> None:
    assert authors_of(line, "x1") == ()


HEAD = "<title>River path reopens | Marlow Post</title><meta name=author content='{}'>"


def stated_with(stated: str, body: str) -> tuple[str, ...]:
    """Return the authors of a page with this stated author and this below its headline."""
    html = (
        f"<html><head>{HEAD.format(stated)}</head><body><main><h1>River path reopens</h1>{body}"
        f"{TEXT * 4}</main></body></html>"
    )
    metadata = extract(html, "https://marlow.example/a.html", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize(
    "stated",
    ["marlow.example", "MARLOW.NET", "Marlow Post", "Marlow Post Staff", "maraholt", "mholt",
     "Justice Desk - Marlow Post"],
)  # fmt: skip
@pytest.mark.parametrize(
    "body",
    [
        "<p class=byline>By Mara Holt</p>",
        "<p class=byline__link><a href=/m>Mara Holt | mholt@marlow.example</a></p>",
        "<p class=auth><b>MARA HOLT</b></p>",
        "<p class=auth><b>MARA HOLT <sup><a href=#1>[1]</a></sup></b></p>",
    ],
)
def test_a_shown_person_comes_before_a_stated_host_site_or_account(stated: str, body: str) -> None:
    assert stated_with(stated, body) == MARA


@pytest.mark.parametrize(
    ("stated", "body", "names"),
    [
        ("Ann Lee", "<p class=byline>By Mara Holt</p>", ("Ann Lee",)),
        ("riverfan", "<p class=byline>By Mara Holt</p>", ("riverfan",)),
        ("Marlow Post Staff", "<p>By Marlow Post Staff</p><p>Photos: Jo Fink</p>", ()),
        ("Marlow Post Staff", "<p class=auth><a href=/in>Sign In</a></p>", ()),
        ("Marlow Post Staff", "<p class=auth>Wojti Registration</p>", ()),
        ("marlow.example", "", ()),
        ("Marlow Historical Society", "<p class=byline>By Mara Holt</p>", ()),
    ],
)
def test_other_stated_authors_stay(stated: str, body: str, names: tuple[str, ...]) -> None:
    assert stated_with(stated, body) == (names or (stated,))


@pytest.mark.parametrize("body", ["<p class=byline>张三</p>", "<p>作者：张三</p>"])
def test_a_shown_chinese_person_comes_before_the_site(body: str) -> None:
    html = (
        "<html lang=zh><head><title>河边小路重新开放_港口时报网</title>"
        "<meta name=author content=港口时报网></head><body><main><h1>河边小路重新开放</h1>"
        f"{body}{TEXT * 4}</main></body></html>"
    )
    metadata = extract(html, "https://gk.example/a.html", formats=("metadata",)).metadata
    assert metadata
    assert metadata.authors == ZHANG


@pytest.mark.parametrize(
    ("stated", "names"),
    [
        ("ISO/TC9/WG4/PIER, by Mara Holt, PIER Editor", MARA),
        ("Marlow Harbour Board, by Mara Holt", MARA),
        ("Mara Holt, Bo Chan", ("Mara Holt", "Bo Chan")),
        ("Stand by Me Society", ("Stand by Me Society",)),
    ],
)
def test_a_stated_organization_and_its_author(stated: str, names: tuple[str, ...]) -> None:
    assert split_names(stated, shown=False) == names


def test_a_class_of_a_program_names_no_author() -> None:
    line = "<p>Resets <span class=WRITER id=WRITER1>The paragraph style</span></p>"
    assert stated_with("", line) == ()
    assert stated_with("", "<p>By <span class=writer>Mara Holt</span></p>") == MARA
