"""Hostile pages that do harm by what is between the tags' brackets, and by what never closes."""

from __future__ import annotations

from collections.abc import Callable

from bomb_parts import AROUND, BEFORE, INNER, UTF_8, Bomb, halves, numbered, words

_MANY = 300


def _attributes(piece: str) -> Callable[[int], str]:
    """A paragraph with so many attributes, ``{}`` for the number."""

    def body(n: int) -> str:
        return f"<p {' '.join(piece.replace('{}', str(i)) for i in range(n))}>{INNER}</p>"

    return body


def _crowded(attributes: int) -> Callable[[int], str]:
    """Paragraphs that all have so many attributes."""
    return halves(f"<p {' '.join(f'a{i:x}' for i in range(attributes))}>a</p>")


def _classes(n: int) -> str:
    return f'<p class="{" ".join(f"word{i}" for i in range(n))}">{INNER}</p>'


def _value(name: str) -> Callable[[int], str]:
    return lambda n: f'<p {name}="{words(n)}">{INNER}</p>'


def _style(n: int) -> str:
    return f'<p style="{"display: " * (n // 9)}">{INNER}</p>'


def _unclosed(opening: str) -> Callable[[int], str]:
    """Something that never closes, and prose behind it."""
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
