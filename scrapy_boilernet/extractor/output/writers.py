"""Finds who wrote a post, and when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

from scrapy_boilernet.extractor.html.threads import TIME_TAGS
from scrapy_boilernet.extractor.metadata import YEAR_DIGITS
from scrapy_boilernet.extractor.output.date_labels import is_changed, is_member
from scrapy_boilernet.extractor.output.dates import dates_in, iso_date
from scrapy_boilernet.extractor.output.name_lists import MAX_NAME_CHARS, split_names
from scrapy_boilernet.extractor.output.other_dates import texts_before
from scrapy_boilernet.extractor.output.people import byline_authors
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_AUTHOR = re.compile(
    r"(?:\A|[\s_-])(?:authors?|bigusername|username\w*(?:-colou?red)?|user-?_?name|hnuser|poster(?:-?name)?|nick\w*|"
    r"creator|fn|p-name|p-author|autor|auteur|commenter|comment-?author|display-?name|screen-?name|"
    r"person(?:-listing)?|member-?name|authi|byline|submitter|name|user|u-url|@profile|"
    r"[a-z]+-author|author-[a-z]+|postuser-name|postuser)(?=[\s_]|-(?:name|link|info)|\Z)"
)
_SURE_AUTHOR = re.compile(
    r"(?:\A|[\s_-])(?:author|bigusername|username|user-?_?name|hnuser|fn|p-author|creator|"
    r"author-name|display-name|person-listing|nickname|comment-author)(?=[\s_-]|\Z)"
)
_NO_AUTHOR = re.compile(
    r"(?:\A|[\s_-])(?:avatar|bio|title|rank|role|group|badge|photo|image|img|count|posts?-count|"
    r"date|time|joined|location|stats?|extra\w*|details?|signature|sig|quote|rating|reputation|"
    r"karma|score|message|content|body|reply-to|icon|status|flair|online|follow|actions?|account|"
    r"statistics|parent|edited|buttons?|controls?|find|form)(?=[\s_-]|\Z)"
)
_USER = re.compile(r"user|member|nick|poster|@profile")
_DATE = re.compile(
    r"(?:\A|[\s_-])(?:dates?|time\w*|age|when|post-?dates?|posted\w*|published|datepublished|"
    r"datecreated|uploaddate|created\w*|dt-published|moment-time|datum|fecha|permalink|datetime|"
    r"relative(?:time|-date)|keyinfo|authorposton\w*|submitted|metadata|meta|"
    r"[a-z_-]*(?:date|time)|post_date|postinfo|smalltext|commentmetadata|subtext|thead)(?=[\s_-]|\Z)"
)
_NO_DATE = re.compile(
    r"(?:\A|[\s_-])(?:modified|datemodified|updated|edit\w*|lastedit\w*|joined|join-?date|"
    r"registered|member-since|last-?(?:seen|visit|online|active)|signature|quote|profile-joined|"
    r"userinfo\w*|extrauserinfo|expand\w*)(?=[\s_-]|\Z)"
)
_NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d\d)(?!\d)")
_MONTHS = 12
_MONTH_FIRST, _DAY_FIRST = "en-US", "en-GB"
"""Languages whose pages write the month or the day first."""
_MAX_DATE_CHARS, _NEAR = 150, 12
_SAYS = re.compile(
    r"(?!(?:he|she|it|they|we|who|er|sie|es|wer|il|elle|on|qui|él|ella|lui|lei|он|она)\s)"
    r"(?P<name>[^\s.,;:!?]\S{0,60}?(?:\s(?:de|da|van|von|der|(?-i:[^\W\d_a-zß-ÿ])\S{0,30}?)){0,3})"
    r"(?:\s\(\w{1,20}\))?\s(?:says|said|wrote|writes|schrieb|schreibt|sagt|meint|escribió|dice|"
    r"dijo|a écrit|dit|ha scritto|scrive|disse|escreveu|napisał\(?a?\)?|пишет|написал\(?а?\)?|"
    r"schreef|zegt|skrev|yazdı)\b(?=\W*\Z|\s?[:…»(]|,?\s(?:on|at|am|um|le|el|il|em|op|в|dnia)\b|\W*\d)",
    re.IGNORECASE,
)
"""A name of one word, or of words that begin in capitals, before a word such as "says" that ends
the text or stands before a colon or a date; elsewhere, it is one of a sentence."""
_AT = re.compile(r"\A(?:@|/?u/|~)(?=\w)")
_ACCOUNT = re.compile(r"\s+@[\w.-]+(?:@[\w.-]+)?\Z")
"""The account after a shown name."""
_LABEL = re.compile(
    r"\A(?:op|author|posted by|submitted by|from|von|de|von:|autor|auteur|von user)\s?:\s?|"
    r"\Aby\s+|\s*\((?:op|author|gast|guest)\)\Z|\s*[:,·•»]\Z",
    re.IGNORECASE,
)

_BEFORE_DATE = re.compile(
    r"\A(?:(?:(?:posted|submitted|written|asked|answered|started|gepostet|geschrieben|publié|écrit|"
    r"publicado|escrito|scritto|inviato) )?(?:by|von|par|por|da|di|door|od|от)|от)\s+"
    r"(?P<name>\S.{0,60}?)\s*(?:[»·|•,–—]|\s-\s|\s(?:on|at|am|um|le|el|il|em|op|в|dnia)\s)",
    re.IGNORECASE,
)
"""A name between a word for "by" and a date."""
_NUMBER = re.compile(r"(?<!\S)\d+\b")
_EDITED = re.compile(
    r"bearbeitet|édité|modificat[oa]?\b|editad[oa]\b|bewerkt|redigera[dt]|redigeret|redigert|"
    r"muokattu|edytowan|upraven|редактирова|düzenle|編集|编辑于|編輯於",
    re.IGNORECASE,
)
"""Words before the date at which a post was changed, beside those of pages of all kinds."""


@lru_cache(maxsize=1 << 12)
def _is_author(names: str) -> bool:
    return bool(_AUTHOR.search(names)) and not _NO_AUTHOR.search(names)


@lru_cache(maxsize=1 << 12)
def _is_date(names: str) -> bool:
    return bool(_DATE.search(names)) and not _NO_DATE.search(names)


def names_author(mark: ThreadMark) -> bool:
    """Return whether the mark may hold the author of a post."""
    return bool(mark.author) or (bool(mark.text) and _is_author(mark.names))


def names_user(mark: ThreadMark) -> bool:
    """Return whether the mark may hold the name of a registered user."""
    return names_author(mark) and bool(_USER.search(mark.names))


def names_date(mark: ThreadMark) -> bool:
    """Return whether the mark may hold the date of a post."""
    if _NO_DATE.search(mark.names):
        return False
    is_time = mark.tag in TIME_TAGS and bool(mark.date or mark.text)
    return is_time or (bool(mark.date or mark.text) and _is_date(mark.names))


def language_of_dates(marks: Sequence[ThreadMark], language: str) -> str:
    """Return the language by whose order of day and month all dates of a page in numbers are days,
    if it is English or unknown and one of the dates tells the order.
    """
    if language and language[:2].lower() != "en":
        return language
    texts = (mark.text for mark in marks if mark.text and names_date(mark))
    found = (match for text in texts for match in _NUMERIC.finditer(text))
    orders = {
        _MONTH_FIRST if first <= _MONTHS else _DAY_FIRST
        for first, second in ((int(match[1]), int(match[3])) for match in found)
        if (first <= _MONTHS) != (second <= _MONTHS)
    }
    return orders.pop() if len(orders) == 1 else language


def author_of(marks: Sequence[ThreadMark], own: int, blocks: Sequence[Block]) -> str | None:
    """Return the name of the post's author; None if there is none.

    ``marks``: those in the post; ``own``: the number of its element; ``blocks``: its blocks.
    """
    for name in _names(marks, own, blocks):
        is_edit = is_changed(name) and YEAR_DIGITS.search(name)
        if name and len(name) <= MAX_NAME_CHARS and not is_edit:
            return name
    return None


def _names(marks: Sequence[ThreadMark], own: int, blocks: Sequence[Block]) -> Iterator[str]:
    yield from (mark.author for mark in marks if mark.node == own and mark.author)
    named = [mark for mark in marks if mark.text and _is_author(mark.names)]
    inner = [
        mark
        for mark, after in zip_longest(named, named[1:])
        if after is None or after.text == mark.text or after.text not in mark.text
        or after.node > mark.node + _NEAR
    ]  # fmt: skip
    sure = [mark for mark in inner if _SURE_AUTHOR.search(mark.names)]
    yield from map(_name, (mark.text for mark in sure))
    yield from (mark.author for mark in marks if mark.author)
    yield from map(_name, (mark.text for mark in inner))
    for block in blocks[:_NEAR]:
        if "blockquote" in block.tags:  # said by somebody else
            continue
        if match := _SAYS.match(block.text[:_MAX_DATE_CHARS]):
            yield _name(match["name"])
    yield from (names[0] for names, _ in byline_authors(blocks[:_NEAR], range(_NEAR), _NEAR))


def without_label(text: str) -> str:
    """Return the text without a word such as "by" before a name or a sign behind it."""
    return _LABEL.sub("", text.strip())


def _name(text: str) -> str:
    """Return the name in the text of an element of a post; "" if it is none."""
    if any(dates_in(text)):
        match = _BEFORE_DATE.match(text.strip())
        text = match["name"] if match and not _NUMBER.search(match["name"]) else ""
    plain = _LABEL.sub("", _AT.sub("", without_label(text)))
    if match := _SAYS.match(plain):
        plain = match["name"]
    plain = _ACCOUNT.sub("", plain).strip() or plain.strip()
    names = split_names(plain)
    is_cut = len(names) == 1 and plain != f"{names[0]}."  # "Ann N." is whole
    return names[0] if is_cut else plain


def tells_edit(text: str) -> bool:
    """Return whether the text says that a post was changed."""
    return is_changed(text) or bool(_EDITED.search(text))


def without_edits(marks: Sequence[ThreadMark], blocks: Sequence[Block]) -> list[ThreadMark]:
    """Return the marks without the dates that stand behind a word such as "edited".

    ``blocks``: all blocks of the page.
    """
    edits = edits_in(marks, blocks)
    return [mark for mark in marks if mark.node not in edits]


def edits_in(marks: Sequence[ThreadMark], blocks: Sequence[Block]) -> set[int]:
    """Return the numbers of the dates that stand behind a word such as "edited"."""
    dated = filter(is_dated, marks)
    return {mark.node for mark, before in texts_before(dated, blocks) if tells_edit(before)}


def is_dated(mark: ThreadMark) -> bool:
    """Return whether the mark shows a text that may be a date."""
    return bool(mark.text) and bool(mark.date or names_date(mark))


def when_posted(
    marks: Sequence[ThreadMark], own: int, blocks: Sequence[Block], language: str
) -> str | None:
    """Return the date of the post in ISO 8601; None if there is none."""
    found = filter(None, _dates(marks, own, blocks, language))
    first = next(found, None)
    if first is None or "T" in first:
        return first
    with_time = (date for date in found if date.startswith(f"{first}T"))
    return next(with_time, first)


def _dates(
    marks: Sequence[ThreadMark], own: int, blocks: Sequence[Block], language: str
) -> Iterator[str]:
    good = [mark for mark in marks if not _NO_DATE.search(mark.names) and not _is_other(mark.text)]
    stated = [mark for mark in good if mark.date]
    sure = [m for m in stated if m.tag in TIME_TAGS or m.tag == "meta" or _is_date(m.names)]
    yield from (iso_date(mark.date, language) for mark in sure)
    yield from (iso_date(mark.date, language) for mark in stated if mark.node == own)
    yield from (date_of(m.text, language) for m in good if m.tag in TIME_TAGS or _is_date(m.names))
    yield from (iso_date(mark.date, language) for mark in stated if mark.node != own)
    yield from (date_of(block.text, language) for block in blocks)


def date_of(text: str, language: str) -> str:
    """Return the date that a short text states, unless it is that of something else; or ""."""
    date = next(dates_in(text, language), "") if len(text) <= _MAX_DATE_CHARS else ""
    return "" if date and _is_other(text) else date


def _is_other(text: str) -> bool:
    """Return whether the text is of a change, or of when the author became a member."""
    edit = _EDITED.search(text)
    is_edit = edit is not None and not any(dates_in(text[: edit.start()]))
    return is_edit or is_changed(text) or is_member(text)
