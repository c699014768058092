"""The report's first words: who leads, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_boilernet.evaluation.html_tables import mean_over_sets
from scrapy_boilernet.evaluation.html_text import Safe, joined, name, number, shown
from scrapy_boilernet.evaluation.losses import against_best_peers

LOSSES_LENGTH = 4000


def headline(summary: Mapping[str, Any]) -> Safe:
    """Return the page's header."""
    title, words = _claim(summary)
    return Safe(
        '<header><p class="eyebrow">Main text of web pages, measured</p>\n'
        f"<h1>{title}</h1>\n<p>{words}</p>\n{_losses(summary)}{_tiles(summary)}</header>"
    )


def _losses(summary: Mapping[str, Any]) -> Safe:
    """The sets on which the first system is behind a peer, which the mean over sets hides."""
    if not summary["gaps"]:
        return Safe("")
    told = against_best_peers(next(iter(summary["systems"])), summary["gaps"])
    return Safe(f"<p>{shown(told, LOSSES_LENGTH)}</p>\n")


def _claim(summary: Mapping[str, Any]) -> tuple[Safe, Safe]:
    """The headline and what it rests on."""
    means, sets = summary["macro_f1"], summary["cuts"]["data set"]
    if not sets:
        return Safe("No pages with gold text"), Safe("So there is no word-F1 to compare by.")
    first, *others = means
    pages = sum(found["pages"] for found in sets.values())
    basis = f"Mean word-F1 over {_count(len(sets), 'data set')} ({_count(pages, 'page')})"
    # Leads are known from the first system to each other one: its rival is the best of these.
    known = [other for other in others if means[other] == means[other]]
    if not known or means[first] != means[first]:
        return Safe(f"<b>{name(first)}</b>: word-F1 {number(means[first])}"), Safe(f"{basis}.")
    rival = max(known, key=means.__getitem__)
    difference = summary["macro_difference"][rival]
    lead, (low, high) = difference["lead"], difference["interval"]
    if low <= 0 <= high:
        title = f"<b>{name(first)}</b> and {name(rival)} are level"
    elif lead > 0:
        title = f"<b>{name(first)}</b> leads {name(rival)} by {number(lead)}"
    else:
        title = f"{name(rival)} leads <b>{name(first)}</b> by {number(-lead)}"
    return Safe(title), Safe(
        f"{basis}: {name(first)} {number(means[first])}; {name(rival)}, the best of the others, "
        f"{number(means[rival])}. The difference is {number(lead, '+.3f')}, with a 95 % interval, "
        f"paired by page, from {number(low, '+.3f')} to {number(high, '+.3f')}."
    )


def _tiles(summary: Mapping[str, Any]) -> Safe:
    sets = summary["cuts"]["data set"]
    first = next(iter(summary["systems"]), "")
    tiles = [
        ("<dt>pages</dt>", f"{sum(found['pages'] for found in sets.values()):,}"),
        ("<dt>data sets</dt>", f"{len(sets):,}"),
        ("<dt>systems</dt>", f"{len(summary['systems']):,}"),
    ]
    if sets:
        tiles += [
            ('<dt class="sys s0">word-F1</dt>', number(summary["macro_f1"][first])),
            (
                '<dt class="sys s0">precision</dt>',
                number(mean_over_sets(summary, first, "precision")),
            ),
            ('<dt class="sys s0">recall</dt>', number(mean_over_sets(summary, first, "recall"))),
            (
                '<dt class="sys s0">ms per page</dt>',
                number(mean_over_sets(summary, first, "ms_per_page"), ".1f"),
            ),
        ]
    cells = joined(f"<div>{term}<dd>{value}</dd></div>" for term, value in tiles)
    return Safe(f'<dl class="tiles">{cells}</dl>')


def _count(number_of: int, noun: str) -> str:
    return f"{number_of:,} {noun}" + ("" if number_of == 1 else "s")
