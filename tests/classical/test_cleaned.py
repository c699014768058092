"""A labeled page with CleanEval's tags, by the markup and by a labeler that tells segments."""

from __future__ import annotations

from pathlib import Path

from testing.commanding import run
from testing.standins import Half

from scrapy_boilernet.classical.segments import cleaned_text
from scrapy_boilernet.commands import extract as action
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labeling import label_page
from scrapy_boilernet.options import LabelOptions
from scrapy_boilernet.page import Page

HTML = (
    "<h2>Tide pools</h2><div>Menu</div><ul><li>Crabs, of <b>many</b> kinds</ul><div>Share</div>"
    "<p>The water warmed.</p><p>Subscribe</p>"
)


class Telling(Half):
    """Half of the blocks are content, and of these the second is a header to it."""

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        return ("other", "paragraph", "header", "other", "continuation", "other")


def labeled(labeler: Half) -> LabeledPage:
    return label_page(blockify(HTML), labeler, LabelOptions(threshold=0.5))


def test_the_markup_tells_what_a_segment_is() -> None:
    wanted = "<h>Tide pools\n<l>Crabs, of many kinds\n<p>The water warmed."
    assert cleaned_text(labeled(Half()), Half()) == wanted


def test_a_labeler_that_tells_segments_is_heard_on_what_is_kept() -> None:
    wanted = "<h>Tide pools\n<h>Crabs, of many kinds The water warmed."
    assert cleaned_text(labeled(Telling()), Telling()) == wanted


def test_a_page_without_content_is_empty() -> None:
    assert (
        cleaned_text(label_page(blockify(HTML), Half(), LabelOptions(threshold=1.0)), Half()) == ""
    )


def test_the_command_writes_it(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(HTML)
    out = tmp_path / "page.txt"
    asked = ("--format", "cleaneval", "--model", tiny_model, "--threshold", "0", "-o", out)
    assert run(action, *asked, tmp_path / "page.html") == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "<h>Tide pools"
    assert "<l>Crabs, of many kinds" in lines
