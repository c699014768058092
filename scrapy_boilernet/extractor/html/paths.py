"""The path of an element from the root, and the words of its attributes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.hiding import (
    BY_ARIA,
    BY_ATTRIBUTE,
    COLLAPSING,
    HIDING_HEADS,
    MAX_TEASER_TEXTS,
    OPENED,
    OPENS,
    STREAMED,
    TAB_PANEL,
    TABLE_HEAD,
    UNDOABLE,
    hides_by_aria,
    hides_by_class,
    hides_by_hidden,
    hides_by_style,
    is_second,
    is_sentence,
    undoes,
    with_colours,
)
from scrapy_boilernet.extractor.html.raised import MARK_TAGS
from scrapy_boilernet.extractor.html.reading import HIDDEN_NOTE, SIDE_NOTE
from scrapy_boilernet.extractor.html.style_sheets import Rules

_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
_ASCII_CLASS_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_LOWER_WORD = re.compile(r"[a-z]{2,}|[^\W\d_a-zA-Z]{2,}")
"""Finds the words of two or more characters, in text without capitals."""
_ASCII_LOWER_WORD = re.compile(r"[a-z]{2,}")
SIDE_NOTES = frozenset((SIDE_NOTE, HIDDEN_NOTE))
"""The tags that notes in a sentence, and notes that a page hides until wanted, count as."""
MAX_CLASS_WORDS = 8
MAX_ATTRIBUTE_CHARS = 200
_MAX_CACHED = 1 << 13
_NAMING_ATTRIBUTES = {"id": 0, "role": 1, "itemprop": 2}
_HIDING_ATTRIBUTES = ("hidden", "style", "aria-hidden", "bgcolor", "color")

READ_ATTRIBUTES = frozenset({"class", *_NAMING_ATTRIBUTES, *_HIDING_ATTRIBUTES})
"""The attributes that :func:`read_attributes` reads."""

AttributePairs = Sequence[tuple[Any, Any]]
"""An element's attributes, names and values."""


def read_attributes(
    items: AttributePairs, tag: str = "", rules: Rules | None = None
) -> tuple[str, int]:
    """Return the words of an element's class, id, role and itemprop, and why it hides itself.

    There are at most eight words. ``rules``: those of the page's own style sheets. The reason is as
    in :func:`hiding_reason`.
    """
    class_, named, values = "", ["", "", ""], {}
    for name, value in items:
        if name == "class":
            class_ = value[:MAX_ATTRIBUTE_CHARS]
        elif name in _NAMING_ATTRIBUTES:
            named[_NAMING_ATTRIBUTES[name]] = value[:MAX_ATTRIBUTE_CHARS]
        elif name in _HIDING_ATTRIBUTES:
            values[name] = value
    text = " ".join((class_, *named)) if any(named) else class_
    words = _WORDS[text] if text else ""
    return words, hiding_reason(values, tag, named[0], named[1], class_, rules)


def hiding_reason(
    values: Mapping[str, str], tag: str, id_: str, role: str, classes: str, rules: Rules | None
) -> int:
    """Return why an element hides itself, as a number of
    :data:`~scrapy_boilernet.extractor.html.hiding.REASONS`; 0 if it does not.

    ``values``: those of its ``hidden``, ``style``, ``aria-hidden``, ``bgcolor`` and ``color`` that
    it has. The panel of a tab or of an accordion, one that a control of the page opens, a part that
    is streamed, a note, and the head of a table are shown.
    """
    reason = 0
    if values:
        if "hidden" in values:
            reason = hides_by_hidden(values["hidden"])
        if not reason and "style" in values:
            reason = hides_by_style(with_colours(values))
    reason = reason or hides_by_class(classes)
    if not reason and rules is not None:
        reason = rules.reason(tag, id_, classes)
    if not reason and "aria-hidden" in values:
        reason = hides_by_aria(values["aria-hidden"], classes)
    if tag == TABLE_HEAD and reason in HIDING_HEADS:
        return 0
    if reason in COLLAPSING:
        is_shown = (
            tag in SIDE_NOTES
            or role.strip().lower() == TAB_PANEL
            or (id_ and rules is not None and rules.opens(id_))
            or (reason == BY_ATTRIBUTE and STREAMED.match(id_))
            or OPENED.search(classes)
        )
        return 0 if is_shown else reason
    return reason


def inherited_reason(above: int, own: int, style: str) -> int:
    """Return why an element is hidden by itself or by the one around it; 0 if it is not.

    ``above``, ``own``: why the one around it is hidden, and why it hides itself.
    """
    if above not in UNDOABLE:
        return above or own
    return own or (0 if undoes(style, above) else above)


def is_teaser(link: etree._Element) -> bool:
    """Return whether a link that hides its text from screen readers alone is a sentence, such as
    the text of a teaser below its headline, which leads to the same page.
    """
    is_other = is_second(link.get("href") or "", link.get("tabindex") or "")
    return is_other and is_sentence("".join(map(str, islice(link.itertext(), MAX_TEASER_TEXTS))))


class _Words(dict[str, str]):
    """A bounded cache of class words by the text of their attributes; pages of a site share them.

    It is faster than an LRU cache.
    """

    def __missing__(self, text: str) -> str:
        if len(self) >= _MAX_CACHED:
            self.clear()
        words = self[text] = _class_words(text)
        return words


_WORDS = _Words()


def _class_words(text: str) -> str:
    plain = text.isascii()
    if text == text.lower():
        words = (_ASCII_LOWER_WORD if plain else _LOWER_WORD).findall(text)
    else:
        mixed_case = (_ASCII_CLASS_WORD if plain else _CLASS_WORD).findall(text)
        words = [word.lower() for word in mixed_case if len(word) > 1]
    if len(words) <= 1:
        return words[0] if words else ""
    return " ".join(list(dict.fromkeys(words))[:MAX_CLASS_WORDS])


MAX_ANCESTORS = 64
"""Ancestors kept per block. It bounds a page's memory, which would grow with depth squared."""

XPATH_NAME = re.compile(r"[a-z_][a-z0-9_.-]{0,63}\Z")
LONG_XPATH = 500
"""If the XPath of the parent has more characters, the XPath of an element is its number."""
MANY_NAMES = 100
"""If siblings have more different tags, those with a tag that XPath cannot express are not counted:
each would take a sum over the tags."""
_MANY_ATTRIBUTES = 64
"""If an element has more attributes, only the needed ones are read: lxml's list of all takes time
quadratic in their number."""
NOSCRIPT, CODE, PREFORMATTED, MARKED, ASIDE = 1, 2, 4, 8, 16
"""Flags that hold for everything in an element."""
INNER_FLAGS = NOSCRIPT | CODE | PREFORMATTED | MARKED | ASIDE
"""All of them; compiled code has others of the element alone above them."""
TAG_FLAGS = {
    "noscript": NOSCRIPT, "pre": CODE | PREFORMATTED, "code": CODE, SIDE_NOTE: ASIDE,
    **dict.fromkeys(MARK_TAGS, MARKED),
}  # fmt: skip
TYPED_TAGS = frozenset(("code", "samp", "tt", "var"))
"""Elements that make up a word of code if they stand side by side."""


ElementPath = tuple[tuple[str, ...], tuple[str, ...]]
"""Tags and class words from the root to an element. Elements of one template share one object, by
which the featurizer recognizes the template."""


class Frame:
    """An open element of the walk; its path is set by :meth:`PathBuilder.locate`."""

    __slots__ = (
        "counts", "depth", "element", "flags", "hidden", "link", "node", "nodes", "parent",
        "path", "step", "tag", "xpath",
    )  # fmt: skip

    def __init__(
        self, element: etree._Element, tag: str, parent: Frame | None, node: int, step: int
    ) -> None:
        self.element = element
        self.tag = tag
        self.parent = parent
        self.node = node
        self.step = step
        """Its number among siblings of its tag; if XPath cannot express the tag, the negated number
        among all siblings; 0: not counted."""
        self.counts: dict[str, int] = {}
        """How many children were found so far, per tag."""
        above = parent or _OUTSIDE
        self.link: int = node if element.tag == "a" else above.link  # whatever it counts as
        """Number of the nearest ``<a>`` at or around the element; 0: none."""
        self.flags: int = above.flags | TAG_FLAGS.get(tag, 0)
        self.hidden: int | None = None
        """Why it is hidden, a number of :data:`~scrapy_boilernet.extractor.html.hiding.REASONS`; 0:
        it is shown; None: not known yet."""
        self.xpath = ""  # not located yet
        self.path: ElementPath
        self.nodes: tuple[int, ...]
        self.depth: int
        """How many elements are around it, without a ``<div>`` that counts as the body."""

    @property
    def noscript(self) -> bool:
        """Whether it is in a ``<noscript>``."""
        return bool(self.flags & NOSCRIPT)

    @property
    def code(self) -> bool:
        """Whether it is in a ``<pre>`` or ``<code>``."""
        return bool(self.flags & CODE)


class _Outside:
    """Stands for the parent of a root."""

    depth, link, flags, hidden, xpath, tag = -1, 0, 0, 0, "", ""
    path: ElementPath = ((), ())
    nodes: tuple[int, ...] = ()


_OUTSIDE = _Outside()


class PathBuilder:
    """Builds the paths of one page's elements; those of one template share their path."""

    def __init__(self, rules: Rules | None = None) -> None:
        self._rules = rules
        """The rules of the page's own style sheets, if they hide anything."""
        self._named: dict[str, bool] = {}
        self._paths: dict[tuple[int, str, str], ElementPath] = {}
        self.root_step = "/html"
        self.ids: list[tuple[int, str]] | None = None
        """(number, id) of the elements around blocks; None if nobody wants them."""

    def step(self, tag: str, counts: Mapping[str, int]) -> int:
        """Return the ``step`` of :class:`Frame` for the child that was counted last.

        ``tag``: its tag, which can be one that XPath cannot express.
        """
        known = self._named.get(tag)
        if known is None:
            known = self._named[tag] = bool(XPATH_NAME.match(tag))
        if known:
            return counts[tag]
        return -sum(counts.values()) if len(counts) <= MANY_NAMES else 0

    def locate(self, frame: Frame) -> Frame:
        """Set the tags, class words, numbers and XPath of the frame's path; return the frame."""
        if frame.xpath:
            return frame
        unlocated = []
        above: Frame | None = frame
        while above is not None and not above.xpath:
            unlocated.append(above)
            above = above.parent
        parent: Frame | _Outside = above or _OUTSIDE
        for child in reversed(unlocated):
            self._set_path(child, parent)
            parent = child
        return frame

    def hidden_by(self, frame: Frame) -> int:
        """Return why the frame's element, or one around it, hides itself; 0 if none does."""
        unknown = []
        above: Frame | None = frame
        while above is not None and above.hidden is None:
            unknown.append(above)
            above = above.parent
        hidden = 0 if above is None else above.hidden or 0
        for inner in reversed(unknown):
            inner.hidden = hidden = self._reason(inner, hidden)
        return hidden

    def apart(self, frame: Frame) -> int:
        """Return why a text is hidden, or the negated number of the note in a sentence that it is
        in; 0: neither.
        """
        hidden = self.hidden_by(frame)
        if hidden or not frame.flags & ASIDE:
            return hidden
        while frame.parent is not None and frame.parent.flags & ASIDE:
            frame = frame.parent
        return -frame.node

    def hides_itself(self, element: etree._Element) -> bool:
        """Return whether the element hides itself."""
        names = element.keys() if isinstance(element.tag, str) else ()
        return (
            bool(names) and read_attributes(_items(element, names), element.tag, self._rules)[1] > 0
        )

    def _reason(self, frame: Frame, above: int) -> int:
        if above and above not in UNDOABLE:
            return above
        element = frame.element
        own = read_attributes(_items(element, element.keys()), frame.tag, self._rules)[1]
        return _inherited(above, own, element)

    def _set_path(self, frame: Frame, parent: Frame | _Outside) -> None:
        tag, node, nodes = frame.tag, frame.node, parent.nodes
        bare = tag == "div" and parent.tag == "body" and _is_bare(frame.element)
        frame.depth = depth = parent.depth + (not bare)
        if depth >= MAX_ANCESTORS:
            nodes = nodes[1:]
        if parent is _OUTSIDE:
            frame.xpath = self.root_step
        elif depth >= MAX_ANCESTORS or len(parent.xpath) > LONG_XPATH or not frame.step:
            frame.xpath = f"(//*)[{node}]"
        elif frame.step > 0:
            frame.xpath = f"{parent.xpath}/{frame.element.tag}[{frame.step}]"
        else:
            frame.xpath = f"{parent.xpath}/*[{-frame.step}]"
        if bare:  # a bare <div> around all of the body counts as the body
            frame.hidden, frame.nodes, frame.path = parent.hidden, (*nodes[:-1], node), parent.path
            return
        if names := frame.element.keys():
            if self.ids is not None and (id_ := frame.element.get("id")):
                self.ids.append((node, id_))
            own, hides = read_attributes(_items(frame.element, names), tag, self._rules)
            if frame.hidden is None:
                frame.hidden = _inherited(parent.hidden or 0, hides, frame.element)
        else:
            own, frame.hidden = "", frame.hidden if frame.hidden is not None else parent.hidden
        frame.nodes = nodes + (node,)  # noqa: RUF005 - quicker
        key = (id(parent.path), tag, own)
        frame.path = self._paths.get(key) or self._paths.setdefault(
            key, _longer(parent.path, tag, own)
        )


def _inherited(above: int, own: int, element: etree._Element) -> int:
    """Return why an element is hidden by itself or by the one around it; 0 if it is not."""
    if own == BY_ARIA:
        is_closed = getattr(element.getparent(), "tag", "") == OPENS
        own = 0 if is_closed or (element.tag == "a" and is_teaser(element)) else own
    return inherited_reason(above, own, element.get("style") or "")


def _longer(path: ElementPath, tag: str, words: str) -> ElementPath:
    """Return the path of a child."""
    tags, class_words = path
    if len(tags) >= MAX_ANCESTORS:
        tags, class_words = tags[1:], class_words[1:]
    return (*tags, tag), (*class_words, words)


def common_ancestor(frames: Iterable[Frame]) -> Frame:
    """Return the innermost frame around all of them."""
    numbered = {frame.node: frame for frame in frames}
    # The frames between the first and the last are inside of the same elements.
    a, b = numbered[min(numbered)], numbered[max(numbered)]
    while a is not b:
        if a.node < b.node:  # an ancestor comes before its descendants
            a, b = b, a
        if a.parent is None:
            break
        a = a.parent
    return a


def _is_bare(element: etree._Element) -> bool:
    """Return whether the element has no attributes, and neither element nor text beside it."""
    parent = element.getparent()
    if element.keys() or element.getprevious() is not None or element.getnext() is not None:
        return False
    texts = (parent.text if parent is not None else None, element.tail)
    return not any(text and not text.isspace() for text in texts)


def _items(element: etree._Element, names: Sequence[Any]) -> AttributePairs:
    """Return the element's attributes; if it has very many, only :data:`READ_ATTRIBUTES`."""
    if len(names) <= _MANY_ATTRIBUTES:
        return element.items()
    return [(name, element.get(name)) for name in names if name in READ_ATTRIBUTES]


def class_words_of(element: etree._Element) -> str:
    """Return the words of the element's class, id, role and itemprop."""
    names = element.keys()
    return read_attributes(_items(element, names))[0] if names else ""
