"""What a card says of the pages: sets, their origins, votes, and tests that are close to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scrapy_boilernet.training.record import TRAINED

_SPLIT = (
    "Pages with gold are split by registered domain and near-duplicate group; where a set has its "
    "own split, that stands. Of the sets with gold above, near-duplicates of their test pages do "
    "not train, nor do pages of a domain that tests in one without a split of its own. Pages that "
    "train by votes, and test pages of other sets, the split does not look at."
)
_WEIGHT = (
    "In the loss a page, or each window of 256 blocks of a longer one, weighs the same by votes as "
    "by gold. A block weighs by the square root of its tokens plus one, and with votes by that "
    "times its trust."
)


def data_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a card says of the sets that were trained on."""
    voted: Mapping[str, Mapping[str, Any]] = training.get("voted", {})
    yield "## Data"
    yield ""
    yield "Only weights learned from these pages are here, none of their text."
    yield ""
    yield "| data set | training pages | validation pages | licence of the gold | SHA-256 |"
    yield "|---|---|---|---|---|"
    for name, found in training["datasets"].items():
        yield (
            f"| {name} | {found['train_pages']} | {found['validation_pages']} "
            f"| {found['licence']} | `{found['digest_sha256'][:16]}` |"
        )
    for name, found in voted.items():
        yield (
            f"| {name} | {found['voted_pages']} | 0 | no gold: votes of open extractors "
            f"| `{found['digest_sha256'][:16]}` |"
        )
    yield ""
    yield from _origin_lines({**training["datasets"], **voted})
    if voted:
        yield from _vote_lines(voted)
    if notes := training.get("notes"):
        yield "## Notes"
        yield ""
        yield from (f"- {note}" for note in notes)
        yield ""


def _origin_lines(sets: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Where the pages of collected sets are from, as far as the sets say it."""
    rows = [
        f"| {name} | {origin} | {found['pages']} | {found['licence']} |"
        for name, known in sets.items()
        for origin, found in known.get("origins", {}).items()
    ]
    if not rows:
        return
    yield "Where `pages.jsonl` names several origins of a set's pages, the pages of each:"
    yield ""
    yield "| data set | origin | pages | licence of the origin |"
    yield "|---|---|---|---|"
    yield from rows
    yield ""


def _vote_lines(voted: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Who voted, by which rule, and what a vote weighs; sets that agree in it come together."""
    yield "## Votes"
    yield ""
    told: dict[str, list[str]] = {}
    for name, found in voted.items():
        told.setdefault(" ".join(_told_votes(found.get("votes", {}))), []).append(name)
    for text, names in told.items():
        yield f"- {', '.join(names)}: {text}"
    yield ""
    yield _WEIGHT
    yield ""


def _told_votes(votes: Mapping[str, Any]) -> Iterator[str]:
    voters: Mapping[str, Mapping[str, Any]] | None = votes.get("voters")
    if voters is None:
        yield "who voted was not recorded."
        return
    yield (
        "voters, with the weight of each one's vote: "
        + ", ".join(f"{_versioned(name, v)} ({v['weight']})" for name, v in voters.items())
        + "."
    )
    rule = votes["rule"]
    yield (
        f"A page is voted on if {rule['min_voters']} of them find a text of "
        f"{rule['min_vote_tokens']} tokens or more. A block's label is the weighted share of the "
        f"voters that keep it; its trust is 1 less {rule['trust_per_deviation']} times the "
        f"standard deviation over the voters, {rule['min_trust']} at least."
    )


def _versioned(name: str, voter: Mapping[str, Any]) -> str:
    version = voter.get("version")
    return f"{name} {version}" if version else f"{name}, version not recorded"


def overlap_lines(training: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a card says of test pages that are close to pages that were learned from."""
    yield "## Test pages close to these"
    yield ""
    yield _SPLIT
    yield ""
    found: Mapping[str, Any] | None = training.get("overlap")
    if found is None:
        yield (
            "How many test pages are close to pages that trained was not computed; "
            "`scrapy boilernet card` computes it."
        )
    elif not found["sets"]:
        yield "None of these sets has a test part, and no other set was compared with."
    else:
        yield from _counted_lines(found)
    yield ""


def _counted_lines(found: Mapping[str, Any]) -> Iterator[str]:
    ways = [way for way, pages in found["pages"].items() if pages]
    learned = " and ".join(
        f"{found['pages'][way]} pages by {way} ({found['without_domain'][way]} without a known "
        "domain)"
        for way in ways
    )
    yield f"How many test pages are close to pages that were learned from, {learned}:"
    yield ""
    yield from _count_table(found, ways)
    yield ""
    if found["against"] != TRAINED:
        yield (
            "Computed after the training, against all pages that the split lets train or "
            "validate"
            + (" and all pages of the sets with votes" if "votes" in ways else "")
            + ": also against the few that could not be learned from, since they show too little "
            "of their gold text" + (" or got too few votes." if "votes" in ways else ".")
        )
    yield (
        "Pages with gold count whether they trained or validated. A test page without a known "
        "domain is in no count of domains. A near-duplicate shares half of the shorter text's "
        "sampled runs of six words, or is the very page; of a page without gold the whole text "
        "is compared."
    )


def _count_table(found: Mapping[str, Any], ways: Sequence[str]) -> Iterator[str]:
    heads = [
        f"{what} of pages by {way}" for what in ("on a domain", "near-duplicates") for way in ways
    ]
    yield f"| test pages of | pages | without a domain | {' | '.join(heads)} |"
    yield "|---" * (3 + len(heads)) + "|"
    for name, row in found["sets"].items():
        counts = [row[kind][way] for kind in ("on_domain", "near_duplicates") for way in ways]
        cells = (row["test_pages"], row["without_domain"], *counts)
        yield f"| {name} | {' | '.join(map(str, cells))} |"
