"""Data tables are distinguished from layout, and completed if most of a table is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.decide.tables import complete_tables, data_tables
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.page import Page

TEXT = "Pools that the tide leaves behind warm up by several degrees before the water comes back."
ROWS = [("Pool", "At noon"), ("Upper", "21 °C"), ("Lower", "17 °C")]


def table(rows: list[tuple[str, ...]], cell: str = "td") -> str:
    lines = ("".join(f"<{cell}>{text}</{cell}>" for text in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def texts(html: str) -> list[list[list[str]]]:
    """Return per data table and row the texts of its blocks."""
    page = blockify(html)
    return [
        [[page.blocks[i].text for i in row] for row in rows] for rows in data_tables(page)
    ]  # fmt: skip


def test_rows_of_a_table_are_found_in_order() -> None:
    assert texts(f"<p>{TEXT}</p>{table(ROWS)}") == [[list(row) for row in ROWS]]
    body = table(ROWS[1:]).removeprefix("<table>")
    headed = f"<table><thead><tr><th>Pool<th>At noon</thead><tbody>{body}"
    assert texts(headed) == [[list(row) for row in ROWS]]


@pytest.mark.parametrize(
    "html",
    [
        table(ROWS[:1]),
        table([("Upper",), ("Lower",), ("Middle",)]),
        table([("Upper", TEXT), ("Lower", TEXT)]),  # prose
        table([("<p>Home<p>News", "<p>Pools<p>Tides")] * 3),  # several blocks per cell
        table([("Menu", table(ROWS[:1])), ("Pools", "Tides")]),  # a table inside
        table([("One",)] * 5 + [("Upper", "21 °C")] * 2),
    ],
)
def test_layout_is_no_data_table(html: str) -> None:
    assert [rows for rows in texts(html) if len(rows) > 1] == []


def test_a_data_table_inside_a_layout_table_is_found() -> None:
    assert texts(table([("Menu", table(ROWS)), ("Pools", "Tides")])) == [
        [list(row) for row in ROWS]
    ]


def completed(html: str, kept: set[str]) -> list[str]:
    """Return the texts that are kept after tables are completed."""
    page = blockify(html)
    marks = np.array([block.text in kept for block in page.blocks])
    whole = complete_tables(page, marks)
    return [block.text for block, keep in zip(page.blocks, whole, strict=True) if keep]


def test_a_table_of_which_most_is_kept_is_kept_as_a_whole() -> None:
    page = f"<p>{TEXT}</p>{table(ROWS)}<p>Tides</p>"
    everything = [*chain.from_iterable(ROWS)]
    assert completed(page, {"At noon", "Upper", "Lower"}) == everything
    assert completed(page, set()) == []


def test_a_row_of_which_half_is_kept_is_kept_as_a_whole() -> None:
    assert completed(table(ROWS), {"Upper"}) == ["Upper", "21 °C"]
    assert completed(table([*ROWS, ("No", "A longer cell")]), {"No"}) == ["No"]


def test_hidden_cells_are_not_added() -> None:
    rows = [("Pool", "<span hidden>Buy this</span>"), ("Upper", "21 °C"), ("Lower", "17 °C")]
    assert "Buy this" not in completed(table(rows), {"Pool", "Upper", "21 °C", "Lower"})


def test_layout_tables_stay_as_they_are() -> None:
    assert completed(table([("Menu", TEXT), ("News", TEXT + "!")]), {TEXT}) == [TEXT]


cells = st.sampled_from(["", "Upper", "21 °C", "<b>warm</b> pool", "<p>a<p>b", "<i hidden>x</i>"])
pages = st.lists(
    st.lists(st.lists(cells, min_size=1, max_size=4).map(tuple), max_size=5).map(table)
    | st.just(f"<p>{TEXT}"),
    max_size=4,
).map(lambda parts: blockify("".join(parts)))


@given(pages, st.data())
def test_completing_only_adds_shown_blocks_of_data_tables_and_more_kept_is_never_less(
    page: Page, data: st.DataObject
) -> None:
    size = len(page.blocks)
    marks = st.lists(st.booleans(), min_size=size, max_size=size)
    kept, more = (np.array(data.draw(marks), dtype=np.bool_) for _ in range(2))
    once = complete_tables(page, kept)
    inside = {*chain.from_iterable(chain.from_iterable(data_tables(page)))}
    assert (once >= kept).all()
    assert all(i in inside and not page.blocks[i].hidden for i in np.flatnonzero(once & ~kept))
    assert (complete_tables(page, kept | more) >= once).all()


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[1] / "pages").glob("*.html")))
def test_tables_are_the_same_of_blocks_that_are_there(file: Path) -> None:
    page = blockify(file.read_bytes())
    assert data_tables(page) == data_tables(replace(page, blocks=tuple(page.blocks)))
