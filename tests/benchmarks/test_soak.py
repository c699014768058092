"""The soak, small: broken pages and killed workers, items in and out, and what is left over."""

from __future__ import annotations

import gzip
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import scrapy
from testing.benchmark_runs import needs_shipped_model, run

from benchmarks.soak import figures, plan, server
from scrapy_boilernet.extractor.html.blockify import blockify

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
QUICK = (
    "--engine", "numpy", "--workers", "1", "--sample-seconds", "0.1", "--slow-seconds", "0.01",
    "--download-timeout", "1",
)  # fmt: skip


@pytest.mark.skipif(scrapy.version_info < (2, 14), reason="crawls are started in another way")
@needs_shipped_model
def test_every_item_comes_out_and_nothing_is_left(tmp_path: Path) -> None:
    text, document = run(
        tmp_path, "benchmarks.soak.soak", "--responses", "90", "--modes", "process",
        "--kill-every", "30", *QUICK,
    )  # fmt: skip
    (crawl,) = document["crawls"].values()
    counts = crawl["counts"]
    assert counts["responses"] == 90
    assert counts["items_in"] == counts["items_out"] > 80
    assert {k[4:]: v for k, v in counts.items() if k.startswith("out/")} == {
        k[3:]: v for k, v in counts.items() if k.startswith("in/")
    }
    assert counts["promised"] - counts["promise_broken"] > 20
    assert (crawl["unanswered"], crawl["left_processes"], counts["another_page"]) == (0, 0, 0)
    assert counts.get("items_lost", 0) == counts["came_otherwise"] == 0
    for name in ("threads", "processes", "files", "requests", "held", "labeled_pages"):
        assert crawl["after"][name] <= crawl["before"][name], name
    assert sum(crawl["signals"].values()) >= 1
    assert crawl["samples"][-1]["ties"] == 0
    assert crawl["stats"]["boilernet/pages"] > 40
    must = text.split("What must hold:")[1].split("What came")[0]
    assert "| items out = items in | yes" in must


def test_the_plan_and_the_pages_depend_on_the_seed_only() -> None:
    plans = [[plan.Plan(seed).next() for _ in range(300)] for seed in (1, 1, 2)]
    assert plans[0] == plans[1] != plans[2]
    drawn = Counter()
    one = plan.Plan(1)
    for _ in range(3000):
        drawn[one.next().kind] += 1
    assert drawn["page"] > 1000
    assert set(drawn) >= set(plan.WEIGHTS) - {"crashes", "hangs", "bomb", "stuck", "big"}
    assert server.templates(1) == server.templates(1)


def test_every_kind_of_page_has_an_answer() -> None:
    answers = server.Answers(1, 0.1)
    for kind in plan.WEIGHTS:
        for number in range(8):
            path = f"/{kind.replace(' ', '%20')}/{number}" if kind != "again" else "/page/7"
            answer = answers.of(path)
            assert answer.end in ("keep", "close", "abort")
            assert answer.pieces or kind == "stuck"
    assert answers.of("/%FF").pieces[0].startswith(b"HTTP/1.1 404")


def test_a_sound_page_carries_its_own_mark_and_no_other() -> None:
    answers = server.Answers(1, 0.1)
    for kind in ("page", "long", "post", "gzip"):
        head, _, body = answers.of(f"/{kind}/1234").pieces[0].partition(b"\r\n\r\n")
        if kind == "gzip":
            assert b"Content-Encoding: gzip" in head
            body = gzip.decompress(body)
        text = " ".join(block.text for block in blockify(body).blocks)
        assert set(plan.MARKS.findall(text)) == {"0001234"}


def test_a_crawl_that_labels_nothing_does_not_pass() -> None:
    stats = {"boilernet/errors/NameError": 9, "boilernet/errors/SoakError": 2}
    crawl = {"stats": stats, "counts": {"promised": 7, "promise_broken": 7}}
    assert figures.unexpected_errors(crawl) == {"NameError": 9}
    assert dict(figures.MUST)["no errors except those injected"](crawl).startswith("**NO**: 9")
    assert dict(figures.COUNTS)["of these without text"](crawl) == "7"
    without = {"stats": {}, "counts": crawl["counts"]}
    assert dict(figures.MUST)["no errors except those injected"](without) == ""


def test_growth_is_measured_over_the_second_half() -> None:
    def crawl(*memory_mb: float) -> dict[str, Any]:
        ends = enumerate((0.0, *memory_mb))
        return {"samples": [{"responses": 1000 * i, "main_kb": 1000 * m} for i, m in ends]}

    flat, growing = crawl(50, 90, *[100] * 8), crawl(50, 60, *range(100, 180, 10))
    assert figures.growth_percent(flat) == 0
    assert figures.slope(flat) == pytest.approx((0, 0))
    assert figures.growth_percent(growing) > 10
    assert figures.slope(growing) == pytest.approx((100, 0))
    assert figures.growth_percent(crawl(100)) != figures.growth_percent(crawl(100))  # NaN
