"""Why a page's blocks have their labels: a labeled page and what its labeler says of why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import NamedTuple

from scrapy_boilernet.decide.kinds import Kind
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.labelers.base import Explaining, Reason
from scrapy_boilernet.labelers.registry import Labeler, engine_of
from scrapy_boilernet.labeling import label_page
from scrapy_boilernet.options import LabelOptions
from scrapy_boilernet.page import Page

NO_REASONS = "This labeler gives no reasons: there are labels and probabilities only."
FOUND_BY = {
    "model": "the model",
    "hidden": "the model, in text that the page hides: most of its content is",
    "json-ld": "json-ld, since the model kept nothing: what the page's JSON-LD quotes",
    "lower-threshold": "lower-threshold, since the model kept nothing: the threshold was lowered",
    "main-element": "main-element, since the model kept nothing: the paragraphs of main or article",
    "nothing": "nothing: no block is content",
}
"""What :attr:`LabeledPage.source` means."""

# Control characters, halves of pairs, and what turns the direction of the text after it.
_UNSHOWABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Weighed(NamedTuple):
    """What a feature weighed over a page, in its labeler's unit."""

    feature: str
    content: float
    """Sum of its weights where it spoke for content; 0 or more."""
    boilerplate: float
    """The same where it spoke for boilerplate, without the sign."""

    @property
    def total(self) -> float:
        """The sum of its absolute weights."""
        return self.content + self.boilerplate


@dataclass(frozen=True)
class Explanation:
    """A labeled page with what weighed in its labels."""

    labeled: LabeledPage
    reasons: tuple[tuple[Reason, ...], ...] | None
    """Per block, those that weighed most first; None: the labeler gives none."""
    engine: str = ""
    """What ran the model; "" where there is no choice."""
    unit: str = ""
    """What a weight is; "" where the labeler does not say."""

    def __post_init__(self) -> None:
        blocks = len(self.labeled.page.blocks)
        if self.reasons is not None and len(self.reasons) != blocks:
            raise ValueError(
                f"the labeler of model {self.labeled.model!r} gives reasons for "
                f"{len(self.reasons)} blocks of a page that has {blocks}"
            )
        for reason in (reason for reasons in self.reasons or () for reason in reasons):
            if not isfinite(reason.weight):
                raise ValueError(
                    f"the labeler of model {self.labeled.model!r} gives {reason.feature!r} the "
                    f"weight {reason.weight!r}, which is no finite number"
                )

    @cached_property
    def weighed(self) -> tuple[Weighed, ...]:
        """What each feature weighed over the page, the most first; only those that did."""
        sums: dict[str, list[float]] = {}
        for reason in (reason for reasons in self.reasons or () for reason in reasons):
            sums.setdefault(reason.feature, [0.0, 0.0])[reason.weight < 0] += abs(reason.weight)
        weighed = [Weighed(name, *both) for name, both in sums.items() if any(both)]
        return tuple(sorted(weighed, key=lambda each: (-each.total, each.feature)))

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What is to be known of the page as a whole, as (name, value)."""
        labeled = self.labeled
        model = f"{labeled.model} ({self.engine})" if self.engine else labeled.model
        return (
            ("model", model),
            ("threshold", f"{labeled.threshold:.2f}"),
            ("confidence", f"{labeled.confidence:.2f}"),
            ("found by", FOUND_BY[labeled.source]),
            ("content", self._content()),
            *([("a weight is", self.unit)] if self.unit else []),
        )

    def _content(self) -> str:
        labeled = self.labeled
        kinds = Counter(labeled.kinds)
        shown: tuple[Kind, ...] = ("title", "main", "caption", "comment")
        told = [f"{kinds[kind]} {kind}" for kind in shown if kinds[kind]]
        share = f"{len(labeled.content):,} of {len(labeled.labels):,} blocks"
        cut = "; what follows on the page was cut off" if labeled.page.truncated else ""
        return (f"{share}: {', '.join(told)}" if told else share) + cut

    def note(self, place: int) -> str:
        """Return why the block's label is not that of its probability; "" if it is."""
        labeled = self.labeled
        is_content = labeled.labels[place] == CONTENT
        if is_content == (labeled.probabilities[place] >= labeled.threshold):
            return ""
        if labeled.kinds[place] == "hidden":
            return "hidden by the page"
        by_rung = is_content and labeled.source in ("json-ld", "main-element")
        if is_content and not by_rung and labeled.kinds[place] == "main":
            return "with the rest of its table"
        return f"by {labeled.source}" if by_rung else "by a setting on titles, captions or comments"

    def places(self, only: str | None = None, holding: str = "") -> list[int]:
        """Return the places of the blocks with this label, that hold a text in any case."""
        wanted = holding.casefold()
        pairs = zip(self.labeled.page.blocks, self.labeled.labels, strict=True)
        return [
            place
            for place, (block, label) in enumerate(pairs)
            if only in (None, label) and wanted in block.text.casefold()
        ]


def explain(page: Page, labeler: Labeler, options: LabelOptions | None = None) -> Explanation:
    """Return the page labeled, with the labeler's reasons if it gives any.

    The page must be in the labeler's units; raises ``ValueError`` if it is not, or if the labeler
    does not give one list of reasons per block, of finite weights.
    """
    labeled = label_page(page, labeler, options)
    reasons = _frozen(labeler.reasons(page)) if isinstance(labeler, Explaining) else None
    unit = str(getattr(labeler, "reason_unit", "")) if reasons is not None else ""
    return Explanation(labeled, reasons, engine_of(labeler), unit)


def _frozen(reasons: Sequence[Sequence[Reason]]) -> tuple[tuple[Reason, ...], ...]:
    return tuple(tuple(Reason(*reason) for reason in of_block) for of_block in reasons)


def plain(text: str, most: int) -> str:
    r"""Return ``text`` as one line of at most ``most`` characters, without any that are no text.

    What could command a terminal, turn the writing direction or not be encoded becomes U+FFFD.

    >>> plain("a\x1b[2J\n b" + "c" * 9, 9)
    'a�[2J bc…'
    """
    line = " ".join(_UNSHOWABLE.sub("\ufffd", text[: 4 * most]).split())
    return f"{line[: most - 1]}…" if len(line) > most or len(text) > 4 * most else line
