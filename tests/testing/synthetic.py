"""Made-up pages and data sets: navigation, an article or none, a footer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import settings

from scrapy_boilernet.extractor.features.hashed import Bag, Features
from scrapy_boilernet.extractor.labelers.spec import Architecture
from scrapy_boilernet.extractor.page import Block, Page
from scrapy_boilernet.lab.evaluation.datasets import GoldPage

QUICK = settings(deadline=None, max_examples=40, database=None, derandomize=True)
"""Settings of Hypothesis: the same examples at every run, nothing kept between runs."""
SYLLABLES = "ba ce di fo gu ha ki lo mu ne po ra se ti vo wa xe yo zu".split()
MENU: tuple[str, ...] = ("Home", "News", "Sport", "Weather", "Contact us", "Sign in")
LONG_MENU = tuple(f"{a} {b}" for a in "all our new best more".split() for b in MENU)
"""Twice on a page, it has more words than the article."""


def sentence(rng: np.random.Generator, words: int) -> str:
    """Return a sentence of made-up words."""
    drawn = iter(rng.choice(SYLLABLES, size=3 * words).tolist())
    made = ["".join(islice(drawn, size)) for size in rng.integers(2, 4, size=words).tolist()]
    return " ".join(made).capitalize() + "."


@cache
def article(seed: int, paragraphs: int = 4, menu: tuple[str, ...] = MENU) -> tuple[bytes, str]:
    """Return a page with an article, and its gold text; the same for a seed."""
    rng = np.random.default_rng(seed)
    title = sentence(rng, 4)
    texts = [
        " ".join(sentence(rng, int(rng.integers(8, 16))) for _ in range(3))
        for _ in range(paragraphs)
    ]
    links = "".join(f'<li><a href="/{i}">{name}</a></li>' for i, name in enumerate(menu))
    body = "".join(f"<p>{text}</p>\n" for text in texts)
    html = f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<style>p {{ margin: 0 }}</style></head><body>
<header class="site-header"><nav class="main-menu"><ul>{links}</ul></nav></header>
<main><article class="post"><h1>{title}</h1>
{body}</article></main>
<aside class="sidebar"><h3>Most read</h3><ul>{links}</ul></aside>
<footer class="footer"><p>Copyright 2024 | <a href="/terms">Terms of use</a></p></footer>
</body></html>"""
    return html.encode(), "\n".join([title, *texts])


def gold_page(
    number: int, dataset: str = "set", host: str | None = None, **fields: Any
) -> GoldPage:
    """Return page ``number`` with its gold; every number has another text."""
    html, gold = article(number)
    url = f"https://{host}/{number}" if host else None
    given = {"id": f"page{number}", "html": html, "gold": gold, "url": url}
    return GoldPage(dataset=dataset, **{**given, **fields})


def write_set(
    folder: Path,
    pages: Mapping[str, tuple[bytes, str | None]],
    rows: Iterable[Mapping[str, Any]] = (),
) -> Path:
    """Write a data set: per id (HTML, gold or None); ``pages.jsonl`` only if there are rows."""
    (folder / "html").mkdir(parents=True)
    (folder / "gold").mkdir()
    for name, (html, gold) in pages.items():
        (folder / "html" / f"{name}.html").write_bytes(html)
        if gold is not None:
            (folder / "gold" / f"{name}.txt").write_text(gold, encoding="utf-8")
    if lines := [json.dumps(row) for row in rows]:
        (folder / "pages.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def harbour_set(folder: Path, pages: int) -> Path:
    """Return a set with so many pages of one domain, and one of another."""
    hosts = ["harbour-news.example"] * pages + ["blog.example"]
    rows = [{"id": f"page{n}", "url": f"https://www.{host}/{n}"} for n, host in enumerate(hosts)]
    made: Any = {row["id"]: article(n) for n, row in enumerate(rows)}
    return write_set(folder / "harbour", made, rows)


def page_of(texts: Iterable[str], units: str = "block") -> Page:
    """Return a page with a block per text, one below the other; "" is allowed as a text."""
    blocks = [
        Block(text, ("html", "body", "p"), ("", "", ""), (1, 2, 3 + i), f"/html/body/p[{i + 1}]", 0)
        for i, text in enumerate(texts)
    ]
    return Page(None, "", tuple(blocks), "0" * 32, "leaf" if units == "leaf" else "block")


TINY = Architecture({"tags": (20, 3), "words": (50, 4)}, "mean", 5, 8, 6, 2)
"""A network that reads :func:`random_features`."""


def random_features(length: int, rng: np.random.Generator) -> Features:
    """Return arrays for :data:`TINY`: up to four ids per block and bag, some blocks with none."""
    bags = {}
    for name, (rows, _) in TINY.bags.items():
        sizes = rng.integers(0, 5, size=length)
        ids = rng.integers(0, rows, size=int(sizes.sum()))
        bags[name] = Bag(ids, np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
    return Features(rng.normal(size=(length, TINY.numbers)).astype(np.float32), bags)
