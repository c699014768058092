"""Data sets on disk to pages that are ready to learn from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from scrapy_boilernet.evaluation.datasets import (
    DatasetError,
    GoldPage,
    dataset_digest,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.evaluation.groups import domain
from scrapy_boilernet.evaluation.splits import TEST_ONLY, Part
from scrapy_boilernet.evaluation.votes import read_votes, votes_file
from scrapy_boilernet.progress import progress
from scrapy_boilernet.training.examples import LearningPage, learning_page, pseudo_page


@dataclass(frozen=True)
class VotedSet:
    """A set without gold that trains by votes."""

    folder: Path
    pages: tuple[LearningPage, ...]


def open_all(paths: Iterable[str], cache: Path) -> list[Path]:
    """Return the folders of the sets, unpacked where need be."""
    return [open_dataset(Path(path), cache) for path in paths]


def learning_pages(pages: Sequence[GoldPage], label: str = "align") -> list[LearningPage | None]:
    """Return the pages with soft labels; None for those that cannot be learned from."""
    return [learning_page(page, _draw_of(page)) for page in progress(pages, len(pages), label)]


def need_parts(pages: Sequence[GoldPage], parts: Sequence[Part], folders: Sequence[Path]) -> None:
    """Raise ``DatasetError`` if no page trains or none validates, with the remedy."""
    usable = [page for page in pages if page.gold is not None and page.dataset not in TEST_ONLY]
    for part in ("train", "validation"):
        if part in parts:
            continue
        start = f"no page left for {part} in {_listed(folders)}: "
        if not usable:
            raise DatasetError(
                f"{start}no page with gold text may train; add pages with html/<id>.html and "
                "gold/<id>.txt"
            )
        raise DatasetError(
            f"{start}{few_domains(usable)}, or give every page a split, such as train or dev, in "
            "pages.jsonl"
        )


def few_domains(pages: Sequence[GoldPage]) -> str:
    """Return how few registered domains the pages have, and that others are needed."""
    return (
        f"pages with gold text: {len(pages)}, registered domains: {len(set(map(domain, pages)))}, "
        "and a domain goes to one part as a whole (a page without url in pages.jsonl counts as a "
        "domain of its own); add pages of other domains"
    )


def need_learned(kept: Mapping[str, Sequence[LearningPage]], folders: Sequence[Path]) -> None:
    """Raise ``DatasetError`` if a part has no page that can be learned from."""
    for part, found in kept.items():
        if not found:
            raise DatasetError(
                f"no page left for {part} in {_listed(folders)}: its pages show less than half of "
                "their gold text; see that gold/<id>.txt has the text of html/<id>.html"
            )


def _listed(folders: Sequence[Path]) -> str:
    return ", ".join(map(str, folders))


def voted_set(path: str, cache: Path, votes_folder: Path) -> VotedSet:
    """Return the pages of a set that have votes; raises ``DatasetError`` if none has."""
    folder = open_dataset(Path(path), cache)
    votes = read_votes(votes_file(votes_folder, folder.name))
    pages = [page for page in read_pages(folder) if page.id in votes]
    found = []
    for page in progress(pages, len(pages), f"votes on {folder.name}"):
        mine = votes[page.id]
        learned = pseudo_page(page, mine.shares, mine.trust, _draw_of(page))
        if learned is not None and learned.page.digest == mine.digest:
            found.append(learned)
    if not found:
        raise DatasetError(
            f"no votes in {votes_folder} are on the pages of {folder}; vote on this very set"
        )
    return VotedSet(folder, tuple(found))


def _draw_of(page: GoldPage) -> np.random.Generator:
    """A generator per page, so that its other markup does not depend on its neighbours."""
    return np.random.default_rng(crc32(f"{page.dataset}/{page.id}".encode()))


def dataset_record(folder: Path, **parts: Sequence[LearningPage]) -> dict[str, Any]:
    """Return what a card says of a set: pages used per part, licence of the gold, digest."""
    meta = folder / "meta.json"
    known = json.loads(meta.read_text(encoding="utf-8")) if meta.is_file() else {}
    return {
        "digest_sha256": dataset_digest(folder),
        "licence": licence_of(folder) or known.get("licence", "not stated"),
        "source": known.get("source", "not stated"),
        **{
            f"{part}_pages": sum(page.source.dataset == folder.name for page in found)
            for part, found in parts.items()
        },
    }


def licence_of(folder: Path) -> str | None:
    """Return the SPDX name of the licence text that lies with the set, if it is a known one."""
    for file in sorted((folder / "extra").glob("LICENSE*")):
        text = " ".join(file.read_text(encoding="utf-8", errors="replace").split())[:2000].lower()
        for heading, name in _LICENCES.items():
            if heading in text:
                return name
    return None


_LICENCES = {
    "gnu affero general public license version 3": "AGPL-3.0",
    "gnu general public license version 3": "GPL-3.0",
    "attribution-sharealike 4.0": "CC-BY-SA-4.0",
    "attribution 4.0": "CC-BY-4.0",
    "apache license": "Apache-2.0",
    "mit license": "MIT",
}
