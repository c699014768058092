"""The links that are marks of notes: by their texts, their classes and their targets, or since a
link leads back to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.page_names import elements_by_name
from scrapy_boilernet.extractor.html.raising import is_raised
from scrapy_boilernet.extractor.patterns import lazy_pattern

MARK = lazy_pattern(
    r"[\[(［（【〔]?\s*(?:[*＊※注註]\s?(?=\d))?((?:n(?:ote|b|\.)?\s?)?\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|"
    r"[*†‡§¶#※⁂]{1,4})(?:(?<=\d):\d{1,3}(?=\]))?\s*[\])］）】〕]?",
    re.IGNORECASE,
)
"""A mark; the second one of a note may be [1:1]."""
_GROUP = re.compile(
    r"[\[(]\s*([^\W\d_]{1,12}(?:[\s-][^\W\d_]{1,12})?[.]?\s?\d{1,3})\s*[\])]", re.IGNORECASE
)
"""A mark of notes that have a name: [A 1]."""
_BRACKETED = lazy_pattern(
    r"[\[［【〔]\s*\d{1,4}\s*[\]］】〕]|[(（]\s*\d{1,4}\s*[)）]|[\[(]\s*\*{1,4}\s*[\])]"
)
_NAMED = lazy_pattern(
    r"foot-?note|end-?note|note-?ref|fn-?ref|doc-noteref|(?:^|[\s_-])(?:fn|ftn|reference|cite)(?![a-z])"
    r"|fussnote|fußnote|voetnoot|fotnot|spip_note|notecall|appelnote",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"_?(?:ftn|edn|fn|footnote|endnote|cite_note|note|sdfootnote|sdendnote|easy-footnote-bottom|"
    r"fussnote|voetnoot|nota)[-_:.]?\w{0,40}\Z|_?nb\d[\d-]{0,9}\Z",
    re.IGNORECASE,
)
BACK = re.compile(r"back-?(?:ref|link)|reverse-?foot", re.IGNORECASE)
_ARROWS = lazy_pattern(r"[\s\[\]()]*[↩↑⤴↵⏎^⬆↖⮌]+[\s\ufe0e\ufe0f\[\]()]*")
_MARK_CLASS = "footref"
"""The class of marks in pages of Org mode, which gives them the role of links back."""
MAX_PARTS, MAX_LABEL_CHARS, _MAX_GROUP_CHARS = 12, 12, 24

Mark = tuple[etree._Element, str, str]
"""A link that is a note mark, its target and its label."""


def marks_among(
    links: Mapping[etree._Element, str], elements: Elements | CompiledElements
) -> tuple[list[Mark], dict[str, etree._Element]]:
    """Return the note marks among the links into a page, and the elements that they lead to.

    ``links``: in order, each with the name of its target. A mark whose target is not there leads to
    the link that leads back to it, if there is one.
    """
    backs = _links_back(links)
    found = [mark for link, name in links.items() if (mark := _mark(link, name, backs.get(link)))]
    if not found:
        return [], {}
    named = elements_by_name(elements, {mark[1] for mark, _ in found})
    for (link, name, _), _ in found:
        if name not in named and link in backs:
            named[name] = backs[link]
    marks = [mark for mark, is_sure in found if is_sure or _is_repeated(mark, named)]
    return _without_lists(marks), named


def _links_back(
    links: Mapping[etree._Element, str],
) -> dict[etree._Element, etree._Element]:
    """Return per link the one with the same text that leads to it: a later one, or its target."""
    order = {link: place for place, link in enumerate(links)}
    last = {name: link for link, name in links.items()}
    pairs = {(_own_name(link), name): link for link, name in links.items()}
    found = {}
    for link, name in links.items():
        own = _own_name(link)
        back = pairs.get((name, own), last.get(own) if own else None)
        if back is None or back is link or text_of(back) != text_of(link):
            continue
        if _own_name(back) == name or order[back] > order[link]:
            found[link] = back
    return found


def _without_lists(marks: list[Mark]) -> list[Mark]:
    """Return the marks but those of which several have one target, which is a list of notes."""
    shown: dict[str, set[str]] = {}
    for _, name, label in marks:
        shown.setdefault(name, set()).add(label.lower())
    return [mark for mark in marks if len(shown[mark[1]]) == 1]


def _is_repeated(mark: Mark, named: Mapping[str, etree._Element]) -> bool:
    """Return whether the note of a mark begins with the same text."""
    link, name, _ = mark
    return name in named and text_of(named[name]).startswith(text_of(link))


def _own_name(link: etree._Element) -> str:
    return link.get("name") or link.get("id") or ""


def _mark(link: etree._Element, name: str, back: etree._Element | None) -> tuple[Mark, bool] | None:
    """Return the mark that a link is, if it is one, and whether that is sure; else its note has to
    repeat it.

    ``name``: its target. ``back``: the link that leads back to it.
    """
    text = text_of(link) if name else ""
    if not text or len(text) > _MAX_GROUP_CHARS:
        return None
    around = [e for e in (link, link.getparent(), *islice(link, 1)) if e is not None]
    is_super = any(element.tag == "sup" or is_raised(element) for element in around)
    match = MARK.fullmatch(text) if len(text) <= MAX_LABEL_CHARS else None
    match = match or (_GROUP.fullmatch(text) if is_super else None)
    if match is None or is_back(link):
        return None
    words = " ".join(
        element.get(key) or "" for element in around
        for key in ("class", "role", "rel", "epub:type")
    )  # fmt: skip
    if is_super or _NAMED.search(words) or _FRAGMENT.match(name):
        return (link, name, match[1]), True
    return ((link, name, match[1]), back is not None) if _BRACKETED.fullmatch(text) else None


def is_back(link: etree._Element) -> bool:
    """Return whether a link leads back to a mark, by its name or as an arrow."""
    parent = link.getparent()
    if _MARK_CLASS in (link.get("class") or ""):
        return False
    names = [link.get("class") or "", link.get("role") or "", link.get("rev") or ""]
    names += [parent.get("class") or ""] if parent is not None else []
    return bool(BACK.search(" ".join(names)) or _ARROWS.fullmatch(text_of(link)))


def text_of(element: etree._Element) -> str:
    """Return the beginning of the text of an element."""
    parts = islice(element.itertext(), MAX_PARTS)
    return "".join(str(part)[: 4 * MAX_LABEL_CHARS] for part in parts).strip()
