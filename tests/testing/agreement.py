"""How alike the blocks and labels are that two readings of one page give."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple


class Agreement(NamedTuple):
    """Counts of one page, or of several."""

    blocks: int
    """Of both readings together."""
    same_text: int
    """Of both together those that the other one has, too, in the same order."""
    same_label: int
    """Of these those that have the same label, too."""

    @property
    def text(self) -> float:
        """The share of blocks with the same text, in [0, 1]."""
        return self.same_text / self.blocks if self.blocks else 1.0

    @property
    def labels(self) -> float:
        """The share of these that have the same label, in [0, 1]."""
        return self.same_label / self.same_text if self.same_text else 1.0

    def __add__(self, other: Agreement) -> Agreement:  # type: ignore[override]
        return Agreement(*(a + b for a, b in zip(self, other, strict=True)))


def agreement(
    texts: tuple[Sequence[str], Sequence[str]], labels: tuple[Sequence[Any], Sequence[Any]]
) -> Agreement:
    """Return how alike two readings are, each given by its texts and labels."""
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    pairs = [
        (match.a + i, match.b + i) for match in matcher.get_matching_blocks()
        for i in range(match.size)
    ]  # fmt: skip
    same = sum(labels[0][a] == labels[1][b] for a, b in pairs)
    return Agreement(len(texts[0]) + len(texts[1]), 2 * len(pairs), 2 * same)
