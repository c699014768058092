"""Text of hostile web pages made safe to show: nothing in it can become markup or run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import NewType

Safe = NewType("Safe", str)
"""Markup of our own making, in which every foreign text has been escaped."""

NAME_LENGTH = 28
LINE_LENGTH = 320

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_WEB_URL = re.compile(r"https?://[^\s\ufffd]+", re.IGNORECASE)


def plain(text: str, limit: int = LINE_LENGTH) -> str:
    r"""Return ``text`` as one short line that encodes to UTF-8; not yet escaped.

    >>> plain("a\x00  b" + "c" * 9, limit=8)
    'a� bccc…'
    """
    # Whatever is beyond the limit is dropped first: a page's "line" may be megabytes long.
    line = " ".join(_UNSHOWABLE.sub("\ufffd", text[: 4 * limit]).split())
    cut = len(line) > limit or len(text) > 4 * limit
    return line[: limit - 1] + "…" if cut else line


def shown(text: str, limit: int = LINE_LENGTH) -> Safe:
    """Return ``text`` shortened and escaped, its writing direction kept from what follows it."""
    return Safe(f"<bdi>{escape(plain(text, limit))}</bdi>")


def name(text: str) -> Safe:
    """Return a system's, set's or group's name, escaped."""
    return shown(text, NAME_LENGTH)


def link(url: str | None) -> Safe:
    """Return a link if ``url`` is a web address, otherwise the address as mere text.

    >>> link("javascript:alert(1)")
    '<bdi>javascript:alert(1)</bdi>'
    """
    if not url:
        return Safe("")
    if len(url) <= LINE_LENGTH and _WEB_URL.fullmatch(plain(url)):
        return Safe(
            f'<a href="{escape(plain(url))}" rel="noopener noreferrer nofollow">'
            f"{shown(re.sub('^https?://', '', url, flags=re.IGNORECASE), 90)}</a>"
        )
    return shown(url, 90)


def number(value: float, form: str = ".3f") -> Safe:
    """Return a figure, or a dash where there is none.

    >>> number(0.5), number(float("nan")), number(-0.25, "+.2f")
    ('0.500', '–', '−0.25')
    """
    # A real minus sign is as wide as the plus, so signed columns line up.
    return Safe(format(value, form).replace("-", "−") if abs(value) < float("inf") else "–")


def interval(low: float, high: float, form: str = ".3f") -> Safe:
    """Return an interval in small print."""
    return Safe(f"<small>[{number(low, form)}, {number(high, form)}]</small>")


def joined(parts: Iterable[str], glue: str = "\n") -> Safe:
    """Return pieces of our own markup as one."""
    return Safe(glue.join(parts))
