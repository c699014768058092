"""A ``<div>`` that is left open in a ``<pre>`` ends with it, as in browsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.open_code import with_closed_code
from scrapy_boilernet.extractor.html.tree import parse

BEHIND = "<p>The tide turns at <em>noon</em>.</p><footer>Harbour office</footer>"


def page(code: str, behind: str = BEHIND) -> bytes:
    return f"<html><body><main><p>Run this:</p>{code}{behind}</main></body></html>".encode()


@pytest.mark.parametrize(
    "code",
    [
        '<pre><div class="line">tide = 4</pre>',
        '<pre class="python"><code><div>tide = 4</code></pre>',
        "<PRE><DIV>tide = 4\n</PRE>",
        "<pre><div><div>tide = 4</div></pre >",
        "<pre><div><div>tide = 4</pre>",
        "<pre></div><div>tide = 4</pre>",
        '<pre><div title="</div>">tide = 4</pre>',
    ],
)
def test_text_behind_the_code_is_no_code(code: str) -> None:
    read = blockify(page(code))
    texts = [block.text for block in read.blocks]
    assert texts == ["Run this:", "tide = 4", "The tide turns at noon.", "Harbour office"]
    assert ["pre" in block.tags for block in read.blocks] == [False, True, False, False]
    assert read.flat


@pytest.mark.parametrize(
    "code",
    [
        "<pre>tide = 4</pre>",
        "<pre><div>tide = 4</div></pre>",
        "<div><pre>tide = 4</pre></div>",
        "<div><pre>tide = 4",  # never closed: code up to the end
        "<pre><!-- <div> -->tide = 4</pre>",
        "<pre>tide = 4<script>'<div>'</script></pre>",
    ],
)
def test_other_pages_stay_as_they_are(code: str) -> None:
    body = page(code)
    assert with_closed_code(body) == body
    assert not parse(body).flat


@given(st.lists(st.sampled_from("<pre> </pre> <div> </div> <p> </p> <b> tide <!-- -->".split())))
def test_a_page_is_closed_once(parts: list[str]) -> None:
    closed = with_closed_code("".join(parts).encode())
    assert with_closed_code(closed) == closed
