"""What says who wrote or says a kept text is kept."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.speakers import complete_speakers
from scrapy_boilernet.extractor.html.blockify import blockify


def completed(html: str, kept: str) -> str:
    """Return which blocks are kept, as a sign per block: ``+`` or ``-``."""
    places = complete_speakers(blockify(html), np.array([sign == "+" for sign in kept]))
    return "".join("+" if keep else "-" for keep in places)


def post(name: str, tag: str = "div", words: str = "head") -> str:
    return f"<li class=post><{tag} class={words}>{name}</{tag}><p>The boat leaves at noon.</p></li>"


@pytest.mark.parametrize(
    ("tag", "words"), [("div", "head"), ("p", "author"), ("div", "auteur"), ("span", "投稿者")]
)
def test_bylines_are_kept_if_most_of_their_template_are(tag: str, words: str) -> None:
    names = ("anna 1 May 2025", "erik 2 mei 2025", "陳 2025年5月3日", "anna 4 May 2025")
    thread = "<ul>" + "".join(post(name, tag, words) for name in names) + "</ul>"
    assert completed(thread, "++++-+-+") == "++++++++"
    assert completed(thread, "++-+-+-+") == "++-+-+-+"  # of which a quarter is kept
    assert completed(thread, "-+-+-+-+") == "-+-+-+-+"
    assert completed(thread, "++-+++--") == "++++++--"  # of a post that is dropped


def test_a_byline_in_an_answer_has_the_same_template() -> None:
    head = "<div class=head>{} May 2025</div><p>The boat leaves at noon.</p>"
    inner = f"<ul><li class=post>{head.format(2)}</li></ul>"
    thread = (
        f"<ul><li class=post>{head.format(1)}{inner}</li><li class=post>{head.format(3)}</li></ul>"
    )
    assert completed(thread, "-+++++") == "++++++"


@pytest.mark.parametrize(
    "line",
    [
        "<p>May 2025</p>",  # without a class
        "<p class=teaser>More about boats</p>",  # without a digit
        f"<p class=teaser>{'The boats of May 2025 leave at noon. ' * 4}</p>",
    ],
)
def test_other_lines_are_not_added(line: str) -> None:
    assert completed(f"{line}<p>b</p>" * 3, "++++-+") == "++++-+"


HIDDEN = ("class=sr-only", "class=visually-hidden", "style='position:absolute;left:-9999px'")


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize(
    ("asks", "answers"),
    [("You said:", "Assistant said:"), ("Du:", "KI:"), ("あなた：", "アシスタント：")],
)
def test_headings_for_screen_readers_name_speakers(hidden: str, asks: str, answers: str) -> None:
    ask = f"<div><h5 {hidden}>{asks}</h5><p>How long does it take?</p></div>"
    answer = f"<div><h6 {hidden}>{answers}</h6><p>Forty minutes.</p><p>Or more.</p></div>"
    assert completed(f"{ask}{answer}", "-+-++") == "+++++"
    assert completed(f"{ask}{answer}", "-+---") == "-+---"
    assert completed(ask, "-+") == "-+"  # a single one names no turn


@pytest.mark.parametrize(
    "label",
    [
        "<h5 class=sr-only>Main menu</h5>",
        "<p class=sr-only>You said:</p>",
        f"<h5 class=sr-only>{'This heading is long and no name, as you see' * 2}:</h5>",
    ],
)
def test_other_hidden_texts_are_not_added(label: str) -> None:
    assert completed(f"{label}<p>b</p>" * 2, "-+-+") == "-+-+"
