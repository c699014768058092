"""Segments in CleanEval's form: which leaf begins a header, paragraph or list item, and as text.

CleanEval's cleaned pages mark where a segment begins, ``<h>``, ``<p>`` or ``<l>`` (Baroni et al.,
LREC 2008); Victor (Marek, Pecina and Spousta 2007) labels blocks by it, with one more label for
what goes on with the segment before, and one for boilerplate.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from numpy.typing import NDArray

from scrapy_boilernet.html.walk import INLINE_TAGS
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers.registry import Labeler
from scrapy_boilernet.page import Block, Page

HEADER, PARAGRAPH, LIST, CONTINUATION, OTHER = (
    "header", "paragraph", "list", "continuation", "other",
)  # fmt: skip
LABELS = (HEADER, PARAGRAPH, LIST, CONTINUATION, OTHER)
TAG_OF = {HEADER: "h", PARAGRAPH: "p", LIST: "l"}
"""CleanEval's tag for each label that begins a segment."""

HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
ITEM_TAGS = frozenset("li dt dd".split())
_CLOSING = re.compile(r"[,.;:!?%)\]}»”…]|['’](?:s|t|re|ve|ll|d|m)\b")
"""What a text begins with that belongs to the word before."""
_OPENING = re.compile(r"[(\[{«“$#]$")


def markup_labels(page: Page, kept: Sequence[bool] | NDArray[Any]) -> tuple[str, ...]:
    """Return a label per block of a page of either units, from the markup of what is kept.

    A kept block inside ``h1`` to ``h6`` is a header, inside ``li``, ``dt`` or ``dd`` a list, else a
    paragraph; leaves after the first kept one of a block-level element continue it, unless another
    element's leaf stands between. What is not kept is other.
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
    """Return the number of the innermost block-level element around the block's text; 0: none."""
    place = element_place(block.tags)
    return block.nodes[place] if place else 0


def element_place(tags: Sequence[str]) -> int:
    """Return the place of the innermost block-level tag, counted from the end: -1; 0 for none."""
    for place in range(-1, -len(tags) - 1, -1):
        if tags[place] not in INLINE_TAGS:
            return place
    return 0


def segment_kind(tags: Sequence[str]) -> str:
    """Return what a segment inside of these elements is: header, list or paragraph."""
    for tag in reversed(tags):
        if tag in HEADING_TAGS:
            return HEADER
        if tag in ITEM_TAGS:
            return LIST
    return PARAGRAPH


def without_orphans(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels with each continuation that no segment precedes as a paragraph.

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
    for a label that there is not, or a number of labels that is not that of the blocks.
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

    ``labels`` and errors: see :func:`segments`. "" where all is boilerplate.
    """
    return "\n".join(f"<{tag}>{text}" for tag, text in segments(page, labels))


def joined(texts: Sequence[str]) -> str:
    """Return pieces of one segment as a text, white space collapsed.

    A page's leaves have lost the white space around them, so punctuation says where none was.

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
    """A labeler that tells headers, paragraphs, list items and their continuations apart."""

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        """Return per block one of :data:`scrapy_boilernet.classical.segments.LABELS`."""
        ...


def cleaned_text(labeled: LabeledPage, labeler: Labeler) -> str:
    """Return the content with ``<h>``, ``<p>`` or ``<l>`` before each segment; "" for none.

    What a segment is says the labeler, if it tells them apart, else the markup alone.
    """
    kept = [label == CONTENT for label in labeled.labels]
    labels = markup_labels(labeled.page, kept)
    if isinstance(labeler, Segmenting):
        told = labeler.segment_labels(labeled.page)
        pairs = zip(labels, told, strict=True)
        labels = without_orphans([a if OTHER in (a, b) else b for a, b in pairs])
    return tagged_text(labeled.page, labels)
