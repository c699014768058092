"""Text that a page hides: left out, unless it is nearly all there is, or the model is to decide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from crawling import crawl
from hypothesis import given
from hypothesis import strategies as st
from loopback import ANSWERS, Answer, Site, html_page
from numpy.typing import NDArray
from standins import Half, counts, new_runtime
from synthetic import QUICK
from test_downloadermiddlewares import process, response_of
from test_fallback import LINES, Says

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.blockify import blockify
from scrapy_boilernet.choices import CHOICES, RUNGS
from scrapy_boilernet.downloadermiddlewares import META_RESULT
from scrapy_boilernet.extract import label_page
from scrapy_boilernet.fallback import is_mostly_hidden
from scrapy_boilernet.page import Page

SHOWN = "<p>" + "</p><p>".join(LINES) + "</p>"
HIDING = (
    "hidden", "hidden=''", "HIDDEN", "hidden=until-found", "aria-hidden=true", "aria-hidden='true'",
    "style='display:none'", "style='color: red; display : none'", "style='DISPLAY:NONE'",
    "style='visibility:hidden'",
)  # fmt: skip
BUT_HIDDEN = tuple(rung for rung in RUNGS if rung != "hidden")


class Confident(Says):
    """Says in the confidence what share of the blocks it is told are kept, and what it believes."""

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        return float((probabilities * kept).sum() / max(1.0, float(probabilities.sum())))


def label(html: str, probability: float = 1.0, **options: Any) -> LabeledPage:
    return label_page(blockify(html), Says(probability), **options)


def texts_of(result: LabeledPage) -> list[str]:
    return [block.text for block in result.content]


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize(
    "html", ["<p {}>Unseen</p>", "<div {}><p>Unseen</p></div>", "<p><b {}>Unseen</b>"]
)
def test_hidden_text_is_boilerplate_whatever_the_model_says(hiding: str, html: str) -> None:
    result = label(SHOWN + html.format(hiding))
    assert texts_of(result) == LINES
    assert (result.labels[-1], result.kinds[-1]) == ("boilerplate", "hidden")
    assert result.probabilities == (1.0,) * 5
    assert result.source == "model"
    assert "Unseen" not in result.text
    row = result.block_labels()[-1]
    assert (row["label"], row["kind"], row["probability"]) == ("boilerplate", "hidden", 1.0)


@pytest.mark.parametrize("showing", ["aria-hidden=false", "style='display:block'", "class=hidden"])
def test_text_that_is_shown_is_not_hidden(showing: str) -> None:
    assert len(label(f"{SHOWN}<p {showing}>Seen</p>").content) == 5


@pytest.mark.parametrize("hiding", HIDING)
def test_the_model_may_decide_on_hidden_text(hiding: str) -> None:
    result = label(f"{SHOWN}<p {hiding}>Unseen</p>", hidden="model")
    assert texts_of(result) == [*LINES, "Unseen"]
    assert result.kinds[-1] == "main"
    nothing = label(f"{SHOWN}<p {hiding}>Unseen</p>", 0.0, hidden="model", fallback=False)
    assert set(nothing.kinds) == {"boilerplate", "hidden"}


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_no_threshold_brings_hidden_text_back(threshold: float) -> None:
    html = f"{SHOWN}<p hidden>Unseen</p>"
    assert texts_of(label(html, threshold=threshold)) == LINES
    assert texts_of(label(html, threshold=threshold, hidden="model")) == [*LINES, "Unseen"]


@pytest.mark.parametrize("probability", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("hidden", [f"<main hidden>{SHOWN}</main>", f"<div hidden>{SHOWN}</div>"])
def test_no_other_rung_brings_hidden_text_back(hidden: str, probability: float) -> None:
    html = f"<p>Seen</p>{hidden}"
    for rungs in ((), BUT_HIDDEN):
        assert {*texts_of(label(html, probability, fallback=rungs))} <= {"Seen"}


def test_where_most_of_the_content_is_hidden_it_is_kept() -> None:
    html = f"<p>Seen</p><div hidden>{SHOWN}</div>"
    result = label(html)
    assert result.source == "hidden"
    assert texts_of(result) == ["Seen", *LINES]
    assert set(result.kinds) == {"main"}
    assert texts_of(label(html, fallback=["hidden"])) == ["Seen", *LINES]
    for rungs in (False, BUT_HIDDEN):
        bare = label(html, fallback=rungs)
        assert (bare.source, texts_of(bare), bare.kinds[1]) == ("model", ["Seen"], "hidden")
    assert label(html, hidden="model").source == "model"
    assert label(html, threshold=0.0).source == "hidden"


def test_a_page_that_hides_all_of_it_is_kept_or_has_nothing() -> None:
    html = f"<body style='display:none'>{SHOWN}"
    assert label(html).source == "hidden"
    assert texts_of(label(html)) == LINES
    nothing = label(html, fallback=False)
    assert (nothing.source, nothing.text, nothing.confidence) == ("nothing", "", 0.0)
    assert set(nothing.kinds) == {"hidden"}


@pytest.mark.parametrize(("shown", "source"), [(25, "hidden"), (26, "model")])
def test_most_is_three_quarters_of_the_characters(shown: int, source: str) -> None:
    html = f"<p>{'s' * shown}</p><p hidden>{'h' * 75}</p>"
    page = blockify(html)
    assert is_mostly_hidden(page, np.array([True, True])) == (source == "hidden")
    assert label(html).source == source
    assert not is_mostly_hidden(page, np.array([True, False]))
    assert not is_mostly_hidden(page, np.array([False, False]))


def test_only_hidden_text_that_the_model_keeps_counts() -> None:
    result = label_page(blockify(f"<p>Seen</p><p hidden>{'Unseen ' * 99}</p>"), Half())
    assert (result.source, texts_of(result)) == ("model", ["Seen"])


def test_the_confidence_is_that_of_what_is_kept() -> None:
    page = blockify(f"{SHOWN}<p hidden>Unseen</p>")
    assert label_page(page, Confident(1.0)).confidence == 1.0  # hidden text counts as surely none
    hidden = blockify(f"<p>Seen</p><div hidden>{SHOWN}</div>")
    assert label_page(hidden, Confident(1.0)).confidence == 1.0
    assert label_page(hidden, Confident(1.0), fallback=False).confidence == 1.0
    assert label_page(hidden, Confident(0.0), fallback=False).confidence == 0.0


HEADLINE = "<title>Tide pools at night</title>"
COMMENT = "<div id=comments{}><p>I have seen crabs in them at night.</p></div>"


@pytest.mark.parametrize("title", CHOICES)
@pytest.mark.parametrize("comments", CHOICES)
def test_titles_and_comments_that_are_hidden_stay_hidden(title: Any, comments: Any) -> None:
    html = f"{HEADLINE}<h1 hidden>Tide pools at night</h1>{SHOWN}{COMMENT.format(' hidden')}"
    result = label(html, title=title, comments=comments)
    assert texts_of(result) == LINES
    assert (result.kinds[0], result.kinds[-1]) == ("hidden", "hidden")


def test_a_hidden_comment_among_others_stays_hidden() -> None:
    area = "<div id=comments><p>I saw one.</p><p hidden>Me, too.</p></div>"
    assert texts_of(label(SHOWN + area, comments="keep")) == [*LINES, "I saw one."]


def test_a_hidden_copy_of_the_title_stays_hidden() -> None:
    html = f"{HEADLINE}<h1>Tide pools at night</h1><h1 hidden>Tide pools at night</h1>{SHOWN}"
    assert texts_of(label(html, title="keep")) == ["Tide pools at night", *LINES]


parts = st.lists(
    st.tuples(st.booleans(), st.sampled_from(("p", "h1", "div id=comments")), st.integers(1, 9)),
    min_size=1,
    max_size=6,
)


@given(
    parts=parts,
    scores=st.lists(st.floats(0, 1, width=32), min_size=6, max_size=6),
    threshold=st.sampled_from((None, 0.0, 0.5)),
    rungs=st.sets(st.sampled_from(RUNGS)),
)
@QUICK
def test_hidden_text_is_content_by_the_rung_alone(
    parts: list[tuple[bool, str, int]],
    scores: list[float],
    threshold: float | None,
    rungs: set[str],
) -> None:
    class Given(Half):
        def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
            return [np.array(scores[: len(page.blocks)], dtype=np.float32) for page in pages]

    html = "".join(f"<{tag}{' hidden' * hide}>{'word ' * n}</{tag[:3]}>" for hide, tag, n in parts)
    page = blockify(html)
    result = label_page(page, Given(), threshold, fallback=sorted(rungs))
    if any(block.hidden for block in result.content):
        assert result.source == "hidden"
        assert "hidden" in rungs
        assert is_mostly_hidden(page, np.array([label == "content" for label in result.labels]))
    for block, kind in zip(page.blocks, result.kinds, strict=True):
        assert block.hidden or kind != "hidden"


def test_setting_and_override_decide_in_a_crawl_page_by_page() -> None:
    body = b"<p>One</p><p>Two</p><p hidden>Unseen</p>"  # the labeler keeps the first and the third
    runtime = new_runtime()
    assert process(runtime, response_of(body)).meta[META_RESULT].text == "One"
    model = process(runtime, response_of(body), {"boilernet": {"hidden": "model"}})
    assert model.meta[META_RESULT].text == "One\nUnseen"
    assert process(new_runtime(hidden="model"), response_of(body)).meta[META_RESULT].text == (
        "One\nUnseen"
    )
    assert counts(runtime)["blocks/content"] == 3
    most = b"<p>One</p><p>Two</p><p hidden>" + b"Unseen " * 9
    assert process(runtime, response_of(most)).meta[META_RESULT].source == "hidden"
    assert counts(runtime)["source/hidden"] == 1


def test_the_setting_of_a_crawl_and_overrides_of_its_requests(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    html = html_page("Pools", *LINES).replace("</main>", "<p hidden>Unseen.</p></main>")
    monkeypatch.setitem(ANSWERS, "/hidden", Answer(html.encode()))
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0,
        "BOILERNET_HIDDEN": "model",
        "OVERRIDDEN_PAGES": [("model", "/hidden", None), ("drop", "/hidden", {"hidden": "drop"})],
    }
    with Site() as site:
        result = crawl("overridden", site.url, settings)
    texts = {fields["name"]: fields["main_text"].split("\n") for fields in result.fields()}
    shown = ["Home", "Pools", *LINES]
    assert texts == {"model": [*shown, "Unseen."], "drop": shown}
    assert result.deprecations == []
