"""The text of ``<pre>``, with its lines and indents."""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

from lxml import etree

_LINE_END = re.compile(r"\r\n?|[\n\x0b\x0c]")


def raw_texts(
    pre: etree._Element,
    seamless: AbstractSet[Any],
    skipped: AbstractSet[str],
    hides: Callable[[etree._Element], bool] | None = None,
) -> list[str]:
    """Return the texts of the blocks in a ``<pre>``, in order, to be joined by line ends.

    A block ends at elements that are not ``seamless``; ``skipped`` elements, and those that
    ``hides`` is true for, have no text. Lines are separated by line feeds. A blank line that a
    ``<br>`` makes is at the beginning of the text that follows it.
    """
    texts: list[str] = []
    parts: list[str] = []
    blank = ""

    def end_block(is_break: bool) -> None:
        nonlocal blank
        text = "".join(parts)
        parts.clear()
        if text and not text.isspace():
            texts.append((blank if texts else "") + _lines(text))
            blank = ""
        elif is_break:
            blank += "\n"

    walker = etree.iterwalk(pre, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        tag: Any = element.tag
        ends = tag not in seamless
        if event == "start":
            if ends:
                end_block(is_break=tag == "br")
            if tag in skipped or (hides is not None and element is not pre and hides(element)):
                walker.skip_subtree()
            else:
                parts.append(element.text or "")
            continue
        if event == "end" and ends:
            end_block(is_break=False)
        if element is not pre:
            parts.append(element.tail or "")
    return texts


def _lines(text: str) -> str:
    """Return the text without white space at line ends, and without blank lines at either end."""
    lines = [line.rstrip() for line in _LINE_END.split(text)]
    first = next(i for i, line in enumerate(lines) if line)
    return "\n".join(lines[first:]).rstrip()
