"""The hostile pages: harm by elements, by markup, by characters, by two sizes, by the output, by
siblings.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.hostile.bomb_outputs import OUTPUTS
from benchmarks.hostile.bomb_parts import (
    AROUND,
    BEFORE,
    INNER,
    UTF_8,
    Bomb,
    around,
    halves,
    numbered,
    with_inner,
    words,
)
from benchmarks.hostile.bomb_siblings import SIBLINGS

ORDINARY = "an ordinary article"
_MANY = 300
_DEEP, _DEEP_PAIRS = 2_100, 1_100
"""Depths of nesting beyond the some 2,000 elements that libxml2 follows."""
_LONG = 20_000
_ODD_SPACES = "\u200b\u200d\u2060\u202e\u2066\ufeff\u2069\u202c"
"""Zero-width characters, and those that change the direction of the text."""
_LAUGHS = "".join(f'<!ENTITY lol{i} "{f"&lol{i - 1};" * 10 if i else "lol"}">' for i in range(10))
"""Entities that would expand to 10,000,000,000 laughs."""
_WORDS_PER_BLOCK = 12
"""Words that blocks are compared with, per block. Full sizes stay below 5,000 blocks, so that the
page is not cut off."""
_LINKED = '<header class="menu"><h2><a href="/{}">TEXT</a></h2></header>'
"""A heading that no model takes for content: a title is looked for up to the first content."""


def _text_at_each_level(n: int) -> str:
    levels = "".join(f"<div>level {i} of the tower" for i in range(n))
    return f"{levels}<p>{INNER}</p>{'</div>' * n}"


def _wrong_order(n: int) -> str:
    return f"<p>{'<b>' * n}{'<i>' * n}{INNER}{'</b>' * n}{'</i>' * n}</p>"


def _mixed(n: int) -> str:
    return f"<p>{'<b>x <i>y ' * n}{INNER}{'</b></i>' * n}</p>"


def _blocks_in_formatting(n: int) -> str:
    return f"{'<b><p>word ' * n}{INNER}{'</b></p>' * n}"


def _deep_pieces(n: int) -> str:
    """Return a run of text of many pieces, each below 1,500 inline elements."""
    depth = min(n // 10, 1_500)
    pieces = "y <i>z</i> " * n
    return f"<p>x {'<b>' * depth}{INNER} {pieces}{'</b>' * depth} x</p>"


def _long_names_around(n: int) -> str:
    """Return tiny blocks in sixty elements with long names, which are all in each block's path."""
    name = "x" * 90
    return f"{f'<{name}>' * 60}{'<p>a</p>' * n}<p>{INNER}</p>{f'</{name}>' * 60}"


def _long_name(n: int) -> str:
    name = "x" * n
    return f"<{name}><p>{INNER}</p></{name}>"


def _spans(n: int) -> str:
    cell = '<td colspan="9007199254740991" rowspan="2147483647">'
    rows = f"<tr>{cell}{words(40)}</td>{cell}7</td></tr>" * n
    return f"<table>{rows}<tr>{cell}{INNER}</td></tr>{rows}</table>"


def _options(n: int) -> str:
    return "<select>" + "<option>Water tower" * n + "</select>"


def _frameset(n: int) -> str:
    frames = '<frameset cols="1,1"><frame src="/a">' * n
    return f"<html><head><title>Frames</title></head>{frames}{'</frameset>' * n}</html>"


def _sixty_deep_blocks(n: int) -> str:
    return f"{'<div>' * 60}{'<p>a</p>' * n}<p>{INNER}</p>{'</div>' * 60}"


TREES = (
    Bomb("an ordinary article", 1, 1, lambda _: f"<p>{INNER}</p>"),
    Bomb("nested div", 300, 300, around("<div>", "</div>")),
    Bomb("nested div", 20_000, _DEEP, around("<div>", "</div>")),
    Bomb("nested div, never closed", 20_000, _DEEP, around("<div>")),
    Bomb("nested div with text at each level", 20_000, _DEEP, _text_at_each_level),
    Bomb("nested span", 20_000, _DEEP, lambda n: f"<p>{'<span>' * n}{INNER}{'</span>' * n}</p>"),
    Bomb("nested lists", 10_000, _DEEP_PAIRS, around("<ul><li>", "</li></ul>")),
    Bomb("nested custom elements", 20_000, _DEEP, around("<x-box>", "</x-box>")),
    Bomb("nested blockquotes with attributes", 10_000, _DEEP,
         around('<blockquote class="post quote" cite="/a" title="said">', "</blockquote>")),
    Bomb("nested tables", 3_000, _DEEP_PAIRS, around("<table><tr><td>", "</td></tr></table>")),
    Bomb("nested forms", 3_000, _DEEP, around("<form>", "</form>")),
    Bomb("nested anchors", 3_000, 500, around('<a href="/a">water ', "</a>")),
    Bomb("nested buttons", 3_000, _DEEP, around("<button>", "</button>"), leaves=AROUND),
    Bomb("nested noscript", 3_000, _DEEP, around("<noscript>", "</noscript>"), leaves=AROUND),
    Bomb("nested svg and foreignObject", 3_000, _DEEP_PAIRS,
         around("<svg><foreignObject>", "</foreignObject></svg>"), AROUND),
    Bomb("nested math and annotation", 3_000, _DEEP_PAIRS,
         around('<math><annotation-xml encoding="text/html">', "</annotation-xml></math>"), AROUND),
    Bomb("nested templates", 3_000, _DEEP, around("<template>", "</template>"), AROUND),
    Bomb("mis-nested b and i", 1_500, _DEEP_PAIRS, _wrong_order),
    Bomb("mis-nested b and i", 10_000, _DEEP_PAIRS, _wrong_order),
    Bomb("mis-nested b and i, in pairs", 10_000, _DEEP_PAIRS, _mixed),
    Bomb("paragraphs in b, mis-nested", 5_000, 500, _blocks_in_formatting),
    Bomb("pieces of one run, 1,500 deep", 20_000, 600, _deep_pieces),
    Bomb("end tags </p> of nothing", 100_000, _MANY, halves("</p>")),
    Bomb("end tags of nothing", 100_000, _MANY, halves("</i></td></x-box></form>")),
    Bomb("br and end tags of nothing below 1,900 div", 100_000, 6_000,
         lambda n: "<div>" * 1_900 + halves("<br></q>")(n)),
    Bomb("links that never end", 250_000, _MANY, halves("<a>x")),
    Bomb("links and b that never end", 143_000, _MANY, halves("<a><b>x")),
    Bomb("wbr", 20_000, 2_100,
         lambda n: f"<p>{'tide<wbr>' * n}</p><p>{INNER}</p>"),
    Bomb("br", 100_000, _MANY, halves("<br>")),
    Bomb("list items and cells without a list", 100_000, _MANY, halves("<li>a<td>b<dd>c")),
    Bomb("headings", 100_000, _MANY, halves("<h2>a</h2>")),
    Bomb("links", 100_000, _MANY, halves('<a href="/a">a</a> ')),
    Bomb("links in blocks", 100_000, _MANY, halves('<p><a href="/a">a</a>')),
    Bomb("tiny blocks, 50 MB", 6_250_000, _MANY, halves("<p>a</p>")),
    Bomb("tiny blocks, 60 deep", 100_000, _MANY, _sixty_deep_blocks),
    Bomb("tiny hidden pieces", 100_000, _MANY, halves("<b hidden>a</b>")),
    Bomb("elements of different names", 20_000, _MANY, numbered("<x{}>a</x{}>")),
    Bomb("elements of different odd names", 20_000, _MANY, numbered("<o:p{}>a</o:p{}>")),
    Bomb("a tag name", 1_000_000, 100_000, _long_name),
    Bomb("tiny blocks below 60 long names", 20_000, _MANY, _long_names_around),
    Bomb("huge colspan and rowspan", 1_000, 100, _spans),
    Bomb("options", 20_000, _MANY, _options, AROUND),
    Bomb("ends of the page", 20_000, _MANY, halves("</body></html><p>a</p>")),
    Bomb("framesets in the body", 3_000, _MANY, around("<frameset>", "</frameset>")),
    Bomb("a page of framesets", 3_000, 500, lambda _: "", (), whole=_frameset),
    Bomb("unclosed select", 20_000, _MANY, lambda n: "<select>" + "<option>a" * n, BEFORE),
)  # fmt: skip
"""Harm by elements: nested, mis-nested, too many, oddly named."""


def _attributes(piece: str) -> Callable[[int], str]:
    """Return a body: a paragraph with ``size`` attributes, each with its number at ``{}``."""

    def body(n: int) -> str:
        return f"<p {' '.join(piece.replace('{}', str(i)) for i in range(n))}>{INNER}</p>"

    return body


def _crowded(attributes: int) -> Callable[[int], str]:
    """Return a body: paragraphs that all have so many attributes."""
    return halves(f"<p {' '.join(f'a{i:x}' for i in range(attributes))}>a</p>")


def _classes(n: int) -> str:
    return f'<p class="{" ".join(f"word{i}" for i in range(n))}">{INNER}</p>'


def _value(name: str) -> Callable[[int], str]:
    return lambda n: f'<p {name}="{words(n)}">{INNER}</p>'


def _style(n: int) -> str:
    return f'<p style="{"display: " * (n // 9)}">{INNER}</p>'


def _unclosed(opening: str) -> Callable[[int], str]:
    """Return a body: an opening that is never closed, and prose after it."""
    return lambda n: f"{opening} {words(n)}"


def _json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def _brackets(n: int) -> str:
    return _json_ld('{"@type": "Article", "articleBody": ' + "[" * n)


def _open_string(n: int) -> str:
    return _json_ld('{"@type": "Article", "articleBody": "' + '\\"water ' * (n // 8))


def _json_lds(n: int) -> str:
    return _json_ld('{"@type": "Article", "articleBody": "Water"}') * n


def _metas(n: int) -> str:
    piece = '<meta charset="utf-16"><meta http-equiv="refresh" content="0; url=/a">'
    return UTF_8 + piece * (n // 2)


def _descriptions(n: int) -> str:
    return UTF_8 + f'<meta name="description" content="{words(200)}">' * n


MARKUP = (
    Bomb("different attributes", 20_000, _MANY, _attributes("a{}=b")),
    Bomb("attributes of one name", 50_000, _MANY, _attributes("title=b{}")),
    Bomb("elements of 600 attributes", 1_000, 20, _crowded(600)),
    Bomb("elements of 4,000 attributes", 100, 4, _crowded(4_000)),
    Bomb("nested b below 3,000 attributes", 75_000, _MANY,
         lambda n: "".join((_attributes("a{}")(3_000), "<b>" * n, INNER, "</i>" * n))),
    Bomb("class names of one element", 50_000, _MANY, _classes),
    Bomb("elements of different classes", 50_000, _MANY, numbered('<p class="c{} d{}">a</p>')),
    Bomb("an attribute's value", 1_000_000, 20_000, _value("title")),
    Bomb("a style's value", 1_000_000, 20_000, _style),
    Bomb("a class's value", 1_000_000, 20_000, _value("class")),
    Bomb("an attribute that never closes", 1_000_000, 20_000,
         lambda n: f"<p title='{words(n)}", BEFORE),
    Bomb("tags that never close", 100_000, _MANY, lambda n: "<a " * n + f"></a><p>{INNER}</p>"),
    Bomb("a comment that never closes", 5_000_000, 20_000, _unclosed("<!--"), BEFORE),
    Bomb("<!-- in a comment", 100_000, _MANY, lambda n: "<!-- " * n + "-->", AROUND),
    Bomb("<!-- in comments that never close", 100_000, _MANY, lambda n: "<!-- " * n, BEFORE),
    Bomb("empty comments", 100_000, _MANY, halves("a <!---->")),
    Bomb("processing instructions", 100_000, _MANY, halves("a <?php echo 1 ?>")),
    Bomb("a CDATA section that never closes", 1_000_000, 20_000, _unclosed("<![CDATA["), AROUND),
    Bomb("an instruction that never closes", 1_000_000, 20_000, _unclosed("<?php"), AROUND),
    Bomb("a doctype that never closes", 1_000_000, 20_000, _unclosed("<!DOCTYPE"), AROUND),
    Bomb("unclosed script", 5_000_000, 20_000, _unclosed("<script>"), BEFORE),
    Bomb("unclosed style", 1_000_000, 20_000, _unclosed("<style>"), BEFORE),
    Bomb("unclosed title", 1_000_000, 20_000, _unclosed("<title>"), BEFORE),
    Bomb("unclosed textarea", 1_000_000, 20_000, _unclosed("<textarea>"), BEFORE),
    Bomb("unclosed iframe", 1_000_000, 20_000, _unclosed("<iframe>"), BEFORE),
    Bomb("plaintext", 1_000_000, 20_000, lambda n: f"<plaintext>{words(n)} {INNER}"),
    Bomb("script openings", 100_000, _MANY, lambda n: "<script>" * n + "</script>", AROUND),
    Bomb("JSON-LD of brackets", 5_000_000, 20_000, _brackets, AROUND),
    Bomb("JSON-LD with an unclosed string", 5_000_000, 20_000, _open_string, AROUND),
    Bomb("JSON-LD scripts", 10_000, _MANY, _json_lds, AROUND),
    Bomb("meta charset and refresh", 10_000, _MANY, lambda _: INNER, head=_metas),
    Bomb("meta descriptions", 10_000, _MANY, lambda _: INNER, head=_descriptions),
    Bomb("base", 10_000, _MANY, halves('<base href="/a/">')),
)  # fmt: skip
"""Harm by attributes, comments and scripts, and by what is never closed."""


def _flood(piece: str) -> Callable[[int], str]:
    """Return a body: a paragraph of ``size`` pieces, with the inner sentence in its middle."""
    return lambda n: f"<p>{piece * (n // 2)} {INNER} {piece * (n - n // 2)}</p>"


def _linked(n: int) -> str:
    """Return a paragraph of that many characters, with links and emphasis."""
    piece = f'{words(80)} <a href="/a">{words(30)}</a> <b>{words(20)}</b>, '
    return _flood(piece)(n // len(piece))


def _nuls(text: str) -> bytes:
    """Return the page with NULs between the letters of the text, but not in its tags."""
    parts = re.split(r"(<[^>]*>)", text)
    return "".join(p if p.startswith("<") else "\0".join(p) for p in parts).encode()


def _declared(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>'


def _laughing_page(_: int) -> str:
    return f"<!DOCTYPE html [{_LAUGHS}]>"


def _russian(n: int) -> str:
    return with_inner("Паром снова ходит через реку. " * (n // 30))


CHARACTERS = (
    Bomb("a text node, 12 MB", 12_000_000, _LONG, lambda n: with_inner(words(n))),
    Bomb("a block with links, 5 MB", 5_000_000, _LONG, _linked),
    Bomb("a word", 1_000_000, _LONG, _flood("x")),
    Bomb("white space", 1_000_000, _LONG, _flood(" \n\t ")),
    Bomb("white space between blocks", 1_000_000, _LONG, halves(" \n\t ")),
    Bomb("zero-width and bidi characters", 100_000, 10_000, _flood(_ODD_SPACES)),
    Bomb("combining marks", 100_000, 10_000, _flood("a\u0301\u0302\u0303")),
    Bomb("Japanese without a space", 100_000, 10_000, _flood("潮だまりの水")),
    Bomb("digits and punctuation", 1_000_000, _LONG, _flood("1.-,")),
    Bomb("less-than signs", 1_000_000, 20_000, _flood("< ")),
    Bomb("ampersands", 1_000_000, 20_000, _flood("&")),
    Bomb("&amp;", 100_000, _MANY, _flood("&amp;")),
    Bomb("&unknown;", 100_000, _MANY, _flood("&unknown;")),
    Bomb("&#99999999999;", 100_000, _MANY, _flood("&#99999999999;")),
    Bomb("lone surrogates, &#xD800;", 100_000, _MANY, _flood("&#xD800;")),
    Bomb("lone surrogates, bytes", 100_000, _MANY, _flood("\ud800 ")),
    Bomb("entities of entities in the doctype", 1, 1, _flood("&lol9; "), before=_laughing_page),
    Bomb("NUL bytes throughout", 500_000, 20_000, lambda n: with_inner(words(n)), encode=_nuls),
    Bomb("control characters", 1_000_000, 20_000, _flood("\x01\x08\x1f\x7f")),
    Bomb("bytes that are no UTF-8", 1_000_000, 20_000, _flood("\xff"),
         encode=lambda text: text.encode("latin-1")),
    Bomb("cp1251 declared utf-8", 1_000_000, 20_000, _russian,
         encode=lambda text: text.encode("cp1251")),
    Bomb("an unknown charset", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="x-klingon">'),
    Bomb("UTF-16LE without a mark", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: "", encode=lambda text: text.encode("utf-16-le")),
    Bomb("UTF-16BE without a mark", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: "", encode=lambda text: text.encode("utf-16-be")),
    Bomb("an XML declaration of another encoding", 1_000_000, 20_000,
         lambda n: with_inner(words(n)), head=lambda _: "", before=lambda _: _declared("utf-16")),
    Bomb("meta charset=utf-16, is utf-8", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="utf-16">'),
    Bomb("meta charset=utf-7, is utf-8", 1_000_000, 20_000, lambda n: with_inner(words(n)),
         head=lambda _: '<meta charset="utf-7">'),
    Bomb("meta charset=punycode, is ASCII", 1_000_000, 20_000,
         lambda n: f"<p>{INNER}</p><p>tide-{'b' * n}</p>",
         head=lambda _: '<meta charset="punycode">'),
    Bomb("XML declarations", 20_000, _MANY, halves(_declared("ebcdic")), head=lambda _: UTF_8),
)  # fmt: skip
"""Harm by characters: long text, entities, encodings."""


def _different(n: int) -> str:
    return " ".join(f"w{i:x}" for i in range(_WORDS_PER_BLOCK * n))


def _titled(title: Callable[[int], str], heading: str) -> Callable[[int], str]:
    """Return a whole page: a long title, and headings before the first content."""

    def page(n: int) -> str:
        article = Bomb("", 1, 1, lambda _: f"<p>{INNER}</p>").page().decode()
        head, body = article.replace("<title>The ferry</title>", "").split("<body>")
        headings = "".join(heading.replace("{}", f"{i:x}") for i in range(n))
        return f"{head.replace(UTF_8, f'{UTF_8}<title>{title(n)}</title>')}<body>{headings}{body}"

    return page


def _below_classes(n: int) -> str:
    """Return tiny blocks in sixty elements with eight long class words each."""
    names = [" ".join(f"{word}{chr(97 + i % 26)}" * 2 for word in words(60).split()[:8])
             for i in range(60)]  # fmt: skip
    return "".join(f'<div class="{name}">' for name in names) + halves("<p>a</p>")(n)


def _comments_below_classes(n: int) -> str:
    """Return the same in an element that holds comments."""
    return f'<p>{words(200)}</p><div class="comments">{_below_classes(n)}'


def _different_json_ld(n: int) -> str:
    body = f'{{"@type": "Article", "articleBody": "{_different(n)}"}}'
    return f'{UTF_8}<script type="application/ld+json">{body}</script>'


def _different_description(n: int) -> str:
    return f'{UTF_8}<meta name="description" content="{_different(n)}">'


PRODUCTS = (
    Bomb("words of a title and headings", 4_000, _MANY, lambda _: "",
         whole=_titled(_different, _LINKED.replace("TEXT", "w{} tide pools"))),
    Bomb("parts of a title and headings", 4_000, _MANY, lambda _: "",
         whole=_titled(lambda n: "tide pools | " * (_WORDS_PER_BLOCK // 2 * n),
                       _LINKED.replace("TEXT", "tide {} pools"))),
    Bomb("a long heading, again and again", 100, 12, lambda _: "",
         whole=lambda n: _titled(_different, _LINKED.replace("TEXT", _different(n)))(n)),
    Bomb("words of a JSON-LD body and blocks", 4_000, _MANY,
         halves("<p>w1 w2 w3 w4</p>"), head=_different_json_ld),
    Bomb("words of a description and blocks", 4_000, _MANY,
         halves("<p>w1 w2 w3 w4</p>"), head=_different_description),
    Bomb("tiny blocks below 60 elements of long classes", 100_000, _MANY, _below_classes),
    Bomb("comments below 60 elements of long classes", 4_000, _MANY, _comments_below_classes),
)  # fmt: skip
"""Harm by two sizes at once: the blocks, and what each of them is compared with."""

BOMBS: dict[str, Bomb] = {
    f"{each.name}, {each.size:,}" if each.size > 1 else each.name: each
    for each in (*TREES, *MARKUP, *CHARACTERS, *PRODUCTS, *OUTPUTS, *SIBLINGS)
}
"""All hostile pages by name, which has the size in it."""
