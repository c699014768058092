"""Deadlines, dates of lives and events, and dates in sentences are not the date of the page."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.dialogs import CONSENT_TEXT
from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.output import date_labels, rendering, stated_kind
from scrapy_boilernet.extractor.output.folding import folded, has_one_of

H1 = "<h1>Harbour master wanted</h1>"
TEXT = (
    "<p>Sixty boats sail three races in the old harbour. There is music on the quay from noon, and "
    "the museum ship is open to all who want to see how the crew lived.</p>"
)
OTHERS = (
    "<ul><li>Closing date: 30 June 2026</li></ul>",
    "<p>Applications close: 30 June 2026</p>",
    "<p>Application deadline: <time datetime=2026-06-30>30 June</time></p>",
    "<p>Opening date: 30 June 2026</p>",
    "<p>Doors open: Tuesday, June 30, 2026</p>",
    "<p>Expires 30 June 2026</p>",
    "<p>Bewerbungsfrist: 30. Juni 2026</p>",
    "<p>Anmeldeschluss 30.06.2026</p>",
    "<div>Neueröffnung: 30. Juni 2026</div>",
    "<p>Date limite : 30 juin 2026</p>",
    "<p>Clôture des candidatures : 30 juin 2026</p>",
    "<p>Fecha límite: 30 de junio de 2026</p>",
    "<p>Plazo: 30 de junio de 2026</p>",
    "<p>Scadenza: 30 giugno 2026</p>",
    "<p>Prazo de inscrição: 30 de junho de 2026</p>",
    "<p>Sluitingsdatum: 30 juni 2026</p>",
    "<p>Sista ansökningsdag: 30 juni 2026</p>",
    "<p>Срок подачи: 30 июня 2026</p>",
    "<p>締切：2026年6月30日</p>",
    "<table><tr><th>Born</th><td>12 March 1961</td></tr></table>",
    "<table><tr><th>Commissioned</th><td>12 March 2001</td></tr></table>",
    "<table><tr><td>Gegründet</td><td>12. März 2001</td></tr></table>",
    "<dl><dt>Wann</dt><dd>Samstag, 13. Juni 2026, 20 Uhr</dd></dl>",
    "<dl><dt>Dates</dt><dd>Friday, 12 June 2026, 8 pm</dd><dd>13 June 2026, 8 pm</dd></dl>",
    "<dl><dt>Quand</dt><dd>13 juin 2026</dd><dd>14 juin 2026</dd></dl>",
    "<h3>Deadline</h3><p>30 June 2026</p>",
    "<div><b>Beginn:</b></div><div>30.06.2026</div>",
    "<p>Saturday, 13 June 2026, 8 pm</p>",
    "<p>13. Juni 2026 um 20 Uhr</p>",
    "<p>On 3 May 2025 the boats stopped.</p>",
    "<p>Am 3. Mai 2025 legten die Boote nicht mehr ab.</p>",
    "<p>Le 3 mai 2025, les bateaux se sont arrêtés.</p>",
    "<p>The old pier, which on 3 May 2025 was closed, will be rebuilt!</p>",
    "<p>昨年の2025年5月3日に船は止まりました。</p>",
)
OWN = (
    "<p>30 June 2026</p>",
    "<p>Saturday, 30 June 2026, 8:15 pm</p>",
    "<p>Dienstag, 30. Juni 2026, 20:00 Uhr</p>",
    "<p>Published on 30 June 2026 at 8 pm.</p>",
    "<p>This report was published on 30 June 2026 and has two pages.</p>",
    "<p>On 30 June 2026 by Sam Orr.</p>",
    "<p>LONDON, 30 June 2026 – The boats have stopped sailing.</p>",
    "<p>30 June 2026. The boats have stopped sailing.</p>",
    "<p>30 June 2026 | Sam Orr, who reports from the pier.</p>",
    "<p>Veröffentlicht am 30. Juni 2026.</p>",
    "<dl><dt>Date</dt><dd>30 June 2026</dd></dl>",
    "<dl><dt>Veröffentlicht</dt><dd>30.06.2026</dd></dl>",
    "<table><tr><th>Datum:</th><td>30. Juni 2026</td></tr></table>",
    "<table><tr><th>Fecha de publicación</th><td>30 de junio de 2026</td></tr></table>",
    "<table><tr><th>Release date</th><td>30 June 2026</td></tr></table>",
    "<div>Start here</div><p>Published June 30, 2026 by Sam Orr</p>",
    "<p class=date>30 juin 2026</p><p>Ouverture : 12 juillet 2026</p>",
    "<p class=date>30 June 2026</p><p>Closing date: 12 July 2026</p>",
)


def published(html: str) -> str | None:
    page = f"<html><title>Harbour master wanted</title><body><main>{html}</main></body></html>"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    return found.date


@pytest.mark.parametrize("other", OTHERS)
def test_the_date_of_something_else_is_none_of_the_page(other: str) -> None:
    assert published(f"{H1}{other}{TEXT * 2}") is None


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("form", ["{h}<p class=meta>2 May 2026</p>{}", "<p>2 May 2026</p>{h}{}"])
def test_the_own_date_beside_it_stays(other: str, form: str) -> None:
    assert published(f"{form.format(other, h=H1)}{TEXT * 2}") == "2026-05-02"


@pytest.mark.parametrize("own", OWN)
def test_a_date_that_is_the_pages_stays(own: str) -> None:
    date = published(f"{H1}{own}{TEXT * 2}")
    assert date
    assert date[:10] == "2026-06-30"


@given(st.one_of(*(st.tuples(st.just(p), st.from_regex(p)) for p in date_labels._STEMS)))
def test_a_look_for_stems_passes_no_match(drawn: tuple[re.Pattern[str], str]) -> None:
    pattern, text = drawn
    assert (date_labels.searched(pattern, text) is None) == (pattern.search(text) is None)


@given(
    st.one_of(
        st.tuples(
            st.just(rendering._CONSENT_STEMS),
            st.from_regex(re.compile(CONSENT_TEXT.pattern, CONSENT_TEXT.flags)),
        ),
        st.tuples(st.just(stated_kind._FAQ_STEMS), st.from_regex(stated_kind._FAQ_NAMES)),
    )
)
def test_all_matches_have_a_stem(drawn: tuple[SignFinder, str]) -> None:
    stems, text = drawn
    assert has_one_of(stems, text)


def test_letters_that_patterns_take_for_the_same_are_folded_alike() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    patterns = (*date_labels._STEMS, CONSENT_TEXT, stated_kind._FAQ_NAMES)
    for letter in {*"".join(pattern.pattern for pattern in patterns)}:
        alike = re.findall(re.escape(letter), every, re.IGNORECASE)
        assert {*map(folded, alike)} == {folded(letter)}
