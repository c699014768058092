"""Tags written so that each end tag ends the element that was opened last."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.tree import MAX_DEPTH, OpenElements

VOID = ("br", "img", "meta", "wbr")
ROOTS = ("html", "head", "body")
TAG = re.compile(r"<(/?)([a-z][a-z0-9-]*)>")
names = st.sampled_from((
    *"div p a b span ul li table tr td th tbody h1 dl dt dd option select noscript".split(),
    *"section form em i nobr x-y".split(), *VOID, *ROOTS,
))  # fmt: skip


def written(source: str) -> str:
    """Return what is written for tags and text, such as ``"<p>a</p>"``; no text holds a ``<``."""
    parts: list[bytes] = []
    elements = OpenElements(parts)
    for ends, name, text in re.findall(r"<(/?)([^>]+)>([^<]*)", source):
        if ends:
            elements.end(name.encode())
        else:
            elements.start(name.encode(), b"")
        parts.append(text.encode())
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>a<p>b", "<p>a</p><p>b"),
        ("<p>a<div>b</div>", "<p>a</p><div>b</div>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<ul><li>a<ul><li>b</ul><li>c", "<ul><li>a<ul><li>b</li></ul></li><li>c"),
        ("<li><div>a<li>b", "<li><div>a<li>b"),
        ("<tr><td>a<td>b<tr><th>c", "<tr><td>a</td><td>b</td></tr><tr><th>c"),
        ("<dt>a<dd>b<dt>c", "<dt>a</dt><dd>b</dd><dt>c"),
        ("<li><p>a<li>b", "<li><p>a</p></li><li>b"),
        ("<p><b>a<p>c", "<p><b>a</b></p><p>c"),
        ("<a>b<a>c</a>", "<a>b</a><a>c</a>"),
        ("<a>b<div>c<a>d", "<a>b<div>c<a>d"),
        ("<b><i>a</b>c</i>", "<b><i>a</i></b>c"),
        ("<b><div>a</b>c</div>", "<b><div>ac</div>"),
        ("<div><b>a</div>c", "<div><b>a</b></div>c"),
        ("</div>a</b>b", "ab"),
        ("</p>a</br>b", "<br>a<br>b"),
        ("<br>a<img>b</img>", "<br>a<img>b"),
        ("<html><html><body>a<body>b", "<html><body>ab"),
        ("<head></head><body>a</body></html>", "<head></head><body>a"),
    ],
)
def test_tags_as_they_are_written(source: str, expected: str) -> None:
    assert written(source) == expected


def test_nothing_is_written_below_the_deepest_level_but_line_breaks_and_links() -> None:
    top = "<div>" * MAX_DEPTH
    assert written(top + "<div>a<b>b</b></div>c") == top + "<br>ab<br>c"
    assert written(top + "<a>b<i>c</i></a>d") == top + "<a>bc</a>d"
    assert written(top + "<a>b<p>c</p>d</a>e") == top + "<a>b<br>c<br>d</a>e"
    assert written(top + "<p>a<img>b") == top + "<br>a<img>b"


def test_what_is_closed_above_is_closed_below() -> None:
    top = "<div>" * MAX_DEPTH
    assert written(top + "<a>b</div>c</a>d") == top + "<a>b</a></div>cd"
    assert written(top + "<section>x</div></section><p>y") == top + "<br>x</div><p>y"


@given(tags=st.lists(st.tuples(names, st.booleans(), st.sampled_from((1, 1, 1, 300))), max_size=40))
@QUICK
def test_every_end_tag_ends_the_element_that_was_opened_last(
    tags: list[tuple[str, bool, int]],
) -> None:
    source = "".join(f"<{'/' * ends}{name}>" * times for name, ends, times in tags)
    still_open: list[str] = []
    for ends, name in TAG.findall(written(source)):
        if name in (*VOID, *ROOTS):
            continue
        if ends:
            assert still_open.pop() == name
        else:
            still_open.append(name)
            assert len(still_open) <= MAX_DEPTH + 1  # a link below
    assert written(source).count("<html>") <= 1
