"""Why a block has its label: what each labeler says of it, in one form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from scrapy_boilernet.page import Page


class Reason(NamedTuple):
    """One thing about a block that weighed in its label."""

    feature: str
    """Its name, readable by a person, such as ``"link density"``."""
    value: str
    """What it is of this block, such as ``"0.83"``; "" if the name says it all."""
    weight: float
    """How much it speaks for content (above 0) or boilerplate (below 0). Comparable within a
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
