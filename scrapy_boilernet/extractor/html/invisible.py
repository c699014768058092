"""Characters that no one sees, and in which text can be hidden: tags, runs of variation selectors.

A reader sees nothing of them, but a language model reads them as letters. Spaces without a width
and joiners of letters are no text, if they are all that an element has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.patterns import lazy_pattern

_TAG, _MAX_TAG = 0xE0000, 0xE007F
_SELECTOR, _MORE_SELECTORS, _FEW = 0xFE00, 0xE0100, 16
INVISIBLE = re.compile(
    "(\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f)"
    "|[\U000e0000-\U000e007f]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}"
)
"""The first group is a flag, such as that of Wales, which is shown."""
_RUN = re.compile(rb"\xef\xb8[\x80-\x8f](?:\xef\xb8[\x80-\x8f]){2}")


HYPHEN_SIGNS = (b"\xc2\xad", b"&shy;", b"&#173;", b"&#xad;")
"""The forms of the soft hyphen, by which browsers break long words at the ends of lines."""
_HYPHEN = re.compile(b"|".join(map(re.escape, HYPHEN_SIGNS)), re.IGNORECASE)

ZERO_WIDTH_SIGNS = (
    b"\xe2\x80\x8b", b"&#8203;", b"&#x200b;", b"&zerowidthspace;", b"\xe2\x81\xa0", b"&#8288;",
    b"&#x2060;", b"\xef\xbb\xbf", b"&#65279;", b"&#xfeff;", b"\xe2\x80\x8c", b"&zwnj;", b"&#8204;",
    b"&#x200c;", b"\xe2\x80\x8d", b"&zwj;", b"&#8205;", b"&#x200d;",
)  # fmt: skip
"""The forms of spaces that have no width, and of joiners, which say how letters beside them are
written."""
ZERO_WIDTH = "\u200b\u2060\ufeff\u200c\u200d"
HOLDERS = "p|div|li|td|th|dt|dd|h[1-6]|section|blockquote|figcaption"
"""These characters, and the elements that editors put one into to keep them open; that of Webflow
puts a joiner into paragraphs."""
_ZERO, _SPACE = b"|".join(ZERO_WIDTH_SIGNS), rb"\s|\xc2\xa0|&nbsp;|&#160;"
_ONLY_ZERO_WIDTH = lazy_pattern(
    rb">(?:%b)*+(?:%b)(?:%b|%b)*+(?=</(?:%b)\s*>)"
    % (_SPACE, _ZERO, _SPACE, _ZERO, HOLDERS.encode()),
    re.IGNORECASE,
)


def may_have_invisible(body: bytes) -> bool:
    """Return whether a page in UTF-8 may have such characters."""
    # Single bytes are found fastest, and most pages have none of these.
    return (b"\xf3" in body and b"\xf3\xa0" in body) or (
        b"\xef" in body and _RUN.search(body) is not None
    )


def without_invisible(body: bytes) -> bytes:
    """Return a page in UTF-8 without such characters."""
    text = body.decode("utf-8", errors="replace")
    return INVISIBLE.sub(_flag, text).encode("utf-8", errors="replace")


def without_soft_hyphens(body: bytes) -> bytes:
    """Return a page in UTF-8 without soft hyphens, which would part words into pieces."""
    return _HYPHEN.sub(b"", body)


def without_zero_width(body: bytes, signs: AbstractSet[bytes]) -> bytes:
    """Return a page in UTF-8 without spaces of no width that are the last text of an element.

    ``signs``: the forms of them that the page has, in lower case.
    """
    lower = body.lower()
    before = {place for sign in signs for place in _ends_before(lower, sign)}
    kept, done = [], 0
    for place in sorted(before):
        if match := _ONLY_ZERO_WIDTH.match(body, place):
            kept.append(body[done : place + 1])
            done = match.end()
    return b"".join((*kept, body[done:]))


def _ends_before(body: bytes, sign: bytes) -> Iterator[int]:
    """Yield the place of the last ``>`` before each sign, if no other sign is between."""
    begin, place = 0, body.find(sign)
    while place >= 0:
        if (end := body.rfind(b">", begin, place)) >= 0:
            yield end
        begin = body.find(b">", place)
        place = body.find(sign, begin) if begin >= 0 else -1


def invisible_text(text: str) -> str:
    """Return the letters that such characters in a text stand for, with spaces between runs.

    >>> invisible_text("Hi" + "".join(chr(0xE0000 + ord(letter)) for letter in "x y"))
    'x y'
    """
    found = (match[0] for match in INVISIBLE.finditer(text) if not match[1])
    return " ".join(" ".join(map(_letters, found)).split())


def _letters(run: str) -> str:
    points = [*map(ord, run)]
    if _TAG <= points[0] <= _MAX_TAG:
        return "".join(chr(point - _TAG) for point in points if point > _TAG + 0x1F)
    numbers = (
        point - _SELECTOR if point < _TAG else point - _MORE_SELECTORS + _FEW for point in points
    )
    return bytes(numbers).decode("utf-8", errors="replace").strip("\0")


def _flag(match: re.Match[str]) -> str:
    return match[1] or ""
