"""Comments and processing instructions, which nobody sees, change nothing that is read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from testing.models import PAGE_FILES
from testing.reading_cases import READING_CASES
from testing.tokenized import with_comments_between

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

FORMATS = ("markdown", "html", "metadata", "posts")


def read(html: str) -> Page:
    return blockify(html, "https://example.com/", markup=True, stated=True, thread=True)


def of_page(page: Page) -> tuple[object, ...]:
    markup = page.markup and replace(page.markup, page_bytes=0)
    return (*page.blocks,), page.title, page.notes, markup, page.stated, page.thread


@pytest.mark.parametrize("name", READING_CASES)
@pytest.mark.parametrize("inserted", ["<!-- a <p>comment</p> -->", "<?x y?>"])
def test_a_comment_after_each_tag_changes_no_reading(name: str, inserted: str) -> None:
    html = READING_CASES[name]
    written = with_comments_between(html).replace("<!-- a <p>comment</p> -->", inserted)
    assert written != html
    assert of_page(read(written)) == of_page(read(html))


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.stem)
def test_a_comment_after_each_tag_changes_no_page(file: Path) -> None:
    html = file.read_bytes().decode("utf-8", "replace")
    one, other = (
        extract(h, "https://example.com/", formats=FORMATS)
        for h in (html, with_comments_between(html))
    )
    assert one.text == other.text
    assert (one.markdown, one.html, one.posts) == (other.markdown, other.html, other.posts)
    assert one.metadata == other.metadata


def test_texts_that_a_framework_parts_by_comments_are_one_text() -> None:
    page = read(
        "<p>Hello, <!-- -->Ann<!-- -->. You have <!-- -->3<!-- --> new <b>mails<!-- --></b>."
    )
    assert page.texts == ("Hello, Ann. You have 3 new mails.",)


def test_leaves_are_the_text_nodes_of_a_browser() -> None:
    assert blockify("<p>one<!-- -->two", units="leaf").texts == ("one", "two")


@pytest.mark.parametrize("first", ["<!-- c -->", "<?php c ?>", "<!-- --><!-- -->"])
def test_a_comment_before_the_name_of_a_column_is_not_its_name(first: str) -> None:
    row = f"<tr><td data-label=Depth>{first}<b>Depth</b> 12 m<td data-label=Age>{first}4"
    page = read(f"<table><tr><th>Depth<th>Age{row}{row}</table>")
    assert "12 m" in page.texts
    assert "Depth 12 m" not in page.texts
