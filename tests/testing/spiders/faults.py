"""A spider that follows the setting ``FAULTS_PLAN`` and counts what it yields.

The plan's ``pages`` each have a ``path``, and may have a ``fault`` (its name), an ``act`` (methods
of the spider to call in the page's callback), and the request's ``meta``. With ``chain`` each page
is requested when the callback of the one before has run.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import faults_labelers
from scrapy import Request, signals
from testing.requesting import RequestingSpider

from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.extractor.labeled import LabeledPage

Page = dict[str, Any]


def write_what_is_left(file: Path, stats: dict[str, Any]) -> None:
    """Write the names of threads and child processes that are left, and the stats."""
    threads = [each.name for each in threading.enumerate() if each is not threading.main_thread()]
    children: list[str] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended since it was listed
            children += task.read_text().split()
    left = {"threads": threads, "children": children, "stats": stats}
    file.write_text(json.dumps(left, default=str))


class FaultsSpider(RequestingSpider):
    """One item per page, from its callback or from its errback."""

    name = "faults"
    responses = 0

    def requests(self) -> Iterator[Request]:
        self.runtime = Runtime.of(self.crawler)
        self.folder = faults_labelers.FOLDER
        if left := self.settings.get("FAULTS_LEFT"):
            atexit.register(write_what_is_left, Path(left), self.crawler.stats.get_stats())
        self.crawler.signals.connect(self.pause, signals.response_received)
        plan = self.settings.getdict("FAULTS_PLAN")
        pages = iter([self.request(page) for page in plan["pages"]])
        self.later = pages if plan.get("chain") else iter(())
        for request in pages:
            yield request
            if plan.get("chain"):
                return

    def request(self, page: Page) -> Request:
        return Request(
            self.site + page["path"], self.parse, errback=self.fail,
            dont_filter=not self.settings.get("JOBDIR"),
            cb_kwargs={"page": page}, meta=page.get("meta"),
        )  # fmt: skip

    def parse(self, response: Any, page: Page) -> Iterator[Any]:
        result = response.meta.get("boilernet_result")
        yield self.item(page, labeled=isinstance(result, LabeledPage), status=response.status)
        yield from self.more(response, page)
        yield from self.next(page)

    def more(self, response: Any, page: Page) -> Iterator[Any]:
        """Request the page that follows, with the whole meta of this one."""
        if "follow" in page:
            yield self.request({"path": page["follow"], "meta": response.meta})

    def fail(self, failure: Any) -> Iterator[Any]:
        page = failure.request.cb_kwargs["page"]
        yield self.item(page, failure=type(failure.value).__name__)
        yield from self.next(page)

    def item(self, page: Page, **more: Any) -> dict[str, Any]:
        """Do the page's acts, count its item as yielded, and return it."""
        self.crawler.stats.inc_value("faults/in")
        for act in page.get("act", "").split():
            getattr(self, act)(page)
        query = parse_qs(urlsplit(page["path"]).query)
        return {"path": page["path"], "n": query.get("n", [""])[0], "fault": page.get("fault"),
                **more}  # fmt: skip

    def next(self, page: Page) -> Iterator[Request]:
        """Request the page after this one."""
        if request := next(self.later, None):
            yield request

    def closed(self, reason: str) -> None:
        self.crawler.stats.set_value("faults/ties", len(self.runtime.ties))

    def kill_workers(self, page: Page) -> None:
        for pid in self.runtime.mode.pids:  # type: ignore[attr-defined]
            with suppress(ProcessLookupError):  # it may have been killed before
                os.kill(pid, signal.SIGKILL)

    def take_model_away(self, page: Page) -> None:
        (self.folder / "model").rename(self.folder / "model-away")
        self.kill_workers(page)

    def give_model_back(self, page: Page) -> None:
        (self.folder / "model-away").rename(self.folder / "model")

    def release(self, page: Page) -> None:
        faults_labelers.RELEASE.set()

    def note_whether_the_worker_is_gone(self, page: Page) -> None:
        pid = int((self.folder / f"pid of {page['fault']}").read_text())
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            self.crawler.stats.inc_value("faults/gone")

    def pause(self) -> None:
        """Send SIGINT, as by Ctrl-C, at the response of the setting; its callback comes later."""
        self.responses += 1
        if self.responses == self.settings.getint("FAULTS_PAUSE_AT"):
            os.kill(os.getpid(), signal.SIGINT)

    def forbid_writing(self, page: Page) -> None:
        """Let no file grow, as on a full disk."""
        import resource

        self.limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, self.limits[1]))

    def allow_writing(self, page: Page) -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, self.limits)

    @property
    def disk(self) -> Path:
        return self.folder / "disk"

    def fill_disk(self, page: Page) -> None:
        with (self.disk / "filling").open("wb", buffering=0) as filling:
            try:
                while True:
                    filling.write(bytes(512))
            except OSError:
                return

    def empty_disk(self, page: Page) -> None:
        (self.disk / "filling").unlink()

    def make_disk_read_only(self, page: Page) -> None:
        disk = str(self.disk)
        subprocess.run(["mount", "--bind", disk, disk], check=True)
        subprocess.run(["mount", "-o", "remount,bind,ro", disk], check=True)

    def make_disk_writable(self, page: Page) -> None:
        subprocess.run(["umount", "-l", str(self.disk)], check=True)

    def keep_store(self, page: Page) -> None:
        shutil.copytree(self.disk / "store", self.folder / "kept")

    def put_file_in_place_of_folder(self, page: Page) -> None:
        shutil.rmtree(self.disk / "store")
        (self.disk / "store").write_text("no folder")

    def take_file_away(self, page: Page) -> None:
        (self.disk / "store").unlink()

    def remove_folder(self, page: Page) -> None:
        shutil.rmtree(self.disk / "store", ignore_errors=True)  # it may not be there again
