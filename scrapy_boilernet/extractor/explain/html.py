"""An explanation as one HTML page, in light and dark colours, for screens of any width."""

from __future__ import annotations

from scrapy_boilernet.extractor.explain.explanation import NO_REASONS, Explanation, plain
from scrapy_boilernet.extractor.labelers.base import weightiest
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT
from scrapy_boilernet.extractor.templates import rendered

MOST_CHARS = 2000
"""Characters of a block's text and of its XPath that are shown."""
MOST_FEATURES = 12
"""Features in the chart of the whole page."""
_LINE_CHARS = 200
_MARKS = {CONTENT: "✓", BOILERPLATE: "✕"}


def html_page(explanation: Explanation, top: int, name: str = "") -> str:
    """Return the HTML: facts, probabilities along the page, features by weight, and all blocks.

    ``top``: the most reasons per block; ``name``: the page's file or address. All text of the page
    is escaped, and the Content-Security-Policy forbids to run or load anything.
    """
    reasons = [weightiest(of_block, top) for of_block in explanation.reasons or ()]
    weighed = explanation.weighed
    return rendered(
        "extractor/explain/templates/explanation.html",
        explanation=explanation,
        title=plain(explanation.labeled.page.title or name or "(no title)", _LINE_CHARS),
        name=name,
        weighed=weighed[:MOST_FEATURES],
        left_out=len(weighed[MOST_FEATURES:]),
        reasons=reasons,
        most_weight=max((abs(first.weight) for first, *_ in filter(None, reasons)), default=1.0),
        marks=_MARKS,
        no_reasons=NO_REASONS,
        plain=plain,
        line_chars=_LINE_CHARS,
        most_chars=MOST_CHARS,
    )
