"""Reads ``pages/soup.dat``: short inputs around the rules of HTML's parser. Needs no Hypothesis."""

from __future__ import annotations

import re
from pathlib import Path

_FILE = Path(__file__).parents[1] / "pages" / "soup.dat"
_CASE = re.compile(r"^#case (.+)\n", re.MULTILINE)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")


def soup_cases() -> dict[str, str]:
    """Return the inputs by the rule that each tests; some hold halves of surrogate pairs."""
    _, *parts = _CASE.split(_FILE.read_text(encoding="utf-8"))
    names, inputs = parts[::2], parts[1::2]
    assert len(set(names)) == len(names)
    return {
        name: _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text.removesuffix("\n"))
        for name, text in zip(names, inputs, strict=True)
    }


def encoded(text: str, codec: str = "utf-8") -> bytes:
    """Return the text as bytes; what cannot be encoded is kept as a surrogate or replaced."""
    if codec.startswith("utf"):
        return text.encode(codec, "surrogatepass")
    return text.encode(codec, "replace")
