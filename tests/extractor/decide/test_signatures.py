"""Signatures below the posts of a thread are left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing.plugged import ParagraphLabeler

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.comments import find_signatures
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import (
    BOILERPLATE,
    CONTENT,
    CommentOption,
    LabelOptions,
)

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
        "<h3 class=signature id=post-2>post</h3><p>Sends it.<h3 class=signature id=post-1>post",
        "<section id=post><div class=member-signature>void post()</div></section>" * 2,
        "<details id=message><summary class=signature>message(x)</summary>It says x.</details>" * 2,
        "<body class=single-post>" + page_of("section", "signature"),
    ],
)
def test_other_signatures_are_not(html: str) -> None:
    assert not find_signatures(blockify(html))


@pytest.mark.parametrize(("comments", "is_kept"), [("auto", False), ("model", True)])
def test_the_option_for_comments_decides(comments: CommentOption, is_kept: bool) -> None:
    page, sure_of_all = blockify(FORUM.read_bytes()), ParagraphLabeler("body")
    result = label_page(page, sure_of_all, LabelOptions(comments=comments))
    found = find_signatures(page)
    assert found
    assert {result.labels[i] for i in found} == {CONTENT if is_kept else BOILERPLATE}
    assert "one unfinished project" not in extract(FORUM.read_bytes(), engine="numpy").text
