"""The same page written differently gives the same text: comments, white space, order, capitals."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.benchmark_runs import ROOT, run
from testing.models import PAGES
from testing.soup import soups
from testing.soup_cases import soup_cases
from testing.synthetic import QUICK, write_set

from benchmarks.hostile import metamorphic
from scrapy_boilernet import extract
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import decode
from scrapy_boilernet.extractor.labelers.model_folder import find_model
from scrapy_boilernet.extractor.options import Units

FILES = [*sorted(PAGES.glob("*.html")), *sorted(ROOT.glob("example_project/site/*.html"))]
HTML = {file.name: decode(file.read_bytes()) for file in FILES}
WITHIN, IN_DIV = "comments within text", "the body in a div"
NAMES = (
    "comments between tags", WITHIN, "longer white space", "white space between tags",
    "attributes in reverse", "names in capitals", IN_DIV,
)  # fmt: skip


def texts_of(html: str, units: Units = "block") -> list[str]:
    return [block.text for block in blockify(html, units=units).blocks]


def unspaced(texts: list[str]) -> str:
    return "".join("".join(texts).split())


def test_the_cases_name_all_rewritings() -> None:
    assert tuple(metamorphic.REWRITINGS) == NAMES


@pytest.mark.parametrize("page", HTML)
@pytest.mark.parametrize("name", NAMES)
def test_blocks_have_the_same_texts(page: str, name: str) -> None:
    before = HTML[page]
    after = metamorphic.REWRITINGS[name](before)
    assert after != before or (page, name) == ("oldweb-lighthouse.html", "names in capitals")
    assert texts_of(after) == texts_of(before)
    leaves = texts_of(after, "leaf"), texts_of(before, "leaf")
    if name == WITHIN:  # which makes two DOM text nodes of one
        assert unspaced(leaves[0]) == unspaced(leaves[1])
    else:
        assert leaves[0] == leaves[1]


@pytest.mark.skipif(not find_model("default"), reason="no shipped model")
@pytest.mark.parametrize("page", HTML)
def test_the_shipped_model_finds_the_same_text(page: str) -> None:
    text = extract(HTML[page], engine="numpy").text
    for name in NAMES:
        if name != IN_DIV:  # models read how deep a block stands
            written = metamorphic.REWRITINGS[name](HTML[page])
            assert extract(written, engine="numpy").text == text, name


@given(
    page=st.sampled_from(sorted(HTML)),
    names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True),
)
@QUICK
def test_several_rewritings_at_once_change_no_block(page: str, names: list[str]) -> None:
    written = HTML[page]
    for name in names:
        written = metamorphic.REWRITINGS[name](written)
    assert texts_of(written) == texts_of(HTML[page])


comments = st.text(st.characters(exclude_characters="->", codec="utf-8"), max_size=9).map(
    "<!--{} -->".format
)


@given(page=st.sampled_from(sorted(HTML)), data=st.data())
@QUICK
def test_any_comments_in_any_places_change_no_block(page: str, data: st.DataObject) -> None:
    parts = []
    tokens = metamorphic.tokens_of(HTML[page])
    commented = data.draw(st.sets(st.integers(0, len(tokens) - 1), max_size=12))
    for number, token in enumerate(tokens):
        source = token.source
        if number in commented and token.kind == "text":
            place = data.draw(st.integers(0, len(source)))
            source = metamorphic.with_comment(source, place, data.draw(comments))
        parts.append(source)
    assert texts_of("".join(parts)) == texts_of(HTML[page])


@given(source=soups)
@QUICK
def test_a_page_in_pieces_is_whole(source: str) -> None:
    assert "".join(token.source for token in metamorphic.tokens_of(source)) == source


def test_the_cases_and_pages_in_pieces_are_whole() -> None:
    for html in (*HTML.values(), *soup_cases().values()):
        assert "".join(token.source for token in metamorphic.tokens_of(html)) == html


def test_what_is_shown_as_it_is_stays_as_it_is() -> None:
    kept = "<pre>a  b</pre><textarea> <p> </textarea><script> '<p>  </p>' </script>"
    for name in ("longer white space", "white space between tags", WITHIN):
        written = metamorphic.REWRITINGS[name](kept)
        assert re.sub("<!--.*?-->|(?<=>)\n\t  ", "", written) == kept
    assert (
        metamorphic.with_spaces_between("<b>a</b><i>b</i><p><b>")
        == "<b>a</b><i>b</i>\n\t  <p>\n\t  <b>"
    )
    assert metamorphic.with_comment("a&amp;b", 3) == "a&amp;b"


def test_odd_attributes_are_left_alone() -> None:
    for tag in ('<p a="1" A=2>', "<p a='1\">", '<p "=1 b=2>', "<p a=`1` b==2>", "<p a=1/>"):
        assert metamorphic.with_attributes_reversed(tag) == tag
    assert metamorphic.with_attributes_reversed("<p a=1 b='2'  c>") == "<p c b='2' a=1>"
    assert metamorphic.with_capitals("<p é=1 class=a>x</p>") == "<P é=1 CLASS=a>x</P>"


def test_the_benchmark_counts_what_changed(tmp_path: Path) -> None:
    pages: Any = {name: (HTML[f"{name}.html"].encode(), None) for name in ("article", "forum")}
    folder = write_set(tmp_path / "small", pages)
    text, document = run(
        tmp_path, "benchmarks.hostile.metamorphic", folder, "--pages", "2", "--engine", "numpy",
        plot=False,
    )  # fmt: skip
    assert set(NAMES) <= set(document)
    for name in NAMES:
        assert document[name]["pages"] == len(document[name]["scores"]) == 2
        assert document[name]["other_blocks"] == document[name]["other_leaves"] == []
        assert f"| {name} | 2 | 0 |" in text
