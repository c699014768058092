"""Which of the images between blocks belong to the content."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from scrapy_boilernet.markup import Picture, Span
from scrapy_boilernet.page import Block

_OUTSIDE = frozenset(("nav", "aside", "footer", "form", "button", "label"))
"""Elements that hold no image of the content, inside the one that holds the text on both sides."""
_MOSTLY_LINK = 0.5


def chosen_pictures(
    pictures: Sequence[Picture], blocks: Sequence[Block], kept: Sequence[bool]
) -> Iterator[Picture]:
    """Yield the pictures between two kept blocks, in document order.

    The same image in several sizes, by its file's name, is one. One beside dropped text that is
    mostly links, inside the element that holds both kept blocks, is a teaser of another page.
    Captions that are dropped do not matter.
    """
    kept_indexes = [i for i, keep in enumerate(kept) if keep]
    gap, common, teasers = -1, frozenset[int](), frozenset[int]()
    before = ""
    for picture in pictures:
        place = bisect_left(kept_indexes, picture.before)
        if not 0 < place < len(kept_indexes):
            continue
        if place != gap:
            first, last = kept_indexes[place - 1], kept_indexes[place]
            gap, before = place, ""
            common = frozenset(blocks[first].nodes) & frozenset(blocks[last].nodes)
            dropped = (blocks[i] for i in range(first + 1, last))
            teasers = (
                frozenset(
                    node
                    for block in dropped
                    if block.link_chars > _MOSTLY_LINK * len(block.text) and not _is_caption(block)
                    for node in block.nodes
                )
                - common
            )
        inner = [node not in common for node in picture.nodes]
        outside = any(
            new and (node in teasers or tag in _OUTSIDE)
            for new, node, tag in zip(inner, picture.nodes, picture.tags, strict=True)
        )
        name = picture.span.src.partition("?")[0].rpartition("/")[2]
        if not outside and name != before and not _is_icon(picture.span):
            before = name
            yield picture


def _is_icon(image: Span) -> bool:
    """Whether it is a drawing that says nothing, such as an arrow."""
    return not image.alt and image.src.partition("?")[0].lower().endswith(".svg")


def _is_caption(block: Block) -> bool:
    return "figcaption" in block.tags
