"""Means, intervals and differences between systems, from an evaluation's rows.

Every figure is computed from sums over pages, so that all resamples are one matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.lab.evaluation.evaluate import PageRow
from scrapy_boilernet.lab.evaluation.page_metrics import COUNTS
from scrapy_boilernet.lab.evaluation.statistics import (
    bootstrap_interval,
    calibration,
    interval_of,
    resamples,
    sure_pages,
)
from scrapy_boilernet.lab.evaluation.systems import System

POOLED = ("block", "leaf", "snippet")
"""Kinds whose counts are summed over pages before they are scored."""
MIN_LANGUAGE_PAGES = 20
"""Languages with fewer pages in a set are left out of its language gap."""
_CUTS: dict[str, Callable[[PageRow], str | None]] = {
    "data set": lambda row: row.dataset,
    "page type": lambda row: f"{row.dataset}: {row.page_type}" if row.page_type else None,
    "language": lambda row: f"{row.dataset}: {row.language}" if row.language else None,
}
Array = NDArray[np.float64]


class Sums:
    """The sum of each metric over pages, and the number of pages that have it, per resample."""

    def __init__(self, rows: Sequence[Mapping[str, float]], weights: Array) -> None:
        names = list(dict.fromkeys(name for row in rows for name in row))
        values = np.array([[row.get(name, np.nan) for name in names] for row in rows])
        has = ~np.isnan(values)
        totals = weights @ np.where(has, values, 0.0)
        pages = weights @ has
        self.total: dict[str, Array] = {n: totals[:, i] for i, n in enumerate(names)}
        self._pages: dict[str, Array] = {n: pages[:, i] for i, n in enumerate(names)}

    def mean(self, name: str) -> Array:
        """Return the metric's mean over the pages that have it, shape (resamples,)."""
        return ratio(self.total[name], self._pages[name])


def summarize(rows: Sequence[PageRow], systems: Sequence[System]) -> dict[str, Any]:
    """Return means with 95 % intervals per data set, type and language, and paired differences.

    Differences are between the first system and each other one, on the same pages. Word-F1 and
    figures computed from it leave out pages without gold text; ``figures`` has all metrics per set.
    """
    names = [system.name for system in systems]
    with_gold = [row for row in rows if row.f1 is not None]
    cuts = {title: _cut(with_gold, names, key) for title, key in _CUTS.items()}
    cuts["kind of gold"] = _cut(_of_mixed_sets(with_gold), names, _kind_of_gold)
    sets = cuts["data set"]
    macro = {n: float(np.mean([g[n]["f1"] for g in sets.values()])) for n in names} if sets else {}
    peers = [system.name for system in systems[1:] if system.version != "ours"]
    leads = _macro_differences(with_gold, names)
    return {
        "systems": {system.name: system.version for system in systems},
        "engines": {system.name: engine for system in systems if (engine := system.engine())},
        "macro_f1": macro,
        "macro_difference": leads,
        "best_peer": _best_peer(macro, leads, peers),
        "gaps": {dataset: _gap(group, peers) for dataset, group in sets.items()} if peers else {},
        "cuts": cuts,
        "language_gaps": _language_gaps(with_gold, names[0]),
        "figures": _figures(rows, names),
        "calibration_error": calibration(with_gold, names),
        "sure": sure_pages(with_gold, names),
        "fallback_gains": fallback_gains(with_gold, names),
    }


def figures(rows: Sequence[Mapping[str, float]]) -> dict[str, dict[str, Any]]:
    """Return per figure its ``value`` and its 95 % bootstrap ``interval`` over pages.

    ``rows``: the metrics of each page. A figure is the mean over the pages that have the metric.
    There are exceptions: ``empty`` is the number of pages with gold and no extracted text;
    ``block_*``, ``leaf_*`` and ``snippet_*`` are scores of pooled counts; ``shingle_f1`` is the
    harmonic mean of two means.
    """
    all_pages = Sums(rows, np.ones((1, len(rows))))
    resampled = Sums(rows, resamples(len(rows)))
    return {
        name: {"value": float(figure(all_pages)[0]), "interval": interval_of(figure(resampled))}
        for name, figure in _figures_of(all_pages.total).items()
    }


def pooled_figures(kind: str) -> dict[str, Callable[[Sums], Array]]:
    """Return precision, recall and F1, for labels of both classes, and accuracy, by name."""
    hits, extra, missed, right = (f"{kind}_{part}" for part in COUNTS)
    accuracy = {f"{kind}_accuracy": _share((hits, right), (hits, extra, missed, right))}
    if kind == "snippet":
        return {**_score(kind, hits, extra, missed), **accuracy}
    return {
        **_score(f"{kind}_content", hits, extra, missed),
        **_score(f"{kind}_boilerplate", right, missed, extra),
        **accuracy,
    }


def fallback_gains(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """Return ``pages``, mean ``f1`` and ``empty`` per system and per step of its fallback.

    ``empty`` is the mean word-F1 of empty text, 1 for a page without main text, else 0. Systems
    whose model found the content of every page are left out.
    """
    gains: dict[str, Any] = {}
    for name in names:
        by_source: dict[str, list[PageRow]] = {}
        for row in rows:
            if row.system == name and row.source not in (None, "model"):
                by_source.setdefault(str(row.source), []).append(row)
        if by_source:
            gains[name] = {
                source: _gain(source_rows) for source, source_rows in sorted(by_source.items())
            }
    return gains


def ratio(above: Array, below: Array) -> Array:
    """Return ``above / below``, 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _f1(rows: Sequence[PageRow]) -> Array:
    return np.array([row.metrics["word_f1"] for row in rows], dtype=np.float64)


def _of_mixed_sets(rows: Sequence[PageRow]) -> list[PageRow]:
    """Return the rows of sets in which some pages have main text and others an empty gold."""
    mixed = {row.dataset for row in rows if row.has_main_text}
    mixed &= {row.dataset for row in rows if not row.has_main_text}
    return [row for row in rows if row.dataset in mixed]


def _kind_of_gold(row: PageRow) -> str:
    return f"{row.dataset}: {'with text' if row.has_main_text else 'empty'}"


def _cut(
    rows: Sequence[PageRow], names: Sequence[str], key: Callable[[PageRow], str | None]
) -> dict[str, Any]:
    members: dict[str, list[PageRow]] = {}
    for row in rows:
        if (group := key(row)) is not None:
            members.setdefault(group, []).append(row)
    return {group: _group(group_rows, names) for group, group_rows in members.items()}


def _group(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    by_system = {name: [row for row in rows if row.system == name] for name in names}
    first = _f1(by_system[names[0]])
    group: dict[str, Any] = {"pages": len(first)}
    for name in names:
        system_rows = by_system[name]
        f1 = _f1(system_rows)
        group[name] = {
            "f1": float(f1.mean()),
            "interval": bootstrap_interval(f1.tolist()),
            "precision": float(np.mean([row.metrics["word_precision"] for row in system_rows])),
            "recall": float(np.mean([row.metrics["word_recall"] for row in system_rows])),
            "ms_per_page": float(np.mean([row.seconds for row in system_rows])) * 1000,
        }
        if name != names[0]:
            group[name]["lead"] = float((first - f1).mean())
            group[name]["lead_interval"] = bootstrap_interval((first - f1).tolist())
    return group


def _macro_differences(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """Return the first system's lead in the mean over sets; pages are resampled per set."""
    datasets = list(dict.fromkeys(row.dataset for row in rows))
    f1 = {
        (d, n): _f1([row for row in rows if row.dataset == d and row.system == n])
        for d in datasets
        for n in names
    }
    leads = {}
    for name in names[1:] if datasets else ():
        differences = [f1[d, names[0]] - f1[d, name] for d in datasets]
        draws = [
            resamples(len(values), seed) @ values / len(values)
            for seed, values in enumerate(differences)
        ]
        lead = float(np.mean([values.mean() for values in differences]))
        leads[name] = {"lead": lead, "interval": interval_of(np.mean(draws, axis=0))}
    return leads


def _best_peer(
    macro: Mapping[str, float], leads: Mapping[str, Any], peers: Sequence[str]
) -> dict[str, Any] | None:
    """Return the peer with the best mean over sets, and the first system's lead over it."""
    if not peers or not macro:
        return None
    name = max(peers, key=lambda peer: macro[peer])
    return {"name": name, "macro_f1": macro[name], **leads[name]}


def _gap(group: Mapping[str, Any], peers: Sequence[str]) -> dict[str, Any]:
    """Return the best peer on one set, and the first system's lead over it there."""
    name = max(peers, key=lambda peer: group[peer]["f1"])
    peer_figures = group[name]
    return {
        "name": name,
        "f1": peer_figures["f1"],
        "lead": peer_figures["lead"],
        "interval": peer_figures["lead_interval"],
    }


def _language_gaps(rows: Sequence[PageRow], name: str) -> dict[str, Any]:
    """Return the first system's best and worst language, per set with several languages."""
    by_language: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if row.system == name and row.language:
            languages = by_language.setdefault(row.dataset, {})
            languages.setdefault(row.language, []).append(row.metrics["word_f1"])
    gaps = {}
    for dataset, languages in by_language.items():
        means = {
            n: float(np.mean(f1)) for n, f1 in languages.items() if len(f1) >= MIN_LANGUAGE_PAGES
        }
        if len(means) > 1:
            best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
            gaps[dataset] = {"best": best, "worst": worst, "gap": means[best] - means[worst]}
    return gaps


def _figures(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    by_dataset: dict[str, Any] = {}
    for dataset in dict.fromkeys(row.dataset for row in rows):
        dataset_rows = [row for row in rows if row.dataset == dataset]
        by_dataset[dataset] = {
            name: figures([row.metrics for row in dataset_rows if row.system == name])
            for name in names
        }
    return by_dataset


def _figures_of(metrics: Mapping[str, Any]) -> dict[str, Callable[[Sums], Array]]:
    pooled = [kind for kind in POOLED if f"{kind}_hits" in metrics]
    parts = {f"{kind}_{part}" for kind in POOLED for part in COUNTS}
    figure_of: dict[str, Callable[[Sums], Array]] = {}
    for name in metrics:
        if name == "empty":
            figure_of[name] = lambda sums: sums.total["empty"]
        elif name not in parts:
            figure_of[name] = _mean(name)
    if {"shingle_precision", "shingle_recall"} <= set(metrics):
        figure_of["shingle_f1"] = _harmonic("shingle_precision", "shingle_recall")
    for kind in pooled:
        figure_of |= pooled_figures(kind)
    return figure_of


def _mean(name: str) -> Callable[[Sums], Array]:
    return lambda sums: sums.mean(name)


def _harmonic(first: str, second: str) -> Callable[[Sums], Array]:
    def figure(sums: Sums) -> Array:
        a, b = sums.mean(first), sums.mean(second)
        return ratio(2 * a * b, a + b)

    return figure


def _score(name: str, hits: str, extra: str, missed: str) -> dict[str, Callable[[Sums], Array]]:
    return {
        f"{name}_precision": _share((hits,), (hits, extra)),
        f"{name}_recall": _share((hits,), (hits, missed)),
        f"{name}_f1": _share((hits, hits), (hits, hits, extra, missed)),
    }


def _share(above: Sequence[str], below: Sequence[str]) -> Callable[[Sums], Array]:
    def figure(sums: Sums) -> Array:
        return ratio(
            np.sum([sums.total[name] for name in above], axis=0),
            np.sum([sums.total[name] for name in below], axis=0),
        )

    return figure


def _gain(rows: Sequence[PageRow]) -> dict[str, Any]:
    return {
        "pages": len(rows),
        "f1": float(np.mean([row.metrics["word_f1"] for row in rows])),
        "empty": float(np.mean(["empty" not in row.metrics for row in rows])),
    }
