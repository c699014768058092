"""Victor's features of a block's own text: characters, tokens, sentences, patterns."""

from __future__ import annotations

import re
import string
import unicodedata

from scrapy_boilernet.classical.victor_buckets import count, share
from scrapy_boilernet.tokens import tokens

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".replace(" ", "|")
PATTERNS = {
    "date": re.compile(
        r"\b\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}\b"
        rf"|\b(?:{_MONTHS})[a-z]{{0,6}}\.? \d{{1,4}}\b|\b\d{{1,2}}\.? (?:{_MONTHS})[a-z]{{0,6}}\b"
        r"|\d{4}年|\d月\d",
        re.IGNORECASE,
    ),
    "time": re.compile(r"\b\d{1,2}:\d{2}\b|\b\d{1,2} ?[ap]\.?m\b", re.IGNORECASE),
    "URL": re.compile(r"https?://|\bwww\.|\w\.(?:com|org|net|edu|gov)\b", re.IGNORECASE),
    "e-mail": re.compile(r"\w@\w"),
    "bullet": re.compile(r"(?:[*•·▪■●○◦‣»›>–—-]|\(?(?:\d{1,2}|[a-zA-Z])[.)])(?: |\Z)"),
    "copyright": re.compile(r"©|\(c\)|\bcopyright\b|\ball rights reserved\b", re.IGNORECASE),
    "price": re.compile(r"[$€£¥] ?\d|\d ?[€£]"),
}
"""What Victor's regular expressions look for; ``bullet`` at the begin of a block, others in it."""
_SENTENCE_END = re.compile(r"[.!?…](?=[\s\"'”’)\]]|\Z)|[。！？]")
_ENDS = {
    **dict.fromkeys(".。…", "full stop"), **dict.fromkeys("!！", "exclamation mark"),
    **dict.fromkeys("?？", "question mark"), **dict.fromkeys(":：", "colon"),
    **dict.fromkeys(",;，；、", "comma"), **dict.fromkeys(")]}", "bracket"),
    **dict.fromkeys("\"'”’»", "quote"), **dict.fromkeys("|/\\", "bar"),
}  # fmt: skip
_PUNCTUATION = frozenset(string.punctuation)


def text_attributes(text: str) -> list[str]:
    """Return the attributes of a text: ``"<name>=<interval>"`` each."""
    found = tokens(text)
    words, numbers = sum(map(str.isalpha, found)), sum(map(str.isdigit, found))
    sentences = sentence_count(text)
    letters = sum(map(len, found))
    return [
        *_character_shares(text),
        f"share of words={share(words, len(found))}",
        f"share of numbers={share(numbers, len(found))}",
        f"share of mixed tokens={share(len(found) - words - numbers, len(found))}",
        f"tokens={count(len(found))}",
        f"sentences={count(sentences)}",
        f"token length={round(letters / len(found)) if found else 0:.0f}"
        if letters < 15 * max(len(found), 1)
        else "token length=15+",
        f"sentence length={count(len(found) / sentences) if sentences else 'none'}",
        f"begins with={_begin(text)}",
        f"ends with={end_of(text)}",
        f"begins, ends, tokens={_begin(text)}, {end_of(text)}, {count(len(found))}",
        *(
            f"pattern={name}"
            for name, pattern in PATTERNS.items()
            if (pattern.match(text) if name == "bullet" else pattern.search(text))
        ),
    ]


def sentence_count(text: str) -> int:
    """Return how many ends of sentences there are in a text."""
    return sum(1 for _ in _SENTENCE_END.finditer(text))


def end_of(text: str) -> str:
    """Return what a text ends with: the kind of its last character."""
    last = text[-1:]
    return _ENDS.get(last) or _kind(last)


def _begin(text: str) -> str:
    first = text[:1]
    if first.isupper():
        return "capitals" if text[:8].isupper() and len(text) > 1 else "capital"
    return "small letter" if first.islower() else _kind(first)


def _kind(character: str) -> str:
    if character.isalpha():
        return "letter"
    if character.isdigit():
        return "digit"
    return "punctuation" if _is_punctuation(character) else "other"


def _is_punctuation(character: str) -> bool:
    if not character or character.isascii():
        return character in _PUNCTUATION
    return unicodedata.category(character).startswith("P")


def _character_shares(text: str) -> list[str]:
    size = len(text)
    letters, digits = sum(map(str.isalpha, text)), sum(map(str.isdigit, text))
    spaces = sum(map(str.isspace, text))
    rest = size - letters - digits - spaces
    marks = sum(map(_is_punctuation, text)) if rest else 0
    capitals = sum(map(str.isupper, text))
    return [
        f"share of letters={share(letters, size)}",
        f"share of digits={share(digits, size)}",
        f"share of punctuation={share(marks, size)}",
        f"share of white space={share(spaces, size)}",
        f"share of other characters={share(max(rest - marks, 0), size)}",
        f"share of capitals={share(capitals, size)}",
    ]
