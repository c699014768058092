"""The elements that are open while a page is written anew: never more than browsers nest."""

from __future__ import annotations

from collections import Counter

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
