"""Threads that label give way to the reactor, and change nothing of other threads."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from testing.standins import job_of

from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import Outcome, PageJob
from scrapy_boilernet.workers.scheduling import (
    LATE_SECONDS,
    let_others_run_first,
    wait_longer_for_the_lock,
)
from scrapy_boilernet.workers.thread import ThreadMode

T = TypeVar("T")

if sys.platform != "linux":
    pytest.skip("only Linux has the policy and the slack", allow_module_level=True)


def state() -> tuple[int, int]:
    """Return the scheduling policy and the timer slack, in nanoseconds, of this thread."""
    slack = Path(f"/proc/{threading.get_native_id()}/timerslack_ns")
    return os.sched_getscheduler(0), int(slack.read_text())


def in_thread(function: Callable[[], T]) -> T:
    found: list[T] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def changed(before: Callable[[], object] = lambda: None) -> tuple[int, int]:
    """Return the state of a thread that gives way; it calls ``before`` first."""
    before()
    let_others_run_first()
    wait_longer_for_the_lock()
    return state()


def test_only_the_thread_that_asks_gives_way() -> None:
    before = state()
    assert before[0] == os.SCHED_OTHER
    assert in_thread(changed) == (os.SCHED_BATCH, LATE_SECONDS * 1e9)
    assert state() == before == in_thread(state)


def test_a_policy_that_the_user_has_chosen_stays() -> None:
    def idle() -> None:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    assert in_thread(lambda: changed(idle))[0] == os.SCHED_IDLE


def test_a_system_that_refuses_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    before = state()
    monkeypatch.setattr(os, "sched_setscheduler", refuse)
    monkeypatch.setattr(Path, "write_text", refuse)
    assert in_thread(changed) == before


def test_the_thread_that_labels_gives_way() -> None:
    class Worker:
        model = ""

        def label(self, jobs: Sequence[PageJob]) -> Sequence[Outcome | Exception]:
            return [ValueError(state()) for _ in jobs]

    mode = ThreadMode(Worker(), Config())
    try:
        with pytest.raises(ValueError, match="5000000") as raised:
            asyncio.run(mode.label(lambda: job_of(b"<p>a")))
        assert raised.value.args == ((os.SCHED_BATCH, LATE_SECONDS * 1e9),)
    finally:
        mode.close()
