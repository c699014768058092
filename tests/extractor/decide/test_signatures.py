"""Signatures below the posts of a thread are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.comments import find_signatures
from scrapy_boilernet.extractor.html.blockify import blockify

POST = (
    "<div class='{post}'><p>The pump runs dry in the frost.<div class='{sig}'>Be kind.</div></div>"
)
FORUM = Path(__file__).parents[3] / "example_project" / "site" / "forum-hub-gear.html"


def page_of(post: str, signature: str, times: int = 2) -> str:
    return POST.format(post=post, sig=signature) * times


@pytest.mark.parametrize(
    ("post", "signature"),
    [("post bg1", "signature"), ("message", "message-signature"), ("postbit", "signature restore"),
     ("forum", "postSig"), ("bbp-reply-content", "bbp-signature"), ("thread", "user_sig")],
)  # fmt: skip
def test_signatures_of_posts_are_found(post: str, signature: str) -> None:
    page = blockify(page_of(post, signature))
    texts = [page.texts[i] for i in sorted(find_signatures(page))]
    assert texts == ["Be kind."] * 2


@pytest.mark.parametrize(
    "html",
    [
        page_of("section", "signature"),  # of functions, in a manual
        page_of("post", "signature", 1),  # of an article
        page_of("post", "design"),
        page_of("post", "signup insight"),
        "<dl class='sig sig-object py'><dt class=signature>f(x)<dt class=signature>g(x)</dl>",
    ],
)
def test_other_signatures_are_not(html: str) -> None:
    assert not find_signatures(blockify(html))


def test_the_option_for_comments_decides() -> None:
    html = FORUM.read_bytes()
    result = extract(html, engine="numpy")
    assert "one unfinished project" not in result.text
    assert {
        result.steps[i] for i in find_signatures(result.page) if result.probabilities[i] > 0.9
    } <= {"comments"}
    assert len(extract(html, engine="numpy", comments="model").text) > len(result.text)
