"""Pages that no parser reads whole, written anew: the same text, in elements nested less deep.

One pass of a tokenizer of HTML's own rules (WHATWG, "Tokenization"), in time and memory linear in
the page. What is nested deeper than browsers nest becomes line breaks and links.
"""

from __future__ import annotations

import re

from scrapy_boilernet.markup import ATTRIBUTE, MARKUP, RAW_TAGS, end_of_raw_text
from scrapy_boilernet.open_elements import OpenElements

_READ = frozenset(
    b"aria-hidden class content hidden id itemprop itemtype name property rel role style "
    b"type".split()
)
"""All attributes that the walk, the places and the head look at."""
_NAME = re.compile(rb"[a-z][a-z0-9:-]{0,63}\Z")
_SHOWN = (b"textarea", b"title")
"""Of the elements that hold text alone, those whose text somebody reads, entities in it."""


def flatten(body: bytes) -> bytes:
    """Return a page of the same text, in UTF-8, that any HTML parser reads whole.

    No element of it is nested deeper than :data:`~scrapy_boilernet.open_elements.MAX_DEPTH` or has
    attributes that nobody reads, and every end tag ends the element that was opened last.
    """
    written: list[bytes] = []
    elements = OpenElements(written)
    place, search = 0, MARKUP.search
    while match := search(body, place):
        begin, after = match.span()
        if place < begin:
            written.append(_text(body[place:begin]))
        place = after
        ends, name, attributes, closes_itself, closed = match.groups()
        if name is None or not closed:
            continue
        name = name.lower()
        if not _NAME.match(name) or (name == b"plaintext" and closes_itself):
            name = b"span"
        if ends:
            elements.end(name)
        elif name == b"plaintext":
            break
        elif name in RAW_TAGS:
            place = _raw(written, body, name, match)
        else:
            elements.start(name, _attributes(attributes), bool(closes_itself))
    if place < len(body):
        written.append(_text(body[place:]))
    return b"".join(written)


def _text(data: bytes) -> bytes:
    return data.replace(b"<", b"&lt;")


def _raw(written: list[bytes], body: bytes, name: bytes, match: re.Match[bytes]) -> int:
    """Write an element that holds text alone, and return where what follows it begins."""
    end = match.end()
    if not match[4]:  # libxml2 takes an element that closes itself at its word
        end = end_of_raw_text(name, body, end)
    attributes = _attributes(match[3])
    content = b""
    if name == b"xmp":  # in it, not even entities are markup
        name, content = b"pre", _text(body[match.end() : end].replace(b"&", b"&amp;"))
    elif name in _SHOWN:
        content = _text(body[match.end() : end])
    elif name == b"script" and b"ld+json" in attributes:
        content = body[match.end() : end].replace(b"<", b"\\u003c")  # the same in JSON
    written.append(b"<%b%b>%b</%b>" % (name, attributes, content, name))
    return end


def _attributes(source: bytes) -> bytes:
    """What is read of a tag's attributes, written as one way alone can be read."""
    if b"=" not in source and b"hidden" not in source.lower():
        return b""
    found: dict[bytes, bytes] = {}
    for name, value in ATTRIBUTE.findall(source):
        if name.lower() in _READ:
            plain = value[1:-1] if value[:1] in (b'"', b"'") else value
            found.setdefault(name.lower(), plain.replace(b'"', b"&quot;"))
    return b"".join(b' %b="%b"' % item for item in found.items())
