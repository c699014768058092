"""The frames of a worker process: a page's labels arrive unchanged, and are read when needed."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.standins import Half, job_of
from testing.synthetic import QUICK, article

from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.options import FORMATS, Format, LabelOptions
from scrapy_boilernet.workers.jobs import Labeling, PageError
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.wire import (
    job_head,
    outcomes_frame,
    read_frame,
    read_outcomes,
    write_frame,
)
from scrapy_boilernet.workers.wire import job_of as job_from


def labeling_of(body: bytes, formats: tuple[Format, ...] = ()) -> Labeling:
    job = job_of(body, rows=True, formats=formats)
    (outcome,) = PageWorker(Half(), CachedBlockifier(0)).label([job])
    assert isinstance(outcome, Labeling)
    return outcome


def sent(*outcomes: Labeling | Exception) -> list[Labeling | Exception]:
    stream = io.BytesIO()
    write_frame(stream, *outcomes_frame(outcomes))
    stream.seek(0)
    return read_outcomes(stream)


def check(body: bytes) -> None:
    before = labeling_of(body)
    (after,) = sent(before)
    assert isinstance(after, Labeling)
    assert after == before
    assert before == after
    assert hash(after.result) == hash(before.result)
    assert after.result.block_labels() == before.result.block_labels()
    assert after.result.kinds == before.result.kinds
    assert after.result.text == before.result.text
    assert repr(after.result.page) == repr(before.result.page)


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html", "code.html"])
def test_real_page_arrives_as_it_was(read_page: Callable[[str], bytes], name: str) -> None:
    check(read_page(name))


def test_formats_arrive_as_they_were_and_the_markup_stays(
    read_page: Callable[[str], bytes],
) -> None:
    before = labeling_of(read_page("code.html"), FORMATS).result
    assert before.markdown
    assert before.html
    (after,) = sent(labeling_of(read_page("code.html"), FORMATS))
    assert isinstance(after, Labeling)
    assert after.result == before
    assert (after.result.markdown, after.result.html) == (before.markdown, before.html)
    assert before.page.markup is None
    assert before != labeling_of(read_page("code.html")).result


def test_that_formats_are_shortened_arrives() -> None:
    (after,) = sent(labeling_of(b"<blockquote>" * 55 + b"<p>Low tide at nine.", FORMATS))
    assert isinstance(after, Labeling)
    assert after.result.shortened


@QUICK
@given(st.binary(max_size=300) | st.text(max_size=100).map(lambda t: f"<p>{t}<b>{t}".encode()))
def test_any_page_arrives_as_it_was(body: bytes) -> None:
    check(body)


def test_rows_and_text_are_there_without_building_a_block() -> None:
    (after,) = sent(labeling_of(article(1)[0]))
    assert isinstance(after, Labeling)
    assert after.result.text
    assert after.result.block_labels()
    assert "page" not in vars(after.result)
    assert isinstance(after.result, LabeledPage)


def test_sent_page_can_be_copied_replaced_and_pickled_as_any_labeled_page() -> None:
    before = labeling_of(article(2)[0]).result
    (after,) = sent(labeling_of(article(2)[0]))
    assert isinstance(after, Labeling)
    result = after.result
    assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == before
    assert replace(result, confidence=0.5) == replace(before, confidence=0.5)
    with pytest.raises(AttributeError):
        result.confidence = 0.2  # type: ignore[misc]
    assert result != "something else"


def test_error_arrives_with_its_name_and_where_it_was_raised() -> None:
    error, labeling = sent(ZeroDivisionError("by zero"), labeling_of(b"<p>x"))
    assert isinstance(error, PageError)
    assert error.name == "ZeroDivisionError"
    assert "by zero" in str(error)
    assert isinstance(labeling, Labeling)


def test_job_arrives_as_it_was() -> None:
    options = LabelOptions(0.25, "recall", ("json-ld",), "keep", "drop")
    job = job_of(
        b"\x00\xff", "http://a/\udcff", options=options, max_blocks=7, rows=True, formats=("html",)
    )
    stream = io.BytesIO()
    write_frame(stream, {"job": job_head(job)}, [job.body, b""])
    stream.seek(0)
    head, (body, empty) = read_frame(stream)
    assert job_from(head["job"], body) == job
    assert empty == b""
    with pytest.raises(EOFError):
        read_frame(stream)


def test_frame_that_was_cut_off_is_distinguished_from_a_whole_one() -> None:
    stream = io.BytesIO()
    write_frame(stream, {"n": 1}, [b"body"])
    for length in range(len(stream.getvalue())):
        with pytest.raises(EOFError):
            read_frame(io.BytesIO(stream.getvalue()[:length]))
