"""Fills the fields of items, and remembers which page each item in flight came from."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from scrapy_boilernet.crawl.item_values import page_values
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.jobs import DeferredPage

if TYPE_CHECKING:
    from itemadapter import ItemAdapter

    from scrapy_boilernet.extractor.labeled import LabeledPage


State = Literal["labeled", "stored", "kept", "not_wanted", "refused", "unlabeled"]
"""What happened to an item; the stat ``boilernet/items/<state>`` counts it."""
MAX_MARKS = 10_000
"""How many items that :func:`~scrapy_boilernet.pipelines.fill_item` filled are remembered until a
callback yields them, and how many items of no page. Items that never come must not fill the
memory."""
ValuesOf = Callable[[Any], Mapping[str, Any]]
"""Returns an item's values by their names."""


@dataclass(frozen=True)
class Tied:
    """The page that an item came from, as known when the item leaves its callback."""

    result: LabeledPage | DeferredPage | None = None
    """The outcome of its page; None if the page was skipped, or the item is filled already."""
    config: Config | None = None
    state: State = "unlabeled"
    """The item's state if ``result`` is None."""


class Ties:
    """Remembers which page each item in flight came from.

    An item is found by its identity, so that equal items of two pages are kept apart. An item that
    an earlier pipeline has replaced is found by its values, if they are exactly those of one page's
    item in flight. Items of no page, as ``start()`` and errbacks yield them, are in flight as well.
    Pages are held until their items have gone through all pipelines, or the response is deleted.
    """

    def __init__(self) -> None:
        self._of_response: WeakKeyDictionary[Any, _ItemsInFlight] = WeakKeyDictionary()
        self.may_be_replaced = True
        """Whether an earlier pipeline may replace items, each of which :meth:`enter` has seen."""
        self._marks: OrderedDict[int, tuple[Any, State]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(items.waiting) for items in self._of_response.values())

    def mark(self, item: Any, state: State) -> None:
        """Remember that the item is filled, before any callback has yielded it."""
        self._marks[id(item)] = (item, state)
        while len(self._marks) > MAX_MARKS:
            self._marks.popitem(last=False)

    def state_of(self, item: Any) -> State | None:
        """Return the state that :meth:`mark` noted for the item; None without one."""
        mark = self._marks.get(id(item))
        return mark[1] if mark else None

    def tie(self, item: Any, tied: Tied, response: Any) -> None:
        """Tie an item that the response's callback yields to its page."""
        mark = self._marks.pop(id(item), None)
        if mark:
            tied = Tied(state=mark[1])
        self._of_response.setdefault(response, _ItemsInFlight()).add(item, tied)

    def enter(self, item: Any) -> None:
        """Note an item that comes to the first pipeline; if it is not tied, it is of no page."""
        if any(
            id(item) in items.waiting or id(item) in items.replaced
            for items in self._of_response.values()
        ):
            return
        items = self._of_response.get(self)  # stands in for a response
        if items and items.unfinished >= MAX_MARKS:  # those that were changed never arrive
            del self._of_response[self]
            for known, tied in list(items.waiting.values())[-MAX_MARKS // 2 :]:
                self.tie(known, tied, self)
        self.tie(item, Tied(), self)

    def take(self, item: Any, values: ValuesOf) -> Tied:
        """Return the item's tie and forget it; an empty ``Tied`` for an unknown item."""
        tied = self.lose(item)
        if tied:
            return tied
        mark = self._marks.pop(id(item), None)
        if mark:
            return Tied(state=mark[1])
        return self._replaced(values(item), values) if self.may_be_replaced else Tied()

    def lose(self, item: Any) -> Tied | None:
        """Return the tie of an item that is in flight and forget it; None for any other item."""
        for items in self._of_response.values():
            known = items.waiting.pop(id(item), None) or items.replaced.pop(id(item), None)
            if known:
                return known[1]
        return None

    def finish(self, response: Any) -> None:
        """Note that one of the response's items has gone through all pipelines, or is lost."""
        items = self._of_response.get(response)
        if items:
            items.unfinished -= 1
            if items.unfinished <= 0:
                del self._of_response[response]

    def _replaced(self, new: Mapping[str, Any], values: ValuesOf) -> Tied:
        """Return the tie of the one item in flight that had the values ``new``."""
        alike = [
            (items, number)
            for items in self._of_response.values()
            for number in items.find(new, values)
        ]
        candidates = [items.waiting[number][1] for items, number in alike]
        if not candidates or any(tied != candidates[0] for tied in candidates):
            return Tied()
        if len(alike) == 1:  # of several it is open which one was replaced; keep them all
            items, number = alike[0]
            items.replaced[number] = items.waiting.pop(number)
        return candidates[0]


class _ItemsInFlight:
    """The items of a response that have not gone through all pipelines."""

    def __init__(self) -> None:
        self.waiting: dict[int, tuple[Any, Tied]] = {}
        """Items that have not reached the pipeline, by their identity. Holding the item keeps its
        identity from being reused."""
        self.replaced: dict[int, tuple[Any, Tied]] = {}
        """Items whose tie another item with the same values has got. Of two equal items of a page,
        the one that is noted here may be the other, which comes itself later."""
        self.unfinished = 0
        """Number of items that have not gone through all pipelines."""
        self._by_values: dict[Any, dict[Any, list[int]]] = {}
        """Identities by their items' values, then by their ties."""
        self._not_indexed: list[int] = []

    def add(self, item: Any, tied: Tied) -> None:
        """Add an item that the callback has yielded."""
        self.waiting[id(item)] = (item, tied)
        self._not_indexed.append(id(item))
        self.unfinished += 1

    def find(self, new: Mapping[str, Any], values: ValuesOf) -> list[int]:
        """Return the identities of waiting items that have exactly these values, one per tie.

        Each item is indexed once, and only in crawls that replace items.
        """
        for number in self._not_indexed:
            if number in self.waiting:
                item, tied = self.waiting[number]
                alike = self._by_values.setdefault(_key(values(item)), {})
                alike.setdefault((id(tied.result), tied.state), []).append(number)
        self._not_indexed.clear()
        groups = self._by_values.get(_key(new), {}) if new else {}
        found = (self._find_one(numbers, new, values) for numbers in groups.values())
        return [number for number in found if number is not None]

    def _find_one(self, numbers: list[int], new: Mapping[str, Any], values: ValuesOf) -> int | None:
        while numbers and numbers[-1] not in self.waiting:
            numbers.pop()
        for number in reversed(numbers):
            if number in self.waiting and _same(new, values(self.waiting[number][0])):
                return number
        return None


_PLAIN = (str, bytes, int, float, bool, type(None))


def _key(values: Mapping[str, Any]) -> Any:
    """Return a dict key of the names and the values of plain types; equal for equal values."""
    return frozenset(
        (name, value if type(value) in _PLAIN else ...) for name, value in values.items()
    )


def _same(new: Mapping[str, Any], old: Mapping[str, Any]) -> bool:
    try:
        return new.keys() == old.keys() and all(
            new[name] is value or bool(new[name] == value) for name, value in old.items()
        )
    except BaseException:  # an item's own comparison may raise anything
        return False


Values = Mapping[str, Callable[[], Any]]
"""The functions that make the values, by the names of their fields."""


class ItemFiller:
    """Fills items of any kind that itemadapter knows: dict, ``scrapy.Item``, dataclass, attrs,
    pydantic. Never raises, and keeps what the spider has set unless the config says otherwise.

    ``count`` and ``log_once`` are the methods of :class:`~scrapy_boilernet.crawl.runtime.Runtime`.
    ``model`` and ``plain_rows`` are the arguments ``model`` and ``plain`` of :func:`page_values`.
    """

    def __init__(
        self,
        count: Callable[[str], None],
        log_once: Callable[..., None],
        model: str,
        plain_rows: bool,
    ) -> None:
        # Imported here, since it is slow if pydantic is installed: a crawl without labels does not
        # load it, and the first item does not block the reactor.
        from itemadapter import ItemAdapter, is_item

        self._count = count
        self._log_once = log_once
        self._model = model
        self._plain = plain_rows
        self._adapter_of = ItemAdapter
        self._is_item = is_item

    def values_of(self, item: Any) -> Mapping[str, Any]:
        """Return the item's values by their names; an empty dict for other objects."""
        try:
            return dict(self._adapter_of(item)) if self._is_item(item) else {}
        except BaseException:  # an item's own getter may raise anything, even SystemExit
            return {}

    def fill(self, item: Any, result: LabeledPage | DeferredPage, config: Config) -> State:
        """Fill the fields that the item declares and the spider has not set; return its state."""
        try:
            return self._filled(item, result, config)
        except BaseException as error:  # a worker or the item's class may raise anything
            name = type(error).__name__
            self._count(f"errors/{name}")
            self._log_once(name, "Could not fill an item", exc_info=True)
            return "unlabeled"

    def _filled(self, item: Any, result: LabeledPage | DeferredPage, config: Config) -> State:
        if config.item_classes and not isinstance(item, config.item_classes):
            return "not_wanted"
        if not self._is_item(item):
            self._refuse(item, "they must be of a kind that itemadapter knows", "the main text")
            return "refused"
        adapter = self._adapter_of(item)
        stored = isinstance(result, DeferredPage)
        if isinstance(result, DeferredPage):
            key = result.key
            page_fields: Values = {config.page_field or "": lambda: key}
        else:
            page_fields = page_values(result, config, self._model, self._plain)
        declared = _declared(adapter, page_fields)
        if not declared:
            if stored and _declared(adapter, config.item_fields):
                self._refuse(
                    item,
                    "declare it in the item class, with the default None: the mode 'deferred' "
                    "finds an item's page by it",
                    f"the field {config.page_field!r}",
                )
                return "refused"
            return "not_wanted"
        wanted = {name: page_fields[name] for name in declared}
        filled = self._set(adapter, wanted, config.overwrite)
        return "stored" if stored and filled == "labeled" else filled

    def _set(self, adapter: ItemAdapter, values: Values, overwrite: bool) -> State:
        filled = refused = 0
        for name, value in values.items():
            try:
                if not overwrite and not _is_unset(adapter, name):
                    self._count("fields/kept")
                    continue
                adapter[name] = value()
                filled += 1
            except BaseException as error:  # an item's own getter or setter may raise anything
                refused += 1
                self._refuse(
                    adapter.item,
                    f"{error!r}; make the class take it, or name the classes to fill in "
                    "BOILERNET_ITEM_CLASSES",
                    f"the field {name!r}",
                )
        if filled:
            return "labeled"
        return "refused" if refused else "kept"

    def _refuse(self, item: Any, why: str, what: str) -> None:
        name = type(item).__name__
        self._count("errors/refused_field")
        self._log_once(f"{name}: {what}", "%s items do not take %s: %s", name, what, why)


def _declared(adapter: ItemAdapter, names: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """Return the names of fields that the item can have; a dict can have all."""
    declared = adapter.get_field_names_from_class(type(adapter.item))
    return [name for name in names if declared is None or name in declared]


def _is_unset(adapter: ItemAdapter, name: str) -> bool:
    """Return whether the field has no value, an empty one, or its class's default."""
    try:
        value = adapter.get(name)
    except AttributeError:  # declared, and never set
        return True
    try:
        if value is None or (isinstance(value, (Sequence, Mapping, AbstractSet)) and not value):
            return True
        return any(bool(value == default) for default in _defaults(adapter.item, name))
    except BaseException:  # a value's own comparison, or a factory, may raise anything
        return False


def _defaults(item: Any, name: str) -> list[Any]:
    """Return a list with the default of a dataclass, attrs or pydantic field; [] without one."""
    item_class: Any = type(item)
    field = getattr(item_class, "__dataclass_fields__", {}).get(name)
    if field is not None:
        if field.default_factory is not dataclasses.MISSING:
            return [field.default_factory()]
        return [] if field.default is dataclasses.MISSING else [field.default]
    attribute = next(
        (a for a in getattr(item_class, "__attrs_attrs__", ()) if a.name == name), None
    )
    if attribute is not None:
        factory = getattr(attribute.default, "factory", None)
        if factory is None:
            return [attribute.default]
        return [factory(item) if attribute.default.takes_self else factory()]
    if field := getattr(item_class, "model_fields", {}).get(name):
        if getattr(field, "default_factory_takes_validated_data", False):
            return [field.default_factory(vars(item))]
        return [field.get_default(call_default_factory=True)]
    field = getattr(item_class, "__fields__", {}).get(name)  # pydantic before version 2
    return [] if field is None else [field.get_default()]
