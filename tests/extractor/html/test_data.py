"""Data and programs that are served as pages are named; pages that look like them are not."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.data import data_name

STORY = {
    "title": "The weir is open", "body": "<p>Volunteers met there.</p>", "tags": ["Wehr", "堰"],
}  # fmt: skip
LONG = [{**STORY, "id": number} for number in range(2000)]
JSON = [
    json.dumps(STORY), json.dumps(STORY, indent=2, ensure_ascii=False), json.dumps([STORY]),
    json.dumps(LONG), json.dumps(LONG, indent=1), "{}", "[]", '["a", "b"]', "[1, 2.5, -3e7]",
    "[[1, 2], [3, 4]]", "\n".join(json.dumps(each) for each in LONG),
    ")]}'\n" + json.dumps(STORY), "for(;;);" + json.dumps(STORY), "while(1);[1]",
    json.dumps({"text": "x" * 50_000}), "[" * 30_000 + "]" * 30_000,
    '/* from the API */ {"a": 1}', '{"größe": "3 m", "状態": "開"}',
]  # fmt: skip
PADDED = [
    f"callback({json.dumps(STORY)});", f"/**/ jQuery331_162({json.dumps(LONG)})",
    f"window.app.news({json.dumps(STORY)})", f"try{{cb({json.dumps(STORY)})}}catch(e){{}}",
    f"typeof cb === 'function' && cb({json.dumps(STORY)});", "cb([1,2,3])",
]  # fmt: skip
SCRIPTS = [
    "!function(e,t){var n=e.document;n.title=t(n);}(window,function(d){return d.title});",
    "(function() {\n  'use strict';\n  var weir = document.getElementById('weir');\n"
    "  weir.addEventListener('click', function () { weir.hidden = true; });\n}());",
    "'use strict';\nconst open = (day) => ['Sat', 'Sun'].includes(day);\nexport default open;",
    "import { open } from './weir.js';\n\nopen('Sat', { quiet: true });",
    "var dataLayer = [{'page': 'weir', 'lang': 'de'}]; dataLayer.push({'a': 1});",
    "/*! weir 1.2 | MIT */\nwindow.weir={open:function(a){return a>3}};\n//# sourceMappingURL=w",
    "define(['jquery'], function ($) { return { open: function () { $('#a').show(); } }; });",
    "(()=>{var e={1:(e,t)=>{t.a=1}};var t={};function n(r){return t[r]||e[r](t)}n(1)})();",
    "$(document).ready(function(){ $('.menu').on('click', function(){ $(this).toggle(); }); });",
    "export const OPEN = { days: ['Sa', 'So'], hours: [9, 17] };",
]  # fmt: skip
STYLES = [
    "@charset 'utf-8';\nbody{margin:0;color:#222}\n.weir > p{font-size:1rem}",
    ".menu { display: flex; }\n.menu a { color: red; }\n", ":root{--main:#fff;--side:#000}",
    "/* print */ @media print { .menu { display: none; } }",
]  # fmt: skip
TABLES = [
    "\n".join(["date,place,level", *(f"2024-03-{day:02},weir,{day * 3}" for day in range(1, 30))]),
    "\n".join(["Datum;Ort;Höhe", *(f"{day}.3.2024;Wehr am Fluss;1,{day}" for day in range(1, 30))]),
    "\n".join(["日付\t場所\t水位", *(f"3月{day}日\t堰\t{day}" for day in range(1, 30))]),
    "\n".join(['"date","name, place","n"', *(f'"{n}","Ann, weir","{n}"' for n in range(900))]),
    "id|name|state\n1|weir|open\n2|mill|shut\n3|lock|open\n",
]  # fmt: skip
ENCODED = [
    base64.b64encode(bytes(range(256)) * 9).decode(),
    base64.encodebytes(bytes(range(256))).decode(),
    "data:image/png;base64," + base64.b64encode(bytes(range(256))).decode(),
]  # fmt: skip
PARAGRAPH = "Volunteers met at the weir on Saturday, and counted, as every year, the fish.\n"
PAGES = [
    f'{json.dumps(STORY)}<html><body><p>{PARAGRAPH}</p></body></html>',
    f"[1] {PARAGRAPH * 4} [2]", f"[{PARAGRAPH * 3}]", "{Translated from the German} " + PARAGRAPH,
    f"var x = 1; // lost its tag\n</script><p>{PARAGRAPH}</p>", "/* note */ " + PARAGRAPH * 3,
    f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>{PARAGRAPH}</p></html>',
    PARAGRAPH * 30, "Roses are red, violets are blue,\nSugar is sweet, and so are you,\n" * 9,
    "Mond, Wasser, Wehr,\nStein, Ufer, Meer,\nWind, Regen, Licht,\nmehr sag ich nicht.\n" * 3,
    "- milk\n- bread, rye\n- salt\n- eggs, six\n",
    "Smith ([1]) showed that weirs fill. " * 9,
    "Einstein ([1905]) hat gezeigt, was gilt. " * 9, "Nature ([2]) による。" * 30,
    'dataLayer.push({"event":"page"});</script><!DOCTYPE html><p>A page.</p>',
    'cb({"a":1})<html><body><p>A page.</p></body></html>',
    "window.open(url) opens a window. More: https://a.example/",
    "@media players: a test.\nMore: https://a.example/", "[1]\n[Smith, The weir, 2019]\n[pdf]",
    "var a = {b: [1]};\n</script><p>A page of https://a.example/</p>",
    base64.b64encode(bytes(range(256)) * 9).decode() + "\n<!DOCTYPE html><p>A page.</p>",
    "function follows form, said the architect. " * 9,
    "import duties rose; export fell. " * 20, "window.open is a function of browsers.\n" * 20,
    "堰は土曜日に再開した。" * 40, "{% extends 'base.html' %}<p>A page.</p>", "[...]", "A", "",
    "{ \\rtf1 a }", "cb (see above) was\nnot {found}",
    "# Heading\n\n* one\n* two\n\n```js\nvar a = {};\n```",
]  # fmt: skip


@pytest.mark.parametrize("text", JSON)
def test_json(text: str) -> None:
    assert_named(text, "JSON data")


@pytest.mark.parametrize("text", PADDED)
def test_json_in_a_call(text: str) -> None:
    assert_named(text, "JSON with padding (JSONP)")


@pytest.mark.parametrize("text", SCRIPTS)
def test_scripts(text: str) -> None:
    assert_named(text, "JavaScript")


@pytest.mark.parametrize("text", STYLES)
def test_style_sheets(text: str) -> None:
    assert_named(text, "a style sheet")


@pytest.mark.parametrize("text", TABLES)
def test_tables(text: str) -> None:
    assert_named(text, "a table of values (CSV)")


@pytest.mark.parametrize("text", ENCODED)
def test_base64(text: str) -> None:
    assert_named(text, "Base64 data")


def assert_named(text: str, kind: str) -> None:
    for body in (text, text.encode(), text.encode("utf-8-sig"), f"\n {text}\n".encode()):
        assert data_name(body) == kind
    page = blockify(text.encode(), markup=True)
    assert (page.not_html, page.blocks) == (kind, ())
    assert data_name(text.encode() * 2, whole=False) or len(text) < 3000


@pytest.mark.parametrize("text", PAGES)
def test_pages_are_none_of_these(text: str) -> None:
    for body in (text, text.encode(), text.encode("utf-16"), f"\n{text}\n".encode()):
        assert data_name(body) == ""


@given(
    st.text(max_size=300) | st.text(alphabet='{}[]()"\\,;:/*\n a1<=', max_size=300), st.booleans()
)
def test_no_body_raises(text: str, whole: bool) -> None:
    assert isinstance(data_name(text, whole), str)
    assert isinstance(data_name(text.encode(errors="replace"), whole), str)


WORDS = "import", "function", "export", "class", "void", "if", "try", "async function", "a.b", "(a"


@pytest.mark.parametrize("word", WORDS)
def test_spaces_do_not_stop_the_reading(word: str) -> None:
    for space in (" ", "\n", "a ", "{", ", "):
        assert isinstance(data_name(f"{word}{space * 28_000}{';' * 3_500}"), str)


@pytest.mark.parametrize("text", [*SCRIPTS, *PADDED, *JSON, *STYLES])
def test_what_lost_its_tag_stands_before_a_page(text: str) -> None:
    page = (
        "</script><body><p>Volunteers met at the weir.</p><a href=https://a.example/>A</a></body>"
    )
    assert data_name(text + page) == data_name(f"{text}\n{page}\n") == ""


@pytest.mark.parametrize(
    "shape", ["{", "[", '"', "/*", "//\n", "a(", "a,b\n", "\\", "(", "a.b[", "1;"]
)
def test_long_bodies_are_read_in_part(shape: str) -> None:
    assert isinstance(data_name(shape * (10_000_000 // len(shape))), str)
