"""Whatever a page holds, no value of a result holds a code point that UTF-8, XML or JSON cannot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from testing.synthetic import QUICK

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.options import FORMATS

BAD = (
    "\x00", "\x01", "\x0b", "\x0c", "\x1f", "\ufffe", "\uffff", "&#1;", "&#11;", "&#xB;", "&#x1F;",
    "&#xFFFE;", "&#65535;", "&#xD800;", "&#55296;", "&#0;", "&#x00000b;", "\\ud800", "\\u0000",
    "\\u000b", "\\uffff", "\ud800", "\udfff", "&amp;#11;", "&#11", "&#1",
)  # fmt: skip
SENTENCE = "Volunteers met at the weir on Saturday, and counted the fish that passed it by noon."
HTML = """<html lang="{0}"><head><title>The {0} weir</title><base href="/{0}/">
<meta name="author" content="Ann{0} Lee"><meta property="og:site_name" content="S{0}">
<meta name="description" content="D{0}"><link rel="canonical" href="/a{0}b">
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "H{0}",
"author": {{"name": "B{0}ob", "url": "/b{0}"}}, "license": "/l{0}", "keywords": ["k{0}"]}}</script>
<style>.x{0}{{display:none}}</style></head><body><article><h1>The {0} weir</h1>
<p>{1} {0}<a href="/x{0}" title="{0}">link{0}</a> <b>{0}b</b><img src="/i{0}.png" alt="{0}"></p>
<pre>a{0}
  b</pre><p id="i{0}" class="c{0}">{1}</p><p>{1}<i hidden>h{0}</i></p><table><tr><td>a{0}<td>b
</table><x{0}y>{1}</x{0}y></article></body></html>"""


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.items():
            yield from texts_in(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from texts_in(getattr(value, field.name))
    elif isinstance(value, list | tuple | frozenset) or hasattr(value, "__iter__"):
        for each in value:
            yield from texts_in(each)


def check(html: bytes | str) -> None:
    result = extract(html, url="https://example.org/\x0b\ud800", formats=tuple(FORMATS))
    values = (result, result.text, result.block_labels(), result.hidden, result.xpaths)
    for text in texts_in(values):
        text.encode()
        element = etree.Element("a")
        element.text = text  # raises ValueError for what XML cannot hold
        assert json.loads(json.dumps(text)) == text


@pytest.mark.parametrize("bad", BAD, ids=ascii)
def test_each_bad_character_in_each_place(bad: str) -> None:
    html = HTML.format(bad, SENTENCE)
    check(html)
    check(html.encode("utf-8", errors="surrogatepass"))
    check(html.encode("utf-16", errors="surrogatepass"))


@QUICK
@given(st.lists(st.sampled_from(BAD) | st.text(max_size=3), max_size=6))
def test_any_mixture(parts: list[str]) -> None:
    check(HTML.format("".join(parts), SENTENCE))


TOKENS = ("&", "#", "x", "1", "11", "FFFE", ";", "&#1;", "&#11;", "\x01", "&amp;", "a")


@QUICK
@given(st.lists(st.sampled_from(TOKENS), max_size=12))
def test_references_in_references(tokens: list[str]) -> None:
    text = "".join(tokens)
    check(f"<title>{text}</title><p title='{text}'>{text}</p><a href='/{text}'>{text}</a>")


@pytest.mark.parametrize("text", ["a&#x&#1;1;", "a&#x&#1;FFFE;b", "a&&#1;#1;b", "&#x&#x&#1;1;1;"])
def test_nested_references(text: str) -> None:
    check(f"<title>{text}</title><p>{text}</p>")


def test_the_text_around_is_kept() -> None:
    html = "<p>One\x0b two&#11;three&#1;four\x1ffive.</p>"
    assert extract(html).page.texts == ("One two threefour five.",)
