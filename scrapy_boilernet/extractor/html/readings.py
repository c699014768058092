"""What is read of some elements instead of their texts: the TeX of formulas, the characters of
images of emoji, the labels of note marks, fractions in one line, and nothing of the numbers of
lines of code, of signs that link to their heading or open what follows it, of hints over a
sentence, of the marks of Word's lists, of the names of icons, and of what a wiki writes for its
editors. Addresses of links in pieces are read whole, and cards of bookmarks as one text. The
labels of tabs are read in their panels, and titles in attributes before the text that they open.
Code without a ``<pre>`` is read as one, icons in cells of tables as what they say, quotes in posts
as ``<blockquote>``, boxes that scripts fill as frames, and what a style raises or lowers as
``<sup>`` or ``<sub>``. For Markdown and HTML, also what is a callout, and which items of lists are
posts, or have boxes to tick.

Most pages have none: a look at the bytes of a page tells whether there can be any.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html import (
    aria,
    cells,
    classifiers,
    code,
    code_changes,
    code_labels,
    code_tables,
    controls,
    embed_boxes,
    emoji,
    equations,
    fields,
    formulas,
    heading_separators,
    icon_words,
    link_texts,
    linked_notes,
    list_pieces,
    listings,
    mail_fields,
    map_tiles,
    note_links,
    permalinks,
    poem_lines,
    post_lists,
    quotes,
    raising,
    remarks,
    selects,
    side_notes,
    tabs,
    tasks,
    titles_in_attributes,
    tooltips,
    word_lists,
)
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.invisible import HYPHEN_SIGNS, ZERO_WIDTH_SIGNS
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.scan import SignFinder

Readings = Mapping[etree._Element, Reading]
signs_in = SignFinder(
    {
        *HYPHEN_SIGNS,
        *ZERO_WIDTH_SIGNS,
        *code.SIGNS,
        *code_changes.SIGNS,
        *code_labels.SIGNS,
        *code_tables.SIGNS,
        *controls.SIGNS,
        *embed_boxes.SIGNS,
        *emoji.SIGNS,
        *equations.SIGNS,
        *fields.SIGNS,
        *formulas.SIGNS,
        *heading_separators.SIGNS,
        *aria.SIGNS,
        *cells.SIGNS,
        *classifiers.SIGNS,
        *classifiers.SIGNATURE_SIGNS,
        *icon_words.SIGNS,
        *link_texts.SIGNS,
        *linked_notes.SIGNS,
        *list_pieces.SIGNS,
        *list_pieces.STYLE_SIGNS,
        *listings.SIGNS,
        *mail_fields.SIGNS,
        *map_tiles.SIGNS,
        *note_links.SIGNS,
        *permalinks.SIGNS,
        *poem_lines.SIGNS,
        *post_lists.SIGNS,
        *quotes.SIGNS,
        *raising.SIGNS,
        *raising.STACK_SIGNS,
        *raising.STACK_TAGS,
        *remarks.SIGNS,
        *selects.SIGNS,
        *side_notes.SIGNS,
        *tabs.SIGNS,
        *tasks.SIGNS,
        *titles_in_attributes.SIGNS,
        *tooltips.SIGNS,
        *word_lists.SIGNS,
    }
)

_Elements = Elements | CompiledElements
_Reader = tuple[
    Callable[[AbstractSet[bytes]], bool],
    Callable[[_Elements], dict[etree._Element, Reading]],
]
_FIRST: tuple[_Reader, ...] = (
    (tabs.may_have_tabs, tabs.tabs_of),
    (aria.may_have_aria, aria.aria_of),
    (list_pieces.may_have_list_styles, list_pieces.list_styles_of),
    (titles_in_attributes.may_have_titles, titles_in_attributes.titles_of),
)
_BEFORE_CODE: tuple[_Reader, ...] = (
    (word_lists.may_have_word_lists, word_lists.word_lists_of),
    (quotes.may_have_quotes, quotes.quotes_of),
    (poem_lines.may_have_poem_lines, poem_lines.poem_lines_of),
)
_AFTER_CODE: tuple[_Reader, ...] = (
    (permalinks.may_have_permalinks, permalinks.permalinks_of),
    (controls.may_have_controls, controls.controls_of),
    (heading_separators.may_have_separators, heading_separators.separators_of),
    (remarks.may_have_remarks, remarks.remarks_of),
    (embed_boxes.may_have_boxes, embed_boxes.boxes_of),
    (map_tiles.may_have_tiles, map_tiles.tiles_of),
    (icon_words.may_have_icon_words, icon_words.icon_words_of),
    (link_texts.may_have_link_texts, link_texts.link_texts_of),
    (fields.may_have_fields, fields.fields_of),
    (selects.may_have_selects, selects.selects_of),
    (classifiers.may_have_classifiers, classifiers.classifiers_of),
    (tooltips.may_have_tooltips, tooltips.tooltips_of),
    (classifiers.may_have_signatures, classifiers.signatures_of),
)
"""Readings that need only the elements, each with whether a page with some signs may have any."""


def readings_of(
    roots: Sequence[etree._Element],
    body: bytes,
    signs: AbstractSet[bytes],
    markup: bool = False,
    elements: _Elements | None = None,
) -> Readings:
    """Return what is read of elements of a page instead of their texts; mostly nothing.

    ``body``: the page as UTF-8. ``signs``: what ``signs_in`` finds in it. ``markup``: whether the
    roles of elements are wanted, too. ``elements``: the elements of the roots, if they are known.
    """
    elements = CompiledElements(roots) if elements is None else elements
    readings = _of_names(elements, signs, _FIRST)
    readings |= _roles(elements, signs) if markup else {}
    readings |= _of_names(elements, signs, _BEFORE_CODE)
    readings |= _of_code(elements, signs)
    readings |= _of_names(elements, signs, _AFTER_CODE)
    if raising.may_have_raised(signs):
        readings |= raising.raised_of(elements, body)
    if raising.may_have_stacked(signs):
        readings |= raising.stacked_of(elements)
    if note_links.may_have_notes(signs):
        readings |= note_links.notes_of(elements)
    if side_notes.may_have_side_notes(signs):
        readings |= side_notes.side_notes_of(roots, readings)
    if emoji.may_have_emoji(signs):
        readings |= emoji.emoji_of(roots)
    if cells.may_have_cells(signs):
        readings |= cells.cells_of(elements)
    if formulas.may_have_formulas(signs):
        readings |= formulas.formulas_of(elements, signs)
    if equations.may_have_equations(signs):
        readings |= equations.equations_of(elements, signs, readings)
    return readings


def _of_names(
    elements: _Elements, signs: AbstractSet[bytes], readers: Sequence[_Reader]
) -> dict[etree._Element, Reading]:
    """Return the readings of these readers."""
    found: dict[etree._Element, Reading] = {}
    for may_have, read in readers:
        if may_have(signs):
            found |= read(elements)
    return found


def _of_code(elements: _Elements, signs: AbstractSet[bytes]) -> dict[etree._Element, Reading]:
    """Return what is read of code in other elements than ``<pre>``, and of what is beside code."""
    found = listings.listings_of(elements) if listings.may_have_listings(signs) else {}
    if not found and code.MAY_BE not in signs:
        return found
    labels = code_labels.labels_of(elements, found, signs)
    lines = code.code_lines_of(elements)
    if code_tables.may_have_code_tables(signs):
        lines |= code_tables.code_tables_of(elements)
    if code_changes.may_have_code_changes(signs):
        lines |= code_changes.changes_of(elements, found)
    if found or code.may_have_gutters(signs):
        return found | labels | lines | code.gutters_of(elements, found)
    return labels | lines


def _roles(elements: _Elements, signs: AbstractSet[bytes]) -> dict[etree._Element, Reading]:
    """Return the readings of callouts, of their titles, of lists in pieces, and of items that are
    posts, or that have boxes to tick.
    """
    # Loaded only if formats are asked for, so a crawl of plain text starts sooner.
    from scrapy_boilernet.extractor.html.callouts import callouts_of

    found = callouts_of(elements)
    if list_pieces.may_have_pieces(signs):
        found |= list_pieces.pieces_of(elements)
    if post_lists.may_have_post_lists(signs):
        found |= post_lists.posts_of(elements)
    return found if signs.isdisjoint(tasks.SIGNS) else found | tasks.tasks_of(elements)
