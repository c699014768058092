"""The images of a page: their addresses and alternative texts."""

from __future__ import annotations

import re
from typing import Protocol

_SOURCES = (
    "data-src", "data-original", "data-lazy-src", "src", "data-srcset", "data-lazy-srcset",
    "srcset",
)  # fmt: skip
"""Attributes that may hold an image's address, in the order in which they are tried. A script
copies those before ``src`` to it when the image is shown."""
_PLACEHOLDER = re.compile(
    r"data:|[^?#]*(?:placeholder|/(?:blank|spacer|transparent|pixel|1x1|loading)\.)", re.IGNORECASE
)
_MAX_SOURCE_CHARS = 4_000
_PIXEL, _ICON, _NO_SIZE = 2, 32, 10**9
"""The largest shorter side, in pixels, of a tracking pixel and of an icon; what stands for a side
that an image does not state."""
_MAX_ALT_CHARS = 1000
_NUMBER = re.compile(r"\s*(\d{1,9})")


class Attributes(Protocol):
    """An element, or a mapping of its attributes."""

    def get(self, name: str, /) -> str | None:
        """Return the value of an attribute."""
        ...


def image_of(image: Attributes, in_text: bool) -> tuple[str, str] | None:
    """Return the address and the alternative text of an image.

    None for a tracking pixel, for an icon outside of text, and for an image that has no address or
    only a placeholder's.
    """
    source = _source(image)
    side = min(_pixels(image, "width"), _pixels(image, "height")) if source else 0
    if side <= (_PIXEL if in_text else _ICON):
        return None
    return source, " ".join((image.get("alt") or "")[:_MAX_ALT_CHARS].split())


def _source(image: Attributes) -> str:
    """Return the address of an image; "" if it has none, or only a placeholder's."""
    for name in _SOURCES:
        value = (image.get(name) or "").strip()[: _MAX_SOURCE_CHARS + 1]
        if name.endswith("srcset"):
            value = value.split(maxsplit=1)[0].rstrip(",") if value else ""
        if value and not _PLACEHOLDER.match(value[:_MAX_SOURCE_CHARS]):
            return value
    return ""


def _pixels(image: Attributes, side: str) -> int:
    """Return the width or height that the image states; a large number if it states none."""
    return given_number(image, side, _NO_SIZE)


def given_number(element: Attributes, name: str, otherwise: int) -> int:
    """Return the number at the beginning of an attribute; ``otherwise`` if it has none."""
    match = _NUMBER.match(element.get(name) or "")
    return int(match[1]) if match else otherwise
