"""How near the fingerprints of near-duplicates are, and of different texts.

    python -m benchmarks.quality.near_duplicates wcxb-dev --out-markdown FILE

A near-duplicate is the gold text of a page with 15 of its words replaced by words that it does not
have: a run of words, or words here and there. They are drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS, distance, fingerprint
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

REPLACED_WORDS = 15
BOUNDS = (200, 600, 1_500, 0)
"""Each row has the texts with as many words as from one bound to the next; 0 is no upper bound.
Shorter texts are left out."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("set", type=Path, help="a folder or its .tar.xz")
    parser.add_argument("--pages", type=int, default=300, help="the first so many of the set")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    pages = [*read_pages(open_dataset(options.set, options.cache))][: options.pages]
    texts = list(dict.fromkeys(" ".join(tokens(page.gold or "")) for page in pages))
    kept = [words for text in texts if len(words := text.split()) >= BOUNDS[0]]
    if len(kept) < 2:
        sys.exit(f"{options.set} has fewer than two gold texts of {BOUNDS[0]} words; name wcxb-dev")
    report = Report("Fingerprints of near-duplicates")
    report.text(
        f"{len(kept)} different texts of {options.set.name}; {REPLACED_WORDS} words replaced."
    )
    report.text(f"Share of the near-duplicates whose fingerprint is within {NEAR_BITS} bits:")
    names = [
        "words of the text",
        "texts",
        "a run of words replaced",
        "words here and there replaced",
    ]
    report.table(names, rows_of(kept))
    report.text(_of_pairs(list(map(_fingerprint, kept))))
    report.write(options, None)


def rows_of(texts: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return per range of words: its name, the texts, and two shares of near-duplicates that have
    a near fingerprint: where a run of words is replaced, and where words here and there are.
    """
    rows = []
    for low, high in pairwise(BOUNDS):
        own = [words for words in texts if low <= len(words) < (high or sys.maxsize)]
        shares = (_near_share(own, in_a_row) for in_a_row in (True, False))
        rows.append([f"{low} to {high}" if high else f"{low} and more", str(len(own)), *shares])
    return rows


def _near_share(texts: Sequence[Sequence[str]], in_a_row: bool) -> str:
    if not texts:
        return "-"
    bits = [distance(_fingerprint(t), _fingerprint(changed(t, in_a_row))) for t in texts]
    return f"{np.mean(np.array(bits) <= NEAR_BITS):.2f}"


def changed(words: Sequence[str], in_a_row: bool) -> list[str]:
    """Return the words with 15 of them, or all if there are fewer, replaced; always the same."""
    copy, random = [*words], np.random.default_rng(0)
    places = random.permutation(len(words))[:REPLACED_WORDS]
    if in_a_row:
        start = int(random.integers(max(len(words) - REPLACED_WORDS, 0) + 1))
        places = np.arange(start, start + len(places))
    for i, place in enumerate(places.tolist()):
        copy[place] = f"replaced{i}"
    return copy


def _of_pairs(prints: Sequence[str]) -> str:
    """Return how near the fingerprints of different texts are."""
    bits = [distance(one, other) for one, other in combinations(prints, 2)]
    near = sum(each <= NEAR_BITS for each in bits)
    return (
        f"Of {len(bits)} pairs of different texts {near} are within {NEAR_BITS} bits; the nearest "
        f"pair is {min(bits)} bits apart."
    )


def _fingerprint(words: Sequence[str]) -> str:
    return fingerprint(token_hashes(" ".join(words))) or ""


if __name__ == "__main__":
    main()
