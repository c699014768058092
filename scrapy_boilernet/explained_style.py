"""The frame and the style sheet of an explanation's page. It can run and load nothing."""

from __future__ import annotations

import base64
import hashlib
from html import escape

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
