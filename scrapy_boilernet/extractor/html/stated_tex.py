"""TeX in forms that only some makers of formulas have: in the text of an element that is called so,
in a label, in JSON, between other signs than those of markup, and in an address with settings.
"""

from __future__ import annotations

import json
import re

from lxml import etree

SIGNS = (b's="math"', b's="math ', b"ss=math", b"math-inline", b"math-display")
"""A page with elements whose text is TeX by their class has one of these, or those of MathJax. No
sign begins with a frequent word, such as "class", since each of those takes time to pass."""
_NAMED = re.compile(r"(?:^|\s)(?:math|math-inline|math-display)(?!\S)")
_LABELED = re.compile(r"(?:^|\s)mjx-math(?!\S)")
"""What MathJax draws of a formula on a server, with its TeX as a label."""
_TAGS = frozenset(("span", "div", "code"))
_FENCES = ("$", "\\(", "\\[", "\\begin{")
"""What begins TeX that is found in the text."""
_DISPLAYED = ("\\[", "\\]")
_LABEL = re.compile(r"\(([\w.-]{1,12})\)\Z")
"""The number of a formula."""
_IS_TEX = re.compile(r"\\[a-zA-Z]|[\^_]|[a-zA-Z0-9)]\s*[=+*/<>-]\s*[a-zA-Z0-9(\\]")
_PROSE = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{3,}\s+[a-zA-Z]{3,}")
_KEY = "persistentExpression"
"""The key of the TeX in the JSON of Substack."""
_WIRIS = (("«", "<"), ("»", ">"), ("¨", '"'), ("§", "&"), ("`", "'"))
"""The signs of markup in an attribute of WIRIS."""
_SETTINGS = re.compile(
    r"(?:\s|\\(?:inline|large|Large|LARGE|small|tiny|huge|(?:bg|fg|fn)_\w+)(?![a-zA-Z])|"
    r"\\dpi\s?\{\d{1,4}\})+"
)
"""What stands before the TeX in an address of CodeCogs."""
_SIGNS_OF_ADDRESS = (("&space;", " "), ("&plus;", "+"))
_MAX_CHARS = 3_000


def stated_tex(element: etree._Element, tag: str) -> tuple[str, bool] | None:
    """Return the TeX that an element has as its text, or as its label, and whether it shows that
    it stands alone; None for others.
    """
    classes = element.get("class") or ""
    if "math" not in classes or tag not in _TAGS:
        return None
    if tag == "span" and _LABELED.search(classes):
        label = element.get("aria-label") or ""
        return (label, False) if is_tex(label) else None
    parent = element.getparent()
    if not _NAMED.search(classes) or (parent is not None and parent.tag == "pre"):
        return None
    if len(element):
        return _numbered(element) if tag == "div" and len(element) == 1 else None
    text = (element.text or "").strip()
    is_display = tag == "div" or "math-display" in classes
    return (text, is_display) if not text.startswith(_FENCES) and is_tex(text) else None


def _numbered(element: etree._Element) -> tuple[str, bool] | None:
    """Return the TeX behind a number, as Sphinx writes it, and that it stands alone."""
    number = element[0]
    tex = (number.tail or "").strip()
    is_fenced = tex.startswith(_DISPLAYED[0]) and tex.endswith(_DISPLAYED[1])
    if "eqno" not in (number.get("class") or "") or not is_fenced:
        return None
    tex = tex[len(_DISPLAYED[0]) : -len(_DISPLAYED[1])].strip()
    label = _LABEL.match((number.text or "").strip())
    if label is None or (element.text or "").strip() or not is_tex(tex):
        return None
    return f"{tex} \\tag{{{label[1]}}}", True


def is_tex(text: str) -> bool:
    """Return whether a text between signs of TeX, or without any, is TeX."""
    if not 0 < len(text) <= _MAX_CHARS or _IS_TEX.search(text) is None:
        return False
    return not is_prose(text)


def is_prose(text: str) -> bool:
    """Return whether a text is words, and no TeX."""
    return "\\" not in text and _PROSE.search(text) is not None


def expression_of(value: str) -> tuple[str, bool] | None:
    """Return the TeX of a line of its own that Substack's JSON has; None for other JSON."""
    if _KEY not in value:
        return None
    try:
        stated = json.loads(value)
    except ValueError:
        return None
    tex = stated.get(_KEY) if isinstance(stated, dict) else None
    return (tex, True) if isinstance(tex, str) and 0 < len(tex) <= _MAX_CHARS else None


def plain_markup(text: str) -> str:
    """Return markup with the usual signs, if it has those of WIRIS."""
    for sign, plain in _WIRIS if text.lstrip().startswith(_WIRIS[0][0]) else ():
        text = text.replace(sign, plain)
    return text


def without_settings(tex: str) -> str:
    """Return the TeX of an address without what only says how an image of it looks."""
    for sign, plain in _SIGNS_OF_ADDRESS:
        tex = tex.replace(sign, plain)
    settings = _SETTINGS.match(tex)
    return tex[settings.end() :] if settings else tex
