"""The pages that the first system did worst on, to look at one by one."""

from __future__ import annotations

from collections.abc import Sequence

from scrapy_boilernet.evaluation.html_text import Safe, joined, link, name, number, shown
from scrapy_boilernet.evaluation.worst import WorstPage

MAX_PAGES = 100
MAX_LINES = 12


def worst_section(title: str, worst: Sequence[WorstPage]) -> Safe:
    """Return the section of the worst pages of the system named ``title``."""
    if not worst:
        return Safe("")
    rest = len(worst) - MAX_PAGES
    more = f'<p class="quiet">{rest:,} more are not shown.</p>' if rest > 0 else ""
    return Safe(
        f"<section><h2>Worst pages of {name(title)}</h2>"
        "<p>Open a page to see which lines of its gold text were lost and which lines were kept "
        "wrongly.</p>\n"
        f"{joined(map(_page, worst[:MAX_PAGES]))}{more}</section>"
    )


def _page(page: WorstPage) -> Safe:
    about = joined(
        [name(part) for part in (page.dataset, page.page_type, page.page) if part], " · "
    )
    counts = f"{len(page.lost):,} lost, {len(page.wrong):,} wrong"
    address = f'<p class="quiet">{link(page.url)}</p>' if page.url else ""
    return Safe(
        f'<details><summary><span class="badge">{number(page.f1)}</span> {about} '
        f'<span class="quiet">– {counts}</span></summary>\n<div class="lists">{address}'
        f"{_lines('Lost', 's6', page.lost)}{_lines('Kept wrongly', 's5', page.wrong)}"
        "</div></details>"
    )


def _lines(title: str, colour: str, lines: Sequence[str]) -> Safe:
    items = [f"<li>{shown(line)}</li>" for line in lines[:MAX_LINES]]
    if len(lines) > MAX_LINES:
        items.append(f'<li class="quiet">and {len(lines) - MAX_LINES:,} more lines</li>')
    if not lines:
        items.append('<li class="quiet">nothing</li>')
    return Safe(
        f'<div class="{colour}"><h3>{title}</h3><ul class="lines">{joined(items)}</ul></div>'
    )
