"""``scrapy boilernet vote``: the extractors' votes on sets without gold, and who voted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

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
from scrapy_boilernet.evaluation.provenance import TRAINING_DISTRIBUTIONS, command_line, versions
from scrapy_boilernet.evaluation.votes import (
    MIN_VOTERS,
    PROVENANCE_FILE,
    VOTERS,
    Votes,
    agreement_rule,
    read_vote_records,
    vote,
    votes_file,
    write_votes,
)
from scrapy_boilernet.progress import progress


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
    about = {
        "command": command_line("vote"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
        "voters": {
            name: {"version": version, "weight": VOTERS[name]}
            for name, (_, version) in voters.items()
        },
        "rule": agreement_rule(),
    }
    record = read_vote_records(out)
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
            **about,
        }  # fmt: skip
        yield f"{folder.name}: votes on {len(voted)} of {len(pages)} pages"
    document = {"datasets": record}
    (out / PROVENANCE_FILE).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def _votes_on(page: GoldPage, extractors: dict[str, Extractor]) -> Votes | None:
    html = decode(page.html, page.encoding)
    texts = {name: run(html, page.url, page.language) for name, run in extractors.items()}
    return vote(blockify(page.html, page.url, page.encoding), texts)
