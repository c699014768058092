"""An explanation as one HTML page to look at, in light and in dark, on a screen of any width."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from html import escape

from scrapy_boilernet.explain.explanation import NO_REASONS, Explanation, Weighed, plain
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT
from scrapy_boilernet.labelers.base import Reason, weightiest

_CSS = """
:root { color-scheme: light dark; --ink: #1b2026; --muted: #56616c; --line: #dde2e8;
  --card: #fefefe; --page: #f4f6f8; --content: #00685f; --boilerplate: #a34400 }
@media (prefers-color-scheme: dark) { @media not print { :root { --ink: #e8ebee; --muted: #a3adb8;
  --line: #343b44; --card: #1b2027; --page: #12161b; --content: #4fd1c0;
  --boilerplate: #ff9d5c } } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--ink); -webkit-text-size-adjust: 100%;
  font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 clamp(.75rem, 3vw, 2rem) }
header { padding-top: clamp(1rem, 4vw, 2.5rem) } main { padding-bottom: 4rem }
h1 { font-size: clamp(1.4rem, 4.4vw, 2.2rem); line-height: 1.2; margin: 0 0 .4rem;
  overflow-wrap: anywhere; text-wrap: balance }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .3rem } p { margin: 0; overflow-wrap: anywhere }
.quiet, dt { color: var(--muted); font-size: .875rem }
.quiet { margin-bottom: .5rem }
dl { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0 }
dl div, .chart, .block { background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem }
dl div { padding: .5rem .8rem; flex: 1 1 auto; min-width: 7rem; max-width: 100% }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere }
svg { display: block; overflow: visible }
.map { width: 100%; height: 3.5rem } .chart { padding: .8rem }
.content { --own: var(--content) } .boilerplate { --own: var(--boilerplate) }
b.content, b.boilerplate { color: var(--own) }
rect { fill: var(--own) } .rest { fill: var(--line) }
line { stroke: var(--ink); stroke-width: 1; vector-effect: non-scaling-stroke }
.map line { stroke-dasharray: 4 3 }
ol, ul { list-style: none; margin: 0; padding: 0 }
.filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .4rem;
  padding: .5rem 0; margin: 0; border: 0; background: var(--page) }
.filter legend { position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%) }
.filter label { display: inline-flex; gap: .4rem; align-items: center; padding: .35rem .7rem;
  border: 1px solid var(--line); border-radius: 2rem; background: var(--card); cursor: pointer }
.filter label:has(:checked) { border-color: var(--ink); font-weight: 600 }
.filter label:has(:focus-visible) { outline: 2px solid var(--content); outline-offset: 2px }
.filter input { margin: 0; accent-color: var(--content) }
main:has(#only-content:checked) .block.boilerplate,
main:has(#only-boilerplate:checked) .block.content,
main:has(#with-reasons:not(:checked)) .why { display: none }
.block { border-left: .35rem solid var(--own); padding: .6rem .8rem; margin-bottom: .5rem;
  scroll-margin-top: 4rem; content-visibility: auto; contain-intrinsic-size: auto 9rem }
.block.boilerplate { border-left-style: dashed }
.block:target { outline: 2px solid var(--own) }
.line { display: flex; flex-wrap: wrap; gap: .2rem .7rem; align-items: center; font-size: .875rem }
.line a { color: var(--muted) } .line b { color: var(--own) }
.line svg { width: 6rem; height: .6rem } .line span { font-variant-numeric: tabular-nums }
.why { margin-top: .4rem; font-size: .875rem; padding-top: .4rem;
  border-top: 1px solid var(--line) }
.why li, .chart li { display: grid; gap: 0 .6rem; align-items: center;
  grid-template-columns: 3.4rem 6rem minmax(0, 1fr); padding: .1rem 0 }
.chart li { grid-template-columns: minmax(8rem, 16rem) minmax(0, 1fr) 4rem }
.why svg, .chart svg { width: 100%; height: .6rem } .chart svg { height: 1rem }
.number { text-align: right; font-variant-numeric: tabular-nums }
.why span { overflow-wrap: anywhere }
code { flex: 1 1 8rem; font-size: .75rem; color: var(--muted); overflow: hidden;
  white-space: nowrap; text-overflow: ellipsis }
@media (width < 34rem) { .why li { grid-template-columns: 3.2rem 3rem minmax(0, 1fr) }
  .chart li { grid-template-columns: minmax(0, 1fr) 4rem }
  .chart svg { grid-row: 2; grid-column: 1 / -1 } }
@media print { .filter { display: none }
  .block { break-inside: avoid; content-visibility: visible } }
"""


def document(title: str, body: str) -> str:
    """Return a whole HTML page; ``body`` is markup of our own making, ``title`` plain text.

    Its policy allows the one style sheet and nothing else, neither scripts nor inline styles.
    """
    digest = base64.b64encode(hashlib.sha256(_CSS.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_CSS}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


MOST_CHARS = 2000
"""Of a block's text and of its XPath that are shown."""
MOST_FEATURES = 12
"""In the chart of the whole page."""
_LINE_CHARS = 200
_MEANING = "A weight says how far a feature speaks for content (+) or for boilerplate (-)."
_MARKS = {CONTENT: "✓", BOILERPLATE: "✕"}


def html_page(explanation: Explanation, top: int, name: str = "") -> str:
    """Return the whole page: facts, chances along the page, what weighed, and every block.

    ``top``: reasons per block at most; ``name``: the page's file or address. All text of the page
    is escaped, and the page's policy forbids to run or load anything.
    """
    page = explanation.labeled.page
    title = plain(page.title or name or "(no title)", _LINE_CHARS)
    return document(
        f"{title}: labels explained",
        f'<header><p class="quiet">{_shown(name)}</p><h1><bdi>{escape(title)}</bdi></h1>\n'
        f"<dl>{_joined(_fact(*fact) for fact in explanation.facts)}</dl></header>\n"
        f"<main>\n{_map(explanation)}{_chart(explanation)}"
        f'<h2>Blocks</h2>\n<p class="quiet">{_MEANING}</p>\n'
        f"{_filter(explanation)}{_blocks(explanation, top)}</main>",
    )


def _fact(name: str, value: str) -> str:
    return f"<div><dt>{name}</dt><dd>{_shown(value)}</dd></div>"


def _map(explanation: Explanation) -> str:
    """The probabilities along the page, a column per block."""
    labeled = explanation.labeled
    pairs = enumerate(zip(labeled.labels, labeled.probabilities, strict=True))
    columns = _joined(
        f'<rect class="{label}" x="{i}" y="{100 - 100 * p:.1f}" width="1" height="{100 * p:.1f}"/>'
        for i, (label, p) in pairs
    )
    number, level = max(len(labeled.labels), 1), 100 - 100 * labeled.threshold
    return (
        '<h2>Along the page</h2>\n<p class="quiet">Height: probability of content, block by block; '
        f'dashed: the threshold.</p>\n<svg class="map" viewBox="0 0 {number} 100" role="img" '
        f'preserveAspectRatio="none" aria-label="Probability of content of {number} blocks">'
        f'{columns}<line x1="0" x2="{number}" y1="{level:.1f}" y2="{level:.1f}"/></svg>\n'
    )


def _chart(explanation: Explanation) -> str:
    """What the features weighed over the page."""
    if explanation.reasons is None:
        return f"<h2>What weighed most</h2>\n<p>{NO_REASONS}</p>\n"
    found = explanation.weighed[:MOST_FEATURES]
    if not found:
        return ""
    left_out = len(explanation.weighed) - len(found)
    more = f" Not shown: {left_out:,} that weighed less." if left_out else ""
    rows = _joined(_feature(each, found[0].total) for each in found)
    return (
        '<h2>What weighed most</h2>\n<p class="quiet">Sums of weights over all blocks: '
        '<b class="content">for content</b>, then <b class="boilerplate">for boilerplate</b>.'
        f'{more}</p>\n<ul class="chart">{rows}</ul>\n'
    )


def _feature(each: Weighed, most: float) -> str:
    content, other = 100 * each.content / most, 100 * each.boilerplate / most
    return (
        f"<li><span>{_shown(each.feature)}</span>"
        f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="'
        f'{each.content:.1f} for content, {each.boilerplate:.1f} for boilerplate">'
        f'<rect class="content" width="{content:.1f}" height="10"/>'
        f'<rect class="boilerplate" x="{content:.1f}" width="{other:.1f}" height="10"/></svg>'
        f'<span class="number">{each.total:.1f}</span></li>'
    )


def _filter(explanation: Explanation) -> str:
    numbers = {label: explanation.labeled.labels.count(label) for label in _MARKS}
    buttons = _joined(
        f'<label><input type="radio" name="only" id="only-{label}">{mark} {label} '
        f"{numbers[label]:,}</label>"
        for label, mark in _MARKS.items()
    )
    return (
        '<fieldset class="filter"><legend>Blocks to show</legend><label>'
        f'<input type="radio" name="only" checked>all {sum(numbers.values()):,}</label>{buttons}'
        '<label><input type="checkbox" id="with-reasons" checked>reasons</label></fieldset>\n'
    )


def _blocks(explanation: Explanation, top: int) -> str:
    told = [weightiest(reasons, top) for reasons in explanation.reasons or ()]
    most = max((abs(reasons[0].weight) for reasons in told if reasons), default=1.0)
    blocks = range(len(explanation.labeled.labels))
    rows = (_block(explanation, i, told[i] if told else [], most) for i in blocks)
    return f"<ol>\n{_joined(rows)}</ol>\n"


def _block(explanation: Explanation, place: int, reasons: list[Reason], most: float) -> str:
    labeled = explanation.labeled
    block, label, p = (
        labeled.page.blocks[place],
        labeled.labels[place],
        labeled.probabilities[place],
    )
    kind = f" · {labeled.kinds[place]}" if label == CONTENT else ""
    note, level = explanation.note(place), 100 * labeled.threshold
    why = f'<ul class="why">{_joined(_reason(reason, most) for reason in reasons)}</ul>'
    return (
        f'<li class="block {label}" id="b{place + 1}"><p class="line">'
        f'<a href="#b{place + 1}">{place + 1}</a><b>{_MARKS[label]} {label}{kind}</b>'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="rest" width="100" height="10"/><rect width="{100 * p:.1f}" height="10"/>'
        f'<line x1="{level:.1f}" x2="{level:.1f}" y1="-3" y2="13"/></svg><span>{p:.2f}</span>'
        f"{note and f'<i>{note}</i>'}<code>{escape(plain(block.xpath, MOST_CHARS))}</code></p>"
        f'<p dir="auto">{escape(plain(block.text, MOST_CHARS))}</p>{why if reasons else ""}</li>\n'
    )


def _reason(reason: Reason, most: float) -> str:
    width = 50 * abs(reason.weight) / most
    begin = 50 if reason.weight > 0 else 50 - width
    label = CONTENT if reason.weight > 0 else BOILERPLATE
    value = f": {_shown(reason.value)}" if reason.value else ""
    return (
        f'<li class="{label}"><span class="number">{reason.weight:+.2f}</span>'
        '<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect x="{begin:.1f}" width="{width:.1f}" height="10"/>'
        '<line x1="50" x2="50" y1="-1" y2="11"/></svg>'
        f"<span><b>{_shown(reason.feature)}</b>{value}</span></li>"
    )


def _shown(text: str) -> str:
    """The text escaped, its writing direction kept from what follows it."""
    return f"<bdi>{escape(plain(text, _LINE_CHARS))}</bdi>" if text else ""


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)
