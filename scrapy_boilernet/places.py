"""Where an element of the walk stands; found out once, and only for those that hold text."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml import etree

from scrapy_boilernet.attributes import told

MAX_ANCESTORS = 64
"""Ancestors kept per block; bounds a page's memory, which would grow with depth squared."""

_XPATH_NAME = re.compile(r"[a-z_][a-z0-9_.-]*\Z")
_NOSCRIPT, _CODE = 1, 2
_FLAGS = {"noscript": _NOSCRIPT, "pre": _CODE, "code": _CODE}


Path = tuple[tuple[str, ...], tuple[str, ...]]
"""Tags and class words from the root to an element. Those of one template share it, so that the
featuriser knows it again."""


class Frame:
    """An open element of the walk; its path is there once it is located."""

    __slots__ = (
        "counts", "depth", "element", "flags", "hidden", "link", "node", "nodes", "parent", "path",
        "step", "tag", "xpath",
    )  # fmt: skip

    def __init__(
        self, element: etree._Element, tag: str, parent: Frame | None, node: int, step: int
    ) -> None:
        self.element = element
        self.tag = tag
        self.parent = parent
        self.node = node
        self.step = step
        """Its number among siblings of its tag; negated among all if XPath cannot say the tag."""
        self.counts: dict[str, int] = {}
        """How many children there were so far, per tag."""
        above = parent or _OUTSIDE
        self.depth: int = above.depth + 1
        self.link: int = node if tag == "a" else above.link
        """Number of the nearest ``<a>`` at or around the element; 0: none."""
        self.flags: int = above.flags | _FLAGS.get(tag, 0)
        self.hidden: bool | None = None  # not known yet
        self.xpath = ""  # not located yet
        self.path: Path
        self.nodes: tuple[int, ...]

    @property
    def noscript(self) -> bool:
        """Whether it is in a ``<noscript>``."""
        return bool(self.flags & _NOSCRIPT)

    @property
    def code(self) -> bool:
        """Whether it is in a ``<pre>`` or ``<code>``."""
        return bool(self.flags & _CODE)


class _Outside:
    """What stands above a root."""

    depth, link, flags, hidden, xpath = -1, 0, 0, False, ""
    path: Path = ((), ())
    nodes: tuple[int, ...] = ()


_OUTSIDE = _Outside()


class Places:
    """Locates the elements of one page; those of one template share their path."""

    def __init__(self) -> None:
        self._named: dict[str, bool] = {}
        self._paths: dict[tuple[int, str, str], Path] = {}
        self.root_step = "/html"

    def step(self, tag: str, counts: Mapping[str, int]) -> int:
        """Return the step of the last child counted, of any tag; see :class:`Frame`."""
        known = self._named.get(tag)
        if known is None:
            known = self._named[tag] = bool(_XPATH_NAME.match(tag))
        return counts[tag] if known else -sum(counts.values())

    def located(self, frame: Frame) -> Frame:
        """Return the frame, with the tags, class words, numbers and XPath of its path."""
        if frame.xpath:
            return frame
        without = []
        above: Frame | None = frame
        while above is not None and not above.xpath:
            without.append(above)
            above = above.parent
        up: Frame | _Outside = above or _OUTSIDE
        for each in reversed(without):
            self._locate(each, up)
            up = each
        return frame

    def is_hidden(self, frame: Frame) -> bool:
        """Return whether it or an element around it hides itself."""
        unknown = []
        above: Frame | None = frame
        while above is not None and above.hidden is None:
            unknown.append(above)
            above = above.parent
        hidden = above is not None and bool(above.hidden)
        for each in reversed(unknown):
            each.hidden = hidden = hidden or told(each.element.items())[1]
        return hidden

    def _locate(self, frame: Frame, up: Frame | _Outside) -> None:
        tag, node, nodes = frame.tag, frame.node, up.nodes
        if frame.depth >= MAX_ANCESTORS:
            nodes = nodes[1:]
            frame.xpath = f"(//*)[{node}]"
        elif up is _OUTSIDE:
            frame.xpath = self.root_step
        elif frame.step > 0:
            frame.xpath = f"{up.xpath}/{tag}[{frame.step}]"
        else:
            frame.xpath = f"{up.xpath}/*[{-frame.step}]"
        if items := frame.element.items():
            own, hides = told(items)
            frame.hidden = hides or up.hidden
        else:
            own, frame.hidden = "", up.hidden
        frame.nodes = nodes + (node,)  # noqa: RUF005 - quicker
        key = (id(up.path), tag, own)
        frame.path = self._paths.get(key) or self._paths.setdefault(key, _longer(up.path, tag, own))


def _longer(path: Path, tag: str, words: str) -> Path:
    """The path to a child."""
    tags, class_words = path
    if len(tags) >= MAX_ANCESTORS:
        tags, class_words = tags[1:], class_words[1:]
    return (*tags, tag), (*class_words, words)


def common_ancestor(a: Frame, b: Frame) -> Frame:
    """Return the innermost frame around both."""
    while a is not b:
        if a.depth < b.depth:
            a, b = b, a
        if a.parent is None:
            break
        a = a.parent
    return a
