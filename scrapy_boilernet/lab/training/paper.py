"""The paper's experiment: BoilerNet on leaf labels, as Leonhardt et al. 2020 describe it.

The input is counts of the 1,000 most frequent words and 50 most frequent tags of the training
pages, with one more column each for unknown ones. The network has a dense layer of 256, two BiLSTM
layers of 256, dropout 0.5 and a sigmoid. It is trained by class-weighted cross-entropy and Adam at
0.001, for 50 epochs, in batches of 16 pages. The model has the weights of the epoch with the best
mean F1 of both classes on the dev part.

Two options reproduce errors of the published code: unknown words overwrite each other's count, and
padding is neither masked nor left out of the loss.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.counts import PAPER_FEATURIZER, UNKNOWN, CountVocabulary
from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.model_folder import Tensors, save_model
from scrapy_boilernet.extractor.labelers.spec import Architecture, ModelSpec
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.datasets import DatasetError, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.leaves import LeafSplit, read_leaf_split
from scrapy_boilernet.lab.evaluation.metrics import Score, label_scores
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    Compared,
    by_gold,
    command_line,
    versions,
)
from scrapy_boilernet.lab.training.card_files import write_card
from scrapy_boilernet.lab.training.fit import (
    Example,
    initialize,
    predict,
    run_epoch,
    shuffled_batches,
    tensors_of,
    weighted_bce,
)
from scrapy_boilernet.lab.training.gold import dataset_record, open_all
from scrapy_boilernet.lab.training.recipes import Recipe
from scrapy_boilernet.lab.training.record import trained_overlap
from scrapy_boilernet.workers.progress import counted, say, short, use_it, written

BATCH_PAGES, LEARNING_RATE = 16, 1e-3
UNITS, LAYERS, DROPOUT = 256, 2, 0.5
THRESHOLD = 0.5
NO_SCORE = Score(0.0, 0.0, 0.0)
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
    dev: tuple[Score, Score]
    """(content, boilerplate) scores on the dev part's leaves, after the best epoch."""
    best_epoch: int

    @property
    def dev_f1(self) -> float:
        """The mean F1 of both classes on the dev part, which chooses the epoch and the seed."""
        return _mean_f1(*self.dev)


def run_paper(options: argparse.Namespace, recipe: Recipe) -> None:
    """Run the paper's experiment for each seed; write all scores, and the best model with its card.

    The best seed, like the best epoch, is the one with the best mean F1 on the dev part.
    """
    if len(options.datasets) != 1:
        raise DatasetError("the paper's recipe takes one data set with labeled leaves")
    unread = _unread(options, recipe)
    torch.set_num_threads(1)
    folder = open_dataset(Path(options.datasets[0]), options.cache)
    split = read_leaf_split(folder)
    record = _provenance(options, folder, split)
    rows, results = [], []
    for seed in range(options.seed, options.seed + options.seeds):
        settings = PaperOptions(
            seed=seed,
            epochs=options.epochs or PaperOptions.epochs,
            unknown_overwrites=options.unknown_overwrites,
            unmasked_padding=options.unmasked_padding,
            unread=unread,
        )
        start = time.monotonic()
        results.append(train_paper(split, settings, partial(say, prefix=f"seed {seed}, ")))
        rows.append(_row(settings, results[-1], time.monotonic() - start))
    best = max(results, key=lambda result: result.dev_f1)
    _write_model(options, best, record)
    pages = {part: len(getattr(split, part)) for part in ("train", "dev", "test")}
    document = {"dataset": folder.name, "pages": pages, "versions": versions(), "runs": rows}
    (options.out / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    for name in ("content", "boilerplate"):
        say(f"test {name} F1: {over_seeds([row[name]['f1'] for row in rows])}")
    quality = (
        f"F1 of content leaves {short(best.content.f1)} on {counted(pages['test'], 'test page')}"
    )
    say(written(options.out, quality, use_it(options.out)))


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
    best, best_epoch, best_tensors = (NO_SCORE, NO_SCORE), 0, tensors_of(network)
    for epoch in range(1, options.epochs + 1):
        batches = shuffled_batches(examples, BATCH_PAGES, rng)
        if options.unmasked_padding:
            batches = _padded(batches, weights[0])
        loss = run_epoch(network, optimizer, batches, weighted_bce)
        scores = _scores(network, dev, split.dev)
        report(f"epoch {epoch}: loss {loss:.4f}, dev mean F1 {_mean_f1(*scores):.4f}")
        if best_epoch == 0 or _mean_f1(*scores) > _mean_f1(*best):
            best, best_epoch, best_tensors = scores, epoch, tensors_of(network)
    network.load_state_dict({name: torch.from_numpy(t) for name, t in best_tensors.items()})
    test = [vocabulary.featurize(page) for page, _ in split.test]
    content, boilerplate = _scores(network, test, split.test)
    spec = _spec(architecture, vocabulary, options, best_epoch)
    return PaperResult(spec, best_tensors, content, boilerplate, best, best_epoch)


def alphabetical(spec: ModelSpec, tensors: Tensors) -> tuple[ModelSpec, Tensors]:
    """Return the same model with the words of its vocabulary in alphabetical order.

    In order of frequency, equally frequent words would be in the order of the pages.
    """
    words = spec.featurizer["words"]
    order = sorted(range(len(words)), key=words.__getitem__)
    slots = [UNKNOWN, *(1 + word for word in order)]
    weights = tensors["bags.counts.weight"].copy()
    weights[: len(slots)] = weights[slots]
    featurizer = {**spec.featurizer, "words": [words[word] for word in order]}
    return replace(spec, featurizer=featurizer), {**tensors, "bags.counts.weight": weights}


def class_weights(pages: LabeledPages) -> tuple[float, float]:
    """Return the weights of a boilerplate leaf and of a content leaf, so that classes weigh equal.

    Raises ``DatasetError`` if a class has no leaf.
    """
    share = float(np.concatenate([y for _, y in pages]).mean())
    if not 0 < share < 1:
        raise DatasetError("the training part has leaves of one class only; label both")
    return 0.5 / (1 - share), 0.5 / share


def over_seeds(values: Sequence[float]) -> str:
    """Return the mean as text; for several seeds with the standard deviation of the sample."""
    if len(values) == 1:
        return f"{values[0]:.3f}, one seed"
    deviation = np.std(values, ddof=1)
    return f"{np.mean(values):.3f} +- {deviation:.3f} over {len(values)} seeds"


def _unread(options: argparse.Namespace, recipe: Recipe) -> str:
    """Return the features to leave out; raise ``DatasetError`` for options of other recipes."""
    for name in ("option", "split", "sample", "without", "voted", "calibrate_on"):
        if getattr(options, name, None):
            raise DatasetError(
                f"--{name.replace('_', '-')} cannot be used with the paper's recipe; leave it out"
            )
    unknown = sorted(recipe.options.keys() - {"unread"})
    unread = str(recipe.options.get("unread", ""))
    if unknown or unread not in ("", "words", "tags"):
        raise DatasetError(
            f"recipe {recipe.name!r}: {', '.join(unknown) or f'unread = {unread!r}'}; the paper's "
            'recipe takes unread = "words" or "tags", and nothing else'
        )
    return unread


def _provenance(options: argparse.Namespace, folder: Path, split: LeafSplit) -> dict[str, Any]:
    """Return the record of command, versions, data set and close test pages, for the card."""
    open_all(options.overlap_with, options.cache)  # before an hour of training
    compared: dict[str | None, list[Compared]] = {}
    for page in read_pages(folder):
        compared.setdefault(page.split, []).append(by_gold(page))
    tested = {folder.name: compared["test"]} if "test" in compared else {}
    learned = [*compared.get("train", []), *compared.get("dev", [])]
    parts = {"train_pages": len(split.train), "validation_pages": len(split.dev)}
    return {
        "command": command_line("train"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
        "datasets": {folder.name: {**dataset_record(folder), **parts}},
        "overlap": trained_overlap(tested, options, learned, []),
        "leaf_pages": {"dev": len(split.dev), "test": len(split.test)},
    }


def _write_model(
    options: argparse.Namespace, result: PaperResult, record: Mapping[str, Any]
) -> None:
    """Write the model, with its record and its scores on the leaves, and the card."""
    scores = {
        part: {"content": asdict(content), "boilerplate": asdict(boilerplate)}
        for part, (content, boilerplate) in (
            ("dev", result.dev),
            ("test", (result.content, result.boilerplate)),
        )
    }
    training = {**result.spec.training, "seeds": options.seeds, "leaves": scores, **record}
    name = options.name or options.out.name
    spec, tensors = alphabetical(result.spec, result.tensors)
    save_model(options.out, replace(spec, name=name, training=training), tensors)
    write_card(options.out)


def _row(settings: PaperOptions, result: PaperResult, seconds: float) -> dict[str, Any]:
    """Return a run's options and scores for ``results.json``."""
    return {
        **asdict(settings),
        "best_epoch": result.best_epoch,
        "dev_f1": result.dev_f1,
        "content": asdict(result.content),
        "boilerplate": asdict(result.boilerplate),
        "seconds": round(seconds),
    }


def _mean_f1(content: Score, boilerplate: Score) -> float:
    return (content.f1 + boilerplate.f1) / 2


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
    """Yield the batches with all pages padded to the longest with empty boilerplate blocks."""
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
            **PAPER_FEATURIZER,
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
