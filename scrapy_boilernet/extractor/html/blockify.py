"""The blockifier, which makes a :class:`~scrapy_boilernet.extractor.page.Page` of bytes or text.

Any input gives a page, perhaps an empty one. Nothing recurses, and memory is bounded. The page is
parsed exactly as parsel parses it, so a block's XPath works on a response. A page that libxml2
cannot read whole is rewritten (:mod:`scrapy_boilernet.extractor.html.tree`). Its blocks have no
XPath, since the response has another tree.

There are two kinds of units. ``leaf``: DOM text nodes that are not white space, as BoilerNet
(Leonhardt et al. 2020) labels them. ``block``: inline runs merged up to block-level boundaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, get_args

from lxml import etree

from scrapy_boilernet.extractor.html.data import data_name
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.encoding import digest, media_name, to_utf8, unpack
from scrapy_boilernet.extractor.html.head import Seen, read_head
from scrapy_boilernet.extractor.html.hiding import INVISIBLE_CHARACTERS
from scrapy_boilernet.extractor.html.home_links import home_links
from scrapy_boilernet.extractor.html.invisible import (
    HYPHEN_SIGNS,
    ZERO_WIDTH_SIGNS,
    invisible_text,
    may_have_invisible,
    without_invisible,
    without_soft_hyphens,
    without_zero_width,
)
from scrapy_boilernet.extractor.html.linked_notes import linked_notes
from scrapy_boilernet.extractor.html.mail_fields import mail_fields
from scrapy_boilernet.extractor.html.readings import Readings, readings_of, signs_in
from scrapy_boilernet.extractor.html.scan import count_nodes
from scrapy_boilernet.extractor.html.style_sheets import (
    MAX_SHEET_CHARS,
    SHEET_END,
    Rules,
    hiding_rules,
)
from scrapy_boilernet.extractor.html.tabs import controlled_ids
from scrapy_boilernet.extractor.html.tokens import up_to_node
from scrapy_boilernet.extractor.html.tree import parse
from scrapy_boilernet.extractor.html.walk import Walk
from scrapy_boilernet.extractor.markup import Markup
from scrapy_boilernet.extractor.metadata import well_formed
from scrapy_boilernet.extractor.options import MAX_BLOCKS, MAX_BYTES, Units
from scrapy_boilernet.extractor.page import Block, HiddenText, Page, nodes_of
from scrapy_boilernet.extractor.sites.marks import marks_of
from scrapy_boilernet.extractor.sites.rules import SiteRule

try:
    from scrapy_boilernet.extractor.html.compiled_walk import CompiledWalk
except (ImportError, ValueError):  # not compiled, or compiled for another lxml
    CompiledWalk = Walk  # type: ignore[misc,assignment]

_MIN_NODES = 200_000
"""Elements and comments that are read of a page, or two per wanted block if that is more. The limit
bounds the memory of the page's tree. A ``</p>`` without ``<p>`` counts as an element."""

_NO_SCRIPTS = "noscript"
_CONDITIONS = (_NO_SCRIPTS, "template")
"""Elements whose style sheets do not hold on the page that people see."""
_MEDIA = re.compile(r"(?:only\s+)?(?:all|screen)?", re.IGNORECASE)
"""The media of style sheets that hold on every screen."""


def blockify(
    html: bytes | str,
    url: str | None = None,
    encoding: str | None = None,
    units: Units = "block",
    max_blocks: int = MAX_BLOCKS,
    charset: str | None = None,
    max_bytes: int = MAX_BYTES,
    body_digest: str | None = None,
    markup: bool = False,
    stated: bool = False,
    thread: bool = False,
    rule: SiteRule | None = None,
) -> Page:
    """Return the page with its blocks in document order; no bytes or encoding raise.

    Gzip is unpacked; what is not HTML has no blocks. ``encoding``, ``charset``: as in ``decode``.
    What follows ``max_blocks``, ``max_bytes`` (of text: characters) or the first 200,000 nodes
    (``2 * max_blocks`` if that is more) is cut off. ``markup``, ``stated``, ``thread``, ``rule``:
    fill their fields. Raises ``ValueError`` for other units, markup of leaves, fewer than 0 blocks.
    """
    _check(units, markup, max_blocks)
    data, over_max_bytes, not_html = _unpacked(html, max_bytes)
    has_more_nodes, body = _cut_off(to_utf8(data, encoding, charset, url), max_blocks)
    invisible, body, signs = _without_invisible(body, units, max_blocks)
    roots, flat = parse(body, comments=units == "leaf")
    elements = CompiledElements(roots)
    readings = readings_of(roots, body, signs, markup, elements)
    walk = _walk(markup, units, _rules(elements), readings)
    blocks, over_max_blocks, seen = *walk.blocks(roots, max_blocks, not flat), walk.seen()
    return Page(
        url=well_formed(url) if url else url,
        title=_title(roots, seen.noted),
        blocks=blocks,
        digest=body_digest or digest(html),
        units=units,
        over_max_bytes=over_max_bytes,
        over_max_blocks=over_max_blocks or has_more_nodes,
        head=read_head(roots[0], seen),
        flat=flat,
        not_html=not_html,
        markup=_sized(walk.markup(max_blocks), data, body),
        invisible=invisible,
        **_for_decisions(elements, readings, signs, url),
        **_on_request(roots, elements, seen, blocks, stated, thread, rule, body, url),
    )


# The code for formats is loaded only if some are asked for, so a crawl of plain text starts sooner.


def _walk(markup: bool, units: Units, rules: Rules | None, readings: Readings) -> CompiledWalk:
    if not markup:
        return CompiledWalk(units, rules, readings)
    try:
        from scrapy_boilernet.extractor.html.compiled_markup import CompiledMarkupWalk
    except (ImportError, ValueError):  # not compiled, or compiled for another lxml
        from scrapy_boilernet.extractor.html.markup import MarkupWalk

        return MarkupWalk(rules, readings)  # type: ignore[return-value]
    return CompiledMarkupWalk(rules, readings)


def _without_invisible(
    body: bytes, units: Units, max_blocks: int
) -> tuple[tuple[HiddenText, ...], bytes, frozenset[bytes]]:
    """Return the texts in characters that no one sees, per block that has some, the page without
    these characters and soft hyphens, and the signs of it by which elements get readings.
    """
    texts: tuple[HiddenText, ...] = ()
    if may_have_invisible(body):
        roots, flat = parse(body, comments=units == "leaf")
        blocks, _ = CompiledWalk(units).blocks(roots, max_blocks, not flat)
        found = ((invisible_text(block.text), block.xpath) for block in blocks)
        texts = tuple(
            HiddenText(text, INVISIBLE_CHARACTERS, xpath) for text, xpath in found if text
        )
        body = without_invisible(body)
    signs = signs_in(body)
    body = body if signs.isdisjoint(HYPHEN_SIGNS) else without_soft_hyphens(body)
    zero_width = signs.intersection(ZERO_WIDTH_SIGNS)
    body = without_zero_width(body, zero_width) if zero_width else body
    return texts, body, signs if units == "block" else frozenset()


def _rules(elements: Elements | CompiledElements) -> Rules | None:
    """Return what the page's ``<style>`` elements hide."""
    return hiding_rules(_style_sheets(elements), controlled_ids(elements))


def _style_sheets(elements: Elements | CompiledElements) -> str:
    """Return the text of the page's ``<style>`` elements, except those for other media and those
    of templates, which hold only in them. What is in ``<noscript>`` holds on a condition.
    """
    sheets = []
    for place in elements.of_tags(("style",)):
        element, text = elements[place], elements[place].text or ""
        if len(text) <= MAX_SHEET_CHARS and _MEDIA.fullmatch((element.get("media") or "").strip()):
            around = {above.tag for above in element.iterancestors(*_CONDITIONS)}
            if not around:
                sheets.append(text)
            elif "template" not in around:
                sheets.append(f"@{_NO_SCRIPTS}{{{text}")
    return SHEET_END.join(sheets)


def _sized(markup: Markup | None, data: bytes | str, body: bytes) -> Markup | None:
    """Return the markup with the size of the page; ``body``: ``data`` as UTF-8."""
    size = len(body) if isinstance(data, str) else min(len(body), len(data))
    return replace(markup, page_bytes=size) if markup else None


def _for_decisions(
    elements: Elements | CompiledElements,
    readings: Readings,
    signs: frozenset[bytes],
    url: str | None,
) -> dict[str, Any]:
    """Return the fields of these names of a page, which only the labeling reads."""
    return {
        "notes": linked_notes(elements, readings, signs),
        "mail_fields": mail_fields(elements, signs),
        "home_links": home_links(elements, url),
    }


def _on_request(
    roots: Sequence[etree._Element],
    elements: Elements | CompiledElements,
    seen: Seen,
    blocks: Sequence[Block],
    stated: bool,
    thread: bool,
    rule: SiteRule | None,
    body: bytes,
    url: str | None,
) -> dict[str, Any]:
    """Return the fields of these names of a page."""
    fields: dict[str, Any] = {}
    if stated:
        from scrapy_boilernet.extractor.html.state import read_stated

        fields["stated"] = read_stated(roots, seen, blocks, elements, url)
    if thread:
        from scrapy_boilernet.extractor.html.threads import read_thread

        fields["thread"] = read_thread(elements, seen, blocks)
    if rule is not None:
        nodes, depths = nodes_of(blocks)
        containers = nodes[depths.cumsum() - 1]
        fields["site"] = marks_of(rule, body, roots[0], elements, containers, stated)
    return fields


def _check(units: str, markup: bool, max_blocks: int) -> None:
    if max_blocks < 0:
        raise ValueError(f"max_blocks {max_blocks}: must be 0 or more")
    if units not in get_args(Units):
        raise ValueError(f"units {units!r}: must be 'block' or 'leaf'")
    if markup and units != "block":
        raise ValueError(
            f"markup of {units!r} units: only pages in 'block' units have it; use units='block'"
        )


def _unpacked(html: bytes | str, max_bytes: int) -> tuple[bytes | str, bool, str]:
    """Return the unpacked page, whether it was cut off, and its kind if it is not HTML, else "".

    A page that is not HTML comes back empty.
    """
    if isinstance(html, str):
        text, is_cut_off = html[:max_bytes], len(html) > max_bytes
        name = data_name(text, not is_cut_off)
        return ("", False, name) if name else (text, is_cut_off, "")
    body, is_cut_off = unpack(html, max_bytes)
    name = media_name(body) or data_name(body, not is_cut_off)
    return (b"", False, name) if name else (body, is_cut_off, "")


def _cut_off(body: bytes, max_blocks: int) -> tuple[bool, bytes]:
    """Return whether the page has more nodes than are read for so many blocks, and the page up to
    there.
    """
    most = max(_MIN_NODES, 2 * max_blocks)
    # A node has two bytes or more.
    if len(body) <= 2 * most or count_nodes(body) <= most:
        return False, body
    end = next(up_to_node(most).finditer(body)).end()
    return end < len(body), body[:end]


def _title(roots: Sequence[etree._Element], noted: Iterable[etree._Element]) -> str:
    """Return the text of the first title among ``noted`` (of the first root) or in a later root."""
    later_titles = (root.iter("title") for root in roots[1:])
    element = next(chain((e for e in noted if e.tag == "title"), *later_titles), None)
    if element is None:
        return ""
    return " ".join("".join(str(text) for text in element.itertext()).split())
