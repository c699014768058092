"""A labeled page as plain JSON and one column of bytes per field, for frames and files.

A field is written and read by its codec in one of two tables. The columns of blocks are read when
somebody asks for them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cached_property
from itertools import accumulate, chain, pairwise, repeat
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.html.hiding import REASONS
from scrapy_boilernet.extractor.html.paths import LONG_XPATH, MAX_ANCESTORS
from scrapy_boilernet.extractor.labeled import LabeledPage, read_chunks, written_chunks
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.options import BLOCK_KINDS, BOILERPLATE, CONTENT, STEPS
from scrapy_boilernet.extractor.page import (
    Ancestors,
    Block,
    Head,
    HiddenText,
    LazyBlocks,
    Page,
    nodes_of,
    siblings_of,
)
from scrapy_boilernet.extractor.posts import read_posts, written_posts
from scrapy_boilernet.extractor.sites.marks import SiteMarks
from scrapy_boilernet.workers.codecs import (
    FEW,
    FLOATS,
    NUMBERS,
    TEXT,
    TEXTS,
    Codec,
    codec_of,
)  # fmt: skip

_NOT_PLAIN = (
    "blocks", "head", "markup", "stated", "thread", "notes", "mail_fields", "home_links",
)  # fmt: skip
_PLAIN_OF_PAGE = tuple(each.name for each in fields(Page) if each.name not in _NOT_PLAIN)


def _written_page(page: Page) -> bytes:
    """Return the page without its blocks."""
    plain = {name: getattr(page, name) for name in _PLAIN_OF_PAGE}
    site = page.site and page.site.as_dict()
    return json.dumps({**plain, "head": asdict(page.head), "site": site}).encode()


_OF_RESULT: Mapping[str, Codec] = {
    "labels": codec_of((CONTENT, BOILERPLATE)),
    "kinds": codec_of(BLOCK_KINDS),
    "steps": codec_of(STEPS),
    "probabilities": FLOATS,
    "page": Codec(_written_page, json.loads),  # without its blocks
    "text": TEXT,
    "markdown": TEXT,
    "html": TEXT,
    "cutter": Codec(written_chunks, read_chunks),
    "posts": Codec(written_posts, read_posts),
}
_OF_BLOCKS: Mapping[str, Codec] = {
    "texts": TEXTS,
    "places": NUMBERS,  # of BlockPaths
    "shared": NUMBERS,  # how many elements around a block are those around the block before
    "nodes": NUMBERS,  # of the other elements
    "siblings": NUMBERS,  # of the other elements: their numbers in the block's XPath
    "xpaths": FEW,  # those of blocks of which an element has the number 0 in "siblings"
    "paths": TEXTS,  # per pair of BlockPaths the tags and class words of the other elements
    "link_chars": NUMBERS,
    "hidden_by": Codec(
        lambda numbers: np.asarray(numbers, dtype=np.uint8).tobytes(), codec_of(REASONS).read
    ),
    "noscript": NUMBERS,
    "preformatted": FEW,
}
_COLUMNS = (*_OF_RESULT, *_OF_BLOCKS)
_READ_AT_ONCE = ("text", "markdown", "html", "cutter", "posts")
_PLAIN = ("confidence", "model", "threshold", "source", "shortened")


def written(result: LabeledPage) -> tuple[dict[str, Any], bytes]:
    """Return the page as (fields that are plain JSON, the columns).

    The markup, the stated values, the thread, the links to notes and the fields for e-mail
    addresses of the page are left out.
    """
    page, blocks = result.page, result.page.blocks
    data = {name: codec.write(getattr(result, name)) for name, codec in _OF_RESULT.items()}
    if isinstance(blocks, SentBlocks):
        data |= blocks.data
    else:
        columns = _columns_of(page)
        data |= {name: codec.write(columns[name]) for name, codec in _OF_BLOCKS.items()}
    plain = {
        **{name: getattr(result, name) for name in _PLAIN},
        "metadata": result.metadata and result.metadata.as_dict(),
        "sizes": [*map(len, data.values())],
    }
    return plain, b"".join(data.values())


def read(plain: Mapping[str, Any], data: bytes) -> LabeledPage:
    """Return the page from the result of :func:`written`, whose JSON may have been parsed.

    Raises ``LookupError``, ``TypeError`` or ``ValueError`` for other data. Most columns are not
    looked at: another process may send anything, which raises the same when it is asked for.
    """
    ends = [*accumulate(plain["sizes"])]
    parts = [data[begin:end] for begin, end in pairwise([0, *ends])]
    columns = dict(zip(_COLUMNS, parts, strict=True))
    blocks = len(columns["hidden_by"])
    lengths = [len(columns[name]) for name in ("labels", "kinds", "steps")]
    if [*lengths, len(columns["probabilities"])] != [blocks, blocks, blocks, 8 * blocks]:
        raise ValueError("columns of unequal lengths")
    result = LabeledPage.__new__(LabeledPage)  # without the fields that are read later
    vars(result).update(
        {name: plain[name] for name in _PLAIN},
        metadata=plain["metadata"] and Metadata.of(dict(plain["metadata"])),
        unread=Unread(columns),
        **{name: _OF_RESULT[name].read(columns[name]) for name in _READ_AT_ONCE},
    )
    return result


class Unread:
    """The fields of a page from another process, each of which is read at its first use."""

    def __init__(self, columns: Mapping[str, bytes]) -> None:
        self._columns = columns

    def read(self, name: str) -> Any:
        """Return the field; raises ``KeyError`` for another name, and as :func:`read` does."""
        value = _OF_RESULT[name].read(self._columns[name])
        return self._page(value) if name == "page" else value

    def _page(self, plain: Mapping[str, Any]) -> Page:
        data = {name: self._columns[name] for name in _OF_BLOCKS}
        head = {**plain["head"], "words": tuple(plain["head"]["words"])}
        return Page(
            **{
                **plain,
                "invisible": tuple(HiddenText(*each) for each in plain["invisible"]),
                "head": Head(**head),
                "site": plain["site"] and SiteMarks.of(plain["site"]),
                "blocks": SentBlocks(data, plain["flat"]),
            }
        )


def _columns_of(page: Page) -> dict[str, Any]:
    """Return the columns of a page's blocks by their names."""
    blocks, (pairs, places) = page.blocks, page.paths
    nodes, depths = nodes_of(blocks)
    siblings = siblings_of(blocks)
    ends = depths.cumsum()
    begins = ends - depths
    level = np.arange(len(nodes)) - np.repeat(begins, depths)
    shared = _shared(nodes, depths, begins, level)
    is_new = level >= np.repeat(shared, depths)
    without = (siblings == 0).nonzero()[0]
    no_step = np.unique(ends.searchsorted(without, "right")).tolist() if len(without) else []
    links, hidden_by, noscript = _marks_of(blocks)
    return {
        "texts": page.texts,
        "places": places,
        "shared": shared,
        "nodes": nodes[is_new],
        "siblings": siblings[is_new],
        "xpaths": {} if page.flat else {i: blocks[i].xpath for i in no_step},
        "paths": _tails(pairs, places, shared.tolist()),
        "link_chars": links,
        "hidden_by": hidden_by,
        "noscript": noscript,
        "preformatted": _preformatted(page),
    }


def _shared(
    nodes: NDArray[np.int64],
    depths: NDArray[np.int64],
    begins: NDArray[np.int64],
    level: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return per block how many of its outermost elements are those of the block before.

    ``begins``: where its elements begin in ``nodes``; ``level``: the place of each among them.
    """
    if not len(depths):
        return depths
    before = np.repeat(np.concatenate([[0], begins[:-1]]), depths) + level
    is_inside = level < np.repeat(np.concatenate([[0], depths[:-1]]), depths)
    is_same = is_inside & (nodes[np.minimum(before, len(nodes) - 1)] == nodes)
    first_other = np.where(is_same, np.repeat(depths, depths), level)
    return np.minimum.reduceat(first_other, begins)


def _tails(
    pairs: Sequence[tuple[Ancestors, Ancestors]], places: Sequence[int], shared: Sequence[int]
) -> list[str]:
    """Return per pair the tags and class words of the elements that its first block does not share
    with the block before, which has those of the others.
    """
    tails: list[str] = []
    for place, begin in zip(places, shared, strict=True):
        if place == len(tails):
            tags, class_words = pairs[place]
            steps = zip(tags[begin:], class_words[begin:], strict=True)
            tails.append("\t".join(chain.from_iterable(steps)))
    return tails


def _marks_of(blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return what :meth:`LazyBlocks.marks` returns."""
    if isinstance(blocks, LazyBlocks):
        marks: NDArray[np.int64] = blocks.marks()
        return marks
    rows = [(one.link_chars, REASONS.index(one.hidden_by), one.noscript) for one in blocks]
    return np.array(rows, dtype=np.int64).reshape(-1, 3).T


def _preformatted(page: Page) -> dict[int, str]:
    """Return the lines of the blocks in ``<pre>`` by their indexes."""
    if "pre" not in page.names[0] and page.nodes[1].max(initial=0) < MAX_ANCESTORS:
        return {}
    pairs, places = page.paths
    may_be = {n for n, (tags, _) in enumerate(pairs) if "pre" in tags or len(tags) >= MAX_ANCESTORS}
    inside = [i for i, place in enumerate(places) if place in may_be] if may_be else []
    made = zip(inside, page.blocks_at(inside), strict=True)
    return {i: block.preformatted for i, block in made if block.preformatted}


class SentBlocks(LazyBlocks):
    """The blocks of a page that was read from columns."""

    def __init__(self, data: Mapping[str, bytes], flat: bool) -> None:
        """Take the columns by their names; ``flat``: whether blocks have no XPath."""
        self.data = data
        self._flat = flat

    def __len__(self) -> int:
        return len(self.data["hidden_by"])

    @overload
    def __getitem__(self, which: int) -> Block: ...
    @overload
    def __getitem__(self, which: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, which: int | slice) -> Block | tuple[Block, ...]:
        return self._with_xpaths[which]

    def at(self, places: Sequence[int]) -> list[Block]:
        """Return the blocks at these places, without XPaths."""
        return [self._made[place] for place in places]

    def texts(self) -> tuple[str, ...]:
        """Return the text of each block."""
        return tuple(self._column("texts"))

    def hidden(self) -> tuple[bool, ...]:
        """Return whether each block is hidden."""
        return tuple(map(bool, self.data["hidden_by"]))

    def paths(self) -> tuple[tuple[tuple[Ancestors, Ancestors], ...], tuple[int, ...]]:
        """Return the ``pairs`` and the ``places`` of :class:`BlockPaths`."""
        return self._paths

    def names(self) -> tuple[Collection[str], Collection[str]]:
        """Return the tags, and the class words, of all elements around blocks."""
        pairs, _ = self._paths
        tags, class_words = ({name for pair in pairs for name in pair[which]} for which in (0, 1))
        return tags, class_words

    def marks(self) -> NDArray[np.int64]:
        """Return ``link_chars``, the number of ``hidden_by`` and ``noscript`` of each block."""
        return _marks_of(self._made)

    def nodes(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the same as of a tuple of these blocks."""
        return nodes_of(self._made)

    def siblings(self) -> NDArray[np.int64]:
        """Return the same as of a tuple of these blocks."""
        return siblings_of(self[:])

    def _column(self, name: str) -> Any:
        return _OF_BLOCKS[name].read(self.data[name])

    @cached_property
    def _paths(self) -> tuple[tuple[tuple[Ancestors, Ancestors], ...], tuple[int, ...]]:
        places, tails = self._column("places"), self._column("paths")
        pairs: list[tuple[Ancestors, Ancestors]] = []
        tags: Ancestors = ()
        class_words: Ancestors = ()
        for place, shared in zip(places, self._column("shared"), strict=True):
            if place == len(pairs):
                steps = tails[place].split("\t") if tails[place] else []
                pair = (*tags[:shared], *steps[::2]), (*class_words[:shared], *steps[1::2])
                if not len(pair[0]) == len(pair[1]) <= MAX_ANCESTORS:
                    raise ValueError("a path that no block has")
                pairs.append(pair)
            tags, class_words = pairs[place]
        return tuple(pairs), places

    @cached_property
    def _made(self) -> tuple[Block, ...]:
        return tuple(self._blocks(repeat("")))

    @cached_property
    def _with_xpaths(self) -> tuple[Block, ...]:
        return self._made if self._flat else tuple(self._blocks(self._xpaths()))

    def _blocks(self, xpaths: Iterable[str]) -> Iterator[Block]:
        pairs, places = self._paths
        lines = self._column("preformatted")
        columns = zip(
            self._column("texts"), places, self._nodes(), xpaths, self._column("link_chars"),
            self._column("hidden_by"), self._column("noscript"), range(len(self)), strict=False,
        )  # fmt: skip
        for text, place, nodes, xpath, links, hidden_by, noscript, i in columns:
            tags, words = pairs[place]
            yield Block(
                text, tags, words, nodes, xpath, links, hidden_by, bool(noscript), lines.get(i, "")
            )

    def _nodes(self) -> Iterator[tuple[int, ...]]:
        nodes: tuple[int, ...] = ()
        for shared, _, new in self._new("nodes"):
            nodes = (*nodes[:shared], *new)
            yield nodes

    def _xpaths(self) -> Iterator[str]:
        known = self._column("xpaths")
        around: list[str] = []  # XPaths of the elements around the block
        for i, (shared, tags, new) in enumerate(self._new("siblings")):
            del around[shared:]
            for tag, number in zip(tags, new, strict=True):
                step = f"{around[-1]}/{tag}[{number}]" if around else f"/{tag}"
                around.append(step if number else "")
                if len(around[-1]) > 2 * LONG_XPATH:
                    raise ValueError("an XPath that no block has")
            yield known[i] if i in known else around[-1]

    def _new(self, name: str) -> Iterator[tuple[int, Ancestors, tuple[int, ...]]]:
        """Yield per block how many elements it shares with the block before, and the tags and
        numbers of the others.
        """
        pairs, places = self._paths
        numbers, begin = self._column(name), 0
        for place, shared in zip(places, self._column("shared"), strict=True):
            tags = pairs[place][0][shared:]
            yield shared, tags, numbers[begin : begin + len(tags)]
            begin += len(tags)
