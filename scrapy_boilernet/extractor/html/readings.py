"""What is read of some elements instead of their texts: the TeX of formulas, the characters of
images of emoji, the labels of note marks, and nothing of the numbers of lines of code and of signs
that link to their heading.

Most pages have none: a look at the bytes of a page tells whether there can be any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from scrapy_boilernet.extractor.html.code import gutters_of, may_have_gutters
from scrapy_boilernet.extractor.html.emoji import emoji_of, may_have_emoji
from scrapy_boilernet.extractor.html.formulas import formulas_of, may_have_formulas
from scrapy_boilernet.extractor.html.note_links import may_have_notes, notes_of
from scrapy_boilernet.extractor.html.permalinks import may_have_permalinks, permalinks_of
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.options import Units

Readings = Mapping[etree._Element, Reading]


def readings_of(roots: Sequence[etree._Element], body: bytes, units: Units = "block") -> Readings:
    """Return what is read of elements of a page instead of their texts; mostly nothing.

    ``body``: the page as UTF-8.
    """
    if units != "block":
        return {}
    readings = gutters_of(roots) if may_have_gutters(body) else {}
    if may_have_permalinks(body):
        readings |= permalinks_of(roots)
    if may_have_notes(body):
        readings |= notes_of(roots)
    if may_have_emoji(body):
        readings |= emoji_of(roots)
    return readings | formulas_of(roots, body) if may_have_formulas(body) else readings
