"""Dates of events, periods, embedded posts, files and tools are none of the page."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.labeling import extract

TEXT = (
    "<p>Sixty boats sail three races in the old harbour. There is music on the quay from noon, and "
    "the museum ship is open to all who want to see how the crew lived.</p>"
)
H1 = "<h1>Harbour regatta</h1>"
OTHERS = {
    "event": f"{H1}<dl><dt>Date</dt><dd>Saturday, 6 July 2024, 10:00–18:00</dd></dl>{TEXT}",
    "event in German": f"{H1}<p>6. Juli 2024, 10 bis 18 Uhr</p>{TEXT}",
    "event with halves": f"{H1}<p>July 6, 2024, 10 am - 6 pm</p>{TEXT}",
    "period": f"{H1}<ul class=job-meta><li>Leer</li><li>From 1 May 2024</li></ul>{TEXT}",
    "period in German": f"{H1}<p>ab dem 1. Mai 2024</p><p>bis 1. Juni 2024</p>{TEXT}".replace(
        "ab dem", "ab"
    ),
    "period in French": f"{H1}<p>À partir du 1er mai 2024</p>{TEXT}",
    "tweet": f'{H1}{TEXT}<blockquote class="twitter-tweet"><p>A boat is a hole.</p>&mdash; Ole '
    f'(@ole) <a href="https://twitter.com/ole/status/99">March 3, 2024</a></blockquote>{TEXT}',
    "quote": f"{H1}<blockquote><p>We sail.</p><footer>Ole, <time datetime=2024-03-03>3 March"
    f"</time></footer></blockquote>{TEXT}",
    "files": "<table><tr><td><a>src</a></td><td><a>Fix</a></td><td><time datetime=2024-01-13>Jan "
    "13, 2024</time></td></tr><tr><td><a>README</a></td><td><a>Docs</a></td><td><time "
    f"datetime=2023-12-01>Dec 1, 2023</time></td></tr></table>{H1}{TEXT}",
    "tool": f"{H1}{TEXT}<footer>Generated on Mon Jan 1 2024 by <a>LaTeXML</a></footer>",
}
CHANGES = {
    "docusaurus": '<span class="theme-last-updated">Last updated on <b><time datetime='
    '"2024-04-02T00:00:00+00:00">Apr 2, 2024</time></b> by <b>kim</b></span>',
    "mkdocs": '<aside><span title="Last update"><span class="git-revision-date-localized-plugin">'
    "April 2, 2024</span></span></aside>",
    "german": "<p>Zuletzt aktualisiert: <time datetime=2024-04-02>2. April</time></p>",
}


def dates_of(html: str) -> tuple[str | None, str | None]:
    page = f"<html lang=en><title>Harbour regatta</title><body><main>{html}</main></body></html>"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    return found.date_published, found.date_modified


@pytest.mark.parametrize("other", OTHERS)
def test_a_date_of_another_thing_is_not_the_pages(other: str) -> None:
    html = OTHERS[other]
    assert dates_of(html)[0] is None
    assert dates_of(html.replace(H1, f"{H1}<p class=date>5 March 2024</p>"))[0] == "2024-03-05"


def test_the_stated_date_of_a_job_stays() -> None:
    stated = '{"@context":"https://schema.org","@type":"JobPosting","datePosted":"2024-03-01"}'
    html = f'<script type="application/ld+json">{stated}</script>{OTHERS["period"]}'
    assert dates_of(html)[0] == "2024-03-01"


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("above", [True, False])
def test_a_page_that_only_says_when_it_changed_has_no_other_date(change: str, above: bool) -> None:
    shown = CHANGES[change]
    html = f"{H1}{shown}{TEXT * 3}" if above else f"{H1}{TEXT * 3}{shown}"
    published, modified = dates_of(html)
    assert published is None
    assert modified
    assert modified[:10] == "2024-04-02"


LINES = (
    "Published {} – Updated {}",
    "Veröffentlicht {}, aktualisiert {}",
    "Updated {1} · Published {0}",
    "<span>Publié {}</span> <span>Mise à jour {}</span>",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("text", ["12 Mar 2024", "12 March 2024, 11:30", "today"])
def test_both_dates_keep_their_zones(line: str, text: str) -> None:
    dates = "2024-03-12T06:00:00+01:00", "2024-03-12T11:30:00+01:00"
    marks = [f"<time datetime={date}>{text}</time>" for date in dates]
    html = f"{H1}<div class=timestamp>{line.format(*marks)}</div>{TEXT * 3}"
    assert dates_of(html) == dates
