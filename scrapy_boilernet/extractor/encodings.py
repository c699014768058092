"""The names of encodings."""

from __future__ import annotations

from w3lib.encoding import resolve_encoding

NOT_FOR_PAGES = frozenset({"idna", "punycode", "raw_unicode_escape", "unicode_escape", "utf_7"})
"""Python's own codecs, which no page uses. They decode any bytes, and the time of some is quadratic
in the number of bytes."""


def codec_of(name: str | None) -> str | None:
    """Return Python's name of an encoding, as browsers resolve it; None if no page can be in it."""
    try:
        codec = resolve_encoding(name) if name else None
        if codec is None or codec.replace("-", "_") in NOT_FOR_PAGES:
            return None
        b"a".decode(codec, errors="ignore")
    except (AttributeError, LookupError, TypeError, ValueError):
        return None  # no text, or a codec that is not for text, such as "hex"
    return str(codec)


def check_encoding(name: str | None) -> None:
    """Raise ``ValueError`` for an encoding that a user names and in which no page can be read.

    None, or an empty name, is fine: the encoding is detected.
    """
    if name and codec_of(name) is None:
        raise ValueError(
            f"encoding {name!r} is not known to Python, or not for pages: name one such as 'utf-8' "
            "or 'windows-1252', or leave it out, so that it is detected"
        )
