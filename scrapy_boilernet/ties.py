"""Items on their way from the spider middleware to the pipeline, each with its page."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from scrapy_boilernet.config import Config
from scrapy_boilernet.worker import Stored

if TYPE_CHECKING:
    from scrapy_boilernet.labeled import LabeledPage

State = Literal["labeled", "stored", "kept", "not_wanted", "refused", "unlabeled"]
"""What became of an item; the stat ``boilernet/items/<state>`` counts it."""
MAX_MARKS = 10_000
"""Items that :func:`~scrapy_boilernet.pipelines.fill_item` filled and no callback has yielded yet;
those before are forgotten, so that items that are never yielded do not fill the memory."""


@dataclass(frozen=True)
class Tied:
    """What is known of an item when it leaves its callback."""

    result: LabeledPage | Stored | None = None
    """What came of its page; None if the page was skipped, or the item is filled already."""
    config: Config | None = None
    state: State = "unlabeled"
    """What became of the item, where there is nothing to fill."""


class Ties:
    """Which page each item in flight came from.

    By identity, so that equal items of two pages are kept apart. An item that an earlier pipeline
    has replaced is found by its values, if they are exactly those of one page's item in flight.
    Pages are held until their items have gone through all pipelines, or the response is gone.
    """

    def __init__(self) -> None:
        self._flights: WeakKeyDictionary[Any, _Flight] = WeakKeyDictionary()
        self._marks: OrderedDict[int, tuple[Any, State]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(flight.waiting) for flight in self._flights.values())

    def mark(self, item: Any, state: State) -> None:
        """Remember that the item is filled, before any callback has yielded it."""
        self._marks[id(item)] = (item, state)
        while len(self._marks) > MAX_MARKS:
            self._marks.popitem(last=False)

    def state_of(self, item: Any) -> State | None:
        """Return what :meth:`mark` said of the item; None if nothing."""
        found = self._marks.get(id(item))
        return found[1] if found else None

    def tie(self, item: Any, tied: Tied, response: Any) -> None:
        """Remember what is known of an item that the response's callback yields."""
        mark = self._marks.pop(id(item), None)
        if mark:
            tied = Tied(state=mark[1])
        self._flights.setdefault(response, _Flight()).add(item, tied)

    def take(self, item: Any, values: Callable[[Any], Mapping[str, Any]]) -> Tied:
        """Return what is known of the item and forget it; an empty ``Tied`` for a stranger.

        ``values`` gives an item's values by their names.
        """
        for flight in self._flights.values():
            found = flight.waiting.pop(id(item), None)
            if found:
                return found[1]
        mark = self._marks.pop(id(item), None)
        return Tied(state=mark[1]) if mark else self._replaced(values(item), values)

    def finish(self, response: Any, lost: Any = None) -> None:
        """Say that one of the response's items has gone through all pipelines, or is ``lost``."""
        flight = self._flights.get(response)
        if flight:
            flight.waiting.pop(id(lost), None)
            flight.items -= 1
            if flight.items <= 0:
                del self._flights[response]

    def _replaced(self, new: Mapping[str, Any], values: Callable[[Any], Mapping[str, Any]]) -> Tied:
        """What is known of the one item in flight that had the values of ``new``."""
        alike = [
            (flight, number)
            for flight in self._flights.values()
            if (number := flight.find(new, values)) is not None
        ]
        found = [flight.waiting[number][1] for flight, number in alike]
        if not found or any(tied != found[0] for tied in found):
            return Tied()
        flight, number = alike[0]
        del flight.waiting[number]
        return found[0]


class _Flight:
    """The items of a response that are on their way."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[Any, Tied]] = {}
        """By their identity those that have not come to the pipeline; an item is held meanwhile,
        so that its identity cannot be given to another."""
        self.items = 0
        """All that have not gone through all pipelines."""
        self._by_values: dict[Any, list[int]] = {}
        self._not_sorted: list[int] = []

    def add(self, item: Any, tied: Tied) -> None:
        """Add an item that the callback has yielded."""
        self.waiting[id(item)] = (item, tied)
        self._not_sorted.append(id(item))
        self.items += 1

    def find(
        self, new: Mapping[str, Any], values: Callable[[Any], Mapping[str, Any]]
    ) -> int | None:
        """Return the identity of a waiting item that has exactly these values, if there is one.

        Each item is sorted in once, and only where items are replaced at all.
        """
        for number in self._not_sorted:
            if number in self.waiting:
                key = _key(values(self.waiting[number][0]))
                self._by_values.setdefault(key, []).append(number)
        self._not_sorted.clear()
        numbers = self._by_values.get(_key(new), []) if new else []
        while numbers and numbers[-1] not in self.waiting:
            numbers.pop()
        for number in reversed(numbers):
            if number in self.waiting and _same(new, values(self.waiting[number][0])):
                return number
        return None


_PLAIN = (str, bytes, int, float, bool, type(None))


def _key(values: Mapping[str, Any]) -> Any:
    """What equal values have in common, for a dict: names, and values of plain types."""
    return frozenset(
        (name, value if type(value) in _PLAIN else ...) for name, value in values.items()
    )


def _same(new: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
    try:
        return new.keys() == old.keys() and all(
            new[name] is value or bool(new[name] == value) for name, value in old.items()
        )
    except Exception:  # an item's own comparison may raise anything
        return False
