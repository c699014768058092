"""The links between note marks and their notes: footnotes, endnotes and numbered references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, is_only_child
from scrapy_boilernet.extractor.html.note_marks import (
    BACK,
    MARK,
    MAX_LABEL_CHARS,
    MAX_PARTS,
    is_back,
    marks_among,
    text_of,
)
from scrapy_boilernet.extractor.html.page_names import links_into
from scrapy_boilernet.extractor.html.raising import SIGNS as RAISING_SIGNS
from scrapy_boilernet.extractor.html.raising import is_raised
from scrapy_boilernet.extractor.html.reading import HIDDEN_NOTE, NOTHING, Reading
from scrapy_boilernet.extractor.markup import NOTE
from scrapy_boilernet.extractor.page import HEADING_TAGS

_PLUGIN_SIGN = b"footnote_plugin"
SIGNS = (b"<sup", b"ootnote", b"ndnote", b"noteref", b"_ftn", b"_edn", b"fnref", b"#not", b"#nt",
         b"<a name", b"spip_note", b"backref", b">[1]<", *RAISING_SIGNS, _PLUGIN_SIGN)  # fmt: skip
"""Every page with notes of :func:`notes_of` has one of them."""
_PLUGIN_MARK, _PLUGIN_NOTE = "footnote_plugin_tooltip_", "footnote_plugin_reference_"
"""The ids of marks and notes that a plugin of WordPress links by scripts."""
_PLUGIN_TITLE = "footnote_container_prepare"
_ARROW_BEFORE = re.compile(r"\A[↑^\s]+")
_OWN_MARK = re.compile(
    r"(?:^|[\s_-])(?:label|mark|number|num|bullet|order|counter)(?![a-z])", re.IGNORECASE
)
"""Classes of a mark that a note repeats at its beginning."""
_DELIMITER = re.compile(r"[\s:.)\]]{1,4}")
"""What stands in an element of its own between the mark of a note and its text."""
_LABEL_END = re.compile(r"[.):]\s")
_WORD = re.compile(r"\w")
_SENTENCES, _ENDS = re.compile(r"\w[.]\s"), (".", ")")
"""What references have in them, and at their end, and titles have not."""
_INLINE = frozenset("a span sup b i em strong small label cite font".split())
_NO_NOTES = frozenset("html body main article section nav header footer table tbody ol ul".split())
_NEVER_NOTES = frozenset(("body", "html", "main", "article"))
_HIDING = frozenset(("hidden", "style", "aria-hidden"))
_TERM = "dt"
_CELLS = frozenset(("td", "th"))
_ROWS = frozenset(("tr", "tbody", "thead", "table"))
_BRACKETS = "[]()［］（）【】〔〕 \xa0"
_STOP = "."
_BRACKET_PAIRS = frozenset(("[]", "()", "［］", "（）", "【】", "〔〕"))
_UPRIGHT = Reading(None, 0, "span")
_MAX_TEXTS, _MAX_TEXT_CHARS = 50, 1_000
_MAX_LEVELS, _MAX_LABEL, _MAX_BACKS = 4, 8, 100
"""Levels that are looked at, characters of a label in Markdown, and links back of a note."""


def may_have_notes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have marks that link to notes."""
    return not signs.isdisjoint(SIGNS)


def notes_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of note marks, of links back to them, and of the notes."""
    links = _links(elements)
    marks, named = marks_among(links, elements)
    notes: dict[etree._Element, tuple[str, str]] = {}
    readings: dict[etree._Element, Reading] = {}
    numbers = {label for _, _, label in marks if label.isascii() and label.isdigit()}
    labels = Labels(set(), numbers)
    known: dict[str, etree._Element | None] = {}
    own_names: set[str] = set()
    for link, name, label in marks:
        if name in own_names:
            continue  # it leads from a note back to its mark
        if name not in known:
            known[name] = note_at(named[name]) if name in named else None
        note = known[name]
        if note is None or _is_in(link, note):
            continue
        if note not in notes:
            notes[note] = (labels.unused(label), label)
        own_names.update(_names_around(link))
        outer = _with_brackets(link)
        readings[outer] = _mark_reading(outer, notes[note][0], f"#{name}")
    for link, name in links.items():
        if link not in readings and name in own_names and not _is_read(link, readings):
            outer = _around_back(link)
            readings[outer] = _back_reading(link, outer)
            readings.update((one, NOTHING._replace(tag="span")) for one in _delimiter(link))
    readings |= _groups_of_backs(links, readings)
    for note, (_, shown_label) in notes.items():
        _add_own_mark(readings, note, shown_label)
        readings.update((cite, _UPRIGHT) for cite in _whole_sources(note))
    _add_notes(readings, {note: label for note, (label, _) in notes.items()})
    return readings


def _links(elements: Elements | CompiledElements) -> dict[etree._Element, str]:
    """Return the links into the page, the elements that a link back may name, and the marks that a
    script makes links, in order, each with the name that it leads to; none without a link.
    """
    ids = elements.values("id", _PLUGIN_MARK)
    by_script = {place for place, own in ids.items() if own.startswith(_PLUGIN_MARK)}
    into = links_into(elements)
    if not (into or by_script):
        return {}
    marks = by_script.intersection(elements.of_tags(("sup",))) if by_script else set()
    into |= {place: _PLUGIN_NOTE + ids[place].removeprefix(_PLUGIN_MARK) for place in marks}
    return {elements[place]: into[place] for place in sorted(into)}


def _delimiter(link: etree._Element) -> list[etree._Element]:
    """Return the element behind a link back that only holds a sign, such as a colon."""
    following = link.getnext()
    if following is None or following.tag not in _INLINE or (link.tail or "").strip():
        return []
    return [following] if _DELIMITER.fullmatch(text_of(following)) else []


def _is_read(link: etree._Element, readings: Mapping[etree._Element, Reading]) -> bool:
    """Return whether the brackets around a mark are read with it."""
    outer = _with_brackets(link)
    return outer is not link and outer in readings


def _add_own_mark(
    readings: dict[etree._Element, Reading], note: etree._Element, label: str
) -> None:
    """Add the reading of a mark at the beginning of a note that repeats its mark: a raised one, or
    the first cell of a row.
    """
    for element in islice(note.iter(etree.Element), MAX_PARTS):
        if any(inner in readings for inner in islice(element.iter(), MAX_PARTS)):
            if element in readings:
                return
            continue
        text = _ARROW_BEFORE.sub("", text_of(element)) if element is not note else ""
        is_mark = element.tag == "sup" or is_raised(element) or element.tag in _CELLS
        is_mark = is_mark or (
            element.tag in _INLINE and _OWN_MARK.search(element.get("class") or "") is not None
        )
        if text and is_mark and text.strip(_BRACKETS + _STOP).lower() == label.lower():
            tag = str(element.tag) if element.tag in _CELLS else "span"
            shown = f"{label}. " if text.endswith(_STOP) else f"[{label}] "
            readings[element] = Reading(shown, 0, tag)
            return
        if _WORD.search(element.text or "") or (element is not note and _has_word_after(element)):
            return


def _whole_sources(note: etree._Element) -> Iterator[etree._Element]:
    """Yield the ``<cite>`` of a note that is a whole reference, so that it is not emphasized."""
    for element in islice(note.iter(etree.Element), MAX_PARTS):
        if element.tag == "cite":
            texts = islice(element.itertext(), _MAX_TEXTS)
            text = "".join(str(part)[:_MAX_TEXT_CHARS] for part in texts).rstrip()
            if text.endswith(_ENDS) and _SENTENCES.search(text):
                yield element


def _groups_of_backs(
    links: Mapping[etree._Element, str], readings: Mapping[etree._Element, Reading]
) -> dict[etree._Element, Reading]:
    """Return the readings of elements that hold several links back to marks, and signs."""
    found: dict[etree._Element, Reading] = {}
    parents = (link.getparent() for link in links if _is_named_back(link))
    for parent in parents:
        if parent is None or parent in found or parent in readings or parent.tag not in _INLINE:
            continue
        inside = [*islice(parent, _MAX_BACKS)]
        if len(inside) < 2 or not all(map(_is_named_back, inside)):
            continue
        beside = [parent.text or "", *(link.tail or "" for link in inside)]
        if not any(map(_WORD.search, beside)):
            found[parent] = NOTHING._replace(tag="span")
    return found


def _is_named_back(link: etree._Element) -> bool:
    return BACK.search(f"{link.get('class') or ''} {link.get('role') or ''}") is not None


def _has_word_after(element: etree._Element) -> bool:
    return not text_of(element) and _WORD.search(element.tail or "") is not None


def _add_notes(
    readings: dict[etree._Element, Reading], labels: Mapping[etree._Element, str]
) -> None:
    """Add the readings of notes; those that an attribute hides, also of a parent, are shown."""
    for note, label in labels.items():
        hides = _hides_itself(note)
        readings[note] = Reading(None, 0, HIDDEN_NOTE if hides else str(note.tag), label)
        if note.tag == "dd" and (term := note.getprevious()) is not None:
            readings[term] = NOTHING
        for above in islice(note.iterancestors(), _MAX_LEVELS if note.tag in _ROWS else 1):
            if above not in readings and _hides_itself(above):
                readings[above] = Reading(None, 0, HIDDEN_NOTE)
        if note.tag in _ROWS:
            readings.update((title, NOTHING) for title in _titles_of(note) if title not in readings)


def _titles_of(row: etree._Element) -> Iterator[etree._Element]:
    """Yield the titles, which open and close the notes, of a table that a plugin writes."""
    for container in islice(row.iterancestors("div"), _MAX_LEVELS):
        if "footnotes_reference_container" in (container.get("class") or ""):
            titles = islice(container.iter("div", "caption"), _MAX_LEVELS)
            yield from (
                title for title in titles
                if title.tag == "caption" or _PLUGIN_TITLE in (title.get("class") or "")
            )  # fmt: skip


def _hides_itself(element: etree._Element) -> bool:
    """Return whether an attribute hides an element, of which a script shows what is in it."""
    names = frozenset(element.keys())
    if _HIDING.isdisjoint(names) or element.tag in _NEVER_NOTES:
        return False
    style, hides = element.get("style") or "", element.get("aria-hidden") or ""
    return "hidden" in names or "none" in style[:200] or hides == "true"


def note_at(element: etree._Element) -> etree._Element | None:
    """Return the element of the note that an element begins or is; None if it is no note."""
    for _ in range(_MAX_LEVELS):
        if element.tag not in _INLINE:
            break
        parent = element.getparent()
        if parent is None:
            return None
        element = parent
    if element.tag in _CELLS or element.tag in _ROWS:
        return _note_row(element)
    if element.tag == _TERM:
        return _note_of_term(element)
    parent = element.getparent()
    if element.tag in (*_INLINE, *_NO_NOTES, *HEADING_TAGS) or parent is None:
        return None
    if any(inner.tag in HEADING_TAGS for inner in islice(element.iter(etree.Element), 200)):
        return None
    return element


def _is_in(element: etree._Element, outer: etree._Element) -> bool:
    above: etree._Element | None = element
    for _ in range(4 * _MAX_LEVELS):
        if above is None or above is outer:
            return above is outer
        above = above.getparent()
    return False


def _note_of_term(term: etree._Element) -> etree._Element | None:
    """Return the definition below a term that is the mark of a note; None for others."""
    following = term.getnext()
    is_mark = "label" in (term.get("class") or "") or MARK.fullmatch(text_of(term))
    return following if following is not None and following.tag == "dd" and is_mark else None


def _note_row(element: etree._Element) -> etree._Element | None:
    """Return the row of the note that an element of a table begins or is: in its first cell stands
    a mark, and in the second one the text. None if it is no such row.
    """
    parent = element.getparent()
    if element.tag in _CELLS and parent is not None:
        element = parent
    rows = [*islice(element.iter("tr"), 2)]
    if len(rows) != 1 or len(cells := [*islice(rows[0].iterchildren(*_CELLS), 3)]) != 2:
        return None
    label, text = (text_of(cell) for cell in cells)
    is_label = MARK.fullmatch(_ARROW_BEFORE.sub("", label)[: MAX_LABEL_CHARS + 1])
    return rows[0] if is_label and len(text) > len(label) else None


class Labels:
    """The labels of the notes of a page, each of which has one of its own.

    ``used``: the labels of other notes. ``numbers``: those that marks show and no note has yet.
    """

    def __init__(self, used: set[str], numbers: set[str]) -> None:
        self._used, self._numbers = used, numbers
        self._number = 0  # the last one that was looked for: the next one is above it

    def unused(self, label: str) -> str:
        """Return the label, or the next number if another note has it or Markdown cannot have it.

        No other note has what comes back.
        """
        wanted = "".join(filter(str.isalnum, label))
        wanted = wanted if any(map(str.isdigit, wanted)) else wanted.lower()
        if wanted.lower() in self._used or not 0 < len(wanted) <= _MAX_LABEL:
            wanted = self._next_number()
        self._used.add(wanted.lower())
        self._numbers.discard(wanted)
        return wanted

    def _next_number(self) -> str:
        used, numbers = self._used, self._numbers
        number = max(self._number, len(used) + len(numbers)) + 1
        while str(number) in used or str(number) in numbers:
            number += 1
        self._number = number
        return str(number)


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


def _with_brackets(link: etree._Element) -> etree._Element:
    """Return the element around a mark that only adds brackets; the mark if there is none."""
    parent = link.getparent()
    if parent is None or parent.tag not in _INLINE or not is_only_child(link):
        return link
    outside = (parent.text or "").strip() + (link.tail or "").strip()
    return parent if outside in _BRACKET_PAIRS else link


def _mark_reading(mark: etree._Element, label: str, href: str) -> Reading:
    """Return what is read of a mark, or of the element that adds its brackets."""
    parent = mark.getparent()
    raised = mark.tag == "sup" or (parent is not None and parent.tag == "sup")
    ends = " " if (mark.tail or "")[:1].isalnum() else ""
    text = f"[{label}]" if raised else f" [{label}]{ends}"
    return Reading(text, NOTE, str(mark.tag), href=href)


def _around_back(link: etree._Element) -> etree._Element:
    """Return the element of a link back to a mark, with its brackets if these are elements, too, or
    what a class names for such links.
    """
    found = link
    for _ in range(_MAX_LEVELS):
        parent = found.getparent()
        if parent is None or parent.tag not in _INLINE:
            break
        if text_of(parent).strip("[]()") != text_of(link).strip("[]()"):
            break
        found = parent
    for level, above in enumerate(islice(link.iterancestors(), _MAX_LEVELS)):
        if level and above.tag not in _INLINE:
            break
        if BACK.search(above.get("class") or ""):
            return above
    return found


def _back_reading(link: etree._Element, outer: etree._Element) -> Reading:
    """Return what is read of a link back to a mark: nothing, or the number of its note.

    ``outer``: the element around it.
    """
    match = MARK.fullmatch(text_of(link)[: MAX_LABEL_CHARS + 1])
    is_named = outer is not link and BACK.search(outer.get("class") or "")
    if match is None or not match[1][-1:].isdigit() or is_named or is_back(link):
        return NOTHING._replace(tag="span")
    has_end = _LABEL_END.match(link.tail or "")  # as in "1. Text"
    return Reading(match[1] if has_end else f"[{match[1]}] ", 0, "span")
