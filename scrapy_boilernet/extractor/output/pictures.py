"""Chooses the images and thematic breaks between blocks that belong to the content."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from scrapy_boilernet.extractor.markup import Picture, Rule, Span
from scrapy_boilernet.extractor.page import Block

_OUTSIDE = frozenset(("nav", "aside", "footer", "form", "button", "label"))
"""Elements whose images are not content, if they do not hold the text on both sides."""
_MOSTLY_LINK = 0.5


def chosen_pictures(
    pictures: Sequence[Picture], blocks: Sequence[Block], kept: Sequence[bool]
) -> Iterator[Picture]:
    """Yield the pictures between two kept blocks, in document order.

    Successive pictures with one file name are one image in several sizes; the first is yielded. A
    picture that shares an element with dropped text that is mostly links is a teaser of another
    page, unless both kept blocks are in that element, too. Dropped captions make no teasers. Hidden
    pictures are yielded if both kept blocks are hidden, too.
    """
    kept_indexes = [i for i, keep in enumerate(kept) if keep]
    gap, common, teasers = -1, frozenset[int](), frozenset[int]()
    name_before = ""
    for picture in pictures:
        place = bisect_left(kept_indexes, picture.before)
        if not 0 < place < len(kept_indexes):
            continue
        around = (blocks[kept_indexes[place - 1]], blocks[kept_indexes[place]])
        if picture.hidden and not all(block.hidden for block in around):
            continue
        if place != gap:
            first, last = kept_indexes[place - 1], kept_indexes[place]
            gap, name_before = place, ""
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
        inside_gap = [node not in common for node in picture.nodes]
        outside = any(
            inside and (node in teasers or tag in _OUTSIDE)
            for inside, node, tag in zip(inside_gap, picture.nodes, picture.tags, strict=True)
        )
        name = picture.span.src.partition("?")[0].rpartition("/")[2]
        if not outside and name != name_before and not _is_icon(picture.span):
            name_before = name
            yield picture


def chosen_rules(rules: Sequence[Rule], kept: Sequence[bool]) -> Iterator[Rule]:
    """Yield the thematic breaks between two kept blocks, one for each gap, in document order.

    The block directly before or after it is kept: others stand between dropped texts.
    """
    kept_indexes = [i for i, keep in enumerate(kept) if keep]
    gap = -1
    for rule in rules:
        place = bisect_left(kept_indexes, rule.before)
        if place == gap or not 0 < place < len(kept_indexes):
            continue
        if kept[rule.before - 1] or kept[rule.before]:
            gap = place
            yield rule


def _is_icon(image: Span) -> bool:
    """Return whether the image is a drawing without meaning, such as an arrow."""
    return not image.alt and image.src.partition("?")[0].lower().endswith(".svg")


def _is_caption(block: Block) -> bool:
    return "figcaption" in block.tags
