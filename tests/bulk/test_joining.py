"""Pages of a stored crawl that name each other become one record, after any stop."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scrapy.cmdline import execute
from testing.bulk_runs import Stopped, carried_out

from scrapy_boilernet.bulk import joining
from scrapy_boilernet.bulk.joining import Links, chains
from scrapy_boilernet.bulk.output import LinesFile
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import RecordOptions
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.extractor.output.next_pages import has_page_number
from scrapy_boilernet.settings.config import Config

SITE = "https://a.example"


def linked(*named: str) -> list[Links]:
    """Return links of pages written as "address next previous", with "-" for none."""
    return [Links(*("" if word == "-" else word for word in each.split())) for each in named]


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (["a b -", "b c a", "c - b"], [[0, 1, 2]]),
        (["c - b", "b c a", "a b -"], [[2, 1, 0]]),
        (["a b -", "b - -"], [[0, 1]]),
        (["a - -", "b - a"], [[0, 1]]),
        (["a b -", "c - b"], [[0], [1]]),
        (["a b c", "b c a", "c a b"], [[0, 1, 2]]),
        (["a a a"], [[0]]),
        (["a b -", "a b -", "b - a"], [[0, 2], [1]]),
        (["a c -", "b c -", "c - b"], [[0, 2], [1]]),
        (["x - -", "a b -", "b - a"], [[0], [1, 2]]),
        ([], []),
    ],
)
def test_pages_that_name_each_other_are_in_one_list(
    named: list[str], expected: list[list[int]]
) -> None:
    assert chains(linked(*named)) == expected


def test_each_page_is_in_one_list_whatever_it_names() -> None:
    draw = random.Random(0)
    for _ in range(300):
        names = [draw.choice("abcdefgh") for _ in range(draw.randint(0, 12))]
        links = [Links(n, draw.choice("abcdefghi"), draw.choice("abcdefghi")) for n in names]
        assert sorted(n for order in chains(links) for n in order) == [*range(len(links))]


# Whole runs.


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    """Every block is content."""
    return Config(
        model=str(tiny_model), engine="numpy", mode="process", workers=2, cache_blocks=0,
        threshold=0.0,
    )  # fmt: skip


def page(name: str, number: int, last: int) -> dict[str, str]:
    def address(of: int) -> str:
        return f"{SITE}/{name}" + (f"?page={of}" if of > 1 else "")

    links = f"<link rel=next href={address(number + 1)}>" if number < last else ""
    links += f"<link rel=prev href={address(number - 1)}>" if number > 1 else ""
    text = f"Page {number} of {name} tells of a crab that is not on any other page: {name * 3}."
    return {"url": address(number), "html": f"<title>T</title>{links}<h1>The {name}</h1><p>{text}"}


ARTICLES = {"pools": 3, "single": 1, "mill": 2, "tides": 5, "alone": 1}
MISSING = {("tides", 3)}


def mixed_pages() -> list[dict[str, str]]:
    pages = [
        page(name, number, last)
        for name, last in ARTICLES.items()
        for number in range(1, last + 1)
        if (name, number) not in MISSING
    ]
    random.Random(1).shuffle(pages)
    return pages


EXPECTED = {
    ("pools", 1, 2, 3): (), ("single", 1): (), ("mill", 1, 2): (), ("tides", 1, 2): (),
    ("tides", 4, 5): (), ("alone", 1): (),
}  # fmt: skip


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "crawl.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in mixed_pages()), encoding="utf-8")
    return path


def run_of(crawl: Path, **given: Any) -> Run:
    wanted = RecordOptions(join=True, **given)
    return Run((str(crawl),), crawl.with_name("out.jsonl"), "jsonl", wanted)


def rows(run: Run) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.output.read_bytes().splitlines()]


def names(found: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the name and the numbers of the pages of each record."""
    read = []
    for row in found:
        parts = [url.removeprefix(f"{SITE}/").partition("?page=") for url in row["pages"]]
        read.append((parts[0][0], *(int(number or 1) for _, _, number in parts)))
    return read


def test_pages_of_an_article_are_one_record(crawl: Path, config: Config, pool: Pool) -> None:
    run = run_of(crawl, formats=("markdown",))
    summary = carried_out(run, config, pool, "same").summary
    found = rows(run)
    assert sorted(names(found)) == sorted(EXPECTED)
    assert (summary.read, summary.written, summary.waiting) == (11, 6, 0)
    assert summary.left_out == {"joined": 5}
    assert summary.complete
    by_name = {name[:2]: row for name, row in zip(names(found), found, strict=True)}
    pools = by_name["pools", 1]
    assert pools["url"] == f"{SITE}/pools"
    assert pools["main_text"].count("The pools") == 1
    assert [f"Page {n} of pools" in pools["main_text_markdown"] for n in (1, 2, 3)] == [True] * 3
    assert "metadata" not in pools
    assert all(row["missing"] == [] for row in found)


def test_metadata_chunks_and_filters_are_those_of_the_whole(
    crawl: Path, config: Config, pool: Pool
) -> None:
    run = run_of(crawl, formats=("metadata",), chunk_tokens=500, min_words=30)
    summary = carried_out(run, config, pool, "same").summary
    found = rows(run)
    assert summary.left_out["words"] == 2
    assert {row["pages"][0].rpartition("/")[2] for row in found} >= {"pools", "mill", "tides"}
    pools = [row for row in found if row["url"] == f"{SITE}/pools"]
    assert [row["chunk"] for row in pools] == [1, 2, 3]
    assert [row["text_url"].partition("#")[0] for row in pools] == pools[0]["pages"]
    assert all(row["metadata"]["next_page"] is None for row in pools)


@pytest.mark.parametrize("rows_per_mark", [1, 3])
def test_kills_lose_and_double_nothing(
    crawl: Path, config: Config, pool: Pool, monkeypatch: pytest.MonkeyPatch, rows_per_mark: int
) -> None:
    monkeypatch.setattr(LinesFile, "rows_per_mark", rows_per_mark)
    run, draw = run_of(crawl, dedupe=True), random.Random(rows_per_mark)
    due = Files.mark_if_due
    for _ in range(12):
        left = draw.randint(1, 9)

        def killing(files: Files) -> None:
            nonlocal left
            due(files)
            left -= 1
            if not left:
                raise Stopped

        with monkeypatch.context() as patch:
            patch.setattr(Files, "mark_if_due", killing)
            try:
                carried_out(run, config, pool, "same")
            except Stopped:
                waiting = run.output.with_name("out.jsonl.joining.bin")
                waiting.write_bytes(waiting.read_bytes() + b"\0" * draw.randint(0, 9))
    summary = carried_out(run, config, pool, "same").summary
    assert sorted(names(rows(run))) == sorted(EXPECTED)
    assert (summary.read, summary.written, summary.waiting) == (11, 6, 0)
    assert summary.left_out == {"joined": 5}


STYLES = {
    "query": "{site}/story?page={n}", "path": "{site}/story/{n}", "word": "{site}/story/page/{n}/",
    "file": "{site}/story-{n}.html", "German": "{site}/artikel/seite-{n}",
    "PHP": "{site}/t.php?t=5&p={n}",
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("relation", ["next", "prev"])
def test_links_in_one_direction_join_all_pages(
    tmp_path: Path, config: Config, pool: Pool, style: str, relation: str
) -> None:
    step, end = (1, 4) if relation == "next" else (-1, 1)
    pages = []
    for n in (3, 1, 4, 2):
        to = STYLES[style].format(site=SITE, n=n + step)
        link = f"<link rel={relation} href='{to}'>" if n != end else ""
        html = f"{link}<h1>Crabs</h1><p>Page {n} tells of a crab that is on no other page {n}.</p>"
        pages.append({"url": STYLES[style].format(site=SITE, n=n), "html": html})
    pages.append({"url": f"{SITE}/single-7", "html": "<h1>Single</h1><p>Another text.</p>"})
    path = tmp_path / "crawl.jsonl"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in pages), encoding="utf-8")
    run = run_of(path)
    summary = carried_out(run, config, pool, "same").summary
    found = {row["url"]: row for row in rows(run)}
    first = found[STYLES[style].format(site=SITE, n=1)]
    assert first["pages"] == [STYLES[style].format(site=SITE, n=n) for n in (1, 2, 3, 4)]
    assert found[f"{SITE}/single-7"]["pages"] == [f"{SITE}/single-7"]
    assert (len(found), summary.left_out) == (2, {"joined": 3})


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("/story?page=4", True), ("/story?a=b&p=2", True), ("/story/4/", True), ("/a_2.htm", True),
        ("/viewtopic.php?t=5&start=15", True), ("/story/PAGE4", True), ("/story", False),
        ("/2026/news-123456", False), ("/story?id=4", False), ("/a/20261128", False),
        ("/", False), ("/p", False),
    ],
)  # fmt: skip
def test_a_page_waits_for_others_if_its_address_has_the_number_of_a_page(
    address: str, expected: bool
) -> None:
    assert has_page_number(f"{SITE}{address}") is expected


def test_more_pages_than_fit_are_joined_in_parts(
    crawl: Path, config: Config, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "MAX_PAGES", 2)
    run = run_of(crawl)
    carried_out(run, config, pool, "same")
    assert sorted(names(rows(run))) == sorted([
        ("pools", 1, 2), ("pools", 3), ("single", 1), ("mill", 1, 2), ("tides", 1, 2),
        ("tides", 4, 5), ("alone", 1),
    ])  # fmt: skip


def test_pages_far_apart_are_not_joined(
    crawl: Path, config: Config, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "MAX_WAITING", 1)
    run = run_of(crawl)
    carried_out(run, config, pool, "same")
    assert all(len(row["pages"]) == 1 for row in rows(run))
    assert len(rows(run)) == 11


def test_a_lost_file_is_refused(crawl: Path, config: Config, pool: Pool) -> None:
    run = run_of(crawl)
    carried_out(run, config, pool, "same")
    run.output.with_name("out.jsonl.joining.bin").unlink()
    with pytest.raises(RunError, match=r"joining\.bin has 0 bytes"):
        carried_out(run, config, pool, "same")


def test_records_have_columns_in_parquet(crawl: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    out = str(crawl.with_name("out.parquet"))
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "boilernet", "bulk", str(crawl), "--join", "-o", out])
    assert not ended.value.code
    assert all(row["pages"] for row in parquet.read_table(out).to_pylist())


def test_a_limit_is_refused(crawl: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bulk", str(crawl), "--join", "--limit", "3", "-o", str(crawl.with_name("o.jsonl"))]
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "boilernet", *words])
    assert ended.value.code == 2
    assert "leave out --limit or --join" in capsys.readouterr().err
