"""How well ``output.page_kind`` recognizes the kinds of pages, by folds of domains.

    python -m benchmarks.quality.page_kind wcxb-dev by-hand docs harvest-forums \
        --beside mercury fundus --write scrapy_boilernet/extractor/output/page_kind.json

The sets' ``pages.jsonl`` has a ``page_type`` per page. A logistic regression is trained on four
fifths of the domains and measured on the others, beside the rule on the URL and the declared types
alone; ``--beside`` names sets that do not train. ``--write`` trains it on all pages and writes the
weights. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
from scrapy_boilernet.workers.progress import progress

FOLDS, STRENGTH, MIN_PAGES, DECIMALS = 5, 0.1, 5, 2
"""Parts of the domains; inverse of the penalty; least pages with a feature; digits of weights."""
MOST_OF_ONE_KIND = 150
"""Pages of a set of one kind that train, at most."""
SHELLS = frozenset("4145 4147 4278 4314 4607 4838".split())
"""Pages of wcxb-dev that hold the shell of another page."""
_EXPLAINED = """\
Logistic regression over the words of the page's head and URL and eight numbers of its blocks, by
five folds of registered domains; sets with a star do not train. Each page trains three times:
whole, without its URL, and with nothing but numbers of elements and blocks, so that pages that
declare nothing are recognized, too; the lines `without URL` and `numbers only` are of such pages.
`declared`: the rule on the URL and the declared types (JSON-LD, microdata, Open Graph) alone, which
was written on pages of wcxb-dev and is a feature of the model, too. Macro F1 is the mean over the
kinds that a set has; the interval is a 95 % bootstrap interval over pages. A set of one kind trains
with at most 150 pages, since the model learns the shares of the kinds."""

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


class Pages(NamedTuple):
    """The pages of some sets that have one of the kinds."""

    sets: NDArray[Any]
    """The name of each page's set."""
    rows: list[Row]
    """The features of each page."""
    declared: NDArray[Any]
    kinds: NDArray[Any]
    folds: NDArray[Any]
    trains: NDArray[np.bool_]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="sets that do not train")
    parser.add_argument("--write", type=Path, metavar="FILE", help="weights trained on all pages")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Kinds of pages")
    report.text(_EXPLAINED)
    pages = _read(options.sets, options.beside, options.cache)
    if not pages.trains.any():
        sys.exit(
            f"{' '.join(path.name for path in options.sets)} has no page with a page_type of "
            f"{', '.join(LEARNED_KINDS)}; name a set that has some, such as wcxb-dev"
        )
    found = {"declared": pages.declared, **_predicted(pages)}
    for name in dict.fromkeys(pages.sets.tolist()):
        _add(report, name, pages, found)
    if options.write:
        trained = np.flatnonzero(pages.trains)
        weights = train([pages.rows[i] for i in trained], pages.kinds[trained])
        names = dict.fromkeys(pages.sets[trained].tolist())
        write(options.write, weights, [*names])
    report.write(options, None)


def _read(sets: Sequence[Path], beside: Sequence[Path], cache: Path) -> Pages:
    """Return the pages of all sets."""
    names, rows, found, trains = [], [], [], []
    for folder in progress([*sets, *beside], len(sets) + len(beside), "sets"):
        own_rows, own = read_set(open_dataset(folder, cache))
        may_train = np.full(len(own_rows), folder not in beside)
        if len({kind for _, kind, _, _ in own}) == 1:
            order = sorted(range(len(own)), key=lambda i: own[i][3])
            may_train[order[MOST_OF_ONE_KIND:]] = False
        names += [folder.name.removesuffix(".tar.xz")] * len(own_rows)
        rows += own_rows
        found += own
        trains += may_train.tolist()
    declared, kinds, folds, _ = np.array(found, dtype=np.int64).reshape(-1, 4).T
    return Pages(np.array(names), rows, declared, kinds, folds, np.array(trains, dtype=np.bool_))


def _predicted(pages: Pages) -> dict[str, NDArray[Any]]:
    """Return per view the kinds that models find that trained on other domains."""
    predicted = {name: np.empty(len(pages.rows), dtype=np.int64) for name in VIEWS}
    for fold in progress(range(FOLDS), FOLDS, "folds"):
        held_out = np.flatnonzero(pages.folds == fold)
        others = np.flatnonzero((pages.folds != fold) & pages.trains)
        weights = train([pages.rows[i] for i in others], pages.kinds[others])
        for name, seen in VIEWS.items():
            predicted[name][held_out] = [predict(weights, seen(pages.rows[i])) for i in held_out]
    return predicted


def _add(report: Report, name: str, pages: Pages, found: Mapping[str, NDArray[Any]]) -> None:
    """Add the table of a set."""
    own = pages.sets == name
    kinds, table = pages.kinds[own], []
    has = np.bincount(kinds, minlength=len(LEARNED_KINDS)) > 0
    for view, all_found in found.items():
        predicted = all_found[own]
        scores, accuracy = f1_per_kind(kinds, predicted), float((kinds == predicted).mean())
        low, high = interval_of(_draws(kinds, predicted, has))
        report.figures[f"{name}, {view}"] = {
            "macro F1": scores[has].mean(), "low": low, "high": high, "accuracy": accuracy,
            **dict(zip(LEARNED_KINDS, scores.tolist(), strict=True)),
        }  # fmt: skip
        cells = [f"{s:.3f}" if h else "" for s, h in zip(scores, has, strict=True)]
        macro = f"{scores[has].mean():.3f} [{low:.3f}, {high:.3f}]"
        table.append([view, macro, f"{accuracy:.3f}", *cells])
    report.text(f"## {name}{'' if pages.trains[own].any() else ' *'}")
    counts = Counter(LEARNED_KINDS[kind] for kind in kinds)
    report.text(", ".join(f"{counts[k]} {k}" for k in LEARNED_KINDS if counts[k]) + " pages.")
    report.table(["", "macro F1", "accuracy", *LEARNED_KINDS], table)


def read_set(folder: Path) -> tuple[list[Row], list[tuple[int, int, int, int]]]:
    """Return per page its features, and as numbers the declared kind, the gold kind, the fold, and
    a place in a random order.
    """
    rows, numbers = [], []
    for source in read_pages(folder):
        if source.page_type in LEARNED_KINDS and source.id.rpartition("_")[2] not in SHELLS:
            page = blockify(source.html, source.url)
            rows.append(kind_features(page))
            declared = LEARNED_KINDS.index(declared_kind(page))
            kind = LEARNED_KINDS.index(source.page_type)
            fold = zlib.crc32(domain(source).encode()) % FOLDS
            numbers.append((declared, kind, fold, zlib.crc32(source.id.encode())))
    return rows, numbers


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


def _draws(kinds: NDArray[Any], found: NDArray[Any], has: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the macro F1 of each resample of the pages over the kinds that ``has`` marks."""
    draws = resamples(len(kinds))
    numbers = np.flatnonzero(has)[:, None]
    gold, own = kinds == numbers, found == numbers
    right, golds, owns = ((draws @ m.T.astype(float)) for m in (gold & own, gold, own))
    return np.asarray((2 * right / np.maximum(golds + owns, 1)).mean(axis=1))


def write(file: Path, weights: dict[str, list[float]], names: Sequence[str]) -> None:
    """Write the weights in hundredths, one feature per line."""
    hundredths = {key: [round(each * 100) for each in row] for key, row in sorted(weights.items())}
    lines = [
        f"{json.dumps(k)}:{json.dumps(row, separators=(',', ':'))}" for k, row in hundredths.items()
    ]
    head = {
        "trained_on": ", ".join(names),
        "made_by": "benchmarks/quality/page_kind.py",
        "kinds": LEARNED_KINDS,
    }
    text = (
        json.dumps(head, indent=1)[:-2] + ',\n "hundredths": {\n' + ",\n".join(lines) + "\n}\n}\n"
    )
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
