"""Hostile pages that would become much larger as Markdown or HTML."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.hostile.bomb_parts import INNER, UTF_8, Bomb, halves

_FEW = 300
_BASE_CHARS = 3_900
_QUOTES = 55
"""Together with the tags of an article, fewer than the 64 elements around a text that count."""


def _base(_: int, char: str = "x") -> str:
    return f'{UTF_8}<base href="https://example.org/{char * _BASE_CHARS}/">'


def _wide_base(n: int) -> str:
    """Return a base of wide spaces, each of which becomes nine characters, ``%E3%80%80``."""
    return _base(n, "\u3000")


def _paragraph(piece: str) -> Callable[[int], str]:
    """Return a body: a paragraph of pieces, with the inner sentence in its middle."""
    return lambda n: f"<p>{piece * (n // 2)} {INNER} {piece * (n - n // 2)}</p>"


def _within(opening: str, body: Callable[[int], str]) -> Callable[[int], str]:
    """Return a body in elements that are not closed."""
    return lambda n: opening + body(n)


def _code(n: int) -> str:
    lines = "y\n" * n
    return f"<p>{INNER}</p>{'<blockquote>' * _QUOTES}<pre>{lines}</pre>"


def _table(row: str) -> Callable[[int], str]:
    return lambda n: f"<p>{INNER}</p><table>{row * n}</table>"


OUTPUTS = (
    Bomb("images and a long base of wide spaces", 20_000, _FEW,
         _paragraph("<img src=a>"), head=_wide_base),
    Bomb("images and a long base", 20_000, _FEW, _paragraph("<img src=a>"), head=_base),
    Bomb("images in paragraphs and a long base", 4_000, _FEW,
         halves("<p>tide <img src=a></p>"), head=_base),
    Bomb("links and a long base", 4_000, _FEW, halves("<p><a href=b>pool</a></p>"), head=_base),
    Bomb("links in links of long addresses", 200, 20,
         halves(f'<p><a href="https://example.org/{"x" * _BASE_CHARS}">'
                f'{"<a href=b>pool</a> <b>tide</b> " * 20}</p>'), head=_base),
    Bomb("marks in a link of a long address", 20_000, _FEW,
         _within(f'<a href="https://example.org/{"x" * _BASE_CHARS}">',
                 _paragraph("x <b>y</b> "))),
    Bomb("lines of code in 55 quotes", 500_000, _FEW, _code),
    Bomb("paragraphs in 55 quotes", 4_000, _FEW, _within("<blockquote>" * _QUOTES, halves("<p>x"))),
    Bomb("paragraphs in 25 numbered lists", 4_000, _FEW,
         _within("<ol start=999999999><li>" * 25, halves("<p>x"))),
    Bomb("a table in 50 quotes", 1_200, _FEW,
         _within("<blockquote>" * 50, _table("<tr><td>x<td>y"))),
    Bomb("tables of empty cells", 1_200, _FEW,
         _table("<tr><td>x<td>y<td colspan=100><td colspan=90><td>z")),
)  # fmt: skip
"""Small pages with addresses, prefixes or cells that many blocks share."""
