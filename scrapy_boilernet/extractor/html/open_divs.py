"""Pages with a ``<div>`` that is left open in another element.

For libxml2 the end tag of a ``<pre>``, an item, a list or a section around it does not end such an
element, so that all text behind it would be code, or in the item of a list. Browsers end the
``<div>``, too (WHATWG HTML, "An end tag whose tag name is one of").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import islice

from scrapy_boilernet.extractor.html.tokens import MARKUP, RAW_TAGS, end_of_raw_text

_DIV, _TABLE = b"div", b"table"
_TERMS = frozenset((b"dt", b"dd"))
_ITEM, _LISTS = b"li", (b"ul", b"ol")
_ITEMS = {_ITEM: frozenset((_ITEM,)), b"dt": _TERMS, b"dd": _TERMS}
"""By the name of a start tag, the elements that it ends although a ``<div>`` in them is open."""
_ENDING = frozenset(
    b"pre li ul ol dl dt dd section article main header footer nav aside blockquote".split()
)
"""Elements whose end tag ends a ``<div>`` in them."""
_PRE, _ITEM_TAGS = "pre", frozenset(("li", "dd"))
"""Elements in which the end of a page is looked at. Where a page has its end in others, such as a
``<header>``, its texts are hardly worse."""
_COUNTED = _ENDING | {_DIV, _TABLE}
_MAX_DIVS = 50
"""How many are looked through at most for the item that a start tag ends."""


def may_have_open_divs(body: bytes, last_tags: Collection[object]) -> bool:
    """Return whether a page may have its end in code or an item because a ``<div>`` in it is open.

    ``last_tags``: the tags around its last element in the tree that libxml2 builds.
    """
    if _PRE in last_tags:
        return True
    if _ITEM_TAGS.isdisjoint(last_tags):
        return False
    lower = body.lower()
    return lower.count(b"<div") > lower.count(b"</div")


def with_closed_divs(body: bytes) -> bytes:
    """Return the page with an end tag for each ``<div>`` that is open where a ``<pre>``, an item, a
    list or a section around it ends; the same page if there is none. It takes time linear in the
    page.
    """
    written: list[bytes] = []
    done = position = 0
    elements = _OpenElements()
    while match := MARKUP.search(body, position):
        position = match.end()
        ends, name = match[1], (match[2] or b"").lower()
        if name in RAW_TAGS and not ends:
            position = end_of_raw_text(name, body, position)
        elif name in _COUNTED:
            divs = elements.end(name) if ends else elements.start(name)
            if divs:
                written += (body[done : match.start()], b"</div>" * divs)
                done = match.start()
    return b"".join((*written, body[done:])) if written else body


class _Scope:
    """The open ones of ``_ENDING``, and the open ``<div>``, in a table or outside.

    ``count``: how many there are of each; of ``<li>``, those in the innermost list.
    """

    def __init__(self) -> None:
        self.opened: list[bytes] = []
        self.count = Counter[bytes]()
        self._items: list[int] = []  # the open <li> around each open list

    def push(self, name: bytes) -> None:
        self.opened.append(name)
        self.count[name] += 1
        if name in _LISTS:
            self._items.append(self.count[_ITEM])
            self.count[_ITEM] = 0

    def pop(self) -> bytes:
        name = self.opened.pop()
        self.count[name] -= 1
        if name in _LISTS:
            self.count[_ITEM] = self._items.pop()
        return name


class _OpenElements:
    """The open elements in each open table and outside."""

    def __init__(self) -> None:
        self._tables = [_Scope()]

    def start(self, name: bytes) -> int:
        """Open an element; return how many ``<div>`` end before it, with the item that it ends."""
        if name == _TABLE:
            self._tables.append(_Scope())
            return 0
        scope = self._tables[-1]
        ended, divs = _ITEMS.get(name), 0
        if ended:
            around = islice(reversed(scope.opened), _MAX_DIVS)
            last = next((one for one in around if one != _DIV), b"")
            divs = self._pop(last) if last in ended else 0
        scope.push(name)
        return divs

    def end(self, name: bytes) -> int:
        """End the innermost element of this name, if one is open, an item only in the innermost
        list; return how many ``<div>`` in it are open.
        """
        if name == _TABLE:
            del self._tables[max(1, len(self._tables) - 1) :]
            return 0
        return self._pop(name) if self._tables[-1].count[name] else 0

    def _pop(self, name: bytes) -> int:
        scope = self._tables[-1]
        divs = 0
        while True:
            last = scope.pop()
            if last == name:
                return divs
            divs += last == _DIV
