"""What is read of some elements instead of their texts: the TeX of formulas, the characters of
images of emoji, the labels of note marks, and nothing of the numbers of lines of code and of
signs that link to their heading. Code without a ``<pre>`` is read as one. For Markdown and HTML,
also what is a callout, and which items of lists have boxes to tick.

Most pages have none: a look at the bytes of a page tells whether there can be any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from lxml import etree

from scrapy_boilernet.extractor.html import (
    code,
    emoji,
    formulas,
    listings,
    note_links,
    permalinks,
    side_notes,
)
from scrapy_boilernet.extractor.html.code import gutters_of, may_have_gutters
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.emoji import emoji_of, may_have_emoji
from scrapy_boilernet.extractor.html.formulas import formulas_of, may_have_formulas
from scrapy_boilernet.extractor.html.invisible import HYPHEN_SIGNS
from scrapy_boilernet.extractor.html.listings import listings_of, may_have_listings
from scrapy_boilernet.extractor.html.note_links import may_have_notes, notes_of
from scrapy_boilernet.extractor.html.permalinks import may_have_permalinks, permalinks_of
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.html.side_notes import may_have_side_notes, side_notes_of

Readings = Mapping[etree._Element, Reading]
_TASK_SIGN = b"checkbox"
signs_in = SignFinder(
    {
        _TASK_SIGN,
        *HYPHEN_SIGNS,
        *code.SIGNS,
        *emoji.SIGNS,
        *formulas.SIGNS,
        *listings.SIGNS,
        *note_links.SIGNS,
        *permalinks.SIGNS,
        *side_notes.SIGNS,
    }
)


def readings_of(
    roots: Sequence[etree._Element],
    body: bytes,
    signs: AbstractSet[bytes],
    markup: bool = False,
    elements: Elements | CompiledElements | None = None,
) -> Readings:
    """Return what is read of elements of a page instead of their texts; mostly nothing.

    ``body``: the page as UTF-8. ``signs``: what ``signs_in`` finds in it. ``markup``: whether the
    roles of elements are wanted, too. ``elements``: the elements of the roots, if they are known.
    """
    elements = CompiledElements(roots) if elements is None else elements
    readings = _roles(elements, signs) if markup else {}
    in_lines = listings_of(elements) if may_have_listings(signs) else {}
    if in_lines or may_have_gutters(signs):
        readings |= in_lines | gutters_of(roots, in_lines)
    if may_have_permalinks(signs):
        readings |= permalinks_of(elements)
    if may_have_notes(signs, body):
        readings |= notes_of(roots)
    if may_have_side_notes(signs):
        used = {reading.label for reading in readings.values() if reading.label}
        readings |= side_notes_of(roots, used)
    if may_have_emoji(signs):
        readings |= emoji_of(roots)
    return readings | formulas_of(roots, signs) if may_have_formulas(signs) else readings


def _roles(
    elements: Elements | CompiledElements, signs: AbstractSet[bytes]
) -> dict[etree._Element, Reading]:
    """Return the readings of callouts, of their titles, and of items with boxes to tick."""
    # Loaded only if formats are asked for, so a crawl of plain text starts sooner.
    from scrapy_boilernet.extractor.html.callouts import callouts_of
    from scrapy_boilernet.extractor.html.tasks import tasks_of

    found = callouts_of(elements)
    return found | tasks_of(elements) if _TASK_SIGN in signs else found
