"""Parses a page to a tree that has all of its text, in time linear in the page.

Most pages go to libxml2 as they are. Pages that libxml2 would read slowly, or only in part, are
rewritten first, in one pass of a tokenizer that follows HTML's rules (WHATWG, "Tokenization").
Elements that are nested deeper than in browsers become line breaks and links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet.extractor.html.frames import has_frames, without_frames
from scrapy_boilernet.extractor.html.open_divs import may_have_open_divs, with_closed_divs
from scrapy_boilernet.extractor.html.scan import count_unmatched_ends, may_have_many_attributes
from scrapy_boilernet.extractor.html.tokens import (
    ATTRIBUTE,
    MARKUP,
    RAW_TAGS,
    end_of_raw_text,
    up_to_tag_of_more,
)

_MANY_ATTRIBUTES = 500
"""Attributes of one element, beyond which a page is rewritten: to add one, libxml2 walks the whole
list of them."""
_MIN_WINDOW_BYTES = 1_024
_WINDOW_BYTES_BY_PAGE = 1_000_000_000
"""A window's bytes times the page's bytes. The time that tags of many attributes take grows with
their length and with the page. Tags shorter than two windows have too few attributes to take
long."""
_MAX_GAP_BYTES = 64
"""White space that is searched for a ``=`` before a value. If there is more, a ``=`` is assumed."""
_SMALL_BYTES = 250_000
"""Pages with fewer bytes are too small to take long, whatever they contain."""
_MANY_END_TAGS = 5_000
"""End tags without a start tag, beyond which a page is rewritten: libxml2 looks for each among all
open elements."""
_QUOTES = (b'"', b"'")
_MAX_SIGNS = 4
"""How many ``>`` of each window are read."""


def has_many_attributes(body: bytes) -> bool:
    """Return whether ``body`` has a tag of over 500 attributes that takes libxml2 long.

    In such a tag every ``>`` is quoted, except the last one. So for most pages a few ``>`` of each
    window show that there is no such tag. Only the other pages are split into tokens.
    """
    window = max(_MIN_WINDOW_BYTES, _WINDOW_BYTES_BY_PAGE // max(1, len(body)))
    if not may_have_many_attributes(body, window, _MAX_SIGNS, _MAX_GAP_BYTES, _MANY_ATTRIBUTES):
        return False
    return up_to_tag_of_more(_MANY_ATTRIBUTES).fullmatch(body) is None


def has_many_end_tags(body: bytes) -> bool:
    """Return whether ``body`` has over 5,000 end tags without a start tag of their name; False for
    every small page.
    """
    is_small = len(body) < _SMALL_BYTES
    return not is_small and count_unmatched_ends(body, _MANY_END_TAGS) > _MANY_END_TAGS


MAX_DEPTH = 512
"""The depth to which Blink, WebKit and Gecko nest elements."""

_INLINE = frozenset(
    b"a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr "
    b"q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var".split()
)
_VOID = frozenset(b"area base basefont br col frame hr img input link meta param".split())
_EMPTY = frozenset(b"bgsound command embed image keygen source track wbr".split())
"""Void elements in browsers, for which libxml2 waits for an end tag."""
_UNREAD = frozenset(
    b"applet audio canvas datalist map math object select svg template video".split()
)
"""Elements whose text is not shown. They are written at any depth, so that it stays hidden."""
_ROOTS = frozenset((b"html", b"head", b"body"))
_CELLS = frozenset((b"td", b"th"))
_ROWS = _CELLS | {b"tr"}
_SECTIONS = _ROWS | {b"tbody", b"thead", b"tfoot"}
_CLOSED_BY = {
    b"li": frozenset((b"li",)), b"dt": frozenset((b"dt", b"dd")), b"dd": frozenset((b"dt", b"dd")),
    b"td": _CELLS, b"th": _CELLS, b"tr": _ROWS, b"tbody": _SECTIONS, b"thead": _SECTIONS,
    b"tfoot": _SECTIONS, b"option": frozenset((b"option",)),
}  # fmt: skip
"""By the name of a start tag, the elements that it ends if they were opened last. Each start tag of
an element that is not inline also ends a paragraph."""
_NONE: frozenset[bytes] = frozenset()


class OpenElements:
    """Writes tags so that each end tag ends the element that was opened last.

    Elements below :data:`MAX_DEPTH` are not written, except links. Where one that is not inline
    begins or ends, a line break is written.
    """

    def __init__(self, written: list[bytes]) -> None:
        self._written = written
        self._open: list[bytes] = []
        self._blocks = [-1]
        """Indexes in ``_open`` of the elements that are not inline."""
        self._inline = [Counter[bytes]()]
        """The open inline elements in each of these, and before the first."""
        self._count = Counter[bytes]()
        """Open elements that are not inline, by name."""
        self._below = Counter[bytes]()
        """Open elements that are too deep to be written, by name."""
        self._link_below = False
        self._roots: set[bytes] = set()

    def start(self, name: bytes, attributes: bytes, closes_itself: bool = False) -> None:
        """Open an element, and close what cannot stay open beside it."""
        if name in _VOID:
            self._written.append(b"<%b%b>" % (name, attributes))
        elif name in _EMPTY:
            self._written.append(b"<%b%b></%b>" % (name, attributes, name))
        elif name in _ROOTS:
            if name not in self._roots:
                self._roots.add(name)
                self._written.append(b"<%b%b>" % (name, attributes))
        elif name in _INLINE:
            self._open_inline(name, attributes)
        else:
            self._open_block(name, attributes)
        if closes_itself and name not in _VOID | _ROOTS:
            self.end(name)

    def end(self, name: bytes) -> None:
        """Close the innermost open element of this name, if there is one."""
        if self._below[name]:
            self._below[name] -= 1
            self._link(self._link_below and name != b"a")
            self._break(name)
        elif name in _INLINE:
            if self._inline[-1][name]:
                while self._pop() != name:
                    pass
        elif self._count[name]:
            while self._pop() != name:
                pass
        elif name == b"head":
            self._written.append(b"</head>")
        elif name in (b"p", b"br"):
            self._written.append(b"<br>")

    def _open_inline(self, name: bytes, attributes: bytes) -> None:
        if name == b"a" and self._inline[-1][name]:  # a link ends the link that it is in
            self.end(name)
        if len(self._open) < MAX_DEPTH:
            self._push(name, attributes)
            self._inline[-1][name] += 1
        else:
            self._below[name] += 1
            self._link(name == b"a" or self._link_below)

    def _open_block(self, name: bytes, attributes: bytes) -> None:
        last = self._open[self._blocks[-1]] if len(self._blocks) > 1 else b""
        closed = _CLOSED_BY.get(name, _NONE)
        while last == b"p" or last in closed:
            while self._pop() != last:
                pass
            last = self._open[self._blocks[-1]] if len(self._blocks) > 1 else b""
        if len(self._open) < MAX_DEPTH or (name in _UNREAD and last not in _UNREAD):
            self._push(name, attributes)
            self._count[name] += 1
            self._blocks.append(len(self._open) - 1)
            self._inline.append(Counter())
        else:
            self._below[name] += 1
            self._break(name)

    def _push(self, name: bytes, attributes: bytes) -> None:
        self._open.append(name)
        self._written.append(b"<%b%b>" % (name, attributes))

    def _pop(self) -> bytes:
        """Close the element that was opened last, and return its name."""
        self._below.clear()
        self._link(False)
        name = self._open.pop()
        if self._blocks[-1] == len(self._open):
            self._blocks.pop()
            self._inline.pop()
            self._count[name] -= 1
        else:
            self._inline[-1][name] -= 1
        self._written.append(b"</%b>" % name)
        return name

    def _link(self, wanted: bool) -> None:
        """Begin or end the link below :data:`MAX_DEPTH`."""
        if wanted != self._link_below:
            self._written.append(b"<a>" if wanted else b"</a>")
            self._link_below = wanted

    def _break(self, name: bytes) -> None:
        """Write a line break for an element that is not written and begins or ends here."""
        if name not in _INLINE:
            self._written.append(b"<br>")


_READ = frozenset(
    b"alt aria-hidden class colspan content data-lang data-language data-lazy-src data-line-number "
    b"data-lazy-srcset data-original data-src data-srcset height hidden href id itemprop itemtype "
    b"name property rel role rowspan shadowroot shadowrootmode src srcset start style tabindex "
    b"type value width".split()
)
"""All attributes that the walk, the paths, the markup and the head read."""
_NAME = re.compile(rb"[a-z][a-z0-9:-]{0,63}\Z")
_SHOWN = (b"textarea", b"title")
"""Elements that hold only text, which is read and may have entities."""


def flatten(body: bytes) -> bytes:
    """Return a page of the same text, in UTF-8, that any HTML parser reads whole.

    No element is nested deeper than :data:`MAX_DEPTH`, attributes outside of :data:`_READ` are left
    out, and every end tag ends the element that was opened last.
    """
    written: list[bytes] = []
    elements = OpenElements(written)
    position, search = 0, MARKUP.search
    while match := search(body, position):
        begin, after = match.span()
        if position < begin:
            written.append(_text(body[position:begin]))
        position = after
        ends, name, attributes, closes_itself, closed = match.groups()
        if name is None or not closed:
            continue
        name = name.lower()
        if not _NAME.match(name) or (name == b"plaintext" and closes_itself):
            name = b"span"
        if ends:
            elements.end(name)
        elif name == b"plaintext":
            break
        elif name in RAW_TAGS:
            position = _write_raw(written, body, name, match)
        else:
            elements.start(name, _attributes(attributes), bool(closes_itself))
    if position < len(body):
        written.append(_text(body[position:]))
    return b"".join(written)


def _text(data: bytes) -> bytes:
    return data.replace(b"<", b"&lt;")


def _write_raw(written: list[bytes], body: bytes, name: bytes, match: re.Match[bytes]) -> int:
    """Write an element that holds only text; return the offset after it."""
    end = match.end()
    if not match[4]:  # an element that closes itself has no text for libxml2
        end = end_of_raw_text(name, body, end)
    attributes = _attributes(match[3])
    content = b""
    if name == b"xmp":  # in it, not even entities are markup
        name, content = b"pre", _text(body[match.end() : end].replace(b"&", b"&amp;"))
    elif name in _SHOWN:
        content = _text(body[match.end() : end])
    elif name == b"script" and b"ld+json" in attributes:
        content = body[match.end() : end].replace(b"<", b"\\u003c")  # the same in JSON
    written.append(b"<%b%b>%b</%b>" % (name, attributes, content, name))
    return end


def _attributes(source: bytes) -> bytes:
    """Return the attributes of a tag that are read, written so that all parsers read them alike."""
    if b"=" not in source and b"hidden" not in source.lower():
        return b""
    read: dict[bytes, bytes] = {}
    for name, value in ATTRIBUTE.findall(source):
        if name.lower() in _READ:
            plain = value[1:-1] if value[:1] in _QUOTES else value
            read.setdefault(name.lower(), plain.replace(b'"', b"&quot;"))
    return b"".join(b' %b="%b"' % item for item in read.items())


_EMPTY_PAGE = b"<html/>"
_LOST_DEPTH = 2_000
"""A tree of this depth may be cut off: from version 2.14 on, libxml2 stops at 2,048 open elements
and leaves out what follows."""


class Parsed(NamedTuple):
    """A page's tree."""

    roots: Sequence[etree._Element]
    """At least one; an element after ``</html>`` becomes another root."""
    flat: bool
    """Whether the page was rewritten, so that the tree is not the one that parsel builds."""


def parse(body: bytes, comments: bool = False) -> Parsed:
    """Return the tree of a page, which is in the form of
    :func:`~scrapy_boilernet.extractor.html.encoding.to_utf8`.

    It has the elements of the tree that parsel builds with huge trees allowed, unless that tree
    would lack deep elements or take time quadratic in the page's size, or unless the page consists
    of frames or has its end in an element whose end tag libxml2 ignores. ``comments``: whether
    comments and processing instructions part texts. Without them, the texts on both sides are one,
    as for a reader: some frameworks write ``<!-- -->`` between all texts.
    """
    if not has_many_end_tags(body) and not has_many_attributes(body):
        roots = plain_tree(body, comments)
        last = _last_tags(roots[-1])
        if has_frames(roots[0]):
            body = without_frames(body)
        elif may_have_open_divs(body, last) and (closed := with_closed_divs(body)) != body:
            return parse(closed, comments)._replace(flat=True)
        elif len(last) < _LOST_DEPTH:
            return Parsed(roots, flat=False)
    return Parsed(plain_tree(flatten(body), comments), flat=True)


def plain_tree(body: bytes, comments: bool = False) -> list[etree._Element]:
    """Return the roots of the tree that parsel builds; ``comments``: as in :func:`parse`."""
    try:
        root = etree.fromstring(body or _EMPTY_PAGE, _parser(comments))
    except etree.XMLSyntaxError:  # libxml2 found no element at all
        root = None
    if root is None:
        root = etree.fromstring(_EMPTY_PAGE, _parser(comments))
    return [root, *root.itersiblings(etree.Element)]


def _parser(comments: bool) -> etree.HTMLParser:
    return etree.HTMLParser(
        encoding="utf-8",
        recover=True,
        huge_tree=True,
        collect_ids=False,
        remove_comments=not comments,
        remove_pis=not comments,
    )


def _last_tags(root: etree._Element) -> list[object]:
    """Return the tags around and of the last element, which is where the parser stops if it stops
    early.
    """
    tags: list[object] = [root.tag]
    while len(root):
        root = root[-1]
        tags.append(root.tag)
    return tags
