"""Workers that die or hang in a crawl, or cannot be replaced; two spiders that do not mix."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from testing.faulty import Faulted, FaultySite, crawl_faults, page, plan, settings, text_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


def test_worker_that_a_page_ends_takes_no_other_page_with_it(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    deadly = ("kill", "exit", "segfault")
    given = settings("process", BOILERNET_WORKERS=2, BOILERNET_BATCH_PAGES=1)
    result = crawl_faults(faulty_site, tmp_path, plan(*deadly, "kill once"), given)
    result.check(13)
    result.check_labeled()
    result.check_labeled("kill once")  # tried again
    assert all("main_text" not in item for fault in deadly for item in result.of(fault))
    assert result.counts["errors/WorkerDied"] == len(deadly)
    assert result.counts["items/labeled"] == 10
    deaths = 2 * len(deadly) + 1
    assert deaths - 2 <= result.counts["workers/restarted"] <= deaths
    (error,) = [line for line in result.crawl.log if "Could not label" in line]
    assert "ended with status" in error


def test_crawl_in_which_every_page_ends_its_worker_keeps_its_items(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    given = settings("process", BOILERNET_WORKERS=2, BOILERNET_BATCH_PAGES=1)
    result = crawl_faults(faulty_site, tmp_path, [page(n, "kill") for n in range(4)], given)
    result.check(4)
    counts = result.counts
    assert (counts["errors/WorkerDied"], counts["items/unlabeled"]) == (4, 4)
    assert 6 <= counts["workers/restarted"] <= 7  # eight deaths, and the last are not replaced
    assert "pages" not in counts


def test_crawl_whose_workers_are_all_killed_again_and_again_keeps_its_items(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    pages = [page(n, act="kill_workers" if n % 6 == 0 else "") for n in range(24)]
    given = settings("process", BOILERNET_WORKERS=2, CONCURRENT_REQUESTS=4)
    result = crawl_faults(faulty_site, tmp_path, pages, given, chained=True)  # none is ready before
    result.check(24)
    counts = result.counts
    assert counts["workers/restarted"] >= 4
    assert counts["items/labeled"] + counts.get("errors/WorkerDied", 0) == 24
    texts = [item["main_text"] for item in result.crawl.fields() if "main_text" in item]
    assert len(texts) == counts["items/labeled"]


def test_pages_are_labeled_again_when_a_lost_model_is_back(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (model / "model.json").write_text(json.dumps({"labeler": "faulty", "tag": "p"}))
    acts = ["take_model_away", "", "give_model_back", "", ""]
    pages = [page(n, act=act) for n, act in enumerate(acts)]
    result = crawl_faults(
        faulty_site, tmp_path, pages, settings("process", str(model)), chained=True
    )
    result.check(5)
    texts = {item["n"]: item.get("main_text") for item in result.crawl.fields()}
    assert texts == {"0": text_of(0), "1": None, "2": None, "3": text_of(3), "4": text_of(4)}
    assert result.counts["errors/WorkerDied"] == 2
    assert 4 <= result.counts["workers/restarted"] <= 5  # three or four could not start
    (error,) = [line for line in result.crawl.log if "Could not label" in line]
    assert "the next worker process could not start: no model" in error


def test_page_that_hangs_is_really_ended_in_a_process(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    hanging = ("spin", "gil", "stop", "sleep")
    given = settings(
        "process", BOILERNET_WORKERS=4, BOILERNET_BATCH_PAGES=1, BOILERNET_TIMEOUT=2
    )  # fmt: skip
    pages = plan(*hanging, act="note_whether_the_worker_is_gone")
    result = crawl_faults(faulty_site, tmp_path, pages, given)
    result.check(13)
    result.check_labeled()
    assert result.counts["errors/timeout"] == result.stats["faults/gone"] == len(hanging)
    assert result.counts["items/labeled"] == 9
    assert "not done after BOILERNET_TIMEOUT = 2 seconds" in "".join(result.crawl.log)


def test_page_that_hangs_in_a_thread_is_given_up_and_the_crawl_goes_on(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    pages = [page(0), page(1, "wait", "release"), page(2), page(3, "sleep"), page(4), page(5)]
    given = settings("thread", BOILERNET_TIMEOUT=1)
    result = crawl_faults(faulty_site, tmp_path, pages, given, chained=True)
    assert result.left == {"threads": ["boilernet"], "children": []}  # cannot be ended
    Faulted(result.crawl, {"threads": [], "children": []}).check(6)
    texts = {item["n"]: item.get("main_text") for item in result.crawl.fields()}
    assert [n for n, text in texts.items() if text] == ["0", "2", "4", "5"]
    assert result.counts["errors/timeout"] == 2
    assert result.counts["pages"] == 4  # what came of "wait" later counts for nothing


def test_two_spiders_in_one_process_share_no_model_and_no_fault(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    pages = plan("ZeroDivisionError", "NaN")
    result = crawl_faults(
        faulty_site, tmp_path, pages, settings("inline"), spiders="faults_two"
    ).crawl
    for spider, text in (("one", text_of), ("two", "Page {}".format)):
        crawl = Faulted(result, {}, spider)
        items = [item["fields"] for item in result.items if item["spider"] == spider]
        assert len(items) == crawl.stats["faults/in"] == crawl.stats["item_scraped_count"] == 7
        assert {item["n"]: item.get("main_text") for item in items} == {
            str(n): None if n in (2, 5) else text(n) for n in range(7)
        }
        assert crawl.counts["errors/ZeroDivisionError"] == crawl.counts["errors/ValueError"] == 1
