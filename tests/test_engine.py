"""The engines: where the work runs, what comes back, and what closing does."""

from __future__ import annotations

import asyncio
import threading
from textwrap import dedent

import pytest
from crawling import run_python

from scrapy_boilernet.engine import Engine, InlineEngine, ThreadEngine, engine_of

ON_SELECT_REACTOR = """
    import threading
    from twisted.internet import selectreactor
    selectreactor.install()
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred, ensureDeferred
    from scrapy_boilernet.engine import ThreadEngine

    engine = ThreadEngine()
    running, go_on = threading.Event(), threading.Event()

    def block():
        running.set()
        go_on.wait()

    async def check():
        where = await engine.run(lambda: threading.current_thread().name)
        print(where, threading.current_thread() is threading.main_thread())
        try:
            await engine.run(lambda: 1 / 0)
        except ZeroDivisionError as error:
            print(error)
        first = ensureDeferred(engine.run(block))
        second = ensureDeferred(engine.run(print))
        running.wait()
        engine.close()
        go_on.set()
        await first
        try:
            await second
        except Exception as error:
            print(type(error).__name__)

    def done(outcome):
        print(outcome)
        reactor.stop()

    reactor.callWhenRunning(lambda: ensureDeferred(check()).addBoth(done))
    reactor.run()
"""


def thread_name() -> str:
    return threading.current_thread().name


def run_once(engine: Engine) -> str:
    return asyncio.run(engine.run(thread_name))


@pytest.mark.parametrize(("mode", "kind"), [("thread", ThreadEngine), ("inline", InlineEngine)])
def test_mode_names_its_engine(mode: str, kind: type[Engine]) -> None:
    engine = engine_of(mode)
    assert isinstance(engine, kind)
    engine.close()


def test_inline_engine_works_where_it_is_awaited() -> None:
    assert run_once(InlineEngine()) == thread_name()


def test_thread_engine_works_in_one_thread_of_its_own() -> None:
    engine = ThreadEngine()

    async def run_many() -> list[str]:
        return await asyncio.gather(*(engine.run(thread_name) for _ in range(20)))

    names = set(asyncio.run(run_many()))
    engine.close()
    assert len(names) == 1
    assert names.pop().startswith("boilernet")


def test_event_loop_goes_on_while_the_thread_works() -> None:
    engine = ThreadEngine()
    go_on = threading.Event()

    async def run() -> str:
        work = asyncio.ensure_future(engine.run(lambda: (go_on.wait(), "done")[1]))
        await asyncio.sleep(0)  # the loop turns, although the work waits for it
        go_on.set()
        return await work

    assert asyncio.run(run()) == "done"
    engine.close()


@pytest.mark.parametrize("engine", [ThreadEngine(), InlineEngine()], ids=["thread", "inline"])
def test_exception_of_the_work_is_raised_where_it_is_awaited(engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(engine.run(lambda: 1 // 0))
    engine.close()


def test_close_cancels_what_waits_and_lets_the_page_at_hand_finish() -> None:
    engine = ThreadEngine()
    running, go_on = threading.Event(), threading.Event()

    def block() -> str:
        running.set()
        go_on.wait()
        return "finished"

    async def run() -> tuple[object, object]:
        first = asyncio.ensure_future(engine.run(block))
        second = asyncio.ensure_future(engine.run(thread_name))
        while not running.is_set():
            await asyncio.sleep(0)
        engine.close()
        go_on.set()
        return await asyncio.gather(first, second, return_exceptions=True)

    first, second = asyncio.run(run())
    assert first == "finished"
    assert isinstance(second, asyncio.CancelledError)


def test_closed_engine_takes_no_more_work() -> None:
    engine = ThreadEngine()
    engine.close()
    with pytest.raises(RuntimeError, match="shutdown"):
        run_once(engine)


def test_thread_engine_works_on_a_reactor_without_asyncio() -> None:
    completed = run_python("-c", dedent(ON_SELECT_REACTOR))
    assert completed.stderr.decode() == ""
    assert completed.stdout.decode().splitlines() == [
        "boilernet_0 True",
        "division by zero",
        "CancelledError",
        "None",
    ]
