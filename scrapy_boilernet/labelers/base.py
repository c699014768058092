"""What a labeler is, and what goes wrong when one is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.page import Page, Units


class ModelError(Exception):
    """A model is missing, broken or made for another version; the message names the remedy."""


class Labeler(Protocol):
    """Scores blocks. Deterministic, and a page's scores never depend on its batch neighbours."""

    name: str
    """What results say of who spoke, such as ``"default"``."""
    units: Units
    """The units that pages must be blockified into."""
    threshold: float
    """The probability from which a block is content, chosen on held-out pages."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        ...

    def confidence(self, page: Page, probabilities: NDArray[np.float32], threshold: float) -> float:
        """Return the expected word-F1 of the blocks from ``threshold`` up, in [0, 1]."""
        ...
