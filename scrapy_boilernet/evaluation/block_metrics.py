"""Quality of block labels: both classes, counted over all blocks or leaves of a set."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.align import common_runs, kept_shares
from scrapy_boilernet.evaluation.text_metrics import Score, score_of
from scrapy_boilernet.labeled import CONTENT, LabeledPage
from scrapy_boilernet.page import Page
from scrapy_boilernet.tokens import tokens

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
