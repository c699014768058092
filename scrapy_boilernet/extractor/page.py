"""``Page`` and ``Block``: the plain types that the blockifier makes and the labelers read."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.markup import Markup
from scrapy_boilernet.extractor.metadata import Stated
from scrapy_boilernet.extractor.options import Units
from scrapy_boilernet.extractor.posts import Thread
from scrapy_boilernet.extractor.sites.marks import SiteMarks

T = TypeVar("T")
HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_STEP_NUMBER = re.compile(r"\[(\d{1,9})\]")
Ancestors = tuple[str, ...]
"""Tags, or class words, from the root to an element."""


class Block(NamedTuple):
    """A run of text of a page and its position in the DOM; free of lxml, so it can be cached.

    ``tags``, ``class_words`` and ``nodes`` are parallel and run from the root to the element that
    holds the text. The outermost levels are left out if there are more than
    :data:`~scrapy_boilernet.extractor.html.paths.MAX_ANCESTORS`. Blocks of one element share the
    same tuples.

    It is a named tuple, since a page has hundreds and a frozen dataclass is slow to make.
    """

    text: str
    """White space collapsed; never empty."""
    tags: tuple[str, ...]
    """A ``<div>`` without attributes around all of the body counts as the body itself."""
    class_words: tuple[str, ...]
    """Per ancestor the words of its class, id, role and itemprop, in lower case, split at
    camelCase, digits and punctuation, joined by spaces; "" if it has none."""
    nodes: tuple[int, ...]
    """Per ancestor its number in document order, counted over all elements from 1."""
    xpath: str
    """It matches only this element in the page as parsel parses it. "" in a page that is ``flat``;
    blocks of :meth:`Page.blocks_at` may have ""."""
    link_chars: int
    """Characters of ``text`` inside ``<a>``; 0 to ``len(text)``."""
    hidden_by: str = ""
    """Why the page hides the text, a name of
    :data:`~scrapy_boilernet.extractor.html.hiding.REASONS` such as ``"display:none"``; "" if it is
    shown."""
    noscript: bool = False
    """Inside ``<noscript>``; some forums put the whole thread there."""
    preformatted: str = ""
    """Inside ``<pre>`` the text with its lines and indents, including blank lines before it; ""
    elsewhere, and in leaf units. Except for white space, it has the characters of ``text``."""

    @property
    def hidden(self) -> bool:
        """Whether the page hides the text."""
        return bool(self.hidden_by)


class HiddenText(NamedTuple):
    """A text that a page hides."""

    text: str
    reason: str
    """A name of :data:`~scrapy_boilernet.extractor.html.hiding.REASONS`: ``"display:none"``."""
    xpath: str
    """As in :class:`Block`."""


class LazyBlocks(Sequence[Block]):
    """The blocks of a page, each of which is made when it is asked for.

    The other methods return columns of the blocks without making any. It equals a tuple of the same
    blocks.
    """

    @abstractmethod
    def at(self, places: Sequence[int]) -> list[Block]:
        """Return the blocks at these places, without XPaths, which take the longest to make."""

    @abstractmethod
    def texts(self) -> tuple[str, ...]:
        """Return the text of each block."""

    @abstractmethod
    def hidden(self) -> tuple[bool, ...]:
        """Return whether each block is hidden."""

    @abstractmethod
    def paths(self) -> tuple[tuple[tuple[Ancestors, Ancestors], ...], tuple[int, ...]]:
        """Return the ``pairs`` and the ``places`` of :class:`BlockPaths`."""

    @abstractmethod
    def names(self) -> tuple[Collection[str], Collection[str]]:
        """Return the tags, and the class words, of all elements around blocks, perhaps among
        others.
        """

    @abstractmethod
    def marks(self) -> Any:
        """Return per block its ``link_chars``, the number of its ``hidden_by`` (0: it is shown) and
        its ``noscript``: an int64 array of shape (3, blocks).
        """

    @abstractmethod
    def nodes(self) -> tuple[Any, Any]:
        """Return the ``nodes`` of all blocks, block after block, and how many each block has: int64
        arrays.
        """

    @abstractmethod
    def siblings(self) -> Any:
        """Return what :func:`siblings_of` returns."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | LazyBlocks) and self[:] == other[:]

    def __hash__(self) -> int:
        return hash(self[:])

    def __repr__(self) -> str:
        return repr(self[:])

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return tuple, (self[:],)


@dataclass(frozen=True, slots=True)
class Head:
    """What the page itself states about its content; empty fields if it states nothing."""

    words: tuple[str, ...] = ()
    """Distinct keys such as ``"og:type:article"``, ``"ld:product"``, ``"b:single"`` (a class of
    the body) or ``"nli:4"`` (10 to 29 list items); at most 200."""
    description: str = ""
    """Text of the description metadata, at most 2,000 characters."""
    article_body: str = ""
    """The longest JSON-LD ``articleBody``, at most 200,000 characters."""


class BlockPaths(NamedTuple):
    """The paths of a page's blocks; blocks of one template share a path."""

    pairs: tuple[tuple[Ancestors, Ancestors], ...]
    """The different pairs of tags and class words, in the order of their first blocks."""
    places: tuple[int, ...]
    """Per block the index of its pair in ``pairs``."""


def nodes_of(blocks: Sequence[Block]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ``nodes`` of all blocks, block after block, and how many each block has."""
    if isinstance(blocks, LazyBlocks):
        nodes, depths = blocks.nodes()
        return nodes, depths
    lists = [block.nodes for block in blocks]
    depths = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    return np.array([*chain.from_iterable(lists)], dtype=np.int64), depths


def siblings_of(blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return per element of :func:`nodes_of` its number among its siblings of its tag, as in the
    XPath of the block; 0 if the XPath names the element in another way.
    """
    if isinstance(blocks, LazyBlocks):
        siblings: NDArray[np.int64] = blocks.siblings()
        return siblings
    known: dict[int, int] = {}
    for block in blocks:
        own = [1, *map(int, _STEP_NUMBER.findall(block.xpath))]
        steps = [f"/{tag}[{number}]" for tag, number in zip(block.tags, own, strict=False)]
        usual = "".join(steps).replace("[1]", "", 1)  # a root has no number
        if len(own) == len(block.tags) and block.xpath == usual:
            known.update(zip(block.nodes, own, strict=True))
    numbers = [known.get(node, 0) for block in blocks for node in block.nodes]
    return np.array(numbers, dtype=np.int64)


@dataclass(frozen=True)
class Page:
    """The blocks of a page in document order."""

    url: str | None
    title: str
    blocks: Sequence[Block]
    """A tuple or, from compiled code, a :class:`LazyBlocks`, which equals a tuple."""
    digest: str
    """The first 128 bits of the SHA-256 of the body's bytes, hexadecimal."""
    units: Units = "block"
    """What the blocks are: ``"block"`` or ``"leaf"``."""
    over_max_bytes: bool = False
    """Whether the unpacked page had more bytes than the limit; the rest is cut off."""
    over_max_blocks: bool = False
    """Whether the page had more blocks or elements than the limit; the rest is cut off."""
    head: Head = field(default_factory=Head)
    """What the page states besides its text."""
    flat: bool = False
    """Whether the page was rewritten, since it is nested too deep for libxml2, would take it too
    long, or has a ``<div>`` left open in a ``<pre>``. Its blocks then come from another tree than
    parsel's."""
    not_html: str = ""
    """The kind of a page that is not HTML, such as ``"a PDF document"``, which has no blocks; ""
    for HTML."""
    markup: Markup | None = None
    """Links, emphasis, images, tables; None unless it was asked for."""
    stated: Stated | None = None
    """What the page states about itself; None unless its metadata was asked for."""
    thread: Thread | None = None
    """What the markup says of its posts; None unless they were asked for."""
    notes: tuple[tuple[int, tuple[int, ...]], ...] = field(default=(), compare=False)
    """What only the labeling reads: per link to a note or source of the page the number of the
    note's element, and those of the link and of the elements around it, up to the first that is not
    inline."""
    mail_fields: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """What only the labeling reads, too: per field for an e-mail address the numbers of the
    elements around it, the innermost first."""
    home_links: tuple[int, ...] = field(default=(), compare=False)
    """And the numbers of the links to the home page of its site that are in or around headings."""
    site: SiteMarks | None = None
    """What the rule of its site says of the page; None if there is none."""
    invisible: tuple[HiddenText, ...] = ()
    """Texts in characters that no one sees, which no block has: see
    :mod:`scrapy_boilernet.extractor.html.invisible`."""

    def blocks_at(self, places: Sequence[int]) -> list[Block]:
        """Return the blocks at these places; their XPaths may be missing."""
        made = vars(self).get("blocks_without_xpaths")
        if made is None and isinstance(self.blocks, LazyBlocks):
            return self.blocks.at(places)
        return [*map((made or self.blocks).__getitem__, places)]

    @cached_property
    def blocks_without_xpaths(self) -> tuple[Block, ...]:
        """The blocks; their XPaths may be missing. They are kept once they are made."""
        return tuple(self.blocks_at(range(len(self.blocks))))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of each block."""
        if isinstance(self.blocks, LazyBlocks):
            return self.blocks.texts()
        return tuple(block.text for block in self.blocks)

    @cached_property
    def chars(self) -> NDArray[np.int64]:
        """The characters of the text of each block: (blocks,)."""
        return np.fromiter(map(len, self.texts), dtype=np.int64, count=len(self.texts))

    @cached_property
    def words(self) -> NDArray[np.float64]:
        """The length of each block in words of six characters: its weight in the page."""
        words: NDArray[np.float64] = self.chars / 6
        return words

    @cached_property
    def hidden(self) -> tuple[bool, ...]:
        """Whether each block is hidden."""
        if isinstance(self.blocks, LazyBlocks):
            return self.blocks.hidden()
        return tuple(block.hidden for block in self.blocks)

    @cached_property
    def shown(self) -> NDArray[np.bool_]:
        """Whether each block is shown, the opposite of ``hidden``: (blocks,)."""
        shown: NDArray[np.bool_] = self.marks[1] == 0
        shown.setflags(write=False)  # all share it
        return shown

    @cached_property
    def marks(self) -> NDArray[np.int64]:
        """Per block its characters in links, whether it is hidden, and whether it is in
        ``<noscript>``: (3, blocks).
        """
        if isinstance(self.blocks, LazyBlocks):
            marks: NDArray[np.int64] = self.blocks.marks()
            return marks
        rows = [(block.link_chars, block.hidden, block.noscript) for block in self.blocks]
        return np.array(rows, dtype=np.int64).reshape(-1, 3).T

    @cached_property
    def paths(self) -> BlockPaths:
        """The paths of the blocks; those with the same tags and class words share a place."""
        if isinstance(self.blocks, LazyBlocks):
            return BlockPaths(*self.blocks.paths())
        # Blocks of one template share their tuples, and identities are quicker to compare.
        numbers: dict[tuple[int, int], int] = {}
        places = tuple(
            numbers.setdefault((id(block.tags), id(block.class_words)), len(numbers))
            for block in self.blocks
        )
        pairs: list[tuple[Ancestors, Ancestors]] = []
        for block, place in zip(self.blocks, places, strict=True):
            if place == len(pairs):
                pairs.append((block.tags, block.class_words))
        return BlockPaths(tuple(pairs), places)

    @cached_property
    def path_places(self) -> NDArray[np.int64]:
        """The places of ``paths``, as an array: (blocks,)."""
        return np.array(self.paths.places, dtype=np.int64)

    @cached_property
    def nodes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The ``nodes`` of all blocks, block after block, and how many each block has."""
        return nodes_of(self.blocks)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Per block the index of its outermost element in ``nodes``: (blocks,)."""
        depths = self.nodes[1]
        return depths.cumsum() - depths

    @cached_property
    def names(self) -> tuple[frozenset[str], Collection[str]]:
        """The tags, and the class words, of all elements around blocks, perhaps among others."""
        if isinstance(self.blocks, LazyBlocks):
            tags, class_words = self.blocks.names()
            return frozenset(tags), class_words
        tags_of, words_of = (map(itemgetter(which), self.paths.pairs) for which in (0, 1))
        return frozenset().union(*tags_of), frozenset().union(*words_of)

    def once(self, function: Callable[[Page], T]) -> T:
        """Return what the function returns of this page. It is called once; its value is kept."""
        made = self._made
        if function not in made:
            made[function] = function(self)
        value: T = made[function]
        return value

    @cached_property
    def _made(self) -> dict[Callable[[Page], Any], Any]:
        """What :meth:`once` keeps, by the functions."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_made"}

    @property
    def truncated(self) -> bool:
        """Whether a limit cut off a part of the page."""
        return self.over_max_bytes or self.over_max_blocks
