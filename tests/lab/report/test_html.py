"""The report as a page: complete, self-contained, and harmless whatever the pages hold."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import partial
from math import nan
from typing import Any

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("rapidfuzz")

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html
from testing.pictures import picture, texts

from scrapy_boilernet.extractor.explain.explanation import plain
from scrapy_boilernet.extractor.templates import ENVIRONMENT
from scrapy_boilernet.lab.evaluation.evaluate import PageRow, WorstPage
from scrapy_boilernet.lab.evaluation.summary import summarize
from scrapy_boilernet.lab.evaluation.systems import Extraction, System
from scrapy_boilernet.lab.report.html import (
    MAX_GROUPS,
    MAX_LINES,
    MAX_PAGES,
    html_report,
    is_web_address,
    number,
)

VERSIONS = {"python": "3.11.0", "numpy": "2.0.0"}
HOSTILE = (
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)",
    "</title></style></svg></details><iframe src=//evil.example>", "&lt;b&gt; &#60;",
    "\x00\x07\x1b[31m\x7f\x85", "half \ud800 pair \udfff", "\u202eesrever", "javascript:alert(1)",
    "<!--", "]]>", "{{7*7}} ${x} %s {0}", "a\u0300" * 500, "\ufffe\uffff",
)  # fmt: skip
EVIL = " ".join(HOSTILE[:-2])
PAGE = WorstPage("set", "p1", "https://example.org/a?b=1&c=<2>", "article", 0.25,
                 ("The tide is out.",), ("Subscribe now",))  # fmt: skip


def systems(*names: str) -> list[System]:
    versions = ["ours", *(f"{i}.1" for i in range(1, len(names)))]
    engines = {"ours": "onnx"}
    return [
        System(name, version, lambda _: Extraction(""), engine=partial(engines.get, version, ""))
        for name, version in zip(names, versions, strict=True)
    ]


def rows_of(
    names: list[str],
    sets: list[str],
    *,
    pages: int = 12,
    page_type: str | None = None,
    language: str | None = None,
    confidence: float | None = None,
    f1: dict[str, float] | None = None,
) -> list[PageRow]:
    rng = np.random.default_rng(0)
    found = []
    for dataset in sets:
        for n in range(pages):
            for name in names:
                score = (f1 or {}).get(name, float(rng.random()))
                metrics = {"word_precision": score, "word_recall": score, "word_f1": score}
                own = confidence if name == names[0] else None
                found.append(
                    PageRow(dataset, f"p{n}", page_type, language, name, metrics, own, 0.01)
                )
    return found


def report(
    names: list[str],
    rows: list[PageRow],
    worst: tuple[WorstPage, ...] = (),
    command: str = "scrapy boilernet evaluate set",
    versions: dict[str, str] = VERSIONS,
) -> str:
    return html_report(summarize(rows, systems(*names)), rows, worst, command, versions)


def title_of(page: str) -> str:
    return html.document_fromstring(page).find(".//h1").text_content()


def headings(page: str) -> list[str]:
    return [h.text_content() for h in html.document_fromstring(page).iter("h2")]


def part(name: str) -> Any:
    """A macro of the report's template."""
    context = {"plain": plain, "is_web_address": is_web_address}
    return getattr(
        ENVIRONMENT.get_template("lab/report/templates/parts.html").make_module(context), name
    )


def check_harmless(page: str) -> None:
    """Nothing runs, nothing is loaded, and links lead to web pages only."""
    document = html.document_fromstring(page.encode("utf-8"))
    forbidden = (
        "script iframe object embed link base form input svg image foreignObject audio video"
    )
    tags = {str(element.tag).lower() for element in document.iter()}
    assert not tags & {*forbidden.lower().split()}
    for element in document.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on"), (name, value)
            assert name not in {"srcset", "action", "background", "style"}
            assert name != "src" or element.tag == "img"
            if name == "href" and element.tag == "a":
                assert re.match("https?://", value, re.IGNORECASE)
            assert not name.endswith("href") or element.tag == "a"
    for image in document.iter("img"):
        picture(image.get("src"))
    assert len(list(document.iter("style"))) == 1
    assert not re.search(r"@import|url\((?!#)", page)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", page)


@pytest.fixture(scope="module")
def full() -> str:
    names = ["mine", "peer-a", "peer-b"]
    rows = rows_of(
        names, ["one", "two"], page_type="forum", language="fi", confidence=0.5,
        f1={"mine": 0.75, "peer-b": 0.5},
    )  # fmt: skip
    return report(names, rows, (PAGE,))


def test_the_page_forbids_itself_to_run_or_load_anything(full: str) -> None:
    check_harmless(full)
    head = html.document_fromstring(full).head
    policy = head.xpath("meta[@http-equiv='Content-Security-Policy']")[0]
    digest = base64.b64encode(hashlib.sha256(head.findtext("style").encode()).digest()).decode()
    assert policy.get("content") == (
        f"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'; img-src data:"
    )
    assert list(head).index(policy) < list(head).index(head.find("style"))
    assert full.index("<meta charset") < 1024


def test_all_sections_are_there(full: str) -> None:
    assert headings(full) == [
        "Overall", "Data sets", "Pages", "Confidence and speed", "Page types", "Languages",
        "All metrics", "Worst pages of mine",
    ]  # fmt: skip
    document = html.document_fromstring(full)
    alts = document.xpath("//img[@class='light']/@alt")
    assert len(alts) == 8
    assert "Stated confidence against true F1" in alts
    assert document.xpath("//img[@class='dark']/@alt") == alts


def test_sets_with_a_better_peer_are_named_beside_the_mean() -> None:
    names = ["mine", "<i>peer</i>"]
    rows = [
        *rows_of(names, ["won"], f1={"mine": 0.75, names[1]: 0.25}),
        *rows_of(names, ["lost & found"], f1={"mine": 0.5, names[1]: 0.625}),
    ]
    page = report(names, rows)
    check_harmless(page)
    header = html.document_fromstring(page).find(".//header").text_content()
    assert (
        "mine is behind the best peer on 1 of 2 sets: "
        "lost & found -0.125 [-0.125, -0.125] (<i>peer</i>)."
    ) in header
    assert "best peer" not in report(names[:1], rows_of(names[:1], ["won"]))


def test_command_versions_and_peers_are_given(full: str) -> None:
    footer = html.document_fromstring(full).find(".//footer").text_content()
    assert "scrapy boilernet evaluate set" in footer
    assert "python 3.11.0, numpy 2.0.0, peer-a 1.1, peer-b 2.1" in footer
    assert "Engines: mine by onnx." in footer


@pytest.mark.parametrize(
    ("f1", "words"),
    [
        ({"a": 0.75, "b": 0.5, "c": 0.25}, "a leads b by 0.250"),
        ({"a": 0.5, "b": 0.25, "c": 0.75}, "c leads a by 0.250"),
        ({"a": 0.5, "b": 0.5, "c": 0.25}, "a and b are level"),
    ],
)
def test_the_headline_has_the_leader_and_the_interval(f1: dict[str, float], words: str) -> None:
    page = report([*f1], rows_of([*f1], ["one", "two"], f1=f1))
    assert title_of(page) == words
    header = html.document_fromstring(page).find(".//header").text_content()
    assert "over 2 data sets (24 pages)" in header
    assert "95 % interval" in header


def test_one_system_alone_has_a_report_without_leads() -> None:
    page = report(["mine"], rows_of(["mine"], ["one"], f1={"mine": 0.5}))
    assert title_of(page) == "mine: word-F1 0.500"
    assert headings(page) == ["Overall", "Data sets", "Pages", "Speed", "All metrics"]
    assert "lead" not in html.document_fromstring(page).find(".//main").text_content()
    check_harmless(page)


def test_without_pages_the_page_says_so() -> None:
    page = report(["mine", "peer"], [])
    assert title_of(page) == "No pages with gold text"
    assert headings(page) == []
    check_harmless(page)


def test_pages_without_gold_text_count_in_the_metrics_alone() -> None:
    rows = [PageRow("snips", "p", None, None, "mine", {"with_rate": 0.5}, 0.9, 0.01)]
    page = report(["mine"], rows)
    assert title_of(page) == "No pages with gold text"
    assert headings(page) == ["All metrics"]
    assert "with rate" in page


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_figure_that_is_not_a_number_is_a_dash() -> None:
    rows = rows_of(["mine", "peer", "third"], ["one", "two"], confidence=nan, f1={"peer": nan})
    page = report(["mine", "peer", "third"], rows)
    document = html.document_fromstring(page)
    assert "nan" not in document.find("body").text_content().lower()
    for address in document.xpath("//img/@src"):
        assert b"nan" not in etree.tostring(picture(address))
    assert "third" in title_of(page)
    check_harmless(page)


def test_ten_systems_on_twelve_sets_with_many_types_stay_readable() -> None:
    names = [f"system-with-a-long-name-{n}" for n in range(10)]
    rows = [
        row
        for n in range(30)
        for row in rows_of(names, [f"set-{n % 12}"], pages=2, page_type=f"type-{n}")
    ]
    page = report(names, rows)
    document = html.document_fromstring(page)
    check_harmless(page)
    plots = document.xpath("//img[@class='light'][@alt='Word-F1 per page type']/@src")
    drawn = [text for plot in plots for text in texts(picture(plot)) if "type-" in text]
    assert len(plots) == 2
    assert len(drawn) == MAX_GROUPS
    assert f"the table has {30 - MAX_GROUPS} more" in document.text_content()
    assert all(f"set-{n % 12}: type-{n}" in document.text_content() for n in range(30))


@pytest.mark.parametrize("evil", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_anywhere_is_shown_as_text(evil: str) -> None:
    names = [evil or "x", f"peer {evil}"]
    rows = rows_of(
        names, [f"set {evil}", "two"], pages=3, page_type=evil, language=evil, confidence=0.5
    )
    worst = WorstPage(f"set {evil}", evil, evil, evil, 0.1, (evil, EVIL), (evil,))
    page = report(names, rows, (worst,), f"evaluate {evil}", {evil: evil})
    check_harmless(page)
    lines = html.document_fromstring(page).xpath("//ul[@class='lines']/li")
    assert [line.text_content() for line in lines] == [
        plain(text, 320) for text in (evil, EVIL, evil)
    ]


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_text_is_shown_without_markup_of_its_own(text: str) -> None:
    found = str(part("shown")(text, 320))
    found.encode("utf-8")
    assert found.startswith("<bdi>")
    inner = found.removeprefix("<bdi>").removesuffix("</bdi>")
    assert not re.search("[<>\"']", inner)
    check_harmless(
        f"<!doctype html><html><head><style></style></head><body>{part('link')(text)}</body>"
    )


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://example.org/a?b=1&c=2", True),
        ("HTTP://example.org/", True),
        ("https://example.org/\"onclick='x'", True),
        ("javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        (" javascript:alert('http://example.org/')", False),
        ("data:text/html,<script>alert(1)</script>", False),
        ("ftp://example.org/page.html", False),
        ("//example.org/", False),
        ("https://", False),
        ("https://example.org/a b", False),
        ("https://example.org/\ud800", False),
        ("https://[::1", True),
        ("https://example.org/" + "x" * 5000, False),
        ("", False),
    ],
)
def test_only_addresses_of_web_pages_become_links(url: str, linked: bool) -> None:
    found = str(part("link")(url)).strip()
    assert is_web_address(url) is linked
    assert ("<a " in found) is linked
    found.encode("utf-8")
    if linked:
        (element,) = html.fragment_fromstring(found, create_parent=True)
        assert dict(element.attrib) == {"href": url, "rel": "noopener noreferrer nofollow"}


def test_long_lists_and_lines_are_cut_and_the_rest_is_counted() -> None:
    long = WorstPage("set", "p", None, None, 0.0, ("x" * 10**6,) * 40, ())
    page = report(["mine"], rows_of(["mine"], ["set"]), (long,) * (MAX_PAGES + 5))
    assert len(page) < 2_000_000
    document = html.document_fromstring(page)
    items = document.find(".//details/div[@class='lists']").xpath(".//li")
    assert len(items) == MAX_LINES + 2
    assert items[MAX_LINES].text_content() == f"and {40 - MAX_LINES} more lines"
    assert items[-1].text_content() == "nothing"
    assert "5 more are not shown" in document.text_content()


def test_a_number_has_a_real_minus_and_a_dash_stands_for_none() -> None:
    assert [number(0.5), number(-0.25, "+.2f"), number(nan)] == ["0.500", "−0.25", "–"]
