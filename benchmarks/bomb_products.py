"""Hostile pages that do harm by two sizes at once: what each block is compared with, and blocks."""

from __future__ import annotations

from collections.abc import Callable

from bomb_parts import INNER, UTF_8, Bomb, halves, words

_MANY = 300
_WORDS = 12
"""Words of what blocks are compared with, per block: full sizes stay below 5,000 blocks, so that
nothing of the page is cut off."""
_LINKED = '<header class="menu"><h2><a href="/{}">TEXT</a></h2></header>'
"""A heading that no model takes for content: a title is looked for up to the first content."""


def _different(n: int) -> str:
    return " ".join(f"w{i:x}" for i in range(_WORDS * n))


def _titled(title: Callable[[int], str], heading: str) -> Callable[[int], str]:
    """A page of a long title, and headings before its first content."""

    def page(n: int) -> str:
        article = Bomb("", 1, 1, lambda _: f"<p>{INNER}</p>").page().decode()
        head, body = article.replace("<title>The ferry</title>", "").split("<body>")
        headings = "".join(heading.replace("{}", f"{i:x}") for i in range(n))
        return f"{head.replace(UTF_8, f'{UTF_8}<title>{title(n)}</title>')}<body>{headings}{body}"

    return page


def _classes(n: int) -> str:
    """Tiny blocks in sixty elements of eight long class words each."""
    names = [" ".join(f"{word}{chr(97 + i % 26)}" * 2 for word in words(60).split()[:8])
             for i in range(60)]  # fmt: skip
    return "".join(f'<div class="{name}">' for name in names) + halves("<p>a</p>")(n)


def _comments(n: int) -> str:
    """The same in an element that holds comments."""
    return f'<p>{words(200)}</p><div class="comments">{_classes(n)}'


def _json_ld(n: int) -> str:
    body = f'{{"@type": "Article", "articleBody": "{_different(n)}"}}'
    return f'{UTF_8}<script type="application/ld+json">{body}</script>'


def _description(n: int) -> str:
    return f'{UTF_8}<meta name="description" content="{_different(n)}">'


PRODUCTS = (
    Bomb("words of a title and headings", 4_000, _MANY, lambda _: "",
         whole=_titled(_different, _LINKED.replace("TEXT", "w{} tide pools"))),
    Bomb("parts of a title and headings", 4_000, _MANY, lambda _: "",
         whole=_titled(lambda n: "tide pools | " * (_WORDS // 2 * n),
                       _LINKED.replace("TEXT", "tide {} pools"))),
    Bomb("a long heading, again and again", 100, 12, lambda _: "",
         whole=lambda n: _titled(_different, _LINKED.replace("TEXT", _different(n)))(n)),
    Bomb("words of a JSON-LD body and blocks", 4_000, _MANY,
         halves("<p>w1 w2 w3 w4</p>"), head=_json_ld),
    Bomb("words of a description and blocks", 4_000, _MANY,
         halves("<p>w1 w2 w3 w4</p>"), head=_description),
    Bomb("tiny blocks below 60 elements of long classes", 100_000, _MANY, _classes),
    Bomb("comments below 60 elements of long classes", 4_000, _MANY, _comments),
)  # fmt: skip
