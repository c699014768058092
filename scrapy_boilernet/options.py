"""The words that settings and arguments choose from, and how a page is labeled, made of them.

Scrapy reads settings before it is known whether a crawl labels pages: nothing heavy is loaded here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

ENGINES = ("auto", "onnx", "torch", "numpy")
MODES = ("thread", "process", "inline", "deferred")

Favor = Literal["precision", "balanced", "recall"]
FAVORS: tuple[Favor, ...] = get_args(Favor)

Rung = Literal["hidden", "json-ld", "lower-threshold", "main-element"]
RUNGS: tuple[Rung, ...] = get_args(Rung)
"""All rungs of the fallback ladder, in the order in which they are tried."""

Source = Literal["model", "hidden", "json-ld", "lower-threshold", "main-element", "nothing"]
"""Who found a page's content: the model, a step of the fallback, or nobody."""

Choice = Literal["model", "keep", "drop"]
"""What a setting says of titles or comments: as the model decided, all content, or none."""
CHOICES: tuple[Choice, ...] = get_args(Choice)

Hidden = Literal["drop", "model"]
"""What a setting says of text that a page hides: none is content, but for the rung ``"hidden"``, or
as the model decided."""
HIDDEN: tuple[Hidden, ...] = get_args(Hidden)

Wanted = Literal["all", "requested"]
"""Which pages are labeled: all that are HTML, or those that a request or an URL pattern names."""
WANTED: tuple[Wanted, ...] = get_args(Wanted)

LABEL_KEYS = ("text", "label", "kind", "probability", "xpath")
"""What a row of ``block_labels`` can have."""

Excess = Literal["skip", "cut"]
"""What becomes of a page over a limit: it is left unlabeled, or what is over it is cut off."""
EXCESS: tuple[Excess, ...] = get_args(Excess)

MAX_BYTES = 10_000_000
"""Bytes of a page that are read by default, after unpacking."""
MAX_BLOCKS = 5000
"""Blocks kept per page by default; WCXB's largest page has some 1,700 text nodes."""


def rungs_of(choice: bool | Iterable[str]) -> tuple[Rung, ...]:
    """Return the rungs that ``choice`` names, in the ladder's order; True: all, False: none.

    Raises ``ValueError`` for a name that is no rung.
    """
    if isinstance(choice, bool):
        return RUNGS if choice else ()
    listed = isinstance(choice, Iterable) and not isinstance(choice, str)
    names = tuple(choice) if listed else ()
    if not listed or any(name not in RUNGS for name in names):
        raise ValueError(
            f"the fallback must be True, False or a list of {', '.join(RUNGS)}, not {choice!r}"
        )
    return tuple(rung for rung in RUNGS if rung in names)


@dataclass(frozen=True)
class Limits:
    """How much of a page is read and labeled, and what becomes of a page of more."""

    max_bytes: int = MAX_BYTES
    over_max_bytes: Excess = "cut"
    max_blocks: int = MAX_BLOCKS
    over_max_blocks: Excess = "cut"


@dataclass(frozen=True)
class LabelOptions:
    """How a page's probabilities become labels.

    Raises ``ValueError`` for a threshold outside [0, 1] or an unknown word.
    """

    threshold: float | None = None
    """Probability from which a block is content, in [0, 1]; None: the model decides."""
    favor: Favor = "balanced"
    """Which way the model's decision leans; without effect where a threshold is set."""
    fallback: tuple[Rung, ...] = RUNGS
    """What is tried on a page of which the model keeps nothing. A ``threshold`` is never lowered.
    ``"hidden"``: if the page hides its main text, which a script shows later, it is kept."""
    title: Choice = "model"
    """``"keep"`` or ``"drop"``: the page's headline always is content, or never. The confidence
    stays that of the labels before."""
    comments: Choice = "model"
    """The same for readers' comments."""
    hidden: Hidden = "drop"
    """``"drop"``: text that the page hides is no content; see ``fallback``."""

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise ValueError(
                f"threshold {self.threshold!r} is outside [0, 1]; use None for the model's decision"
            )
        for name, known in (
            ("favor", FAVORS), ("title", CHOICES), ("comments", CHOICES), ("hidden", HIDDEN),
        ):  # fmt: skip
            word = getattr(self, name)
            if word not in known:
                raise ValueError(f"{name} {word!r}: must be one of {', '.join(known)}")
