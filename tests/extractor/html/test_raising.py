"""Superscripts, subscripts and fractions that classes and styles make."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

RAISED = {
    "10<span style='vertical-align:super;font-size:70%'>6</span> l": "10<sup>6</sup> l",
    "10<span style='font-size: 7pt; VERTICAL-ALIGN: super'><font>6</font></span> l": (
        "10<sup>6</sup> l"
    ),
    "<span>10</span><span style='vertical-align:super'>6</span><span> l</span>": "10<sup>6</sup> l",
    "H<font style='vertical-align: sub'>2</font>O": "H<sub>2</sub>O",
    'm<span class="sup">2</span>, x<span class="math sub">i</span>': "m<sup>2</sup>, x<sub>i</sub>",
    'm<small class="superscript">2</small> <span style="vertical-align:super">14</span>C': (
        "m<sup>2</sup> <sup>14</sup>C"
    ),
    "<style>.c5{font-size:8pt;vertical-align:super}.c6{vertical-align:baseline}</style>"
    "<span class='c6'>10</span><span class='c5 c6'>6</span><span class=c6> l</span>": (
        "10<sup>6</sup> l"
    ),
    "U<span style='vertical-align:-0.4em'><sup>+2</sup><br><sub>i</sub></span> a": (
        "U<sup>+2</sup><sub>i</sub> a"
    ),
    "SO<span class=x><sub>4</sub><br> <sup>2−</sup></span>": "SO<sub>4</sub> <sup>2−</sup>",
}
FLAT = (
    "A text <span style='vertical-align:super'>NEW</span> here",
    "Price<span class=\"sub\">with all taxes</span>",
    "Go<span style='vertical-align:sub'>to the next page</span>",
    'Next<span class="sub">arrow_forward</span>',
    "a<span style='vertical-align:super-x'>6</span>",
    "<style>.c5{vertical-align:super}</style><i class=c>6</i> and 7",
    'The <div class="sup">2</div> end',
)  # fmt: skip
FRACTIONS = {
    '<span class="frac">3<span class="sr-only">+</span><span class="num">1</span>&frasl;'
    '<span class="den">2</span></span>': "3+1⁄2",
    '<span class="sfrac">&NoBreak;<span class="tion"><span class="num">1</span><span '
    'class="sr-only">'
    '/</span><span class="den">4</span></span>&NoBreak;</span>': "1/4",
    '<span class="sfrac">&NoBreak;2<span class="sr-only">+</span><span class="tion"><span '
    'class="num">3</span><span class="sr-only">/</span><span class="den">8</span></span></span>': (
        "2+3/8"
    ),
    '<span class="frac">3<span class="visualhide">+</span><sup>1</sup>&frasl;<sub>2</sub></span>': (
        "3+1⁄2"
    ),
    '<span class="fraction"><span class="numerator">a + b</span><span class="denominator">c</span>'
    "</span>": "(a+b)/c",
    '5<span class="frac"><b class="top">1</b><b class="bottom">3</b></span>': "5 1/3",
    '<span class="frac nowrap"><sup>1</sup>⁄<sub>2</sub></span>': "<sup>1</sup>⁄<sub>2</sub>",
    '<span class="fraction">a part</span>': "a part",
    '<span class="sfrac"><span class="num">x<sup>2</sup></span>/<span '
    'class="den">2</span></span>': ("x<sup>2</sup>/2"),
}
TEXTS = ("It is {} wide.", "Es ist {} breit.", "C'est {}, là.", "これは{}です。")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("html", RAISED)
def test_what_is_raised_by_class_or_style_is_a_superscript(html: str, text: str) -> None:
    made = written(blockify(f"<p>{text.format(html)}</p>", markup=True))
    assert made.markdown == text.format(RAISED[html])


@pytest.mark.parametrize("html", FLAT)
def test_other_texts_stay_flat(html: str) -> None:
    markdown = written(blockify(f"<p>{html}</p>", markup=True)).markdown or ""
    assert "<sup>" not in markdown
    assert "<sub>" not in markdown


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("html", FRACTIONS)
def test_fractions_keep_their_sign(html: str, text: str) -> None:
    for tag in ("p", "li", "td"):
        page = blockify(f"<{tag}>{text.format(html)}</{tag}>", markup=True)
        assert text.format(FRACTIONS[html]) in (written(page).markdown or "")
        assert "\u2060" not in page.texts[0]


@pytest.mark.parametrize(
    ("html", "markdown", "text"),
    [
        ("SO{2−|4} is", "SO<sup>2−</sup><sub>4</sub> is", "SO²⁻₄ is"),
        ("и {14|6}C", "и <sup>14</sup><sub>6</sub>C", "и ¹⁴₆C"),
        ("Hg{2+|}.", "Hg<sup>2+</sup>.", "Hg²⁺."),
    ],
)
def test_scripts_above_each_other_are_both(html: str, markdown: str, text: str) -> None:
    stack = "<span class='template-chem2-su'><span>"
    written_out = html.replace("{", stack).replace("|", "</span><span>")
    made = written(blockify(f"<p>{written_out.replace('}', '</span></span>')}</p>", markup=True))
    assert (made.markdown, made.text) == (markdown, text)


def test_other_stacks_are_words() -> None:
    page = blockify("<p>SO<span class='chem2-sup template-su'><span>2</span><span>4</span></span>")
    assert page.blocks[0].text == "SO24"


def test_plain_text_has_them_in_unicode() -> None:
    html = "10<span style='vertical-align:super'>6</span> m H<i class=\"sub\">2</i>O, 1<b>2</b>"
    assert blockify(f"<p>{html}</p>").texts == ("10⁶ m H₂O, 12",)
    fraction = '<span class="frac"><b class="num">1</b><b class="den">2</b></span>'
    assert blockify(f"<p>One {fraction} of it</p>").texts == ("One 1/2 of it",)


def test_a_style_sheet_may_raise_any_number_of_classes() -> None:
    sheet = "".join(f".c{n}{{vertical-align:super}}" for n in range(200))
    for name in ("c3", "c199"):
        html = f"<style>{sheet}</style><p class=sup>The house has 20 m<span class={name}>2</span>."
        made = written(blockify(html, markup=True))
        assert made.markdown == "The house has 20 m<sup>2</sup>."


def test_a_raised_class_may_have_one_letter() -> None:
    html = "<style>.s{vertical-align:super}</style><p>It has 20 m<span class='x s'>2</span>."
    assert written(blockify(html, markup=True)).markdown == "It has 20 m<sup>2</sup>."


def test_ten_thousand_raised_texts_take_one_pass() -> None:
    many = "x<span style='vertical-align:super'>2</span>" * 10_000
    markdown = written(blockify(f"<p>{many}</p>", markup=True)).markdown or ""
    assert markdown.count("<sup>") == 10_000
