"""Hostile pages that do harm by their elements: nested, mis-nested, too many, oddly named."""

from __future__ import annotations

from bomb_parts import AROUND, BEFORE, INNER, Bomb, around, halves, numbered, words

_DEEP, _DEEP_PAIRS = 2_100, 1_100
"""Elements in elements that libxml2 does not follow any more, which it does to some 2,000."""
_MANY = 300


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
    """A run of text of many pieces, each below 1,500 inline elements."""
    depth = min(n // 10, 1_500)
    pieces = "y <i>z</i> " * n
    return f"<p>x {'<b>' * depth}{INNER} {pieces}{'</b>' * depth} x</p>"


def _long_names_around(n: int) -> str:
    """Tiny blocks in sixty elements of long names, which each block's path has in it."""
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
