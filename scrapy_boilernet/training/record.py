"""Parts of a model's record: voters, earlier commands, and test pages close to those that trained.

The record is ``training`` in ``model.json``; :mod:`scrapy_boilernet.training.cards` prints it.
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
"""The pages that an overlap is counted against: those that trained, or all that could."""


def voted_record(
    folder: Path, pages: Sequence[Sourced], votes: Path, beside_gold: int
) -> dict[str, Any]:
    """Return the record of a set that trained by votes, with that of ``votes.json``.

    ``beside_gold``: number of pages with votes that did not train, since a set with gold has them.
    """
    record = dataset_record(folder, voted=pages)
    vote_record = read_vote_records(votes).get(folder.name, {})
    vote_facts = {
        name: vote_record[name]
        for name in ("command", "versions", "voters", "rule")
        if name in vote_record
    }
    votes_record = {"folder": votes.resolve().name, **vote_facts}
    return {**record, "beside_gold": beside_gold, "votes": votes_record}


def steps_before(
    voted: Mapping[str, Mapping[str, Any]], folders: Iterable[Path]
) -> list[dict[str, Any]]:
    """Return the commands before ``train``, in their order, with their versions.

    ``voted``: records of sets that trained by votes; ``folders``: of cross-validated models.
    An unknown command is None.
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
    """Return per validation page its set's mean word-F1, so that their mean is that of the pages.

    ``training``: the model's record. Empty if it was not measured on validation pages.
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

    ``tested``: test pages of the training sets; ``options``: with ``overlap_with``, more sets, and
    ``cache``; ``gold`` and ``voted``: pages that trained by gold text and by votes.
    """
    tests = overlap_with(options.overlap_with, options.cache, tested)
    return {"against": against, **overlap_record(tests, gold, voted)}
