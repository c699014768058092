"""Presentation MathML as TeX: fractions, roots, scripts, matrices, fences, accents, operators."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from lxml import etree

from scrapy_boilernet.extractor.html.mathml_symbols import (
    ACCENTS,
    BIG,
    CLOSING,
    FENCES,
    FUNCTIONS,
    INVISIBLE,
    OPENING,
    RELATIONS,
    SYMBOLS,
    UNDER_ACCENTS,
    VARIANT_NAMES,
    VARIANTS,
)

_LOOSE = ("math", "mrow", "mtd")
"""Elements whose own texts are read, beside those of the elements in them."""
_MAX_DEPTH = 50
"""Elements in each other; of deeper ones only the characters are read, which keeps it linear."""
_SKIPPED = frozenset(("annotation", "annotation-xml", "mglyph", "maligngroup"))
_COMMAND_END = re.compile(r"\\[a-zA-Z]+\Z")
_SPECIAL = re.compile(r"[\\{}$%#&_^~]")
_TEXT_FORMS = {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}"}
_SPACES = {"2em": "\\qquad", "1em": "\\quad", "thickmathspace": "\\;", "mediummathspace": "\\:"}
_TALL = re.compile(r"\\(?:frac|begin|sum|int|prod|sqrt|binom)\b")
_MATRICES = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("\\{", "\\}"): "Bmatrix", ("|", "|"): "vmatrix",
    ("\\|", "\\|"): "Vmatrix", ("\\{", ""): "cases",
}  # fmt: skip
_NO_BREAK = "\xa0"
_PRIMES = {"\\prime": "'", "''": "''", "'''": "'''", "'": "'"}


class _Tex(NamedTuple):
    """A part of a formula."""

    text: str
    kind: str = "group"
    """``name``, ``number``, ``relation``, ``operator``, ``fence``, ``comma``, ``space``, ``big``,
    ``text``, ``table``, ``cell``, ``row``, ``script`` or ``group``."""


def tex_of(math: etree._Element) -> str:
    r"""Return the TeX of a ``<math>`` element; "" if it has no characters.

    >>> math = etree.fromstring("<math><mfrac><mi>c</mi><mi>f</mi></mfrac></math>")
    >>> tex_of(math)
    '\\frac{c}{f}'
    """
    open_parts: list[list[_Tex]] = [[]]
    walker = etree.iterwalk(math, events=("start", "end"))
    skips = False
    for event, element in walker:
        name = _name(element)
        if event == "start":
            skips = name in _SKIPPED or len(open_parts) > _MAX_DEPTH
            if skips:
                walker.skip_subtree()
            open_parts.append([])
            continue
        parts = open_parts.pop()
        if not skips:
            open_parts[-1].append(_converted(name, element, parts))
        elif name not in _SKIPPED:
            open_parts[-1].append(_text("".join(map(str, element.itertext()))))
        skips = False
        around = element.getparent() if element is not math else None
        if around is not None and element.tail and _name(around) in _LOOSE:
            open_parts[-1].append(_text(element.tail))
    return " ".join(_joined(open_parts[0]).split())


def _name(element: etree._Element) -> str:
    tag: Any = element.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def _converted(name: str, element: etree._Element, parts: Sequence[_Tex]) -> _Tex:
    if name in _TOKENS:
        own = "".join(map(str, element.itertext()))
        if name == "mtext":
            return _words(own)
        return _TOKENS[name](" ".join(own.split()), element)
    write = _WRITERS.get(name)
    if write is not None and (len(parts) >= _NEEDED.get(name, 0)):
        return write(parts, element)
    loose = _text(element.text or "") if name in _LOOSE else _Tex("")
    return _row([loose, *parts] if loose.text else parts)


def _words(text: str) -> _Tex:
    """Return a text with the no-break spaces at its ends, which keep it apart from symbols."""
    part = _text(text)
    before, after = (" " if edge == _NO_BREAK else "" for edge in (text[:1], text[-1:]))
    inner = part.text.removeprefix("\\text{").removesuffix("}")
    return part._replace(text=f"\\text{{{before}{inner}{after}}}") if inner else part


def _text(text: str) -> _Tex:
    text = " ".join(text.split())
    escaped = _SPECIAL.sub(lambda sign: _TEXT_FORMS.get(sign[0], f"\\{sign[0]}"), text)
    return _Tex(f"\\text{{{escaped}}}" if text else "", "text")


def _identifier(text: str, element: etree._Element) -> _Tex:
    variant = VARIANTS.get(element.get("mathvariant") or "")
    if text in FUNCTIONS:
        return _Tex(f"\\{text}", "big" if text in BIG else "name")
    if len(text) > 1 and text.isalpha() and text.isascii():
        return _Tex(f"\\{variant or 'mathrm'}{{{text}}}", "name")
    written = "".join(map(_char, text))
    return _Tex(f"\\{variant}{{{written}}}" if variant and written else written, "name")


def _char(char: str) -> str:
    """Return a character of a formula in TeX."""
    if char in SYMBOLS:
        return _spaced(SYMBOLS[char])
    if char.isascii():
        return f"\\{char}" if char in "{}%#&$_" else char
    name = unicodedata.name(char, "")
    plain = unicodedata.normalize("NFKD", char)
    if len(plain) == 1 and plain != char and name.startswith(VARIANT_NAMES):
        command = next((VARIANTS[key] for key in _BY_NAME if _BY_NAME[key] in name), "")
        inner = SYMBOLS.get(plain, plain)
        return f"\\{command}{{{inner}}}" if command else _spaced(inner)
    return char


_BY_NAME = {
    "bold": " BOLD ", "double-struck": "DOUBLE-STRUCK", "script": "SCRIPT", "fraktur": "FRAKTUR",
    "sans-serif": "SANS-SERIF", "monospace": "MONOSPACE",
}  # fmt: skip


def _spaced(text: str) -> str:
    return f"{text} " if _COMMAND_END.search(text) else text


def _number(text: str, _: etree._Element) -> _Tex:
    return _Tex("".join(map(_char, text)).strip(), "number")


def _operator(text: str, _: etree._Element) -> _Tex:
    if not text or not INVISIBLE.isdisjoint(text):
        return _Tex("")
    if text in FUNCTIONS:
        return _Tex(f"\\{text}", "big" if text in BIG else "name")
    if text in FENCES:
        return _Tex(FENCES[text], "fence")
    if len(text) > 1 and text.isalpha():
        return _Tex(f"\\operatorname{{{text}}}", "name")
    written = "".join(map(_char, text)).strip()
    if text in BIG:
        return _Tex(written, "big")
    if text in ",;":
        return _Tex(text, "comma")
    return _Tex(written, "relation" if text in RELATIONS else "operator")


def _space(_: str, element: etree._Element) -> _Tex:
    width = (element.get("width") or "").strip()
    return _Tex(
        _SPACES.get(width, "\\ " if width[:1].isdigit() and width[:2] != "0" else ""), "space"
    )


def _string(text: str, _: etree._Element) -> _Tex:
    return _text(f'"{text}"')


def _joined(parts: Sequence[_Tex]) -> str:
    """Return the parts of a row side by side, with the spaces that keep commands apart."""
    written: list[str] = []
    before: _Tex | None = None
    for part in filter(lambda one: one.text, parts):
        if before is not None:
            written.append(_between(before, part))
        elif part.kind == "relation":
            part = part._replace(kind="operator")
        written.append(part.text)
        before = part
    return "".join(written)


def _between(before: _Tex, part: _Tex) -> str:
    """Return the space between two parts."""
    if "relation" in (before.kind, part.kind) or "space" in (before.kind, part.kind):
        return " "
    if before.kind == "comma":
        return " "
    if _COMMAND_END.search(before.text) and part.text[:1].isalpha():
        return " "
    letters = ("name", "script", "big")
    is_apart = before.kind in letters and (
        part.kind in letters or part.kind == "text" or part.text.startswith("\\frac")
    )
    return " " if is_apart else ""


def _row(parts: Sequence[_Tex], _: etree._Element | None = None) -> _Tex:
    parts = [part for part in parts if part.text]
    if len(parts) == 1:
        return parts[0]
    first, last = (parts[0], parts[-1]) if parts else (_Tex(""), _Tex(""))
    inner = parts[1:-1]
    if first.kind == "fence" and len(parts) == 2 and parts[1].kind == "table":
        return _matrix(parts[1].text, first.text, "")
    if first.kind == last.kind == "fence" and len(parts) > 2:
        if len(inner) == 1 and inner[0].kind == "table":
            return _matrix(inner[0].text, first.text, last.text)
        text = _joined(inner)
        if first.text in OPENING and last.text in CLOSING and _TALL.search(text):
            return _Tex(f"\\left{_spaced(first.text)}{text}\\right{last.text}", "group")
    return _Tex(_joined(parts), "group" if len(parts) > 1 else "name")


def _matrix(table: str, opening: str, closing: str) -> _Tex:
    """Return a table between fences; ``table``: with the environment ``matrix`` around it."""
    name = _MATRICES.get((opening, closing))
    if name is None:
        return _Tex(f"\\left{opening}{table}\\right{closing or '.'}")
    rows = re.sub(r"\A\\begin\{\w+\}|\\end\{\w+\}\Z", "", table)
    return _Tex(f"\\begin{{{name}}}{rows}\\end{{{name}}}", "table")


def _braced(part: _Tex) -> str:
    return f"{{{part.text.strip()}}}"


def _argument(part: _Tex) -> str:
    """Return what is raised or lowered: one character needs no braces."""
    return part.text if len(part.text) == 1 else _braced(part)


def _base(part: _Tex, sign: str) -> str:
    """Return what scripts stand at."""
    if part.kind == "script":
        return _braced(part) if sign in part.text or "^" in part.text else part.text
    is_one = part.kind in ("name", "number", "big", "text", "fence", "table", "operator")
    is_fenced = part.text.startswith(("(", "[", "\\left", "|")) and part.text.endswith(
        (")", "]", "|")
    )
    return part.text.strip() if (is_one or is_fenced) and part.text else _braced(part)


def _superscript(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    base, raised = parts[:2]
    if raised.text.strip() in _PRIMES:
        return _Tex(_base(base, "^") + _PRIMES[raised.text.strip()], "script")
    return _Tex(f"{_base(base, '^')}^{_argument(raised)}" if raised.text else base.text, "script")


def _subscript(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    base, lowered = parts[:2]
    return _Tex(f"{_base(base, '_')}_{_argument(lowered)}" if lowered.text else base.text, "script")


def _both(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    return _superscript([_subscript(parts[:2], element), parts[2]], element)


def _fraction(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    above, below = map(_braced, parts[:2])
    if (element.get("linethickness") or "").strip() in ("0", "0px", "0pt", "0em"):
        return _Tex(f"\\binom{above}{below}", "group")
    return _Tex(f"\\frac{above}{below}", "group")


def _square_root(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    return _Tex(f"\\sqrt{_braced(_row(parts))}", "group")


def _root(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    return _Tex(f"\\sqrt[{parts[1].text.strip()}]{_braced(parts[0])}", "group")


def _over(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    base, above = parts[:2]
    if accent := ACCENTS.get(above.text.strip()):
        wide = {"bar": "overline", "hat": "widehat", "tilde": "widetilde"}
        is_wide = base.kind == "group" and len(base.text) > 1
        return _Tex(f"\\{wide.get(accent, accent) if is_wide else accent}{_braced(base)}", "name")
    if base.kind == "big" or base.text.startswith(("\\overbrace", "\\underbrace")):
        return _superscript(parts, element)
    return _Tex(f"\\overset{_braced(above)}{_braced(base)}", "group")


def _under(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    base, below = parts[:2]
    if accent := UNDER_ACCENTS.get(below.text.strip()):
        return _Tex(f"\\{accent}{_braced(base)}", "name")
    if base.kind == "big" or base.text.startswith("\\underbrace"):
        return _subscript(parts, element)
    return _Tex(f"\\underset{_braced(below)}{_braced(base)}", "group")


def _under_over(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    if parts[0].kind == "big":
        return _both(parts, element)
    return _over([_under(parts[:2], element), parts[2]], element)


def _scripts(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    """Return a base with scripts on both sides."""
    children = [_name(child) for child in element if isinstance(child.tag, str)]
    at = children.index("mprescripts") if "mprescripts" in children else len(parts)
    before, after = parts[at + 1 :], parts[1:at]
    text = "{}" + _pairs(before) if before else ""
    return _Tex(f"{text}{_base(parts[0], '_')}{_pairs(after)}", "script")


def _pairs(parts: Sequence[_Tex]) -> str:
    signs = ("_", "^") * (len(parts) // 2 + 1)
    pairs = zip(signs, parts, strict=False)
    return "".join(sign + _argument(part) for sign, part in pairs if part.text)


def _table(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    rows = " \\\\ ".join(part.text for part in parts)
    align = (element.get("columnalign") or "").split()
    name = "aligned" if align[:2] == ["right", "left"] else "matrix"
    return _Tex(f"\\begin{{{name}}} {rows} \\end{{{name}}}", "table")


def _table_row(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    cells = parts[1:] if _name(element) == "mlabeledtr" else parts
    return _Tex(" & ".join(part.text.strip() for part in cells), "row")


def _cell(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    return _Tex(_joined(parts), "cell")


def _fenced(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    opening, closing = element.get("open"), element.get("close")
    separators = element.get("separators")
    signs = "".join((separators if separators is not None else ",").split())
    inner: list[_Tex] = []
    for i, part in enumerate(parts):
        if i and signs:
            inner.append(_operator(signs[min(i - 1, len(signs) - 1)], element))
        inner.append(part)
    ends = [(FENCES.get(one, one) if one is not None else default)[:20]
            for one, default in ((opening, "("), (closing, ")"))]  # fmt: skip
    return _row([_Tex(ends[0], "fence"), *inner, _Tex(ends[1], "fence")])


def _enclosed(parts: Sequence[_Tex], element: etree._Element) -> _Tex:
    notation = (element.get("notation") or "").split()
    inner = _row(parts)
    if "box" in notation:
        return _Tex(f"\\boxed{_braced(inner)}")
    if "radical" in notation:
        return _Tex(f"\\sqrt{_braced(inner)}")
    if any(name.endswith("diagonalstrike") for name in notation):
        return _Tex(f"\\cancel{_braced(inner)}")
    return inner


def _phantom(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    inner = _row(parts)
    return _Tex(f"\\phantom{_braced(inner)}" if inner.text else "")


def _first(parts: Sequence[_Tex], _: etree._Element) -> _Tex:
    return next((part for part in parts if part.text), _Tex(""))


_Write = Callable[[Sequence[_Tex], etree._Element], _Tex]
_TOKENS: dict[str, Callable[[str, etree._Element], _Tex]] = {
    "mi": _identifier, "mn": _number, "mo": _operator, "mspace": _space, "ms": _string,
    "mtext": lambda text, _: _text(text),
}  # fmt: skip
_WRITERS: dict[str, _Write] = {
    "msup": _superscript, "msub": _subscript, "msubsup": _both, "mfrac": _fraction,
    "msqrt": _square_root, "mroot": _root, "mover": _over, "munder": _under,
    "munderover": _under_over, "mmultiscripts": _scripts, "mtable": _table, "mtr": _table_row,
    "mlabeledtr": _table_row, "mtd": _cell, "mfenced": _fenced, "menclose": _enclosed,
    "mphantom": _phantom, "maction": _first, "semantics": _first,
}  # fmt: skip
_NEEDED = {
    "msup": 2, "msub": 2, "mfrac": 2, "mroot": 2, "mover": 2, "munder": 2, "msubsup": 3,
    "munderover": 3, "mmultiscripts": 1,
}  # fmt: skip
"""How many children an element has at least; one with fewer is a row."""
