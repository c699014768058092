"""The images of a page: their addresses and alternative texts."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Protocol

_SOURCES = (
    "data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-image-loader",
    "data-lazy", "data-original-src", "data-hi-res-src", "data-full-src", "data-echo",
    "data-img-src", "data-image-src", "data-orig-file", "data-large-file", "src", "data-srcset",
    "data-lazy-srcset", "srcset",
)  # fmt: skip
"""Attributes that may hold an image's address, in the order in which they are tried. A script
copies those before ``src`` to it when the image is shown."""
_PLACEHOLDER = re.compile(
    r"data:|[^?#]*(?:placeholder|/(?:blank|spacer|transparent|pixel|1x1|loading)\.)", re.IGNORECASE
)
_MAX_SOURCE_CHARS = 4_000
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wx]\Z")
"""The width or density of an image of a ``srcset``."""
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
            value = _largest(value)
        if value and not _PLACEHOLDER.match(value[:_MAX_SOURCE_CHARS]):
            return value
    return ""


def _largest(srcset: str) -> str:
    """Return the address of the largest image of a ``srcset``; the first of several."""
    found: list[tuple[float, str]] = []
    address = ""
    for token in srcset.split():
        if address:
            size, _, following = token.partition(",")
            match = _SIZE.match(size)
            found.append((float(match[1]) if match else 1.0, address))
        else:
            following = token
        address = following.lstrip(",")
        if address.endswith(","):
            found.append((1.0, address.rstrip(",")))
            address = ""
    if address:
        found.append((1.0, address))
    return max(found, key=itemgetter(0))[1] if found else ""


def _pixels(image: Attributes, side: str) -> int:
    """Return the width or height that the image states; a large number if it states none."""
    return given_number(image, side, _NO_SIZE)


def given_number(element: Attributes, name: str, otherwise: int) -> int:
    """Return the number at the beginning of an attribute; ``otherwise`` if it has none."""
    match = _NUMBER.match(element.get(name) or "")
    return int(match[1]) if match else otherwise
