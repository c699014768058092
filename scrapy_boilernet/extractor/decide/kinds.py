"""The kind of a block: title, main text, caption or readers' comment.

Gold standards and users disagree on whether headline, captions and comments belong to the main
text. So rules find them here, and settings decide. The rules were developed on the training part of
Dragnet (Peters and Lecocq 2013), whose gold keeps comments apart, and on half of the domains of a
set of 725 pages in some 40 languages, whose gold has title, captions and comments. The results on
both halves and on Dragnet are in ``docs/results/quality/kinds.md``, which
``benchmarks/quality/kinds.py`` writes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import compress
from typing import Literal, NamedTuple

from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.options import BlockKind, CommentOption, LabelOptions, Step
from scrapy_boilernet.extractor.page import Ancestors, Page

_Area = Literal["comments", "tools", "elsewhere"]

_COMMENT_AREA = re.compile(
    r"\b(?:comment\w*|cmts|cmt (?:list|item|body|text)|disqus|dsq|livefyre|replies|responses|"
    r"reviews|reviewlist|customer review|forum (?:message|texte))\b"
)
"""Class words of an element that holds comments, such as WordPress's ``commentlist``."""
_COMMENT_STEMS = "comment cmt disqus dsq livefyre replies responses review forum".split()
"""Every text in which ``_COMMENT_AREA`` finds something has one of these."""
_NO_COMMENT_AREA = re.compile(
    r"\b(?:form|recent|latest|popular|most|top|widget|links?|count|counter|preview|guidelines|live|"
    r"teaser|outbrain|bar|button|toggle|icon|disclosure|label|category|cmt)\b"
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
_SURE_AREA = re.compile(
    r"\bcomments? (?:area|body|box|block|container|content|data|entry|group|header|info|item|list|"
    r"main|meta|metadata|row|section|stream|text|thread|tree|wrap|wrapper)\b|"
    r"\b(?:commentlist|commentbody|commenttext|comments?(?:area|block|container|list|section|wrap\w*)|"
    r"disqus\w*|dsq|livefyre|reviewlist|product reviews?|customer reviews?|"
    r"(?:readers?|users?|visitors?) (?:comments?|reviews)|forum (?:message|texte)|thread replies)\b"
)
"""Class words that name readers' comments beyond doubt. Others, such as the id ``comments``, may be
those of a manual's section."""
_WRITTEN_BY = re.compile(
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
_MIN_MAIN_WORDS = 10
"""Words of main text, of six characters each, that must come before comments. If there are fewer,
the comments are a thread, which is main text."""

_THREAD_WORDS = ("forum", "thread", "topic", "qapage", "discussion", "question", "b:vb")
"""Words in the head or the URL of a thread; the last one is vBulletin's class of the body."""

_HEADINGS = frozenset({"h1", "h2", "h3"})
_ALL_HEADINGS = _HEADINGS | {"h4", "h5", "h6"}
_HEADLINE_WORDS = ("title", "headline")
_HEADLINE = re.compile(rf"\b(?:{'|'.join(_HEADLINE_WORDS)})\b")
_OUTSIDE = frozenset({"nav", "aside", "footer"})
_LOGO = re.compile(
    r"\b(?:logo|brand|masthead|site (?:title|name|header)|blog title|titlewrapper)\b"
)
"""Class words of an element with the site's name, which is also in the page's title."""
_LOGO_LEVELS = 4
_H1_BONUS = 0.3
"""What ``h1`` adds to the likeness of a heading; site names and sections are often ``h2``."""
_PARTS = re.compile(r"\s+[-–—/·:]+\s+|\s*[|»«•]\s*|:\s+")
"""What separates headline and site in a page's title."""
_MIN_CONTAINED, _MIN_SCORE = 0.6, 0.5
_LEAD_WORDS = 30
"""Words of content, of six characters each, that may stand before the title: a kicker, a byline."""

_CAPTION = re.compile(
    r"\b(?:caption\w*|figcaption|cutline|bildunterschrift|legend[ae]|credit|copyright|"
    r"(?:photo|image|img|media|foto|picture) (?:credits?|metadata|source|author|legend\w*))\b"
)
"""Class words of the element of a caption. Elements around it are not searched: they often hold a
whole gallery or footer."""
_CAPTION_STEMS = (
    "caption cutline bildunterschrift legend credit copyright metadata source author".split()
)
"""Every text in which ``_CAPTION`` finds something has one of these."""
_CREDIT = re.compile(
    r"\W*(?:foto|photo|image|bild|cr[ée]dits? photos?|imagen|снимка|фото|bildquelle)s?"
    r"(?: credit| by)?\s*[:©/]",
    re.IGNORECASE,
)
"""How a photo credit begins; it has one of the signs ``:``, ``/`` and ``©``."""
_CAPTION_CHARS, _CREDIT_CHARS = 500, 120
"""Characters of the longest caption, and of the longest block that is one by its beginning."""
_OUTSIDE_CAPTIONS = frozenset({"nav", "footer"})
_BLOCKS_BEFORE, _BLOCKS_AFTER = 20, 1
"""How many blocks before the first and after the last block of content a caption can be. Captions
of other articles are farther away."""


class Found(NamedTuple):
    """The indexes of the blocks of some kinds, by the names of the options for them."""

    captions: frozenset[int]
    comments: frozenset[int]
    title: frozenset[int]


def found_in(page: Page, decided: Sequence[bool]) -> Found:
    """Return the captions, comments and titles of a page.

    ``decided``: per block whether it is content before the options for these kinds are applied, so
    that the options do not change what is found.
    """
    captions, comments = find_captions(page, decided), find_comments(page, decided)
    return Found(captions, comments, find_title(page, decided))


def apply_options(
    options: LabelOptions, page: Page, found: Found, kept: list[bool], steps: list[Step]
) -> None:
    """Apply the options for captions, comments and titles to ``kept`` and ``steps``.

    ``kept``, ``steps``: per block whether it is content, and the step that decided it.
    """
    rules: tuple[tuple[Step, CommentOption, frozenset[int]], ...] = (
        ("captions", options.captions, found.captions),
        ("comments", options.comments, found.comments),
        ("title", options.title, found.title),
    )
    for step, choice, places in rules:
        if choice == "auto":
            choice = "drop" if options.threshold is None and not is_thread(page) else "model"
        for i in places if choice != "model" else ():
            if kept[i] != (choice == "keep"):
                kept[i], steps[i] = not kept[i], step


def block_kinds(page: Page, kept: Sequence[bool], found: Found) -> tuple[BlockKind, ...]:
    """Return the kind of each block. ``kept``: per block whether it is content in the end."""
    columns = zip(kept, page.hidden, strict=True)
    kinds: list[BlockKind] = [
        "main" if keep else "hidden" if hidden else "boilerplate" for keep, hidden in columns
    ]
    others: tuple[tuple[BlockKind, frozenset[int]], ...] = (
        ("caption", found.captions), ("comment", found.comments), ("title", found.title),
    )  # fmt: skip
    for kind, places in others:
        for i in places:
            kinds[i] = kind
    return tuple(kinds)


def is_thread(page: Page) -> bool:
    """Return whether the page's head or URL shows that it is a forum, discussion or question."""
    stated = " ".join(page.head.words) + " " + (page.url or "").lower()
    return any(word in stated for word in _THREAD_WORDS)


def find_title(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the index of the page's headline, and the indexes of equal blocks right after it.

    Candidates are headings and blocks of a class such as ``headline``, before or at the beginning
    of the content, but not the site's name. The headline is the candidate that is most like the
    page's title or the longest part of it; if none is like it, the last ``h1`` among them. A page
    without content has no headline.
    """
    candidates = [tokens(page.title), *map(tokens, _PARTS.split(page.title))]
    # The title is counted only once: it can be long, and there can be many headings.
    longest_part = max(candidates[1:], key=len)
    titles = [(Counter(words), len(words)) for words in (candidates[0], longest_part)]
    either = {*candidates[0], *longest_part}
    best, best_score, last_h1 = -1, 0.0, -1
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    for i in _headings_of(page, _end_of_lead(texts, decided)):
        if hidden[i]:
            continue
        words, score = tokens(texts[i]), 0.0
        if not either.isdisjoint(words):
            own = Counter(words)
            score = max(_likeness(own, *title) for title in titles)
        if "h1" in pairs[places[i]][0][-3:]:
            last_h1 = i
            score += _H1_BONUS if score else 0.0
        if score > best_score:
            best, best_score = i, score
    best = last_h1 if best < 0 else best
    end = best + 1
    while 0 < end < len(texts) and texts[end] == texts[best]:
        end += 1
    same = range(best, end) if best >= 0 else ()
    return frozenset(i for i in same if not hidden[i])


def _end_of_lead(texts: Sequence[str], decided: Sequence[bool]) -> int:
    """Return the index behind the last block in which the headline may be; 0 without content."""
    lead = 0
    for i in compress(range(len(texts)), decided):
        lead += len(texts[i])
        if lead > 6 * _LEAD_WORDS:
            return i + 1
    return len(texts) if lead else 0


def _headings_of(page: Page, end: int) -> list[int]:
    """Return the indexes of the blocks before ``end`` that may be the page's headline."""
    pairs, places = page.paths
    named = {*filter(_HEADLINE.search, page.class_words_with(_HEADLINE_WORDS))}
    pairs = pairs[: 1 + max(places[:end], default=-1)]
    may_be = [_is_of_heading(*pair, named) for pair in pairs]
    return [i for i, place in enumerate(places[:end]) if may_be[place]]


def _is_of_heading(tags: Ancestors, class_words: Ancestors, named: AbstractSet[str]) -> bool:
    """Return whether a block of this path may be the page's headline.

    ``named``: the class words that name a headline.
    """
    if _HEADINGS.isdisjoint(tags[-3:]) and named.isdisjoint(class_words[-3:]):
        return False
    return _OUTSIDE.isdisjoint(tags) and not _LOGO.search(" ".join(class_words[-_LOGO_LEVELS:]))


def _likeness(block: Counter[str], title: Counter[str], title_size: int) -> float:
    """Return the F1 of the common tokens; 0.0 if it is too low, or they are too few of the block's.

    ``title_size``: how many tokens ``title`` counts. The time depends only on the block's size.
    """
    size = block.total()
    common = sum(min(number, title[token]) for token, number in block.items())
    score = 2 * common / max(size + title_size, 1)
    return score if common >= _MIN_CONTAINED * size and score >= _MIN_SCORE else 0.0


def find_captions(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the captions and photo credits in the content, or close to it.

    They are the blocks of ``figcaption`` or of an element with a class such as ``caption``, and
    blocks that begin like a photo credit. A page without content has none.
    """
    content = [i for i, keep in enumerate(decided) if keep]
    if not content:
        return frozenset()
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    names = {*filter(_CAPTION.search, page.class_words_with(_CAPTION_STEMS))}
    begin, end = max(0, content[0] - _BLOCKS_BEFORE), content[-1] + _BLOCKS_AFTER + 1
    named: dict[int, bool | None] = {}
    captions = []
    for i, (text, place) in enumerate(zip(texts[begin:end], places[begin:end], strict=True), begin):
        if place not in named:
            named[place] = _is_named_caption(*pairs[place], names)
        if hidden[i] or len(text) > _CAPTION_CHARS or named[place] is None:
            continue
        may_be_credit = len(text) < _CREDIT_CHARS and (":" in text or "/" in text or "©" in text)
        if named[place] or (may_be_credit and _CREDIT.match(text)):
            captions.append(i)
    return frozenset(captions)


def _is_named_caption(
    tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]
) -> bool | None:
    """Return whether the element of a path is named as a caption; None if it cannot be one.

    ``names``: the class words that name captions.
    """
    if not _OUTSIDE_CAPTIONS.isdisjoint(tags):
        return None
    return "figcaption" in tags or (class_words[-1] in names and "table" not in tags)


class _Place(NamedTuple):
    """Where the blocks of a path are."""

    area: _Area
    beside: tuple[int, ...]
    """Depths of the elements around a comment area whose class words are those of a sidebar or a
    widget. If they hold main text, they are the page's layout."""


def find_comments(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the blocks of readers' comments, with their authors and dates.

    Customers' reviews are comments, too. There are none if no main text comes before them: such a
    thread is the main text itself.
    """
    areas = {*filter(_names_area, page.class_words_with(_COMMENT_STEMS))}
    if not areas:
        return frozenset()
    pairs, places_of = page.paths
    areas = _areas_of_readers(pairs, areas, "ld:product" in page.head.words)
    places = [_place_of(tags, class_words, areas) for tags, class_words in pairs]
    if not any(place.area == "comments" for place in places):
        return frozenset()
    comment_blocks = []
    main_words = 0.0
    main_nodes: set[int] = set()
    is_heading = [any(tag in _HEADINGS for tag in tags[-3:]) for tags, _ in pairs]
    widgets = any(place.beside for place in places)

    def nodes(i: int) -> tuple[int, ...]:
        return page.blocks_at((i,))[0].nodes

    for i, (text, number) in enumerate(zip(page.texts, places_of, strict=True)):
        area, beside = places[number]
        if widgets and area == "elsewhere" and decided[i]:
            main_nodes.update(nodes(i))
        if area == "elsewhere" or (
            beside and not main_nodes.issuperset(map(nodes(i).__getitem__, beside))
        ):
            main_words += len(text) / 6 if decided[i] and not is_heading[number] else 0
        elif main_words >= _MIN_MAIN_WORDS and area == "comments" and not page.hidden[i]:
            comment_blocks.append(i)
    return frozenset(comment_blocks)


def _areas_of_readers(
    pairs: Sequence[tuple[Ancestors, Ancestors]], areas: set[str], is_product: bool
) -> set[str]:
    """Return the class words among ``areas`` that surely name comments of readers.

    A manual may have a section with the id ``comments``. An area with a heading that is not named
    beyond doubt counts only if a block in it has class words that tell who wrote it, and when; or,
    on the page of a product, if it names reviews.
    """
    sure = {
        words for words in areas if _SURE_AREA.search(words) or (is_product and "reviews" in words)
    }
    unsure: set[str] = set()
    with_heading: set[str] = set()
    for tags, class_words in pairs:
        depth = None if areas.isdisjoint(class_words) else _area_depth(tags, class_words, areas)
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
def _tells_writer(words: str) -> bool:
    return bool(_WRITTEN_BY.search(words)) and "section" not in words


def _place_of(tags: Ancestors, class_words: Ancestors, areas: set[str]) -> _Place:
    """Return the area that a block of this path is in: comments, their controls, or neither."""
    depth = None if areas.isdisjoint(class_words) else _area_depth(tags, class_words, areas)
    if depth is None or "aside" in tags[:depth]:
        return _Place("elsewhere", ())
    near = range(max(0, depth - _NEAR_LEVELS), depth)
    beside = tuple(d for d in near if _ELSEWHERE.search(class_words[d]))
    written = _is_written(tags[depth:], class_words[depth + 1 :])
    return _Place("comments" if written else "tools", beside)


def _area_depth(tags: Ancestors, class_words: Ancestors, areas: set[str]) -> int | None:
    """Return the depth of the outermost element of the path that holds comments, or None."""
    for depth, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
        if tag in _CODE_TAGS:
            return None
        if words in areas and tag not in _NO_AREA_TAGS:
            return depth
    return None


@lru_cache(maxsize=1 << 12)  # every page of a site has the same words
def _names_area(words: str) -> bool:
    return bool(_COMMENT_AREA.search(words)) and not _NO_COMMENT_AREA.search(words)


def _is_written(inside: Ancestors, class_words: Ancestors) -> bool:
    """Return whether a block in these elements of a comment area is text, not a control."""
    if "form" in inside or "button" in inside:
        return False
    return not _TOOLS.search("\n".join(class_words))
