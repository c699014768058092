"""Crawls in which something fails: a site with wrong answers, and the results of such a crawl."""

from __future__ import annotations

import gzip
import json
import os
import socketserver
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from . import crawling, plugged
from .loopback import HTML, Served, html_page

WAIT_SECONDS = 60
"""A wait for another process has failed if it takes longer; none takes nearly that long."""
MODES = ("thread", "process")
_HANG = None
"""A reply that never comes: the connection is held until the client closes it."""

Replies = Sequence[bytes | None]


def reply(
    body: bytes = b"",
    content_type: bytes | None = HTML.encode(),
    *headers: bytes,
    status: bytes = b"200 OK",
    length: int | None = None,
) -> bytes:
    """Return a whole HTTP response; ``length``: the length in its header, if it is wrong."""
    lines = [b"HTTP/1.1 " + status, b"Connection: close", *headers]
    if content_type is not None:
        lines.append(b"Content-Type: " + content_type)
    lines.append(b"Content-Length: %d" % (len(body) if length is None else length))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def text_of(number: int | str) -> str:
    """Return the main text of page ``number``: its paragraphs."""
    return "\n".join(f"Sentence {n} of page {number}." for n in range(3))


def _page(name: str) -> bytes:
    return html_page(f"Page {name}", *text_of(name).split("\n")).encode()


_PNG = b"\x89PNG\r\n\x1a\n\x00\x00" + bytes(range(256))
_GZIP = b"Content-Encoding: gzip"
MADE_TEXT = "This page was never downloaded."
"""The text of pages that a middleware makes."""
BOMB_BYTES = 3_000_000
_BOMB = gzip.compress(b"<p>" + b"a" * BOMB_BYTES)

REPLIES: dict[str, Replies] = {
    "/zero": [reply()],
    "/no-content": [reply(status=b"204 No Content")],
    "/image-as-html": [reply(_PNG)],
    "/html-as-image": [reply(_page("a"), b"image/png")],
    "/html-as-json": [reply(_page("a"), b"application/json")],
    "/untyped": [reply(_page("untyped"), None)],
    "/untyped-nothing": [reply(b"", None)],
    "/charset-bytes": [reply(_page("charset"), b"text/html; charset=\xff\xfe\xc0")],
    "/charset-unknown": [reply(_page("charset"), b'text/html; charset="><p>"')],
    "/odd-headers": [reply(_page("odd"), HTML.encode(), b"X-Odd: \x80\xff%s%n{0}", b"X-Odd: 2")],
    "/two-types": [reply(_page("two"), HTML.encode(), b"Content-Type: image/png")],
    "/not-gzip": [reply(_page("a"), HTML.encode(), _GZIP)],
    "/cut-gzip": [reply(gzip.compress(_page("a"))[:-20], HTML.encode(), _GZIP)],
    "/unknown-coding": [reply(_page("coded"), HTML.encode(), b"Content-Encoding: nonsense")],
    "/bomb": [reply(_BOMB, HTML.encode(), _GZIP)],
    "/too-long": [reply(_page("long"), length=100_000)],
    "/too-short": [reply(_page("short"), length=len(_page("short")) - 20)],
    "/flaky": [
        reply(_page("error"), status=b"500 Internal Server Error"),
        reply(_page("flaky")),
    ],
    "/broken": [reply(_page("broken"), status=b"500 Internal Server Error")],
    "/no-http": [b"\x00\x01nonsense\r\n\r\n"],
    "/reset": [b""],
    "/late": [_HANG],
    "/moved": [reply(b"", HTML.encode(), b"Location: /page?n=moved", status=b"302 Found")],
    "/circle": [reply(b"", HTML.encode(), b"Location: /circle", status=b"302 Found")],
}
"""By path the replies to its requests, in turn; the last one repeats. ``/page?n=N`` is page N."""


class FaultySite(Served):
    """The site, served from threads while the ``with`` block runs."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        """How often each path, with its query, was asked for."""
        site = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                words = self.rfile.readline().decode("latin-1").split()
                while self.rfile.readline().strip():
                    pass
                if len(words) < 2:  # a connection that asked for nothing
                    return
                answer = site.answer(words[1])
                if answer is None:
                    self.rfile.read()
                else:
                    self.wfile.write(answer)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, request: object, client_address: object) -> None:
                """Ignore the error: many of these pages make the client close the connection."""

        super().__init__(Server(("127.0.0.1", 0), Handler))

    def answer(self, target: str) -> bytes | None:
        """Return the response to the next request of the path; None if it never comes."""
        path, _, query = target.partition("?")
        turn = self.requests[target]
        self.requests[target] += 1
        replies = REPLIES.get(path)
        if replies is None:
            return reply(_page(parse_qs(query).get("n", ["none"])[0]))
        return replies[min(turn, len(replies) - 1)]


def page(number: int, fault: str = "", act: str = "") -> dict[str, Any]:
    """Return page ``number`` of a plan; ``act`` is done in its callback."""
    if fault:
        path = f"/page?n={number}&fault={fault}"
        return {"path": path, "fault": fault, "act": act}
    return {"path": f"/page?n={number}", "act": act}


def plan(*faults: str, act: str = "") -> list[dict[str, Any]]:
    """Return the pages of a crawl: per fault two healthy pages and one with it, then a healthy one.

    ``act`` is done in the callback of each page with a fault.
    """
    pages = [
        [page(3 * i), page(3 * i + 1), page(3 * i + 2, fault, act)]
        for i, fault in enumerate(faults)
    ]
    return [*chain.from_iterable(pages), page(3 * len(faults))]


def environment(folder: Path) -> dict[str, str]:
    """Return the environment in which the labelers of ``faults_labelers.py`` are installed."""
    site = folder / "site-packages"
    if not site.exists():
        plugged.install(
            site,
            faulty="faults_labelers:FaultyLabeler",
            other="faults_labelers:OtherLabeler",
            waiting="faults_labelers:WaitingLabeler",
        )
    return {**crawling.python_path(site, crawling.SPIDERS), "FAULTS_FOLDER": str(folder)}


@dataclass(frozen=True)
class Faulted:
    """A finished crawl, and the threads and processes that it left."""

    crawl: crawling.Crawl
    left: dict[str, list[str]]
    """Threads and child processes at the very end of the crawl's process."""
    spider: str = "faults"

    @property
    def stats(self) -> dict[str, Any]:
        """The stats of the one spider."""
        return self.crawl.stats[self.spider]

    @property
    def counts(self) -> dict[str, Any]:
        """The plugin's stats without their prefix and without those of timing."""
        return self.crawl.counts(self.spider)

    def of(self, fault: str | None) -> list[dict[str, Any]]:
        """Return the items of the pages with this fault; None: of the healthy pages."""
        return self.crawl.fields(fault=fault)

    def check(self, items: int) -> None:
        """Assert that so many items were yielded and came out, and that nothing is left."""
        assert self.stats["faults/in"] == items
        assert self.stats["item_scraped_count"] == items
        assert len(self.crawl.fields()) == items
        assert self.stats["faults/ties"] == 0
        assert self.left == {"threads": [], "children": []}
        assert self.crawl.deprecations == []

    def check_labeled(self, fault: str | None = None) -> None:
        """Assert that the pages with the fault, by default the healthy ones, have their texts."""
        found = self.of(fault)
        assert found
        for item in found:
            assert item.get("main_text") == text_of(item["n"]), item


def settings(mode: str, model: str = "faulty", **more: Any) -> dict[str, Any]:
    """Return the settings of a crawl with a labeler of ``faults_labelers.py``."""
    return {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODEL": model,
        "BOILERNET_MODE": mode,
        "RETRY_TIMES": 1,
        **more,
    }


def crawl_faults(
    site: FaultySite,
    folder: Path,
    pages: list[dict[str, Any]],
    given: dict[str, Any],
    spiders: str = "faults",
    chained: bool = False,
) -> Faulted:
    """Crawl the pages of a plan in one process and return the result.

    ``chained``: one page after the other, so that an act of a page's callback affects the next.
    """
    left = folder / "left.json"
    work = {"FAULTS_PLAN": {"pages": pages, "chain": chained}, "FAULTS_LEFT": str(left)}
    result = crawling.crawl(spiders, site.url, {**work, **given}, environment(folder))
    return Faulted(result, what_is_left(left))


def what_is_left(file: Path) -> dict[str, list[str]]:
    """Return the threads and child processes that the spider noted at the end of its process."""
    noted = json.loads(file.read_text())
    return {name: noted[name] for name in ("threads", "children")}


def spawn(spider: str, site: str, folder: Path, given: dict[str, Any]) -> subprocess.Popen[str]:
    """Start ``scrapy runspider`` in a process group of its own; its log is in ``stderr``."""
    options = {"ADDONS": json.dumps(crawling.ADDONS), **crawling.base_settings(), **given}
    words = [word for name, value in options.items() for word in ("-s", f"{name}={value}")]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "scrapy", "runspider", str(crawling.SPIDERS / f"{spider}.py"),
         "-a", f"site={site}", *words],
        env={**os.environ, **environment(folder)}, start_new_session=True, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
