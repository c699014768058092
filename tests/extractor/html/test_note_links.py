"""Note marks and their notes, in the forms of several programs."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.elements import Elements
from scrapy_boilernet.extractor.html.note_links import Labels, may_have_notes, notes_of
from scrapy_boilernet.extractor.html.tree import plain_tree

FORMS = {
    "kramdown": (
        '<sup id="fnref:1" role="doc-noteref"><a href="#fn:1" class="footnote" rel="footnote">1</a>'
        "</sup>",
        '<div class="footnotes" role="doc-endnotes"><ol><li id="fn:1"><p>{} <a href="#fnref:1" '
        'class="reversefootnote" role="doc-backlink">&#8617;</a></p></li></ol></div>',
    ),
    "pandoc": (
        '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
        '<section id="footnotes"><hr><ol><li id="fn1"><p>{}<a href="#fnref1" '
        'class="footnote-back">↩︎</a></p></li></ol></section>',
    ),
    "MediaWiki": (
        '<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup>',
        '<ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><b><a '
        'href="#cite_ref-1">^</a></b></span> <span class="reference-text">{}</span></li></ol>',
    ),
    "MediaWiki, named": (
        '<sup id="cite_ref-a_1-0" class="reference"><a href="#cite_note-a-1">[1]</a></sup>',
        '<ol><li id="cite_note-a-1"><span class="mw-cite-backlink">^ <a href="#cite_ref-a_1-0">'
        "<sup><i><b>a</b></i></sup></a></span> <span>{}</span></li></ol>",
    ),
    "MediaWiki, an arrow": (
        '<sup id="cite_ref-b_1-0" class="reference"><a href="#cite_note-b-1">[1]</a></sup>',
        '<ol><li id="cite_note-b-1"><span class="mw-cite-backlink">↑ <sup><a href="#cite_ref-b_1-0"'
        '>1.0</a></sup> <sup><a href="#cite_ref-b_1-1">1.1</a></sup></span> <span>{}</span></li>'
        "</ol>",
    ),
    "MediaWiki, an arrow of one": (
        '<sup id="cite_ref-b_1-0" class="reference"><a href="#cite_note-b-1">[1]</a></sup>',
        '<ol><li id="cite_note-b-1"><span class="mw-cite-backlink">↑ <b><sup><a href='
        '"#cite_ref-b_1-0">1</a></sup></b></span> <span>{}</span></li></ol>',
    ),
    "Substack": (
        '<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1">1</a>',
        '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" '
        'class="footnote-number">1</a><div class="footnote-content"><p>{}</p></div></div>',
    ),
    "Word": (
        '<a href="#_ftn1" name="_ftnref1"><span class="MsoFootnoteReference">[1]</span></a>',
        '<div id="ftn1"><p class="MsoFootnoteText"><a href="#_ftnref1" name="_ftn1">[1]</a> {}</p>'
        "</div>",
    ),
    "LibreOffice": (
        '<sup><a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup>'
        "</a></sup>",
        '<div id="sdfootnote1"><p><a class="sdfootnotesym" name="sdfootnote1sym" '
        'href="#sdfootnote1anc">1</a> {}</p></div>',
    ),
    "WordPress": (
        '<sup data-fn="a1" class="fn"><a href="#a1" id="a1-link">1</a></sup>',
        '<ol class="wp-block-footnotes"><li id="a1">{} <a href="#a1-link">↩︎</a></li></ol>',
    ),
    "Easy Footnotes": (
        '<span id="easy-1" class="easy-footnote-margin-adjust"></span><span '
        'class="easy-footnote"><a '
        'href="https://a.example/post/#bottom-1" title="x"><sup>1</sup></a></span>',
        '<ol class="easy-footnotes-wrapper"><li class="easy-footnote-single"><span id="bottom-1" '
        'class="easy-footnote-margin-adjust"></span>{}<a class="easy-footnote-to-top" '
        'href="https://a.example/post/#easy-1"></a></li></ol>',
    ),
    "own address": (
        '<a class="footnote-anchor" id="anchor-1" href="/p/x#footnote-1">1</a>',
        '<div class="footnote"><a id="footnote-1" href="/p/x#anchor-1" '
        'class="footnote-number">1</a>'
        '<div class="footnote-content"><p>{}</p></div></div>',
    ),
    "Sphinx, a list": (
        '<a class="footnote-reference brackets" href="#id3" id="id1">1</a>',
        '<dl class="footnote brackets"><dt class="label" id="id3"><span class="brackets"><a '
        'class="fn-backref" href="#id1">1</a></span></dt><dd><p>{}</p></dd></dl>',
    ),
    "Org mode": (
        '<sup><a id="fnr.1" class="footref" href="#fn.1" role="doc-backlink">1</a></sup>',
        '<div class="footdef"><sup><a id="fn.1" class="footnum" href="#fnr.1" role="doc-backlink">1'
        '</a></sup> <div class="footpara"><p>{}</p></div></div>',
    ),
    "SPIP": (
        '<span class="spip_note_ref">[<a href="#nb1-2" class="spip_note" rel="appendix" '
        'id="nh1-2">1</a>]</span>',
        '<div id="nb1-2"><p><span class="spip_note_ref">[<a href="#nh1-2" class="spip_note" '
        'rev="appendix">1</a>]&nbsp;</span>{}</p></div>',
    ),
    "Hatena": (
        '<span class="footnote"><a href="#f-1a" id="fn-1a" name="fn-1a">*1</a></span>',
        '<div class="footnote"><p class="footnote"><a href="#fn-1a" id="f-1a" name="f-1a" '
        'class="footnote-number">*1</a><span class="footnote-delimiter">:</span><span '
        'class="footnote-text">{}</span></p></div>',
    ),
    "a sign of Japanese": (
        '<sup><a href="#n1" id="r1">※1</a></sup>', '<p id="n1"><a href="#r1">※1</a> {}</p>',
    ),
    "wide brackets": (
        '<sup><a href="#n1" id="r1">［1］</a></sup>', '<p id="n1"><a href="#r1">［1］</a>{}</p>',
    ),
    "a repeated mark": (
        '<a class="ag" href="#1a2b">[1]</a>', '<p id="1a2b">[1] {}</p>',
    ),
    "a number of its own": (
        '<sup><a href="#f-1" class="xref">1</a></sup>',
        '<div id="f-1"><p><span class="fn-label">1</span> {}</p></div>',
    ),
    "by hand": (
        '<sup><a href="#n1" id="r1">[1]</a></sup>', '<p id="n1">[1] {}</p>',
    ),
    "by hand, a name": (
        '<a name="back1"></a><a href="#note1"><sup>1</sup></a>', '<p><a name="note1"></a>{}</p>',
    ),
    "ghost": (
        '<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>',
        '<section class="footnotes"><ol><li id="fn1" class="footnote-item"><p>{} <a href="#fnref1" '
        'class="footnote-backref">↩</a></p></li></ol></section>',
    ),
    "AsciiDoctor": (
        '<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1'
        "</a>]</sup>",
        '<div id="footnotes"><hr><div class="footnote" id="_footnotedef_1">'
        '<a href="#_footnoteref_1">1</a>. {}</div></div>',
    ),
    "brackets in a span": (
        '<span class="noteref">[ <a href="#n1" id="r1">1</a> ]</span>',
        '<p id="n1">1. {} <a href="#r1">retour</a></p>',
    ),
    "names in pairs": (
        '<a name="anm1z" href="#anm1">(1)</a>', '<p><a name="anm1" href="#anm1z">(1)</a> {}</p>',
    ),
    "names of notes": (
        '<a href="#nota1" name="nota1up">[1]</a>',
        '<p><a name="nota1" href="#nota1up">[1]</a> {}</p>',
    ),
    "EPUB": (
        '<a epub:type="noteref" href="#n1" id="r1">1</a>',
        '<aside epub:type="footnote" id="n1"><p>{}</p></aside>',
    ),
    "Google Docs": (
        '<sup class="c2"><a href="#ftnt1" id="ftnt_ref1">[1]</a></sup>',
        '<hr class="c5"><div><p class="c3"><a href="#ftnt_ref1" id="ftnt1">[1]</a><span class="c4">'
        " {}</span></p></div>",
    ),
    "raised by style": (
        '<span style="font-size:8pt; vertical-align: super"><a href="#e1">1</a></span>',
        '<p id="e1"><span style="vertical-align:super">1</span> {}</p>',
    ),
    "raised by class": (
        '<a href="#e1"><span class="superscript">1</span></a>',
        '<p id="e1"><span class="sup">1</span> {}</p>',
    ),
    "Quarto, in the margin": (
        '<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>',
        '<div class="column-margin"><div id="fn1"><p><sup>1</sup>&nbsp;{}</p></div></div>',
    ),
    "a sign": ('<sup><a href="#n1">*</a></sup>', '<p id="n1"><small>* {}</small></p>'),
    "docutils, a table": (
        '<a class="footnote-reference" href="#f1" id="id1">[1]</a>',
        '<table class="docutils footnote" id="f1"><tbody><tr><td class="label"><a '
        'class="fn-backref" '
        'href="#id1">[1]</a></td><td>{}</td></tr></tbody></table>',
    ),
    "a row": ('<sup><a href="#r">1</a></sup>', "<table><tr id=r><th>1<td>{}</table>"),
    "ScienceDirect": (
        '<a class="anchor" href="#bib1" name="bbib1"><span class="anchor-text">[1]</span></a>',
        '<ol class="references"><li><span class="label"><a href="#bbib1" id="ref-id-bib1">[1]</a>'
        '</span><span class="reference" id="bib1">{}</span></li></ol>',
    ),
    "ScienceDirect, without the target": (
        '<a class="anchor" href="#bib1" name="bbib1"><span class="anchor-text">[1]</span></a>',
        '<ol><li><span class="label"><a href="#bbib1" id="ref-id-bib1">[1]</a></span><span '
        'class="reference" id="sref1"><span>{}</span></span></li></ol>',
    ),
    "a footnote of ScienceDirect": (
        '<a href="#fn1" name="bfn1"><sup>1</sup></a>',
        '<dl class="footnotes"><dt class="footnote-label"><sup><a href="#bfn1">1</a></sup></dt>'
        '<dd><p id="ntpara">{}</p></dd></dl>',
    ),
    "PubMed Central": (
        '<sup><a href="#B1" aria-describedby="B1">1</a></sup>',
        '<ul class="ref-list"><li id="B1"><span class="label">1.</span><span>{}</span></li></ul>',
    ),
    "Wiley": (
        '<sup><a href="#b1">1</a></sup>',
        '<ul><li id="b1"><span class="bullet">1</span><span class="author">{}</span></li></ul>',
    ),
    "PLOS": (
        '<sup><a href="#ref1">[1]</a></sup>',
        '<ol class="references"><li id="ref1"><span class="order">1.</span>{}</li></ol>',
    ),
    "docutils, several links back": (
        '<a class="footnote-reference" href="#f1" id="id1">[1]</a>',
        '<table class="docutils footnote" id="f1"><tbody><tr><td class="label">[1]</td><td><em>('
        '<a class="fn-backref" href="#id1">1</a>, <a class="fn-backref" href="#id2">2</a>)</em> {}'
        "</td></tr></tbody></table>",
    ),
    "footnotes of a plugin": (
        '<span role="button" class="footnote_referrer"><a role="button"><sup '
        'id="footnote_plugin_tooltip_2_1_1" '
        'class="footnote_plugin_tooltip_text">[1]</sup></a><span '
        'class="footnote_tooltip" style="display: none;">The beginning</span></span>',
        '<div class="speaker-mute footnotes_reference_container"><div '
        'class="footnote_container_prepare"><p>Open</p></div><div style="display: none;"><table '
        'class="footnotes_table"><caption>Open</caption><tbody><tr><th><a '
        'id="footnote_plugin_reference_2_1_1" class="footnote_backlink"><span>↑</span>1</a></th>'
        "<td>{}</td></tr></tbody></table></div></div>",
    ),
}  # fmt: skip
TEXTS = [
    ("The boat was built in 1964{} in the yard.", "The yard burned down later."),
    ("Das Boot wurde 1964{} gebaut.", "Die Werft ist später abgebrannt."),
    ("Le bateau fut construit en 1964{}, au port.", "Le chantier a brûlé plus tard."),
    ("船は1964年{}に造られた。", "造船所は後に焼けた。"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "note"), TEXTS)
@pytest.mark.parametrize("form", FORMS)
def test_marks_and_notes_are_tied(form: str, sentence: str, note: str) -> None:
    mark, definition = FORMS[form]
    page = f"<p>{sentence.format(mark)}</p><p>Another paragraph.</p>{definition.format(note)}"
    blocks = blockify(page, "https://e.example/a", markup=True)
    made = written(blocks, [not hidden for hidden in blocks.hidden])
    marked = sentence.format("[^1]")
    assert made.markdown == f"{marked}\n\nAnother paragraph.\n\n[^1]: {note}"
    assert '<sup><a href="#fn-1">1</a></sup>' in (made.html or "")
    assert '<div id="fn-1">' in (made.html or "")
    lines = made.text.split("\n")
    assert lines[0].replace(" ", "") == sentence.format("[1]").replace(" ", "")
    assert "1964[" not in lines[0]
    begin, *_ = lines[-1].split(note)
    assert lines[-1] == f"{begin}{note}"
    assert begin in ("", "[1] ", "1. ", "* ", "[1] | ", "1 | ")


@pytest.mark.parametrize("form", FORMS)
def test_a_mark_whose_note_is_left_out_is_a_link(form: str) -> None:
    mark, definition = FORMS[form]
    page = f"<p>It was built{mark} here.</p>{definition.format('A note.')}"
    blocks = blockify(page, "https://e.example/a", markup=True)
    kept = [True, *[False] * (len(blocks.blocks) - 1)]
    markdown = written(blocks, kept).markdown or ""
    assert "[^" not in markdown
    assert "<sup>" in markdown
    assert "](https://e.example/a#" in markdown


@pytest.mark.parametrize(
    "html",
    [
        "<p>See <a href='#part2'>Part 2</a>.</p><h2 id=part2>Part 2</h2><p>Text</p>",
        "<ul><li><a href='#a'>1</a></ul><p id=a>First</p>",
        "<p>10<sup>6</sup> boats</p><p id=6>b</p>",
        "<p>x<sup><a href='#top'>1</a></sup></p>",
        "<article id=n1><p>x<sup><a href='#n1'>1</a></sup></p></article>",
        "<p>x<sup><a href='#n1'>a longer text than marks</a></sup></p><p id=n1>y</p>",
        "<p>x<sup><a href='#n1'>1</a></sup></p><h2 id=n1>y</h2>",
        "<p>x<sup><a href='/other#n1'>1</a></sup></p><p id=n1>y</p>",
        "<p>x<a href='#n1'>1</a></p><p id=n1>y</p>",
        "<p>x<a href='#n1'>[1]</a></p><p id=n1>y [1]</p>",
        "<p>x<sup><a href='/a#n1'>1</a></sup> <a href='/a#n2'>b</a></p><p id=n1>y</p>",
        "<p>x<sup><a href='/a#1'>1</a></sup> <a href='/b#2'>2</a></p><p id=1>y</p><p id=2>z</p>",
        "<dl><dt id=n1>Word<dd>y</dl><p>x<sup><a href='#n1'>1</a></sup></p>",
        "<p id=n1>x<sup><a href='#n1'>1</a></sup></p>",
        "<p>x<sup><a href='#n'>1</a></sup> y<sup><a href='#n'>2</a></sup></p><div id=n>1 2</div>",
        "<p>x<sup><a href='#n'>3:16</a></sup></p><p id=n>y</p>",
        "<p>x<a href='#n1' name=r1>[1]</a></p><p id=n1>y</p><p><a href='#r1'>up</a></p>",
    ],
)
def test_other_links_are_no_marks(html: str) -> None:
    assert not any(
        reading.label for reading in notes_of(Elements(plain_tree(html.encode()))).values()
    )


def test_ten_thousand_notes_that_point_at_each_other() -> None:
    many = 10_000
    page = "".join(
        f"<p id=fn{i}>a<sup><a id=r{i} href='#fn{(i + 1) % many}'>{i}</a></sup>"
        for i in range(many)
    )
    made = written(blockify(page, markup=True, max_blocks=3 * many))
    assert (made.markdown or "").count("[^") >= many


@pytest.mark.parametrize(
    "note",
    [
        "<p>A note <a href='#r1' class=footnote-backref>↩︎</a> {}</p>",
        "<p>A note</p><a href='#r1' class=footnote-backref>↩︎</a> {}",
        "<p>A note</p><p><a href='#r1'>↩</a> {}</p>",
    ],
)
@pytest.mark.parametrize("again", ["[1:1]", "[1]", "1"])
def test_a_note_has_several_marks(again: str, note: str) -> None:
    back = "<a href='#r1:1' class=footnote-backref>↩︎</a>"
    page = (
        "<p>One<sup class=footnote-ref><a href='#fn1' id=r1>[1]</a></sup>, two<sup "
        f"class=footnote-ref><a href='#fn1' id='r1:1'>{again}</a></sup></p><ol><li id=fn1>"
    )
    made = written(blockify(page + note.format(back), markup=True))
    assert made.markdown == "One[^1], two[^1]\n\n[^1]: A note"
    assert made.text == "One [1], two [1]\nA note"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("<cite>Berg A. The yard. J Boats 2001.</cite>", "Berg A. The yard. J Boats 2001."),
        ("<cite>Берг А. Верфь. (2001)</cite> PDF", "Берг А. Верфь. (2001) PDF"),
        ("<cite>Moby Dick</cite>", "*Moby Dick*"),
        ("Melville: <cite>Moby Dick.</cite>", "Melville: *Moby Dick.*"),
        ("<cite>Dr. No</cite>, 1962", "*Dr. No*, 1962"),
    ],
)
def test_a_whole_reference_is_not_emphasized(inside: str, shown: str) -> None:
    page = f"<p>A boat<sup><a href='#n1'>1</a></sup></p><p id=n1>{inside}</p>"
    assert written(blockify(page, markup=True)).markdown == f"A boat[^1]\n\n[^1]: {shown}"


@pytest.mark.parametrize(
    ("backs", "shown"),
    [
        ("<span class=backrefs>({}, {})</span>", ""),
        ("<em class=backrefs>{} {}</em>", ""),
        ("<span class=backrefs>see {} and {}</span>", "see 1 and 2"),
        ("<span class=backrefs>({})</span>", "(1)"),
    ],
)
def test_links_back_of_citations_are_left_out(backs: str, shown: str) -> None:
    links = [f"<a role=doc-backlink href='#id{i}'>{i}</a>" for i in (1, 2)]
    page = (
        "<p>By <a href='#knu' id=id1>[Knu]</a> and <a href='#knu' id=id2>[Knu]</a></p><div "
        f"class=citation id=knu><span class=label>[Knu]</span><p>{backs.format(*links)} Text</p>"
    )
    assert written(blockify(page, markup=True)).text.split("\n")[2:] == [f"{shown} Text".strip()]


def test_a_link_back_makes_no_note_of_its_paragraph() -> None:
    page = (
        "<p>Built <a href='#b1' name=bb1>[1]</a> here.</p><p>Sold <a href='#b1' name=bb1>[1]</a>."
        "</p><ol><li><a href='#bb1' id=r1>[1]</a> <span id=b1>The yard</span></li></ol>"
    )
    made = written(blockify(page, markup=True))
    assert made.markdown == "Built [^1] here.\n\nSold [^1].\n\n[^1]: The yard"


def test_labels_are_not_used_twice() -> None:
    page = (
        "<p>a<sup><a href='#n1'>*</a></sup> b<sup><a href='#n2'>*</a></sup> "
        "c<sup><a href='#n3'>1</a></sup></p><p id=n1>d<p id=n2>e<p id=n3>f"
    )
    made = written(blockify(page, markup=True))
    assert made.markdown == "a[^2] b[^3] c[^1]\n\n[^2]: d\n\n[^3]: e\n\n[^1]: f"


def test_numbers_that_marks_show_stay() -> None:
    page = (
        "<p>a<sup><a href='#n1'>*</a></sup> b<sup><a href='#n2'>**</a></sup> c<sup class=footnote>"
        "<a href='#n4'>1</a></sup> d<sup><a href='#n5'>2</a></sup> e<sup><a href='#n6'>2</a></sup> "
        "f<sup><a href='#n3'>†</a></sup></p><ul><li id=n1><small>*</small> g<li id=n2>** h<li "
        "id=n3>i</ul><ol><li id=n4>j<li id=n5>k<li id=n6>l</ol>"
    )
    made = written(blockify(page, markup=True))
    assert made.text.split("\n")[0] == "a [3] b [4] c [1] d [2] e [5] f [6]"
    assert "[^1]: j" in (made.markdown or "")


def test_many_notes_with_one_label_take_linear_time() -> None:
    count = 60_000
    labels = Labels({"1"}, {*map(str, range(count, 2 * count))})
    begin = perf_counter()
    found = [labels.unused("1") for _ in range(count)]
    assert perf_counter() - begin < 10  # quadratic would take minutes
    assert found[:2] == [str(2 * count), str(2 * count + 1)]
    assert len({*found}) == count


def test_pages_without_signs_are_not_looked_through() -> None:
    assert may_have_notes({b"ootnote"})
    assert not may_have_notes(set())


def test_a_page_without_links_into_it_has_no_notes() -> None:
    page = b"<p id=n1><a name=n2>A footnote</a> without a link, <a href='/a#n1'>[1]</a></p>"
    assert notes_of(Elements(plain_tree(page))) == {}
