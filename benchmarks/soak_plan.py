"""What the soak's spider asks for and what its callbacks then do, drawn by a seed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar
from urllib.parse import quote

from soak_pages import SOUND, WEIGHTS

T = TypeVar("T")
OVERRIDES: dict[str, tuple[Any, int]] = {
    "none": (None, 90), "off": (False, 2), "threshold": ({"threshold": 0.3}, 3),
    "wrong value": ({"threshold": "much"}, 2), "unknown key": ({"treshold": 0.5}, 2),
    "wrong kind": (17, 1),
}  # fmt: skip
"""By name what stands at ``request.meta["boilernet"]``, and how often in a hundred."""
_OVERRIDE_WEIGHTS = {name: weight for name, (_, weight) in OVERRIDES.items()}
CALLBACKS = {"parse": 75, "parse_async": 15, "parse_and_raise": 5, "parse_and_carry_on": 5}
ITEMS = {1: 90, 0: 4, 2: 4, 5: 2}
RECENT = 200
"""Pages that may come again."""


@dataclass(frozen=True)
class Fetch:
    """One request, and what is expected of it."""

    kind: str
    number: int
    """Of the page, which may have come before."""
    path: str
    override: str
    callback: str

    @property
    def sound(self) -> bool:
        """Whether every item of the page must carry its text."""
        return self.kind in SOUND and self.override in ("none", "threshold")


class Plan:
    """Draws one fetch after another."""

    def __init__(self, seed: int) -> None:
        self._random = Random(f"plan {seed}")
        self._number = 0
        self._recent: deque[int] = deque(maxlen=RECENT)

    def next(self) -> Fetch:
        """Return the next fetch."""
        number = self._number
        self._number += 1
        kind = one_of(self._random, WEIGHTS)
        if kind == "again" and not self._recent:
            kind = "page"
        if kind == "again":
            number = self._random.choice(self._recent)
        elif kind == "page":
            self._recent.append(number)
        path = f"/{quote('page' if kind == 'again' else kind)}/{number}"
        override = one_of(self._random, _OVERRIDE_WEIGHTS)
        return Fetch(kind, number, path, override, one_of(self._random, CALLBACKS))


def one_of(random: Random, weights: dict[T, int]) -> T:
    """Draw a key by its weight."""
    return random.choices([*weights], [*weights.values()])[0]
