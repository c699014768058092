"""A model's card: what it is, what it was trained on and how it can be trained again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.training.card_commands import command_lines
from scrapy_boilernet.training.card_data import data_lines, overlap_lines

CALIBRATION_PLOT = "calibration.svg"


def model_card(spec: ModelSpec, floors: Mapping[str, float] | None = None) -> str:
    """Return the card of a model of the default recipe, as Markdown; ``floors`` per data set."""
    return "\n".join(_lines(spec, floors or {})) + "\n"


def _lines(spec: ModelSpec, floors: Mapping[str, float]) -> Iterator[str]:
    training = spec.training
    shape = spec.architecture
    shapes = shape.shapes()
    bags = sum(prod(s) for name, s in shapes.items() if "bag" in name)
    rest = sum(prod(s) for name, s in shapes.items() if "bag" not in name)
    calibration = training["calibration"]
    yield f"# Model card: {spec.name}"
    yield ""
    yield (
        f"A BoilerNet (Leonhardt et al. 2020): {shape.layers} bidirectional LSTM layers of "
        f"{shape.hidden} over a page's text blocks, behind a dense layer of {shape.dense}; "
        f"{rest:,} weights beside {bags:,} in hashed embeddings. Labels each block content or "
        "boilerplate; knows no language's words by heart."
    )
    yield ""
    yield f"- Featuriser: {spec.featurizer['kind']}, version {spec.featurizer['version']}"
    yield (
        "- Decision: each page's own threshold, the one of the largest expected word-F1, and no "
        f"block below {spec.threshold}"
    )
    yield (
        f"- Calibrated on {training.get('calibrated_on', 'the validation pages')}: temperature "
        f"{calibration['temperature']:.2f}, bias {calibration['bias']:+.2f}; confidence on "
        f"{training.get('confident_on', 'the same')}"
    )
    yield (
        f"- Seed {training['options']['seed']}, {training['options']['epochs']} epochs, the best "
        f"on the validation pages was number {training['best_epoch']}"
    )
    yield ""
    yield from data_lines(training)
    yield from overlap_lines(training)
    yield from score_lines(training)
    if floors:
        yield from _floor_lines(floors)
    yield from _limit_lines()
    yield from command_lines(training)


def score_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a card says of the pages that were not trained on."""
    crossed: Mapping[str, Mapping[str, float]] | None = training.get("cross_validation")
    columns = crossed or {"validation pages": training["validation"]}
    yield "## Pages that were not trained on"
    yield ""
    yield (
        "Mean word-F1 from the token alignment"
        + (", each page labeled by a model that did not see it:" if crossed else ":")
    )
    yield ""
    yield f"| data set | {' | '.join(columns)} |"
    yield "|---" * (1 + len(columns)) + "|"
    for name in sorted({name for scores in columns.values() for name in scores}):
        cells = (f"{scores[name]:.3f}" if name in scores else "" for scores in columns.values())
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    if crossed:
        yield f"![confidence against word-F1 on the same pages]({CALIBRATION_PLOT})"
        yield ""


def _floor_lines(floors: Mapping[str, float]) -> Iterator[str]:
    yield "## Floors"
    yield ""
    yield (
        "Least mean word-F1 on the fixed sample of each test part that `floors.json` names; "
        "`scrapy boilernet evaluate --check` fails below:"
    )
    yield ""
    yield "| data set | floor |"
    yield "|---|---|"
    for name, floor in floors.items():
        yield f"| {name} | {floor:.3f} |"
    yield ""


def _limit_lines() -> Iterator[str]:
    yield "## Limits"
    yield ""
    yield (
        "Gold standards disagree on headlines, comments and captions; the model has learned a "
        "mean of them. Confidence is calibrated on pages of the same sets and is less sure of its "
        "ground on other kinds of pages. Pages that build their text with scripts have nothing to "
        "label until they are rendered."
    )
    yield ""
