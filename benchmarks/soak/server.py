"""The soak's server: a separate process that sends sound pages and every kind of broken one.

``/<kind>/<number>`` is a page of one of the kinds of ``plan.py``. A page is a template whose mark
is replaced by the page's number. So 100,000 distinct pages cost one replacement each, and an item
with another page's text can be recognized. Answers are whole, cut, slow or wrong. Some are drawn
again at each request, so that a page that was cut off may come whole when it is retried.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from random import Random
from typing import Literal
from urllib.parse import unquote

from benchmarks.common.words import WORDS
from benchmarks.soak.labeler import TROUBLE
from benchmarks.soak.plan import MARK

_HOLE = MARK.format(0)
_WORDS = (*WORDS, "café", "Brücke", "река", "市場")
_CODECS = ("x-unknown", "utf-7", "idna", "hex", "undefined", "rot13", "unicode_escape", "utf-16")
_TAGS = "div p b i font span table tr td ul li form select option svg math noscript a h2".split()
_END = b"\r\n\r\n"
_BOMB_BYTES = 12_000_000
"""Size of a page that is sent as 12 kB; it is above ``BOILERNET_MAX_BYTES``."""
_TYPES = (
    "image/png", "application/pdf", "application/json", "text/plain", "", "html",
    "TEXT/HTML; Charset=UTF-8", "text/html;;charset", "text/html, text/html",
    "application/xhtml+xml", "\xff\xfe",
)  # fmt: skip
_NOWHERE = (
    "http://[::1", "mailto:a@example.com", "http://", "//:0/", "\xff\xfe", "data:text/html,x",
)  # fmt: skip
_CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked" + _END


@contextmanager
def soaking(seed: int, slow_seconds: float) -> Iterator[int]:
    """Serve on a free port of loopback while the block runs, and yield the port."""
    context = get_context("spawn")
    mine, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(seed, slow_seconds, theirs), daemon=True)
    process.start()
    try:
        yield mine.recv()
    finally:
        process.terminate()
        process.join()


def _serve(seed: int, slow_seconds: float, pipe: Connection) -> None:
    asyncio.run(_run(Answers(seed, slow_seconds), pipe))


async def _run(answers: Answers, pipe: Connection) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answers), "127.0.0.1", 0, backlog=128)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


class _Connection(asyncio.Protocol):
    """Answers one request after another."""

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.read = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.read += data
        head, end, rest = self.read.partition(_END)
        if not end:
            return
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-len")]
        length = int(lengths[0].partition(b":")[2]) if lengths else 0
        if len(rest) < length:
            return
        self.read = rest[length:]
        self.write(self.answers.of(head.split(b" ", 2)[1].decode()))

    def write(self, answer: Answer) -> None:
        """Write the pieces at once, or each some time after the one before."""
        if not answer.seconds:
            for piece in answer.pieces:
                self.transport.write(piece)
            self.end(answer)
            return
        loop = asyncio.get_running_loop()
        for i, piece in enumerate(answer.pieces, 1):
            loop.call_later(i * answer.seconds, self.transport.write, piece)
        loop.call_later(len(answer.pieces) * answer.seconds, self.end, answer)

    def end(self, answer: Answer) -> None:
        """Keep, close or abort the connection, as the answer says."""
        if answer.end == "close":
            self.transport.close()
        elif answer.end == "abort":
            self.transport.abort()


@dataclass(frozen=True)
class Answer:
    """The pieces that are written to the connection, and how it ends."""

    pieces: tuple[bytes, ...]
    seconds: float = 0.0
    """Delay before each piece."""
    end: Literal["keep", "close", "abort"] = "keep"


class Answers:
    """Makes the answer of a path."""

    def __init__(self, seed: int, slow_seconds: float) -> None:
        self._random = Random(f"server {seed}")
        self._templates = templates(seed)
        self._slow = slow_seconds
        self._bomb = gzip.compress(b"<p>" + b"water " * (_BOMB_BYTES // 6), 6, mtime=0)
        self._by_kind: dict[str, Callable[[int], Answer]] = {
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
        if answer := self._by_kind.get(kind):
            return answer(int(number))
        among = self._templates[kind]
        template = among[int(number) % len(among)]
        charset = f"; charset={template.charset}" if template.charset else ""
        return _whole(template.page(int(number)), content_type=f"text/html{charset}")

    def _body(self, kind: str, number: int) -> bytes:
        among = self._templates[kind]
        return among[number % len(among)].page(number)

    def _cut(self, number: int) -> Answer:
        """Return the page whole, or cut off before its head, in its head or in its body."""
        (whole,) = _whole(self._body("page", number)).pieces
        number_of_cut = self._random.randrange(5)
        cuts = (0, 20, len(whole) // 2, len(whole) - 1, len(whole))
        end = self._random.choice(("close", "abort")) if number_of_cut < 4 else "keep"
        return Answer((whole[: cuts[number_of_cut]],), end=end)

    def _error(self, number: int) -> Answer:
        status = self._random.choice(("500 Broken", "503 Busy", "429 Too Many", "200 OK", "200 OK"))
        return _whole(self._body("page", number), status)

    def _garbage(self, number: int) -> Answer:
        """Return bytes that are not HTTP, or only almost."""
        body = self._body("page", number)
        answers = (
            self._random.randbytes(200),
            b"HTTP/1.1 000\r\n\r\n",
            b"HTTP/9.9 999 ?\r\nX" + b"\x00" * 99 + _END + body,
            b"HTTP/1.1 200 OK\r\nContent-Length: -5" + _END + body,
            _CHUNKED + b"zz\r\n" + body,
            _CHUNKED + b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n",  # a sound one
        )
        return Answer((self._random.choice(answers),), end="close")

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


@dataclass(frozen=True)
class Template:
    """A page without its number."""

    body: bytes
    charset: str | None = "utf-8"
    """The charset in the response's header."""
    wide: bool = False
    """Whether the body is UTF-16."""

    def page(self, number: int) -> bytes:
        """Return the page with its number."""
        codec = "utf-16-le" if self.wide else "ascii"
        return self.body.replace(_HOLE.encode(codec), MARK.format(number).encode(codec))


def templates(seed: int) -> dict[str, list[Template]]:
    """Return the templates per kind of page; the same at each call."""
    random = Random(f"pages {seed}")
    made: dict[str, list[Template]] = {kind: [] for kind in _MAKERS}
    for kind, (number, make) in _MAKERS.items():
        made[kind] = [make(random) for _ in range(number)]
    return made


def _sentence(random: Random) -> str:
    return " ".join(random.choices(_WORDS, k=random.randint(6, 30)))


def _paragraphs(random: Random, blocks: int) -> Iterator[str]:
    """Yield a menu, a heading and paragraphs. Every fifth has the mark, also as its class, so that
    caches per class name get new names all the time.
    """
    links = blocks // 4
    yield '<nav class="menu"><ul>'
    yield from (f'<li><a href="/{i}">{random.choice(_WORDS)} {i}</a></li>' for i in range(links))
    yield f'</ul></nav><main class="story"><h1>A tale of {_HOLE}</h1>'
    for i in range(max(1, blocks - links - 2)):
        mark = f"{_HOLE} " if i % 5 == 0 else ""
        yield f'<p class="text n{i % 7} {mark}">{mark}{_sentence(random)}.</p>\n'
    yield '</main><footer class="foot">About us</footer>'


def _html(body: str, title: str = _HOLE) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


def _ordinary(least: int, most: int, title: str = _HOLE) -> Callable[[Random], Template]:
    def make(random: Random) -> Template:
        body = "".join(_paragraphs(random, random.randint(least, most)))
        return Template(_html(body, title).encode())

    return make


def _soup(random: Random) -> Template:
    """Return tags in random order, stray end tags, and comments and attributes that never close."""
    pieces = [f"<p>{_HOLE} {_sentence(random)}"]
    for _ in range(random.randint(30, 200)):
        tag = random.choice(_TAGS)
        pieces.append(
            random.choice(
                (
                    f"<{tag}>", f"</{tag}>", f"<{tag} class='{random.choice(_WORDS)} x=\">",
                    f"<{tag}/>", "<!-- ", "-->", "<![CDATA[", "&#xD800;&amp;&bogus;&#99999999;",
                    "<", "</", "<!>", "<?php ?>", f"{_sentence(random)} {_HOLE} ", "<script>'</p>'",
                    "</script>", "<plaintex", "\x00\x0c", f"<p>{_sentence(random)}</p>",
                )
            )
        )  # fmt: skip
    return Template("".join(pieces).encode())


def _deep(random: Random) -> Template:
    depth = random.choice((100, 250, 300, 600, 600, 2500))
    tag = random.choice(("div", "span", "b", "font", "table", "ul", "blockquote"))
    inside = "".join(_paragraphs(random, random.randint(5, 30)))
    return Template(_html(f"<{tag}>" * depth + inside + f"</{tag}>" * depth).encode())


def _attributes(random: Random) -> Template:
    many = random.choice((100, 500, 1000))
    same = random.random() < 0.5
    flood = " ".join(f'{"a" if same else f"a{i}"}="{i}"' for i in range(many))
    value = random.choice(("x", "x" * 50_000, " ".join(map(str, range(2000)))))
    body = "".join(_paragraphs(random, 20))
    return Template(_html(f'<div {flood}><div class="{value}">{body}</div></div>').encode())


def _new_names(random: Random) -> Template:
    """Return tags and attributes that no earlier page had; lxml keeps the names of a thread."""
    flood = " ".join(f'data-{_HOLE}-{i}="{i}"' for i in range(100))
    inside = "".join(
        f"<x-{_HOLE}-{i}>{_HOLE} {_sentence(random)}</x-{_HOLE}-{i}>" for i in range(20)
    )
    return Template(_html(f"<div {flood}>{inside}</div>").encode())


def _encoding(random: Random) -> Template:
    """Return bytes in another encoding than the header or the page declares."""
    text = _html("".join(_paragraphs(random, random.randint(10, 40))))
    kind = random.randrange(6)
    if kind == 0:
        return Template(text.encode("cp1252", "replace"), "utf-8")
    if kind == 1:
        return Template(text.encode("utf-16-le"), random.choice((None, "utf-8")), wide=True)
    if kind == 2:
        return Template(text.encode(), random.choice(_CODECS))
    if kind == 3:
        return Template(text.replace(" ", "\x00").encode(), None)
    if kind == 4:
        return Template(b"\xed\xa0\x80\xff\xfe" + text.encode().replace(b" ", b"\xc3", 50), None)
    declared = '<meta charset="utf-16">' + text
    return Template(b"<?xml version='1.0' encoding='koi8-r'?>" + declared.encode(), "shift_jis")


def _empty(random: Random) -> Template:
    return Template(random.choice((b"", b" \n", b"<html>", b"<", b"\xef\xbb\xbf", b"\x00" * 100)))


def _no_page(random: Random) -> Template:
    """Return bytes that are sent as HTML but are not."""
    noise = random.randbytes(random.randint(10, 20_000))
    begins = (b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", b'{"text": "', b"GIF89a", b"PK\x03\x04", b"")
    return Template(random.choice(begins) + noise, random.choice((None, "utf-8")))


_MAKERS: dict[str, tuple[int, Callable[[Random], Template]]] = {
    "page": (60, _ordinary(20, 60)),
    "long": (20, _ordinary(60, 300)),
    "big": (3, _ordinary(2000, 6000)),
    "tag soup": (60, _soup),
    "deep": (20, _deep),
    "attributes": (12, _attributes),
    "new names": (12, _new_names),
    "encoding": (60, _encoding),
    "empty": (20, _empty),
    "no page": (20, _no_page),
    **{kind: (5, _ordinary(20, 60, title)) for kind, title in TROUBLE.items()},
}
