"""CleanEval's official scores: text alone, text with markup, and their mean, in percent.

The program of 2007 (``cleaneval.prl`` by Francis Chantree) was not at hand. Known are its
description on the competition's page: it scores by "(1) the edit distance between the two and the
extent to which contestant-inserted markup tags indicate blocks of text starting and ending in the
same places; and (2) based on alignment of text alone, ignoring the contestant-inserted markup
tags"; that the alignment is Levenshtein's, over the whole file; and that the overall score is the
mean of the two. Not known are its tokens, what the distance is divided by, and how (1) weighs tags
against text. Here, strictly:

- tokens are runs of anything but white space; letter case and punctuation count;
- text only: one minus the edit distance by the length of the longer text;
- text and markup: the text score times the mean validity of the words that are aligned as equal. A
  word's validity is one half if its two segments start in the same place with the same tag, and one
  half if they end in the same place: where the alignment passes both boundaries at once.

So figures compare with each other, and with published ones as far as the text score goes.
Evert's ``cleaneval.py`` of 2008, whose definition is known, gives its precision and recall of tags
beside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from statistics import fmean

from rapidfuzz.distance import Levenshtein

from scrapy_boilernet.evaluation.align import numbered
from scrapy_boilernet.evaluation.metrics import (
    MAX_DIFFLIB_WORDS,
    Score,
    score_of,
)

MAX_WORDS = 20_000
"""Of each text so many words are scored: time goes by the product of the lengths."""

Segments = Sequence[tuple[str, str]]
"""(``"h"``, ``"p"`` or ``"l"``, text) each; any other tag is read as ``"p"``."""
_LINE = re.compile(r"\s*<([phl])>(.*)", re.IGNORECASE | re.DOTALL)
_TAGS = frozenset(("<h>", "<p>", "<l>"))
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class OfficialScore:
    """CleanEval's scores of a page or the means of several, each 0 to 100."""

    text: float
    markup: float

    @property
    def total(self) -> float:
        """The mean of the two: what the competition ranked by."""
        return (self.text + self.markup) / 2


@dataclass(frozen=True)
class _Words:
    """A cleaned page as words, each with its segment."""

    words: list[str]
    owners: list[int]
    starts: list[int]
    """Per segment the place of its first word; of the next one's at the end."""
    tags: list[str]


@dataclass(frozen=True)
class _Path:
    """How one text becomes the other."""

    distance: int
    points: set[tuple[int, int]]
    """Boundaries between words that it passes at once: so many words of each are done."""
    equal: list[tuple[int, int]]
    """Words that are aligned and the same."""


def official_score(cleaned: str, gold: Segments) -> OfficialScore:
    """Return the scores of a cleaned page, a line per segment that begins with its tag.

    Lines without a tag go on with the segment before, or are a paragraph where there is none. Two
    empty texts score 100, one empty text 0.
    """
    found, wanted = _words(read_segments(cleaned)), _words(gold)
    if not found.words or not wanted.words:
        same = 100.0 * (not found.words and not wanted.words)
        return OfficialScore(same, same)
    path = _align(found.words, wanted.words)
    text = 100 * (1 - path.distance / max(len(found.words), len(wanted.words)))
    return OfficialScore(text, text * _validity(found, wanted, path))


def mean_score(scores: Sequence[OfficialScore]) -> OfficialScore:
    """Return the mean over pages; raises ``ValueError`` for none."""
    return OfficialScore(fmean(s.text for s in scores), fmean(s.markup for s in scores))


def read_segments(cleaned: str) -> list[tuple[str, str]]:
    """Return the segments of a cleaned page; see :func:`official_score` for lines without a tag."""
    found: list[tuple[str, str]] = []
    for line in cleaned.splitlines():
        match = _LINE.match(line)
        if match:
            found.append((match[1].lower(), match[2]))
        elif line.strip():
            tag, before = found.pop() if found else ("p", "")
            found.append((tag, f"{before} {line}"))
    return found


def tag_score(cleaned: str, gold: Segments, labeled: bool = True) -> Score:
    """Return Evert's precision, recall and F1 of the segment tags, each in [0, 1].

    Tags are words among the words; right is one in a run that difflib aligns. ``labeled=False``
    takes every tag for ``<p>``. Of each text the first 20,000 words are read.
    """
    found = _tagged_words(read_segments(cleaned), labeled)
    wanted = _tagged_words(gold, labeled)
    blocks = SequenceMatcher(None, found, wanted, autojunk=True).get_matching_blocks()
    hits = sum(word in _TAGS for b in blocks for word in found[b.a : b.a + b.size])
    tags_found, tags_wanted = (sum(w in _TAGS for w in words) for words in (found, wanted))
    if not tags_found or not tags_wanted:
        same = float(not tags_found and not tags_wanted)
        return Score(same, same, same)
    return score_of(hits, tags_found - hits, tags_wanted - hits)


def _align(found: list[str], wanted: list[str]) -> _Path:
    operations = Levenshtein.opcodes(*numbered(found, wanted))
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
    return _Path(distance, points, equal)


def _validity(found: _Words, wanted: _Words, path: _Path) -> float:
    """The mean over aligned words of how far their segments start and end in the same places."""
    if not path.equal:
        return 0.0
    known: dict[tuple[int, int], float] = {}
    total = 0.0
    for i, j in path.equal:
        pair = found.owners[i], wanted.owners[j]
        if pair not in known:
            a, b = pair
            same_start = (found.starts[a], wanted.starts[b]) in path.points
            same_end = (found.starts[a + 1], wanted.starts[b + 1]) in path.points
            known[pair] = (same_start * (found.tags[a] == wanted.tags[b]) + same_end) / 2
        total += known[pair]
    return total / len(path.equal)


def _words(segments: Segments) -> _Words:
    made = _Words([], [], [0], [])
    for tag, text in segments:
        words = _split(text)[: MAX_WORDS - len(made.words)]
        if words:
            made.words.extend(words)
            made.owners.extend([len(made.tags)] * len(words))
            made.starts.append(len(made.words))
            made.tags.append(tag if tag in ("h", "l") else "p")
    return made


def _split(text: str) -> list[str]:
    return _CONTROL.sub(" ", text).split()


def _tagged_words(segments: Segments, labeled: bool) -> list[str]:
    words: list[str] = []
    for tag, text in segments:
        if found := _split(text):
            words += [f"<{tag}>" if labeled and tag in ("h", "l") else "<p>", *found]
    return words[:MAX_DIFFLIB_WORDS]
