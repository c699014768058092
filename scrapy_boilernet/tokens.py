"""Words of any script, without a word list: runs of word characters, and single CJK characters."""

from __future__ import annotations

import re

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f\u1780-\u17ff"  # Myanmar, Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0002fa1f"
)
"""Scripts written without spaces; Hangul is not one of them."""

_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_ASCII = "".join(map(chr, range(128)))
_APART = str.maketrans(_ASCII, re.sub(r"\W", " ", _ASCII.lower(), flags=re.ASCII))
"""ASCII in lower case and with white space between its tokens: the same in less time."""


def tokens(text: str) -> list[str]:
    r"""Return the lower-case tokens of ``text``: ``\w+`` runs; CJK, Thai, Lao, Myanmar and Khmer
    by character.

    >>> tokens("Don't panic: 東京")
    ['don', 't', 'panic', '東', '京']
    """
    return text.translate(_APART).split() if text.isascii() else _TOKEN.findall(text.lower())
