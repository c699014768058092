"""Sphinx configuration. The reference of the Python names is made from the tree's docstrings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

project = "scrapy-boilernet"
copyright = "2026, the scrapy-boilernet developers"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "scrapy-boilernet"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
python_maximum_signature_line_length = 80
exclude_patterns = ["_build"]
myst_heading_anchors = 3
