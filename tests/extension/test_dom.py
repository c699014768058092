"""The extension reads from the DOM of a real Chromium what the blockifier reads."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("selenium")

from testing.agreement import Agreement
from testing.extension import CHROMEDRIVER, CHROMIUM, DATA, SETS, Node, Pages, markup_json, need
from testing.models import PAGE_FILES
from testing.raised_cases import ALL
from testing.reading_cases import READING_CASES
from testing.tokenized import with_comments_between

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8, unpack
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

if TYPE_CHECKING:
    from testing.chromium import Chromium

FROM_EACH = 10
TEXT, LABELS = 0.98, 0.99


@pytest.fixture(scope="module")
def bare() -> Iterator[Chromium]:
    """Chromium without the extension, in which no script of a page runs."""
    need(CHROMIUM and CHROMEDRIVER, "chromium and chromium-driver, which Debian has")
    from testing.chromium import Chromium

    with Chromium() as browser:
        yield browser


def agreement(bare: Chromium, pages: Pages, node: Node, labeler: Labeler, body: bytes) -> Agreement:
    from testing.chromium import dom_agreement

    return dom_agreement(bare, pages.put("/page.html", body), body, node, labeler)


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.stem)
def test_pages_are_read_alike(
    bare: Chromium, pages: Pages, node: Node, labeler: Labeler, file: Path
) -> None:
    body = to_utf8(file.read_bytes(), None, None, None)
    found = agreement(bare, pages, node, labeler, body)
    assert (found.text, found.labels) >= (TEXT, LABELS), found


@pytest.mark.parametrize("name", SETS)
def test_real_pages_are_read_alike(
    bare: Chromium, pages: Pages, node: Node, labeler: Labeler, name: str, tmp_path: Path
) -> None:
    packed = DATA / f"{name}.tar.xz"
    if not packed.exists():
        pytest.skip(f"{name} is not at hand")
    every = list(read_pages(open_dataset(packed, tmp_path)))
    random.Random(1).shuffle(every)
    total = Agreement(0, 0, 0, 0)
    for page in every[:FROM_EACH]:
        body = to_utf8(unpack(page.html, MAX_BYTES)[0], page.encoding, None, page.url)
        total += agreement(bare, pages, node, labeler, body)
    assert total.text >= TEXT, total
    assert total.labels >= LABELS, total


def test_panels_of_tabs_are_read_alike(bare: Chromium, pages: Pages) -> None:
    from testing.chromium import read_dom

    controls = "<a aria-controls='a'>A</a><li ARIA-CONTROLS='b c'>B</li>"
    controls += "<a aria-haspopup=menu aria-controls=d>D</a><a aria-controls=''>E</a>"
    closed = (
        "hidden",
        "class=d-none",
        "style='display: none'",
        "style='left:-9999px'",
        "style='opacity:0'",
    )
    panels = "".join(f"<div id={id_} {how}>{id_} {how}</div>" for id_ in "abcdef" for how in closed)
    panels += "<div role=tabpanel hidden>g</div><div role=tab hidden>h</div>"
    made = f"<!DOCTYPE html><meta charset=utf-8><title>t</title><body>{controls}{panels}"
    dom = read_dom(bare, pages.put("/page.html", made.encode()))
    read = [(block["text"], bool(block["hidden"])) for block in dom["page"]["blocks"]]
    assert read == [
        (block.text, bool(block.hidden))
        for block in blockify(made.replace("ARIA-CONTROLS", "aria-controls")).blocks
    ]


def test_superscripts_notes_and_ruby_are_read_alike(bare: Chromium, pages: Pages) -> None:
    from testing.chromium import read_dom

    body = "".join(f"<p>{html}</p><pre>\n{html}</pre>" for html, _ in ALL)
    shadow = "<x-a><template shadowrootmode=open><p>a</p><slot></slot></template><p>b</p></x-a>"
    made = f"<!DOCTYPE html><meta charset=utf-8><title>t</title><body>{body}{shadow}"
    page = blockify(made, markup=True)
    dom = read_dom(bare, pages.put("/page.html", made.encode()))
    assert [block["text"] for block in dom["page"]["blocks"]] == [*page.texts]
    assert [block["preformatted"] for block in dom["page"]["blocks"]] == [
        block.preformatted for block in page.blocks
    ]
    assert page.markup is not None
    assert [[span["text"] for span in spans] for spans in dom["markup"]["spans"]] == [
        [span.text for span in spans] for spans in page.markup.spans
    ]


@pytest.mark.parametrize("name", READING_CASES)
def test_notes_code_and_formulas_are_read_alike(bare: Chromium, pages: Pages, name: str) -> None:
    read_alike(bare, pages, READING_CASES[name])


@pytest.mark.parametrize("name", READING_CASES)
def test_comments_after_tags_are_not_read(bare: Chromium, pages: Pages, name: str) -> None:
    read_alike(bare, pages, with_comments_between(READING_CASES[name]))


PARTED = (
    "<p>Hello, <!-- -->Ann<!-- -->. You have <?x y?>3<!-- --> new <b>mails<!-- --></b>.",
    "<p>one<!-- -->&#8203;</p><p>&#8203;<!-- --></p><!-- --><p><!-- -->&#8203;</p><p>two",
    "<pre>a<!-- -->b\n<!-- -->\n  c</pre><p>x<span><!-- --></span><!-- -->y<br><!-- -->z",
    "<x-a><template shadowrootmode=open><!-- -->a<!-- -->b</template></x-a>",
    "<table><!-- --><tr><!-- --><td>a<!-- -->b</td><!-- --></tr><!-- --></table><!-- -->c",
)


@pytest.mark.parametrize("body", PARTED)
def test_comments_part_no_texts(bare: Chromium, pages: Pages, body: str) -> None:
    read_alike(bare, pages, f"<!DOCTYPE html><meta charset=utf-8><title>t</title><body>{body}")


def read_alike(bare: Chromium, pages: Pages, made: str) -> None:
    """Fail unless the browser reads the page as the blockifier does."""
    from testing.chromium import read_dom

    page = blockify(made, markup=True)
    assert page.markup is not None
    dom = read_dom(bare, pages.put("/page.html", made.encode()))
    read = [(b["text"], b["preformatted"], b["linkChars"]) for b in dom["page"]["blocks"]]
    assert read == [(b.text, b.preformatted, b.link_chars) for b in page.blocks]
    own, found = markup_json(page.markup), dom["markup"]
    assert found["spans"] == own["spans"]
    assert found["breaks"] == [*own["breaks"]]
    for elements in ("languages", "notes"):
        assert [each for _, each in found[elements]] == [each for _, each in own[elements]]
    assert [(p["before"], p["span"]) for p in found["pictures"]] == [
        (p["before"], p["span"]) for p in own["pictures"]
    ]
