"""Lists to choose from in a sentence: the chosen option is read, or else the first."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

SIGNS = (b"<select",)
_INLINE = frozenset(
    "a abbr b bdi big button cite code del dfn em font i ins kbd label mark q s samp select small "
    "span strong sub sup time tt u var".split()
)
"""Elements around a sentence, or a part of it."""
COLONS, ENDS = (":", "："), frozenset(".,;!?)]")
"""What stands before a list that is a field of a form, and after one in a sentence."""
_WIDE = "\u2e80"
"""From here on, scripts mostly write no spaces between words."""
_MAX_STEPS, _MAX_TEXTS, _MAX_OPTIONS, _MAX_CHARS = 16, 16, 500, 80


def may_have_selects(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such lists."""
    return not signs.isdisjoint(SIGNS)


def selects_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of lists between two texts of a sentence."""
    found: dict[etree._Element, Reading] = {}
    for place in elements.of_tags(("select",)):
        select = elements[place]
        before, after = _beside(select, True), _beside(select, False)
        before, after = before[-1:], after[:1]
        if not before or before in COLONS or not (after.isalnum() or after in ENDS):
            continue
        text = _chosen(select)
        if after and 0 < len(text) <= _MAX_CHARS:
            text = f"{' ' * is_glued(before)}{text}{' ' * is_glued(after)}"
            found[select] = Reading(text, 0, "span")
    return found


def is_glued(sign: str) -> bool:
    """Return whether a text needs a space beside a character of another."""
    return sign.isalnum() and sign < _WIDE


def _chosen(select: etree._Element) -> str:
    """Return the text of the option that is chosen, or of the first."""
    options = [*islice(select.iter("option"), _MAX_OPTIONS)]
    chosen = next((one for one in options if one.get("selected") is not None), None)
    first = options[0] if chosen is None and options else chosen
    return "" if first is None else " ".join("".join(_texts(first)).split())


def _beside(select: etree._Element, is_before: bool) -> str:
    """Return the text before or after a list in its sentence, with white space only at its far end;
    "" without one.
    """
    node = select
    for _ in range(_MAX_STEPS):
        other = node.getprevious() if is_before else node.getnext()
        parent = node.getparent()
        own = (
            node.tail
            if not is_before
            else (other.tail if other is not None else parent.text if parent is not None else "")
        )
        if own and (text := own.strip()):
            return text
        if other is None:
            if parent is None or parent.tag not in _INLINE:
                return ""
            node = parent
            continue
        if isinstance(other.tag, str):
            if other.tag not in _INLINE:
                return ""
            text = "" if other.tag == "select" else "".join(_texts(other)).strip()
            if text:
                return text
        node = other
    return ""


def _texts(element: etree._Element) -> Iterator[str]:
    return map(str, islice(element.itertext(), _MAX_TEXTS))
