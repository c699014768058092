"""Chunks of real pages: whether they join to the Markdown again, keep to their limit, and cite.

    python -m benchmarks.quality.chunks wcxb-dev by-hand --pages 500 --browser 200

The last check opens pages in Chromium, with Selenium, at the text fragment of one of their chunks.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from parsel import Selector

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.labeled import Chunk, LabeledPage
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.lab.annotations.browser import Chromium, chromium_program
from scrapy_boilernet.lab.annotations.stored_site import StoredSite
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.workers.progress import progress

_SIZES = (50, 500)
_SPACER = b'<div style="height:4000px"></div>'
_NO_SCRIPTS = b"<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\">"
"""Scripts of stored pages show alerts, or leave the page, since all that they load is missing."""
_BODY = re.compile(rb"<body[^>]*>", re.IGNORECASE)
_WAIT_SECONDS = 10.0
_SHOWN_TEXT = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const texts = [];
for (let node; (node = walker.nextNode());) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  if (box.height && box.bottom > 0 && box.top < innerHeight) texts.push(node.data);
}
return [scrollY, texts.join("")];
"""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--pages", type=int, default=500, help="pages of each set")
    parser.add_argument("--browser", type=int, default=200, help="pages for Chromium, in all")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Chunks")
    drawn = draw_pages(report, options.sets, {}, options.pages, options.cache)
    pages = [page for each in drawn.values() for page in each]
    cited = check(pages, report)
    if options.browser:
        look(random.Random(0).sample(cited, min(options.browser, len(cited))), report)
    report.write(options, None)


def check(pages: Sequence[GoldPage], report: Report) -> list[tuple[GoldPage, Chunk]]:
    """Add to the report what holds for the chunks; return one chunk with a text link per page."""
    counts: Counter[tuple[str, int]] = Counter()
    cited = []
    for page in progress(pages, len(pages), "chunks"):
        result = extract(page.html, page.url or "https://a.example/", formats=("markdown",))
        tree = Selector(
            to_utf8(page.html, None, None, page.url).decode("utf-8", "replace"), type="html"
        )
        for size in _SIZES:
            chunks = result.chunks(size)
            counts["chunks", size] += len(chunks)
            counts["pages that do not join to their Markdown", size] += not joins(result, chunks)
            counts["over the limit", size] += sum(one.tokens > size for one in chunks)
            counts["over the limit, of several units", size] += sum(
                one.tokens > size and has_several_units(one) for one in chunks
            )
            counts["XPaths without their block", size] += sum(
                not finds(tree, xpath, one) for one in chunks
                for xpath in {one.first_xpath, one.last_xpath} - {""}
            )  # fmt: skip
            counts["without a text link", size] += sum(not one.text_url for one in chunks)
            counts["with an id", size] += sum(bool(one.id_url) for one in chunks)
        with_link = [one for one in result.chunks(200) if one.text_url]
        if with_link:
            cited.append((page, random.Random(page.id).choice(with_link)))
    names = dict.fromkeys(name for name, _ in counts)
    report.text(f"{len(pages):,} pages, cut into chunks of at most so many estimated tokens.")
    report.table(
        ("", *(f"{size} tokens" for size in _SIZES)),
        [(name, *(f"{counts[name, size]:,}" for size in _SIZES)) for name in names],
    )
    report.figures["counts"] = {f"{name}, {size}": n for (name, size), n in counts.items()}
    return cited


def joins(result: LabeledPage, chunks: Sequence[Chunk]) -> bool:
    """Return whether the chunks, without what they repeat, are the page's Markdown."""
    markdown = result.markdown or ""
    parts = [markdown[one.start : one.end] for one in chunks]
    inside = all(part in one.markdown for part, one in zip(parts, chunks, strict=True))
    texts = all(result.text[one.text_start : one.text_end] == one.text for one in chunks)
    return "".join(parts) == markdown and inside and texts


def has_several_units(chunk: Chunk) -> bool:
    """Return whether a chunk could have been cut: it has lines that are not a table's, nor code,
    nor a formula, or a sentence that ends in it.
    """
    lines = [line for line in chunk.markdown.strip().splitlines() if line.strip(" >|-`")]
    return len(lines) > 2 and not any(mark in chunk.markdown for mark in ("|", "```", "<br>", "$$"))


def finds(tree: Selector, xpath: str, chunk: Chunk) -> bool:
    """Return whether the XPath matches one element, with letters of the chunk."""
    found = tree.xpath(xpath)
    letters = set(re.findall(r"\w", "".join(found.xpath("string()").getall())))
    known = set(re.findall(r"\w", chunk.text))
    return len(found) == 1 and not (letters and known and letters.isdisjoint(known))


def look(cited: Sequence[tuple[GoldPage, Chunk]], report: Report) -> None:
    """Add to the report how many text fragments Chromium finds and scrolls to."""
    if chromium_program() is None:
        report.lacks("Chromium and its driver, so no text fragment was opened")
        return
    found, missed = 0, []
    with StoredSite() as site:
        for page, chunk in progress(cited, len(cited), "text fragments"):
            body = to_utf8(page.html, None, None, page.url)
            body = _BODY.sub(lambda match: match[0] + _SPACER, body, count=1)
            url = site.put(page.url or "https://a.example/", _NO_SCRIPTS + body, "utf-8")
            quote = chunk.text_url.partition(":~:text=")[2]
            # A browser of its own, since a page that still loads holds up the next one.
            with Chromium(resolver=site.resolver) as browser:
                browser.driver.set_page_load_timeout(30)
                text = unquote(quote.rpartition("-,")[2])  # without the words before it
                if _is_found(browser, f"{url}#:~:text={quote}", text):
                    found += 1
                else:
                    missed.append(page.id)
    report.text(
        f"Chromium scrolls to {found} of {len(cited)} text fragments, one of each page, below an "
        f"element of 4,000 pixels. Not found: {', '.join(missed) or 'none'}."
    )
    report.figures["found in Chromium"] = [found, len(cited)]


def _is_found(browser: Chromium, url: str, text: str) -> bool:
    try:
        browser.driver.get("about:blank")
        browser.driver.get(url)
    except Exception as error:  # a page that does not load in time
        print(f"{url}: {error}")
    end = time.monotonic() + _WAIT_SECONDS
    start = " ".join(text.split()[:2]).casefold()
    while True:
        try:
            scrolled, shown = browser.run(_SHOWN_TEXT)
        except Exception:  # the page has gone elsewhere
            scrolled, shown = 0, ""
        if scrolled and start in " ".join(shown.split()).casefold():
            return True
        if time.monotonic() > end:
            return False
        time.sleep(0.1)


if __name__ == "__main__":
    main()
