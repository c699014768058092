"""Structures inside the gold: which elements count, and when one is kept."""

from __future__ import annotations

import pytest

from benchmarks.quality.structures import (
    KEPT,
    KINDS,
    LOST,
    Structure,
    share_in,
    share_of,
    shingles,
    structures_of,
)
from scrapy_boilernet.extractor.html.blockify import blockify

GOLD = {
    "tables": (
        "<table><tr><th>Station</th><th>Depth in metres</th></tr><tr><td>North pier</td>"
        "<td>four and a half</td></tr></table>"
    ),
    "lists": "<ul><li>Bring a warm coat</li><li>Leave the dog at home</li></ul>",
    "quotes": "<blockquote><p>Nobody knows the tides like her.</p></blockquote>",
    "definition lists": "<dl><dt>neap tide</dt><dd>the smallest range of the month</dd></dl>",
    "headings": "<h2>How to read the table</h2>",
    "code": "<pre>tide = read('north pier')\nprint(tide.height)</pre>",
}
BESIDE = "<p>An introduction that stands before it.</p>"


def page(html: str) -> str:
    return f"<title>Tides</title><body><main>{BESIDE}{html}</main><ul><li>Start</li></ul></body>"


@pytest.mark.parametrize("kind", KINDS)
def test_a_structure_counts_if_the_gold_has_it(kind: str) -> None:
    read = blockify(page(GOLD[kind]))
    gold = "\n".join(read.texts[:-1])
    assert [found for found, _ in structures_of(read, gold)] == [kind]
    assert structures_of(read, read.texts[0]) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_structure_is_kept_if_the_text_has_it(kind: str) -> None:
    read = blockify(page(GOLD[kind]))
    ((_, runs),) = structures_of(read, "\n".join(read.texts[:-1]))
    assert share_in(runs, shingles("\n".join(read.texts))) == 1
    assert share_in(runs, shingles(read.texts[0])) == 0


@pytest.mark.parametrize(
    ("html", "number"),
    [
        ("<table><tr><td>Around it <table><tr><td>one two three four</td></tr></table></table>", 1),
        ("<ul><li>one two three<ul><li>four five six</li></ul></li></ul>", 1),
        ("<ul style='display:none'><li>one two three</li></ul>", 0),
        ("<ul></ul>", 0),
        ("<dl><dt>one<dd>two three<dt>four<dd>five</dl>", 1),
        ("<h2>One</h2><h3>Two three four</h3>", 2),
    ],
)
def test_the_innermost_element_counts_and_hidden_text_does_not(html: str, number: int) -> None:
    read = blockify(page(html))
    assert len(structures_of(read, "\n".join(read.texts[:-1]))) == number


def test_short_texts_have_one_shingle() -> None:
    assert shingles("Results") == {("results",)}
    assert share_in(shingles("Results"), shingles("our results of May")) == 1
    assert share_in(shingles("Results"), shingles("our figures of May")) == 0
    assert shingles("") == frozenset()


def test_the_interval_is_over_pages() -> None:
    found = [Structure(page, "lists", float(page % 2)) for page in range(40) for _ in range(3)]
    share, low, high = share_of(found, KEPT, 2.0)
    assert share == 0.5
    assert 0.3 < low < 0.5 < high < 0.7
    assert share_of(found, -1.0, LOST)[0] == 0.5
    assert share_of([], KEPT, 2.0) == (0.0, 0.0, 0.0)
