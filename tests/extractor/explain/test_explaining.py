"""``Explanation``: reasons beside labels, facts and sums of a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.standins import Half
from testing.synthetic import QUICK, article

from scrapy_boilernet.extractor.explain.explanation import (
    Explanation,
    Instead,
    Weighed,
    explain,
    plain,
)
from scrapy_boilernet.extractor.explain.text import Look, text_lines
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Reason
from scrapy_boilernet.extractor.labelers.registry import load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.extractor.page import Page

PAGE = blockify("<title>Pools</title><h1>Pools</h1><p>Home</p><p>They warm.</p><p>About</p>")


class Telling(Half):
    """Half, with reasons for each block: its length, and a constant against it."""

    weight = -0.5

    def reasons(self, page: Page) -> list[list[Reason]]:
        return [
            [
                Reason("length", str(len(block.text)), len(block.text) / 10),
                Reason("habit", "", self.weight),
            ]
            for block in page.blocks
        ]


def test_a_labeler_that_has_reasons_is_explained() -> None:
    found = explain(PAGE, Telling())
    assert found.labeled == label_page(PAGE, Telling())
    assert found.reasons is not None
    assert [reasons[0] for reasons in found.reasons] == [
        ("length", "5", 0.5), ("length", "4", 0.4), ("length", "10", 1.0), ("length", "5", 0.5),
    ]  # fmt: skip
    assert found.engine == ""


def test_a_labeler_that_has_none_is_labeled_all_the_same() -> None:
    found = explain(PAGE, Half())
    assert found.reasons is None
    assert found.weighed == ()
    assert found.labeled.labels == ("content", "boilerplate") * 2


def test_a_model_of_ours_is_explained_with_its_engine(tiny_model: Path) -> None:
    page = blockify(article(2)[0])
    found = explain(page, load_labeler(str(tiny_model), "numpy"))
    assert found.engine == "numpy"
    assert found.facts[0] == ("model", "tiny (numpy)")
    assert found.reasons is not None
    assert len(found.reasons) == len(page.blocks)
    assert found.weighed[0].total == max(each.total for each in found.weighed) > 0


def test_weights_are_summed_by_feature_and_side() -> None:
    assert explain(PAGE, Telling()).weighed == (
        Weighed("length", pytest.approx(2.4), 0.0),
        Weighed("habit", 0.0, 2.0),
    )


def test_options_reach_the_labels() -> None:
    assert explain(PAGE, Half(), LabelOptions(threshold=0.0)).labeled.labels == ("content",) * 4
    assert explain(PAGE, Half(), LabelOptions(favor="recall")).labeled.threshold == 0.05


def test_facts_are_model_threshold_confidence_source_and_numbers() -> None:
    assert dict(explain(PAGE, Half()).facts) == {
        "model": "half",
        "threshold": "0.50",
        "confidence": "0.12",
        "found by": "the model",
        "content": "2 of 4 blocks: 1 title, 1 main",
    }


def test_a_page_of_which_nothing_is_kept_says_so() -> None:
    facts = dict(explain(PAGE, Half(), LabelOptions(threshold=1.0)).facts)
    assert facts["found by"] == "nothing: no block is content"
    assert facts["content"] == "0 of 4 blocks"
    empty = explain(blockify(""), Telling())
    assert empty.reasons == ()
    assert dict(empty.facts)["content"] == "0 of 0 blocks"


def test_a_page_that_was_cut_off_says_so() -> None:
    page = blockify("<p>a<p>b<p>c", max_blocks=2)
    assert page.truncated
    assert dict(explain(page, Half()).facts)["content"].endswith("on the page was cut off")


def test_the_step_of_each_block_that_is_dropped_or_that_not_the_model_keeps_is_noted() -> None:
    by_model = explain(PAGE, Half())
    assert [by_model.note(place) for place in range(4)] == ["", "dropped by: model"] * 2
    dropped = explain(PAGE, Half(), LabelOptions(title="drop"))
    assert (dropped.label(0), dropped.note(0)) == ("boilerplate title", "dropped by: title")
    assert (dropped.label(1), dropped.note(1)) == ("boilerplate", "dropped by: model")
    assert (dropped.label(2), dropped.note(2)) == ("content main", "")
    assert dict(dropped.facts)["content"] == "1 of 4 blocks: 1 main"
    words = "The pools on the shore keep their warmth until the morning comes. " * 6
    ruled = explain(blockify(f"<p>Home</p><main><p>{words}</p></main>"), Low(), LabelOptions())
    assert ruled.labeled.source == "main-element"
    assert [ruled.note(place) for place in range(2)] == [
        "dropped by: model", "kept by: fallback: main-element",
    ]  # fmt: skip
    assert dict(ruled.facts)["found by"].startswith("main-element, since the model kept nothing")


class Low(Half):
    """A labeler that finds no content."""

    def probabilities(self, pages):  # type: ignore[no-untyped-def]
        return [np.full(len(page.blocks), 0.01, dtype=np.float32) for page in pages]


def test_blocks_are_chosen_by_label_and_text() -> None:
    found = explain(PAGE, Half())
    assert found.places() == [0, 1, 2, 3]
    assert found.places("content") == [0, 2]
    assert found.places(holding="THEY") == [2]
    assert found.places("boilerplate", "o") == [1, 3]
    assert found.places(holding="nowhere") == []


def test_reasons_for_other_blocks_than_there_are_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'half'.*for 1 blocks of a page that has 4"):
        Explanation(label_page(PAGE, Half()), ((),))


@pytest.mark.parametrize("weight", [float("nan"), float("-inf")])
def test_weights_that_are_no_numbers_are_refused(weight: float) -> None:
    labeler = Telling()
    labeler.weight = weight
    with pytest.raises(ValueError, match=r"'half'.*'habit'.*no finite number"):
        explain(PAGE, labeler)


@QUICK
@given(st.text(), st.integers(1, 50))
def test_plain_text_is_one_short_line_that_can_be_shown(text: str, most: int) -> None:
    line = plain(text, most)
    assert len(line) <= most
    assert line.encode("utf-8").decode() == line
    assert "".join(line.splitlines()) == line
    assert not set(line) & set("\x1b\x07\x9b\u202e\u2066\ud800")
    assert plain(line, most) == line


def test_other_settings_are_tried() -> None:
    explanation = explain(PAGE, Half())
    assert [one.setting for one in explanation.instead] == [
        "favor precision", "favor recall", "threshold 0.10", "threshold 0.30", "threshold 0.50",
        "threshold 0.70",
    ]  # fmt: skip
    now = explanation.labeled
    for one in explanation.instead:
        name, value = one.setting.split()
        other = {name: value if name == "favor" else float(value)}
        kept = label_page(PAGE, Half(), LabelOptions(**other)).kept  # type: ignore[arg-type]
        texts = [*zip(PAGE.texts, kept, now.kept, strict=True)]
        added = [len(text) for text, new, old in texts if new > old]
        removed = [len(text) for text, new, old in texts if new < old]
        assert one[1:] == (len(added), sum(added), len(removed), sum(removed))
    shown = "\n".join(text_lines(explanation, [], 0, Look()))
    assert all(line in shown for line in explanation.others)


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ((3, 504, 0, 0), "504 characters more (3 blocks)"),
        ((0, 0, 1, 1368), "1,368 characters less (1 block)"),
        ((4, 500, 4, 626), "500 characters more (4 blocks), 626 characters less (4 blocks)"),
        ((1, 1, 1, 1), "1 character more (1 block), 1 character less (1 block)"),
    ],
)
def test_what_another_setting_adds_and_removes_is_counted_apart(
    changes: tuple[int, int, int, int], shown: str
) -> None:
    other = Instead("favor recall", *changes)
    found = Explanation(label_page(PAGE, Half()), None, instead=(other, Instead("x", 0, 0, 0, 0)))
    assert found.others == [f"favor recall: {shown}"]
