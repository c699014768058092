"""A labeled page with CleanEval's tags, by the markup and by a labeler of segments."""

from __future__ import annotations

from pathlib import Path

from testing.commanding import run
from testing.standins import Half

from scrapy_boilernet.commands import extract as action
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.labelers.crf.segments import cleaned_text
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.extractor.page import Page

HTML = (
    "<h2>Tide pools</h2><div>Menu</div><ul><li>Crabs, of <b>many</b> kinds</ul><div>Share</div>"
    "<p>The water warmed.</p><p>Subscribe</p>"
)


class SegmentingHalf(Half):
    """A labeler that keeps half of the blocks, and calls the second kept one a header."""

    def segment_labels(self, page: Page) -> tuple[str, ...]:
        return ("other", "paragraph", "header", "other", "continuation", "other")


def labeled(labeler: Half) -> LabeledPage:
    return label_page(blockify(HTML), labeler, LabelOptions(threshold=0.5))


def test_the_markup_gives_the_kinds_of_segments() -> None:
    wanted = "<h>Tide pools\n<l>Crabs, of many kinds\n<p>The water warmed."
    assert cleaned_text(labeled(Half()), Half()) == wanted


def test_a_labeler_of_segments_gives_the_kinds_of_kept_blocks() -> None:
    wanted = "<h>Tide pools\n<h>Crabs, of many kinds The water warmed."
    assert cleaned_text(labeled(SegmentingHalf()), SegmentingHalf()) == wanted


def test_a_page_without_content_gives_an_empty_text() -> None:
    empty = label_page(blockify(HTML), Half(), LabelOptions(threshold=1.0))
    assert cleaned_text(empty, Half()) == ""


def test_the_command_extract_writes_it(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(HTML)
    out = tmp_path / "page.txt"
    options = ("--format", "cleaneval", "--model", tiny_model, "--threshold", "0", "-o", out)
    assert run(action, *options, tmp_path / "page.html") == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "<h>Tide pools"
    assert "<l>Crabs, of many kinds" in lines
