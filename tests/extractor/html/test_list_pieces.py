"""Lists in pieces are written as one, and items of a level in the one above."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def markdown(html: str) -> str:
    return written(blockify(f"<p>One</p>{html}", markup=True)).markdown or ""


@pytest.mark.parametrize("name", ["bulleted-list", "notion-list notion-list-disc", "x to-do-list"])
def test_lists_of_notion_are_one(name: str) -> None:
    one = f"<ul class='{name}'><li>{{}}</li></ul>"
    inner = f"{one.format('b')}{one.format('c')}"
    assert markdown(one.format("a") + one.format("d")) == "One\n\n- a\n- d"
    assert markdown(f"{one.format('a' + inner)}\n{one.format('d')}") == (
        "One\n\n- a\n  - b\n  - c\n- d"
    )
    apart = markdown(f"{one.format('a')}<p>b</p>{one.format('c')}")
    assert apart == "One\n\n- a\n\nb\n\n- c"


@pytest.mark.parametrize("around", ["{}", "<ol><li>{}</li></ol>", "<blockquote>{}</blockquote>"])
def test_a_list_that_goes_on_counting_is_one(around: str) -> None:
    lists = "<ol><li>a<li>b</ol><ol start=3><li>c</ol>\n<ol start=4 class=x><li>d</ol>"
    lines = markdown(around.format(lists)).split("\n")
    assert [line[-4:] for line in lines[-4:]] == ["1. a", "2. b", "3. c", "4. d"]


@pytest.mark.parametrize(
    "lists",
    [
        "<ol><li>a</ol><ol start=3><li>b</ol>",
        "<ol><li>a</ol><ol><li>b</ol>",
        "<ul><li>a</ul><ul><li>b</ul>",
        "<ul class=bulleted-list><li>a</ul><ul class=to-do-list><li>b</ul>",
        "<ul class=numbered-list><li>a</ul>b<ul class=numbered-list><li>c</ul>",
        "<ul class=bulleted-list><li>a</ul><ol class=bulleted-list><li>b</ol>",
    ],
)
def test_other_lists_side_by_side_stay_apart(lists: str) -> None:
    assert "a\n\n" in markdown(lists)


def test_the_levels_of_google_docs() -> None:
    html = (
        "<ul class='c1 lst-kix_ab12-0 start'><li>a</ul><ul class='lst-kix_ab12-1 start'><li>b<li>c"
        "</ul><ul class='lst-kix_ab12-2'><li>d</ul><ul class=lst-kix_ab12-0><li>e</ul><p>f</p>"
        "<ol class='lst-kix_x-0 start' start=1><li>g</ol><ol class=lst-kix_x-1 start=1><li>h</ol>"
        "<ol class=lst-kix_x-0 start=2><li>i<li>j</ol>"
    )
    assert markdown(html) == (
        "One\n\n- a\n  - b\n  - c\n    - d\n- e\n\nf\n\n1. g\n   1. h\n2. i\n3. j"
    )


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<ul><li>a<li class=ql-indent-1>b<li class='x ql-indent-2'>c<li>d</ul>", "- - - -"),
        ("<ol><li>a<li class=ql-indent-1>b<li class=ql-indent-1>c<li>d</ol>", "1. 1. 2. 2."),
        (
            "<ol><li data-list=bullet>a<li data-list=bullet class=ql-indent-1>b<li "
            "class=ql-indent-2 data-list=ordered>c<li data-list=bullet>d</ol>",
            "- - 1. -",
        ),
    ],
)
def test_the_levels_of_quill(html: str, right: str) -> None:
    lines = [line for line in markdown(html).split("\n")[2:] if line]
    assert [line.split()[0] for line in lines] == right.split()
    assert [line.split()[1] for line in lines] == ["a", "b", "c", "d"]
    assert lines[1].startswith("  ")
    assert not lines[3].startswith(" ")


@pytest.mark.parametrize(
    ("html", "right"),
    [
        ("<ol>{b}One<li data-list=ordered>Two<li data-list=checked>Three</ol>",
         "- One\n\n1. Two\n\n- [x] Three"),
        ("<ol>{b}One{b}Two<li data-list=unchecked>Three</ol>", "- One\n- Two\n- [ ] Three"),
        ("<ol><li data-list=ordered>One<li data-list=bullet class=ql-indent-1>Two<li data-list="
         "ordered>Three</ol>", "1. One\n   - Two\n2. Three"),
        ("<ol><li data-list=ordered>One<li data-list=ordered>Two</ol>", "1. One\n2. Two"),
        ("<ol start=3><li>One<li>Two</ol>", "3. One\n4. Two"),
        ("<ul><li data-list=checked>One<li data-list=unchecked>Two</ul>", "- [x] One\n- [ ] Two"),
    ],
)  # fmt: skip
def test_the_kinds_of_items_of_quill(html: str, right: str) -> None:
    assert markdown(html.format(b="<li data-list=bullet>")).split("\n\n", 1)[1] == right


@pytest.mark.parametrize(
    "one",
    [
        "<ul class=bulleted-list><li>a</ul>",
        "<ul class=lst-kix_a-0><li>a</ul>",
        "<ol start=2><li>a</ol>",
    ],
)
def test_many_lists_take_no_time(one: str) -> None:
    begin = perf_counter()
    blockify(one * 10_000, markup=True, max_blocks=20_000)
    assert perf_counter() - begin < 60
