"""The worker process with another extractor: it reads the frames of stored jobs."""

from __future__ import annotations

import io
from typing import Any

import pytest

from benchmarks.bulk import peer_main
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.bulk.records import (
    Record,
    RecordOptions,
    StoredJob,
    read_records,
    write_stored_jobs,
)
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import PageError
from scrapy_boilernet.workers.wire import read_frame, write_frame


def fails_on_the_second(html: bytes, url: str, _language: str | None) -> str:
    if b"two" in html:
        raise ValueError("no text")
    return f"{url}: {html.decode()}"


def test_another_extractor_answers_a_frame_of_stored_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(peer_main.PEER_VARIABLE, "some")
    monkeypatch.setattr(peer_main, "_extractor", lambda _name: (fails_on_the_second, "1.0"))
    pages = [RawPage("a.warc", body, n, f"https://a.example/{n}")  # type: ignore[arg-type]
             for n, body in enumerate((b"<p>one", b"<p>two"))]  # fmt: skip
    sent, answer = io.BytesIO(), io.BytesIO()
    write_stored_jobs(sent, [StoredJob.of(page, Config(), RecordOptions()) for page in pages])
    sent.seek(0)
    worker: Any = None
    write_frame(answer, *peer_main.work(worker, *read_frame(sent)))
    answer.seek(0)
    record, error = read_records(answer)
    assert isinstance(record, Record)
    assert b"https://a.example/0: <p>one" in record.line
    assert isinstance(error, PageError)
    assert error.name == "ValueError"
