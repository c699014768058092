"""Fitting the CRF labeler: crfsuite's L-BFGS over the leaves of pages with gold.

crfsuite is used here alone: the labeler reads the weights as safetensors.
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

from scrapy_boilernet.classical.crf import Field, groups_of
from scrapy_boilernet.classical.segments import (
    CONTINUATION,
    HEADER,
    LABELS,
    LIST,
    OTHER,
    PARAGRAPH,
    markup_labels,
    without_orphans,
)
from scrapy_boilernet.classical.victor_features import GROUPS, victor_attributes
from scrapy_boilernet.evaluation.align import common_runs
from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.page import Page
from scrapy_boilernet.training.gold import GoldBlocks, need_both_classes
from scrapy_boilernet.training.recipes import check_names, check_number

_LABEL_OF = {"h": HEADER, "p": PARAGRAPH, "l": LIST}


def gold_labels(gold: GoldBlocks) -> tuple[str, ...]:
    """Return a label per block: by the tagged gold where the set has it, else by the markup.

    Which blocks are content, not other, is the same either way: :attr:`GoldBlocks.labels`.
    """
    if gold.source.tagged_gold is None:
        return markup_labels(gold.page, gold.labels)
    return tagged_labels(gold.page, gold.labels, gold.source.tagged_gold)


def tagged_labels(
    page: Page, kept: NDArray[np.bool_], rows: Sequence[tuple[str, str]]
) -> tuple[str, ...]:
    """Return a label per block from segments of tagged gold: (``"h"``, ``"p"`` or ``"l"``, text).

    The first kept block of a segment has the segment's label, those after it continue it. A block
    is of the segment that most of its words are aligned with; without any, it goes on with the
    block before.
    """
    labels, begun = [], -1
    for keep, row in zip(kept, _rows(page, rows), strict=True):
        if not keep:
            labels.append(OTHER)
        elif row <= begun:
            labels.append(CONTINUATION)
        else:
            labels.append(_LABEL_OF[rows[row][0]])
            begun = row
    return without_orphans(labels)


def _rows(page: Page, rows: Sequence[tuple[str, str]]) -> list[int]:
    """Per block the place of the segment that most of its tokens are aligned with; -1 for none."""
    ours = [tokens(block.text) for block in page.blocks]
    theirs = [tokens(text) for _, text in rows]
    block_of = [place for place, piece in enumerate(ours) for _ in piece]
    row_of = [place for place, piece in enumerate(theirs) for _ in piece]
    votes: list[Counter[int]] = [Counter() for _ in ours]
    flat = [[token for piece in pieces for token in piece] for pieces in (ours, theirs)]
    for begin, other, length in common_runs(flat[0], flat[1]):
        for step in range(length):
            votes[block_of[begin + step]][row_of[other + step]] += 1
    return [min(vote, key=lambda row: (-vote[row], row)) if vote else -1 for vote in votes]


_ITERATION = re.compile(r"\*+ Iteration #(\d+)")
_LOSS = re.compile(r"Loss: (\S+)")
_SAY_EVERY = 20
"""Iterations between two lines of progress."""
_MOST = 2**31 - 1
"""crfsuite's largest whole number; no larger penalty means anything either."""


@dataclass(frozen=True)
class CrfOptions:
    """What a recipe may choose."""

    groups: tuple[str, ...] = GROUPS
    """Which features are read: ``"markup"`` and ``"content"`` are the paper's."""
    c1: float = 2.0
    """Of the sum of the weights' absolute values, which makes most of them 0. Of 2 and 4 the
    one that the validation pages of the training sets like better."""
    c2: float = 1.0
    """Of the sum of their squares."""
    max_iterations: int = 100
    min_frequency: int = 10
    """Attributes that are there less often with a label are left out."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> CrfOptions:
        """Return a recipe's entries; raises ``ValueError`` for what there is not or cannot be."""
        check_names("crf", options, cls.__dataclass_fields__)
        found = cls(**{**options, "groups": groups_of(options)})
        for name in ("c1", "c2"):
            check_number(name, getattr(found, name), 0, _MOST, whole=False)
        check_number("max_iterations", found.max_iterations, 1, _MOST, whole=True)
        check_number("min_frequency", found.min_frequency, 0, _MOST, whole=True)
        return found


def fit(
    train: Sequence[GoldBlocks],
    options: Mapping[str, Any],
    seed: int,  # noqa: ARG001 - nothing is drawn: the objective is convex
    say: Callable[[str], None],
) -> bytes:
    """Return the weights of a field for these pages' leaves; the same for the same pages.

    Raises ``ValueError`` for options that there are not or that leave no attribute a weight, and
    ``DatasetError`` if all blocks are of one class.
    """
    chosen = CrfOptions.of(options)
    need_both_classes(train)
    return payload_of(crfsuite_model(train, chosen, say))


def crfsuite_model(
    train: Sequence[GoldBlocks], chosen: CrfOptions, say: Callable[[str], None]
) -> bytes:
    """Return crfsuite's file of a field for these pages' leaves."""
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
    say(f"crf: {len(train)} pages, {sum(len(page.page.blocks) for page in train)} leaves")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.crfsuite"
        trainer.train(str(file))
        return file.read_bytes()


def payload_of(model: bytes) -> bytes:
    """Return what the labeler reads, of a crfsuite file of one's own; deterministic.

    crfsuite reads whatever the bytes say: a file of unknown origin may end the interpreter. Weights
    are rounded to a millionth. Raises ``ValueError`` for a model of other labels or of none that is
    "other", or in which no attribute has a weight.
    """
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    found = tagger.info()
    if strange := sorted(found.labels.keys() - set(LABELS)):
        raise ValueError(f"a model of the labels {', '.join(strange)}; must be of {LABELS}")
    names = sorted({name for name, _ in found.state_features})
    if not names:
        raise ValueError(
            "no attribute has a weight; lower the options c1 or min_frequency of the labeler crf, "
            "or train on more pages"
        )
    rows = {name: row for row, name in enumerate(names)}
    state = np.zeros((len(names), len(LABELS)), dtype=np.float32)
    for (name, label), weight in found.state_features.items():
        state[rows[name], LABELS.index(label)] = weight
    transitions = np.zeros((len(LABELS), len(LABELS)), dtype=np.float32)
    for (before, after), weight in found.transitions.items():
        transitions[LABELS.index(before), LABELS.index(after)] = weight
    known = np.array([label in found.labels for label in LABELS], dtype=np.uint8)
    field = Field(state, transitions, known, tuple(names))
    field.check()
    return field.to_bytes()


class _Trainer(pycrfsuite.BaseTrainer):  # type: ignore[misc]
    """crfsuite's trainer, which tells of its progress."""

    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__()
        self._say = say
        self._iteration = 0

    def message(self, message: str) -> None:
        """Say now and then how far it is, from what crfsuite writes of each iteration."""
        if found := _ITERATION.match(message):
            self._iteration = int(found[1])
        elif (found := _LOSS.match(message)) and self._iteration % _SAY_EVERY == 1:
            self._say(f"crf: iteration {self._iteration}, loss {float(found[1]):.0f}")
