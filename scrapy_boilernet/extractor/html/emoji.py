"""Images of emoji and smileys in a sentence, which are read as the characters that they show; those
that are all of a paragraph, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.reading import Reading

SIGNS = (
    b"emoji", b"smilie", b"smiley", b"emoticon", b'alt="\xf0\x9f', b"alt='\xf0\x9f",
)  # fmt: skip
"""A page with images of emoji has one of these; the last are those of an emoji itself."""
_NAMED = re.compile(
    r"(?:^|[\s_/-])(?:tw)?(?:emojis?|emoticons?|smil(?:ey|ie|eys|ies))(?![a-z])", re.IGNORECASE
)
"""Classes and addresses of such images."""
_EMOJI = re.compile(
    "(?:[\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\ufe0f\u200d"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f\u203c\u2049\u2122\u2139\xa9\xae]"
    "|[0-9#*]\ufe0f?\u20e3)+"
)
_SMILEY = re.compile(r":[\w+-]{1,30}:|\S{1,5}")
"""The text of an image that is named as an emoji: ``:smile:``, ``:-)``, ``xD``."""
_TITLE = re.compile(r"[^\W\d_][\w '!?().,-]{0,59}")
"""The title of a smiley without an alternative text that is a word: ``Smile``."""
_OF_CODE = re.compile(
    r"/(?:unicode|emoji|twemoji|svg|[0-9]{2}x[0-9]{2})/([0-9a-f]{4,5}(?:-[0-9a-f]{4,5}){0,9})\."
)
"""The address of an image that is called by the characters that it shows."""
_MAX_CHARS = 64
_MAX_ADDRESS_CHARS = 1_000
_MAX_LEVELS = 8
"""Inline elements between the image and the element that holds the text."""
_PARAGRAPH, _IMAGE, _MAX_IMAGES = "p", "img", 20
_INLINE = frozenset("a b em i strong span font u small big mark".split())


def may_have_emoji(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have images of emoji."""
    return not signs.isdisjoint(SIGNS)


def emoji_of(roots: Sequence[etree._Element]) -> dict[etree._Element, Reading]:
    """Return the characters of the images of emoji that stand beside text or alone in a
    paragraph.
    """
    beside: dict[etree._Element, bool] = {}
    readings: dict[etree._Element, Reading] = {}
    for root in roots:
        for image in root.iter(_IMAGE):
            text = _text_of(image)
            if text and _is_beside_text(image, beside):
                readings[image] = Reading(text, tag=_IMAGE)
    return readings


def _text_of(image: etree._Element) -> str:
    """Return the characters that an image shows; "" if it is no emoji."""
    text = (image.get("alt") or image.get("data-emoji") or "")[: _MAX_CHARS + 1].strip()
    title = "" if text else (image.get("title") or "").strip()
    if not (text or title) or len(text) > _MAX_CHARS or len(title) > _MAX_CHARS:
        return ""
    if _EMOJI.fullmatch(text):
        return text
    names = (image.get("class") or "", image.get("src") or "")
    if not any(_NAMED.search(name[:_MAX_ADDRESS_CHARS]) for name in names):
        return ""
    text = text or (f":{title}:" if _TITLE.fullmatch(title) else title)
    if not (title or _SMILEY.fullmatch(text)):
        return ""
    coded = _OF_CODE.search(names[1][:_MAX_ADDRESS_CHARS])
    shown = "".join(chr(int(code, 16)) for code in coded[1].split("-")) if coded else ""
    return shown if _EMOJI.fullmatch(shown) else text


def _is_beside_text(image: etree._Element, beside: dict[etree._Element, bool]) -> bool:
    """Return whether the element around an image, or one around it in its line, has a text, or is a
    paragraph of nothing but such images.

    ``beside``: what is known of other elements.
    """
    above = image.getparent()
    for _ in range(_MAX_LEVELS):
        if above is None:
            return False
        if above not in beside:
            texts = (above.text, *(child.tail for child in above))
            beside[above] = any(text and not text.isspace() for text in texts) or (
                above.tag == _PARAGRAPH and _has_only_emoji(above)
            )
        if beside[above]:
            return True
        if above.tag not in _INLINE:
            return False
        above = above.getparent()
    return False


def _has_only_emoji(paragraph: etree._Element) -> bool:
    """Return whether a paragraph has no other images than those of emoji."""
    images = [*islice(paragraph.iter(_IMAGE), _MAX_IMAGES + 1)]
    return len(images) <= _MAX_IMAGES and all(map(_text_of, images))
