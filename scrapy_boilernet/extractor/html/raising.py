"""What a page raises, lowers or stacks by styles and classes instead of tags: superscripts,
subscripts, and fractions whose sign only screen readers get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading

SIGNS = (
    b"lign:su", b"lign: su", b'"superscript', b'superscript"', b'"subscript"', b' subscript"',
    b'"sup"', b'"sup ', b' sup"', b'"sub"', b'"sub ', b' sub"',
)  # fmt: skip
"""Every page with texts that are raised by a class or style has one of these."""
STACK_SIGNS = (b'frac"', b'"frac', b" frac ", b"sfrac", b'fraction"', b"chem2-su")
STACK_TAGS = frozenset((b"<sup", b"<sub", b"<br"))
"""Every page with fractions, or with superscripts above subscripts, has one of the first, or all
of these."""
_CLASSES = {"superscript": "sup", "sup": "sup", "subscript": "sub", "sub": "sub"}
_SUPER = re.compile(r"vertical-align\s*:\s*super(?![\w-])", re.IGNORECASE)
_STYLE = re.compile(r"vertical-align\s*:\s*(super|sub)(?![\w-])", re.IGNORECASE)
_RULE = re.compile(
    rb"\.([\w-]{1,60})\s*\{[^{}<]{0,500}?vertical-align\s*:\s*(super|sub)(?![\w-])", re.IGNORECASE
)
"""A rule of a style sheet, as exports of office programs write them."""
_ALIGN = b"vertical-align"
_MAX_SELECTOR_BYTES, _MAX_RULE_BYTES, _MAX_VALUE_BYTES = 80, 500, 40
"""Of such a rule: before its brace, from there to its alignment, and behind that."""
_MAX_NAMES = 60
"""Classes that are looked for at once."""
_TAGS = frozenset("span font small big a b i em strong u".split())
_INLINE = _TAGS | {"sup", "sub"}
_SCRIPT = re.compile(r"[^\s]{1,12}")
_LOWERED = re.compile(r"\d[^\s]{0,5}|[^\s]{1,4}")
"""What a class may lower: it often aligns icons and badges."""
_BESIDE = re.compile(r"[\w)\]}»”’.,;:!?]")
"""What stands directly before a text that is raised or lowered."""
_STACK_CLASS = "template-chem2-su"
"""Two elements above each other, in formulas of Wikipedia."""
_FRACTIONS = frozenset(("frac", "sfrac", "fraction"))
_NUMERATORS = frozenset(("num", "numerator", "top", "nominator"))
_DENOMINATORS = frozenset(("den", "denominator", "bottom", "denom"))
_SIMPLE = re.compile(r"[\w.,]+")
_UNSEEN = dict.fromkeys(map(ord, " \xa0\u2060\u200b\u2009\u202f\t\n\r"))
_SIGN = "\u2044"
_MAX_CHARS, _MAX_ELEMENTS, _MAX_LEVELS, _MAX_VALUE = 40, 16, 4, 1_000


def may_have_raised(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such texts."""
    return not signs.isdisjoint(SIGNS)


def may_have_stacked(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``STACK_SIGNS`` and ``STACK_TAGS`` can have fractions
    and the like.
    """
    return not signs.isdisjoint(STACK_SIGNS) or signs >= STACK_TAGS


def is_raised(element: etree._Element) -> bool:
    """Return whether the element's own class or style raises it."""
    classes = (element.get("class") or "").lower().split()
    style = (element.get("style") or "")[:_MAX_VALUE]
    return "sup" in classes or "superscript" in classes or _SUPER.search(style) is not None


def raised_of(elements: Elements | CompiledElements, body: bytes) -> dict[etree._Element, Reading]:
    """Return the readings of elements that count as ``<sup>`` or ``<sub>`` by class or style."""
    names = _CLASSES | _classes_of_rules(body)
    places = {*_classed(elements, names)}
    places.update(elements.naming("style", ("vertical-align",), _MAX_VALUE))
    found: dict[etree._Element, Reading] = {}
    for place in sorted(places):
        element = elements[place]
        if element.tag in _TAGS and (tag := _tag(element, names)) and _is_free(element, found):
            found[element] = Reading(None, 0, tag)
    return found


def _classed(elements: Elements | CompiledElements, names: Mapping[str, str]) -> Iterable[int]:
    """Return the places of the elements of which a class is, or may be, one of the names."""
    if len(names) <= _MAX_NAMES and all(len(name) > 1 for name in names):
        return elements.naming("class", [*names], _MAX_VALUE)
    classes = elements.values("class").items()
    return (place for place, own in classes if not names.keys().isdisjoint(own.lower().split()))


def _classes_of_rules(body: bytes) -> dict[str, str]:
    """Return the classes that rules of style sheets raise or lower, with ``sup`` or ``sub``."""
    found: dict[str, str] = {}
    lower = body.lower()
    at = lower.find(_ALIGN)
    while at >= 0:
        end = at + len(_ALIGN)
        begin = lower.rfind(b"{", max(0, at - _MAX_RULE_BYTES), at)
        if begin >= 0:
            around = (max(0, begin - _MAX_SELECTOR_BYTES), end + _MAX_VALUE_BYTES)
            for name, tag in (match.groups() for match in _RULE.finditer(lower, *around)):
                found[name.decode()] = "sup" if tag == b"super" else "sub"
        at = lower.find(_ALIGN, end)
    return found


def _tag(element: etree._Element, names: dict[str, str]) -> str:
    """Return ``sup`` or ``sub`` for a short text that is raised or lowered; "" for others."""
    text = _text(element)
    if not _SCRIPT.fullmatch(text) or not _is_beside_text(element, text):
        return ""
    style = _STYLE.search((element.get("style") or "")[:_MAX_VALUE])
    if style is not None:
        return "sup" if style[1].lower() == "super" else "sub"
    classes = (element.get("class") or "").lower().split()
    tag = next((names[name] for name in classes if name in names), "")
    return tag if tag == "sup" or _LOWERED.fullmatch(text) else ""


def _is_free(element: etree._Element, found: dict[etree._Element, Reading]) -> bool:
    """Return whether nothing in and around an element is raised or lowered already."""
    inside = islice(element.iterdescendants(etree.Element), _MAX_ELEMENTS)
    if any(inner.tag not in _TAGS for inner in inside):
        return False
    above = element.getparent()
    for _ in range(_MAX_LEVELS):
        if above is None or above.tag not in _INLINE:
            break
        if above in found or above.tag in ("sup", "sub"):
            return False
        above = above.getparent()
    return True


def _text(element: etree._Element) -> str:
    parts: list[str] = []
    chars = 0
    for part in element.itertext():
        parts.append(str(part))
        chars += len(part)
        if chars > _MAX_CHARS:
            break
    return "".join(parts).strip()


def _is_beside_text(element: etree._Element, text: str) -> bool:
    """Return whether a text stands directly before an element, or a letter behind its number."""
    before = _char_before(element).strip()
    if before:
        return _BESIDE.fullmatch(before) is not None
    return text.isdecimal() and (element.tail or "")[:1].isalpha()


def _char_before(place: etree._Element) -> str:
    """Return the character before an element in its line; "" for none."""
    for _ in range(_MAX_LEVELS):
        before = place.getprevious()
        while before is not None and not before.tail:
            if isinstance(before.tag, str):
                return "".join(map(str, before.itertext()))[-1:] if before.tag in _INLINE else ""
            before = before.getprevious()
        parent = place.getparent()
        if parent is None:
            return ""
        text = (before.tail if before is not None else parent.text) or ""
        if text or parent.tag not in _INLINE:
            return text[-1:]
        place = parent
    return ""


def stacked_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of fractions, and of the line breaks between a superscript and the
    subscript below it.
    """
    found: dict[etree._Element, Reading] = {}
    for place in elements.naming("class", ("frac",), _MAX_VALUE):
        element = elements[place]
        if element.tag in _INLINE and not _FRACTIONS.isdisjoint(_classes(element)):
            inside = any(above in found for above in islice(element.iterancestors(), _MAX_LEVELS))
            if not inside and (text := _fraction(element)):
                found[element] = Reading(text, 0, "span")
    for place in elements.naming("class", ("chem2-su",), _MAX_VALUE):
        found |= _stack(elements[place])
    for place in elements.of_tags(("br",)):
        if _is_between_scripts(elements[place]):
            found[elements[place]] = NOTHING._replace(tag="span")
    return found


def _classes(element: etree._Element) -> list[str]:
    return (element.get("class") or "").lower().split()


def _stack(element: etree._Element) -> dict[etree._Element, Reading]:
    """Return the readings of two elements, of which the first is raised, and the second lowered."""
    if _STACK_CLASS not in _classes(element) or len(element) != 2:
        return {}
    scripts = zip(element, ("sup", "sub"), strict=True)
    return {one: Reading(None, 0, tag) for one, tag in scripts if one.tag in _TAGS and _text(one)}


def _is_between_scripts(line_break: etree._Element) -> bool:
    above, below = line_break.getprevious(), line_break.getnext()
    if above is None or below is None:
        return False
    between = (above.tail or "") + (line_break.tail or "")
    return not between.strip() and (above.tag, below.tag) in (("sup", "sub"), ("sub", "sup"))


def _fraction(element: etree._Element) -> str:
    """Return a fraction in one line, ``3+1⁄2``; "" if it is none, or superscripts write it."""
    inside = [*islice(element.iterdescendants(etree.Element), _MAX_ELEMENTS + 1)]
    if len(inside) > _MAX_ELEMENTS or any(inner.tag not in _INLINE for inner in inside):
        return ""
    numerator = _named(inside, _NUMERATORS, "sup")
    denominator = _named(inside, _DENOMINATORS, "sub")
    if numerator is None or denominator is None or all(e.tag in ("sup", "sub") for e in inside):
        return ""
    if any(e.tag in ("sup", "sub") and e not in (numerator, denominator) for e in inside):
        return ""
    outside = ["", "", ""]  # before, between and behind both
    for text, place in _texts_outside(element, numerator, denominator):
        outside[place] += text.translate(_UNSEEN)
    whole = outside[0].rstrip("+")
    whole += "+" if whole[-1:].isalnum() else ""
    sign = _SIGN if _SIGN in outside[1] else "/"
    spaced = " " if _char_before(element).isdigit() else ""
    fraction = sign.join(map(_term, (numerator, denominator)))
    return f"{spaced}{whole}{fraction}{outside[2]}"


def _named(
    elements: list[etree._Element], classes: AbstractSet[str], tag: str
) -> etree._Element | None:
    """Return the first element of one of these classes, else of this tag."""
    named = [one for one in elements if not classes.isdisjoint(_classes(one))]
    return next(iter((*named, *(one for one in elements if one.tag == tag))), None)


def _term(element: etree._Element) -> str:
    """Return the text of a numerator or denominator, in parentheses if it has several terms."""
    text = _text(element).translate(_UNSEEN)
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _texts_outside(
    element: etree._Element, numerator: etree._Element, denominator: etree._Element
) -> Iterator[tuple[str, int]]:
    """Yield the texts before (0), between (1) and behind (2) numerator and denominator."""
    place, inside = 0, False
    for event, one in etree.iterwalk(element, ("start", "end")):
        is_term = one in (numerator, denominator)
        if event == "start":
            inside = inside or is_term
            if not inside:
                yield one.text or "", place
            continue
        if is_term:
            place, inside = 1 if one is numerator else 2, False
        if not inside and one is not element:
            yield one.tail or "", place
