"""The metrics of one system on one page, as a flat dictionary of numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import decode
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import MAX_TOKENS, kept_shares
from scrapy_boilernet.lab.evaluation.cleaneval import Segments, official_score, tag_score
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.leaves import labeled_leaves, without_labels
from scrapy_boilernet.lab.evaluation.metrics import (
    LabelCounts,
    Score,
    block_counts,
    cleaneval_lcs_score,
    cleaneval_score,
    label_counts,
    labels_from_text,
    lcs_score,
    leaf_labels,
    leaf_labels_from_text,
    own_labels,
    rouge_lsum_score,
    shingle_metrics,
    snippet_counts,
    snippet_rates,
    token_set_score,
    word_score,
)
from scrapy_boilernet.lab.evaluation.systems import Extraction, System

MIN_PARAGRAPH_TOKENS, MIN_KEPT = 10, 0.5
"""A gold line of at least ten tokens is a paragraph; it is lost if fewer than half are kept."""
COUNTS = ("hits", "extra", "missed", "right")
"""Suffixes of the counts to pool, ``<kind>_hits`` and so on; see ``metrics.Counts``."""
MetricSet = Literal["core", "labelers", "all"]
"""``"core"``: the cheap metrics; ``"labelers"``: also those of the labelers' table."""
TextScore = Callable[[str, str], Score | None]
LABELER_SCORES: dict[str, TextScore] = {
    "token_set": token_set_score,
    "lcs": lcs_score,
    "cleaneval": cleaneval_score,
}
SCORES: dict[MetricSet, dict[str, TextScore]] = {
    "core": {},
    "labelers": LABELER_SCORES,
    "all": {
        **LABELER_SCORES,
        "cleaneval_lcs": cleaneval_lcs_score,
        "rouge_lsum": rouge_lsum_score,
    },
}
"""The text scores of each set of metrics, beside the cheap ones. ROUGE takes nine tenths of the
time of all."""


class PageMetrics:
    """Measures the extractions of one page; values that all systems share are computed once."""

    def __init__(self, page: GoldPage, metrics: MetricSet = "core") -> None:
        self.page = page
        self.metrics = metrics

    def of(self, system: System, extraction: Extraction) -> dict[str, float]:
        """Return the metrics by name.

        All sets but ``core`` run ``system`` again if the page with labeled leaves differs from the
        page itself.
        """
        metrics = self._of_text(extraction.text)
        if self.metrics == "all" and self.page.gold is not None:
            metrics |= _count_metrics("block", self._blocks(extraction, self.page.gold))
        if self.metrics != "core" and self.page.tagged_gold is not None:
            metrics |= _official_metrics(extraction, self.page.tagged_gold)
        if self.metrics != "core" and self._leaves is not None:
            metrics |= _count_metrics("leaf", self._leaf_counts(system, extraction, *self._leaves))
        return metrics

    def _of_text(self, text: str) -> dict[str, float]:
        page = self.page
        metrics: dict[str, float] = {}
        if page.gold is not None:
            metrics |= text_metrics(text, page.gold)
        if page.snippets is not None:
            metrics |= snippet_rates(text, page.snippets)
            metrics |= _count_metrics("snippet", snippet_counts(text, page.snippets))
        if page.gold is not None:
            for name, measure in SCORES[self.metrics].items():
                score = measure(text, page.gold)
                metrics |= _score_metrics(name, score) if score else {}
        return metrics

    def _blocks(self, extraction: Extraction, gold: str) -> LabelCounts:
        """Return the counts of our labels; for a peer, or a misread encoding, of the text."""
        if extraction.labeled is not None and self._read_from_bytes:
            labels = own_labels(extraction.labeled)
            return block_counts(extraction.labeled.page, labels, gold)
        return block_counts(
            self._own_blocks, labels_from_text(self._own_blocks, extraction.text), gold
        )

    @cached_property
    def _read_from_bytes(self) -> bool:
        """Whether our systems decode the page correctly; they do not get the set's encoding."""
        return decode(self.page.html) == decode(self.page.html, self.page.encoding)

    @cached_property
    def _own_blocks(self) -> Page:
        return blockify(self.page.html, self.page.url, self.page.encoding)

    @cached_property
    def _leaves(self) -> tuple[GoldPage | None, Page, NDArray[np.bool_]] | None:
        """(Page to label, or None for this page; its leaves; their labels); None without leaves."""
        if self.page.labeled_html is None:
            return None
        html = self.page.labeled_html.read_bytes()
        leaves, labels = labeled_leaves(html)
        plain = without_labels(html)
        if plain == decode(self.page.html, self.page.encoding):
            return None, leaves, labels > 0.5
        prepared = replace(self.page, html=plain.encode(), encoding="utf-8")
        return prepared, leaves, labels > 0.5

    def _leaf_counts(
        self,
        system: System,
        extraction: Extraction,
        prepared: GoldPage | None,
        leaves: Page,
        gold: NDArray[np.bool_],
    ) -> LabelCounts:
        if prepared is not None:
            extraction = system.extract(prepared)
        if extraction.labeled is not None:
            return label_counts(leaf_labels(leaves, extraction.labeled), gold)
        return label_counts(leaf_labels_from_text(leaves, extraction.text), gold)


def text_metrics(text: str, gold: str) -> dict[str, float]:
    """Return the cheap metrics of a text: words, shingles, completeness, emptiness."""
    metrics = {
        **_score_metrics("word", word_score(text, gold)),
        **shingle_metrics(text, gold),
        **completeness_metrics(text, gold),
    }
    if gold.strip():
        metrics["empty"] = float(not text.strip())
    return metrics


def completeness_metrics(text: str, gold: str) -> dict[str, float]:
    """Return ``loses_paragraph``, 0 or 1, and ``paragraph_loss``, the share lost, in [0, 1].

    Empty for a page whose gold has no paragraph of ten tokens.
    """
    lost, paragraphs = unmatched_lines(gold, text, MIN_PARAGRAPH_TOKENS)
    if not paragraphs:
        return {}
    return {"loses_paragraph": float(bool(lost)), "paragraph_loss": len(lost) / paragraphs}


def unmatched_lines(text: str, other: str, min_tokens: int = 1) -> tuple[list[str], int]:
    """Return (lines of ``text`` that ``other`` lacks, number of lines that were compared).

    ``other`` lacks a line if fewer than half of its tokens are in the longest common subsequence of
    both texts' tokens. Lines of fewer than ``min_tokens`` tokens, and those beyond the tokens that
    are aligned, are not compared.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    shares, counts = kept_shares(lines, other)
    starts = counts.cumsum() - counts
    compared = [
        (line, share)
        for line, share, count, start in zip(lines, shares, counts, starts, strict=True)
        if count >= min_tokens and start + count <= MAX_TOKENS
    ]
    return [line for line, share in compared if share < MIN_KEPT], len(compared)


def _official_metrics(extraction: Extraction, gold: Segments) -> dict[str, float]:
    """Return CleanEval's scores, each in [0, 1]; without tags each line is a paragraph."""
    if extraction.cleaned is not None:
        cleaned = extraction.cleaned()
    else:
        cleaned = "".join(f"<p>{line}\n" for line in extraction.text.splitlines())
    score = official_score(cleaned, gold)
    return {
        "official_text": score.text / 100,
        "official_markup": score.markup / 100,
        "official_total": score.total / 100,
        **_score_metrics("tag", tag_score(cleaned, gold)),
    }


def _score_metrics(name: str, score: Score) -> dict[str, float]:
    return {f"{name}_{field}": value for field, value in vars(score).items()}


def _count_metrics(name: str, counts: Iterable[int]) -> dict[str, float]:
    return {f"{name}_{part}": float(n) for part, n in zip(COUNTS, counts, strict=True)}
