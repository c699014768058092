"""Text that a page hides: left out, unless it is nearly all text, or the model decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from testing.responses import process, response_of
from testing.standins import LINES, Half, Says, counts, new_runtime, options_of
from testing.synthetic import QUICK

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.extractor.decide.fallback import is_hidden_as_a_whole
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import extract, label_page
from scrapy_boilernet.extractor.options import FALLBACK_STEPS, KIND_OPTIONS, Favor
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.settings.config import META_RESULT

SHOWN = "<p>" + "</p><p>".join(LINES) + "</p>"
HIDING = (
    "hidden", "hidden=''", "HIDDEN", "hidden=hidden", "aria-hidden=true", "aria-hidden='true'",
    "style='display:none'", "style='color: red; display : none'", "style='DISPLAY:NONE'",
    "style='visibility:hidden'",
)  # fmt: skip
BUT_HIDDEN = tuple(step for step in FALLBACK_STEPS if step != "hidden")


class Confident(Says):
    """Its confidence holds the share of kept blocks, and the share that it would keep."""

    def confidence(
        self, page: Page, probabilities: NDArray[np.float32], kept: NDArray[np.bool_]
    ) -> float:
        return float((probabilities * kept).sum() / max(1.0, float(probabilities.sum())))


def label(html: str, probability: float = 1.0, **options: Any) -> LabeledPage:
    return label_page(blockify(html), Says(probability), options_of(**options))


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
def test_no_other_step_brings_hidden_text_back(hidden: str, probability: float) -> None:
    html = f"<p>Seen</p>{hidden}"
    for steps in ((), BUT_HIDDEN):
        assert {*texts_of(label(html, probability, fallback=steps))} <= {"Seen"}


def test_where_most_of_the_content_is_hidden_it_is_kept() -> None:
    html = f"<p>Seen</p><div hidden>{SHOWN}</div>"
    result = label(html)
    assert result.source == "hidden"
    assert texts_of(result) == ["Seen", *LINES]
    assert set(result.kinds) == {"main"}
    assert texts_of(label(html, fallback=["hidden"])) == ["Seen", *LINES]
    for steps in (False, BUT_HIDDEN):
        bare = label(html, fallback=steps)
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
    page, sure = blockify(html), np.ones(2, dtype=np.float32)
    assert is_hidden_as_a_whole(page, np.array([True, True]), sure) == (source == "hidden")
    assert label(html).source == source
    assert not is_hidden_as_a_whole(page, np.array([True, False]), sure)
    assert not is_hidden_as_a_whole(page, np.array([False, False]), sure)


class Gives(Half):
    """Gives the first blocks these probabilities, the rest 0.01; its threshold is 0.1."""

    def __init__(self, *first: float) -> None:
        self.first = first

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        sizes = [len(page.blocks) for page in pages]
        rows = [[*self.first, *[0.01] * size][:size] for size in sizes]
        return [np.array(row, dtype=np.float32) for row in rows]

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        return 0.1


def source_of(html: str, *first: float, **options: Any) -> str:
    return label_page(blockify(html), Gives(*first), options_of(**options)).source


def paragraph(chars: int, attributes: str = "") -> str:
    return f"<p {attributes}>{'w' * chars}</p>"


@pytest.mark.parametrize(
    ("others", "dialog", "product", "source"),
    [
        (700, 0.1, 0.2, "hidden"), (700, 0.4, 0.9, "hidden"), (699, 0.1, 0.2, "model"),
        (700, 0.5, 0.2, "model"), (700, 0.2, 0.05, "model"),
    ],
)  # fmt: skip
def test_words_of_a_dialog_do_not_outweigh_a_page_that_hides_all_else(
    others: int, dialog: float, product: float, source: str
) -> None:
    page = f"<main aria-hidden=true>{paragraph(200)}{paragraph(others)}</main>"
    assert source_of(paragraph(100) + page, dialog, product) == source


def test_a_heap_of_hidden_words_that_are_hardly_content_is_left_out() -> None:
    html = f"{paragraph(600)}{paragraph(20_000, 'hidden')}"
    assert source_of(html, 0.9, 0.49) == "model"
    assert source_of(html, 0.9, 0.5) == "hidden"
    assert source_of(html, 0.49, 0.49) == "hidden"


@pytest.mark.parametrize(("shown", "hidden"), [(1199, True), (1200, False)])
@pytest.mark.parametrize("options", [{}, {"threshold": 0.0}, {"threshold": 0.85}])
def test_a_page_that_shows_an_article_hides_passages_whatever_their_size(
    shown: int, hidden: bool, options: dict[str, Any]
) -> None:
    html = paragraph(shown) + paragraph(40_000, "style='display:none'")
    assert (source_of(html, 0.8, 0.9, **options) == "hidden") == hidden
    assert source_of(html, 0.49, 0.9, **options) == "hidden"


class Unsure(Half):
    """Sure of each block, but of a page that hides text only sure of that, and unsure of all else.

    Its threshold is 0.1.
    """

    def __init__(self, alone: float) -> None:
        self.alone = alone
        """The probability of visible blocks in a page that hides nothing."""

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        return [
            np.array(
                [
                    0.9 if hidden else 0.2 if any(page.hidden) else self.alone
                    for hidden in page.hidden
                ],
                dtype=np.float32,
            )
            for page in pages
        ]

    def threshold_for(
        self, page: Page, probabilities: NDArray[np.float32], favor: Favor = "balanced"
    ) -> float:
        return 0.1


@pytest.mark.parametrize(
    ("shown", "alone", "hidden", "source"),
    [
        # an article: 1,200 characters that the model is sure of, or 1,700 that it keeps
        (1200, 0.5, 12_000, "model"), (1199, 0.5, 12_000, "hidden"),
        (1700, 0.2, 12_000, "model"), (1699, 0.2, 12_000, "hidden"),
        (1700, 0.05, 12_000, "hidden"),
        # a lead, and at most 40 times as much that a script shows
        (600, 0.9, 24_000, "hidden"), (600, 0.9, 24_001, "model"),
        (250, 0.9, 10_000, "hidden"), (250, 0.9, 10_001, "model"), (600, 0.2, 24_001, "model"),
        # less than that is no lead, but a line of a menu or a banner
        (249, 0.9, 100_000, "hidden"), (600, 0.05, 100_000, "hidden"),
        # three quarters of what is kept are hidden
        (600, 0.9, 1_800, "hidden"), (601, 0.9, 1_800, "model"),
    ],
)  # fmt: skip
def test_visible_text_is_judged_alone(shown: int, alone: float, hidden: int, source: str) -> None:
    page = blockify(paragraph(shown) + paragraph(hidden, "hidden"))
    assert label_page(page, Unsure(alone)).source == source
    for options in ({"threshold": 0.15}, {"favor": "recall"}):
        assert label_page(page, Unsure(alone), options_of(**options)).source == source


def test_a_page_that_shows_nothing_is_not_labeled_again() -> None:
    calls: list[int] = []

    class Counting(Unsure):
        def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
            calls.append(len(pages[0].blocks))
            return super().probabilities(pages)

    label_page(blockify(paragraph(9) * 2), Counting(0.9))
    label_page(blockify(paragraph(900) + paragraph(9, "hidden")), Counting(0.9))
    label_page(blockify(paragraph(900, "hidden")), Counting(0.9))
    assert calls == [2, 2, 1]
    label_page(blockify(paragraph(9) + paragraph(900, "hidden")), Counting(0.9))
    assert calls[3:] == [2, 1]


SHIPPED = Path(__file__).parents[3] / "models" / "default" / "model.json"
needs_shipped = pytest.mark.skipif(not SHIPPED.is_file(), reason="no shipped model")
DIALOG = (
    "<body><div class=overlay role=dialog><p>We value your privacy. We and our partners keep "
    "cookies on your device, and process personal data such as what you read here.</p>"
    "<button>Accept all</button></div>"
)
ReadPage = Callable[[str], bytes]


@needs_shipped
def test_the_shipped_model_finds_a_product_that_a_consent_dialog_hides(read_page: ReadPage) -> None:
    result = extract(read_page("hidden_by_dialog.html"))
    assert result.source == "hidden"
    assert "A brass bell from a coaster" in result.text
    assert "maritime fair" in result.text
    for left_out in ("Accept", "Purposes", "Deals of the day", "Sextant", "Returns", "Copyright"):
        assert left_out not in result.text
    steps = extract(read_page("hidden_by_dialog.html"), fallback=BUT_HIDDEN)
    assert not any(block.hidden for block in steps.content)


@needs_shipped
@pytest.mark.parametrize("hiding", HIDING[:1] + HIDING[4:7] + HIDING[9:])
@pytest.mark.parametrize("start", ["<body {}>", DIALOG + "<div class=page {}>"])
def test_the_shipped_model_finds_an_article_in_a_container_that_is_hidden(
    hiding: str, start: str, read_page: ReadPage
) -> None:
    html = read_page("article.html").decode()
    html = html.replace('<body class="post-template singlePost">', start.format(hiding))
    result = extract(html)
    assert result.source == "hidden"
    assert "coldest just before dawn" in result.text
    assert "We value your privacy" not in result.text
    assert "coldest" not in extract(html, fallback=BUT_HIDDEN).text


SPAM = "cheap watches casino bonus loan payday replica bags free slots poker "
NEXT = '<article class="post-body next"'


@needs_shipped
@pytest.mark.parametrize("times", [1, 20])
@pytest.mark.parametrize("place", ["<main>", "</main>", "</body>"])
@pytest.mark.parametrize("what", ["articles", "words", "links"])
def test_the_shipped_model_leaves_out_what_is_hidden_beside_an_article(
    what: str, place: str, times: int, read_page: ReadPage
) -> None:
    html = read_page("hidden_passages.html").decode()
    article = NEXT + html.partition(NEXT)[2].partition("</article>")[0] + "</article>"
    added = {
        "articles": article,
        "words": f"<div style='display:none'>{SPAM * 50}</div>",
        "links": f"<div style='display:none'><p><a href=/>{SPAM}</a>{SPAM}</p></div>" * 9,
    }[what]
    result = extract(html.replace(place, place + added * times))
    assert result.source == "model"
    assert not any(block.hidden for block in result.content)
    assert result.text.count("Margarethe") == 2
    assert "sauna" in result.text


FLOODS = {
    "en": SPAM, "de": "billige Uhren Casino Bonus Kredit Taschen gratis Spiele Poker ",
    "ru": "дешёвые часы казино бонус займ сумки бесплатно слоты покер ",
    "zh": "便宜手表赌场奖金贷款",
}  # fmt: skip


@needs_shipped
@pytest.mark.parametrize("words", FLOODS.values(), ids=FLOODS)
@pytest.mark.parametrize(
    "name",
    [
        "article", "captions", "encyclopedia", "event", "faq", "french", "german", "glossary",
        "hindi", "live_blog", "nested_lists", "no_semantic_tags", "noscript", "poem",
        "polish_iso_8859_2", "press_release", "russian_windows_1251", "spanish_interview",
    ],
)  # fmt: skip
def test_the_shipped_model_is_not_flooded(name: str, words: str, read_page: ReadPage) -> None:
    html = read_page(f"{name}.html")
    flood = f"<div style='display:none'><p>{words * 5000}</p></div>"
    result = extract(html + flood.encode("ascii", "xmlcharrefreplace"))
    assert result.source == "model"
    assert not any(block.hidden for block in result.content)
    assert result.hidden


def test_only_hidden_text_that_the_model_keeps_counts() -> None:
    result = label_page(blockify(f"<p>Seen</p><p hidden>{'Unseen ' * 99}</p>"), Half())
    assert (result.source, texts_of(result)) == ("model", ["Seen"])


def test_the_confidence_is_that_of_what_is_kept() -> None:
    page = blockify(f"{SHOWN}<p hidden>Unseen</p>")
    assert label_page(page, Confident(1.0)).confidence == 1.0  # hidden text counts as surely none
    hidden = blockify(f"<p>Seen</p><div hidden>{SHOWN}</div>")
    assert label_page(hidden, Confident(1.0)).confidence == 1.0
    assert label_page(hidden, Confident(1.0), options_of(False)).confidence == 1.0
    assert label_page(hidden, Confident(0.0), options_of(False)).confidence == 0.0


HEADLINE = "<title>Tide pools at night</title>"
COMMENT = "<div id=comments{}><p>I have seen crabs in them at night.</p></div>"


@pytest.mark.parametrize("title", KIND_OPTIONS)
@pytest.mark.parametrize("comments", KIND_OPTIONS)
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
    steps=st.sets(st.sampled_from(FALLBACK_STEPS)),
)
@QUICK
def test_hidden_text_is_content_by_the_step_alone(
    parts: list[tuple[bool, str, int]],
    scores: list[float],
    threshold: float | None,
    steps: set[str],
) -> None:
    class Given(Half):
        def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
            return [np.array(scores[: len(page.blocks)], dtype=np.float32) for page in pages]

    html = "".join(f"<{tag}{' hidden' * hide}>{'word ' * n}</{tag[:3]}>" for hide, tag, n in parts)
    page = blockify(html)
    result = label_page(page, Given(), options_of(sorted(steps), threshold=threshold))
    if any(block.hidden for block in result.content):
        assert result.source == "hidden"
        assert "hidden" in steps
        kept = np.array([label == "content" for label in result.labels])
        assert is_hidden_as_a_whole(page, kept, np.array(result.probabilities))
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
