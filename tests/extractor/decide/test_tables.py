"""Data tables are distinguished from layout, and completed if most of a table is kept."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.tables import cell_steps, complete_tables, data_tables
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.page import Page

TEXT = "Pools that the tide leaves behind warm up by several degrees before the water comes back."
ROWS = [("Pool", "At noon"), ("Upper", "21 °C"), ("Lower", "17 °C")]


def table(rows: list[tuple[str, ...]], cell: str = "td") -> str:
    lines = ("".join(f"<{cell}>{text}</{cell}>" for text in row) for row in rows)
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def texts(html: str) -> list[list[list[str]]]:
    """Return per data table and row the texts of its blocks."""
    page = blockify(html)
    return [
        [[page.blocks[i].text for i in row] for row in rows] for rows in data_tables(page).values()
    ]  # fmt: skip


def test_rows_of_a_table_are_found_in_order() -> None:
    assert texts(f"<p>{TEXT}</p>{table(ROWS)}") == [[list(row) for row in ROWS]]
    body = table(ROWS[1:]).removeprefix("<table>")
    headed = f"<table><thead><tr><th>Pool<th>At noon</thead><tbody>{body}"
    assert texts(headed) == [[list(row) for row in ROWS]]


def test_a_caption_is_a_row_and_kept_with_its_table() -> None:
    html = table(ROWS).replace("<table>", "<table><caption>Warm <b>pools</b></caption>")
    assert texts(html) == [[["Warm pools"], *map(list, ROWS)]]
    page = blockify(html)
    kept = np.array([text != "Warm pools" for text in page.texts])
    assert complete_tables(page, kept).all()
    assert not complete_tables(page, ~kept)[1:].any()


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


LONG = {
    "en": "The tide falls until two in the afternoon, and then the path to the lighthouse is dry.",
    "de": "Das Wasser fällt bis zwei Uhr am Nachmittag, und dann ist der Weg zum Leuchtturm frei.",
    "ru": "Вода спадает до двух часов пополудни, и тогда тропа к маяку остаётся сухой до вечера.",
    "ja": "潮は午後二時まで引き続け、そのあと灯台へ向かう小道は夕方まで乾いたままになりますので、"
    * 2,
}


def rows_with(*more: str, cell: str = "td", number: int = 3) -> str:
    first = f"<tr><{cell}>Pool</{cell}><{cell}>What lives there</{cell}></tr>"
    body = "".join(f"<tr><td>{i}</td>{''.join(f'<td>{one}</td>' for one in more)}</tr>"
                   for i in range(1, number))  # fmt: skip
    return f"<table>{first}{body}</table>"


DATA = {
    **{f"long cells, {name}": rows_with(text) for name, text in LONG.items()},
    "long cells below a header, two rows": rows_with(LONG["en"], cell="th", number=2),
    "long cells in two columns": rows_with(LONG["en"], LONG["de"]),
    "lists in half of the cells": rows_with("<ul><li>limpets<li>crabs<li>a fish</ul>"),
    "lists below a header": rows_with("<p>limpets<p>crabs", cell="th", number=2),
    "short cells and a heading": rows_with("<h3>crabs</h3>", number=5),
    "short cells in spite of its role": rows_with("crabs").replace("<table", "<table role=none"),
    "a header alone": "<table><tr><th>Pool<th>Depth<th>Warmth</table>",
    "one row with its header": "<table><tr><th>Depth<td>2 m</table>",
}
LAYOUT = {
    **{
        f"two rows of long cells, {name}": table([("Menu", text), ("News", text)])
        for name, text in LONG.items()
    },
    "a post below its author": "<table><tr><td>2 May<td>#1<tr><td><p>Ann<p>Member<td>"
    f"<p>Tides<p>{LONG['en']}<p>Thanks!</table>",
    "many blocks in a cell": rows_with("<p>a" * 7),
    "very long cells": rows_with(LONG["en"] * 13),
    "several blocks in most cells": rows_with("<p>a<p>b", "<p>c<p>d", number=5),
    "headings and long cells": rows_with(f"<h2>Tides</h2>{LONG['en']}"),
    "code and long cells": rows_with(f"<pre>{LONG['en']}</pre>"),
    "long cells, and layout by its role": rows_with(LONG["en"]).replace(
        "<table", "<table role=presentation"
    ),
    "long cells, and most rows have one": rows_with(LONG["en"])[:-8]
    + "<tr><td>a</td></tr><tr><td>b</td></tr><tr><td>c</td></tr><tr><td>d</td></tr></table>",
    "one wide row below a header": f"<table><tr><th>{LONG['en']}<tr><td>Print<td>Send</table>",
    "one row": "<table><tr><td>Depth<td>2 m</table>",
}


@pytest.mark.parametrize("html", DATA.values(), ids=DATA.keys())
def test_a_table_of_data_is_found_and_written_as_a_table(html: str) -> None:
    assert len(data_tables(blockify(html))) == 1
    written = extract(html, threshold=0, formats=("markdown",)).markdown or ""
    assert ("| --- |" in written) is ("<h3>" not in html)


@pytest.mark.parametrize("html", LAYOUT.values(), ids=LAYOUT.keys())
def test_a_table_for_layout_is_neither_completed_nor_written_as_a_table(html: str) -> None:
    assert data_tables(blockify(html)) == {}
    assert "| --- |" not in (extract(html, threshold=0, formats=("markdown",)).markdown or "")


@pytest.mark.parametrize(("tags", "steps"), [
    ("body table tr td p", (1, 2, 3)),
    ("body table tbody tr th", (1, 3, 4)),
    ("table tr td table tr td", (3, 4, 5)),
    ("table tr td table caption", (3, -1, -1)),
    ("table tr td table p", (3, -1, -1)),
    ("table tr td table tr p", (3, 4, -1)),
    ("table tr p", (0, 1, -1)),
    ("table caption p", (0, -1, -1)),
    ("tr td b", (-1, 0, 1)),
    ("td p", (-1, -1, 0)),
    ("div p", (-1, -1, -1)),
    ("", (-1, -1, -1)),
])  # fmt: skip
def test_the_cell_of_a_text_is_in_its_innermost_row_and_table(
    tags: str, steps: tuple[int, int, int]
) -> None:
    assert cell_steps(tuple(tags.split())) == steps


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
    inside = {*chain.from_iterable(chain.from_iterable(data_tables(page).values()))}
    assert (once >= kept).all()
    assert all(i in inside and not page.blocks[i].hidden for i in np.flatnonzero(once & ~kept))
    assert (complete_tables(page, kept | more) >= once).all()


@pytest.mark.parametrize("file", sorted((Path(__file__).parents[2] / "pages").glob("*.html")))
def test_tables_are_the_same_of_blocks_that_are_there(file: Path) -> None:
    page = blockify(file.read_bytes())
    assert data_tables(page) == data_tables(replace(page, blocks=tuple(page.blocks)))
