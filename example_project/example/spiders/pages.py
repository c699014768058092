"""A spider that crawls the example site."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from example.items import PageItem
from example.server import Site


class PagesSpider(Spider):
    """Fetches every page that the index links to and yields one item for each.

    The spider contains nothing about scrapy-boilernet, except for the key of one request. The
    plugin adds its fields to the items because settings.py enables it.
    """

    name = "pages"

    # A spider can override any setting of settings.py, also the plugin's. This would switch the
    # plugin off for this spider only:
    #
    #     custom_settings = {"BOILERNET_ENABLED": False}

    site: Site

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> PagesSpider:
        """Create the spider and start the site that it crawls."""
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.site = Site()
        spider.site.start()
        crawler.signals.connect(spider.stop_site, signal=signals.spider_closed)
        return spider

    def stop_site(self) -> None:
        """Release the port of the site."""
        self.site.stop()

    async def start(self) -> AsyncIterator[Request]:
        """Yield the first request (Scrapy 2.13 and later)."""
        yield self.index_request()

    def start_requests(self) -> Iterable[Request]:
        """Yield the first request (Scrapy before 2.13)."""
        yield self.index_request()

    def index_request(self) -> Request:
        """Return the request for the page that links to all the others."""
        # The index is a list of links without main text. Because of this meta key, the plugin does
        # not label the response.
        return Request(
            self.site.url + "index.html", callback=self.parse_index, meta={"boilernet": False}
        )

    def parse_index(self, response: Response) -> Iterator[PageItem | Request]:
        """Yield the item of the index and follow its links.

        These requests have no "boilernet" key, so their pages are labeled.
        """
        yield from self.parse(response)
        links = response.css('a[href$=".html"]::attr(href)').getall()
        yield from response.follow_all(links, callback=self.parse)

    def parse(self, response: Response, **kwargs: Any) -> Iterator[PageItem]:
        """Yield the item of a page."""
        yield PageItem(
            url=response.url,
            title=response.css("title::text").get(default="").strip(),
            kind=response.css('meta[name="page-kind"]::attr(content)').get(default=""),
        )
