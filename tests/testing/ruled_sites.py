"""A shop and a news site of which each page is hard for a model, and easy for a rule."""

from __future__ import annotations

import random

RULES = {
    "/shop/": {
        "keep": ["#product"],
        "drop": [".also-bought", ".badge"],
        "title": "h1.name",
    },
    "/news/": {
        "drop": [".read-also", ".newsletter", "#trending", ".byline"],
        "author": ".byline b",
        "date": "time",
    },
}
_NOUNS = "boat oar sail rope anchor lamp stove tent kettle compass".split()
_WORDS = (
    "water harbour wind crew storm summer island engine captain village school council bridge "
    "winter market road forest letter morning evening ticket repair money plan report"
).split()


def _sentence(rng: random.Random, length: int = 14) -> str:
    words = [rng.choice(_WORDS) for _ in range(length)]
    return f"The {' '.join(words)}."


def _product(number: int) -> tuple[str, str]:
    """Return a product's page and its right text."""
    rng = random.Random(f"shop {number}")
    name = f"{rng.choice(_WORDS).title()} {rng.choice(_NOUNS)} {number}"
    about, size = _sentence(rng, 9), f"Weight: {rng.randint(2, 40)} kg"
    others = "".join(f"<li><a href=/shop/{n}>{_sentence(rng, 6)}</a>" for n in range(4))
    page = (
        f"<title>{name} | Shop</title><nav><a href=/>Shop</a> <a href=/cart>Cart</a></nav>"
        f"<div id=product><span class=badge>SALE</span><h1 class=name>{name}</h1><p>{about}</p>"
        f"<div class=tab style='display:none'><p>{size}</p></div>"
        f"<ul class=also-bought>{others}</ul></div>"
        f"<div class=reviews><p>{_sentence(rng, 30)}</p><p>{_sentence(rng, 30)}</p></div>"
        "<footer><p>Copyright Shop</p></footer>"
    )
    return page, f"{name}\n{about}\n{size}"


def _article(number: int) -> tuple[str, str]:
    rng = random.Random(f"news {number}")
    paragraphs = [" ".join(_sentence(rng) for _ in range(4)) for _ in range(5)]
    boxes = (
        f"<p class=read-also>Read also: <a href=/news/x>{_sentence(rng)}</a></p>",
        f"<div class=newsletter><p>{_sentence(rng)} {_sentence(rng)}</p></div>",
    )
    body = "".join(
        f"<p>{text}</p>{boxes[i - 1] if 0 < i < 3 else ''}" for i, text in enumerate(paragraphs)
    )
    trending = "".join(f"<p>{_sentence(rng, 40)}</p>" for _ in range(3))
    page = (
        f"<title>News {number}</title><article><p class=byline>Words by <b>Mara Lind</b>, "
        f"<time datetime=2026-05-{number % 28 + 1:02}>in May</time></p>{body}</article>"
        f"<section id=trending>{trending}</section><footer><p>Copyright News</p></footer>"
    )
    return page, "\n".join(paragraphs)


PAGES = {
    **{f"/shop/{number}": _product(number) for number in range(30)},
    **{f"/news/{number}": _article(number) for number in range(30)},
}
"""By path the page and the text that an item must have; of articles, the text of paragraphs."""
