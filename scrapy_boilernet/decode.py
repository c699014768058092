"""Bytes to text as Scrapy decodes them: byte order mark, header, ``<meta>``, then a guess.

And to the bytes that the parser is given.
"""

from __future__ import annotations

import hashlib
import re

from w3lib.encoding import (
    html_body_declared_encoding,
    html_to_unicode,
    http_content_type_encoding,
    read_bom,
)

_NOT_FOR_PAGES = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape"})
"""Codecs of Python's own that decode any bytes, to what no page means; some take the square of
their number."""
_WIDE = ("utf-16", "utf-32")
_NARROW = re.compile(rb"\s*<[!?/a-zA-Z]")
"""How no page in these begins: one that names them in bytes of ASCII cannot be meant."""
_UTF16 = {
    "utf-16-le": re.compile(rb"(?:[ \t\r\n]\x00)*+<\x00[!?/a-zA-Z]\x00"),
    "utf-16-be": re.compile(rb"(?:\x00[ \t\r\n])*+\x00<\x00[!?/a-zA-Z]"),
}
_PLAIN = (0x21, 0x7E)
"""The first and the last character of ASCII that can be seen."""


def decode(html: bytes | str, encoding: str | None = None) -> str:
    r"""Return the text of ``html``; bytes of any kind and any declared encoding are accepted.

    ``encoding`` is what the caller knows (a response's encoding, a ``charset`` parameter); it
    ranks above what the page declares and below a byte order mark, as in Scrapy. An unknown
    encoding, or a codec that is not for text, falls back to what the page declares and then to
    UTF-8. Undecodable bytes become U+FFFD.

    >>> decode("<p>caf\xe9".encode("latin-1"), "latin-1")
    '<p>café'
    """
    return html if isinstance(html, str) else _decoded(html, encoding)[0]


def to_utf8(html: bytes | str, encoding: str | None = None) -> bytes:
    """Return what parsel gives its parser: UTF-8, without NULs and without white space around.

    The page's own bytes where they are that already, since coding text again takes time.
    """
    if isinstance(html, str):
        return _encoded(html)
    text, codec = _decoded(html, encoding)
    body = html.strip()
    # Not at either end: a byte order mark, white space of other kinds, bytes that are cut off.
    plain = body and _PLAIN[0] <= body[0] <= _PLAIN[1] and _PLAIN[0] <= body[-1] <= _PLAIN[1]
    if codec != "utf-8" or not plain or "\ufffd" in text:
        return _encoded(text)
    return body.replace(b"\x00", b"")


def _encoded(text: str) -> bytes:
    return text.strip().replace("\x00", "").encode("utf-8", errors="replace")


def _decoded(html: bytes, encoding: str | None) -> tuple[str, str]:
    """The text and the name of its codec."""
    width = _width(html)
    if width:
        return html.decode(width, errors="replace"), width
    header = f"text/html; charset={encoding}" if encoding else None
    try:
        if _is_for_pages(header, html):
            found, text = html_to_unicode(header, html, auto_detect_fun=_guess)
            if not (found.startswith(_WIDE) and _NARROW.match(html)):
                return text, found
    except (LookupError, ValueError):  # a codec that is no text encoding, such as "hex"
        pass
    if encoding:
        return _decoded(html, None)
    guessed = _guess(html)
    return html.decode(guessed, errors="replace"), guessed


def _is_for_pages(header: str | None, html: bytes) -> bool:
    """Whether what the page will be decoded by can be meant."""
    if read_bom(html)[0]:
        return True
    name = http_content_type_encoding(header) or html_body_declared_encoding(html)
    return name is None or name.replace("-", "_") not in _NOT_FOR_PAGES


def _width(body: bytes) -> str | None:
    """The codec of a page in UTF-16 that has no byte order mark: its first tag shows."""
    if b"\x00" not in body[:2]:
        return None
    return next((codec for codec, start in _UTF16.items() if start.match(body)), None)


def digest(html: bytes | str) -> str:
    """Return the first 128 bits of the page's SHA-256, hexadecimal; text is hashed as UTF-8.

    Most processors have instructions for it, which makes it the quickest that Python has.
    """
    data = html if isinstance(html, bytes) else html.encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(data).hexdigest()[:32]


def _guess(body: bytes) -> str:
    """UTF-8 where the bytes are valid UTF-8, else windows-1252, as Scrapy up to 2.18 does."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
