"""Measuring: data sets with gold, alignment, metrics, peers. No torch, no Scrapy."""
