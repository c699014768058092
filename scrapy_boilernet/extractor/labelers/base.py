"""The labeler protocol, the reasons for a label, and the error of a model that cannot be loaded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.options import Favor, Units
from scrapy_boilernet.extractor.page import Page


class Reason(NamedTuple):
    """A feature of a block that affected its label."""

    feature: str
    """The name of the feature, readable by a person, such as ``"link density"``."""
    value: str
    """The value for this block, such as ``"0.83"``; "" if the name is enough."""
    weight: float
    """How much it weighs for content (above 0) or boilerplate (below 0). Weights are comparable
    within a labeler; they are in logits if the labeler has logits."""


@runtime_checkable
class Explaining(Protocol):
    """A labeler that gives the reasons for its labels."""

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block its reasons, the weightiest first; an empty page gives []."""
        ...


def weightiest(reasons: Sequence[Reason], most: int) -> list[Reason]:
    """Return at most ``most`` reasons by falling absolute weight, without those of weight 0."""
    weighty = [reason for reason in reasons if reason.weight]
    return sorted(weighty, key=lambda reason: -abs(reason.weight))[:most]


LABELER_PARTS = ("name", "units", "probabilities", "threshold_for", "confidence")
"""The attributes that a labeler must have; see :class:`Labeler`."""


def judges_comments(labeler: Labeler) -> bool:
    """Return whether this labeler has learned which comments of readers are content.

    ``comments = "auto"`` asks its probabilities then. A labeler says so by an attribute of this
    name; without it, it has not.
    """
    return bool(getattr(labeler, "judges_comments", False))


SET_MODEL = "set BOILERNET_MODEL to"
"""How a crawl names its model, for messages."""


class ModelError(Exception):
    """A model is missing, broken or made for another version; the message names the remedy."""


class Labeler(Protocol):
    """An object that scores blocks.

    It is deterministic, and a page's scores do not depend on the other pages in a batch.
    """

    name: str
    """The name of the labeler in results, such as ``"default"``."""
    units: Units
    """The units that pages must be blockified into."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        ...

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        """Return the probability from which the page's blocks are content, in [0, 1].

        If no block is content, the probability that a block would have had to reach.
        """
        ...

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        """Return the expected word-F1 of keeping the blocks that ``kept`` marks, in [0, 1]."""
        ...
