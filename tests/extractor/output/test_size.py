"""Markdown and HTML have at most four times the bytes of the page, and 1,000,000."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.large_outputs import BASE, BOMBS, DEEP, N
from testing.models import PAGE_FILES
from testing.rendered import html_words, markdown_words, words, written
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output import budget


def sizes(result: LabeledPage) -> list[int]:
    return [len((text or "").encode()) for text in (result.markdown, result.html)]


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_bounded_and_keep_all_words(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "FREE_BYTES", 1_000)
    html = BOMBS[name]
    result = written(blockify(html, url="https://example.org/a", markup=True))
    assert max(sizes(result)) <= 4 * len(html.encode()) + 1_000
    assert html_words(result.html or "") == words(result.text)
    assert name in ("backticks", "signs") or (
        markdown_words(result.markdown or "") == words(result.text)
    )


def test_a_page_with_as_many_links_as_pages_have_is_whole() -> None:
    html = "".join(f"<p>Tide {i} <a href='/tide/pools/{i}'>pool</a>" for i in range(2_000))
    result = written(blockify(html, url=f"https://example.org/{'x' * 100}/", markup=True))
    assert not result.shortened
    assert (result.markdown or "").count("](https://example.org/tide/") == 2_000


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.stem)
def test_real_pages_are_not_shortened(file: Path) -> None:
    result = written(blockify(file.read_bytes(), "https://example.org/a", markup=True))
    assert not result.shortened


def test_beyond_the_budget_links_and_images_lose_their_address() -> None:
    html = BASE + "<p>Low tide <a href=y>pools</a> <img src=a alt=crab></p>" * N
    result = written(blockify(html, url="https://example.org/a", markup=True))
    assert result.shortened
    markdown = result.markdown or ""
    assert markdown.startswith("Low tide [pools](https://example.org/xxx")
    assert markdown.endswith("\n\nLow tide pools")


def test_more_than_twenty_quotes_are_cut() -> None:
    result = written(blockify(f"{DEEP}<p>Low tide", markup=True))
    assert result.markdown == "> " * 20 + "Low tide"
    assert result.shortened
    assert not written(blockify("<blockquote>" * 20 + "<p>Low tide", markup=True)).shortened


def test_the_size_of_a_page_is_that_without_gzip_or_the_smaller_encoding() -> None:
    html = f"{BASE}<p>x{'<img src=a><img src=b>' * 2 * N}"
    expected = written(blockify(html, markup=True))
    assert expected.shortened
    for data in (html.encode(), gzip.compress(html.encode()), html.encode("utf-16")):
        assert sizes(written(blockify(data, markup=True))) == sizes(expected)


ADDRESS = st.text(alphabet="xé()&/漢", max_size=12).map(lambda text: text.replace("&", "&amp;"))
TEXT = st.text(alphabet="x &<>`*_|\\#\n\x01潮", max_size=8)
OPEN = st.sampled_from((
    "<p>", "<blockquote>", "<ul><li>", "<ol start=99999><li>", "<li>", "<pre>", "<table><tr><td>",
    "<tr>", "<td>", "<th>", "<td colspan=100>", "<td rowspan=900>", "<dl><dt>", "<dd>", "<h3>",
    "<b>", "<i>", "<s>", "<code>", "<br>", "<div>", "<div class=language-x>", "<caption>",
    "</blockquote>", "</ul>", "</ol>", "</table>", "</pre>", "</a>", "</b>", "</p>", "</dl>",
))  # fmt: skip
PIECE = st.one_of(
    OPEN,
    TEXT,
    ADDRESS.map(lambda address: f"<a href='{address * 40}'>"),
    st.tuples(ADDRESS, TEXT).map(lambda pair: f"<img src='{pair[0] * 9}' alt='{pair[1]}'>"),
)
RUN = st.tuples(st.lists(PIECE, min_size=1, max_size=6).map("".join), st.integers(1, 60))


@QUICK
@given(st.lists(RUN, min_size=1, max_size=5), st.integers(0, 3900), st.integers(0, 5_000))
def test_any_page_is_bounded(runs: list[tuple[str, int]], base: int, free: int) -> None:
    html = f"<base href='https://x.y/{'é' * base}/'>" + "".join(run * times for run, times in runs)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "FREE_BYTES", free)
        result = written(blockify(html, url="https://example.org/a", markup=True))
    assert max(sizes(result)) <= 4 * len(html.encode("utf-8", "replace")) + free
