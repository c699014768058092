"""The closed lists of words, and the options of labeling a page with their defaults and meanings.

Each is defined here alone. Settings, commands, documents and the extension read them.

Scrapy reads the settings even if a crawl labels no pages, so this module loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Real
from typing import Literal, TypeGuard, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")

ENGINES = ("auto", "onnx", "torch", "numpy")
"""What can run BoilerNet's models; ``"auto"``: the first of the others that is available."""
MODES = ("thread", "process", "inline", "deferred")
"""Where the pages of a crawl are labeled."""

Favor = Literal["precision", "balanced", "recall"]
FAVORS: tuple[Favor, ...] = get_args(Favor)

FallbackStep = Literal["hidden", "json-ld", "lower-threshold", "main-element"]
FALLBACK_STEPS: tuple[FallbackStep, ...] = get_args(FallbackStep)
"""All steps of the fallback, in the order in which they are tried."""
Source = Literal[
    "model", "hidden", "json-ld", "lower-threshold", "main-element", "site-rule", "nothing"
]
"""What found a page's content: the model, a step of the fallback, ``keep`` of the rule of its site,
or nothing."""

Step = Literal[
    "model", "dialog", "hidden", "fallback: hidden", "fallback: json-ld",
    "fallback: lower-threshold", "fallback: main-element", "structure", "note", "captions",
    "comments", "title", "site rule", "read also", "sign-up", "ad label", "copy",
    "apart", "reply", "no text", "teaser",
]  # fmt: skip
"""What decided whether a block is content; a later step can overrule one before it.

``"model"``: its probability and the threshold. ``"dialog"``, ``"hidden"``: it is not content
because it is in a dialog, or because the page hides it. ``"fallback: ..."``: the model kept
nothing, and this step of the fallback keeps it. ``"structure"``, ``"note"``: it is content because
it belongs to a table, a list, a quote or a heading, names the text below it, or is a note.
``"reply"``, ``"teaser"``: it is content because it is a reply of a thread, or the title of a teaser
on a page that lists others.
``"read also"``, ``"sign-up"``, ``"ad label"``, ``"copy"``, ``"apart"``: it is not content because
it leads to another article, asks readers to sign up for a newsletter, names the advertisement
behind it, is kept elsewhere, such as for another device, or stands in the footer of the page, in a
box about the author or the like.
``"no text"``: the page is a form to sign in or to register, or an index.
``"captions"``, ``"comments"``, ``"title"``: the option of this name overruled the steps before.
``"site rule"``: the rule of its site overruled all others."""
STEPS: tuple[Step, ...] = get_args(Step)

KindOption = Literal["model", "keep", "drop"]
"""What becomes of titles, captions or comments: as the model decided, all content, or none."""
KIND_OPTIONS: tuple[KindOption, ...] = get_args(KindOption)
CommentOption = Literal["auto", "model", "keep", "drop"]
"""``"auto"``: no comment is content. But the model decides on a forum's or a question's page, and
where it has learned which comments are content and takes these for the page's own text, unless the
page states that it is an article or a product, or their class is that of a blog's comments."""
COMMENT_OPTIONS: tuple[CommentOption, ...] = get_args(CommentOption)

Hidden = Literal["drop", "model"]
"""What becomes of text that a page hides. ``"drop"``: none of it is content, except by the fallback
step ``"hidden"``; ``"model"``: as the model decided."""
HIDDEN: tuple[Hidden, ...] = get_args(Hidden)

Wanted = Literal["all", "requested"]
"""Which pages are labeled: all HTML pages, or those that a request or a URL pattern names."""
WANTED: tuple[Wanted, ...] = get_args(Wanted)

Units = Literal["block", "leaf"]
"""What is labeled. ``"block"``: inline runs merged up to block-level boundaries; ``"leaf"``: DOM
text nodes."""
UNITS: tuple[Units, ...] = get_args(Units)

Label = Literal["content", "boilerplate"]
"""The label of a block."""
CONTENT: Label = "content"
BOILERPLATE: Label = "boilerplate"

BlockKind = Literal["title", "main", "caption", "comment", "boilerplate", "hidden"]
"""What a block is, whether or not it is content. ``"main"``: other text that is content;
``"boilerplate"``, ``"hidden"``: other text that is not, shown and hidden by the page."""
BLOCK_KINDS: tuple[BlockKind, ...] = get_args(BlockKind)
BESIDE: tuple[BlockKind, ...] = ("title", "caption")
"""The kinds of blocks that Markdown and HTML have although they are no content."""

LABEL_KEYS = ("text", "label", "kind", "probability", "xpath")
"""The keys that a row of ``block_labels`` can have."""

Excess = Literal["skip", "cut"]
"""What becomes of a page over a limit: it is left unlabeled, or cut off at the limit."""
EXCESS: tuple[Excess, ...] = get_args(Excess)

Format = Literal["markdown", "html", "metadata", "posts"]
FORMATS: tuple[Format, ...] = get_args(Format)
"""The formats that a page can be given in besides plain text."""
MARKUP_FORMATS: frozenset[Format] = frozenset(("markdown", "html", "posts"))
"""The formats that need the page's markup, which only pages in block units have."""

MAX_BYTES = 10_000_000
"""Bytes of a page that are read by default, after unpacking."""
MAX_BLOCKS = 5000
"""Blocks kept per page by default; WCXB's largest page has some 1,700 text nodes."""


def fallback_steps_of(value: bool | Iterable[str]) -> tuple[FallbackStep, ...]:
    """Return the steps that ``value`` names, in the order of the fallback.

    True: all of them; False: none.
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


def parts_read_for(formats: Iterable[Format]) -> tuple[bool, bool, bool]:
    """Return whether these formats need the page's markup, what it states, and what its markup says
    of posts.
    """
    return not MARKUP_FORMATS.isdisjoint(formats), "metadata" in formats, "posts" in formats


def option(default: T, meaning: str, written: object = None) -> T:
    """Return a field of :class:`LabelOptions` or :class:`Limits`.

    Settings, the command line, the documents and the extension read its default and its meaning,
    and as its words those of its type. ``written``: the default as a user writes it, if it is not
    ``default`` itself.
    """
    shown = default if written is None else written
    return field(default=default, metadata={"meaning": meaning, "written": shown})


@dataclass(frozen=True)
class Limits:
    """How much of a page is read and labeled, and what becomes of a larger page."""

    max_bytes: int = option(
        MAX_BYTES,
        "Maximum number of bytes that are read of a page, after decompression. Gzip that no header "
        "declares is decompressed, too.",
    )
    over_max_bytes: Excess = option(
        "cut",
        'What happens to a page with more bytes: `"cut"` cuts off the rest, `"skip"` leaves it '
        "unlabeled.",
    )
    max_blocks: int = option(
        MAX_BLOCKS,
        "Maximum number of blocks that are labeled of a page. A page is also cut off after 200,000 "
        "elements, or after two elements per block of this limit if that is more.",
    )
    over_max_blocks: Excess = option(
        "cut",
        'What happens to a page with more blocks: `"cut"` cuts off the rest, `"skip"` leaves it '
        "unlabeled.",
    )


@dataclass(frozen=True)
class LabelOptions:
    """How a page's probabilities become labels.

    Raises ``ValueError`` for a threshold outside [0, 1] or an unknown word.
    """

    threshold: float | None = option(
        None,
        "A block with at least this probability is content; lower values keep more. `None`: the "
        "model decides, page by page.",
    )
    favor: Favor = option(
        "balanced",
        'Whether the model favors precision or recall: `"precision"` keeps less text, `"recall"` '
        "more. It has no effect where a threshold is set.",
    )
    fallback: tuple[FallbackStep, ...] = option(
        FALLBACK_STEPS,
        "What is tried if the model keeps nothing of a page, or mostly hidden text. `True`: all "
        'steps; `False`: none; or a list of `"hidden"`, `"json-ld"`, `"lower-threshold"`, '
        '`"main-element"`. See [What is content](content.md).',
        written=True,
    )
    title: KindOption = option(
        "model",
        'Whether the page\'s headline is content: `"model"` (as the model decided), `"keep"` '
        '(always) or `"drop"` (never). Markdown and HTML begin with it unless this is `"drop"`.',
    )
    comments: CommentOption = option(
        "auto",
        'Whether readers\' comments are content: `"auto"`, `"model"`, `"keep"` or `"drop"`. '
        '`"auto"` drops them, except on pages of forums and questions, and except where a '
        "BoilerNet takes them for the page's own text.",
    )
    captions: KindOption = option(
        "model",
        'Whether captions and photo credits are content: `"model"`, `"keep"` or `"drop"`. '
        'Markdown and HTML write pictures with their captions unless this is `"drop"`.',
    )
    hidden: Hidden = option(
        "drop",
        "Text that a page hides, by attributes, styles or classes of frameworks: "
        '`"drop"` leaves it out, `"model"` leaves it to the model. It is left out by default '
        "because instructions hidden in pages end up in language models. See [What is "
        "content](content.md#hidden-text).",
    )

    def __post_init__(self) -> None:
        if not is_threshold(self.threshold):
            wrong = "outside [0, 1]" if _is_number(self.threshold) else "not a number in [0, 1]"
            raise ValueError(
                f"threshold {self.threshold!r} is {wrong}; use None for the model's decision"
            )
        for name, known in LABEL_WORDS.items():
            word = getattr(self, name)
            if word not in known:
                raise ValueError(f"{name} {word!r}: must be one of {', '.join(known)}")

    @property
    def beside(self) -> tuple[BlockKind, ...]:
        """Those of :data:`BESIDE` that are not to be dropped."""
        options = {"title": self.title, "caption": self.captions}
        return tuple(kind for kind in BESIDE if options[kind] != "drop")


def is_threshold(value: object) -> bool:
    """Return whether it is a threshold: a number in [0, 1], or None for the model's decision."""
    return value is None or (_is_number(value) and 0 <= value <= 1)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, Real)


def short_meaning(kind: type[LabelOptions | Limits], name: str) -> str:
    """Return the first sentence of the meaning of a field, in lower case, without its full stop."""
    meaning: str = kind.__dataclass_fields__[name].metadata["meaning"]
    first = meaning.split(". ", maxsplit=1)[0].rstrip(".").replace("`", "")
    return first[0].lower() + first[1:]


def words_of(kind: type[LabelOptions | Limits]) -> dict[str, tuple[str, ...]]:
    """Return the words that each field allows whose type is a closed list."""
    types = get_type_hints(kind)
    return {name: get_args(each) for name, each in types.items() if get_origin(each) is Literal}


LABEL_WORDS = words_of(LabelOptions)
"""The words that each of the fields of :class:`LabelOptions` allows that is one of a list."""
