"""The paper's experiment: BoilerNet on leaf labels, as Leonhardt et al. 2020 describe it.

Top 1,000 words and top 50 tags of the training pages with an unknown slot each, counts, dense
256, two BiLSTM layers of 256, dropout 0.5, sigmoid, class-weighted cross-entropy, Adam at 0.001,
50 epochs, batches of 16 pages, the epoch with the best mean F1 of both classes on the dev part.

Options reproduce two faults of the published code: unknown words overwrite each other's count, and
padding is neither masked nor left out of the loss.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.datasets import DatasetError, open_dataset
from scrapy_boilernet.evaluation.leaves import LeafSplit, read_leaf_split
from scrapy_boilernet.evaluation.metrics import Score, label_scores
from scrapy_boilernet.evaluation.provenance import versions
from scrapy_boilernet.features.counts import PAPER_FEATURIZER_VERSION, CountVocabulary
from scrapy_boilernet.features.hashed import Bag, Features
from scrapy_boilernet.labelers.model_folder import Tensors, save_model
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.labelers.spec import Architecture, ModelSpec
from scrapy_boilernet.page import Page
from scrapy_boilernet.progress import say
from scrapy_boilernet.training.fit import (
    Example,
    initialize,
    predict,
    run_epoch,
    shuffled_batches,
    tensors_of,
    weighted_bce,
)
from scrapy_boilernet.training.recipes import Recipe

BATCH_PAGES, LEARNING_RATE = 16, 1e-3
UNITS, LAYERS, DROPOUT = 256, 2, 0.5
THRESHOLD = 0.5
LabeledPages = Sequence[tuple[Page, NDArray[np.float32]]]


@dataclass(frozen=True)
class PaperOptions:
    """The options of one run."""

    seed: int = 0
    epochs: int = 50
    unknown_overwrites: bool = False
    unmasked_padding: bool = False
    unread: str = ""
    """The features to leave out: ``"words"``, ``"tags"``, or "" for none."""


@dataclass(frozen=True)
class PaperResult:
    """The trained model and its scores on the test part's leaves."""

    spec: ModelSpec
    tensors: Tensors
    content: Score
    boilerplate: Score
    best_epoch: int


def run_paper(options: argparse.Namespace, recipe: Recipe) -> None:
    """Run the paper's experiment per seed; write the first seed's model and all scores."""
    if len(options.datasets) != 1:
        raise DatasetError("the paper's recipe takes one data set with labeled leaves")
    unread = _unread(options, recipe)
    torch.set_num_threads(1)
    folder = open_dataset(Path(options.datasets[0]), options.cache)
    split = read_leaf_split(folder)
    rows = []
    for seed in range(options.seed, options.seed + options.seeds):
        settings = PaperOptions(
            seed=seed,
            epochs=options.epochs or PaperOptions.epochs,
            unknown_overwrites=options.unknown_overwrites,
            unmasked_padding=options.unmasked_padding,
            unread=unread,
        )
        start = time.monotonic()
        result = train_paper(split, settings, partial(say, prefix=f"seed {seed}, "))
        rows.append(
            {
                **asdict(settings),
                "best_epoch": result.best_epoch,
                "content": asdict(result.content),
                "boilerplate": asdict(result.boilerplate),
                "seconds": round(time.monotonic() - start),
            }
        )
        if seed == options.seed:
            spec = replace(result.spec, name=options.name or options.out.name)
            save_model(options.out, spec, result.tensors)
    pages = {part: len(getattr(split, part)) for part in ("train", "dev", "test")}
    document = {"dataset": folder.name, "pages": pages, "versions": versions(), "runs": rows}
    (options.out / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    for name in ("content", "boilerplate"):
        say(f"test {name} F1: {over_seeds([row[name]['f1'] for row in rows])}")


def train_paper(
    split: LeafSplit, options: PaperOptions, report: Callable[[str], None]
) -> PaperResult:
    """Train on the split's training part; return the model of the best dev epoch, with scores."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    vocabulary = CountVocabulary.of(
        (page for page, _ in split.train),
        unknown_overwrites=options.unknown_overwrites,
        unread=options.unread,
    )
    architecture = Architecture({"counts": (vocabulary.size, UNITS)}, "sum", 0, 0, UNITS, LAYERS)
    network = BoilerNetNetwork(architecture, dropout=DROPOUT)
    initialize(network)
    optimizer = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE, eps=1e-7)
    weights = class_weights(split.train)
    examples = _examples(split.train, vocabulary, weights)
    dev = [vocabulary.featurize(page) for page, _ in split.dev]
    best, best_epoch, best_tensors = -1.0, 0, tensors_of(network)
    for epoch in range(1, options.epochs + 1):
        batches = shuffled_batches(examples, BATCH_PAGES, rng)
        if options.unmasked_padding:
            batches = _padded(batches, weights[0])
        loss = run_epoch(network, optimizer, batches, weighted_bce)
        content, boilerplate = _scores(network, dev, split.dev)
        mean_f1 = (content.f1 + boilerplate.f1) / 2
        report(f"epoch {epoch}: loss {loss:.4f}, dev mean F1 {mean_f1:.4f}")
        if mean_f1 > best:
            best, best_epoch, best_tensors = mean_f1, epoch, tensors_of(network)
    network.load_state_dict({name: torch.from_numpy(t) for name, t in best_tensors.items()})
    test = [vocabulary.featurize(page) for page, _ in split.test]
    content, boilerplate = _scores(network, test, split.test)
    spec = _spec(architecture, vocabulary, options, best_epoch)
    return PaperResult(spec, best_tensors, content, boilerplate, best_epoch)


def class_weights(pages: LabeledPages) -> tuple[float, float]:
    """Return (weight of a boilerplate leaf, of a content leaf); both classes then weigh the same.

    Raises ``DatasetError`` if a class has no leaf.
    """
    share = float(np.concatenate([y for _, y in pages]).mean())
    if not 0 < share < 1:
        raise DatasetError("the training part has leaves of one class only; label both")
    return 0.5 / (1 - share), 0.5 / share


def over_seeds(values: Sequence[float]) -> str:
    """Return the mean as text; for several seeds with the sample's standard deviation."""
    if len(values) == 1:
        return f"{values[0]:.3f}, one seed"
    deviation = np.std(values, ddof=1)
    return f"{np.mean(values):.3f} +- {deviation:.3f} over {len(values)} seeds"


def _unread(options: argparse.Namespace, recipe: Recipe) -> str:
    """Return the features to leave out; raise ``DatasetError`` for options of other recipes."""
    for name in ("option", "split", "sample", "without", "voted", "calibrate_on", "overlap_with"):
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} is not for the paper's recipe; leave it out"
            )
    unknown = sorted(recipe.options.keys() - {"unread"})
    unread = str(recipe.options.get("unread", ""))
    if unknown or unread not in ("", "words", "tags"):
        raise DatasetError(
            f"recipe {recipe.name!r}: {', '.join(unknown) or f'unread = {unread!r}'}; the paper's "
            'recipe takes unread = "words" or "tags", and nothing else'
        )
    return unread


def _examples(
    pages: LabeledPages, vocabulary: CountVocabulary, weights: tuple[float, float]
) -> list[Example]:
    boilerplate, content = weights
    return [
        Example(
            vocabulary.featurize(page),
            y,
            np.where(y > 0.5, content, boilerplate).astype(np.float32),
        )
        for page, y in pages
    ]


def _padded(batches: Iterator[list[Example]], weight: float) -> Iterator[list[Example]]:
    """Yield the batches with all pages padded to the longest by empty boilerplate blocks."""
    for batch in batches:
        longest = max(len(example.targets) for example in batch)
        yield [_pad(example, longest, weight) for example in batch]


def _pad(example: Example, length: int, weight: float) -> Example:
    missing = length - len(example.targets)
    bag = example.features.bags["counts"]
    offsets = np.concatenate([bag.offsets, np.full(missing, bag.offsets[-1])])
    features = Features(np.zeros((length, 0), dtype=np.float32), {"counts": Bag(bag.ids, offsets)})
    return Example(
        features,
        np.pad(example.targets, (0, missing)),
        np.pad(example.weights, (0, missing), constant_values=weight),
    )


def _scores(
    network: BoilerNetNetwork, features: Sequence[Features], pages: LabeledPages
) -> tuple[Score, Score]:
    """Return the (content, boilerplate) scores, pooled over all leaves."""
    labels = np.concatenate(predict(network, features)) > THRESHOLD
    gold = np.concatenate([y for _, y in pages]) > 0.5
    return label_scores(labels, gold)


def _spec(
    architecture: Architecture, vocabulary: CountVocabulary, options: PaperOptions, epoch: int
) -> ModelSpec:
    return ModelSpec(
        name="paper",
        architecture=architecture,
        featurizer={
            "kind": "counts",
            "version": PAPER_FEATURIZER_VERSION,
            "words": list(vocabulary.words),
            "tags": list(vocabulary.tags),
            "unknown_overwrites": vocabulary.unknown_overwrites,
            "unread": vocabulary.unread,
        },
        units="leaf",
        threshold=THRESHOLD,
        training={
            "recipe": "paper",
            "seed": options.seed,
            "epochs": options.epochs,
            "best_epoch": epoch,
            "unmasked_padding": options.unmasked_padding,
        },
    )
