"""What the Scrapy components share: the runtime of a crawl, its items, responses and health."""
