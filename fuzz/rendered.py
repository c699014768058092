"""Renders the Markdown of hostile pages, and looks for what runs or loads more than images.

    pip install cmarkgfm commonmark markdown-it-py linkify-it-py
    python -m fuzz.rendered --pages 100000 [--first NUMBER]

All HTML and all schemes of links are switched on in the renderers. Half of the pages have a URL.
"""

from __future__ import annotations

import argparse

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.workers.progress import progress
from tests.testing.harmless import harms, renderers
from tests.testing.hostile_texts import hostile_page
from tests.testing.rendered import written

URLS = (None, "https://example.org/a/b.html")


def main() -> int:
    """Try the pages, print what is harmful, and return 1 if anything is, else 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="of the first page")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.pages)
    harmful = 0
    for number in progress(numbers, len(numbers), "pages"):
        for name, found in harms_of(number).items():
            harmful += 1
            print(f"page {number}, {name}: {found}")
    print(f"{len(numbers)} pages, {harmful} harmful; tried: html, {', '.join(renderers())}")
    return int(harmful > 0)


def harms_of(number: int) -> dict[str, list[str]]:
    """Return what is harmful in the HTML of a page, or in its Markdown once it is rendered."""
    result = written(blockify(hostile_page(number), url=URLS[number % 2], markup=True))
    made = {name: render(result.markdown or "") for name, render in renderers().items()}
    found = {name: [*harms(html)] for name, html in {"html": result.html or "", **made}.items()}
    return {name: harmful for name, harmful in found.items() if harmful}


if __name__ == "__main__":
    raise SystemExit(main())
