"""HTTP messages as archives hold them: heads, charsets, and bodies in every coding."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.packing import zstandard

from scrapy_boilernet.bulk.http_message import BrokenBodyError, decoded_body, parse_http

PAGE = b"<html><body><p>The tide pools of the northern coast.</p></body></html>" * 40
MOST = 1_000_000


def chunked(body: bytes, size: int = 700, extension: bytes = b"") -> bytes:
    chunks = (body[at : at + size] for at in range(0, len(body), size))
    return b"".join(b"%x%b\r\n%b\r\n" % (len(one), extension, one) for one in chunks) + b"0\r\n\r\n"


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


def brotli(body: bytes) -> bytes:
    return bytes(pytest.importorskip("brotli").compress(body))


@pytest.mark.parametrize(
    ("codings", "packed"),
    [
        ((), lambda body: body),
        (("gzip",), gzip.compress),
        (("x-gzip",), gzip.compress),
        (("deflate",), zlib.compress),
        (("deflate",), raw_deflate),
        (("br",), brotli),
        (("zstd",), zstandard),
        (("chunked",), chunked),
        (("chunked",), lambda body: chunked(body, 9, b";name=value")),
        (("gzip", "chunked"), lambda body: chunked(gzip.compress(body))),
        (("deflate", "gzip"), lambda body: gzip.compress(zlib.compress(body))),
    ],
)
def test_bodies_are_unpacked(codings: tuple[str, ...], packed: object) -> None:
    assert callable(packed)
    assert decoded_body(packed(PAGE), codings, MOST) == PAGE
    assert decoded_body(packed(PAGE), codings, 100) == PAGE[:101]


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "chunked", "made-up"])
def test_what_was_unpacked_before_it_was_stored_is_left_as_it_is(coding: str) -> None:
    """Common Crawl stores pages like this, with the header as the server sent it."""
    if coding == "br":
        pytest.importorskip("brotli")
    assert decoded_body(PAGE, (coding,), MOST) == PAGE


UNPACKED = [
    b"Bonjour, ceci est une page.", b"\xef\xbb\xbf<html><p>tide", b"  \n<!doctype html>",
    "Текст страницы без разметки".encode(), "日本語の本文。".encode("shift_jis"),
    "正文".encode("gb18030") * 30, "본문입니다".encode("euc-kr"), b"x = 3; y", b"Hello", b"{}",
    b"\x1b$B%F%9%H\x1b(B text", "<p>d\xe9j\xe0 vu".encode("latin-1"), b"\xff" * 20, b"",
]  # fmt: skip


@pytest.mark.parametrize("body", UNPACKED)
@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "br", "zstd"])
def test_a_text_that_declares_a_coding_is_left_as_it_is(body: bytes, coding: str) -> None:
    if coding == "br":
        pytest.importorskip("brotli")
    assert decoded_body(body, (coding,), MOST) == body


@pytest.mark.parametrize("coding", ["compress", "none", "utf-8", "UTF-8", "lzma", "br2", "*"])
@pytest.mark.parametrize(
    "start", ["", "\ufeff", "\n\t ", "Seite ", "Страница ", "潮だまり ", "\ufeff<!-- a -->\n"]
)
def test_html_that_declares_an_unknown_coding_is_left_as_it_is(start: str, coding: str) -> None:
    body = start.encode() + PAGE
    assert decoded_body(body, (coding,), MOST) == body


@pytest.mark.parametrize("size", [0, 1, 2, 5, 9, 17, 33, 65, 129, 257, 1025])
@pytest.mark.parametrize(
    ("coding", "pack"),
    [("br", brotli), ("deflate", zlib.compress), ("deflate", raw_deflate), ("zstd", zstandard)],
)
def test_short_bodies_are_unpacked(coding: str, pack: Callable[[bytes], bytes], size: int) -> None:
    for start in range(0, 60, 5):
        body = PAGE[start : start + size]
        assert decoded_body(pack(body), (coding,), MOST) == body


@pytest.mark.parametrize("parts", [1, 2, 3, 40])
@pytest.mark.parametrize("pack", [gzip.compress, zstandard])
@pytest.mark.parametrize("most", [MOST, 100])
def test_all_members_and_frames_are_one_body(
    pack: Callable[[bytes], bytes], parts: int, most: int
) -> None:
    step = len(PAGE) // parts + 1
    body = b"".join(pack(PAGE[at : at + step]) for at in range(0, len(PAGE), step))
    coding = "gzip" if pack is gzip.compress else "zstd"
    assert decoded_body(body, (coding,), most) == PAGE[: most + 1]
    assert decoded_body(body + b"trailing", (coding,), most) == PAGE[: most + 1]


def test_a_body_with_very_many_codings_is_broken() -> None:
    found, body = parse_http(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: " + b"chunked, " * 100_000 + b"\r\n\r\n" + PAGE
    )
    assert len(found.codings) == 6
    with pytest.raises(BrokenBodyError, match="more than 5 times"):
        decoded_body(body, found.codings, MOST)
    assert decoded_body(PAGE, ("gzip",) * 5, MOST) == PAGE


def test_a_body_that_is_cut_off_is_read_as_far_as_possible() -> None:
    assert decoded_body(chunked(PAGE)[:1000], ("chunked",), MOST) == PAGE[: 1000 - 5 - 2 - 5]
    body = decoded_body(gzip.compress(PAGE)[:-12], ("gzip",), MOST)
    assert PAGE.startswith(body)
    assert body


def test_what_cannot_be_unpacked_says_why() -> None:
    with pytest.raises(BrokenBodyError, match="packed with 'made-up', which is unknown"):
        decoded_body(b"\x01\x02", ("made-up",), MOST)
    with pytest.raises(BrokenBodyError, match="not packed as its header says"):
        decoded_body(b"\x1f\x8b\x08garbage that is no gzip", ("gzip",), MOST)


def test_a_bomb_is_unpacked_no_further_than_the_limit() -> None:
    bomb = gzip.compress(b"\0" * 50_000_000)
    assert len(decoded_body(bomb, ("gzip",), 1000)) == 1001


@pytest.mark.parametrize(
    ("head", "status", "mime", "charset", "codings"),
    [
        (b"HTTP/1.1 200 OK", 200, "", None, ()),
        (b"HTTP/1.0 404", 404, "", None, ()),
        (b"HTTP/2 200\r\nContent-Type: Text/HTML", 200, "text/html", None, ()),
        (
            b"HTTP/1.1 200 OK\r\ncontent-type:text/html;Charset='koi8-r'",
            200, "text/html", "koi8-r", (),
        ),
        (
            b"HTTP/1.1 200 OK\nContent-Type: text/html;\n charset=\"utf-8\"\n"
            b"Transfer-Encoding: chunked",
            200, "text/html", "utf-8", ("chunked",),
        ),
        (
            b"HTTP/1.1 301 Moved\r\nContent-Encoding: GZip, br\r\nTransfer-Encoding: chunked",
            301, "", None, ("gzip", "br", "chunked"),
        ),
        (b"HTTP/1.1 200 \xff\r\nno colon\r\nContent-Encoding: identity", 200, "", None, ()),
    ],
)  # fmt: skip
def test_heads_are_read(
    head: bytes, status: int, mime: str, charset: str | None, codings: tuple[str, ...]
) -> None:
    blank = b"\r\n\r\n" if b"\r" in head or b"\n" not in head else b"\n\n"
    found, body = parse_http(head + blank + PAGE)
    assert (found.status, found.mime, found.charset, found.codings, body) == (
        status, mime, charset, codings, PAGE,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (b"HTTP/1.1 200 OK", 200), (b"http/1.1 200 OK", 200), (b"Http/1.0 404 Not Found", 404),
        (b"HTTP/2 200", 200), (b"HTTP/2.0 301 ", 301), (b"HTTP/3 200", 200), (b"HTTP 200 OK", 200),
        (b"ICY 200 OK", 200), (b"icy 404 Not Found", 404), (b"HTTP/1.1\t200\tOK", 200),
        (b"HTTP/1.1   200  OK", 200), (b"HTTP/1.1 200OK", 200), (b"HTTP/10.10 200 OK", 200),
        (b"hTTp/1.1 503 \xd0\x9d\xd0\xb5\xd1\x82", 503),
    ],
)  # fmt: skip
def test_status_lines_of_all_kinds(line: bytes, status: int) -> None:
    found, body = parse_http(line + b"\r\nContent-Type: text/html\r\n\r\n" + PAGE)
    assert (found.status, found.mime, body) == (status, "text/html", PAGE)


@pytest.mark.parametrize(
    "line",
    [
        b"HTTP/1.1 2000 OK", b"ICY 083 OK", b"HTTP/1.1 000",
        b"HTTP/1.1 OK", b"HTTPS/1.1 200 OK", b" HTTP/1.1 200 OK", b"200 OK",
     b"ICE 200 OK", b"GET / HTTP/1.1", b"HTTP/1.1200 OK", b"HTTP/ 200", b"<p>HTTP/1.1 200 OK",
    ],
)  # fmt: skip
def test_other_first_lines_are_no_response(line: bytes) -> None:
    with pytest.raises(ValueError, match="not an HTTP response"):
        parse_http(line + b"\r\n\r\n" + PAGE)


@given(st.binary(max_size=300))
def test_anything_is_a_response_or_a_value_error(data: bytes) -> None:
    for message in (data, b"HTTP/1.1 200 OK\r\n" + data):
        try:
            parse_http(message)
        except ValueError:
            assert message is data


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "chunked"]))
def test_any_body_is_unpacked_or_broken(data: bytes, coding: str) -> None:
    with suppress(BrokenBodyError):
        assert len(decoded_body(data, (coding,), 50)) <= 51
