"""The values that settings and arguments allow, and the options of labeling a page.

Scrapy reads the settings even if a crawl labels no pages, so this module loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

ENGINES = ("auto", "onnx", "torch", "numpy")
"""What can run BoilerNet's models; ``"auto"``: the first of the others that is available."""
MODES = ("thread", "process", "inline", "deferred")
"""Where the pages of a crawl are labeled."""

Favor = Literal["precision", "balanced", "recall"]
FAVORS: tuple[Favor, ...] = get_args(Favor)

FallbackStep = Literal["hidden", "json-ld", "lower-threshold", "main-element"]
FALLBACK_STEPS: tuple[FallbackStep, ...] = get_args(FallbackStep)
"""All steps of the fallback, in the order in which they are tried."""

Source = Literal["model", "hidden", "json-ld", "lower-threshold", "main-element", "nothing"]
"""What found a page's content: the model, a step of the fallback, or nothing."""

Kind = Literal["title", "main", "caption", "comment", "boilerplate", "hidden"]
"""What a block is, whether or not it is content. ``"main"``: other text that is content;
``"boilerplate"``, ``"hidden"``: other text that is not, shown and hidden by the page."""
KINDS: tuple[Kind, ...] = get_args(Kind)

Step = Literal[
    "model", "dialog", "hidden", "fallback: hidden", "fallback: json-ld",
    "fallback: lower-threshold", "fallback: main-element", "table", "note", "captions", "comments",
    "title",
]  # fmt: skip
"""What decided whether a block is content; a later step can overrule one before it.

``"model"``: its probability and the threshold. ``"dialog"``, ``"hidden"``: it is not content
because it is in a dialog, or because the page hides it. ``"fallback: ..."``: the model kept
nothing, and this step of the fallback keeps it. ``"table"``, ``"note"``: it is content because it
belongs to a table or to notes. ``"captions"``, ``"comments"``, ``"title"``: the option of this name
overruled the steps before."""
STEPS: tuple[Step, ...] = get_args(Step)

KindOption = Literal["model", "keep", "drop"]
"""What becomes of titles, captions or comments: as the model decided, all content, or none."""
KIND_OPTIONS: tuple[KindOption, ...] = get_args(KindOption)
CommentOption = Literal["auto", "model", "keep", "drop"]
"""``"auto"``: no comment is content, but on a forum's or a question's page the model decides."""
COMMENT_OPTIONS: tuple[CommentOption, ...] = get_args(CommentOption)

Hidden = Literal["drop", "model"]
"""What becomes of text that a page hides. ``"drop"``: none of it is content, except by the fallback
step ``"hidden"``; ``"model"``: as the model decided."""
HIDDEN: tuple[Hidden, ...] = get_args(Hidden)

Wanted = Literal["all", "requested"]
"""Which pages are labeled: all HTML pages, or those that a request or a URL pattern names."""
WANTED: tuple[Wanted, ...] = get_args(Wanted)

LABEL_KEYS = ("text", "label", "kind", "probability", "xpath")
"""The keys that a row of ``block_labels`` can have."""

Excess = Literal["skip", "cut"]
"""What becomes of a page over a limit: it is left unlabeled, or cut off at the limit."""
EXCESS: tuple[Excess, ...] = get_args(Excess)

Format = Literal["markdown", "html", "metadata"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The formats that a page can be given in besides plain text."""
MARKUP_FORMATS: frozenset[Format] = frozenset(("markdown", "html"))
"""The formats that need the page's markup, which only pages in block units have."""

MAX_BYTES = 10_000_000
"""Bytes of a page that are read by default, after unpacking."""
MAX_BLOCKS = 5000
"""Blocks kept per page by default; WCXB's largest page has some 1,700 text nodes."""


def fallback_steps_of(value: bool | Iterable[str]) -> tuple[FallbackStep, ...]:
    """Return the steps that ``value`` names, in the order of the fallback; True: all, False: none.

    Raises ``ValueError`` for an unknown name.
    """
    if isinstance(value, bool):
        return FALLBACK_STEPS if value else ()
    listed = isinstance(value, Iterable) and not isinstance(value, str)
    names = tuple(value) if listed else ()
    if not listed or any(name not in FALLBACK_STEPS for name in names):
        known = ", ".join(FALLBACK_STEPS)
        raise ValueError(f"the fallback must be True, False or a list of {known}, not {value!r}")
    return tuple(step for step in FALLBACK_STEPS if step in names)


def formats_of(value: Iterable[str]) -> tuple[Format, ...]:
    """Return the formats that ``value`` names, in the order of :data:`FORMATS`, each once.

    Raises ``ValueError`` for an unknown name.
    """
    listed = isinstance(value, Iterable) and not isinstance(value, str)
    names = tuple(value) if listed else ()
    if not listed or any(name not in FORMATS for name in names):
        raise ValueError(f"formats must be a list of {', '.join(FORMATS)}, not {value!r}")
    return tuple(name for name in FORMATS if name in names)


def parts_read_for(formats: Iterable[Format]) -> tuple[bool, bool]:
    """Return whether these formats need the page's markup, and whether they need what it states."""
    return not MARKUP_FORMATS.isdisjoint(formats), "metadata" in formats


@dataclass(frozen=True)
class Limits:
    """How much of a page is read and labeled, and what becomes of a larger page."""

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
    """What the model's decision favors; it has no effect if a threshold is set."""
    fallback: tuple[FallbackStep, ...] = FALLBACK_STEPS
    """The steps that are tried on a page of which the model keeps nothing. A ``threshold`` is never
    lowered. ``"hidden"`` keeps the main text of a page that hides it until a script shows it."""
    title: KindOption = "model"
    """``"keep"``: the page's headline is always content; ``"drop"``: never. The confidence does not
    change."""
    comments: CommentOption = "auto"
    """The same for readers' comments. ``"auto"``: no comment is content, unless the page belongs to
    a forum or a question, or a ``threshold`` is set."""
    captions: KindOption = "model"
    """The same for captions and photo credits."""
    hidden: Hidden = "drop"
    """``"drop"``: text that the page hides is not content; see ``fallback``."""

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise ValueError(
                f"threshold {self.threshold!r} is outside [0, 1]; use None for the model's decision"
            )
        for name, known in (
            ("favor", FAVORS), ("title", KIND_OPTIONS), ("comments", COMMENT_OPTIONS),
            ("captions", KIND_OPTIONS), ("hidden", HIDDEN),
        ):  # fmt: skip
            word = getattr(self, name)
            if word not in known:
                raise ValueError(f"{name} {word!r}: must be one of {', '.join(known)}")
