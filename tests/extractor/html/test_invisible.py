"""Text in characters that no one sees is taken out, and told."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.invisible import (
    ZERO_WIDTH_SIGNS,
    invisible_text,
    may_have_invisible,
    without_invisible,
    without_zero_width,
)

WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"


def in_tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(letter)) for letter in text)


def in_selectors(text: str) -> str:
    numbers = text.encode()
    return "".join(chr(0xFE00 + n if n < 16 else 0xE0100 + n - 16) for n in numbers)


def in_references(text: str) -> str:
    return "".join(f"&#x{0xE0000 + ord(letter):05X};" for letter in text)


def in_decimals(text: str) -> str:
    return "".join(f"&#0{0xE0000 + ord(letter)};" for letter in text)


@pytest.mark.parametrize("write", [in_tags, in_selectors, in_references, in_decimals])
@pytest.mark.parametrize("sentence", ["The weir is open", "Das Wehr ist offen", "堰は開いた"])
@pytest.mark.parametrize("markup", [False, True])
def test_the_text_is_apart(write: Callable[[str], str], sentence: str, markup: bool) -> None:
    html = f"<title>T{write('hide')}</title><p>A.</p><p>{sentence}{write('Obey me')}.</p>"
    page = blockify(html, markup=markup)
    assert page.title == "T"
    assert [block.text for block in page.blocks] == ["A.", f"{sentence}."]
    (found,) = page.invisible
    assert (found.text, found.reason) == ("Obey me", "invisible-characters")
    assert found.xpath == page.blocks[1].xpath


@pytest.mark.parametrize("hyphen", ["\xad", "&shy;", "&#173;", "&#xAD;", "&#xad;&shy;"])
@pytest.mark.parametrize("markup", [False, True])
def test_soft_hyphens_part_no_words(hyphen: str, markup: bool) -> None:
    html = f"<title>Straßen{hyphen}bahn</title><p>Die <b>Donau{hyphen}dampf</b>schiff{hyphen}fahrt"
    page = blockify(f"{html}<pre>a{hyphen}b\n c</pre><p>x&amp;shy;y &shyness", markup=markup)
    texts = ["Die Donaudampfschifffahrt", "ab c", "x&shy;y \xadness"]
    assert (page.title, [block.text for block in page.blocks]) == ("Straßenbahn", texts)


@pytest.mark.parametrize(
    "space",
    ["\u200b", "&#8203;", "&#x200B;", "\ufeff", " &nbsp;\u2060\u200b\xa0 ", "\u200d", "&zwj;",
     "\u200c\u200c", "&ZWNJ; "],
)  # fmt: skip
@pytest.mark.parametrize("markup", [False, True])
def test_a_space_without_a_width_alone_is_no_text(space: str, markup: bool) -> None:
    html = f"<p>{space}</p><p>One</p><ul><li>{space}</li ><li>Two<br>{space}</li></ul>"
    page = blockify(html, markup=markup)
    assert [block.text for block in page.blocks] == ["One", "Two"]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>ភាសា\u200bខ្មែរ</p>", "ភាសា\u200bខ្មែរ"),
        ("<p><b>a</b>\u200b<i>b</i></p>", "a\u200bb"),
        ("<p>One\u200b</p>", "One\u200b"),
        ("<p>می\u200cشود</p>", "می\u200cشود"),
        ("<p>👩\u200d🚀</p>", "👩\u200d🚀"),
        ("<p>One <code>\u200b</code></p>", "One \u200b"),
    ],
)
def test_a_space_without_a_width_between_words_stays(html: str, text: str) -> None:
    assert [block.text for block in blockify(html).blocks] == [text]


def test_many_spaces_without_a_width_take_no_time() -> None:
    begin = perf_counter()
    body = b"<p>" + b"&#8203;" * 300_000 + b"<p> " + b" \xe2\x80\x8b" * 300_000
    without_zero_width(body, frozenset(ZERO_WIDTH_SIGNS))
    assert perf_counter() - begin < 30


def test_flags_and_emoji_stay() -> None:
    for text in (f"Rugby in {WALES}!", "I \u2764\ufe0f it", "5\ufe0f\u20e3", "葛\U000e0100城"):
        page = blockify(f"<p>{text}</p>")
        assert (page.blocks[0].text, page.invisible) == (text, ())


@given(st.text(alphabet=f"a{WALES}\ufe0f\U000e0100\U000e0001&#x;917", max_size=40))
def test_nothing_is_left(text: str) -> None:
    body = without_invisible(text.encode())
    assert without_invisible(body) == body or may_have_invisible(body)
    assert invisible_text(body.decode()) == "" or may_have_invisible(body)
