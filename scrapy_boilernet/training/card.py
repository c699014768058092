"""A model's card: what it is, what it was trained on and how it can be trained again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from scrapy_boilernet.labelers.spec import ModelSpec


def model_card(spec: ModelSpec) -> str:
    """Return the card of a model of the default recipe, as Markdown."""
    return "\n".join(_lines(spec)) + "\n"


def _lines(spec: ModelSpec) -> Iterator[str]:
    training = spec.training
    shape = spec.architecture
    shapes = shape.shapes()
    bags = sum(prod(s) for name, s in shapes.items() if name.startswith("bags."))
    rest = sum(prod(s) for name, s in shapes.items() if not name.startswith("bags."))
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
        f"- Threshold: {spec.threshold}, the best mean word-F1 on the validation pages, sets "
        "weighted by the square root of their pages"
    )
    yield f"- Command: `{training['command']}`"
    yield f"- Versions: {', '.join(f'{k} {v}' for k, v in training['versions'].items())}"
    yield f"- Seed {training['options']['seed']}, {training['options']['epochs']} epochs"
    yield ""
    yield from _data_lines(training)
    yield from _validation_lines(training)


def _data_lines(training: Mapping[str, Any]) -> Iterator[str]:
    yield "## Data"
    yield ""
    yield "Only weights learned from these pages are here, none of their text."
    yield ""
    yield "| data set | training pages | validation pages | licence of the gold | SHA-256 |"
    yield "|---|---|---|---|---|"
    for name, found in training["datasets"].items():
        yield (
            f"| {name} | {found['train_pages']} | {found['validation_pages']} "
            f"| {found['licence']} | `{found['digest_sha256'][:16]}` |"
        )
    yield ""
    yield (
        "Pages are split by registered domain and near-duplicate group; where a set has its own "
        "split, that stands. No test page and no near-duplicate of one was trained on, nor any "
        "page of a domain that tests in a set without a split of its own."
    )
    yield ""


def _validation_lines(training: Mapping[str, Any]) -> Iterator[str]:
    yield "## Validation"
    yield ""
    yield "Word-F1 from the token alignment, at the threshold above:"
    yield ""
    yield "| data set | word-F1 |"
    yield "|---|---|"
    for name, f1 in sorted(training["validation"].items()):
        yield f"| {name} | {f1:.3f} |"
    yield ""
    yield "## Limits"
    yield ""
    yield (
        "Gold standards disagree on headlines, comments and captions; the model has learned a "
        "mean of them. Confidence is calibrated on validation pages of the same sets and is less "
        "sure of its ground on other kinds of pages. Pages that build their text with scripts "
        "have nothing to label until they are rendered."
    )
