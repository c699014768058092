"""One page: bytes in, a labeled page out. No Scrapy, no settings, no processes."""
