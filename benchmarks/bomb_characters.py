"""Hostile pages that do harm by their characters: long text, entities, encodings."""

from __future__ import annotations

import re
from collections.abc import Callable

from bomb_parts import INNER, UTF_8, Bomb, halves, with_inner, words

_MANY = 300
_LONG = 20_000
_ODD_SPACES = "\u200b\u200d\u2060\u202e\u2066\ufeff\u2069\u202c"
"""Zero-width characters, and those that change the direction of the text."""
_LAUGHS = "".join(f'<!ENTITY lol{i} "{f"&lol{i - 1};" * 10 if i else "lol"}">' for i in range(10))
"""Entities that would expand to 10,000,000,000 laughs."""


def _flood(piece: str) -> Callable[[int], str]:
    """A paragraph of so many pieces, the inner sentence in its middle."""
    return lambda n: f"<p>{piece * (n // 2)} {INNER} {piece * (n - n // 2)}</p>"


def _linked(n: int) -> str:
    """A paragraph of that many characters, links and emphasis among them."""
    piece = f'{words(80)} <a href="/a">{words(30)}</a> <b>{words(20)}</b>, '
    return _flood(piece)(n // len(piece))


def _nuls(text: str) -> bytes:
    """NULs between the letters of the text, but not in its tags."""
    parts = re.split(r"(<[^>]*>)", text)
    return "".join(p if p.startswith("<") else "\0".join(p) for p in parts).encode()


def _declared(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>'


def _laughing_page(_: int) -> str:
    return f"<!DOCTYPE html [{_LAUGHS}]>"


def _russian(n: int) -> str:
    return with_inner("Паром снова ходит через реку. " * (n // 30))


CHARACTERS = (
    Bomb("a text node, 12 MB", 12_000_000, _LONG, lambda n: with_inner(words(n))),
    Bomb("a block with links, 5 MB", 5_000_000, _LONG, _linked),
    Bomb("a word", 1_000_000, _LONG, _flood("x")),
    Bomb("white space", 1_000_000, _LONG, _flood(" \n\t ")),
    Bomb("white space between blocks", 1_000_000, _LONG, halves(" \n\t ")),
    Bomb("zero-width and bidi characters", 100_000, 10_000, _flood(_ODD_SPACES)),
    Bomb("combining marks", 100_000, 10_000, _flood("a\u0301\u0302\u0303")),
    Bomb("Japanese without a space", 100_000, 10_000, _flood("潮だまりの水")),
    Bomb("digits and punctuation", 1_000_000, _LONG, _flood("1.-,")),
    Bomb("less-than signs", 1_000_000, 20_000, _flood("< ")),
    Bomb("ampersands", 1_000_000, 20_000, _flood("&")),
    Bomb("&amp;", 100_000, _MANY, _flood("&amp;")),
    Bomb("&unknown;", 100_000, _MANY, _flood("&unknown;")),
    Bomb("&#99999999999;", 100_000, _MANY, _flood("&#99999999999;")),
    Bomb("lone surrogates, &#xD800;", 100_000, _MANY, _flood("&#xD800;")),
    Bomb("lone surrogates, bytes", 100_000, _MANY, _flood("\ud800 ")),
    Bomb("entities of entities in the doctype", 1, 1, _flood("&lol9; "), before=_laughing_page),
    Bomb("NUL bytes throughout", 500_000, 20_000, lambda n: with_inner(words(n)), encode=_nuls),
    Bomb("control characters", 1_000_000, 20_000, _flood("\x01\x08\x1f\x7f")),
    Bomb("bytes that are no UTF-8", 1_000_000, 20_000, _flood("\xff"),
         encode=lambda text: text.encode("latin-1")),
    Bomb("cp1251 declared utf-8", 1_000_000, 20_000, _russian,
         encode=lambda text: text.encode("cp1251")),
    Bomb("an unknown charset", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="x-klingon">'),
    Bomb("UTF-16LE without a mark", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: "", encode=lambda text: text.encode("utf-16-le")),
    Bomb("UTF-16BE without a mark", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: "", encode=lambda text: text.encode("utf-16-be")),
    Bomb("an XML declaration of another encoding", 1_000_000, 20_000,
         lambda n: with_inner(words(n)), head=lambda _: "", before=lambda _: _declared("utf-16")),
    Bomb("meta charset=utf-16, is utf-8", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="utf-16">'),
    Bomb("meta charset=utf-7, is utf-8", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="utf-7">'),
    Bomb("meta charset=punycode, is ASCII", 1_000_000, 20_000,
         lambda n: f"<p>{INNER}</p><p>tide-{'b' * n}</p>",
         head=lambda _: '<meta charset="punycode">'),
    Bomb("XML declarations", 20_000, _MANY, halves(_declared("ebcdic")), head=lambda _: UTF_8),
)  # fmt: skip
