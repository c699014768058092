"""An evaluation as one HTML page to look at; it needs no network and can run nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scrapy_boilernet.evaluation.evaluate import PageRow
from scrapy_boilernet.evaluation.html_headline import headline
from scrapy_boilernet.evaluation.html_pages import confidence_section, spread_section
from scrapy_boilernet.evaluation.html_sections import (
    figures_section,
    groups_section,
    overall_section,
)
from scrapy_boilernet.evaluation.html_style import page
from scrapy_boilernet.evaluation.html_text import Safe, joined, shown
from scrapy_boilernet.evaluation.html_worst import worst_section
from scrapy_boilernet.evaluation.worst import WorstPage

COMMAND_LENGTH = 2000


def html_report(
    summary: Mapping[str, Any],
    rows: Sequence[PageRow],
    worst: Sequence[WorstPage],
    command: str,
    versions: Mapping[str, str],
) -> str:
    """Return the whole page: plots, tables and the worst pages of the first system.

    Texts, names and addresses come from hostile pages: they are escaped, and the page's own
    policy forbids to run or load anything.
    """
    names = list(summary["systems"])
    measured = bool(summary["cuts"]["data set"])
    sections = [
        overall_section(summary) if measured else Safe(""),
        groups_section(summary, "data set", "Data sets"),
        spread_section(rows, names),
        confidence_section(summary, rows, names),
        groups_section(summary, "page type", "Page types"),
        groups_section(summary, "language", "Languages"),
        figures_section(summary),
        worst_section(names[0], worst) if names else Safe(""),
    ]
    body = joined(section for section in sections if section)
    return page(
        f"Main text of web pages: {', '.join(names)}",
        f"{headline(summary)}\n<main>{body}</main>\n{_origin(summary, command, versions)}",
    )


def _origin(summary: Mapping[str, Any], command: str, versions: Mapping[str, str]) -> Safe:
    peers = {title: found for title, found in summary["systems"].items() if found != "ours"}
    listed = joined(
        (shown(f"{title} {found}") for title, found in {**versions, **peers}.items()), ", "
    )
    engines = joined(
        (shown(f"{title} by {found}") for title, found in summary["engines"].items()), ", "
    )
    return Safe(
        f"<footer><p>Command: <code>{shown(command, COMMAND_LENGTH)}</code></p>"
        f"<p>Versions: {listed}.</p>{engines and f'<p>Engines: {engines}.</p>'}</footer>"
    )
