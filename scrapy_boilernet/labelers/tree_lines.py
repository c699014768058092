"""Lines ``key=value`` of text that is not trusted: known keys, and numbers that were checked."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray


class Lines:
    """The lines ``key=value`` of a part; each known key at most once."""

    def __init__(self, where: str, part: str, known: Collection[str]) -> None:
        self._where = where
        self.found: dict[str, str] = {}
        for line in filter(None, part.split("\n")):
            key, equals, value = line.partition("=")
            if not equals or key not in known or key in self.found:
                raise ValueError(f"{where}: the line {line[:40]!r} is unknown or there twice")
            self.found[key] = value

    def wrong(self, key: str, wanted: str) -> ValueError:
        """Return the error that says what must stand in a line."""
        told = repr(self.found[key][:40]) if key in self.found else "missing"
        return ValueError(f"{self._where}: {key} is {told} and must be {wanted}")

    def need(self, key: str, *allowed: str) -> str:
        """Return the value, which must be one of those allowed."""
        if self.found.get(key) not in allowed:
            raise self.wrong(key, " or ".join(value[:40] for value in allowed))
        return self.found[key]

    def whole(self, key: str, size: int, allowed: Sequence[int]) -> NDArray[np.int64]:
        """Return so many whole numbers, each of them allowed."""
        try:
            numbers = [int(word) for word in self._words(key)]
        except ValueError:
            numbers = [allowed[-1] + 1]
        if len(numbers) != size or not all(number in allowed for number in numbers):
            raise self.wrong(key, f"whole numbers, {size} in all, in {allowed[0]} to {allowed[-1]}")
        return np.array(numbers, dtype=np.int64)

    def real(self, key: str, size: int, most: float) -> NDArray[np.float64]:
        """Return so many numbers, finite and at most ``most`` either way."""
        try:
            numbers = np.array([float(word) for word in self._words(key)], dtype=np.float64)
        except ValueError:
            numbers = np.full(1, np.nan)
        if len(numbers) != size or not (np.abs(numbers) <= most).all():
            raise self.wrong(key, f"finite numbers, {size} in all, of at most {most:g} either way")
        return numbers

    def _words(self, key: str) -> list[str]:
        value = self.found.get(key, "_")
        if "_" in value:  # Python would read 1_000
            raise ValueError
        return value.split(" ") if value else []
