"""The license of a page and its opt-outs of training are read, with their source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from testing.responses import HTML, process, response_of
from testing.standins import Half, job_of, new_runtime
from testing.warcs import warc_record

from scrapy_boilernet import extract
from scrapy_boilernet.bulk.http_cache import cached_response
from scrapy_boilernet.bulk.pages import RawPage, Reading
from scrapy_boilernet.bulk.readers import deferred_pages, warc_pages
from scrapy_boilernet.bulk.records import RecordOptions, StoredJob
from scrapy_boilernet.bulk.warc import Position
from scrapy_boilernet.downloadermiddlewares import META_RESULT
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.store import PageStore
from scrapy_boilernet.workers.wire import job_head
from scrapy_boilernet.workers.wire import job_of as job_from

TEXT = "<h1>River path reopens</h1><p>The council has voted to reopen the footpath.</p>"
POLICY = "https://x.example/policy.json"
CC = "https://creativecommons.org/licenses/by/4.0/"


@pytest.mark.parametrize(
    ("head", "value", "source"),
    [
        (f'<link rel="license" href="{CC}">', CC, "link"),
        ('<link rel="LICENSE" href="/license">', "https://x.example/license", "link"),
        (f'<meta name="dcterms.license" content="{CC}">', CC, "meta"),
        ('<meta name="DC.rights" content="All rights reserved">', "All rights reserved", "meta"),
        (
            '<script type="application/ld+json">{"@type": "Article", "headline": "River path '
            f'reopens", "license": "{CC}"}}</script>',
            CC,
            "json-ld",
        ),
        (
            '<script type="application/ld+json">{"@type": "ImageObject", "license": "https://a.b/"}'
            "</script>",
            None,
            None,
        ),
        ('<meta name="dcterms.license" content="javascript:alert(1)">', None, None),
        (f'<link rel="license noopener" href="{CC}">', CC, "link"),
        (
            '<script type="application/ld+json">{"@type": "WebPage", "license": '
            f'{{"@type": "CreativeWork", "name": "CC BY", "url": "{CC}"}}}}</script>',
            CC,
            "json-ld",
        ),
    ],
)
def test_license(head: str, value: str | None, source: str | None) -> None:
    found = extract(f"<head>{head}</head>{TEXT}", "https://x.example/a", formats=("metadata",))
    assert found.metadata
    assert found.metadata.license == value
    assert found.metadata.sources.get("license") == source


@pytest.mark.parametrize(
    ("link", "value"),
    [
        (f"<p>Lizenz: <a rel=license href='{CC}'>CC BY</a></p>", CC),
        (f"<footer><a rel='license' href='{CC}'><img src=/by.png></a></footer>", CC),
        (f"<a rel='license noopener' target=_blank href='{CC}'>Licence : CC BY</a>", CC),
        (f"<a rel='noopener LICENSE' href='{CC}'>Licencia</a>", CC),
        (f"<a rel=license href='{CC}'>x</a> <a rel=license href='{CC}'>ライセンス</a>", CC),
        ("<a rel=license href='/rights.html'>Rights</a>", "https://x.example/rights.html"),
        (f"<div about=''><a rel='license' href='{CC}'>Лицензия</a></div>", CC),
        (f"<a href='{CC}'>License</a>", None),
        (f"<a rel=nolicense href='{CC}'>License</a>", None),
        (f"<figure><img src=a.png><figcaption><a rel=license href='{CC}'>x</a></figcaption>", None),
        (f"<a rel=license href='{CC}'>1</a> <a rel=license href='https://b.example/'>2</a>", None),
        ("<a rel=license href='javascript:alert(1)'>x</a>", None),
        ("<a rel=license>x</a>", None),
    ],
)
def test_the_license_that_the_page_shows(link: str, value: str | None) -> None:
    found = extract(f"{TEXT}{link}", "https://x.example/a", formats=("metadata",)).metadata
    assert found
    assert (found.license, found.sources.get("license")) == (value, value and "text")


def test_a_license_in_the_head_comes_before_one_in_the_text() -> None:
    page = f"<link rel=license href='{CC}'>{TEXT}<a rel=license href='https://b.example/'>x</a>"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    assert (found.license, found.sources["license"]) == (CC, "link")


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ('<meta name="robots" content="noai, noimageai">', ("noai", "noimageai")),
        ('<meta name="ROBOTS" content="index,NOAI">', ("noai",)),
        ('<meta name="tdm-reservation" content="1">', ("tdm-reservation",)),
        ('<meta name="tdm-reservation" content="0">', ()),
        ('<meta name="robots" content="noindex">', ()),
        ('<meta http-equiv="X-Robots-Tag" content="noai">', ("noai",)),
        ('<meta name="robots" content="somebot: noai">', ()),
        ('<meta name="robots" content="max-snippet: 5, noai">', ("noai",)),
        (
            f'<meta name="tdm-reservation" content="1"><meta name="tdm-policy" content="{POLICY}">',
            ("tdm-reservation", f"tdm-policy={POLICY}"),
        ),
        ('<meta name="tdm-policy" content="javascript:alert(1)">', ()),
        ('<meta name="tdm-policy" content="two words">', ()),
    ],
)
def test_opt_outs(head: str, words: tuple[str, ...]) -> None:
    found = extract(f"<head>{head}</head>{TEXT}", "https://x.example/a", formats=("metadata",))
    assert found.metadata
    assert found.metadata.training_opt_out == words


FIELDS: list[tuple[dict[str, list[str]], tuple[str, ...]]] = [
    ({"X-Robots-Tag": ["noai"]}, ("noai",)),
    ({"X-Robots-Tag": ["noai, noimageai"]}, ("noai", "noimageai")),
    ({"x-robots-tag": ["NoIndex, NoAI"]}, ("noai",)),
    ({"X-Robots-Tag": ["noindex", "noimageai"]}, ("noimageai",)),
    ({"X-Robots-Tag": ["unavailable_after: 25 Jun 2030 15:00:00 PST, noai"]}, ("noai",)),
    ({"X-Robots-Tag": ["somebot: noai"]}, ()),
    ({"X-Robots-Tag": ["noindex"]}, ()),
    ({"TDM-Reservation": ["1"]}, ("tdm-reservation",)),
    ({"TDM-Reservation": ["0"]}, ()),
    (
        {"tdm-reservation": [" 1 "], "TDM-Policy": [POLICY]},
        ("tdm-reservation", f"tdm-policy={POLICY}"),
    ),
    ({"TDM-Policy": ["/policy.json"]}, ("tdm-policy=/policy.json",)),
    ({"TDM-Policy": ["javascript:alert(1)"]}, ()),
    ({"TDM-Policy": ["https://x.example/" + "a" * 10_000]}, ()),
    ({"X-Robots-Tag": ["\xff\xfe, noai"] * 400}, ("noai",)),
]
BOTH = b"<meta name=robots content=noimageai><p>One</p><p>Two</p><p>Three</p>"


def check(found: Metadata | None, words: tuple[str, ...], metas: tuple[str, ...] = ()) -> None:
    assert found
    assert found.training_opt_out == (*metas, *(word for word in words if word not in metas))
    sources = [name for name, has in (("meta", metas), ("header", words)) if has]
    assert found.sources.get("training_opt_out", "") == ", ".join(sources)


@pytest.mark.parametrize(("fields", "words"), FIELDS)
def test_headers_in_a_crawl(fields: dict[str, list[str]], words: tuple[str, ...]) -> None:
    for body, metas in ((HTML, ()), (BOTH, ("noimageai",))):
        response = response_of(body=body)
        for name, values in fields.items():
            response.headers.setlist(name, [value.encode("latin-1") for value in values])
        meta = process(new_runtime(metadata_field="metadata"), response).meta
        check(meta[META_RESULT].metadata, words, metas)


def http_message(fields: dict[str, list[str]]) -> bytes:
    lines = [f"{name}: {value}\r\n" for name, values in fields.items() for value in values]
    return "".join(["Content-Type: text/html\r\n", *lines]).encode("latin-1")


def metadata_of(page: Any) -> Metadata | None:
    """Return the metadata of a stored page, as a worker makes it of a job that was sent to it."""
    assert isinstance(page, RawPage)
    job = StoredJob.of(page, Config(), RecordOptions(("metadata",))).job
    sent = job_from(job_head(job), job.body)
    (labeling,) = PageWorker(Half(), CachedBlockifier(0)).label([sent])
    assert isinstance(labeling, Labeling)
    return labeling.result.metadata


@pytest.mark.parametrize(("fields", "words"), FIELDS)
def test_headers_in_stored_crawls(
    tmp_path: Path, fields: dict[str, list[str]], words: tuple[str, ...]
) -> None:
    head = http_message(fields)
    record = warc_record("https://a.example/", b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + HTML)
    (tmp_path / "a.warc").write_bytes(record)
    with (tmp_path / "a.warc").open("rb") as file:
        (page,) = warc_pages(file, "a.warc", Position(), Reading(1_000_000))
    check(metadata_of(page), words)
    folder = tmp_path / "cached"
    folder.mkdir()
    (folder / "meta").write_text("{'url': 'https://a.example/', 'status': 200, 'timestamp': 1}")
    (folder / "response_headers").write_bytes(head)
    (folder / "response_body").write_bytes(HTML)
    (cached,) = cached_response(folder, Position(), 10_000_000)
    check(metadata_of(cached), words)
    PageStore(tmp_path / "deferred").label([job_of(HTML, opt_out=" ".join(words))])
    (deferred,) = deferred_pages(tmp_path / "deferred", Position())
    check(metadata_of(deferred), words)


@pytest.mark.parametrize("stated", ["noai " * 10_000, "other words", "tdm-policy=x", 5, "\ud800"])
def test_a_job_from_elsewhere_states_only_what_headers_can(stated: Any) -> None:
    job = job_from(
        {**job_head(PageJob(HTML, None, formats=("metadata",))), "opt_out": stated}, HTML
    )
    (labeling,) = PageWorker(Half(), CachedBlockifier(0)).label([job])
    assert isinstance(labeling, Labeling)
    assert labeling.result.metadata
    assert labeling.result.metadata.training_opt_out in ((), ("noai",))
