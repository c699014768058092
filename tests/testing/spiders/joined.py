"""A spider that joins the pages of articles, with the recipe of docs/retrieval.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from testing.requesting import RequestingSpider

from scrapy_boilernet import join_pages


class JoinedSpider(RequestingSpider):
    """One article is whole, one goes in a circle, and one lacks its second page."""

    name = "joined"

    def requests(self) -> Iterator[Request]:
        for path in ("/whole", "/circle", "/gap"):
            yield Request(f"{self.site}{path}")

    # fmt: off
    def parse(self, response: Any, pages: Any = ()) -> Any:  # type: ignore[override]
        pages = [*pages, response.meta["boilernet_result"]]
        after = pages[-1].metadata.next_page
        if not after or len(pages) == 50 or after in [one.page.url for one in pages]:
            return self.joined(pages)
        missing = lambda _: self.joined(pages)
        return response.follow(after, cb_kwargs={"pages": pages}, errback=missing)

    def joined(self, pages: Any) -> Any:
        whole = join_pages(pages)
        return {"url": pages[0].page.url, "main_text": whole.text, "chunks": whole.chunk_rows(500)}
