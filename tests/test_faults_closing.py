"""Crawls that are ended in the midst of the work: no item that was yielded is lost, and no process
or thread stays behind."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawl, crawl
from faulty import (
    MODES,
    WAIT_SECONDS,
    Faulted,
    FaultySite,
    crawl_faults,
    environment,
    page,
    settings,
    spawn,
    text_of,
    what_is_left,
)  # fmt: skip

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

LIMITS = ("ITEMCOUNT", "PAGECOUNT", "ERRORCOUNT", "TIMEOUT")


@pytest.fixture(scope="module")
def site() -> Iterator[FaultySite]:
    with FaultySite() as site:
        yield site


@pytest.fixture(scope="module")
def closed(site: FaultySite, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """All spiders that close themselves, in one process."""
    folder = tmp_path_factory.mktemp("closing")
    given = settings("thread", FAULTS_LEFT=str(folder / "left.json"), FAULTS_PLAN={"pages": []})
    result = crawl("faults_closing", site.url, given, environment(folder))
    assert what_is_left(folder / "left.json") == {"threads": [], "children": []}
    return result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("limit", LIMITS)
def test_crawl_that_scrapy_closes_labels_what_it_has_downloaded(
    closed: Crawl, mode: str, limit: str
) -> None:
    result = Faulted(closed, {}, f"{mode} {limit}")
    stats, counts = result.stats, result.counts
    assert stats["finish_reason"] == f"closespider_{limit.lower()}"
    items = [item["fields"] for item in closed.items if item["spider"] == f"{mode} {limit}"]
    numbers = ("faults/in", "item_scraped_count", "response_received_count", "boilernet/pages",
               "boilernet/items/labeled")  # fmt: skip
    assert {stats.get(name, 0) for name in numbers} == {len(items)}
    assert items or limit == "TIMEOUT"  # which may be over before the first page
    assert {item["n"]: item["main_text"] for item in items} == {
        item["n"]: text_of(item["n"]) for item in items
    }
    assert not [name for name in counts if name.startswith("errors/")]
    assert "workers/restarted" not in counts


class Waiting:
    """A crawl that has a page in hand and waits to be let go."""

    def __init__(self, site: FaultySite, folder: Path, mode: str) -> None:
        for name in ("entered", "release"):
            os.mkfifo(folder / name)
        self.folder = folder
        self.left = folder / "left.json"
        entered = os.open(folder / "entered", os.O_RDWR | os.O_NONBLOCK)
        plan = json.dumps({"pages": [page(n) for n in range(3)]})
        given = settings(mode, "waiting", BOILERNET_TIMEOUT=0, BOILERNET_BATCH_PAGES=1)
        given.update(FAULTS_PLAN=plan, FAULTS_LEFT=str(self.left))
        self.process = spawn("faults", site.url, folder, given)
        try:
            ready, _, _ = select.select([entered], [], [], WAIT_SECONDS)
            assert ready, self.kill()
            pid = int(os.read(entered, 100))
        finally:
            os.close(entered)
        assert (pid == self.process.pid) == (mode == "thread")

    def signal(self, number: int, *said: str) -> None:
        """Send the signal and wait until Scrapy has said all of this, in this order."""
        self.process.send_signal(number)
        assert self.process.stderr
        watch = threading.Timer(WAIT_SECONDS, os.killpg, (self.process.pid, signal.SIGKILL))
        watch.start()
        try:
            lines = iter(self.process.stderr.readline, "")
            for text in said:
                assert any(text in line for line in lines), text
        finally:
            watch.cancel()

    def release(self) -> None:
        """Let the page in hand go on."""
        (self.folder / "release").write_bytes(b"")

    def end(self) -> str:
        """Wait until the crawl and all that holds its standard error have ended."""
        return self.process.communicate(timeout=WAIT_SECONDS)[1]

    def kill(self) -> str:
        """End what hangs; return its log."""
        os.killpg(self.process.pid, signal.SIGKILL)
        return self.process.communicate()[1]


@pytest.fixture
def waiting(site: FaultySite, tmp_path: Path) -> Iterator[Any]:
    crawls: list[Waiting] = []

    def start(mode: str) -> Waiting:
        crawls.append(Waiting(site, tmp_path, mode))
        return crawls[-1]

    yield start
    for each in crawls:
        if each.process.poll() is None:
            each.kill()


@pytest.mark.parametrize(
    ("mode", "number"), [("thread", signal.SIGINT), ("process", signal.SIGTERM)]
)
def test_first_signal_lets_the_page_in_hand_be_labeled(
    waiting: Any, mode: str, number: signal.Signals
) -> None:
    crawl = waiting(mode)
    crawl.signal(number, f"Received {number.name}, shutting down gracefully")
    crawl.release()
    log = crawl.end()
    assert "Spider closed (shutdown)" in log
    assert what_is_left(crawl.left) == {"threads": [], "children": []}
    stats = json.loads(crawl.left.read_text())["stats"]
    assert stats["faults/in"] == stats["item_scraped_count"] == stats["boilernet/items/labeled"]
    assert stats["boilernet/pages"] == stats["response_received_count"] >= 1


@pytest.mark.parametrize(
    ("mode", "number"), [("thread", signal.SIGTERM), ("process", signal.SIGINT)]
)
def test_second_signal_ends_all_at_once(waiting: Any, mode: str, number: signal.Signals) -> None:
    crawl = waiting(mode)
    # Not before it closes: Scrapy would take the second signal first, and wait for the page.
    begun = "Closing spider (shutdown)"
    crawl.signal(number, f"Received {number.name}, shutting down gracefully", begun)
    crawl.signal(number)  # what Scrapy says to it is lost if it was writing its log just then
    crawl.end()  # though nobody has let the page go, and it has no timeout


def test_crawl_that_is_paused_and_resumed_gives_every_item_once(
    site: FaultySite, tmp_path: Path
) -> None:
    pages = [page(n) for n in range(10)]
    pages[1]["follow"] = pages[5]["follow"] = "/page?n=followed"
    more = {"CONCURRENT_REQUESTS": 2, "DOWNLOADER_MIDDLEWARES": {"faults_around.AskAgain": 100}}
    more["JOBDIR"] = str(tmp_path / "whole")
    whole = crawl_faults(site, tmp_path, pages, settings("inline", **more)).crawl
    more["JOBDIR"] = str(tmp_path / "job")
    turns = zip(MODES, (4, 0), strict=True)
    parts = [
        crawl_faults(site, tmp_path, pages, settings(mode, FAULTS_PAUSE_AT=at, **more))
        for mode, at in turns
    ]
    assert [part.stats["finish_reason"] for part in parts] == ["shutdown", "finished"]
    for part in parts:
        part.check(len(part.crawl.items))
        part.check_labeled()
        assert 0 < len(part.crawl.items) < 11
        assert "scheduler/unserializable" not in part.stats
    items = [item for part in parts for item in part.crawl.fields()]
    assert sorted(map(repr, items)) == sorted(map(repr, whole.fields()))
    assert sorted(item["n"] for item in items) == [*map(str, range(10)), "followed"]
