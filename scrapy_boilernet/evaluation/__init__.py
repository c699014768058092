"""Measuring: data sets with gold, alignment, metrics, peers, reports. No torch, no Scrapy."""
