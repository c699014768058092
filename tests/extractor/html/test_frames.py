"""Pages of frames: the text for browsers that show none."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.frames import without_frames

TEXTS = (
    "The council has voted to reopen the footpath along the lower weir, four years after a "
    "landslip closed it. Engineers spent the winter driving steel piles into the bank and replaced "
    "the old timber steps, which had rotted beneath a thick layer of silt.",
    "Der Rat hat beschlossen, den Uferweg am unteren Wehr wieder zu öffnen, vier Jahre nachdem ihn "
    "ein Erdrutsch verschüttet hatte. Im Winter trieben Ingenieure Stahlpfähle in die Böschung und "
    "ersetzten die alten Stufen, die unter dem Schlamm verfault waren.",
    "町議会は、四年前の地すべりで閉鎖された下流の堰沿いの遊歩道を再び開くことを決めました。技術者たちは冬の間に鋼の杭を岸に打ち込み、"
    "厚い泥の下で腐っていた古い木の階段を取り替えました。",
)
PAGES = (
    "<html><head><title>Weir</title></head><frameset cols=20%,80%><frame src=a><frame src=b>"
    "<noframes><body><p>{}</p></body></noframes></frameset></html>",
    "<title>Weir</title><FRAMESET ROWS='*,80'><FRAME SRC=a><NOFRAMES>{}</NOFRAMES></FRAMESET>",
    "<html><head><title>Weir</title></head><frameset><frame src=a></frameset>"
    "<noframes><p>{}</p></noframes></html>",
    "<html><head><title>Weir</title></head><noframes><p>{}</p></noframes><frameset><frame src=a>"
    "</frameset></html>",
    "<html><head><title>Weir</title><frameset border=0><frameset cols=1,2><frame src=a></frameset>"
    "<noframes class=x><BODY BGCOLOR=#ffffff><div><h1>{}</h1></div></BODY></noframes></frameset>",
    "<title>Weir</title><frameset><frame src=a><noframes><p>{}",
    "<title>Weir</title><frameset><frame src=a><noframes><!-- no frames --><table><tr><td>{}"
    "</table></noframes></frameset>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Frameset//EN'><html><head><title>Weir</title>"
    "</head><frameset\nrows=*><frame src=a><noframes\n><p>{}</p></noframes></frameset>",
    "<html><head><title>Weir</title></head><!-- frames --><frameset><frame src=a><noframes>"
    "<body><script>if (a < b) c()</script><p>{}</p></body></noframes></frameset></html>",
    "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>Weir</title></head><frameset>"
    "<frame src='a'/><noframes><body><ul><li>{}</li></ul></body></noframes></frameset></html>",
)


@pytest.mark.parametrize("html", PAGES)
@pytest.mark.parametrize("text", TEXTS)
def test_the_text_without_frames_is_read(html: str, text: str) -> None:
    page = blockify(html.format(text))
    assert [block.text for block in page.blocks][-1] == text
    assert (page.title, page.flat) == ("Weir", True)


@pytest.mark.parametrize(
    "note",
    [
        "Your browser does not support frames.",
        "<p>Ihr Browser unterstützt keine Frames. <a href='menu.html'>Weiter</a></p>",
        "<body>Votre navigateur ne gère pas les cadres.</body>",
        "<body bgcolor='#ffffff' text='#000000' link='#0000ff' vlink='#800080' alink='#ff0000' "
        "leftmargin='0' topmargin='0' marginwidth='0' marginheight='0'>Sin marcos</body>",
        "このページはフレームを使用しています。",
        "",
    ],
)
def test_a_note_that_no_frames_are_shown_is_not_read(note: str) -> None:
    texts = [block.text for block in blockify(PAGES[0].format(note)).blocks]
    assert texts in ([], ["Weir"])


def test_without_frames_the_element_is_not_read() -> None:
    page = blockify(f"<p>a</p><noframes><p>{TEXTS[0]}</p></noframes><iframe>{TEXTS[0]}</iframe>")
    assert [block.text for block in page.blocks] == ["a"]
    assert not page.flat


def test_many_tags_without_an_end_are_read_once() -> None:
    assert without_frames(b"<frameset>" + b"<noframes" * 100_000) == b""
    assert len(without_frames(b"<frameset>" + b"<noframes>" * 100_000)) < 1_000_000
