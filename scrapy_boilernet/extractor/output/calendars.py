"""Years and days of other calendars: of Iran, Thailand, Japan and Taiwan."""

from __future__ import annotations

import re
from datetime import date, timedelta

ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}
"""Of Japan and Taiwan: the year before the first year of each."""
_BUDDHIST = 543
_PERSIAN = (
    "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند",
    "حمل ثور جوزا سرطان اسد سنبله میزان عقرب قوس جدی دلو حوت",
)
"""The months in Iran and in Afghanistan."""
_PERSIAN_MONTHS = {
    name: number for names in _PERSIAN for number, name in enumerate(names.split(), 1)
}
_ALIKE = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک"})
PERSIAN_YEARS = range(1300, 1500)
_LONG_YEARS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
"""Leap years in the cycle of 33 years, which is right from 1925 to 2088."""


def persian_month(name: str) -> int:
    """Return the number of the month of the Persian calendar with this name; 0 if there is none."""
    return _PERSIAN_MONTHS.get(name.translate(_ALIKE).replace("\u200c", ""), 0)


def of_persian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """Return year, month and day of our calendar; raises ``ValueError`` if there is no such day.

    >>> of_persian(1399, 4, 2)
    (2020, 6, 22)
    """
    last = 31 if month <= 6 else 30 if month <= 11 or year % 33 in _LONG_YEARS else 29
    if not (1 <= month <= 12 and 1 <= day <= last and year in PERSIAN_YEARS):
        raise ValueError(f"no day of the Persian calendar: {year}-{month}-{day}")
    years = range(PERSIAN_YEARS.start, year)
    days = sum(366 if one % 33 in _LONG_YEARS else 365 for one in years)
    days += 31 * (month - 1) - max(month - 7, 0) + day - 1
    found = date(1921, 3, 21) + timedelta(days=days)
    return found.year, found.month, found.day


def our_year(stated: str, language: str, text: str, era: str = "") -> int:
    """Return the year of our calendar; Thai pages count from the death of the Buddha."""
    if era or stated == "元":
        return ERAS.get(era, 0) + (1 if stated == "元" else int(stated))
    year = int(stated)
    thai = language[:2].lower() == "th" or re.search("[ก-๛]", text)
    if thai and year > 2400:
        return year - _BUDDHIST
    if year < 100:
        return year + 2500 - _BUDDHIST if thai and year > 43 else year + 2000
    return year
