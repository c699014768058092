"""Notes in the sentence that they belong to: side notes, margin notes, and those that scripts show
beside their mark. Tufte CSS, LaTeXML, Distill and pandoc's filters write them so.

Such a note counts as ``<d-footnote>``, which the walk reads as a block of its own behind the
sentence, so that the sentence is in one piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.note_links import Labels
from scrapy_boilernet.extractor.html.note_marks import MARK
from scrapy_boilernet.extractor.html.reading import NOTHING, SIDE_NOTE, Reading
from scrapy_boilernet.extractor.html.sentences import ENDING_TAGS
from scrapy_boilernet.extractor.markup import NOTE
from scrapy_boilernet.extractor.patterns import lazy_pattern

SIGNS = (b"sidenote", b"side-note", b"marginnote", b"margin-note", b"d-footnote", b"ltx_note",
         b"footnote", b"margin-aside")  # fmt: skip
"""Every page with notes of :func:`side_notes_of` has one of them."""
_CLASS = lazy_pattern(
    r"(?:^|\s)(?:(?:side|margin)[-_]?note|(?:foot|side|margin)[-_]?note[-_]?(?:content|text|body)|"
    r"footnote|ltx_note_outer|margin-aside|[\w-]*footnote(?:__?|-)(?:note|tooltip|popup))(?!\S)",
    re.IGNORECASE,
)
"""The class of a note."""
_MARK_TAGS = frozenset(("label", "sup", "a", "button"))
_LINKS = frozenset(("sup", "a"))
"""Marks that, at the beginning of a paragraph, lead from a note back to its mark."""
_TAGS = frozenset(("span", "small", "aside", "ins", "cite", "i", "em", SIDE_NOTE))
_ENCLOSING = frozenset(("span", "a", "b", "i", "em", "strong", "small", "sup"))
_NUMBER = re.compile(r"(?:^|[\s_-])(?:ltx_note_mark|ltx_tag|number|num|mark|ref)(?![a-z])")
_WORD = re.compile(r"\w")
_MAX_BEFORE, _MAX_LEVELS, _MAX_ELEMENTS, _MAX_MARK_CHARS, _MAX_PARTS = 3, 4, 200, 12, 12


def may_have_side_notes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have notes in its sentences."""
    return not signs.isdisjoint(SIGNS)


def side_notes_of(
    roots: Sequence[etree._Element], others: Mapping[etree._Element, Reading]
) -> dict[etree._Element, Reading]:
    """Return what is read of the notes, of their marks, and of the numbers in them.

    ``others``: the other readings of the page. A note without a mark is a block of its own. One
    whose mark leads to a note elsewhere is that note, so it is not read.
    """
    readings: dict[etree._Element, Reading] = {}
    labels = Labels({reading.label for reading in others.values() if reading.label}, set())
    notes = [note for root in roots for note in root.iter(*_TAGS) if _is_note(note)]
    inner = {above for note in notes for above in islice(note.iterancestors(), _MAX_LEVELS)}
    for note in notes:
        if note in inner:  # it is around a note and its mark
            continue
        mark = _mark_of(note)
        if mark is None and not _follows_text(note):
            continue
        label = ""
        if mark is not None and _leads_elsewhere(mark, others):
            readings[note] = NOTHING._replace(tag="span")
            continue
        if mark is not None:
            match = MARK.fullmatch(_text(mark))
            label = labels.unused(match[1] if match else "*")
            ends = " " if _WORD.match(mark.tail or "") else ""
            readings[mark] = Reading(f" [{label}]{ends}", NOTE, "span")
        readings[note] = Reading(None, 0, SIDE_NOTE, label)
        readings.update((number, NOTHING._replace(tag="span")) for number in _numbers(note))
        readings.update((line, Reading(" ", 0, "span")) for line in note.iter("br"))
        readings.update((box, NOTHING._replace(tag="span")) for box in _boxes_before(note))
    return readings


def _leads_elsewhere(mark: etree._Element, others: Mapping[etree._Element, Reading]) -> bool:
    """Return whether a mark leads to a note that does not stand in the sentence."""
    inside = islice(mark.iter(etree.Element), _MAX_PARTS)
    return any(inner in others and others[inner].marks & NOTE for inner in inside)


def _is_note(element: etree._Element) -> bool:
    """Return whether an element is a note of more than a mark, without blocks in it."""
    is_named = element.tag == SIDE_NOTE or _CLASS.search(element.get("class") or "")
    if not is_named or _has_little(element):
        return False
    inside = [*islice(element.iterdescendants(etree.Element), _MAX_ELEMENTS)]
    return len(inside) < _MAX_ELEMENTS and not any(
        one.tag in ENDING_TAGS and one.tag not in ("br", "input") for one in inside
    )


def _text(element: etree._Element) -> str:
    return "".join(map(str, islice(element.itertext(), _MAX_PARTS))).strip()


def _has_little(element: etree._Element) -> bool:
    """Return whether the text of an element is at most a mark."""
    return len(_text(element)) <= _MAX_MARK_CHARS and not _WORD.search(
        " ".join(_text(element).split()[1:])
    )


def _before(element: etree._Element) -> tuple[etree._Element | None, str]:
    """Return the element before another one in their parent, and the text between them."""
    parts: list[str] = []
    for place in islice(element.itersiblings(preceding=True), _MAX_PARTS):
        parts.append(place.tail or "")
        if isinstance(place.tag, str):  # no comment
            return place, "".join(reversed(parts))
    parent = element.getparent()
    parts.append((parent.text if parent is not None else "") or "")
    return None, "".join(reversed(parts))


def _mark_of(note: etree._Element) -> etree._Element | None:
    """Return the mark before a note, without text between them; None without one."""
    before, between = _before(note)
    for _ in range(_MAX_BEFORE):
        if before is None or _WORD.search(between):
            return None
        if before.tag in _MARK_TAGS and _has_little(before):
            return before if before.tag not in _LINKS or _follows_text(before) else None
        before, between = _before(before)
    return None


def _boxes_before(note: etree._Element) -> Iterator[etree._Element]:
    """Yield the check boxes before a note, which show it."""
    before = islice(note.itersiblings(etree.Element, preceding=True), _MAX_BEFORE)
    yield from (element for element in before if element.tag == "input")


def _follows_text(note: etree._Element) -> bool:
    """Return whether text stands before a note in its paragraph."""
    place = note
    for _ in range(_MAX_LEVELS):
        parent = place.getparent()
        before, between = _before(place)
        beside = between if before is None or _WORD.search(between) else _text(before)
        if beside and not beside.isspace():
            return before is None or before.tag not in ENDING_TAGS or beside == between
        if parent is None or parent.tag not in _ENCLOSING or before is not None:
            return False
        place = parent
    return False


def _numbers(note: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements at the beginning of a note that only show its number."""
    outer = note
    while not _WORD.search(outer.text or "") and not _has_little(outer):
        inner = [*outer.iterchildren(etree.Element)]
        for element in inner:
            is_mark = element.tag == "sup" or _NUMBER.search(element.get("class") or "")
            if not (is_mark and MARK.fullmatch(_text(element))):
                break
            yield element
            if _WORD.search(element.tail or ""):
                return
        else:
            return
        if element is not inner[0]:
            return
        outer = element
