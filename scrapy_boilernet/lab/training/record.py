"""Parts of a model's record: voters, earlier commands, and test pages close to training pages.

The record is ``training`` in ``model.json``; :mod:`scrapy_boilernet.lab.training.cards` prints it.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.provenance import (
    Compared,
    by_gold,
    overlap_record,
    overlap_with,
)
from scrapy_boilernet.lab.evaluation.splits import Part
from scrapy_boilernet.lab.evaluation.votes import read_vote_records
from scrapy_boilernet.lab.training.folds import folder_steps
from scrapy_boilernet.lab.training.gold import Sourced, dataset_record

TRAINED, PARTS = "those that trained", "the training parts"
"""The pages that test pages are compared with: those that trained, or all that could train."""


def voted_record(
    folder: Path, pages: Sequence[Sourced], votes: Path, beside_gold: int
) -> dict[str, Any]:
    """Return the record of a set that trained by votes, with the facts from ``votes.json``.

    ``beside_gold``: number of pages with votes that did not train, since a set with gold has them.
    """
    record = dataset_record(folder, voted=pages)
    voting = read_vote_records(votes).get(folder.name, {})
    facts = {
        name: voting[name] for name in ("command", "versions", "voters", "rule") if name in voting
    }
    votes_record = {"folder": votes.resolve().name, **facts}
    return {**record, "beside_gold": beside_gold, "votes": votes_record}


def steps_before(
    voted: Mapping[str, Mapping[str, Any]], folders: Iterable[Path]
) -> list[dict[str, Any]]:
    """Return the commands before ``train``, in order, with their versions.

    ``voted``: records of sets that trained by votes; ``folders``: folders of cross-validated
    models. An unknown command is None.
    """
    steps: list[dict[str, Any]] = []
    for record in voted.values():
        votes = record["votes"]
        step = {
            "makes": votes["folder"],
            "command": votes.get("command"),
            "versions": votes.get("versions"),
        }
        if step not in steps:
            steps.append(step)
    for folder in folders:
        steps += folder_steps(folder)
    return steps


def validation_scores(training: Mapping[str, Any], pages: Sequence[Sourced]) -> list[float]:
    """Return for each validation page the mean word-F1 of its set.

    The mean of these scores is the mean over all pages. ``training`` is the model's record. The
    list is empty if the model was not measured on validation pages.
    """
    by_set: Mapping[str, float] = training.get("validation", {})
    return [by_set[page.source.dataset] for page in pages] if by_set else []


def tested_pages(pages: Sequence[GoldPage], parts: Sequence[Part]) -> dict[str, list[Compared]]:
    """Return the test pages among ``pages``, per data set that has any."""
    tested: dict[str, list[Compared]] = {}
    for page, part in zip(pages, parts, strict=True):
        if part == "test":
            tested.setdefault(page.dataset, []).append(by_gold(page))
    return tested


def trained_overlap(
    tested: Mapping[str, list[Compared]],
    options: Namespace,
    gold: Sequence[Compared],
    voted: Sequence[Compared],
    against: str = TRAINED,
) -> dict[str, Any]:
    """Return the record of test pages that are close to pages that trained.

    ``tested``: test pages of the training sets; ``options``: has ``overlap_with``, further sets,
    and ``cache``; ``gold`` and ``voted``: pages that trained by gold text and by votes.
    """
    tests = overlap_with(options.overlap_with, options.cache, tested)
    return {"against": against, **overlap_record(tests, gold, voted)}
