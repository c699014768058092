"""Formulas are read as TeX, whatever renderer wrote them into the page."""

from __future__ import annotations

from time import perf_counter

import pytest
from testing.drawn_forms import AS_READ, DRAWN, LIMITS, SPOKEN
from testing.formula_forms import DISPLAYED, INLINE, MATHML, NO_FORMULAS, PLAIN, TEX, math_of
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.mathml import tex_of
from scrapy_boilernet.extractor.html.readings import readings_of, signs_in
from scrapy_boilernet.extractor.html.tree import plain_tree
from scrapy_boilernet.extractor.markup import FORMULA

SENTENCES = [
    ("The length is {} on a calm day.", "en"), ("Die Länge ist {}, wenn es ruhig ist.", "de"),
    ("La longueur vaut ({}) par temps calme.", "fr"), ("波の長さは{}です。", "ja"),
    ("Длина равна {}.", "ru"),
]  # fmt: skip


def formats(html: str) -> tuple[str, str, str]:
    made = written(blockify(html, "https://e.example/", markup=True))
    return made.text, made.markdown or "", made.html or ""


@pytest.mark.parametrize("sentence", [sentence for sentence, _ in SENTENCES])
@pytest.mark.parametrize("renderer", INLINE)
def test_a_formula_stands_in_its_sentence(renderer: str, sentence: str) -> None:
    text, markdown, html = formats(f"<p>{sentence.format(INLINE[renderer])}</p>")
    assert text == sentence.format(TEX)
    assert markdown == sentence.format(f"${TEX}$")
    marked = f'<span class="math inline">\\({TEX}\\)</span>'
    assert html == f"<p>{sentence.format(marked)}</p>"


@pytest.mark.parametrize("around", ["<p>{}</p>", "{}", "<div>{}</div>", "<dl><dd>{}</dd></dl>"])
@pytest.mark.parametrize("renderer", DISPLAYED)
def test_a_formula_on_a_line_of_its_own(renderer: str, around: str) -> None:
    page = f"<article><p>Before it.</p>{around.format(DISPLAYED[renderer])}<p>After.</p></article>"
    text, markdown, html = formats(page)
    assert text == f"Before it.\n{TEX}\nAfter."
    assert markdown == f"Before it.\n\n$$\n{TEX}\n$$\n\nAfter."
    assert f'<span class="math display">\\[{TEX}\\]</span>' in html


def test_a_displayed_formula_does_not_split_its_sentence() -> None:
    page = f"<ul><li>It is<div class=katex-display>{math_of('')}</div>for all.<li>b</ul>"
    assert formats(page)[0] == f"It is {TEX} for all.\nb"
    assert formats(page)[1] == f"- It is\n\n  $$\n  {TEX}\n  $$\n\n  for all.\n- b"


@pytest.mark.parametrize(
    "html",
    NO_FORMULAS,
)
def test_what_is_no_formula_is_read_as_before(html: str) -> None:
    body = f"<p>a {html} b</p>".encode()
    assert not readings_of(plain_tree(body), body, signs_in(body))


@pytest.mark.parametrize("tag", ["p", "div", "h2", "table", "section", "ul"])
def test_an_unclosed_formula_loses_no_text(tag: str) -> None:
    page = f"<p>It is <math><mi>x</mi></p><{tag}>All of this is read.</{tag}><p>And this.</p>"
    text = formats(page)[0]
    assert "All of this is read." in text
    assert "And this." in text


@pytest.mark.parametrize(
    ("mathml", "tex"),
    MATHML,
)
def test_mathml_becomes_tex(mathml: str, tex: str) -> None:
    math = plain_tree(f"<math>{mathml}</math>".encode())[0].find(".//math")
    assert math is not None
    assert tex_of(math) == tex


@pytest.mark.parametrize(
    ("tex", "markdown"),
    [
        ("<script>alert(1)</script>", "< script>alert(1)< /script>"),
        ("a&lt;b", "a& lt;b"),
        ("[x](javascript:alert(1))", "[x] (javascript:alert(1))"),
        ("`a`", "\\lq{}a\\lq{}"),
    ],
)
def test_tex_is_no_markup(tex: str, markdown: str) -> None:
    value = tex.replace("&", "&amp;").replace("<", "&lt;")
    page = f"<p>a <math alttext='{value} \\pi'></math> b</p>"
    assert formats(page)[1] == f"a ${markdown} \\pi$ b"


@pytest.mark.parametrize("tex", ["> a", "- a", "1. a", "# a", "===", "+ a"])
def test_a_line_of_tex_begins_no_list_or_quote(tex: str) -> None:
    page = f"<p>a</p><math display=block alttext='{tex} \\pi'></math><p>b</p>"
    assert formats(page)[1].split("\n")[3] in (f"{{}}{tex} \\pi", f"{tex} \\pi")
    assert not formats(page)[1].split("\n")[3].startswith(tex[:2] + " ")


@pytest.mark.parametrize(
    "html",
    [
        "<math>" * 3_000 + "<mi>x</mi>",
        "<span class=katex>" * 3_000 + "<math><mi>x</mi></math>",
        "<math><mrow>" + "<mrow>" * 2_000 + "<mi>x</mi>",
        "<math><p>" * 1_000 + "<mi>x</mi>",
    ],
)
def test_deep_formulas_do_not_raise(html: str) -> None:
    assert blockify(f"<p>before</p>{html}", markup=True).blocks


def test_pages_without_formulas_are_not_looked_through() -> None:
    body = b"<p>A page about latex gloves and the price of $5 to $6.</p>"
    assert readings_of([], body, signs_in(body)) == {}


def test_spans_of_formulas_have_no_other_marks() -> None:
    page = blockify(f"<p><b>It is <i>{PLAIN}</i></b></p>", markup=True)
    assert page.markup is not None
    assert [span.marks for span in page.markup.spans[0]][-1] == FORMULA


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawing_becomes_tex(name: str) -> None:
    tex = name.partition(": ")[2]
    (block,) = blockify(f"<p>It is {DRAWN[name]} here.</p>", markup=True).blocks
    read = block.text.removeprefix("It is ").removesuffix(" here.")
    if name.startswith("KaTeX") and "matrix" in tex:
        read = read.replace("(\\begin{matrix}", "\\begin{pmatrix}").replace(
            "{matrix})", "{pmatrix}"
        )
    if name.startswith("KaTeX") and "vec" in tex:  # an arrow that is only drawn
        tex = tex.replace("\\vec{b}", "b")
    assert read == AS_READ.get(tex, tex)


@pytest.mark.parametrize("name", LIMITS)
def test_a_displayed_drawing_becomes_tex(name: str) -> None:
    page = blockify(f"<p>It is</p>{LIMITS[name]}<p>here.</p>", markup=True)
    assert written(page).markdown == "It is\n\n$$\n\\sum_i^n i\n$$\n\nhere."


def test_mathml_for_screen_readers_comes_before_a_drawing() -> None:
    drawn = '<mjx-math><mjx-mi><mjx-c class="mjx-c6E"></mjx-c></mjx-mi></mjx-math>'
    spoken = "<mjx-assistive-mml><math><mi>q</mi></math></mjx-assistive-mml>"
    page = blockify(f"<p>It is <mjx-container>{drawn}{spoken}</mjx-container> here.</p>")
    assert [block.text for block in page.blocks] == ["It is q here."]


def test_a_label_is_read_where_nothing_else_is() -> None:
    texts = [blockify(f"<p>It is {SPOKEN[name]}.</p>").blocks[0].text for name in SPOKEN]
    assert texts == ["It is x squared.", "It is x squared.", "It is x².", "It is x^2."]


@pytest.mark.parametrize(
    "html",
    [
        "<span class=katex-html>" * 3_000 + "x",
        "<span class=katex-html>" + "<span class=mfrac><span class=vlist><span>" * 2_000 + "x",
        "<span class=katex-html><span class=msupsub></span></span>" * 20_000,
        "<mjx-math>" * 3_000,
        "<mjx-math>" + "<mjx-munderover><mjx-box>" * 2_000,
        "<mjx-container aria-label=x>" * 3_000,
        "<mjx-math><mjx-mi>" + "<mjx-c class=mjx-c6E></mjx-c>" * 100_000,
        "<mjx-math><mjx-mi><mjx-c class=mjx-cFFFFFF></mjx-c><mjx-c class=mjx-cD800></mjx-c>x",
    ],
    ids=range(8),
)
def test_hostile_drawings_take_no_time(html: str) -> None:
    begin = perf_counter()
    blockify(f"<p>a {html}", markup=True)
    assert perf_counter() - begin < 60
