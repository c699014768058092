"""Addresses in pieces are read whole, cards as one text, and what is said of files is not read."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

INVISIBLE, ELLIPSIS = '<span class="invisible">{}</span>', '<span class="ellipsis">{}</span>'
HTTPS = INVISIBLE.format("https://")
WHOLE = "https://e.example/very/long"


def texts(html: str) -> list[str]:
    page = blockify(html, markup=True)
    assert [block.text for block in blockify(html).blocks] == [block.text for block in page.blocks]
    return [block.text for block in page.blocks]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (HTTPS + ELLIPSIS.format("e.example/very") + INVISIBLE.format("/long"), WHOLE),
        (f"{HTTPS}<span>e.example/very/long</span>{INVISIBLE.format('')}", WHOLE),
        (f"{HTTPS}<span class=''>e.example/</span>very{INVISIBLE.format('/long')}", WHOLE),
        (f"{HTTPS}<span>two words</span>", "https:// two words"),
        (f"{HTTPS}<b>e.example</b>", "https:// e.example"),
        (f"<span class=ellipsis>{HTTPS}</span>e.example", "https://e.example"),
        (f"{HTTPS}<span class=other>e.example</span>", "https:// e.example"),
        (f"{INVISIBLE.format('a')}<span>b</span>", "ab"),
    ],
)
def test_an_address_in_pieces(pieces: str, text: str) -> None:
    sign = "<i hidden>" + INVISIBLE.format("http") + "</i>"
    assert texts(f"<p>See <a href={WHOLE}>{pieces}</a>, so.</p>{sign}")[0] == f"See {text}, so."
    page = blockify(f"<p>See <a href={WHOLE}>{pieces}</a>.</p>{sign}", markup=True)
    assert WHOLE in (written(page, [True, False]).markdown or "")


GHOST = """<figure class=kg-bookmark-card><a class=kg-bookmark-container href=/b><div><div class=
kg-bookmark-title>The <b>boats</b></div><div class=kg-bookmark-description>A long  story.</div><div
class=kg-bookmark-metadata><img class=kg-bookmark-icon src=/i.ico alt><span>Site</span></div></div>
<div class=kg-bookmark-thumbnail><img src=/t.jpg></div></a></figure>"""
NOTION = """<figure><a href=/b class="bookmark source"><div><div class=bookmark-text><div
class=bookmark-title>Die Boote</div></div><div class=bookmark-href><img src=/i.ico class=icon>
https://e.example/b</div></div><img src=/t.jpg class=bookmark-image></a></figure>"""
OTHER = """<div><a class=notion-bookmark href=/b><div><div class=notion-bookmark-title>船</div><div
class=notion-bookmark-description>長い話</div></div></a></div>"""


@pytest.mark.parametrize(
    ("card", "text"),
    [(GHOST, "The boats – A long story."), (NOTION, "Die Boote"), (OTHER, "船 – 長い話")],
)
def test_a_card_is_one_link(card: str, text: str) -> None:
    assert texts(f"<p>One.</p>{card}<p>Two.</p>") == ["One.", text, "Two."]
    made = written(blockify(f"<p>One.</p>{card}<p>Two.</p>", markup=True))
    assert made.markdown == f"One.\n\n[{text}](/b)\n\nTwo."


def test_a_title_of_a_bookmark_without_a_link_is_a_text() -> None:
    html = "<div class=bookmark-title>My bookmarks</div><p class=bookmark-description>All of them"
    assert texts(html) == ["My bookmarks", "All of them"]


FILE = """<div class={}><svg></svg><span class=filename>boat</span> <span class=informations>
1920×1080 215 KB</span></div>"""


def test_what_is_said_of_the_file_of_an_image_is_left_out() -> None:
    link = "<a class=lightbox href=/o.jpg><img src=/s.jpg alt=boat>{}</a>"
    wrapped = f"<div class=lightbox-wrapper>{link.format(FILE.format('meta'))}</div>"
    made = written(blockify(f"<p>One.</p><p>{wrapped}</p><p>Two.</p>", markup=True))
    assert made.markdown == "One.\n\n[![boat](/s.jpg)](/o.jpg)\n\nTwo."
    other = f"<div class=lightbox-wrapper>{link.format(FILE.format('caption'))}</div>"
    assert texts(other) == ["boat 1920×1080 215 KB"]


def test_the_link_below_an_embedded_card_is_left_out() -> None:
    cite = "<cite class=hatena-citation><a href='https://a.example/b'>a.example</a></cite>"
    frame = (
        "<iframe src='https://hatenablog-parts.com/embed?url=https%3A%2F%2Fa.example%2Fb'></iframe>"
    )
    made = written(blockify(f"<p>One.</p><p>{frame}{cite}</p><p>Two.</p>", markup=True))
    assert made.markdown == "One.\n\n<https://a.example/b>\n\nTwo."


@pytest.mark.parametrize(
    "html",
    [
        f"<a href=/x>{HTTPS * 50_000}</a>",
        "<a class=bookmark>" + "<i class=bookmark-title>" * 20_000,
        "<a class=lightbox>" * 20_000 + "<div class=lightbox-wrapper>",
        "<a class='lightbox'>" + "<div class=meta></div>" * 50_000 + "lightbox-wrapper",
    ],
    ids=range(4),
)
def test_hostile_links_take_no_time(html: str) -> None:
    begin = perf_counter()
    blockify(html, markup=True)
    assert perf_counter() - begin < 60
