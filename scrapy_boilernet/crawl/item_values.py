"""The values that a labeled page gives to the fields of an item."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from scrapy_boilernet.settings.config import Config

if TYPE_CHECKING:
    from scrapy_boilernet.extractor.labeled import LabeledPage

MAX_SHOWN_CHARACTERS = 100
"""Length of the longest main text that its ``repr`` shows."""


class BlockLabels(list[dict[str, Any]]):
    """The rows of a page's blocks, its chunks or its posts: a list with a short ``repr``.

    Scrapy logs every item at the level DEBUG, and a page has hundreds of rows. It is pickled as a
    plain list.
    """

    def __init__(self, rows: Iterable[dict[str, Any]] = (), name: str = "block labels") -> None:
        """Take the rows, and what they are, for the ``repr``."""
        super().__init__(rows)
        self._name = name

    def __repr__(self) -> str:
        return f"<{len(self)} {self._name}>"

    def __str__(self) -> str:
        return list.__repr__(self)  # a feed in CSV writes this

    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[dict[str, Any]]]]:
        return list, ([*self],)


class MainText(str):
    """A page's main text: a string with a short ``repr``, as :class:`BlockLabels` has.

    It is pickled as a plain string.
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
    """Return the functions that make the values of a page's item, by the names of their fields.

    ``model`` is the value of ``BOILERNET_MODEL_FIELD``. ``plain``: whether the rows and the texts
    are a plain list and plain strings, whose ``repr`` is long.
    """
    new_text = str if plain else MainText

    def new_rows(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
        return [*rows] if plain else BlockLabels(rows, name)

    values: dict[str | None, Callable[[], Any]] = {
        config.text_field: lambda: new_text(result.text),
        config.confidence_field: lambda: round(result.confidence, 4),
        config.source_field: lambda: result.source,
        config.model_field: lambda: model,
        config.labels_field: lambda: new_rows(
            result.block_labels(config.labels_keys), "block labels"
        ),
    }
    if result.markdown is not None:
        values[config.markdown_field] = lambda: new_text(result.markdown)
    if result.html is not None:
        values[config.html_field] = lambda: new_text(result.html)
    if (metadata := result.metadata) is not None:
        values[config.metadata_field] = metadata.as_dict
    if (posts := result.posts) is not None:
        values[config.posts_field] = lambda: new_rows([post.as_dict() for post in posts], "posts")
    if result.cutter is not None and result.markdown is not None:
        values[config.chunks_field] = lambda: new_rows(
            result.chunk_rows(config.chunk_tokens), "chunks"
        )
    return {name: value for name, value in values.items() if name}
