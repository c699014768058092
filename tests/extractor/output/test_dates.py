"""Dates as pages write them become ISO 8601, whatever the text."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.output.dates import dates_in, iso_date

days = st.dates(date(1990, 1, 1), date(2099, 12, 31))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-03-27", "2024-03-27"),
        ("2024-03-27T10:20:30.123Z", "2024-03-27T10:20:30+00:00"),
        ("2024-03-27 10:20:30 +0200", "2024-03-27T10:20:30+02:00"),
        ("20240327", "2024-03-27"),
        ("20240327T102030Z", "2024-03-27T10:20:30+00:00"),
        ("2024/3/7 9:05", "2024-03-07T09:05:00"),
        ("Wed, 27 Mar 2024 10:20:30 GMT", "2024-03-27T10:20:30+00:00"),
        ("Mon Aug 03 12:45:00 EDT 2015", "2015-08-03T12:45:00-04:00"),
        ("1711534830000", "2024-03-27T10:20:30+00:00"),
        ("March 27, 2024 10:20 pm EST", "2024-03-27T22:20:00-05:00"),
        ("Sept. 3rd, 2020", "2020-09-03"),
        ("27-Mar-24", "2024-03-27"),
        ("27. März 2024, 10:20 Uhr", "2024-03-27T10:20:00"),
        ("le 1er février 2023 à 10h20", "2023-02-01T10:20:00"),
        ("27 de marzo de 2024", "2024-03-27"),
        ("27 marzo 2024", "2024-03-27"),
        ("7 de março de 2024", "2024-03-07"),
        ("27 marca 2024", "2024-03-27"),
        ("27 марта 2024, 10:20", "2024-03-27T10:20:00"),
        ("2024年3月27日", "2024-03-27"),
        ("2024년 3월 27일", "2024-03-27"),
        ("27.03.2024", "2024-03-27"),
        ("12/19/2025", "2025-12-19"),
        ("19/12/2025", "2025-12-19"),
        ("March 2024", "2024-03"),
        ("2024-03", "2024-03"),
        ("2025-13-45", ""),
        ("3 hours ago", ""),
        ("", ""),
        ("1711534", ""),
        ("version 3.4.20245", ""),
        ("30 February 2024", ""),
        ("99999999", ""),
    ],
)
def test_known_forms(text: str, iso: str) -> None:
    assert iso_date(text) == iso


def test_the_language_decides_what_is_the_month() -> None:
    assert iso_date("03/04/2024", "en-US") == "2024-03-04"
    assert iso_date("03/04/2024", "en-GB") == iso_date("03/04/2024", "fr") == "2024-04-03"
    assert iso_date("03.04.2024", "en-US") == "2024-04-03"


@given(
    days,
    st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y", "%Y/%m/%d", "%b %d, %Y"]),
)
@QUICK
def test_every_day_comes_back(day: date, form: str) -> None:
    assert iso_date(day.strftime(form)) == day.isoformat()


@given(st.datetimes(datetime(1990, 1, 2), datetime(2099, 12, 30)), st.integers(-14 * 4, 14 * 4))
@QUICK
def test_every_moment_comes_back(moment: datetime, quarters: int) -> None:
    full = moment.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=15 * quarters)))
    assert datetime.fromisoformat(iso_date(full.isoformat())) == full


@given(st.text(max_size=400), st.text(max_size=8))
@QUICK
def test_any_text_gives_dates_or_nothing(text: str, language: str) -> None:
    for found in (*dates_in(text, language), *filter(None, [iso_date(text, language)])):
        datetime.fromisoformat(found if len(found) > 7 else f"{found}-01")


def test_dates_in_a_text_come_in_its_order() -> None:
    text = "Posted May 3, 2021 by Ann, last updated 2022-01-02, next review 05.06.2023"
    assert list(dates_in(text)) == ["2021-05-03", "2022-01-02", "2023-06-05"]


@pytest.mark.parametrize(
    ("text", "language", "date"),
    [
        ("2 تير 1399 - 12:09:08", "fa", "2020-06-22T12:09:08"),
        ("دوشنبه ۲ تیر ۱۳۹۹", "", "2020-06-22"),
        ("۱۳۹۹/۰۴/۰۲", "fa", "2020-06-22"),
        ("1 فروردین 1400", "fa", "2021-03-21"),
        ("۱ فروردین ۱۴۰۳", "fa", "2024-03-20"),
        ("۲۹ اسفند ۱۴۰۲", "fa", "2024-03-19"),
        ("30 اسفند 1399", "fa", "2021-03-20"),
        ("30 اسفند 1400", "fa", ""),
        ("31 مهر 1399", "fa", ""),
        ("۱۰ دی ۱۴۰۲", "fa", "2023-12-31"),
        ("1 حمل 1400", "fa-AF", "2021-03-21"),
        ("1399/04/02", "en", ""),
        ("5 May 1350", "en", ""),
    ],
)
def test_the_persian_calendar(text: str, language: str, date: str) -> None:
    assert iso_date(text, language) == date


@pytest.mark.parametrize(
    "text",
    [
        "2024ko martxoaren 5a",
        "2024ko martxoaren 5ean",
        "2024(e)ko martxoaren 5a",
        "2024.eko martxoaren 5a",
        "2024-ko martxoaren 5a",
        "2024ko martxoak 5",
        "martxoaren 5a, 2024",
        "2024 mar 5",
        "Asteartea, 2024ko martxoaren 5a",
        "Bilbo, 2024ko martxoaren 5eko",
        "2024/03/05",
    ],
)
@pytest.mark.parametrize("language", ["eu", ""])
def test_basque_dates(text: str, language: str) -> None:
    assert iso_date(text, language) == "2024-03-05"


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("الجمعة 24 نيسان / أبريل 2020 09:22 مساءً", "2020-04-24T09:22:00"),
        ("24 نيسان/أبريل 2020", "2020-04-24"),
        ("26 | 01 | 2022", "2022-01-26"),
        ("12 | 2022", ""),
    ],
)
def test_months_of_two_names_and_other_separators(text: str, date: str) -> None:
    assert iso_date(text, "ar") == date
