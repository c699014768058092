"""Footnotes, and asides of pages without class names, beside kept text."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.notes import complete_formulas, complete_notes
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


LINKED = {
    "a mark": ('<sup><a href="#n1">1</a></sup>', '<p id="n1">{}</p>'),
    "a list of references": (
        '<sup class=reference><a href="#cite_note-1">[1]</a></sup>',
        '<div><ol class="references"><li id="cite_note-1"><a href="#r">^</a> '
        '<span>{}</span></ol></div>',
    ),
    "a group": (
        '<sup class=reference><a href="#cite_note-1">[Anm. 1]</a></sup>',
        '<div><div><ul><li id="cite_note-1">{}</ul></div></div>',
    ),
    "a row": ('<sup><a href="#n1">1</a></sup>', "<table><tr><td><a name=n1>1</a><td>{}</table>"),
    "a source": (
        '(<a href="#ref-reed1999" role="doc-biblioref">Reed 1999</a>)',
        '<div id="refs" class="references csl-bib-body"><div id="ref-reed1999" '
        'class="csl-entry">{}</div></div>',
    ),
    "a source by its number": (
        '[<a href="#B1" class="bibr">1</a>]',
        '<div class="ref-list-sec"><h2>References</h2><div class="ref-cit-blk" id="B1">1. '
        '{}</div></div>',
    ),
    "a source by its name": (
        '<a class="reference internal" href="#reed99" id="id2"><span>[Reed99]</span></a>',
        '<div role="list" class="citation-list"><div id="reed99" '
        'role="doc-biblioentry"><p>{}</p></div></div>',
    ),
    "a short reference": (
        '<sup class=reference><a href="#cite_note-1">[1]</a></sup>',
        '<ol class="references"><li id="cite_note-1"><a href="#CITEREFReed1999">Reed 1999</a></ol>'
        '<ul><li><cite id="CITEREFReed1999">{}</cite></ul>',
    ),
}  # fmt: skip


@pytest.mark.parametrize("note", NOTES)
@pytest.mark.parametrize("form", LINKED)
def test_notes_to_which_a_kept_text_links_are_kept(form: str, note: str) -> None:
    mark, definition = LINKED[form]
    html = f"<p>The weir{mark} is old.</p><p>It is long.</p><div>{definition.format(note)}</div>"
    page = blockify(html)
    texts = page.texts
    kept = np.array([i < 2 for i in range(len(texts))])
    place = next(i for i, text in enumerate(texts) if note in text)
    assert complete_notes(page, kept)[place]
    assert not complete_notes(page, ~kept & False)[place]
    other = np.array([i == 1 for i in range(len(texts))])
    assert not complete_notes(page, other)[place]  # its mark is not kept
    assert blockify(html, markup=True).notes == page.notes


@pytest.mark.parametrize(
    "html",
    [
        "<p>See <a href='#part2'>part 2</a></p><div><p id=part2>{}</p></div>",
        "<p>See <a href='#ref2'>part 2</a></p><h2 class=references id=ref2>{}</h2>",
        "<p>The<sup><a href='#n1'>1</a></sup></p><p id=n1 hidden></p><p>{}</p>",
        "<p>The<sup><a href='#n1'>1</a></sup></p><div class=references><p>{}</p></div>",
    ],
)
def test_other_targets_of_links_stay_as_they_are(html: str) -> None:
    page = blockify(html.format(NOTES[0]))
    kept = np.array([i == 0 for i in range(len(page.texts))])
    assert not complete_notes(page, kept)[-1]


@pytest.mark.parametrize("form", LINKED)
@pytest.mark.parametrize(
    ("around", "is_kept"),
    [
        ("<footer class=site-footer>{}</footer>", False),
        ("<div><footer role=contentinfo><section>{}</section></footer></div>", False),
        ("<article><footer>{}</footer></article>", True),
        ("<main><div><footer>{}</footer></div></main>", True),
        ("<section><footer>{}</footer></section>", True),
    ],
)
def test_linked_notes_in_the_footer_of_the_page_stay_as_they_are(
    form: str, around: str, is_kept: bool
) -> None:
    mark, definition = LINKED[form]
    note = "Offer for new customers, while stocks last."
    page = blockify(f"<p>The kettle{mark} is new.</p>{around.format(definition.format(note))}")
    place = next(i for i, text in enumerate(page.texts) if note in text)
    assert complete_notes(page, np.array([i < 1 for i in range(len(page.texts))]))[place] == is_kept


def test_notes_far_from_kept_text_stay_as_they_are() -> None:
    far = (
        f"<article>{ARTICLE}</article><div class=other><div class=footnotes>{NOTES[0]}</div></div>"
    )
    assert not kept_with(far, NOTES[0])


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        (
            "<div class=equation><span class=tex>$$a = b$$</span></div>",
            "(1)",
        ),
        ("<div class=f>\\[a_1 = b\\]</div>", "(A.12)"),
        ("<p>\\begin{align} a &amp;= b \\end{align}</p>", "[3.2b]"),
        ("<div><math display=block><mi>a</mi></math></div>", "(2–1)"),
    ],
)
def test_formulas_and_their_numbers_are_kept_beside_a_kept_text(formula: str, number: str) -> None:
    page = blockify(f"<p>So it is</p>{formula}<div class=l>{number}</div><p>No</p>")
    kept = np.array([True, False, False, False])
    assert complete_formulas(page, kept).tolist() == [True, True, True, False]
    assert not complete_formulas(page, np.array([False] * 4)).any()
    other = blockify(f"<p>So it is</p>{formula}<div class=l>Share</div><p>No</p>")
    assert complete_formulas(other, kept).tolist() == [True, True, False, False]
