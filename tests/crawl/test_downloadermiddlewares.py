"""The downloader middleware: which pages it labels, which it leaves, and that it never raises."""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from testing.responses import HTML, URL, process, response_of
from testing.standins import Failing, counts, new_runtime

from scrapy_boilernet.crawl.responses import NOTES
from scrapy_boilernet.downloadermiddlewares import BoilerNetDownloaderMiddleware
from scrapy_boilernet.settings.config import META_RESULT
from scrapy_boilernet.workers.thread import InlineMode, ThreadMode


def test_html_page_is_labeled_and_counted() -> None:
    runtime = new_runtime()
    result = process(runtime).meta[META_RESULT]
    assert result.labels == ("content", "boilerplate", "content")
    assert (result.text, result.page.url, result.model) == ("One\nThree", URL, "half")
    assert counts(runtime) == {
        "pages": 1,
        "source/model": 1,
        "blocks/content": 2,
        "blocks/boilerplate": 1,
        "cache/misses": 1,
    }


def test_seconds_of_both_stages_are_counted() -> None:
    runtime = new_runtime()
    process(runtime)
    assert runtime.stats.get_value("boilernet/seconds/blockify") > 0
    assert runtime.stats.get_value("boilernet/seconds/label") > 0


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (response_of(status=404), "status"),
        (response_of(status=199), "status"),
        (response_of(status=300), "status"),
        (response_of(url="http://example.com/robots.txt"), "robots_txt"),
        (response_of(content_type="text/plain", kind=TextResponse), "content_type"),
        (response_of(content_type="application/json", kind=TextResponse), "content_type"),
        (response_of(content_type="application/xml", kind=XmlResponse), "content_type"),
        (response_of(content_type="image/png", kind=Response), "content_type"),
        (response_of(content_type="text/html", kind=Response), "content_type"),
        (response_of(content_type=None, kind=TextResponse), "content_type"),
        (response_of(content_type="text/html-ish"), "content_type"),
        (response_of(body=b"x" * 101), "too_large"),
    ],
)
def test_page_is_skipped_and_the_reason_counted(response: Response, reason: str) -> None:
    runtime = new_runtime(max_bytes=100, over_max_bytes="skip")
    assert META_RESULT not in process(runtime, response).meta
    assert counts(runtime) == {f"skipped/{reason}": 1}


def test_page_that_its_callback_asks_for_is_labeled_with_the_formats_asked_for() -> None:
    runtime = new_runtime(label="requested", metadata_field="metadata")
    assert META_RESULT not in process(runtime).meta
    runtime.asked = lambda _: ("html",)
    result = process(runtime).meta[META_RESULT]
    assert (result.markdown, result.html) == (None, "<p>One</p>\n<p>Three</p>")
    assert result.metadata is not None
    assert META_RESULT not in process(runtime, meta={"boilernet": False}).meta


@pytest.mark.parametrize("meta", [{}, {"boilernet": True}, {"boilernet": {}}])
@pytest.mark.parametrize("status", [200, 404])
@pytest.mark.parametrize("settings", [{}, {"label": "requested"}, {"label_urls": ["/shop/"]}])
def test_robots_txt_is_counted_whatever_is_to_be_labeled(
    settings: dict[str, Any], status: int, meta: dict[str, Any]
) -> None:
    runtime = new_runtime(**settings)
    process(runtime, response_of(url="http://example.com/robots.txt", status=status), meta)
    assert counts(runtime) == {"skipped/robots_txt": 1}


@pytest.mark.parametrize(
    ("response", "meta", "stat"),
    [
        (response_of(status=404), {}, "skipped/status"),
        (response_of(body=b"%PDF-1.7"), {}, "skipped/not_html"),
        (response_of(), {"boilernet": 5}, "skipped/bad_override"),
        (response_of(), {"boilernet": {"threshold": 2}}, "skipped/bad_override"),
    ],
)
def test_request_of_an_unlabeled_page_knows_the_stat_that_counts_it(
    response: Response, meta: dict[str, Any], stat: str
) -> None:
    runtime = new_runtime()
    assert NOTES[process(runtime, response, meta)].unlabeled == stat
    assert counts(runtime) == {stat: 1}


def test_error_is_noted_where_it_is_counted() -> None:
    assert NOTES[process(new_runtime(Failing()))].unlabeled == "errors/ZeroDivisionError"


@pytest.mark.parametrize(
    "response",
    [
        response_of(content_type="TEXT/HTML ;charset=utf-8"),
        response_of(content_type="application/xhtml+xml"),
        response_of(content_type=None),
        response_of(content_type=""),
        response_of(url="http://example.com/a/robots.txt"),
        response_of(body=HTML.ljust(100)),
        response_of(status=299),
    ],
)
def test_page_at_the_edge_of_the_rules_is_labeled(response: Response) -> None:
    assert META_RESULT in process(new_runtime(max_bytes=100), response).meta


@pytest.mark.parametrize("override", [True, None, {}])
def test_override_that_says_nothing_leaves_the_settings(override: Any) -> None:
    runtime = new_runtime()
    request = process(runtime, meta={"boilernet": override})
    assert NOTES[request].config == runtime.config
    assert META_RESULT in request.meta


def test_override_false_switches_the_page_off() -> None:
    runtime = new_runtime()
    assert META_RESULT not in process(runtime, meta={"boilernet": False}).meta
    assert counts(runtime) == {"skipped/off": 1}


def test_override_dict_changes_the_config_of_this_request_alone() -> None:
    runtime = new_runtime()
    request = process(runtime, meta={"boilernet": {"threshold": 0.95, "text_field": "body"}})
    assert request.meta[META_RESULT].content == ()
    assert NOTES[request].config.text_field == "body"  # type: ignore[union-attr]
    assert runtime.config.text_field == "main_text"
    assert counts(runtime)["pages_without_content"] == 1


def test_override_of_favor_fallback_title_and_comments_decides_the_labels() -> None:
    runtime = new_runtime()
    sure = process(runtime, meta={"boilernet": {"favor": "precision", "fallback": False}})
    assert (sure.meta[META_RESULT].source, sure.meta[META_RESULT].threshold) == ("nothing", 0.95)
    own = {"favor": "precision", "fallback": ["main-element"]}
    in_main = response_of(b"<main><p>" + b"The crabs came early this year. " * 10)
    other = process(runtime, in_main, meta={"boilernet": own})
    assert other.meta[META_RESULT].source == "main-element"
    eager = process(runtime, meta={"boilernet": {"favor": "recall"}})
    assert set(eager.meta[META_RESULT].labels) == {"content"}
    assert counts(runtime)["source/model"] == counts(runtime)["source/nothing"] == 1


def test_override_of_limits_and_statuses_decides_what_is_skipped() -> None:
    runtime = new_runtime(max_bytes=1)
    override = {"max_bytes": 1000, "statuses": [404], "content_types": ["text/x"], "max_blocks": 2}
    response = response_of(status=404, content_type="text/x")
    request = process(runtime, response, {"boilernet": override})
    assert len(request.meta[META_RESULT].page.blocks) == 2
    assert counts(runtime)["truncated"] == 1


def test_threshold_of_a_request_ranks_above_that_of_its_domain() -> None:
    runtime = new_runtime(domain_thresholds={"example.com": 0.05})
    request = process(runtime, meta={"boilernet": {"threshold": 0.95}})
    assert request.meta[META_RESULT].threshold == 0.95


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (
            {"treshold": 0.5},
            "unknown key 'treshold' in request.meta['boilernet']; did you mean 'thr",
        ),
        ({"BOILERNET_FAVOR": "recall"}, "did you mean 'favor'? Known keys are"),
        ({"skip": True}, "unknown key 'skip' in request.meta['boilernet']; known keys are"),
        ({"threshold": 2}, "['threshold'] = 2"),
        ({"max_bytes": "many"}, "['max_bytes'] = 'many'"),
        ({"max_bytes": float("inf")}, "['max_bytes'] = inf"),
        ({"text_field": 3}, "['text_field'] = 3"),
        ({"statuses": None}, "['statuses'] = None"),
        ("no", "must be False, True or a dict"),
        (0.5, "must be False, True or a dict"),
    ],
)
def test_bad_override_leaves_the_page_unlabeled_and_is_logged_once(
    override: Any, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime()
    for _ in range(2):
        assert META_RESULT not in process(runtime, meta={"boilernet": override}).meta
    assert counts(runtime) == {"skipped/bad_override": 2}
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    assert said in record.getMessage()
    assert URL in record.getMessage()


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("boilernet_threshold", "{'threshold': ...}"),
        ("boilernet_treshold", "{'threshold': ...}"),
        ("BOILERNET_FAVOR", "{'favor': ...}"),
        ("boiler_net-favour", "{'favor': ...}"),
        ("boilernet_markdown", "{'markdown_field': ...}"),
        ("Boilernet", "request.meta['boilernet']?"),
        ("boilernet_", "request.meta['boilernet']?"),
        ("boilerent", "request.meta['boilernet']?"),
        ("boilernet_skip", "or False to skip"),
    ],
)
def test_key_of_a_meta_that_looks_like_one_is_counted_and_named_once(
    key: str, meant: str, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime()
    for _ in range(2):
        assert META_RESULT in process(runtime, meta={key: 0.5}).meta
    assert counts(runtime)["unknown_meta_keys"] == 2
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert all(part in record.getMessage() for part in (repr(key), URL, meant))


@pytest.mark.parametrize("key", ["boilerplate", "net", "page", 5, "cookiejar", "boiler", ""])
def test_other_keys_of_a_meta_are_left_alone(key: Any, caplog: pytest.LogCaptureFixture) -> None:
    runtime = new_runtime()
    first = process(runtime, meta={key: 1, "boilernet": {}})
    process(runtime, meta=first.meta | {"boilernet_page": "0"})
    assert "unknown_meta_keys" not in counts(runtime)
    assert caplog.records == []


@pytest.mark.parametrize("override", [False, {"treshold": 1}, {"statuses": [404]}])
def test_result_in_a_copied_meta_is_removed_from_an_unlabeled_page(override: Any) -> None:
    runtime = new_runtime()
    meta = {**process(runtime).meta, "boilernet": override}
    assert META_RESULT in meta
    request = process(runtime, meta=meta)
    assert META_RESULT not in request.meta
    assert NOTES[request].outcome is None


def test_failing_labeler_is_counted_and_logged_with_the_first_url(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runtime = new_runtime(Failing())
    for number in range(3):
        request = process(runtime, response_of(url=f"{URL}?{number}"))
        assert META_RESULT not in request.meta
    assert counts(runtime) == {"errors/ZeroDivisionError": 3}
    (record,) = caplog.records
    assert f"{URL}?0" in record.getMessage()
    assert record.exc_info


def test_page_that_takes_too_much_memory_does_not_stop_the_crawl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = new_runtime()
    worker = cast("InlineMode", runtime.mode).worker
    monkeypatch.setattr(worker, "cache", lambda *_: (_ for _ in ()).throw(MemoryError))
    assert META_RESULT not in process(runtime).meta
    assert counts(runtime) == {"errors/MemoryError": 1}


@pytest.mark.parametrize("encoding", ["no-such-encoding", "hex", "utf-7", "idna"])
def test_page_that_declares_an_odd_encoding_is_labeled(encoding: str) -> None:
    runtime = new_runtime()
    response = response_of(content_type=f"text/html; charset={encoding}")
    assert process(runtime, response).meta[META_RESULT].text == "One\nThree"


def test_encoding_of_the_response_decides_the_text() -> None:
    response = response_of("<p>żółw</p>".encode("iso-8859-2"), "text/html; charset=iso-8859-2")
    assert process(new_runtime(), response).meta[META_RESULT].text == "żółw"


def test_same_bytes_under_another_url_come_from_the_cache_with_their_own_url() -> None:
    runtime = new_runtime()
    process(runtime)
    other = process(runtime, response_of(url="http://example.com/copy"))
    assert other.meta[META_RESULT].page.url == "http://example.com/copy"
    assert (counts(runtime)["cache/hits"], counts(runtime)["cache/misses"]) == (1, 1)


def test_page_is_labeled_in_the_worker_thread_of_mode_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runtime = new_runtime(mode="thread")
    worker = cast("ThreadMode", runtime.mode).worker
    label, threads = worker.label, []

    def watched(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return label(*arguments)

    monkeypatch.setattr(worker, "label", watched)
    assert META_RESULT in process(runtime).meta
    runtime.close()
    assert threads != [threading.current_thread()]


def test_page_after_the_end_of_the_crawl_is_left_unlabeled() -> None:
    runtime = new_runtime(mode="thread")
    runtime.close()
    assert META_RESULT not in process(runtime).meta
    assert counts(runtime) == {"errors/EngineClosedError": 1}


def test_the_charset_of_the_header_is_passed_on_never_scrapys_guess() -> None:
    runtime = new_runtime()
    html = "<html><body><p>Łódź nad rzeką, żółw na skale i kraby wśród kamieni."
    for headers in (
        {"Content-Type": "text/html; charset=iso-8859-2"},
        {"Content-Type": "text/html"},
    ):
        response = HtmlResponse(
            "http://example.pl/", body=html.encode("iso-8859-2"), headers=headers,
            encoding="koi8-r",
        )  # fmt: skip
        found = process(runtime, response)
        assert found.meta[META_RESULT].page.blocks[0].text.startswith("Łódź nad rzeką, żółw")


def test_a_stale_header_over_utf8_is_passed_over() -> None:
    response = HtmlResponse(
        "http://example.cn/", body="<p>昨日清晨，海边的潮水退去之后".encode(),
        headers={"Content-Type": "text/html; charset=gb2312"},
    )  # fmt: skip
    page = process(new_runtime(), response).meta[META_RESULT].page
    assert page.blocks[0].text == "昨日清晨，海边的潮水退去之后"


@pytest.mark.parametrize("excess", ["skip", "cut"])
def test_gzip_that_was_not_declared_is_unpacked_within_the_limit(excess: str) -> None:
    body = gzip.compress(b"<p>One" + b" " * 1_000 + b"<p>Two")
    small = new_runtime(max_bytes=500, over_max_bytes=excess)
    large = new_runtime(max_bytes=5_000, over_max_bytes=excess)
    assert len(process(large, response_of(body)).meta[META_RESULT].page.blocks) == 2
    found = process(small, response_of(body)).meta.get(META_RESULT)
    if excess == "skip":
        assert found is None
        assert counts(small) == {"skipped/too_large": 1}
    else:
        assert len(found.page.blocks) == 1
        assert counts(small)["truncated/bytes"] == 1


def test_a_binary_that_is_served_as_html_is_left_unlabeled_and_named_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    runtime = new_runtime()
    for _ in range(3):
        assert META_RESULT not in process(runtime, response_of(b"%PDF-1.7 ...")).meta
    assert counts(runtime) == {"skipped/not_html": 3}
    (record,) = caplog.records
    assert record.getMessage().endswith("left unlabeled: a PDF document, not HTML")


def test_a_head_response_is_no_empty_page() -> None:
    runtime = new_runtime()
    process(runtime, response_of(b""), method="HEAD")
    assert counts(runtime) == {"skipped/head": 1}


@pytest.mark.parametrize(
    ("settings", "meta", "labeled"),
    [
        ({}, {}, True), ({}, {"boilernet": None}, True), ({}, {"boilernet": False}, False),
        ({"label": "requested"}, {}, False), ({"label": "requested"}, {"boilernet": True}, True),
        ({"label": "requested"}, {"boilernet": {"favor": "recall"}}, True),
        ({"label": "requested"}, {"boilernet": False}, False),
        ({"label_urls": (re.compile("/story/"),)}, {}, False),
        ({"label_urls": (re.compile("example.com/$"),)}, {}, True),
        ({"label_urls": (re.compile("/story/"),)}, {"boilernet": True}, True),
        ({"label": "requested", "label_urls": (re.compile("example"),)}, {}, True),
        ({"label_urls": (re.compile("example"),)}, {"boilernet": False}, False),
    ],
)  # fmt: skip
def test_pages_are_labeled_on_request(
    settings: dict[str, Any], meta: dict[str, Any], labeled: bool
) -> None:
    runtime = new_runtime(**settings)
    request = process(runtime, response_of(url="http://example.com/"), meta)
    reason = "off" if meta.get("boilernet") is False else "not_requested"
    assert (META_RESULT in request.meta) is labeled
    assert (f"skipped/{reason}" in counts(runtime)) is not labeled


def test_a_page_that_is_not_asked_for_costs_no_job() -> None:
    runtime = new_runtime(label="requested")
    process(runtime)
    assert counts(runtime) == {"skipped/not_requested": 1}


class Downloader:
    """Stands in for a downloader of the user; it may keep no list of middlewares."""


@pytest.mark.parametrize("engine", [Downloader(), None])
def test_a_downloader_without_a_list_of_middlewares_is_named_once(
    engine: Any, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = new_runtime()
    crawler = SimpleNamespace(
        engine=SimpleNamespace(downloader=engine), settings={"DOWNLOADER": "mine.Downloader"}
    )
    for _ in range(2):
        BoilerNetDownloaderMiddleware(runtime).look_last(crawler)
    (record,) = caplog.records
    assert "DOWNLOADER = 'mine.Downloader'" in record.getMessage()
    assert "give BoilerNetDownloaderMiddleware the lowest order" in record.getMessage()


def test_looking_again_at_the_same_page_costs_no_coroutine() -> None:
    runtime = new_runtime()
    response, middleware = response_of(), BoilerNetDownloaderMiddleware(runtime)
    request = Request(response.url)
    asyncio.run(middleware.process_response(request, response))
    same = response.replace(flags=["seen"])
    assert middleware.look_again(request, same) is same
    assert counts(runtime)["pages"] == 1


def test_a_result_goes_where_the_callback_will_look_for_it() -> None:
    """A middleware may give its response a request of its own."""
    request, own = Request(URL), Request(f"{URL}?own")
    response = response_of(request=own)
    asyncio.run(BoilerNetDownloaderMiddleware(new_runtime()).process_response(request, response))
    assert META_RESULT in response.meta  # type: ignore[attr-defined]
    assert META_RESULT not in request.meta
