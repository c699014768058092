"""The parser's input to a tree that has all of the page's text, in time linear in the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet.html.rewrite import flatten, has_many_attributes, has_many_end_tags

_EMPTY = b"<html/>"
_LOST_DEPTH = 2_000
"""libxml2 from 2.14 on stops at 2,048 open elements, and leaves out what follows."""


class Parsed(NamedTuple):
    """A page's tree."""

    roots: Sequence[etree._Element]
    """One at least; what follows ``</html>`` becomes another."""
    flat: bool
    """Whether it is nested less deep than the page is: not the tree that parsel builds."""


def parse(body: bytes) -> Parsed:
    """Return the tree of a page, given as :func:`~scrapy_boilernet.html.decode.to_utf8` gives it.

    The tree that parsel builds, huge trees on, unless that would lack what is nested too deep, or
    take time in the square of the page's size.
    """
    if not has_many_end_tags(body) and not has_many_attributes(body):
        roots = plain_tree(body)
        if _last_depth(roots[-1]) < _LOST_DEPTH:
            return Parsed(roots, flat=False)
    return Parsed(plain_tree(flatten(body)), flat=True)


def plain_tree(body: bytes) -> list[etree._Element]:
    """Return the roots of the tree that parsel builds."""
    try:
        root = etree.fromstring(body or _EMPTY, _parser())
    except etree.XMLSyntaxError:  # libxml2 found no element at all
        root = None
    if root is None:
        root = etree.fromstring(_EMPTY, _parser())
    return [root, *root.itersiblings(etree.Element)]


def _parser() -> etree.HTMLParser:
    return etree.HTMLParser(encoding="utf-8", recover=True, huge_tree=True, collect_ids=False)


def _last_depth(root: etree._Element) -> int:
    """How deep the last element stands: there the parser has stopped, if it has."""
    depth = 0
    while len(root):
        root = root[-1]
        depth += 1
    return depth
