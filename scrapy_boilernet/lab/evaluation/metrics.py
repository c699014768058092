"""Scores of extracted text and of block labels against gold, as published benchmarks define them.

Text is compared by shingles, by snippets (WCXB takes shares per page, trafilatura's benchmark pools
over pages) and by words; labels are compared block by block and leaf by leaf. Where a definition
does not cover empty texts, two empty texts score 1 and one empty text scores 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import (
    common_length,
    common_runs,
    flat_tokens,
    kept_shares,
)
from scrapy_boilernet.lab.evaluation.datasets import Snippets

SHINGLE = 4
MAX_DIFFLIB_WORDS = 20_000
"""The most words that CleanEval's score compares: difflib's time grows with their product."""
MAX_ROUGE_WORDS = 2_000
"""The most words that ROUGE compares: with so many in each text it takes about a second."""
_TOKEN = re.compile(r"\w+")
_URL_LINE = re.compile(r"^\s*URL.*$", re.MULTILINE)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
LabelCounts = tuple[int, int, int, int]
"""(hits, extra, missed, right): content labeled content, boilerplate labeled content, content
labeled boilerplate, boilerplate labeled boilerplate."""
Labels = NDArray[np.bool_]


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1, each in [0, 1]."""

    precision: float
    recall: float
    f1: float


class WhitespaceTokenizer:
    """Splits sentences into words for ``rouge_score``."""

    def tokenize(self, text: str) -> list[str]:
        """Return the words between white space."""
        return text.split()


def score_of(hits: float, extra: float, missed: float) -> Score:
    """Return the score of counts: found and right, found and wrong, not found; 0 without hits."""
    precision = hits / (hits + extra) if hits + extra else 0.0
    recall = hits / (hits + missed) if hits + missed else 0.0
    f1 = 2 * hits / (2 * hits + extra + missed) if hits + extra + missed else 0.0
    return Score(precision, recall, f1)


def word_score(text: str, gold: str) -> Score:
    """Return the bag-of-words score of one page: multiset overlap of lower-case tokens.

    This is WCXB's metric, with CJK and Thai by character. With empty gold the score is 1 if
    ``text`` is empty too, else 0.

    >>> word_score("a b b", "a b c").f1.__round__(3)
    0.667
    """
    text_counts, gold_counts = Counter(_tokens(text)), Counter(_tokens(gold))
    return _of_sizes((text_counts & gold_counts).total(), text_counts.total(), gold_counts.total())


def token_set_score(text: str, gold: str) -> Score:
    """Return Yao and Zuo's token score: overlap of the *sets* of lower-case tokens."""
    text_tokens, gold_tokens = set(_tokens(text)), set(_tokens(gold))
    return _of_sizes(len(text_tokens & gold_tokens), len(text_tokens), len(gold_tokens))


def lcs_score(text: str, gold: str) -> Score:
    """Return Yao and Zuo's score of the longest common subsequence of lower-case tokens."""
    text_tokens, gold_tokens = _tokens(text), _tokens(gold)
    return _of_sizes(common_length(text_tokens, gold_tokens), len(text_tokens), len(gold_tokens))


def cleaneval_score(text: str, gold: str) -> Score:
    """Return the word score of Evert's ``cleaneval.py`` 1.0, without its tags.

    Words are split at white space; case and punctuation count; lines that begin with "URL" are
    dropped. As in the original, difflib aligns the words with its heuristic for frequent ones, so
    it may miss matches that :func:`cleaneval_lcs_score` finds. Only the first
    :data:`MAX_DIFFLIB_WORDS` words of each text are compared.
    """
    text_words = cleaneval_words(text)[:MAX_DIFFLIB_WORDS]
    gold_words = cleaneval_words(gold)[:MAX_DIFFLIB_WORDS]
    blocks = SequenceMatcher(None, text_words, gold_words, autojunk=True).get_matching_blocks()
    return _of_sizes(sum(block.size for block in blocks), len(text_words), len(gold_words))


def cleaneval_lcs_score(text: str, gold: str) -> Score:
    """Return CleanEval's word score by the exact longest common subsequence of all words."""
    text_words, gold_words = cleaneval_words(text), cleaneval_words(gold)
    return _of_sizes(common_length(text_words, gold_words), len(text_words), len(gold_words))


def cleaneval_words(text: str) -> list[str]:
    """Return the words that Evert's scorer compares, without lines that begin with "URL"."""
    return _CONTROL.sub(" ", _URL_LINE.sub("", text)).split()


def rouge_lsum_score(text: str, gold: str) -> Score | None:
    """Return ROUGE-LSum of whitespace words, WCEB's metric, or None without ``rouge_score``.

    WCEB splits sentences with NLTK's punkt, whose data must be downloaded; here a line is a
    sentence. Only the first :data:`MAX_ROUGE_WORDS` words of each text are compared. With empty
    gold the recall is 1, and all three are 1 if ``text`` is empty too.
    """
    scorer = _rouge_scorer()
    if scorer is None:
        return None
    if not gold.split():
        same = float(not text.split())
        return Score(same, 1.0, same)
    rouge = scorer.score(_first_words(gold), _first_words(text))["rougeLsum"]
    return Score(float(rouge.precision), float(rouge.recall), float(rouge.fmeasure))


def shingle_metrics(text: str, gold: str) -> dict[str, float]:
    r"""Return ``shingle_precision``, ``shingle_recall`` and ``exact`` of a page, each in [0, 1].

    A shingle is four successive ``\w+`` tokens, case-sensitive; a shorter text is one shingle.
    An empty ``text`` has no precision and an empty ``gold`` has no recall, since the benchmark's
    means leave such pages out. Its F1 is the harmonic mean of the two means over pages, so a single
    page has none. ``exact`` is 1 if all tokens are equal.
    """
    text_tokens, gold_tokens = _TOKEN.findall(text), _TOKEN.findall(gold)
    text_shingles, gold_shingles = shingles(text_tokens), shingles(gold_tokens)
    hits = (text_shingles & gold_shingles).total()
    metrics = {"exact": float(text_tokens == gold_tokens)}
    if text_shingles:
        metrics["shingle_precision"] = hits / text_shingles.total()
    if gold_shingles:
        metrics["shingle_recall"] = hits / gold_shingles.total()
    return metrics


def shingles(words: list[str]) -> Counter[tuple[str, ...]]:
    """Return how often each run of four words occurs; empty for no words."""
    if not words:
        return Counter()
    runs = range(max(1, len(words) - SHINGLE + 1))
    return Counter(tuple(words[i : i + SHINGLE]) for i in runs)


def snippet_rates(text: str, snippets: Snippets) -> dict[str, float]:
    """Return WCXB's ``with_rate`` and ``without_rate`` of a page, each in [0, 1].

    A rate is the share of the wanted or the unwanted snippets that are substrings of ``text``, both
    in lower case. A kind of which the page has no snippet is left out.
    """
    text = text.lower()
    kinds = {"with_rate": snippets.wanted, "without_rate": snippets.unwanted}
    return {
        name: sum(snippet.lower() in text for snippet in kind) / len(kind)
        for name, kind in kinds.items()
        if kind
    }


def snippet_counts(text: str, snippets: Snippets) -> tuple[int, int, int, int]:
    """Return trafilatura's (hits, extra, missed, right) counts of a page, to sum over pages.

    A wanted snippet in the text is a hit, else missed; an unwanted one is extra, else right. A
    snippet is in the text if it is a substring after white space is collapsed in both,
    case-sensitive. As in ``tests/eval_common.py`` of trafilatura 2.3.
    """
    flat = _flat(text)
    hits = _contained(snippets.wanted, flat)
    extra = _contained(snippets.unwanted, flat)
    return hits, extra, len(snippets.wanted) - hits, len(snippets.unwanted) - extra


def label_counts(labels: Labels, gold: Labels) -> LabelCounts:
    """Return the counts of labels against gold; content is True."""
    hits, extra = int((labels & gold).sum()), int((labels & ~gold).sum())
    missed, right = int((~labels & gold).sum()), int((~labels & ~gold).sum())
    return hits, extra, missed, right


def label_scores(labels: Labels, gold: Labels) -> tuple[Score, Score]:
    """Return the (content, boilerplate) scores of pooled labels, the paper's metric."""
    hits, extra, missed, right = label_counts(labels, gold)
    return score_of(hits, extra, missed), score_of(right, missed, extra)


def own_labels(labeled: LabeledPage) -> Labels:
    """Return per block whether the page's label is content, shape (blocks,)."""
    return np.array(labeled.kept, dtype=bool)


def labels_from_text(page: Page, text: str) -> Labels:
    """Return per block whether ``text`` has more than half of its tokens, shape (blocks,)."""
    shares, _ = kept_shares([block.text for block in page.blocks], text)
    return shares > 0.5


def block_counts(page: Page, labels: Labels, gold: str) -> LabelCounts:
    """Return the counts of a page's labels against those that its gold text gives.

    A block is content if gold has more than half of its tokens. Blocks without tokens are not
    counted.
    """
    shares, counts = kept_shares([block.text for block in page.blocks], gold)
    has_tokens = counts > 0
    return label_counts(labels[has_tokens], shares[has_tokens] > 0.5)


def leaf_labels(leaves: Page, labeled: LabeledPage) -> Labels:
    """Return per leaf the label of the block that most of its tokens are aligned to.

    Both pages are of one document. The tokens of leaves and blocks are aligned by their longest
    common subsequence. A leaf without an aligned token is boilerplate, and so is one with as many
    tokens in content as in boilerplate. A leaf without tokens, such as a full stop after a link,
    has the label of the leaf before it.
    """
    kept = own_labels(labeled)
    leaf_of, leaf_tokens = flat_tokens([leaf.text for leaf in leaves.blocks])
    block_of, block_tokens = flat_tokens([block.text for block in labeled.page.blocks])
    votes = np.zeros(len(leaves.blocks))
    for a, b, length in common_runs(leaf_tokens, block_tokens):
        content = kept[block_of[b : b + length]]
        np.add.at(votes, leaf_of[a : a + length], np.where(content, 1, -1))
    return _carried_forward(votes > 0, np.bincount(leaf_of, minlength=len(votes)) > 0)


def leaf_labels_from_text(leaves: Page, text: str) -> Labels:
    """Return per leaf whether ``text`` has more than half of its tokens, shape (leaves,).

    A leaf without tokens has the label of the leaf before it.
    """
    shares, counts = kept_shares([leaf.text for leaf in leaves.blocks], text)
    return _carried_forward(shares > 0.5, counts > 0)


@lru_cache(maxsize=4)
def _tokens(text: str) -> tuple[str, ...]:
    """Return the tokens; cached, so that all scores of a text and all systems share them."""
    return tuple(tokens(text))


def _of_sizes(common: int, text_size: int, gold_size: int) -> Score:
    if not text_size or not gold_size:
        same = float(not text_size and not gold_size)
        return Score(same, same, same)
    return score_of(common, text_size - common, gold_size - common)


def _first_words(text: str) -> str:
    lines, left = [], MAX_ROUGE_WORDS
    for line in text.splitlines():
        words = line.split()[:left]
        lines.append(" ".join(words))
        left -= len(words)
    return "\n".join(lines)


@cache
def _rouge_scorer() -> Any:
    try:
        module = import_module("rouge_score.rouge_scorer")
    except ImportError:
        return None
    return module.RougeScorer(["rougeLsum"], split_summaries=False, tokenizer=WhitespaceTokenizer())


def _contained(snippets: Sequence[str], flat: str) -> int:
    return sum(_flat(snippet) in flat for snippet in snippets)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _carried_forward(labels: Labels, known: Labels) -> Labels:
    """Replace each label that is not known by the last known one before it, or by False."""
    last = np.maximum.accumulate(np.where(known, np.arange(len(labels)), -1))
    return (last >= 0) & labels[last] if len(labels) else labels
