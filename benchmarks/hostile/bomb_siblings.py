"""Hostile pages with many elements beside each other, each of which is read in a special way."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.hostile.bomb_parts import INNER, Bomb

_MANY, _SMALL = 40_000, 300


def _beside(opening: str, piece: str, closing: str) -> Callable[[int], str]:
    """Return a body: pieces in one element, and the inner sentence behind it."""
    return lambda n: f"{opening}{piece * n}{closing}<p>{INNER}</p>"


_PIECES = {
    "formulas in one element": ("<div>", "<math><mi>x</mi></math>", "</div>"),
    "formulas in a centered line": ("<p align=center>", "<math alttext='x_1'></math>", "</p>"),
    "code with line breaks in one element": ("<p>", "<code>a<br>b</code>", "</p>"),
    "code in one element": ("<div>", "<pre>a</pre>", "</div>"),
    "code with labels in one element": (
        "<div>", "<pre><div>python</div><code>a</code></pre>", "</div>",
    ),
    "code in a cell beside numbers": (
        "<table><tr><td><pre>1\n2</pre></td><td>", "<pre>a\nb</pre>", "</td></tr></table>",
    ),
    "boxes of code in one element": (
        "<div>", "<div class='fragment'><div class='line'>a</div></div>", "</div>",
    ),
    "elements left open in code": ("<div>", "<pre><div>a</pre>", "</div>"),
    "links back to one mark": (
        "<p>a<sup><a href='#fn1' id='r'>1</a></sup></p><ol><li id='fn1'>b<span>",
        "<a class='backref' href='#r'>^</a>", "</span></li></ol>",
    ),
    "cells of quotes in one row": (
        "<table><tr>", "<td style='border:1px inset'><b>a said:</b> b</td>", "</tr></table>",
    ),
    "emphasis in superscripts": ("<p>a", "<sup>1<i>n</i><sub>2</sub></sup>", "</p>"),
    "pictures with captions": (
        "<div>", "<figure><img src='a.jpg'><figcaption>b</figcaption></figure>", "</div>",
    ),
    "bylines": ("<div>", "<p class='by'>a, 1 May</p><p>b</p>", "</div>"),
}  # fmt: skip
SIBLINGS = tuple(Bomb(name, _MANY, _SMALL, _beside(*pieces)) for name, pieces in _PIECES.items())
