"""Labels of links and buttons are no text."""

from __future__ import annotations

import numpy as np
import pytest
from testing.food_pages import PARAGRAPHS

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.control_labels import label_controls
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
LABELS = [
    "Reply", "» Antworten", "Ответить", "返信", "ADD TO CART", "In den Warenkorb", "В корзину",
    "Show more…", "Voir plus", "[Share this article]", "Twitter Facebook", "Flag as inappropriate",
    "Loading...", "Comments are closed.", "Back to top ↑", "Leave a Reply",
    "Give this article", "Click to expand...",
]  # fmt: skip


def found(html: str) -> list[str]:
    page = blockify(f"<article>{TEXT}{html}</article>")
    places = label_controls(page, np.full(len(page.blocks), True))
    return [page.texts[place] for place in sorted(places)]


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize(
    "html", ["<a href=/a>{}</a>", "<button>{}</button>", "<div><span>{}</span></div>", "<p>{}</p>"]
)
def test_labels_of_links_and_buttons_are_found(label: str, html: str) -> None:
    assert found(f"<div>{html.format(label)}</div>") == [label]


@pytest.mark.parametrize(
    "html",
    [
        "<h2>{}</h2>", "<dl><dt>{}</dt><dd>What it does.</dd></dl>", "<pre>{}</pre>",
        "<table><tr><td>{}</td><td>What it does.</td></tr></table>",
        "<p>{} is what the button says that you see below.</p>",
        "<p><b>{}:</b></p>", "<ul><li>{}</li><li>Copy</li></ul>",
    ],
)  # fmt: skip
def test_texts_about_them_stay(html: str) -> None:
    assert found(html.format("Reply")) == []


@pytest.mark.parametrize("text", ["Zoom", "Learn more", "Buy on Amazon", "Quote", "Top", "Pause"])
def test_other_words_stay(text: str) -> None:
    assert found(f"<p><a href=/a>{text}</a></p>") == []


def test_they_are_left_out_of_a_page() -> None:
    html = f"<title>Soup</title><article><h1>Soup</h1>{TEXT}<p>Add to cart</p>{TEXT}</article>"
    result = extract(html, "https://blog.example.com/soup")
    assert "Add to cart" not in result.text
    assert PARAGRAPHS[-1] in result.text
