"""Context managers that turn missing packages and known errors into usage errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrapy.exceptions import UsageError

from scrapy_boilernet.extractor.labelers.registry import INSTALL_TORCH

PACKAGES = {
    "browser": "selenium",
    "classical": "lightgbm python-crfsuite scikit-learn scipy",
    "export": "onnx",
    "train": "matplotlib rapidfuzz tldextract",
    "voters": "readability-lxml resiliparse trafilatura",
}
"""The packages of the extras that actions need. Messages name the packages, since an extra would
bring torch into an installation that goes without."""


@contextmanager
def needs_extra(doing: str, *extras: str) -> Iterator[None]:
    """Turn a failed import inside into a ``UsageError`` that names the packages to install.

    >>> with needs_extra("the test bed", "browser"):
    ...     raise ImportError("no selenium", name="selenium")
    Traceback (most recent call last):
    scrapy.exceptions.UsageError: the test bed needs selenium: pip install selenium
    """
    try:
        yield
    except ImportError as error:
        packages = "pip install " + " ".join(PACKAGES[extra] for extra in extras)
        remedy = INSTALL_TORCH if error.name == "torch" else packages
        raise UsageError(f"{doing} needs {error.name}: {remedy}", print_help=False) from error


@contextmanager
def explained(*errors: type[Exception]) -> Iterator[None]:
    """Turn these errors into a ``UsageError`` with their message, without a traceback."""
    try:
        yield
    except errors as error:
        raise UsageError(str(error), print_help=False) from error
