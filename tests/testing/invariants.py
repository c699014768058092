"""Checks that hold for every page, from its bytes to its labels. For the tests, and for fuzz/."""

from __future__ import annotations

import io
import json
import math
import unicodedata
from collections import Counter
from dataclasses import replace

from scrapy_boilernet.extractor.explain.explanation import explain
from scrapy_boilernet.extractor.explain.html import html_page
from scrapy_boilernet.extractor.explain.text import Look, text_lines
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.registry import Labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.options import (
    BESIDE,
    CONTENT,
    FORMATS,
    MAX_BLOCKS,
    STEPS,
    LabelOptions,
    Limits,
)
from scrapy_boilernet.extractor.output.beside import beside_of
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.workers.jobs import Labeling, NotHtmlError, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.wire import outcomes_frame, read_outcomes, write_frame

from .rendered import html_words, words

LEFT_OUT = ("title", "caption", "comment", "boilerplate", "hidden")
URL = "https://shore.example/notes/2021/tide-pools"


def labeled_in_a_crawl(
    body: bytes, labeler: Labeler, encoding: str | None, options: LabelOptions, max_blocks: int
) -> LabeledPage:
    """Return the result of a crawl's worker for the page; raise the error if it fails."""
    limits = Limits(max_blocks=max_blocks)
    job = PageJob(body, URL, options, limits, encoding=encoding, rows=True)
    (outcome,) = PageWorker(labeler, CachedBlockifier(0)).label([job])
    if isinstance(outcome, NotHtmlError):  # ``extract`` gives such a page no blocks
        page = blockify(body, URL, encoding, labeler.units, max_blocks)
        assert page.not_html
        assert page.blocks == ()
        return label_page(page, labeler, options)
    if isinstance(outcome, Exception):
        raise outcome
    assert isinstance(outcome, Labeling)
    check_sent(outcome)
    return outcome.result


def check_whole_way(
    body: bytes,
    labeler: Labeler,
    encoding: str | None = None,
    options: LabelOptions | None = None,
    max_blocks: int = MAX_BLOCKS,
    explained: bool = True,
) -> LabeledPage:
    """Return the labeled page; assert everything that holds for any page.

    The page is labeled twice, once by a crawl's worker, with the same result.
    """
    options = options or LabelOptions()
    result = labeled_in_a_crawl(body, labeler, encoding, options, max_blocks)
    check_labels(result)
    check_text(result)
    page = blockify(body, URL, encoding, labeler.units, max_blocks)
    again = label_page(page, labeler, options)
    assert again == result
    assert again.text == result.text
    if labeler.units == "block":
        check_formats(body, labeler, encoding, options, max_blocks, result)
    if explained:
        check_explained(again, labeler, options)
    return result


def check_formats(
    body: bytes,
    labeler: Labeler,
    encoding: str | None,
    options: LabelOptions,
    max_blocks: int,
    result: LabeledPage,
) -> None:
    """Assert that formats do not change the result, and that they have the words of the text."""
    asked = {"markup": True, "stated": True, "thread": True}
    page = blockify(body, URL, encoding, labeler.units, max_blocks, **asked)
    labeled = label_page(page, labeler, options)
    made = with_formats(labeled, FORMATS, beside=())
    without = dict.fromkeys(("markdown", "html", "metadata", "posts"))
    assert replace(made, **without, shortened=False) == result
    assert html_words(made.html or "") == words(result.text)
    (made.markdown or "").encode()
    (made.html or "").encode()
    check_headline(page, labeled)
    assert made.posts is not None
    json.dumps([post.as_dict() for post in made.posts], ensure_ascii=False).encode()
    assert [post.number for post in made.posts] == [*range(1, len(made.posts) + 1)]
    assert made.metadata
    sent = json.dumps(made.metadata.as_dict(), ensure_ascii=False)
    assert Metadata.of(json.loads(sent)) == made.metadata
    sent.encode()


def check_headline(page: Page, labeled: LabeledPage) -> None:
    """Assert that HTML has the words of the text and the headline, and none else."""
    lines = beside_of(labeled, BESIDE).headline
    missing = words(" ".join(page.blocks[i].text for i in lines if not labeled.kept[i]))
    html = with_formats(labeled, FORMATS, beside=("title",)).html or ""
    expected = Counter(words(labeled.text)) + Counter(missing)
    assert Counter(html_words(html)) == expected


def check_labels(result: LabeledPage) -> None:
    """Assert that there is a valid label, kind and probability per block."""
    blocks = len(result.page.blocks)
    assert blocks == len(result.labels) == len(result.probabilities) == len(result.kinds)
    assert {*result.steps} <= {*STEPS}
    assert all(math.isfinite(p) and 0 <= p <= 1 for p in result.probabilities)
    assert 0 <= result.threshold <= 1
    assert 0 <= result.confidence <= 1
    assert (result.source == "nothing") == (CONTENT not in result.labels)
    for block, label, kind in zip(result.page.blocks, result.labels, result.kinds, strict=True):
        assert kind in (("title", "caption", "comment", "main") if label == CONTENT else LEFT_OUT)
        assert block.hidden or kind != "hidden"


def check_text(result: LabeledPage) -> None:
    """Assert that all texts are clean, and that the main text has each content block in order."""
    place = 0
    for block in result.content:
        shown = block.preformatted.lstrip("\n")
        found = result.text.find(shown, place) if shown else -1
        if found < 0:  # not in <pre>, or in a row of a table
            shown = block.text
            found = result.text.find(shown, place)
        assert found >= 0, f"lost from the text: {shown!r}"
        place = found + len(shown)
    assert place == len(result.text)
    json.dumps(result.block_labels(), ensure_ascii=False).encode()
    head = result.page.head
    for text in (result.text, result.page.title, head.description, *head.words):
        text.encode()
        assert "\x00" not in text
    for block in result.page.blocks:
        assert block.text == " ".join(block.text.split()) != ""
        "".join((block.text, block.xpath, *block.tags, *block.class_words)).encode()


def check_sent(labeling: Labeling) -> None:
    """Assert that the labeling comes unchanged through a worker process's pipe."""
    stream = io.BytesIO()
    write_frame(stream, *outcomes_frame([labeling]))
    stream.seek(0)
    (after,) = read_outcomes(stream)
    assert isinstance(after, Labeling)
    assert after == labeling
    assert after.result.text == labeling.result.text
    assert after.result.block_labels() == labeling.result.block_labels()


def check_explained(labeled: LabeledPage, labeler: Labeler, options: LabelOptions) -> None:
    """Assert that the page can be explained, in text and HTML that can be written and shown."""
    found = explain(labeled.page, labeler, options)
    assert found.labeled == labeled
    html_page(found, 3, URL).encode()
    for line in text_lines(found, found.places(), 3, Look(), URL):
        line.encode()
        assert not any(unicodedata.category(character) == "Cc" for character in line)
