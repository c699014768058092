"""Chooses the images, embeds and thematic breaks between blocks that belong to the content."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import compress
from operator import attrgetter

from scrapy_boilernet.extractor.html.walk import INLINE_TAGS
from scrapy_boilernet.extractor.markup import Picture, Rule, Span
from scrapy_boilernet.extractor.page import Block

_OUTSIDE = frozenset(("nav", "aside", "footer", "form", "button", "label"))
"""Elements whose images are not content, if they do not hold the text on both sides."""
_SHOWN_LARGER, _FIGURE, _CAPTION = "button", "figure", "caption"
"""A button around the image of a figure, which shows it larger."""
_MOSTLY_LINK = 0.5
_IN_QUERY = re.compile(r"[?&](?:url|src|image|img|file)=([^&#]+)")
"""The address of an image in that of a server that makes sizes of it."""
_SIZE = re.compile(r"[-_][0-9]{2,5}x(?:[0-9]{2,5})?(?=\.)")
"""What the name of an image says of its size."""
_FORMAT = re.compile(r"\.(?:jpe?g|png|webp|avif)\Z", re.IGNORECASE)
"""The end of such a name: a page may have one image in several formats."""
_NO_LEAD = re.compile(
    r"(?:^|[\s/_.-])(?:avatar|gravatar|author|logo|profile|sponsor|banner|icon|badge|share|advert|"
    r"facebook|twitter|linkedin|whatsapp|pinterest|digg|reddit|telegram|email|print)",
    re.IGNORECASE,
)
"""Images beside the content that are no part of it, by their addresses and alternative texts."""
_DRAWN = re.compile(
    r"(?:([*＊∗✱✻•·~～_#◆◇❖☆★※○●▪■-])(?:\s*\1){2,}|[—–―─](?:\s*[—–―─]){2,}|\.(?:\s+\.){2,}|"
    r"[⁂❦❧☙※＊◆◇❖✻])"
)
"""The text of a thematic break that is drawn with signs, such as ``* * *``."""
_NOT_DRAWN = frozenset(("table", "tr", "td", "th", "pre", "li", "h1", "h2", "h3", "h4", "h5", "h6"))
_MAX_DRAWN_CHARS = 100
_MAX_BELOW = 3
"""How many elements may be around an image directly beside a kept block, inside of the element that
holds the block."""


def chosen_pictures(
    pictures: Sequence[Picture],
    blocks: Sequence[Block],
    kept: Sequence[bool],
    headline: Collection[int],
    is_post: bool,
) -> Iterator[Picture]:
    """Yield the pictures and embeds of the content, in document order.

    They stand between two kept blocks, of which the first may be the headline, or directly before
    the first or after the last kept block. Successive ones of one name are one image in several
    sizes; the first is yielded. A picture that shares an element with dropped text that is mostly
    links is a teaser of another page, unless both kept blocks are in that element, too, or it
    stands directly beside one in an element without such text. Dropped captions make no teasers,
    nor do links beside them in a figure. Hidden pictures are yielded if both kept blocks are
    hidden, too. An embed whose texts are kept is left out. ``is_post``: all is of one post, which
    may begin and end with any picture.
    """
    kept_indexes = [i for i in range(len(kept)) if kept[i] or i in headline]
    if not pictures or not any(kept):
        return
    has_elements = any(picture.element for picture in pictures)
    inside = {n for b in compress(blocks, kept) for n in b.nodes} if has_elements else set[int]()
    if not is_post:  # others are not beside a kept block
        near = range(kept_indexes[0], kept_indexes[-1] + 2)
        pictures = [one for one in pictures if one.before in near]
    gap, edges, common, teasers = -1, list[int](), frozenset[int](), frozenset[int]()
    before: Span | None = None
    for picture in pictures:
        place = bisect_left(kept_indexes, picture.before)
        if place != gap:
            gap, before, edges = place, None, kept_indexes[max(0, place - 1) : place + 1]
            common, teasers = _around_gap(blocks, edges)
        if picture.element in inside or (
            picture.hidden and not all(blocks[i].hidden for i in edges)
        ):
            continue
        ends, is_of_teaser = len(edges) == 1, not teasers.isdisjoint(picture.nodes)
        if (is_of_teaser or (ends and not is_post)) and not any(
            kept[i] and _is_beside(picture, blocks, i, teasers) for i in edges
        ):
            continue
        if (ends or is_of_teaser or not kept[edges[0]]) and _NO_LEAD.search(
            f"{picture.span.src} {picture.span.alt}"
        ):
            continue
        is_again = before is not None and is_same(before, picture.span)
        if not (is_again or _is_icon(picture.span) or _is_outside(picture, common)):
            before = picture.span
            yield picture


def _is_outside(picture: Picture, common: frozenset[int]) -> bool:
    """Return whether a picture is in an element whose images are not content.

    ``common``: the elements around the kept blocks on both sides.
    """
    shows_larger = _SHOWN_LARGER if _FIGURE in picture.tags else ""
    tags = zip(picture.nodes, picture.tags, strict=True)
    return any(tag in _OUTSIDE and tag != shows_larger and node not in common for node, tag in tags)


def _around_gap(
    blocks: Sequence[Block], edges: Sequence[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the elements around both kept blocks beside a gap, and those of teasers in it.

    ``edges``: the indexes of the blocks; of one, if the gap is before or after all of them.
    """
    first, last = edges[0], edges[-1]
    common = frozenset(blocks[first].nodes) & frozenset(blocks[last].nodes)
    captioned = {*map(_captioned_figure, (blocks[i] for i in range(first, last + 1)))} - {0}
    teasers = (
        node
        for block in (blocks[i] for i in range(first + 1, last))
        if _is_mostly_link(block)
        and "figcaption" not in block.tags
        and captioned.isdisjoint(block.nodes)
        for node in block.nodes
    )
    return common, frozenset(teasers) - common


def _is_beside(
    picture: Picture, blocks: Sequence[Block], index: int, teasers: frozenset[int]
) -> bool:
    """Return whether a picture stands directly before or after a kept block, in the element that
    holds the block, and in none that a teaser shares and the block does not.
    """
    if picture.before not in (index, index + 1):
        return False
    block = blocks[index]
    depth = next(
        (i for i in reversed(range(len(block.tags))) if block.tags[i] not in INLINE_TAGS), 0
    )
    holder = block.nodes[depth - 1] if depth > 0 else 0
    if holder not in picture.nodes:
        return False
    inside = picture.nodes[picture.nodes.index(holder) :]
    begin = 1 if block.nodes[depth] in inside else 0
    return len(inside) <= _MAX_BELOW + 1 and teasers.isdisjoint(inside[begin:])


def is_same(one: Span, other: Span) -> bool:
    """Return whether two successive images are one in several sizes or formats, or two embeds the
    same.
    """
    if one.href != other.href and not (one.src and other.src):
        return False
    if one.alt and other.alt and one.alt != other.alt:
        return False
    return _name(one.src) == _name(other.src)


def _name(source: str) -> str:
    """Return the name of an image's file, without its size and its format."""
    path, _, query = source.partition("?")
    name = path.rpartition("/")[2]
    if "." not in name and (named := _IN_QUERY.search(f"?{query}")):
        return named[1]
    return _FORMAT.sub("", _SIZE.sub("", name))


def chosen_rules(
    rules: Sequence[Rule], blocks: Sequence[Block], kept: Sequence[bool]
) -> tuple[list[Rule], Sequence[bool]]:
    """Return the thematic breaks between two kept blocks, one for each gap, in document order; and
    ``kept`` without the blocks that are one, drawn with signs.

    The block directly before or after a break is kept: others stand between dropped texts.
    """
    chosen: list[Rule] = []
    drawn = _drawn_rules(blocks, kept)
    if drawn:
        signs = [Rule(i, blocks[i].tags, blocks[i].nodes) for i in drawn]
        rules = sorted((*rules, *signs), key=attrgetter("before"))
    texts = [keep and i not in drawn for i, keep in enumerate(kept)] if drawn else kept
    text_indexes = [i for i, is_text in enumerate(texts) if is_text]
    gap = -1
    for rule in rules:
        place = bisect_left(text_indexes, rule.before)
        if place == gap or not 0 < place < len(text_indexes):
            continue
        if kept[rule.before - 1] or kept[rule.before]:
            gap = place
            chosen.append(rule)
    return chosen, texts


def _drawn_rules(blocks: Sequence[Block], kept: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the kept blocks that are rows of signs between two others."""
    indexes = [i for i, keep in enumerate(kept) if keep][1:-1]
    short = (i for i in indexes if len(blocks[i].text) <= _MAX_DRAWN_CHARS)
    return frozenset(
        i
        for i in short
        if _DRAWN.fullmatch(blocks[i].text) and _NOT_DRAWN.isdisjoint(blocks[i].tags)
    )


def _is_icon(image: Span) -> bool:
    """Return whether the image is a drawing without meaning, such as an arrow."""
    return not image.alt and image.src.partition("?")[0].lower().endswith(".svg")


def _is_mostly_link(block: Block) -> bool:
    return block.link_chars > _MOSTLY_LINK * len(block.text)


def _captioned_figure(block: Block) -> int:
    """Return the element of the figure whose caption a block is, 0 if it is none; a link beside it
    shows the figure larger or saves it.
    """
    if _FIGURE not in block.tags or _is_mostly_link(block):
        return 0
    depth = block.tags.index(_FIGURE)
    named = "figcaption" in block.tags or _CAPTION in " ".join(block.class_words[depth + 1 :])
    return block.nodes[depth] if named else 0
