"""Items of lists that a page writes side by side, each with its level, and lists that are a piece
of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from scrapy_boilernet.extractor.html.list_pieces import ITEM, LIST
from scrapy_boilernet.extractor.html.post_lists import POST
from scrapy_boilernet.extractor.markup import Markup
from scrapy_boilernet.extractor.output.parts import Container

_BOXES = {"done": "x", "open": " "}
"""The labels of items with a box to tick, by what their roles end with."""


class FlatLists:
    """Nests the items of such lists; knows which items of other lists are posts."""

    def __init__(
        self, markup: Markup, callouts: AbstractSet[int], container: Callable[..., Container]
    ) -> None:
        """``callouts``: the numbers of their elements. ``container``: makes a container that equal
        ones share.
        """
        self._container = container
        self.levels = dict(_level(*one) for one in markup.roles if one[1].startswith(ITEM))
        """The level, number and box of each item, by the number of its element."""
        first: dict[str, int] = {}
        self.wholes = {
            node: first.setdefault(role, node)
            for node, role in markup.roles
            if role.startswith(LIST)
        }
        """The first of the lists that are one, by the numbers of the elements of all of them."""
        self.posts = frozenset(node for node, role in markup.roles if role == POST)
        """The items that are posts, by the numbers of their elements."""
        self._roled = callouts | self.levels.keys()
        """The elements that make structure by their role, by their numbers."""
        self._around = 0
        self._open: list[tuple[int, Container]] = []
        """The items around the next one, each with its level, from the outermost."""

    def structure_with(self, structure: Sequence[int], nodes: Sequence[int]) -> Sequence[int]:
        """Return which of some elements make structure, also by their role; without an item among
        them, all lists end.
        """
        if not self._roled:
            return structure
        if self._open and self.levels.keys().isdisjoint(nodes):
            self._open.clear()
        roled = [i for i, node in enumerate(nodes) if node in self._roled]
        return sorted({*structure, *roled}) if roled else structure

    def items(self, node: int, around: int) -> list[Container]:
        """Return an item and those that it is in; ``around``: the element around it."""
        level, number, box = self.levels[node]
        if around != self._around:
            self._open, self._around = [], around
        while self._open and self._open[-1][0] > level:
            self._open.pop()
        list_node = node
        if self._open and self._open[-1][0] == level:
            before: Any = self._open.pop()[1]
            if (before.number is None) == (number is None):
                list_node = before.list_node
        self._open.append((level, self._container("item", node, list_node, number, box)))
        return [one for _, one in self._open]


def _level(node: int, role: str) -> tuple[int, tuple[int, int | None, str]]:
    level, _, label = role.removeprefix(ITEM).partition(" ")
    return node, (int(level), int(label) if label.isdecimal() else None, _BOXES.get(label, ""))
