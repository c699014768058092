"""CleanEval's official scores: text alone, text with markup, and their mean, in percent.

The program of 2007 (``cleaneval.prl`` by Francis Chantree) was not available. The competition's
page describes it: it scores by "(1) the edit distance between the two and the
extent to which contestant-inserted markup tags indicate blocks of text starting and ending in the
same places; and (2) based on alignment of text alone, ignoring the contestant-inserted markup
tags"; the alignment is Levenshtein's, over the whole file; the overall score is the mean of the
two. It does not say what a token is, what the distance is divided by, or how (1) weighs tags
against text. This module defines them strictly:

- tokens are runs of anything but white space; letter case and punctuation count;
- text only: one minus the edit distance by the length of the longer text;
- text and markup: the text score times the mean validity of the words that are aligned as equal. A
  word's validity is one half if its two segments start in the same place with the same tag, and one
  half if they end in the same place: where the alignment passes both boundaries at once.

So scores are comparable with each other; with published ones only the text score is comparable.
:func:`tag_score` adds the precision and recall of tags of Evert's ``cleaneval.py`` (2008), whose
definition is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz.distance import Levenshtein

from scrapy_boilernet.lab.evaluation.align import numbered
from scrapy_boilernet.lab.evaluation.metrics import (
    MAX_DIFFLIB_WORDS,
    Score,
    score_of,
)

MAX_WORDS = 20_000
"""The most words of a text that are scored: time grows with the product of the lengths."""

Segments = Sequence[tuple[str, str]]
"""(``"h"``, ``"p"`` or ``"l"``, text) each; any other tag is read as ``"p"``."""
_LINE = re.compile(r"\s*<([phl])>(.*)", re.IGNORECASE | re.DOTALL)
_TAGS = frozenset(("<h>", "<p>", "<l>"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class OfficialScore:
    """CleanEval's scores of a page, each 0 to 100."""

    text: float
    markup: float

    @property
    def total(self) -> float:
        """The mean of both, by which the competition ranked."""
        return (self.text + self.markup) / 2


@dataclass(frozen=True)
class _Words:
    """A cleaned page as words, each with its segment."""

    words: list[str]
    owners: list[int]
    starts: list[int]
    """Index of each segment's first word, and the number of words at the end."""
    tags: list[str]


@dataclass(frozen=True)
class _Alignment:
    """The edits that turn one text into the other."""

    distance: int
    points: set[tuple[int, int]]
    """Word boundaries that are aligned, as (words before it in one text, in the other)."""
    equal: list[tuple[int, int]]
    """Indices of equal words that are aligned."""


def official_score(cleaned: str, gold: Segments) -> OfficialScore:
    """Return the scores of a cleaned page, each 0 to 100.

    ``cleaned`` has a line per segment, which begins with its tag. A line without a tag continues
    the segment before it; the first line is then a paragraph. Two empty texts score 100, one empty
    text 0.
    """
    page_words, gold_words = _words(read_segments(cleaned)), _words(gold)
    if not page_words.words or not gold_words.words:
        same = 100.0 * (not page_words.words and not gold_words.words)
        return OfficialScore(same, same)
    path = _align(page_words.words, gold_words.words)
    text = 100 * (1 - path.distance / max(len(page_words.words), len(gold_words.words)))
    return OfficialScore(text, text * _validity(page_words, gold_words, path))


def read_segments(cleaned: str) -> list[tuple[str, str]]:
    """Return (tag, text) per segment; see :func:`official_score` for lines without a tag."""
    segments: list[tuple[str, str]] = []
    for line in cleaned.splitlines():
        match = _LINE.match(line)
        if match:
            segments.append((match[1].lower(), match[2]))
        elif line.strip():
            tag, before = segments.pop() if segments else ("p", "")
            segments.append((tag, f"{before} {line}"))
    return segments


def tag_score(cleaned: str, gold: Segments, labeled: bool = True) -> Score:
    """Return Evert's precision, recall and F1 of the segment tags, each in [0, 1].

    Tags count as words; one is right if it is in a run that difflib aligns. ``labeled=False`` reads
    every tag as ``<p>``. Only the first 20,000 words of each text are compared.
    """
    page_words = _tagged_words(read_segments(cleaned), labeled)
    gold_words = _tagged_words(gold, labeled)
    blocks = SequenceMatcher(None, page_words, gold_words, autojunk=True).get_matching_blocks()
    hits = sum(word in _TAGS for b in blocks for word in page_words[b.a : b.a + b.size])
    page_tags, gold_tags = (sum(w in _TAGS for w in words) for words in (page_words, gold_words))
    if not page_tags or not gold_tags:
        same = float(not page_tags and not gold_tags)
        return Score(same, same, same)
    return score_of(hits, page_tags - hits, gold_tags - hits)


def _align(page_words: list[str], gold_words: list[str]) -> _Alignment:
    operations = Levenshtein.opcodes(*numbered(page_words, gold_words))
    distance, points, equal = 0, {(0, 0)}, list[tuple[int, int]]()
    for op in operations:
        wide, high = op.src_end - op.src_start, op.dest_end - op.dest_start
        steps = range(max(wide, high) + 1)
        passed = [(op.src_start + min(k, wide), op.dest_start + min(k, high)) for k in steps]
        points.update(passed)
        if op.tag == "equal":
            equal += passed[:-1]
        else:
            distance += len(passed) - 1
    return _Alignment(distance, points, equal)


def _validity(page_words: _Words, gold_words: _Words, path: _Alignment) -> float:
    """Return the mean validity of the aligned words, in [0, 1]; 0 for none."""
    if not path.equal:
        return 0.0
    validity_of: dict[tuple[int, int], float] = {}
    total = 0.0
    for i, j in path.equal:
        pair = page_words.owners[i], gold_words.owners[j]
        if pair not in validity_of:
            a, b = pair
            same_start = (page_words.starts[a], gold_words.starts[b]) in path.points
            same_end = (page_words.starts[a + 1], gold_words.starts[b + 1]) in path.points
            validity_of[pair] = (
                same_start * (page_words.tags[a] == gold_words.tags[b]) + same_end
            ) / 2
        total += validity_of[pair]
    return total / len(path.equal)


def _words(segments: Segments) -> _Words:
    collected = _Words([], [], [0], [])
    for tag, text in segments:
        words = _split(text)[: MAX_WORDS - len(collected.words)]
        if words:
            collected.words.extend(words)
            collected.owners.extend([len(collected.tags)] * len(words))
            collected.starts.append(len(collected.words))
            collected.tags.append(tag if tag in ("h", "l") else "p")
    return collected


def _split(text: str) -> list[str]:
    return _CONTROL.sub(" ", text).split()


def _tagged_words(segments: Segments, labeled: bool) -> list[str]:
    words: list[str] = []
    for tag, text in segments:
        if segment_words := _split(text):
            words += [f"<{tag}>" if labeled and tag in ("h", "l") else "<p>", *segment_words]
    return words[:MAX_DIFFLIB_WORDS]
