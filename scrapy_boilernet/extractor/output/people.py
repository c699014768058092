"""Finds the names of a page's authors in metadata, bylines and forum posts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import zip_longest

from scrapy_boilernet.extractor.metadata import Mark, Stated
from scrapy_boilernet.extractor.output.credits import is_credit, writers_of
from scrapy_boilernet.extractor.output.dates import dates_in
from scrapy_boilernet.extractor.output.name_lists import (
    EDGES,
    KIND_BY,
    KOREAN_DATE,
    MAX_AUTHORS,
    PREFIX,
    split_names,
    without_by,
    without_extras,
)
from scrapy_boilernet.extractor.output.named import Place, Ranked, distinct
from scrapy_boilernet.extractor.output.names import NO_PERSON, in_title_case
from scrapy_boilernet.extractor.output.other_dates import LOWER_WORD
from scrapy_boilernet.extractor.output.titles import squeezed
from scrapy_boilernet.extractor.page import Block

_BYLINE = re.compile(
    rf"\s*(?:{KIND_BY}|"
    r"(?:written|posted|published|reported|contributed|submitted)\s+by|by|von|par|por|di|"
    r"scritto da|escrito por|écrit par|door|autor|author|автор|από)\s*:?\s+"
    r"(?P<names>(?-i:[^\W\d_a-zß-ÿ])[^|•·\n\d]{2,80})",
    re.IGNORECASE,
)
_USER_BYLINE = re.compile(
    r"\s*(?P<verb>(?:(?:re)?written|posted|published|reviewed|submitted|contributed|started|asked|review)\s+)?"
    r"by:?\s+(?P<names>(?-i:[a-z])[\w.-]{2,29})(?:\s*[|•·–(,]|\s(?:on|in|at|\d|(?-i:[A-Z]))|\s*\Z)",
    re.IGNORECASE,
)
_USER_WITH_DIGITS = re.compile(r"[^\W\d_][\w.-]*\d\w*(?=[\s,|]|\Z)")
_END = re.compile(
    r"\s*(?:[|•·⋅●–—\d\n(]|\s-\s|\b(?:reviewed|medically|edited|illustrated|on|in|published|updated|"
    r"last|posted|for the|publiée?|mise? à jour|veröffentlicht|aktualisiert|publicado|actualizado|"
    r"pubblicato|aggiornato|gepubliceerd|опубликовано|обновлено|im gespräch|"
    r"joined|join date|anmeldungsdatum|registered|member since|mitglied seit|dabei seit|"
    r"registriert|inscrite?|membre depuis|miembro desde|membro desde|registrado|iscritt[oa]|"
    r"lid sinds|зарегистрирован)\b|"
    r"(?:责任)?编辑\s?[:：]|責任編輯\s?[:：]).*",
    re.IGNORECASE | re.DOTALL,
)
_METAS = (
    "article:author", "author", "parsely-author", "sailthru.author", "dc.creator",
    "dcterms.creator", "dc.author", "article:author_name", "cxenseparse:author", "byl", "byline",
    "creator", "rbauthors", "shareaholic:article_author_name", "dcsext.author", "citation_author",
    "book:author", "authors", "citation_authors",
)  # fmt: skip
_AUTHOR = re.compile(
    r"author|by-?_?line|writer|reporter|autor|auteur|verfasser|journalist|creator|contributor|"
    r"personname"
)
_NO_AUTHOR = re.compile(
    r"bio\b|about|avatar|image|photo|img|description|social|title\b|role|job|comment|follow|links|"
    r"related|more|date|time|authority|count|excerpt|card-|category|tags\b|widget|recent|footer|"
    r"publisher|status-publish|hentry|credit|caption|source|agency|photo|profile-link|notes?\b|"
    r"affiliation|institution|contact|address|orcid"
)
_OF_NOTES = re.compile(
    r"(?<=[^\W\d_.])\s?(?:[*†‡§¶∗⋆]|\d{1,2}(?:\s?,\s?\d{1,2})*)(?=\s*(?:[,;&*†‡§¶∗⋆]|and\b|\Z))"
)
"""Signs and numbers of the notes that give the institutes of the authors of a paper."""
_USER = re.compile(r"user-?_?name|poster\b|topic-author|posted")
_ONLY_BY = re.compile(
    r"(?:written |posted |published )?by:?\Z|(?:author|autor|von|par|por):?\Z", re.IGNORECASE
)
_ROLE = re.compile(
    r"(?<=\w\s)(?<=[^\W\d]{2}\s)(?:(?:health|political|science|sports?|business|education)\s)?(?:(?:staff|senior|contributing|review|managing|associate|chief|"
    r"freelance|political|founder|editor|writer|reporter|reviewer|envoyée?s?\sspécia|correspondent|contributor|columnist|"
    r"author|journalist|view|follow|redakteur\w*|member|moderator)\b).*",
    re.IGNORECASE | re.DOTALL,
)
"""A role or a button after a name in a byline."""
_PERSON = re.compile(
    r"[^\W\d_a-zß-ÿ][\w'’.-]*(?:\s(?:de|da|del|van|von|der|den|la|le|bin|al|y))*"
    r"(?:\s[^\W\d_a-zß-ÿ][\w'’.-]*(?:\s(?:de|da|del|van|von|der|den|la|le|bin|al|y))*){1,3}\Z"
)
_PARTS = re.compile(r"\s*[|•·⋅●–—/,]\s*(?:-\s)?|\s+-\s+|\son behalf of\s|\sin\s")
_DATE_TEXT = re.compile(
    r"[^\W\d_]{3,9}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}|"
    r"\d{1,2}\.?\s(?:de\s)?[^\W\d_]{3,9}\.?\s(?:de\s)?\d{4}|\d[\d./-]{5,}"
)
_AND = re.compile(r"\s(?:and|und|et|y|e|i|и|og|och|en|&)\s")
_SENTENCE_END = re.compile(r"[^\W\d_]{3}[.!?…][\"'”’»)]?\s*\Z")
_SENTENCE_WORDS, _SENTENCE_CHARS = 3, 150
"""The least lower-case words of a sentence, and how many characters at the end of it are read."""
_ADDRESS = re.compile(
    r"(?<![^\W\d_])(?!(?:issue|page|part|chapter|vol|volume|no|nr|seite|teil|heft)\b)[^\W\d_]{2,}\.?\s"
    r"\d{1,4}\s?[a-z]?\s*(?:,|\||\Z)|"
    r"\b\d{1,4}[a-z]?,?\s(?:rue|avenue|place|boulevard|quai|via|calle|(?:[^\W\d_]+\s){1,3}"
    r"(?:street|st|road|rd|avenue|ave|lane|square|place|drive|way|quay))\b",
    re.IGNORECASE,
)
"""A street and its number."""
_DATE_FIRST = re.compile(
    rf"\A\s*(?:(?:{_DATE_TEXT.pattern})[\s,|·•–—-]+(?=(?:by|von|par|por|di|door|av)\s)|"
    rf"{KOREAN_DATE}\s?:?\s?\d[\d.:/\s-]{{5,20}}[|·\s]*(?=[가-힣]))",
    re.IGNORECASE,
)
_POSTED_BY = re.compile(
    r"\A\s*(?:posted|published|submitted|written|veröffentlicht|publié|publicado|pubblicato|geplaatst)"
    rf"(?:\s(?:on|am|le|el|il|op|em))?:?\s(?:{_DATE_TEXT.pattern})"
    r"(?:,?\s(?:at\s)?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?)?[\s,|·•–—-]+"
    r"(?:by|von|par|por|da|door)\s",
    re.IGNORECASE,
)
"""Words, a date and "by" before the name of a user."""
_MAX_STATED = 100
"""Different values of authors that are read."""
_NEXT = 3
"""How many next marks may be inside a mark; how many blocks apart names of a byline may be."""
_BEFORE, _AFTER, _BESIDE, _MAX_DATED_CHARS = 3, 6, 2, 120
"""Blocks around the headline, blocks between a name and a date, and characters of such a block."""
_FEED = re.compile(r"\w\s(?:feed|newsroom|newsdesk|rss)\Z", re.IGNORECASE)
_ACCOUNT = re.compile(r"[a-z0-9]+[._][a-z0-9._]+")
_MAX_BYLINE_CHARS = 150


Names = tuple[tuple[str, ...], str]
"""Names and their source."""


def find_authors(
    blocks: Sequence[Block],
    stated: Stated,
    objects: Ranked,
    place: Place,
    sites: AbstractSet[str],
) -> Names:
    """Return (names, source) of the page's authors; ((), "") if it names none.

    ``sites``: the site's names, letters and digits in lower case.
    """
    names, source = choose_authors(author_candidates(blocks, stated, objects, place), sites)
    if source != "text" and (shown := _shown_with(names, blocks, place)):
        names, source = shown, "text"
    people = (_without_site(name, sites) for name in names)
    return tuple(n if squeezed(n) in sites else in_title_case(n) for n in people), source


def _shown_with(
    stated: Sequence[str], blocks: Sequence[Block], place: Place
) -> tuple[str, ...] | None:
    """Return the names of a byline beside the headline that has all the stated ones and others of
    persons, joined by "and": what only follows a comma may be an employer.
    """
    near = place.areas()[0]
    known = {name.casefold() for name in stated}
    for i, block in enumerate(blocks[near.start : near.stop], near.start):
        is_byline = len(block.text) <= _MAX_BYLINE_CHARS and i not in place.others
        is_byline = is_byline and bool(_AND.search(block.text))
        names = _names_after_by(block.text, users=False) if is_byline else ()
        if known and known < {name.casefold() for name in names} and all(map(_is_person, names)):
            return names
    return None


def _is_person(name: str) -> bool:
    return bool(_PERSON.match(name)) and not NO_PERSON.search(name)


def _without_site(name: str, sites: AbstractSet[str]) -> str:
    """Return the name without a comma and the site's name after it."""
    person, comma, employer = name.rpartition(", ")
    return person if comma and squeezed(employer) in sites else name


def author_candidates(
    blocks: Sequence[Block], stated: Stated, objects: Ranked, place: Place
) -> Iterator[Names]:
    """Yield (names, source) of possible authors, the likeliest first."""
    yield from stated_authors(stated, objects)
    for near in place.areas():
        yield from marked_authors(blocks, stated, near, place.others)
        yield from byline_authors(blocks, near, place.content.start or near.stop, place.others)
    yield from linked_authors(stated, place.others)
    yield from dated_authors(blocks, place)


def stated_authors(stated: Stated, objects: Ranked) -> Iterator[Names]:
    """Yield (names, source) from what the page states, the best source first."""
    lists: list[tuple[list[str], str]] = [
        ([*one.all("author", "creator")], one.syntax) for _, one in objects
    ]
    for meta in stated.present(_METAS):
        source = "open-graph" if ":" in meta else "meta"
        lists.append(([*stated.all_metas(meta)], source))
    known: dict[str, tuple[str, ...]] = {}  # many references may be to one author
    for values, source in lists:
        for value in values:
            if value not in known and len(known) < _MAX_STATED:
                known[value] = split_names(value, False)
        if names := distinct(n for value in values for n in known.get(value, ())):
            yield names[:MAX_AUTHORS], source
    for number in "12":
        label = stated.meta(f"twitter:label{number}").lower()
        if PREFIX.match(f"{label} x") and (
            shown_names := split_names(stated.meta(f"twitter:data{number}"))
        ):
            yield shown_names, "meta"


def marked_authors(
    blocks: Sequence[Block], stated: Stated, place: range, others: AbstractSet[int]
) -> Iterator[Names]:
    """Yield (names, source) of elements in the place with a name such as "author"."""
    near = [m for m in stated.marks if m.block in place and m.block not in others]
    for wanted in (_AUTHOR, _USER):
        marks = [m for m in near if wanted.search(m.names) and not _NO_AUTHOR.search(m.names)]
        found = [(m, names) for m in _innermost(marks) if (names := _in_mark(m))]
        for i, (mark, names) in enumerate(found):
            for after, more in found[i + 1 : i + 1 + MAX_AUTHORS]:  # a byline of several elements
                between = blocks[mark.block + 1 : after.block]
                if after.names != mark.names or after.block - mark.block > _NEXT:
                    break
                if any(_is_sentence(block.text) for block in between):  # a post of a thread
                    break
                mark, names = after, names + more
            yield distinct(names), "text"


def linked_authors(stated: Stated, others: AbstractSet[int]) -> Iterator[Names]:
    """Yield (names, source) of links of the relation "author"."""
    for mark in stated.marks:
        is_author = mark.tag == "a" and "author" in mark.names.split()
        is_author = is_author and mark.block not in others
        if is_author and "profile-link" not in mark.names and (names := _in_byline(mark.text)):
            yield names, "text"


def _innermost(marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yield the marks that hold none of the next marks as a name inside their own text."""
    for i, mark in enumerate(marks):
        inner = (m.text for m in marks[i + 1 : i + 1 + _NEXT] if m.block - mark.block <= _NEXT)
        if mark.text and not any(_is_name_inside(text, mark.text) for text in inner):
            yield mark


def _is_name_inside(inner: str, outer: str) -> bool:
    return (
        inner != outer
        and inner in outer
        and (" " in inner or outer.startswith(inner))
        and bool(split_names(inner))
    )


def _in_mark(mark: Mark) -> tuple[str, ...]:
    is_of_paper = "ltx_" in mark.names
    return _in_byline(_OF_NOTES.sub("", mark.text) if is_of_paper else mark.text)


def _in_byline(text: str) -> tuple[str, ...]:
    if date := _DATE_FIRST.match(text):
        text = text[date.end() :]
    text = without_by(writers_of(text), PREFIX)
    if user := _USER_WITH_DIGITS.match(text):
        return split_names(user[0])
    return split_names(_ROLE.sub("", without_extras(_END.sub("", text), shown=True)))


def byline_authors(
    blocks: Sequence[Block], place: range, text_start: int, others: AbstractSet[int] = frozenset()
) -> Iterator[Names]:
    """Yield (names, source) of short blocks in the place that begin with "By" or the like.

    ``text_start``: the block at which the text starts; names in lower case count above it only,
    since those below are of readers who comment.
    """
    near = blocks[place.start : place.stop]
    for index, (block, after) in enumerate(zip_longest(near, near[1:]), place.start):
        text = block.text
        if after and after.hidden and _ONLY_BY.match(after.text.strip(EDGES)):
            text = f"By {text}"  # a word for screen readers follows the block that it is in
        elif after and not block.hidden and _ONLY_BY.match(text):
            text = f"By {after.text}"
        short = len(text) <= _MAX_BYLINE_CHARS and index not in others
        names = _names_after_by(text, users=index <= text_start) if short else ()
        if names:
            yield names, "text"


def _names_after_by(text: str, users: bool) -> tuple[str, ...]:
    """Return the names in a text that begins with "By" or the like."""
    if users and (posted := _POSTED_BY.match(text)):
        text = f"Posted by {text[posted.end() :]}"
    text = writers_of(text) if is_credit(text) else text
    if match := _BYLINE.match(text):
        user = _USER_WITH_DIGITS.match(text, match.start("names"))
        return _in_byline(user[0] if user else match["names"])
    match = _USER_BYLINE.match(text) if users else None
    is_byline = match and (match["verb"] or any(dates_in(text)))
    return split_names(match["names"]) if match and is_byline else ()


def dated_authors(blocks: Sequence[Block], place: Place) -> Iterator[Names]:
    """Yield (names, source) of texts like names beside a date near the headline."""
    headline = place.headline
    start = max(headline - _BEFORE, 0)
    near = [
        b.text if len(b.text) <= _MAX_DATED_CHARS and i not in place.others else ""
        for i, b in enumerate(blocks[start : start + _BEFORE + _AFTER], start)
    ]
    dated = [i for i, text in enumerate(near) if any(dates_in(text))]
    for i in sorted(range(len(near)), key=lambda i: (start + i < headline, i)):
        beside = start + i != headline and any(abs(i - j) <= _BESIDE for j in dated)
        if beside and near[i] and _is_byline(start + i, blocks):
            for part in _PARTS.split(_DATE_TEXT.sub("|", near[i])):
                part = without_by(part, PREFIX)
                if _is_person(part) and (names := split_names(part)):
                    yield names, "text"


def _is_byline(index: int, blocks: Sequence[Block]) -> bool:
    """Return whether a block beside a date may be a byline: no sentence, no address, and no value
    whose name is no word for an author.
    """
    block = blocks[index]
    if _is_sentence(block.text) or _ADDRESS.search(_DATE_TEXT.sub("|", block.text)):
        return False
    label = blocks[index - 1] if index else block
    is_value = not {"dd", "td"}.isdisjoint(block.tags[-2:])
    is_named = is_value and not {"dt", "th"}.isdisjoint(label.tags[-2:])
    return not is_named or bool(PREFIX.match(f"{label.text.rstrip(' :')}: "))


def _is_sentence(text: str) -> bool:
    ends = _SENTENCE_END.search(text[-_SENTENCE_CHARS:])
    return bool(ends) and len(LOWER_WORD.findall(text[-_SENTENCE_CHARS:])) >= _SENTENCE_WORDS


def choose_authors(candidates: Iterable[Names], sites: AbstractSet[str]) -> Names:
    """Return the first candidate; if it is an account or the site, the first one of a person.

    Without a person, the first candidate is returned, and ((), "") if there is none. ``sites``: the
    site's names, letters and digits in lower case.
    """
    first: Names | None = None
    for names, source in candidates:
        account = source != "microdata" and all(map(_ACCOUNT.fullmatch, names))
        account = account or all(map(_FEED.search, names))
        doubtful = account or all(squeezed(name) in sites for name in names)
        if not doubtful and (_is_person(names[0]) or first is None):
            return names, source
        first = first or (names, source)
    return first or ((), "")
