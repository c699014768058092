"""Fine-tuning: a model goes on learning from a few pages of a site or a guideline.

All weights are trained for some ten steps, and then averaged with those of the start (Wortsman et
al. 2022, "Robust fine-tuning of zero-shot models"), which keeps the worst result from being worse
than the start. Cross-validation on the pages says how many steps, and whether there is a gain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.evaluation.datasets import DatasetError
from scrapy_boilernet.evaluation.splits import groups
from scrapy_boilernet.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.model_folder import (
    Tensors,
    load_model,
    model_folder,
    read_json,
    weights_digest,
)
from scrapy_boilernet.labelers.network import BoilerNetNetwork
from scrapy_boilernet.labelers.spec import ModelSpec
from scrapy_boilernet.training.boilernet import page_loss, pooled_predictions
from scrapy_boilernet.training.calibration import (
    Calibration,
    calibrated,
    confidence_points,
    decided_f1,
)
from scrapy_boilernet.training.examples import LearningPage, windows
from scrapy_boilernet.training.fit import Example, run_epoch, tensors_of

LEAST_PAGES = 6
FOLDS = 5
STEPS = ((0, 20), (0, 40), (0, 80), (60, 160), (120, 320))
"""(pages, steps): numbers of steps to choose from, each for folders of more than so many pages."""
CALIBRATION_PAGES, CALIBRATION_GAIN = 12, 0.002
"""Another calibration is tried with so many pages, and taken if it gains more than so much."""
TEMPERATURES, BIASES = (0.8, 1.0, 1.25), (-0.5, 0.0, 0.5)
CONFIDENCE_PAGES = 60
"""With fewer pages the start's confidence curve is kept."""
Scores = NDArray[np.float64]
Logits = list[NDArray[np.float32]]
Table = Mapping[tuple[int, Calibration], Scores]
"""Word-F1 per page of each candidate, a number of steps and a calibration: (pages,)."""


@dataclass(frozen=True)
class FineTuning:
    """What a fine-tuning is made with, but for the start, the pages and the number of steps.

    Chosen on 17 sites and guidelines of training sets, with six pages of each, from a model that
    had seen none of the sets.
    """

    seed: int = 0
    learning_rate: float = 3e-3
    rise_steps: int = 5
    """The learning rate rises for so many steps, then it stays."""
    batch_windows: int = 8
    dropout: float = 0.2
    share: float = 0.5
    """Of the new weights in the average with those of the start, in [0, 1]."""


@dataclass(frozen=True)
class Start:
    """The model that learning starts from."""

    digest: str
    """SHA-256 of its weights."""
    spec: ModelSpec
    tensors: Tensors

    @property
    def calibration(self) -> Calibration:
        """What decides on its logits; its own calibration is in its last layer already."""
        return Calibration(1.0, 0.0, self.spec.threshold)


@dataclass(frozen=True)
class Choice:
    """What cross-validation chose, and what it gains on pages that did not train."""

    steps: int
    calibration: Calibration
    """Of the fine-tuned model's logits, on top of the start's."""
    confidence: tuple[tuple[float, float], ...]
    before: Scores
    """Word-F1 per page of the start: (pages,)."""
    after: Scores
    """Word-F1 per page of a model that saw neither the page, nor its near-duplicates; how long it
    trained was chosen on other pages, too: (pages,)."""
    texts: NDArray[np.int64]
    """A number per page, which near-duplicates share: (pages,). Each text counts once."""
    folds: int

    @property
    def means(self) -> tuple[float, float]:
        """Mean word-F1 before and after."""
        return _mean(self.before, self.texts), _mean(self.after, self.texts)

    @property
    def gain(self) -> float:
        """Mean gain in word-F1."""
        before, after = self.means
        return after - before

    @property
    def interval(self) -> tuple[float, float]:
        """95 % bootstrap interval of the gain over the texts, paired."""
        return bootstrap_interval(_by_text(self.after - self.before, self.texts).tolist())

    @property
    def proven(self) -> bool:
        """Whether the whole interval is a gain."""
        return self.interval[0] > 0


def open_start(model: str) -> Start:
    """Return the model to start from: a shipped model's name or a model folder.

    Raises ``ModelError`` if it is not a BoilerNet that reads this version's hashed featurizer.
    """
    folder = model_folder(model)
    remedy = "give --from a model that the recipe default has made, such as default"
    labeler = read_json(folder).get("labeler", "boilernet")
    if labeler != "boilernet":
        raise ModelError(f"{model} is of the labeler {labeler}, which cannot go on; {remedy}")
    spec, tensors = load_model(folder)
    kind = spec.featurizer["kind"]
    if kind != "hashed" or spec.decision != "expected-f":
        raise ModelError(
            f"{model} reads the featurizer {kind} and decides by {spec.decision}; going on needs "
            f"hashed and expected-f: {remedy}"
        )
    return Start(weights_digest(folder), spec, tensors)


def choose(
    start: Start,
    pages: Sequence[LearningPage],
    options: FineTuning,
    report: Callable[[str], None],
    beside: Sequence[LearningPage] = (),
) -> Choice:
    """Return the number of steps and the calibration of best word-F1 in a cross-validation.

    ``beside``: pages of other sites that are mixed into each batch, half and half. Deterministic
    for a seed. Raises ``DatasetError`` if there are fewer than six different texts.
    """
    texts = _texts(pages)
    fold_of_page = fold_numbers(texts, options.seed)
    marks = [steps for least, steps in STEPS if texts.max() + 1 > least]
    logits = _unseen_logits(start, pages, fold_of_page, marks, options, report, beside)
    table = {
        (steps, calibration): decided_f1(pages, logits[steps], calibration)
        for steps, calibration in product(marks, _calibrations(start.calibration))
    }
    after = np.zeros(len(pages))
    for fold in range(fold_of_page.max() + 1):
        chosen = _best(table, start.calibration, texts, fold_of_page != fold)
        after[fold_of_page == fold] = table[chosen][fold_of_page == fold]
    steps, calibration = _best(table, start.calibration, texts, fold_of_page >= 0)
    confidence = start.spec.confidence
    if len(pages) >= CONFIDENCE_PAGES:
        confidence = confidence_points(pages, logits[steps], calibration)
    at_start = pooled_predictions(loaded(start, start.tensors), pages, start.spec.template_share)
    before = decided_f1(pages, at_start, start.calibration)
    folds = int(fold_of_page.max()) + 1
    return Choice(steps, calibration, confidence, before, after, texts, folds)


def taught(
    start: Start,
    pages: Sequence[LearningPage],
    choice: Choice,
    options: FineTuning,
    beside: Sequence[LearningPage] = (),
) -> tuple[ModelSpec, Tensors]:
    """Return the start's model after learning from all the pages, as was chosen."""
    weights = fine_tuned(start, pages, [choice.steps], options, beside)
    spec = replace(start.spec, threshold=choice.calibration.floor, confidence=choice.confidence)
    return spec, calibrated(weights[choice.steps], choice.calibration)


def fine_tuned(
    start: Start,
    pages: Sequence[LearningPage],
    marks: Sequence[int],
    options: FineTuning,
    beside: Sequence[LearningPage] = (),
) -> dict[int, Tensors]:
    """Return the averaged weights after each number of steps in ``marks``."""
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    network = loaded(start, start.tensors, options.dropout)
    optimizer = torch.optim.AdamW(network.parameters(), options.learning_rate, weight_decay=0.0)
    step = 0
    snapshots: dict[int, Tensors] = {}

    def before_step() -> None:
        share = min(1.0, (step + 1) / options.rise_steps)
        for group in optimizer.param_groups:
            group["lr"] = options.learning_rate * share

    def after_step() -> None:
        nonlocal step
        step += 1
        if step in marks:
            snapshots[step] = averaged(start.tensors, tensors_of(network), options.share)

    def batches() -> Iterator[list[Example]]:
        for _ in range(max(marks)):
            batch = drawn_windows(pages, options.batch_windows, rng)
            yield batch + drawn_windows(beside, options.batch_windows, rng)

    run_epoch(network, optimizer, batches(), page_loss, before_step, after_step)
    return snapshots


def loaded(start: Start, tensors: Tensors, dropout: float = 0.0) -> BoilerNetNetwork:
    """Return a new network of the start's shape with these weights."""
    network = BoilerNetNetwork(start.spec.architecture, dropout)
    network.load_state_dict({name: torch.from_numpy(tensor) for name, tensor in tensors.items()})
    return network


def averaged(old: Tensors, new: Tensors, share: float) -> Tensors:
    """Return the average of two networks' weights, ``share`` of it the new ones."""
    return {name: (1 - share) * old[name] + share * new[name] for name in old}


def drawn_windows(
    pages: Sequence[LearningPage], most: int, rng: np.random.Generator
) -> list[Example]:
    """Return a random window of each of at most ``most`` pages, drawn at random."""
    drawn = []
    for i in rng.permutation(len(pages))[:most]:
        of_page = list(windows(pages[i].example, rng))
        drawn.append(of_page[int(rng.integers(len(of_page)))])
    return drawn


def fold_numbers(texts: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return the fold of each page, 0 to at most 4; pages of one text share one.

    ``texts``: a number per page. The folds have about equally many pages.
    """
    sizes = np.bincount(texts)
    sizes_of_folds = np.zeros(min(FOLDS, len(sizes)))
    fold_of_text = np.zeros(len(sizes), dtype=np.int64)
    drawn = np.random.default_rng(seed).permutation(len(sizes))
    for text in sorted(drawn, key=lambda text: -sizes[text]):
        fold_of_text[text] = sizes_of_folds.argmin()
        sizes_of_folds[fold_of_text[text]] += sizes[text]
    return fold_of_text[texts]


def _texts(pages: Sequence[LearningPage]) -> NDArray[np.int64]:
    """Return a number per page, 0 and up, which near-duplicates share.

    Raises ``DatasetError`` if there are too few to learn from some and measure on others.
    """
    numbers = groups([page.source for page in pages], domains=False)
    _, texts = np.unique(numbers, return_inverse=True)
    different = len(set(numbers))
    if different < LEAST_PAGES:
        unlike = f" of {different} different texts" if different < len(pages) else ""
        raise DatasetError(
            f"{len(pages)} pages{unlike} with gold text that they show are too few to learn from "
            f"some and measure on the others: {LEAST_PAGES} is the least; add pages with "
            "html/<id>.html and gold/<id>.txt"
        )
    return texts.astype(np.int64)


def _unseen_logits(
    start: Start,
    pages: Sequence[LearningPage],
    fold_of_page: NDArray[np.int64],
    marks: Sequence[int],
    options: FineTuning,
    report: Callable[[str], None],
    beside: Sequence[LearningPage],
) -> dict[int, Logits]:
    """Return per number of steps the logits of each page by the model of the other folds."""
    logits: dict[int, dict[int, NDArray[np.float32]]] = {steps: {} for steps in marks}
    folds = int(fold_of_page.max()) + 1
    for fold in range(folds):
        tested = np.flatnonzero(fold_of_page == fold).tolist()
        learned = [pages[i] for i in np.flatnonzero(fold_of_page != fold).tolist()]
        of_fold = replace(options, seed=options.seed + fold)
        for steps, tensors in fine_tuned(start, learned, marks, of_fold, beside).items():
            of_pages = pooled_predictions(
                loaded(start, tensors), [pages[i] for i in tested], start.spec.template_share
            )
            logits[steps].update(zip(tested, of_pages, strict=True))
        report(f"fold {fold + 1} of {folds}: {len(learned)} pages train, {len(tested)} test")
    return {steps: [of_page[i] for i in range(len(pages))] for steps, of_page in logits.items()}


def _calibrations(start: Calibration) -> Iterator[Calibration]:
    for temperature, bias in product(TEMPERATURES, BIASES):
        yield replace(start, temperature=temperature, bias=bias)


def _best(
    table: Table, plain: Calibration, texts: NDArray[np.int64], used: NDArray[np.bool_]
) -> tuple[int, Calibration]:
    """Return the candidate of best mean word-F1 on the pages marked in ``used``.

    First the number of steps with the start's calibration ``plain``, then a calibration.
    """
    worth = {which: _mean(scores[used], texts[used]) for which, scores in table.items()}
    steps, _ = max((which for which in table if which[1] == plain), key=worth.__getitem__)
    best = max((which for which in table if which[0] == steps), key=worth.__getitem__)
    enough = len(texts) >= CALIBRATION_PAGES
    gains = worth[best] > worth[steps, plain] + CALIBRATION_GAIN
    return best if enough and gains else (steps, plain)


def _by_text(scores: Scores, texts: NDArray[np.int64]) -> Scores:
    """Return the mean score of each text's pages: (texts,)."""
    _, numbers = np.unique(texts, return_inverse=True)
    return np.asarray(np.bincount(numbers, scores) / np.bincount(numbers))


def _mean(scores: Scores, texts: NDArray[np.int64]) -> float:
    return float(_by_text(scores, texts).mean())
