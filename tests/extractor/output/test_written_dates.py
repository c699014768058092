"""Time zones behind a time, and dates as the page writes them."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.output.dates import iso_date, written_date

TEXT = (
    "<p>Sixty boats sail three races in the old harbour. There is music on the quay from noon, and "
    "the museum ship is open to all who want to see how the crew lived.</p>"
)


@pytest.mark.parametrize(
    ("zone", "iso"),
    [
        (" UTC", "+00:00"), (" utc", "+00:00"), (" GMT", "+00:00"), ("Z", "+00:00"),
        (" (GMT)", "+00:00"), (" BST", "+01:00"), (" CET", "+01:00"), (" CEST", "+02:00"),
        (" Uhr MEZ", "+01:00"), (" Uhr (MESZ)", "+02:00"), (" EET", "+02:00"), (" MSK", "+03:00"),
        (" JST", "+09:00"), (" AEDT", "+11:00"), (" EST", "-05:00"), (" EDT", "-04:00"),
        (" PST", "-08:00"), (" PDT", "-07:00"), (" UTC+02:00", "+02:00"), (" GMT+2", "+02:00"),
        (" GMT-0330", "-03:30"), (" +0530", "+05:30"), (" CST", ""), (" IST", ""), (" est", ""),
        (" ESTATE", ""), (" by BST", ""), ("", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("date", ["4 May 2026, 09:30", "May 4, 2026 9:30", "2026-05-04T09:30:00"])
def test_a_zone_behind_a_time(date: str, zone: str, iso: str) -> None:
    assert iso_date(f"{date}{zone}") == f"2026-05-04T09:30:00{iso}"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Mon May 4 11:02:44 UTC 2026", "2026-05-04T11:02:44+00:00"),
        ("Mon May 04 11:02:44 +0200 2026", "2026-05-04T11:02:44+02:00"),
        ("Mon May 4 11:02:44 CST 2026", "2026-05-04T11:02:44"),
        ("May 4, 2026 9:30 PM EDT", "2026-05-04T21:30:00-04:00"),
    ],
)
def test_a_zone_in_other_places(text: str, iso: str) -> None:
    assert iso_date(text) == iso


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("By Sam Orr, 3 May 2026", "3 May 2026"),
        ("Otto Lund • 05/04/2026", "05/04/2026"),
        ("(4 May 2026, 09:30 BST)", "4 May 2026, 09:30 BST"),
        ("Am 3. Mai 2026 von Sam Orr", "3. Mai 2026"),
        ("記者 山田 2026年5月3日 公開", "2026年5月3日"),
        ("نشر في ٣ مايو ٢٠٢٦", "٣ مايو ٢٠٢٦"),
        ("soon", ""),
    ],
)
def test_a_date_as_it_is_written(text: str, written: str) -> None:
    assert written_date(text) == written


@pytest.mark.parametrize(
    ("html", "published", "changed"),
    [
        ("<p>By Sam Orr, 3 May 2026</p>", "3 May 2026", None),
        ("<p class=author>Sam Orr • 3 May 2026</p>", "3 May 2026", None),
        ("<p class=date>Published: May 3, 2026 | News</p>", "May 3, 2026", None),
        ("<time datetime=2026-05-03T10:00Z>3 May</time>", "2026-05-03T10:00Z", None),
        ("<p>3 May 2026, 09:30 BST. Updated 4 May 2026</p>", "3 May 2026, 09:30 BST", "4 May 2026"),
        ("<p>Zuletzt aktualisiert am 4. Mai 2026</p>", None, "4. Mai 2026"),
    ],
)
def test_raw_dates_are_the_characters_of_the_page(
    html: str, published: str | None, changed: str | None
) -> None:
    page = f"<title>Harbour regatta</title><main><h1>Harbour regatta</h1>{html}{TEXT * 2}</main>"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    assert (found.date_published_raw, found.date_modified_raw) == (published, changed)


def test_a_stated_date_is_its_whole_value() -> None:
    stated = "Sun, 03 May 2026 10:20:30 +0100"
    page = f"<title>Regatta</title><meta name=date content='{stated}'><h1>Regatta</h1>{TEXT}"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    assert found.date_published_raw == stated
