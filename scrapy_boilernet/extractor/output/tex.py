r"""TeX in texts: ``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]``, which scripts of a page show."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrapy_boilernet.extractor.html.stated_tex import is_prose

CUT_SIGNS = [chr(code) for code in range(0xE000, 0xE010)]
"""Private characters, one of which shows where a line could be cut. They are no TeX."""
_CUT_SIGN = re.compile(f"[{CUT_SIGNS[0]}-{CUT_SIGNS[-1]}]")
_MAX_CHARS = 2_000
"""A longer text between two signs is no formula."""
_OPENING = re.compile(r"\$\$?|\[latex\]|\\[(\[]|\\begin\{([a-zA-Z]{1,20}\*?)\}")
_LOOKS_TEX = re.compile(r"\\[a-zA-Z]+|[\^_={}<>]|[a-zA-Z0-9)]\s*[+*/-]\s*[a-zA-Z0-9(\\]")
_NAME = re.compile(r"[a-zA-Z]'*\Z")
_ENVIRONMENTS = frozenset(
    "equation align gather multline eqnarray alignat displaymath math split aligned cases".split()
)
_QUOTED = re.compile(r"\A`([^`]+)`\Z")
"""The formula of GitLab's Markdown: ``$`…`$``."""
_LIVE = re.compile(r"<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\](?=[(\[])")


def may_have_tex(text: str) -> bool:
    """Return whether a text has a sign that opens a formula."""
    return "$" in text or "\\" in text or "[latex]" in text


def formulas_in(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the formulas in a text: begin, end, TeX, and the sign to write around it.

    A sign that nothing closes is text. No part of the text is searched twice for the same sign.
    """
    at = 0
    ends: dict[str, int] = {}
    while opening := _OPENING.search(text, at):
        sign, begin = opening[0], opening.end()
        at = begin
        if opening[1] and opening[1].rstrip("*") not in _ENVIRONMENTS:
            continue
        closing = f"\\end{{{opening[1]}}}" if opening[1] else _CLOSING[sign]
        if ends.get(closing, -1) < begin:
            found = text.find(closing, begin)
            ends[closing] = found if found >= 0 else len(text)
        end = ends[closing]
        if end == len(text):
            continue
        stop = end + len(closing)
        is_formula = end - begin <= _MAX_CHARS and not text.endswith("\\", 0, opening.start())
        if is_formula and _is_formula(sign, text[begin:end], text[stop : stop + 1]):
            inner = text[opening.start() : stop] if opening[1] else text[begin:end].strip()
            inner = _QUOTED.sub(r"\1", inner.removeprefix(_PREFIX))
            yield opening.start(), stop, inner, "$" if sign in _INLINE else "$$"
            at = stop


_INLINE = frozenset(("$", "\\(", "[latex]"))
_PREFIX = "latex "
"""What WordPress wants behind a ``$``."""
_CLOSING = {"[latex]": "[/latex]", "$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}


def _is_formula(sign: str, tex: str, following: str) -> bool:
    tex = _CUT_SIGN.sub("", tex)
    if not tex.strip() or len(tex) > _MAX_CHARS:
        return False
    if sign.startswith("\\begin"):
        return True
    if sign == "$" and (
        tex[0].isspace() or tex[-1].isspace() or (following.isascii() and following.isalnum())
    ):
        return False
    if not _NAME.match(tex.strip()) and not _LOOKS_TEX.search(tex):
        return False
    return not is_prose(tex)


def harmless(tex: str) -> str:
    """Return TeX in which no Markdown renderer finds tags, entities, links or code.

    Spaces and empty groups mean nothing in formulas.
    """
    return _LIVE.sub(lambda sign: f"{sign[0]} ", tex).replace("`", "\\lq{}")
