"""Text of hostile pages in HTML reports, on a terminal and in logs: nothing of it runs."""

from __future__ import annotations

import logging
import shutil
import subprocess
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from lxml import html as lxml_html
from scrapy import Request
from scrapy.http import HtmlResponse
from testing.commanding import run
from testing.pictures import picture
from testing.synthetic import write_set

from scrapy_boilernet.commands import evaluate, explain

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
OWNED = "owned by the page"
RUN = f"document.title='{OWNED}'"
PAYLOADS = (
    f"<script>{RUN}</script>",
    f"</script><script>{RUN}</script>",
    f"</title></style></textarea></svg></details></noscript><script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f"'><svg onload={RUN}>",
    f"` onmouseover={RUN} autofocus onfocus={RUN} x=`",
    f"javascript:{RUN}//",
    f"data:text/html,<script>{RUN}</script>",
    f'<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>',
    "<link rel=stylesheet href=LEAK><img src=LEAK><style>@import 'LEAK'; *{background:url(LEAK)}"
    "</style>",
    "<meta http-equiv=refresh content='0;url=LEAK'><base href='LEAK'>",
    "<form action=LEAK><button formaction=LEAK>Go</button></form>",
    "{{constructor.constructor('1')()}} ${7*7} #{7*7} <%= 7*7 %> %s%n%(name)s {0} {0.__class__}",
    "<!--[if IE]> --!> ]]> <![CDATA[ &lt;b&gt; &#60;script&#62;",
    "\u2028\u2029\u202e\ufeff\ufffe\x07 a \x1b]0;mine\x07\x1b[2J\x9b31m b",
)
"""``LEAK`` stands for the address of :class:`Listener`, which counts what is loaded."""
ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "h1",
    "h2", "h3", "p", "b", "i", "a", "bdi", "small", "span", "code", "div", "dl", "dt", "dd", "ol",
    "ul", "li", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "details",
    "summary", "fieldset", "legend", "label", "input",
    "svg", "rect", "line", "img",
}  # fmt: skip
"""The elements of reports. None of them runs or loads anything, except by an attribute."""
ADDRESSES = {"href", "src", "srcset", "action", "formaction", "data", "poster", "xlink:href",
             "{http://www.w3.org/1999/xlink}href"}  # fmt: skip


def page_bytes(text: str) -> bytes:
    """Return the text as bytes, with lone surrogates, which are not valid UTF-8."""
    return text.encode("utf-8", "surrogatepass")


@dataclass
class Listener:
    """A server on loopback that records the paths that are loaded from it."""

    loaded: list[str] = field(default_factory=list)
    url: str = ""


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    listener = Listener()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            listener.loaded.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.url = f"http://127.0.0.1:{server.server_port}/leak"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield listener
    server.shutdown()
    thread.join()
    server.server_close()


def payloads(listener: Listener) -> list[str]:
    return [payload.replace("LEAK", listener.url) for payload in PAYLOADS]


def hostile_page(texts: list[str]) -> bytes:
    """Return a page with payloads as text, title, metadata, classes, ids, links and JSON-LD."""
    every = " ".join(texts)
    blocks = "".join(
        f'<p class="{escape(text)}" id="{escape(text)}"><a href="{escape(text)}">The tide is out '
        f"{escape(text)}</a> The pools warm at night, and the crabs come out to feed.</p>"
        for text in [*texts, "\ud800 half a pair"]
    )
    return page_bytes(
        f"<!doctype html><html><head><meta charset=utf-8><title>{escape(every)}</title>"
        f'<link rel=canonical href="{escape(every)}">'
        f'<meta name=description content="{escape(every)}">'
        f'<script type="application/ld+json">{{"@type": "{escape(texts[0])}"}}</script></head>'
        f'<body class="{escape(every)}"><main><h1>{escape(every)}</h1>{blocks}</main></body></html>'
    )


@pytest.fixture(scope="module")
def explained(
    tiny_model: Path, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the file of ``scrapy boilernet explain --html`` for a page with a hostile name."""
    folder = tmp_path_factory.mktemp("explain")
    page = folder / f"'\"><img src=x onerror={RUN}>.html"
    page.write_bytes(hostile_page(payloads(listener)))
    written = folder / "explained.html"
    given = ("--model", tiny_model, "--engine", "numpy", "--html", written)
    assert run(explain, page, *given) == 0
    return written


@pytest.fixture(scope="module")
def evaluated(
    tiny_model: Path, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return the file of ``scrapy boilernet evaluate --html`` for hostile pages, gold and names."""
    for package in ("matplotlib", "rapidfuzz", "tldextract"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("evaluate")
    texts = payloads(listener)
    names = [
        f"{n} {text.replace('/', '')[:60]}".replace("\x00", "") for n, text in enumerate(texts)
    ]
    gold = "\n".join(text.replace("\ufffe", "") for text in texts) + "\nThe tide is out."
    pages = {name: (hostile_page(texts), gold) for name in names}
    rows = [
        {"id": name, "url": f"https://example.org/{text}" if n % 2 else text,
         "page_type": text, "lang": text}
        for n, (name, text) in enumerate(zip(names, texts, strict=True))
    ]  # fmt: skip
    data = write_set(folder / f"set'\"><img src=x onerror={RUN}>", pages, rows)
    written = folder / "evaluated.html"
    assert run(
        evaluate, data, "--model", tiny_model, "--engine", "numpy", "--part", "all",
        "--cache", folder / "cache", "--markdown", folder / "report.md", "--html", written,
    ) == 0  # fmt: skip
    return written


REPORTS = ("explained", "evaluated")


@pytest.fixture(params=REPORTS)
def report(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


def check_harmless(document: str) -> None:
    """Check that all elements and attributes are those of reports."""
    root = lxml_html.document_fromstring(document)
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        assert element.tag.split("}")[-1].lower() in ELEMENTS, element.tag
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on"), (element.tag, name)
            if element.tag == "img" and name == "src":
                picture(value)
            elif name.lower() in ADDRESSES:
                assert value.startswith(("#", "https://example.org/")), value
    refreshing = [each.get("http-equiv", "").lower() for each in root.iter("meta")]
    assert set(refreshing) <= {"", "content-security-policy"}
    assert len(root.findall(".//title")) == len(root.findall(".//style")) == 1


def test_text_of_the_page_is_no_element_or_attribute(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    check_harmless(text)
    shown = lxml_html.document_fromstring(text).find("body").text_content()
    assert f"<script>{RUN}</script>" in shown  # it is there, as text
    assert not set(shown) & set("\x07\x1b\x9b\ud800")


def test_the_policy_of_a_report_forbids_to_run_or_load_anything(report: Path) -> None:
    root = lxml_html.document_fromstring(report.read_text(encoding="utf-8"))
    (policy,) = root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    rules = dict(rule.split(" ", 1) for rule in map(str.strip, policy.split(";")))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert not rules.keys() & {"script-src", "connect-src", "frame-src", "object-src", "font-src"}
    before = root.find("head").index(root.xpath("//meta[@http-equiv]")[0])
    assert before <= 1  # a policy applies to the elements after it
    assert root.xpath("//script | //iframe | //object | //embed | //link | //base") == []


# In a browser ---------------------------------------------------------------------------------

needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed")


def opened(page: Path, profile: Path) -> str:
    """Return the page's DOM after Chromium has loaded it and run its scripts."""
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--disable-background-networking", "--no-first-run", f"--user-data-dir={profile}",
            "--virtual-time-budget=2000", "--dump-dom", page.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    return done.stdout


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profile")


@needs_chromium
def test_payloads_that_are_not_escaped_run_and_load(
    listener: Listener, tmp_path: Path, profile: Path
) -> None:
    listener.loaded.clear()
    page = tmp_path / "bare.html"
    body = "".join(text for text in payloads(listener) if "refresh" not in text)
    page.write_bytes(page_bytes(f"<!doctype html><title>mine</title><body>{body}"))
    assert f"<title>{OWNED}</title>" in opened(page, profile)
    assert listener.loaded


@needs_chromium
def test_a_report_opened_in_a_browser_runs_and_loads_nothing(
    report: Path, listener: Listener, profile: Path
) -> None:
    listener.loaded.clear()
    dom = opened(report, profile)
    assert listener.loaded == []
    title = lxml_html.document_fromstring(dom).findtext(".//title")
    assert title
    assert title != OWNED
    check_harmless(dom)


@needs_chromium
def test_unescaped_markup_in_a_report_still_runs_and_loads_nothing(
    report: Path, listener: Listener, tmp_path: Path, profile: Path
) -> None:
    listener.loaded.clear()
    text = report.read_text(encoding="utf-8")
    body = "".join(each for each in payloads(listener) if "refresh" not in each)
    broken = tmp_path / "broken.html"
    broken.write_bytes(page_bytes(text.replace("<main>", f"<main>{body}", 1)))
    dom = opened(broken, profile)
    assert "<script>" in dom  # the payload is an element
    assert f"<title>{OWNED}" not in dom
    assert listener.loaded == []


# On a terminal, in a log ----------------------------------------------------------------------


def test_explain_prints_no_terminal_controls(
    tiny_model: Path, tmp_path: Path, listener: Listener, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a\x1b[2J.html"
    page.write_bytes(hostile_page(payloads(listener)))
    assert run(explain, page, "--model", tiny_model, "--engine", "numpy") == 0
    printed = capsys.readouterr().out
    assert RUN in printed
    commands = {sign for sign in printed if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp")}
    assert commands == {"\n"}
    assert "\u202e" not in printed


@pytest.mark.parametrize("payload", [*PAYLOADS, "http://a/\r\n2024 INFO: all is well\x1b[2J%s%n%d"])
def test_an_address_in_a_log_is_one_plain_line(
    payload: str, caplog: pytest.LogCaptureFixture
) -> None:
    url = payload if payload.startswith("http") else f"http://example.org/{payload}"
    response = HtmlResponse(Request(url).url)
    with caplog.at_level(logging.INFO):
        logging.getLogger("scrapy_boilernet").error("Could not label %s", response.url)
    (line,) = caplog.messages
    assert line == f"Could not label {response.url}"
    assert line.isprintable()
