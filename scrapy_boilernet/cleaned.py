"""A labeled page as CleanEval wants it cleaned: a line per segment, begun by its tag."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from scrapy_boilernet.classical.segments import OTHER, markup_labels, tagged_text, without_orphans
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers import Labeler
from scrapy_boilernet.page import Page


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
