"""The trainings of a cross-validation: which pages each must not see.

Grouped folds within each set, or whole sets left out: the second tells how pages from elsewhere,
under another guideline, will fare.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Container, Sequence
from dataclasses import dataclass

from scrapy_boilernet.evaluation.datasets import DatasetError, GoldPage
from scrapy_boilernet.evaluation.groups import domain, held_out
from scrapy_boilernet.evaluation.splits import (
    BROKEN_PAGES,
    TEST_ONLY,
    Part,
    assign,
    folds,
    without_leaks,
)
from scrapy_boilernet.training.sets import few_domains

VALIDATE_ONE_IN = 10


@dataclass(frozen=True)
class Run:
    """One training and the pages that it must not see."""

    name: str
    held_out: frozenset[int]
    """Numbers of the pages."""


def learnable_pages(
    pages: Sequence[GoldPage], with_test_sets: bool = False, with_test_parts: bool = False
) -> list[int]:
    """Return the numbers of the pages of the training parts.

    ``with_test_sets``: also of the sets that never train what ships, to see what they would add.
    ``with_test_parts``: all pages with gold of the other sets, for a paper's own experiment.
    """
    parts = assign(pages)

    def learns(page: GoldPage, part: Part) -> bool:
        if page.gold is None or page.id in BROKEN_PAGES:
            return False
        if page.dataset in TEST_ONLY:
            return with_test_sets and part == "test"
        return part in ("train", "validation") or with_test_parts

    return [i for i, pair in enumerate(zip(pages, parts, strict=True)) if learns(*pair)]


def chosen_runs(
    pages: Sequence[GoldPage], options: Namespace, voted: bool = False, validates: bool = True
) -> tuple[list[int], Sequence[Run], list[Run]]:
    """Return (numbers of the learnable pages, all runs, those to train now) as the command asks.

    Raises ``DatasetError`` for a run that there is not, or one without pages.
    """
    learnable = learnable_pages(pages, options.with_test_sets, options.with_test_parts)
    runs: Sequence[Run] = (
        left_out_runs(pages, learnable, [frozenset(n.split(",")) for n in options.leave_out])
        if options.leave_out
        else fold_runs(pages, learnable, options.folds)
    )
    wanted = [run for i, run in enumerate(runs) if options.only is None or i in options.only]
    if not wanted:
        raise DatasetError(f"--only: there is no such run; they are numbered 0 to {len(runs) - 1}")
    check_runs(pages, learnable, wanted, voted=voted, validates=validates)
    return learnable, runs, wanted


def fold_runs(pages: Sequence[GoldPage], learnable: Sequence[int], k: int) -> list[Run]:
    """Return k runs; each learnable page is held out of exactly one."""
    numbers = folds(pages, k)
    return [
        Run(f"fold-{fold}", frozenset(i for i in learnable if numbers[i] == fold))
        for fold in range(k)
    ]


def left_out_runs(
    pages: Sequence[GoldPage], learnable: Sequence[int], left_out: Sequence[frozenset[str]]
) -> list[Run]:
    """Return a run per group of sets; raises ``DatasetError`` for a set that is not there."""
    known = {page.dataset for page in pages}
    for names in left_out:
        for name in names - known:
            raise DatasetError(f"no set {name!r} to leave out among {', '.join(sorted(known))}")
    return [
        Run(
            f"without-{'-'.join(sorted(names))}",
            frozenset(i for i in learnable if pages[i].dataset in names),
        )
        for names in left_out
    ]


def parts_of(pages: Sequence[GoldPage], learnable: Container[int], run: Run) -> list[Part]:
    """Return the part of each page in a run: held-out pages test, what leaks to them is excluded,
    a tenth of the other domains validates.
    """
    return without_leaks(pages, _drawn_parts(pages, learnable, run))


def _drawn_parts(pages: Sequence[GoldPage], learnable: Container[int], run: Run) -> list[Part]:
    parts: list[Part] = []
    for i, page in enumerate(pages):
        if i in run.held_out:
            parts.append("test")
        elif i not in learnable:
            parts.append("excluded")
        else:
            chosen = held_out(domain(page), VALIDATE_ONE_IN, "validation:")
            parts.append("validation" if chosen else "train")
    return parts


def check_runs(
    pages: Sequence[GoldPage],
    learnable: Sequence[int],
    runs: Sequence[Run],
    *,
    voted: bool,
    validates: bool = True,
) -> None:
    """Raise ``DatasetError`` for a run with no page to train or validate on, with the remedy.

    ``voted``: whether pages without gold train, too; ``validates``: whether any must validate.
    """
    needed = ([] if voted else ["train"]) + (["validation"] if validates else [])
    usable = [pages[i] for i in learnable]
    for run in runs:
        drawn = _drawn_parts(pages, frozenset(learnable), run)
        for part in needed:
            if part not in drawn:
                raise DatasetError(
                    f"{run.name}: no page left for {part} beside the {len(run.held_out)} that are "
                    f"held out: {few_domains(usable)}"
                )
