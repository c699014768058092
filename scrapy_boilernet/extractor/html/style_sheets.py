"""What a page's own ``<style>`` hides, by rules on single tags, classes and ids.

A class counts as hidden only if no other rule shows it, in any state: scripts open tabs, menus and
accordions by a second class, and media queries show on one screen what they hide on another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from scrapy_boilernet.extractor.html.hiding import COMMENT, REASONS, declarations, style_hides
from scrapy_boilernet.extractor.patterns import lazy_pattern

MAX_SHEET_CHARS, _MAX_CHARS = 20_000, 60_000
"""Characters of a style sheet and of all of a page that are read. Longer ones are those of
frameworks, whose classes are known, and take longer to read than the page."""
SHEET_END: Final = "}\x1c"
"""What stands between the style sheets of a page: a bracket, since the last rule of a sheet may
have none, and white space that no sheet has, since a sheet ends all of its at-rules."""
_MAX_RULES = 200
"""Rules that hide, of a page."""
_MAX_CACHED = 1 << 12
_HASH_BYTES = 512
_PROPERTIES: Final = {
    "display:none": ("display",),
    "visibility:hidden": ("visibility",),
    "opacity:0": ("opacity",),
    "off-screen": (
        "position", "left", "top", "right", "bottom", "transform", "text-indent", "margin-left",
        "margin-top", "margin", "inset",
    ),
    "clipped": ("clip", "clip-path", "position"),
    "zero-size": ("height", "max-height", "width", "max-width", "overflow", "overflow-y"),
    "colour": ("color", "background", "background-color"),
}  # fmt: skip
"""Per reason the properties by which another rule shows the text. ``font-size:0`` is not among
them: pages close the gaps between a list's items by it, and set the size again in each item."""
_FAR = r":-\d(?:\d\d|\d?(?:\.\d+)?r?em)"
_NO_DISPLAY: Final = REASONS.index("display:none")
_HINTS: Final = {
    word: lazy_pattern(pattern)
    for word, pattern in {
        "none": ";display:none", "hidden": ";visibility:hidden|(?:height|width):(?:0|1px)",
        "opacity": r";opacity:[+]?[0.]", "clip": r";clip:rect\(|;clip-path:|(?:height|width):0",
        "absolute": _FAR, "indent": _FAR, "background": ";color:",
    }.items()
}  # fmt: skip
"""Per word that a rule that hides has, what its declarations have without white space. Each word
takes a look at the whole style sheet, so rare ones, such as ``scale``, are left out."""
_ALWAYS = re.compile(
    r"\s*@(?:layer\b|supports\b|media\s+(?:only\s+)?(?:all|screen)\s*\Z)", re.IGNORECASE
)
"""At-rules whose rules hold on every screen."""
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?((?:[.#]-?[_a-zA-Z][\w-]*)+)\Z")
_NAME = re.compile(r"[.#]-?[_a-zA-Z][\w-]*")
_COMBINATOR = re.compile(r"[\s>+~]")


class _Simple(NamedTuple):
    """A selector of one element, and why its rule hides it."""

    tag: str
    names: frozenset[str]
    """Classes with a leading ``.``, ids with ``#``."""
    reason: int


def name_hash(name: str) -> int:
    """Return the number of a class or id among the bits of :class:`Rules`: FNV-1a, folded."""
    number = 2166136261
    for byte in name.encode():
        number = (number ^ byte) * 16777619 & 0xFFFFFFFF
    return (number ^ number >> 16) % (8 * _HASH_BYTES)


class Rules:
    """The rules of a page's style sheets that hide elements, and what its controls open."""

    def __init__(self, selectors: Iterable[_Simple], opened: AbstractSet[str]) -> None:
        self._selectors: dict[str, list[_Simple]] = defaultdict(list)
        """By one of their names."""
        for selector in selectors:
            self._selectors[min(selector.names)].append(selector)
        bits = bytearray(_HASH_BYTES)
        self._opened = opened
        for name in (*(name[1:] for name in self._selectors), *opened):
            number = name_hash(name)
            bits[number // 8] |= 1 << number % 8
        self.bits = bytes(bits)
        """A bit for each class and id that is looked up, by which compiled code skips others."""
        self._known: dict[tuple[str, str, str], int] = {}

    def opens(self, id_: str) -> bool:
        """Return whether a control of the page opens the element with this id."""
        return id_.strip() in self._opened

    def reason(self, tag: str, id_: str, classes: str) -> int:
        """Return why an element with this tag, id and ``class`` is hidden, as a number of
        :data:`~scrapy_boilernet.extractor.html.hiding.REASONS`; 0 if it is not.
        """
        if not (id_ or classes):
            return 0
        key = (tag, id_, classes)
        reason = self._known.get(key)
        if reason is None:
            if len(self._known) >= _MAX_CACHED:
                self._known.clear()
            reason = self._known[key] = self._find(tag, id_, classes)
        return reason

    def _find(self, tag: str, id_: str, classes: str) -> int:
        names = {f".{name}" for name in classes.split()}
        if id_:
            names.add(f"#{id_.strip()}")
        for name in sorted(names & self._selectors.keys()):
            for selector in self._selectors[name]:
                if selector.tag in ("", tag) and selector.names <= names:
                    return selector.reason
        return 0


@lru_cache(maxsize=32)
def hiding_rules(css: str, opened: frozenset[str] = frozenset()) -> Rules | None:
    """Return the rules by which style sheets hide elements; None if they hide none, and nothing is
    ``opened``: the ids of the panels of tabs and accordions.
    """
    kept = _hiding_selectors(css) if css else []
    return Rules(kept, opened) if kept or opened else None


def _hiding_selectors(css: str) -> list[_Simple]:
    """Return the selectors of elements that are hidden, and that no other rule shows."""
    css = css[:_MAX_CHARS].replace("<!--", " ").replace("-->", " ")
    if "/*" in css:
        css = COMMENT.sub(" ", css)
    hiding = [*islice(_hiding(css), _MAX_RULES)]
    if not hiding:
        return []
    reasons: dict[str, set[int]] = defaultdict(set)
    for each in hiding:
        for name in each.names:
            reasons[name].add(each.reason)
    shown = {name: _reasons_undone(css, name, own) for name, own in reasons.items()}
    return [each for each in hiding if not any(each.reason in shown[name] for name in each.names)]


def _hiding(css: str) -> Iterator[_Simple]:
    """Yield the simple selectors of the rules that hide on every screen."""
    depth, counted = 0, 0
    for begin, opening, end in sorted(_hinted(css)):
        if (sheet := css.rfind(SHEET_END[-1], counted, opening)) >= 0:
            depth, counted = 0, sheet
        depth += css.count("{", counted, begin) - css.count("}", counted, begin)
        depth, counted = max(0, depth), begin  # a bracket may close nothing
        matches = (_SIMPLE.match(selector.strip()) for selector in css[begin:opening].split(","))
        simple = [match for match in matches if match]
        if not simple or not _is_always(css, begin, depth):
            continue
        own = css[opening + 1 : end]
        plain = own.strip(" ;") in ("display:none", "display: none")
        reason = _NO_DISPLAY if plain else style_hides(declarations(own))
        if REASONS[reason] in _PROPERTIES:
            for match in simple:
                yield _Simple(match[1] or "", frozenset(_NAME.findall(match[2])), reason)


def _hinted(css: str) -> set[tuple[int, int, int]]:
    """Return begin, opening bracket and end of each rule that may hide.

    Only these are looked at: to read all rules would take longer than to read the page.
    """
    found = set()
    for hint, pattern in _HINTS.items():
        place = css.find(hint)
        while place >= 0:
            if hint == "none" and "display" not in css[max(0, place - 12) : place]:
                place = css.find(hint, place + 1)  # such as "border:none", which is frequent
                continue
            opening, end = css.rfind("{", 0, place), css.find("}", place)
            end = len(css) if end < 0 else end
            before = css.rfind("}", 0, place)
            own = f";{''.join(css[opening + 1 : end].split())}"
            if before < opening and pattern.search(own):
                begin = 1 + max(before, css.rfind("{", before + 1, opening))
                begin = 1 + max(begin - 1, css.rfind(";", begin, opening))  # behind an @import
                found.add((begin, opening, end))
            place = css.find(hint, end)
    return found


def _is_always(css: str, begin: int, depth: int) -> bool:
    """Return whether a rule holds on every screen. ``depth``: how many at-rules are around it."""
    if not depth:
        return True
    at_rule = css.rfind("@", 0, begin)
    opening = css.find("{", at_rule)
    if depth > 1 or not _ALWAYS.match(css, at_rule, opening):
        return False
    return css.count("{", opening + 1, begin) == css.count("}", opening + 1, begin)


def _reasons_undone(css: str, name: str, reasons: AbstractSet[int]) -> set[int]:
    """Return the reasons for which a rule may show the elements that another hides.

    ``name``: a class with a leading ``.``, or an id with ``#``, of rules that hide for ``reasons``.
    """
    needed = {each for reason in reasons for each in _PROPERTIES[REASONS[reason]]}
    undone: set[int] = set()
    place, opening = css.find(name), -1
    while place >= 0:
        end = css.find("}", place)
        if opening < place:
            opening = css.find("{", place)
        if opening < 0:
            break
        if end < 0 or opening < end:  # the name is in a selector
            end = len(css) if end < 0 else end
            begin = 1 + max(css.rfind(sign, 0, place) for sign in "{};")
            own = css[opening + 1 : end]
            shows = any(each in own for each in needed)
            if shows and name in _names_of_subjects(css[begin:opening]):
                undone.update(_reasons_against(declarations(own), reasons))
        place = css.find(name, end)
    return undone


def _names_of_subjects(selectors: str) -> Iterator[str]:
    """Yield the classes and ids of the elements that the selectors select."""
    for selector in selectors.split(","):
        yield from _NAME.findall(_COMBINATOR.split(selector.strip())[-1])


def _reasons_against(own: Mapping[str, str], reasons: AbstractSet[int]) -> Iterator[int]:
    """Yield those of the reasons by which an element with these declarations is not hidden."""
    hides = style_hides(own)
    for reason in reasons:
        if reason != hides and any(each in own for each in _PROPERTIES[REASONS[reason]]):
            yield reason
