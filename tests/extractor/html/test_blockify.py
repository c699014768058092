"""The blockifier on readable pages: what is a unit, and its fields."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_boilernet import Block
from scrapy_boilernet.extractor.html.blockify import MAX_BLOCKS, blockify
from scrapy_boilernet.extractor.html.paths import MAX_ANCESTORS


def texts(html: str, units: Any = "block") -> list[str]:
    return [block.text for block in blockify(html, units=units).blocks]


def only(html: str, units: Any = "block") -> Block:
    (block,) = blockify(html, units=units).blocks
    return block


def test_every_text_node_is_a_leaf() -> None:
    assert texts("<p>A<strong>B</strong>C</p>", "leaf") == ["A", "B", "C"]


def test_inline_elements_do_not_end_a_block() -> None:
    assert texts("<p>Tap<strong>s</strong> <em>leak</em>, <code>x</code>.</p>") == ["Taps leak, x."]


@pytest.mark.parametrize("tag", ["p", "div", "li", "td", "h2", "section", "summary", "figure"])
def test_every_other_element_ends_a_block_on_both_sides(tag: str) -> None:
    page = "<table><tr><td>A<td>B<td>C</table>" if tag == "td" else f"A<{tag}>B</{tag}>C"
    assert texts(page) == ["A", "B", "C"]


def test_a_block_inside_an_inline_element_ends_it() -> None:
    assert texts("<b>A<div>B</div>C</b>") == ["A", "B", "C"]


def test_br_and_hr_end_a_block() -> None:
    assert texts("<p>A<br>B<br/><br>C<hr>D") == ["A", "B", "C", "D"]


def test_white_space_is_collapsed_and_never_a_unit() -> None:
    page = "<p> A \n\t <b> B\u00a0 </b></p>\n<p>\u00a0 </p>"
    assert texts(page) == ["A B"]
    assert texts(page, "leaf") == ["A", "B"]


def test_links_side_by_side_are_words_of_their_own() -> None:
    assert texts("<p><a>Home</a><a>Help</a><b>!</b>") == ["Home Help!"]
    assert texts("<p>re<a>link</a>ed") == ["relinked"]


def test_comments_and_instructions_are_no_text_and_end_no_block() -> None:
    page = "<p>A <!-- no --> B <?php echo 1 ?> C</p>"
    assert texts(page) == ["A B C"]
    assert texts(page, "leaf") == ["A", "B", "C"]


@pytest.mark.parametrize("tag", ["script", "style", "svg", "template"])
def test_what_stands_inside_a_sentence_without_being_read_does_not_end_it(tag: str) -> None:
    assert texts(f"<p>A <{tag}>no</{tag}> B</p>") == ["A B"]


@pytest.mark.parametrize(
    "tag", ["iframe", "object", "select", "textarea", "audio", "noframes", "noembed"]
)
def test_what_is_not_read_as_text_ends_a_block_and_is_left_out(tag: str) -> None:
    assert texts(f"<p>A</p><{tag}>no</{tag}><p>B</p>") == ["A", "B"]


@pytest.mark.parametrize("tag", ["iframe", "script", "style", "button", "noscript"])
def test_leaves_leave_out_what_the_paper_leaves_out(tag: str) -> None:
    assert texts(f"<p>A</p><{tag}>no</{tag}><p>B</p>", "leaf") == ["A", "B"]


@pytest.mark.parametrize("tag", ["main", "nav", "article", "x-card"])
def test_text_is_kept_where_the_parser_takes_an_unknown_element_into_the_head(tag: str) -> None:
    assert texts(f"<!DOCTYPE html><title>T</title><{tag}>A <a href=/>link</a></{tag}><p>B") == [
        "A link", "B",
    ]  # fmt: skip


@pytest.mark.parametrize("units", ["block", "leaf"])
@pytest.mark.parametrize("between", ["", "<!-- c -->", "<html>", "<body>"])
def test_text_after_the_end_of_the_page_is_kept(between: str, units: Any) -> None:
    page = f"<html><body><p>A</p></body></html>{between}<p>B</p>C"
    assert texts(page, units) == ["A", "B", "C"]


def test_nested_tables_keep_their_cells_apart_and_in_order() -> None:
    page = "<table><tr><td>A<table><tr><td>B<td>C</table>D<td>E</table>"
    assert texts(page) == ["A", "B", "C", "D", "E"]


def test_noscript_is_kept_and_flagged() -> None:
    blocks = blockify("<p>A</p><noscript><p>B <b>b</b></p></noscript><p>C").blocks
    assert [(b.text, b.noscript) for b in blocks] == [("A", False), ("B b", True), ("C", False)]


@pytest.mark.parametrize(
    "attribute",
    ["hidden", "hidden=''", "aria-hidden=true", "style='color:red; DISPLAY : None'",
     "style=visibility:hidden"],
)  # fmt: skip
def test_what_a_browser_hides_is_kept_and_flagged(attribute: str) -> None:
    blocks = blockify(f"<div {attribute}><p>A <b>b</b></p></div><p>C").blocks
    assert [(b.text, b.hidden) for b in blocks] == [("A b", True), ("C", False)]


def test_a_block_with_a_visible_part_is_not_hidden() -> None:
    shown, hidden = blockify("<p>A <b hidden>b</b> c").blocks
    assert (shown.text, shown.hidden, hidden.text, hidden.hidden) == ("A c", False, "b", True)
    assert only("<p><b hidden>A</b> <i hidden>b</i>").hidden
    assert not only("<p aria-hidden=false style='display:block'>A").hidden


def test_link_chars_count_the_text_inside_links() -> None:
    assert only("<p>See <a href=/>the <b>tide</b></a>.").link_chars == len("the") + len("tide")
    assert only("<p>No link").link_chars == 0
    assert only("<a href=/><p>All  of\nit</p></a>").link_chars == len("All of it")


def test_tags_words_and_nodes_run_in_parallel_from_the_root() -> None:
    block = only("<title>T</title><div class=postBody><p id=first>A <b>B</b></p></div>")
    assert block.tags == ("html", "body", "div", "p")
    assert block.class_words == ("", "", "post body", "first")
    assert block.nodes == (1, 4, 5, 6)


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ("class='site-header navBar2'", "site header nav bar"),
        ("class=HTMLContent id=main_3", "html content main"),
        ("class='a b col-md-6'", "col md"),
        ("id=Main role=main itemprop=articleBody", "main article body"),
        ("class='article-body articleBody'", "article body"),
        ("class='содержание-страницы'", "содержание страницы"),
        ("class='c1 aa ab ac ad ae af ag ah ai'", "aa ab ac ad ae af ag ah"),
        ("class='123 --'", ""),
    ],
)
def test_class_words_are_split_at_case_digits_and_punctuation(attributes: str, words: str) -> None:
    assert only(f"<p {attributes}>A").class_words[-1] == words


@pytest.mark.parametrize("units", ["block", "leaf"])
def test_text_below_300_levels_survives_with_its_nearest_ancestors(units: Any) -> None:
    block = only("<div>" * 298 + "<p id=deep>marker", units)
    assert block.text == "marker"
    assert len(block.tags) == len(block.class_words) == len(block.nodes) == MAX_ANCESTORS
    assert (block.tags[-1], block.class_words[-1]) == ("p", "deep")


def test_blocks_beyond_the_limit_are_cut_off_and_reported() -> None:
    page = "".join(f"<p>{i}" for i in range(12))
    cut, whole = blockify(page, max_blocks=11), blockify(page, max_blocks=12)
    assert (len(cut.blocks), cut.truncated) == (11, True)
    assert (len(whole.blocks), whole.truncated) == (12, False)
    assert cut.blocks == whole.blocks[:11]
    assert len(blockify("<p>x" * (MAX_BLOCKS + 1)).blocks) == MAX_BLOCKS


def test_the_title_is_collapsed_and_not_a_block() -> None:
    page = blockify("<html><head><title> Why\n pools &amp; taps\u00a0warm </title></head><p>A")
    assert page.title == "Why pools & taps warm"
    assert [block.text for block in page.blocks] == ["A"]
    assert blockify("<p>A").title == ""


def test_the_page_keeps_url_digest_and_units() -> None:
    page = blockify("<p>A", url="https://example.com/?q=ü", units="leaf")
    assert (page.url, page.units) == ("https://example.com/?q=ü", "leaf")
    assert page.digest == blockify(b"<p>A", url=None).digest != blockify("<p>B").digest


@pytest.mark.parametrize(
    "html",
    ["", " \n", "\x00", "<!-- A -->", "<?pi?>", "<!DOCTYPE html>", "<title></title>", "<html>",
     "<frameset><frame src=a></frameset>", "&nbsp;", b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\x00"],
)  # fmt: skip
@pytest.mark.parametrize("units", ["block", "leaf"])
def test_a_page_without_text_has_no_blocks(html: str | bytes, units: Any) -> None:
    page = blockify(html, units=units)
    assert (page.blocks, page.title, page.truncated) == ((), "", False)


def test_inline_elements_side_by_side_are_words_of_their_own() -> None:
    def texts(html: str) -> list[str]:
        return [block.text for block in blockify(html).blocks]

    assert texts("<p><span>A joy to pour</span><span>Ilse M.</span></p>") == [
        "A joy to pour Ilse M."
    ]
    assert texts("<p><a>Home</a><a>About</a></p>") == ["Home About"]
    assert texts("<p>un<b>like</b>ly, H<sub>2</sub>O</p>") == ["unlikely, H₂O"]
    assert texts("<p><span>T</span><span>he tide</span></p>") == ["The tide"]
    assert texts("<pre><b>tide</b><i>.rise()</i></pre>") == ["tide.rise()"]


def test_leaves_leave_out_the_heads_title_only_as_the_papers_code_does() -> None:
    html = "<head><title>T</title></head><body><p>A<svg><title>Icon</title></svg></p></body>"
    assert [block.text for block in blockify(html, units="leaf").blocks] == ["A", "Icon"]
    assert [block.text for block in blockify(html).blocks] == ["A"]
