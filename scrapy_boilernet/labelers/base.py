"""What a labeler is, and what goes wrong when one is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.choices import Favor
from scrapy_boilernet.page import Page, Units

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
