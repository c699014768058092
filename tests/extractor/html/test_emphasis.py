"""The style of inline elements makes texts strong, emphasized or deleted, or takes that away."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<span style='font-weight: bold'>Note:</span> closed", "**Note:** closed"),
        ("<span style='color: #000;font-weight:700;'>Note:</span> closed", "**Note:** closed"),
        ("<span style='FONT-WEIGHT:Bolder !important'>Note:</span> closed", "**Note:** closed"),
        ("<span style='font-weight:400'>Note:</span> closed", "Note: closed"),
        ("<span style='font-weight:inherit'>Note:</span> closed", "Note: closed"),
        ("<font style='font-style: italic'>Le Port</font> is", "*Le Port* is"),
        ("<span style='font-style:oblique 10deg'>Le Port</span> is", "*Le Port* is"),
        ("<em style='font-weight:600'>Le Port</em> is", "***Le Port*** is"),
        ("<span style='text-decoration:line-through'>6</span> 7 €", "~~6~~ 7 €"),
        ("<span style='text-decoration-line: underline line-through'>6</span> 7", "~~6~~ 7"),
        ("<span style='text-decoration:underline'>6</span> 7 €", "6 7 €"),
        (
            "<b style='font-weight:normal'>A text <b>with</b> one</b> word",
            "A text **with** one word",
        ),
        ("<b>All <span style='font-weight:normal'>but</span> one</b>", "**All** but **one**"),
        ("<i style='font-style: normal'>icon</i> text", "icon text"),
        ("<code style='font-weight:bold'>make</code> it", "`make` it"),
        ("<a href='/a' style='font-weight:bold'>A link</a> here", "[A link](/a) here"),
        ("<span style='--font-weight:bold'>Note</span> closed", "Note closed"),
    ],
)
def test_styles_are_marks(html: str, markdown: str) -> None:
    assert written(blockify(f"<p>{html}</p>".encode(), "", markup=True)).markdown == markdown
