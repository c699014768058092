"""What kind of content a block is: the page's title, its main text, or readers' comments.

Gold standards and users disagree on whether headline and comments belong to the main text. So rules
find them here, and settings decide. The rules were developed on the training part of Dragnet
(Peters and Lecocq 2013), whose gold keeps comments apart. There ``benchmarks/quality/kinds.py``
measures, on the 293 pages with comments in the gold, a precision of 0.891 and a recall of 0.938 by
blocks, 0.970 and 0.961 by characters. Most false positives are "Reply" and the like. Most of what
is missed stands below a picture and a headline, and counts as the page's main text. A title is
found on 902 of 966 pages; on 771 of them the gold has it, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from scrapy_boilernet.features.words import tokens
from scrapy_boilernet.options import KindOption
from scrapy_boilernet.page import Block, Page

Path = tuple[str, ...]
_Area = Literal["comments", "tools", "elsewhere"]
Kind = Literal["title", "main", "comment", "boilerplate", "hidden"]

_LEFT_OUT: tuple[Kind, Kind] = ("boilerplate", "hidden")
_COMMENT_AREA = re.compile(r"\b(?:comment\w*|cmts?|disqus|dsq|livefyre|replies|responses)\b")
"""Class words of an element that holds comments, such as WordPress's ``commentlist``."""
_NO_COMMENT_AREA = re.compile(
    r"\b(?:form|recent|latest|popular|most|top|widget|links?|count|preview|guidelines)\b"
)
"""Beside a word of ``_COMMENT_AREA``: an element about comments that holds none of this page's."""
_ELSEWHERE = re.compile(r"\b(?:recent|latest|popular|widget|sidebar)\b")
_NEAR_LEVELS = 3
"""Ancestors of a comment area in which ``_ELSEWHERE`` is searched: farther ones are layout."""
_TOOLS = re.compile(
    r"\b(?:form|respond|commentform|preview|links?|share|flag|login|tools|paging|pagination|"
    r"votes?|count|rating)\b"
)
"""Inside a comment area: controls for readers, not what they wrote."""
_MIN_MAIN_WORDS = 10
"""Words of main text, of six characters, before comments; after fewer the comments are a thread,
which is main text."""

_HEADINGS = frozenset({"h1", "h2", "h3"})
_HEADLINE = re.compile(r"\b(?:title|headline)\b")
_OUTSIDE = frozenset({"nav", "aside", "footer"})
_PARTS = re.compile(r"\s+[-–—/·:]+\s+|\s*[|»«•]\s*|:\s+")
"""What separates headline and site in a page's title."""
_MIN_CONTAINED, _MIN_SCORE = 0.6, 0.5
_LEAD_WORDS = 30
"""Words of content, of six characters, that may stand before the title: a kicker, a byline."""


def block_kinds(page: Page, decided: Sequence[bool], kept: Sequence[bool]) -> tuple[Kind, ...]:
    """Return the kind of each block; blocks that are not ``kept`` are boilerplate, or hidden.

    ``decided``: per block whether it was content before the settings for titles and comments were
    applied, so that they cannot change what is a title or a comment.
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
    page: Page, decided: Sequence[bool], title: KindOption, comments: KindOption
) -> list[bool]:
    """Return per block whether it is content once the two settings are applied to ``decided``."""
    kept = list(decided)
    for option, find in ((comments, find_comments), (title, find_title)):
        if option != "model":
            for i in find(page, decided):
                kept[i] = option == "keep"
    return kept


def find_title(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the index of the page's headline, with those of equal blocks right after it; or none.

    It is the heading, or block of a class such as ``headline``, before or at the beginning of the
    content that is most like the page's title or the longest part of it. A page without content has
    no headline.
    """
    candidates = [tokens(page.title), *map(tokens, _PARTS.split(page.title))]
    # Counted once: a title can be long, and headings many.
    longest_part = max(candidates[1:], key=len)
    titles = [(Counter(words), len(words)) for words in (candidates[0], longest_part)]
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
    """F1 of the common tokens; 0.0 if they are too few of the block's, or the F1 is too low.

    ``title_size``: how many tokens ``title`` counts. The time grows with the block only.
    """
    size = block.total()
    common = sum(min(number, title[token]) for token, number in block.items())
    score = 2 * common / max(size + title_size, 1)
    return score if common >= _MIN_CONTAINED * size and score >= _MIN_SCORE else 0.0


def find_comments(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the blocks of readers' comments, with their authors and dates.

    None where no main text stands before them: a thread of such blocks is the main text itself.
    """
    comment_blocks = []
    main_words = 0.0
    areas: dict[tuple[Path, Path], _Area] = {}  # blocks share them, and a path may be long
    for i, block in enumerate(page.blocks):
        path = (block.tags, block.class_words)
        area = areas.get(path) or areas.setdefault(path, _area_of(*path))
        if area == "elsewhere":
            heading = any(tag in _HEADINGS for tag in block.tags[-3:])
            main_words += len(block.text) / 6 if decided[i] and not heading else 0
        elif main_words >= _MIN_MAIN_WORDS and area == "comments" and not block.hidden:
            comment_blocks.append(i)
    return frozenset(comment_blocks)


def _area_of(tags: Path, class_words: Path) -> _Area:
    """The area that a block of this path is in: comments, their controls, or neither."""
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
    return bool(_COMMENT_AREA.search(words)) and not _NO_COMMENT_AREA.search(words)


def _is_written(inside: Path, class_words: Path) -> bool:
    """Whether a block in these elements of a comment area is text, not a form or a control."""
    if "form" in inside or "button" in inside:
        return False
    return not any(_TOOLS.search(words) for words in class_words)
