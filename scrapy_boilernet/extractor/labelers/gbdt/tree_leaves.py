"""The leaves of a block tree as columns of numbers: of their text and their place in the tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.block_numbers import block_numbers
from scrapy_boilernet.extractor.features.numbers import BLOCK_NUMBERS, GROUPS, Column
from scrapy_boilernet.extractor.features.table import Columns
from scrapy_boilernet.extractor.labelers.gbdt.block_tree import BlockTree

TAG_KINDS = {
    "heading": "h1 h2 h3 h4 h5 h6 hgroup",
    "p": "p",
    "list item": "li dd dt",
    "table cell": "td th caption",
    "article": "article",
    "main": "main",
    "section": "section",
    "nav": "nav menu",
    "aside": "aside",
    "header": "header",
    "footer": "footer address",
    "form": "form fieldset label button legend",
    "a": "a",
    "emphasis": "b strong em i",
    "quote or code": "blockquote pre code",
    "figure": "figure figcaption",
    "list": "ul ol dl",
    "table": "table",
}
"""Kinds of elements, and the tags of each."""
CLASS_KINDS = {
    "navigation": r"nav\w*|\w*menu\w*|breadcrumb\w*|crumbs?|tabs?|toolbar|topbar|"
    r"pag(?:er|ination|ing)",
    "footer": r"foot\w*|bottom|copyright|legal|colophon|disclaimer",
    "header": r"head(?!line)\w*|masthead|top|logo|brand\w*|banner",
    "sidebar": r"\w*sidebar\w*|side|aside|rail|right\w*|left\w*|secondary|tertiary",
    "comment": r"\w*comment\w*|disqus\w*|repl(?:y|ies)|respond\w*|discussion\w*|thread|forum|"
    r"kommentare?|comentarios?|commentaires?|avis",
    "article": r"\w*article\w*|story\w*|artikel\w*|articulo|news\w*|blog\w*",
    "content": r"\w*content\w*|contenido|contenu|inhalt|main\w*|primary|center|centre",
    "body": r"\w*body\w*|\w*text\w*|entry\w*|paragraph|para|prose|copy|description|desc",
    "post": r"post\w*|hentry|single|message",
    "related": r"relat\w*|similar|recommend\w*|popular|trending|latest|recent|more|most|also|"
    r"see|read|archives?|categor\w*",
    "share": r"shar(?:e|ing)\w*|social\w*|facebook|fb|twitter|tweet|like\w*|follow\w*|addthis|"
    r"bookmark\w*|digg|email|print|rss|feed",
    "advertisement": r"ads?|adv\w*|advert\w*|sponsor\w*|dfp|gpt|google|promo\w*|partner\w*|"
    r"offer\w*|deal\w*|shop\w*",
    "widget": r"widget\w*|module\w*|mod|plugin|gadget|block|box\w*|panel|portlet|card|teaser",
    "byline": r"author\w*|byline|by|date\w*|time\w*|posted|meta\w*|info|publish\w*|credit\w*|"
    r"source|dateline|bio",
    "title": r"title\w*|headline\w*|heading|subtitle|deck|lead|intro|summary|abstract|excerpt",
    "tag": r"tags?|topics?|keywords?|labels?|taxonomy|filed",
    "form": r"\w*form|search\w*|login|signin|signup|sign|subscri\w*|newsletter|register|poll|"
    r"vote|rating|input|captcha|cookie\w*|consent|modal|popup|overlay|dialog",
    "media": r"image\w*|img|photo\w*|gallery|caption\w*|video\w*|player|slide\w*|carousel|"
    r"thumb\w*|media|picture\w*",
    "hidden": r"hidden|hide|skip|invisible|noprint|screen|sr|accessibility",
    "list": r"list\w*|items?|index|table|row|grid|col\w*|results?",
}
"""Kinds of layout words in classes and ids, and a pattern of each for whole words in lower case."""

_TAG_BITS = {tag: 1 << bit for bit, tags in enumerate(TAG_KINDS.values()) for tag in tags.split()}
_CLASS_PATTERN = re.compile("|".join(f"({pattern})" for pattern in CLASS_KINDS.values()))


def tag_bits(tags: tuple[str, ...]) -> int:
    """Return the kinds of the tags as bits, the first of :data:`TAG_KINDS` as the lowest bit.

    >>> tag_bits(("ul", "li")) == tag_bits(("ul",)) | tag_bits(("li",))
    True
    """
    bits = 0
    for tag in tags:
        bits |= _TAG_BITS.get(tag, 0)
    return bits


@lru_cache(maxsize=1 << 13)
def class_bits(words: str) -> int:
    """Return the kinds of an element's class words as bits, in the order of :data:`CLASS_KINDS`.

    A word counts for the first kind that matches it.
    """
    bits = 0
    for word in words.split():
        if match := _CLASS_PATTERN.fullmatch(word):
            bits |= 1 << (match.lastindex or 1) - 1
    return bits


_NAMES = {
    group: [number.name.replace("blocks", "leaves").replace("block", "leaf") for number in numbers]
    for group, numbers in BLOCK_NUMBERS.items()
}
"""The names of the block numbers, with leaves instead of blocks."""


class Leaves:
    """The columns of a page's leaves that all groups of features read."""

    def __init__(self, tree: BlockTree) -> None:
        self.tree = tree
        self.columns = Columns.of(tree.leaves)
        self._numbers = block_numbers(tree.leaves, self.columns).astype(np.float64)
        leaves = len(self.columns.texts)
        self.joined: Column = np.bincount(tree.leaf_of, minlength=leaves).astype(np.float64)
        """Blocks per leaf: (leaves,), as the next two."""
        of_text = self.named("text")
        self.words = of_text["words"]
        self.link_words = self.words * of_text["link density"]

    def named(self, group: str) -> dict[str, Column]:
        """Return the unscaled values of a group of block numbers: (leaves,) per name.

        The groups are in :data:`scrapy_boilernet.extractor.features.numbers.BLOCK_NUMBERS`.
        """
        columns: dict[str, Column] = {}
        scaled = self._numbers[:, GROUPS[group]].T
        for name, number, column in zip(_NAMES[group], BLOCK_NUMBERS[group], scaled, strict=True):
            natural = number.natural(column)
            columns[name] = np.round(natural, 3) if number.log_divisor else natural
        return columns


FAR = 20.0
"""The levels to a kind of element that is nowhere above a leaf."""
_MIN_PROSE_WORDS = 10.0
_GRANDCHILD = 0.5
"""The share of its children's scores that a branch gets, as in Readability."""


def structural_features(leaves: Leaves) -> Mapping[str, Column]:
    """Return the features of the leaves' places in the tree: (leaves,) per name."""
    groups: tuple[Callable[[Leaves], Mapping[str, Column]], ...] = (
        lambda leaves: leaves.named("place"),
        lambda leaves: leaves.named("tree"),
        lambda leaves: leaves.named("kin"),
        _kind_levels,
        _sibling_features,
        _main_features,
    )
    return {name: column for group in groups for name, column in group(leaves).items()}


def prose_words(leaves: Leaves) -> Column:
    """Return the number of words of each leaf that is prose, and 0 for others: (leaves,)."""
    is_prose = (leaves.words >= _MIN_PROSE_WORDS) & (leaves.link_words < leaves.words / 3)
    return np.where(is_prose, leaves.words, 0.0)


def _kind_levels(leaves: Leaves) -> Mapping[str, Column]:
    """The number of nodes up to the nearest element of each kind; 0 for the leaf itself."""
    tree = leaves.tree
    bits_by_label = {
        "levels to {}": (TAG_KINDS, map(tag_bits, tree.tags)),
        "levels to class {}": (
            CLASS_KINDS,
            (class_bits(" ".join(filter(None, words))) for words in tree.class_words),
        ),
    }
    columns: dict[str, Column] = {}
    for label, (kinds, bits) in bits_by_label.items():
        levels = _levels_up(tree, bits, len(kinds))[tree.branches :]
        columns |= {label.format(kind): levels[:, i] for i, kind in enumerate(kinds)}
    columns["depth in branches"] = tree.depths[tree.branches :].astype(np.float64)
    return columns


def _levels_up(tree: BlockTree, bits: Iterable[int], kinds: int) -> NDArray[np.float64]:
    """Per node and kind the number of nodes up to the nearest one, at most FAR: (nodes, kinds)."""
    of_node = np.fromiter(bits, dtype=np.int64, count=len(tree.parents))
    has = (of_node[:, None] >> np.arange(kinds)) & 1 > 0
    levels = np.full(has.shape, FAR)
    for nodes in tree.levels():
        above = levels[tree.parents[nodes]] + 1 if tree.depths[nodes[0]] else FAR
        levels[nodes] = np.where(has[nodes], 0.0, np.minimum(above, FAR))
    return levels


def _sibling_features(leaves: Leaves) -> Mapping[str, Column]:
    """The other children of each leaf's branch."""
    tree, n = leaves.tree, len(leaves.words)
    parents = tree.parents[tree.branches :]
    of_leaf = np.stack([np.ones(n), leaves.words, leaves.link_words, prose_words(leaves)], axis=1)
    sums = np.zeros((len(tree.parents), 4))
    np.add.at(sums, parents, of_leaf)
    count, words, links, prose = (sums[parents] - of_leaf).T
    children = np.bincount(tree.parents[1:], minlength=len(tree.parents))
    return {
        "leaves beside it": count,
        "branches beside it": children[parents] - count - 1.0,
        "words per leaf beside it": words / np.maximum(count, 1),
        "link density beside it": links / np.maximum(words, 1),
        "prose beside it": prose / np.maximum(words, 1),
    }


def _main_features(leaves: Leaves) -> Mapping[str, Column]:
    """The distance of each leaf from the branches with most prose."""
    tree = leaves.tree
    prose = prose_words(leaves)
    parents = tree.parents[tree.branches :]
    in_subtree = tree.subtree_sums(prose)
    total = max(float(prose.sum()), 1.0)
    scores = np.bincount(parents, prose, minlength=len(tree.parents))
    scores = scores + _GRANDCHILD * np.bincount(
        np.maximum(tree.parents, 0), scores, minlength=len(tree.parents)
    )
    columns: dict[str, Column] = {}
    ends = {"main branch": int(scores.argmax()), "largest text": _largest(tree, prose)}
    for name, end in ends.items():
        up, joint = _path_to(tree, end)
        up, joint = up[tree.branches :], joint[tree.branches :]
        columns[f"levels to a branch around the {name}"] = up
        columns[f"levels from there to the {name}"] = tree.depths[end] - tree.depths[joint] + 0.0
        columns[f"page's prose in the branch that it shares with the {name}"] = (
            in_subtree[joint] / total
        )
    columns["page's prose in the main branch"] = np.full(
        len(prose), in_subtree[ends["main branch"]] / total
    )
    return columns


def _largest(tree: BlockTree, prose: Column) -> int:
    """The leaf with most prose; the root if there is none."""
    return tree.branches + int(prose.argmax()) if prose.any() else 0


def _path_to(tree: BlockTree, end: int) -> tuple[Column, NDArray[np.int64]]:
    """Per node the first of its ancestors that is also one of ``end``: levels up, and number.

    A node counts as an ancestor of itself.
    """
    on_path = np.zeros(len(tree.parents), dtype=np.bool_)
    node = end
    while node >= 0:
        on_path[node] = True
        node = int(tree.parents[node])
    up, joint = np.zeros(len(tree.parents)), np.arange(len(tree.parents))
    for nodes in tree.levels()[1:]:
        off = nodes[~on_path[nodes]]
        up[off] = up[tree.parents[off]] + 1
        joint[off] = joint[tree.parents[off]]
    return up, joint
