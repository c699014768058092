"""The explanation of a page of three blocks."""

from __future__ import annotations

from scrapy_boilernet.extractor.explain.explanation import Explanation
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.base import Reason

from .labeled import from_probabilities

PAGE = blockify("<title>Pools</title><nav>Home</nav><h1>Pools</h1><p>They warm at night.</p>")
LABELED = from_probabilities(PAGE, (0.02, 0.6, 0.98), 0.5, 0.9, "tiny")
REASONS = (
    (Reason("tags", "nav", -2.0), Reason("place", "first", 0.25)),
    (Reason("tags", "h1", 1.0), Reason("place", "second", -0.5), Reason("links", "", 0.125)),
    (),
)
FOUND = Explanation(LABELED, REASONS, "numpy")
