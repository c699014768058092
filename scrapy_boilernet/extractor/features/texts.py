"""Counts tokens, characters and more in the texts of a page's blocks.

:mod:`scrapy_boilernet.extractor.features.compiled`, if it is compiled, counts the same in less
time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import (
    DIGIT,
    HIGH,
    PUNCTUATION,
    STOP,
    STOPS,
    SYMBOL,
    UNSPACED,
    WORD,
    Characters,
    basic_kinds,
    codes_and_kinds,
    is_single,
    tokens,
    trigrams,
)
from scrapy_boilernet.extractor.page import Head

try:
    from scrapy_boilernet.extractor.features.compiled import count_rows, hash_tokens
except ImportError:  # not compiled
    count_rows = hash_tokens = None  # type: ignore[assignment]

COUNTS = {
    "tokens": "Tokens; only the first 32 and the last 8 of a text count",
    "token_chars": "Characters of the tokens",
    "singles": "Tokens of one character, of a script without spaces",
    "punctuation": "Commas and the like",
    "stops": "Full stops and the like",
    "digits": "Digits",
    "capitalized": "Words that begin with a capital",
    "symbols": "Bars, arrows, bullets and the like",
    "high": "Characters of the kind HIGH",
    "ends": "1 if it ends as a sentence",
    "lower": "1 if it begins in lower case",
    "in_title": "Tokens in both text and title, per tokens in either, in [0, 1]",
    "in_description": "Share of the tokens that the page's description has, in [0, 1]",
    "in_body": "Share of the runs of three tokens that the JSON-LD body has, in [0, 1]",
    "has_body": "1 if the page has a JSON-LD body",
    "dated": "1 if there is a year, a date or a time",
    "addressed": "1 if there is a web or mail address",
}
"""The counts of a text: their names here, in compiled code and in the extension, and what they are.

``in_description`` and ``in_body`` are 0 for texts of fewer than three tokens.
"""
MAX_TEXT_CHARS = 2000
"""Characters of a text that are read. More hardly change a block's ratios, and the limit keeps a
block of 12 MB cheap."""
HEAD_TOKENS, TAIL_TOKENS = 32, 8
_TITLE_TOKENS = 40
MIN_CLAIM_TOKENS = 3
CLOSERS = "\"'”’»)]"
"""What may stand after the end of a sentence."""
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:./-]\d{1,2}\b")
ADDRESSES = ("@", "http:", "https:", "www.")


def count_texts(texts: Sequence[str], title: str, head: Head) -> NDArray[np.float64]:
    """Return the counts of texts, rows as in :data:`COUNTS`: (rows, texts)."""
    title_tokens = tokens(title)[:_TITLE_TOKENS]
    if count_rows is None:
        return _counts(texts, title_tokens, head)
    claims = (title_tokens, head.description, head.article_body)
    return count_rows(texts, *claims, basic_kinds(), CLOSERS, _DATE.match)


def clipped_tokens(text: str) -> list[str]:
    """Return the first 32 and last 8 tokens of the first and last 1,000 characters."""
    if len(text) > MAX_TEXT_CHARS:
        text = text[: MAX_TEXT_CHARS // 2] + " " + text[-MAX_TEXT_CHARS // 2 :]
    all_tokens = tokens(text)
    if len(all_tokens) > HEAD_TOKENS + TAIL_TOKENS:
        return all_tokens[:HEAD_TOKENS] + all_tokens[-TAIL_TOKENS:]
    return all_tokens


def _counts(texts: Sequence[str], title_tokens: Sequence[str], head: Head) -> NDArray[np.float64]:
    """Return what :func:`count_texts` returns."""
    read = [text[:MAX_TEXT_CHARS] for text in texts]
    characters = Characters(read)
    found = [clipped_tokens(text) for text in texts]
    high = characters.count(HIGH)
    cut = np.array([len(text) > MAX_TEXT_CHARS for text in texts], dtype=np.bool_)
    described, claimed, has_body = _claims(found, head)
    last = [text.rstrip(CLOSERS)[-1:] for text in read]
    ends = [bool(sign) and sign in STOPS for sign in last]
    counts: dict[str, Any] = {
        "tokens": [len(own) for own in found],
        "token_chars": [sum(map(len, own)) for own in found],
        "singles": _singles(found, (high > 0) | cut),
        "punctuation": characters.count(PUNCTUATION),
        "stops": characters.count(STOP),
        "digits": characters.count(DIGIT),
        "capitalized": characters.count_capitalized(),
        "symbols": characters.count(SYMBOL),
        "high": high,
        "ends": ends,
        "lower": [text[:1].islower() for text in read],
        "in_title": _title_overlaps(found, set(title_tokens)),
        "in_description": described,
        "in_body": claimed,
        "has_body": has_body,
        "dated": [_DATE.search(text) is not None for text in read],
        "addressed": _addressed(read),
    }
    rows = np.empty((len(COUNTS), len(texts)))
    for row, name in zip(rows, COUNTS, strict=True):
        row[:] = counts[name]
    return rows


def _singles(found: Sequence[list[str]], unsure: NDArray[np.bool_]) -> NDArray[np.float64]:
    singles = np.zeros(len(found))
    for i in np.flatnonzero(unsure).tolist():
        singles[i] = sum(map(is_single, found[i]))
    return singles


def _title_overlaps(found: Sequence[list[str]], title: set[str]) -> NDArray[np.float64]:
    overlaps = np.zeros(len(found))
    apart = np.fromiter(map(title.isdisjoint, found), np.bool_, count=len(found))
    for i in np.flatnonzero(~apart).tolist():
        own = set(found[i])
        overlaps[i] = len(own & title) / len(own | title)
    return overlaps


def _claims(
    found: Sequence[list[str]], head: Head
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return per text its share in the description, its share in the JSON-LD body, and whether the
    page has such a body.
    """
    in_description, in_body = np.zeros((2, len(found)))
    described = set(tokens(head.description))
    body = trigrams(tokens(head.article_body))
    for i, own in enumerate(found if described or body else ()):
        if len(own) >= MIN_CLAIM_TOKENS:
            in_description[i] = sum(map(described.__contains__, own)) / len(own)
            if body:
                runs = zip(own, own[1:], own[2:], strict=False)
                in_body[i] = sum(map(body.__contains__, runs)) / (len(own) - 2)
    return in_description, in_body, np.full(len(found), float(bool(body)))


def _addressed(texts: Sequence[str]) -> NDArray[np.float64]:
    addressed = np.zeros(len(texts))
    together = "\n".join(texts)
    for sign in ADDRESSES:
        if sign in together:  # on few pages
            addressed = np.maximum(addressed, [sign in text for text in texts])
    return addressed


def token_hashes(text: str) -> NDArray[np.uint64]:
    """Return the hash of each token of the text, in order: (tokens,).

    The tokens are those of :func:`~scrapy_boilernet.extractor.features.words.tokens`. Equal tokens
    have equal hashes on every machine.
    """
    if hash_tokens is None:
        return _token_hashes(text.lower())
    return hash_tokens(text.lower(), basic_kinds(), _FACTORS)


def _token_hashes(text: str) -> NDArray[np.uint64]:
    """Return the hashes of :func:`token_hashes` for text in lower case."""
    codes, kinds = codes_and_kinds(text)
    inside = kinds & (WORD | UNSPACED) > 0
    begins = inside.copy()
    begins[1:] &= ~inside[:-1] | ((kinds[1:] | kinds[:-1]) & UNSPACED > 0)
    starts = np.flatnonzero(begins[inside])
    if not len(starts):
        return np.zeros(0, dtype=np.uint64)
    lengths = np.diff(starts, append=np.count_nonzero(inside))
    places = np.arange(lengths.sum()) - np.repeat(starts, lengths)
    factors = _FACTORS[np.minimum(places, len(_FACTORS) - 1)]
    hashes: NDArray[np.uint64] = np.add.reduceat((codes[inside] + np.uint64(1)) * factors, starts)
    hashes ^= hashes >> np.uint64(32)  # the upper bits depend on more characters
    hashes *= _FACTORS[0]
    return hashes


_FACTORS: NDArray[np.uint64] = np.cumprod(
    np.full(64, 0x9E3779B97F4A7C15, dtype=np.uint64), dtype=np.uint64
)
"""Factors by the place of a character in its token. Any odd number and its powers would do."""
