"""How far two readings of one page agree in blocks and labels."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple


class Read(NamedTuple):
    """A block as it was read."""

    text: str
    tags: tuple[str, ...]
    label: str


class Agreement(NamedTuple):
    """Counts of one page, or of several."""

    blocks: int
    """Blocks of both readings together."""
    same_text: int
    """Blocks that the other reading has, too, in the same order."""
    same_tags: int
    """Those of ``same_text`` that are in the same elements, too."""
    same_label: int
    """Those of ``same_text`` that have the same label, too."""

    @property
    def text(self) -> float:
        """The share of blocks with the same text, in [0, 1]."""
        return self.same_text / self.blocks if self.blocks else 1.0

    @property
    def tags(self) -> float:
        """The share of these that are in the same elements, in [0, 1]."""
        return self.same_tags / self.same_text if self.same_text else 1.0

    @property
    def labels(self) -> float:
        """The share of the blocks with the same text that have the same label, in [0, 1]."""
        return self.same_label / self.same_text if self.same_text else 1.0

    def __add__(self, other: Agreement) -> Agreement:  # type: ignore[override]
        return Agreement(*(a + b for a, b in zip(self, other, strict=True)))


def agreement(*readings: Sequence[Read]) -> Agreement:
    """Return how far two readings agree."""
    one, other = readings
    texts = ([block.text for block in reading] for reading in readings)
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    pairs = [
        (match.a + i, match.b + i) for match in matcher.get_matching_blocks()
        for i in range(match.size)
    ]  # fmt: skip
    tags = sum(one[a].tags == other[b].tags for a, b in pairs)
    labels = sum(one[a].label == other[b].label for a, b in pairs)
    return Agreement(len(one) + len(other), 2 * len(pairs), 2 * tags, 2 * labels)
