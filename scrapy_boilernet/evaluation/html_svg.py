"""A drawn plot made part of an HTML page: its colours and font become the page's own."""

from __future__ import annotations

import re
from html import escape

from scrapy_boilernet.evaluation.html_text import Safe

LIGHT = {
    "ink": "#1b2026", "muted": "#5d6873", "grid": "#dde2e8", "card": "#fefefe", "page": "#f4f6f8",
    "s0": "#d55e00", "s1": "#0072b2", "s2": "#009e73", "s3": "#aa4499", "s4": "#3f97d3",
    "s5": "#8a6d00", "s6": "#882255", "s7": "#44aa99", "s8": "#707070", "s9": "#332288",
}  # fmt: skip
DARK = {
    "ink": "#e8ebee", "muted": "#9aa5b1", "grid": "#343b44", "card": "#1b2027", "page": "#12161b",
    "s0": "#ff8a3d", "s1": "#5bb0f0", "s2": "#2fcf9f", "s3": "#e08bd2", "s4": "#9ad8ff",
    "s5": "#dcc04a", "s6": "#e0799b", "s7": "#7fe0d0", "s8": "#b4b4b4", "s9": "#a79cff",
}  # fmt: skip
"""The page's colours by role; s0 to s9 are the systems', after Okabe and Ito, and Tol."""

SERIES = 10

_ROLES = {colour: role for role, colour in LIGHT.items()}
_COLOUR = re.compile(r"(?<=: )#[0-9a-f]{6}\b")
_FONT = re.compile(r"(?<=font-family: )[^;]*")
_STYLE = re.compile(r'(?<= style=")[^"]*')
_PLACE = re.compile(r' (?:d|x|y|transform)="[^"]*"')
_SPURIOUS = re.compile(r"<metadata>.*?</metadata>|<style.*?</style>", re.DOTALL)
_GROUP_ID = re.compile(r'(?<=<g) id="[^"]*"')
_OPENING = re.compile(r".*?<svg[^>]*?(viewBox=\"[^\"]*\")[^>]*>", re.DOTALL)


def inline_svg(document: str, title: str) -> Safe:
    """Return an SVG document as an element of a page, named ``title`` to screen readers.

    Colours of :data:`LIGHT` become the page's custom properties, so that a dark page recolours
    the plot; ids of groups, alike in every plot, are dropped.
    """
    opening = f'<svg role="img" aria-label="{escape(title)}"'
    svg = _OPENING.sub(lambda found: f"{opening} {found[1]}>", document, count=1)
    svg = _GROUP_ID.sub("", _SPURIOUS.sub("", svg))
    svg = _STYLE.sub(lambda found: _page_style(found[0]), svg)
    svg = _PLACE.sub(lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), svg)
    return Safe(re.sub(r"\s*\n\s*", " ", svg).strip())


def _page_style(style: str) -> str:
    style = _COLOUR.sub(lambda found: _own_colour(found[0]), style)
    return _FONT.sub("var(--font)", style)


def _own_colour(colour: str) -> str:
    role = _ROLES.get(colour)
    return f"var(--{role})" if role else colour
