"""Labels by a person for a few blocks: read from JSON lines, and matched to the pages' blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.workers.files import json_lines

Place = tuple[int, int]
"""(index of a page, index of a block in it)."""
_FORM = (
    f'{{"page": "<file name or id>", "xpath": "...", "label": "{CONTENT}" or "{BOILERPLATE}"}}, or '
    'with "text" instead of "xpath"'
)
_SHOWN = 60


class AdaptError(Exception):
    """Pages or labels cannot be used. The message names them, the value and the remedy."""


@dataclass(frozen=True)
class SitePage:
    """A page of the site."""

    id: str
    """The file's name without its ending, with a number appended if another page has it."""
    file: Path
    url: str | None
    page: Page

    @property
    def names(self) -> frozenset[str]:
        """The names by which a label may refer to the page."""
        return frozenset({self.id, self.file.name, self.file.stem, str(self.file)})


@dataclass(frozen=True)
class GivenLabel:
    """A row of the labels file."""

    where: str
    """File and line, for messages."""
    page: str | None
    xpath: str | None
    text: str | None
    content: bool


def read_labels(file: Path) -> list[GivenLabel]:
    """Return the labels of a JSON lines file.

    A line is one label, or a line of ``scrapy boilernet extract --format jsonl --blocks``, which
    has a label per block. Raises ``AdaptError`` for any other line, or if there is no label.
    """
    try:
        lines = list(json_lines(file))
    except OSError as error:
        raise AdaptError(
            f"cannot read the labels in {file}: {error}; give UTF-8 JSON lines"
        ) from error
    except ValueError as error:
        raise AdaptError(f"{error}; each line is {_FORM}") from error
    labels = [_label(row, where) for where, line in lines for row in _rows(line, where)]
    if not labels:
        raise AdaptError(f"no label in {file}: each line is {_FORM}")
    return labels


def placed(labels: Sequence[GivenLabel], site: Sequence[SitePage]) -> dict[Place, bool]:
    """Return for each labeled block whether it is content.

    Raises ``AdaptError`` for an unknown page or block, and for a block with both labels.
    """
    by_name: dict[str, list[int]] = {}
    for number, page in enumerate(site):
        for name in page.names:
            by_name.setdefault(name, []).append(number)
    content_at: dict[Place, bool] = {}
    for label in labels:
        places = list(_places(label, site, by_name))
        if not places:
            raise AdaptError(_not_there(label))
        for place in places:
            if content_at.setdefault(place, label.content) != label.content:
                block = site[place[0]].page.blocks[place[1]]
                raise AdaptError(
                    f"{label.where}: the block {block.text[:_SHOWN]!r} of {site[place[0]].id} has "
                    f"both labels, {CONTENT} and {BOILERPLATE}; keep one"
                )
    return content_at


def _rows(row: Any, where: str) -> list[Mapping[str, Any]]:
    if not isinstance(row, dict):
        raise AdaptError(f"{where} is {row!r:.60}, not an object; each line is {_FORM}")
    if "block_labels" not in row:
        return [row]
    blocks = row["block_labels"]
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise AdaptError(
            f"{where}: block_labels is not a list of objects; run scrapy boilernet extract again"
        )
    return [{"page": row.get("source"), **block} for block in blocks]


def _label(row: Mapping[str, Any], where: str) -> GivenLabel:
    if "label" not in row:
        keys = ", ".join(map(repr, row)) or "none"
        raise AdaptError(f"{where}: no key 'label' among {keys}; each line is {_FORM}")
    label = row["label"]
    if label not in (CONTENT, BOILERPLATE):
        raise AdaptError(f"{where}: label {label!r} must be {CONTENT!r} or {BOILERPLATE!r}")
    for name in ("page", "xpath", "text"):
        if not isinstance(row.get(name), str | None):
            raise AdaptError(f"{where}: {name} {row[name]!r} must be text; each line is {_FORM}")
    page, xpath, text = row.get("page"), row.get("xpath"), row.get("text")
    if text is None and (xpath is None or page is None):
        raise AdaptError(f"{where} names no block: each line is {_FORM}")
    return GivenLabel(where, page, xpath, text, label == CONTENT)


def _places(
    label: GivenLabel, site: Sequence[SitePage], by_name: Mapping[str, Sequence[int]]
) -> Iterator[Place]:
    """Yield the blocks of a label; an element with text before and after a child has two."""
    for number in _pages(label, site, by_name):
        for i, block in enumerate(site[number].page.blocks):
            if label.text is not None and block.text != label.text:
                continue
            if label.page is None or label.xpath is None or block.xpath == label.xpath:
                yield number, i


def _pages(
    label: GivenLabel, site: Sequence[SitePage], by_name: Mapping[str, Sequence[int]]
) -> Sequence[int]:
    if label.page is None:
        return range(len(site))
    numbers = by_name.get(label.page) or by_name.get(Path(label.page).name) or ()
    if not numbers:
        raise AdaptError(
            f"{label.where}: no page {label.page!r} among the {len(site)} given; name its file, "
            f"such as {site[0].file.name!r}"
        )
    if len(numbers) > 1:
        files = ", ".join(str(site[number].file) for number in numbers[:3])
        raise AdaptError(
            f"{label.where}: {label.page!r} names {len(numbers)} pages: {files}; give one's path"
        )
    return numbers


def _not_there(label: GivenLabel) -> str:
    descriptions = [
        f"{name} {value!r:.80}"
        for name, value in (("text", label.text), ("xpath", label.xpath))
        if value
    ]
    page = f"page {label.page!r}" if label.page is not None else "any page"
    return (
        f"{label.where}: no block with {' and '.join(descriptions)} on {page}; copy it from the "
        "output of 'scrapy boilernet extract --format jsonl --blocks' for the page"
    )
