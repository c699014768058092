"""Lists of Word, which are paragraphs with a mark, are lists without it."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

SPACE = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp;&nbsp; </span>"
CONDITIONS = [
    ("<![if !supportLists]>", "<![endif]>"),
    ("<!--[if !supportLists]-->", "<!--[endif]-->"),
    ("", ""),
]


def styled(mark: str, level: int, text: str, condition: tuple[str, str] = CONDITIONS[0]) -> str:
    """An item as Word writes it with its own styles."""
    before, after = condition
    ignored = f"<span style='mso-list:Ignore'>{mark}{SPACE}</span>"
    return (
        f"<p class=MsoListParagraphCxSpMiddle style='text-indent:-18pt;mso-list:l0 level{level} "
        f"lfo1'>{before}<span lang=EN style='font-family:Symbol'>{ignored}</span>{after}{text}</p>"
    )


def filtered(mark: str, level: int, text: str) -> str:
    """An item as Word writes it "filtered"."""
    margin = f"margin-left:{level / 2:.1f}in;" if level > 1 else ""
    mark = f"<span style='font-family:Symbol'>{mark}{SPACE}</span>"
    style = f"{margin}text-indent:-.25in"
    return f"<p class=MsoListParagraphCxSpFirst style='{style}'>{mark}{text}</p>"


def old(mark: str, level: int, text: str) -> str:
    """An item as Word 2003 writes it "filtered"."""
    mark = f"<span style='font-family:Symbol'>{mark}{SPACE}</span>"
    margin = f"margin-left:{36 * level}.0pt;text-indent:-18.0pt"
    return f"<p class=MsoNormal style='{margin}'>{mark}{text}</p>"


def plain(mark: str, level: int, text: str) -> str:
    """An item without a style, as an editor leaves it of pasted text."""
    name = f"MsoListBullet{level if level > 1 else ''}"
    return f"<p class={name}>{mark}&nbsp;&nbsp;&nbsp; {text}</p>"


def markdown(html: str) -> str:
    return written(blockify(html, "https://e.example/a", markup=True)).markdown or ""


@pytest.mark.parametrize("item", [styled, filtered, old, plain])
@pytest.mark.parametrize("marks", ["·o§", "-–-", "•◦▪", "Øoü"])
def test_paragraphs_with_bullets_are_items(item: object, marks: str) -> None:
    first, inner, deep = marks
    if item is plain and marks == "Øoü":
        deep = "-"
    levels = [
        (first, 1, "Oil"),
        (inner, 2, "Of <b>palms</b>"),
        (deep, 3, "Red"),
        (first, 1, "Salt"),
    ]
    if item is plain:
        levels[1] = (inner, 2, "Of palms")
    html = "".join(item(*one) for one in levels)  # type: ignore[operator]
    page = f"<p class=MsoNormal>Take:</p>{html}<p class=MsoNormal>Stir.</p>"
    palms = "palms" if item is plain else "**palms**"
    items = f"- Oil\n  - Of {palms}\n    - Red\n- Salt"
    assert markdown(page) == f"Take:\n\n{items}\n\nStir."
    assert [block.text for block in blockify(page).blocks] == [
        "Take:", "Oil", "Of palms", "Red", "Salt", "Stir.",
    ]  # fmt: skip


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("text", ["Oil the gate", "Öl für das Tor", "門に油を", "دهن البوابة"])
def test_marks_in_every_condition_are_left_out(condition: tuple[str, str], text: str) -> None:
    page = "".join(styled("·", 1, text, condition) for _ in range(2))
    assert markdown(page) == f"- {text}\n- {text}"


@pytest.mark.parametrize(
    ("marks", "numbers"),
    [
        (["1.", "2.", "3."], [1, 2, 3]),
        (["4)", "5)", "6)"], [4, 5, 6]),
        (["a.", "b.", "c."], [1, 2, 3]),
        (["i.", "ii.", "iii."], [1, 2, 3]),
        (["(A)", "(B)", "(C)"], [1, 2, 3]),
        (["1.1.", "1.2.", "1.3."], [1, 2, 3]),
        (["一、", "二、", "三、"], [1, 2, 3]),
        (["١.", "٢.", "٣."], [1, 2, 3]),
        (["а)", "б)", "в)"], [1, 2, 3]),
    ],
)
@pytest.mark.parametrize("item", [styled, filtered, old])
def test_marks_with_numbers_are_numbers(item: object, marks: list[str], numbers: list[int]) -> None:
    html = "".join(item(mark, 1, "Oil") for mark in marks)  # type: ignore[operator]
    assert markdown(html) == "\n".join(f"{number}. Oil" for number in numbers)


def test_lists_of_two_kinds_are_nested() -> None:
    one = [
        ("1.", 1, "One"),
        ("a.", 2, "Of it"),
        ("b.", 2, "More"),
        ("2.", 1, "Two"),
        ("a.", 2, "X"),
    ]
    html = "".join(styled(*each) for each in one)
    assert markdown(html) == "1. One\n   1. Of it\n   2. More\n2. Two\n   1. X"


def test_an_item_after_other_text_begins_a_list() -> None:
    html = f"{styled('·', 1, 'One')}<p>Between.</p>{styled('o', 2, 'Two')}{styled('·', 1, 'Three')}"
    assert markdown(html) == "- One\n\nBetween.\n\n- Two\n\n* Three"


def test_an_item_of_two_lines_is_one_item() -> None:
    assert (
        markdown(styled("·", 1, "One<br>two") + styled("·", 1, "Three"))
        == "- One\\\n  two\n- Three"
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p class=MsoListParagraph>No mark at all</p>", "No mark at all"),
        ("<p class=MsoListParagraph><span>1914&nbsp; </span>was wet</p>", "1914 was wet"),
        ("<p class=MsoListParagraph><b>Note:&nbsp; </b>It is wet</p>", "**Note:** It is wet"),
        ("<p class=MsoListParagraph>See <span>1.&nbsp;&nbsp; </span>there</p>", "See 1. there"),
        ("<p class=MsoListContinue>More of it</p>", "More of it"),
        ("<p style='mso-list:none'>None</p>", "None"),
        ("<p class=MsoNormal><span>a.&nbsp;&nbsp; </span>Text</p>", "a. Text"),
        ("<p class=MsoListParagraph>A&nbsp; boat</p>", "A boat"),
    ],
)
def test_other_paragraphs_are_paragraphs(html: str, text: str) -> None:
    assert markdown(html).replace("\\", "") == text


def test_a_heading_keeps_its_number() -> None:
    number = f"<span style='mso-list:Ignore'>1.1{SPACE}</span>"
    html = f"<h2 style='mso-list:l0 level2 lfo1'><![if !supportLists]>{number}<![endif]>Oil</h2>"
    assert markdown(html) == "## 1.1 Oil"


def test_a_paragraph_in_an_item_is_not_an_item_of_its_own() -> None:
    assert markdown(f"<ul><li>{styled('·', 1, 'Oil')}</li></ul>") == "- Oil"
    table = (
        f"<table><tr><th>a<th>b<tr><td>{styled('·', 1, 'Oil')}{styled('·', 1, 'Salt')}<td>2</table>"
    )
    assert markdown(table).splitlines()[-1] == "| Oil<br>Salt | 2 |"
