"""Training of the CRF labeler, with crfsuite's L-BFGS on the leaves of pages with gold.

Only this module imports crfsuite; the labeler reads the weights as safetensors.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.labelers.crf.labeler import Field, groups_of
from scrapy_boilernet.extractor.labelers.crf.segments import (
    CONTINUATION,
    LABELS,
    OTHER,
    TAG_OF,
    markup_labels,
    without_orphans,
)
from scrapy_boilernet.extractor.labelers.crf.victor_features import GROUPS, victor_attributes
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import common_runs
from scrapy_boilernet.lab.training.gold import GoldBlocks, need_both_classes
from scrapy_boilernet.lab.training.recipes import check_names, check_number
from scrapy_boilernet.workers.progress import counted

_LABEL_OF = {tag: label for label, tag in TAG_OF.items()}
_ITERATION = re.compile(r"\*+ Iteration #(\d+)")
_LOSS = re.compile(r"Loss: (\S+)")
_SAY_EVERY = 20
"""Iterations between two lines of progress."""
_MOST = 2**31 - 1
"""The largest whole number of crfsuite, and the largest penalty."""


@dataclass(frozen=True)
class CrfOptions:
    """The options of a recipe."""

    groups: tuple[str, ...] = GROUPS
    """Groups of features to use: ``"markup"`` and ``"content"`` are the paper's."""
    c1: float = 2.0
    """Penalty on the sum of the weights' absolute values, which makes most of them 0. On the
    validation pages of the training sets 2 is better than 4."""
    c2: float = 1.0
    """Penalty on the sum of the weights' squares."""
    max_iterations: int = 100
    min_frequency: int = 10
    """Pairs of an attribute and a label that occur less often are left out."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> CrfOptions:
        """Return a recipe's options. Raises ``ValueError`` for an unknown name or a bad value."""
        check_names("crf", options, cls.__dataclass_fields__)
        chosen = cls(**{**options, "groups": groups_of(options)})
        for name in ("c1", "c2"):
            check_number(name, getattr(chosen, name), 0, _MOST, whole=False)
        check_number("max_iterations", chosen.max_iterations, 1, _MOST, whole=True)
        check_number("min_frequency", chosen.min_frequency, 0, _MOST, whole=True)
        return chosen


def fit(
    train: Sequence[GoldBlocks],
    options: Mapping[str, Any],
    seed: int,  # noqa: ARG001 - nothing is drawn: the objective is convex
    say: Callable[[str], None],
) -> bytes:
    """Return the weights that the labeler reads; deterministic.

    Raises ``ValueError`` for wrong options or if no attribute gets a weight, and ``DatasetError``
    if all blocks are of one class.
    """
    chosen = CrfOptions.of(options)
    need_both_classes(train)
    return payload_of(crfsuite_model(train, chosen, say))


def crfsuite_model(
    train: Sequence[GoldBlocks], chosen: CrfOptions, say: Callable[[str], None]
) -> bytes:
    """Return crfsuite's model file, trained on these pages' leaves."""
    trainer = _Trainer(say)
    trainer.select("lbfgs")
    trainer.set_params(
        {
            "c1": chosen.c1,
            "c2": chosen.c2,
            "max_iterations": chosen.max_iterations,
            "feature.minfreq": chosen.min_frequency,
        }
    )
    for page in train:
        trainer.append(victor_attributes(page.page, chosen.groups), gold_labels(page))
    leaves = sum(len(page.page.blocks) for page in train)
    say(f"crf: {counted(len(train), 'page')}, {leaves:,} leaves")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.crfsuite"
        trainer.train(str(file))
        return file.read_bytes()


def gold_labels(gold: GoldBlocks) -> tuple[str, ...]:
    """Return a label per block, from the tagged gold if the page has it, else from the markup.

    Both label the same blocks as content (not "other"): the blocks of :attr:`GoldBlocks.labels`.
    """
    if gold.source.tagged_gold is None:
        return markup_labels(gold.page, gold.labels)
    return tagged_labels(gold.page, gold.labels, gold.source.tagged_gold)


def tagged_labels(
    page: Page, kept: NDArray[np.bool_], rows: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return a label per block from segments of tagged gold: (``"h"``, ``"p"`` or ``"l"``, text).

    A block belongs to the segment with most of its aligned words. A block without aligned words
    continues the block before it. The first kept block of a segment gets the segment's label, and
    the next ones are continuations.
    """
    labels, current = [], -1
    for keep, row in zip(kept, _rows(page, rows), strict=True):
        if not keep:
            labels.append(OTHER)
        elif row <= current:
            labels.append(CONTINUATION)
        else:
            labels.append(_LABEL_OF[rows[row][0]])
            current = row
    return without_orphans(labels)


def payload_of(model: bytes) -> bytes:
    """Return the weights that the labeler reads, from a crfsuite model file; deterministic.

    crfsuite does not check its input: give only files that were trained here, since others may
    crash the interpreter. Weights are rounded to a millionth. Raises ``ValueError`` for a model
    with other labels, without the label "other", or in which no attribute has a weight.
    """
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    info = tagger.info()
    if strange := sorted(info.labels.keys() - set(LABELS)):
        raise ValueError(f"a model with the labels {', '.join(strange)}; must be of {LABELS}")
    names = sorted({name for name, _ in info.state_features})
    if not names:
        raise ValueError(
            "no attribute has a weight; lower the options c1 or min_frequency of the labeler crf, "
            "or train on more pages"
        )
    rows = {name: row for row, name in enumerate(names)}
    state = np.zeros((len(names), len(LABELS)), dtype=np.float32)
    for (name, label), weight in info.state_features.items():
        state[rows[name], LABELS.index(label)] = weight
    transitions = np.zeros((len(LABELS), len(LABELS)), dtype=np.float32)
    for (before, after), weight in info.transitions.items():
        transitions[LABELS.index(before), LABELS.index(after)] = weight
    known = np.array([label in info.labels for label in LABELS], dtype=np.uint8)
    field = Field(state, transitions, known, tuple(names))
    field.check()
    return field.to_bytes()


def _rows(page: Page, rows: Sequence[tuple[str, str]]) -> list[int]:
    """Return per block the index of the segment with most of its aligned tokens, or -1."""
    block_tokens = [tokens(block.text) for block in page.blocks]
    segment_tokens = [tokens(text) for _, text in rows]
    block_of = [place for place, piece in enumerate(block_tokens) for _ in piece]
    row_of = [place for place, piece in enumerate(segment_tokens) for _ in piece]
    votes: list[Counter[int]] = [Counter() for _ in block_tokens]
    flat = [
        [token for piece in pieces for token in piece] for pieces in (block_tokens, segment_tokens)
    ]
    for block_begin, row_begin, length in common_runs(flat[0], flat[1]):
        for step in range(length):
            votes[block_of[block_begin + step]][row_of[row_begin + step]] += 1
    return [min(vote, key=lambda row: (-vote[row], row)) if vote else -1 for vote in votes]


class _Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
    """crfsuite's trainer with messages on its progress."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._iteration = 0

    def message(self, message: str) -> None:
        """Report every 20th iteration and its loss, from crfsuite's own messages."""
        if match := _ITERATION.match(message):
            self._iteration = int(match[1])
        elif (match := _LOSS.match(message)) and self._iteration % _SAY_EVERY == 1:
            self._say(f"crf: iteration {self._iteration}, loss {float(match[1]):.0f}")
