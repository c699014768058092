"""The text of a page with a step undone."""

from __future__ import annotations

from testing.food_pages import PARAGRAPHS

from benchmarks.quality.steps import STEPS, undone
from scrapy_boilernet import extract

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
TWICE = f'<div class="hidden lg:block">{TEXT}</div><div class="lg:hidden">{TEXT}</div>'


def test_what_a_step_drops_is_in_the_text_without_it() -> None:
    html = f"<title>Soup</title><body><article><h1>Soup</h1>{TWICE}</article>"
    labeled = extract(html, "https://blog.example.com/soup")
    assert labeled.text.count(PARAGRAPHS[1]) == 1
    assert undone(labeled, "copy").text.count(PARAGRAPHS[1]) == 2


def test_what_a_step_keeps_is_not() -> None:
    items = "".join(f"<li>{text.split(',')[0]}" for text in PARAGRAPHS)
    labeled = extract(f"<title>Soup</title><h1>Soup</h1>{TEXT}<ul>{items}</ul>{TEXT}")
    for step in {*labeled.steps} & {*STEPS}:
        kept = [label == "content" for label in labeled.labels]
        other = [label == "content" for label in undone(labeled, step).labels]
        changed = [own != new for own, new in zip(kept, other, strict=True)]
        assert changed == [own == step for own in labeled.steps]
