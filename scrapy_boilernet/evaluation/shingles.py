"""ScrapingHub's article-extraction benchmark: runs of four tokens, and exact equality."""

from __future__ import annotations

import re
from collections import Counter

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
