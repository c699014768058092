"""Segments in CleanEval's format: headers, paragraphs and list items, as labels and as text.

CleanEval's cleaned pages mark the beginning of each segment with ``<h>``, ``<p>`` or ``<l>``
(Baroni et al., LREC 2008). Victor (Marek, Pecina and Spousta 2007) has a label for each of these,
one for blocks that continue the segment before, and one for boilerplate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block, Page

HEADER, PARAGRAPH, LIST, CONTINUATION, OTHER = (
    "header", "paragraph", "list", "continuation", "other",
)  # fmt: skip
LABELS = (HEADER, PARAGRAPH, LIST, CONTINUATION, OTHER)
TAG_OF = {HEADER: "h", PARAGRAPH: "p", LIST: "l"}
"""CleanEval's tag for each label that begins a segment."""

ITEM_TAGS = frozenset("li dt dd".split())
_CLOSING = re.compile(r"[,.;:!?%)\]}»”…]|['’](?:s|t|re|ve|ll|d|m)\b")
"""The beginning of a text that follows the text before without a space."""
_OPENING = re.compile(r"[(\[{«“$#]$")


def markup_labels(page: Page, kept: Sequence[bool] | NDArray[Any]) -> tuple[str, ...]:
    """Return a label per block from the markup, for pages of either units.

    A kept block is a header inside ``h1`` to ``h6``, a list inside ``li``, ``dt`` or ``dd``, else a
    paragraph. Leaves after the first kept one of a block-level element continue it, unless a leaf
    of another element is between them. Blocks that are not kept are ``"other"``.
    """
    labels: list[str] = []
    element, begun = 0, False
    for block, keep in zip(page.blocks, kept, strict=True):
        if (own := element_of(block)) != element:
            element, begun = own, False
        if not keep:
            labels.append(OTHER)
        elif page.units == "leaf" and begun:
            labels.append(CONTINUATION)
        else:
            labels.append(segment_kind(block.tags))
            begun = True
    return without_orphans(labels)


def element_of(block: Block) -> int:
    """Return the number of the innermost block-level element around the block; 0 for none."""
    place = element_place(block.tags)
    return block.nodes[place] if place else 0


def element_place(tags: Sequence[str]) -> int:
    """Return the place of the innermost block-level tag, counted from the end: -1 and below.

    If there is none, return 0.
    """
    for place in range(-1, -len(tags) - 1, -1):
        if tags[place] not in INLINE_TAGS:
            return place
    return 0


def segment_kind(tags: Sequence[str]) -> str:
    """Return the kind of a segment inside these elements: header, list or paragraph."""
    for tag in reversed(tags):
        if tag in HEADING_TAGS:
            return HEADER
        if tag in ITEM_TAGS:
            return LIST
    return PARAGRAPH


def without_orphans(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, with continuations that no segment precedes turned into paragraphs.

    >>> without_orphans(["other", "continuation", "continuation"])
    ('other', 'paragraph', 'continuation')
    """
    fixed, begun = [], False
    for label in labels:
        fixed.append(PARAGRAPH if label == CONTINUATION and not begun else label)
        begun = begun or label != OTHER
    return tuple(fixed)


def segments(page: Page, labels: Sequence[str]) -> list[tuple[str, str]]:
    """Return the segments of the labeled blocks: (``"h"``, ``"p"`` or ``"l"``, text).

    A continuation is joined to the segment before, also across boilerplate. Raises ``ValueError``
    for an unknown label, or if there are not as many labels as blocks.
    """
    if unknown := set(labels) - set(LABELS):
        raise ValueError(f"labels {sorted(unknown)!r}: each must be one of {LABELS}")
    parts: list[tuple[str, list[str]]] = []
    for block, label in zip(page.blocks, without_orphans(labels), strict=True):
        if label == CONTINUATION:
            parts[-1][1].append(block.text)
        elif label != OTHER:
            parts.append((TAG_OF[label], [block.text]))
    return [(tag, joined(texts)) for tag, texts in parts]


def tagged_text(page: Page, labels: Sequence[str]) -> str:
    """Return the cleaned page: a line per segment that begins ``<h>``, ``<p>`` or ``<l>``.

    Return "" if all blocks are boilerplate. For ``labels`` and errors see :func:`segments`.
    """
    return "\n".join(f"<{tag}>{text}" for tag, text in segments(page, labels))


def joined(texts: Sequence[str]) -> str:
    """Return the texts of one segment as one text, with collapsed white space.

    Leaves have no white space around them, so punctuation decides where none is added.

    >>> joined(["See", "the map", ", or (", "here", ")."])
    'See the map, or (here).'
    """
    parts: list[str] = []
    for text in texts:
        if parts and not _CLOSING.match(text) and not _OPENING.search(parts[-1]):
            parts.append(" ")
        parts.append(text)
    return " ".join("".join(parts).split())


@runtime_checkable
class Segmenting(Protocol):
    """A labeler that distinguishes headers, paragraphs, list items and their continuations."""

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        """Return per block one of :data:`LABELS`."""
        ...


def cleaned_text(labeled: LabeledPage, labeler: Labeler) -> str:
    """Return the content with ``<h>``, ``<p>`` or ``<l>`` before each segment; "" for none.

    The labeler gives the kinds of segments if it is :class:`Segmenting`, else the markup does.
    """
    kept = labeled.kept
    labels = markup_labels(labeled.page, kept)
    if isinstance(labeler, Segmenting):
        pairs = zip(labels, labeler.segment_labels(labeled.page), strict=True)
        labels = without_orphans(
            [by_markup if OTHER in (by_markup, given) else given for by_markup, given in pairs]
        )
    return tagged_text(labeled.page, labels)
