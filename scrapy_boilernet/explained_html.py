"""An explanation as one HTML page to look at, in light and in dark, on a screen of any width."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from scrapy_boilernet.explained_style import document
from scrapy_boilernet.explaining import NO_REASONS, Explanation, Weighed, plain
from scrapy_boilernet.labeled import BOILERPLATE, CONTENT
from scrapy_boilernet.labelers.reasons import Reason, weightiest

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
