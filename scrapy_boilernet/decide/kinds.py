"""What kind of content a block is: the page's title, its main text, or readers' comments.

Gold standards and users disagree on whether headline and comments belong to the main text, so they
are told apart here, by rule, and settings decide. Worked out on the training part of Dragnet
(Peters and Lecocq 2013), whose gold keeps comments apart. There ``benchmarks/quality/kinds.py``
measures, on the 293 pages with comments in the gold, a precision of 0.891 and a recall of 0.938 by
blocks, 0.970 and 0.961 by characters: of what is found too much, most is "Reply" and the like; of
what is missed, most stands below a picture and a headline, and counts as the page's main text. A
title is found on 902 of 966 pages; on 771 of them the gold has it, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.options import Choice
from scrapy_boilernet.page import Block, Page

Path = tuple[str, ...]
_Place = Literal["comments", "tools", "elsewhere"]
Kind = Literal["title", "main", "comment", "boilerplate", "hidden"]

_LEFT_OUT: tuple[Kind, Kind] = ("boilerplate", "hidden")
_AREA = re.compile(r"\b(?:comment\w*|cmts?|disqus|dsq|livefyre|replies|responses)\b")
"""Class words of an element that holds comments, such as WordPress's ``commentlist``."""
_NO_AREA = re.compile(
    r"\b(?:form|recent|latest|popular|most|top|widget|links?|count|preview|guidelines)\b"
)
"""Beside a word of ``_AREA``: what speaks of comments but holds none of this page's."""
_ELSEWHERE = re.compile(r"\b(?:recent|latest|popular|widget|sidebar)\b")
_NEAR_LEVELS = 3
"""Ancestors of a comment area that are looked at for ``_ELSEWHERE``: farther ones are layout."""
_TOOLS = re.compile(
    r"\b(?:form|respond|commentform|preview|links?|share|flag|login|tools|paging|pagination|"
    r"votes?|count|rating)\b"
)
"""Inside a comment area: what readers press, not what they wrote."""
_MIN_MAIN_WORDS = 10
"""Words of main text, of six characters, before comments; else they are the main text: a thread."""

_HEADINGS = frozenset({"h1", "h2", "h3"})
_HEADLINE = re.compile(r"\b(?:title|headline)\b")
_OUTSIDE = frozenset({"nav", "aside", "footer"})
_PARTS = re.compile(r"\s+[-–—/·:]+\s+|\s*[|»«•]\s*|:\s+")
"""What parts headline and site in a page's title."""
_MIN_CONTAINED, _MIN_SCORE = 0.6, 0.5
_LEAD_WORDS = 30
"""Words of content, of six characters, that may stand before the title: a kicker, a byline."""


def block_kinds(page: Page, decided: Sequence[bool], kept: Sequence[bool]) -> tuple[Kind, ...]:
    """Return the kind of each block; blocks that are not ``kept`` are boilerplate, or hidden.

    ``decided``: per block whether it was content before any setting for titles and comments, so
    that such a setting cannot change what is a title or a comment.
    """
    title, comments = find_title(page, decided), find_comments(page, decided)
    return tuple(
        _LEFT_OUT[page.blocks[i].hidden] if not keep
        else "title" if i in title
        else "comment" if i in comments
        else "main"
        for i, keep in enumerate(kept)
    )  # fmt: skip


def chosen_blocks(
    page: Page, decided: Sequence[bool], title: Choice, comments: Choice
) -> list[bool]:
    """Return per block whether it is content once the two settings are applied to ``decided``."""
    kept = list(decided)
    for choice, find in ((comments, find_comments), (title, find_title)):
        if choice != "model":
            for i in find(page, decided):
                kept[i] = choice == "keep"
    return kept


def find_title(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the block that is the page's headline, with equal ones right after it; or none.

    The heading, or block of a class such as ``headline``, before or at the begin of the content,
    that is most like the page's title or its longest part. A page without content has none.
    """
    wanted = [tokens(page.title), *map(tokens, _PARTS.split(page.title))]
    # Counted once: a page may have as long a title and as many headings as it likes.
    titles = [(Counter(found), len(found)) for found in (wanted[0], max(wanted[1:], key=len))]
    best, best_score, lead = -1, 0.0, 0.0
    for i, block in enumerate(page.blocks if any(decided) else ()):
        if _is_heading(block):
            own = Counter(tokens(block.text))
            score = max(_likeness(own, *title) for title in titles)
            if score > best_score:
                best, best_score = i, score
        lead += len(block.text) / 6 if decided[i] else 0
        if lead > _LEAD_WORDS:
            break
    end = best + 1
    while 0 < end < len(page.blocks) and page.blocks[end].text == page.blocks[best].text:
        end += 1
    same = range(best, end) if best >= 0 else ()
    return frozenset(i for i in same if not page.blocks[i].hidden)


def _is_heading(block: Block) -> bool:
    near = _HEADINGS & set(block.tags[-3:]) or _HEADLINE.search(" ".join(block.class_words[-3:]))
    return bool(near) and not block.hidden and not _OUTSIDE & set(block.tags)


def _likeness(block: Counter[str], title: Counter[str], title_size: int) -> float:
    """F1 of the tokens that both have; 0.0 if they are too few of the block's or too few at all.

    ``title_size``: how many tokens ``title`` counts. The work is that of the block alone.
    """
    size = block.total()
    common = sum(min(number, title[token]) for token, number in block.items())
    score = 2 * common / max(size + title_size, 1)
    return score if common >= _MIN_CONTAINED * size and score >= _MIN_SCORE else 0.0


def find_comments(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the blocks that hold readers' comments, with their authors and dates.

    None where no main text stands before them: a thread of such blocks is the main text itself.
    """
    found = []
    main_words = 0.0
    places: dict[tuple[Path, Path], _Place] = {}  # blocks share them, and a path may be long
    for i, block in enumerate(page.blocks):
        path = (block.tags, block.class_words)
        place = places.get(path) or places.setdefault(path, _place(*path))
        if place == "elsewhere":
            heading = any(tag in _HEADINGS for tag in block.tags[-3:])
            main_words += len(block.text) / 6 if decided[i] and not heading else 0
        elif main_words >= _MIN_MAIN_WORDS and place == "comments" and not block.hidden:
            found.append(i)
    return frozenset(found)


def _place(tags: Path, class_words: Path) -> _Place:
    """What a block of this path stands in: comments, what readers press there, or neither."""
    depth = _area_depth(tags, class_words)
    if depth is None:
        return "elsewhere"
    return "comments" if _is_written(tags[depth:], class_words[depth + 1 :]) else "tools"


def _area_depth(tags: Path, class_words: Path) -> int | None:
    """The depth of the outermost element of the path that holds comments, or None."""
    for depth, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
        if not words or not _names_area(words) or tag in ("html", "body"):
            continue
        above = " ".join(class_words[max(0, depth - _NEAR_LEVELS) : depth])
        elsewhere = _ELSEWHERE.search(above) or "aside" in tags[:depth]
        return None if elsewhere else depth
    return None


@lru_cache(maxsize=1 << 12)  # the same words come on every page of a site
def _names_area(words: str) -> bool:
    return bool(_AREA.search(words)) and not _NO_AREA.search(words)


def _is_written(inside: Path, class_words: Path) -> bool:
    """Whether what stands in these elements of an area is text, not a form or a tool."""
    if "form" in inside or "button" in inside:
        return False
    return not any(_TOOLS.search(words) for words in class_words)
