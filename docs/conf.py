"""Sphinx configuration."""

project = "scrapy-boilernet"
copyright = "2026, the scrapy-boilernet developers"
extensions = ["myst_parser"]
html_theme = "alabaster"
exclude_patterns = ["_build"]
myst_heading_anchors = 3
