"""Sphinx configuration."""

project = "scrapy-boilernet"
copyright = "2026, the scrapy-boilernet developers"
extensions = ["myst_parser"]
html_theme = "alabaster"
html_theme_options = {"page_width": "1200px"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
