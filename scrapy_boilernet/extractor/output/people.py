"""Finds the names of a page's authors in metadata, bylines and forum posts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, zip_longest

from scrapy_boilernet.extractor.metadata import Mark, Stated
from scrapy_boilernet.extractor.output.beside_dates import (
    DATE_TEXT,
    dated_authors,
    is_sentence,
)
from scrapy_boilernet.extractor.output.classed_bylines import classed_bylines, is_signature
from scrapy_boilernet.extractor.output.credits import author_credit, is_credit, writers_of
from scrapy_boilernet.extractor.output.dates import dates_in
from scrapy_boilernet.extractor.output.doubtful_names import (
    is_doubtful,
    is_name_of_user,
    is_of_site,
    is_shown_person,
    is_user,
    names_site,
)
from scrapy_boilernet.extractor.output.eastern_names import is_japanese, parted_names
from scrapy_boilernet.extractor.output.name_lists import (
    DOT,
    EDGES,
    KIND_BY,
    KOREAN_DATE,
    MAX_AUTHORS,
    PREFIX,
    split_names,
    without_by,
    without_extras,
)
from scrapy_boilernet.extractor.output.named import Names, Place, Ranked, distinct
from scrapy_boilernet.extractor.output.names import in_title_case, is_person
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
    rf"\s*(?:[|•⋅●–—\d\n(]|{DOT}|\s-\s|\b(?:reviewed|medically|edited|illustrated|on|in|published|updated|"
    r"last|posted|for the|publiée?|mise? à jour|veröffentlicht|aktualisiert|publicado|actualizado|"
    r"pubblicato|aggiornato|gepubliceerd|опубликовано|обновлено|im gespräch|"
    r"joined|join date|anmeldungsdatum|registered|member since|mitglied seit|dabei seit|"
    r"registriert|inscrite?|membre depuis|miembro desde|membro desde|registrado|iscritt[oa]|"
    r"lid sinds|зарегистрирован|data publikacji)\b|"
    r"(?:责任)?编辑\s?[:：]|責任編輯\s?[:：]|返回\S{1,8}，查看更多).*",
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
    r"affiliation|institution|contact|address|orcid|validat|password|authori[sz]ed|"
    r"posted[_-](?:in|under)|cat-links|(?<!\S)tag(?!\S)"
)
_OF_NOTES = re.compile(
    r"(?<=[^\W\d_.])\s?(?:[*†‡§¶∗⋆]|\d{1,2}(?:\s?,\s?\d{1,2})*)(?=\s*(?:[,;&*†‡§¶∗⋆]|and\b|\Z))"
)
"""Signs and numbers of the notes that give the institutes of the authors of a paper."""
_SECTION = re.compile(
    r"\s*(?:politi[ck]s?|politique|política|politica|wirtschaft|kultur|culture|cultura|gesellschaft|"
    r"société|sociedad|meinung|opinion|opinión|business|économie|economía|economia|sports?|deportes|"
    r"world|monde|mundo|international|wissen|technology|feuilleton|panorama)\s*[·•|/–—]\s*"
    r"(?=[^\W\d_])",
    re.IGNORECASE,
)
"""The section before the names in a byline."""
_USER = re.compile(r"user-?_?name|hnuser|poster\b|topic-author|posted")
_ONLY_BY = re.compile(
    r"(?:written |posted |published )?by:?\Z|(?:author|autor|von|par|por):?\Z", re.IGNORECASE
)
_ROLE = re.compile(
    r"(?<=\w\s)(?<=[^\W\d]{2}\s)(?:(?:health|political|science|sports?|business|education)\s)?(?:(?:staff(?!\s(?:and|&)\s(?-i:[A-Z]))|senior|contributing|review|managing|associate|chief|"
    r"freelance|political|founder|editor|writer|reporter|reviewer|envoyée?s?\sspécia\w*|correspondent|contributor|columnist|"
    r"author|journalist|view|follow|redakteur\w*|member|moderator|correspondante?s?|korrespondent\w*|"
    r"reporter\w*|corresponsal|enviad[oa]s?\sespecial\w*|inviat[oa]|giornalista|periodista|chefredakteur\w*|"
    r"journaliste|verslaggever|корреспондент|обозреватель|twitter|facebook|instagram|linkedin)\b|"
    r"google\s?\+).*",
    re.IGNORECASE | re.DOTALL,
)
"""A role or a button after a name in a byline."""
_AND = re.compile(r"\s(?:and|und|et|y|e|i|и|og|och|en|&)\s")
_DATE_FIRST = re.compile(
    rf"\A\s*(?:(?:{DATE_TEXT.pattern})[\s,|·•–—-]+(?=(?:by|von|par|por|di|door|av)\s)|"
    rf"{KOREAN_DATE}\s?:?\s?\d[\d.:/\s-]{{5,20}}[|·\s]*(?=[가-힣]))",
    re.IGNORECASE,
)
_EMPLOYER = re.compile(r"(?:, | \()[^,(]*\Z")
_POSTED_BY = re.compile(
    r"\A\s*(?:posted|published|submitted|written|veröffentlicht|publié|publicado|pubblicato|geplaatst)"
    rf"(?:\s(?:on|am|le|el|il|op|em))?:?\s(?:{DATE_TEXT.pattern})"
    r"(?:,?\s(?:at\s)?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?)?[\s,|·•–—-]+"
    r"(?:by|von|par|por|da|door)\s",
    re.IGNORECASE,
)
"""Words, a date and "by" before the name of a user."""
_MAX_STATED = 100
"""Different values of authors that are read."""
_NEXT = 3
"""How many next marks may be inside a mark; how many blocks apart names of a byline may be."""
_GOES_ON = re.compile(r"[,;&/|]|(?:and|und|et|y|e|og|och|en|with|mit|avec|con)\s", re.IGNORECASE)
"""What stands between the name at the end of a line and that in the next one."""
_MAX_BYLINE_CHARS, _AROUND = 150, 10
"""Characters of a byline; blocks on either side that tell whether a name may be Japanese."""


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
    if shown := _shown_with(names, blocks, place):
        names, source = shown, "text"
    people = (_without_site(name, sites) for name in names)
    return tuple(n if squeezed(n) in sites else in_title_case(n) for n in people), source


def _shown_with(
    stated: Sequence[str], blocks: Sequence[Block], place: Place
) -> tuple[str, ...] | None:
    """Return the names of a byline beside the headline that has all the stated ones and others of
    persons, joined by "and": what only follows a comma may be an employer.
    """
    if not stated:
        return None
    start, stop = place.areas()[0].start, place.areas()[0].stop
    known, near = {name.casefold() for name in stated}, blocks[start:stop]
    for i, block in enumerate(near, start):
        is_byline = len(block.text) <= _MAX_BYLINE_CHARS and i not in place.others
        is_byline = is_byline and bool(_AND.search(block.text))
        names = _names_after_by(block.text, False, near) if is_byline else ()
        if known < {name.casefold() for name in names} and all(map(is_person, names)):
            return names
    return None


def _without_site(name: str, sites: AbstractSet[str]) -> str:
    """Return the name without a comma or a bracket and the site's name after it."""
    behind = _EMPLOYER.search(name)
    return name[: behind.start()] if behind and squeezed(behind[0]) in sites else name


def author_candidates(
    blocks: Sequence[Block], stated: Stated, objects: Ranked, place: Place
) -> Iterator[Names]:
    """Yield (names, source) of possible authors, the likeliest first."""
    yield from stated_authors(stated, objects)
    for near in place.areas():
        yield from marked_authors(blocks, stated, near, place.others)
        yield from byline_authors(blocks, near, place.content.start or near.stop, place.others)
        if place.headline in near:
            yield from classed_authors(blocks, place, stated.language)
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
        found = [(m, names) for m in _innermost(marks) if (names := _in_mark(m, blocks))]
        for i, (mark, names) in enumerate(found):
            for after, more in found[i + 1 : i + 1 + MAX_AUTHORS]:  # a byline of several elements
                between = blocks[mark.block + 1 : after.block]
                is_next = after.block - mark.block <= (_NEXT if wanted is _AUTHOR else 0)
                if after.names != mark.names or not is_next:
                    break
                if any(is_sentence(block.text) for block in between):  # a post of a thread
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
        others = (m for m in marks[i + 1 : i + 1 + 3 * _NEXT] if m.text != mark.text)
        inner = (m.text for m in islice(others, _NEXT) if m.block - mark.block <= _NEXT)
        if mark.text and not any(_is_name_inside(text, mark.text) for text in inner):
            yield mark


def _is_name_inside(inner: str, outer: str) -> bool:
    return (
        inner != outer
        and inner in outer
        and (" " in inner or outer.startswith(inner))
        and bool(split_names(inner))
    )


def _in_mark(mark: Mark, blocks: Sequence[Block]) -> tuple[str, ...]:
    line = blocks[mark.block].text if mark.block < len(blocks) else ""
    near = blocks[max(mark.block - _AROUND, 0) : mark.block + _AROUND]
    if line.startswith(f"{mark.text}/") and " " not in line:
        return ()  # the owner of a repository
    after = mark.text[len(line) :].lstrip() if line and mark.text.startswith(line) else ""
    if after and not _GOES_ON.match(after):  # an employer or a date below the name
        names = _names_after_by(line, False, near)
        if names and all(map(is_person, names)):
            return names
    if credit := author_credit(mark.text):
        return _names_of_credit(credit, near)
    is_of_paper = "ltx_" in mark.names
    return _in_byline(_OF_NOTES.sub("", mark.text) if is_of_paper else mark.text)


def _in_byline(text: str) -> tuple[str, ...]:
    if date := _DATE_FIRST.match(text):
        text = text[date.end() :]
    if section := _SECTION.match(text):
        text = text[section.end() :]
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
        names = _names_after_by(text, index <= text_start, near) if short else ()
        if names:
            yield names, "text"


def classed_authors(blocks: Sequence[Block], place: Place, language: str) -> Iterator[Names]:
    """Yield (names, source) of persons in short blocks below the headline by their classes."""
    for text in classed_bylines(blocks, place, language):
        names = _in_byline(_OF_NOTES.sub("", text.split("[", 1)[0]))
        if names and all(map(is_signature, names)):
            yield names, "text"


def _names_of_credit(credit: str, near: Sequence[Block]) -> tuple[str, ...]:
    """Return the names in a text that begins with an Eastern word for the author.

    ``near``: the blocks around it, which tell whether it may be Japanese, so that a space parts the
    names of one person.
    """
    names = _in_byline(credit)
    if not names or is_japanese(credit, (block.text for block in near)):
        return names
    return distinct(name for part in names for name in parted_names(part))


def _names_after_by(text: str, users: bool, near: Sequence[Block]) -> tuple[str, ...]:
    """Return the names in a text that begins with "By" or the like; ``near``: blocks around it."""
    if users and (posted := _POSTED_BY.match(text)):
        text = f"Posted by {text[posted.end() :]}"
    if credit := author_credit(text):
        return _names_of_credit(credit, near)
    text = writers_of(text) if is_credit(text) else text
    if match := _BYLINE.match(text):
        user = _USER_WITH_DIGITS.match(text, match.start("names"))
        return _in_byline(user[0] if user else match["names"])
    match = _USER_BYLINE.match(text) if users else None
    is_byline = match and (match["verb"] or any(dates_in(text)))
    return split_names(match["names"]) if match and is_byline else ()


def choose_authors(candidates: Iterable[Names], sites: AbstractSet[str]) -> Names:
    """Return the first candidate, or a later one of a person if the first one is doubtful: an
    account, a host, the site, or an organization of the site.

    It stays if a text names the organization, too, or the person that the site is named after. If
    the first one is stated and may be a user, a person of whose name the user's is made is
    returned. ((), ""): there is no candidate. ``sites``: the site's names, letters and digits in
    lower case.
    """
    others = iter(candidates)
    first = next(others, ((), ""))
    names, source = first
    if is_doubtful(names, source, sites):
        is_named = source != "text" and all(map(is_person, names))
        if is_named or is_of_site(names, sites):
            others = iter(listed := [*others])
            if any(source == "text" and names_site(shown, sites) for shown, source in listed):
                return first
        people = (one for one in others if not is_doubtful(*one, sites))
        return next((one for one in people if is_shown_person(one[0][0])), first)
    if source != "text" and is_user(names):
        return next((one for one in others if is_name_of_user(one[0][0], names[0])), first)
    return first
