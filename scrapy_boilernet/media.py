"""What a body is before it is text: gzip is unpacked, and what is no HTML is named."""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from gzip import GzipFile
from io import BytesIO

_CHUNK_BYTES = 1 << 20
_MAX_NESTING = 2
"""Some archives keep what a server sent in gzip, and pack it again."""
_GZIP = b"\x1f\x8b\x08"
_SIGNATURES = (
    (rb"\s*%PDF-", "a PDF document"),
    (rb"\s*%!PS", "a PostScript document"),
    (rb"\s*\{\\rtf", "an RTF document"),
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"RIFF.{4}WEBP", "a WebP image"),
    (rb"BM.{4}\x00{4}", "a BMP image"),
    (rb"\x00\x00[\x01\x02]\x00[^\x00]", "an icon"),
    (rb"II\*\x00|MM\x00\*", "a TIFF image"),
    (rb"\x00.{3}ftyp(?:avif|avis|heic|heix|mif1)", "an AVIF or HEIF image"),
    (rb"\x00.{3}ftyp", "an MP4 video"),
    (rb"RIFF.{4}WAVE", "a WAV recording"),
    (rb"ID3[\x02-\x04]", "an MP3 recording"),
    (rb"OggS\x00", "an Ogg recording"),
    (rb"fLaC\x00", "a FLAC recording"),
    (rb"\x1a\x45\xdf\xa3", "a Matroska or WebM video"),
    (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "a ZIP archive or an office document"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an office document"),
    (rb"Rar!\x1a\x07", "a RAR archive"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (rb"\x1f\x8b\x08", "damaged gzip data"),
    (rb"BZh[1-9]1AY&SY", "a bzip2 file"),
    (rb"\xfd7zXZ\x00", "an xz file"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (rb".{257}ustar(?:\x00|  \x00)", "a tar archive"),
    (rb"wOF[F2](?:\x00\x01|OTTO|true)|OTTO\x00|\x00\x01\x00\x00\x00", "a font"),
    (rb"\x7fELF|MZ.{0,60}\x00{8}", "a program"),
    (rb"\x00asm", "a WebAssembly module"),
    (rb"SQLite format 3\x00", "an SQLite database"),
)
_MEDIA = re.compile(
    b"|".join(b"(?P<_%d>%s)" % (i, pattern) for i, (pattern, _) in enumerate(_SIGNATURES)),
    re.DOTALL,
)
_SAMPLE_BYTES, _MIN_SAMPLE_BYTES = 1_024, 64
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
"""Bytes that text does not hold (WHATWG MIME Sniffing, "binary data byte"), and NUL."""
_MAX_CONTROLS = 0.1
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_MARKUP = re.compile(rb"<\x00?[!?/a-zA-Z]")


def unpack(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Return the body, unpacked if it is gzip, and whether it was cut off at ``max_bytes``.

    Of damaged gzip data what can be read is returned; of none at all, the body as it is.
    """
    for _ in range(_MAX_NESTING):
        if body.startswith(_GZIP):
            body = _gunzipped(body, max_bytes + 1) or body
    return body[:max_bytes], len(body) > max_bytes


def _gunzipped(body: bytes, most: int) -> bytes:
    """The bytes of all members, up to so many and to where the data is damaged."""
    found = bytearray()
    with suppress(OSError, EOFError, zlib.error), GzipFile(fileobj=BytesIO(body)) as members:
        while len(found) < most and (chunk := members.read1(min(_CHUNK_BYTES, most - len(found)))):
            found += chunk
    return bytes(found)


def media_name(body: bytes) -> str:
    """Return what the body is if it is no text, such as ``"a PDF document"``; else "".

    >>> media_name(b"%PDF-1.7 ...")
    'a PDF document'
    """
    found = _MEDIA.match(body[:_SAMPLE_BYTES])
    if found:
        return _SIGNATURES[int((found.lastgroup or "_0")[1:])][1]
    sample = body[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if len(sample) < _MIN_SAMPLE_BYTES or sample.startswith(_WIDE_MARKS):
        return ""
    binary = controls > _MAX_CONTROLS * len(sample) and not _MARKUP.search(body)
    return "binary data" if binary else ""
