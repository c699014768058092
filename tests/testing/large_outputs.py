"""Small pages whose Markdown or HTML would be large if nothing bounded it."""

from __future__ import annotations

WIDE_SPACE = "\u3000"
BASE = f"<base href='https://example.org/{'x' * 3900}/'>"
WIDE_BASE = f"<base href='https://example.org/{'é' * 3900}/'>"
BRACKETS = f"<base href='https://example.org/{'(' * 3900}/'>"
SPACES = f"<base href='https://example.org/{WIDE_SPACE * 3900}/'>"
DEEP = "<blockquote>" * 55
N = 1_000
BOMBS = {
    "images and a long base": f"{BASE}<p>x{'<img src=a>' * N}",
    "images and a base of wide spaces": f"{SPACES}<p>x{'<img src=a>' * N}",
    "images with alternative texts": f"{BASE}<p>x{'<img src=a alt=&quot;&amp;*>' * N}",
    "images between paragraphs": BASE + "<p>x<div><img src=a></div>" * N,
    "links and a long base": BASE + "<p>x <a href=y>z</a>" * N,
    "links of a long address with letters": WIDE_BASE + "<p>潮 <a href=y>池</a>" * N,
    "links of brackets": BRACKETS + "<p>x <a href=y>z</a>" * N,
    "links of ampersands": f"<p><a href='/{'&amp;' * 3900}'>" + "x<b>y</b>" * N,
    "paragraphs in a long link": f"<a href='https://example.org/{'x' * 3900}'>" + "<p>x" * N,
    "marks in a long link": f"<p><a href='https://example.org/{'x' * 3900}'>" + "x<b>y</b>" * N,
    "links in links": f"<a href='/{'x' * 3900}'><p>x<a href=y>z</a>" * (N // 10),
    "marks": "<p><b><i><s><code>" + "x<u>y</u><br>" * N,
    "links in cells": BASE + "<table>" + "<tr><td>x<td><a href=y>z</a>" * N + "</table>",
    "lines of code in quotes": f"{DEEP}<pre>" + "x\n" * 9 * N,
    "paragraphs in quotes": DEEP + "<p>x<br>y" * N,
    "quotes again and again": (DEEP + "<p>x" + "</blockquote>" * 55) * (N // 50),
    "items in lists": "<ol start=999999999><li>" * 30 + "x<p>y" * N,
    "lists in lists": "<ul><li>x " * N + "</ul>" * N,
    "items in quotes": DEEP + "<ul>" + "<li>x" * N,
    "a table in quotes": DEEP + "<table>" + "<tr><td>x<td>y" * N + "</table>",
    "empty cells": "<table>" + "<tr><td>x<td>y<td colspan=100><td colspan=90><td>z" * N,
    "spanned rows": "<table><tr>" + "<td rowspan=1000>x" * 190 + "<tr><td>y<td>z" * 900,
    "terms": "<dl>" + "<dt>x" * N,
    "languages of code": f"<div class='language-{'x' * 40}'>" + "<pre>x</pre>y" * N,
    "ampersands": "<p>" + "&" * 9 * N,
    "ampersands and brackets": "<p>" + "&<>" * 9 * N,
    "ampersands in paragraphs": "<p>&&" * 9 * N,
    "ampersands in code": "<pre>" + "&&\n" * 9 * N,
    "backticks": "<p><code>" + "`" * 9 * N + "</code><pre>" + "`" * 9 * N,
    "signs": "<p>" + "*_`[&amp;lt;|\\" * N,
    "control characters": "<p>" + "\x01" * 9 * N,
}  # fmt: skip
