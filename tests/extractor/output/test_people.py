"""Names in bylines and in lists of authors."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.output.name_lists import split_names
from scrapy_boilernet.extractor.output.names import in_title_case

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
        ("ByMaud Ellery", MAUD),
        ("By. Maud Ellery", MAUD),
        ("Durch Maud Ellery", MAUD),
        ("Maud Ellery Maud Ellery", MAUD),
        ("Maud Ellery (mel.)", MAUD),
        ("Maud Ellery, Vice President", MAUD),
        ("Photo: Maud Ellery", ()),
        ("No Author", ()),
        ("佚名", ()),
        ("By ABBY GOODWIN, TOM KELLER and BO PEARCE", ("Abby Goodwin", "Tom Keller", "Bo Pearce")),
    ],
)
def test_a_byline_gives_only_names(byline: str, names: tuple[str, ...]) -> None:
    assert tuple(map(in_title_case, split_names(byline))) == names


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
        ("Von Maud Ellery", MAUD),
        ("Von Miller", ("Von Miller",)),
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
        ("DER SPIEGEL", "DER SPIEGEL"),
        ("DIE ZEIT", "DIE ZEIT"),
        ("LE MONDE", "LE MONDE"),
        ("EL PAÍS", "EL PAÍS"),
        ("THE MARLOW COURIER", "THE MARLOW COURIER"),
        ("MDR THÜRINGEN", "MDR THÜRINGEN"),
        ("IFM GROUP", "IFM GROUP"),
        ("REDAKTION NORDWEST", "REDAKTION NORDWEST"),
        ("RADIO FRANCE", "RADIO FRANCE"),
        ("UNIVERSITÀ DI PISA", "UNIVERSITÀ DI PISA"),
        ("DOĞAN AJANSI TV", "DOĞAN AJANSI TV"),
        ("ANN LEE, PHD", "Ann Lee, PHD"),
        ("LE THI HOA", "Le Thi Hoa"),
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


TEXT = (
    "<p>The town council has voted to reopen the footpath along the lower weir, four years after "
    "a landslip closed it to walkers and anglers alike, and residents were glad of it.</p>"
)


def authors_of(byline: str, head: str = "", after: str = "") -> tuple[str, ...]:
    """Return the authors of a page with this below its headline, in its head, below its text."""
    html = (
        f"<html lang=en><head><title>River path reopens</title>{head}</head><body><main>"
        f"<h1>River path reopens</h1>{byline}{TEXT * 4}</main>{after}</body></html>"
    )
    metadata = extract(html, "https://marlow.example/a.html", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize(
    "user", ["crazyowl", "owl0706", "style2k6", "dr-owl.7", "TWA772", "x_owl9"]
)
@pytest.mark.parametrize(
    "byline",
    [
        "<p>by <a href=/u>{}</a>, on Jun. 14th, 2012, in Cases</p>",
        "<div>Posted by <b>{}</b> on 14.06.2012</div>",
        "<p class=author>Reviewed by {}, news editor</p>",
        "<div class=byline>Review by {} on 2012-06-14</div>",
        "<p>by {} | January 12, 2012 6:36 AM</p>",
        "<p>by {} May 16th, 2025 14:15 Discuss (12 Comments)</p>",
        "<p>Submitted by {} on 11 January 2012</p>",
        "<span class=username>{}</span>",
        "<p class=author><a href=/u>{}</a> Reviewer</p>",
        "<p class=author>May 16th, 2025, by {}</p>",
    ],
)
def test_user_names_are_authors(user: str, byline: str) -> None:
    assert authors_of(byline.format(user))[-1] == user


@pytest.mark.parametrize(
    "byline",
    [
        "<p>by appointment</p>",
        "<p>Sorted by date</p>",
        "<p>by admin on June 14, 2012</p>",
        "<p>Open by day and closed by night</p>",
    ],
)
def test_not_each_word_after_by_is_a_user(byline: str) -> None:
    assert authors_of(byline) == ()


def test_users_who_comment_are_no_authors() -> None:
    comments = "<div class=list><p>by rightowl July 24, 2012 2:42 PM</p><p>So true!</p></div>"
    assert authors_of("", after=comments) == ()


@pytest.mark.parametrize("hidden", ["class=screen-reader-text", "class=sr-only", "hidden"])
@pytest.mark.parametrize("by", ["By", "Author:", "Von", "Par", "Por"])
def test_a_hidden_word_before_the_name_counts(hidden: str, by: str) -> None:
    assert authors_of(f"<div class=x1><span {hidden}>{by}</span> Maud Ellery</div>") == MAUD


@pytest.mark.parametrize(
    "head",
    [
        "<meta name=author content='Maud Ellery, Marlow'>",
        "<meta property=og:site_name content='Owl Post'><meta name=author content='Maud Ellery, "
        "OWL POST'>",
        '<script type="application/ld+json">{"@type": "Article", "headline": "River path reopens",'
        '"author": "Maud Ellery, Owl Post", "publisher": {"name": "Owl Post"}}</script>',
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_author(head: str) -> None:
    assert authors_of("", head) in (MAUD, (*MAUD, "Marlow"))


@pytest.mark.parametrize("name", ["OWL POST", "MARLOW"])
def test_the_name_of_the_site_is_as_the_site_writes_it(name: str) -> None:
    head = f"<meta property=og:site_name content='{name}'><meta name=author content='{name}'>"
    assert authors_of("", head) == (name,)


def test_the_link_to_a_profile_is_no_name() -> None:
    links = (
        "<a rel=author class='profile-link' href=/p>View my complete profile</a>"
        "<a rel=author class='profile-name-link g-profile' href=/p>Maud Ellery</a>"
    )
    assert authors_of("", after=f"<div class=w>{links}</div>") == MAUD


PERSONS = {
    "one creator": '<span class="ltx_creator ltx_role_author"><span class="ltx_personname">Ada '
    "Shore<sup>1</sup>, Ben Tarn<sup>2,3</sup> and Cy Moor<sup>∗</sup></span>{}</span>",
    "three creators": "".join(
        f'<span class="ltx_creator ltx_role_author"><span class="ltx_personname">{name}</span>'
        "{}</span>"
        for name in ("Ada Shore", "Ben Tarn<sup>1</sup>", "Cy Moor†")
    ),
}
INSTITUTES = (
    '<span class="ltx_author_notes"><span class="ltx_contact ltx_role_affiliation">Marine '
    "Institute, Galway</span></span>",
    '<span class="ltx_author_notes"><span class="ltx_contact ltx_role_email">a@x.example</span>'
    '<span class="ltx_contact ltx_role_address">Université de Brest</span></span>',
    "",
)


@pytest.mark.parametrize("persons", PERSONS)
@pytest.mark.parametrize("notes", INSTITUTES)
def test_authors_of_papers_are_no_institutes(persons: str, notes: str) -> None:
    shown = f"<div class=ltx_authors>{PERSONS[persons].format(*[notes] * 3)}</div>"
    assert authors_of(shown) == ("Ada Shore", "Ben Tarn", "Cy Moor")


PORTRAITS = (
    "<p>À Guérande, Maël Le Goff récolte le sel depuis trente ans.</p><p>{} 10 février 2026</p>",
    "<p>Ruth Adeyemi, harbour master of Saltmouth, has kept a log for years.</p>"
    "<p>{} 10 February 2026</p>",
    "<p>Karla Wenz, die älteste Fischerin am Ort, hört nach vielen Jahren auf.</p>"
    "<p>{} 10. Februar 2026</p>",
    "<p>Saturday, 13 June 2026, 8 pm</p><p>St Mary's Church, Market Place 1</p><p>{}</p>",
    "<p>13 June 2026</p><p>Trinity Hall, 12 Market Street</p><p>{}</p>",
    "<p>13 juin 2026</p><p>Salle Jeanne Moreau, 12 rue du Port</p><p>{}</p>",
    "<dl><dt>When</dt><dd>13 June 2026</dd><dt>Where</dt><dd>Trinity Hall, Salt Marsh</dd></dl>"
    "<p>{}</p>",
    "<dl><dt>Wann</dt><dd>13. Juni 2026</dd><dt>Wo</dt><dd>Alte Werft, Am Hafen</dd></dl><p>{}</p>",
    "<table><tr><th>Ort</th><td>Alte Werft</td></tr><tr><th>Tag</th><td>13. Juni 2026</td></tr>"
    "</table><p>{}</p>",
)


@pytest.mark.parametrize("portrait", PORTRAITS)
def test_sentences_addresses_and_places_are_no_bylines(portrait: str) -> None:
    assert authors_of(portrait.format("")) == ()
    assert authors_of(portrait.format("By Maud Ellery, ")) == MAUD


@pytest.mark.parametrize(
    "byline",
    [
        "<p>Maud Ellery | 5 min read</p><p>13 June 2026</p>",
        "<p>Maud Ellery, Issue 12</p><p>13 June 2026</p>",
        "<p>Maud Ellery, harbour reporter</p><p>13 June 2026</p>",
        "<dl><dt>Author</dt><dd>Maud Ellery</dd><dt>Date</dt><dd>13 June 2026</dd></dl>",
        "<dl><dt>Von</dt><dd>Maud Ellery</dd><dt>Datum</dt><dd>13. Juni 2026</dd></dl>",
        "<p>Propos recueillis par Maud Ellery, le 10 février 2026</p>",
        "<p>Propos recueillis par Maud Ellery</p>",
        "<p>Entretien réalisé par Maud Ellery</p>",
        "<p>Ein Interview von Maud Ellery</p>",
        "<p>Ein Gastbeitrag von Maud Ellery</p>",
        "<p>Interview: Maud Ellery</p>",
        "<p>Das Gespräch führte Maud Ellery.</p>",
        "<p>Una entrevista de Maud Ellery</p>",
        "<p>Uma reportagem de Maud Ellery</p>",
        "<p>A cura di Maud Ellery</p>",
        "<p>Een interview door Maud Ellery</p>",
        "<p>En intervju av Maud Ellery</p>",
        "<p>An interview by Maud Ellery</p>",
        "<p>Rozmawiała: Maud Ellery</p>",
        "<div class=author>Ein Interview von Maud Ellery</div>",
    ],
)
def test_bylines_of_many_kinds(byline: str) -> None:
    assert authors_of(byline) == MAUD


def test_who_is_interviewed_is_no_author() -> None:
    assert authors_of("<p>Ein Interview mit Karla Wenz</p><p>Von Maud Ellery</p>") == MAUD


@pytest.mark.parametrize(
    ("byline", "agency"),
    [
        ("Von {} und dpa", "dpa"),
        ("Von {}/dpa", "dpa"),
        ("Par {} et AFP", "AFP"),
        ("By {} and Reuters", "Reuters"),
        ("Por {} y efe", "efe"),
    ],
)
def test_an_agency_is_an_author_of_its_own(byline: str, agency: str) -> None:
    assert split_names(byline.format(*MAUD)) == (*MAUD, agency)


@pytest.mark.parametrize(
    "byline", ["By {} and Tom Reyes", "Von Tom Reyes und {}", "Par {} et Tom Reyes"]
)
@pytest.mark.parametrize(
    "head",
    [
        "<meta name=author content='Maud Ellery'>",
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Article",'
        '"headline": "River path reopens", "author": {"name": "Maud Ellery"}}</script>',
    ],
)
def test_a_byline_that_names_more_persons_is_taken(byline: str, head: str) -> None:
    assert {*authors_of(f"<p>{byline.format(*MAUD)}</p>", head)} == {*MAUD, "Tom Reyes"}
    assert authors_of("<p>By Maud Ellery and News Desk</p>", head) == MAUD
    assert authors_of("<p>By Maud Ellery, Marlow Ferries</p>", head) == MAUD
    assert authors_of("<p>By Ann Lee and Tom Reyes</p>", head) == MAUD


@pytest.mark.parametrize(
    "member",
    ["Joined: 2021", "Member since May 2021", "Dabei seit 2021", "Inscrit le 3 mai 2021",
     "Registriert: 3.5.2021", "Miembro desde 2021"],
)  # fmt: skip
def test_when_a_user_joined_is_no_name(member: str) -> None:
    user = f"<a class=username>loafer</a><div>{member}</div><div>Posts: 34</div>"
    assert authors_of(f"<div class=author>{user}</div>") == ("loafer",)


ADA = ("Ada Shore",)
DATE = "<div>13 June 2026</div>"


@pytest.mark.parametrize(
    "beside",
    [
        f"<ul><li><a href=/a>Open Waters</a></li><li><a href=/b>Two Rivers</a></li></ul>{DATE}",
        f"<nav><a href=/a>Open Waters</a></nav>{DATE}",
        f"<h2>Open Waters</h2>{DATE}",
        f"<button>Print Page</button>{DATE}",
        f"<div>View Larger</div>{DATE}",
        f"<p>© Tom Reyes</p>{DATE}",
        f"<figure><figcaption>Tom Reyes</figcaption></figure>{DATE}",
        f"<div>打印 关闭</div>{DATE}",
        f"<div>正文 首页</div>{DATE}",
        f"<div>Новости в мире</div>{DATE}",
        f"<div>River Path</div>{DATE}",
    ],
)
def test_what_stands_beside_a_date_is_not_always_a_name(beside: str) -> None:
    assert authors_of(beside) == ()


@pytest.mark.parametrize(
    "beside",
    [
        f"<div>Ada Shore</div>{DATE}",
        "<div>Ada Shore | 13 June 2026</div>",
        "<ul><li><a href=/a>Ada Shore</a></li><li>13 June 2026</li></ul>",
        "<h3>Ada Shore, 13 June 2026</h3>",
        "<p>13 June 2026 | Ada Shore</p>",
    ],
)
def test_a_name_beside_a_date_is_an_author(beside: str) -> None:
    assert authors_of(beside) == ADA


@pytest.mark.parametrize(
    ("beside", "name"),
    [
        ("江边新闻记者 李木匠", "李木匠"),
        ("本报记者 李木匠", "李木匠"),
        ("本報記者李木匠", "李木匠"),
        ("江邊晚報╱記者李木匠", "李木匠"),
        ("原创 江边日报", "江边日报"),
    ],
)
def test_eastern_names_beside_a_date_have_a_label(beside: str, name: str) -> None:
    assert authors_of(f"<div>{beside}</div><div>2026-06-13</div>") == (name,)


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("Politik · Ada Shore, Ben Tarn", (*ADA, "Ben Tarn")),
        ("Opinion | Ada Shore", ADA),
        ("Ada Shore · Hamburg", ADA),
        ("Par <b>ADA SHORE</b>, <b>BEN TARN</b> Envoyés spéciaux à Brest", (*ADA, "Ben Tarn")),
        ("Ada Shore Korrespondentin", ADA),
        ("Ada Shore Corresponsal en Lima", ADA),
        ("By Reporter Ada Shore", ADA),
        ("Ada Shore Twitter", ADA),
        ("By Ada Shore, Ben Tarn, and Cy Moor", (*ADA, "Ben Tarn", "Cy Moor")),
        ("By Ada Shore, The Marlow Star", ADA),
        ("<a href=/a><img src=a.png> Ada Shore</a>, Marlow Today", (*ADA, "Marlow Today")),
        ("نویسنده: مینا کریمی", ("مینا کریمی",)),
        ("江边发布 关注", ("江边发布",)),
        ("江边 企鹅号", ("江边",)),
        ("<div>By Ada Shore</div><div>MARLOW DAILY</div><div>Jun 13, 2026</div>", ADA),
        ("View profile", ()),
    ],
)
def test_bylines_with_sections_roles_and_buttons(byline: str, names: tuple[str, ...]) -> None:
    assert authors_of(f"<div class=byline>{byline}</div>") == names


@pytest.mark.parametrize("nobody", ["name", "Super User", "Discuz! Team and Comsenz UI Team"])
def test_names_that_software_states_are_none(nobody: str) -> None:
    assert authors_of("", f"<meta name=author content='{nobody}'>") == ()


def test_hidden_texts_beside_a_date_count_if_a_script_shows_the_whole_page() -> None:
    name = "<p style='display:none'>Ada Shore</p>"
    assert authors_of(f"{name}{DATE}") == ()
    sentence = "<p>The town council has voted to reopen the footpath along the lower weir.</p>"
    page = f"<title>River path</title><div style='display:none'><h1>River path</h1>{{}}{DATE}"
    found = extract(page.format("<p>Ada Shore</p>") + sentence * 5, formats=("metadata",)).metadata
    assert found is not None
    assert found.authors == ADA
