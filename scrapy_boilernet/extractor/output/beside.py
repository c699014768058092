"""Blocks that Markdown and HTML have although they are no content: the headline, and the captions
of pictures.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from itertools import compress, islice
from operator import attrgetter
from typing import NamedTuple

from scrapy_boilernet.extractor.decide.headline import headline_lines
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.markup import Picture
from scrapy_boilernet.extractor.options import BlockKind
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_NEAR, _BEGIN = 2, 3
"""Blocks that may stand between a picture and its caption, such as a credit; and how many blocks
are the beginning of the content."""


class Beside(NamedTuple):
    """The blocks of a page that may be written beside its content."""

    headline: Sequence[int] = ()
    """Indexes of the lines that are written as a heading of level 1, whether or not they are
    content; (): none."""
    captions: Collection[int] = ()
    """Indexes of captions that are no content. Each is written below or above its picture, if that
    is written."""
    is_post: bool = False
    """Whether the page is one post, which may begin and end with any picture."""


def beside_of(result: LabeledPage, wanted: Collection[BlockKind]) -> Beside:
    """Return the page's blocks of these kinds, ``"title"`` and ``"caption"``.

    There are none without content, and none that the rule of the site drops.
    """
    kinds, site = result.kinds, result.page.site
    if not any(result.kept):
        return Beside()
    headline = _headline(result) if "title" in wanted else []
    captions: list[int] = []
    if "caption" in wanted and "caption" in kinds:
        captions = [i for i, keep in enumerate(result.kept) if kinds[i] == "caption" and not keep]
    if site is not None:
        headline = [i for i in headline if not site.drops(i)]
        captions = [i for i in captions if not site.drops(i)]
    return Beside(headline, captions)


def _headline(result: LabeledPage) -> list[int]:
    """Return the lines of the headline; if it is no content, the heading that repeats it at the
    beginning of the content, if there is one.
    """
    lines = headline_lines(result.page, result.kinds)
    if len(lines) != 1 or result.kept[lines[0]]:
        return lines
    texts, (pairs, places) = result.page.texts, result.page.paths
    begin = islice(compress(range(len(texts)), result.kept), _BEGIN)
    repeats = (
        i
        for i in begin
        if texts[i] == texts[lines[0]] and not HEADING_TAGS.isdisjoint(pairs[places[i]][0])
    )
    return [*islice(repeats, 1)] or lines


def with_captions(
    kept: Sequence[bool],
    captions: Collection[int],
    pictures: Sequence[Picture],
    blocks: Sequence[Block],
) -> Sequence[bool]:
    """Return ``kept`` with the captions of pictures.

    A picture stands directly before its caption, or near to it in an element that holds neither the
    kept block before the caption nor the one after it. ``pictures``: those that are written, in
    document order.
    """
    if not (captions and pictures):
        return kept
    kept_indexes = [i for i, keep in enumerate(kept) if keep]
    written = [*kept]
    for i in captions:
        place = bisect_left(kept_indexes, i)
        around = {n for k in kept_indexes[max(0, place - 1) : place + 1] for n in blocks[k].nodes}
        apart = next((node for node in blocks[i].nodes if node not in around), 0)
        first = bisect_left(pictures, i - _NEAR, key=attrgetter("before"))
        last = bisect_left(pictures, i + _NEAR + 2, key=attrgetter("before"))
        near = pictures[first:last]
        written[i] = any(one.before == i or (apart and apart in one.nodes) for one in near)
    return written
