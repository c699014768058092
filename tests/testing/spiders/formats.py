"""A spider whose items get Markdown, HTML and metadata."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scrapy import Request
from scrapy.http import Response
from testing.requesting import RequestingSpider

from scrapy_boilernet import fill_item


@dataclass
class ArticleItem:
    """Declares two of the fields."""

    name: str
    main_text: str = ""
    meta: dict[str, Any] | None = None


class FormatsSpider(RequestingSpider):
    """All items are of the page /mill."""

    name = "formats"

    def requests(self) -> Iterator[Request]:
        yield self.request("plain")
        yield self.request("own", markdown_field="md", html_field=None, metadata_field=None)
        yield self.request("declared")
        yield self.request("set")
        yield self.request("filled")

    def request(self, name: str, **own: Any) -> Request:
        meta = {"boilernet": own} if own else {}
        return Request(
            f"{self.site}/mill?{name}", cb_kwargs={"name": name}, meta=meta, dont_filter=True
        )

    def parse(self, response: Response, name: str = "") -> Iterator[Any]:
        """Yield the item of the name."""
        if name == "declared":
            yield ArticleItem(name)
        elif name == "set":
            yield {"name": name, "markdown": "mine"}
        elif name == "filled":
            yield fill_item({"name": name}, response)
        else:
            yield {"name": name}
