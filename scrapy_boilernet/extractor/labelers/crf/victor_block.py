"""Victor's features of a block's own text and of its markup."""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.labelers.crf.segments import element_place
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_SHARES = (0.001, 0.03, 0.08, 0.15, 0.25, 0.4, 0.6, 0.75, 0.85, 0.92, 0.97, 0.999)
_SHARE_NAMES = ("0", *(f"from {edge:g}" for edge in _SHARES[:-1]), "1")
_COUNTS = (1, 2, 3, 4, 5, 7, 10, 15, 25, 40, 80, 160)
_COUNT_NAMES = ("0", "1", "2", "3", "4", "5-6", "7-9", "10-14", "15-24", "25-39", "40-79",
                "80-159", "160+")  # fmt: skip
_SIZES = (10, 30, 60, 120, 250, 500, 1000, 2000, 4000)
_SIZE_NAMES = ("0-9", *(f"{edge}+" for edge in _SIZES))
_FEW = (1, 3, 7, 15, 40)
_FEW_NAMES = ("0", "1-2", "3-6", "7-14", "15-39", "40+")


def share(part: float, whole: float) -> str:
    """Return the interval of ``part / whole``; 0 / 0 counts as 0.

    >>> share(1, 3), share(0, 0), share(2, 2)
    ('from 0.25', '0', '1')
    """
    return _SHARE_NAMES[bisect_right(_SHARES, part / whole if whole else 0.0)]


def count(number: float) -> str:
    """Return the interval of a number of things in a block.

    >>> count(0), count(6), count(1000)
    ('0', '5-6', '160+')
    """
    return _COUNT_NAMES[bisect_right(_COUNTS, number)]


def size(number: float) -> str:
    """Return the interval of a number of things on a page.

    >>> size(9), size(59), size(10**6)
    ('0-9', '30+', '4000+')
    """
    return _SIZE_NAMES[bisect_right(_SIZES, number)]


def few(number: float) -> str:
    """Return the interval of a number of words, in fewer steps than :func:`count`.

    >>> few(5), few(100)
    ('3-6', '40+')
    """
    return _FEW_NAMES[bisect_right(_FEW, number)]


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
"""Victor's patterns; ``bullet`` must match at the beginning of a block, the others anywhere."""
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
    text_tokens = tokens(text)
    words, numbers = sum(map(str.isalpha, text_tokens)), sum(map(str.isdigit, text_tokens))
    sentences = sentence_count(text)
    letters = sum(map(len, text_tokens))
    return [
        *_character_shares(text),
        f"share of words={share(words, len(text_tokens))}",
        f"share of numbers={share(numbers, len(text_tokens))}",
        f"share of mixed tokens={share(len(text_tokens) - words - numbers, len(text_tokens))}",
        f"tokens={count(len(text_tokens))}",
        f"sentences={count(sentences)}",
        f"token length={round(letters / len(text_tokens)) if text_tokens else 0:.0f}"
        if letters < 15 * max(len(text_tokens), 1)
        else "token length=15+",
        f"sentence length={count(len(text_tokens) / sentences) if sentences else 'none'}",
        f"begins with={_begin(text)}",
        f"ends with={end_of(text)}",
        f"begins, ends, tokens={_begin(text)}, {end_of(text)}, {count(len(text_tokens))}",
        *(
            f"pattern={name}"
            for name, pattern in PATTERNS.items()
            if (pattern.match(text) if name == "bullet" else pattern.search(text))
        ),
    ]


def sentence_count(text: str) -> int:
    """Return the number of ends of sentences in a text."""
    return sum(1 for _ in _SENTENCE_END.finditer(text))


def end_of(text: str) -> str:
    """Return the kind of a text's last character."""
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


_CLASSES = {
    "heading": HEADING_TAGS,
    "list": "ul ol dl li dt dd menu dir",
    "form": "form input select option button label fieldset legend textarea",
    "table": "table thead tbody tfoot tr td th caption",
    "sentence block": "p blockquote pre q address figcaption",
    "section": "div section article main nav aside header footer figure details summary center",
    "style": "b strong i em u font big small s strike sup sub span tt code cite",
    "link": "a",
}
"""Classes of tags that mean much the same to a reader."""
CLASS_OF = {
    tag: name
    for name, tags in _CLASSES.items()
    for tag in (tags.split() if isinstance(tags, str) else tags)
}
"""The class of each tag that is a feature. Others, such as a data set's wrapper, are left out."""
_GROUPS = ("div", "td", "table", "li")
_CHAIN = 3


def container_attributes(tags: Sequence[str]) -> list[str]:
    """Return the attributes of a block's path: the known tags, their classes, the innermost."""
    known = [tag for tag in tags if tag in CLASS_OF]
    inner = known[-1] if known else "none"
    place = element_place(known)
    return [
        *(f"inside={tag}" for tag in dict.fromkeys(known)),
        *(f"inside class={name}" for name in dict.fromkeys(CLASS_OF[tag] for tag in known)),
        f"innermost={inner}",
        f"block element={known[place] if place else 'none'}",
        f"innermost three={' '.join(known[-_CHAIN:])}",
        f"depth={count(len(known))}",
        f"tables around={min(known.count('table'), 4)}",
    ]


def split_attributes(blocks: Sequence[Block]) -> list[list[str]]:
    """Return per block the elements that opened and closed since the block before, and the gap.

    Elements without text, such as ``br``, ``hr`` and ``img``, show as gaps in the numbers of the
    elements. A gap is only visible where an element opens, so it is divided evenly among all blocks
    since the last one before which an element opened.
    """
    attributes: list[list[str]] = []
    gaps = _gaps(blocks)
    tags: tuple[str, ...] = ()
    nodes: tuple[int, ...] = ()
    for block, gap in zip(blocks, gaps, strict=True):
        if block.nodes is nodes or block.nodes == nodes:
            attributes.append(["split=none", f"gap={gap}", f"gap, no split={gap}"])
            continue
        before, after = set(nodes), set(block.nodes)
        opened = {t for t, n in zip(block.tags, block.nodes, strict=True) if n not in before}
        closed = {t for t, n in zip(tags, nodes, strict=True) if n not in after}
        attributes.append([*_named("opens", opened), *_named("closes", closed), f"gap={gap}"])
        if not (opened | closed) & _PARTING:
            attributes[-1].append("split=style only")
        tags, nodes = block.tags, block.nodes
    return attributes


_PARTING = frozenset(CLASS_OF) - {tag for tag, c in CLASS_OF.items() if c in ("style", "link")}


def _named(verb: str, tags: Iterable[str]) -> list[str]:
    known = sorted(tag for tag in tags if tag in CLASS_OF)
    classes = sorted({CLASS_OF[tag] for tag in known})
    return [f"{verb}={tag}" for tag in known] + [f"{verb} class={name}" for name in classes]


def _gaps(blocks: Sequence[Block]) -> list[str]:
    """Per block the number of elements without text before it: "0", "under 1", "1", ... "4+"."""
    gaps = [""] * len(blocks)
    seen, begin = 0, 0
    for i, block in enumerate(blocks):
        opened = next((node for node in block.nodes if node > seen), None)
        if opened is None:
            continue
        mean = (opened - seen - 1) / (i - begin + 1)
        name = "under 1" if 0 < mean < 1 else "4+" if mean >= 4 else f"{mean:.0f}"
        gaps[begin : i + 1] = [name] * (i + 1 - begin)
        seen, begin = block.nodes[-1], i + 1
    gaps[begin:] = ["unknown"] * (len(blocks) - begin)
    return gaps


def group_attributes(
    columns: Columns, words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """Return per block two shares for each of its nearest div, td, table and li.

    One is the element's words outside of links as a share of the page's words. The other is the
    element's words in links as a share of all its words.
    """
    attributes: list[list[str]] = [[] for _ in columns.texts]
    total = float(words.sum())
    for tag in _GROUPS:
        numbers, there = _nearest(columns, tag)
        sums = np.bincount(numbers, words)[numbers].tolist()
        links = np.bincount(numbers, link_words)[numbers].tolist()
        for i in np.flatnonzero(there).tolist():
            text, linked = sums[i] - links[i], links[i]
            attributes[i].append(f"share of page in {tag}={share(text, total)}")
            attributes[i].append(f"link share of {tag}={share(linked, sums[i])}")
    return attributes


def _nearest(columns: Columns, tag: str) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Per block a number for its nearest element of the tag, and whether there is one."""
    steps = np.array(
        [tags[::-1].index(tag) + 1 if tag in tags else 0 for tags in columns.tags.values],
        dtype=np.int64,
    )[columns.tags.places]
    nodes = np.zeros(len(steps), dtype=np.int64)
    inside = steps > 0
    nodes[inside] = columns.nodes[(np.cumsum(columns.depths) - steps)[inside]]
    numbers = np.unique(nodes, return_inverse=True)[1]
    return numbers.astype(np.int64), steps > 0
