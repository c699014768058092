"""What an extraction lost and what it kept wrongly, by lines: a gold line is a paragraph."""

from __future__ import annotations

from scrapy_boilernet.evaluation.align import MAX_TOKENS, kept_shares

MIN_PARAGRAPH_TOKENS, MIN_KEPT = 10, 0.5
"""A gold line of ten tokens or more is a paragraph; it is lost with less than half of them."""


def unmatched_lines(text: str, other: str, min_tokens: int = 1) -> tuple[list[str], int]:
    """Return the lines of ``text`` that ``other`` lacks, and how many lines there were to look at.

    A line is lacking if fewer than half of its tokens are in the longest common subsequence of
    both texts' tokens. Lines of fewer than ``min_tokens`` tokens, and those that begin beyond the
    tokens that are aligned, are not looked at.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    shares, counts = kept_shares(lines, other)
    starts = counts.cumsum() - counts
    looked_at = [
        (line, share)
        for line, share, count, start in zip(lines, shares, counts, starts, strict=True)
        if count >= min_tokens and start + count <= MAX_TOKENS
    ]
    return [line for line, share in looked_at if share < MIN_KEPT], len(looked_at)


def completeness_metrics(text: str, gold: str) -> dict[str, float]:
    """Return ``loses_paragraph``, 0 or 1, and ``paragraph_loss``, the share lost, in [0, 1].

    Nothing for a page whose gold has no paragraph of ten tokens.
    """
    lost, paragraphs = unmatched_lines(gold, text, MIN_PARAGRAPH_TOKENS)
    if not paragraphs:
        return {}
    return {"loses_paragraph": float(bool(lost)), "paragraph_loss": len(lost) / paragraphs}
