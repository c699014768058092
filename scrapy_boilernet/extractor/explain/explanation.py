"""Explanations of a page's labels: the labeled page, and the reasons that its labeler gives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from math import isfinite
from typing import NamedTuple

import numpy as np

from scrapy_boilernet.extractor.explain.rules import rule_lines
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.base import Explaining, Reason
from scrapy_boilernet.extractor.labelers.registry import Labeler, engine_of
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import FAVORS, BlockKind, LabelOptions
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.sites.rules import SiteRules

THRESHOLDS = (0.1, 0.3, 0.5, 0.7)
"""Those that an explanation tries, to show what other settings would keep."""
NO_REASONS = "This labeler gives no reasons: there are labels and probabilities only."
FOUND_BY = {
    "model": "the model",
    "hidden": "the model, in hidden text: the page hides most of its content",
    "json-ld": "json-ld, since the model kept nothing: the text that the page's JSON-LD quotes",
    "lower-threshold": "lower-threshold, since the model kept nothing: the threshold was lowered",
    "main-element": "main-element, since the model kept nothing: the paragraphs of main or article",
    "site-rule": "keep of the rule of its site",
    "nothing": "nothing: no block is content",
}
"""What :attr:`LabeledPage.source` means."""

# Control characters, lone surrogates, and characters that change the direction of writing.
_UNSHOWABLE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Weighed(NamedTuple):
    """The weight of a feature over a page, in its labeler's unit."""

    feature: str
    content: float
    """The sum of its weights above 0, which are evidence for content."""
    boilerplate: float
    """The absolute sum of its weights below 0, which are evidence for boilerplate."""

    @property
    def total(self) -> float:
        """The sum of its absolute weights."""
        return self.content + self.boilerplate


class Instead(NamedTuple):
    """What another setting would keep."""

    setting: str
    """Such as ``"favor recall"`` or ``"threshold 0.30"``."""
    added: int
    """Blocks that it keeps and the options do not."""
    added_chars: int
    """Their characters of text."""
    removed: int
    """Blocks that the options keep and it does not."""
    removed_chars: int
    """Their characters of text."""

    def __str__(self) -> str:
        changes = ("more", self.added, self.added_chars), ("less", self.removed, self.removed_chars)
        shown = [
            f"{_counted(chars, 'character')} {word} ({_counted(blocks, 'block')})"
            for word, blocks, chars in changes
            if blocks
        ]
        return f"{self.setting}: {', '.join(shown)}"


@dataclass(frozen=True)
class Explanation:
    """A labeled page with the reasons for its labels."""

    labeled: LabeledPage
    reasons: tuple[tuple[Reason, ...], ...] | None
    """Per block, those with the greatest weights first; None if the labeler gives none."""
    engine: str = ""
    """The engine that ran the model; "" if there is no choice of engines."""
    unit: str = ""
    """The unit of the weights; "" if the labeler does not state it."""
    instead: tuple[Instead, ...] = ()
    """What other favors and thresholds would keep."""
    rule: tuple[str, ...] = ()
    """What the rule of the page's site found, as :func:`rule_lines` returns it."""

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
        """The features by their weight over the page, the greatest first, without those of 0."""
        sums: dict[str, list[float]] = {}
        for reason in (reason for reasons in self.reasons or () for reason in reasons):
            sums.setdefault(reason.feature, [0.0, 0.0])[reason.weight < 0] += abs(reason.weight)
        weighed = [Weighed(name, *both) for name, both in sums.items() if any(both)]
        return tuple(sorted(weighed, key=lambda each: (-each.total, each.feature)))

    @cached_property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """Facts about the page as a whole, as (name, value)."""
        labeled = self.labeled
        model = f"{labeled.model} ({self.engine})" if self.engine else labeled.model
        return (
            ("model", model),
            ("threshold", f"{labeled.threshold:.2f}"),
            ("confidence", f"{labeled.confidence:.2f}"),
            ("found by", FOUND_BY[labeled.source]),
            ("content", self._content()),
            *([("hidden", self._hidden())] if self.labeled.hidden else []),
            *([("weights", self.unit)] if self.unit else []),
        )

    def _content(self) -> str:
        labeled = self.labeled
        kinds = Counter(compress(labeled.kinds, labeled.kept))
        shown: tuple[BlockKind, ...] = ("title", "main", "caption", "comment")
        counted = [f"{kinds[kind]} {kind}" for kind in shown if kinds[kind]]
        share = f"{sum(labeled.kept):,} of {len(labeled.kept):,} blocks"
        cut = "; what follows on the page was cut off" if labeled.page.truncated else ""
        return (f"{share}: {', '.join(counted)}" if counted else share) + cut

    @property
    def others(self) -> list[str]:
        """What other settings would keep, such as ``"favor recall: 504 characters more (3 blocks),
        20 characters less (1 block)"``; those that change nothing are left out.
        """
        return [str(one) for one in self.instead if one.added or one.removed]

    def _hidden(self) -> str:
        hidden = self.labeled.hidden
        counted = Counter(each.reason for each in hidden).most_common()
        chars = sum(len(each.text) for each in hidden)
        reasons = ", ".join(f"{count} {reason}" for reason, count in counted)
        return f"{chars:,} characters of text that the page hides, left out: {reasons}"

    def label(self, place: int) -> str:
        """Return the label of a block and what the block is, such as ``"boilerplate title"``."""
        label, kind = self.labeled.labels[place], self.labeled.kinds[place]
        return label if kind == label else f"{label} {kind}"

    def note(self, place: int) -> str:
        """Return the step that left the block out, or that kept it although the model did not; ""
        if the model kept it.
        """
        labeled = self.labeled
        step: str = labeled.steps[place]
        if step == "site rule" and (site := labeled.page.site):
            step = f"{step} {site.selector(place) or '(outside of keep)'}"
        if labeled.kept[place]:
            return "" if step == "model" else f"kept by: {step}"
        reason = labeled.page.blocks_without_xpaths[place].hidden_by if step == "hidden" else ""
        return f"dropped by: {step} ({reason})" if reason else f"dropped by: {step}"

    def places(self, only: str | None = None, holding: str = "") -> list[int]:
        """Return the indexes of the blocks with this label that hold a text, ignoring case.

        ``only``: the label; None: any label.
        """
        wanted = holding.casefold()
        pairs = zip(self.labeled.page.blocks, self.labeled.labels, strict=True)
        return [
            place
            for place, (block, label) in enumerate(pairs)
            if only in (None, label) and wanted in block.text.casefold()
        ]


def explain(
    page: Page,
    labeler: Labeler,
    options: LabelOptions | None = None,
    sites: SiteRules | None = None,
) -> Explanation:
    """Return the labeled page, with the labeler's reasons if it gives any.

    ``sites``: the rules with which the page was read.

    Raises ``ValueError`` if the page is not in the labeler's units, or if the labeler does not give
    one list of reasons per block, or gives a weight that is not finite.
    """
    options = options or LabelOptions()
    labeled = label_page(page, labeler, options)
    reasons = _frozen(labeler.reasons(page)) if isinstance(labeler, Explaining) else None
    unit = str(getattr(labeler, "reason_unit", "")) if reasons is not None else ""
    by_rule = labeled.source == "site-rule"
    instead = () if by_rule else tuple(_instead(labeled, labeler, options))
    rule = rule_lines(page, sites)
    return Explanation(labeled, reasons, engine_of(labeler), unit, instead, rule)


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _instead(labeled: LabeledPage, labeler: Labeler, options: LabelOptions) -> Iterator[Instead]:
    """Yield what the favors and some thresholds, other than those of the options, would keep."""
    others = [(f"favor {favor}", replace(options, favor=favor, threshold=None)) for favor in FAVORS]
    others += [(f"threshold {at:.2f}", replace(options, threshold=at)) for at in THRESHOLDS]
    chars = np.fromiter(map(len, labeled.page.texts), np.int64, len(labeled.kept))
    now = np.array(labeled.kept, dtype=np.bool_)
    for setting, other in others:
        if other != options:
            kept = np.array(label_page(labeled.page, labeler, other).kept, dtype=np.bool_)
            added, removed = kept & ~now, now & ~kept
            sums = (added.sum(), chars[added].sum(), removed.sum(), chars[removed].sum())
            yield Instead(setting, *map(int, sums))


def _frozen(reasons: Sequence[Sequence[Reason]]) -> tuple[tuple[Reason, ...], ...]:
    return tuple(tuple(Reason(*reason) for reason in of_block) for of_block in reasons)


def plain(text: str, most: int) -> str:
    r"""Return ``text`` as one line of at most ``most`` characters that is safe to show.

    Characters that could control a terminal, change the direction of writing or not be encoded
    become U+FFFD.

    >>> plain("a\x1b[2J\n b" + "c" * 9, 9)
    'a�[2J bc…'
    """
    line = " ".join(_UNSHOWABLE.sub("\ufffd", text[: 4 * most]).split())
    return f"{line[: most - 1]}…" if len(line) > most or len(text) > 4 * most else line
