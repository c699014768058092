"""Converts dates as pages write them, in some seventy languages, to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import NamedTuple

from scrapy_boilernet.extractor.metadata import YEAR_DIGITS
from scrapy_boilernet.extractor.output.calendars import (
    PERSIAN_YEARS,
    of_persian,
    our_year,
    persian_month,
)  # fmt: skip
from scrapy_boilernet.extractor.output.months import month_of, with_plain_digits

MAX_CHARS = 300
_MIN_YEAR, _MAX_YEAR = 1600, 2100
"""The first newspapers are of the 17th century."""
NEW_YEAR = 1990
"""Text with an earlier year is rarely about the page itself."""
_NO_DATES = frozenset({"1601-01-01", "1900-01-01", "1969-12-31", "1970-01-01"})
"""Days that programs write for "no date"."""
_MAX_FOUND = 5

DATE_WORDS = frozenset(
    "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun "
    "sunday at on "
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro stycznia styczeń "
    "января январь янв januari ocak ledna leden січня "
    "february feb februar février févr fév fevrier febrero febbraio fevereiro lutego luty февраля "
    "февраль фев februari şubat února únor лютого "
    "march mar märz mär mrz mars marzo março marco marca marzec марта март maart mart března "
    "березня april apr avril avr abril aprile kwietnia kwiecień апреля апрель nisan dubna duben "
    "квітня abr may mai mayo maggio mag maio maja maj мая май mei mayıs května květen травня "
    "june jun juni juin junio giugno giu junho czerwca czerwiec июня июнь июн haziran června "
    "červen червня july jul juli juillet juil julio luglio lug julho lipca lipiec июля июль июл "
    "temmuz července červenec липня august aug août aout agosto ago sierpnia sierpień августа "
    "август авг augustus augusti ağustos srpna srpen серпня september sept sep septembre "
    "septiembre settembre set setembro września wrzesień сентября сентябрь eylül září вересня "
    "october oct oktober okt octobre octubre ottobre ott outubro października październik октября "
    "октябрь ekim října říjen жовтня november nov novembre noviembre novembro listopada listopad "
    "ноября ноябрь kasım listopadu december dec dezember dez décembre déc decembre diciembre dic "
    "dicembre dezembro grudnia grudzień декабря декабрь aralık prosince prosinec грудня desember "
    "des".split()
)
"""Words at the end of a byline that belong to a date: English days of the week, and months of the
languages in which bylines often end with a date."""

_HALVES = {"오전": "a", "上午": "a", "午前": "a", "오후": "p", "下午": "p", "午後": "p"}
_ZONES = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "MEZ": 1, "CEST": 2,
    "MESZ": 2, "SAST": 2, "EET": 2, "EEST": 3, "MSK": 3, "SGT": 8, "HKT": 8, "JST": 9, "KST": 9,
    "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "EST": -5, "EDT": -4, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7,
}  # fmt: skip
"""Hours from UTC. CST and IST are left out, as each names several zones."""
_TIME = (
    r"(?:(?:\s[гр]\.)?(?:\s?\(\w{1,9}\.?\))?[\s,،T|·•–—-]{0,4}"
    r"(?:\b(?:at|um|à|kl\.?|klo|alle|ore|om|as|às|a las|в|о|o|lúc|saat|u|ob|ve)\b\s*)?"
    r"(?P<before>오전|오후|上午|下午|午前|午後)?\s?"
    r"(?P<hour>\d{1,2})\s?[:h時时点시]\s?(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?(?!\d)"
    r"\s?(?P<half>[ap]\.?m\b\.?)?"
    r"(?:\s?(?:uhr\s)?(?P<bracket>\()?(?P<zone>Z\b|(?:UTC|GMT)(?![+-])\b|(?:GMT|UTC)?[+-]\d\d:?\d\d\b|"
    rf"(?:GMT|UTC)[+-]\d\b|[+-]\d\d\b|(?-i:{'|'.join(_ZONES)})\b)(?(bracket)\)))?)?"
)
_NAME = r'(?P<name>[^\W\d_][^\s\d,،;:/()<>|•·–—!?"“”@&-]{1,19})'
_GAP = r"(?:\s{0,2}[\s/-]|\s?(?=[^\x00-\x7f]))"
_ORDINAL = r"(?:st|nd|rd|th|er|re|ère|ste|de|ος|-?(?:го|е|а|і)|-?(?:an?|én|án)|'?a|[º°ª.)])?"
_OF = r"(?:(?:of|de|del|di|da|ng|ta['’]|de\sl['’]|mensis)\s{1,2}|d['’]\s?)?"
_ERA = r"(?:พ\.?\s?ศ\.?|ค\.?\s?ศ\.?)?\s?"
_PATTERNS = [
    re.compile(pattern if "<hour>" in pattern else pattern + _TIME, re.IGNORECASE)
    for pattern in (
        r"(?<![\d/.-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)",
        r"(?<![\d/.-])(?P<year>\d{4})\.\s(?P<month>\d{1,2})\.\s(?P<day>\d{1,2})(?![\d:])\.?",
        r"(?<!\d)(?:(?P<era>令和|平成|昭和|民國|民国)\s?)?(?P<year>\d{1,4}|元)\s?[年년]\s?"
        r"(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일號号]?",
        r"(?<!\w)(?P<day>\d{1,2})\s(?:tháng|thg)\.?\s(?P<number>\d{1,2}|mười một|mười hai|mười|một|"
        r"hai|ba|tư|năm|sáu|bảy|tám|chín)(?:,?\s(?:năm\s)?|/)(?P<year>\d{4})(?!\d)",
        rf"(?<!\w)(?P<year>\d{{4}})(?:[.,]|(?:(?:\(e\)|\.e|['’-])?[a-z]{{2}})?(?=\s)|-|\s(?:m|ж|г)\.?)\s{{0,2}}{_NAME}"
        r"[\s-]{1,2}(?P<day>\d{1,2})(?![\d:])(?:-\w{1,2}|\.|a|an)?",
        rf"(?<!\w)(?P<year>\d{{4}})(?:\.\s?|\s)(?:(?:gada|жылғы|ж|г|წლის)\.?\s)?(?P<day>\d{{1,2}})"
        rf"(?:\.\s?|-\w{{1,2}}\s|\s){_NAME}",
        rf"(?<!\w)(?P<day>\d{{1,2}}){_ORDINAL}{_GAP}{_OF}{_NAME}(?:\s?/\s?[^\W\d]{{2,14}})?,?،?"
        rf"(?:\s?[\s/-]\s?|\s?['’]|(?<=[^\x00-\x7f]))(?:de\s|del\s|d[e']l?\s|of\s|в\s)?{_ERA}"
        r"(?P<year>\d{4}|(?<=['’-])\d\d|(?<=[ก-๛.]\s)\d\d)(?!\d)",
        rf"(?<!\w){_NAME},?\s{{1,2}}(?:the\s)?(?P<day>\d{{1,2}})(?:st|nd|rd|th|e?an?)?"
        r"(?:,\s{0,2}|\s{1,2})(?:of\s)?(?P<year>\d{4})(?!\d)",
        rf"(?<!\w){_NAME}\s{{1,2}}(?P<day>\d{{1,2}})\s(?P<hour>\d\d):(?P<minute>\d\d):"
        r"(?P<second>\d\d)(?P<half>)(?:\s(?P<zone>[A-Z]{3,4}|[+-]\d{4}))?\s(?P<year>\d{4})(?!\d)",
        r"(?<![\d/.:-])(?P<one>\d{1,2})(?P<separator>[./-]|\s\|)\s?(?P<two>\d{1,2})(?P=separator)\s?"
        r"(?P<year>\d{4}|\d\d)(?!\d|/|[.:-]\d|\s?[€$£%])",
    )
]
_NUMBERS = "một hai ba tư năm sáu bảy tám chín mười".split()
_VIETNAMESE = {name: number for number, name in enumerate(_NUMBERS, 1)} | {
    "mười một": 11, "mười hai": 12,
}  # fmt: skip
_NOT_BEFORE = re.compile(
    r"(?:\b(?:v|vers(?:ion|ão|ión|ione)?|release|build|art|nr|no|n|tel|phone|fax|ip|firmware|"
    r"section|rule|kapitel|abs)\.?|\+\d{1,3}|\b0\d{2,4}|[§+©€$£¥]|\(c\))\s?:?\s?\Z",
    re.IGNORECASE,
)
"""Text before numbers that are no date: versions, paragraphs of laws, phone numbers, prices."""
MONTH_FIRST = "en-us"
"""A language whose pages write the month before the day, whatever stands between."""
_MONTH_FIRST = {"/": {"en-us", "en", ""}, "-": {"en-us"}, ".": set[str]()}
"""Per separator, the languages of pages that write the month before the day."""
_TWO_NUMBERS = re.compile(r"\d\D+\d")
"""What every date among other words matches, too."""
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d:?\d\d)?\Z")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?\Z")
_MONTH_ONLY = re.compile(
    rf"(?:{_NAME},?\s(?:de\s|del\s|of\s)?{_ERA}(?P<year>\d{{4}})|"
    rf"(?P<year2>\d{{4}})(?:[-/.]|\s?[年년]\s?)(?P<month>\d{{1,2}})\s?[月월]?|"
    rf"(?P<year3>\d{{4}})(?:\.|\sm\.|\.\sgada|(?:\(e\)|\.e|['’-])?ko)?\s(?P<name3>[^\W\d_]\S{{1,19}}))\Z"
)
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d\d)?\Z")
_NUMERIC = re.compile(r"\s*(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d)")
_YEAR_ONLY = re.compile(r"(\d{4})\Z")


def iso_date(text: str, language: str = "", year_alone: bool = False) -> str:
    """Return the date that ``text`` states, such as an attribute's value, in ISO 8601; or "".

    The time and the zone are included if the text states them. ``language``: the page's, as in
    ``lang``; 03/04/2024 is March 4 for "en", "en-US" and "", else April 3. A month without a day
    becomes ``2024-04``; a year alone counts only if ``year_alone``.

    >>> iso_date("Wed, 27 Mar 2024 10:20:30 +0100")
    '2024-03-27T10:20:30+01:00'
    >>> iso_date("27. März 2024"), iso_date("2024-03"), iso_date("soon")
    ('2024-03-27', '2024-03', '')
    """
    text = with_plain_digits(" ".join(text[:MAX_CHARS].split()))
    if match := _COMPACT.match(text):
        year, month, day, hour, minute, second, zone = match.groups()
        if date := _iso(int(year), int(month), int(day)):
            return date + _clock(hour, minute, second, "", zone)
    if _EPOCH.match(text):
        return _of_epoch(int(text[:10]))
    if found := next(dates_in(text, language), ""):
        return found
    if match := _MONTH_ONLY.match(text):
        name = match["name"] or match["name3"] or ""
        number = month_of(name, language) if name else int(match["month"])
        year = our_year(match["year"] or match["year2"] or match["year3"], language, text)
        return _iso(year, number, 1)[:7]
    if year_alone and _YEAR_ONLY.match(text):
        return _iso(int(text), 2, 1)[:4]
    return ""


def month_first(text: str) -> bool | None:
    """Return whether a date of numbers has the month before the day; None if both can be.

    False is returned for a text that is no such date, too.

    >>> month_first("12-15-2016"), month_first("15.12.2016"), month_first("05-04-2021")
    (True, False, None)
    """
    match = _NUMERIC.match(text)
    one, two = (int(match[1]), int(match[2])) if match else (0, 0)
    if not 0 < one <= 12 or not two:
        return False
    return True if two > 12 else None


class FoundDate(NamedTuple):
    """A date in a text."""

    iso: str
    """ISO 8601."""
    before: str
    """The text up to the date."""
    written: str
    """The date's own characters."""
    after: str


def dates_in(text: str, language: str = "") -> Iterator[str]:
    """Yield the dates in a text in ISO 8601, in the text's order, at most five."""
    return (date.iso for date in found_dates(text, language))


def found_dates(text: str, language: str = "") -> Iterator[FoundDate]:
    """Yield the dates in a text with what is around them, as :func:`dates_in`."""
    text = text[:MAX_CHARS]
    if not YEAR_DIGITS.search(text) or not _TWO_NUMBERS.search(text):
        return
    shown, text = text, with_plain_digits(text)
    shown = shown if len(shown) == len(text) else text
    found: dict[int, tuple[int, str]] = {}
    for pattern in _PATTERNS:
        for match in islice(pattern.finditer(text), _MAX_FOUND):
            start, end = match.span()
            free = not any(
                start < other_end and other < end for other, (other_end, _) in found.items()
            )
            if free and (date := _of_match(match, language)):
                found[start] = end, date
                if start == 0:  # most texts begin with their date, and no other one is wanted
                    yield _found_at(shown, start, end, date)
    for start, (end, date) in islice(sorted(found.items()), _MAX_FOUND):
        if start:
            yield _found_at(shown, start, end, date)


def _found_at(text: str, start: int, end: int, iso: str) -> FoundDate:
    return FoundDate(iso, text[:start], text[start:end].strip(), text[end:])


def written_date(text: str, language: str = "") -> str:
    """Return the characters of the first date in a text, without the text around them.

    In ISO 8601 if they cannot be read alone; "" if there is no date.

    >>> written_date("By Sam Orr, 3 May 2026 | News")
    '3 May 2026'
    """
    date = next(found_dates(text, language), None)
    return characters_of(date, language) if date else ""


def characters_of(date: FoundDate, language: str) -> str:
    """Return a date as it is written; in ISO 8601 if that cannot be read alone."""
    return date.written if iso_date(date.written, language) == date.iso else date.iso


def _of_match(match: re.Match[str], language: str) -> str:
    parts = match.groupdict()
    year = our_year(parts["year"], language, match.string, parts.get("era") or "")
    if "era" in parts and not parts["era"] and len(parts["year"]) < 4:
        return ""
    if "one" in parts:
        if _NOT_BEFORE.search(match.string[max(match.start() - 12, 0) : match.start()]):
            return ""
        separator = parts["separator"]
        day, month = _day_and_month(int(parts["one"]), int(parts["two"]), separator, language)
    else:
        day, month = int(parts["day"]), _month(parts, language)
    if year in PERSIAN_YEARS:
        year, month, day = _of_persian(parts, language, year, month, day)
    date = _iso(year, month, day)
    half = parts["half"] or _HALVES.get(parts.get("before") or "", "")
    return date and date + _clock(
        parts["hour"], parts["minute"], parts["second"], half, parts["zone"]
    )


def _of_persian(
    parts: dict[str, str], language: str, year: int, month: int, day: int
) -> tuple[int, int, int]:
    """Return the same day of our calendar; a month in numbers counts on Persian pages only."""
    named = parts.get("name")
    number = persian_month(named) if named else month if language[:2].lower() == "fa" else 0
    try:
        return of_persian(year, number, day)
    except ValueError:
        return year, month, day


def _month(parts: dict[str, str], language: str) -> int:
    """Return the month of a match by its name or its number; 0 if there is none."""
    if name := parts.get("name"):
        return month_of(name, language)
    number = (parts.get("number") or parts.get("month") or "0").lower()
    return _VIETNAMESE.get(number) or int(number)


def _day_and_month(one: int, two: int, separator: str, language: str) -> tuple[int, int]:
    month_first = language.lower() in _MONTH_FIRST.get(separator, ())
    if two > 12 or (month_first and one <= 12):
        return two, one
    return one, two


def _iso(year: int, month: int, day: int) -> str:
    """Return the date; "" if there is no such day, or if no page is of that year."""
    if not _MIN_YEAR <= year <= _MAX_YEAR:
        return ""
    try:
        found = date(year, month, day).isoformat()
    except ValueError:
        return ""
    return "" if found in _NO_DATES else found


def _of_epoch(seconds: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return moment.isoformat() if NEW_YEAR <= moment.year <= _MAX_YEAR else ""


def _clock(
    hour: str | None, minute: str | None, second: str | None, half: str | None, zone: str | None
) -> str:
    """Return the time of day as ISO 8601 appends it to a date; "" if there is no such time."""
    if not hour or not minute:
        return ""
    number = int(hour)
    if half:
        number = number % 12 + (12 if half[0] in "pP" else 0)
    if number > 23 or int(minute) > 59 or int(second or 0) > 59:
        return ""
    return f"T{number:02}:{minute}:{second or '00'}{_zone(zone or '')}"


def _zone(stated: str) -> str:
    if stated.upper() in _ZONES:
        return f"{_ZONES[stated.upper()]:+03}:00"
    match = _OFFSET.search(stated)
    if not match or int(match["hours"]) > 14 or int(match["minutes"] or 0) > 59:
        return ""
    return f"{match['sign']}{match['hours']:0>2}:{match['minutes'] or '00'}"
