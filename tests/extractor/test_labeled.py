"""LabeledPage: labels, probabilities, and blocks to plain text."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.labeled import from_kept, from_probabilities

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import to_text
from scrapy_boilernet.extractor.labeling import formatted

PAGE = blockify(
    "<title>Pools</title><body><nav><a href=/>Home</a></nav><h1>Pools</h1><p>They warm.</p>",
    url="https://example.com/",
)
PROBABILITIES = (0.1, 0.6, 0.98765432)


def labeled(threshold: float = 0.5) -> LabeledPage:
    return from_probabilities(PAGE, PROBABILITIES, threshold, 0.75, "tiny")


def test_blocks_from_the_threshold_on_are_content() -> None:
    assert labeled(0.5).labels == ("boilerplate", "content", "content")
    assert labeled(0.6).labels == ("boilerplate", "content", "content")
    assert labeled(0.61).labels == ("boilerplate", "boilerplate", "content")
    assert labeled(0.0).labels == ("content",) * 3
    assert labeled(1.0).labels == ("boilerplate",) * 3


def test_it_has_the_model_its_threshold_and_the_confidence() -> None:
    result = labeled()
    assert (result.model, result.threshold, result.confidence) == ("tiny", 0.5, 0.75)
    assert result.probabilities == PROBABILITIES
    assert result.page is PAGE


def test_the_source_is_the_model_or_nothing() -> None:
    assert labeled(0.5).source == "model"
    assert labeled(1.0).source == "nothing"


def test_kinds_are_those_of_the_content_also_where_no_probability_reached_the_threshold() -> None:
    assert labeled().kinds == ("boilerplate", "title", "main")
    step = from_kept(PAGE, [False, True, True], PROBABILITIES, 1.0, 0.1, "tiny", "main-element")
    assert (step.kinds, step.source) == (("boilerplate", "title", "main"), "main-element")


def test_a_title_that_is_left_out_is_still_a_title() -> None:
    left_out = from_kept(PAGE, [False, False, True], (0.1, 0.2, 0.9), 0.5, 1, "t", "model")
    assert left_out.kinds == ("boilerplate", "title", "main")
    assert left_out.kept == (False, False, True)
    assert left_out.text == "They warm."


def test_content_and_text_are_the_content_blocks_in_order() -> None:
    assert [block.text for block in labeled().content] == ["Pools", "They warm."]
    assert labeled().text == "Pools\nThey warm."
    assert labeled(1.0).content == ()
    assert labeled(1.0).text == ""


def test_block_labels_are_plain_json_with_four_decimals() -> None:
    rows = labeled().block_labels()
    assert json.loads(json.dumps(rows)) == rows
    assert rows == [
        {
            "text": "Home",
            "label": "boilerplate",
            "kind": "boilerplate",
            "probability": 0.1,
            "xpath": "/html/body[1]/nav[1]/a[1]",
        },
        {
            "text": "Pools",
            "label": "content",
            "kind": "title",
            "probability": 0.6,
            "xpath": "/html/body[1]/h1[1]",
        },
        {
            "text": "They warm.",
            "label": "content",
            "kind": "main",
            "probability": 0.9877,
            "xpath": "/html/body[1]/p[1]",
        },
    ]


@pytest.mark.parametrize(
    ("labels", "probabilities"),
    [
        (("content",) * 2, PROBABILITIES),
        (("content",) * 4, PROBABILITIES),
        (("content",) * 3, PROBABILITIES[:2]),
        ((), ()),
        (("content",) * 2, PROBABILITIES[:2]),
    ],
)
def test_other_lengths_raise_and_name_all_three(
    labels: tuple[str, ...], probabilities: tuple[float, ...]
) -> None:
    with pytest.raises(ValueError, match="kind, step and probability per block") as caught:
        replace(labeled(), labels=labels, probabilities=probabilities)  # type: ignore[arg-type]
    message = str(caught.value)
    assert f"{len(labels)} labels" in message
    assert f"{len(probabilities)} probabilities" in message
    assert "3 blocks" in message


def test_replacing_the_labels_checks_the_lengths_again() -> None:
    with pytest.raises(ValueError, match="per block"):
        replace(labeled(), labels=("content",))
    for name in ("kinds", "steps"):
        with pytest.raises(ValueError, match=f"got .*2 {name}.* for 3 blocks"):
            replace(labeled(), **{name: getattr(labeled(), name)[:2]})


def test_a_page_without_blocks_has_no_text() -> None:
    result = from_probabilities(blockify(""), [], 0.5, 0.0, "tiny")
    assert (result.text, result.content, result.block_labels()) == ("", (), [])


@pytest.mark.parametrize("field", ["page", "labels", "probabilities", "confidence", "text"])
def test_no_field_can_be_set(field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(labeled(), field, "other")


@pytest.mark.parametrize("rendered", [False, True])
def test_it_survives_pickling_before_and_after_rendering(rendered: bool) -> None:
    result = labeled()
    if rendered:
        assert result.text
    copy = pickle.loads(pickle.dumps(result))
    assert copy == result
    assert copy.kinds == result.kinds
    assert copy.text == "Pools\nThey warm."


PAGES = Path(__file__).parents[1] / "pages"


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


def test_markup_inside_a_cell_does_not_split_its_row() -> None:
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


@pytest.mark.parametrize("depth", [1, 60, 62, 63, 64, 65, 90])
@pytest.mark.parametrize(
    "tag", ["b", "span", "code", "i", "a", "font", "div", "em", "x-line", "bdi"]
)
def test_text_deep_inside_of_pre_keeps_its_lines(tag: str, depth: int) -> None:
    """A block knows only the innermost 64 elements around it, so not this ``<pre>``."""
    code = f"<pre>{f'<{tag}>' * depth}Ebbe und Flut:\n    marée = 日本の潮\n    done"
    page = f"<body><p>Before.</p>{code}{f'</{tag}>' * depth}</pre><p>After.</p>"
    blocks = blockify(page, markup=True)
    ones = (1.0,) * len(blocks.blocks)
    result = from_probabilities(blocks, ones, 0.5, 1.0, "tiny")
    assert "Ebbe und Flut:\n    marée = 日本の潮\n    done" in result.text
    made = formatted(result, ("markdown", "html"))
    assert "marée = 日本の潮" in (made.markdown or "")
    assert "marée = 日本の潮" in (made.html or "")
