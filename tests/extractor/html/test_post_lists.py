"""Posts of a forum are no items, though the page makes a list of them."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

LISTS = [
    ("<ol id=posts class=posts start=1>", "<li class='postbitlegacy postbitim postcontainer old'>"),
    ("<ol id=posts>", "<li class='postbit postcontainer' id=post_2>"),
    ("<ul class='conversation-list'>", "<li class='b-post b-post--first js-post js-comment'>"),
    ("<ol class=messageList id=messageList>", "<li id=post-1 class='message  '>"),
    ("<ul class='forums bbp-replies'>", "<li class=bbp-body>"),
    ("<ul class='MessageList DataList Comments'>", "<li class='Item Alt ItemComment'>"),
]


@pytest.mark.parametrize(("around", "item"), LISTS)
@pytest.mark.parametrize(
    "words", [("It is late.", "So it is."), ("Es ist spät.", "Ja."), ("遅い。", "はい。")]
)
def test_posts_have_no_marks(around: str, item: str, words: tuple[str, str]) -> None:
    one, two = words
    inner = f"<div class=content>{one}<ul><li>A</li><li>B</li></ul></div></li>"
    html = f"{around}{item}{inner}{item}<p>{two}</p></li></{around[1:3]}>"
    made = written(blockify(html, "https://e.example/t", markup=True))
    assert made.markdown == f"{one}\n\n- A\n- B\n\n{two}"
    assert made.text == f"{one}\nA\nB\n{two}"
    assert "<ul>" in (made.html or "<ul>")
    assert [b.tags for b in made.page.blocks] == [b.tags for b in blockify(html).blocks]


@pytest.mark.parametrize(
    ("around", "item"),
    [
        ("<ul class=posts>", "<li>"),
        ("<ol class=posts>", "<li class=post>"),
        ("<ul class=thread>", "<li class=post>"),
        ("<ul class=messages>", "<li class=message>"),
        ("<ul class=post-list>", "<li class=post-item>"),
    ],
)
def test_other_lists_stay_lists(around: str, item: str) -> None:
    html = f"{around}{item}One</li>{item}Two</li></{around[1:3]}>"
    markdown = written(blockify(html, "https://e.example/t", markup=True)).markdown
    assert markdown in ("- One\n- Two", "1. One\n2. Two")
