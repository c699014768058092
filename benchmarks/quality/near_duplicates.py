"""How near the fingerprints of near-duplicates are, and of different texts.

    python -m benchmarks.quality.near_duplicates wcxb-dev by-hand docs --out-markdown FILE

A near-duplicate is the gold text of a page with 15 of its words replaced by words that it does not
have: a run of words, or words here and there. They are drawn with a fixed seed.

Then, over all texts of the sets: how many pairs are so many bits apart, and how many of these have
less than half of their runs of four words in common, so that ``bulk --dedupe`` must not take one
for a copy of the other.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, pairwise
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.bulk.copies import differing
from scrapy_boilernet.extractor.features.texts import token_hashes
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.output.fingerprint import NEAR_BITS, distance, fingerprint
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

REPLACED_WORDS = 15
MORE_BITS, LEAST_IN_COMMON = 6, 0.5
BOUNDS = (200, 600, 1_500, 0)
"""Each row has the texts with as many words as from one bound to the next; 0 is no upper bound.
Shorter texts are left out."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--pages", type=int, default=300, help="the first so many of the first set")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    found = [gold_texts(each, options.cache) for each in options.sets]
    texts = list(dict.fromkeys(found[0][: options.pages]))
    kept = [words for text in texts if len(words := text.split()) >= BOUNDS[0]]
    if len(kept) < 2:
        sys.exit(f"{options.sets[0]} has fewer than two gold texts of {BOUNDS[0]} words")
    report = Report("Fingerprints of near-duplicates")
    names = [each.name.removesuffix(".tar.xz") for each in options.sets]
    report.text(f"{len(kept)} different texts of {names[0]}; {REPLACED_WORDS} words replaced.")
    report.text(f"Share of the near-duplicates whose fingerprint is within {NEAR_BITS} bits:")
    header = [
        "words of the text",
        "texts",
        "a run of words replaced",
        "words here and there replaced",
    ]
    report.table(header, rows_of(kept))
    report.text(_of_pairs(list(map(_fingerprint, kept))))
    everything = list(dict.fromkeys(filter(None, chain.from_iterable(found))))
    shown = ", ".join(names)
    report.text(f"Pairs of {len(everything):,} different texts of {shown}, by their bits apart:")
    report.table(("bits", "pairs", "with less than half in common"), rows_of_pairs(everything))
    report.write(options, None)


def gold_texts(dataset: Path, cache: Path) -> list[str]:
    """Return the words of each gold text, joined by spaces."""
    pages = read_pages(open_dataset(dataset, cache))
    return [" ".join(tokens(page.gold)) for page in pages if page.gold is not None]


def rows_of_pairs(texts: Sequence[str]) -> list[list[str]]:
    """Return per number of bits: the pairs of texts that are so far apart, and how many of these
    share less than half of their runs of four words.
    """
    known = [(int(each, 16), text) for text in texts if (each := _fingerprint(text.split()))]
    prints = np.array([each for each, _ in known], dtype=np.uint64)
    pairs, others = Counter[int](), Counter[int]()
    for i, (_, text) in enumerate(known):
        bits = differing(prints[i + 1 :], prints[i])
        for j in np.flatnonzero(bits <= NEAR_BITS + MORE_BITS).tolist():
            apart = int(bits[j])
            pairs[apart] += 1
            others[apart] += in_common(text, known[i + 1 + j][1]) < LEAST_IN_COMMON
    return [[str(n), str(pairs[n]), str(others[n])] for n in range(NEAR_BITS + MORE_BITS + 1)]


def in_common(one: str, other: str) -> float:
    """Return which share of the runs of four words of two texts is in both."""
    mine, theirs = runs_of(one), runs_of(other)
    return len(mine & theirs) / len(mine | theirs)


def runs_of(text: str) -> set[tuple[str, ...]]:
    """Return the runs of four words."""
    words = text.split()
    return {tuple(words[i : i + 4]) for i in range(max(len(words) - 3, 1))}


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
