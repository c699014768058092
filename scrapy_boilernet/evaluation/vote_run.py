"""``scrapy boilernet vote``: the extractors' votes on sets without gold, and who voted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.decode import decode
from scrapy_boilernet.evaluation.datasets import (
    DatasetError,
    GoldPage,
    dataset_digest,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.evaluation.peers import Extractor, installed_peers, load_peer
from scrapy_boilernet.evaluation.provenance import command_line, versions
from scrapy_boilernet.evaluation.votes import (
    MIN_VOTERS,
    VOTERS,
    Votes,
    vote,
    votes_file,
    write_votes,
)
from scrapy_boilernet.progress import progress

PROVENANCE_FILE = "votes.json"


def run_votes(paths: Sequence[Path], cache: Path, out: Path) -> Iterator[str]:
    """Write a file of votes per set and ``votes.json``; yield a line about each set.

    Raises ``DatasetError`` if a set cannot be read or too few voters are installed.
    """
    found = set(installed_peers()[0])
    voters = {name: load_peer(name) for name in VOTERS if name in found}
    if len(voters) < MIN_VOTERS:
        raise DatasetError(
            f"{len(voters)} voters are installed, {MIN_VOTERS} are needed: pip install "
            f"{' '.join(name for name in VOTERS if name not in found)}"
        )
    record = _recorded(out / PROVENANCE_FILE)
    for path in paths:
        folder = open_dataset(path, cache)
        pages = list(read_pages(folder))
        extractors = {name: extractor for name, (extractor, _) in voters.items()}
        voted = [
            (page.id, votes)
            for page in progress(pages, len(pages), f"vote on {folder.name}")
            if (votes := _votes_on(page, extractors)) is not None
        ]
        write_votes(votes_file(out, folder.name), voted)
        record[folder.name] = {
            "pages": len(pages), "voted": len(voted), "digest_sha256": dataset_digest(folder),
        }  # fmt: skip
        yield f"{folder.name}: votes on {len(voted)} of {len(pages)} pages"
    document = {
        "command": command_line("vote"),
        "versions": versions() | {name: version for name, (_, version) in voters.items()},
        "datasets": record,
    }
    (out / PROVENANCE_FILE).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _recorded(file: Path) -> dict[str, Any]:
    """What the file says of sets that were voted on before."""
    if not file.is_file():
        return {}
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))["datasets"]
    return known


def _votes_on(page: GoldPage, extractors: dict[str, Extractor]) -> Votes | None:
    html = decode(page.html, page.encoding)
    texts = {name: run(html, page.url, page.language) for name, run in extractors.items()}
    return vote(blockify(page.html, page.url, page.encoding), texts)
