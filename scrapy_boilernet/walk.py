"""The walk over a page's elements that gathers its text into units, without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from lxml import etree

from scrapy_boilernet.attributes import class_words, is_hidden
from scrapy_boilernet.page import Block, Units

MAX_ANCESTORS = 64
"""Ancestors kept per block; bounds a page's memory, which would grow with depth squared."""

INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd mark nobr q rb rp "
    "rt rtc ruby s samp small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that do not end a run of text; every other element does, ``<br>`` too."""
SKIPPED_TAGS = frozenset(
    "title script style template iframe object embed applet svg math canvas audio video map "
    "select datalist textarea noframes".split()
)
_SEAMLESS_TAGS = INLINE_TAGS | {"script", "style", "template", "svg", "math"}
"""Inline elements, and skipped ones that stand inside a sentence without ending it."""
SKIPPED_LEAF_TAGS = frozenset(
    "iframe script meta link style input checkbox button noscript".split()
)
"""What the paper's code leaves out, and the head's title. That code leaves out the whole head, but
libxml2 puts text into the head of a page that does not open its body."""

_XPATH_NAME = re.compile(r"[a-z_][a-z0-9_.-]*\Z")


class _Frame:
    """An open element of the walk; what a block needs of it is made only if it holds text."""

    __slots__ = (
        "children", "code", "counts", "depth", "element", "hidden", "link", "node", "noscript",
        "parent", "path", "skipped", "step", "tag", "words",
    )  # fmt: skip

    def __init__(self, element: etree._Element, parent: _Frame | None, node: int) -> None:
        self.element = element
        self.parent = parent
        self.node = node
        self.tag: str = element.tag
        self.counts: dict[str, int] = {}
        self.children = 0
        self.path: tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...], str] | None = None
        self.depth: int = parent.depth + 1 if parent else 0
        self.link: int = node if self.tag == "a" else parent.link if parent else 0
        self.noscript: bool = self.tag == "noscript" or (parent is not None and parent.noscript)
        self.code: bool = self.tag in ("pre", "code") or (parent is not None and parent.code)
        self.hidden: bool = (parent is not None and parent.hidden) or is_hidden(element)
        self.skipped: bool = parent.skipped if parent else False
        self.words: str | None = None
        self.step = parent.child_step(self.tag) if parent else f"/{self.tag}"

    def child_step(self, tag: str) -> str:
        """Return the XPath step of the next child, counting it."""
        self.children += 1
        if not _XPATH_NAME.match(tag):  # such as <fb:like>: a name that XPath cannot say
            return f"/*[{self.children}]"
        count = self.counts.get(tag, 0) + 1
        self.counts[tag] = count
        return f"/{tag}[{count}]"

    def located(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...], str]:
        """Return tags, class words, node numbers and XPath, made at the first call."""
        if self.path is None:
            frames = list(islice(self.ancestors(), MAX_ANCESTORS))[::-1]
            deep = self.depth >= MAX_ANCESTORS
            self.path = (
                tuple(frame.tag for frame in frames),
                tuple(frame.class_words() for frame in frames),
                tuple(frame.node for frame in frames),
                f"(//*)[{self.node}]" if deep else "".join(frame.step for frame in frames),
            )
        return self.path

    def class_words(self) -> str:
        """Return the element's class words, made once for all the blocks below it."""
        if self.words is None:
            self.words = class_words(self.element)
        return self.words

    def ancestors(self) -> Iterator[_Frame]:
        """This frame and its ancestors, outwards."""
        frame: _Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent


class Walk:
    """One pass over a page's elements that gathers text into units."""

    def __init__(self, units: Units) -> None:
        self.leaves = units == "leaf"
        self.skipped_tags = SKIPPED_LEAF_TAGS if self.leaves else SKIPPED_TAGS
        self.run: list[tuple[str, _Frame]] = []

    def blocks(self, root: etree._Element) -> Iterator[Block]:
        """Yield the page's units in document order."""
        frame: _Frame | None = None
        nodes = 0
        events = ("start", "end", "comment", "pi")
        # What follows </html> becomes a second root beside the first.
        roots = [root, *root.itersiblings(etree.Element)]
        root_steps = iter([f"/*[{i}]" for i in range(1, len(roots) + 1)])
        for event, element in chain.from_iterable(etree.iterwalk(r, events=events) for r in roots):
            if event == "start":
                if self._breaks(element.tag, frame):
                    yield from self._flush()
                nodes += 1
                frame = _Frame(element, frame, nodes)
                if frame.parent is None and len(roots) > 1:
                    frame.step = next(root_steps)
                frame.skipped = frame.skipped or self._is_skipped(frame)
                yield from self._take(element.text, frame)
                continue
            if event == "end":
                frame = frame.parent if frame else None
                if self._breaks(element.tag, frame):
                    yield from self._flush()
            if frame is not None:
                yield from self._take(element.tail, frame)
        yield from self._flush()

    def _is_skipped(self, frame: _Frame) -> bool:
        if self.leaves and frame.tag == "title":
            return frame.parent is not None and frame.parent.tag == "head"
        return frame.tag in self.skipped_tags

    def _breaks(self, tag: str, parent: _Frame | None) -> bool:
        return tag not in _SEAMLESS_TAGS and not (parent is not None and parent.skipped)

    def _take(self, text: str | None, frame: _Frame) -> Iterator[Block]:
        if not text or frame.skipped:
            return
        self.run.append((text, frame))
        if self.leaves:
            yield from self._flush()

    def _flush(self) -> Iterator[Block]:
        run, self.run = self.run, []
        solid = [(text, frame) for text, frame in run if not text.isspace()]
        if not solid:
            return
        text = " ".join(_joined(run).split())
        if not text:
            return
        container = _common_ancestor([frame for _, frame in solid])
        link_chars = sum(len(" ".join(piece.split())) for piece, frame in solid if frame.link)
        tags, class_words, nodes, xpath = container.located()
        yield Block(
            text=text,
            tags=tags,
            class_words=class_words,
            nodes=nodes,
            xpath=xpath,
            link_chars=min(link_chars, len(text)),
            hidden=all(frame.hidden for _, frame in solid),
            noscript=container.noscript,
        )


def _joined(run: list[tuple[str, _Frame]]) -> str:
    """The run's text; elements side by side are words of their own, as margins show them."""
    if len(run) == 1:
        return run[0][0]
    parts = [run[0][0]]
    for (text_before, before), (text, frame) in pairwise(run):
        if _is_apart(before, frame) and len(text_before) > 1 and len(text) > 1:
            parts.append(" ")
        parts.append(text)
    return "".join(parts)


def _is_apart(before: _Frame, frame: _Frame) -> bool:
    """Whether nothing but markup parts two links, or two siblings outside of code."""
    if before.link and frame.link and before.link != frame.link:
        return True
    siblings = frame is not before and frame.parent is before.parent
    return siblings and not frame.code


def _common_ancestor(frames: list[_Frame]) -> _Frame:
    common = frames[0]
    for other in frames[1:]:
        while other.depth > common.depth and other.parent:
            other = other.parent
        while common.depth > other.depth and common.parent:
            common = common.parent
        while common is not other and common.parent and other.parent:
            common, other = common.parent, other.parent
    return common
