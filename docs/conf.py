"""Sphinx configuration. The reference of the Python names is made from the tree's docstrings."""

import shutil
import sys
from pathlib import Path

from sphinx.application import Sphinx

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


def setup(app: Sphinx) -> None:
    """Copy the pictures beside the pages: Sphinx does not see those of ``<picture>``, which has one
    for light pages and one for dark ones.
    """

    def copy(_app: Sphinx, _error: Exception | None) -> None:
        for name in ("pictures", "examples"):
            shutil.copytree(
                Path(__file__).parent / name,
                app.outdir / name,
                ignore=shutil.ignore_patterns("*.py"),
                dirs_exist_ok=True,
            )

    app.connect("build-finished", copy)
