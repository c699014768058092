"""Victor's features of a block's markup: what it stands in, and what parts it from the last one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.segments import HEADING_TAGS, element_place
from scrapy_boilernet.classical.victor_buckets import count, share
from scrapy_boilernet.columns import Columns
from scrapy_boilernet.page import Block

_CLASSES = {
    "heading": HEADING_TAGS,
    "list": "ul ol dl li dt dd menu dir",
    "form": "form input select option button label fieldset legend textarea",
    "table": "table thead tbody tfoot tr td th caption",
    "sentence block": "p blockquote pre q address figcaption",
    "section": "div section article main nav aside header footer figure details summary center",
    "style": "b strong i em u font big small s strike sup sub span tt code cite",
    "link": "a",
}
"""Tag classes: the tags of one mean the same to a reader."""
CLASS_OF = {
    tag: name
    for name, tags in _CLASSES.items()
    for tag in (tags.split() if isinstance(tags, str) else tags)
}
"""The class of each tag that is a feature; any other, such as a data set's wrapper, is none."""
_GROUPS = ("div", "td", "table", "li")
_CHAIN = 3


def container_attributes(tags: Sequence[str]) -> list[str]:
    """Return what the path says: the known tags around a block, their classes, the innermost."""
    known = [tag for tag in tags if tag in CLASS_OF]
    inner = known[-1] if known else "none"
    place = element_place(known)
    return [
        *(f"inside={tag}" for tag in dict.fromkeys(known)),
        *(f"inside class={name}" for name in dict.fromkeys(CLASS_OF[tag] for tag in known)),
        f"innermost={inner}",
        f"block element={known[place] if place else 'none'}",
        f"innermost three={' '.join(known[-_CHAIN:])}",
        f"depth={count(len(known))}",
        f"tables around={min(known.count('table'), 4)}",
    ]


def split_attributes(blocks: Sequence[Block]) -> list[list[str]]:
    """Return per block what opened and closed since the block before, and what gaps there are.

    Elements without text, such as ``br``, ``hr`` and ``img``, show as gaps in the numbers of the
    elements; where no element opens the gap is not seen, so it is shared out among the blocks since
    the last one before which an element opened.
    """
    found: list[list[str]] = []
    gaps = _gaps(blocks)
    tags: tuple[str, ...] = ()
    nodes: tuple[int, ...] = ()
    for block, gap in zip(blocks, gaps, strict=True):
        if block.nodes is nodes or block.nodes == nodes:
            found.append(["split=none", f"gap={gap}", f"gap, no split={gap}"])
            continue
        before, after = set(nodes), set(block.nodes)
        opened = {t for t, n in zip(block.tags, block.nodes, strict=True) if n not in before}
        closed = {t for t, n in zip(tags, nodes, strict=True) if n not in after}
        found.append([*_named("opens", opened), *_named("closes", closed), f"gap={gap}"])
        if not (opened | closed) & _PARTING:
            found[-1].append("split=style only")
        tags, nodes = block.tags, block.nodes
    return found


_PARTING = frozenset(CLASS_OF) - {tag for tag, c in CLASS_OF.items() if c in ("style", "link")}


def _named(verb: str, tags: Iterable[str]) -> list[str]:
    known = sorted(tag for tag in tags if tag in CLASS_OF)
    classes = sorted({CLASS_OF[tag] for tag in known})
    return [f"{verb}={tag}" for tag in known] + [f"{verb} class={name}" for name in classes]


def _gaps(blocks: Sequence[Block]) -> list[str]:
    """Per block the elements without text before it: "0", "under 1", "1", ... "4+"."""
    gaps = [""] * len(blocks)
    seen, begin = 0, 0
    for i, block in enumerate(blocks):
        opened = next((node for node in block.nodes if node > seen), None)
        if opened is None:
            continue
        mean = (opened - seen - 1) / (i - begin + 1)
        name = "under 1" if 0 < mean < 1 else "4+" if mean >= 4 else f"{mean:.0f}"
        gaps[begin : i + 1] = [name] * (i + 1 - begin)
        seen, begin = block.nodes[-1], i + 1
    gaps[begin:] = ["unknown"] * (len(blocks) - begin)
    return gaps


def group_attributes(
    columns: Columns, words: NDArray[np.int64], link_words: NDArray[np.int64]
) -> list[list[str]]:
    """Return per block the shares of its nearest div, td, table and li.

    Of the page's words those of the group outside of links, and of the group's words those in
    links.
    """
    found: list[list[str]] = [[] for _ in columns.texts]
    total = float(words.sum())
    for tag in _GROUPS:
        numbers, there = _nearest(columns, tag)
        sums = np.bincount(numbers, words)[numbers].tolist()
        links = np.bincount(numbers, link_words)[numbers].tolist()
        for i in np.flatnonzero(there).tolist():
            text, linked = sums[i] - links[i], links[i]
            found[i].append(f"share of page in {tag}={share(text, total)}")
            found[i].append(f"link share of {tag}={share(linked, sums[i])}")
    return found


def _nearest(columns: Columns, tag: str) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Per block a number for its nearest element of the tag, and whether there is one."""
    steps = np.array(
        [tags[::-1].index(tag) + 1 if tag in tags else 0 for tags in columns.tags.values],
        dtype=np.int64,
    )[columns.tags.places]
    nodes = [each[-step] if step else 0 for each, step in zip(columns.nodes, steps, strict=True)]
    numbers = np.unique(np.array(nodes, dtype=np.int64), return_inverse=True)[1]
    return numbers.astype(np.int64), steps > 0
