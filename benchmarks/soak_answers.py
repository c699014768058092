"""The answers of the soak's server: what is written for a path, whole, cut, slowly or wrongly.

``/<kind>/<number>`` is the page of a number of one of the kinds of ``soak_pages.py``. Some answers
are drawn anew at each request, so that a page that was cut off comes whole when it is tried again.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal
from urllib.parse import unquote

from soak_pages import templates

_END = b"\r\n\r\n"
_BOMB_BYTES = 12_000_000
"""Of a page that comes as 12 kB: above ``BOILERNET_MAX_BYTES``."""
_TYPES = (
    "image/png", "application/pdf", "application/json", "text/plain", "", "html",
    "TEXT/HTML; Charset=UTF-8", "text/html;;charset", "text/html, text/html",
    "application/xhtml+xml", "\xff\xfe",
)  # fmt: skip
_NOWHERE = (
    "http://[::1", "mailto:a@example.com", "http://", "//:0/", "\xff\xfe", "data:text/html,x",
)  # fmt: skip
_CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked" + _END


@dataclass(frozen=True)
class Answer:
    """What is written to the connection, piece by piece, and what then becomes of it."""

    pieces: tuple[bytes, ...]
    seconds: float = 0.0
    """Before each piece."""
    end: Literal["keep", "close", "abort"] = "keep"


class Answers:
    """Makes the answer of a path."""

    def __init__(self, seed: int, slow_seconds: float) -> None:
        self._random = Random(f"server {seed}")
        self._templates = templates(seed)
        self._slow = slow_seconds
        self._bomb = gzip.compress(b"<p>" + b"water " * (_BOMB_BYTES // 6), 6, mtime=0)
        self._ways: dict[str, Callable[[int], Answer]] = {
            "cut": self._cut,
            "missing": lambda n: _whole(self._body("page", n), "404 Not Found"),
            "error": self._error,
            "garbage": self._garbage,
            "redirect": lambda n: _moved(f"/page/{n}"),
            "loop": lambda n: _moved(f"/loop/{n}"),
            "nowhere": lambda _: _moved(self._random.choice(_NOWHERE)),
            "gzip": lambda n: _zipped(gzip.compress(self._body("page", n), 1, mtime=0)),
            "broken gzip": self._broken_gzip,
            "bomb": lambda _: _zipped(self._bomb),
            "wrong type": lambda n: _whole(
                self._body("page", n), content_type=self._random.choice(_TYPES)
            ),
            "slow": self._slowly,
            "stuck": lambda _: Answer(()),
            "post": lambda n: _whole(self._body("page", n)),
        }

    def of(self, path: str) -> Answer:
        """Return the answer."""
        kind, _, number = unquote(path).strip("/").partition("/")
        if not number.isdecimal():  # where a redirect to nowhere has led
            return _whole(b"", "404 Not Found")
        way = self._ways.get(kind)
        if way:
            return way(int(number))
        among = self._templates[kind]
        template = among[int(number) % len(among)]
        charset = f"; charset={template.charset}" if template.charset else ""
        return _whole(template.page(int(number)), content_type=f"text/html{charset}")

    def _body(self, kind: str, number: int) -> bytes:
        among = self._templates[kind]
        return among[number % len(among)].page(number)

    def _cut(self, number: int) -> Answer:
        """Whole, or cut off in its head, in its body, or before either."""
        (whole,) = _whole(self._body("page", number)).pieces
        way = self._random.randrange(5)
        cuts = (0, 20, len(whole) // 2, len(whole) - 1, len(whole))
        end = self._random.choice(("close", "abort")) if way < 4 else "keep"
        return Answer((whole[: cuts[way]],), end=end)

    def _error(self, number: int) -> Answer:
        status = self._random.choice(("500 Broken", "503 Busy", "429 Too Many", "200 OK", "200 OK"))
        return _whole(self._body("page", number), status)

    def _garbage(self, number: int) -> Answer:
        """Bytes that are no HTTP, or nearly."""
        body = self._body("page", number)
        ways = (
            self._random.randbytes(200),
            b"HTTP/1.1 000\r\n\r\n",
            b"HTTP/9.9 999 ?\r\nX" + b"\x00" * 99 + _END + body,
            b"HTTP/1.1 200 OK\r\nContent-Length: -5" + _END + body,
            _CHUNKED + b"zz\r\n" + body,
            _CHUNKED + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n",  # a sound one
        )
        return Answer((self._random.choice(ways),), end="close")

    def _broken_gzip(self, number: int) -> Answer:
        body = self._body("page", number)
        zipped = gzip.compress(body, 1, mtime=0)
        middle = len(zipped) // 2
        broken = zipped[:middle] + b"\xff" * 20 + zipped[middle + 20 :]
        return _zipped(self._random.choice((zipped[:middle], broken, body, b"", zipped[:5])))

    def _slowly(self, number: int) -> Answer:
        (whole,) = _whole(self._body("page", number)).pieces
        step = len(whole) // 4 + 1
        pieces = tuple(whole[at : at + step] for at in range(0, len(whole), step))
        return Answer(pieces, self._random.uniform(0, self._slow))


def _whole(
    body: bytes,
    status: str = "200 OK",
    more: str = "",
    content_type: str = "text/html; charset=utf-8",
) -> Answer:
    kind = f"Content-Type: {content_type}\r\n" if content_type else ""
    head = f"HTTP/1.1 {status}\r\n{kind}{more}Content-Length: {len(body)}\r\n\r\n"
    return Answer((head.encode("latin-1") + body,))


def _moved(place: str) -> Answer:
    return _whole(b"", "302 Found", f"Location: {place}\r\n")


def _zipped(body: bytes) -> Answer:
    return _whole(body, more="Content-Encoding: gzip\r\n")
