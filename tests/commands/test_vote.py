"""``scrapy boilernet vote``: a file of votes per set, and the record of the voters."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest

pytest.importorskip("rapidfuzz")

from testing.commanding import refusal, run
from testing.synthetic import article, write_set

from scrapy_boilernet.commands import vote
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.lab.evaluation.datasets import dataset_digest
from scrapy_boilernet.lab.evaluation.peers import installed_peers, load_peer
from scrapy_boilernet.lab.evaluation.votes import MIN_VOTERS, VOTERS, read_votes, votes_file
from scrapy_boilernet.workers.progress import short

INSTALLED = [name for name in installed_peers()[0] if name in VOTERS]
enough = pytest.mark.skipif(len(INSTALLED) < MIN_VOTERS, reason="fewer than 3 voters are installed")
PAGES = {f"p{n}": (article(n)[0], None) for n in range(3)} | {"empty": (b"<html></html>", None)}


@enough
def test_votes_keep_the_article_and_the_record_names_the_voters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawl, out = write_set(tmp_path / "crawl", PAGES), tmp_path / "votes"
    assert run(vote, crawl, "--out", out) == 0
    votes = read_votes(votes_file(out, "crawl"))
    trust = mean(float(page_votes.trust.mean()) for page_votes in votes.values())
    assert capsys.readouterr().err.splitlines()[-2:] == [
        "crawl: votes on 3 of 4 pages",
        f"wrote {out}: votes on 3 of 4 pages, mean trust in a page's blocks {short(trust)}; "
        f"without gold there is no word-F1; train with scrapy boilernet train --voted SET --votes "
        f"{out} ...",
    ]
    assert set(votes) == {"p0", "p1", "p2"}
    for n in range(3):
        page = blockify(article(n)[0])
        assert votes[f"p{n}"].digest == page.digest
        for block, share in zip(page.blocks, votes[f"p{n}"].shares, strict=True):
            assert (share > 0.5) or len(block.text) < 80  # paragraphs
            assert (share < 0.5) or "li" not in block.tags
    record = json.loads((out / "votes.json").read_text())
    facts = record["datasets"]["crawl"]
    assert (facts["pages"], facts["voted"]) == (4, 3)
    assert facts["digest_sha256"] == dataset_digest(crawl)
    assert facts["command"].startswith("scrapy boilernet vote")
    assert facts["voters"] == {
        name: {"version": load_peer(name)[1], "weight": VOTERS[name]} for name in INSTALLED
    }
    assert facts["rule"]["min_voters"] == MIN_VOTERS
    assert {"python", "lxml"} <= facts["versions"].keys()


@enough
def test_records_of_other_sets_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "votes"
    for name in ("first", "second"):
        assert run(vote, write_set(tmp_path / name, PAGES), "--out", out) == 0
        records = json.loads((out / "votes.json").read_text())["datasets"]
        if name == "first":
            records["first"]["command"] = "the first command"
            (out / "votes.json").write_text(json.dumps({"datasets": records}))
    assert records["first"]["command"] == "the first command"
    assert records["second"]["voted"] == 3


@enough
def test_pages_without_votes_are_refused(tmp_path: Path) -> None:
    crawl = write_set(tmp_path / "crawl", {"empty": (b"<html></html>", None)})
    assert "nothing is voted on" in refusal(vote, crawl, "--out", tmp_path / "votes")


@enough
def test_the_error_for_a_missing_set_names_it(tmp_path: Path) -> None:
    assert "nowhere" in refusal(vote, tmp_path / "nowhere", "--out", tmp_path / "votes")


@pytest.mark.skipif(len(INSTALLED) >= MIN_VOTERS, reason="enough voters are installed")
def test_the_error_for_too_few_voters_names_packages_to_install(tmp_path: Path) -> None:
    crawl = write_set(tmp_path / "crawl", PAGES)
    message = refusal(vote, crawl, "--out", tmp_path / "votes")
    assert all(name in message for name in VOTERS if name not in INSTALLED)
    assert not (tmp_path / "votes").exists()
