"""Crawls that are ended during their work: no yielded item is lost, nothing is left running."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from testing.crawling import Crawl, crawl
from testing.faulty import (
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
def closed(faulty_site: FaultySite, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """A crawl of all spiders that close themselves, in one process."""
    folder = tmp_path_factory.mktemp("closing")
    given = settings("thread", FAULTS_LEFT=str(folder / "left.json"), FAULTS_PLAN={"pages": []})
    result = crawl("faults_closing", faulty_site.url, given, environment(folder))
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
    """A crawl whose labeler has a page and waits until it may go on.

    It logs nothing: a signal that comes while Python writes its log makes Scrapy's handler, which
    logs too, fail before it has stopped anything ("reentrant call").
    """

    def __init__(self, faulty_site: FaultySite, folder: Path, mode: str) -> None:
        self.folder = folder
        self.fifos = {}
        for name in ("entered", "release", "closing"):
            os.mkfifo(folder / name)
            self.fifos[name] = os.open(folder / name, os.O_RDWR | os.O_NONBLOCK)
        self.left = folder / "left.json"
        plan = json.dumps({"pages": [page(n) for n in range(3)]})
        given = settings(mode, "waiting", BOILERNET_TIMEOUT=0, BOILERNET_BATCH_PAGES=1)
        given.update(FAULTS_PLAN=plan, FAULTS_LEFT=str(self.left), LOG_LEVEL="CRITICAL")
        self.process = spawn("faults_waiting", faulty_site.url, folder, given)

    def said(self, name: str) -> str:
        """Wait until the crawl has written into this FIFO; return the text."""
        fifo = self.fifos[name]
        ready, _, _ = select.select([fifo], [], [], WAIT_SECONDS)
        assert ready, self.kill()
        return os.read(fifo, 100).decode()

    def let_go(self) -> None:
        """Let the labeler go on with its page."""
        os.write(self.fifos["release"], b"\n")

    def end(self) -> None:
        """Wait until all processes with the crawl's standard error have ended."""
        self.process.communicate(timeout=WAIT_SECONDS)

    def kill(self) -> str:
        """Kill the processes; return what they printed."""
        os.killpg(self.process.pid, signal.SIGKILL)
        return self.process.communicate()[1]

    def close(self) -> None:
        """End all processes and close all files."""
        if self.process.poll() is None:
            self.kill()
        for fifo in self.fifos.values():
            os.close(fifo)


@pytest.fixture
def waiting(faulty_site: FaultySite, tmp_path: Path) -> Iterator[Any]:
    with ExitStack() as crawls:

        def start(mode: str) -> Waiting:
            crawl = Waiting(faulty_site, tmp_path, mode)
            crawls.callback(crawl.close)
            pid = int(crawl.said("entered"))
            assert (pid == crawl.process.pid) == (mode == "thread")
            return crawl

        yield start


@pytest.mark.parametrize(
    ("mode", "number"), [("thread", signal.SIGINT), ("process", signal.SIGTERM)]
)
def test_first_signal_lets_the_page_in_hand_be_labeled(
    waiting: Any, mode: str, number: signal.Signals
) -> None:
    crawl = waiting(mode)
    crawl.process.send_signal(number)
    assert crawl.said("closing")
    crawl.let_go()
    crawl.end()
    assert what_is_left(crawl.left) == {"threads": [], "children": []}
    stats = json.loads(crawl.left.read_text())["stats"]
    assert stats["finish_reason"] == "shutdown"
    assert stats["faults/in"] == stats["item_scraped_count"] == stats["boilernet/items/labeled"]
    assert stats["boilernet/pages"] == stats["response_received_count"] >= 1


@pytest.mark.parametrize(
    ("mode", "number"), [("thread", signal.SIGTERM), ("process", signal.SIGINT)]
)
def test_second_signal_ends_all_at_once(waiting: Any, mode: str, number: signal.Signals) -> None:
    crawl = waiting(mode)
    crawl.process.send_signal(number)
    # Not before it closes: Scrapy would take the second signal first, and wait for the page.
    assert crawl.said("closing")
    crawl.process.send_signal(number)
    crawl.end()  # though nobody has let the page go, and it has no timeout


def test_crawl_that_is_paused_and_resumed_gives_every_item_once(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    pages = [page(n) for n in range(10)]
    pages[1]["follow"] = pages[5]["follow"] = "/page?n=followed"
    more = {"CONCURRENT_REQUESTS": 2, "DOWNLOADER_MIDDLEWARES": {"faults_around.AskAgain": 100}}
    more["JOBDIR"] = str(tmp_path / "whole")
    whole = crawl_faults(faulty_site, tmp_path, pages, settings("inline", **more)).crawl
    more["JOBDIR"] = str(tmp_path / "job")
    turns = zip(MODES, (4, 0), strict=True)
    parts = [
        crawl_faults(faulty_site, tmp_path, pages, settings(mode, FAULTS_PAUSE_AT=at, **more))
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
