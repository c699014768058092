"""A page's source as tokens, and the page with comments between them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RAW = "script|style|textarea|title|xmp|iframe|noembed|noframes|plaintext"
"""Elements in which a browser looks only for their end."""
_TOKEN = re.compile(
    rf"""<!--.*?(?:-->|--!>|\Z)
    | <[!?][^>]*>?
    | <(?P<raw>{_RAW})(?=[\s/>])[^>]*>.*?(?=</(?P=raw)[\s/>]|\Z)
    | <(?P<tag>/?[a-z][^\s/>]*)(?P<rest>(?:[^<>"']|"[^"]*"|'[^']*')*)>
    | <[^<]*
    | [^<]+""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""\s+([^\s"'<>/=]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`/]+))?""")
_ATTRIBUTES = re.compile(rf"(?:{_ATTRIBUTE.pattern})*\s*/?", re.VERBOSE)


@dataclass(frozen=True)
class Token:
    """A piece of a page's source."""

    source: str
    kind: str
    """``"start"``, ``"end"``, ``"text"``, ``"raw"`` (a start tag and its text) or ``"other"``."""
    name: str = ""
    """Of a tag, in lower case."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names, each with what follows it from the equals sign on; empty if not all could be read."""
    rest: str = ""
    """What follows the attributes, before the tag ends."""


def tokens_of(html: str) -> list[Token]:
    """Return the page's tokens; their sources joined are the page."""
    return [_token(match) for match in _TOKEN.finditer(html)]


def _token(match: re.Match[str]) -> Token:
    source = match[0]
    if match["raw"]:
        return Token(source, "raw", match["raw"].lower())
    if match["tag"] is None:
        return Token(source, "other" if source[0] == "<" else "text")
    name, rest = match["tag"].lower(), match["rest"]
    if name[0] == "/":
        return Token(source, "end", name[1:])
    if not _ATTRIBUTES.fullmatch(rest):
        return Token(source, "start", name, rest=rest)
    attributes = tuple((each[1], each[2] or "") for each in _ATTRIBUTE.finditer(rest))
    end = max((each.end() for each in _ATTRIBUTE.finditer(rest)), default=0)
    return Token(source, "start", name, attributes, rest[end:])


def with_comments_between(html: str) -> str:
    """Return the page with a comment after each tag."""
    parts = []
    for token in tokens_of(html):
        parts.append(token.source)
        if token.kind in ("start", "end") and token.name not in ("html", "plaintext"):
            parts.append("<!-- a <p>comment</p> -->")
    return "".join(parts)
