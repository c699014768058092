"""The parser's input to a tree that has all of the page's text, in time linear in the page.

Most pages go to libxml2 as they are. Pages that it would read slowly or not whole are told apart,
and written anew by one pass of a tokenizer of HTML's own rules (WHATWG, "Tokenization"). What is
nested deeper than browsers nest becomes line breaks and links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet.html.tokens import (
    ATTRIBUTE,
    MARKUP,
    RAW_TAGS,
    end_of_raw_text,
    up_to_tag_of_more,
)

_MANY_ATTRIBUTES = 500
"""Of one element: libxml2 adds each at the end of a list that it walks from its beginning."""
_LEAST_WINDOW_BYTES = 1_024
_WINDOW_BYTES_BY_PAGE = 1_000_000_000
"""A window's bytes by the page's: what tags of many attributes take grows with their length and
with the page; those shorter than two windows have too few attributes to take long."""
_MAX_GAP_BYTES = 64
"""White space between ``=`` and a value; where there is more, there may be a ``=`` before it."""
_SMALL_BYTES = 250_000
_MANY_END_TAGS = 5_000
"""End tags that end nothing: each is looked for among all open elements."""
_TAG = re.compile(rb"</?[a-z][^\s/>]*+", re.IGNORECASE)
_QUOTES = (b'"', b"'")
_MOST_SIGNS = 4
_UP_TO_MANY = up_to_tag_of_more(_MANY_ATTRIBUTES)


def has_many_attributes(body: bytes) -> bool:
    """Return whether ``body`` has a tag of over 500 attributes that takes libxml2 long.

    Most pages are known not to by a look at a few ``>`` in each of their parts: none in such a tag
    ends it. The others are parted into tokens.
    """
    window = max(_LEAST_WINDOW_BYTES, _WINDOW_BYTES_BY_PAGE // max(1, len(body)))
    signs = _Signs(body)
    starts = range(0, len(body) - window, window)
    if not any(signs.all_quoted(start, start + window) for start in starts):
        return False
    return _UP_TO_MANY.fullmatch(body) is None


class _Signs:
    """The signs ``>`` of a page, looked at from its beginning on."""

    def __init__(self, body: bytes) -> None:
        self._body = body
        self._quotes = dict.fromkeys(_QUOTES, -1)
        """Where the last of each is before ``_known``."""
        self._known = 0

    def all_quoted(self, start: int, end: int) -> bool:
        """Whether each of the first signs from ``start`` to ``end`` may stand in a value."""
        place = start - 1
        for _ in range(_MOST_SIGNS):
            place = self._body.find(b">", place + 1, end)
            if place < 0:
                break
            for quote, last in self._quotes.items():
                self._quotes[quote] = max(last, self._body.rfind(quote, self._known, place))
            self._known = place
            if not any(_begins_a_value(self._body, last) for last in self._quotes.values()):
                return False
        return True


def has_many_end_tags(body: bytes) -> bool:
    """Return whether ``body`` has over 5,000 end tags that no start tag of their name goes with;
    small pages never do.
    """
    if len(body) < _SMALL_BYTES:  # too small to take long, whatever it holds
        return False
    if body.count(b"</") <= _MANY_END_TAGS:
        return False
    counts = Counter(tag.lower() for tag in _TAG.findall(body))
    ends = ((tag, number) for tag, number in counts.items() if tag.startswith(b"</"))
    beyond = (number - counts[b"<" + tag[2:]] for tag, number in ends)
    return sum(number for number in beyond if number > 0) > _MANY_END_TAGS


def _begins_a_value(body: bytes, quote: int) -> bool:
    """Whether the quote at this place, if there is one, may begin the value of an attribute."""
    return quote > 0 and body[max(0, quote - _MAX_GAP_BYTES) : quote].rstrip()[-1:] in b"="


MAX_DEPTH = 512
"""As deep as Blink, WebKit and Gecko nest elements."""

_INLINE = frozenset(
    b"a abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr "
    b"q rb rp rt rtc ruby s samp small span strike strong sub sup time tt u var".split()
)
_VOID = frozenset(b"area base basefont br col frame hr img input link meta param".split())
_EMPTY = frozenset(b"bgsound command embed image keygen source track wbr".split())
"""Void in browsers, while libxml2 waits for an end tag."""
_UNREAD = frozenset(
    b"applet audio canvas datalist map math object select svg template video".split()
)
"""What holds text that is not shown: written also where it is too deep, so that it stays hidden."""
_ROOTS = frozenset((b"html", b"head", b"body"))
_CELLS = frozenset((b"td", b"th"))
_ROWS = _CELLS | {b"tr"}
_SECTIONS = _ROWS | {b"tbody", b"thead", b"tfoot"}
_CLOSED_BY = {
    b"li": frozenset((b"li",)), b"dt": frozenset((b"dt", b"dd")), b"dd": frozenset((b"dt", b"dd")),
    b"td": _CELLS, b"th": _CELLS, b"tr": _ROWS, b"tbody": _SECTIONS, b"thead": _SECTIONS,
    b"tfoot": _SECTIONS, b"option": frozenset((b"option",)),
}  # fmt: skip
"""What a start tag ends, if that was opened last, besides a paragraph."""
_NONE: frozenset[bytes] = frozenset()


class OpenElements:
    """Writes tags so that each end tag ends the element that was opened last.

    An element below :data:`MAX_DEPTH` is not written, unless it is a link; where one that is not
    inline begins or ends a line break is.
    """

    def __init__(self, written: list[bytes]) -> None:
        self._written = written
        self._open: list[bytes] = []
        self._blocks = [-1]
        """Where in it elements stand that are not inline."""
        self._inline = [Counter[bytes]()]
        """Per one of these, and before all, the inline elements that are open in it."""
        self._count = Counter[bytes]()
        """Elements open that are not inline, by name."""
        self._below = Counter[bytes]()
        """Elements open that are too deep to be written, but for a link."""
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
        """Close an element, if there is one to be closed."""
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
        if name == b"a" and self._inline[-1][name]:  # a link in a link ends it
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
        """Begin or end the link below what is written."""
        if wanted != self._link_below:
            self._written.append(b"<a>" if wanted else b"</a>")
            self._link_below = wanted

    def _break(self, name: bytes) -> None:
        """Say that an element which is not written begins or ends here."""
        if name not in _INLINE:
            self._written.append(b"<br>")


_READ = frozenset(
    b"aria-hidden class content hidden id itemprop itemtype name property rel role style "
    b"type".split()
)
"""All attributes that the walk, the places and the head look at."""
_NAME = re.compile(rb"[a-z][a-z0-9:-]{0,63}\Z")
_SHOWN = (b"textarea", b"title")
"""Of the elements that hold text alone, those whose text somebody reads, entities in it."""


def flatten(body: bytes) -> bytes:
    """Return a page of the same text, in UTF-8, that any HTML parser reads whole.

    No element of it is nested deeper than :data:`~scrapy_boilernet.html.tree.MAX_DEPTH` or has
    attributes that nobody reads, and every end tag ends the element that was opened last.
    """
    written: list[bytes] = []
    elements = OpenElements(written)
    place, search = 0, MARKUP.search
    while match := search(body, place):
        begin, after = match.span()
        if place < begin:
            written.append(_text(body[place:begin]))
        place = after
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
            place = _raw(written, body, name, match)
        else:
            elements.start(name, _attributes(attributes), bool(closes_itself))
    if place < len(body):
        written.append(_text(body[place:]))
    return b"".join(written)


def _text(data: bytes) -> bytes:
    return data.replace(b"<", b"&lt;")


def _raw(written: list[bytes], body: bytes, name: bytes, match: re.Match[bytes]) -> int:
    """Write an element that holds text alone, and return where what follows it begins."""
    end = match.end()
    if not match[4]:  # libxml2 takes an element that closes itself at its word
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
    """What is read of a tag's attributes, written as one way alone can be read."""
    if b"=" not in source and b"hidden" not in source.lower():
        return b""
    found: dict[bytes, bytes] = {}
    for name, value in ATTRIBUTE.findall(source):
        if name.lower() in _READ:
            plain = value[1:-1] if value[:1] in (b'"', b"'") else value
            found.setdefault(name.lower(), plain.replace(b'"', b"&quot;"))
    return b"".join(b' %b="%b"' % item for item in found.items())


_EMPTY_PAGE = b"<html/>"
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
        root = etree.fromstring(body or _EMPTY_PAGE, _parser())
    except etree.XMLSyntaxError:  # libxml2 found no element at all
        root = None
    if root is None:
        root = etree.fromstring(_EMPTY_PAGE, _parser())
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
