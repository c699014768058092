"""Checks the name of an encoding that a user gives."""

from __future__ import annotations

from w3lib.encoding import resolve_encoding

NOT_FOR_PAGES = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "utf_7"})
"""Codecs of Python that are for text, but that no page uses."""


def check_encoding(name: str | None) -> None:
    """Raise ``ValueError`` for an encoding that a user names and in which no page can be read.

    None, or an empty name, is fine: the encoding is detected.
    """
    if name and not _is_encoding(name):
        raise ValueError(
            f"encoding {name!r} is not known to Python, or not for pages: name one such as 'utf-8' "
            "or 'windows-1252', or leave it out, so that it is detected"
        )


def _is_encoding(name: str) -> bool:
    try:
        codec = resolve_encoding(name)
        b"a".decode(codec or "unknown", errors="ignore")
    except (AttributeError, LookupError, TypeError, ValueError):  # no text, or no codec for text
        return False
    return codec is not None and codec.replace("-", "_") not in NOT_FOR_PAGES
