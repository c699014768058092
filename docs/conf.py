"""Sphinx configuration."""

project = "scrapy-boilernet"
copyright = "2026, the scrapy-boilernet developers"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "scrapy-boilernet"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
