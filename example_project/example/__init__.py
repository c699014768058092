"""A small Scrapy project that uses scrapy-boilernet."""
