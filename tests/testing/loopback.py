"""A small web site on a free loopback port, with every kind of page that a crawl can meet."""

from __future__ import annotations

import gzip
import sys
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Thread
from typing import Any, Self
from urllib.parse import parse_qs

HTML = "text/html; charset=utf-8"
BIG_PARAGRAPHS = 20_000
MAX_BYTES = 4_500_000
"""``BOILERNET_MAX_BYTES`` for crawls of the site: /big is below it, /huge above it."""


def html_page(title: str, *paragraphs: str) -> str:
    """Return a page of ``len(paragraphs) + 2`` blocks: a link, a heading and the paragraphs."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<!doctype html><html><head><title>{title}</title></head><body>"
        f'<nav class="menu"><a href="/">Home</a></nav><main><h1>{title}</h1>{text}</main>'
        "</body></html>"
    )


def news_page(name: str) -> str:
    """Return a page of 200 blocks, as a newspaper has: menus, an article, comments, links."""
    menu = "".join(f'<li><a href="/s/{n}">Section {n}</a></li>' for n in range(30))
    text = "".join(
        f"<p>Paragraph {n} of {name}: the council met for the third time this week, and "
        f"the members of its committee said that bridge {n} would stay closed all year.</p>"
        for n in range(60)
    )
    said = "".join(
        f'<div class="comment"><b>Reader {n}</b><p>I crossed it {n} years ago.</p></div>'
        for n in range(30)
    )
    more = "".join(f'<li><a href="/n/{n}">More news {n}</a></li>' for n in range(48))
    return (
        f"<!doctype html><html><head><title>{name}</title></head><body>"
        f'<header><nav class="menu"><ul>{menu}</ul></nav></header>'
        f"<main><article><h1>The bridge of {name}</h1>{text}</article>"
        f'<section class="comments">{said}</section></main><aside class="more"><ul>{more}</ul>'
        '</aside><footer><p class="legal">All rights reserved.</p></footer></body></html>'
    )


@dataclass(frozen=True)
class Answer:
    """The site's answer to a request."""

    body: bytes
    content_type: str = HTML
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


def _html(title: str, *paragraphs: str, **options: Any) -> Answer:
    return Answer(html_page(title, *paragraphs).encode(), **options)


_ARTICLE = _html("The mill on the river", "Its wheel turned until 1911.", "Now it grinds again.")
_SENTENCE = (
    "A paragraph of a long page, so long that it takes up two hundred characters " * 2 + "%s"
)
PARAGRAPHS = [" ".join(f"word{n}" for n in range(start, start + 20)) for start in (0, 20, 40)]
_BIG = _html("Big page", *(_SENTENCE % f"{n:05} " + "x" * 40 for n in range(BIG_PARAGRAPHS)))

MILL = """<!doctype html><html lang="en"><head><title>The mill | River news</title>
<meta property="og:site_name" content="River news">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle",
"headline": "The mill", "datePublished": "2024-05-06T07:08:09+02:00",
"author": {"@type": "Person", "name": "Jo Waters"}}</script></head>
<body><nav class="menu"><a href="/">Home</a></nav><main><h1>The mill</h1>
<p>Its <b>wheel</b> turned until <a href="/1911">1911</a>.</p>
<table><tr><th>year<th>sacks<tr><td>1910<td>40</table></main></body></html>"""
"""A page with a link, a table and metadata."""

ANSWERS = {
    "/article": _ARTICLE,
    "/copy": _ARTICLE,
    "/long": _html("Long", *PARAGRAPHS),
    "/redirect": Answer(b"", status=302, headers={"Location": "/article"}),
    "/several": _html("Several", "One page, four items."),
    "/async": _html("Async", "Items of an asynchronous callback."),
    "/missing": _html("Missing", "There is no such page.", status=404),
    "/robots.txt": _html("Robots", "Not a robots.txt at all."),
    "/plain": Answer(b"Plain text.", "text/plain"),
    "/json": Answer(b'{"text": "JSON"}', "application/json"),
    "/image": Answer(b"\x89PNG\r\n\x1a\n\x00\x00", "image/png"),
    "/gzip": Answer(
        gzip.compress(html_page("Zipped", "Text that came compressed.").encode()),
        headers={"Content-Encoding": "gzip"},
    ),
    "/broken": Answer(html_page("Broken", "Un caf\xe9 au lait.").encode("cp1252")),
    "/undeclared": Answer(
        "<title>Река</title><p>Старая мельница стоит у реки и больше не мелет зерно."
        "<p>Летом сюда приходят купаться и ловить рыбу.".encode("cp1251"),
        "text/html",
    ),
    "/big": _BIG,
    "/huge": Answer(_BIG.body + b" " * (MAX_BYTES + 1 - len(_BIG.body))),
    "/mill": Answer(MILL.encode()),
    "/empty": Answer(b"<html><head><title>Empty</title></head><body><div></div></body></html>"),
    "/zero": Answer(b""),
    "/app": Answer(
        b'<html><head><title>Harbour news</title><script src="/app.js"></script></head>'
        b'<body><div id="root"></div></body></html>'
    ),
}
"""The answers by path, without the query."""


class Served:
    """A server in a thread while the ``with`` block runs."""

    def __init__(self, server: TCPServer) -> None:
        self._server = server
        self._thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The site's address, without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Site(Served):
    """The site, served from a thread while the ``with`` block runs."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        """Every request so far, as ``"GET /path"``."""
        site = self

        class Handler(_Handler):
            requests = site.requests

        super().__init__(_Server(("127.0.0.1", 0), Handler))


class _Server(ThreadingHTTPServer):
    request_queue_size = 512
    """Waiting connections: more than many spiders make at once, since any more wait for minutes."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print the error, unless the client has gone: of a file, it reads only the beginning."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    requests: list[str]

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/numbered":  # any number of pages, each with another text
            self._send(_html(f"Page {query}", *(f"Sentence {n} of {query}." for n in range(9))))
            return
        if path == "/news":
            self._send(Answer(news_page(query).encode()))
            return
        self._send(ANSWERS.get(path) or _html("Missing", f"No {path}.", status=404))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        name = form.get("name", ["nobody"])[0]
        self._send(_html(f"Results for {name}", f"A page about {name} and nobody else."))

    def _send(self, answer: Answer) -> None:
        self.requests.append(f"{self.command} {self.path}")
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Connection", "close")  # else Twisted sends the next POST into the void
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:
        """Write no log."""
