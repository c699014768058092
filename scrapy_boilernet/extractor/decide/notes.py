"""Notes of the author: footnotes, an aside in a page without class names, and embedded posts.

A model decides block by block, and a note is a short block behind the article, so it is often
dropped. Of 54,200 characters of footnotes that the model drops beside kept text on nine labeled
sets, the gold has 19,700 (``docs/results/quality/boxes.md``): most of those of eight sets, and
24 % of those of wcxb-dev.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.html.reading import HIDDEN_NOTE, SIDE_NOTE
from scrapy_boilernet.extractor.page import HEADING_TAGS, Ancestors, Page

_FOOTNOTES = re.compile(
    r"\b(?:footnotes?|endnotes?|fussnoten?|fußnoten?|voetnoten?|fotnoter?|"
    r"doc endnotes|doc footnote|reflist)\b"
)
"""Class words, ids and roles of the element that holds notes."""
_STEMS = ("tnot", "ssnot", "ßnot", "dnot", "reflist")
"""Every match of ``_FOOTNOTES`` has one of these. They are found faster."""
_of_notes = ClassNames(_STEMS, _FOOTNOTES)
_NO_FOOTNOTES = re.compile(r"\b(?:footer|newsletter|form|header|nav|links|legal|disclaimer)\b")
_OUTSIDE = frozenset(("nav", "footer", "form", "button", "label", "figure"))
_WITH_FOOTERS = frozenset(("article", "main", "section", "blockquote", "li"))
"""Elements of an article that may have a footer of their own."""
_NO_NOTE_TAGS = frozenset(("html", "body", "a", "sup", "span"))
_NOTE_TAGS = frozenset(("aside", HIDDEN_NOTE))
_POSTS = re.compile(
    r"\b(?:twitter tweet|twitter video|instagram media|tiktok embed|mastodon embed|bluesky embed|"
    r"reddit embed|reddit card|text post media)\b"
)
"""Class words of the ``<blockquote>`` of an embedded post."""
_POST_STEMS = ("twitter", "media", "embed", "reddit")
_of_posts = ClassNames(_POST_STEMS, _POSTS)
_TEX_BEGINS, _TEX_ENDS = ("$$", "\\[", "\\begin{"), ("$$", "\\]", "}")
"""How raw TeX on a line of its own begins and ends."""
_NUMBER = re.compile(r"[(\[]\s?(?:[A-Z]\.?)?\d{1,3}(?:[.–-]\d{1,3}){0,3}\s?[a-z]?\s?[)\]]")
"""The number of a formula."""
_MIN_BESIDE = 2
"""Kept blocks that the element around the notes must hold."""
_LINKS = 2
"""Links that are followed from a kept text."""
_SENTENCE_END = tuple(".!?…。！？")


def complete_formulas(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the formulas on lines of their own that stand beside a kept block, and
    with their numbers.

    They are too short for a model to tell. A formula counts as ``<math>``, or is raw TeX.
    """
    texts = page.texts
    if "math" not in page.names[0] and not _may_have_tex("\n".join(texts)):  # as on most pages
        return kept
    raw = [text.startswith(_TEX_BEGINS) and text.endswith(_TEX_ENDS) for text in texts]
    pairs, places = page.paths
    own = [pairs[place][0][-1:] == ("math",) for place in places]
    is_formula = np.array(own, dtype=np.bool_) | np.array(raw, dtype=np.bool_)
    for i in np.flatnonzero(is_formula).tolist():
        for beside in (i - 1, i + 1):
            if 0 <= beside < len(texts) and _NUMBER.fullmatch(texts[beside]):
                is_formula[beside] = True
    formulas = is_formula & page.shown
    completed = kept.copy()
    for step in (1, -1):
        before = False
        for i in range(len(kept))[::step]:
            completed[i] |= formulas[i] and before
            before = kept[i] if not is_formula[i] else before
    return completed


def _may_have_tex(text: str) -> bool:
    """Return whether raw TeX may begin in a text; a single sign is found fastest."""
    return any(begin[0] in text and begin in text for begin in _TEX_BEGINS)


def complete_posts(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with all of each embedded post of which a block is kept: its author and date
    are too short for a model to tell. Hidden blocks are not added.
    """
    if "blockquote" not in page.names[0]:  # as on most pages
        return kept
    names = _of_posts.on(page)
    if not names:
        return kept
    pairs, places = page.paths
    depths = [
        next((i for i, tag in enumerate(tags) if tag == "blockquote" and words[i] in names), -1)
        for tags, words in pairs
    ]
    blocks = [i for i, place in enumerate(places) if depths[place] >= 0]
    posts = [
        (i, block.nodes[depths[places[i]]], block.hidden)
        for i, block in zip(blocks, page.blocks_at(blocks), strict=True)
    ]
    wanted = {node for i, node, _ in posts if kept[i]}
    completed = kept.copy()
    for i, node, hidden in posts:
        completed[i] |= node in wanted and not hidden
    return completed


def complete_notes(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the notes that stand beside kept text or to which a kept text links.

    Hidden blocks are not added. Of an ``<aside>`` only sentences without links count, and only
    where no element in and around it has a class, id or role, as on a page written by hand.
    """
    return _with_linked_notes(page, _with_notes_beside(page, _with_side_notes(page, kept)))


def _with_notes_beside(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the notes that stand beside kept text, by their tags and class words."""
    names = _of_notes.on(page)
    if not names and _NOTE_TAGS.isdisjoint(page.names[0]):  # as on most pages
        return kept
    pairs, places = page.paths
    depths = [
        0
        if _NOTE_TAGS.isdisjoint(tags) and names.isdisjoint(class_words)
        else _note_depth(tags, class_words, names)
        for tags, class_words in pairs
    ]
    notes = [i for i, place in enumerate(places) if depths[place] > 0]
    if not notes or not kept.any():
        return kept
    beside = Counter(
        node for block in page.blocks_at(np.flatnonzero(kept).tolist()) for node in block.nodes
    )
    completed = kept.copy()
    for i, block in zip(notes, page.blocks_at(notes), strict=True):
        depth = depths[places[i]]
        around = depth - 1 if block.tags[depth - 1] != "header" or depth == 1 else depth - 2
        is_aside = block.tags[depth] == "aside"
        if is_aside and (block.link_chars or not block.text.endswith(_SENTENCE_END)):
            continue
        if not block.hidden and beside[block.nodes[around]] >= _MIN_BESIDE:
            completed[i] = True
    return completed


def is_in_notes(page: Page, place: int) -> bool:
    """Return whether the block at ``place`` is in an element that holds footnotes by its class
    words, id or role.
    """
    _, class_words = page.paths.pairs[page.paths.places[place]]
    return any(
        _FOOTNOTES.search(words) and not _NO_FOOTNOTES.search(words) for words in class_words
    )


def _with_side_notes(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the notes in kept sentences, which count as ``<d-footnote>``."""
    if SIDE_NOTE not in page.names[0]:  # as on most pages
        return kept
    pairs, places = page.paths
    is_note = [SIDE_NOTE in tags for tags, _ in pairs]
    completed, before, hidden = kept.copy(), False, page.hidden
    for i, place in enumerate(places):
        if is_note[place]:
            completed[i] |= before and not hidden[i]
        else:
            before = kept[i]
    return completed


def _with_linked_notes(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the notes and sources to which a kept block links, each as a whole.

    A note that is added may link to others, such as the short references of an encyclopedia. What
    stands in the footer of the page is legal notes to offers, mostly.
    """
    if not (page.notes and kept.any()):  # as on most pages
        return kept
    pairs = page.paths.pairs
    in_footer = np.array([_is_in_page_footer(tags) for tags, _ in pairs])[page.path_places]
    nodes, depths = page.nodes
    ends = depths.cumsum()
    completed = kept.copy()
    for _ in range(_LINKS):
        holding = set(nodes[ends - 1][completed].tolist())
        wanted = {note for note, around in page.notes if not holding.isdisjoint(around)}
        inside = np.isin(nodes, [*wanted])
        notes = np.logical_or.reduceat(inside, ends - depths)
        completed |= page.shown & ~in_footer & notes
    return completed


def _is_in_page_footer(tags: Ancestors) -> bool:
    """Return whether a path leads into a ``<footer>`` that is not that of an article."""
    return "footer" in tags and _WITH_FOOTERS.isdisjoint(tags[: tags.index("footer")])


def _note_depth(tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]) -> int:
    """Return the depth of the outermost element of a path that holds notes; 0 if none does.

    ``names``: the class words that name notes.
    """
    if not _OUTSIDE.isdisjoint(tags):
        return 0
    for depth, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
        if tag in _NO_NOTE_TAGS:
            continue
        if tag == HIDDEN_NOTE:
            return depth
        if words in names:
            return 0 if _NO_FOOTNOTES.search(words) else depth
        if tag == "aside":
            named = any(class_words[2:]) or not HEADING_TAGS.isdisjoint(tags[depth:])
            return 0 if named else depth
    return 0
