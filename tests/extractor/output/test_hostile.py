"""Pages that are made to be hard: all formats are written, with all words."""

from __future__ import annotations

import pytest
from testing.rendered import html_words, words, written

from scrapy_boilernet.extractor.html.blockify import blockify

N = 3000
SHAPES = {
    "nested elements": "<div>x " * N,
    "nested marks": "<p>" + "<b>x <i>y " * N,
    "nested links": "<p>" + "<a href=x>x " * N,
    "nested lists": "<ul><li>x " * N + "</ul>" * N,
    "nested ordered lists": "<ol start=99999999999><li>x " * N,
    "nested quotes": "<blockquote>x " * N,
    "nested tables": "<table><tr><td>x<td>y" * N,
    "nested code": "<pre>x\n" * N,
    "items without lists": "<li>x" * N,
    "cells without rows": "<table>" + "<td>x" * N,
    "rows without tables": "<tr><td>x" * N,
    "a wide row": "<table><tr>" + "<td>x" * N + "<tr><td>a<td>b<tr><td>c<td>d</table>",
    "empty cells": "<table><tr><th>a<th>b<tr>" + "<td>" * N + "<td>c<td>d</table>",
    "wide spans": "<table>" + "<tr><th colspan=9999 rowspan=9999>x<td colspan=9999>y" * N,
    "many breaks": "<p>x" + "<br>" * N + "y" + "<br>z" * N,
    "breaks in code": "<pre>" + "x<br><br>" * N,
    "spaces": "<p>x" + " " * 100 * N + "y<pre>x" + " " * 100 * N + "y\n" * N + "</pre>",
    "images": "<p>x" + "<img src=a.png>" * N + "<p>y<p>" + "z<img src=b.png>" * N,
    "markup in text": "<p>" + "*_`[<&~|!\\" * N + "<p>" + "#" * N + "<p>" + "1. " * N,
    "backticks": f"<p><code>{'`' * N} x</code><pre>{'`' * N}</pre>",
    "a long address": f"<p>x<a href='{'y' * 100 * N}'>z</a><img src='{'y' * 100 * N}'>",
    "bases": "<base href=//x.y>" * N + "<p>x<a href=z>z</a>",
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("every", [1, 3])
def test_any_shape_is_written_with_all_its_words(name: str, every: int) -> None:
    page = blockify(SHAPES[name], url="https://example.org/a", markup=True)
    kept = [i % every == 0 for i in range(len(page.blocks))]
    made = written(page, kept)
    assert html_words(made.html or "") == words(made.text)
    assert len(made.markdown or "") <= 200 * len(page.blocks) + 40 * len(SHAPES[name])
