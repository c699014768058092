"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
from typing import Any, cast


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what ``re.compile`` returns, except that its first use compiles it.

    For long patterns, mostly of words in many languages. All of them together take some 60 ms to
    compile, by which a crawl would start later.
    """
    return cast("re.Pattern[str]", _Lazy(pattern, flags))


class _Lazy:
    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:  # of names that it does not have yet
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(*self._given)
        vars(self).update((method, getattr(compiled, method)) for method in _METHODS)
        return getattr(compiled, name)


_METHODS = (
    "search",
    "match",
    "fullmatch",
    "finditer",
    "findall",
    "split",
    "sub",
    "pattern",
    "flags",
)
