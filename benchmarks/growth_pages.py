"""Pages of any number of blocks, in the shapes that extractors grow by; the same at each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

_WORDS = (
    "water tower bridge market winter letter garden window morning silver engine harbour station "
    "village copper meadow lantern orchard river stone"
).split()
_DEPTH = 100
"""Of the deep chains: below the depth at which libxml2 cuts a page off."""
_ROW_CELLS, _TABLE_ROWS = 4, 5


def page_of(shape: str, blocks: int) -> bytes:
    """Return the page of a shape of :data:`SHAPES` with about ``blocks`` text blocks."""
    body = "".join(SHAPES[shape](blocks))
    head = '<head><meta charset="utf-8"><title>Water and stone</title></head>'
    return f"<!DOCTYPE html><html>{head}<body>{body}</body></html>".encode()


def _sentence(number: int, words: int) -> str:
    """Words that differ from block to block, so that nothing is known from the block before."""
    start = number * 7
    return " ".join(_WORDS[(start + i * (number % 9 + 1)) % len(_WORDS)] for i in range(words))


def _paragraphs(blocks: int) -> Iterator[str]:
    """Sections of twenty paragraphs."""
    for i in range(blocks):
        if i % 20 == 0:
            yield f'{"</section>" if i else ""}<section class="part n{i % 7}">'
        yield f'<p class="text">{_sentence(i, 25)}, {i}.</p>\n'
    yield "</section>"


def _nested(blocks: int) -> Iterator[str]:
    """Tables in list items in table cells, three deep, over and over."""
    leaves = (f"{_sentence(i, 6)} {i}" for i in range(blocks))
    while first := next(leaves, None):
        yield f'<ul class="list"><li><p>{first}</p><table class="grid">'
        for _ in range(_TABLE_ROWS):
            yield "<tr>"
            for text in islice(leaves, _ROW_CELLS):
                yield f"<td>{text}<ol>"
                yield from (f"<li>{each}</li>" for each in islice(leaves, 2))
                yield "</ol></td>"
            yield "</tr>"
        yield "</table></li></ul>"


def _links(blocks: int) -> Iterator[str]:
    """Menus of thirty links."""
    for i in range(blocks):
        if i % 30 == 0:
            yield f'{"</ul></nav>" if i else ""}<nav class="menu m{i % 5}"><ul>'
        yield f'<li class="item"><a href="/page/{i}">{_sentence(i, 3)}</a></li>'
    yield "</ul></nav>"


def _children(blocks: int) -> Iterator[str]:
    """One element with every block as its child."""
    yield '<div class="feed">'
    yield from (f"<div>{_sentence(i, 8)} {i}</div>" for i in range(blocks))
    yield "</div>"


def _deep(blocks: int) -> Iterator[str]:
    """Chains of elements a hundred deep, with text at each depth."""
    for begin in range(0, blocks, _DEPTH):
        depth = min(_DEPTH, blocks - begin)
        yield from (f'<div class="d{i % 9}">{_sentence(begin + i, 5)}' for i in range(depth))
        yield "</div>" * depth


SHAPES: dict[str, Callable[[int], Iterator[str]]] = {
    "paragraphs": _paragraphs,
    "nested lists and tables": _nested,
    "link lists": _links,
    "one element's children": _children,
    "deep nesting": _deep,
}
