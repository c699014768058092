"""The base class of spiders that request pages of a site, in every version of Scrapy."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator

from scrapy import Request, Spider


class RequestingSpider(Spider):
    """A spider that begins with the requests of :meth:`requests`."""

    site: str

    async def start(self) -> AsyncIterator[Request]:
        """Scrapy 2.13 and later."""
        for request in self.requests():
            yield request

    def start_requests(self) -> Iterator[Request]:
        """Scrapy before 2.13."""
        yield from self.requests()

    def requests(self) -> Iterable[Request]:
        """Return the first requests."""
        raise NotImplementedError
