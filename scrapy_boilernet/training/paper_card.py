"""The text of the card of a model of the paper's recipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.training.cards import command_lines, data_lines, overlap_lines

_SPLIT = (
    "The pages train, choose and test by the set's own split, which is the paper's. "
    "Near-duplicates and pages of the same domain may be in different parts."
)


def paper_card(spec: ModelSpec) -> str:
    """Return the card of a model of the paper's recipe as Markdown."""
    return "\n".join(_lines(spec)) + "\n"


def _lines(spec: ModelSpec) -> Iterator[str]:
    training, shape, featurizer = spec.training, spec.architecture, spec.featurizer
    weights = sum(map(prod, shape.shapes().values()))
    seeds = training["seeds"]
    yield f"# Model card: {spec.name}"
    yield ""
    yield (
        "BoilerNet as its paper describes it (Leonhardt, Anand and Khosla 2020), trained again, "
        f"without the authors' weights: {shape.layers} bidirectional LSTM layers of {shape.hidden} "
        f"over a page's text leaves, behind a dense layer of {shape.dense_width} that reads counts "
        f"of words and tags; {weights:,} weights. It is for comparisons; for anything else use "
        "`default`."
    )
    yield ""
    yield f"- Featurizer: {featurizer['kind']}, version {featurizer['version']}"
    yield (
        f"- Vocabulary: the {len(featurizer['words']):,} most frequent words and "
        f"{len(featurizer['tags'])} most frequent tags of the training pages, in `model.json`, the "
        "words in alphabetical order"
    )
    yield f"- Decision: every leaf from {spec.threshold} up; not calibrated"
    yield (
        f"- Seed {training['seed']}"
        + (f", the best of {seeds} on the development part" if seeds > 1 else "")
        + f"; {training['epochs']} epochs, the best on the development part was number "
        f"{training['best_epoch']}"
    )
    yield ""
    yield from data_lines(training)
    yield from overlap_lines(training, _SPLIT)
    yield from _score_lines(training)
    yield "## Limits"
    yield ""
    yield (
        "The words are from a few dozen pages in one language, so the model is worse on other "
        "languages and other kinds of pages. Its confidence is not calibrated."
    )
    yield ""
    yield from command_lines(training)


def _score_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines on the scores on pages that were not trained on."""
    yield "## Pages that were not trained on"
    yield ""
    yield (
        "Pooled over the text leaves of each part's pages. Epoch and seed were chosen on the "
        "development part, and nothing on the test part."
    )
    yield ""
    yield "| part | pages | class | precision | recall | F1 |"
    yield "|---|---|---|---|---|---|"
    for part, scores in training["leaves"].items():
        for name, score in scores.items():
            cells = " | ".join(f"{score[key]:.3f}" for key in ("precision", "recall", "f1"))
            yield f"| {part} | {training['leaf_pages'][part]} | {name} | {cells} |"
    yield ""
