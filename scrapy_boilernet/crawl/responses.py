"""What the plugin knows of each response, and the result that a callback finds in its meta."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from scrapy_boilernet.settings.config import META_PAGE, META_RESULT

if TYPE_CHECKING:
    from scrapy_boilernet.crawl.runtime import Runtime
    from scrapy_boilernet.extractor.labeled import LabeledPage
    from scrapy_boilernet.settings.config import Config
    from scrapy_boilernet.workers.jobs import DeferredPage


@dataclass(eq=False)
class Note:
    """What the plugin knows of a response."""

    runtime: Runtime
    seen: tuple[Any, ...]
    """Everything of the response that its labels depend on."""
    outcome: LabeledPage | DeferredPage | None = None
    """None if the page is unlabeled."""
    config: Config | None = None
    """The config of the outcome."""
    unlabeled: str = ""
    """The name of the stat that counts why the page is unlabeled, such as ``"skipped/status"``."""
    yielded: bool = False
    """Whether the callback has yielded the response's own request, whose meta it may still read."""


NOTES: MutableMapping[Any, Note] = WeakKeyDictionary()
"""The notes by request while middlewares have its response, and by response for callbacks. They are
not in the meta, since items and other requests hold copies of it."""


def note_of(response: Any) -> Note | None:
    """Return the note of a response; None for one that the plugin has not seen."""
    for key in (response, getattr(response, "request", None)):
        if key in NOTES:
            return NOTES[key]
    return None


def forget(request: Any) -> None:
    """Forget the response of an earlier download of the request."""
    NOTES.pop(request, None)
    for key in (META_RESULT, META_PAGE):
        request.meta.pop(key, None)


def forget_scheduled(request: Any) -> None:
    """Remove the result from a request that goes into a queue, which may be on disk."""
    note = NOTES.get(request)
    if note is None or not note.yielded:
        forget(request)


class _InMeta:
    """Base of a result in a meta, which callers may log, copy, write to a feed or put in a queue.

    It is written as a short string. No format can write a page, and no log should.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]] = {}  # itemadapter takes dataclasses apart

    def __repr__(self: Any) -> str:
        return f"<LabeledPage source={self.source!r} confidence={self.confidence:.2f}>"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (repr(self),)

    def __copy__(self) -> _InMeta:
        return self

    def __deepcopy__(self, memo: Any) -> _InMeta:
        return self


def in_meta(result: LabeledPage, marshal: bool = False) -> LabeledPage:
    """Return the result as one that every exporter of Scrapy can write; it shares all state.

    ``marshal``: whether a feed has this format, which refuses subclasses of ``str``. It takes those
    of ``bytes``, but other JSON encoders than Scrapy's do not.
    """
    base: Any = bytes if marshal else str
    shown = _InMeta.__repr__(result)
    made: LabeledPage = base.__new__(_class_in_meta(base), shown.encode() if marshal else shown)
    object.__setattr__(made, "__dict__", vars(result))
    return made


@cache
def _class_in_meta(base: Any) -> Any:
    """Return a subclass of ``LabeledPage`` and of ``base``."""
    from scrapy_boilernet.extractor.labeled import LabeledPage  # the mode has loaded it by now

    names = tuple(one.name for one in fields(LabeledPage) if one.compare)

    def equals(self: LabeledPage, other: object) -> bool:
        return isinstance(other, LabeledPage) and all(
            getattr(self, name) == getattr(other, name) for name in names
        )

    special = {
        "__eq__": equals, "__hash__": LabeledPage.__hash__, "__module__": LabeledPage.__module__,
    }  # fmt: skip
    return type(LabeledPage.__name__, (_InMeta, LabeledPage, base), special)
