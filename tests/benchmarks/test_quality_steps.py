"""The text of a page with a step undone."""

from __future__ import annotations

from testing.food_pages import PARAGRAPHS
from testing.thread_pages import REPLY, thread_page

from benchmarks.quality.steps import undone
from scrapy_boilernet import extract

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
TWICE = f'<div class="hidden lg:block">{TEXT}</div><div class="lg:hidden">{TEXT}</div>'


def test_what_a_step_drops_is_in_the_text_without_it() -> None:
    html = f"<title>Soup</title><body><article><h1>Soup</h1>{TWICE}</article>"
    labeled = extract(html, "https://blog.example.com/soup")
    assert labeled.text.count(PARAGRAPHS[1]) == 1
    assert undone(labeled, "copy").text.count(PARAGRAPHS[1]) == 2


def test_only_the_labels_of_what_the_step_decided_change() -> None:
    html = thread_page(REPLY["comments"])
    labeled = extract(html, "https://gardens.example/forum/12")
    others = undone(labeled, "structure").labels
    assert "structure" in labeled.steps
    changed = [own != other for own, other in zip(labeled.labels, others, strict=True)]
    assert changed == [step == "structure" for step in labeled.steps]
