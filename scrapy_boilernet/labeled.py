"""``LabeledPage``: a page, one label and one probability per block, and who said so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from scrapy_boilernet.page import Block, Page
from scrapy_boilernet.render import to_text

Label = Literal["content", "boilerplate"]
CONTENT: Label = "content"
BOILERPLATE: Label = "boilerplate"


@dataclass(frozen=True)
class LabeledPage:
    """A page with its labels; the same type comes from annotation and from a labeler.

    ``labels`` and ``probabilities`` have one entry per block of ``page.blocks``; other lengths
    raise ``ValueError``.
    """

    page: Page
    labels: tuple[Label, ...]
    probabilities: tuple[float, ...]
    """P(content) per block, in [0, 1]."""
    confidence: float
    """The model's estimate of the page's word-F1, in [0, 1]; 0.0 where no block is content."""
    model: str
    """Name of the model that spoke, such as ``"default"``."""
    threshold: float
    """A block with at least this probability is content."""

    def __post_init__(self) -> None:
        blocks, labels, probabilities = (
            len(self.page.blocks),
            len(self.labels),
            len(self.probabilities),
        )
        if not blocks == labels == probabilities:
            raise ValueError(
                f"a labeled page needs one label and one probability per block, got {labels} "
                f"labels and {probabilities} probabilities for {blocks} blocks"
            )

    @classmethod
    def from_probabilities(
        cls,
        page: Page,
        probabilities: Sequence[float],
        threshold: float,
        confidence: float,
        model: str,
    ) -> LabeledPage:
        """Return the page with every block of probability >= ``threshold`` labeled content."""
        return cls(
            page=page,
            labels=tuple(CONTENT if p >= threshold else BOILERPLATE for p in probabilities),
            probabilities=tuple(float(p) for p in probabilities),
            confidence=confidence,
            model=model,
            threshold=threshold,
        )

    @property
    def content(self) -> tuple[Block, ...]:
        """The blocks labeled content, in document order."""
        pairs = zip(self.page.blocks, self.labels, strict=True)
        return tuple(block for block, label in pairs if label == CONTENT)

    @cached_property
    def text(self) -> str:
        """The main text: paragraphs, headings, list items and table rows on lines of their own."""
        return to_text(self.content)

    def block_labels(self) -> list[dict[str, str | float]]:
        """Return per block its text, label, probability (4 decimals) and XPath, as plain JSON.

        A new list of new dicts at each call, for an item to own.
        """
        return [dict(row) for row in self.rows]

    @cached_property
    def rows(self) -> tuple[dict[str, str | float], ...]:
        """What :meth:`block_labels` copies, made once."""
        blocks = zip(self.page.blocks, self.labels, self.probabilities, strict=True)
        return tuple(
            {"text": b.text, "label": label, "probability": round(p, 4), "xpath": b.xpath}
            for b, label, p in blocks
        )
