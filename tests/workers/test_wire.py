"""The frames of a worker process: a page's labels arrive unchanged, and are read when needed."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.html import fromstring
from testing.standins import Half, job_of
from testing.synthetic import QUICK, article

from scrapy_boilernet.crawl.responses import in_meta
from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import FORMATS, LABEL_KEYS, Format, LabelOptions
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.workers.columns import SentBlocks, read, written
from scrapy_boilernet.workers.jobs import Labeling, PageError
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.templates import shown_template
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


def frame_of(outcome: Labeling) -> bytes:
    stream = io.BytesIO()
    write_frame(stream, *outcomes_frame([outcome]))
    return stream.getvalue()


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


COUNTED_AS_OTHERS = {
    "select": "<p>Ships in<select><option>Pine Green<option>Slate</select>within a week.",
    "roles": "<div role=heading aria-level=2>Opening hours</div><div role=list><div role=listitem>"
    "Monday<div role=listitem>Tuesday</div></div>",
    "a block in a sentence": "<p>The ferry <div style='display:inline'>leaves</div> at nine.",
    "a listing": "<div class=highlight><table><tr><td class=gutter>1<td class=code>"
    "<div class=line>print(1)</div><div class=line>print(2)</div></table></div>",
    "posts in a list": "".join(
        f"<div class=post id=p{n}><b class=author>User {n}</b><time datetime=2024-05-0{n}>May {n}"
        f"</time><p>Answer number {n} says that the tide turns at nine.</div>"
        for n in range(1, 5)
    ),
    "a note": "<p>Tides turn.<span class=sidenote>Twice a day, mostly.</span> Boats wait.",
}


@pytest.mark.parametrize("name", COUNTED_AS_OTHERS)
def test_elements_that_count_as_others_keep_their_xpaths(name: str) -> None:
    body = f"<main><p>Before it.</p>{COUNTED_AS_OTHERS[name]}<p>After it.</p></main>".encode()
    check(body)
    (after,) = sent(labeling_of(body))
    assert isinstance(after, Labeling)
    tree = fromstring(body).getroottree()
    for block in after.result.page.blocks:
        assert len(tree.xpath(block.xpath)) == 1


def test_what_the_rule_of_a_site_says_arrives_as_it_was(
    read_page: Callable[[str], bytes],
) -> None:
    rule = {"keep": ["p", ".none"], "drop": ["p a", "footer"], "author": "a", "date": "time"}
    sites = SiteRules.of({"example.com": rule})
    job = job_of(read_page("article.html"), formats=("metadata",))
    (before,) = PageWorker(Half(), CachedBlockifier(0, sites)).label([job])
    assert isinstance(before, Labeling)
    assert (before.by_rule, before.result.page.site is None) == (True, False)
    (after,) = sent(before)
    assert after == before
    assert isinstance(after, Labeling)
    assert after.result.page.site == before.result.page.site
    assert hash(after.result) == hash(before.result)


def test_what_is_kept_of_templates_arrives_as_it_was(read_page: Callable[[str], bytes]) -> None:
    job = job_of(read_page("article.html"), judge_templates=True)
    assert job_from(job_head(job), job.body) == job
    (before,) = PageWorker(Half(), CachedBlockifier(0)).label([job])
    assert isinstance(before, Labeling)
    assert before.templates
    (after,) = sent(before)
    assert after == before
    assert isinstance(after, Labeling)
    for number in before.templates:
        shown = shown_template(before.result, abs(number))
        assert shown_template(after.result, abs(number)) == shown


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
    assert after.result.block_labels(LABEL_KEYS[:-1])
    assert type(after.result) is LabeledPage
    assert not {"_made", "_with_xpaths"} & vars(after.result.page.blocks).keys()
    assert after.result.page.blocks[0].tags
    assert "_with_xpaths" in vars(after.result.page.blocks)


def test_fields_of_a_sent_page_are_read_also_through_its_form_in_a_meta() -> None:
    before = labeling_of(article(1)[0]).result
    for name in ("labels", "kinds", "steps", "probabilities", "page", "kept", "label_columns"):
        (after,) = sent(labeling_of(article(1)[0]))
        assert isinstance(after, Labeling)
        assert getattr(in_meta(after.result), name) == getattr(before, name)
        assert name in vars(after.result)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = after.result.other  # type: ignore[attr-defined]


DEEP = "<div class=x>" * 70 + "<p>deep<b>bold</b>" + "</div>" * 30 + "<p>less" + "</div>" * 40
SHAPES = [
    "",
    "<p>one",
    "<p>one<p>two<div><p>three</div>four",
    "<body><div><p>a bare div counts as the body<p>two</div></body>",
    "<p>one</p></html><html><p>two",
    "<svg:x>one</svg:x><a.b>two</a.b><p>three<x_1>four</x_1>",
    DEEP,
    f"<main>{DEEP}</main>" * 3,
    "<verylongname-of-an-element-that-repeats>" * 40 + "<p>one</p><p>two",
    "<pre>one\n  two</pre><p>three<pre>潮\n</pre>" + "<b>" * 65 + "<pre>a\n b",
    "<p hidden>one<p style=opacity:0>two<noscript><p>three</noscript><p class=sr-only>four",
    "<p>A\U000e0041\U000e0042\U000e0043.<p>Ebbe\u2028und\u0085Flut<p>潮だまり",
    "<table><tr><td>a<td>b<tr><td>c<td><a href=/>d</a></table>" * 5,
    "".join(f"<t{i}>a</t{i}><t{i}-x>b</t{i}-x>" for i in range(150)),
    "<div>" * 2_100 + "flat",
    "<frameset><noframes><p>one</noframes></frameset>",
]


@pytest.mark.parametrize("html", SHAPES)
def test_page_of_any_shape_arrives_as_it_was(html: str) -> None:
    check(html.encode())


@pytest.mark.parametrize("html", SHAPES)
def test_page_of_plain_blocks_arrives_as_it_was(html: str) -> None:
    """Without compiled code, the blocks are a tuple."""
    compiled = labeling_of(html.encode())
    page = compiled.result.page
    plain = replace(compiled, result=replace(
        compiled.result, page=replace(page, blocks=tuple(page.blocks))
    ))  # fmt: skip
    (after,) = sent(plain)
    assert after == plain == compiled
    assert after.result.xpaths == compiled.result.xpaths
    assert frame_of(after) == frame_of(plain)


def test_a_sent_page_is_labeled_as_the_page_itself() -> None:
    for html in SHAPES:
        (after,) = sent(labeling_of(html.encode()))
        assert isinstance(after, Labeling)
        page = after.result.page
        whole = replace(page, blocks=tuple(page.blocks))
        for name in ("nodes", "depths", "chars", "link_chars", "hidden", "noscript"):
            one, other = (getattr(Columns.of(each), name).tolist() for each in (page, whole))
            assert one == other
        assert (page.paths, page.hidden, page.texts) == (whole.paths, whole.hidden, whole.texts)


def test_a_frame_of_a_page_is_small() -> None:
    labeling = labeling_of(article(1)[0])
    page = labeling.result.page
    texts = len(labeling.result.text) + sum(map(len, page.texts))
    assert len(frame_of(labeling)) < 2_000 + texts + 30 * len(page.blocks)


RESULT = labeling_of("".join(SHAPES[1:6]).encode()).result


@QUICK
@given(st.data())
def test_columns_of_another_process_raise_what_is_documented(data: st.DataObject) -> None:
    plain, columns = written(RESULT)
    plain = json.loads(json.dumps(plain))
    damaged = bytearray(columns)
    for place in data.draw(st.lists(st.integers(0, len(columns) - 1), min_size=1, max_size=9)):
        damaged[place] = data.draw(st.integers(0, 255))
    changed = data.draw(st.sampled_from([*plain, None]))
    if changed:
        plain[changed] = data.draw(
            st.none() | st.integers() | st.text() | st.lists(st.integers(-9, 99)) | st.just({})
        )
    try:
        result = read(plain, bytes(damaged))
        assert isinstance(result.page.blocks[:], tuple)
        assert result.xpaths
        assert result.block_labels()
    except (LookupError, TypeError, ValueError):
        pass


@pytest.mark.parametrize("name", ["a\nb", "\n"])
def test_texts_that_no_page_has_are_refused(name: str) -> None:
    page = replace(RESULT.page, blocks=tuple(b._replace(text=name) for b in RESULT.page.blocks))
    with pytest.raises(ValueError, match="line break"):
        written(replace(RESULT, page=page))


@pytest.mark.parametrize(
    "paths",
    [
        "\t".join(["div", ""] * 65),  # more elements than a block can have
        "div",  # a tag without class words
        "\t".join([*["html", ""], *["x" * 9_000, ""] * 40]),  # an XPath that is too long
    ],
)
def test_a_path_that_no_block_has_is_refused(paths: str) -> None:
    (after,) = sent(labeling_of(b"<p>one"))
    assert isinstance(after, Labeling)
    assert isinstance(after.result.page.blocks, SentBlocks)
    ones = b"\1" * (1 + len(paths.split("\t")) // 2)
    columns = {"paths": f"{paths}\n".encode(), "nodes": ones, "siblings": ones}
    blocks = SentBlocks({**after.result.page.blocks.data, **columns}, flat=False)
    with pytest.raises(ValueError, match="no block has"):
        assert blocks[:]


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
