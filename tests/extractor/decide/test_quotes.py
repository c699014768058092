"""What a kept post of a thread quotes is kept with it."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.quotes import complete_quotes
from scrapy_boilernet.extractor.html.blockify import blockify

BODIES = {
    "phpBB": "<div class=postbody><div class=content>{}</div></div>",
    "SMF": "<div class=inner id=msg_{n}>{}</div>",
    "XenForo": "<article class=message><div class=bbWrapper>{}</div></article>",
    "Discourse": "<div class=topic-post><div class=cooked>{}</div></div>",
    "vBulletin": "<table><tr><td><div id=post_message_{n}>{}</div></td></tr></table>",
    "comments": "<ol><li class=comment><p>x</p>{}</li></ol>".replace("<p>x</p>", ""),
}
QUOTES = [
    "<blockquote><p>A</p><p>b</p></blockquote>",
    "<div class=quoteheader>A</div><blockquote>b</blockquote>",
    "<div class=bbcode_quote><div class=bbcode_postedby>A</div><div class=message>b</div></div>",
    "<div class=title_quote>Цитата</div><div class=quote>б</div>",
]


def completed(html: str, kept: list[bool]) -> list[bool]:
    return complete_quotes(blockify(html), np.array(kept, dtype=np.bool_)).tolist()


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("quote", QUOTES)
def test_quotes_of_kept_posts_are_kept(body: str, quote: str) -> None:
    one, other = body.format("<p>One.</p>", n=1), body.format(f"{quote}<p>c</p>", n=2)
    assert completed(one + other, [True, False, False, True]) == [True] * 4
    assert completed(one + other, [True, False, True, True]) == [True] * 4
    assert completed(one + other, [True, False, False, False]) == [True, False, False, False]
    hidden = other.replace("A<", "<i hidden>A</i><").replace("Цитата", "<i hidden>Ц</i>")
    assert completed(one + hidden, [True, False, False, True]) == [True, False, True, True]


def test_an_article_is_no_thread() -> None:
    html = f"<div class=post><p>One.</p>{QUOTES[0]}<p>Two.</p></div>"
    assert completed(html, [True, False, False, True]) == [True, False, False, True]


def test_quotes_beside_posts_are_not_kept() -> None:
    html = "<div class=post><p>One.</p></div>" * 2 + QUOTES[0]
    assert completed(html, [True, True, False, False]) == [True, True, False, False]
