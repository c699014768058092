"""Reads JSON-LD as pages have it, valid or not, into plain objects."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from html import unescape
from itertools import islice
from typing import Any

from scrapy_boilernet.extractor.html.head import MAX_SCRIPT_CHARS
from scrapy_boilernet.extractor.metadata import StatedObject, well_formed

MAX_OBJECTS, MAX_VALUE_CHARS = 200, 2_000
_MAX_NODES, _MAX_VALUES = 20_000, 50

_MAX_TEXT_CHARS = 2_000_000
"""Characters of values after which no further object is read: references repeat a name."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});")
_WRAPPING = re.compile(r"<!--(?:[^{\[<>]{0,300}?-->)?|-->|<!\[CDATA\[|\]\]>|\]\]&gt;")
_WRAPPING_SIGNS = ("<!", "-->", "]]>", "]]&gt;")
_BLANK = " \t\r\n\f\v\u00a0\ufeff"
_BETWEEN = f"{_BLANK},;"
_FLAW = re.compile(
    r'"(?:[^"\\]|\\.?)*+(?:"|\Z)'  # a string, of which only unknown escapes are repaired
    r"|/\*.*?(?:\*/|\Z)|//[^\n]*"
    r"|,(?=\s*+[}\]])",
    re.DOTALL,
)
_BAD_ESCAPE = re.compile(r'\\(?:\\|["/bfnrtu]|.)', re.DOTALL)
_LONE_VALUE = re.compile(
    r'"(datePublished|dateModified|headline)"\s*:\s*"((?:[^"\\\n]|\\.){4,300}+)"'
)
"""A property that is read from a script that is not JSON."""
_OTHER_PRICE = re.compile(
    r"(?:List|Strikethrough|SRP|MSRP|Regular|Invoice)(?:ed)?Price|\bMSRP", re.IGNORECASE
)
"""Types of prices that a buyer does not pay."""
_NAMES = frozenset(
    "headline name alternativeheadline author creator publisher datepublished datemodified "
    "datecreated uploaddate dateposted description image thumbnailurl url mainentityofpage "
    "inlanguage license keywords isaccessibleforfree @id commentcount sameas price lowprice "
    "pricecurrency availability".split()
)
"""The properties whose values are kept."""
_NAME_PARTS = ("givenName", "additionalName", "familyName")
_URLS = frozenset({"image", "thumbnailurl", "url", "mainentityofpage", "license"})


def read_json_ld(scripts: Iterable[str], more: Iterable[str] = ()) -> tuple[StatedObject, ...]:
    """Return the objects of all scripts that have a type, at most 200; no script raises.

    ``more``: properties in lower case whose values are kept besides those of metadata.
    If an object refers to another one by its ``@id``, the value is the name of the other one.
    """
    roots: list[tuple[Any, str]] = []
    broken: list[StatedObject] = []
    for script in scripts:
        documents = list(_documents(script[:MAX_SCRIPT_CHARS]))
        roots += [(document, "") for document in documents]
        if not documents and (found := _LONE_VALUE.findall(script[:MAX_SCRIPT_CHARS])):
            values = tuple(
                (name.lower(), stated_text(value)) for name, value in found[:_MAX_VALUES]
            )
            broken.append(StatedObject("json-ld", (), "", values))
    nodes = list(_nodes(roots))
    known = {
        node["@id"]: node for node, _ in nodes if isinstance(node.get("@id"), str) and len(node) > 1
    }
    typed = ((node, place) for node, place in nodes if "@type" in node)
    names = _NAMES.union(more)
    objects: list[StatedObject] = []
    chars = 0
    for node, place in islice(typed, MAX_OBJECTS):
        objects.append(_object(node, place, known, names))
        chars += sum(len(text) for _, text in objects[-1].values)
        if chars > _MAX_TEXT_CHARS:
            break
    return (*objects, *broken[:MAX_OBJECTS])


def decode_entities(text: str, markup: bool = True) -> str:
    """Return the text with its entities decoded; ``markup``: those of ``<`` and ``>``, too.

    Only entities that end in ";" count, so that addresses keep their ``&copy=1``.
    """
    if "&" not in text:
        return text
    return _ENTITY.sub(
        lambda m: m[0] if not markup and unescape(m[0]) in "<>" else unescape(m[0]), text
    )


def stated_text(value: str) -> str:
    """Return a value that a page states as plain text on one line.

    Entities that the page has encoded twice are decoded, unless that makes markup.

    >>> stated_text("Bread &amp;  Co, &lt;b>")
    'Bread & Co, &lt;b>'
    """
    return " ".join(well_formed(decode_entities(value, markup=False)).split())


def _documents(script: str) -> Iterator[Any]:
    """Yield the JSON values of a script, which may hold several; none if it cannot be repaired."""
    wrapped = any(sign in script for sign in _WRAPPING_SIGNS)  # quicker than the pattern
    text = (_WRAPPING.sub(" ", script) if wrapped else script).strip(_BLANK).rstrip(";")
    if text[:6] == "&quot;" or text[:7] in ("{&quot;", "[{&quot"):
        text = decode_entities(text)
    decoder = json.JSONDecoder(strict=False)
    for repair in (str, _repaired):
        fixed, position = repair(text).lstrip(_BLANK), 0
        found: list[Any] = []
        try:
            while position < len(fixed) and len(found) < MAX_OBJECTS:
                value, position = decoder.raw_decode(fixed, position)
                found.append(value)
                while position < len(fixed) and fixed[position] in _BETWEEN:
                    position += 1
        except (ValueError, RecursionError):
            pass
        if found:
            yield from found
            return


def _repaired(text: str) -> str:
    """Return the text without comments, trailing commas and unknown escapes."""
    return _FLAW.sub(_without_flaw, text)


def _without_flaw(match: re.Match[str]) -> str:
    found = match[0]
    if found[0] != '"':
        return "" if found == "," else " "
    return _BAD_ESCAPE.sub(lambda m: m[0] if m[0][1] in '\\"/bfnrtu' else m[0][1], found)


def _nodes(roots: list[tuple[Any, str]]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each object below the roots in order, with the property that holds it."""
    waiting = roots[::-1]
    left = _MAX_NODES
    while waiting and left:
        left -= 1
        value, place = waiting.pop()
        if isinstance(value, dict):
            yield value, place
            inner = (
                (child, place if key == "@graph" else key.lower()[:60])
                for key, child in value.items()
                if isinstance(child, (dict, list))
            )
            waiting += [*inner][::-1]
        elif isinstance(value, list):
            waiting += [(child, place) for child in value if isinstance(child, (dict, list))][::-1]


def _object(
    node: Mapping[str, Any], place: str, known: Mapping[str, Any], names: AbstractSet[str]
) -> StatedObject:
    named: dict[str, Any] = {}
    for name, value in node.items():
        if (lower := name.lower()) in names:
            named.setdefault(lower, value)
    if "priceSpecification" in node:
        named = {**_specified_price(node["priceSpecification"]), **named}
    values = [
        (name, text)
        for name, value in named.items()
        for text in dict.fromkeys(_texts(name, value, known))
        if text
    ]
    types = node["@type"] if isinstance(node["@type"], list) else [node["@type"]]
    plain = (kind.rpartition("/")[2].rpartition(":")[2] for kind in types if isinstance(kind, str))
    return StatedObject("json-ld", tuple(kind.lower()[:60] for kind in plain), place, tuple(values))


def _specified_price(value: Any) -> dict[str, Any]:
    """Return the price and its currency in the specification of an offer, or in the first one that
    is not of a price of before or of a list.
    """
    specifications = value[:_MAX_VALUES] if isinstance(value, list) else [value]
    for one in specifications:
        if isinstance(one, dict) and not _OTHER_PRICE.search(str(one.get("priceType"))[:200]):
            names = ("price", "priceCurrency")
            return {name.lower(): one[name] for name in names if name in one}
    return {}


def _texts(name: str, value: Any, known: Mapping[str, Any]) -> Iterator[str]:
    read: set[str] = set()
    for one in value[:_MAX_VALUES] if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            if "name" not in one and isinstance(one.get("@id"), str):
                if one["@id"] in read:
                    continue
                read.add(one["@id"])
                one = known.get(one["@id"], one)
            one = _naming_value(name, one)
        if isinstance(one, bool):
            one = str(one).lower()
        if isinstance(one, (str, int, float)):
            yield stated_text(decode_entities(str(one)[:MAX_VALUE_CHARS]))


def _naming_value(name: str, node: Mapping[str, Any]) -> Any:
    """Return what stands for an object: its URL if ``name`` is in ``_URLS``, else its name."""
    keys = ("url", "contentUrl", "@id") if name in _URLS else ("name", "@value", "headline", "url")
    value = next((node[key] for key in keys if key in node), None)
    if keys[0] == "name" and not node.get("name") and (parts := full_name(node.get)):
        value = parts
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("@value") or value.get("@id") or value.get("name")
    return value


def full_name(part: Callable[[str], Any]) -> str:
    """Return a person's name from its parts, such as ``givenName``; "" without a family name.

    ``part`` returns a part by its property.
    """
    if not part("familyName"):
        return ""
    found = map(part, _NAME_PARTS)
    return " ".join(text for text in found if isinstance(text, str) and text)
