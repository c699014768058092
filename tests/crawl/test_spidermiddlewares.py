"""The spider middleware: every item is tied to its page, and outputs pass through unchanged."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse
from testing.standins import labeled_page, new_runtime

from scrapy_boilernet.crawl.items import Tied
from scrapy_boilernet.crawl.responses import NOTES, Note
from scrapy_boilernet.crawl.runtime import Runtime
from scrapy_boilernet.settings.config import META_RESULT
from scrapy_boilernet.spidermiddlewares import BoilerNetSpiderMiddleware

URL = "http://example.com/"
Outputs = Callable[[Runtime, HtmlResponse, list[Any]], list[Any]]


def response_of(meta: dict[str, Any]) -> HtmlResponse:
    return HtmlResponse(URL, body=b"<p>Text</p>", request=Request(URL, meta=meta))


def labeled_response(runtime: Runtime, request: Request | None = None) -> HtmlResponse:
    request = request or Request(URL)
    request.meta[META_RESULT] = result = labeled_page()
    NOTES[request] = Note(runtime, (), result, runtime.config)
    return HtmlResponse(request.url, body=b"<p>Text</p>", request=request)


def outputs_sync(runtime: Runtime, response: HtmlResponse, outputs: list[Any]) -> list[Any]:
    middleware = BoilerNetSpiderMiddleware(runtime)
    return list(middleware.process_spider_output(response, outputs))


def outputs_async(runtime: Runtime, response: HtmlResponse, outputs: list[Any]) -> list[Any]:
    async def callback() -> AsyncIterator[Any]:
        for output in outputs:
            yield output

    async def collect() -> list[Any]:
        results = BoilerNetSpiderMiddleware(runtime).process_spider_output_async(
            response, callback()
        )
        return [output async for output in results]

    return asyncio.run(collect())


both = pytest.mark.parametrize("run", [outputs_sync, outputs_async])


@both
def test_items_of_a_labeled_page_are_tied_and_all_outputs_pass(run: Outputs) -> None:
    runtime = new_runtime()
    response = labeled_response(runtime)
    outputs = [{"n": 1}, Request(URL), None, {"n": 2}]
    passed = run(runtime, response, outputs)
    assert all(a is b for a, b in zip(passed, outputs, strict=True))
    assert len(runtime.ties) == 2
    found = runtime.ties.take(outputs[0], dict)
    assert found == Tied(response.meta[META_RESULT], runtime.config)


@both
def test_items_of_an_unlabeled_page_are_known_to_have_none(run: Outputs) -> None:
    runtime, response, item = new_runtime(), response_of({}), {"n": 1}
    run(runtime, response, [item])
    assert len(runtime.ties) == 1
    assert runtime.ties.take(item, dict) == Tied()


@both
def test_result_does_not_travel_on_with_a_copied_meta(run: Outputs) -> None:
    runtime = new_runtime()
    response = labeled_response(runtime)
    follow = Request(URL + "next", meta={**response.meta, "mine": 1})
    run(runtime, response, [follow])
    assert follow.meta == {"mine": 1}
    assert META_RESULT in response.meta


@both
def test_result_stays_for_items_that_follow_a_request_with_the_very_same_meta(
    run: Outputs,
) -> None:
    runtime = new_runtime()
    response = labeled_response(runtime)
    item, request = {"n": 1}, response.request
    assert request
    run(runtime, response, [request, request.replace(), item])
    assert runtime.ties.take(item, dict).result


@both
@pytest.mark.parametrize("where", ["cb_kwargs", "meta"])
def test_an_item_that_is_filled_stays_so_through_a_queue_on_disk(run: Outputs, where: str) -> None:
    runtime = new_runtime()
    item: dict[str, Any] = {"n": 1}
    follow = Request(f"{URL}comments", **{where: {"item": item}})
    runtime.ties.mark(item, "labeled")
    run(runtime, labeled_response(runtime), [follow])
    stored = Request(follow.url, meta=copy.deepcopy(follow.meta),
                     cb_kwargs=copy.deepcopy(follow.cb_kwargs))  # fmt: skip
    travelled, other = getattr(stored, where)["item"], {"n": 1}
    comments = labeled_response(runtime, stored)
    further = Request(f"{URL}more", cb_kwargs={"item": travelled})
    run(runtime, comments, [further, travelled, other])
    assert further.meta == {"_boilernet_filled": {"cb_kwargs item": "labeled"}}
    assert runtime.ties.take(travelled, dict) == Tied(state="labeled")
    assert runtime.ties.take(other, dict).result is not None


@both
def test_response_without_a_request_passes_its_outputs(run: Outputs) -> None:
    runtime = new_runtime()
    request = Request(URL, meta={META_RESULT: labeled_page()})
    outputs = [{"n": 1}, request]
    assert run(runtime, HtmlResponse(URL), outputs) == outputs
    assert META_RESULT not in request.meta


@both
def test_outputs_of_an_errback_come_without_a_response(run: Outputs) -> None:
    runtime = new_runtime()
    outputs = [{"n": 1}, Request(URL), None]
    assert run(runtime, None, outputs) == outputs  # type: ignore[arg-type]
    assert len(runtime.ties) == 0


@both
def test_items_have_their_own_response_while_its_request_is_downloaded_again(run: Outputs) -> None:
    runtime = new_runtime()
    first = labeled_response(runtime)
    BoilerNetSpiderMiddleware(runtime).process_spider_input(first)
    labeled_response(runtime, first.request)
    item = {"n": 1}
    run(runtime, first, [item])
    assert runtime.ties.take(item, dict).result is NOTES[first].outcome
    assert NOTES[first] is not NOTES[first.request]


def test_items_are_tied_one_by_one_as_the_callback_yields_them() -> None:
    runtime = new_runtime()
    middleware = BoilerNetSpiderMiddleware(runtime)
    response = labeled_response(runtime)
    results = middleware.process_spider_output(response, ({"n": n} for n in range(3)))
    assert len(runtime.ties) == 0
    next(results)
    assert len(runtime.ties) == 1


@both
@pytest.mark.parametrize(
    "meta", [{META_RESULT: "the user's own"}, {META_RESULT: labeled_page()}, {}]
)
def test_meta_that_the_user_has_changed_costs_the_fields_and_no_item(
    run: Outputs, meta: dict[str, Any]
) -> None:
    runtime = new_runtime()
    outputs = [{"n": 1}]
    assert run(runtime, response_of(meta), outputs) == outputs
    assert runtime.ties.take(outputs[0], dict) == Tied()
