"""A ``<div>`` that is left open in code, an item or a section ends with it, as in browsers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.open_divs import with_closed_divs
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
        "<pre>tide = 4",  # never closed: code up to the end
        "<pre><!-- <div> -->tide = 4</pre>",
        "<pre>tide = 4<script>'<div>'</script></pre>",
    ],
)
def test_other_pages_stay_as_they_are(code: str) -> None:
    body = page(code)
    assert with_closed_divs(body) == body
    assert not parse(body).flat


def test_code_that_is_never_closed_ends_with_the_section_around_it() -> None:
    body = page("<div><pre>tide = 4")
    assert with_closed_divs(body) == body.replace(b"</main>", b"</div></main>")
    read = blockify(body.replace(b"</body>", b"<p>Call us.</p></body>"))
    assert {block.text: "pre" in block.tags for block in read.blocks} == {
        "Run this:": False, "tide = 4": True, "The tide turns at noon.": True,
        "Harbour office": True, "Call us.": False,
    }  # fmt: skip


ITEMS = [
    "<ul><li><div><div>One</div></li><li><div><div>Two</div></li></ul>",
    "<ul><li><div>One<li><div>Two</ul>",
    "<ol><li><div><p>One</li><li><section><div>Two</section></li></ol>",
    "<OL><LI><DIV>One</LI ><LI><div>Two</LI></OL>",
    "<OL><LI><DIV>One</LI><LI><DIV>Two</LI></OL>",
    "<dl><dt>One</dt><dd><div>Two</dd></dl>",
    "<dl><dt>One<dd><div>Two</dl>",
    "<ul><li>One<li><div><table><tr><td><div>Two</table></li></ul>",
]


@pytest.mark.parametrize("items", ITEMS)
def test_text_behind_a_list_is_in_no_item(items: str) -> None:
    read = blockify(page(items))
    texts = [block.text for block in read.blocks]
    assert texts == ["Run this:", "One", "Two", "The tide turns at noon.", "Harbour office"]
    for block in read.blocks[3:]:
        assert {"li", "ul", "ol", "dd", "dl"}.isdisjoint(block.tags)
    one, two = read.blocks[1:3]
    assert one.tags.count("li") <= 1
    assert two.tags.count("li") + two.tags.count("dd") == 1
    assert read.flat


@pytest.mark.parametrize(
    "items",
    [
        "<ul><li><div>One</div></li><li><div>Two</div></li></ul>",
        "<ul><li><div>One</div><li>Two</ul>",
        "<ul><li>One<div><ul><li>Two</li></ul></div></li></ul>",
        "<ul><li><div><table><tr><td><div>One</div></table></div></li></ul>",
        "<ul><li><a><div>One</div></a></li></ul>",
    ],
)
def test_other_lists_stay_as_they_are(items: str) -> None:
    body = page(items, behind="<ul><li>End")
    assert with_closed_divs(body) == body
    assert not parse(body).flat


@pytest.mark.parametrize("name", ["ul", "ol", "UL"])
def test_a_second_end_tag_of_an_item_does_not_end_the_one_around_its_list(name: str) -> None:
    inner = f"<{name}><li>Ask</li></li><li>Wait</li></{name}>"
    read = blockify(page(f"<ol><li><div>Enter{inner}</div><p>Go</p></li><li><div>Moor</li></ol>"))
    items = {block.text: block.tags.count("li") for block in read.blocks}
    assert items == {
        "Run this:": 0, "Enter": 1, "Ask": 2, "Wait": 2, "Go": 1, "Moor": 1,
        "The tide turns at noon.": 0, "Harbour office": 0,
    }  # fmt: skip


def test_a_page_whose_end_is_in_no_item_stays_as_it_is() -> None:
    body = page("<section><div>One</section>")
    assert not parse(body).flat


def test_many_items_take_linear_time() -> None:
    for piece in ("<li>", "<li></li>", "</li>", "<ul></div>", "<ul></li>", "<ul><li></ul></li>"):
        body = ("<ul><li><ul>" + "<div>" * 20_000 + piece * 20_000).encode()
        assert len(with_closed_divs(body)) <= len(body) + 20_000 * len("</div>")


PARTS = "<pre> </pre> <div> </div> <p> </p> <b> tide <!-- --> <li> </li> <ul> </ul> <dd> <table>"


@given(st.lists(st.sampled_from([*PARTS.split(), "</table>"])))
def test_a_page_is_closed_once(parts: list[str]) -> None:
    closed = with_closed_divs("".join(parts).encode())
    assert with_closed_divs(closed) == closed
