"""Context managers that turn missing extras and known errors into usage errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrapy.exceptions import UsageError


@contextmanager
def needs_extra(doing: str, extras: str = "train") -> Iterator[None]:
    """Turn a failed import inside into a ``UsageError`` that names the extras to install.

    >>> with needs_extra("training"):
    ...     raise ImportError("no rapidfuzz", name="rapidfuzz")
    Traceback (most recent call last):
    scrapy.exceptions.UsageError: training needs rapidfuzz: pip install '.[train]' in a checkout
    """
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"{doing} needs {error.name}: pip install '.[{extras}]' in a checkout",
            print_help=False,
        ) from error


@contextmanager
def explained(*errors: type[Exception]) -> Iterator[None]:
    """Turn these errors into a ``UsageError`` with their message, without a traceback."""
    try:
        yield
    except errors as error:
        raise UsageError(str(error), print_help=False) from error
