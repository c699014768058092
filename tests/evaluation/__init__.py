"""Tests of scrapy_boilernet.training."""
