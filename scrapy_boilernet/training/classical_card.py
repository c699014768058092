"""The card of a classical labeler's model."""

from __future__ import annotations

import json
from collections.abc import Iterator

from scrapy_boilernet.labelers.classical import ClassicalSpec
from scrapy_boilernet.training.card import score_lines
from scrapy_boilernet.training.card_commands import command_lines
from scrapy_boilernet.training.card_data import data_lines, overlap_lines

_WHAT = {
    "crf": "A linear-chain conditional random field over a page's text leaves, with the features "
    "of Victor (Marek, Pecina and Spousta 2007) and its five labels: header, paragraph, list, "
    "continuation, other.",
    "svm": "A support vector machine with a radial basis function over 18 features of a block "
    "(Yao and Zuo 2013).",
    "gbdt": "Gradient-boosted trees over a simplified tree of a page's blocks, in the line of "
    "Dragnet (Peters and Lecocq 2013).",
}


def classical_card(spec: ClassicalSpec, payload_bytes: int) -> str:
    """Return the card as Markdown."""
    return "\n".join(_lines(spec, payload_bytes)) + "\n"


def _lines(spec: ClassicalSpec, payload_bytes: int) -> Iterator[str]:
    training = spec.training
    yield f"# Model card: {spec.name}"
    yield ""
    yield f"{_WHAT[spec.labeler]} {payload_bytes:,} bytes of weights."
    yield ""
    yield f"- Featuriser: {spec.featurizer['kind']}, version {spec.featurizer['version']}"
    if spec.decision == "fixed":
        yield f"- Decision: every block from {spec.threshold} up; not calibrated"
    else:
        yield (
            "- Decision: each page's own threshold, the one of the largest expected word-F1, and "
            f"no block below {spec.threshold}"
        )
        yield (
            f"- Calibrated on the validation pages: temperature {spec.temperature:.2f}, bias "
            f"{spec.bias:+.2f}"
        )
    options = json.dumps(dict(spec.options)) if spec.options else "none but the defaults"
    yield f"- Recipe {training['recipe']}, seed {training['seed']}, options: {options}"
    yield ""
    yield from data_lines(training)
    yield from overlap_lines(training)
    if "validation" in training:
        yield from score_lines(training)
    yield "## Limits"
    yield ""
    yield (
        "Shipped to be read, compared and retrained. Gold standards "
        "disagree on headlines, comments and captions; the model has learned a mean of them."
    )
    yield ""
    yield from command_lines(training)
