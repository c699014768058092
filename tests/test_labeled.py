"""LabeledPage: one label and one probability per block, and the main text that follows."""

from __future__ import annotations

import json
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.html.blockify import blockify

PAGE = blockify(
    "<title>Pools</title><body><nav><a href=/>Home</a></nav><h1>Pools</h1><p>They warm.</p>",
    url="https://example.com/",
)
PROBABILITIES = (0.1, 0.6, 0.98765432)


def labeled(threshold: float = 0.5) -> LabeledPage:
    return LabeledPage.from_probabilities(PAGE, PROBABILITIES, threshold, 0.75, "tiny")


def test_blocks_from_the_threshold_on_are_content() -> None:
    assert labeled(0.5).labels == ("boilerplate", "content", "content")
    assert labeled(0.6).labels == ("boilerplate", "content", "content")
    assert labeled(0.61).labels == ("boilerplate", "boilerplate", "content")
    assert labeled(0.0).labels == ("content",) * 3
    assert labeled(1.0).labels == ("boilerplate",) * 3


def test_it_says_which_model_spoke_and_how_sure_it_is() -> None:
    result = labeled()
    assert (result.model, result.threshold, result.confidence) == ("tiny", 0.5, 0.75)
    assert result.probabilities == PROBABILITIES
    assert result.page is PAGE


def test_it_says_who_found_the_content_and_nothing_where_there_is_none() -> None:
    assert labeled(0.5).source == "model"
    assert labeled(1.0).source == "nothing"


def test_kinds_are_those_of_the_content_also_where_no_probability_reached_the_threshold() -> None:
    assert labeled().kinds == ("boilerplate", "title", "main")
    step = LabeledPage.from_kept(
        PAGE, [False, True, True], PROBABILITIES, 1.0, 0.1, "tiny", "main-element"
    )
    assert (step.kinds, step.source) == (("boilerplate", "title", "main"), "main-element")


def test_a_title_that_a_setting_added_or_dropped_is_still_told_from_the_probabilities() -> None:
    added = LabeledPage.from_kept(PAGE, [False, True, True], (0.1, 0.2, 0.9), 0.5, 1, "t", "model")
    assert added.kinds == ("boilerplate", "title", "main")
    dropped = replace(added, labels=("boilerplate", "boilerplate", "content"))
    assert dropped.kinds == ("boilerplate", "boilerplate", "main")


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
    with pytest.raises(ValueError, match="one label and one probability per block") as caught:
        LabeledPage(PAGE, labels, probabilities, 0.5, "tiny", 0.5)  # type: ignore[arg-type]
    message = str(caught.value)
    assert f"{len(labels)} labels" in message
    assert f"{len(probabilities)} probabilities" in message
    assert "3 blocks" in message


def test_replacing_the_labels_checks_the_lengths_again() -> None:
    with pytest.raises(ValueError, match="per block"):
        replace(labeled(), labels=("content",))
    with pytest.raises(ValueError, match="per block"):
        LabeledPage.from_probabilities(PAGE, [0.5], 0.5, 0.5, "tiny")


def test_a_page_without_blocks_has_no_text() -> None:
    result = LabeledPage.from_probabilities(blockify(""), [], 0.5, 0.0, "tiny")
    assert (result.text, result.content, result.block_labels()) == ("", (), [])


@pytest.mark.parametrize("field", ["page", "labels", "probabilities", "confidence", "text"])
def test_nothing_can_be_set(field: str) -> None:
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
