"""Finds names that stand beside a date near the headline, with nothing that says what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrapy_boilernet.extractor.output.dates import dates_in
from scrapy_boilernet.extractor.output.name_lists import PREFIX, split_names, without_by
from scrapy_boilernet.extractor.output.named import Names, Place
from scrapy_boilernet.extractor.output.names import is_person
from scrapy_boilernet.extractor.output.other_dates import LOWER_WORD
from scrapy_boilernet.extractor.output.titles import squeezed
from scrapy_boilernet.extractor.page import HEADING_TAGS, Block

_PARTS = re.compile(r"\s*[|•·⋅●–—/,]\s*(?:-\s)?|\s+-\s+|\son behalf of\s|\sin\s")
DATE_TEXT = re.compile(
    r"[^\W\d_]{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}|"
    r"\d{1,2}\.?\s(?:de\s)?[^\W\d_]{3,9}\.?\s(?:de\s)?\d{4}|\d[\d./-]{5,}"
)
_SENTENCE_END = re.compile(r"[^\W\d_]{3}[.!?…][\"'”’»)]?\s*\Z")
_SENTENCE_WORDS, _SENTENCE_CHARS = 3, 150
"""The least lower-case words of a sentence, and how many characters at the end of it are read."""
_ADDRESS = re.compile(
    r"(?<![^\W\d_])(?!(?:issue|page|part|chapter|vol|volume|no|nr|seite|teil|heft)\b)[^\W\d_]{2,}\.?\s"
    r"\d{1,4}\s?[a-z]?\s*(?:,|\||\Z)|"
    r"\b\d{1,4}[a-z]?,?\s(?:rue|avenue|place|boulevard|quai|via|calle|(?:[^\W\d_]+\s){1,3}"
    r"(?:street|st|road|rd|avenue|ave|lane|square|place|drive|way|quay))\b",
    re.IGNORECASE,
)
"""A street and its number."""
_BEFORE, _AFTER, _BESIDE, _MAX_DATED_CHARS = 3, 6, 2, 120
"""Blocks around the headline, blocks between a name and a date, and characters of such a block."""
_MAX_HEADLINE_CHARS = 500
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""Signs of writings without capitals, in which any two words look like a name."""
_MAX_EASTERN_CHARS = 12
_MAIL = re.compile(r"(?<=\w)\s[<(]?[\w.+-]+(?:@|\sat\s)[\w-]+(?:\.[\w-]+)+[>)]?\Z")
"""An address behind a name, as archives of mailing lists write it."""
_NO_BYLINE = re.compile(r"\s*[©Ⓒ]")


def dated_authors(blocks: Sequence[Block], place: Place) -> Iterator[Names]:
    """Yield (names, source) of texts like names beside a date near the headline."""
    headline = place.headline
    start = max(headline - _BEFORE, 0)
    near = [
        b.text if len(b.text) <= _MAX_DATED_CHARS and i not in place.others else ""
        for i, b in enumerate(blocks[start : start + _BEFORE + _AFTER], start)
    ]
    dated = [start + i for i, text in enumerate(near) if any(dates_in(text))]
    order = sorted(range(start, start + len(near)), key=lambda i: (i < headline, i))
    for i in order if dated else ():
        beside = i != headline and any(abs(i - j) <= _BESIDE for j in dated)
        text = near[i - start]
        beside = beside and (blocks[headline].hidden or not blocks[i].hidden)
        if beside and text and _is_byline(i, blocks) and not _is_of_menu(i, blocks, dated):
            for part in _PARTS.split(DATE_TEXT.sub("|", _MAIL.sub("", text))):
                if names := _named_in(part, blocks[headline].text[:_MAX_HEADLINE_CHARS]):
                    yield names, "text"


def _named_in(part: str, headline: str) -> tuple[str, ...]:
    """Return the names in a text that is like a name, and not in the headline."""
    name = without_by(part, PREFIX)
    label = part[: len(part) - len(name)]
    if _EASTERN.search(part):
        is_name = len(name) <= _MAX_EASTERN_CHARS and bool(_EASTERN.search(label))
    else:
        is_name = is_person(name)
    if not is_name or squeezed(name) in squeezed(headline):
        return ()
    return split_names(name)


def _is_of_menu(index: int, blocks: Sequence[Block], dated: Sequence[int]) -> bool:
    """Return whether a block without a date is a heading, a button, a caption, or a link of a list
    that has no date, such as a menu.
    """
    block = blocks[index]
    if "button" in block.tags or "figcaption" in block.tags:
        return True
    if "caption" in " ".join(block.class_words[-2:]) or _NO_BYLINE.match(block.text):
        return True
    if index in dated:
        return False
    if "nav" in block.tags or not HEADING_TAGS.isdisjoint(block.tags[-3:]):
        return True
    if "a" not in block.tags[-3:] or "li" not in block.tags[-4:]:
        return False
    item = len(block.tags) - 1 - block.tags[::-1].index("li")
    return not any(block.nodes[item - 1] in blocks[i].nodes for i in dated)


def _is_byline(index: int, blocks: Sequence[Block]) -> bool:
    """Return whether a block beside a date may be a byline: no sentence, no address, and no value
    whose name is no word for an author.
    """
    block = blocks[index]
    if is_sentence(block.text) or _ADDRESS.search(DATE_TEXT.sub("|", block.text)):
        return False
    label = blocks[index - 1] if index else block
    is_value = not {"dd", "td"}.isdisjoint(block.tags[-2:])
    is_named = is_value and not {"dt", "th"}.isdisjoint(label.tags[-2:])
    return not is_named or bool(PREFIX.match(f"{label.text.rstrip(' :')}: "))


def is_sentence(text: str) -> bool:
    """Return whether the text ends like a sentence and has words of one."""
    ends = _SENTENCE_END.search(text[-_SENTENCE_CHARS:])
    return bool(ends) and len(LOWER_WORD.findall(text[-_SENTENCE_CHARS:])) >= _SENTENCE_WORDS
