"""Tabs: the label of each is read at the beginning of its panel, not beside the other labels.

The labels and panels are those of ARIA and Bootstrap, and of radio buttons that only a style makes
tabs of, as Material for MkDocs writes them.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_TABLIST, _OPENERS, _TABS = b"tablist", (b"radio", b"-toggle"), (b"tabs", b"tabbed", b"tab-")
SIGNS = (_TABLIST, *_OPENERS, *_TABS)
_TOGGLES = ("data-toggle", "data-bs-toggle")
_TARGETS = ("aria-controls", "data-target", "data-bs-target", "href")
"""Attributes of a tab that name its panel."""
_PANELS = frozenset(("div", "section", "article", "li", "dd"))
_CONTROLS = frozenset(("label", "input", "script", "style"))
_LISTS = frozenset(("ul", "ol", "nav", "div"))
_TAB_CLASS = re.compile(r"(?:^|[\s_-])(?:tab|tabs|tabbed|tabset)(?![a-z])", re.IGNORECASE)
_WORD = re.compile(r"\w")
_MAX_TABS, _MAX_LABEL_CHARS, _MAX_TEXTS, _LEVELS, _MAX_CLASS_CHARS = 24, 80, 8, 4, 1_000
_Tabs = list[etree._Element]
Readings = dict[etree._Element, Reading]


def controlled_ids(elements: Elements | CompiledElements) -> frozenset[str]:
    """Return the ids of the elements that a control of the page opens: the panels of tabs and
    accordions, by ``aria-controls``. What a menu or a dialog opens is not among them.
    """
    controls = elements.values("aria-controls")
    menus = {*elements.having(("aria-haspopup",))} if controls else ()
    values = (value for place, value in controls.items() if place not in menus)
    return frozenset(name for value in values for name in value.split())


def may_have_tabs(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have tabs."""
    has_openers = not signs.isdisjoint(_OPENERS) and not signs.isdisjoint(_TABS)
    return _TABLIST in signs or has_openers


def tabs_of(elements: Elements | CompiledElements) -> Readings:
    """Return the readings of labels, which are left out, and of panels, which begin with them."""
    found: Readings = {}
    for tabs, panels in (*_of_roles(elements), *_of_radios(elements)):
        labels = [" ".join("".join(_texts(tab)).split()) for tab in tabs]
        if _are_tabs(labels, panels) and found.keys().isdisjoint((*tabs, *panels)):
            found |= {tab: Reading("", 0, str(tab.tag)) for tab in tabs}
            for label, panel in zip(labels, panels, strict=True):
                lead = "" if label.lower() == _first_text(panel).lower() else label
                found[panel] = Reading(None, 0, str(panel.tag), lead=lead)
    return found


def _are_tabs(labels: Sequence[str], panels: Sequence[etree._Element]) -> bool:
    """Return whether there is a short label for each panel, and more than one."""
    are_short = all(len(one) <= _MAX_LABEL_CHARS and _WORD.search(one) for one in labels)
    are_panels = all(one.tag in _PANELS for one in panels)
    return 1 < len(labels) == len({*panels}) and are_short and are_panels


def _of_roles(elements: Elements | CompiledElements) -> Iterator[tuple[_Tabs, _Tabs]]:
    """Yield the tabs and panels of each list of tabs by its role, or by what Bootstrap reads."""
    named = elements.naming("role", ("tab",), _MAX_LABEL_CHARS)
    roles = {place: (elements[place].get("role") or "").strip().lower() for place in named}
    toggles = (i for one in _TOGGLES for i, own in elements.values(one).items() if own == "tab")
    lists: dict[etree._Element, list[int]] = {}
    for place in sorted({*(i for i, role in roles.items() if role == "tab"), *toggles}):
        around = islice(elements[place].iterancestors(), _LEVELS)
        above = [one for one in around if one.tag in _LISTS]
        owner = next((one for one in above if one.get("role") == "tablist"), None)
        if above:
            lists.setdefault(above[0] if owner is None else owner, []).append(place)
    if not lists:
        return
    panels = sorted(place for place, role in roles.items() if role == "tabpanel")
    by_id: dict[str, int] = {}
    for place, name in elements.values("id").items():
        by_id.setdefault(name, place)
    for places in lists.values():
        tabs = [elements[place] for place in places[: _MAX_TABS + 1]]
        own = _named(tabs, by_id) or _beside(elements, places[-1], panels)
        if len(own) == len(tabs) <= _MAX_TABS and places[-1] < min(own):
            yield tabs, [elements[place] for place in own]


def _named(tabs: _Tabs, by_id: Mapping[str, int]) -> list[int]:
    """Return the places of the panels that tabs name; [] if one names none."""
    found = []
    for tab in tabs:
        inner = (tab, *islice(tab.iterchildren("a"), 1))
        names = (one.get(name) or "" for one in inner for name in _TARGETS)
        place = next((by_id[one] for name in names if (one := name.lstrip("#")) in by_id), None)
        if place is None:
            return []
        found.append(place)
    return found


def _beside(
    elements: Elements | CompiledElements, last: int, panels: Sequence[int]
) -> Sequence[int]:
    """Return the places of the panels after the last tab of a list that have one parent."""
    following = panels[bisect(panels, last) :][: _MAX_TABS + 1]
    parent = elements[following[0]].getparent() if following else None
    return [place for place in following if elements[place].getparent() is parent]


def _of_radios(elements: Elements | CompiledElements) -> Iterator[tuple[_Tabs, _Tabs]]:
    """Yield the labels of radio buttons, side by side, and the panels after them."""
    inputs = [elements[i] for i in elements.of_tags(("input",))]
    radios = {one.get("id") for one in inputs if (one.get("type") or "").lower() == "radio"} - {
        None
    }
    groups: dict[etree._Element, _Tabs] = {}
    for place in elements.of_tags(("label",)) if radios else ():
        label = elements[place]
        parent = label.getparent()
        if parent is not None and label.get("for") in radios:
            groups.setdefault(parent, []).append(label)
    for parent, labels in groups.items():
        if len(labels) > _MAX_TABS or not _is_of_tabs(parent):
            continue
        after = _after(labels[0])
        before = next(after[0].itersiblings("label", preceding=True), None) if after else None
        if before is None:
            after = _after(parent)
        elif before is not labels[-1]:  # each label stands before its panel
            continue
        inside = [*islice(after[0].iterchildren(etree.Element), _MAX_TABS + 1)] if after else []
        yield labels, after if len(after) == len(labels) else inside


def _is_of_tabs(element: etree._Element) -> bool:
    """Return whether the class of an element, or of the one around it, is that of tabs."""
    around = (element, *islice(element.iterancestors(), 1))
    return any(_TAB_CLASS.search((one.get("class") or "")[:_MAX_CLASS_CHARS]) for one in around)


def _after(element: etree._Element) -> _Tabs:
    """Return the elements after one, but for labels and controls."""
    following = islice(element.itersiblings(etree.Element), 3 * _MAX_TABS)
    return [one for one in following if one.tag not in _CONTROLS]


def _first_text(panel: etree._Element) -> str:
    texts = (" ".join(text.split()) for text in _texts(panel))
    return next(filter(None, texts), "")


def _texts(element: etree._Element) -> Iterator[str]:
    return map(str, islice(element.itertext(), _MAX_TEXTS))
