"""The report's page: its head, its style sheet and its frame. It can run and load nothing."""

from __future__ import annotations

from html import escape

from scrapy_boilernet.evaluation.html_svg import DARK, LIGHT, SERIES
from scrapy_boilernet.evaluation.html_text import Safe, plain

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
