"""Pages with a ``<div>`` that is left open in a ``<pre>``.

For libxml2 the ``</pre>`` does not end such an element, so that all text behind it would be code.
Browsers end the ``<div>``, too (WHATWG HTML, "An end tag whose tag name is one of").
"""

from __future__ import annotations

from scrapy_boilernet.extractor.html.tokens import MARKUP, RAW_TAGS, end_of_raw_text

_DIV, _PRE = b"div", b"pre"


def with_closed_code(body: bytes) -> bytes:
    """Return the page with an end tag for each ``<div>`` that is open at a ``</pre>``; the same
    page if there is none. It takes time linear in the page.
    """
    written: list[bytes] = []
    done = position = 0
    open_divs = -1  # in the <pre>; -1: in none
    while match := MARKUP.search(body, position):
        position = match.end()
        ends, name = match[1], (match[2] or b"").lower()
        if name in RAW_TAGS and not ends:
            position = end_of_raw_text(name, body, position)
        elif name == _PRE and not ends:
            open_divs = max(open_divs, 0)
        elif name == _DIV and open_divs >= 0:
            open_divs = max(0, open_divs + (-1 if ends else 1))
        elif name == _PRE:
            if open_divs > 0:
                written += (body[done : match.start()], b"</div>" * open_divs)
                done = match.start()
            open_divs = -1
    return b"".join((*written, body[done:])) if written else body
