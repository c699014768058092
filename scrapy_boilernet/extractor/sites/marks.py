"""What the rule of a site says of the blocks and the metadata of one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from scrapy_boilernet.extractor.sites.numbering import Elements, Numbering
from scrapy_boilernet.extractor.sites.rules import SiteRule
from scrapy_boilernet.extractor.sites.selectors import Found, selector_of
from scrapy_boilernet.extractor.sites.xpaths import TooCostlyError

_MAX_AUTHORS = 20
_MAX_CHARS = 1_000
"""Characters of a title, an author or a date."""
_VALUE_OF = {"time": "datetime", "meta": "content", "data": "value"}
"""The attribute that has the value of an element."""
_BREAKS, _UNREAD = frozenset(("br", "div", "li", "p")), frozenset(("script", "style", "template"))


@dataclass(frozen=True)
class SiteMarks:
    """What the rule of a site says of a page."""

    key: str
    """The domain or the URL pattern of the rule."""
    keeps: bool
    """Whether the rule has ``keep``."""
    inside: str
    """``"all"``: the blocks inside of ``keep`` are content; ``"model"``: those that the model
    keeps."""
    no_match: bool
    """Whether the rule has ``keep`` and it found no block, so that the model decides."""
    selectors: tuple[str, ...]
    """Those of ``keep`` and of ``drop`` that found a block."""
    places: tuple[int, ...]
    """Per block the place in ``selectors``, from 1, of the one that keeps it; the negative place of
    the one that drops it; 0 if none is around it."""
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""
    """As the page writes it."""

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each block is inside of ``keep``, and not of ``drop``."""
        return np.array(self.places, dtype=np.int64) > 0

    @cached_property
    def never(self) -> NDArray[np.bool_]:
        """Whether each block is content in no case."""
        places = np.array(self.places, dtype=np.int64)
        return places <= 0 if self.keeps and not self.no_match else places < 0

    @property
    def decides(self) -> bool:
        """Whether the rule alone decides what is content."""
        return self.keeps and not self.no_match and self.inside == "all"

    def selector(self, place: int) -> str:
        """Return the selector that keeps or drops a block; "" if none does."""
        number = abs(self.places[place])
        return self.selectors[number - 1] if number else ""

    def drops(self, place: int) -> bool:
        """Return whether a selector of ``drop`` finds the block."""
        return self.places[place] < 0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON."""
        return asdict(self)

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> SiteMarks:
        """Return the marks from their fields, of which lists become tuples."""
        lists = {name: tuple(value) for name, value in plain.items() if isinstance(value, list)}
        return cls(**{**plain, **lists})


def marks_of(
    rule: SiteRule,
    body: bytes,
    root: etree._Element,
    elements: Elements,
    containers: NDArray[np.int64],
    metadata: bool = False,
) -> SiteMarks:
    """Return what the rule says of a page.

    ``body``: the page in UTF-8; ``root``: its tree; ``elements``: those of all its trees.
    ``containers``: per block the number of its innermost element. ``metadata``:
    whether title, authors and date are wanted.
    """
    found = _Found(Numbering(root, elements, body))
    places = np.zeros(len(containers), dtype=np.int64)
    selectors: list[str] = []
    matched = False
    for sources, sign in ((rule.keep, 1), (rule.drop, -1)):
        for source in sources:
            inside = found.inside(source, containers) & (places == 0 if sign > 0 else places >= 0)
            if inside.any():
                selectors.append(source)
                places[inside] = sign * len(selectors)
                matched |= sign > 0
    no_match = bool(rule.keep) and not matched
    values = _values(rule, found) if metadata else {}
    numbered = tuple(places.tolist())
    keeps = bool(rule.keep)
    return SiteMarks(rule.key, keeps, rule.inside, no_match, tuple(selectors), numbered, **values)


class _Found:
    """What selectors find in a page; nothing if the page is too large for one of them."""

    def __init__(self, page: Numbering) -> None:
        self._page = page

    def __call__(self, source: str) -> Found:
        try:
            return selector_of(source).find(self._page)
        except TooCostlyError:
            return ()

    def inside(self, source: str, containers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return whether each block is inside of an element that the selector finds."""
        elements = [one for one in self(source) if not isinstance(one, str)]
        if not elements or not len(containers):
            return np.zeros(len(containers), dtype=np.bool_)
        begins, ends = np.array(self._page.ranges(elements), dtype=np.int64).T
        near = np.searchsorted(begins, containers, side="right") - 1
        inside: NDArray[np.bool_] = (near >= 0) & (containers <= ends[near])
        return inside


def _values(rule: SiteRule, found: _Found) -> dict[str, Any]:
    """Return title, authors and date, as far as the rule has selectors of them."""
    title, author, date = (
        [text for source in sources for text in _texts(found(source))]
        for sources in (rule.title, rule.author, rule.date)
    )
    authors = tuple(dict.fromkeys(author))[:_MAX_AUTHORS]
    return {"title": next(iter(title), ""), "authors": authors, "date": next(iter(date), "")}


def _texts(found: Iterable[Any]) -> Iterator[str]:
    for one, _ in zip(found, range(_MAX_AUTHORS), strict=False):
        text = " ".join(_text(one).split())[:_MAX_CHARS]
        if text:
            yield text


def _text(found: Any) -> str:
    if isinstance(found, str):
        return found
    attribute = _VALUE_OF.get(found.tag)
    if attribute and (value := found.get(attribute)):
        return str(value)
    pieces = [found.text]
    for element in found.iterdescendants():
        if element.tag in _BREAKS:
            pieces.append(" ")
        if isinstance(element.tag, str) and element.tag not in _UNREAD:
            pieces.append(element.text)
        pieces.append(element.tail)
    return "".join(filter(None, pieces))
