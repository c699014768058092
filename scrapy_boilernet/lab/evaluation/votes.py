"""Pseudo-labels for pages without gold text: the share of open extractors that keep each block.

Several extractors together label better than each of them (Bevendorff et al. 2023). Votes need no
gold, so they leak nothing into cross-validation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import decode
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    GoldPage,
    dataset_digest,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.lab.evaluation.peers import Extractor, installed_peers, load_peer
from scrapy_boilernet.lab.evaluation.provenance import (
    TRAINING_DISTRIBUTIONS,
    command_line,
    versions,
)
from scrapy_boilernet.workers.files import json_lines
from scrapy_boilernet.workers.progress import counted, progress, short, written

VOTERS = {
    "trafilatura": 1.5, "readability-lxml": 1.0, "rs-trafilatura": 1.0, "magic-html": 1.0,
    "resiliparse": 0.8,
}  # fmt: skip
"""Weight of each extractor's vote; the extractor with the best mean over sets has the largest."""
PROVENANCE_FILE = "votes.json"
"""The file beside the votes, with the voters, their versions and the command per data set."""
MIN_VOTERS, MIN_VOTE_TOKENS = 3, 5
"""A page needs votes of this many extractors; a text with fewer tokens is not a vote."""
TRUST_PER_DEVIATION, MIN_TRUST = 1.2, 0.2
"""Trust in a block falls with the standard deviation of its votes, down to a minimum."""


@dataclass(frozen=True)
class Votes:
    """The vote on one page's blocks."""

    digest: str
    """Digest of the page's bytes, as in ``Page.digest``."""
    shares: NDArray[np.float32]
    """Weighted share of the voters that keep a block, in [0, 1]: (blocks,)."""
    trust: NDArray[np.float32]
    """Weight of a block in the loss, in [MIN_TRUST, 1]: (blocks,)."""


def vote(page: Page, texts: Mapping[str, str]) -> Votes | None:
    """Return the vote of the extractors' texts (by name), or None if there are too few."""
    voter_texts = {
        name: text for name, text in texts.items() if len(tokens(text)) >= MIN_VOTE_TOKENS
    }
    if len(voter_texts) < MIN_VOTERS or not page.blocks:
        return None
    kept = np.array(
        [soft_labels(page, text)[0] for text in voter_texts.values()]
    )  # (voters, blocks)
    shares = np.average(kept, axis=0, weights=[VOTERS[name] for name in voter_texts])
    trust = np.clip(1 - TRUST_PER_DEVIATION * kept.std(axis=0), MIN_TRUST, 1)
    return Votes(page.digest, shares.astype(np.float32), trust.astype(np.float32))


def agreement_rule() -> dict[str, float]:
    """Return the numbers of the voting rule by name, without the weights."""
    return {
        "min_voters": MIN_VOTERS, "min_vote_tokens": MIN_VOTE_TOKENS,
        "trust_per_deviation": TRUST_PER_DEVIATION, "min_trust": MIN_TRUST,
    }  # fmt: skip


def votes_file(folder: Path, dataset: str) -> Path:
    """Return the path of a set's votes."""
    return folder / f"{dataset}.votes.jsonl"


def write_votes(file: Path, voted: Iterable[tuple[str, Votes]]) -> None:
    """Write a line of JSON per (page id, votes)."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as out:
        for page_id, votes in voted:
            row = {
                "id": page_id,
                "digest": votes.digest,
                "shares": [round(float(share), 3) for share in votes.shares],
                "trust": [round(float(trust), 3) for trust in votes.trust],
            }
            out.write(json.dumps(row) + "\n")


def read_votes(file: Path) -> dict[str, Votes]:
    """Return the votes by page id. Raises ``DatasetError`` for a missing or malformed file."""
    votes_by_id = {}
    try:
        for _, row in json_lines(file):
            shares, trust = (np.array(row[name], dtype=np.float32) for name in ("shares", "trust"))
            votes_by_id[str(row["id"])] = Votes(str(row["digest"]), shares, trust)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"cannot read {file}: {error!r}; make it with: scrapy boilernet vote"
        ) from error
    return votes_by_id


def read_vote_records(folder: Path) -> dict[str, Any]:
    """Return the record of each data set in ``votes.json``; {} without the file.

    Raises ``DatasetError`` if the file is malformed.
    """
    file = folder / PROVENANCE_FILE
    if not file.is_file():
        return {}
    try:
        return dict(json.loads(file.read_text(encoding="utf-8"))["datasets"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"cannot read {file}: {error!r}; make it with: scrapy boilernet vote"
        ) from error


def run_votes(paths: Sequence[Path], cache: Path, out: Path) -> Iterator[str]:
    """Write a file of votes per set and ``votes.json``; yield a message per set and one at the end.

    Raises ``DatasetError`` if a set cannot be read, too few voters are installed, or no page has
    votes.
    """
    voters = _voters()
    extractors = {name: extractor for name, (extractor, _) in voters.items()}
    vote_facts = {
        "command": command_line("vote"),
        "versions": versions(*TRAINING_DISTRIBUTIONS),
        "voters": {
            name: {"version": version, "weight": VOTERS[name]}
            for name, (_, version) in voters.items()
        },
        "rule": agreement_rule(),
    }
    record = read_vote_records(out)
    seen = 0
    trust: list[float] = []
    for path in paths:
        folder = open_dataset(path, cache)
        pages = list(read_pages(folder))
        voted = [
            (page.id, votes)
            for page in progress(pages, len(pages), f"vote on {folder.name}")
            if (votes := _votes_on(page, extractors)) is not None
        ]
        write_votes(votes_file(out, folder.name), voted)
        record[folder.name] = {
            "pages": len(pages), "voted": len(voted), "digest_sha256": dataset_digest(folder),
            **vote_facts,
        }  # fmt: skip
        seen += len(pages)
        trust += [float(votes.trust.mean()) for _, votes in voted]
        yield f"{folder.name}: votes on {len(voted)} of {len(pages)} pages"
    document = {"datasets": record}
    (out / PROVENANCE_FILE).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    yield _last_line(out, seen, trust)


def _voters() -> dict[str, tuple[Extractor, str]]:
    """Return (extractor, version) of each installed voter."""
    installed = set(installed_peers()[0])
    voters = {name: load_peer(name) for name in VOTERS if name in installed}
    if len(voters) < MIN_VOTERS:
        raise DatasetError(
            f"{len(voters)} voters are installed, {MIN_VOTERS} are needed: pip install "
            f"{' '.join(name for name in VOTERS if name not in installed)}"
        )
    return voters


def _last_line(out: Path, seen: int, trust: Sequence[float]) -> str:
    """Return the final message.

    ``seen``: the number of pages; ``trust``: the mean trust of each page with votes. Raises
    ``DatasetError`` if no page has votes.
    """
    if not trust:
        raise DatasetError(
            f"on none of {counted(seen, 'page')} do {MIN_VOTERS} extractors find a text of "
            f"{MIN_VOTE_TOKENS} words, so nothing is voted on; give pages with a text"
        )
    return written(
        out,
        f"votes on {len(trust):,} of {counted(seen, 'page')}, mean trust in a page's blocks "
        f"{short(sum(trust) / len(trust))}; without gold there is no word-F1",
        f"train with scrapy boilernet train --voted SET --votes {out} ...",
    )


def _votes_on(page: GoldPage, extractors: dict[str, Extractor]) -> Votes | None:
    html = decode(page.html, page.encoding)
    texts = {name: run(html, page.url, page.language) for name, run in extractors.items()}
    return vote(blockify(page.html, page.url, page.encoding), texts)
