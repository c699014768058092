"""An evaluation as one HTML page to look at; it needs no network and can run nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from scrapy_boilernet.evaluation.evaluate import PageRow, WorstPage
from scrapy_boilernet.report.markdown import against_best_peers
from scrapy_boilernet.report.plots import DARK, LIGHT, SERIES
from scrapy_boilernet.report.safe_html import Safe, joined, link, name, number, plain, shown
from scrapy_boilernet.report.sections import (
    confidence_section,
    figures_section,
    groups_section,
    mean_over_sets,
    overall_section,
    spread_section,
)

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)

_CSS = """
:root { color-scheme: light dark; --font: system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --light }
@media (prefers-color-scheme: dark) { @media not print { :root { --dark } } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.5 var(--font);
  -webkit-text-size-adjust: 100% }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 clamp(.75rem, 3vw, 2rem) }
header { padding-top: clamp(1.5rem, 5vw, 3.5rem) }
h1 { font-size: clamp(1.6rem, 4.6vw, 2.9rem); line-height: 1.15; letter-spacing: -.02em;
  margin: .2rem 0 .6rem; font-weight: 700; text-wrap: balance; overflow-wrap: anywhere }
h1 b { color: var(--s0) }
h2 { font-size: 1.3rem; letter-spacing: -.01em; margin: 2.6rem 0 .2rem }
p { margin: 0 0 1rem; max-width: 46rem }
header p, section > p { color: var(--muted) }
.eyebrow { text-transform: uppercase; letter-spacing: .09em; font-size: .75rem; font-weight: 600;
  margin: 0 }
.tiles { display: grid; gap: .75rem; margin: 1.5rem 0 0; padding: 0;
  grid-template-columns: repeat(auto-fit, minmax(8.2rem, 1fr)) }
.tiles div, figure { background: var(--card); border: 1px solid var(--grid);
  border-radius: .75rem }
.tiles div { padding: .75rem 1rem; display: flex; flex-direction: column;
  justify-content: space-between }
.tiles dt { font-size: .8rem; color: var(--muted) }
.tiles dt.sys { font-weight: 400; color: var(--muted) }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums }
.pair { display: grid; gap: 1rem; align-items: start;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)) }
.pair > *, .pair > div > * { min-width: 0 }
.pair > div:not([class]) { display: grid; gap: 1rem }
.pair > .wide { grid-column: 1 / -1 }
figure { margin: 0; padding: 1rem }
figcaption { font-size: .85rem; color: var(--muted); margin-top: .6rem }
figcaption b { color: var(--ink) }
figcaption b:first-child { display: block; font-size: 1rem }
svg { display: block; width: 100%; max-width: 32rem; height: auto; margin: 0 auto;
  overflow: visible }
svg * { stroke-linejoin: round; stroke-linecap: butt }
svg text { paint-order: stroke; stroke: var(--card); stroke-width: 2.5px }
.card figcaption { margin: 0 0 .4rem }
.scroll { overflow-x: auto }
table { border-spacing: 0; width: 100%; font-size: .875rem; line-height: 1.25rem;
  font-variant-numeric: tabular-nums }
th, td { padding: .375rem .625rem; text-align: right; border-bottom: 1px solid var(--grid);
  white-space: nowrap; vertical-align: top }
th:first-child, td:first-child { text-align: left; padding-left: 0; white-space: normal;
  min-width: 6.5rem; overflow-wrap: break-word; position: sticky; left: 0;
  background: var(--card) }
th:last-child, td:last-child { padding-right: 0 }
thead th { color: var(--muted); font-weight: 600; vertical-align: bottom; white-space: normal }
.sys { white-space: nowrap }
tbody th { font-weight: 500 }
tbody tr:last-child > * { border-bottom: 0 }
td small { display: block; color: var(--muted); font-size: .75rem; line-height: 1rem }
.mean > * { border-top: 2px solid var(--grid); font-weight: 650 }
.mean small { font-weight: 400 }
.sys::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .4em;
  border-radius: 50%; background: var(--own) }
.sys.s0 { font-weight: 700; color: var(--ink) }
details { background: var(--card); border: 1px solid var(--grid); border-radius: .75rem;
  margin: 0 0 .5rem; overflow: hidden }
summary { padding: .6rem 1rem; cursor: pointer; overflow-wrap: anywhere }
summary:hover { background: color-mix(in srgb, var(--grid) 40%, transparent) }
details figure { border: 0; padding-top: 0 }
.badge { display: inline-block; min-width: 3.2rem; font-weight: 700; color: var(--s0);
  font-variant-numeric: tabular-nums }
.quiet { color: var(--muted); font-size: .88rem }
.lists { display: grid; gap: 1rem; padding: 0 1rem 1rem;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) }
@media (width < 44rem) { .lists { grid-template-columns: minmax(0, 1fr) } }
.lists > p { grid-column: 1 / -1; margin: 0; overflow-wrap: anywhere }
h3 { font-size: .9rem; margin: 0 0 .4rem }
.lines { list-style: none; margin: 0; padding: 0; font-size: .88rem }
.lines li { border-left: 3px solid var(--own); padding: .15rem .6rem; margin-bottom: .3rem;
  background: color-mix(in srgb, var(--own) 8%, transparent); border-radius: 0 .3rem .3rem 0;
  overflow: hidden; overflow-wrap: anywhere }
.lines li.quiet { border-color: transparent; background: none }
a { color: var(--s1) }
code { font-size: .85em; overflow-wrap: anywhere }
footer { color: var(--muted); font-size: .85rem; padding-top: 2.5rem; padding-bottom: 3rem }
footer p { max-width: none }
@media print { :root { font-size: 7.5pt } body { background: none }
  .wide table, .wide small { font-size: .62rem; line-height: .9rem }
  .wide th, .wide td { padding: .2rem }
  figure, .tiles div, .lines li { break-inside: avoid } h2, section > p { break-after: avoid }
  details::details-content { content-visibility: visible; block-size: auto }
  .scroll { overflow: visible } .pair { grid-template-columns: 1fr 1fr } }
"""


def page(title: str, body: str) -> str:
    """Return a whole HTML page around ``body``, which is markup of our own making."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(plain(title))}</title>\n<style>{_sheet()}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _sheet() -> Safe:
    own = "".join(f".s{i} {{ --own: var(--s{i}) }}\n" for i in range(SERIES))
    sheet = _CSS.replace("--light }", f"{_properties(LIGHT)} }}")
    return Safe(sheet.replace("--dark }", f"{_properties(DARK)} }}") + own)


def _properties(colours: dict[str, str]) -> str:
    return "; ".join(f"--{role}: {colour}" for role, colour in colours.items())


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
