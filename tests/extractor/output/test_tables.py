"""What is written as a table in Markdown: heads, cells with several lines, tables of few cells."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import to_text


def markdown(html: str, kept: list[bool] | None = None) -> str:
    return written(blockify(html, markup=True), kept).markdown or ""


BODY = "<tr><td>x<td>y<tr><td>z<td>w"
ROWS = "| x | y |\n| z | w |"


@pytest.mark.parametrize(
    "head",
    [
        "<thead><tr><th>A<th>B</thead><tbody>", "<thead><th>A<th>B</thead><tbody>",
        "<thead><th>A</th><th>B</th></thead>", "<th>A</th><th>B</th>", "<tr><th>A<th>B",
        "<thead><td>A</td><td>B</td></thead><tbody>", "<tbody><th>A</th><th>B</th></tbody><tbody>",
    ],
)  # fmt: skip
def test_a_head_needs_no_row_of_its_own(head: str) -> None:
    html = f"<table>{head}{BODY}</table>"
    assert markdown(html) == f"| A | B |\n| --- | --- |\n{ROWS}"
    assert to_text(blockify(html).blocks) == "A | B\nx | y\nz | w"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<pre>ferry list</pre>", "`ferry list`"),
        ("<pre><code>if a:\n    b()</code></pre>", "`if a:`<br>`    b()`"),
        ("<pre>a\n  ``b``\n \n\tc</pre>", "`a`<br>```   ``b`` ```<br>`\tc`"),
        ("<p> <code> a</code><p>b", "`a`<br>b"),
        ("<pre>a | b</pre>", "`a \\| b`"), ("<code>a</code>", "`a`"),
        ("<ul><li>one<li>two</ul>", "one<br>two"), ("<p>one<p>two", "one<br>two"),
        ("one<br>two", "one<br>two"), ("<ol><li>one<li><b>two</b></ol>", "one<br>**two**"),
        ("<div>one</div><pre>two</pre>", "one<br>`two`"),
        ("<blockquote>one</blockquote>", "one"),
    ],
)  # fmt: skip
def test_a_cell_is_one_line(cell: str, expected: str) -> None:
    html = f"<table><tr><th>A<th>B<tr><td>{cell}<td>y<tr><td>z<td>w</table>"
    assert markdown(html) == f"| A | B |\n| --- | --- |\n| {expected} | y |\n| z | w |"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<tr><td>a<td>b<td>c", "| a | b | c |\n| --- | --- | --- |"),
        ("<tr><td><code>a</code><td>b<td>c<td>d", "| `a` | b | c | d |\n" + "| --- " * 4 + "|"),
        ("<tr><th>A<tr><td>b<tr><td>c", "| A |\n| --- |\n| b |\n| c |"),
        ("<tr><th>A<th>B<tr><td colspan=2>s<tr><td colspan=2>t<tr><td>1<td>2",
         "| A | B |\n| --- | --- |\n| s |  |\n| t |  |\n| 1 | 2 |"),
        (f"<thead><tr><th>A<th>B<tbody>{BODY}<tfoot><tr><td>sum<td>2",
         f"| A | B |\n| --- | --- |\n{ROWS}\n| sum | 2 |"),
        (f"<thead><tr><th>A<th>B<tfoot><tr><td>sum<td>2<tbody>{BODY}",
         f"| A | B |\n| --- | --- |\n{ROWS}\n| sum | 2 |"),
        (f"<tfoot><tr><td>sum<td>2</tfoot><tr><th>A<th>B{BODY}",
         f"| A | B |\n| --- | --- |\n{ROWS}\n| sum | 2 |"),
        (f"<caption>Cap</caption><tr><th>A<th>B{BODY}", f"Cap\n\n| A | B |\n| --- | --- |\n{ROWS}"),
        ("<tr><th rowspan=2>A<th colspan=2>B<tr><th>c<th>d<tr><td>1<td>2<td>3",
         "| A | B |  |\n| --- | --- | --- |\n|  | c | d |\n| 1 | 2 | 3 |"),
        ("<tr><th>Shop<th>Sold<tr><th colspan=2>North<tr><td>Kiel<td>2<tr><td>Husum<td>",
         "| Shop | Sold |\n| --- | --- |\n| North |  |\n| Kiel | 2 |\n| Husum |  |"),
        ("<tr><td>a<td>b<td>c<td>d", "| a | b | c | d |\n" + "| --- " * 4 + "|"),
    ],
)  # fmt: skip
def test_small_tables_and_spans(html: str, expected: str) -> None:
    assert markdown(f"<table>{html}</table>") == expected


@pytest.mark.parametrize(
    "html",
    [
        "<tr><td>a<td>b", "<tr><td>a<tr><td>b", "<tr><td><h2>a</h2><td>b<td>c",
        "<tr><td><pre>1\n2</pre><td><pre>a\nb</pre>", f"<tr><td>{'word ' * 30}<td>b<td>c",
        "<tr><td><p>a<p>b<td>c<td>d", "<tr><td><img src=a.png><td><img src=b.png><td>c",
    ],
)  # fmt: skip
@pytest.mark.parametrize("attribute", ["", " role=presentation"])
def test_layout_is_no_table(html: str, attribute: str) -> None:
    assert "| ---" not in markdown(f"<table{attribute}>{html}</table>")


def test_rows_of_a_very_wide_table_are_not_filled_up() -> None:
    """Empty cells would be most of the Markdown of such a page."""
    rows = "<tr><td>x<td>y" * 4_000
    wide = f"<table><tr><th>A<th>B{rows}<tr>{'<td>z' * 190}</table>"
    assert "\n| x | y |\n" in markdown(wide)
    assert markdown(wide.replace(rows, rows[: 14 * 40])).count(" |  |") > 40


def test_a_table_of_which_one_cell_per_row_is_kept_stays_a_table() -> None:
    html = f"<table><tr><th>A<th>B{BODY}<tr><td>v<td>u</table>"
    kept = [True, False] * 4
    assert markdown(html, kept) == "| A |\n| --- |\n| x |\n| z |\n| v |"


MEMBERS = (
    "<tr><td align=right>int&nbsp;<td><a href='#d'>depth</a><tr><td>&nbsp;<td>In metres.<tr>"
    "<td align=right>void&nbsp;<td><b>sink</b> (int to)<tr><td>&nbsp;<td>Lets the buoy sink."
)
"""The members of a class as documentation tools write them."""
MEMBER_ROWS = (
    "| int | [depth](#d) |\n| --- | --- |\n|  | In metres. |\n| void | **sink** (int to) |\n"
    "|  | Lets the buoy sink. |"
)


@pytest.mark.parametrize("row", ["<tr><td colspan=2>{}", "<tr>{}", "<tr><td>{}<td>&nbsp;"])
def test_a_heading_that_is_a_row_stands_above_its_table(row: str) -> None:
    cell = "<h2 class=groupheader><a name=f></a>Fields of <code>Buoy</code></h2>"
    if row == "<tr>{}":
        cell = f"<td>{cell}</td>"
    html = f"<table class=memberdecls>{row.format(cell)}{MEMBERS}</table>"
    assert markdown(html) == f"## Fields of `Buoy`\n\n{MEMBER_ROWS}"


def test_headings_that_are_rows_stand_between_tables() -> None:
    first, second = (f"<tr><td colspan=2><h3>{name}</h3>{MEMBERS}" for name in ("Buoy", "Pier"))
    shown = f"### Buoy\n\n{MEMBER_ROWS}\n\n### Pier\n\n{MEMBER_ROWS}"
    assert markdown(f"<table>{first}{second}</table>") == shown


@pytest.mark.parametrize(
    "row",
    [
        "<tr><td><h2>Buoy</h2><td>2 m", "<tr><td colspan=2><h2>Buoy</h2><p>A body that floats.",
        "<tr><td><h2>Buoy</h2><td><h2>Pier</h2>",
    ],
)  # fmt: skip
def test_a_heading_beside_texts_is_layout(row: str) -> None:
    assert "| ---" not in markdown(f"<table>{row}{MEMBERS}</table>")


def test_a_heading_in_a_head_stays_in_its_table() -> None:
    html = "<table><tr><th colspan=2><h3>Buoy</h3><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert markdown(html) == "| Buoy |  |\n| --- | --- |\n| a | b |\n| c | d |"


LONG = "The depth that the buoy sinks to, in metres below the lowest tide, or 0 if it is to float."
ENTRY = "| depth | {} |\n| --- | --- |"


@pytest.mark.parametrize(
    "table",
    [
        "<dl class=params><dt>Parameters<dd><table class=params><tr><td class=paramname>depth<td>{}"
        "</table></dl>",
        "<table><tr><td class=paramname>depth<td>{}</table>",
        "<table class=informaltable><tr><td class=parameter_name><p>depth</p><td "
        "class=parameter_description><p>{}</p><td class=parameter_annotations>&nbsp;</table>",
        "<div class=variablelist><table border=0><tr><td><p><span class=term>depth</span></p><td>"
        "<p>{}</p></table></div>",
        "<table class=memberdecls><tr><td class=memItemLeft>depth&nbsp;<td class=memItemRight>{}"
        "</table>",
    ],
)  # fmt: skip
def test_a_name_and_what_is_said_of_it_are_a_table(table: str) -> None:
    assert markdown(table.format("In metres.")).endswith(ENTRY.format("In metres."))
    assert markdown(table.format(LONG)).endswith(ENTRY.format(LONG))


@pytest.mark.parametrize("lists", ["<ul><li>deep<li>flat</ul>", "<p>One of<ol><li>deep</ol>"])
def test_a_list_of_what_is_said_of_a_name_keeps_its_marks(lists: str) -> None:
    cell = f"<td class=paramname>depth<td>In metres.{lists}"
    found = markdown(f"<table class=params><tr>{cell}</table>")
    assert "|" not in found
    assert ("- deep" if "<ul>" in lists else "1. deep") in found.splitlines()


def test_a_table_of_members_with_one_member_and_its_description() -> None:
    html = (
        "<table class=memberdecls><tr><td colspan=2><h2>Fields</h2><tr><td class=memItemLeft>int"
        "<td>depth<tr><td class=mdescLeft>&nbsp;<td>In metres.</table>"
    )
    assert markdown(html) == "## Fields\n\n| int | depth |\n| --- | --- |\n|  | In metres. |"


@pytest.mark.parametrize("class_words", ["specs", "tbl tbl-lines"])
def test_a_row_of_the_class_of_a_data_table_is_a_table(class_words: str) -> None:
    row = f"<table class='{class_words}'><tr><td>depth<td>In metres.</table>"
    data = f"<table class='{class_words}'>{BODY}</table>"
    for html in (f"{data}<p>of</p>{row}", f"{row}<p>of</p>{data}"):
        assert ENTRY.format("In metres.") in markdown(html)
    assert ENTRY.format("In metres.") not in markdown(f"{row}<p>of</p>{row}")
    other = data.replace(class_words, "other")
    assert ENTRY.format("In metres.") not in markdown(f"{row}<p>of</p>{other}")


@pytest.mark.parametrize(
    "row",
    [
        "<td>depth", f"<td>{LONG}<td>depth", "<td>depth<td><h3>In metres</h3>",
        f"<td>depth<td>{'<p>In metres.' * 7}", f"<td>depth<td>{LONG * 12}",
        "<td><img src=a.png><td>In metres.", "<td>depth<td><pre>a\nb</pre>",
        f"<td>depth<td>{LONG}<tr><td>width<td>{LONG}",
    ],
)  # fmt: skip
def test_layout_of_the_class_of_a_data_table_is_no_table(row: str) -> None:
    data = f"<table class=box>{BODY}</table>"
    assert markdown(f"{data}<p>of</p><table class=box><tr>{row}</table>").count("| ---") == 2


@pytest.mark.parametrize(
    ("attributes", "numbers"),
    [
        ("", [1, 2, 3]), (" start=4", [4, 5, 6]), (" reversed", [3, 2, 1]),
        (" reversed start=10", [10, 9, 8]), (" type=a start=2", [2, 3, 4]), (" start=x", [1, 2, 3]),
    ],
)  # fmt: skip
def test_numbers_of_items(attributes: str, numbers: list[int]) -> None:
    expected = "\n".join(f"{n}. {text}" for n, text in zip(numbers, "abc", strict=True))
    assert markdown(f"<ol{attributes}><li>a<li>b<li>c</ol>") == expected


def test_a_stated_number_goes_on() -> None:
    html = "<ol><li value=5>a<li>b<li value=2>c<li>d</ol>"
    assert markdown(html) == "5. a\n6. b\n2. c\n3. d"
    assert markdown("<ol reversed start=1><li>a<li>b<li>c</ol>") == "1. a\n0. b\n0. c"


def test_a_column_without_text_is_left_out() -> None:
    rows = "<tr><td>{}<td> <td>{}<td></tr>"
    html = "<table><tr><th>Pool<th><th>Depth<th></tr>{}</table>"
    filled = html.format(rows.format("North", "2 m") + rows.format("South", "3 m"))
    assert markdown(filled) == "| Pool | Depth |\n| --- | --- |\n| North | 2 m |\n| South | 3 m |"


def test_a_column_with_one_text_is_kept() -> None:
    html = (
        "<table><tr><th>Pool<th>Note<th>Depth<tr><td>North<td><td>2 m"
        "<tr><td>South<td>x<td>3 m<tr><td>East<td><td>4 m</table>"
    )
    assert markdown(html).splitlines()[2:] == [
        "| North |  | 2 m |", "| South | x | 3 m |", "| East |  | 4 m |",
    ]  # fmt: skip
    named = html.replace("<td>x<td>", "<td><td>")
    assert markdown(named).splitlines()[0] == "| Pool | Note | Depth |"


@pytest.mark.parametrize("label", ["(a)", "(iii)", "[12]", "a)", "12)", "–", "•", "(b).", "(ж)"])
@pytest.mark.parametrize("cell", ["<td><p>{}</p></td>", "<td valign=top>{}</td>"])
def test_a_label_stands_before_the_text_of_the_next_cell(label: str, cell: str) -> None:
    text = "‘buoy’ means a floating body that is anchored, whatever its colour, size or use may be;"
    row = f"<tr>{cell.format(label)}<td><p>{text}</p><p>and a chain.</p></td></tr>"
    shown = markdown(f"<table>{row}</table>")
    assert shown.replace("\\", "") == f"{label} {text}\n\nand a chain."
    page = written(blockify(f"<table>{row}</table>", markup=True))
    assert page.html == f"<p>{label} {text}</p>\n<p>and a chain.</p>"


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>(a)</td></tr><tr><td>A buoy floats.</td></tr></table>",
        "<table><tr><td><p>(a)</p><p>A buoy floats.</p></td></tr></table>",
        "<p>(a)</p><table><tr><td>A buoy floats.</td></tr></table>",
        "<table><tr><td>(a)</td><td><h2>A buoy floats.</h2></td></tr></table>",
        "<table><tr><td>Buoys</td><td><p>A buoy floats.</p><p>It does.</p></td></tr></table>",
    ],
)
def test_other_texts_are_paragraphs_of_their_own(html: str) -> None:
    shown = markdown(html).split("\n\n")
    assert len(shown) == len(blockify(html).texts)
