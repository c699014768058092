"""Takes off the beginnings and ends of posts what most posts of the thread begin or end with.

A program of a forum writes the same words beside each post, such as links to answer it. Where no
name tells the text of a post from them, they are found by their repetition.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scrapy_boilernet.extractor.page import Block

_DIGITS = re.compile(r"\d+")
_MIN_POSTS, _SHARE = 3, 0.5
"""The least posts, and the least share of those of the thread, that begin or end alike."""
_MAX_CHARS, _MAX_BLOCKS = 80, 6
"""The most characters of such a text, and the most of them at either end."""


def without_repeated_ends(bodies: Sequence[list[int]], blocks: Sequence[Block]) -> list[list[int]]:
    """Return the indexes of the blocks of each post without the texts in the same elements with
    which most posts begin or end. Numbers in them may differ. A post keeps its last block.
    """
    left = [*bodies]
    for end in (-1, 0):
        for _ in range(_MAX_BLOCKS):
            keys = [_key(blocks[body[end]]) if len(body) > 1 else None for body in left]
            counts = Counter(key for key in keys if key)
            least = max(_MIN_POSTS, _SHARE * len(left))
            repeated = {key for key, number in counts.items() if number >= least}
            if not repeated:
                break
            left = [
                (body[:-1] if end else body[1:]) if key in repeated else body
                for key, body in zip(keys, left, strict=True)
            ]
    return left


def _key(block: Block) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """Return the text, without its numbers, and the innermost elements of a short block."""
    if len(block.text) > _MAX_CHARS:
        return None
    return _DIGITS.sub("0", block.text).casefold(), block.tags[-3:], block.class_words[-3:]
