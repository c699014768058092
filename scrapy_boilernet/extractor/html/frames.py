"""The text of a page of frames: what it has for browsers that show none."""

from __future__ import annotations

import re

from lxml import etree

_FRAMESET = re.compile(rb"<frameset(?=[\s/>])", re.IGNORECASE)
_NOFRAMES = re.compile(
    rb"<noframes(?=[\s/>])[^<>]*>(.*?)(?:</noframes|\Z)", re.IGNORECASE | re.DOTALL
)
_TAG = re.compile(rb"<[^<>]*>")
_MIN_BYTES = 200
"""A shorter text only says that the browser shows no frames."""


def has_frames(root: etree._Element) -> bool:
    """Return whether a page has frames in place of a body."""
    return any(element.tag == "frameset" for element in root)


def without_frames(body: bytes) -> bytes:
    """Return a page of frames with the text of its ``<noframes>`` in their place.

    For libxml2 from version 2.14 on, that text is not markup.
    """
    frames = _FRAMESET.search(body)
    head = body[: frames.start()] if frames else body
    text = b"".join(_NOFRAMES.findall(body))
    return head + text if len(_TAG.sub(b"", text).strip()) >= _MIN_BYTES else head
