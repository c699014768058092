"""The tokens of MathML as TeX: identifiers, numbers, operators, spaces and texts."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet.extractor.html.mathml_symbols import (
    BIG,
    FENCES,
    FUNCTIONS,
    INVISIBLE,
    RELATIONS,
    SYMBOLS,
    VARIANT_NAMES,
    VARIANTS,
)

COMMAND_END = re.compile(r"\\[a-zA-Z]+\Z")
_SPECIAL = re.compile(r"[\\{}$%#&_^~]")
_TEXT_FORMS = {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}"}
_SPACES = {"2em": "\\qquad", "1em": "\\quad", "thickmathspace": "\\;", "mediummathspace": "\\:"}
_NO_BREAK = "\xa0"


class Tex(NamedTuple):
    """A part of a formula."""

    text: str
    kind: str = "group"
    """``name``, ``number``, ``relation``, ``operator``, ``fence``, ``comma``, ``space``, ``big``,
    ``text``, ``table``, ``cell``, ``row``, ``numbered``, ``script``, ``binomial`` or
    ``group``."""


def words(text: str) -> Tex:
    """Return a text with the no-break spaces at its ends, which keep it apart from symbols."""
    part = text_part(text)
    before, after = (" " if edge == _NO_BREAK else "" for edge in (text[:1], text[-1:]))
    inner = part.text.removeprefix("\\text{").removesuffix("}")
    return part._replace(text=f"\\text{{{before}{inner}{after}}}") if inner else part


def text_part(text: str) -> Tex:
    """Return a text in a formula."""
    text = " ".join(text.split())
    escaped = _SPECIAL.sub(lambda sign: _TEXT_FORMS.get(sign[0], f"\\{sign[0]}"), text)
    return Tex(f"\\text{{{escaped}}}" if text else "", "text")


def identifier(text: str, element: etree._Element) -> Tex:
    """Return a name: a letter, or a function."""
    variant = VARIANTS.get(element.get("mathvariant") or "")
    if text in FUNCTIONS:
        return Tex(f"\\{text}", "big" if text in BIG else "name")
    if len(text) > 1 and text.isalpha() and text.isascii():
        return Tex(f"\\{variant or 'mathrm'}{{{text}}}", "name")
    written = "".join(map(_char, text))
    return Tex(f"\\{variant}{{{written}}}" if variant and written else written, "name")


def _char(char: str) -> str:
    """Return a character of a formula in TeX."""
    if char in SYMBOLS:
        return spaced(SYMBOLS[char])
    if char.isascii():
        return f"\\{char}" if char in "{}%#&$_" else char
    name = unicodedata.name(char, "")
    plain = unicodedata.normalize("NFKD", char)
    if len(plain) == 1 and plain != char and name.startswith(VARIANT_NAMES):
        command = next((VARIANTS[key] for key in _BY_NAME if _BY_NAME[key] in name), "")
        inner = SYMBOLS.get(plain, plain)
        return f"\\{command}{{{inner}}}" if command else spaced(inner)
    return char


_BY_NAME = {
    "bold": " BOLD ", "double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR",
    "sans-serif": "SANS-SERIF", "monospace": "MONOSPACE",
}  # fmt: skip


def spaced(text: str) -> str:
    """Return TeX with the space that ends a command."""
    return f"{text} " if COMMAND_END.search(text) else text


def trimmed(text: str) -> str:
    r"""Return TeX without white space at its ends; at its last one, also without ``\ ``, of which
    only a sign that escapes what follows would be left.
    """
    text = text.strip()
    while (len(text) - len(text.rstrip("\\"))) % 2:
        text = text[:-1].rstrip()
    return text


def number(text: str, _: etree._Element) -> Tex:
    """Return a number."""
    return Tex("".join(map(_char, text)).strip(), "number")


def operator(text: str, _: etree._Element) -> Tex:
    """Return an operator, a relation, a fence or the name of a function."""
    if not text or not INVISIBLE.isdisjoint(text):
        return Tex("")
    if text in FUNCTIONS:
        return Tex(f"\\{text}", "big" if text in BIG else "name")
    if text in FENCES:
        return Tex(FENCES[text], "fence")
    if len(text) > 1 and text.isalpha():
        return Tex(f"\\operatorname{{{text}}}", "name")
    written = "".join(map(_char, text)).strip()
    if text in BIG:
        return Tex(written, "big")
    if text in ",;":
        return Tex(text, "comma")
    return Tex(written, "relation" if text in RELATIONS else "operator")


def space(_: str, element: etree._Element) -> Tex:
    """Return the space of a width."""
    width = (element.get("width") or "").strip()
    return Tex(
        _SPACES.get(width, "\\ " if width[:1].isdigit() and width[:2] != "0" else ""), "space"
    )


def string(text: str, _: etree._Element) -> Tex:
    """Return a text in quotation marks."""
    return text_part(f'"{text}"')
