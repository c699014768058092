"""Why an element hides its text: by attributes, by its own style, by classes of frameworks.

A reason is a number, the place of its name in :data:`REASONS`; 0 is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final, TypeVar

from scrapy_boilernet.extractor.patterns import lazy_pattern

_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
COMMENT: Final = re.compile(r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")
_MAX_STYLE_CHARS = 10_000
_MAX_CACHED = 1 << 12
_ZERO = re.compile(r"[+-]?(?:0+\.?0*|\.0+)(?:%|[a-z]{1,4})?\Z")
_TINY = re.compile(r"(?:0+\.?0*|\.0+)(?:%|[a-z]{1,4})?\Z|1px\Z")
_FAR = re.compile(r"-(?:\d{4,}|999)(?:\.\d*)?(?:px|pt|%|vw|vh)?\Z|-\d{2,}(?:\.\d*)?r?em\Z")
"""A place at least 999 pixels or ten lines outside."""
_FAR_TRANSFORM = re.compile(
    r"translate(?:x|y|3d)?\((?:[^(),]{0,20},)?\s*-(?:\d{4,}|999)(?:\.\d*)?px|scale(?:x|y)?\(\s*0\s*[,)]"
)
_CLIP = re.compile(r"rect\((?:\s*[01](?:px|%)?\s*,?){4}\s*\)")
_CLIP_PATH = re.compile(
    r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0(?:px|%)?\s+0(?:px|%)?\s*"
    r"(?:,\s*0(?:px|%)?\s+0(?:px|%)?\s*)*\)"
)
_RGB = re.compile(
    r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*([\d.]+%?)\s*)?\)"
)
_HEX = re.compile(r"#[0-9a-f]{3,8}\b")
_NAMES: Final = {
    "white": "ffffff", "black": "000000", "red": "ff0000", "green": "008000", "blue": "0000ff",
    "yellow": "ffff00", "gray": "808080", "grey": "808080", "silver": "c0c0c0", "lime": "00ff00",
    "aqua": "00ffff", "cyan": "00ffff", "fuchsia": "ff00ff", "magenta": "ff00ff",
    "maroon": "800000", "navy": "000080", "olive": "808000", "purple": "800080", "teal": "008080",
    "orange": "ffa500", "whitesmoke": "f5f5f5", "snow": "fffafa", "ivory": "fffff0",
    "ghostwhite": "f8f8ff", "floralwhite": "fffaf0", "azure": "f0ffff", "mintcream": "f5fffa",
    "honeydew": "f0fff0", "aliceblue": "f0f8ff", "seashell": "fff5ee", "linen": "faf0e6",
    "beige": "f5f5dc", "lavender": "e6e6fa", "gainsboro": "dcdcdc", "lightgray": "d3d3d3",
    "lightgrey": "d3d3d3", "darkgray": "a9a9a9", "darkgrey": "a9a9a9",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_ALIKE: Final = 8
"""How far red, green and blue of two colours that look the same are apart at most, of 255."""
_MOVING = ("transform", "transition", "animation", "animation-name", "will-change", "filter")
"""Text of opacity 0 with one of these fades in: scripts write them."""
HIDING_CLASSES: Final = frozenset(
    "visually-hidden visuallyhidden visually_hidden u-visually-hidden "
    "is-visually-hidden hidden-visually govuk-visually-hidden a11y-hidden sr-only sronly "
    "usa-sr-only show-for-sr screen-reader-text screen-reader-only screenreader-text "
    "screenreader-only element-invisible u-hidden d-none is-hidden tooltiptext tooltip-text "
    "tooltip_text tooltip__text tooltip-content tooltip__content tooltip-inner".split()
)
"""Classes by which frameworks hide text: Bootstrap, Tailwind, Foundation, WordPress, Drupal and
others; and the boxes that a page shows only under the pointer."""
_MAY_HIDE_BY_CLASS = re.compile(r"hid|sr|scr|nvi|d-n|olti")
_SHOWN_CLASS = re.compile(
    r"(?:\s|^)(?:sr-only-focusable|d-(?:\w\w\w?-)?(?:block|flex|grid|inline|table)\S*)"
)
_SHOWN_ARIA = lazy_pattern(
    r"(?:\A|[\s_-])(?:katex|math(?:jax)?|mjx|drop\W?_?cap|initial|first-?letter)s?(?![a-z])"
    r"|(?:aside|callout|admonition|alert|notice)[\w-]*[_-]title(?![a-z])",
    re.IGNORECASE,
)
"""Classes of text that is shown although it has ``aria-hidden``: formulas, drop caps, and titles of
callouts, which repeat the label of the callout."""
REASONS: Final = (
    "", "hidden", "display:none", "visibility:hidden", "opacity:0", "font-size:0", "off-screen",
    "clipped", "zero-size", "colour", "class", "aria-hidden",
)  # fmt: skip
"""The names of reasons, as users see them; ``hidden``: the attribute."""
INVISIBLE_CHARACTERS: Final = "invisible-characters"
"""The reason of text that has no element of its own: see
:mod:`scrapy_boilernet.extractor.html.invisible`."""
_CODES: Final = {reason: number for number, reason in enumerate(REASONS)}
BY_ATTRIBUTE, BY_CLASS, BY_ARIA = (_CODES[name] for name in ("hidden", "class", "aria-hidden"))
UNDOABLE: Final = {_CODES["visibility:hidden"]: "visibility", _CODES["font-size:0"]: "font-size"}
"""Reasons that an element inside can undo, and the property by which it does."""
TAB_PANEL: Final = "tabpanel"
"""The role of a tab's panel, which ARIA allows only where a tab opens it."""
STREAMED: Final = re.compile(r"\AS:[0-9a-f]{1,6}\Z")
"""The ids of parts that React streams behind the page, hidden by the attribute ``hidden`` until its
script puts them into their places."""
OPENED: Final = lazy_pattern(
    r"accordion|(?:\b|_)faqs?(?![a-z])|expansion-?panel|collapsible|expander-extend|"
    r"\b(?:chakra|ant|el|mui)-?collapse",
    re.IGNORECASE,
)
"""Classes of what readers open: panels of accordions, and answers to frequent questions."""
COLLAPSING: Final = frozenset(
    _CODES[name]
    for name in ("hidden", "display:none", "visibility:hidden", "zero-size", "class", "aria-hidden")
)
"""Reasons by which the panels of tabs and accordions are closed until a control opens them."""
_SAID = re.compile(r"[\w★☆✓✔✗✘]")
"""What a text has that people read, and an icon has not."""
ENDS_WORD: Final = ",.;:!?)]"
"""Signs that have no space before them."""
READ_ALOUD: Final = frozenset((BY_CLASS, _CODES["off-screen"], _CODES["clipped"]))
"""Reasons of text that screen readers read, often beside the same text with ``aria-hidden``."""
UNREACHABLE: Final = "-1"
"""The ``tabindex`` of a link that is left out for users of keys and screen readers, since another
one leads to the same page."""
OPENS: Final = "details"
"""What readers open. The ``aria-hidden`` of an element right inside it says that it is closed."""
HERE: Final = "#"
"""How the address of a place in the same page begins."""
MAX_TEASER_TEXTS, _MIN_TEASER_CHARS = 20, 40
_SENTENCE_END = re.compile(r"[.。]['\")\]”’»」]?\Z|…\Z")
"""How the text of such a link ends if it is a sentence; a headline may be a question."""
TABLE_HEAD: Final = "thead"
HIDING_HEADS: Final = COLLAPSING | READ_ALOUD
"""Reasons by which the head of a table that is shown is not: narrow screens have no place for it.
"""


class _Reasons(dict[str, int]):
    """A bounded cache of why a style or a class hides; pages of a site share them."""

    def __init__(self, decide: Callable[[str], int]) -> None:
        self._decide = decide

    def __missing__(self, text: str) -> int:
        if len(self) >= _MAX_CACHED:
            self.clear()
        reason = self[text] = self._decide(text)
        return reason


def hides_by_style(style: str) -> int:
    """Return why an element with this ``style`` attribute is hidden; 0 if it is not."""
    return STYLES[style[:_MAX_STYLE_CHARS]]


def with_colours(values: Mapping[str, str]) -> str:
    """Return an element's ``style``, with what its ``bgcolor`` and ``color`` add."""
    style = values["style"]
    if "bgcolor" in values:
        style = f"background-color:{values['bgcolor']};{style}"
    return f"color:{values['color']};{style}" if "color" in values else style


def hides_by_class(classes: str) -> int:
    """Return why an element with this ``class`` attribute is hidden: by a framework, or 0."""
    return CLASSES[classes] if _MAY_HIDE_BY_CLASS.search(classes) else 0


def _class_hides(classes: str) -> int:
    if HIDING_CLASSES.isdisjoint(classes.split()) or _SHOWN_CLASS.search(classes):
        return 0
    return BY_CLASS


CLASSES = _Reasons(_class_hides)


def hides_by_hidden(value: str) -> int:
    """Return why an element with this ``hidden`` attribute is hidden; 0 for an accordion."""
    return 0 if value.strip().lower() == "until-found" else BY_ATTRIBUTE


def hides_by_aria(value: str, classes: str) -> int:
    """Return why an element with this ``aria-hidden`` attribute is hidden; 0 if it is not.

    Formulas and drop caps are shown, since what screen readers get is beside them.
    """
    return ARIA[classes] if value.strip().lower() == "true" else 0


def is_second(href: str, tabindex: str) -> bool:
    """Return whether a link is left out for users of keys, and leads to another page."""
    return tabindex == UNREACHABLE and bool(href) and not href.startswith(HERE)


def is_sentence(text: str) -> bool:
    """Return whether the text of a link is a sentence, not the name of what it leads to."""
    text = text.strip()
    return len(text) >= _MIN_TEASER_CHARS and _SENTENCE_END.search(text) is not None


def revealed(
    texts: Sequence[str], reasons: Sequence[int], in_heading: Callable[[], bool]
) -> list[int]:
    """Return the places of the hidden texts of a run that are shown after all.

    ``texts``, ``reasons``: of each piece of the run. ``in_heading``: whether the run is in a
    heading that is shown.

    - If nothing of the run is shown, this is the text for screen readers, or the one that a heading
      has for everyone else. Animated headings have each letter with ``aria-hidden``.
    - Beside shown text, it is the text with ``aria-hidden``, which people see, next to the same for
      screen readers: ``20 <span aria-hidden=true>min</span><span class=sr-only>minutes</span>``. It
      may be in several elements, such as a drop cap and the rest of its word.
    """
    solid = [i for i, text in enumerate(texts) if not text.isspace()]
    known = {reasons[i] for i in solid}
    if BY_ARIA not in known:
        return []
    wanted = known & READ_ALOUD
    if 0 in known:
        runs = [(reason, [*run]) for reason, run in groupby(solid, reasons.__getitem__)]
        sides = [0, *(reason for reason, _ in runs), 0]
        beside = [
            run
            for k, (reason, run) in enumerate(runs)
            if reason == BY_ARIA and {sides[k], sides[k + 2]} & READ_ALOUD
        ]
        return [i for run in beside for i in run if _SAID.search(texts[i])]
    if not wanted and known == {BY_ARIA} and in_heading():
        wanted = known
    return [i for i, reason in enumerate(reasons) if reason in wanted]


_Frame = TypeVar("_Frame")


def without_stray_spaces(
    shown: list[tuple[str, _Frame] | None], is_hidden: Callable[[_Frame], object]
) -> list[tuple[str, _Frame] | None]:
    """Return what is shown of a run without the spaces of hidden texts before ``ENDS_WORD``, as in
    ``<a>map<span class=sr-only> (new window)</span></a>, which``.
    """
    following = ""
    for i in reversed(range(len(shown))):
        if (piece := shown[i]) is not None:
            if following and following in ENDS_WORD and is_hidden(piece[1]):
                shown[i] = None
            else:
                following = piece[0][:1]
    return shown


ARIA = _Reasons(lambda classes: 0 if _SHOWN_ARIA.search(classes) else BY_ARIA)


def undoes(style: str, reason: int) -> bool:
    """Return whether an element with this ``style`` is shown in one that is hidden for a reason of
    :data:`UNDOABLE`.
    """
    value = declarations(style[:_MAX_STYLE_CHARS]).get(UNDOABLE[reason], "")
    if UNDOABLE[reason] == "visibility":
        return value == "visible"
    is_relative = value.endswith(("%", "em")) and not value.endswith("rem")
    return value[:1] in tuple("123456789.") and not is_relative


def declarations(style: str) -> dict[str, str]:
    """Return the values of a style's properties, in lower case; the last of each counts."""
    plain = style.lower()
    if "\\" in style or "/*" in style:
        plain = _ESCAPE.sub(_unescaped, COMMENT.sub(" ", style)).lower()
    values: dict[str, str] = {}
    important: set[str] = set()
    for declaration in plain.split(";"):
        name, _, value = declaration.partition(":")
        name, (value, mark, _) = name.strip(), value.partition("!")
        if mark or name not in important:
            values[name] = " ".join(value.split())
            important.update((name,) if mark else ())
    return values


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16) if match[1] else 0
    return match[2] or (chr(code) if 0 < code < 0xD800 else " ")


def style_hides(own: Mapping[str, str]) -> int:
    """Return why an element with these declarations is hidden; 0 if it is not."""
    return _CODES[_style_reason(own)]


STYLES = _Reasons(lambda style: style_hides(declarations(style)))


def _style_reason(own: Mapping[str, str]) -> str:
    get = own.get
    if get("display") == "none":
        return "display:none"
    if get("visibility") in ("hidden", "collapse"):
        return "visibility:hidden"
    if _ZERO.match(get("opacity", "1")) and not any(name in own for name in _MOVING):
        return "opacity:0"
    if _ZERO.match(get("font-size", "1")):
        return "font-size:0"
    if _is_far(own):
        return "off-screen"
    if _CLIP.match(get("clip", "")) or _CLIP_PATH.match(get("clip-path", "")):
        return "clipped"
    sides = ("height", "max-height", "width", "max-width")
    if get("overflow", get("overflow-y")) in ("hidden", "clip") and any(
        _TINY.match(get(side, "")) for side in sides
    ):
        return "zero-size"
    return "colour" if _is_of_background_colour(own) else ""


def _is_far(own: Mapping[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if own.get("position") in ("absolute", "fixed"):
        names += ["left", "top", "right", "bottom"]
    return any(_FAR.match(own.get(name, "")) for name in names) or bool(
        _FAR_TRANSFORM.search(own.get("transform", ""))
    )


def _is_of_background_colour(own: Mapping[str, str]) -> bool:
    colour = _colour(own.get("color", ""))
    if not colour or "text" in (own.get("background-clip"), own.get("-webkit-background-clip")):
        return False
    if colour == "transparent":
        return True
    background = _colour(own.get("background-color", "") or own.get("background", ""))
    if not background or background == "transparent" or "url(" in own.get("background", ""):
        return False
    shades = (bytes.fromhex(each) for each in (colour, background))
    return all(abs(one - other) <= _ALIKE for one, other in zip(*shades, strict=True))


def _colour(value: str) -> str:
    """Return the first colour in a value, six digits or ``transparent``; "" if there is none."""
    if match := _RGB.search(value):
        if match[4] and _ZERO.match(match[4]):
            return "transparent"
        return "".join(f"{min(int(match[i]), 255):02x}" for i in (1, 2, 3))
    if match := _HEX.search(value):
        digits = match[0][1:]
        short = len(digits) < 6
        return "".join(2 * digit for digit in digits[:3]) if short else digits[:6]
    words = _WORD.findall(value)
    if "transparent" in words:
        return "transparent"
    return next((_NAMES[word] for word in words if word in _NAMES), "")
