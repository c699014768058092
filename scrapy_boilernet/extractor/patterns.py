"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what ``re.compile`` returns, except that its first use compiles it.

    For patterns that take long to compile, mostly of words in many languages, so that a crawl
    starts sooner (``docs/results/speed/start.md``).
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


class _Lazy:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:  # of names that it does not have yet
        if name not in _METHODS:
            raise AttributeError(name)
        pattern, flags = self._given
        compiled: re.Pattern[Any] = re.compile(pattern, flags)
        vars(self).update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)


_METHODS = (
    "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn",
    "pattern", "flags",
)  # fmt: skip
"""What is read of a pattern."""
