"""Pages whose texts and addresses try to be live HTML once their Markdown is rendered."""

from __future__ import annotations

import random
from html import escape

_HARM = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<iframe src=//x.y>", "<b>",
    "</p>", "<svg/onload=alert(1)>", "<object data=x>", "<!--", "-->", "<?php x ?>",
    "<![CDATA[x]]>", "<!DOCTYPE x>", "<a href=javascript:alert(1)>",
    "<details open ontoggle=alert(1)>", "<style>",
    "<x@y.z>", "<https://a.b/>", "<javascript:alert(1)>", "&lt;script&gt;", "&#60;script&#62;",
    "&LT;b", "<", "</", "<a", ">", "</textarea>", "</title>", "<script", "<pre>", "</pre>",
)  # fmt: skip
_LINKS = (
    "www.a.b", "www.a", "www.", "http://a.b/c", "https://a", "http:/", "//a.b", "ftp://a.b/", "://",
    "a@b.c", "mailto:a@b.c", "xmpp:a@b.c", "http://a.b/(c", "http://a.b/c&lt;", "HTTP://A.B",
    "WWW.a.b", "https://[::1]/", "http://a.b/`", "http://a.b/\\", "www.a.b/*", "www.a.b/_x_",
    "example.com", "http://user:p@a.b", "http://a.b/&amp;lt;script&gt;", "http://ä.b",
)  # fmt: skip
_SIGNS = (
    "\\", "`", "``", "*", "**", "_", "__", "~", "~~", "[", "]", "(", ")", "[x]", "[x](y)",
    "![x](y)", "[x](javascript:alert(1))", "[x]: javascript:alert(1)", "[x][x]", "[^1]",
    "[^1]: <b>", "!", "#", "# x", "> ", "- ", "+ ", "1. ", "2) ", "[ ] ", "[x] ", "---", "===",
    "***", "```", "~~~", "|", "| a | b |", "| --- | --- |", ":--", "--:", "&", "&amp;", "&colon;",
    "&#106;", "&#x6A;", "$$",
    "$x$", "\\(", "==", "^", "{", "}", "{% x %}", "{{x}}", ":x:", "@x", "!!! note", "    ", "\t",
    "&Tab;", "&NewLine;", "\"", "'", "=", "+++", "%%", "[[x]]", "<<<", "a", "b", "word", " ", " ",
    " ", " ", "1", ".", "é", "漢", "\u00a0", "\u200b", "\u200d", "\ufeff", "\u2028", "\u0085",
    "\u000c", "\r", "\x01", "\x1b", "\ufffd", "\U0001f600", "«", "。", "\u0301",
)  # fmt: skip
_ADDRESSES = (
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "javascript&colon;alert(1)",
    "javascript&#58;alert(1)", "&#106;avascript:alert(1)", "&#x6a;avascript&colon;alert(1)",
    "java&Tab;script:alert(1)", "java&NewLine;script:alert(1)", "java\tscript:alert(1)",
    "java\nscript:alert(1)", "\x01javascript:alert(1)", " javascript:alert(1)", "vbscript:x",
    "vbscript&colon;x", "data:text/html,<script>alert(1)</script>", "data&colon;text/html,x",
    "data:text/html;base64,eA==", "javascript%3Aalert(1)", "java\\script:x", "\\javascript:x",
    "javascript\\:x", "./javascript:x", "?javascript:x", "#javascript:x", "//javascript:x",
    "http://a.b/) <script>alert(1)</script>", "http://a.b/\"onclick=alert(1)", "a b", "a)b", "a(b",
    "<a>", "a<b>c", "a'b", "a\"b", "a`b", "a\\", "a&lt;b", "a&copy;b", "a&amp;lt;b", "[a]", "a]b",
    "mailto:x@y.z", "tel:+1", "/a/b.html", "a.html", "#a", "?a=1&b=2", "http://a.b/c?d&lt;=1",
    "a|b", "a*b*", "_a_", "http://[::1", "", "feed:javascript:x", "view-source:x", "&javascript:x",
    "javascript&colon", "&#106avascript:x", "&#0000106;avascript:x", "jav&shy;ascript:x",
)  # fmt: skip
_INLINE = ("b", "i", "em", "strong", "code", "s", "del", "kbd", "span", "sub", "cite")
_BLOCKS = (
    "p", "p", "p", "div", "h1", "h2", "h6", "blockquote", "ul><li", "ol><li",
    "ol start=999999999><li", "li", "dl><dt", "dd", "pre", "pre><code", "pre class='language-x\"y'",
    "pre data-lang=ж", "pre><code class='language-c++ lang-javascript:x'", "figure><figcaption",
    "table><caption",
)  # fmt: skip


def hostile_page(seed: int) -> str:
    """Return a page of hostile texts; the same for a seed."""
    draw = random.Random(seed)
    return "".join(_block(draw) for _ in range(draw.randint(1, 6)))


def _block(draw: random.Random) -> str:
    if draw.random() < 0.2:
        rows = range(draw.randint(1, 3))
        cells = "".join(
            f"<tr><{draw.choice(('td', 'th'))}>{_line(draw)}<td>{_line(draw)}" for _ in rows
        )
        return f"<table>{cells}</table>"
    opened = [draw.choice(_BLOCKS) for _ in range(draw.choice((1, 1, 1, 2, 3)))]
    lines = [_line(draw) for _ in range(draw.choice((1, 1, 2, 3)))]
    separator = draw.choice(("<br>", "<br><br>", "\n", "&#13;", "<p>", "<li>"))
    names = [tag.split()[0] for one in reversed(opened) for tag in reversed(one.split("><"))]
    return f"<{'><'.join(opened)}>{separator.join(lines)}" + "".join(f"</{name}>" for name in names)


def _line(draw: random.Random) -> str:
    return "".join(_piece(draw) for _ in range(draw.randint(1, 7)))


def _piece(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.55:
        return escape(_text(draw), quote=False)
    if kind < 0.70:
        name = draw.choice(_INLINE)
        return f"<{name}>{escape(_text(draw), quote=False)}</{name}>"
    if kind < 0.85:
        return f'<a href="{_address(draw)}">{escape(_text(draw), quote=False)}</a>'
    if kind < 0.93:
        alt = escape(_text(draw))
        return f'<img src="{_address(draw)}" alt="{alt}">'
    name = draw.choice(_INLINE)
    return f'<a href="{_address(draw)}"><{name}>{escape(_text(draw), quote=False)}</{name}>x</a>'


def _text(draw: random.Random) -> str:
    kinds = draw.choices((_SIGNS, _LINKS, _HARM), (5, 2, 3), k=draw.randint(1, 5))
    return "".join(draw.choice(kind) for kind in kinds)


def _address(draw: random.Random) -> str:
    address = draw.choice(_ADDRESSES)
    if draw.random() < 0.2:
        address += draw.choice((*_SIGNS, *_HARM))
    return escape(address)
