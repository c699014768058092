"""Decodes the bytes of a page to text, and to UTF-8 for the parser.

The first of these that applies gives the encoding:

1. a byte order mark, or a first tag in UTF-16;
2. the encoding that the caller gives;
3. bytes that can only be UTF-8, perhaps with a few errors;
4. the charset of the response's header;
5. the page's own declaration;
6. a detector.

A header or declaration that the bytes contradict is ignored.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import zlib
from contextlib import suppress
from gzip import GzipFile
from io import BytesIO
from itertools import chain
from urllib.parse import urlsplit

from w3lib.encoding import html_body_declared_encoding, read_bom

from scrapy_boilernet.extractor.encodings import codec_of
from scrapy_boilernet.extractor.html.scan import (
    CONTROLS,
    NO_CHARACTERS,
    count_continuations,
    may_be_malformed,
)
from scrapy_boilernet.extractor.patterns import lazy_pattern

_UNPACKED_CHUNK_BYTES = 1 << 20
_MAX_NESTING = 2
"""How often a body is unpacked: some archives compress again what a server sent compressed."""
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
_MEDIA = lazy_pattern(
    b"|".join(b"(?P<_%d>%s)" % (i, pattern) for i, (pattern, _) in enumerate(_SIGNATURES)),
    re.DOTALL,
)
_TAR_MARK = slice(257, 262)
"""Where a tar archive has the name of its format."""
_SAMPLE_BYTES, _MIN_SAMPLE_BYTES = 1_024, 64
_CONTROLS = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
"""Bytes that text does not contain (WHATWG MIME Sniffing, "binary data byte"), and NUL."""
_MAX_CONTROLS = 0.1
"""The largest share of such bytes in the sample of a text."""
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_MARKUP = re.compile(rb"<\x00?[!?/a-zA-Z]")


def unpack(body: bytes, max_bytes: int) -> tuple[bytes, bool]:
    """Return the body, unpacked if it is gzip, and whether it was cut off at ``max_bytes``.

    If the gzip data is damaged, the readable part comes back, or the body itself if there is none.
    """
    for _ in range(_MAX_NESTING):
        if body.startswith(_GZIP):
            body = _gunzipped(body, max_bytes + 1) or body
    return body[:max_bytes], len(body) > max_bytes


def _gunzipped(body: bytes, most: int) -> bytes:
    """Return the first ``most`` bytes of all gzip members, up to where the data is damaged."""
    unpacked = bytearray()
    with suppress(OSError, EOFError, zlib.error), GzipFile(fileobj=BytesIO(body)) as members:
        while chunk := members.read1(min(_UNPACKED_CHUNK_BYTES, most - len(unpacked))):
            unpacked += chunk
    return bytes(unpacked)


def media_name(body: bytes) -> str:
    """Return the kind of a body that is not text, such as ``"a PDF document"``; "" for text.

    >>> media_name(b"%PDF-1.7 ...")
    'a PDF document'
    """
    if _MARKUP.match(body) and body[_TAR_MARK] != b"ustar":  # as nearly all pages begin
        return ""
    signature = _MEDIA.match(body[:_SAMPLE_BYTES])
    if signature:
        return _SIGNATURES[int((signature.lastgroup or "_0")[1:])][1]
    sample = body[:_SAMPLE_BYTES]
    controls = len(sample) - len(sample.translate(None, _CONTROLS))
    if len(sample) < _MIN_SAMPLE_BYTES or sample.startswith(_WIDE_MARKS):
        return ""
    binary = controls > _MAX_CONTROLS * len(sample) and not _MARKUP.search(body)
    return "binary data" if binary else ""


MIN_UTF8_CONTINUATION_BYTES = 8
"""Valid UTF-8 with at least this many continuation bytes is read as UTF-8, whatever is declared. Of
36,830 lines of real pages in nine other encodings, none is valid UTF-8 with more than 4 of them.
Those with more than 2 are all in GB 18030 (``benchmarks/hostile/charsets.py``)."""
DETECTED_BYTES = 10_000
"""Bytes outside ASCII that the detector reads, which bounds its time; see the same benchmark."""
_MAX_ERRORS, _MAX_UTF8_ERRORS = 0.1, 0.5
"""The largest share of undecodable characters, among those outside ASCII, in a page of an encoding
and of UTF-8. Real pages in nine other encodings have at least 0.72 if they are read as UTF-8 (the
same benchmark)."""
_DECODED_CHUNK_BYTES = 4_096
_LATIN = "cp1252"
"""The encoding that browsers use for a page that declares no encoding, or ISO 8859-1."""
_WIDE = ("utf-16", "utf-32")
_NARROW = re.compile(rb"\s*<[!?/a-zA-Z]")
"""How a page in ASCII bytes begins. Such a page is not in one of the ``_WIDE`` encodings, even if
it declares one."""
_UTF16 = {
    "utf-16-le": re.compile(rb"(?:[ \t\r\n]\x00)*+<\x00[!?/a-zA-Z]\x00"),
    "utf-16-be": re.compile(rb"(?:\x00[ \t\r\n])*+\x00<\x00[!?/a-zA-Z]"),
}
_SHIFTS = {b"\x1b": (b"\x1b$", b"\x1b("), b"~": (b"~{",)}
"""By their first byte, which is found much faster: ASCII bytes after which ISO-2022-JP and HZ
encode other characters."""
_VISIBLE = (0x21, 0x7E)
"""The first and the last visible ASCII character."""
_ASCII = bytes(range(128))
_UTF8_REPLACEMENT = "\ufffd".encode()
_SEPARATORS = b"\x0b\x0c\x1c\x1d\x1e\x1f"
"""Characters that Python and libxml2 take for white space."""
_SPACES = bytes.maketrans(CONTROLS, b" " * len(CONTROLS))
_CONTROLS_OR_TAG = re.compile(rb"<[^>]*+>?|[\x01-\x08\x0b\x0c\x0e-\x1f]++")
_TAG_NAME = re.compile(rb"</?[^\t\n\r\f />]*")
_CONTROL = re.compile(rb"[\x01-\x08\x0b\x0e-\x1f]")
"""In the name of an element, something stands for such a character, so that it remains unknown."""
_BAD_REFERENCE = lazy_pattern(
    rb"&#(?:0*+(?:(?P<space>1[12]|2[89]|3[01])|[1-8]|1[4-9]|2[0-7]|6553[45]|(?P<number>917[5-9]\d\d))"
    rb"(?!\d)|[xX]0*+(?:(?P<blank>[bcBC]|1[c-fC-F])|[1-8efEF]|1[0-9abAB]|[fF]{3}[eEfF]"
    rb"|(?P<hex>[eE]0[01][0-9a-fA-F]{2}))(?![0-9a-fA-F]));?"
)
"""A reference to such a character, or to one that no one sees, which is written out."""


def decode(
    html: bytes | str,
    encoding: str | None = None,
    charset: str | None = None,
    url: str | None = None,
) -> str:
    r"""Return the text of ``html``; any bytes and any declared encoding are accepted.

    ``encoding`` is used unless there is a byte order mark. ``charset`` is the charset of the
    response's header. ``url`` helps the detector: pages of one top-level domain are often in one
    language. An unknown encoding, or a codec that is not for text, is ignored. Undecodable bytes
    become U+FFFD; a character that is cut off at the end is left out.

    >>> decode("<p>caf\xe9".encode("latin-1"), "latin-1")
    '<p>café'
    """
    return html if isinstance(html, str) else _decoded(html, encoding, charset, url)[0]


def to_utf8(
    html: bytes | str,
    encoding: str | None = None,
    charset: str | None = None,
    url: str | None = None,
) -> bytes:
    """Return the page as parsel gives it to its parser.

    It is UTF-8 without NULs, and without white space at its beginning and end. No character, and no
    reference to one, is of those that XML, JSON or UTF-8 cannot hold. Bytes that are in this form
    already are not encoded again, which saves time. The arguments are the same as for
    :func:`decode`.
    """
    if isinstance(html, str):
        return _encoded(html)
    body = html.strip()
    # With visible ASCII at both ends, there is no byte order mark, Unicode space or cut character.
    first, last = _VISIBLE
    plain = bool(body) and first <= body[0] <= last and first <= body[-1] <= last
    if plain and not encoding and not _utf16_codec(html):
        continued = count_continuations(html)
        if continued >= 0 and _is_surely_utf8(html, continued):
            return _well_formed(body)
    text, codec = _decoded(html, encoding, charset, url)
    if codec != "utf-8" or not plain or "\ufffd" in text:
        return _encoded(text)
    return _well_formed(body)


def top_level_domain(url: str | None) -> str | None:
    """Return the last label of the URL's host name, lower case ASCII; None for an IP address.

    >>> top_level_domain("https://news.example.JP/1.html")
    'jp'
    """
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # such as "http://[::1"
        return None
    label = host.rstrip(".").rpartition(".")[2].lower()
    return label if label.isascii() and label[:1].isalpha() else None


def _encoded(text: str) -> bytes:
    return _well_formed(text.strip().encode("utf-8", errors="replace"))


def _well_formed(body: bytes) -> bytes:
    """Return UTF-8 without the characters that XML 1.0 excludes, and references to them.

    In tags they become spaces, so that the tree is the one that parsel makes with them.
    """
    if not may_be_malformed(body):
        return body
    if len(body.translate(None, CONTROLS)) < len(body):
        body = _CONTROLS_OR_TAG.sub(_without_controls, body.replace(b"\x00", b""))
    for character in NO_CHARACTERS:
        body = body.replace(character, _UTF8_REPLACEMENT)
    body, count = _BAD_REFERENCE.subn(_without_reference, body)
    # What was around a reference may be one now; this time, something stands for each.
    return _BAD_REFERENCE.sub(_UTF8_REPLACEMENT, body) if count else body


def _without_reference(match: re.Match[bytes]) -> bytes:
    if unseen := match["number"] or match["hex"]:
        return chr(int(unseen) if unseen.isdigit() else int(unseen, 16)).encode()
    return b" " if match["space"] or match["blank"] else b""


def _without_controls(match: re.Match[bytes]) -> bytes:
    found = match[0]
    if found.startswith(b"<"):
        end = _TAG_NAME.match(found).end()  # type: ignore[union-attr]
        return _CONTROL.sub(_UTF8_REPLACEMENT, found[:end]) + found[end:].translate(_SPACES)
    return b" " if len(found.translate(None, _SEPARATORS)) < len(found) else b""


def _decoded(
    html: bytes, encoding: str | None, charset: str | None, url: str | None
) -> tuple[str, str]:
    """Return the text and the name of its codec."""
    marked, mark = read_bom(html)
    if marked and mark:
        return html[len(mark) :].decode(marked, errors="replace"), marked
    codec = _utf16_codec(html) or _codec(encoding, html)
    if codec:
        return html.decode(codec, errors="replace"), codec
    text = _valid_utf8(html)
    if text is not None and _is_surely_utf8(html, len(html) - len(text)):
        return text, "utf-8"
    if text is None and (damaged := _damaged_utf8(html)) is not None:
        return damaged, "utf-8"
    named = (_codec(name, html) for name in (charset, html_body_declared_encoding(html)))
    for codec in filter(None, named):
        if codec == _LATIN and text is not None:  # valid UTF-8 is hardly ever text in cp1252
            continue
        plausible = _decoded_if_plausible(html, codec)
        if plausible is not None:
            return plausible, codec
    if text is not None and not text.isascii():
        return text, "utf-8"
    guessed = _detected(html, url)
    return html.decode(guessed, errors="replace"), guessed


def _valid_utf8(html: bytes) -> str | None:
    """Return the text if the bytes are UTF-8, else None.

    A character that is cut off at the end is left out.
    """
    try:
        text, read = codecs.utf_8_decode(html, "strict", False)
    except UnicodeDecodeError:
        return None
    whole = read == len(html)
    return text if whole or read - len(text) >= MIN_UTF8_CONTINUATION_BYTES else None


def _is_surely_utf8(html: bytes, continued: int) -> bool:
    """Return whether valid UTF-8 with so many continuation bytes can be in no other encoding."""
    if not continued:  # ASCII: the same text in any encoding, unless it has shifts
        possible = chain.from_iterable(_SHIFTS[first] for first in _SHIFTS if first in html)
        return not any(shift in html for shift in possible)
    return continued >= MIN_UTF8_CONTINUATION_BYTES


def _damaged_utf8(html: bytes) -> str | None:
    """Return the text if most of it is UTF-8 and some bytes are wrong, else None."""
    text = _decoded_if_plausible(html, "utf-8")
    whole = text.replace("\ufffd", "") if text else ""
    continued = len(whole.encode("utf-8")) - len(whole)
    return text if continued >= MIN_UTF8_CONTINUATION_BYTES else None


def _decoded_if_plausible(html: bytes, codec: str) -> str | None:
    """Return the text decoded by the codec, or None if too much of it is undecodable."""
    text = html.decode(codec, errors="replace")
    errors = text.count("\ufffd")
    if errors and codec == "utf-8":
        errors -= html.count(_UTF8_REPLACEMENT)  # those that the page itself contains
    beyond_ascii = len(text) - len(text.encode("ascii", errors="ignore"))
    most = _MAX_UTF8_ERRORS if codec == "utf-8" else _MAX_ERRORS
    return text if errors <= most * beyond_ascii else None


def _codec(name: str | None, html: bytes) -> str | None:
    """Return Python's name of an encoding, as browsers resolve it; None if it cannot be right."""
    codec = codec_of(name)
    if codec is None:
        return None
    return None if codec.startswith(_WIDE) and _NARROW.match(html) else codec


def _utf16_codec(body: bytes) -> str | None:
    """Return the codec of a UTF-16 page without a byte order mark, found by its first tag."""
    if b"\x00" not in body[:2]:
        return None
    return next((codec for codec, start in _UTF16.items() if start.match(body)), None)


def _detected(html: bytes, url: str | None) -> str:
    """Return the most likely codec of bytes that are not UTF-8."""
    sample = _sample(html)
    guess: str | None
    try:
        from chardetng_py import EncodingDetector
    except ImportError:  # no wheel for this Python: use the detector that Scrapy brings
        from charset_normalizer import from_bytes

        best = from_bytes(sample).best()
        guess = best.encoding if best else None
    else:
        domain = top_level_domain(url)
        detector = EncodingDetector()
        detector.feed(sample, last=False)  # it may end in the middle of a character
        guess = detector.guess(tld=domain.encode() if domain else None, allow_utf8=False)
    return _codec(guess, html) or _LATIN


def _sample(html: bytes) -> bytes:
    """Return the beginning of the page that has :data:`DETECTED_BYTES` bytes outside ASCII.

    It is as long as that takes, since the head of a page is mostly ASCII.
    """
    seen = 0
    for end in range(_DECODED_CHUNK_BYTES, len(html), _DECODED_CHUNK_BYTES):
        seen += len(html[end - _DECODED_CHUNK_BYTES : end].translate(None, _ASCII))
        if seen >= DETECTED_BYTES:
            return html[:end]
    return html


def digest(html: bytes | str) -> str:
    """Return the first 128 bits of the page's SHA-256, hexadecimal; text is hashed as UTF-8.

    Most processors have instructions for it, so no other digest of Python's is faster.
    """
    data = html if isinstance(html, bytes) else html.encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(data).hexdigest()[:32]
