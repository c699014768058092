"""Headings, lists and tables by the roles of their elements."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def tags(html: str) -> list[str]:
    """The tags around each block, without html and body."""
    return [".".join(block.tags[2:]) for block in blockify(html).blocks]


@pytest.mark.parametrize("tag", ["div", "span", "section"])
def test_a_list_by_roles_is_a_list(tag: str) -> None:
    item = f"<{tag} role=listitem>A crab</{tag}>"
    assert tags(f"<{tag} role=list>{item}{item}</{tag}>") == ["ul.li", "ul.li"]
    assert tags(f"<div role=' List '><div>{item}</div><div>{item}</div></div>") == [
        "ul.div.li",
        "ul.div.li",
    ]


def test_items_belong_to_the_innermost_list() -> None:
    inner = "<div role=list><div role=listitem>b</div><div role=listitem>c</div></div>"
    html = f"<div role=list><div role=listitem>a{inner}</div><div role=listitem>d</div></div>"
    assert tags(html) == ["ul.li", "ul.li.ul.li", "ul.li.ul.li", "ul.li"]


@pytest.mark.parametrize(
    "html",
    [
        "<div role=list><div role=listitem>One alone</div></div>",
        "<div role=listitem>a</div><div role=listitem>b</div>",
        "<div role=row><div role=cell>a</div></div>",
        "<div role=table><div role=row>No cells</div></div>",
        "<div role=grid><div role=row><div role=gridcell>1</div></div></div>",
        "<div role=list><div role=cell>a</div><div role=cell>b</div></div>",
    ],
)
def test_parts_of_none_are_what_they_are(html: str) -> None:
    assert all(set(path.split(".")) <= {"div"} for path in tags(html))


def test_elements_that_are_lists_stay_so() -> None:
    html = "<ul role=list><li role=listitem>a</li><li role=listitem>b</li></ul>"
    assert tags(html) == ["ul.li", "ul.li"]


@pytest.mark.parametrize("group", ["", "<div role=rowgroup>"])
def test_a_table_by_roles_is_a_table(group: str) -> None:
    head = "<span role=columnheader>Month</span><span role=columnheader>Tides</span>"
    row = "<div role=rowheader>May</div><div role=cell>58</div>"
    html = f"<div role=table>{group}<div role=row>{head}</div><div role=row>{row}</div></div>"
    body = "table.tbody.tr" if group else "table.tr"
    assert tags(html) == [f"{body}.th", f"{body}.th", f"{body}.th", f"{body}.td"]


def test_xpaths_are_those_of_the_page() -> None:
    html = "<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>"
    xpaths = [block.xpath for block in blockify(html).blocks]
    assert xpaths == [f"/html/body[1]/div[1]/div[{i}]" for i in (1, 2)]


@pytest.mark.parametrize("role", ["grid", "treegrid", "table"])
def test_a_table_by_roles_keeps_its_columns(role: str) -> None:
    heads = "".join(f"<div role=columnheader>{name}</div>" for name in ("Boat", "Port", "Year"))
    rows = (("Ann", "", "1964"), ("", "Ulm", "2001"))
    cell = "gridcell" if "grid" in role else "cell"
    written = "".join(
        f"<div role=row>{''.join(f'<div role={cell}>{one}</div>' for one in row)}</div>"
        for row in rows
    )
    html = f"<div role={role}><p><div role=rowgroup><div role=row>{heads}</div></div><div><div>"
    page = blockify(f"{html}<div role=rowgroup>{written}</div></div></div></div>", markup=True)
    assert page.markup is not None
    assert [index for _, index in page.markup.cells] == [0, 1, 2, 0, 2, 1, 2]
    assert [len(row) for _, row in page.markup.rows] == [3, 3, 3]


@pytest.mark.parametrize("tag", ["div", "p", "span", "b"])
@pytest.mark.parametrize(
    ("level", "heading"), [("2", "h2"), ("4", "h4"), ("9", "h6"), ("0", "h1"), ("x", "h2")]
)
def test_a_heading_by_its_role_is_a_heading(tag: str, level: str, heading: str) -> None:
    html = f"<{tag} role=heading aria-level={level}>Tides</{tag}><p>Low</p>"
    assert tags(html) == [heading, "p"]


def test_an_element_that_is_a_heading_or_a_link_stays_so() -> None:
    assert tags("<h4 role=heading aria-level=1>Tides</h4><a role=heading>Low</a>") == ["h4", "a"]


def steps(first: str, second: str, tag: str = "div") -> str:
    """A list of two steps, each of a number and what follows it."""
    items = "".join(f"<{tag} role=listitem><i></i>{one}</{tag}>" for one in (first, second))
    return f"<p>Go</p><{tag} role=list>{items}</{tag}>"


def markdown(html: str) -> str:
    return written(blockify(html, markup=True)).markdown or ""


@pytest.mark.parametrize("tag", ["div", "section"])
@pytest.mark.parametrize("number", ["{}", " {}. ", "{})"])
@pytest.mark.parametrize(
    "step",
    [
        "<div><div>{}</div></div><div><p>Get a key</p><div>Now.</div></div>",
        "<div class=n><span>{}</span></div><p>Get a key<p>Now.",
        "<b>{}</b><div>Get a key</div>Now.",
    ],
)
def test_steps_with_numbers_are_counted(step: str, number: str, tag: str) -> None:
    one, two = (step.replace("{}", number.format(i)) for i in (1, 2))
    right = "Go\n\n1. Get a key\n\n   Now.\n2. Get a key\n\n   Now."
    assert markdown(steps(one, two, tag)) == right
    assert [block.text for block in blockify(steps(one, two, tag)).blocks][1] == "Get a key"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("<b>1</b>", "<b>2</b>"),
        ("<b>1</b> key", "<b>2</b> keys"),
        ("<b>1</b><p>Get", "<b>3</b><p>Go"),
        ("<b>1</b><p>Get", "<p>Go"),
        ("About <b>1</b><p>Get", "About <b>2</b><p>Go"),
        ("<b>1<i>a</i></b><p>Get", "<b>2<i>a</i></b><p>Go"),
    ],
)
def test_other_numbers_in_items_are_read(one: str, two: str) -> None:
    lines = markdown(steps(one, two)).split("\n")
    assert lines[2].startswith("- ")
    assert "1" in lines[2]


def test_steps_in_steps_stay_in_their_step() -> None:
    inner = steps("<b>1</b><p>Get", "<b>2</b><p>Go")
    lines = markdown(steps(f"<b>1</b>{inner}", "<b>2</b><p>End")).split("\n")
    assert [line for line in lines if line[:1].isdigit()] == ["1. Go", "2. End"]
    assert "   - **2**" in lines


def test_items_by_role_in_an_ordered_list_have_no_number_of_it() -> None:
    items = "<div role=listitem>a</div><li>b<div role=listitem>c</div>"
    assert markdown(f"<div role=list><ol>{items}</ol></div>") == "- a\n1. b\n   - c"
    assert markdown("<div role=list><ol><p role=listitem>a<p role=listitem>b</ol>") == "- a\n- b"
