"""Bytes to text: byte order mark, then the caller's encoding, then the page's own, then a guess."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.encoding import decode, digest, to_utf8
from scrapy_boilernet.extractor.metadata import well_formed

POLISH = '<meta charset="iso-8859-2"><p>Łódź'
POLISH_BYTES = POLISH.encode("iso-8859-2")


def test_text_is_returned_as_it_is() -> None:
    assert decode("<meta charset=latin-1>é\x00\ud800") == "<meta charset=latin-1>é\x00\ud800"


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\x00\x00\xfe\xff", "utf-32-be"),
    ],
)
@pytest.mark.parametrize("encoding", [None, "iso-8859-2", "hex"])
def test_a_byte_order_mark_beats_the_callers_encoding(
    mark: bytes, codec: str, encoding: str | None
) -> None:
    assert decode(mark + "<p>Łódź".encode(codec), encoding) == "<p>Łódź"


def test_the_callers_encoding_beats_what_the_page_declares() -> None:
    assert decode(POLISH.encode(), "utf-8") == POLISH
    assert decode(POLISH.encode("utf-16-le"), "utf-16-le") == POLISH


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="shift_jis">',
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=Shift_JIS">',
        '<?xml version="1.0" encoding="shift_jis"?>',
    ],
)
def test_the_pages_declaration_is_used_without_a_callers_encoding(declaration: str) -> None:
    page = f"{declaration}<p>潮だまり"
    assert decode(page.encode("shift_jis")) == page


@pytest.mark.parametrize("encoding", ["nonsense", "utf-99", "x-no-such-codec", "", "  "])
def test_an_unknown_encoding_falls_back_to_what_the_page_declares(encoding: str) -> None:
    assert decode(POLISH_BYTES, encoding) == POLISH


@pytest.mark.parametrize(
    "encoding", ["hex", "idna", "rot13", "zlib", "undefined", "punycode", "unicode_escape"]
)
def test_a_codec_that_is_not_for_pages_falls_back_to_what_the_page_declares(
    encoding: str,
) -> None:
    assert decode(POLISH_BYTES, encoding) == POLISH


@pytest.mark.parametrize("declared", ["hex", "idna", "zlib", "undefined", "punycode", "nonsense"])
def test_a_page_that_declares_a_wrong_codec_is_still_readable(declared: str) -> None:
    page = f"<meta charset={declared}><p>Łódź"
    assert decode(page.encode()) == page


def test_undeclared_bytes_are_utf8_where_they_are_valid_utf8() -> None:
    assert decode("<p>Łódź – 潮".encode()) == "<p>Łódź – 潮"


def test_undeclared_bytes_that_are_not_utf8_are_windows_1252() -> None:
    assert decode(b"<p>caf\xe9 \x80 5 \x93so\x94") == "<p>café € 5 “so”"


def test_declared_latin_1_is_windows_1252_as_in_browsers() -> None:
    assert decode(b"\x93so\x94", "latin-1") == "“so”"
    assert decode(b"<meta charset=iso-8859-1>\x93so\x94").endswith("“so”")


def test_bytes_that_cannot_be_decoded_become_replacement_characters() -> None:
    assert decode(b"<p>a\xffb", "utf-8") == "<p>a\ufffdb"


def test_digest_is_128_bits_in_hexadecimal() -> None:
    assert re.fullmatch("[0-9a-f]{32}", digest(b"page"))
    assert digest(b"") != digest(b" ")


def test_text_and_its_utf8_bytes_have_one_digest() -> None:
    assert digest("潮だまり") == digest("潮だまり".encode())


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_digest_takes_any_text_even_lone_surrogates(text: str) -> None:
    assert digest(text) == digest(text)


@given(st.text(max_size=60))
def test_utf8_pages_come_back_whole_when_the_caller_names_utf8(text: str) -> None:
    assert decode(text.encode(), "utf-8") == text.removeprefix("\ufeff")


WHITE = st.sampled_from(["", " ", "\n\t", "\xa0", "\u3000", "\x1f", "\x00", "\ufeff", "\ufffd"])


@given(
    WHITE,
    st.text(),
    WHITE,
    st.sampled_from(["utf-8", "utf-16", "latin-1", "cp1250"]),
    st.binary(max_size=2),
)
def test_the_parsers_bytes_are_the_text_again(
    before: str, text: str, after: str, codec: str, odd: bytes
) -> None:
    html = (before + text + after).encode(codec, errors="replace") + odd
    for encoding in (None, codec, "hex"):
        plain = decode(html, encoding)
        expected = plain.strip().replace("\x00", "").encode("utf-8", errors="replace")
        parsed = to_utf8(html, encoding)
        assert parsed == to_utf8(plain)
        assert (
            parsed == expected
            or well_formed(expected.decode()) != expected.decode()
            or (b"&#" in expected)
        )
        assert well_formed(parsed.decode()) == parsed.decode()


WIDE_PAGE = "\n <!DOCTYPE html><title>Łódź</title><p>潮だまり"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("encoding", [None, "utf-8", "utf-16", "latin-1", "hex", "x-none"])
def test_utf_16_without_a_byte_order_mark_is_known_by_its_first_tag(
    codec: str, encoding: str | None
) -> None:
    assert decode(WIDE_PAGE.encode(codec), encoding) == WIDE_PAGE
    assert decode(WIDE_PAGE.strip().encode(codec), encoding) == WIDE_PAGE.strip()
    assert to_utf8(WIDE_PAGE.encode(codec), encoding) == WIDE_PAGE.strip().encode()


@pytest.mark.parametrize("start", ["<html>", "<!--", "</p>", "<?xml version='1.0'?>", "\t<P>"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_any_markup_shows_utf_16(start: str, codec: str) -> None:
    assert decode(f"{start}żółw".encode(codec)) == f"{start}żółw"


@pytest.mark.parametrize("wide", ["utf-16", "utf-16le", "utf-16be", "utf-32", "UTF-16"])
@pytest.mark.parametrize(
    "declaration",
    ['<?xml version="1.0" encoding="{}"?>', '<meta charset="{}">', "<meta charset={}><p>",
     '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={}">'],
)  # fmt: skip
@pytest.mark.parametrize("named", [False, True])
def test_utf_16_that_a_page_in_ascii_declares_is_ignored(
    wide: str, declaration: str, named: bool
) -> None:
    page = f"{declaration.format(wide)}<p>Łódź, tide pools"
    assert decode(page.encode(), wide if named else None) == page
    odd = f"{declaration.format(wide)}<p>caf\u00e9"
    assert decode(odd.encode("cp1252"), wide if named else None) == odd


def test_a_page_in_utf_16_that_says_so_is_read_as_such() -> None:
    page = '<meta charset="utf-16"><p>Łódź'
    for codec in ("utf-16", "utf-16-le", "utf-16-be"):
        assert decode(page.encode(codec), "utf-16") == page
        assert decode(page.encode(codec)) == page


def test_text_of_nulls_is_not_taken_for_utf_16() -> None:
    assert decode(b"\x00a<p>tide", "utf-8") == "\x00a<p>tide"
    assert decode(b"t\x00i\x00", "utf-8") == "t\x00i\x00"
