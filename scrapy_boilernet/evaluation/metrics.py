"""Quality of extracted text and of block labels against gold, as the field's benchmarks define it.

Two benchmarks have them: WCXB counts shares per page, trafilatura's own pools over pages.

Where a definition leaves empty texts open: two empty texts score 1, one empty text scores 0.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.align import common_length, common_runs, kept_shares
from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.page import Page

SHINGLE = 4
_TOKEN = re.compile(r"\w+")


def shingle_metrics(text: str, gold: str) -> dict[str, float]:
    r"""Return ``shingle_precision``, ``shingle_recall`` and ``exact`` of a page, each in [0, 1].

    Multisets of four successive ``\w+`` tokens, letter case counted; a shorter text is one
    shingle. Precision is left out where both texts or the extracted one are empty, recall where
    both or the gold one are: the benchmark's means leave such pages out. Its F1 is the harmonic
    mean of the two means over pages, so a page has none. ``exact``: all tokens are equal.
    """
    found_tokens, wanted_tokens = _TOKEN.findall(text), _TOKEN.findall(gold)
    found, wanted = shingles(found_tokens), shingles(wanted_tokens)
    hits = (found & wanted).total()
    metrics = {"exact": float(found_tokens == wanted_tokens)}
    if found:
        metrics["shingle_precision"] = hits / found.total()
    if wanted:
        metrics["shingle_recall"] = hits / wanted.total()
    return metrics


def shingles(words: list[str]) -> Counter[tuple[str, ...]]:
    """Return the runs of four words with their numbers; none for no words."""
    if not words:
        return Counter()
    runs = range(max(1, len(words) - SHINGLE + 1))
    return Counter(tuple(words[i : i + SHINGLE]) for i in runs)


@dataclass(frozen=True)
class Snippets:
    """What must be in the main text and what must not be there."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def read_snippets(folder: Path, page_id: str, row: Mapping[str, Any]) -> Snippets | None:
    """Return a page's snippets, or None if the set has none for it.

    They are in the page's row, ``"snippets": {"with": [...], "without": [...]}``, or, as in WCXB,
    in ``extra/ground-truth/dev/<number>.json``, where the number ends the page's id.
    """
    found = row.get("snippets")
    if found is None:
        file = folder / "extra" / "ground-truth" / "dev" / f"{page_id.rpartition('_')[2]}.json"
        if not file.is_file():
            return None
        found = json.loads(file.read_text(encoding="utf-8"))["ground_truth"]
    snippets = Snippets(tuple(found.get("with") or ()), tuple(found.get("without") or ()))
    return snippets if snippets.wanted or snippets.unwanted else None


def snippet_rates(text: str, snippets: Snippets) -> dict[str, float]:
    """Return WCXB's ``with_rate`` and ``without_rate`` of a page, each in [0, 1].

    The share of the snippets of a kind that are substrings of ``text``, both in lower case; more
    is better for the first, less for the second. A kind that the page has none of is left out.
    """
    text = text.lower()
    kinds = {"with_rate": snippets.wanted, "without_rate": snippets.unwanted}
    return {
        name: sum(snippet.lower() in text for snippet in kind) / len(kind)
        for name, kind in kinds.items()
        if kind
    }


def snippet_counts(text: str, snippets: Snippets) -> tuple[int, int, int, int]:
    """Return trafilatura's (hits, extra, missed, right) counts of a page, to be pooled.

    A wanted snippet in the text is a hit, else missed; an unwanted one is extra, else right. A
    snippet is in the text if it is a substring after white space is collapsed in both; letter
    case counts. As in ``tests/eval_common.py`` of trafilatura 2.3.
    """
    flat = _flat(text)
    hits = _found(snippets.wanted, flat)
    extra = _found(snippets.unwanted, flat)
    return hits, extra, len(snippets.wanted) - hits, len(snippets.unwanted) - extra


def _found(snippets: Sequence[str], flat: str) -> int:
    return sum(_flat(snippet) in flat for snippet in snippets)


def _flat(text: str) -> str:
    return " ".join(text.split())


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


Counts = tuple[int, int, int, int]
"""Content labeled content (hits), boilerplate labeled content (extra), content labeled
boilerplate (missed), boilerplate labeled boilerplate (right)."""
Labels = NDArray[np.bool_]


def label_counts(labels: Labels, gold: Labels) -> Counts:
    """Return how labels and gold agree; content is True."""
    hits, extra = int((labels & gold).sum()), int((labels & ~gold).sum())
    missed, right = int((~labels & gold).sum()), int((~labels & ~gold).sum())
    return hits, extra, missed, right


def label_scores(labels: Labels, gold: Labels) -> tuple[Score, Score]:
    """Return the (content, boilerplate) scores of pooled labels, the paper's metric."""
    hits, extra, missed, right = label_counts(labels, gold)
    return score_of(hits, extra, missed), score_of(right, missed, extra)


def own_labels(labeled: LabeledPage) -> Labels:
    """Return the labels of a labeled page, shape (blocks,)."""
    return np.array([label == CONTENT for label in labeled.labels], dtype=bool)


def labels_from_text(page: Page, text: str) -> Labels:
    """Return which blocks ``text`` keeps, shape (blocks,): more than half of a block's tokens."""
    shares, _ = kept_shares([block.text for block in page.blocks], text)
    return shares > 0.5


def block_counts(page: Page, labels: Labels, gold: str) -> Counts:
    """Return how a page's labels agree with those that its gold text gives.

    A block is content if gold keeps more than half of its tokens; one without tokens is not
    counted.
    """
    shares, counts = kept_shares([block.text for block in page.blocks], gold)
    told = counts > 0
    return label_counts(labels[told], shares[told] > 0.5)


def leaf_labels(leaves: Page, labeled: LabeledPage) -> Labels:
    """Return per leaf the label of the block that most of its tokens are aligned to.

    Both pages are of one document; the leaves' tokens and the blocks' tokens are aligned by their
    longest common subsequence. A leaf of which no token is aligned is boilerplate, and so is one
    with as many tokens in content as elsewhere. A leaf without tokens, such as a full stop after a
    link, takes the label of the leaf before it.
    """
    kept = own_labels(labeled)
    leaf_of, leaf_tokens = _stream(leaves)
    block_of, block_tokens = _stream(labeled.page)
    votes = np.zeros(len(leaves.blocks))
    for a, b, length in common_runs(leaf_tokens, block_tokens):
        content = kept[block_of[b : b + length]]
        np.add.at(votes, leaf_of[a : a + length], np.where(content, 1, -1))
    return _carried(votes > 0, np.bincount(leaf_of, minlength=len(votes)) > 0)


def leaf_labels_from_text(leaves: Page, text: str) -> Labels:
    """Return which leaves ``text`` keeps: more than half of a leaf's tokens, shape (leaves,).

    A leaf without tokens takes the label of the leaf before it.
    """
    shares, counts = kept_shares([leaf.text for leaf in leaves.blocks], text)
    return _carried(shares > 0.5, counts > 0)


def _carried(labels: Labels, told: Labels) -> Labels:
    """Labels that are not told are those of the last one told before them, False for none."""
    last = np.maximum.accumulate(np.where(told, np.arange(len(labels)), -1))
    return (last >= 0) & labels[last] if len(labels) else labels


def _stream(page: Page) -> tuple[NDArray[np.int64], list[str]]:
    """A page's tokens in a row, and per token the number of its block."""
    pieces = [tokens(block.text) for block in page.blocks]
    owner = np.repeat(np.arange(len(pieces)), [len(piece) for piece in pieces]).astype(np.int64)
    return owner, [token for piece in pieces for token in piece]
