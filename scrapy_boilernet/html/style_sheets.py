"""What a page's own ``<style>`` hides, by rules on single tags, classes and ids.

A class counts as hidden only if no other rule shows it, in any state: scripts open tabs, menus and
accordions by a second class, and media queries show on one screen what they hide on another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from scrapy_boilernet.html.hiding import COMMENT, REASONS, declarations, style_hides

_MAX_CHARS = 300_000
"""Characters of style sheets that are read of a page."""
_MAX_RULES = 1_000
"""Rules that hide, of a page."""
_MAX_CACHED = 1 << 12
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
_NEEDED = ("none", "hidden", "collapse", "opacity", "clip", "-", "color", "scale", "\\")
"""A rule without any of these hides nothing."""
_ALWAYS = re.compile(
    r"\s*@(?:layer\b|supports\b|media\s+(?:only\s+)?(?:all|screen)\s*\Z)", re.IGNORECASE
)
"""At-rules whose rules hold on every screen."""
_SIMPLE = re.compile(r"([a-z][a-z0-9]*)?((?:[.#]-?[_a-zA-Z][\w-]*)+)\Z")
_NAME = re.compile(r"[.#]-?[_a-zA-Z][\w-]*")


class _Rule(NamedTuple):
    """A rule of a style sheet."""

    selectors: str
    own: str
    """Its declarations."""
    is_always: bool
    """Whether it holds on every screen."""


class _Simple(NamedTuple):
    """A selector of one element, and why its rule hides it."""

    tag: str
    names: frozenset[str]
    """Classes with a leading ``.``, ids with ``#``."""
    reason: int


class Rules:
    """The rules of a page's style sheets that hide elements."""

    def __init__(self, selectors: Iterable[_Simple]) -> None:
        self._selectors: dict[str, list[_Simple]] = defaultdict(list)
        """By one of their names."""
        for selector in selectors:
            self._selectors[min(selector.names)].append(selector)
        self._known: dict[tuple[str, str, str], int] = {}

    def reason(self, tag: str, id_: str, classes: str) -> int:
        """Return why an element with this tag, id and ``class`` is hidden, as a number of
        :data:`~scrapy_boilernet.html.hiding.REASONS`; 0 if it is not.
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
def hiding_rules(css: str) -> Rules | None:
    """Return the rules by which style sheets hide elements; None if they hide none."""
    css = css[:_MAX_CHARS].replace("<!--", " ").replace("-->", " ")
    if "/*" in css:
        css = COMMENT.sub(" ", css)
    rules = [*_rules(css)]
    hiding = [*_hiding(rules)][:_MAX_RULES]
    if not hiding:
        return None
    shown = _shown(rules, hiding)
    kept = [
        each
        for each in hiding
        if not any(shown.get(name, 0) >> each.reason & 1 for name in each.names)
    ]
    return Rules(kept) if kept else None


def _rules(css: str) -> Iterator[_Rule]:
    """Yield the rules of a style sheet, those in at-rules too."""
    around: list[bool] = []  # per open at-rule whether its rules always hold
    for part in css.split("}"):
        *openings, own = part.split("{")
        if not openings:
            if around:
                around.pop()
            continue
        around.extend(_ALWAYS.match(opening) is not None for opening in openings[:-1])
        selectors = openings[-1].rpartition(";")[2]  # behind an @import
        if not selectors.lstrip().startswith("@"):
            yield _Rule(selectors, own, all(around))


def _hiding(rules: Iterable[_Rule]) -> Iterator[_Simple]:
    """Yield the simple selectors of the rules that hide."""
    for selectors, own, is_always in rules:
        if not is_always or not any(word in own for word in _NEEDED):
            continue
        reason = style_hides(declarations(own))
        if REASONS[reason] not in _PROPERTIES:
            continue
        for selector in selectors.split(","):
            if simple := _SIMPLE.match(selector.strip()):
                yield _Simple(simple[1] or "", frozenset(_NAME.findall(simple[2])), reason)


def _shown(rules: Iterable[_Rule], hiding: Sequence[_Simple]) -> Mapping[str, int]:
    """Return per class or id the reasons, as bits, for which another rule may show its elements."""
    names = frozenset().union(*(each.names for each in hiding))
    reasons = {each.reason for each in hiding}
    needed = {name for reason in reasons for name in _PROPERTIES[REASONS[reason]]}
    shown: dict[str, int] = defaultdict(int)
    for selectors, text, _ in rules:
        if not any(name in text for name in needed) or names.isdisjoint(_NAME.findall(selectors)):
            continue
        own = declarations(text)
        hides = style_hides(own)
        bits = sum(
            1 << reason
            for reason in reasons
            if reason != hides and any(name in own for name in _PROPERTIES[REASONS[reason]])
        )
        for selector in selectors.split(","):
            subject = re.split(r"[\s>+~]", selector.strip())[-1]
            for name in _NAME.findall(subject):
                shown[name] |= bits
    return shown
