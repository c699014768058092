"""Icons, boxes to tick and names of columns in the cells of tables."""

from __future__ import annotations

import re

import pytest

from scrapy_boilernet.extractor.html.blockify import blockify

LABELS = ["Yes", "Ja", "はい", "Не входит"]


def cells(*contents: str) -> list[str]:
    """The texts of a table with one cell of each."""
    row = "".join(f"<td>{content}</td>" for content in contents)
    return [*blockify(f"<table><tr><th>Head</th></tr><tr>{row}</tr></table>").texts[1:]]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize(
    "icon",
    [
        "<svg aria-label='{}' role=img><path d=M0></path></svg>",
        "<svg><title>{}</title><use href='#x'></use></svg>",
        "<i class='fa fa-check' aria-label='{}'></i>",
        "<i class='fa fa-check' title='{}'></i>",
        "<span role=img class=icon aria-label='{}'> </span>",
        "<div class=icon-wrapper>\n <span title='{}'></span>\n</div>",
        "<i class='fa fa-check' aria-hidden=true></i><span class=sr-only>{}</span>",
        "<svg aria-hidden=true><path/></svg> <span class='visually-hidden'>{}</span>",
        "<img src=/a.png alt='{}' width=16 height=16>",
        "<img src=/check.svg alt='{}'>",
        "<img class='icon' src=/a.png alt='{}'>",
        "<b><img src='/flags/jp.gif' alt='{}' width=24></b>",
    ],
)
def test_an_icon_is_read_as_what_it_says(icon: str, label: str) -> None:
    assert cells(icon.format(label), "Entry") == [label, "Entry"]


@pytest.mark.parametrize(
    "content",
    [
        "<a href=/x><i title=Yes></i></a>",
        "<button aria-label=Close></button>",
        "<img src=/boat.jpg alt='The white boat' width=300>",
        "<img src=/boat.jpg alt='The white boat'>",
        "<i class='fa fa-clock'></i>",
        "<i class='no-icon'></i>",
        "<div class='no'></div>",
        "<img src=/s.gif width=1 alt=''>",
        f"<i title='{'long ' * 20}'></i>",
        "<i title=a></i>" * 20,
        "<select title=Size><option></select>",
    ],
)
def test_other_cells_without_a_text_stay_empty(content: str) -> None:
    assert cells(content, "Entry") == ["Entry"]


def test_icons_beside_a_text_say_nothing() -> None:
    assert cells("<i title=Star></i> Anna", "Tom <i title=Star></i>") == ["Anna", "Tom"]


@pytest.mark.parametrize(
    ("box", "sign"),
    [
        ("<input type=checkbox checked disabled>", "☑"),
        ("<input type=checkbox disabled>", "☐"),
        ("<div><input type=CHECKBOX checked></div>", "☑"),
    ],
)
def test_a_box_to_tick_is_a_sign(box: str, sign: str) -> None:
    assert cells("Oil the gate", box) == ["Oil the gate", sign]
    assert cells("Oil the gate", "<input type=text>") == ["Oil the gate"]


@pytest.mark.parametrize("key", ["data-label", "data-title", "data-th", "data-column"])
@pytest.mark.parametrize(
    ("stated", "shown"), [("Month", "Month"), ("Monat:", "monat"), ("月", "月：")]
)
@pytest.mark.parametrize(
    "value", ["January", "<b>January</b>", "<span>Month</span> <b>January</b>"]
)
def test_the_name_of_a_column_is_not_read(key: str, stated: str, shown: str, value: str) -> None:
    html = f"<td {key}='{stated}'><span class='d-md-none'>{shown}</span>{value}</td><td>58</td>"
    texts = blockify(f"<table><tr><th>Month</th></tr><tr>{html}</tr></table>").texts
    plain = re.sub("<.*?>", "", value)
    assert texts[1:] == (plain, "58")


def test_a_cell_that_holds_the_name_of_its_column_alone_keeps_it() -> None:
    html = "<td data-label=Month><b>Month</b></td><td data-label=Tides>Tides<b>Tides</b></td>"
    texts = blockify(f"<table><tr><th>Month</th></tr><tr>{html}</tr></table>").texts
    assert texts[1:] == ("Month", "TidesTides")


@pytest.mark.parametrize(
    ("icon", "shown"),
    [
        ("<i class='fa fa-check' aria-hidden=true></i>", "✓"),
        ("<i class='fas fa-check-circle text-success'></i>", "✓"),
        ("<span class='dashicons dashicons-yes'></span>", "✓"),
        ("<span class='glyphicon glyphicon-ok'></span>", "✓"),
        ("<span class=Yes></span>", "✓"),
        ("<svg class=icon><use xlink:href='/s.svg#icon-tick'></use></svg>", "✓"),
        ("<div><svg class='lucide lucide-check'><path d=M0></path></svg></div>", "✓"),
        ("<img src='/i/yes.gif' alt=''>", "✓"),
        ("<i class='fa-solid fa-xmark'></i>", "✗"),
        ("<i class='far fa-times-circle'></i>", "✗"),
        ("<i class='bi bi-x-lg'></i>", "✗"),
        ("<span class='dashicons dashicons-no-alt'></span>", "✗"),
        ("<svg><use href='#icon-cross'></use></svg>", "✗"),
        ("<i class='mdi mdi-close'></i>", "✗"),
        ("<i class='icon-unchecked'></i>", "✗"),
        ("<img class=icon src='/i/false.png'>", "✗"),
    ],
)
def test_an_icon_that_says_nothing_is_read_as_what_it_shows(icon: str, shown: str) -> None:
    assert cells(icon, "Entry") == [shown, "Entry"]


@pytest.mark.parametrize(
    "name",
    [
        "<b class=tablesaw-cell-label>{}</b>",
        "<span class='mobile-label d-md-none'>{}:</span>",
        "<div class=tdBefore>{}</div>",
        "<span class=th><b>{}</b></span>",
    ],
)
def test_heads_that_cells_repeat_are_left_out(name: str) -> None:
    row = "".join(f"<td>{name.format(head)}<span>{head} 7</span></td>" for head in ("Jahr", "Wert"))
    head = "<tr><th><span class=a>Jahr</span> <i></i><th><button class=b>Wert</button>"
    html = f"<table>{head}<tr>{row}<tr>{row}</table>"
    assert [*blockify(html).texts] == ["Jahr", "Wert", *["Jahr 7", "Wert 7"] * 2]


def test_a_first_word_that_is_the_head_of_one_column_is_read() -> None:
    html = "<table><tr><th>Oil<th>Gas<tr><td><b class=x>Oil</b> lamp<td>Gas<tr><td>1<td>2</table>"
    assert blockify(html).texts[2] == "Oil lamp"
