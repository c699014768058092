"""A labeler that fails on every third page costs no item, and no label of a healthy page."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import pytest
from testing.faulty import MODES, Faulted, FaultySite, crawl_faults, plan, settings

RAISED = ("ZeroDivisionError", "FaultError", "RudeError", "MemoryError", "RecursionError",
          "StopIteration", "CancelledError")  # fmt: skip
WRONG = ("NaN", "too short", "two dimensions", "list", "None", "words")
WRONG_NUMBER = ("one array less", "no array", "None for all")
DECIDING = ("threshold raises", "confidence raises")
TOLERATED = ("threshold float32", "confidence float32")
NO_NUMBERS = ("threshold NaN", "confidence None", "confidence text")
ENDING = ("SystemExit", "KeyboardInterrupt", "GeneratorExit")
"""Not of ``Exception``; a worker process ends by them."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with FaultySite() as site:

        @functools.cache
        def crawled(mode: str, faults: tuple[str, ...], **more: Any) -> Faulted:
            folder = tmp_path_factory.mktemp(mode)
            given = settings(mode, BOILERNET_TIMEOUT=5, CONCURRENT_REQUESTS=8, **more)
            return crawl_faults(site, folder, plan(*faults), given)

        yield crawled


ALL = (*RAISED, *WRONG, *WRONG_NUMBER, *DECIDING, *TOLERATED, *NO_NUMBERS)


@pytest.mark.parametrize("mode", MODES)
def test_every_item_comes_out_whatever_the_labeler_does(run: Any, mode: str) -> None:
    result = run(mode, ALL)
    result.check(3 * len(ALL) + 1)
    result.check_labeled()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fault", [*RAISED, *WRONG, *WRONG_NUMBER, *DECIDING])
def test_page_that_cannot_be_labeled_goes_on_without_labels(
    run: Any, mode: str, fault: str
) -> None:
    (item,) = run(mode, ALL).of(fault)
    assert "main_text" not in item
    assert not item["labeled"]


@pytest.mark.parametrize("mode", MODES)
def test_each_error_is_counted_by_its_name_and_logged_once(run: Any, mode: str) -> None:
    result = run(mode, ALL)
    for name in set(RAISED) - {"FaultError"}:
        assert result.counts[f"errors/{name}"] == 1
    assert result.counts["errors/FaultError"] == 1 + len(DECIDING)
    healthy = len(result.of(None))
    errors = sum(count for name, count in result.counts.items() if name.startswith("errors/"))
    assert errors == result.counts["items/unlabeled"]
    assert errors + result.counts["items/labeled"] == len(result.crawl.items)
    assert result.counts["items/labeled"] >= healthy
    logged = [line for line in result.crawl.log if "Could not label" in line]
    kinds = [name for name in result.counts if name.startswith("errors/")]
    assert len(logged) == len(kinds)
    # A process that lacked memory is replaced: after the page's batch, and after the page alone.
    assert result.counts.get("workers/restarted", 0) <= (2 if mode == "process" else 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fault", TOLERATED)
def test_numbers_of_numpy_are_as_good_as_others(run: Any, mode: str, fault: str) -> None:
    run(mode, ALL).check_labeled(fault)


@pytest.mark.parametrize("mode", MODES)
def test_exception_that_is_meant_to_end_a_program_ends_no_crawl(run: Any, mode: str) -> None:
    result = run(mode, ENDING)
    result.check(3 * len(ENDING) + 1)
    result.check_labeled()
    assert [item.get("main_text") for fault in ENDING for item in result.of(fault)] == [None] * 3
    errors = {name: n for name, n in result.counts.items() if name.startswith("errors/")}
    if mode == "process":
        assert errors == {"errors/WorkerDied": 3}
        assert result.counts["workers/restarted"] >= 3
    else:
        assert errors == {f"errors/{name}": 1 for name in ENDING}
