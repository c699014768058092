"""The main program of a worker process: reads jobs from standard input, writes their outcomes."""

from __future__ import annotations

import faulthandler
import gc
import os
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO

from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.workers.jobs import PAGES_PER_THREAD
from scrapy_boilernet.workers.page_worker import PageWorker
from scrapy_boilernet.workers.wire import (
    job_of,
    outcomes_frame,
    read_frame,
    write_answer,
    write_frame,
    write_place,
)

Frame = tuple[dict[str, Any], list[bytes]]
Frames = SimpleQueue[Frame]
Work = Callable[[PageWorker, dict[str, Any], list[bytes]], Frame]
"""Takes (head, parts) of a frame of jobs, and returns (head, parts) of the answer."""

GRACE_SECONDS = 10
"""The parent ends this process if a page takes longer than the timeout. Without a parent, it ends
so many seconds after the longest time that its pages may take, twice the timeout for each."""


def label_jobs(worker: PageWorker, head: dict[str, Any], bodies: list[bytes]) -> Frame:
    """Return the outcomes of the jobs of :func:`~scrapy_boilernet.workers.wire.write_jobs`."""
    batch = [job_of(job, body) for job, body in zip(head["jobs"], bodies, strict=True)]
    return outcomes_frame(worker.label(batch))


def main(work: Work = label_jobs) -> None:
    """Work until the parent closes the pipe or ends, then end the process."""
    jobs, answers = _own_pipes()
    frames: Frames = SimpleQueue()
    Thread(target=_read_all, args=(jobs, frames), daemon=True).start()
    setup, _ = frames.get()
    seconds = setup.pop("timeout")
    del setup["parts"]
    setup["sites"] = setup["sites"] and SiteRules.of_rows(setup["sites"])
    try:
        worker = PageWorker.of(**setup)
    except ModelError as error:
        write_frame(answers, {"model_error": str(error)})
        os._exit(1)
    write_frame(answers, {"model_error": None, "model": worker.model})
    gc.freeze()  # what is loaded stays, so no collection need visit it
    worker.began = partial(write_place, answers)
    while True:  # one thread after the other; see PAGES_PER_THREAD
        thread = Thread(target=_work, args=(worker, work, frames, answers, seconds))
        thread.start()
        thread.join()


def _work(
    worker: PageWorker, work: Work, frames: Frames, answers: BinaryIO, seconds: float | None
) -> None:
    """Do jobs up to PAGES_PER_THREAD pages; any exception ends the process, not only the thread."""
    try:
        _do_jobs(worker, work, frames, answers, seconds)
    except BaseException:  # else the parent would wait for an answer until its timeout
        traceback.print_exc()
        os._exit(1)


def _do_jobs(
    worker: PageWorker, work: Work, frames: Frames, answers: BinaryIO, seconds: float | None
) -> None:
    left = PAGES_PER_THREAD
    with Path(os.devnull).open("w") as devnull:
        while left > 0:
            head, bodies = frames.get()
            if seconds:  # works without the GIL, so also if C code hangs
                most_seconds = seconds * (1 + 2 * len(bodies)) + GRACE_SECONDS
                faulthandler.dump_traceback_later(most_seconds, exit=True, file=devnull)
            answer = work(worker, head, bodies)
            faulthandler.cancel_dump_traceback_later()
            write_answer(answers, *answer)
            left -= len(bodies)


def _own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return (jobs, answers): standard input and output under new descriptors.

    Text that a library prints goes to standard error instead.
    """
    jobs, answers = os.dup(0), os.dup(1)
    devnull = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(devnull, number)
    with suppress(OSError):  # a daemon may have no standard error
        os.dup2(2, 1)
    return os.fdopen(jobs, "rb"), os.fdopen(answers, "wb")


def _read_all(jobs: BinaryIO, frames: Frames) -> None:
    """Read all the time, so that the end of the parent is also noticed while a page is labeled."""
    try:
        while True:
            frames.put(read_frame(jobs))
    except (EOFError, OSError):
        os._exit(0)
