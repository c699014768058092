"""The images of a page: their addresses and alternative texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Protocol, cast

from lxml import etree

from scrapy_boilernet.extractor.html.scan import may_have

_SOURCES = (
    "data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-image-loader",
    "data-lazy", "data-original-src", "data-hi-res-src", "data-full-src", "data-echo",
    "data-img-src", "data-image-src", "data-orig-file", "data-large-file", "src", "data-srcset",
    "data-lazy-srcset", "srcset",
)  # fmt: skip
"""Attributes that may hold an image's address, in the order in which they are tried. A script
copies those before ``src`` to it when the image is shown."""
_PLACEHOLDER = re.compile(
    r"(?:data|about|blob|javascript):|#|[^?#]*(?:placeholder|/(?:blank|spacer|transparent|pixel|1x1|"
    r"loading)\.|/(?:(?:ajax-)?loader|spinner|clear|empty|lazy|lazyload|gr[ae]y|trans|dummy|1px)"
    r"\.(?:gif|png|svg)(?:[?#]|\Z))",
    re.IGNORECASE,
)
"""An address that shows nothing until a script puts another one in its place."""
_TRACKER = re.compile(
    r"[^?#]*(?:facebook\.com/tr(?:[/?]|\Z)|doubleclick\.net|scorecardresearch\.com|quantserve\.com|"
    r"google-analytics\.com|googletagmanager\.com|pixel\.wp\.com|vgwort\.de|/__utm\.gif|"
    r"bat\.bing\.com|px\.ads\.linkedin\.com|adservice\.|analytics\.twitter\.com|/(?:tracking-?)?"
    r"pixel(?:[/?.]|\Z)|/beacon(?:[/?.]|\Z))",
    re.IGNORECASE,
)
"""The address of an image that only counts readers."""
_PLACEHOLDER_STEMS = (
    "placeholder", "/blank", "/spacer", "/trans", "/pixel", "/1", "load", "/spinner", "/clear",
    "/empty", "/lazy", "/gr", "/dummy",
)  # fmt: skip
"""Every address in which ``_PLACEHOLDER`` finds something has one of these, or one of these at its
beginning."""
_PLACEHOLDER_BEGINS = tuple("dabj#DABJ")
_TRACKER_STEMS = (
    "facebook", "doubleclick", "scorecard", "quantserve", "google", "pixel", "vgwort", "__utm",
    "bing.", "linkedin", "adservice", "twitter", "beacon",
)  # fmt: skip
"""Every address in which ``_TRACKER`` finds something has one of these."""
_LAZY_NAME = re.compile(r"data-(?!.*(?:placeholder|thumb|low|blur|error|fallback|avatar))")
_IMAGE_ADDRESS = re.compile(
    r"(?:https?:)?[^\s:{}<>\"']+\.(?:jpe?g|png|webp|gif|avif|svg|bmp)(?:[?#][^\s{}<>\"']*)?",
    re.IGNORECASE,
)
"""The value of any attribute ``data-…`` that is an image's address."""
_PERSON = re.compile(
    r"(?:^|[\s_-])(?:avatar|gravatar|userpic|profile-?(?:pic|image|photo))", re.IGNORECASE
)
"""Classes of the picture of an author or of a reader."""
_PERSON_STEMS = ("avatar", "userpic", "profile")
"""Every class in which ``_PERSON`` finds something has one of these."""
_UNSHOWN = re.compile(
    r"display\s*:\s*none|(?:^|[;\s])(?:width|height)\s*:\s*[01](?:px)?\s*(?:;|!|\Z)", re.IGNORECASE
)
"""The style of an image that nobody sees, unless it has a least width, too."""
_MAX_SOURCE_CHARS = 4_000
_MAX_STYLE_CHARS = 1_000
_MANY_ATTRIBUTES = 64
"""If an image has more attributes, only those of ``_SOURCES`` are read."""
_MAX_PICTURE_SOURCES = 20
_SIZE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)[wx]\Z")
"""The width or density of an image of a ``srcset``."""
_PIXEL, _ICON, _NO_SIZE = 2, 32, 10**9
"""The largest shorter side, in pixels, of a tracking pixel and of an icon; what stands for a side
that an image does not state."""
_MAX_ALT_CHARS = 1000
_NUMBER = re.compile(r"\s*(\d{1,9})")


IMAGE_TAGS = frozenset(("img", "amp-img", "amp-anim"))


class Attributes(Protocol):
    """An element, or a mapping of its attributes."""

    def get(self, name: str, /) -> str | None:
        """Return the value of an attribute."""
        ...

    def keys(self) -> Iterable[str | bytes]:
        """Return the names of the attributes."""
        ...


def shown_image(element: etree._Element, in_text: bool) -> tuple[str, str] | None:
    """Return what :func:`image_of` returns of an element."""
    attributes = cast("dict[str, str]", dict(element.items()))  # at once they take less time
    return image_of(attributes, in_text, picture_sources(element))


def image_of(
    image: Attributes, in_text: bool, picture: Sequence[Attributes] = ()
) -> tuple[str, str] | None:
    """Return the address and the alternative text of an image.

    None for a tracking pixel, for an icon or a person's picture outside of text, for an image that
    hides itself, and for one that has no address or only a placeholder's. ``picture``: the
    ``<source>`` elements of the ``<picture>`` around it.
    """
    source = _source(image) or next(filter(None, map(_source, picture)), "")
    side = min(_pixels(image, "width"), _pixels(image, "height")) if source else 0
    if side <= (_PIXEL if in_text else _ICON) or _is_unseen(image, source):
        return None
    classes = "" if in_text else (image.get("class") or "")[:_MAX_STYLE_CHARS]
    if classes and may_have(classes, _PERSON_STEMS) and _PERSON.search(classes):
        return None
    return source, " ".join((image.get("alt") or "")[:_MAX_ALT_CHARS].split())


def picture_sources(image: etree._Element) -> list[etree._Element]:
    """Return the ``<source>`` elements of the ``<picture>`` around an image.

    libxml2 puts what follows a ``<source>`` into it.
    """
    above = image.getparent()
    for _ in range(_MAX_PICTURE_SOURCES):
        if above is None or above.tag not in ("source", "picture"):
            break
        if above.tag == "picture":
            return [*islice(above.iterdescendants("source"), _MAX_PICTURE_SOURCES)]
        above = above.getparent()
    return []


def _is_unseen(image: Attributes, source: str) -> bool:
    """Return whether an image hides itself, or only counts readers."""
    style = (image.get("style") or "")[:_MAX_STYLE_CHARS]
    is_unshown = style and "min-" not in style and _UNSHOWN.search(style)
    if is_unshown or image.get("hidden") is not None:
        return True
    source = source[:_MAX_SOURCE_CHARS]
    return may_have(source, _TRACKER_STEMS) and _TRACKER.match(source) is not None


def _source(image: Attributes) -> str:
    """Return the address of an image; "" if it has none, or only a placeholder's."""
    get = image.get
    for name in _SOURCES:
        value = get(name)
        if not value:
            continue
        value = value.strip()[: _MAX_SOURCE_CHARS + 1]
        if name.endswith("srcset") or _holds_several(value):
            value = _largest(value)
        if value and not _is_placeholder(value[:_MAX_SOURCE_CHARS]):
            return value
    return next(_unnamed(image), "")


def _is_placeholder(address: str) -> bool:
    may_be = address.startswith(_PLACEHOLDER_BEGINS) or may_have(address, _PLACEHOLDER_STEMS)
    return may_be and _PLACEHOLDER.match(address) is not None


def _unnamed(image: Attributes) -> Iterator[str]:
    """Yield the addresses of images in attributes that no script is known for."""
    names = [*image.keys()]
    for name in names if len(names) <= _MANY_ATTRIBUTES else ():
        if isinstance(name, str) and _LAZY_NAME.match(name):
            value = (image.get(name) or "")[: _MAX_SOURCE_CHARS + 1].strip()
            if name.endswith("srcset"):
                value = _largest(value)
            if _IMAGE_ADDRESS.fullmatch(value) and not _is_placeholder(value):
                yield value


def _holds_several(source: str) -> bool:
    """Return whether a ``src`` has what belongs into a ``srcset``."""
    return ("w, " in source or "x, " in source) and not source.startswith("data:")


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
