"""Converts dates as pages write them, in some fifteen languages, to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice

MAX_CHARS = 300
_MIN_YEAR, _MAX_YEAR = 1990, 2100
_MAX_FOUND = 5

_NAMES = (
    "january jan januar jänner jän janvier janv enero ene gennaio gen janeiro stycznia "
    "styczeń sty января январь янв januari ocak januára ledna leden січня",
    "february feb februar février févr fév fevrier febrero febbraio fevereiro fev lutego "
    "luty lut февраля февраль фев februari şubat února únor лютого",
    "march mar märz mär mrz mars marzo março marco marca marzec марта март maart mart "
    "března březen березня",
    "april apr avril avr abril aprile kwietnia kwiecień kwi апреля апрель апр nisan dubna "
    "duben квітня abr",
    "may mai mayo maggio mag maio maja maj мая май mei mayıs května květen травня",
    "june jun juni juin junio giugno giu junho czerwca czerwiec cze июня июнь июн haziran "
    "června červen червня",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec lip июля июль июл "
    "temmuz července červenec липня",
    "august aug août aout agosto ago sierpnia sierpień sie августа август авг augustus "
    "augusti ağustos srpna srpen серпня",
    "september sept sep septembre septiembre settembre set setembro września wrzesień wrz "
    "сентября сентябрь сен сент eylül září вересня setiembre",
    "october oct oktober okt octobre octubre ottobre ott outubro out października "
    "październik paź октября октябрь окт ekim října říjen жовтня",
    "november nov novembre noviembre novembro listopada listopad lis ноября ноябрь ноя нояб "
    "kasım listopadu",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro "
    "grudnia grudzień gru декабря декабрь дек aralık prosince prosinec грудня desember des",
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
"""English, German, French, Spanish, Italian, Portuguese, Polish, Russian, Dutch, Turkish, Czech,
Ukrainian and the Scandinavian languages."""

DATE_WORDS = frozenset(
    "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun "
    "sunday at on".split()
).union(_MONTHS)
"""English days of the week, and months."""

_TIME = (
    r"(?:[\s,T|·•–—-]{0,4}(?:\b(?:at|um|à|kl\.?|alle|ore|as|às|a las|в|o)\b\s*)?"
    r"(?P<hour>\d{1,2})[:h](?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d{1,9})?)?(?!\d)"
    r"\s?(?P<half>[ap]\.?m\b\.?)?"
    r"\s?(?P<zone>Z\b|UTC\b|GMT(?![+-])|(?:GMT|UTC)?[+-]\d\d:?\d\d\b|[+-]\d\d\b)?)?"
)
_LETTERS = r"[^\W\d_]"
_PATTERNS = [
    re.compile(pattern if "<hour>" in pattern else pattern + _TIME, re.IGNORECASE)
    for pattern in (
        r"(?<![\d/.-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<year>\d{4})\s?[年년]\s?(?P<month>\d{1,2})\s?[月월]\s?(?P<day>\d{1,2})\s?[日일]?",
        rf"(?<!\w)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]{{1,2}}(?:de\s|d['’])?"
        rf"(?P<name>{_LETTERS}{{3,12}})\.?,?(?:[\s-]{{1,2}}|\s?['’])(?:de\s|del\s)?"
        r"(?P<year>\d{4}|(?<=['’-])\d\d)(?!\d)",
        rf"(?<!\w)(?P<name>{_LETTERS}{{3,12}})\.?\s{{1,2}}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
        r"(?:,\s{0,2}|\s{1,2})(?P<year>\d{4})(?!\d)",
        rf"(?<!\w)(?P<name>{_LETTERS}{{3}})\s{{1,2}}(?P<day>\d{{1,2}})\s(?P<hour>\d\d):(?P<minute>\d\d):"
        r"(?P<second>\d\d)(?P<half>)(?P<zone>)(?:\s[A-Z]{3,4})?\s(?P<year>\d{4})(?!\d)",
        r"(?<![\d/.:-])(?P<one>\d{1,2})([./-])\s?(?P<two>\d{1,2})\2\s?(?P<year>\d{4}|\d\d)(?![\d/])",
    )
]
_MONTH_FIRST = {"/": {"en-us", "en", ""}, "-": {"en-us"}, ".": set[str]()}
"""Per separator, the languages of pages that write the month before the day."""
YEAR_DIGITS = re.compile(r"\d\d")
"""Every date matches, at least by its year."""
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(Z|[+-]\d\d:?\d\d)?\Z")
_EPOCH = re.compile(r"\d{10}(?:\d{3})?\Z")
_MONTH_ONLY = re.compile(rf"(?:(?P<name>{_LETTERS}{{3,12}})\.?,?\s(?:de\s)?(?P<year>\d{{4}})|"
                         r"(?P<year2>\d{4})[-/](?P<month>\d{1,2}))\Z")  # fmt: skip


def iso_date(text: str, language: str = "") -> str:
    """Return the date that ``text`` states, such as an attribute's value, in ISO 8601; or "".

    The time and the zone are included if the text states them. ``language``: the page's, as in
    ``lang``; 03/04/2024 is March 4 for "en", "en-US" and "", else April 3. A month without a day
    becomes ``2024-04``.

    >>> iso_date("Wed, 27 Mar 2024 10:20:30 +0100")
    '2024-03-27T10:20:30+01:00'
    >>> iso_date("27. März 2024"), iso_date("2024-03"), iso_date("soon")
    ('2024-03-27', '2024-03', '')
    """
    text = " ".join(text[:MAX_CHARS].split())
    if match := _COMPACT.match(text):
        year, month, day, hour, minute, second, zone = match.groups()
        if date := _iso(int(year), int(month), int(day)):
            return date + _clock(hour, minute, second, "", zone)
    if _EPOCH.match(text):
        return _of_epoch(int(text[:10]))
    if found := next(dates_in(text, language), ""):
        return found
    if match := _MONTH_ONLY.match(text):
        number = _MONTHS.get((match["name"] or "").lower()) or int(match["month"] or 0)
        return _iso(int(match["year"] or match["year2"]), number, 1)[:7]
    return ""


def dates_in(text: str, language: str = "") -> Iterator[str]:
    """Yield the dates in a text in ISO 8601, in the text's order, at most five."""
    text = text[:MAX_CHARS]
    if not YEAR_DIGITS.search(text):
        return
    found = {}
    for pattern in _PATTERNS:
        for match in islice(pattern.finditer(text), _MAX_FOUND):
            if match.start() not in found and (date := _of_match(match, language)):
                found[match.start()] = date
    for _, date in islice(sorted(found.items()), _MAX_FOUND):
        yield date


def _of_match(match: re.Match[str], language: str) -> str:
    parts = match.groupdict()
    year = int(parts["year"])
    year += 2000 if year < 100 else 0
    if "one" in parts:
        day, month = _day_and_month(int(parts["one"]), int(parts["two"]), match[2], language)
    else:
        named = _MONTHS.get((parts.get("name") or "").lower(), 0)
        day, month = int(parts["day"]), named or int(parts.get("month") or 0)
    date = _iso(year, month, day)
    clock = (parts["hour"], parts["minute"], parts["second"], parts["half"], parts["zone"])
    return date and date + _clock(*clock)


def _day_and_month(one: int, two: int, separator: str, language: str) -> tuple[int, int]:
    month_first = language.lower() in _MONTH_FIRST[separator]
    if two > 12 or (month_first and one <= 12):
        return two, one
    return one, two


def _iso(year: int, month: int, day: int) -> str:
    """Return the date; "" if there is no such day, or if no page is of that year."""
    if not _MIN_YEAR <= year <= _MAX_YEAR:
        return ""
    try:
        return datetime(year, month, day, tzinfo=UTC).date().isoformat()
    except ValueError:
        return ""


def _of_epoch(seconds: int) -> str:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    return moment.isoformat() if _MIN_YEAR <= moment.year <= _MAX_YEAR else ""


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
    digits = re.sub(r"[^\d+-]", "", stated)
    if not digits:
        return "+00:00" if stated else ""
    hours, minutes = digits[1:3], digits[3:5] or "00"
    return f"{digits[0]}{hours}:{minutes}" if int(hours) <= 14 and int(minutes) < 60 else ""
