"""The step that decided each block, and the kinds of blocks that are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray
from testing.standins import options_of

from scrapy_boilernet.extractor.decide.threshold import Decider
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import BLOCK_KINDS, FALLBACK_STEPS, STEPS, Source
from scrapy_boilernet.extractor.page import Page

ENGLISH = "The pools that the tide leaves behind warm up by several degrees before noon. "
GERMAN = "Die Becken, die das Wasser zurücklässt, werden bis zum Mittag um einige Grad wärmer. "
JAPANESE = "潮が引いたあとに残る水たまりは、昼までに数度温まる。"
TEXTS = [ENGLISH, GERMAN, JAPANESE]


class Marked(Decider):
    """Gives a block 0.9, and one whose text begins with a small letter or with "×" 0.1."""

    def __init__(self) -> None:
        super().__init__("marked", "block", 0.5)

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [
            np.array([0.1 if t[0].islower() or t[0] == "×" else 0.9 for t in page.texts], "f4")
            for page in pages
        ]


def labeled(html: str, url: str | None = None, **options: Any) -> LabeledPage:
    return label_page(blockify(html, url), Marked(), options_of(**options))


def last(result: LabeledPage) -> tuple[str, str, str]:
    return result.labels[-1], result.kinds[-1], result.steps[-1]


def page(text: str, inner: str, title: str = "Tide pools") -> str:
    return f"<title>{title}</title><h1>{title}</h1><p>{text * 3}</p>{inner}"


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("inner", "options", "label", "kind", "step"),
    [
        ("<p>{}", {}, "content", "main", "model"),
        ("<p>×{}", {}, "boilerplate", "boilerplate", "model"),
        ("<p hidden>{}", {}, "boilerplate", "hidden", "hidden"),
        ("<p style='display:none'>{}", {}, "boilerplate", "hidden", "hidden"),
        ("<p hidden>{}", {"hidden": "model"}, "content", "main", "model"),
        ("<p hidden>×{}", {"hidden": "model"}, "boilerplate", "hidden", "model"),
        ("<div role=dialog><p>{}", {}, "boilerplate", "boilerplate", "dialog"),
        ("<div id=onetrust-banner><p>{}", {}, "boilerplate", "boilerplate", "dialog"),
        ("<div role=dialog hidden><p>{}", {}, "boilerplate", "hidden", "hidden"),
        ("<div class=comments><p>{}", {}, "boilerplate", "comment", "comments"),
        ("<div class=comments><p>{}", {"comments": "keep"}, "content", "comment", "model"),
        ("<div class=comments><p>×{}", {"comments": "keep"}, "content", "comment", "comments"),
        ("<div class=comments><p>×{}", {}, "boilerplate", "comment", "model"),
        ("<div class=comments><p>{}", {"threshold": 0.5}, "content", "comment", "model"),
        ("<figure><figcaption>{}", {}, "content", "caption", "model"),
        ("<figure><figcaption>×{}", {}, "boilerplate", "caption", "model"),
        ("<figcaption>×{}", {"captions": "keep"}, "content", "caption", "captions"),
        ("<figcaption>{}", {"captions": "drop"}, "boilerplate", "caption", "captions"),
        ("<table><tr><td>{0:.9}<td>B<tr><td>{0:.9}<td>×{0:.4}", {}, "content", "main", "structure"),
        ("<p>Lire aussi : <a href=/a>{0:.60}</a>", {}, "boilerplate", "boilerplate", "read also"),
        ("<p>Advertisement", {}, "boilerplate", "boilerplate", "ad label"),
        ("<p>Subscribe to our newsletter", {}, "boilerplate", "boilerplate", "sign-up"),
        ("<p>{0}<div class=mobile><p>{0}", {}, "boilerplate", "boilerplate", "copy"),
        ("<p>{0}<div class=mobile><p>{0}", {"threshold": 0.5}, "content", "main", "model"),
        ("<p>Read also: <a href=/a>{0:.60}</a>", {"threshold": 0.5}, "content", "main", "model"),
        ("<p>B<p>×<ol class=footnotes><li>×{}", {}, "content", "main", "note"),
    ],
)
def test_the_step_that_decided_is_named(
    text: str, inner: str, options: dict[str, Any], label: str, kind: str, step: str
) -> None:
    assert last(labeled(page(text, inner.format(text)), **options)) == (label, kind, step)


@pytest.mark.parametrize("title", ["Tide pools", "潮だまり", "Gezeitenbecken"])
@pytest.mark.parametrize(
    ("mark", "option", "label", "step"),
    [
        ("", "model", "content", "model"),
        ("", "drop", "boilerplate", "title"),
        ("× ", "model", "boilerplate", "model"),
        ("× ", "keep", "content", "title"),
        ("", "keep", "content", "model"),
        ("× ", "drop", "boilerplate", "model"),
    ],
)
def test_a_headline_that_is_left_out_is_a_title(
    title: str, mark: str, option: Any, label: str, step: str
) -> None:
    result = labeled(page(ENGLISH, "", mark + title), title=option)
    assert (result.labels[0], result.kinds[0], result.steps[0]) == (label, "title", step)
    assert (title in result.text) == (label == "content")


def test_on_a_thread_the_model_decides_on_comments() -> None:
    html = page(ENGLISH, f"<div class=comments><p>{ENGLISH}")
    assert last(labeled(html, "https://forum.example/1")) == ("content", "comment", "model")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    ("html", "source"),
    [
        ("<main><p>×{0}</p></main><p>x", "main-element"),
        ("<div hidden><p>{0}</p><p>×x</p></div><p>×x", "hidden"),
        ("<p>{0}</p><p>x", "nothing"),
    ],
)
def test_what_a_step_of_the_fallback_keeps_has_its_name(html: str, source: str, text: str) -> None:
    words = text * (60 if text == JAPANESE else 8)
    options: dict[str, Any] = {"threshold": 0.95} if source == "nothing" else {}
    if source != "hidden":
        options["fallback"] = ["hidden", "main-element"]
    result = labeled(html.format(words), **options)
    assert result.source == source
    step = "model" if source == "nothing" else f"fallback: {source}"
    assert result.steps[0] == step
    assert result.kept[0] == (source != "nothing")
    assert result.steps[-1] == "model"


def test_the_lists_of_steps_and_kinds_are_closed() -> None:
    steps = {f"fallback: {step}" for step in FALLBACK_STEPS}
    assert steps == {step for step in STEPS if step.startswith("fallback")}
    assert {"model", "nothing", "site-rule", *FALLBACK_STEPS} == {*get_args(Source)}
    assert len({*BLOCK_KINDS}) == len(BLOCK_KINDS) < 256
    assert len({*STEPS}) == len(STEPS) < 256
