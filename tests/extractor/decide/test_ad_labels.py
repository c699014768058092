"""Labels of advertisements are no content."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.ad_labels import label_ads
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "The ferry runs again from Monday on, after two weeks in the yard."
LABELS = [
    "Advertisement", "ADVERTISEMENT", "- Advertisement -", "[Anzeige]", "WERBUNG", "Publicité",
    "Publicidad", "– Pubblicità –", "Annons", "Reklama", "Реклама", "広告", "إعلان", "विज्ञापन",
    "Story continues below advertisement", "Article continues after this ad",
    "Continue reading below",
    "Advertisement - Continue Reading Below", "Advertisement — Story continues below ▼",
    "Scroll to continue with content", "Sponsored content",
    "Advertisement - Members don't see this ad", "Advertisement (gone after registration)",
    "Advertisement. Scroll to continue reading.", "Advertisement - scroll for more content",
]  # fmt: skip
TEXTS = [
    "Advertisement pays for the ferry.", "The advertisement", "Ad", "Sponsored by the harbour",
    "Members don't see this ad", "Scroll for more content", "Advertisement (1998)",
    "Werbung kostet die Fähre nichts", "Continue reading the timetable", "広告の時代",
]  # fmt: skip
ELSEWHERE = [
    "<h2>{}</h2>", "<ul><li>Tickets<li>{}</ul>", "<table><tr><td>Income<td>{}</table>",
    "<dl><dt>{}<dd>It pays for the ferry.</dl>", "<h3><a href=#a>{}</a></h3>",
    "<ul><li><p>{}</p></ul>",
]  # fmt: skip


def found(html: str, kept: bool = True) -> list[str]:
    page = blockify(f"<article><p>{TEXT}</p>{html}<p>{TEXT}</p></article>")
    ads = label_ads(page, np.full(len(page.blocks), kept))
    return [text for text, is_label in zip(page.texts, ads, strict=True) if is_label]


@pytest.mark.parametrize("around", ["<p>{}</p>", "<div class=slot><span>{}</span></div>"])
@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_found(label: str, around: str) -> None:
    assert found(around.format(label)) == [label]
    assert found(around.format(label), kept=False) == []


@pytest.mark.parametrize("text", TEXTS)
def test_other_texts_are_not(text: str) -> None:
    assert found(f"<p>{text}</p>") == []


@pytest.mark.parametrize("around", ELSEWHERE)
def test_a_heading_or_one_of_several_words_is_no_label(around: str) -> None:
    assert found(around.format("Publicidad")) == []
