"""``LabeledPage``: a page with one label and one probability per block."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import compress, count
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from scrapy_boilernet.extractor.decide.tables import cell_of
from scrapy_boilernet.extractor.html.paths import MAX_ANCESTORS
from scrapy_boilernet.extractor.html.selecting import content_selectors, link_selectors
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.options import CONTENT, LABEL_KEYS, BlockKind, Label, Source, Step
from scrapy_boilernet.extractor.page import Block, HiddenText, Page
from scrapy_boilernet.extractor.posts import Post

if TYPE_CHECKING:
    from parsel import Selector, SelectorList

CELL_SEPARATOR = " | "
_NOT_A_LINE = frozenset(("table", "tr", "pre"))
"""Tags of elements whose blocks may share a line or have several."""
_CACHED = ("kept", "text", "label_columns", "xpaths")
"""Cached properties whose values stay the same if a format is added."""
MAX_TOKENS = 500
"""Tokens of a chunk by default."""
NO_MARKDOWN = (
    "chunks are cut from Markdown, which was not asked for; use extract(..., "
    "formats=('markdown',)), or BOILERNET_CHUNKS_FIELD in a crawl"
)


def to_text(blocks: Sequence[Block]) -> str:
    """Return the text of ``blocks``, in order; "" for no blocks.

    Each block is a line, but the cells of a table row share a line. A row is one of a layout table
    if a cell has several blocks or lines of ``<pre>``; its blocks are lines, too. Blocks of
    ``<pre>`` keep their lines.
    """
    return "\n".join(CELL_SEPARATOR.join(line) for line in _text_lines(blocks))


def text_places(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Return per block where its text begins and ends in :func:`to_text` of these blocks."""
    places, end = [], 0
    for line in _text_lines(blocks):
        for text in line:
            places.append((end, end + len(text)))
            end += len(text) + len(CELL_SEPARATOR)
        end += 1 - len(CELL_SEPARATOR)
    return places


def _text_lines(blocks: Sequence[Block]) -> list[list[str]]:
    """Return the lines of :func:`to_text`; a line of a table row has several blocks."""
    cells = [cell_of(block) for block in blocks]
    blocks_in_cell = Counter(cell for cell in cells if cell)
    layout_rows = {cell.row for cell, count in blocks_in_cell.items() if count > 1}
    layout_rows |= {
        cell.row
        for cell, block in zip(cells, blocks, strict=True)
        if cell and "\n" in block.preformatted
    }
    lines: list[list[str]] = []
    row_before: int | None = None
    pre_before: int | None = None
    for block, cell in zip(blocks, cells, strict=True):
        row = cell.row if cell and cell.row not in layout_rows else None
        pre = _pre_of(block) if block.preformatted else None
        if row is not None and row == row_before:
            lines[-1].append(block.text)
        elif pre is None or row is not None:
            lines.append([block.text])
        else:  # blank lines before a block are kept only inside of one <pre>
            raw = block.preformatted
            lines.append([raw if pre == pre_before else raw.lstrip("\n")])
        row_before, pre_before = row, pre
    return lines


def _has_only_lines(page: Page) -> bool:
    """Return whether each block is a line of :func:`to_text`: none is in a table or ``<pre>``, and
    no ``<pre>`` can be above the ancestors of a block.
    """
    is_whole = (len(tags) < MAX_ANCESTORS for tags, _ in page.paths.pairs)
    return _NOT_A_LINE.isdisjoint(page.names[0]) and all(is_whole)


def _pre_of(block: Block) -> int:
    """Return the number of the block's ``<pre>``; -1 if it is above the ancestors of the block."""
    return block.nodes[block.tags.index("pre")] if "pre" in block.tags else -1


class Chunk(NamedTuple):
    """A piece of a page's Markdown for retrieval, with its place in the page."""

    markdown: str
    """The Markdown from ``start`` to ``end``. Where a table or code was cut, the table's head or
    the code's fences are repeated around it."""
    text: str
    """The plain text from ``text_start`` to ``text_end``."""
    headings: tuple[str, ...]
    """The headings of the sections that hold the whole chunk, from the outermost."""
    start: int
    """Offset in the page's Markdown. Without overlap, a chunk ends where the next one starts."""
    end: int
    text_start: int
    """Offset in the page's text."""
    text_end: int
    first_xpath: str
    """The XPath of the first block; "" if the chunk has no text, or the page no XPaths."""
    last_xpath: str
    id_url: str
    """The page's URL with the nearest ``id`` at or above the first block; "" if there is none."""
    text_url: str
    """The page's URL with a text fragment, which scrolls a browser to the chunk; "" if the chunk
    has no text that can be found."""
    tokens: int
    """Tokens of ``markdown``, as estimated or counted."""

    def as_dict(self) -> dict[str, Any]:
        """Return the fields as plain JSON."""
        return {**self._asdict(), "headings": [*self.headings]}


class Cutter(Protocol):
    """Cuts the Markdown of one page."""

    def chunks(
        self,
        result: LabeledPage,
        max_tokens: int,
        overlap: int,
        count: Callable[[str], int] | None,
    ) -> tuple[Chunk, ...]:
        """Return what :meth:`LabeledPage.chunks` returns."""
        ...


class ReadyChunks(NamedTuple):
    """Chunks of one size that were made before; other sizes are cut if ``cutter`` is known."""

    max_tokens: int
    made: tuple[Chunk, ...]
    cutter: Cutter | None = None

    def chunks(
        self,
        result: LabeledPage,
        max_tokens: int,
        overlap: int,
        count: Callable[[str], int] | None,
    ) -> tuple[Chunk, ...]:
        """Return what :meth:`LabeledPage.chunks` returns."""
        if max_tokens == self.max_tokens and not overlap and count is None:
            return self.made
        if self.cutter is None:
            raise ValueError(
                f"this page came from another process with its chunks of {self.max_tokens} tokens; "
                "for others, set BOILERNET_CHUNK_TOKENS or use BOILERNET_MODE = 'thread'"
            )
        return self.cutter.chunks(result, max_tokens, overlap, count)


def written_chunks(cutter: Cutter | None) -> bytes:
    """Return the chunks that were made as bytes; what others are cut from is left out."""
    if not isinstance(cutter, ReadyChunks):
        return b""
    return json.dumps([cutter.max_tokens, cutter.made]).encode()


def read_chunks(data: bytes) -> ReadyChunks | None:
    """Return the chunks of :func:`written_chunks`; None if none were made."""
    if not data:
        return None
    max_tokens, rows = json.loads(data)
    made = (Chunk(*row)._replace(headings=tuple(row[2])) for row in rows)
    return ReadyChunks(max_tokens, tuple(made))


class Response(Protocol):
    """An object with a selector, such as Scrapy's responses."""

    @property
    def selector(self) -> Selector:
        """The selector of the whole page."""
        ...


def shown_probabilities(probabilities: Sequence[float]) -> tuple[float, ...]:
    """Return the probabilities rounded to 4 decimals, as in the rows of block labels."""
    return tuple(np.round(probabilities, 4).tolist())


@dataclass(frozen=True)
class LabeledPage:
    """A page with its labels, from an annotation or from a labeler.

    ``labels``, ``kinds``, ``steps`` and ``probabilities`` have one entry per block of
    ``page.blocks``; other lengths raise ``ValueError``.
    """

    page: Page
    labels: tuple[Label, ...]
    """Per block ``"content"`` if it is kept, else ``"boilerplate"``."""
    kinds: tuple[BlockKind, ...]
    """Per block what it is, whether or not it is kept: ``"title"``, ``"comment"`` or ``"caption"``;
    other blocks are ``"main"`` if they are kept, else ``"hidden"`` if the page hides them, else
    ``"boilerplate"``."""
    steps: tuple[Step, ...]
    """Per block the step that kept it or left it out, a word of
    :data:`~scrapy_boilernet.extractor.options.Step` such as ``"model"``, ``"table"`` or
    ``"comments"``."""
    probabilities: tuple[float, ...]
    """P(content) per block, in [0, 1]."""
    confidence: float
    """The model's estimate of the page's word-F1, in [0, 1]; 0.0 if no block is content."""
    model: str
    """Name of the model that labeled the page, such as ``"default"``."""
    threshold: float
    """If the model decided, a block that is not hidden is content from this probability on, in
    [0, 1]. In data tables that are kept, blocks below it are content, too."""
    source: Source = "model"
    """What found the content; ``"nothing"``: no block is content."""
    markdown: str | None = None
    """The content as GitHub Flavored Markdown; None unless it was asked for."""
    html: str | None = None
    """The content as a clean fragment of HTML; None unless it was asked for."""
    metadata: Metadata | None = None
    """Title, authors, dates and more; None unless it was asked for."""
    posts: tuple[Post, ...] | None = None
    """The posts of a thread, or the comments of readers; () if it has none; None unless they were
    asked for."""
    shortened: bool = False
    """Whether Markdown and HTML lack addresses, emphasis or nesting of the page, which would have
    made them much larger than the page."""
    cutter: Cutter | None = field(default=None, compare=False, repr=False)
    """What :meth:`chunks` needs; None unless Markdown or HTML was asked for."""

    def __post_init__(self) -> None:
        blocks, labels, kinds = len(self.page.blocks), len(self.labels), len(self.kinds)
        steps, probabilities = len(self.steps), len(self.probabilities)
        if not blocks == labels == kinds == steps == probabilities:
            raise ValueError(
                f"a labeled page needs one label, kind, step and probability per block, got "
                f"{labels} labels, {kinds} kinds, {steps} steps and {probabilities} probabilities "
                f"for {blocks} blocks"
            )

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Return a field of a page from another process, which is read at its first use."""
            unread = vars(self).get("unread")
            if unread is None or name not in LabeledPage.__dataclass_fields__:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            value = vars(self)[name] = unread.read(name)
            return value

    @cached_property
    def kept(self) -> tuple[bool, ...]:
        """Whether each block is content."""
        return tuple([label == CONTENT for label in self.labels])

    @property
    def content(self) -> tuple[Block, ...]:
        """The blocks labeled content, in document order."""
        return tuple(map(self.page.blocks.__getitem__, compress(count(), self.kept)))

    @cached_property
    def text(self) -> str:
        """The main text: paragraphs, headings, list items and table rows on lines of their own."""
        if _has_only_lines(self.page):  # as most pages
            return "\n".join(compress(self.page.texts, self.kept))
        return to_text(self.page.blocks_at([*compress(count(), self.kept)]))

    @property
    def hidden(self) -> tuple[HiddenText, ...]:
        """The texts that the page hides and that are not content, in document order; last those in
        characters that no one sees.
        """
        blocks = self.page.blocks
        columns = enumerate(zip(self.page.hidden, self.kept, strict=True))
        left_out = (blocks[i] for i, (hides, keep) in columns if hides and not keep)
        texts = (HiddenText(block.text, block.hidden_by, block.xpath) for block in left_out)
        return (*texts, *self.page.invisible)

    def chunks(
        self,
        max_tokens: int = MAX_TOKENS,
        overlap: int = 0,
        count: Callable[[str], int] | None = None,
    ) -> tuple[Chunk, ...]:
        """Return the Markdown in chunks that follow its structure.

        A chunk holds whole sections, or lies within one. It is never cut inside a table row, a line
        of code, a link or emphasis; where one of these alone is too long, so is its chunk.

        :param max_tokens: the most tokens of a chunk, 1 or more.
        :param overlap: the most tokens of the chunk before that a chunk repeats, in whole
            sentences, rows or lines. 0 or more, and less than ``max_tokens``.
        :param count: returns the number of tokens of a text. None: four ASCII characters, two
            letters of another alphabet, or one other character such as a Chinese one, are a token.
        :raises ValueError: Markdown was not asked for, or one of the numbers is out of bounds.
        :raises TypeError: ``count`` returns something else than a whole number.
        """
        if self.cutter is None:
            raise ValueError(NO_MARKDOWN)
        return self.cutter.chunks(self, max_tokens, overlap, count)

    def chunk_rows(self, max_tokens: int) -> list[dict[str, Any]]:
        """Return the chunks of at most so many tokens as plain JSON."""
        return [chunk.as_dict() for chunk in self.chunks(max_tokens)]

    def with_chunks(self, max_tokens: int) -> LabeledPage:
        """Return the page with its chunks of this size made, so that they can be sent."""
        made = ReadyChunks(max_tokens, self.chunks(max_tokens), self.cutter)
        return with_cached(replace(self, cutter=made), self)

    def select(self, response: Response | Selector) -> SelectorList[Selector]:
        """Return selectors of the elements of the content, in document order, each once.

        ``response``: the response that was labeled, or its selector. An element may also hold other
        text, such as a ``<div>`` with content and a menu. Empty for a page that is ``flat``. Raises
        ``ValueError`` for another page.
        """
        return content_selectors(self.page, self.kept, response)

    def select_links(
        self, response: Response | Selector, *, outside: bool = False
    ) -> SelectorList[Selector]:
        """Return selectors of the ``<a href>`` elements in the content; ``outside``: of all others.

        ``response`` and errors are as in :meth:`select`.
        """
        return link_selectors(self.page, self.kept, response, outside=outside)

    def block_labels(self, keys: Sequence[str] = LABEL_KEYS) -> list[dict[str, str | float]]:
        """Return per block text, label, kind, probability (4 decimals) and XPath, as plain JSON.

        ``keys``: the keys of :data:`~scrapy_boilernet.extractor.options.LABEL_KEYS` that are
        wanted. Each call returns a new list of new dicts, so an item can own them.
        """
        columns = [self.label_columns[key] for key in LABEL_KEYS[:-1]]
        rows: list[dict[str, str | float]] = [  # a literal takes a third of the time of dict()
            {"text": text, "label": label, "kind": kind, "probability": probability}
            for text, label, kind, probability in zip(*columns, strict=True)
        ]
        if "xpath" in keys:
            for row, xpath in zip(rows, self.xpaths, strict=True):
                row["xpath"] = xpath
        for key in LABEL_KEYS:
            if key not in keys and key != "xpath":
                for row in rows:
                    del row[key]
        return rows

    @cached_property
    def label_columns(self) -> Mapping[str, tuple[str | float, ...]]:
        """The columns of :meth:`block_labels` by key, without the XPaths."""
        return {
            "text": self.page.texts,
            "label": self.labels,
            "kind": self.kinds,
            "probability": shown_probabilities(self.probabilities),
        }

    @cached_property
    def xpaths(self) -> tuple[str, ...]:
        """The XPath of each block."""
        return tuple(block.xpath for block in self.page.blocks)


def with_cached(result: LabeledPage, before: LabeledPage) -> LabeledPage:
    """Return the result with what was computed of it before formats were added."""
    cached = vars(before)
    vars(result).update((name, cached[name]) for name in _CACHED if name in cached)
    return result
