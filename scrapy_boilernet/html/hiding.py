"""Why an element hides its text: by attributes, by its own style, by classes of frameworks."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.))", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)")
_MAY_HIDE = re.compile(
    r"none|hidden|collapse|opacity|font-size|clip|-\s*\d{2}|color|overflow|scale|\\|/\*",
    re.IGNORECASE,
)
"""A style without any of these hides nothing."""
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
    "whitesmoke": "f5f5f5", "snow": "fffafa", "ivory": "fffff0",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_MOVING = ("transform", "transition", "animation", "animation-name", "will-change", "filter")
"""Text of opacity 0 with one of these fades in: scripts write them."""
HIDING_CLASSES: Final = frozenset(
    "visually-hidden visuallyhidden visually_hidden u-visually-hidden "
    "is-visually-hidden hidden-visually govuk-visually-hidden a11y-hidden sr-only sronly "
    "usa-sr-only show-for-sr screen-reader-text screen-reader-only screenreader-text "
    "screenreader-only element-invisible u-hidden d-none is-hidden".split()
)
"""Classes by which frameworks hide text: Bootstrap, Tailwind, Foundation, WordPress, Drupal and
others."""
_MAY_HIDE_BY_CLASS = re.compile(r"dd|nv|no|r-|nr|sr")
_SHOWN_CLASS = re.compile(
    r"(?:\s|^)(?:sr-only-focusable|d-(?:\w\w\w?-)?(?:block|flex|grid|inline|table)\S*)"
)
_SHOWN_ARIA = re.compile(r"katex|math|mjx|drop\W?_?cap|initial|first-?letter", re.IGNORECASE)
"""Classes of text that is shown although it has ``aria-hidden``: formulas and drop caps."""


class _Cached(dict[str, bool]):
    """A bounded cache of whether a style or a class hides; pages of a site share them."""

    def __missing__(self, text: str) -> bool:
        if len(self) >= _MAX_CACHED:
            self.clear()
        hides = self[text] = self.decide(text)
        return hides

    def decide(self, text: str) -> bool:
        """Return whether the text hides its element."""
        raise NotImplementedError


class _Styles(_Cached):
    def decide(self, text: str) -> bool:
        return bool(style_hides(text))


class _Classes(_Cached):
    def decide(self, text: str) -> bool:
        return not HIDING_CLASSES.isdisjoint(text.split()) and not _SHOWN_CLASS.search(text)


STYLES, CLASSES = _Styles(), _Classes()


def hides_by_style(style: str) -> bool:
    """Return whether an element with this ``style`` attribute is hidden."""
    if not _MAY_HIDE.search(style):
        return False
    return STYLES[style[:_MAX_STYLE_CHARS]]


def hides_by_class(classes: str) -> bool:
    """Return whether an element with this ``class`` attribute is hidden by a framework."""
    return _MAY_HIDE_BY_CLASS.search(classes) is not None and CLASSES[classes]


def hides_by_hidden(value: str) -> bool:
    """Return whether an element with this ``hidden`` attribute is hidden: not an accordion."""
    return value.strip().lower() != "until-found"


def hides_by_aria(value: str, classes: str) -> bool:
    """Return whether an element with this ``aria-hidden`` attribute is hidden.

    Formulas and drop caps are shown, since what screen readers get is beside them.
    """
    return value.strip().lower() == "true" and not _SHOWN_ARIA.search(classes)


def declarations(style: str) -> dict[str, str]:
    """Return the values of a style's properties, in lower case; the last of each counts."""
    plain = _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", style)).lower()
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


def style_hides(style: str) -> str:
    """Return the reason why a ``style`` attribute hides its element; "" if it does not."""
    own = declarations(style)
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


def _is_far(own: dict[str, str]) -> bool:
    names = ["text-indent", "margin-left", "margin-top"]
    if own.get("position") in ("absolute", "fixed"):
        names += ["left", "top", "right", "bottom"]
    return any(_FAR.match(own.get(name, "")) for name in names) or bool(
        _FAR_TRANSFORM.search(own.get("transform", ""))
    )


def _is_of_background_colour(own: dict[str, str]) -> bool:
    colour = _colour(own.get("color", ""))
    if not colour or "text" in (own.get("background-clip"), own.get("-webkit-background-clip")):
        return False
    background = _colour(own.get("background-color", "") or own.get("background", ""))
    return colour in ("transparent", background)


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
