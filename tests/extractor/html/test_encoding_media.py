"""What is no HTML is named; gzip is unpacked within the limit."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import media_name, unpack

HTML = "<html><body><h1>Tide pools</h1><p>Żółw i kraby wśród skał.</p></body></html>".encode()


def zipped() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<p>tide")
    return stream.getvalue()


def tarred() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("tide.html"), io.BytesIO())
    return stream.getvalue()


BINARIES = {
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
    "a PNG image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "a JPEG image": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "a GIF image": b"GIF89a\x01\x00",
    "a WebP image": b"RIFF\x24\x00\x00\x00WEBPVP8 ",
    "an MP4 video": b"\x00\x00\x00\x20ftypisom",
    "an AVIF or HEIF image": b"\x00\x00\x00\x20ftypavif",
    "a ZIP archive or an office document": zipped(),
    "an office document": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a tar archive": tarred(),
    "damaged gzip data": b"\x1f\x8b\x08\x00" + b"\xff" * 40,
    "binary data": bytes(range(256)) * 8,
}


@pytest.mark.parametrize("name", BINARIES)
def test_a_binary_is_named_and_has_no_blocks(name: str) -> None:
    assert media_name(BINARIES[name]) == name
    page = blockify(BINARIES[name])
    assert (page.not_html, page.blocks, page.truncated) == (name, (), False)


@pytest.mark.parametrize("name", ["a PDF document", "a ZIP archive or an office document"])
def test_a_binary_within_gzip_is_named(name: str) -> None:
    assert blockify(gzip.compress(BINARIES[name])).not_html == name


@pytest.mark.parametrize(
    "text",
    [
        b"", b" ", HTML, b"BM and MZ stand in a book", b"PK, a goalkeeper", b"\x00" + HTML,
        b"%PDFs of tide pools", b"GIF images", b"ID3 tags", b"RIFF", b"7z", b"\xef\xbb\xbf" + HTML,
        HTML.decode().encode("utf-16"), HTML.decode().encode("utf-16-le"),
        "no markup, but wide".encode("utf-16"), "\ufeffwide text".encode("utf-32-be") * 9,
        b"\x00\x01\x02" * 400 + HTML,
    ],
)  # fmt: skip
def test_text_is_no_binary(text: bytes) -> None:
    assert media_name(text) == ""


@given(st.text(max_size=300), st.sampled_from(["utf-8", "cp1251", "shift_jis", "gb18030"]))
def test_no_text_behind_a_tag_is_taken_for_a_binary(text: str, encoding: str) -> None:
    assert media_name(b"<p>" + text.encode(encoding, errors="ignore")) == ""


def test_extract_names_a_binary_and_finds_nothing() -> None:
    result = extract(BINARIES["a PDF document"], engine="numpy")
    assert (result.text, result.source, result.page.not_html) == ("", "nothing", "a PDF document")


def test_gzip_is_unpacked() -> None:
    plain, packed = blockify(HTML), blockify(gzip.compress(HTML))
    assert packed.blocks == plain.blocks
    assert not packed.truncated
    assert packed.digest != plain.digest  # that of the bytes as they came


def test_gzip_that_was_packed_twice_is_unpacked_twice_within_the_limit() -> None:
    assert unpack(gzip.compress(gzip.compress(HTML)), 1_000) == (HTML, False)
    bomb = gzip.compress(gzip.compress(b"<p>" * 1_000_000))
    assert unpack(bomb, 1_000) == ((b"<p>" * 334)[:1_000], True)


def test_all_members_of_gzip_data_are_unpacked() -> None:
    body = gzip.compress(HTML[:30]) + gzip.compress(HTML[30:])
    assert unpack(body, 1_000) == (HTML, False)


@pytest.mark.parametrize("limit", [1, 10, len(HTML) - 1, len(HTML), len(HTML) + 1])
def test_gzip_is_unpacked_within_the_limit(limit: int) -> None:
    for body in (HTML, gzip.compress(HTML)):
        assert unpack(body, limit) == (HTML[:limit], limit < len(HTML))


def test_a_gzip_bomb_is_cut_off_at_the_limit() -> None:
    page = blockify(gzip.compress(b"<p>" + b"tide " * 2_000_000, 9), max_bytes=100_000)
    assert page.over_max_bytes
    assert sum(len(block.text) for block in page.blocks) <= 100_000


def test_gzip_data_that_is_cut_off_is_read_as_far_as_possible() -> None:
    body = gzip.compress(b"".join(b"<p>pool %d" % n for n in range(10_000)))
    page = blockify(body[: len(body) // 2])
    assert page.blocks[0].text == "pool 0"
    assert 1_000 < len(page.blocks) < 10_000
    assert page.not_html == ""


@given(st.binary(max_size=300), st.integers(0, 100))
def test_any_bytes_behind_a_gzip_header_are_read_without_an_error(body: bytes, limit: int) -> None:
    found, over = unpack(b"\x1f\x8b\x08" + body, limit)
    assert len(found) <= limit
    assert isinstance(over, bool)
    assert isinstance(media_name(found), str)
