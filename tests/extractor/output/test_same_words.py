"""Markdown and HTML have exactly the words of the plain text, of any page and any choice."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from testing.models import PAGES
from testing.rendered import html_words, kind_words, markdown_words, words, written
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify

TAGS = (
    "p div span a b i em strong code del s h1 h2 h5 ul ol li blockquote pre table tr td th thead "
    "caption br hr img dl dt dd figure figcaption noscript script svg section body kbd sub "
    "q cite details summary input aside thead tfoot"
).split()
ATTRIBUTES = [
    "", " href=/a(b)_c", " href='http://x.y/?a=1&b=\"|'", " href=javascript:x", " src=/i.png",
    " src=i.png alt='al [t] x'", " class=language-py", " colspan=3", " rowspan=2", " start=7",
    " value=99999999999", " role=presentation", " hidden", " reversed", " class='admonition note'",
    " class='alert alert-info'", " class=admonition-title", " type=checkbox checked", " role=note",
]  # fmt: skip
TEXT = st.one_of(
    st.text(alphabet="ab1 *_`[]()<>#-+.|~!&;\\\n:=/\"'", min_size=1, max_size=8),
    st.sampled_from([
        "word ", " two words", "1. ", "2) x", "- ", "# h", "> q", "```", "~~~", "---", "===",
        "| a | b |", "| --- | --- |", "[x] ", "[a]: http://b", "![i](j)", "&amp;lt;", "&lt;b>",
        "&lt;script>", "**", "__a__", "a*b*", "snake_case", "http://e.org/a_b_", "„q“", "漢字。",
        "\\", "\\|", "*\u200b", "    code", "\n\n", "<!-- c -->", "é", "a\u00a0b",
    ]),
)  # fmt: skip
soup = st.lists(
    st.one_of(
        st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
        st.builds("</{}>".format, st.sampled_from(TAGS)),
        TEXT,
        TEXT,
    ),
    max_size=40,
).map("".join)


def check(html: str | bytes, every: int) -> None:
    page = blockify(html, url="https://example.org/a/b.html", markup=True)
    made = written(page, [i % every == 0 for i in range(len(page.blocks))])
    assert html_words(made.html or "") == words(made.text), made.html
    shown = words(made.text) - kind_words(made.html or "")
    assert markdown_words(made.markdown or "") == shown, made.markdown


@QUICK
@given(soup, st.sampled_from([1, 1, 2, 3]))
@example("<p>wow!<a href=/x>link</a>", 1)
@example("<ul><li>[x] done<li>[ ] open</ul>", 1)
@example("<table><tr><th>a\\|b<th><code>c\\|d</code><tr><td>e<td>f</table>", 1)
@example("<p>&lt;<span>script</span>>alert", 1)
@example("<p>a<b>(b)</b>c <i>„d“</i>e<b>f</b><i>g</i>", 1)
@example("<ol start=2><li>a<p>b<ol start=5><li>c</ol></ol>", 1)
@example("<pre>```\ncode\n````</pre>", 1)
@example("<p>a | b<br>--- | ---<br>c | d", 1)
def test_any_page_has_the_same_words_in_all_formats(html: str, every: int) -> None:
    check(html, every)


@pytest.mark.parametrize("name", sorted(path.stem for path in PAGES.glob("*.html")))
@pytest.mark.parametrize("every", [1, 2])
def test_real_page_has_the_same_words_in_all_formats(name: str, every: int) -> None:
    check((PAGES / f"{name}.html").read_bytes(), every)


def test_no_content_gives_no_text() -> None:
    page = blockify("<p>a<p>b", markup=True)
    made = written(page, [False, False])
    assert (made.markdown, made.html) == ("", "")
    assert words("a b A") == Counter({"a": 2, "b": 1})


@QUICK
@given(soup)
def test_spans_are_the_blocks_text_and_blocks_are_those_without_markup(html: str) -> None:
    page = blockify(html, markup=True)
    assert page.markup is not None
    assert page.blocks == blockify(html).blocks
    for spans, block in zip(page.markup.spans, page.blocks, strict=True):
        text = "".join(span.text for span in spans)
        assert not spans or " ".join(text.split()) == block.text
        assert "  " not in text or any(span.src for span in spans)
    assert len(page.markup.breaks) == len(page.blocks)
