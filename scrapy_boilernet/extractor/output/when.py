"""Finds when a page was published and last changed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import cached_property
from itertools import islice

from scrapy_boilernet.extractor.metadata import Mark, Stated
from scrapy_boilernet.extractor.output.dates import NEW_YEAR, YEAR_DIGITS, dates_in, iso_date
from scrapy_boilernet.extractor.output.named import Place, Ranked, Sourced
from scrapy_boilernet.extractor.output.other_dates import (
    is_in_column,
    is_of_other,
    is_quoted,
    texts_before,
)
from scrapy_boilernet.extractor.output.titles import squeezed
from scrapy_boilernet.extractor.page import Block, Page

_PUBLISHED_METAS = (
    "article:published_time", "article:published", "og:published_time", "og:article:published_time",
    "article.published", "datepublished", "parsely-pub-date", "sailthru.date",
    "cxenseparse:recs:publishtime", "publish-date", "publish_date", "publication_date",
    "publicationdate", "published_time",
    "published-date", "pubdate", "pub_date", "citation_publication_date", "citation_online_date",
    "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.created", "dc.date.created",
    "dcterms.date", "dc.date", "article_date_original", "article.created",
    "originalpublicationdate",
    "datecreated", "date_published", "rnews:datepublished", "bt:pubdate", "gentime", "date",
    "created", "timestamp", "displaydate", "article:created_time", "article-pubdate", "postdate",
    "og:pubdate", "ms.date", "live_date", "shareaholic:article_published_time",
    "dcsext.articlefirstpublished",
)  # fmt: skip
_MODIFIED_METAS = (
    "article:modified_time", "og:updated_time", "article:modified", "datemodified", "last-modified",
    "lastmod", "revised", "dcterms.modified", "dc.date.modified", "article:modified_date",
    "shareaholic:article_modified_time", "updated_time", "modified",
)  # fmt: skip
_PUBLISHED = re.compile(r"publi|posted|pubdate|created|dateline|entry-date|issued|dt-published")
_MODIFIED = re.compile(r"updat|modif|edited|revis")
_LAST_CHANGE = re.compile(r"last[-_]?(?:updat|modif|edit|chang)|revision[-_]?date")
_CHANGED = re.compile(
    r"updated|modified|edited|revised|last reviewed|last change|aktualisier|geändert|änderung|"
    r"\bstand(?::|\s\d)|mise? à jour|modifié|actualiza[dc]|aggiorna|atualiza[dç]|bijgewerkt|"
    r"gewijzigd|uppdatera|oppdatert|opdateret|päivitetty|zaktualizowan|aktualizacja|aktualizován|обновл|"
    r"оновлен|güncelle|eguneratu|ενημέρωση|수정|업데이트|تحديث",
    re.IGNORECASE,
)
_PUBLISHED_TEXT = re.compile(
    r"publi|posted|written|created|veröffentlicht|erschienen|erstellt|posté|pubblicat|gepubliceerd|"
    r"utgitt|udgivet|julkaistu|zveřejněn|yayın|опубл|δημοσι|发布|發布|公開|投稿|入力|등록|نشر",
    re.IGNORECASE,
)
_MEMBER = re.compile(
    r"\b(?:joined|join date|registered|member since|registriert|registrierung|mitglied seit|"
    r"dabei seit|beigetreten|inscrit|inscription|membre depuis|registrado|registro|"
    r"fecha de ingreso|miembro desde|membro desde|iscritto|registrazione|iscrizione|geregistreerd|"
    r"lid sinds|dołączył|rejestracja|регистрация|зарегистрирован|üyelik)\b|注册时间|註冊時間|"
    r"登録日",
    re.IGNORECASE,
)
"""Text that states when the writer of a post became a member."""
_URL_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[/-]?(0?[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?!\d)"
)
_TEXT_CHARS, _BLOCK_CHARS, _NAME_CHARS = 60, 150, 25
_RIGHT_ABOVE, _RIGHT_BELOW = 2, 5
"""Blocks above and below the headline in which a date belongs to the page."""
_TEASER_BLOCKS, _TITLE_CHARS, _OWN_LINK_CHARS = 3, 20, 30
"""Blocks from a teaser's date to its title, and the least characters of a linked title; of one in
the block of the date, where dates are links themselves, too."""
_LONG_CHARS, _DATELINE_CHARS = 80, 60
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_OF_AUTHOR = re.compile(r"\b(?:author|autor|auteur|byline|writer|reporter|vcard|fn)\b")
_TEASER = re.compile(r"related|recent|sidebar|comment|widget|popular|trending|footer|teaser|nav\b")


class OwnBlocks:
    """Tells the blocks whose dates can be the page's own from those of teasers of other pages."""

    def __init__(self, blocks: Sequence[Block], marks: Sequence[Mark], place: Place) -> None:
        self.blocks = blocks
        self._marks = marks
        self.headline = place.headline
        self._content = place.content
        start = max(self.headline - _RIGHT_ABOVE, 0)
        stop = min(self.headline + _RIGHT_BELOW + 1, len(blocks))
        after = range(self.headline + 1, stop)
        long = (i for i in after if len(blocks[i].text) - blocks[i].link_chars >= _LONG_CHARS)
        self.beside = range(start, next(long, stop))
        """The blocks beside the headline, above the first long text below it."""
        self._below = range(self.headline + 1, max(self.beside.stop, place.content.start + 1))
        """The blocks from the headline to the first block of the content."""
        ends = (*blocks[:1], *blocks[-1:], *blocks[place.headline : place.headline + 1])
        self._common = len({*ends[0].nodes}.intersection(*(b.nodes for b in ends))) if ends else 0
        """How many elements hold the first block, the last one and the headline."""
        self._known: dict[int, bool] = {}
        self._matches: dict[tuple[int, int], re.Match[str] | None] = {}
        """What :meth:`search` found, by the pattern's ``id`` and the block."""

    @cached_property
    def dated(self) -> Sequence[int]:
        """The places of the short blocks that may have a date."""
        search = YEAR_DIGITS.search
        return [
            i
            for i, block in enumerate(self.blocks)
            if len(block.text) <= _BLOCK_CHARS and search(block.text)
        ]

    @cached_property
    def changes(self) -> AbstractSet[Mark]:
        """The marks that hold the date of a change by their names or by the words before them."""
        return {
            mark
            for mark, before in texts_before(self._marks, self.blocks)
            if _MODIFIED.search(mark.names) or is_changed(before)
        }

    @cached_property
    def changed(self) -> Mapping[int, str]:
        """The texts of marks that are surely of a change, by the indexes of their blocks."""
        return {mark.block: mark.text for mark in self._marks if _LAST_CHANGE.search(mark.names)}

    def search(self, pattern: re.Pattern[str], index: int) -> re.Match[str] | None:
        """Return the first match in a block's text, which is searched once for all dates."""
        key = (id(pattern), index)
        if key not in self._matches:
            self._matches[key] = pattern.search(self.blocks[index].text)
        return self._matches[key]

    def has(self, index: int) -> bool:
        """Return whether the block is not a teaser's, nor in a quote or the like.

        A teaser's date shares an element with the linked or headed title of another page, in which
        the page's own headline is not.
        """
        if index not in self._known:
            beyond = index >= len(self.blocks)
            is_own = beyond or not (self._is_of_other(index) or self._is_teaser(index))
            self._known[index] = is_own
        return self._known[index]

    def single(self, language: str) -> Iterator[str]:
        """Yield the dates below the headline that are like those of teasers, but not repeated.

        Teasers come in numbers, so that several blocks have the same path.
        """
        for i in self._below[:_RIGHT_BELOW]:
            if i < len(self.blocks) and not self.has(i) and not self._is_of_other(i):
                one = self.blocks[i]
                paths = ((b.tags, b.class_words) for b in self.blocks)
                alike = sum(path == (one.tags, one.class_words) for path in paths)
                if alike == 1 and len(one.text) <= _TEXT_CHARS and not _CHANGED.search(one.text):
                    yield from dates_in(one.text, language)

    def called(self, name: re.Pattern[str], language: str) -> Iterator[str]:
        """Yield the date of the first short block, anywhere on the page, that begins with a name.

        ``name``: what the page calls such a date, as in "Published on" or "Last updated".
        """
        for i in self.dated:
            block = self.blocks[i]
            named = len(block.text) <= _TEXT_CHARS and name.search(block.text[:_NAME_CHARS])
            if named and self.has(i) and any(dates_in(block.text, language)):
                yield from islice(dates_in(block.text, language), 1)
                return

    def has_all(self, mark: Mark) -> bool:
        """Return whether the mark's block is not a teaser's, and no date inside it is of another
        thing than a page.
        """
        inside = self.dated[bisect_left(self.dated, mark.block) :][:_RIGHT_BELOW]
        return self.has(mark.block) and not any(
            self.blocks[i].text in mark.text and self._is_of_other(i) for i in inside
        )

    def _is_of_other(self, index: int) -> bool:
        """Return whether a date in the block is that of another thing than a page."""
        if index == self.headline or not 0 <= self.headline < len(self.blocks):
            return False
        block, headline = self.blocks[index], self.blocks[self.headline]
        is_other = len(block.text) <= _BLOCK_CHARS and is_of_other(block.text)
        is_other = is_other or is_quoted(block, headline)
        return is_other or is_in_column(index, self.dated, self.blocks, headline)

    def _is_teaser(self, index: int) -> bool:
        if index == self.headline or not 0 <= self.headline < len(self.blocks):
            return False
        block = self.blocks[index]
        called = self.search(_PUBLISHED_TEXT, index) or self.search(_CHANGED, index)
        likely = index in self._below or bool(called)
        linked = not likely and block.link_chars >= _OWN_LINK_CHARS
        if linked and abs(index - self.headline) > _RIGHT_BELOW:
            return True
        start = max(index - _TEASER_BLOCKS, 0)
        near = enumerate(self.blocks[start : index + _TEASER_BLOCKS + 1], start)
        titles = [
            other
            for i, other in near
            if i not in (index, self.headline)
            and (
                self._is_title(other, headed=likely)
                or (linked and other.link_chars >= _OWN_LINK_CHARS)
            )
        ]
        shared = max((_shared(block, title) for title in titles), default=0)
        own = _shared(block, self.blocks[self.headline])
        if linked:
            return own <= max(shared, self._common)
        outside = not likely and bool(self._content) and index > self._content.stop
        return shared > own or bool(titles and outside and shared == own)

    def _is_title(self, block: Block, headed: bool) -> bool:
        """Return whether the block is one link that looks like the title of another page.

        ``headed``: whether it must be a heading.
        """
        if block.link_chars < _TITLE_CHARS or block.link_chars * 2 < len(block.text):
            return False
        if any(map(_OF_AUTHOR.search, block.class_words[-2:])):
            return False
        if not _HEADINGS.isdisjoint(block.tags[-3:]):
            return squeezed(self.blocks[self.headline].text[:_LONG_CHARS]) not in squeezed(
                block.text
            )
        return not headed and "a" in block.tags[-3:]


def _shared(one: Block, other: Block) -> int:
    """Return how many elements hold both blocks."""
    return len({*one.nodes}.intersection(other.nodes))


def published(
    page: Page,
    stated: Stated,
    objects: Ranked,
    place: Place,
    own: OwnBlocks,
    language: str,
) -> Iterator[Sourced]:
    """Yield possible dates of publication as the page writes them, the likeliest first.

    ``place``: the blocks in which dates of the page itself can stand. ``own``: of the page's blocks
    and this place.
    """
    for rank, one in objects:
        if rank <= 2:
            yield from _each(one.all("datepublished", "uploaddate", "dateposted"), one.syntax)
    for name in stated.present(_PUBLISHED_METAS):
        yield from _each(stated.all_metas(name), "open-graph" if ":" in name else "meta")
    for _, one in objects:
        yield from _each(one.all("datepublished", "datecreated"), one.syntax)
    for near in (own.beside, *place.areas()):
        yield from _marked(stated, near, own, modified=False)
        yield from _shown(own, near, language, modified=False)
    if match := _URL_DATE.search(page.url or ""):
        yield Sourced("-".join(match.groups()), "url")
    yield from _each(stated.all_metas("script:published"), "script")
    for mark in stated.marks:
        is_time = mark.tag == "time" and mark.value and mark not in own.changes
        if is_time and own.has(mark.block):
            yield Sourced(mark.value, "time")
    yield from _each(own.single(language), "text")
    yield from _each(own.called(_PUBLISHED_TEXT, language), "text")


def modified(
    stated: Stated,
    objects: Ranked,
    place: Place,
    own: OwnBlocks,
    language: str,
) -> Iterator[Sourced]:
    """Yield possible dates of the last change as the page writes them, the likeliest first.

    ``own``: as in :func:`published`.
    """
    for _, one in objects:
        yield from _each(one.all("datemodified"), one.syntax)
    for name in stated.present(_MODIFIED_METAS):
        yield from _each(stated.all_metas(name), "open-graph" if ":" in name else "meta")
    for near in place.areas():
        yield from _marked(stated, near, own, modified=True)
        yield from _shown(own, near, language, modified=True)
    yield from _each(stated.all_metas("script:modified"), "script")
    yield from _each(own.called(_CHANGED, language), "text")


def _each(values: Iterator[str], source: str) -> Iterator[Sourced]:
    return (Sourced(value, source) for value in values)


def _marked(stated: Stated, place: range, own: OwnBlocks, modified: bool) -> Iterator[Sourced]:
    """Yield texts of marked elements in the place that may be dates, the likeliest first."""
    near = [m for m in stated.marks if m.block in place and own.has_all(m)]
    near = [m for m in near if not (_TEASER.search(m.names) or _MEMBER.search(m.text))]
    near = [m for m in near if (m in own.changes) == modified]
    near.sort(
        key=lambda m: (
            not _PUBLISHED.search(m.names), m.tag != "time", _distance(m.block, own.headline)
        )
    )  # fmt: skip
    for mark in near:
        source = "time" if mark.tag == "time" else "text"
        shown = mark.text if modified else _before_change(mark.text)
        for text in (mark.value, shown) if shown or not mark.text else ():
            if text and len(text) <= _TEXT_CHARS:
                yield Sourced(text, source)


def _shown(own: OwnBlocks, place: range, language: str, modified: bool) -> Iterator[Sourced]:
    """Yield the dates of short blocks in the place, first those called dates of publication."""
    near = [
        (not own.search(_PUBLISHED_TEXT, i), _distance(i, own.headline), own.blocks[i].text, i)
        for i in own.dated[bisect_left(own.dated, place.start) : bisect_left(own.dated, place.stop)]
        if not own.search(_MEMBER, i) and own.has(i)
    ]
    for lacks_published, _, text, i in sorted(near):
        changed = own.search(_CHANGED, i)
        if changed and (modified or not _before_change(text)):
            text = text[changed.start() :] if any(dates_in(text[changed.start() :])) else text
        elif changed:
            text = _before_change(text)
        elif not modified and i in own.changed:
            text = text.replace(own.changed[i], "")
        changed = _CHANGED.search(text) if changed else None
        wanted = bool(changed) == modified or not (modified or lacks_published)
        date = next(dates_in(text, language), "") if wanted else ""
        if date and (int(date[:4]) >= NEW_YEAR or len(text) <= _DATELINE_CHARS):
            yield Sourced(date, "text")


def is_changed(text: str) -> bool:
    """Return whether the text is of a change, such as "Last edited"."""
    return bool(_CHANGED.search(text)) and not _before_change(text)


def is_member(text: str) -> bool:
    """Return whether the text states when somebody became a member."""
    return bool(_MEMBER.search(text))


def _before_change(text: str) -> str:
    """Return the text up to words such as "Updated on"; "" if it begins with them or has no date.

    >>> _before_change("March 5, 2024 (updated March 6, 2024)")
    'March 5, 2024 ('
    """
    changed = _CHANGED.search(text)
    if not changed:
        return text
    before = text[: changed.start()]
    return before if any(dates_in(before)) and any(dates_in(text[changed.end() :])) else ""


def _distance(block: int, headline: int) -> int:
    """Return the number of blocks from the headline to the block, doubled for one above it."""
    return block - headline if block >= headline else 2 * (headline - block)


def contradicting(
    stated: Stated, place: Place, own: OwnBlocks, language: str, dates: Sequence[str]
) -> Iterator[Sourced]:
    """Yield the date right beside the headline, if it differs from all of ``dates``.

    ``dates``: the stated dates of publication and change. A difference of one day is taken for a
    time zone; day and month may be swapped.
    """
    near = range(max(place.headline - _RIGHT_ABOVE, 0), place.headline + _RIGHT_BELOW + 1)
    shown = (
        *_marked(stated, near, own, modified=False),
        *_shown(own, near, language, modified=False),
    )
    for candidate in shown:
        date = iso_date(candidate.value, language)
        if date and int(date[:4]) >= NEW_YEAR:
            day = _days(date)
            swapped = f"{date[:4]}-{date[8:10]}-{date[5:7]}"
            if day and not any(
                abs(day - _days(other)) <= 1 or other.startswith(swapped) for other in dates
            ):
                yield candidate
            return


def _days(date: str) -> int:
    """Return the number of the date's day; 0 if the date names no day."""
    try:
        return datetime.fromisoformat(date[:10]).toordinal()
    except ValueError:
        return 0
