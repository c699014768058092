"""Fitting the CRF labeler: crfsuite's L-BFGS over the leaves of pages with gold."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pycrfsuite

from scrapy_boilernet.classical.victor_features import GROUPS, check_groups, victor_attributes
from scrapy_boilernet.training.crf_gold import gold_labels
from scrapy_boilernet.training.gold_blocks import GoldBlocks, need_both_classes

_ITERATION = re.compile(r"\*+ Iteration #(\d+)")
_LOSS = re.compile(r"Loss: (\S+)")
_SAY_EVERY = 20
"""Iterations between two lines of progress."""


@dataclass(frozen=True)
class CrfOptions:
    """What a recipe may choose."""

    groups: tuple[str, ...] = GROUPS
    """Which features are read: ``"markup"`` and ``"content"`` are the paper's."""
    c1: float = 4.0
    """Of the sum of the weights' absolute values, which makes most of them 0. Of 1, 2 and 4 the
    last was best on the validation pages of six sets, by less than their noise."""
    c2: float = 1.0
    """Of the sum of their squares."""
    max_iterations: int = 100
    min_frequency: int = 10
    """Attributes that are there less often with a label are left out."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> CrfOptions:
        """Return a recipe's entries; raises ``ValueError`` for what there is not or cannot be."""
        if unknown := sorted(options.keys() - cls.__dataclass_fields__.keys()):
            raise ValueError(
                f"options of the labeler crf: {', '.join(unknown)}; there are "
                f"{', '.join(cls.__dataclass_fields__)}"
            )
        found = cls(**{**options, "groups": check_groups(options.get("groups", GROUPS))})
        if found.c1 < 0 or found.c2 < 0 or found.max_iterations < 1 or found.min_frequency < 0:
            raise ValueError(
                "options c1, c2 and min_frequency of the labeler crf must not be below 0, "
                "max_iterations not below 1"
            )
        return found


def fit(
    train: Sequence[GoldBlocks],
    options: Mapping[str, Any],
    seed: int,  # noqa: ARG001 - nothing is drawn: the objective is convex
    say: Callable[[str], None],
) -> bytes:
    """Return the bytes of a crfsuite model of these pages' leaves; the same for the same pages.

    Raises ``ValueError`` for options that there are not, and ``DatasetError`` if all blocks are of
    one class.
    """
    chosen = CrfOptions.of(options)
    need_both_classes(train)
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
