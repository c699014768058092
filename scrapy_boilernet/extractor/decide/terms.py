"""What stands above a text and names it: terms of definitions, summaries of details, titles of
callouts, labels of tabs, names of files above code, and captions beside tables.

A model decides block by block, and these are short, so they are often dropped above a kept text.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.threads import states_product
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_LISTS = {"dt": "dl", "summary": "details"}
"""The element around each element that names a text."""
_TERMS = frozenset(_LISTS)
_NAME = "h1"
"""The heading that names a product."""
_STEMS = (
    "admonition", "callout", "alert", "custom block", "hint", "notecard", "starlight aside",
    "information macro", "note", "tip", "important", "warning", "caution",
)  # fmt: skip
"""Words of the classes of callouts."""
_CALLOUT = re.compile(
    r"\b(?:admonition(?:block)?|callout|alert|custom block|hint|notecard|starlight aside|"
    r"information macro|awsdocs note)\b|\A(?:note|tip|important|warning|caution)\Z"
)
_of_callouts = ClassNames(_STEMS, _CALLOUT)
_TITLE = re.compile(r"\b(?:title|heading|header|label)\b")
_PANELS = ("tab pane", "tab panel", "tabpanel", "tabbed block", "tab content", "tabs pane")
"""Class words of the panels of tabs, at whose beginning ``html/tabs`` reads their labels."""
_of_panels = ClassNames(_PANELS)
_MAX_LABEL_CHARS = 80
_CAPTION = lazy_pattern(r"\bcaptions?\b")
_CAPTION_OF_TABLE = lazy_pattern(
    r"\btablecaption\b|\b(?:tables?|tbl|tabelle\w*|tableau|tabla|tabela|tabella) (?:wrap(?:per)? )?"
    r"(?:captions?|titles?|titel|titre|titulo|labels?|legend)\b"
)
_OF_TABLE = lazy_pattern(r"\b(?:tables?|tbl|tw|tabular)\b")
"""Class words of a caption, of one of a table, and of the element around both."""
_CAPTION_STEMS = ("caption", "table", "tbl", "tabelle", "tabla", "tabela", "tabella")
_LEVELS = 5
"""Elements between a callout and its title, and the title."""
_CODE, _FILE_LEVELS = "pre", 2
"""The element of code, and how many elements around the name of its file do not hold the code."""
_FILE_NAME = lazy_pattern(
    r"(?:(?:file ?name|file|path|datei(?:name)?|fichier|archivo|fichero|arquivo|bestand|plik|файл|"
    r"文件|ファイル)\s*[:：]\s*)?"
    r"(?:[\w.@~+\[\]-]*[/\\])*(?:[\w@+\[\]-]*(?:\.[\w-]*)*\.[a-z]\w{0,9}|dockerfile|makefile|gemfile|rakefile)",
    re.IGNORECASE,
)
_MAX_FILE_NAME_CHARS = 100
_NO_TERMS = frozenset(("dd", "li", "td", "article"))
"""Elements whose texts name nothing, if no term is in them."""


def complete_terms(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the terms, summaries, titles and labels directly above a kept text that
    is in the same list, details, callout or panel of a tab, with captions of kept tables, with the
    names of files above kept code, and with the name of a product.

    Hidden blocks are not added.
    """
    if "table" in page.names[0]:
        kept = _with_captions(page, kept)
    if _CODE in page.names[0]:
        kept = _with_file_names(page, kept)
    if _NAME in page.names[0] and states_product(page) and kept.any():
        kept = kept | _names_product(page)
    callouts = _of_callouts.on(page)
    panels = _of_panels.on(page)
    has_lists = not _TERMS.isdisjoint(page.names[0])
    if not (callouts or panels or has_lists):  # as on most pages
        return kept
    pairs, places = page.paths
    depths = [
        len(tags) - 1
        if class_words[-1] in panels
        else _depth_around(tags, class_words, callouts)
        if not callouts.isdisjoint(class_words) or (has_lists and not _TERMS.isdisjoint(tags))
        else -1
        for tags, class_words in pairs
    ]
    terms = [
        i
        for i, place in enumerate(places)
        if depths[place] >= 0
        and not page.hidden[i]
        and (pairs[place][1][-1] not in panels or len(page.texts[i]) <= _MAX_LABEL_CHARS)
    ]
    completed = kept.copy()
    for i in reversed(terms):
        if i + 1 < len(kept) and not completed[i] and completed[i + 1]:
            block, following = page.blocks_at([i, i + 1])
            completed[i] = block.nodes[depths[places[i]]] in following.nodes
    labels = [i for i in terms if pairs[places[i]][1][-1] in panels and completed[i] > kept[i]]
    if len(labels) == 1:  # of one panel that is kept
        completed[labels] = False
    return completed


def _with_captions(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the captions directly above or below a kept text of a table."""
    if not _of_captions.on(page):
        return kept
    pairs, places = page.paths
    depths = [_depth_of_caption(*pair) for pair in pairs]
    captions = [i for i in (~kept & page.shown).nonzero()[0].tolist() if depths[places[i]]]
    completed = kept.copy()
    for i in reversed(captions):
        near = [j for j in (i + 1, i - 1) if 0 <= j < len(kept) and completed[j]]
        block, *beside = page.blocks_at([i, *near])
        depth = depths[places[i]]
        completed[i] = 2 * block.link_chars < len(block.text) and any(
            block.nodes[depth] in one.nodes
            or (block.nodes[depth - 1] in one.nodes and "table" in one.tags[depth:])
            for one in beside
        )
    return completed


def _with_file_names(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the names of files that stand directly above kept code."""
    pairs, places = page.paths
    in_code = [_CODE in tags for tags, _ in pairs]
    completed = kept.copy()
    for i in (~kept[:-1] & kept[1:] & page.shown[:-1]).nonzero()[0].tolist():
        text = page.texts[i]
        if in_code[places[i]] or not in_code[places[i + 1]] or len(text) > _MAX_FILE_NAME_CHARS:
            continue
        if _FILE_NAME.fullmatch(text):
            block, code = page.blocks_at([i, i + 1])
            around = block.nodes[-_FILE_LEVELS - 1 : -1]
            completed[i] = not {*around}.isdisjoint(code.nodes)
    return completed


def _names_caption(words: str) -> bool:
    return bool(_CAPTION.search(words) or _CAPTION_OF_TABLE.search(words))


_of_captions = ClassNames(_CAPTION_STEMS, _names_caption)


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _depth_of_caption(tags: Ancestors, class_words: Ancestors) -> int:
    """Return the depth of the caption of a table that a block is in; 0: of none."""
    if "table" in tags:
        return 0
    for depth, (around, own) in enumerate(pairwise(class_words), 1):
        of_table = _CAPTION.search(own) and _OF_TABLE.search(around)
        if of_table or _CAPTION_OF_TABLE.search(own):
            return depth
    return 0


def _names_product(page: Page) -> NDArray[np.bool_]:
    """Return which blocks are in the first heading of level 1 that is shown: (blocks,)."""
    in_heading = np.array([_NAME in tags for tags, _ in page.paths.pairs], np.bool_)
    inside = np.flatnonzero(in_heading[page.path_places] & page.shown)
    nodes = [block.nodes[block.tags.index(_NAME)] for block in page.blocks_at(inside.tolist())]
    found = np.zeros(len(page.blocks), np.bool_)
    found[inside] = [node == nodes[0] for node in nodes]
    return found


def _depth_around(tags: Ancestors, class_words: Ancestors, callouts: AbstractSet[str]) -> int:
    """Return the depth of the list, details or callout that a term or title is in; -1: neither.

    ``callouts``: the class words that name callouts.
    """
    for depth in range(len(tags) - 1, 0, -1):
        tag = tags[depth]
        if tag in _LISTS:
            above = tags[:depth]
            return depth - 1 - above[::-1].index(_LISTS[tag]) if _LISTS[tag] in above else -1
        if tag in _NO_TERMS:
            return -1
        if _TITLE.search(class_words[depth]):
            near = range(max(depth - _LEVELS, 0), depth)
            around = [i for i in near if class_words[i] in callouts]
            return around[-1] if around else -1
    return -1
