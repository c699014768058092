"""Reads what a page states about itself: metadata, JSON-LD, microdata, names of elements.

Only pages whose metadata is asked for are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.elements import (
    NOT_TEXT,
    CompiledElements,
    Elements,
    inner_text,
)
from scrapy_boilernet.extractor.html.head import Seen
from scrapy_boilernet.extractor.html.home_links import own_links
from scrapy_boilernet.extractor.html.json_ld import (
    MAX_VALUE_CHARS,
    full_name,
    read_json_ld,
    stated_text,
)
from scrapy_boilernet.extractor.html.page_links import shown_page_links
from scrapy_boilernet.extractor.html.places import BlockPlaces
from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.metadata import (
    SHOWN_LICENSE,
    Mark,
    Picture,
    Stated,
    StatedObject,
    well_formed,
)  # fmt: skip
from scrapy_boilernet.extractor.page import Block

_MAX_METAS, _MAX_LINKS, _MAX_MARKS, _MAX_PICTURES, _MAX_ITEMPROPS = 300, 20, 400, 60, 400
_MAX_NAMED, _MAX_NAMES_CHARS = 800, 300
_MAX_TEXT_CHARS, _MAX_SOURCE_CHARS, _MAX_TEXT_ELEMENTS, _MAX_ABOVE = 200, 4_000, 60, 64
_MAX_READ_CHARS = 2_000_000
"""Characters of elements' texts that are read of a page. A text is read once per element that it is
in."""
_LINKS = frozenset(
    {"canonical", "shortlink", "author", "image_src", "license", "next", "prev", "previous"}
)
_NO_META = frozenset({"viewport", "theme-color", "csrf-token"})
_NAMES = (
    "author", "byline", "by-line", "by_line", "writer", "reporter", "autor", "auteur", "verfasser",
    "redakteur", "contribut", "creator", "journalist", "username", "user-name", "user_name",
    "poster", "posted", "publi", "date", "time", "datum", "fecha", "created", "modified", "meta",
    "lastmod", "personname", "hnuser",
)  # fmt: skip
"""Parts of the class or id of elements that may hold an author or a date."""
_PROGRAMS = frozenset({"WRITER"})
"""Classes of what LibreOffice's help says of one program only, which look like those of authors. An
id begins in the same way."""
_PROPERTIES = re.compile(
    r"author|creator|headline|name|title|date|description|image|url|keywords|publisher|language|"
    r"created|modified|issued|license|price|availability",
    re.IGNORECASE,
)
_DATED_META = re.compile(r"publi|date|created|issued")
_SCRIPT_DATE = r"\\{0,3}\"?\s{0,3}:\s{0,3}\\{0,3}\"(\d{4}-\d\d-\d\d[T\d:.+Z-]{0,22})"
_SCRIPT_PUBLISHED = re.compile(
    r"(?:datePublished|publishedDate|publishDate|publishedAt|published_at|publishedOn|"
    r"publicationDate|published_time|pubDate|publish_date)" + _SCRIPT_DATE
)
_SCRIPT_MODIFIED = re.compile(
    r"(?:dateModified|modifiedDate|updatedAt|updated_at|lastModified|modified_time)" + _SCRIPT_DATE
)
_PUBLISHED_SIGNS = frozenset(
    (b"published", b"publishdate", b"publish_date", b"publicationdate", b"pubdate")
)
_MODIFIED_SIGNS = frozenset((
    b"datemodified", b"modifieddate", b"updatedat", b"updated_at", b"lastmodified",
    b"modified_time",
))  # fmt: skip
"""What each pattern finds has one of these, which are found in less time."""
_date_signs_in = SignFinder(_PUBLISHED_SIGNS | _MODIFIED_SIGNS)
_APPS = frozenset("root app __next __nuxt ___gatsby app-root react-root main-app q-app".split())
"""Ids of elements that scripts fill."""
_NUMBER = re.compile(r"\s*(\d{1,5})")


@dataclass
class _Microdata:
    """An item of microdata or RDFa."""

    types: tuple[str, ...]
    place: str
    values: list[tuple[str, str | _Microdata]] = field(default_factory=list)

    def naming_value(self) -> str:
        """Return the item's name, else its URL, else another text; "" if it has no text."""
        texts = {name: value for name, value in reversed(self.values) if isinstance(value, str)}
        parts = full_name(lambda name: texts.get(name.lower()))
        return texts.get("name") or parts or texts.get("url") or next(iter(texts.values()), "")


def read_stated(
    roots: Sequence[etree._Element],
    seen: Seen,
    blocks: Sequence[Block],
    elements: Elements | CompiledElements,
    url: str | None,
) -> Stated:
    """Return what the page states about itself; no tree raises.

    ``blocks``, ``elements``, ``url``: those of the page. The time is linear in the page's size.
    """
    noted: dict[Any, list[etree._Element]] = {}
    for element in seen.noted:
        noted.setdefault(element.tag, []).append(element)
    metas = tuple(islice(_metas(noted.get("meta", ())), _MAX_METAS))
    scripts = (e.text or "" for e in noted.get("script", ()) if "ld+json" in (e.get("type") or ""))
    places, texts = BlockPlaces(blocks, elements), _Texts()
    named = _named(seen, elements, places.few)
    images = () if _names_picture(metas) else elements.of_tags(("img",))
    pictures = (found for i in images for found in _pictures(elements[i], i + 1, places))
    objects = (*read_json_ld(scripts), *_items((e for e, _, props in named if props), texts))
    if not any("date" in key for o in objects for key, _ in o.values) and not any(
        _DATED_META.search(key) for key, _ in metas
    ):
        metas += tuple(_scripted(noted.get("script", ())))
    bases = roots[0].iter("base") if elements.of_tags(("base",)) else ()
    base = next((e.get("href") for e in bases), None)
    return Stated(
        language=well_formed(_language(noted.get("html", ()), metas)[:60]),
        base=well_formed((base or "")[:MAX_VALUE_CHARS]),
        metas=metas,
        links=(
            *islice(_links(noted.get("link", ())), _MAX_LINKS),
            *islice(_shown_licenses(elements), _MAX_LINKS),
            *shown_page_links(elements, url),
        ),
        objects=objects,
        marks=tuple(_marks(named, places, texts)),
        pictures=tuple(islice(pictures, _MAX_PICTURES)),
        scripts=len(noted.get("script", ())),
        empty_app=places.few and _has_empty_app(elements),
        own_links=own_links(elements, url),
    )


def _language(roots: Iterable[etree._Element], metas: Iterable[tuple[str, str]]) -> str:
    stated = (root.get("lang") or root.get("xml:lang") for root in roots)
    return next(filter(None, stated), "") or dict(metas).get("content-language") or ""


def _names_picture(metas: Iterable[tuple[str, str]]) -> bool:
    return any(key == "og:image" and value.startswith(("http:", "https:")) for key, value in metas)


def _metas(elements: Iterable[etree._Element]) -> Iterator[tuple[str, str]]:
    for element in elements:
        key = element.get("property") or element.get("name") or element.get("itemprop")
        key = (key or element.get("http-equiv") or "").strip().lower()[:60]
        stated = element.get("content") or element.get("value") or ""
        value = stated_text(stated[:MAX_VALUE_CHARS])
        if key and value and key not in _NO_META:
            yield key, value


def _links(elements: Iterable[etree._Element]) -> Iterator[tuple[str, str]]:
    for element in elements:
        relations = (element.get("rel") or "")[:_MAX_NAMES_CHARS].lower().split()
        wanted = [relation for relation in relations if relation in _LINKS]
        address = (element.get("href") or "").strip() if wanted else ""
        if address:
            text = well_formed(address[:MAX_VALUE_CHARS])
            yield from ((relation, text) for relation in wanted)


def _shown_licenses(elements: Elements | CompiledElements) -> Iterator[tuple[str, str]]:
    """Yield the addresses of links to licenses in the text, but not those of pictures."""
    for place in elements.naming("rel", ("license",), _MAX_NAMES_CHARS):
        element = elements[place]
        relations = (element.get("rel") or "").lower().split()
        address = (element.get("href") or "").strip()
        if element.tag in ("a", "area") and "license" in relations and address:
            above = islice(element.iterancestors(), _MAX_ABOVE)
            if not any(one.tag in ("figure", "figcaption") for one in above):
                yield SHOWN_LICENSE, well_formed(address[:MAX_VALUE_CHARS])


def _scripted(elements: Iterable[etree._Element]) -> Iterator[tuple[str, str]]:
    """Yield the first dates of publication and of change in the data of scripts."""
    wanted = {
        "script:published": (_SCRIPT_PUBLISHED, _PUBLISHED_SIGNS),
        "script:modified": (_SCRIPT_MODIFIED, _MODIFIED_SIGNS),
    }
    for element in elements:
        if not wanted:
            return
        text = element.text or ""
        found = _date_signs_in(text.encode("utf-8", "surrogatepass"))
        for key, (pattern, signs) in [*wanted.items()]:
            if not found.isdisjoint(signs) and (match := pattern.search(text)):
                yield key, match[1]
                del wanted[key]


_Named = tuple[etree._Element, int, str]
"""An element, its number and its properties."""


def _named(seen: Seen, elements: Elements | CompiledElements, few: bool) -> list[_Named]:
    """Return the elements that may hold an author or a date, and those of microdata and RDFa.

    The former are found by class, id, relation or tag; the latter only if the page has such data.
    A ``<meta>`` with a ``property``, as in Open Graph, is not among them.
    """
    hits = {*elements.naming("class", _NAMES, _MAX_NAMES_CHARS)}
    hits.update(elements.of_tags(("time",)))
    if few:
        hits.update(elements.naming("id", _NAMES, _MAX_NAMES_CHARS))
    relations = elements.values("rel")
    authors = {place for place, one in relations.items() if "author" in one}
    hits.update(authors.intersection(elements.of_tags(("a",))) if authors else ())
    properties: dict[int, str] = {}
    if seen.item_types:
        properties.update((place, one) for place, one in elements.values("itemprop").items() if one)
    if _has_rdfa(seen.noted):
        values = elements.values("property")
        for place in values.keys() - elements.of_tags(("meta",)):
            if values[place]:
                properties[place] = f"{properties.get(place, '')} {values[place]}".strip()
    wanted = sorted(hits | properties.keys())[:_MAX_NAMED]
    return [
        (elements[place], place + 1, properties.get(place, "")[:_MAX_NAMES_CHARS])
        for place in wanted
    ]


def _has_empty_app(elements: Elements | CompiledElements) -> bool:
    """Return whether an element that a script fills is empty."""
    apps = [elements[place] for place, one in elements.values("id").items() if one in _APPS]
    return any(not len(app) and not (app.text or "").strip() for app in apps)


def _has_rdfa(noted: Iterable[etree._Element]) -> bool:
    """Return whether the page names a vocabulary, without which its body has no RDFa."""
    outer = (element for element in noted if element.tag in ("html", "body"))
    return any(element.get(name) for element in outer for name in ("prefix", "vocab", "typeof"))


def _pictures(element: etree._Element, number: int, places: BlockPlaces) -> Iterator[Picture]:
    source = element.get("data-src") or element.get("src") or ""
    if source and not source.startswith("data:"):
        yield Picture(
            well_formed(source[:MAX_VALUE_CHARS]),
            _pixels(element.get("width")), _pixels(element.get("height")),
            places.block_of(number),
        )  # fmt: skip


def _pixels(value: str | None) -> int:
    match = _NUMBER.match(value or "")
    return int(match[1]) if match and "%" not in (value or "") else 0


def _marks(named: Iterable[_Named], places: BlockPlaces, texts: _Texts) -> Iterator[Mark]:
    for element, number, properties in islice(named, _MAX_MARKS):
        own_class = element.get("class") or ""
        own_id = element.get("id") or ""
        if own_class in _PROGRAMS and own_id.startswith(own_class):
            continue
        names = " ".join((own_class, own_id,
                          element.get("rel") or "", properties))  # fmt: skip
        value = element.get("datetime") or element.get("content") or element.get("title") or ""
        text = texts.short(element)
        if value or text:
            yield Mark(
                element.tag, " ".join(names[:_MAX_NAMES_CHARS].lower().split()),
                well_formed(value[:_MAX_TEXT_CHARS]), text, places.block_of(number),
            )  # fmt: skip


class _Texts:
    """Reads the short texts of elements, until it has read :data:`_MAX_READ_CHARS` characters."""

    def __init__(self) -> None:
        self._left = _MAX_READ_CHARS

    def short(self, element: etree._Element) -> str:
        """Return the element's text, or "" if the text is long or the element holds many others."""
        most = min(_MAX_SOURCE_CHARS, self._left)
        text, chars = inner_text(element, NOT_TEXT, _MAX_TEXT_ELEMENTS, most)
        self._left -= chars
        plain = stated_text(text) if chars <= _MAX_SOURCE_CHARS else ""
        return plain if len(plain) <= _MAX_TEXT_CHARS else ""


def _items(elements: Iterable[etree._Element], texts: _Texts) -> Iterator[StatedObject]:
    """Yield the items of microdata and RDFa whose properties are these elements, in order."""
    items: dict[etree._Element, _Microdata] = {}
    for element in islice(elements, _MAX_ITEMPROPS):
        names = (element.get("itemprop") or element.get("property") or "")[:200].lower().split()
        owner = _owner(element, items)
        own = _item(element, names, items) if _is_item(element) else None
        value = own or _item_value(element, texts)
        if owner is not None and value:
            wanted = [name.rpartition(":")[2].rpartition("/")[2] for name in names]
            owner.values += [(name, value) for name in wanted if _PROPERTIES.search(name)]
    for item in items.values():
        values = [(n, v if isinstance(v, str) else v.naming_value()) for n, v in item.values]
        kept = tuple((name, value) for name, value in values if value)
        if kept:
            yield StatedObject("microdata", item.types, item.place, kept)


def _is_item(element: etree._Element) -> bool:
    return element.get("itemscope") is not None or element.get("typeof") is not None


def _owner(element: etree._Element, items: dict[etree._Element, _Microdata]) -> _Microdata | None:
    for above in islice(element.iterancestors(), _MAX_ABOVE):
        if _is_item(above):
            return _item(above, (above.get("itemprop") or "").lower().split(), items)
    return None


def _item(
    element: etree._Element, names: Sequence[str], items: dict[etree._Element, _Microdata]
) -> _Microdata:
    if element not in items:
        types = (element.get("itemtype") or element.get("typeof") or "")[:300].lower().split()
        plain = tuple(name.rstrip("/").rpartition("/")[2].rpartition(":")[2] for name in types)
        items[element] = _Microdata(plain, names[0] if names else "")
    return items[element]


def _item_value(element: etree._Element, texts: _Texts) -> str:
    """Return the value of a property that is not an item itself."""
    for name in ("content", "datetime"):
        if value := element.get(name):
            return stated_text(value[:MAX_VALUE_CHARS])
    if element.tag in ("a", "link") and (element.get("itemprop") or "") in ("url", "image"):
        return well_formed((element.get("href") or "")[:MAX_VALUE_CHARS].strip())
    if element.tag == "img":
        return well_formed((element.get("src") or "")[:MAX_VALUE_CHARS].strip())
    return texts.short(element)
