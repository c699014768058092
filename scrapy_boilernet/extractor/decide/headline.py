"""Finds the headline of a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import compress

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.placeholders import is_placeholder
from scrapy_boilernet.extractor.features.words import tokens
from scrapy_boilernet.extractor.page import HEADING_TAGS, Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_HEADINGS = frozenset({"h1", "h2", "h3"})
_HEADLINE_WORDS = ("title", "headline")
_HEADLINE = re.compile(rf"\b(?:{'|'.join(_HEADLINE_WORDS)})\b")
_of_headlines = ClassNames(_HEADLINE_WORDS, _HEADLINE)
_OUTSIDE = frozenset({"nav", "aside", "footer"})
_BOLD = frozenset({"b", "strong", "font", "big", "center"})
_IN_MENU = frozenset({"a", "li", "button", "th"})
_MIN_WORDS = 2
"""The least words of a title that a bold text repeats; a word may be an item of a menu."""
_LOGO = re.compile(
    r"\b(?:logo|brand|masthead|site (?:title|name|header|branding)|blog title|titlewrapper)\b"
)
"""Class words of an element with the site's name, which is also in the page's title."""
_LOGO_LEVELS = 4
_H1_BONUS = 0.3
"""What ``h1`` adds to the likeness of a heading; site names and sections are often ``h2``."""
_FIRST_SECTIONS = frozenset("name nom nombre nome nazwa имя 名前 名称 名稱".split())
"""The heading of the first section of a manual page, which names what the page is about."""
_PARTS = lazy_pattern(r"\s+[-–—/·:]+\s+|\s*[|»«•]\s*|:\s+")
"""What separates headline and site in a page's title."""
_SITE = lazy_pattern(r"\s+[-–—·]+\s+|\s*[|»«•]\s*")
"""The same without colons, which headlines have, too."""
_MIN_CONTAINED, _MIN_SCORE = 0.6, 0.5
_LEAD_WORDS = 30
"""Words of content, of six characters each, that may stand before the title: a kicker, a byline."""

_PAGE_NUMBER = lazy_pattern(
    r"\A\W*(?:(?:page|pagina|página|pàgina|seite|strona|stránka|strana|sida|side|sivu|oldal|sayfa|"
    r"halaman|trang|страница|стр\.?|сторінка|σελίδα)\s?\d{1,6}"
    r"(?:\s?(?:of|von|sur|de|di|van|av|af|från|z|ze|iz|dari|из|з|από|/)\s?\d{1,6})?|"
    r"第\s?\d{1,6}\s?[页頁ページ]{1,3}(?:\s?[/／,，、]?\s?[共全]?\s?\d{1,6}\s?[页頁ページ]{0,3})?|"
    r"\d{1,6}\s?페이지)\W*\Z",
    re.IGNORECASE,
)
"""The number of a page of a thread or a list."""
_MAX_NUMBER_CHARS = 40
_IN_BRACKETS = lazy_pattern(r"\s\([^()]*(?:\([^()]*\)[^()]*)?\)\Z")
"""What the titles of manuals end with: the name of the manual."""
_BEFORE_NAME = lazy_pattern(
    r"\A\W*(?:(?:(?:chapter|section|appendix|part|annex|kapitel|abschnitt|anhang|chapitre|partie|"
    r"annexe|capítulo|capitolo|hoofdstuk|rozdział|kapitola|глава|раздел)\s)?"
    r"(?:[a-z]\.)?\d{1,3}(?:\.\d{1,3})*(?:[.):]?|\s[-–—])|(?:\[\w+\]\s)?"
    r"(?:(?:abstract|final|static|sealed)\s)?"
    r"(?:class|interface|enum|record|trait|struct|package|module|namespace|annotation type))\s+",
    re.IGNORECASE,
)
"""What stands before the name in a heading of a manual: a number, or the kind of a class."""
_NEAR_TEXT = 3
"""How many blocks may stand between a heading that is a part of the title and the text."""
_MAX_LINES = 3
"""Lines of a headline. A heading with more is probably not closed."""


def find_title(page: Page, decided: Sequence[bool]) -> frozenset[int]:
    """Return the indexes of the lines of the page's headline, or its index and those of equal
    blocks right after it.

    Candidates are headings, with all of their lines or one of them, and blocks of a class such as
    ``headline``, before or at the beginning of the content, but not the site's name. The headline
    is the candidate that is most like the page's title or the longest part of it; if none is like
    it, the first ``h1`` that is the first part of the title, or the first section of a manual
    page without a title, else the last one. A page without content has no headline.
    """
    parts = _PARTS.split(page.title)
    title = tokens(page.title)
    longest_part = max(map(tokens, parts), key=len) if len(parts) > 1 else title
    texts, hidden = page.texts, page.hidden
    end = _end_of_lead(texts, decided)
    best = _best_heading(page, end, title, longest_part) or _part_of_title(page, decided, end)
    best = best or _bold_title(page, end, (title, longest_part))
    if len(best) != 1:
        return frozenset(best)
    after = best[0] + 1
    while after < len(texts) and texts[after] == texts[best[0]]:
        after += 1
    return frozenset(i for i in range(best[0], after) if not hidden[i])


def _best_heading(
    page: Page, end: int, title: Sequence[str], longest_part: Sequence[str]
) -> Sequence[int]:
    """Return the indexes of the lines of the heading before ``end`` that is most like the title of
    the page, or else of an ``h1``; none without one.
    """
    sides = [*map(tokens, _SITE.split(page.title))]
    # The title is counted only once: it can be long, and there can be many headings.
    wanted = {tuple(words): None for words in (title, longest_part, max(sides, key=len))}
    titles = [(Counter(words), len(words)) for words in wanted]
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    best: Sequence[int] = ()
    best_score, last_h1, seen, is_named = 0.0, best, -1, False
    for i in _headings_of(page, end):
        if hidden[i] or is_no_headline(texts[i]) or _leads_home(page, i):
            continue
        lines = _lines_from(page, i)
        is_h1 = "h1" in pairs[places[i]][0][-3:]
        for own in ([i], lines) if i > seen and len(lines) > 1 else ([i],):
            words = tokens(" ".join([texts[line] for line in own]))
            score = max([_likeness(words, *title_words) for title_words in titles])
            score += _H1_BONUS if score and is_h1 else 0.0
            goes_on = len(own) > 1 and best == [i] and _goes_on(words, texts[i], page.title)
            if score > best_score or (score and goes_on):
                best, best_score = own, max(score, best_score)
        if is_h1 and i > seen and not is_named:
            is_section = not title and not last_h1 and is_first_section(texts[i])
            last_h1, is_named = lines, words == sides[0] or is_section
        seen = max(seen, lines[-1])
    return best or last_h1


def _goes_on(words: Sequence[str], first_line: str, title: str) -> bool:
    """Return whether a heading of several lines has more words of the page's title than its first
    line, although this is a part of it. The rest is no other part, such as the name of the site.
    """
    line, parts = tokens(first_line), [*map(tokens, _PARTS.split(title))]
    rest, in_title = words[len(line) :], {*tokens(title)}
    return rest not in parts and not in_title.isdisjoint({*rest} - {*line})


def _leads_home(page: Page, index: int) -> bool:
    """Return whether a block is a link to the home page of its site, and so the site's name."""
    home = page.home_links
    return bool(home) and not set(home).isdisjoint(page.blocks_at([index])[0].nodes)


def headline_lines(page: Page, kinds: Sequence[str]) -> list[int]:
    """Return the indexes of the lines of the headline, by the kinds of the blocks; [] without one.

    Equal blocks behind it are left out.
    """
    if "title" not in kinds:
        return []
    return [i for i in _lines_from(page, kinds.index("title")) if kinds[i] == "title"]


def index_of_h1(page: Page) -> int:
    """Return the index of the first shown block of an ``h1``; -1 without one."""
    pairs, places = page.paths
    shown = enumerate(zip(places, page.hidden, strict=True))
    return next((i for i, (place, hidden) in shown if not hidden and "h1" in pairs[place][0]), -1)


def is_no_headline(text: str) -> bool:
    """Return whether a heading is only the number of the page, such as "Page 2 of 5", or a place
    that a script would have filled.
    """
    is_number = len(text) <= _MAX_NUMBER_CHARS and _PAGE_NUMBER.match(text) is not None
    return is_number or is_placeholder(text)


def is_first_section(heading: str) -> bool:
    """Return whether the heading is that of the first section of a manual page, "NAME"."""
    return heading.lower() in _FIRST_SECTIONS


def _lines_from(page: Page, first: int) -> list[int]:
    """Return the indexes of the blocks of a heading from the one of index ``first`` on, without
    its buttons, and without hidden ones if the first is shown.

    A heading has several if it has line breaks or blocks inside. One of more than three is probably
    not closed, and only ``first`` is returned.
    """
    pairs, places = page.paths
    tags, _ = pairs[places[first]]
    behind, _ = pairs[places[min(first + 1, len(places) - 1)]]
    if behind != tags and _HEADINGS.isdisjoint(behind):  # as behind most headings
        return [first]
    step = next((i for i, tag in enumerate(tags) if tag in _HEADINGS), -1)
    around = tags[: step + 1] if step >= 0 else tags
    end = first + 1
    while end < min(len(places), first + _MAX_LINES + 1):
        following, _ = pairs[places[end]]
        if following[: len(around)] != around or (step < 0 and following != tags):
            break
        end += 1
    if end == first + 1:
        return [first]
    blocks = page.blocks_at(range(first, end))
    node = blocks[0].nodes[step]
    inside = [i for i, block in enumerate(blocks, first) if block.nodes[step] == node]
    if len(inside) > _MAX_LINES:
        return [first]
    hidden = page.hidden
    alike = (i for i in inside if hidden[i] == hidden[first])
    return [i for i in alike if "button" not in pairs[places[i]][0]] or [first]


def _part_of_title(page: Page, decided: Sequence[bool], end: int) -> list[int]:
    """Return the index of the first heading right above the content that is the first part of the
    page's title, or a part of it; [] without one. Its number and the like are left out.
    """
    side = _IN_BRACKETS.sub("", _SITE.split(page.title)[0])
    parts = [words for words in map(tokens, (side, *_PARTS.split(side))) if words]
    first = next(compress(range(end), decided), end)
    for i in _headings_of(page, end, HEADING_TAGS):
        if i + _NEAR_TEXT < first or page.hidden[i] or is_no_headline(page.texts[i]):
            continue
        text = page.texts[i]
        if tokens(text) in parts or tokens(_BEFORE_NAME.sub("", text, count=1)) in parts:
            return [] if _leads_home(page, i) else [i]
    return []


def _bold_title(page: Page, end: int, titles: Sequence[Sequence[str]]) -> list[int]:
    """Return the index of the first bold text before ``end`` that is one of the titles and no link,
    nor an item of a list, as in a menu; [] without one.
    """
    if _BOLD.isdisjoint(page.names[0]):
        return []
    wanted = [words for words in titles if len(words) >= _MIN_WORDS]
    texts, hidden, (pairs, places) = page.texts, page.hidden, page.paths
    for i in range(end if wanted else 0):
        tags, class_words = pairs[places[i]]
        if hidden[i] or _BOLD.isdisjoint(tags[-3:]) or len(texts[i]) > 2 * len(page.title):
            continue
        is_apart = _OUTSIDE.isdisjoint(tags) and _IN_MENU.isdisjoint(tags)
        if is_apart and tokens(texts[i]) in wanted and not _is_logo(class_words):
            return [] if page.blocks_at([i])[0].link_chars else [i]
    return []


def _is_logo(class_words: Ancestors) -> bool:
    return _names_logo(" ".join(class_words[-_LOGO_LEVELS:]))


@lru_cache(maxsize=1 << 12)  # every page of a site has the same words
def _names_logo(words: str) -> bool:
    return _LOGO.search(words) is not None


def _end_of_lead(texts: Sequence[str], decided: Sequence[bool]) -> int:
    """Return the index behind the last block in which the headline may be; 0 without content."""
    lead = 0
    for i in compress(range(len(texts)), decided):
        lead += len(texts[i])
        if lead > 6 * _LEAD_WORDS:
            return i + 1
    return len(texts) if lead else 0


def _headings_of(page: Page, end: int, tags_of: AbstractSet[str] = _HEADINGS) -> list[int]:
    """Return the indexes of the blocks before ``end`` that may be the page's headline.

    ``tags_of``: the tags of headings.
    """
    pairs, places = page.paths
    named = _of_headlines.on(page)
    of_headings = {
        number
        for number, (tags, class_words) in enumerate(pairs[: 1 + max(places[:end], default=-1)])
        if not (tags_of.isdisjoint(near := tags[-3:]) and named.isdisjoint(class_words[-3:]))
        and "button" not in near
        and _OUTSIDE.isdisjoint(tags)
        and not _is_logo(class_words)
    }
    return [i for i, place in enumerate(places[:end]) if place in of_headings]


def _likeness(words: Sequence[str], title: Counter[str], title_size: int) -> float:
    """Return the F1 of the common tokens; 0.0 if it is too low, or they are too few of ``words``.

    ``title_size``: how many tokens ``title`` counts. Only the number of ``words`` costs time.
    """
    shared = [word for word in words if word in title]
    if len(shared) < _MIN_CONTAINED * len(words):
        return 0.0
    common = len(shared)
    if len({*shared}) < common:
        common = sum(min(number, title[word]) for word, number in Counter(shared).items())
    score = 2 * common / max(len(words) + title_size, 1)
    return score if common >= _MIN_CONTAINED * len(words) and score >= _MIN_SCORE else 0.0
