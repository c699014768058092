"""Fine-tuning: an existing model is trained on a few pages of a site or a guideline.

All weights are trained for 20 to 320 steps, and then averaged with the original ones (Wortsman et
al. 2022, "Robust fine-tuning of zero-shot models"), which keeps the worst result from being worse
than the start. Cross-validation on the pages chooses the number of steps, and measures the gain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import torch
from numpy.typing import NDArray

from scrapy_boilernet.extractor.labelers.base import ModelError
from scrapy_boilernet.extractor.labelers.boilernet.network import BoilerNetNetwork
from scrapy_boilernet.extractor.labelers.model_folder import (
    Tensors,
    load_model,
    model_folder,
    read_json,
    weights_digest,
)
from scrapy_boilernet.extractor.labelers.spec import ModelSpec
from scrapy_boilernet.lab.evaluation.datasets import DatasetError
from scrapy_boilernet.lab.evaluation.splits import groups
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.boilernet import page_loss, pooled_predictions
from scrapy_boilernet.lab.training.calibration import (
    Calibration,
    calibrated,
    confidence_points,
    decided_f1,
)
from scrapy_boilernet.lab.training.examples import LearningPage, windows
from scrapy_boilernet.lab.training.fit import Example, run_epoch, tensors_of
from scrapy_boilernet.workers.progress import counted

LEAST_PAGES = 6
FOLDS = 5
STEPS = ((0, 20), (0, 40), (0, 80), (60, 160), (120, 320))
"""(texts, steps): numbers of steps to choose from, each allowed with more than so many texts."""
CALIBRATION_PAGES, CALIBRATION_GAIN = 12, 0.002
"""With at least so many pages, a calibration is chosen if its word-F1 is better by so much."""
TEMPERATURES, BIASES = (0.8, 1.0, 1.25), (-0.5, 0.0, 0.5)
CONFIDENCE_PAGES = 60
"""With fewer pages the confidence curve of the start does not change."""
Scores = NDArray[np.float64]
Logits = list[NDArray[np.float32]]
Table = Mapping[tuple[int, Calibration], Scores]
"""Word-F1 per page, (pages,), for each candidate: a number of steps and a calibration."""


@dataclass(frozen=True)
class FineTuning:
    """The settings of a fine-tuning.

    The defaults were chosen on 17 sites and guidelines of training sets, with six pages of each,
    from a model that had seen none of the sets.
    """

    seed: int = 0
    learning_rate: float = 3e-3
    rise_steps: int = 5
    """The learning rate rises for so many steps, then it is constant."""
    batch_windows: int = 8
    dropout: float = 0.2
    share: float = 0.5
    """The share of the new weights in the average with the original ones, in [0, 1]."""


@dataclass(frozen=True)
class Start:
    """The model that fine-tuning starts from."""

    digest: str
    """SHA-256 of its weights."""
    spec: ModelSpec
    tensors: Tensors

    @property
    def calibration(self) -> Calibration:
        """The calibration of its logits; its temperature and bias are in its last layer already."""
        return Calibration(1.0, 0.0, self.spec.threshold, self.spec.decision)


@dataclass(frozen=True)
class Choice:
    """The choice by cross-validation, and its scores on held-out pages."""

    steps: int
    calibration: Calibration
    """For the fine-tuned model's logits, on top of the calibration of the start."""
    confidence: tuple[tuple[float, float], ...]
    before: Scores
    """The word-F1 of the start on each page: (pages,)."""
    after: Scores
    """The word-F1 on each page of a model that saw neither the page nor its near-duplicates:
    (pages,). Its number of steps and calibration were also chosen on other pages."""
    texts: NDArray[np.int64]
    """A number per page, the same for near-duplicates: (pages,). Each text counts once."""
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
        """The paired 95 % bootstrap interval of the gain over the texts."""
        return bootstrap_interval(_by_text(self.after - self.before, self.texts).tolist())

    @property
    def proven(self) -> bool:
        """Whether the whole interval is above 0."""
        return self.interval[0] > 0


def open_start(model: str) -> Start:
    """Return the model to start from. ``model``: the name of a shipped model or a model folder.

    Raises ``ModelError`` if it is not a BoilerNet that reads this version's hashed featurizer.
    """
    folder = model_folder(model, "give --from")
    remedy = "give --from a model that the recipe default has made, such as default"
    labeler = read_json(folder).get("labeler", "boilernet")
    if labeler != "boilernet":
        raise ModelError(
            f"{model} is a model of the labeler {labeler}, which cannot be fine-tuned; {remedy}"
        )
    spec, tensors = load_model(folder)
    kind = spec.featurizer["kind"]
    if kind != "hashed" or spec.decision == "fixed":
        raise ModelError(
            f"{model} has the featurizer {kind} and the decision {spec.decision}; fine-tuning "
            f"needs hashed and a threshold per page: {remedy}"
        )
    return Start(weights_digest(folder), spec, tensors)


def choose(
    start: Start,
    pages: Sequence[LearningPage],
    options: FineTuning,
    report: Callable[[str], None],
    beside: Sequence[LearningPage] = (),
) -> Choice:
    """Return the number of steps and the calibration with the best word-F1 in a cross-validation.

    ``beside``: pages of other sites that make up half of each batch. The choice is deterministic
    for a seed. Raises ``DatasetError`` if there are fewer than six different texts.
    """
    texts = different_texts(pages)
    fold_of_page = fold_numbers(texts, options.seed)
    step_numbers = [steps for least, steps in STEPS if texts.max() + 1 > least]
    logits = _unseen_logits(start, pages, fold_of_page, step_numbers, options, report, beside)
    table = {
        (steps, calibration): decided_f1(pages, logits[steps], calibration)
        for steps, calibration in product(step_numbers, _calibrations(start.calibration))
    }
    after = np.zeros(len(pages))
    for fold in range(fold_of_page.max() + 1):
        chosen = _best(table, start.calibration, texts, fold_of_page != fold)
        after[fold_of_page == fold] = table[chosen][fold_of_page == fold]
    steps, calibration = _best(table, start.calibration, texts, fold_of_page >= 0)
    confidence = start.spec.confidence
    if len(pages) >= CONFIDENCE_PAGES:
        judges = start.spec.judges_comments
        confidence = confidence_points(pages, logits[steps], calibration, judges)
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
    """Return the start fine-tuned on all the pages, as chosen."""
    weights = fine_tuned(start, pages, [choice.steps], options, beside)
    spec = replace(start.spec, threshold=choice.calibration.floor, confidence=choice.confidence)
    return spec, calibrated(weights[choice.steps], choice.calibration)


def fine_tuned(
    start: Start,
    pages: Sequence[LearningPage],
    step_numbers: Sequence[int],
    options: FineTuning,
    beside: Sequence[LearningPage] = (),
) -> dict[int, Tensors]:
    """Return the averaged weights after each number of steps in ``step_numbers``."""
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
        if step in step_numbers:
            snapshots[step] = averaged(start.tensors, tensors_of(network), options.share)

    def batches() -> Iterator[list[Example]]:
        for _ in range(max(step_numbers)):
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
    """Return the fold of each page, from 0 to at most 4; pages with the same text share one.

    ``texts``: a number per page. All folds have about the same number of pages.
    """
    sizes = np.bincount(texts)
    sizes_of_folds = np.zeros(min(FOLDS, len(sizes)))
    fold_of_text = np.zeros(len(sizes), dtype=np.int64)
    drawn = np.random.default_rng(seed).permutation(len(sizes))
    for text in sorted(drawn, key=lambda text: -sizes[text]):
        fold_of_text[text] = sizes_of_folds.argmin()
        sizes_of_folds[fold_of_text[text]] += sizes[text]
    return fold_of_text[texts]


def different_texts(pages: Sequence[LearningPage]) -> NDArray[np.int64]:
    """Return a number per page, from 0 up, the same for near-duplicates.

    Raises ``DatasetError`` if there are too few different texts for a cross-validation.
    """
    numbers = groups([page.source for page in pages], domains=False)
    _, texts = np.unique(numbers, return_inverse=True)
    different = len(set(numbers))
    if different < LEAST_PAGES:
        unlike = "" if different == len(pages) else f" of {different} different texts"
        if different < len(pages) and different == 1:
            unlike = " of the same text"
        show = "that shows its gold text is" if len(pages) == 1 else "that show their gold text are"
        raise DatasetError(
            f"{counted(len(pages), 'page')}{unlike} {show} too few to learn from some and measure "
            f"on the others: at least {LEAST_PAGES} are needed; add pages with html/<id>.html and "
            "gold/<id>.txt"
        )
    return texts.astype(np.int64)


def _unseen_logits(
    start: Start,
    pages: Sequence[LearningPage],
    fold_of_page: NDArray[np.int64],
    step_numbers: Sequence[int],
    options: FineTuning,
    report: Callable[[str], None],
    beside: Sequence[LearningPage],
) -> dict[int, Logits]:
    """Return per number of steps the logits of each page by the model of the other folds."""
    logits: dict[int, dict[int, NDArray[np.float32]]] = {steps: {} for steps in step_numbers}
    folds = int(fold_of_page.max()) + 1
    for fold in range(folds):
        tested = np.flatnonzero(fold_of_page == fold).tolist()
        learned = [pages[i] for i in np.flatnonzero(fold_of_page != fold).tolist()]
        of_fold = replace(options, seed=options.seed + fold)
        for steps, tensors in fine_tuned(start, learned, step_numbers, of_fold, beside).items():
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
    """Return the candidate with the best mean word-F1 on the pages marked in ``used``.

    The number of steps is chosen first, with the start's calibration ``plain``.
    """
    means = {candidate: _mean(scores[used], texts[used]) for candidate, scores in table.items()}
    steps, _ = max((c for c in table if c[1] == plain), key=means.__getitem__)
    best = max((c for c in table if c[0] == steps), key=means.__getitem__)
    enough = len(texts) >= CALIBRATION_PAGES
    gains = means[best] > means[steps, plain] + CALIBRATION_GAIN
    return best if enough and gains else (steps, plain)


def _by_text(scores: Scores, texts: NDArray[np.int64]) -> Scores:
    """Return the mean score of each text's pages: (texts,)."""
    _, numbers = np.unique(texts, return_inverse=True)
    return np.asarray(np.bincount(numbers, scores) / np.bincount(numbers))


def _mean(scores: Scores, texts: NDArray[np.int64]) -> float:
    return float(_by_text(scores, texts).mean())
