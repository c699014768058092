"""A small Scrapy project that shows what scrapy-boilernet does."""
