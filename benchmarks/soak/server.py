"""What the soak's server sends: ordinary pages and every kind of broken one, made at start.

A page is a template with a mark in it that stands for the page's number, so that 100,000 distinct
pages cost a replacement each, and an item that carries another page's text gives itself away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

MARK = "mark{:07}x"
MARKS = re.compile(r"mark(\d{7})x")
TROUBLE = {"raises": "soak raises", "crashes": "soak crashes", "hangs": "soak hangs"}
"""Per kind of page the title at which ``soak_labeler.py`` does what it says."""
WEIGHTS = {
    "page": 5000, "long": 300, "big": 8, "post": 300, "again": 500,
    "tag soup": 450, "deep": 200, "attributes": 150, "new names": 400, "encoding": 450,
    "empty": 200, "cut": 250, "missing": 250, "error": 250, "garbage": 50,
    "redirect": 300, "loop": 40, "nowhere": 40,
    "gzip": 350, "broken gzip": 150, "bomb": 3,
    "wrong type": 300, "no page": 200, "slow": 40, "stuck": 2,
    "raises": 100, "crashes": 2, "hangs": 1,
}  # fmt: skip
"""How many of some ten thousand requests are of each kind."""
SOUND = ("page", "long", "big", "post", "again", "redirect", "gzip", "slow")
"""Kinds of which every item must carry its page's text, whatever happens to other pages."""
_HOLE = MARK.format(0)
_WORDS = (
    "water tower bridge market winter letter garden window morning silver engine harbour station "
    "village copper meadow lantern orchard river stone café Brücke река 市場"
).split()
_CODECS = ("x-unknown", "utf-7", "idna", "hex", "undefined", "rot13", "unicode_escape", "utf-16")
_TAGS = "div p b i font span table tr td ul li form select option svg math noscript a h2".split()


@dataclass(frozen=True)
class Template:
    """A page but for its number."""

    body: bytes
    charset: str | None = "utf-8"
    """What the response's header says."""
    wide: bool = False
    """Whether the body is UTF-16."""

    def page(self, number: int) -> bytes:
        """Return the page of a number."""
        codec = "utf-16-le" if self.wide else "ascii"
        return self.body.replace(_HOLE.encode(codec), MARK.format(number).encode(codec))


def templates(seed: int) -> dict[str, list[Template]]:
    """Return the templates per kind of page; the same at each call."""
    random = Random(f"pages {seed}")
    made: dict[str, list[Template]] = {kind: [] for kind in _MAKERS}
    for kind, (number, make) in _MAKERS.items():
        made[kind] = [make(random) for _ in range(number)]
    return made


def _sentence(random: Random) -> str:
    return " ".join(random.choices(_WORDS, k=random.randint(6, 30)))


def _paragraphs(random: Random, blocks: int) -> Iterator[str]:
    """A menu, a heading and paragraphs; every fifth has the mark, also as its class: what is kept
    per class name sees new ones all along.
    """
    links = blocks // 4
    yield '<nav class="menu"><ul>'
    yield from (f'<li><a href="/{i}">{random.choice(_WORDS)} {i}</a></li>' for i in range(links))
    yield f'</ul></nav><main class="story"><h1>A tale of {_HOLE}</h1>'
    for i in range(max(1, blocks - links - 2)):
        mark = f"{_HOLE} " if i % 5 == 0 else ""
        yield f'<p class="text n{i % 7} {mark}">{mark}{_sentence(random)}.</p>\n'
    yield '</main><footer class="foot">About us</footer>'


def _html(body: str, title: str = _HOLE) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


def _ordinary(least: int, most: int, title: str = _HOLE) -> Callable[[Random], Template]:
    def make(random: Random) -> Template:
        body = "".join(_paragraphs(random, random.randint(least, most)))
        return Template(_html(body, title).encode())

    return make


def _soup(random: Random) -> Template:
    """Tags in no order, ends without beginnings, comments and attributes that never close."""
    pieces = [f"<p>{_HOLE} {_sentence(random)}"]
    for _ in range(random.randint(30, 200)):
        tag = random.choice(_TAGS)
        pieces.append(
            random.choice(
                (
                    f"<{tag}>", f"</{tag}>", f"<{tag} class='{random.choice(_WORDS)} x=\">",
                    f"<{tag}/>", "<!-- ", "-->", "<![CDATA[", "&#xD800;&amp;&bogus;&#99999999;",
                    "<", "</", "<!>", "<?php ?>", f"{_sentence(random)} {_HOLE} ", "<script>'</p>'",
                    "</script>", "<plaintex", "\x00\x0c", f"<p>{_sentence(random)}</p>",
                )
            )
        )  # fmt: skip
    return Template("".join(pieces).encode())


def _deep(random: Random) -> Template:
    depth = random.choice((100, 250, 300, 600, 600, 2500))
    tag = random.choice(("div", "span", "b", "font", "table", "ul", "blockquote"))
    inside = "".join(_paragraphs(random, random.randint(5, 30)))
    return Template(_html(f"<{tag}>" * depth + inside + f"</{tag}>" * depth).encode())


def _attributes(random: Random) -> Template:
    many = random.choice((100, 500, 1000))
    same = random.random() < 0.5
    flood = " ".join(f'{"a" if same else f"a{i}"}="{i}"' for i in range(many))
    value = random.choice(("x", "x" * 50_000, " ".join(map(str, range(2000)))))
    body = "".join(_paragraphs(random, 20))
    return Template(_html(f'<div {flood}><div class="{value}">{body}</div></div>').encode())


def _new_names(random: Random) -> Template:
    """Tags and attributes that no page before had; lxml keeps such names as long as its thread."""
    flood = " ".join(f'data-{_HOLE}-{i}="{i}"' for i in range(100))
    inside = "".join(
        f"<x-{_HOLE}-{i}>{_HOLE} {_sentence(random)}</x-{_HOLE}-{i}>" for i in range(20)
    )
    return Template(_html(f"<div {flood}>{inside}</div>").encode())


def _encoding(random: Random) -> Template:
    """Bytes that are not what the header or the page says."""
    text = _html("".join(_paragraphs(random, random.randint(10, 40))))
    way = random.randrange(6)
    if way == 0:
        return Template(text.encode("cp1252", "replace"), "utf-8")
    if way == 1:
        return Template(text.encode("utf-16-le"), random.choice((None, "utf-8")), wide=True)
    if way == 2:
        return Template(text.encode(), random.choice(_CODECS))
    if way == 3:
        return Template(text.replace(" ", "\x00").encode(), None)
    if way == 4:
        return Template(b"\xed\xa0\x80\xff\xfe" + text.encode().replace(b" ", b"\xc3", 50), None)
    declared = '<meta charset="utf-16">' + text
    return Template(b"<?xml version='1.0' encoding='koi8-r'?>" + declared.encode(), "shift_jis")


def _empty(random: Random) -> Template:
    return Template(random.choice((b"", b" \n", b"<html>", b"<", b"\xef\xbb\xbf", b"\x00" * 100)))


def _no_page(random: Random) -> Template:
    """Called HTML, and none."""
    noise = random.randbytes(random.randint(10, 20_000))
    begins = (b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", b'{"text": "', b"GIF89a", b"PK\x03\x04", b"")
    return Template(random.choice(begins) + noise, random.choice((None, "utf-8")))


_MAKERS: dict[str, tuple[int, Callable[[Random], Template]]] = {
    "page": (60, _ordinary(20, 60)),
    "long": (20, _ordinary(60, 300)),
    "big": (3, _ordinary(2000, 6000)),
    "tag soup": (60, _soup),
    "deep": (20, _deep),
    "attributes": (12, _attributes),
    "new names": (12, _new_names),
    "encoding": (60, _encoding),
    "empty": (20, _empty),
    "no page": (20, _no_page),
    **{kind: (5, _ordinary(20, 60, title)) for kind, title in TROUBLE.items()},
}
