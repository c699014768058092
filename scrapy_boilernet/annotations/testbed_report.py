"""The test bed's results as an HTML page, with a picture of each page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from scrapy_boilernet.annotations.testbed import FIGURES, Look, means
from scrapy_boilernet.templates import rendered


def report(looks: Sequence[Look]) -> str:
    """Return the report; it holds all that it shows."""
    return rendered(
        "annotations/templates/testbed.html",
        figures=FIGURES,
        means=means(looks),
        looks=[(look, b64encode(look.picture).decode()) for look in looks],
    )
