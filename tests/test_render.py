"""Blocks to plain text: paragraphs, list items and table rows on lines of their own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labeled import to_text

PAGES = Path(__file__).parent / "pages"


def rendered(html: str | bytes, below: str = "") -> str:
    blocks = blockify(html).blocks
    return to_text([block for block in blocks if block.xpath.startswith(below)])


def test_no_blocks_give_no_text() -> None:
    assert to_text([]) == ""


def test_headings_paragraphs_and_items_are_lines() -> None:
    page = "<h1>Taps</h1><p>They <b>leak</b>.<br>Often.</p><ul><li>Kitchen<li>Bath</ul>"
    assert rendered(page) == "Taps\nThey leak.\nOften.\nKitchen\nBath"


def test_the_cells_of_a_table_row_share_a_line() -> None:
    page = "<table><tr><th>Pool<th>Depth</tr><tr><td>North<td>12 cm</tr></table>"
    assert rendered(page) == "Pool | Depth\nNorth | 12 cm"


def test_text_around_a_table_stays_on_its_own_lines() -> None:
    page = "<div>Before<table><tr><td>A<td>B</table>After</div>"
    assert rendered(page) == "Before\nA | B\nAfter"


def test_markup_inside_a_cell_does_not_part_its_row() -> None:
    assert rendered("<table><tr><td><p>A</p><td><div><b>B</b></div></table>") == "A | B"


def test_a_row_with_several_blocks_in_a_cell_is_layout_and_is_not_joined() -> None:
    page = "<table><tr><td>Menu<td><p>One.</p><p>Two.</p></tr><tr><td>A<td>B</tr></table>"
    assert rendered(page) == "Menu\nOne.\nTwo.\nA | B"


def test_a_table_inside_a_layout_cell_keeps_its_rows() -> None:
    page = "<table><tr><td>Menu<td>Text<table><tr><td>A<td>B</table></td></tr></table>"
    assert rendered(page) == "Menu | Text\nA | B"


def test_rows_of_two_tables_are_not_mixed() -> None:
    page = "<table><tr><td>A</table><table><tr><td>B</table>"
    assert rendered(page) == "A\nB"


def test_a_row_that_a_caption_interrupts_is_resumed_on_a_new_line() -> None:
    blocks = blockify("<table><tr><td>A<td>B</table><p>C").blocks
    assert to_text([blocks[0], blocks[2], blocks[1]]) == "A\nC\nB"


@pytest.mark.parametrize(
    ("name", "below"),
    [("article", "/html/body[1]/main[1]"), ("forum", "/html/body[1]/table[1]/tr[2]/td[2]/table")],
)
def test_the_main_part_of_a_real_page_reads_as_expected(
    name: str, below: str, read_page: Callable[[str], bytes]
) -> None:
    expected = (PAGES / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
    assert rendered(read_page(f"{name}.html"), below) == expected


@given(
    st.lists(
        st.sampled_from(
            ["<table>", "<tr>", "<td>", "<th>", "</table>", "</tr>", "</td>", "<p>", "word", "<br>"]
        ),
        max_size=40,
    ).map("".join)
)
def test_every_block_is_in_the_text_once_and_in_order(html: str) -> None:
    blocks = blockify(html).blocks
    lines = to_text(blocks).split("\n") if blocks else []
    assert [part for line in lines for part in line.split(" | ")] == [b.text for b in blocks]
