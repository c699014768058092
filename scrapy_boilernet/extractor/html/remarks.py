"""What a wiki writes for its editors: links to edit a section, and remarks in a text such as
"[citation needed]"; the line "From Wikipedia, the free encyclopedia", which only printed pages
show; and the marks that LaTeXML writes before the items of a list. None is read, but the labels of
items that their numbers do not tell, before their texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import Reading

_STEMS = (
    "editsection", "edit-section", "secedit", "inline-template", "template-fact", "need_ref",
    "noprint", "chiarimento", "ltx_tag_item",
)  # fmt: skip
"""The class of each has one of these."""
SIGNS = tuple(stem.encode() for stem in _STEMS)
_EDIT = re.compile(
    r"(?:^|\s)(?:(?:mw-)?editsection(?:-like)?|edit-section|secedit)(?!\S)", re.IGNORECASE
)
"""Classes of links to edit a section, in MediaWiki, Fandom and DokuWiki."""
_REMARK = re.compile(
    r"(?:^|\s)(?:inline-template|template-fact|need_ref(?:_tag)?|chiarimento(?:-apice)?)(?!\S)",
    re.IGNORECASE,
)
"""Classes of remarks, in Wikipedia's languages."""
_UNPRINTED = re.compile(r"(?:^|\s)noprint(?!\S)", re.IGNORECASE)
"""The class of what is not printed: a remark, if it is raised and in brackets."""
_PRINTED = "siteSub"
"""The id of the line below the headline of a wiki's page that its style sheet hides."""
_ITEM, _MARKED = "li", re.compile(r"(?:^|\s)ltx_tag_item(?!\S)")
"""The element of an item, and the class of its mark."""
_MARK = re.compile(r"\s*(?:[•◦∗*·‣⁃▪▫■□○●♦⋄–—-]|[(\[]?(\w{1,5})[.)\]])\s*")
"""The text of such a mark; another text is the author's own."""
_COUNTED, _BOX, _PARAGRAPH, _IN_LINE = "ol", "div", "p", Reading(None, 0, "span")
_EDIT_TAGS = frozenset(("span", "div", "a", "small", "sup"))
_REMARK_TAGS = frozenset(("sup", "span", "small", "i"))
_BRACKETED = re.compile(r"\s*[\[(（【［][^\]]{1,120}[\])）】］][\s?]*")
"""The text of a remark."""
_AS_SPAN, _AS_BLOCK = Reading("", 0, "span"), Reading("", 0, "div")
_MAX_CLASS_CHARS, _MAX_TEXTS, _MAX_EDIT_CHARS, _MAX_REMARK_CHARS = 1_000, 24, 100, 130


def may_have_remarks(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have any of them."""
    return not signs.isdisjoint(SIGNS)


def remarks_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each link to edit a section, remark, line that only printed
    pages show, and mark of an item; the readings of labels of items.
    """
    found: dict[etree._Element, Reading] = {}
    counts: Counter[etree._Element | None] = Counter()
    for place in elements.naming("class", _STEMS, _MAX_CLASS_CHARS):
        element = elements[place]
        is_printed = element.get("id") == _PRINTED
        if is_printed or _is_edit(element) or _is_remark(element):
            found[element] = _AS_BLOCK if element.tag == "div" else _AS_SPAN
        elif mark := _mark(element):
            found |= _readings_of_mark(element, mark, counts)
    return found


def _is_edit(element: etree._Element) -> bool:
    named = _EDIT.search((element.get("class") or "")[:_MAX_CLASS_CHARS])
    return bool(named) and element.tag in _EDIT_TAGS and len(_text(element)) <= _MAX_EDIT_CHARS


def _is_remark(element: etree._Element) -> bool:
    """Return whether an element is a remark; one without a class of its own is raised."""
    named = (element.get("class") or "")[:_MAX_CLASS_CHARS]
    is_named = element.tag in _REMARK_TAGS and _REMARK.search(named) is not None
    if not is_named and not (element.tag == "sup" and _UNPRINTED.search(named)):
        return False
    text = _text(element)
    return len(text) <= _MAX_REMARK_CHARS and _BRACKETED.fullmatch(text) is not None


def _mark(element: etree._Element) -> re.Match[str] | None:
    """Return the mark that an element is, None if it is none."""
    parent = element.getparent()
    named = _MARKED.search((element.get("class") or "")[:_MAX_CLASS_CHARS])
    is_in_item = parent is not None and parent.tag == _ITEM
    return _MARK.fullmatch(_text(element)) if named and is_in_item else None


def _readings_of_mark(
    element: etree._Element, mark: re.Match[str], counts: Counter[etree._Element | None]
) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for a bullet, or the number of an item; a label is read in line
    with the paragraph behind it. ``counts``: the marks of each list until here.
    """
    item = element.getparent()
    around = None if item is None else item.getparent()
    counts[around] += 1
    is_number = around is not None and around.tag == _COUNTED and mark[1] == str(counts[around])
    if mark[1] is None or is_number:
        return {element: _AS_SPAN}
    found = {element: _AS_SPAN._replace(text=f"{mark[0].strip()} ")}
    box = next(element.itersiblings(etree.Element), None)
    first = None if box is None else next(box.iterchildren(etree.Element), None)
    if box is not None and first is not None and (box.tag, first.tag) == (_BOX, _PARAGRAPH):
        found |= {box: _IN_LINE, first: _IN_LINE}
    return found


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_TEXTS)))
