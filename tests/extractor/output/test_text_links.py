"""The text fragment of a chunk leads to the chunk, not to the same words earlier on the page."""

from __future__ import annotations

import re
import time
from urllib.parse import unquote

import pytest
from testing.labeled import from_kept

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.output.links_to_text import Quotes, text_link

SAME = "They live in the sea all year and feed at night."
OTHER = "Limpets cling to their rock at low tide."


def labeled(html: str) -> LabeledPage:
    page = blockify(html, "https://a.example/sea", markup=True)
    number = len(page.blocks)
    result = from_kept(page, [True] * number, [0.9] * number, 0.5, 0.9, "tiny", "model")
    return with_formats(result, ("markdown",))


def found(text_url: str, texts: tuple[str, ...]) -> int:
    """Return the number of the block in which a browser finds the text of a link first."""
    stated = text_url.partition("#:~:text=")[2]
    before, _, text = stated.rpartition("-,")
    page = "\n".join(texts).casefold()
    words = r"\s+".join(map(re.escape, unquote(text).casefold().split()))
    around = rf"{re.escape(unquote(before).casefold())}\s+" if before else ""
    match = re.search(rf"(?<!\w){around}({words})(?!\w)", page)
    assert match
    return page.count("\n", 0, match.start(1))


PAGES = {
    "sections": f"<h2>Fish</h2><p>{SAME}</p><h2>Crabs</h2><p>{SAME}</p><h2>Eels</h2><p>{SAME}</p>",
    "a start within": f"<p>{OTHER} {SAME}</p><h2>Crabs</h2><p>{SAME}</p>",
    "terms": "<p>The options --length and --width follow.</p><dl><dt>--width</dt><dd>--length is"
    " wide.</dd><dt>--length</dt><dd>--width</dd></dl>",
    "Russian": "<h2>Рыбы</h2><p>Они живут в море весь год.</p><h2>Крабы</h2>"
    "<p>Они живут в море весь год.</p>",
    "capitals": f"<p>{SAME.upper()}</p><h2>Crabs</h2><p>{SAME}</p>",
    "a headline below": f"<p>{SAME}</p><h2>{SAME}</h2><p>{OTHER}</p>",
    "pilcrows": f"<h2>Fish<a href='#f'>¶</a></h2><p>{SAME}</p><h2>Crabs<a href='#c'>¶</a></h2>"
    f"<p>{SAME}</p>",
}


@pytest.mark.parametrize("size", [8, 12, 20, 40])
@pytest.mark.parametrize("name", PAGES)
def test_a_link_leads_to_the_chunk(name: str, size: int) -> None:
    result = labeled(PAGES[name])
    blocks = [block.xpath for block in result.page.blocks]
    for chunk in result.chunks(size):
        if chunk.text_url:
            place = found(chunk.text_url, result.page.texts)
            assert place in range(
                blocks.index(chunk.first_xpath), blocks.index(chunk.last_xpath) + 1
            )


def test_a_text_that_is_there_once_needs_no_words_before_it() -> None:
    (chunk,) = labeled(f"<h2>Fish</h2><p>{OTHER}</p><p>{SAME}</p>").chunks()
    assert chunk.text_url.endswith(
        "#:~:text=Limpets%20cling%20to%20their%20rock%20at%20low%20tide."
    )


def test_words_within_other_words_are_no_earlier_text() -> None:
    html = "<p>The underwater light.</p><h2>B</h2><p>water light</p>"
    assert [one.text_url for one in labeled(html).chunks(6)][-1].endswith("text=water%20light")


def test_the_words_before_are_escaped() -> None:
    url = text_link("https://a.example/p", "a-b", "c, d-")
    assert url == "https://a.example/p#:~:text=c%2C%20d%2D-,a%2Db"


def test_a_text_without_own_words_around_it_gets_no_link() -> None:
    html = "<h2>Fish</h2><p>Limpets</p>" * 2
    chunks = labeled(html).chunks(6)
    assert [bool(one.text_url) for one in chunks if "Limpets" in one.text] == [True, False]


@pytest.mark.parametrize("hides", ["hidden", "class=sr-only", ""])
def test_words_that_are_hidden_name_no_place(hides: str) -> None:
    page = blockify(f"<p>Fish</p><p>{SAME}</p><p {hides}>Jump to the crabs</p><p>{SAME}</p>")
    start, before = Quotes(page.texts, page.hidden).of([(3, page.blocks[3])])
    assert SAME.startswith(start)
    assert (bool(start), before) == ((False, "") if hides else (True, "Jump to the crabs"))


def test_many_equal_texts_take_little_time() -> None:
    result = labeled(f"<p>{SAME}</p>" * 8_000)
    begun = time.perf_counter()
    result.chunks(20)
    assert time.perf_counter() - begun < 20
