"""The test bed's results as an HTML page, with a picture of each page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from scrapy_boilernet.extractor.templates import rendered
from scrapy_boilernet.lab.annotations.testbed import FIGURES, PageResult, means


def report(pages: Sequence[PageResult]) -> str:
    """Return the HTML, which holds its pictures, too."""
    return rendered(
        "lab/annotations/templates/testbed.html",
        figures=FIGURES,
        means=means(pages),
        pages=[(page, b64encode(page.picture).decode()) for page in pages],
    )
