"""Lines of poems that are elements of their own are lines, and stanzas paragraphs."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

HANGING = " style='text-indent: -1em; padding-left: 1em;'"


def markdown(html: str) -> str:
    return written(blockify(f"<p>One</p>{html}<p>Two</p>", markup=True)).markdown or ""


@pytest.mark.parametrize(
    "poem",
    [
        "<div class='o-poem isActive'>{}</div>",
        "<div class=Poetry><section>{}</section></div>",
        "<blockquote class=verse-text>{}</blockquote>",
    ],
)
@pytest.mark.parametrize("line", ["div", f"div{HANGING}", "p class=line"])
@pytest.mark.parametrize("words", [("O harbour,", "we <i>keep</i> you"), ("港の光", "私たち")])
def test_lines_of_a_stanza_are_one_paragraph(poem: str, line: str, words: tuple[str, str]) -> None:
    end = f"</{line.split()[0]}>\n"
    first, second = (f"<{line}>{text}<br>{end}" for text in words)
    html = poem.format(f"{first}{second}<{line}><br>{end}{second}{first}")
    one, two = words[0], words[1].replace("<i>", "*").replace("</i>", "*")
    stanzas = f"{one}\\\n{two}", f"{two}\\\n{one}"
    lines = [text.removeprefix("> ").removeprefix(">") for text in markdown(html).split("\n")]
    assert "\n".join(lines) == "\n\n".join(("One", *stanzas, "Two"))
    texts = [block.text for block in blockify(html).blocks]
    assert texts[:2] == [one, two.replace("*", "")]


@pytest.mark.parametrize(
    "html",
    [
        "<div class=text><div>a<br></div><div>b<br></div></div>",
        "<div class=poem><div>a</div><div>b</div></div>",
        "<div class=poem><div>a<br>b</div><div>c<br>d</div></div>",
        "<div class=poem><div><p>a</p><br></div><div><p>b</p><br></div></div>",
        "<div class=poem><p>a<br></p><h3>b</h3></div>",
        "<p class=poem>a<br></p><p class=poem>b<br></p>",
    ],
)
def test_other_elements_stay_paragraphs(html: str) -> None:
    assert all(block.tags[-1] != "span" for block in blockify(html).blocks)


def test_many_lines_take_no_time() -> None:
    begin = perf_counter()
    blockify("<div class=poem>" * 3_000 + "<div>a<br></div>" * 10_000, max_blocks=20_000)
    assert perf_counter() - begin < 60
