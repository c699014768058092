"""How well ``output.page_kind`` recognizes the kinds of pages, by folds of domains.

    python -m benchmarks.quality.page_kind wcxb-dev \
        --write scrapy_boilernet/extractor/output/page_kind.json

The set's ``pages.jsonl`` has a ``page_type`` per page. A logistic regression is trained on four
fifths of the domains and measured on the others, beside the rule on the URL and the declared types
alone. ``--write`` trains it on all pages and writes the weights. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.features.words import url_words
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.head import COUNTED_TAGS
from scrapy_boilernet.extractor.metadata import LEARNED_KINDS
from scrapy_boilernet.extractor.output.page_kind import declared_kind, kind_features
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.splits import domain
from scrapy_boilernet.lab.evaluation.statistics import interval_of, resamples

FOLDS, STRENGTH, MIN_PAGES, DECIMALS = 5, 0.1, 5, 2
"""Parts of the domains; inverse of the penalty; least pages with a feature; digits of weights."""
SHELLS = frozenset("4145 4147 4278 4314 4607 4838".split())
"""Pages of wcxb-dev that hold the shell of another page."""
_EXPLAINED = """\
Logistic regression over the words of the page's head and URL and eight numbers of its blocks, by
five folds of registered domains. Each page trains three times: whole, without its URL, and with
nothing but numbers of elements and blocks, so that pages that declare nothing are recognized,
too; the lines `without URL` and `numbers only` are of such pages. `declared`: the rule on the URL
and the declared types (JSON-LD, microdata, Open Graph) alone, which was written on the same pages
and is a feature of the model, too. The interval is a 95 % bootstrap interval over pages."""

Row = dict[str, float]
Rows = Sequence[Row]


def without_url(row: Row) -> Row:
    """Return the features without those of the URL."""
    own = url_words("https://example.com/a/1.html?b=c")
    names = tuple({word.split(":")[0] + ":" for word in own} | {"p:", "h:"})
    return {name: value for name, value in row.items() if not name.startswith(names)}


def numbers_only(row: Row) -> Row:
    """Return the features that count elements and blocks."""
    return {name: value for name, value in row.items() if _NUMBER.match(name)}


_NUMBER = re.compile(rf"#|n(?:{'|'.join(COUNTED_TAGS)}):")
VIEWS: dict[str, Callable[[Row], Row]] = {
    "model": dict, "without URL": without_url, "numbers only": numbers_only,
}  # fmt: skip
"""The features that the model sees of a page, in training and in the report."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("set", type=Path, help="a folder or its .tar.xz")
    parser.add_argument("--write", type=Path, metavar="FILE", help="weights trained on all pages")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Kinds of pages")
    report.text(_EXPLAINED)
    rows, declared, kinds, folds = read_set(open_dataset(options.set, options.cache))
    if not rows:
        sys.exit(
            f"{options.set} has no page with a page_type of {', '.join(LEARNED_KINDS)}; "
            "name wcxb-dev"
        )
    predicted = {name: np.empty(len(rows), dtype=np.int64) for name in VIEWS}
    for fold in range(FOLDS):
        held_out = np.flatnonzero(folds == fold)
        weights = train([rows[i] for i in np.flatnonzero(folds != fold)], kinds[folds != fold])
        for name, seen in VIEWS.items():
            predicted[name][held_out] = [predict(weights, seen(rows[i])) for i in held_out]
    table = []
    for name, found in {"declared": declared, **predicted}.items():
        scores = f1_per_kind(kinds, found)
        low, high = interval_of(_draws(kinds, found))
        report.figures[name] = {
            "macro F1": scores.mean(), "low": low, "high": high,
            "accuracy": float((kinds == found).mean()),
            **dict(zip(LEARNED_KINDS, scores.tolist(), strict=True)),
        }  # fmt: skip
        cells = [f"{score:.3f}" for score in scores]
        accuracy = f"{(kinds == found).mean():.3f}"
        table.append([name, f"{scores.mean():.3f} [{low:.3f}, {high:.3f}]", accuracy, *cells])
    report.table(["", "macro F1", "accuracy", *LEARNED_KINDS], table)
    counts = Counter(LEARNED_KINDS[kind] for kind in kinds)
    report.text(", ".join(f"{counts[kind]} {kind}" for kind in LEARNED_KINDS) + " pages.")
    if options.write:
        write(options.write, train(rows, kinds), options.set.name)
    report.write(options, None)


def read_set(folder: Path) -> tuple[Rows, NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return per page its features, the declared kind, the gold kind and the fold, as numbers."""
    rows, declared, kinds, folds = [], [], [], []
    for source in read_pages(folder):
        if source.page_type in LEARNED_KINDS and source.id.rpartition("_")[2] not in SHELLS:
            page = blockify(source.html, source.url)
            rows.append(kind_features(page))
            declared.append(LEARNED_KINDS.index(declared_kind(page)))
            kinds.append(LEARNED_KINDS.index(source.page_type))
            folds.append(zlib.crc32(domain(source).encode()) % FOLDS)
    return rows, np.array(declared), np.array(kinds), np.array(folds)


def train(rows: Rows, kinds: NDArray[Any]) -> dict[str, list[float]]:
    """Return the weights per feature and kind; the feature "" has the biases.

    The classes keep their shares: with equal weights, accuracy and macro F1 are lower.
    """
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = [seen(row) for seen in VIEWS.values() for row in rows]
    kinds = np.tile(kinds, len(VIEWS))
    pages = Counter(name for row in rows for name in row)
    kept = [{n: v for n, v in row.items() if pages[n] >= MIN_PAGES} for row in rows]
    vectorizer = DictVectorizer()
    model = LogisticRegression(C=STRENGTH, max_iter=2_000)
    model.fit(vectorizer.fit_transform(kept), kinds)
    weights = np.zeros((len(vectorizer.feature_names_) + 1, len(LEARNED_KINDS)))
    weights[:, model.classes_] = np.vstack([model.intercept_, model.coef_.T])
    names = ["", *vectorizer.feature_names_]
    rounded = np.round(weights, DECIMALS) + 0.0
    return {n: row.tolist() for n, row in zip(names, rounded, strict=True) if row.any()}


def predict(weights: dict[str, list[float]], row: dict[str, float]) -> int:
    """Return the number of the likeliest kind."""
    sums = np.array(weights[""], dtype=float)
    for name, value in row.items():
        if name in weights:
            sums += value * np.array(weights[name])
    return int(sums.argmax())


def f1_per_kind(kinds: NDArray[Any], found: NDArray[Any]) -> NDArray[np.float64]:
    """Return the F1 of each kind."""
    numbers = np.arange(len(LEARNED_KINDS))[:, None]
    gold, own = kinds == numbers, found == numbers
    return 2 * (gold & own).sum(axis=1) / np.maximum(gold.sum(axis=1) + own.sum(axis=1), 1)


def _draws(kinds: NDArray[Any], found: NDArray[Any]) -> NDArray[np.float64]:
    """Return the macro F1 of each resample of the pages."""
    draws = resamples(len(kinds))
    numbers = np.arange(len(LEARNED_KINDS))[:, None]
    gold, own = kinds == numbers, found == numbers
    right, golds, owns = ((draws @ m.T.astype(float)) for m in (gold & own, gold, own))
    return np.asarray((2 * right / np.maximum(golds + owns, 1)).mean(axis=1))


def write(file: Path, weights: dict[str, list[float]], name: str) -> None:
    """Write the weights, one feature per line."""
    lines = (f"  {json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(weights.items()))
    head = {
        "trained_on": name,
        "made_by": "benchmarks/quality/page_kind.py",
        "kinds": LEARNED_KINDS,
    }
    text = json.dumps(head, indent=1)[:-2] + ',\n "weights": {\n' + ",\n".join(lines) + "\n }\n}\n"
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
