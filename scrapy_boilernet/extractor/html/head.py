"""Reads what a page states besides its text: metadata, JSON-LD and which elements it has."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.page import Head

MAX_DESCRIPTION_CHARS, MAX_BODY_CHARS, MAX_SCRIPT_CHARS = 2_000, 200_000, 1_000_000
_MAX_WORDS = 200
_MAX_NAME_CHARS, _MAX_VALUE_CHARS, _MAX_VALUE_WORDS = 60, 200, 2
"""What is read of a name of ``<meta>`` or an ``itemtype``, and of the values of
``_VALUED_META``."""
_MAX_LD_TYPES = 20
_MAX_CLASS_CHARS, _MAX_CLASSES = 2_000, 40

COUNTED_TAGS = (
    "article", "h1", "h2", "h3", "time", "p", "li", "table", "pre", "code", "form", "img", "button",
    "section", "main", "nav", "blockquote", "dl", "iframe", "input", "textarea", "figure",
)  # fmt: skip
"""Tags whose numbers of elements distinguish a list of products from an article."""
READ_TAGS = ("meta", "script", "link", "html", "body")
_COUNT_STEPS = (1, 2, 4, 10, 30)
_WORDS_OF_COUNTS = {
    tag: [f"n{tag}:{step}" for step in range(len(_COUNT_STEPS) + 1)] for tag in COUNTED_TAGS
}

_WORD = re.compile(r"[a-z]+")
_VALUED_META = frozenset({"og:type", "twitter:card", "generator"})
_NAMED_META = frozenset({"author", "description", "og:description", "price", "keywords", "robots"})
_NAMED_PREFIXES = ("article:", "product:", "profile:", "book:", "video:", "og:price")
_LINKS = frozenset({"next", "prev", "amphtml", "shortlink", "search", "edituri", "pingback"})
_LETTERS = re.compile(r"[A-Za-z]+")
_LD_TYPE = re.compile(r'"@type"\s*:\s*(\[[^\]]{0,200}\]|"[^"]{1,60}")')
_LD_BODY = re.compile(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*+)"', re.DOTALL)


@dataclass(frozen=True)
class Seen:
    """What one pass over a page's tree has collected, in document order."""

    tags: Counter[Any] = field(default_factory=Counter)
    """How many elements there are of each tag."""
    noted: list[etree._Element] = field(default_factory=list)
    """The elements of :data:`READ_TAGS`, perhaps among others."""
    item_types: list[str] = field(default_factory=list)
    """The ``itemtype`` of every element that has one, including the root."""


def read_head(root: etree._Element, seen: Seen) -> Head:
    """Return the :class:`~scrapy_boilernet.extractor.page.Head` of this root; no tree raises."""
    words = _count_words(seen.tags)
    descriptions: list[str] = []
    elements: dict[Any, list[etree._Element]] = {tag: [] for tag in READ_TAGS}
    for element in seen.noted:
        elements.setdefault(element.tag, []).append(element)
    for element in elements["meta"]:
        words += _meta_words(element, descriptions)
    body = ""
    for element in elements["script"]:
        if "ld+json" in (element.get("type") or ""):
            script = (element.text or "")[:MAX_SCRIPT_CHARS]
            words += _json_ld_types(script)
            body = max(body, _json_ld_body(script), key=len)
    for element in elements["link"]:
        relation = (element.get("rel") or "").lower()
        if relation in _LINKS:
            words.append(f"r:{relation}")
    words += _root_classes([*elements["html"], *elements["body"]])
    # The root's itemtype is left out, as in the training of the models.
    own = root.get("itemtype") is not None
    words += [
        f"it:{uri.rsplit('/', 1)[-1].lower()[:_MAX_NAME_CHARS]}" for uri in seen.item_types[own:]
    ]
    return Head(
        words=tuple(dict.fromkeys(words))[:_MAX_WORDS],
        description=" ".join(descriptions)[:MAX_DESCRIPTION_CHARS],
        article_body=body[:MAX_BODY_CHARS],
    )


def _meta_words(element: etree._Element, descriptions: list[str]) -> list[str]:
    """Return the words of one ``<meta>``; add the text of a description to ``descriptions``."""
    named = element.get("property") or element.get("name") or element.get("itemprop") or ""
    key = named.lower()[:_MAX_NAME_CHARS]
    if key in _VALUED_META:
        value = (element.get("content") or "")[:_MAX_VALUE_CHARS]
        return [f"{key}:{' '.join(_WORD.findall(value.lower())[:_MAX_VALUE_WORDS])}"]
    if key in _NAMED_META and key.endswith("description"):
        descriptions.append((element.get("content") or "")[:MAX_DESCRIPTION_CHARS])
    if key in _NAMED_META or key.startswith(_NAMED_PREFIXES):
        return [f"m:{key}"]
    return []


def _json_ld_types(source: str) -> Iterator[str]:
    for types in _LD_TYPE.findall(source)[:_MAX_LD_TYPES]:
        for name in _LETTERS.findall(types.rsplit("/", 1)[-1]):
            yield f"ld:{name.lower()}"


def _json_ld_body(source: str) -> str:
    """Return the first ``articleBody``, or "".

    A pattern finds it, since much JSON-LD of real pages is not valid JSON.
    """
    match = _LD_BODY.search(source)
    if match is None:
        return ""
    try:
        return str(json.loads(f'"{match[1]}"', strict=False))
    except ValueError:
        return match[1]


def _root_classes(elements: Iterable[etree._Element]) -> Iterator[str]:
    for element in elements:
        names = f"{element.get('class') or ''} {element.get('id') or ''}".lower()
        for word in _WORD.findall(names[:_MAX_CLASS_CHARS])[:_MAX_CLASSES]:
            yield f"b:{word}"


def _count_words(counts: Mapping[Any, int]) -> list[str]:
    """Return for some tags a word for how many elements have them."""
    get, steps = counts.get, _COUNT_STEPS
    return [words[bisect_right(steps, get(tag, 0))] for tag, words in _WORDS_OF_COUNTS.items()]
