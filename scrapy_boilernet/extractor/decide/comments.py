"""Finds the comments and reviews of readers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Literal, NamedTuple

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.threads import states_article_or_product
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_Area = Literal["comments", "tools", "elsewhere"]

_COMMENT_AREA = lazy_pattern(
    r"\b(?:comment\w*|cmts|cmt (?:list|item|body|text)|disqus|dsq|livefyre|replies|responses|"
    r"reviews|reviewlist|customer review|forum (?:message|texte)|"
    r"(?:leser)?komm?entar\w*|komment(?:it|ti\w*)|koment\w*|comentari\w*|reacties?|yorum(?:lar\w*)?|"
    r"otzyv\w*|hozzaszolas\w*|binh ?luan|pinglun|sxolia)\b"
)
"""Class words of an element that holds comments, such as WordPress's ``commentlist``, in several
languages."""
_COMMENT_STEMS = "comment cmt disqus dsq livefyre replies responses review forum".split()
_COMMENT_STEMS += "koment komment comentari reactie yorum otzyv hozzaszolas luan pinglun".split()
_COMMENT_STEMS += ["sxolia"]
"""Every text in which ``_COMMENT_AREA`` finds something has one of these."""
_NO_COMMENT_AREA = re.compile(
    r"\b(?:form|recent|latest|popular|most|top|widget|links?|count|counter|preview|guidelines|live|"
    r"teaser|outbrain|bar|button|toggle|icon|disclosure|label|category|cmt|testimonials?)\b"
)
"""Class words that, beside one of ``_COMMENT_AREA``, show that an element has no comments of this
page."""
_ELSEWHERE = re.compile(r"\b(?:recent|latest|popular|widget|sidebar)\b")
"""Class words of an element around a comment area. If it holds no main text, the comments are those
of other pages."""
_NEAR_LEVELS = 3
"""Ancestors of a comment area in which ``_ELSEWHERE`` is searched; farther ones are layout."""
_NO_AREA_TAGS = frozenset({"html", "body", "a", "button"})
_CODE_TAGS = frozenset({"pre", "code"})
"""Elements of code, in which a class such as ``comment`` is one of a highlighter."""
_SURE_AREA = lazy_pattern(
    r"\bcomments? (?:area|body|box|block|container|content|data|entry|group|header|info|item|list|"
    r"main|meta|metadata|row|section|stream|text|thread|tree|wrap|wrapper)\b|"
    r"\b(?:commentlist|commentbody|commenttext|comments?(?:area|block|container|list|section|wrap\w*)|"
    r"disqus\w*|dsq|livefyre|reviewlist|product reviews?|customer reviews?|"
    r"(?:readers?|users?|visitors?) (?:comments?|reviews)|forum (?:message|texte)|thread replies)\b"
)
"""Class words that name readers' comments beyond doubt. Others, such as the id ``comments``, may be
those of a manual's section."""
_WRITTEN_BY = lazy_pattern(
    r"\b(?:authors?|avatars?|byline|cite|commenter|dates?|fn|gravatar|nick\w*|permalink|posted|"
    r"profile|published|rating|reply|reviewer|says|stars?|time\w*|user(?:names?|pic)?|vcard|votes?|"
    r"comments? (?:author|body|content|date|head|header|info|item|meta|text)|"
    r"(?:review|response) (?:author|body|date|text|title)|hreview|comment)\b"
)
"""Class words of what stands in a comment: who wrote it, and when."""
_WRITTEN_BY_TAGS = frozenset({"time", "form", "textarea"})
_TOOLS = re.compile(
    r"\b(?:form|respond|commentform|preview|links?|share|flag|login|tools|paging|pagination|"
    r"votes?|count|rating)\b"
)
"""Class words of controls for readers in a comment area."""
_OF_ARTICLES = re.compile(
    r"\b(?:comments? indent|blog comments?|dsq|disqus|livefyre|leave comment|commentlist|"
    r"comment respond|wp block comment|(?:customer|product) reviews?|reviewlist)\b"
)
"""Class words of comments below articles of blogs, and of reviews of products."""
_REPLIES = re.compile(r"\b(?:replies|responses)\b")
"""Those of answers to a post, which may state that it is an article."""
_MIN_MAIN_WORDS = 10
"""Words of main text, of six characters each, that must come before comments. If there are fewer,
the comments are a thread, which is main text."""

_SIGNATURE = re.compile(r"\b(?:signatures?|post ?sig|user ?sig|forum ?sig)\b")
"""Class words of what members of a forum set below all of their posts."""
_OF_POST = re.compile(
    r"\b(?:post\w*|messages?|comments?|threads?|topics?|forums?|bbp|repl(?:y|ies))\b"
)
"""Class words of a post, or of what holds posts."""
_OF_CODE = re.compile(
    r"\b(?:members?|methods?|functions?|funcs?|types?|instances?|class|property|properties|"
    r"attributes?|fields?|modules?|constructors?|tsd|api|sig object|code)\b"
)
"""Class words by which the signature is that of a function, in a manual. The function may have the
name ``post`` and this as its id."""
_SIGNATURE_STEMS = "signat", "sig"
_MIN_SIGNATURES = 2
"""A single one is that of a letter or an article."""
_HEADINGS = frozenset({"h1", "h2", "h3"})
_ALL_HEADINGS = _HEADINGS | {"h4", "h5", "h6"}
_NO_SIGNATURES = _ALL_HEADINGS | _CODE_TAGS | {"dt", "summary"}
"""Elements in which a signature is that of a function, too."""
_ROOTS = frozenset({"html", "body"})


class _Place(NamedTuple):
    """Where the blocks of a path are."""

    area: _Area
    beside: tuple[int, ...]
    """Depths of the elements around a comment area whose class words are those of a sidebar or a
    widget. If they hold main text, they are the page's layout."""


_NOWHERE = _Place("elsewhere", ())
"""The place of most blocks."""


def find_comments(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the blocks of readers' comments, with their authors and dates.

    Customers' reviews are comments, too. There are none if no main text comes before them: such a
    thread is the main text itself.
    """
    areas = {*_of_areas.on(page)}
    if not areas:
        return frozenset()
    pairs, places_of = page.paths
    named = [i for i, (_, class_words) in enumerate(pairs) if not areas.isdisjoint(class_words)]
    areas = _areas_of_readers([pairs[i] for i in named], areas, "ld:product" in page.head.words)
    of_pairs = {i: _place_of(*pairs[i], areas) for i in named}
    if not any(place.area == "comments" for place in of_pairs.values()):
        return frozenset()
    places = [of_pairs.get(i, _NOWHERE) for i in range(len(pairs))]
    comment_blocks = []
    main_words = 0.0
    main_nodes: set[int] = set()
    widgets = any(place.beside for place in places)

    def nodes(i: int) -> tuple[int, ...]:
        return page.blocks_at((i,))[0].nodes

    for i, (number, is_decided) in enumerate(zip(places_of, decided, strict=True)):
        area, beside = places[number]
        is_main = area == "elsewhere"
        if is_main and is_decided and widgets:
            main_nodes.update(nodes(i))
        if is_main or (beside and not main_nodes.issuperset(map(nodes(i).__getitem__, beside))):
            if (
                is_decided
                and main_words < _MIN_MAIN_WORDS
                and _HEADINGS.isdisjoint(pairs[number][0][-3:])
            ):
                main_words += len(page.texts[i]) / 6
        elif main_words >= _MIN_MAIN_WORDS and area == "comments" and not page.hidden[i]:
            comment_blocks.append(i)
    return frozenset(comment_blocks)


def are_of_article(page: Page, comments: Collection[int]) -> bool:
    """Return whether these comments are below an article or a product: their class words tell it,
    or the page states it, and they are not named replies.

    ``comments``: the indexes of their blocks.
    """
    pairs, places_of = page.paths
    found = {words for place in {places_of[i] for i in comments} for words in pairs[place][1]}
    if any(map(_OF_ARTICLES.search, found)):
        return True
    return states_article_or_product(page) and not any(map(_REPLIES.search, found))


def find_signatures(page: Page) -> frozenset[int]:
    """Return the indexes of the blocks of signatures below the posts of a thread."""
    named = _of_signatures.on(page)
    if not named:
        return frozenset()
    pairs, places_of = page.paths
    signed = [_is_signature(tags, class_words, named) for tags, class_words in pairs]
    found = [i for i, place in enumerate(places_of) if signed[place]]
    return frozenset(found) if len(found) >= _MIN_SIGNATURES else frozenset()


def _is_signature(tags: Ancestors, class_words: Ancestors, named: AbstractSet[str]) -> bool:
    """Return whether a block of this path is in the signature of a post, not of a function.

    ``named``: the class words of the page that name signatures.
    """
    if named.isdisjoint(class_words) or not _NO_SIGNATURES.isdisjoint(tags):
        return False
    around = (words for tag, words in zip(tags, class_words, strict=True) if tag not in _ROOTS)
    return any(map(_OF_POST.search, around))


def _names_signature(words: str) -> bool:
    return _SIGNATURE.search(words) is not None and not _OF_CODE.search(words)


_of_signatures = ClassNames(_SIGNATURE_STEMS, _names_signature)


def _areas_of_readers(
    pairs: Sequence[tuple[Ancestors, Ancestors]], areas: set[str], is_product: bool
) -> set[str]:
    """Return the class words among ``areas`` that surely name comments of readers.

    A manual may have a section with the id ``comments``. An area with a heading that is not named
    beyond doubt counts only if a block in it has class words that tell who wrote it, and when; or,
    on the page of a product, if it names reviews.
    """
    sure = {words for words in areas if _is_sure(words) or (is_product and "reviews" in words)}
    unsure: set[str] = set()
    with_heading: set[str] = set()
    for tags, class_words in pairs:
        depth = _area_depth(tags, class_words, areas)
        if depth is None or class_words[depth] in sure:
            continue
        unsure.add(class_words[depth])
        inside = zip(tags[depth + 1 :], class_words[depth + 1 :], strict=True)
        if _CODE_TAGS.isdisjoint(tags) and any(
            tag in _WRITTEN_BY_TAGS or (tag != "section" and _tells_writer(words))
            for tag, words in inside
        ):
            sure.add(class_words[depth])
        elif not _ALL_HEADINGS.isdisjoint(tags[depth + 1 :]):
            with_heading.add(class_words[depth])
    return sure | (unsure - with_heading)


@lru_cache(maxsize=1 << 12)
def _is_sure(words: str) -> bool:
    return _SURE_AREA.search(words) is not None


@lru_cache(maxsize=1 << 12)
def _tells_writer(words: str) -> bool:
    return bool(_WRITTEN_BY.search(words)) and "section" not in words


def _place_of(tags: Ancestors, class_words: Ancestors, areas: set[str]) -> _Place:
    """Return the area that a block of this path is in: comments, their controls, or neither."""
    depth = None if areas.isdisjoint(class_words) else _area_depth(tags, class_words, areas)
    if depth is None or "aside" in tags[:depth]:
        return _NOWHERE
    near = range(max(0, depth - _NEAR_LEVELS), depth)
    beside = tuple([d for d in near if _is_elsewhere(class_words[d])])
    written = _is_written(tags[depth:], class_words[depth + 1 :])
    return _Place("comments" if written else "tools", beside)


def _area_depth(tags: Ancestors, class_words: Ancestors, areas: set[str]) -> int | None:
    """Return the depth of the outermost element of the path that holds comments, or None."""
    for depth, words in enumerate(class_words):
        if words in areas and tags[depth] not in _NO_AREA_TAGS:
            return depth if _CODE_TAGS.isdisjoint(tags[: depth + 1]) else None
    return None


@lru_cache(maxsize=1 << 12)
def _is_elsewhere(words: str) -> bool:
    return _ELSEWHERE.search(words) is not None


@lru_cache(maxsize=1 << 12)
def _is_tool(words: str) -> bool:
    return _TOOLS.search(words) is not None


def _names_area(words: str) -> bool:
    return bool(_COMMENT_AREA.search(words)) and not _NO_COMMENT_AREA.search(words)


_of_areas = ClassNames(_COMMENT_STEMS, _names_area)


def _is_written(inside: Ancestors, class_words: Ancestors) -> bool:
    """Return whether a block in these elements of a comment area is text, not a control."""
    if "form" in inside or "button" in inside:
        return False
    return not any(map(_is_tool, class_words))
