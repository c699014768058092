"""What a labeler is, why a block has its label, and what goes wrong when one is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.options import Favor
from scrapy_boilernet.page import Page, Units


class Reason(NamedTuple):
    """One thing about a block that weighed in its label."""

    feature: str
    """Its name, readable by a person, such as ``"link density"``."""
    value: str
    """What it is of this block, such as ``"0.83"``; "" if the name says it all."""
    weight: float
    """How much it weighs for content (above 0) or boilerplate (below 0). Comparable within a
    labeler; in logits where the labeler has such."""


@runtime_checkable
class Explaining(Protocol):
    """A labeler that can say why."""

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block its reasons, those that weighed most first; an empty page gives []."""
        ...


def weightiest(reasons: Sequence[Reason], most: int) -> list[Reason]:
    """Return at most ``most`` reasons by falling weight either way, none of weight 0."""
    told = [reason for reason in reasons if reason.weight]
    return sorted(told, key=lambda reason: -abs(reason.weight))[:most]


LABELER_PARTS = ("name", "units", "probabilities", "threshold_for", "confidence")
"""What a labeler must have; see :class:`Labeler`."""


class ModelError(Exception):
    """A model is missing, broken or made for another version; the message names the remedy."""


class Labeler(Protocol):
    """Scores blocks. Deterministic, and a page's scores never depend on its batch neighbours."""

    name: str
    """What results say of who spoke, such as ``"default"``."""
    units: Units
    """The units that pages must be blockified into."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        ...

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        """Return the probability from which the page's blocks are content, in [0, 1].

        Where none is content, what a block would have had to reach.
        """
        ...

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the expected word-F1 of keeping the blocks that ``kept`` marks, in [0, 1]."""
        ...
