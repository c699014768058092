"""The links between note marks and their notes: footnotes, endnotes and numbered references."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.page_names import elements_by_name, links_into
from scrapy_boilernet.extractor.html.raising import SIGNS as RAISING_SIGNS
from scrapy_boilernet.extractor.html.raising import is_raised
from scrapy_boilernet.extractor.html.reading import HIDDEN_NOTE, NOTHING, Reading
from scrapy_boilernet.extractor.markup import NOTE

_PLUGIN_SIGN = b"footnote_plugin"
SIGNS = (b"<sup", b"ootnote", b"ndnote", b"noteref", b"_ftn", b"_edn", b"fnref", b"#not", b"#nt",
         b"<a name", b"spip_note", b">[1]<", *RAISING_SIGNS, _PLUGIN_SIGN)  # fmt: skip
"""Every page with notes of :func:`notes_of` has one of them."""
MARK = re.compile(
    r"[\[(［（【〔]?\s*(?:[*＊※注註]\s?(?=\d))?((?:n(?:ote|b|\.)?\s?)?\d{1,4}|[a-z]{1,2}|[ivx]{1,5}|"
    r"[*†‡§¶#※⁂]{1,4})\s*[\])］）】〕]?",
    re.IGNORECASE,
)
_GROUP = re.compile(
    r"[\[(]\s*([^\W\d_]{1,12}(?:[\s-][^\W\d_]{1,12})?[.]?\s?\d{1,3})\s*[\])]", re.IGNORECASE
)
"""A mark of notes that have a name: [A 1]."""
_BRACKETED = re.compile(
    r"[\[［【〔]\s*\d{1,4}\s*[\]］】〕]|[(（]\s*\d{1,4}\s*[)）]|[\[(]\s*\*{1,4}\s*[\])]"
)
_PLUGIN_MARK, _PLUGIN_NOTE = "footnote_plugin_tooltip_", "footnote_plugin_reference_"
"""The ids of marks and notes that a plugin of WordPress links by scripts."""
_PLUGIN_TITLE = "footnote_container_prepare"
_NAMED = re.compile(
    r"foot-?note|end-?note|note-?ref|fn-?ref|doc-noteref|(?:^|[\s_-])(?:fn|ftn|reference|cite)(?![a-z])"
    r"|fussnote|fußnote|voetnoot|fotnot|spip_note|notecall|appelnote",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(
    r"_?(?:ftn|edn|fn|footnote|endnote|cite_note|note|sdfootnote|sdendnote|easy-footnote-bottom|"
    r"fussnote|voetnoot|nota)[-_:.]?\w{0,40}\Z|_?nb\d[\d-]{0,9}\Z",
    re.IGNORECASE,
)
_BACK = re.compile(r"back-?(?:ref|link)|reverse-?foot", re.IGNORECASE)
_ARROWS = re.compile(r"[\s\[\]()]*[↩↑⤴↵⏎^⬆↖⮌]+[\s\ufe0e\ufe0f\[\]()]*")
_ARROW_BEFORE = re.compile(r"\A[↑^\s]+")
_MARK_CLASS = "footref"
"""The class of marks in pages of Org mode, which gives them the role of links back."""
_OWN_MARK = re.compile(r"(?:^|[\s_-])(?:label|mark|number|num)(?![a-z])", re.IGNORECASE)
"""Classes of a mark that a note repeats at its beginning."""
_DELIMITER = re.compile(r"[\s:.)\]]{1,4}")
"""What stands in an element of its own between the mark of a note and its text."""
_LABEL_END = re.compile(r"[.):]\s")
_WORD = re.compile(r"\w")
_INLINE = frozenset("a span sup b i em strong small label cite font".split())
_NO_NOTES = frozenset("html body main article section nav header footer table tbody ol ul".split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_NEVER_NOTES = frozenset(("body", "html", "main", "article"))
_HIDING = frozenset(("hidden", "style", "aria-hidden"))
_TERM = "dt"
_CELLS = frozenset(("td", "th"))
_ROWS = frozenset(("tr", "tbody", "thead", "table"))
_BRACKETS = "[]()［］（）【】〔〕 \xa0"
_BRACKET_PAIRS = frozenset(("[]", "()", "［］", "（）", "【】", "〔〕"))
_MAX_LEVELS, _MAX_PARTS, _MAX_LABEL_CHARS, _MAX_GROUP_CHARS = 4, 12, 12, 24
_MAX_LABEL = 8
"""Characters of a label in Markdown."""


_Mark = tuple[etree._Element, str, str, bool]
"""A link that is a note mark, its target and its label, and whether it is one only if its note
repeats it.
"""


def may_have_notes(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have marks that link to notes."""
    return not signs.isdisjoint(SIGNS)


def notes_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return what is read of note marks, of links back to them, and of the notes."""
    links = _links(elements)
    names = {(_own_name(link), name): link for link, name in links.items()}
    marks = [mark for link, name in links.items() if (mark := _mark(link, name, names))]
    if not marks:
        return {}
    named = elements_by_name(elements, {name for _, name, _, _ in marks})
    marks = _without_lists([mark for mark in marks if not mark[3] or _is_repeated(mark, named)])
    notes: dict[etree._Element, tuple[str, str]] = {}
    readings: dict[etree._Element, Reading] = {}
    used: set[str] = set()
    known: dict[str, etree._Element | None] = {}
    own_names: set[str] = set()
    for link, name, label, _ in marks:
        if name in own_names:
            continue  # it leads from a note back to its mark
        if name not in known:
            known[name] = note_at(named[name]) if name in named else None
        note = known[name]
        if note is None or _is_in(link, note):
            continue
        if note not in notes:
            notes[note] = (unused_label(label, used), label)
        own_names.update(_names_around(link))
        outer = _with_brackets(link)
        readings[outer] = _mark_reading(outer, notes[note][0], f"#{name}")
    for link, name in links.items():
        if link not in readings and name in own_names and not _is_read(link, readings):
            readings[_around_back(link)] = _back_reading(link)
            readings.update((one, NOTHING._replace(tag="span")) for one in _delimiter(link))
    for note, (_, shown_label) in notes.items():
        _add_own_mark(readings, note, shown_label)
    _add_notes(readings, {note: label for note, (label, _) in notes.items()})
    return readings


def _without_lists(marks: list[_Mark]) -> list[_Mark]:
    """Return the marks but those of which several have one target, which is a list of notes."""
    shown: dict[str, set[str]] = {}
    for _, name, label, _ in marks:
        shown.setdefault(name, set()).add(label.lower())
    return [mark for mark in marks if len(shown[mark[1]]) == 1]


def _links(elements: Elements | CompiledElements) -> dict[etree._Element, str]:
    """Return the links into the page, the elements that a link back may name, and the marks that a
    script makes links, in order, each with the name that it leads to; none without a link.
    """
    ids = elements.values("id")
    by_script = {place for place, own in ids.items() if own.startswith(_PLUGIN_MARK)}
    into = links_into(elements)
    if not (into or by_script):
        return {}
    marks = by_script.intersection(elements.of_tags(("sup",))) if by_script else set()
    into |= {place: _PLUGIN_NOTE + ids[place].removeprefix(_PLUGIN_MARK) for place in marks}
    return {elements[place]: into[place] for place in sorted(into)}


def _is_repeated(mark: _Mark, named: Mapping[str, etree._Element]) -> bool:
    """Return whether the note of a mark begins with the same text."""
    link, name, _, _ = mark
    return name in named and _text(named[name]).startswith(_text(link))


def _delimiter(link: etree._Element) -> list[etree._Element]:
    """Return the element behind a link back that only holds a sign, such as a colon."""
    following = link.getnext()
    if following is None or following.tag not in _INLINE or (link.tail or "").strip():
        return []
    return [following] if _DELIMITER.fullmatch(_text(following)) else []


def _own_name(link: etree._Element) -> str:
    return link.get("name") or link.get("id") or ""


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
    for element in islice(note.iter(etree.Element), _MAX_PARTS):
        if any(inner in readings for inner in islice(element.iter(), _MAX_PARTS)):
            if element in readings:
                return
            continue
        text = _ARROW_BEFORE.sub("", _text(element)) if element is not note else ""
        is_mark = element.tag == "sup" or is_raised(element) or element.tag in _CELLS
        is_mark = is_mark or (
            element.tag in _INLINE and _OWN_MARK.search(element.get("class") or "") is not None
        )
        if text and is_mark and text.strip(_BRACKETS).lower() == label.lower():
            tag = str(element.tag) if element.tag in _CELLS else "span"
            readings[element] = Reading(f"[{label}] ", 0, tag)
            return
        if _WORD.search(element.text or "") or (element is not note and _has_word_after(element)):
            return


def _has_word_after(element: etree._Element) -> bool:
    return not _text(element) and _WORD.search(element.tail or "") is not None


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


def _text(element: etree._Element) -> str:
    parts = islice(element.itertext(), _MAX_PARTS)
    return "".join(str(part)[: 4 * _MAX_LABEL_CHARS] for part in parts).strip()


def _mark(
    link: etree._Element, name: str, names: Mapping[tuple[str, str], etree._Element]
) -> _Mark | None:
    """Return the mark that a link is, if it is one.

    ``name``: its target. ``names``: the links by their own name and the name of their target.
    """
    text = _text(link) if name else ""
    if not text or len(text) > _MAX_GROUP_CHARS:
        return None
    around = [e for e in (link, link.getparent(), *islice(link, 1)) if e is not None]
    is_super = any(element.tag == "sup" or is_raised(element) for element in around)
    match = MARK.fullmatch(text) if len(text) <= _MAX_LABEL_CHARS else None
    match = match or (_GROUP.fullmatch(text) if is_super else None)
    if match is None or _is_back(link):
        return None
    words = " ".join(
        element.get(key) or "" for element in around
        for key in ("class", "role", "rel", "epub:type")
    )  # fmt: skip
    if is_super or _NAMED.search(words) or _FRAGMENT.match(name):
        return link, name, match[1], False
    if not _BRACKETED.fullmatch(text):
        return None
    back = names.get((name, _own_name(link)))
    is_pair = back is not None and back is not link and _text(back) == text
    return link, name, match[1], not is_pair


def _is_back(link: etree._Element) -> bool:
    parent = link.getparent()
    if _MARK_CLASS in (link.get("class") or ""):
        return False
    names = [link.get("class") or "", link.get("role") or "", link.get("rev") or ""]
    names += [parent.get("class") or ""] if parent is not None else []
    return bool(_BACK.search(" ".join(names)) or _ARROWS.fullmatch(_text(link)))


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


def _note_of_term(term: etree._Element) -> etree._Element | None:
    """Return the definition below a term that is the mark of a note; None for others."""
    following = term.getnext()
    is_mark = "label" in (term.get("class") or "") or MARK.fullmatch(_text(term))
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
    label, text = (_text(cell) for cell in cells)
    is_label = MARK.fullmatch(_ARROW_BEFORE.sub("", label)[: _MAX_LABEL_CHARS + 1])
    return rows[0] if is_label and len(text) > len(label) else None


def unused_label(label: str, used: set[str]) -> str:
    """Return the label, or the next number if another note has it or Markdown cannot have it."""
    wanted = "".join(filter(str.isalnum, label))
    wanted = wanted if any(map(str.isdigit, wanted)) else wanted.lower()
    if wanted.lower() in used or not 0 < len(wanted) <= _MAX_LABEL:
        wanted = str(len(used) + 1)
        while wanted in used:
            wanted = str(int(wanted) + 1)
    used.add(wanted.lower())
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


def _with_brackets(link: etree._Element) -> etree._Element:
    """Return the element around a mark that only adds brackets; the mark if there is none."""
    parent = link.getparent()
    if parent is None or parent.tag not in _INLINE or len(parent) != 1:
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
    has_end = _LABEL_END.match(link.tail or "")  # as in "1. Text"
    return Reading(match[1] if has_end else f"[{match[1]}] ", 0, "span")
