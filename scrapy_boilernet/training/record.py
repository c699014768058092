"""What a model's record says beside its sets: who voted, the commands before, what tests are close.

The record is ``training`` in ``model.json``; :mod:`scrapy_boilernet.training.cards` shows it.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.evaluation.datasets import GoldPage
from scrapy_boilernet.evaluation.provenance import Compared, by_gold, overlap_record, overlap_with
from scrapy_boilernet.evaluation.splits import Part
from scrapy_boilernet.evaluation.votes import read_vote_records
from scrapy_boilernet.training.folds import folder_steps
from scrapy_boilernet.training.gold import Sourced, dataset_record

TRAINED, PARTS = "those that trained", "the training parts"
"""Which pages an overlap was counted against: exactly those, or all that the split lets train."""


def voted_record(folder: Path, pages: Sequence[Sourced], votes: Path) -> dict[str, Any]:
    """Return the record of a set that trained by votes, with what ``votes.json`` says of it."""
    found = dataset_record(folder, voted=pages)
    known = read_vote_records(votes).get(folder.name, {})
    about = {
        name: known[name] for name in ("command", "versions", "voters", "rule") if name in known
    }
    return {**found, "votes": {"folder": votes.resolve().name, **about}}


def steps_before(
    voted: Mapping[str, Mapping[str, Any]], folders: Iterable[Path]
) -> list[dict[str, Any]]:
    """Return the commands that come before ``train``, in their order, with their versions.

    ``voted``: records of sets that trained by votes; ``folders``: those of cross-validated models.
    One that is not known is None.
    """
    steps: list[dict[str, Any]] = []
    for found in voted.values():
        about = found["votes"]
        step = {
            "makes": about["folder"],
            "command": about.get("command"),
            "versions": about.get("versions"),
        }
        if step not in steps:
            steps.append(step)
    for folder in folders:
        steps += folder_steps(folder)
    return steps


def tested_pages(pages: Sequence[GoldPage], parts: Sequence[Part]) -> dict[str, list[Compared]]:
    """Return the test parts of the sets that ``pages`` are of, per data set that has one."""
    found: dict[str, list[Compared]] = {}
    for page, part in zip(pages, parts, strict=True):
        if part == "test":
            found.setdefault(page.dataset, []).append(by_gold(page))
    return found


def trained_overlap(
    tested: Mapping[str, list[Compared]],
    options: Namespace,
    gold: Sequence[Compared],
    voted: Sequence[Compared],
    against: str = TRAINED,
) -> dict[str, Any]:
    """Return what the record says of test pages that are close to pages that were learned from.

    ``tested``: of the training sets; ``options``: with ``overlap_with`` and ``cache``.
    """
    tests = overlap_with(options.overlap_with, options.cache, tested)
    return {"against": against, **overlap_record(tests, gold, voted)}
