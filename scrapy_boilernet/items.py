"""What the plugin writes onto an item, and which page each item in flight came from."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakKeyDictionary

from scrapy_boilernet.config import Config
from scrapy_boilernet.options import LABEL_KEYS
from scrapy_boilernet.workers.jobs import Stored

if TYPE_CHECKING:
    from itemadapter import ItemAdapter

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


Values = Mapping[str, Callable[[], Any]]
"""By the names of their fields, what makes the values."""


MAX_SHOWN_CHARACTERS = 100
"""Of a main text, in a log."""


class BlockLabels(list[dict[str, Any]]):
    """The rows of a page's blocks: a plain list, but with a short ``repr``.

    Scrapy logs every item at the level DEBUG; a page has hundreds of rows. It is pickled as a
    plain list.
    """

    def __repr__(self) -> str:
        return f"<{len(self)} block labels>"

    def __str__(self) -> str:
        return list.__repr__(self)  # what a feed in CSV writes

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[dict[str, Any]]]]:
        return list, ([*self],)


class MainText(str):
    """A page's main text, but with a short ``repr``, as :class:`BlockLabels` has and for the same
    reason. It is pickled as a plain string.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        if len(self) <= MAX_SHOWN_CHARACTERS:
            return str.__repr__(self)
        return f"<{len(self)} characters>"

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def page_values(
    result: LabeledPage, config: Config, model: str, plain: bool = False
) -> dict[str, Callable[[], Any]]:
    """Return what the page gives to an item, by the names of the fields that are wanted.

    ``model``: the value of ``BOILERNET_MODEL_FIELD``. ``plain``: a plain list and string, whose
    ``repr`` is long.
    """
    new_rows, new_text = (list, str) if plain else (BlockLabels, MainText)
    values: dict[str | None, Callable[[], Any]] = {
        config.text_field: lambda: new_text(result.text),
        config.confidence_field: lambda: round(result.confidence, 4),
        config.source_field: lambda: result.source,
        config.model_field: lambda: model,
        config.labels_field: lambda: new_rows(_copied(result, config.labels_keys)),
    }
    return {name: value for name, value in values.items() if name}


def _copied(result: LabeledPage, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Copies of the page's rows with these keys: made whole, which is quicker than by key."""
    dropped = [key for key in LABEL_KEYS if key not in keys]
    for row in result.rows:
        copy = dict(row)
        for key in dropped:
            del copy[key]
        yield copy


class ItemFiller:
    """Fills items of any kind that itemadapter knows: dict, ``scrapy.Item``, dataclass, attrs,
    pydantic. Never raises, and never takes away what the spider has set.

    ``count`` and ``log_once`` are those of :class:`~scrapy_boilernet.runtime.Runtime`, ``model`` is
    the value of ``BOILERNET_MODEL_FIELD``. ``plain_rows``: whether block labels and the
    main text must be a plain list and string, whose ``repr`` is long.
    """

    def __init__(
        self,
        count: Callable[[str], None],
        log_once: Callable[..., None],
        model: str,
        plain_rows: bool,
    ) -> None:
        # Beside pydantic this takes long: a crawl without labels is spared it, and the first item
        # does not hold up the reactor.
        from itemadapter import ItemAdapter, is_item

        self._count = count
        self._log_once = log_once
        self._model = model
        self._plain = plain_rows
        self._adapter_of = ItemAdapter
        self._is_item = is_item

    def values_of(self, item: Any) -> Mapping[str, Any]:
        """Return the item's values by their names; none for what is no item."""
        try:
            return dict(self._adapter_of(item)) if self._is_item(item) else {}
        except Exception:  # an item's own getter may raise anything
            return {}

    def fill(self, item: Any, result: LabeledPage | Stored, config: Config) -> State:
        """Fill the item's fields as far as it declares them and the spider has not set them."""
        try:
            return self._filled(item, result, config)
        except Exception as error:  # what came from a worker process may be anything
            name = type(error).__name__
            self._count(f"errors/{name}")
            self._log_once(name, "Could not fill an item", exc_info=True)
            return "unlabeled"

    def _filled(self, item: Any, result: LabeledPage | Stored, config: Config) -> State:
        if config.item_classes and not isinstance(item, config.item_classes):
            return "not_wanted"
        if not self._is_item(item):
            self._refuse(item, "they must be of a kind that itemadapter knows", "the main text")
            return "refused"
        adapter = self._adapter_of(item)
        stored = isinstance(result, Stored)
        if isinstance(result, Stored):
            key = result.key
            wanted: Values = {config.page_field or "": lambda: key}
        else:
            wanted = page_values(result, config, self._model, self._plain)
        declared = _declared(adapter, wanted)
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
        filled = self._set(adapter, {name: wanted[name] for name in declared}, config.overwrite)
        return "stored" if stored and filled == "labeled" else filled

    def _set(self, adapter: ItemAdapter, values: Values, overwrite: bool) -> State:
        filled = refused = 0
        for name, value in values.items():
            if not overwrite and not _is_unset(adapter, name):
                self._count("fields/kept")
                continue
            try:
                adapter[name] = value()
                filled += 1
            except Exception as error:  # an item's own setter may raise anything
                refused += 1
                self._refuse(
                    adapter.item,
                    f"{error}; make the class take it, or name the classes to fill in "
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
    """Those of the names that the item can have; a dict can have all."""
    declared = adapter.get_field_names_from_class(type(adapter.item))
    return [name for name in names if declared is None or name in declared]


def _is_unset(adapter: ItemAdapter, name: str) -> bool:
    """Whether the field has no value, an empty one, or the default that its class declares."""
    try:
        value = adapter.get(name)
    except AttributeError:  # declared, and never set
        return True
    try:
        if value is None or (isinstance(value, (Sequence, Mapping, AbstractSet)) and not value):
            return True
        return any(bool(value == default) for default in _defaults(adapter.item, name))
    except Exception:  # a value's own comparison, or a factory, may raise anything
        return False


def _defaults(item: Any, name: str) -> list[Any]:
    """The default of a field of a dataclass, attrs or pydantic item, if there is one."""
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
