"""The links between note marks and their notes: footnotes, endnotes and numbered references."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.reading import HIDDEN_NOTE, NOTHING, Reading
from scrapy_boilernet.extractor.markup import NOTE

SIGNS = (b"<sup", b"ootnote", b"ndnote", b"noteref", b"_ftn", b"_edn", b"fnref")
"""Every page with notes of :func:`notes_of` has one of them."""
_LINK = re.compile(rb"href\s*=\s*[\"']?#", re.IGNORECASE)
MARK = re.compile(
    r"[\[(]?\s*((?:n(?:ote|b|\.)?\s?)?\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|[*†‡§¶#※⁂]{1,4})\s*[\])]?",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"foot-?note|end-?note|note-?ref|fn-?ref|doc-noteref|(?:^|[\s_-])(?:fn|ftn|reference|cite)(?![a-z])"
    r"|fussnote|fußnote|voetnoot|fotnot",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"_?(?:ftn|edn|fn|footnote|endnote|cite_note|note|sdfootnote|sdendnote|easy-footnote-bottom|"
    r"fussnote|voetnoot|nota)[-_:.]?\w{0,40}\Z",
    re.IGNORECASE,
)
_BACK = re.compile(r"back-?(?:ref|link)|reverse-?foot", re.IGNORECASE)
_ARROWS = re.compile(r"[\s\[\]()]*[↩↑⤴↵⏎^⬆↖⮌]+[\s\ufe0e\ufe0f\[\]()]*")
_INLINE = frozenset("a span sup b i em strong small label cite font".split())
_NO_NOTES = frozenset("html body main article section nav header footer table tbody ol ul".split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_NEVER_NOTES = frozenset(("body", "html", "main", "article"))
_HIDING = frozenset(("hidden", "style", "aria-hidden"))
_MAX_LEVELS, _MAX_PARTS, _MAX_LABEL_CHARS = 4, 12, 12


def may_have_notes(signs: AbstractSet[bytes], body: bytes) -> bool:
    """Return whether a page in UTF-8 with these of ``SIGNS`` can have marks that link to notes."""
    return not signs.isdisjoint(SIGNS) and _LINK.search(body) is not None


def notes_of(roots: Sequence[etree._Element]) -> dict[etree._Element, Reading]:
    """Return what is read of note marks, of links back to them, and of the notes."""
    links = [link for root in roots for link in root.iter("a")]
    marks = [(link, name, label) for link in links for name, label in _mark(link)]
    if not marks:
        return {}
    shown: dict[str, set[str]] = {}
    for _, name, label in marks:
        shown.setdefault(name, set()).add(label.lower())
    marks = [mark for mark in marks if len(shown[mark[1]]) == 1]  # others link to a list of notes
    named = _elements_by_name(roots, {name for _, name, _ in marks})
    labels: dict[etree._Element, str] = {}
    readings: dict[etree._Element, Reading] = {}
    used: set[str] = set()
    notes: dict[str, etree._Element | None] = {}
    own_names: set[str] = set()
    for link, name, label in marks:
        if name in own_names:
            continue  # it leads from a note back to its mark
        if name not in notes:
            notes[name] = _note(named[name]) if name in named else None
        note = notes[name]
        if note is None or _is_in(link, note):
            continue
        if note not in labels:
            labels[note] = unused_label(label, used)
        own_names.update(_names_around(link))
        readings[link] = _mark_reading(link, labels[note])
    for link in links:
        name = _fragment(link)
        if link not in readings and name in own_names:
            readings[_around_back(link)] = _back_reading(link)
    _add_notes(readings, labels)
    return readings


def _add_notes(
    readings: dict[etree._Element, Reading], labels: Mapping[etree._Element, str]
) -> None:
    """Add the readings of notes; those that an attribute hides, also of a parent, are shown."""
    for note, label in labels.items():
        hides = _hides_itself(note)
        readings[note] = Reading(None, 0, HIDDEN_NOTE if hides else str(note.tag), label)
        above = note.getparent()
        if above is not None and above not in readings and _hides_itself(above):
            readings[above] = Reading(None, 0, HIDDEN_NOTE)


def _hides_itself(element: etree._Element) -> bool:
    """Return whether an attribute hides an element, of which a script shows what is in it."""
    names = frozenset(element.keys())
    if _HIDING.isdisjoint(names) or element.tag in _NEVER_NOTES:
        return False
    style, hides = element.get("style") or "", element.get("aria-hidden") or ""
    return "hidden" in names or "none" in style[:200] or hides == "true"


def _fragment(link: etree._Element) -> str:
    href = (link.get("href") or "").strip()
    return href[1:] if href.startswith("#") else ""


def _text(element: etree._Element) -> str:
    parts = islice(element.itertext(), _MAX_PARTS)
    return "".join(str(part)[: 4 * _MAX_LABEL_CHARS] for part in parts).strip()


def _mark(link: etree._Element) -> list[tuple[str, str]]:
    """Return the target and the label of a link that is a note mark."""
    name = _fragment(link)
    text = _text(link) if name else ""
    match = MARK.fullmatch(text) if len(text) <= _MAX_LABEL_CHARS else None
    if match is None or _is_back(link):
        return []
    around = (link, link.getparent(), *islice(link, 1))
    tags = [element.tag for element in around if element is not None]
    words = " ".join(
        element.get(key) or "" for element in around if element is not None
        for key in ("class", "role", "rel")
    )  # fmt: skip
    if "sup" in tags or _NAMED.search(words) or _FRAGMENT.match(name):
        return [(name, match[1])]
    return []


def _is_back(link: etree._Element) -> bool:
    parent = link.getparent()
    names = [link.get("class") or "", link.get("role") or "", link.get("rev") or ""]
    names += [parent.get("class") or ""] if parent is not None else []
    return bool(_BACK.search(" ".join(names)) or _ARROWS.fullmatch(_text(link)))


def _elements_by_name(
    roots: Sequence[etree._Element], names: set[str]
) -> dict[str, etree._Element]:
    """Return the first element of each id or name."""
    found: dict[str, etree._Element] = {}
    for root in roots:
        for element in root.iter(etree.Element):
            for own in (element.get("id"), element.get("name")):
                if own in names and own is not None:
                    found.setdefault(own, element)
    return found


def _note(element: etree._Element) -> etree._Element | None:
    """Return the element of the note that an element begins or is; None if it is no note."""
    for _ in range(_MAX_LEVELS):
        if element.tag not in _INLINE:
            break
        parent = element.getparent()
        if parent is None:
            return None
        element = parent
    parent = element.getparent()
    if element.tag in (*_INLINE, *_NO_NOTES, *_HEADINGS) or parent is None:
        return None
    if any(inner.tag in _HEADINGS for inner in islice(element.iter(etree.Element), 200)):
        return None
    return element


def _is_in(element: etree._Element, outer: etree._Element) -> bool:
    above: etree._Element | None = element
    for _ in range(4 * _MAX_LEVELS):
        if above is None or above is outer:
            return above is outer
        above = above.getparent()
    return False


def unused_label(label: str, used: set[str]) -> str:
    """Return the label, or the next number if another note has it or Markdown cannot have it."""
    wanted = label.rsplit(maxsplit=1)[-1].lower()
    if wanted in used or not wanted.isalnum():
        wanted = str(len(used) + 1)
        while wanted in used:
            wanted = str(int(wanted) + 1)
    used.add(wanted)
    return wanted


def _names_around(link: etree._Element) -> set[str]:
    """Return the ids of a mark and of the elements around it that hold little else."""
    found = {link.get("id") or "", link.get("name") or ""}
    above = link.getparent()
    for _ in range(2):
        if above is None or above.tag not in _INLINE:
            break
        found.add(above.get("id") or "")
        above = above.getparent()
    found.update(inner.get("id") or "" for inner in islice(link, 2))
    return found - {""}


def _mark_reading(link: etree._Element, label: str) -> Reading:
    parent = link.getparent()
    raised = parent is not None and parent.tag == "sup"
    ends = " " if (link.tail or "")[:1].isalnum() else ""
    return Reading(f"[{label}]" if raised else f" [{label}]{ends}", NOTE, "a")


def _around_back(link: etree._Element) -> etree._Element:
    """Return the element of a link back to a mark, with its brackets if these are elements, too."""
    found = link
    for _ in range(_MAX_LEVELS):
        parent = found.getparent()
        if parent is None or parent.tag not in _INLINE:
            break
        if _text(parent).strip("[]()") != _text(link).strip("[]()"):
            break
        found = parent
    parent = link.getparent()
    is_around = parent is not None and _BACK.search(parent.get("class") or "")
    return parent if found is link and parent is not None and is_around else found


def _back_reading(link: etree._Element) -> Reading:
    """Return what is read of a link back to a mark: nothing, or the number of its note."""
    match = MARK.fullmatch(_text(link)[: _MAX_LABEL_CHARS + 1])
    if match is None or not match[1][-1:].isdigit() or _is_back(link):
        return NOTHING._replace(tag="span")
    return Reading(f"[{match[1]}] ", 0, "span")
