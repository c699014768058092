"""Inputs that fuzzing and metamorphic tests have found, reduced to the smallest.

Inputs that matter only on pages that libxml2 does not read whole, or not in time, follow the
beginning of such a page.
"""

from __future__ import annotations

from typing import Any

import pytest
from parsel import Selector
from testing.rendered import html_words, words

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

MANY_ATTRIBUTES = "<p " + " ".join(f"data-{n}={n:012}" for n in range(2100)) + ">crab</p>"
TOO_DEEP = "<div>" * 2100 + "crab" + "</div>" * 2100


def texts_of(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def test_pages_with_these_beginnings_are_rewritten() -> None:
    assert blockify(MANY_ATTRIBUTES).flat
    assert blockify(TOO_DEEP).flat


@pytest.mark.parametrize("units", ["block", "leaf"])
@pytest.mark.parametrize(
    "html",
    [
        "<a\x01b>tide</a\x01b>", "<a\uffff>tide", "<p class='a\x01b'>tide", "<p id=&#1;>tide",
        "<p class='\uffff'>tide", "<p title=\x01 \x01=\x01>tide", "<p style='\x1b'>tide",
    ],
)  # fmt: skip
def test_control_characters_in_names_and_values_beside_many_attributes(
    html: str, units: Any
) -> None:
    assert texts_of(blockify(MANY_ATTRIBUTES + html, units=units)) == ["crab", "tide"]


@pytest.mark.parametrize("beginning", ["<p>crab</p>", MANY_ATTRIBUTES, TOO_DEEP])
def test_a_form_feed_is_white_space(beginning: str) -> None:
    assert texts_of(blockify(f"{beginning}<p>tide\x0cpool")) == ["crab", "tide pool"]


@pytest.mark.parametrize("name", ["p'q", 'p"q', "p<q", "p&q", "p\x01q", "é", "p$q"])
def test_a_name_that_xpath_cannot_express_is_found(name: str) -> None:
    html = f"<p>crab</p><div><{name}>tide</{name}><{name}>pool"
    selector = Selector(text=html, type="html")
    for block in blockify(html).blocks:
        assert len(selector.xpath(block.xpath)) == 1


@pytest.mark.parametrize("name", ["iframe", "textarea", "script", "style", "title", "xmp"])
@pytest.mark.parametrize("beginning", ["<p>crab</p>", TOO_DEEP])
def test_elements_of_raw_text_that_close_themselves_hide_nothing(beginning: str, name: str) -> None:
    html = f'{beginning}<p>tide</p><{name} class="a"/><p>pool</p><{name} /><p>warm</p>'
    assert texts_of(blockify(html)) == ["crab", "tide", "pool", "warm"]


def test_a_comment_within_a_text_changes_neither_spaces_nor_link_characters() -> None:
    for html in (
        "<a>About</a><a>B{}ag</a>", "<b>ab</b><i>P{}RO</i>", "<p>tide{} <a>p{}ool {}warm</a>",
        "<p><span>ab</span><span>c{}</span>", "<p><a>a{}b</a><a>c{}d</a>",
    ):  # fmt: skip
        before = blockify(html.replace("{}", ""))
        for between in ("<!-- c -->", "<?pi?>", "<script>x</script>", "<!---->" * 40):
            after = blockify(html.replace("{}", between))
            assert texts_of(after) == texts_of(before)
            assert [b.link_chars for b in after.blocks] == [b.link_chars for b in before.blocks]


@pytest.mark.parametrize(
    "name", ["bgsound", "command", "embed", "image", "keygen", "source", "track", "wbr"]
)
def test_elements_that_are_void_in_browsers_alone_lose_no_text_on_deep_pages(name: str) -> None:
    html = f"<p>{f'tide<{name}>' * 2_100}</p><p>pool</p>"
    assert texts_of(blockify(html))[-1] == "pool"
    assert texts_of(blockify(f"<p>tide</p><{name}><p>pool</p>")) == ["tide", "pool"]


@pytest.mark.parametrize("name", ["svg", "math", "div", "select", "object"])
@pytest.mark.parametrize("beginning", ["<p>crab</p>", TOO_DEEP])
def test_elements_that_close_themselves_hide_nothing(beginning: str, name: str) -> None:
    assert texts_of(blockify(f"{beginning}<{name}/><p>pool</p>")) == ["crab", "pool"]


def test_plaintext_that_closes_itself_is_not_the_end_of_the_markup() -> None:
    html = "<plaintext/><p>tide</p>" + TOO_DEEP
    assert texts_of(blockify(html)) == ["tide", "crab"]


@pytest.mark.parametrize("times", [200, 20_000])
def test_attributes_and_nesting_together_do_not_take_quadratic_time(times: int) -> None:
    page = blockify(MANY_ATTRIBUTES + "<b>" * times + "</i>" * times + "tide")
    assert texts_of(page) == ["crab", "tide"]


@pytest.mark.parametrize("declared", ["punycode", "PUNYCODE", "idna", "unicode_escape"])
@pytest.mark.parametrize("encoding", [None, "punycode"])
def test_codecs_of_quadratic_time_are_not_tried(declared: str, encoding: str | None) -> None:
    html = f"<meta charset={declared}><p>tide-{'b' * 2_000_000}".encode()
    (block,) = blockify(html, encoding=encoding).blocks
    assert len(block.text) == 2_000_005


@pytest.mark.parametrize(
    "piece", ["</p>", "x</p>", "<br>", "<p>", "<!-- c -->", "<script>x</script>"]
)
def test_all_that_becomes_a_node_counts_for_the_limit(piece: str) -> None:
    assert blockify(piece * 200_001).truncated
    assert not blockify(piece * 200_000, max_blocks=200_000).truncated


@pytest.mark.parametrize(
    "html",
    [
        f"<!-- {'<!--' * 210_000}-->", f"<script>{'<b>' * 210_000}</script>", "</q>" * 210_000,
        f"<p title='{'<b>' * 210_000}'>", "< " * 210_000, "</3>" * 210_000,
    ],
)  # fmt: skip
def test_what_becomes_no_node_does_not_count(html: str) -> None:
    page = blockify(f"{html}<p>tide")
    assert (page.blocks[-1].text, page.truncated) == ("tide", False)


@pytest.mark.parametrize(
    "piece", ["</q>", "<</q>", "<br></q>", "</q><", "</Q a='>'>", "<p></p></q>"]
)
def test_stray_end_tags_are_counted_among_other_markup(piece: str) -> None:
    assert blockify("<div>" * 1_900 + piece * 70_000).flat


@pytest.mark.parametrize("tag", ["x-y", "t<", "o:p"])
def test_a_row_inside_of_a_cell_keeps_its_text_in_html_and_markdown(tag: str) -> None:
    html = f"<table>tide<tr>pool<td><{tag}>warm<tr>pool<td><{tag}>sand"
    result = extract(html, threshold=0.0, formats=("markdown", "html"))
    assert html_words(result.html or "") == words(result.text)
    assert (result.markdown or "").count("pool") == result.text.count("pool") == 2
