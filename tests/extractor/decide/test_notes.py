"""Footnotes, and asides of pages without class names, beside kept text."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.notes import complete_notes
from scrapy_boilernet.extractor.html.blockify import blockify

NOTES = ("The dates are painted on the wall.", "Die Daten stehen an der Wand.", "Voir la carte.")
ARTICLE = "<p>The weir was built by monks.</p><p>It has been repaired six times.</p>"
LISTS = (
    '<section class="footnotes" role="doc-endnotes"><ol><li id=fn1><p>{}</p></li></ol></section>',
    '<div class="footnotes"><p>{}</p></div>',
    '<ol class="wp-block-footnotes"><li>{} <a href="#r">↩</a></li></ol>',
    '<dl class="footnote brackets"><dd><p>{}</p></dd></dl>',
    '<aside class="footnote-list brackets"><p>{}</p></aside>',
    '<div id="endnotes"><ul><li>{}</li></ul></div>',
    '<div role="doc-footnote">{}</div>',
    '<div class="reflist"><ol><li>{}</li></ol></div>',
    '<div class="Fussnoten"><p>{}</p></div>',
    '<ol id="footnotes-list"><li>{}</li></ol>',
)


def kept_with(html: str, note: str) -> bool:
    """Whether the note is kept if the model keeps the other paragraphs alone."""
    page = blockify(html)
    kept = np.array([note not in block.text for block in page.blocks])
    place = next(i for i, block in enumerate(page.blocks) if note in block.text)
    return bool(complete_notes(page, kept)[place])


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("notes", LISTS)
def test_notes_beside_kept_text_are_kept(notes: str, note: str) -> None:
    assert kept_with(f"<article>{ARTICLE}{notes.format(note)}</article>", note)
    assert kept_with(f"<body><header><h1>Weirs</h1><aside>{note}</aside></header>{ARTICLE}", note)


@pytest.mark.parametrize(
    "notes",
    [
        "<footer class=footnotes><p>{}</p></footer>",
        "<div class=footer-footnotes><p>{}</p></div>",
        "<form><div class=footnote>{}</div></form>",
        "<div class=newsletter-footnote>{}</div>",
        "<div class=footnotes hidden><p>{}</p></div>",
        "<aside class=promo><p>{}</p></aside>",
        "<aside><div class=ad>{}</div></aside>",
        "<aside><h2>{}</h2></aside>",
        "<aside><p><a href=/>{}</a></p></aside>",
    ],
)
def test_other_boxes_stay_as_they_are(notes: str) -> None:
    assert not kept_with(f"<article>{ARTICLE}{notes.format(NOTES[0])}</article>", NOTES[0])


def test_notes_far_from_kept_text_stay_as_they_are() -> None:
    far = (
        f"<article>{ARTICLE}</article><div class=other><div class=footnotes>{NOTES[0]}</div></div>"
    )
    assert not kept_with(far, NOTES[0])
