"""Links to edit a section, and remarks for editors, are no text of a wiki."""

from __future__ import annotations

import re

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

REMARKS = [
    "<sup class='noprint Inline-Template Template-Fact' style='white-space:nowrap'>[<i><a href=/w>"
    "<span title='needs a source'>citation needed</span></a></i>]</sup>",
    "<sup class='noprint Inline-Template'>[<i><a href=/w>when?</a></i>]</sup>",
    "<sup class='noprint Inline-Template'>&#91;<i><a href=/w>要出典</a></i>&#93;</sup>",
    "<sup class=need_ref_tag><a href=/w>[réf. nécessaire]</a></sup>",
    "<sup class='noprint chiarimento-apice'>[<a href=/w>senza fonte</a>]</sup>",
    "<sup class=noprint>[<i><a href=/w>источник не указан 100 дней</a></i>]</sup>",
    "<sup class='noprint'>[<a href=/w>bron?</a>]</sup>",
    "<span class='noprint Inline-Template'>[<a href=/w>dubious</a> – <a href=/d>talk</a>]</span>",
]
EDITS = ["edit", "Bearbeiten", "modifier | modifier le code", "править", "編集", "ویرایش"]


def text_and_markdown(html: str) -> tuple[str, str]:
    made = written(blockify(html, "https://e.example/a", markup=True))
    return made.text, made.markdown or ""


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_is_left_out_of_its_sentence(remark: str) -> None:
    html = f"<p>The tower fell in 1911.{remark} A new one was built{remark}, of stone.</p>"
    text = "The tower fell in 1911. A new one was built, of stone."
    assert text_and_markdown(html) == (text, text)


@pytest.mark.parametrize("text", EDITS)
@pytest.mark.parametrize("name", ["mw-editsection", "editsection", "edit-section plainlinks"])
def test_a_link_to_edit_a_section_is_left_out(name: str, text: str) -> None:
    edit = f"<span class='{name}'><span>[</span><a href='/w?edit'>{text}</a><span>]</span></span>"
    right = "Later\nIt fell.", "## Later\n\nIt fell."
    assert text_and_markdown(f"<h2>Later{edit}</h2><p>It fell.") == right
    assert (
        text_and_markdown(f"<div class=mw-heading><h2>Later</h2>{edit}</div><p>It fell.") == right
    )
    assert text_and_markdown(f"<h2>{edit} Later</h2><p>It fell.") == right


@pytest.mark.parametrize("tag", ["div", "h3"])
def test_the_line_that_only_printed_pages_show_is_left_out(tag: str) -> None:
    line = f"<{tag} id=siteSub class=noprint>From Wikipedia, the free encyclopedia</{tag}>"
    assert text_and_markdown(f"<h1>Eels</h1>{line}<p>It fell.</p>")[0] == "Eels\nIt fell."


BULLETS = ["•", "–", "∗", " ◦ "]
LABELS = ["(A1)", "(a)", "[12]", "iv)", "2."]
OWN_LABELS = ["Harbour.", "<b>Harbour</b>", "1.2 The harbour", "α-", "see 3."]


def marked(mark: str, text: str, list_tag: str) -> str:
    before = f"<span class='ltx_tag ltx_tag_item'>{mark}</span>"
    item = f"<li class=ltx_item>{before}<div class=ltx_para>\n<p class=ltx_p>{text}</p></div></li>"
    return f"<{list_tag}>{item}</{list_tag}>"


@pytest.mark.parametrize("list_tag", ["ul", "ol"])
@pytest.mark.parametrize("mark", BULLETS)
def test_the_bullet_of_an_item_is_left_out(mark: str, list_tag: str) -> None:
    sign = "-" if list_tag == "ul" else "1."
    right = "It <b>fell</b>.", f"{sign} It **fell**."
    assert text_and_markdown(marked(mark, right[0], list_tag)) == ("It fell.", right[1])


@pytest.mark.parametrize("mark", ["1.", "(1)", " [1] "])
def test_the_number_of_an_item_is_left_out(mark: str) -> None:
    items = marked(mark, "It fell.", "ol").replace("</ol>", "")
    more = marked(mark.replace("1", "2"), "A new one.", "ol").replace("<ol>", "")
    right = "It fell.\nA new one.", "1. It fell.\n2. A new one."
    assert text_and_markdown(items + more) == right


@pytest.mark.parametrize("list_tag", ["ul", "ol"])
@pytest.mark.parametrize("mark", [*LABELS, "<i>(ii)</i>"])
def test_the_label_of_an_item_that_its_number_does_not_tell_is_kept(
    mark: str, list_tag: str
) -> None:
    sign, label = "-" if list_tag == "ul" else "1.", re.sub("<.*?>", "", mark)
    text, markdown = text_and_markdown(marked(mark, "It <b>fell</b>.", list_tag))
    assert text == f"{label} It fell."
    assert markdown.replace("\\", "") == f"{sign} {label} It **fell**."


@pytest.mark.parametrize("label", OWN_LABELS)
def test_the_label_that_an_author_gives_an_item_is_kept(label: str) -> None:
    before = f"<span class='ltx_tag ltx_tag_item'>{label}</span>"
    text, _ = text_and_markdown(f"<ul><li>{before}<p>It fell.</p></li></ul>")
    assert text.splitlines()[0] == label.replace("<b>", "").replace("</b>", "")
    term, _ = text_and_markdown(f"<dl><dt>{before}</dt><dd>It fell.</dd></dl>")
    assert term.splitlines()[0] == text.splitlines()[0]


def test_a_form_to_edit_a_section_is_left_out() -> None:
    form = "<form action=/e><button title='Edit: Later'>Edit</button></form>"
    html = f"<h2>Later</h2><p>It fell.</p><div class='secedit editbutton_section'>{form}</div>"
    assert text_and_markdown(html)[0] == "Later\nIt fell."


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Water<sup class=noprint>+2</sup></p>", "Water⁺²"),
        ("<p>It <span class=noprint>[sic]</span> is.</p>", "It [sic] is."),
        ("<p>It <span class=citation-needed-content>fell in 1911</span>.</p>", "It fell in 1911."),
        ("<div class='noprint Inline-Template'>[A box]</div>", "[A box]"),
        ("<p class=noprint>[All of it]</p>", "[All of it]"),
        (f"<p>A<sup class=Inline-Template>[{'x' * 200}]</sup></p>", f"A[{'x' * 200}]"),
        (f"<div class=edit-section>{'All of a chapter. ' * 9}</div>", "All of a chapter. " * 9),
        ("<p class=editsection>[edit]</p>", "[edit]"),
    ],
)
def test_other_texts_are_kept(html: str, text: str) -> None:
    found = "".join(block.text for block in blockify(html).blocks)
    assert found.replace(" ", "") == text.replace(" ", "")
