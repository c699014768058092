"""Evaluation: labelers and peers on the same pages in one run, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.decode import decode
from scrapy_boilernet.extract import label_page
from scrapy_boilernet.labelers import Labeler, load_labeler
from scrapy_boilernet.training.datasets import GoldPage
from scrapy_boilernet.training.metrics import (
    bootstrap_interval,
    calibration_error,
    word_score,
)
from scrapy_boilernet.training.peers import load_peer

Extraction = tuple[str, float | None]
"""Main text, and the system's own confidence if it has one."""


@dataclass(frozen=True)
class System:
    """A labeler or a peer under test."""

    name: str
    version: str
    extract: Callable[[GoldPage], Extraction]


@dataclass(frozen=True)
class PageRow:
    """One system's score on one page."""

    dataset: str
    page: str
    page_type: str | None
    language: str | None
    system: str
    precision: float
    recall: float
    f1: float
    confidence: float | None
    seconds: float
    """CPU time of the extraction, parsing included, evaluation excluded."""


def labeler_systems(models: Sequence[str], engine: str = "auto") -> list[System]:
    """Return our models as systems; raises ``ModelError`` if one cannot be loaded.

    Models of the same name are told apart by what they were asked for by.
    """
    labelers = [load_labeler(model, engine) for model in models]
    names = [labeler.name for labeler in labelers]
    return [
        System(model if names.count(name) > 1 else name, "ours", partial(_label, labeler))
        for model, name, labeler in zip(models, names, labelers, strict=True)
    ]


def _label(labeler: Labeler, page: GoldPage) -> Extraction:
    blocks = blockify(page.html, page.url, page.encoding, labeler.units)
    result = label_page(blocks, labeler)
    return result.text, result.confidence


def peer_system(name: str) -> System:
    """Return a peer as a system; raises ``ImportError`` if it is not installed."""
    extractor, version = load_peer(name)

    def run(page: GoldPage) -> Extraction:
        return extractor(decode(page.html, page.encoding)), None

    return System(name, version, run)


def evaluate(pages: Iterable[GoldPage], systems: Sequence[System]) -> list[PageRow]:
    """Return every system's row for every page; the systems take turns page by page."""
    rows = []
    for page in pages:
        for system in systems:
            begin = process_time()
            text, confidence = system.extract(page)
            seconds = process_time() - begin
            score = word_score(text, page.gold or "")
            rows.append(
                PageRow(
                    page.dataset, page.id, page.page_type, page.language, system.name,
                    score.precision, score.recall, score.f1, confidence, seconds,
                )
            )  # fmt: skip
    return rows


def summarize(rows: Sequence[PageRow], systems: Sequence[System]) -> dict[str, Any]:
    """Return means with 95 % intervals per data set, type and language, and paired differences.

    Differences are of the first system to each other one, on the same pages.
    """
    names = [system.name for system in systems]
    cuts: dict[str, dict[str, Any]] = {}
    for title, key in (
        ("data set", lambda row: row.dataset),
        ("page type", lambda row: f"{row.dataset}: {row.page_type}" if row.page_type else None),
        ("language", lambda row: f"{row.dataset}: {row.language}" if row.language else None),
    ):
        groups = dict.fromkeys(key(row) for row in rows)
        cuts[title] = {
            group: _group([row for row in rows if key(row) == group], names)
            for group in groups
            if group
        }
    macro = {n: float(np.mean([g[n]["f1"] for g in cuts["data set"].values()])) for n in names}
    return {
        "systems": {system.name: system.version for system in systems},
        "macro_f1": macro,
        "macro_difference": _macro_differences(rows, names),
        "cuts": cuts,
        "calibration_error": _calibration(rows, names),
    }


def _group(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    by_system = {name: [row for row in rows if row.system == name] for name in names}
    first = np.array([row.f1 for row in by_system[names[0]]])
    found: dict[str, Any] = {"pages": len(first)}
    for name in names:
        mine = by_system[name]
        f1 = np.array([row.f1 for row in mine])
        found[name] = {
            "f1": float(f1.mean()),
            "interval": bootstrap_interval(f1.tolist()),
            "precision": float(np.mean([row.precision for row in mine])),
            "recall": float(np.mean([row.recall for row in mine])),
            "ms_per_page": float(np.mean([row.seconds for row in mine])) * 1000,
        }
        if name != names[0]:
            found[name]["lead"] = float((first - f1).mean())
            found[name]["lead_interval"] = bootstrap_interval((first - f1).tolist())
    return found


def _macro_differences(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, Any]:
    """The first system's lead in the mean over data sets; pages resampled within each set."""
    datasets = list(dict.fromkeys(row.dataset for row in rows))
    f1 = {
        (d, n): np.array([row.f1 for row in rows if row.dataset == d and row.system == n])
        for d in datasets
        for n in names
    }
    found = {}
    rng = np.random.default_rng(0)
    for name in names[1:]:
        draws = np.zeros(2000)
        for d in datasets:
            difference = f1[d, names[0]] - f1[d, name]
            picks = rng.integers(0, len(difference), size=(2000, len(difference)))
            draws += difference[picks].mean(axis=1) / len(datasets)
        low, high = np.quantile(draws, [0.025, 0.975])
        lead = np.mean([(f1[d, names[0]] - f1[d, name]).mean() for d in datasets])
        found[name] = {"lead": float(lead), "interval": (float(low), float(high))}
    return found


def _calibration(rows: Sequence[PageRow], names: Sequence[str]) -> dict[str, float]:
    found = {}
    for name in names:
        sure = [row for row in rows if row.system == name and row.confidence is not None]
        if sure:
            confidences = [row.confidence or 0.0 for row in sure]
            found[name] = calibration_error(confidences, [row.f1 for row in sure])
    return found


def as_json(rows: Sequence[PageRow]) -> list[dict[str, Any]]:
    """Return the rows as plain data."""
    return [asdict(row) for row in rows]
