"""A term stays with its definition, a callout's marker with its text, a picture with a text."""

from __future__ import annotations

import re

import pytest
from testing.labeled import from_kept

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import Chunk, LabeledPage
from scrapy_boilernet.extractor.output.formats import with_formats

LONG = "It bounds how far the crawler goes. " * 8
ONE_SENTENCE = f"It bounds {'how far or how deep ' * 12}the crawler goes."
TERM_AT_END = re.compile(r"(?:\*\*[^*\n]+\*\*|> \[![A-Z]+\])\s*\Z")


def labeled(html: str, without: tuple[int, ...] = ()) -> LabeledPage:
    page = blockify(html, "https://a.example/options", markup=True)
    kept = [i not in without for i in range(len(page.blocks))]
    result = from_kept(page, kept, [0.9] * len(kept), 0.5, 0.9, "tiny", "model")
    return with_formats(result, ("markdown",))


def cut(html: str, size: int, overlap: int = 0, without: tuple[int, ...] = ()) -> list[Chunk]:
    result = labeled(html, without)
    chunks = [*result.chunks(size, overlap=overlap)]
    if not overlap:
        assert "".join((result.markdown or "")[one.start : one.end] for one in chunks) == (
            result.markdown
        )
    return chunks


def listed(pair: str, text: str) -> str:
    names = ("--depth", "--width", "--length", "--time")
    return "<h2>Options</h2><dl>" + "".join(pair.format(name, text) for name in names) + "</dl>"


PAIRS = {
    "words": "<dt>{0}</dt><dd>{1}</dd>",
    "code": "<dt id='o{0}'><code>{0}</code><dd><p>{1}</p><p>{1}</p>",
    "Sphinx": "<dt class='sig sig-object'><span class=pre>{0}</span> <a href='#x'>¶</a></dt>"
    "<dd><p>{1}</p></dd>",
    "several terms": "<dt>{0}</dt><dt>-{0}</dt><dt>{0}=N</dt><dd>{1}</dd>",
    "nested": "<dt>{0}</dt><dd><dl><dt>Values of {0}</dt><dd>{1}</dd></dl></dd>",
    "boxes": "<div><dt>{0}</dt><dd>{1}</dd></div>",
    "a list": "<dt>{0}</dt><dd><ul><li>{1}</li><li>{1}</li></ul></dd>",
    "details": "<details><summary>{0} of a crawler that goes on</summary><p>{1}</p></details>",
    "a note": "<p>Text {0}.</p><div class='admonition note'><p class='admonition-title'>Note</p>"
    "<p>{1}</p></div>",
    "a titled note": "<div class='admonition tip'><p class='admonition-title'>Save {0}</p>"
    "<p>{1}</p></div>",
    "an alert": "<div class='markdown-alert markdown-alert-warning'>"
    "<p class='markdown-alert-title'>Warning</p><p>{1} {0}</p></div>",
}


@pytest.mark.parametrize("overlap", [0, 10])
@pytest.mark.parametrize("size", [40, 60, 90, 100, 130, 200])
@pytest.mark.parametrize("text", [LONG, ONE_SENTENCE, "Short text."])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_term_is_in_the_chunk_of_its_text(pair: str, text: str, size: int, overlap: int) -> None:
    chunks = cut(listed(PAIRS[pair], text), size, overlap)
    assert not any(TERM_AT_END.search(one.markdown) for one in chunks)
    assert all(one.tokens <= size for one in chunks)
    assert all(one.text for one in chunks)


def test_a_term_without_a_definition_ends_a_chunk() -> None:
    html = f"<dl><dt>Depth</dt><dd>{LONG}</dd><dt>Width</dt></dl><h2>Next</h2><p>{LONG}</p>"
    assert cut(html, 100)[0].markdown.endswith("**Width**\n\n")


def test_short_definitions_share_a_chunk() -> None:
    assert len(cut(listed(PAIRS["words"], "Short text."), 100)) == 1


def test_a_note_that_is_too_long_begins_with_its_marker() -> None:
    note = f"<div class='admonition note'><p class='admonition-title'>Note</p><p>{LONG * 3}</div>"
    chunks = cut(f"<p>{LONG}</p>{note}", 100)
    assert chunks[1].markdown.startswith("> [!NOTE]\n> It bounds")
    assert len(chunks) > 3


PICTURE = f"<p><img src=/crab.png alt='{'A crab on a rock. ' * 6}'></p>"
TEXT = f"<p>{LONG}</p>"
TEXTLESS = {
    "before a text": f"<h1>Crabs</h1>{PICTURE}{TEXT}",
    "first": f"{PICTURE}<h2>Crabs</h2>{TEXT}",
    "last": f"<h2>Crabs</h2>{TEXT}{TEXT}{PICTURE}",
    "last of a section": f"<h2>Crabs</h2>{TEXT}{TEXT}{PICTURE}<h2>Fish</h2>{TEXT}",
    "two": f"<h2>Crabs</h2>{TEXT}{PICTURE}{PICTURE}{TEXT}",
    "a line": f"<h2>Crabs</h2>{TEXT}<hr>{TEXT}",
}


@pytest.mark.parametrize("size", [70, 80, 85, 90, 100, 120, 160])
@pytest.mark.parametrize("name", TEXTLESS)
def test_a_picture_is_in_a_chunk_with_text(name: str, size: int) -> None:
    chunks = cut(TEXTLESS[name], size)
    assert all(one.text and one.text_url for one in chunks)
    assert all(one.tokens <= size for one in chunks)


def test_a_picture_stays_in_its_section() -> None:
    chunks = cut(TEXTLESS["last of a section"], 90)
    ends = [i for i, one in enumerate(chunks) if "crab.png" in one.markdown]
    assert [chunks[i + 1].markdown[:7] for i in ends] == ["## Fish"]


def test_a_headline_that_is_no_content_goes_with_what_follows() -> None:
    html = f"<h1>Crabs</h1><h2>Legs</h2>{TEXT}<h2>Eyes</h2>{TEXT}"
    for size in (75, 80, 100):
        assert all(one.text for one in cut(html, size, without=(0,)))


def test_a_picture_that_fits_nowhere_is_a_chunk() -> None:
    html = f"<p>{'a' * 360}</p>{PICTURE}<p>{'b' * 360}</p>"
    assert [bool(one.text) for one in cut(html, 95)] == [True, False, True]
