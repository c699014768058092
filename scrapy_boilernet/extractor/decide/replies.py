"""The replies of a thread of which the model keeps hardly more than the first post, and single
posts that it loses.

Some forums mark replies up as readers' comments, and a model that is sure of the first post drops
all of them. On a page that says that it is a thread, the texts of posts are kept as a whole.
``docs/results/quality/steps.md`` tells what that gains, by models that had not seen the pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.threads import (
    BESIDE_POST_TEXT,
    POST_TEXT,
    is_surely_thread,
)
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_BODY = lazy_pattern(rf"\b(?:{POST_TEXT}|content text break)\b|\Apost\Z")
"""Class words of the element in a post that holds its text. Those of NodeBB name no post."""
_STEMS = (
    "post comm message msg reply response topic entry user answer question discussion forum".split()
)
_STEMS += "review status toptext wrapper cooked prose break".split()
"""Every text in which ``_BODY`` finds something has one of these."""
_of_bodies = ClassNames(_STEMS, _BODY)
_NO_BODY = lazy_pattern(
    rf"\b(?:{BESIDE_POST_TEXT}|preview|related|similar|suggested|teaser|line clamp)\b"
)
"""Class words of what stands in a post beside its text, or names other pages."""
_NO_POSTS = re.compile(
    r"\Aside\Z|\b(?:titlebox|teaser|lastpost|"
    r"(?:related|similar|suggested) ?(?:topics?|threads?|posts?|discussions?|questions?))\b"
)
"""Those of an element in which no posts are, or those of other threads."""
_PAGE_TAGS = frozenset(("html", "body", "main"))
"""Elements of the page as a whole, whatever their classes say."""
_NO_POST_TAGS = frozenset(("nav", "footer", "aside", "select"))
_NO_TEXT_TAGS = frozenset(("button", "form"))
"""No text of a post is in one of these, but a form may be around posts."""
_MIN_WORDS = 30
"""Words of six characters that replies have together."""
_MOST_KEPT = 0.5
"""The share of replies that the model keeps, above which it has decided about them, and posts of
which it keeps nothing are lost ones."""
_LEAST_OF_KEPT = 0.3
"""How many words the replies have per word that is kept elsewhere. Comments below the posts of a
question have fewer."""
_POSTS = 2
"""If the texts of so many other posts are kept, the replies are among them."""


def complete_replies(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return ``kept`` with the replies of a thread, if hardly any of them are kept, and no other
    posts but the first; and with posts of which nothing is kept, if most posts like them are.
    Hidden blocks and copies of what is kept are not added.
    """
    if not is_surely_thread(page) or not kept.any():  # as on most pages
        return kept
    groups = _posts_of(page)
    words, completed = page.words, kept.copy()
    kept_words = words * kept
    all_kept = float(kept_words.sum())
    in_part = {name: sum(bool(kept[p].any()) for p in posts) for name, posts in groups.items()}
    all_in_part = sum(in_part.values())
    texts = {page.texts[i] for i in kept.nonzero()[0].tolist()}
    for name, posts in groups.items():
        places = [i for post in posts for i in post]
        own, own_kept = float(words[places].sum()), float(kept_words[places].sum())
        if own_kept > _MOST_KEPT * own:
            if in_part[name] >= max(_POSTS, len(posts) / 2):
                completed[[*_lost_among(page, posts, kept, texts)]] = True
        elif (
            own >= _MIN_WORDS
            and own - own_kept >= _LEAST_OF_KEPT * (all_kept - own_kept)
            and all_in_part - in_part[name] < _POSTS
        ):
            completed[places] = True
    return completed


def _posts_of(page: Page) -> dict[str, list[list[int]]]:
    """Return the shown blocks of each text of a post, by the class words of the texts."""
    bodies = _of_bodies.on(page)
    pairs, path_places = page.paths
    steps = [_step(*pair) if not bodies.isdisjoint(pair[1]) else 0 for pair in pairs]
    (nodes, _), starts = page.nodes, page.starts
    posts: dict[tuple[str, int], list[int]] = defaultdict(list)
    for i, place in enumerate(path_places):
        if (step := steps[place]) and page.shown[i]:
            posts[pairs[place][1][step], int(nodes[starts[i] + step])].append(i)
    groups: dict[str, list[list[int]]] = defaultdict(list)
    for (name, _), places in posts.items():
        groups[name].append(places)
    return groups


def _lost_among(
    page: Page, posts: list[list[int]], kept: NDArray[np.bool_], texts: AbstractSet[str]
) -> Iterator[int]:
    """Yield the blocks of the posts of which nothing is kept, but for copies of the kept texts."""
    for places in posts:
        longest = max((page.texts[i] for i in places), key=len)
        if longest not in texts and not kept[places].any():
            yield from places


@lru_cache(maxsize=1 << 13)  # every page of a site has the same paths
def _step(tags: Ancestors, class_words: Ancestors) -> int:
    """Return the step of the innermost element that holds the text of a post, for a block with this
    path; 0 if it is in none, or beside the text.
    """
    if not _NO_POST_TAGS.isdisjoint(tags):
        return 0
    for step in range(len(class_words) - 1, 0, -1):
        if tags[step] in _NO_TEXT_TAGS or _NO_BODY.search(class_words[step]):
            return 0
        if _BODY.search(class_words[step]):
            around = zip(tags[:step], class_words, strict=False)
            is_elsewhere = any(
                tag not in _PAGE_TAGS and _NO_POSTS.search(words) for tag, words in around
            )
            return 0 if is_elsewhere else step
    return 0
