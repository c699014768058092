"""Presentation MathML as TeX: fractions, roots, scripts, matrices, fences, accents, operators."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from lxml import etree

from scrapy_boilernet.extractor.html.mathml_symbols import (
    ACCENTS,
    CLOSING,
    FENCES,
    OPENING,
    UNDER_ACCENTS,
)
from scrapy_boilernet.extractor.html.mathml_tokens import (
    COMMAND_END,
    Tex,
    identifier,
    number,
    operator,
    space,
    spaced,
    string,
    text_part,
    trimmed,
    words,
)

_LOOSE = ("math", "mrow", "mtd")
"""Elements whose own texts are read, beside those of the elements in them."""
_MAX_DEPTH = 50
"""Elements in each other; of deeper ones only the characters are read, which keeps it linear."""
_SKIPPED = frozenset(("annotation", "annotation-xml", "mglyph", "maligngroup"))
_TALL = re.compile(r"\\(?:frac|begin|sum|int|prod|sqrt|binom)\b")
_MATRICES = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("\\{", "\\}"): "Bmatrix", ("|", "|"): "vmatrix",
    ("\\|", "\\|"): "Vmatrix", ("\\{", ""): "cases",
}  # fmt: skip
_NUMBER = re.compile(r"\\text\{\(?([\w.*-]{1,12})\)?\}|\(([\w.]{1,12})\)")
"""The label of a row that is the number of its formula."""
_PRIMES = {"\\prime": "'", "''": "''", "'''": "'''", "'": "'"}


def tex_of(math: etree._Element) -> str:
    r"""Return the TeX of a ``<math>`` element; "" if it has no characters.

    >>> math = etree.fromstring("<math><mfrac><mi>c</mi><mi>f</mi></mfrac></math>")
    >>> tex_of(math)
    '\\frac{c}{f}'
    """
    open_parts: list[list[Tex]] = [[]]
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
            open_parts[-1].append(text_part("".join(map(str, element.itertext()))))
        skips = False
        around = element.getparent() if element is not math else None
        if around is not None and element.tail and _name(around) in _LOOSE:
            open_parts[-1].append(text_part(element.tail))
    return " ".join(trimmed(_joined(open_parts[0])).split())


def _name(element: etree._Element) -> str:
    tag: Any = element.tag
    if not isinstance(tag, str):
        return ""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def _converted(name: str, element: etree._Element, parts: Sequence[Tex]) -> Tex:
    if name in _TOKENS:
        own = "".join(map(str, element.itertext()))
        if name == "mtext":
            return words(own)
        return _TOKENS[name](" ".join(own.split()), element)
    write = _WRITERS.get(name)
    if write is not None and (len(parts) >= _NEEDED.get(name, 0)):
        return write(parts, element)
    loose = text_part(element.text or "") if name in _LOOSE else Tex("")
    return _row([loose, *parts] if loose.text else parts)


def _joined(parts: Sequence[Tex]) -> str:
    """Return the parts of a row side by side, with the spaces that keep commands apart."""
    written: list[str] = []
    before: Tex | None = None
    for part in filter(lambda one: one.text, parts):
        if before is not None:
            written.append(_between(before, part))
        elif part.kind == "relation":
            part = part._replace(kind="operator")
        written.append(part.text)
        before = part
    return "".join(written)


def _between(before: Tex, part: Tex) -> str:
    """Return the space between two parts."""
    if "relation" in (before.kind, part.kind) or "space" in (before.kind, part.kind):
        return " "
    if before.kind == "comma":
        return " "
    if COMMAND_END.search(before.text) and part.text[:1].isalpha():
        return " "
    letters = ("name", "script", "big")
    is_apart = before.kind in letters and (
        part.kind in letters or part.kind == "text" or part.text.startswith("\\frac")
    )
    return " " if is_apart else ""


def _row(parts: Sequence[Tex], _: etree._Element | None = None) -> Tex:
    parts = _without_own_fences([part for part in parts if part.text])
    if len(parts) == 1:
        return parts[0]
    first, last = (parts[0], parts[-1]) if parts else (Tex(""), Tex(""))
    inner = parts[1:-1]
    if first.kind == "fence" and len(parts) == 2 and parts[1].kind == "table":
        return _matrix(parts[1].text, first.text, "")
    if first.kind == last.kind == "fence" and len(parts) > 2:
        if len(inner) == 1 and inner[0].kind == "table":
            return _matrix(inner[0].text, first.text, last.text)
        text = _joined(inner)
        if first.text in OPENING and last.text in CLOSING and _TALL.search(text):
            return Tex(f"\\left{spaced(first.text)}{text}\\right{last.text}", "group")
    return Tex(_joined(parts), "group" if len(parts) > 1 else "name")


def _without_own_fences(parts: list[Tex]) -> list[Tex]:
    """Return the parts without the parentheses around binomials, which their command draws."""
    if not any(part.kind == "binomial" for part in parts):
        return parts
    kept: list[Tex] = []
    for part in parts:
        is_own = part.text == ")" and len(kept) > 1 and kept[-1].kind == "binomial"
        if is_own and kept[-2].text == "(":
            del kept[-2]
        else:
            kept.append(part)
    return kept


def _matrix(table: str, opening: str, closing: str) -> Tex:
    """Return a table between fences; ``table``: with the environment ``matrix`` around it."""
    name = _MATRICES.get((opening, closing))
    if name is None:
        return Tex(f"\\left{opening}{table}\\right{closing or '.'}")
    rows = re.sub(r"\A\\begin\{\w+\}|\\end\{\w+\}\Z", "", table)
    return Tex(f"\\begin{{{name}}}{rows}\\end{{{name}}}", "table")


def _braced(part: Tex) -> str:
    return f"{{{trimmed(part.text)}}}"


def _argument(part: Tex) -> str:
    """Return what is raised or lowered: one character needs no braces."""
    return part.text if len(part.text) == 1 else _braced(part)


def _base(part: Tex, sign: str) -> str:
    """Return what scripts stand at."""
    if part.kind == "script":
        return _braced(part) if sign in part.text or "^" in part.text else part.text
    is_one = part.kind in ("name", "number", "big", "text", "fence", "table", "operator")
    is_fenced = part.text.startswith(("(", "[", "\\left", "|")) and part.text.endswith(
        (")", "]", "|")
    )
    return part.text.strip() if (is_one or is_fenced) and part.text else _braced(part)


def _superscript(parts: Sequence[Tex], _: etree._Element) -> Tex:
    base, raised = parts[:2]
    if raised.text.strip() in _PRIMES:
        return Tex(_base(base, "^") + _PRIMES[raised.text.strip()], "script")
    return Tex(f"{_base(base, '^')}^{_argument(raised)}" if raised.text else base.text, "script")


def _subscript(parts: Sequence[Tex], _: etree._Element) -> Tex:
    base, lowered = parts[:2]
    return Tex(f"{_base(base, '_')}_{_argument(lowered)}" if lowered.text else base.text, "script")


def _both(parts: Sequence[Tex], element: etree._Element) -> Tex:
    return _superscript([_subscript(parts[:2], element), parts[2]], element)


def _fraction(parts: Sequence[Tex], element: etree._Element) -> Tex:
    above, below = map(_braced, parts[:2])
    if (element.get("linethickness") or "").strip() in ("0", "0px", "0pt", "0em"):
        return Tex(f"\\binom{above}{below}", "binomial")
    return Tex(f"\\frac{above}{below}", "group")


def _square_root(parts: Sequence[Tex], _: etree._Element) -> Tex:
    return Tex(f"\\sqrt{_braced(_row(parts))}", "group")


def _root(parts: Sequence[Tex], _: etree._Element) -> Tex:
    return Tex(f"\\sqrt[{trimmed(parts[1].text)}]{_braced(parts[0])}", "group")


def _over(parts: Sequence[Tex], element: etree._Element) -> Tex:
    base, above = parts[:2]
    if accent := ACCENTS.get(above.text.strip()):
        wide = {"bar": "overline", "hat": "widehat", "tilde": "widetilde"}
        is_wide = base.kind == "group" and len(base.text) > 1
        return Tex(f"\\{wide.get(accent, accent) if is_wide else accent}{_braced(base)}", "name")
    if base.kind == "big" or base.text.startswith(("\\overbrace", "\\underbrace")):
        return _superscript(parts, element)
    return Tex(f"\\overset{_braced(above)}{_braced(base)}", "group")


def _under(parts: Sequence[Tex], element: etree._Element) -> Tex:
    base, below = parts[:2]
    if accent := UNDER_ACCENTS.get(below.text.strip()):
        return Tex(f"\\{accent}{_braced(base)}", "name")
    if base.kind == "big" or base.text.startswith("\\underbrace"):
        return _subscript(parts, element)
    return Tex(f"\\underset{_braced(below)}{_braced(base)}", "group")


def _under_over(parts: Sequence[Tex], element: etree._Element) -> Tex:
    if parts[0].kind == "big":
        return _both(parts, element)
    return _over([_under(parts[:2], element), parts[2]], element)


def _scripts(parts: Sequence[Tex], element: etree._Element) -> Tex:
    """Return a base with scripts on both sides."""
    children = [_name(child) for child in element if isinstance(child.tag, str)]
    at = children.index("mprescripts") if "mprescripts" in children else len(parts)
    before, after = parts[at + 1 :], parts[1:at]
    text = "{}" + _pairs(before) if before else ""
    return Tex(f"{text}{_base(parts[0], '_')}{_pairs(after)}", "script")


def _pairs(parts: Sequence[Tex]) -> str:
    signs = ("_", "^") * (len(parts) // 2 + 1)
    pairs = zip(signs, parts, strict=False)
    return "".join(sign + _argument(part) for sign, part in pairs if part.text)


def _table(parts: Sequence[Tex], element: etree._Element) -> Tex:
    if len(parts) == 1 and parts[0].kind == "numbered":
        return parts[0]
    rows = " \\\\ ".join(part.text for part in parts)
    align = (element.get("columnalign") or "").split()
    name = "aligned" if align[:2] == ["right", "left"] else "matrix"
    return Tex(f"\\begin{{{name}}} {rows} \\end{{{name}}}", "table")


def _table_row(parts: Sequence[Tex], element: etree._Element) -> Tex:
    is_labeled = _name(element) == "mlabeledtr"
    cells = parts[1:] if is_labeled else parts
    if is_labeled and len(cells) == 1 and (label := _NUMBER.fullmatch(parts[0].text)):
        return Tex(f"{trimmed(cells[0].text)} \\tag{{{label[1] or label[2]}}}", "numbered")
    return Tex(" & ".join(trimmed(part.text) for part in cells), "row")


def _cell(parts: Sequence[Tex], _: etree._Element) -> Tex:
    return Tex(_joined(parts), "cell")


def _fenced(parts: Sequence[Tex], element: etree._Element) -> Tex:
    opening, closing = element.get("open"), element.get("close")
    separators = element.get("separators")
    signs = "".join((separators if separators is not None else ",").split())
    inner: list[Tex] = []
    for i, part in enumerate(parts):
        if i and signs:
            inner.append(operator(signs[min(i - 1, len(signs) - 1)], element))
        inner.append(part)
    ends = [(FENCES.get(one, one) if one is not None else default)[:20]
            for one, default in ((opening, "("), (closing, ")"))]  # fmt: skip
    return _row([Tex(ends[0], "fence"), *inner, Tex(ends[1], "fence")])


def _enclosed(parts: Sequence[Tex], element: etree._Element) -> Tex:
    notation = (element.get("notation") or "").split()
    inner = _row(parts)
    if "box" in notation:
        return Tex(f"\\boxed{_braced(inner)}")
    if "radical" in notation:
        return Tex(f"\\sqrt{_braced(inner)}")
    for side, command in (("top", "overline"), ("bottom", "underline")):
        if side in notation:
            return Tex(f"\\{command}{_braced(inner)}")
    if any(name.endswith("diagonalstrike") for name in notation):
        return Tex(f"\\cancel{_braced(inner)}")
    return inner


def _phantom(parts: Sequence[Tex], _: etree._Element) -> Tex:
    inner = _row(parts)
    return Tex(f"\\phantom{_braced(inner)}" if inner.text else "")


def _first(parts: Sequence[Tex], _: etree._Element) -> Tex:
    return next((part for part in parts if part.text), Tex(""))


_Write = Callable[[Sequence[Tex], etree._Element], Tex]
_TOKENS: dict[str, Callable[[str, etree._Element], Tex]] = {
    "mi": identifier, "mn": number, "mo": operator, "mspace": space, "ms": string,
    "mtext": lambda text, _: text_part(text),
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
