"""Markdown and HTML begin with the headline, whether or not it is content."""

from __future__ import annotations

from typing import Any

import pytest
from testing.labeled import from_probabilities

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.page import Page

URL = "https://example.org/tides.html"
TEXT = "Pools that the tide leaves behind warm up by several degrees before the water comes back."
ENGLISH = ("Warm tide pools at night", TEXT)
GERMAN = (
    "Warme Gezeitentümpel bei Nacht",
    "Tümpel, die bei Ebbe zurückbleiben, erwärmen sich um mehrere Grad, ehe das Wasser kommt.",
)
JAPANESE = (
    "夜の暖かい潮だまり",
    "潮が引いたあとに残る潮だまりは、水が戻る前に数度暖かくなります。",
)


def page_of(body: str, title: str, text: str) -> Page:
    filled = body.replace("TITLE", title).replace("TEXT", text)
    html = f"<title>{title} - The Coast</title>{filled}"
    return blockify(html, url=URL, markup=True)


def made(page: Page, *left_out: str, **options: Any) -> LabeledPage:
    """Return the page with all formats; blocks with one of these texts are not kept."""
    scores = [0.0 if block.text in left_out else 1.0 for block in page.blocks]
    labeled = from_probabilities(page, scores, 0.5, 1, "test")
    return with_formats(labeled, ("markdown", "html"), **options)


@pytest.mark.parametrize(("title", "text"), [ENGLISH, GERMAN, JAPANESE])
@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize(
    "body",
    [
        "<h1>TITLE</h1><p>TEXT</p>",
        "<h2>TITLE</h2><p>TEXT</p>",
        "<header><h1>TITLE</h1></header><article><p>TEXT</p></article>",
        "<div class=headline>TITLE</div><p>TEXT</p>",
        "<div class='entry title'><span>TITLE</span></div><p>TEXT</p>",
        "<h1><b>TITLE</b></h1><p>TEXT</p>",
        "<h1><a href=#top>TITLE</a></h1><p>TEXT</p>",
        "<ul><li><h1>TITLE</h1></li></ul><p>TEXT</p>",
        "<blockquote><h1>TITLE</h1></blockquote><p>TEXT</p>",
        "<table role=presentation><tr><td><h1>TITLE</h1></td></tr></table><p>TEXT</p>",
        "<h1>TITLE</h1><h1>TITLE</h1><p>TEXT</p>",
    ],
)
def test_markdown_and_html_begin_with_the_headline(
    body: str, title: str, text: str, is_kept: bool
) -> None:
    result = made(page_of(body, title, text), *([] if is_kept else [title]))
    markdown = result.markdown or ""
    assert markdown.startswith(f"# {title}\n\n")
    assert markdown.endswith(f"\n\n{text}")
    assert (result.html or "").startswith(f"<h1>{title}</h1>")
    assert (title in result.text) == is_kept


def test_content_stays_in_the_order_of_the_text() -> None:
    page = page_of("<p>By Ann Hill</p><h3>TITLE</h3><p>TEXT", *ENGLISH)
    assert made(page).markdown == f"By Ann Hill\n\n# {ENGLISH[0]}\n\n{TEXT}"
    assert made(page, ENGLISH[0]).markdown == f"# {ENGLISH[0]}\n\nBy Ann Hill\n\n{TEXT}"


def test_a_headline_of_two_lines_is_whole() -> None:
    page = page_of("<h1>Coast<br>TITLE</h1><p>TEXT", *ENGLISH)
    assert (made(page).markdown or "").startswith(f"# Coast {ENGLISH[0]}\n\n")


LINES = [
    "<h1>Warm tide pools<br>at night</h1>",
    "<h1>Warm<br/>tide pools<br/>at night</h1>",
    "<h1><span>Warm tide pools</span><br><span>at night</span></h1>",
    "<h1><div>Warm tide pools</div><div>at night</div></h1>",
    "<div class=headline>Warm tide pools<br>at night</div>",
    "<h1>Warm tide pools <span hidden>and a menu</span><br>at night</h1>",
]


@pytest.mark.parametrize("body", LINES)
@pytest.mark.parametrize("is_kept", [True, False])
@pytest.mark.parametrize("formats", [("metadata", "markdown", "html")])
def test_all_lines_of_a_headline_are_written(body: str, is_kept: bool, formats: Any) -> None:
    page = page_of(f"{body}<p>TEXT", *ENGLISH)
    scores = [float((is_kept or block.text == TEXT) and not block.hidden) for block in page.blocks]
    labeled = from_probabilities(page, scores, 0.5, 1, "test")
    result = with_formats(labeled, formats)
    assert (result.markdown or "").startswith(f"# {ENGLISH[0]}\n\n")
    assert "<h1>Warm" in (result.html or "")
    assert result.metadata is not None
    assert result.metadata.title == ENGLISH[0]
    kinds = dict(zip([block.text for block in page.blocks], labeled.kinds, strict=True))
    assert kinds["at night"] == "title"


def test_a_heading_that_is_not_closed_is_no_headline_of_many_lines() -> None:
    page = page_of("<h1><div>TITLE</div>" + "<p>TEXT</p>" * 9, *ENGLISH)
    assert (made(page).markdown or "").startswith(f"# {ENGLISH[0]}")
    labeled = from_probabilities(page, [1.0] * len(page.blocks), 0.5, 1, "test")
    assert labeled.kinds.count("title") == 1


@pytest.mark.parametrize(
    "body",
    [
        "<p>TEXT</p>",
        "<nav><h1>TITLE</h1></nav><p>TEXT</p>",
        "<h1 hidden>TITLE</h1><p>TEXT</p>",
        "<div class=logo><h1>TITLE</h1></div><p>TEXT</p>",
    ],
)
def test_a_page_without_a_headline_gets_none(body: str) -> None:
    assert made(page_of(body, *ENGLISH), ENGLISH[0]).markdown == TEXT


def test_a_headline_in_a_data_table_stays_there() -> None:
    body = "<p>TEXT</p><table><tr><th class=headline>TITLE<th>b<tr><td>c<td>d</table>"
    markdown = made(page_of(body, *ENGLISH)).markdown or ""
    assert markdown.startswith(TEXT)
    assert f"| {ENGLISH[0]} | b |" in markdown


def test_a_page_without_content_has_no_headline() -> None:
    page = page_of("<h1>TITLE</h1><p>TEXT", *ENGLISH)
    assert made(page, ENGLISH[0], TEXT).markdown == ""


def test_no_headline_is_added_where_none_is_wanted() -> None:
    page = page_of("<h1>TITLE</h1><p>TEXT", *ENGLISH)
    assert made(page, ENGLISH[0], beside=()).markdown == TEXT


@pytest.mark.parametrize(("title", "begins"), [("model", True), ("keep", True), ("drop", False)])
def test_the_option_drop_leaves_it_out_of_all_formats(title: Any, begins: bool) -> None:
    html = f"<title>{ENGLISH[0]}</title><h1>{ENGLISH[0]}</h1>" + f"<p>{TEXT}</p>" * 5
    result = extract(html, URL, title=title, formats=("markdown", "html"))
    assert (result.markdown or "").startswith(f"# {ENGLISH[0]}\n\n") == begins
    assert (ENGLISH[0] in (result.html or "")) == begins


def test_chunks_begin_with_the_headline_and_know_their_places() -> None:
    page = page_of("<h1>TITLE</h1><p>By Ann Hill</p><p>TEXT</p><p>TEXT</p>", *ENGLISH)
    for left_out in ([], [ENGLISH[0]]):
        result = made(page, *left_out)
        for size in (8, 12, 500):
            chunks = result.chunks(size)
            joined = "".join((result.markdown or "")[one.start : one.end] for one in chunks)
            assert joined == result.markdown
            assert chunks[-1].headings == (ENGLISH[0],)
            for one in chunks:
                assert one.text == result.text[one.text_start : one.text_end]


BUTTONS = (
    "<button id=copy-path>Copy item path</button>",
    "<div><button>Copy item path</button></div>",
    "<button><span>Kopieren</span></button>",
)


def title_of(title: str, body: str) -> str | None:
    text = f"<p>{TEXT} {TEXT}</p>" * 4
    html = f"<html><head><title>{title}</title></head><body>{body}{text}</body></html>"
    metadata = extract(html, "https://x.example/a/b", formats=("metadata",)).metadata
    assert metadata
    return metadata.title


def test_a_button_left_open_around_the_page_hides_no_headline() -> None:
    """libxml2 puts all that follows such a button into it."""
    html = (
        "<title>Tides of the old harbour - Gazette</title><div><button>Menu<main><article><div>"
        "<header><h1>Tides of the old harbour</h1></header><p>"
        + "The tide rose in the harbour. "
        * 9
    )
    assert (extract(html, formats=("markdown",)).markdown or "").startswith("# Tides of the old")


@pytest.mark.parametrize("button", BUTTONS)
def test_buttons_in_a_headline_are_no_part_of_it(button: str) -> None:
    heading = f"<h1>Struct <span>Gauge</span> {button}</h1>"
    assert title_of("Gauge in tide - Rust", heading) == "Struct Gauge"
    assert title_of("Struct Gauge", heading) == "Struct Gauge"


@pytest.mark.parametrize("sign", [" - ", " – ", " | ", " « "])
@pytest.mark.parametrize(
    "topic", ["Antifouling: which one?", "[Solved] Gauge: stops", "Rope - which one: new or old"]
)
def test_a_topic_with_a_colon_comes_before_the_name_of_the_board(topic: str, sign: str) -> None:
    body = f"<div id=board><h1>Sailing Forum</h1></div><h2 class=topic-title>{topic}</h2>"
    assert title_of(f"{topic}{sign}Sailing Forum", body) == topic


@pytest.mark.parametrize("title", ["Runbook - Operations - Tide Wiki", "Runbook | Tide Wiki Team"])
def test_a_heading_that_begins_the_title_comes_before_one_of_the_text(title: str) -> None:
    body = "<h1 id=title-text><a href=/x>Runbook</a></h1><div><h1>Restart</h1>"
    assert title_of(title, body) == "Runbook"


@pytest.mark.parametrize("title", ["Weekly: The boats sail again", "The boats sail again - Weekly"])
def test_a_heading_that_is_the_longest_part_of_the_title_stays(title: str) -> None:
    body = "<h2 class=title>Weekly</h2><h1>The boats sail again</h1><h2>Weekly</h2>"
    assert title_of(title, body) == "The boats sail again"


def with_dropped_headline(body: str, is_kept: bool = False) -> str:
    page = page_of(body, *ENGLISH)
    scores = [float(text != "Menu") for text in page.texts]
    scores[0] = float(is_kept)
    labeled = from_probabilities(page, scores, 0.5, 1, "test")
    return with_formats(labeled, ("markdown",)).markdown or ""


@pytest.mark.parametrize(
    "repeated", ["<h2>TITLE</h2>", "<h3><b>TITLE</b></h3>", "<p>12 May<h2>TITLE</h2>"]
)
def test_a_headline_that_is_no_content_is_not_written_above_a_heading_that_repeats_it(
    repeated: str,
) -> None:
    title, text = ENGLISH
    found = with_dropped_headline(f"<div><h1>TITLE</h1></div><p>Menu</p>{repeated}<p>TEXT</p>")
    assert found.startswith("12 May" if "May" in repeated else f"# {title}\n\n{text}")
    assert found.count(title) == 1
    assert f"# {title}\n\n{text}" in found


def test_other_repeated_headlines_are_written() -> None:
    title, text = ENGLISH
    for behind in ("<p>TITLE</p><p>TEXT</p>", "<p>TEXT</p><p>a</p><p>b</p><h2>TITLE</h2>"):
        found = with_dropped_headline(f"<div><h1>TITLE</h1></div><p>Menu</p>{behind}")
        assert found.startswith(f"# {title}\n\n")
        assert found.count(title) == 2
    kept = with_dropped_headline("<h1>TITLE</h1><p>Menu</p><h2>TITLE</h2><p>TEXT</p>", True)
    assert kept == f"# {title}\n\n## {title}\n\n{text}"
