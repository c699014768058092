"""Quality of extracted text against gold text, page by page, as the field's benchmarks define it.

Where a definition leaves empty texts open: two empty texts score 1, one empty text scores 0.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from scrapy_boilernet.evaluation.align import common_length
from scrapy_boilernet.tokens import tokens

MAX_DIFFLIB_WORDS = 20_000
"""difflib takes time by the product of the lengths: CleanEval's score reads so many words."""
MAX_ROUGE_WORDS = 2_000
"""rouge_score fills its tables in Python, a second or so for so many words of each text."""

_URL_LINE = re.compile(r"^\s*URL.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


def score_of(hits: float, extra: float, missed: float) -> Score:
    """Return the score of what was found rightly, found wrongly and not found; 0 for no hits."""
    precision = hits / (hits + extra) if hits + extra else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    f1 = 2 * hits / (2 * hits + extra + missed) if hits + extra + missed else 0.0
    return Score(precision, recall, f1)


def word_score(text: str, gold: str) -> Score:
    """Return the bag-of-words score of one page: multiset overlap of lower-case tokens.

    WCXB's metric, with CJK and Thai by character. Empty gold: 1 if ``text`` is empty too, else 0.

    >>> word_score("a b b", "a b c").f1.__round__(3)
    0.667
    """
    found, wanted = Counter(_tokens(text)), Counter(_tokens(gold))
    return _of_sizes((found & wanted).total(), found.total(), wanted.total())


def token_set_score(text: str, gold: str) -> Score:
    """Return Yao and Zuo's token score: overlap of the *sets* of lower-case tokens."""
    found, wanted = set(_tokens(text)), set(_tokens(gold))
    return _of_sizes(len(found & wanted), len(found), len(wanted))


def lcs_score(text: str, gold: str) -> Score:
    """Return Yao and Zuo's score of the longest common subsequence of lower-case tokens."""
    found, wanted = _tokens(text), _tokens(gold)
    return _of_sizes(common_length(found, wanted), len(found), len(wanted))


def cleaneval_score(text: str, gold: str) -> Score:
    """Return the word score of Evert's ``cleaneval.py`` 1.0, without its tags.

    Words are split at white space, letter case and punctuation count, lines that begin with "URL"
    are dropped. difflib aligns the words, its heuristic for frequent ones on, as in the original:
    so it may miss what :func:`cleaneval_lcs_score` finds. Of each text the first
    :data:`MAX_DIFFLIB_WORDS` words are read.
    """
    found = cleaneval_words(text)[:MAX_DIFFLIB_WORDS]
    wanted = cleaneval_words(gold)[:MAX_DIFFLIB_WORDS]
    blocks = SequenceMatcher(None, found, wanted, autojunk=True).get_matching_blocks()
    return _of_sizes(sum(block.size for block in blocks), len(found), len(wanted))


def cleaneval_lcs_score(text: str, gold: str) -> Score:
    """Return CleanEval's word score by the exact longest common subsequence, of all words."""
    found, wanted = cleaneval_words(text), cleaneval_words(gold)
    return _of_sizes(common_length(found, wanted), len(found), len(wanted))


def cleaneval_words(text: str) -> list[str]:
    """Return the words that Evert's scorer compares."""
    return _CONTROL.sub(" ", _URL_LINE.sub("", text)).split()


def rouge_lsum_score(text: str, gold: str) -> Score | None:
    """Return ROUGE-LSum of whitespace words, WCEB's metric, or None without ``rouge_score``.

    WCEB splits sentences by NLTK's punkt, whose data must be downloaded; here a line is a
    sentence. Of each text the first :data:`MAX_ROUGE_WORDS` words are read. Empty gold: recall 1,
    and all 1 if ``text`` is empty too.
    """
    scorer = _rouge_scorer()
    if scorer is None:
        return None
    if not gold.split():
        same = float(not text.split())
        return Score(same, 1.0, same)
    found = scorer.score(_first_words(gold), _first_words(text))["rougeLsum"]
    return Score(float(found.precision), float(found.recall), float(found.fmeasure))


class WhitespaceTokenizer:
    """What ``rouge_score`` calls to split a sentence."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words between white space."""
        return text.split()


@cache
def _rouge_scorer() -> Any:
    try:
        module = import_module("rouge_score.rouge_scorer")
    except ImportError:
        return None
    return module.RougeScorer(["rougeLsum"], split_summaries=False, tokenizer=WhitespaceTokenizer())


@lru_cache(maxsize=4)
def _tokens(text: str) -> tuple[str, ...]:
    """Tokens, once for all scores of a text, and of a gold text for all systems in turn."""
    return tuple(tokens(text))


def _first_words(text: str) -> str:
    lines, left = [], MAX_ROUGE_WORDS
    for line in text.splitlines():
        words = line.split()[:left]
        lines.append(" ".join(words))
        left -= len(words)
    return "\n".join(lines)


def _of_sizes(common: int, found: int, wanted: int) -> Score:
    if not found or not wanted:
        same = float(not found and not wanted)
        return Score(same, same, same)
    return score_of(common, found - common, wanted - common)
