"""The blockifier: bytes or text to a :class:`~scrapy_boilernet.page.Page`.

Total (any input gives a page, perhaps an empty one), iterative (deep pages do not recurse) and
bounded. The page is parsed exactly as parsel parses it, so a block's XPath works on a response.

Two kinds of units. ``leaf``: DOM text nodes that are not white space, as BoilerNet (Leonhardt et
al. 2020) labels them. ``block``: inline runs merged up to block-level boundaries.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice

from lxml import etree

from scrapy_boilernet.choices import MAX_BLOCKS
from scrapy_boilernet.decode import digest, to_utf8
from scrapy_boilernet.head import read_head
from scrapy_boilernet.page import Page, Units
from scrapy_boilernet.walk import Walk


def blockify(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    units: Units = "block",
    max_blocks: int = MAX_BLOCKS,
) -> Page:
    """Return the page's blocks in document order; never raises on any bytes or encoding.

    Raises ``ValueError`` for units that there are not.

    >>> [block.text for block in blockify("<p>A<strong>B</strong>C</p>", units="leaf").blocks]
    ['A', 'B', 'C']
    """
    if units not in ("block", "leaf"):
        raise ValueError(f"units {units!r}: must be 'block' or 'leaf'")
    root = parse(to_utf8(html, encoding))
    walk = Walk(units)
    found = list(islice(walk.blocks(root), max_blocks + 1))
    seen = walk.seen()
    return Page(
        url=url,
        title=_title(root, seen.noted),
        blocks=tuple(found[:max_blocks]),
        digest=digest(html),
        units=units,
        truncated=len(found) > max_blocks,
        head=read_head(root, seen),
    )


def parse(body: bytes) -> etree._Element:
    """Return the root of the page, of :func:`~scrapy_boilernet.decode.to_utf8`, as parsel builds
    it: huge trees on.
    """
    parser = etree.HTMLParser(encoding="utf-8", recover=True, huge_tree=True, collect_ids=False)
    try:
        root = etree.fromstring(body or b"<html/>", parser)
    except etree.XMLSyntaxError:  # libxml2 found no element at all
        root = None
    if root is None:
        root = etree.fromstring(b"<html/>", etree.HTMLParser())
    return root


def _title(root: etree._Element, noted: Iterable[etree._Element]) -> str:
    """The text of the first title among ``noted``, the root's, or in a root that follows."""
    others = (each.iter("title") for each in root.itersiblings(etree.Element))
    element = next(chain((e for e in noted if e.tag == "title"), *others), None)
    if element is None:
        return ""
    return " ".join("".join(str(text) for text in element.itertext()).split())
