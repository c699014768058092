"""Lists, quotes, tables, headings, code and boxes that stand between kept texts are kept, too.

A model decides block by block. So it loses a table in the middle of an article, the terms of a
reference page, or every second item of a list. But what stands between two kept texts of the same
element is content as a rule, and so is what follows one or what is half kept. Such a structure
needs less probability, the mean of its blocks. A box is a callout, ``<details>``, or what an
article embeds. The question of an answer that a reader opens counts as a heading.
``docs/results/quality/structures.md`` has how many structures are kept as a whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.asides import beyond_asides
from scrapy_boilernet.extractor.decide.captions import is_caption
from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.headline import index_of_h1
from scrapy_boilernet.extractor.decide.notes import is_in_notes
from scrapy_boilernet.extractor.decide.odds import BESIDE, BETWEEN, are_likely, middle_odds
from scrapy_boilernet.extractor.decide.read_also import list_contents
from scrapy_boilernet.extractor.decide.tables import (
    Rows,
    boxes_of_one_cell,
    complete_tables,
    data_tables,
    leads,
)
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_STRUCTURES = frozenset(("ul", "ol", "dl", "blockquote"))
_HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
"""Without ``h1``, the headline, about which ``decide/headline`` and an option decide."""
_H1, _MIN_H1 = "h1", 3
"""A page with so many of them, such as a page of a manual, has them above its sections."""
_MAX_TITLE_CHARS = 500
"""Of the page's title, which such a heading does not repeat."""
_ANY_HEADING = _HEADINGS | {_H1}
_CODE, _TABLE, _BOX, _QUESTION, _CAPTION = "pre", "table", "box", "question", "caption"
_PROFILE, _QUOTED, _LABEL = "profile", "quoted", "label"
_LISTS = frozenset(("ul", "ol"))
_NO_ELEMENT = 0
_ALONE = _HEADINGS | {_CODE}
"""Tags of structures that are in no other."""
_IN_FIGURE = frozenset((_CODE, _TABLE))
"""What makes a figure, with its caption, a structure, which counts as code. So does a quote; but
since it often repeats a sentence of the text, only its caption is kept with it. Other texts in the
figure are labels, which are not kept with it."""
_MAKING = _STRUCTURES | _ALONE | {"details", "figure"}
"""All tags by which a block may be in a structure."""
_NO_STEP = (0, "")
_WRAPPERS, _HEADING_WRAPPERS = frozenset(("div",)), frozenset(("div", "header"))
"""Tags of elements that may hold nothing but a structure."""
_MAX_WRAPPERS = 6
_PASSED, _MAX_PASSED = frozenset((_CODE, _TABLE, _BOX)), 3
"""What may stand, if it is not kept either, between one of these and the kept text beside it, and
how many."""
_MAX_OVER, _MAX_OVER_CHARS = 2, 100
"""How many blocks that are not kept may stand between a heading and its text, such as a caption or
a rating, and the most characters that each has if it is no caption."""
_BOXES = lazy_pattern(
    r"\b(?:admonition(?:block)?|notecard|markdown alert|custom block|hint container|"
    r"information macro|starlight aside|callout|alert (?:info|warning|danger|success|primary|"
    r"secondary)|mantine alert|wp block embed|card (?:embed|bookmark)|embedded content|codepen|"
    r"awsdocs note|plugin note|govuk warning text|application notice|ltx theorem|"
    r"(?:bluesky|tiktok|mastodon|reddit) embed|twitter tweet|instagram media)\b"
    r"(?! (?:title|header|heading|icon|content|body|inner|text|label|emoji))"
    r"|\A(?:note|tip|hint|important|warning|caution|danger|attention|key point|"
    r"note (?:info|warn|alert)|msg (?:message|alert)|"
    r"(?:theorem|lemma|proposition|corollary|remark|proof|exercise)(?: \d+)?)\Z"
)
"""Class words of the element of a box."""
_NO_BOX_TAGS = frozenset(("body", "main", "article"))
_QUESTIONS = re.compile(
    r"\b(?:faqs?|accordion|collapsible|toggle|elementor tab|sd tab|tabbed)\b.*"
    r"\b(?:question|title|button|btn|header|heading|head|trigger|summary|labels?)\b"
    r"|\bstandfirst\b"
)
"""Class words of the element of a question whose answer a reader opens, of a tab's name, or of what
leads into an article."""
_PROFILES = re.compile(r"profile|\b(?:user|author|member|poster) ?(?:info|details|meta|extras?)\b")
"""Class words of what says who wrote a post, which is no structure."""
_STEMS = (
    "admonition", "custom block", "information m", "starlight", "callout", "alert", "embed",
    "codepen", "card bookmark", "twitter tweet", "instagram media", "note", "tip", "hint",
    "important", "warning", "caution", "danger", "attention", "key point", "msg ", "faq",
    "accordion", "collapsible", "toggle", "elementor tab", "sd tab", "tabbed", "profile", "user",
    "author", "member", "poster", "govuk w", "application n", "theorem", "lemma", "proposition",
    "corollary", "remark", "proof", "exercise", "standfirst",
)  # fmt: skip
"""Every text in which ``_BOXES``, ``_QUESTIONS`` or ``_PROFILES`` finds something has one of
these."""
_MAX_QUESTION_BLOCKS = 2


class _Structure(NamedTuple):
    """A structure of a page."""

    places: list[int]
    """Those of its blocks among the shown ones."""
    step: int
    """That of its element in the paths of its blocks."""
    kind: str
    """Its tag, or one of the kinds above."""
    captions: Sequence[int] = ()
    """The places of the captions of a figure, which are kept if the rest is."""
    labels: Sequence[int] = ()
    """The places of other texts in it."""

    def beside(self) -> tuple[int, int]:
        """Return the places before and behind it, its captions and its labels."""
        own = (*self.places, *self.captions, *self.labels)
        return min(own) - 1, max(own) + 1


def complete_structures(
    page: Page, kept: NDArray[np.bool_], probabilities: NDArray[np.float32], threshold: float
) -> NDArray[np.bool_]:
    """Return ``kept`` with the structures that stand beside kept texts, each as a whole, and with
    the data tables that are kept for the most part.

    ``probabilities``: per block, those by which ``threshold`` decided. Hidden blocks are not added,
    and a text beside counts only if it is in the element around the structure.
    """
    kept = complete_tables(page, kept)
    middle = middle_odds(probabilities, threshold)
    if middle is None:
        return kept
    near = ~kept & (probabilities > 1 / (1 + exp(BETWEEN - middle)))
    if not near.any():
        return kept
    shown = page.shown.nonzero()[0]
    order, completed = shown.tolist(), kept.copy()
    for structure, before, after in _beside(page, shown, kept, near):
        kind, own = structure.kind, [order[place] for place in structure.places]
        if kind == _QUESTION:
            beside = after and len(own) <= _MAX_QUESTION_BLOCKS
        elif kind == _QUOTED:
            beside = bool(kept[own].all())
        elif kind in _LISTS and list_contents(page, own):
            beside = False
        elif kind in _ANY_HEADING:
            beside = after and not is_in_notes(page, order[structure.places[-1] + 1])
        else:
            beside = before or (after and (kind == _CODE or bool(kept[own].any())))
        if beside:
            is_sure = (before and after) or kind == _QUESTION or _is_section(page, kind, own[0])
            least = BETWEEN if is_sure else BESIDE
            if are_likely(page, own, probabilities, middle - least):
                completed[[*own, *(order[place] for place in structure.captions)]] = True
    return completed


def _is_section(page: Page, kind: str, first: int) -> bool:
    """Return whether a structure whose first block is ``first`` is an ``h1``, but no headline."""
    title = page.title[:_MAX_TITLE_CHARS]
    return kind == _H1 and first > index_of_h1(page) and page.texts[first] not in title


class _Shown:
    """The shown blocks of a page, with the elements around them."""

    def __init__(self, page: Page, shown: NDArray[np.intp]) -> None:
        self.blocks = shown
        self.nodes, self._depths = page.nodes
        self.starts = page.starts

    def path(self, place: int) -> list[int]:
        """Return the numbers of the elements around a shown block; none beyond the page."""
        if not 0 <= place < len(self.blocks):
            return []
        i = self.blocks[place]
        path: list[int] = self.nodes[self.starts[i] : self.starts[i] + self._depths[i]].tolist()
        return path


def _beside(
    page: Page, blocks: NDArray[np.intp], kept: NDArray[np.bool_], near: NDArray[np.bool_]
) -> Iterator[tuple[_Structure, bool, bool]]:
    """Yield the structures that have a block that is ``near`` and stand beside a kept one, with
    whether such a one stands before it, and behind it, in the element around it. The end of that
    element, behind a table, counts as one.

    ``blocks``: the shown ones; ``kept``, ``near``: of each block.
    """
    steps = _steps(page)
    paths = page.path_places
    step_of = np.array([step for step, _ in steps], dtype=np.int64)[paths]
    tables, boxes = page.once(data_tables), page.once(boxes_of_one_cell)
    if not tables and not boxes and not step_of[near].any():
        return
    shown = _Shown(page, blocks)
    structures = [*_structures(steps, step_of, paths, shown, near)]
    structures += [*_of_tables(tables, _TABLE, shown), *_of_tables(boxes, _BOX, shown)]
    shown_kept, shown_near = kept[blocks].tolist(), near[blocks].tolist()
    over = partial(_over, page, steps, blocks, shown_kept)
    back, forth = _passed([one for one in structures if one.kind in _PASSED], shown_kept)
    before_aside, behind_aside = beyond_asides(page, blocks, kept)
    for structure in structures:
        places = structure.places
        first, last = structure.beside()
        first, last = before_aside.get(first, first), behind_aside.get(last, last)
        for _ in range(_MAX_PASSED if structure.kind in _PASSED else 0):
            first, last = back.get(first, first), forth.get(last, last)
        is_before = first >= 0 and shown_kept[first]
        is_after = last < len(blocks) and shown_kept[last]
        needs_both = structure.kind in _ANY_HEADING and not is_after
        if needs_both:
            first, last = over(place=first, by=-1), over(place=last, by=1)
            is_before = is_after = first >= 0 and last >= 0
        own = (*places, *structure.captions)
        if (is_before or is_after) and any(map(shown_near.__getitem__, own)):
            before, path, after = map(shown.path, (first, places[0], last))
            tags = page.paths.pairs[page.paths.places[blocks[places[0]]]][0]
            around = path[_around(path, tags, structure, before + after)]
            is_before, is_after = is_before and around in before, is_after and around in after
            if structure.kind == _TABLE and is_before and around not in after:
                is_after = not leads(page, blocks[places])
            yield structure, is_before, is_after and (is_before or not needs_both)


def _structures(
    steps: Sequence[tuple[int, str]],
    step_of: NDArray[np.int64],
    path_of: NDArray[np.int64],
    shown: _Shown,
    near: NDArray[np.bool_],
) -> Iterator[_Structure]:
    """Yield the structures that have a block that is ``near``, and those that are passed, but data
    tables. A block belongs to the box around it, else to the figure of code or of a table, else to
    the innermost structure; headings and code belong to none.

    ``steps``: what :func:`_steps` returns. ``step_of``, ``path_of``: per block the step of its
    structure, 0 without one, and its place in ``steps``.
    """
    passed = np.array([kind in _PASSED for _, kind in steps], np.bool_)
    elements = np.where(step_of > 0, shown.nodes[shown.starts + step_of], _NO_ELEMENT)
    is_wanted = np.zeros(int(elements.max()) + 1, np.bool_)
    is_wanted[elements[near | passed[path_of]]] = True
    is_wanted[_NO_ELEMENT] = False
    places = is_wanted[elements[shown.blocks]].nonzero()[0]
    blocks = shown.blocks[places]
    found: dict[int, _Structure] = {}
    others = {kind: defaultdict[int, list[int]](list) for kind in (_CAPTION, _LABEL)}
    columns = places.tolist(), elements[blocks].tolist(), path_of[blocks].tolist()
    for place, element, path in zip(*columns, strict=True):
        step, kind = steps[path]
        if kind in others:
            others[kind][element].append(place)
        elif element in found:
            found[element].places.append(place)
        else:
            own = others[_CAPTION][element], others[_LABEL][element]
            found[element] = _Structure([place], step, kind, *own)
    yield from found.values()


def _of_tables(tables: Mapping[int, Rows], kind: str, shown: _Shown) -> Iterator[_Structure]:
    """Yield the tables as structures of a kind."""
    place_of = {i: place for place, i in enumerate(shown.blocks.tolist())} if tables else {}
    for table, rows in tables.items():
        inside = sorted({place_of[i] for i in chain.from_iterable(rows) if i in place_of})
        if inside:
            yield _Structure(inside, shown.path(inside[0]).index(table), kind)


def _passed(
    structures: Sequence[_Structure], kept: Sequence[bool]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return where one comes to from the last, and from the first, place of a structure of which
    nothing is kept: to the place before it, and behind it.
    """
    back, forth = {}, {}
    for structure in structures:
        if not any(kept[place] for place in structure.places):
            before, behind = structure.beside()
            back[behind - 1], forth[before + 1] = before, behind
    return back, forth


def _over(
    page: Page,
    steps: Sequence[tuple[int, str]],
    blocks: NDArray[np.intp],
    kept: Sequence[bool],
    place: int,
    by: int,
) -> int:
    """Return the place of the first kept block from a place on, by steps of 1 or -1, behind at most
    two blocks that are captions, or short and no headings; -1 without one.
    """
    for _ in range(_MAX_OVER + 1):
        if not 0 <= place < len(kept):
            return -1
        if kept[place]:
            return place
        i = int(blocks[place])
        path = page.paths.places[i]
        is_long = len(page.texts[i]) > _MAX_OVER_CHARS and not is_caption(*page.paths.pairs[path])
        if is_long or steps[path][1] in _ANY_HEADING:
            return -1
        place += by
    return -1


def _around(
    path: Sequence[int], tags: Ancestors, structure: _Structure, beside: Sequence[int]
) -> int:
    """Return the step of the element around a structure, without those that hold nothing else.

    ``path``: the numbers of the elements to a block of the structure. ``beside``: those of the
    elements around the blocks before and behind it.
    """
    around, wrappers, levels = max(0, structure.step - 1), frozenset[str](), 1
    if structure.kind in _IN_FIGURE:
        wrappers, levels = _WRAPPERS, _MAX_WRAPPERS
    elif structure.kind in _ANY_HEADING:
        wrappers = _HEADING_WRAPPERS
    while levels and tags[around] in wrappers and path[around] not in beside:
        around, levels = around - 1, levels - 1
    return around


def _steps(page: Page) -> list[tuple[int, str]]:
    """Return per path of the page the step of the structure to which a block belongs, and its kind,
    as in :class:`_Structure`; 0 and "" if it belongs to none.
    """
    pairs = page.paths.pairs
    steps = [_step(tags) for tags, _ in pairs]
    in_h1 = [i for i, (_, kind) in enumerate(steps) if kind == _H1]
    if in_h1 and np.bincount(page.path_places)[in_h1].sum() < _MIN_H1:
        for i in in_h1:
            steps[i] = _NO_STEP
    named = {words: _named(words) for words in _of_structures.on(page)}
    for place, (tags, class_words) in enumerate(pairs) if named else ():
        if named.keys().isdisjoint(class_words):
            continue
        kinds = [*map(named.get, class_words)]
        if _PROFILE in kinds:
            steps[place] = (0, "")
            continue
        boxes = [i for i, kind in enumerate(kinds) if kind == _BOX and tags[i] not in _NO_BOX_TAGS]
        if boxes and boxes[-1] > 1:
            steps[place] = (next(i for i in boxes if i > 1), _BOX)
        elif _QUESTION in kinds[2:] and steps[place][1] in ("", _LABEL):
            steps[place] = (kinds.index(_QUESTION, 2), _QUESTION)
    return steps


@lru_cache(maxsize=1 << 12)  # pages of a site have the same class words
def _named(class_words: str) -> str:
    """Return what the class words of an element name: a profile, a box, a question, or ""."""
    if _PROFILES.search(class_words):
        return _PROFILE
    if _BOXES.search(class_words):
        return _BOX
    return _QUESTION if _QUESTIONS.search(class_words) else ""


_of_structures = ClassNames(_STEMS, _named)


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _step(tags: Ancestors) -> tuple[int, str]:
    """Return the step and the kind of the structure of a block by the tags around it; the ``h1`` or
    the figure if there is no other, and 0 and "" if it is in none.
    """
    step, kind = _NO_STEP if _MAKING.isdisjoint(tags) else _step_but_h1(tags)
    if not step and _H1 in tags:
        return tags.index(_H1), _H1
    return (tags.index("figure"), _LABEL) if not step and "figure" in tags else (step, kind)


def _step_but_h1(tags: Ancestors) -> tuple[int, str]:
    """Return the same without ``h1``."""
    if "details" in tags:
        return tags.index("details"), _BOX
    if "figure" in tags:
        step = tags.index("figure")
        if not _IN_FIGURE.isdisjoint(tags[step:]):
            return step, _CODE
        if "blockquote" in tags[step:]:
            return step, _QUOTED
        if "figcaption" in tags:
            return step, _CAPTION
    if not _STRUCTURES.isdisjoint(tags):
        step = max(step for step, tag in enumerate(tags) if tag in _STRUCTURES)
    else:
        step = next((step for step, tag in enumerate(tags) if tag in _ALONE), 0)
    return step, tags[step] if step else ""
