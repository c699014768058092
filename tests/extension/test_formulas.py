"""The extension reads formulas in a real Chromium as the package does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

pytest.importorskip("selenium")

from testing.drawn_forms import DRAWN, LIMITS, SPOKEN
from testing.extension import CHROMEDRIVER, CHROMIUM, DIST, need
from testing.formula_forms import DISPLAYED, INLINE, MATHML, NO_FORMULAS
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html import formulas, mathml_symbols
from scrapy_boilernet.extractor.html.elements import Elements
from scrapy_boilernet.extractor.html.formulas import formulas_of, may_have_formulas
from scrapy_boilernet.extractor.html.mathml import tex_of
from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.html.tree import plain_tree

if TYPE_CHECKING:
    from testing.chromium import Chromium


class Formulas:
    """The extension's reader of formulas, in a page of Chromium."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser
        self._evaluate((DIST / "dom.js").read_text(encoding="utf-8"))

    def ask(self, what: str, given: Any) -> Any:
        return self._evaluate(f"globalThis.{what}({json.dumps(given)})")

    def _evaluate(self, expression: str) -> Any:
        found = self._browser.command("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")


@pytest.fixture(scope="module")
def reader() -> Iterator[Formulas]:
    need(CHROMIUM and CHROMEDRIVER, "chromium and chromium-driver, which Debian has")
    from testing.chromium import Chromium

    with Chromium() as browser:
        yield Formulas(browser)


def own_tex(formulas: list[str]) -> list[str]:
    parser = etree.XMLParser(remove_comments=True)  # as they are in no tree of a page
    return [tex_of(etree.fromstring(formula, parser)) for formula in formulas]


def own_formulas(page: str) -> list[list[Any]]:
    body = page.encode()
    signs = SignFinder(formulas.SIGNS)(body)
    if not may_have_formulas(signs):
        return []
    roots = plain_tree(body)
    found = formulas_of(Elements(roots), signs)
    return [
        [element.tag, *found[element][:3]]
        for root in roots for element in root.iter() if element in found
    ]  # fmt: skip


AROUND = [
    "<p>The length is {} on a calm day.</p>", "<p>Die Länge {}</p><p>ist es, {}</p>", "{}",
    "<div>波の長さは<b>{}</b>です。</div>", "<ul><li>Длина: {}<li>{}{}</ul>",
]  # fmt: skip


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", [*INLINE, *(f"displayed {name}" for name in DISPLAYED)])
def test_the_forms_of_renderers_are_read_alike(reader: Formulas, name: str, around: str) -> None:
    form = INLINE.get(name) or DISPLAYED[name.removeprefix("displayed ")]
    page = around.replace("{}", form)
    own = own_formulas(page)
    assert own
    assert reader.ask("readFormulas", page) == own


@pytest.mark.parametrize("html", NO_FORMULAS)
def test_what_is_no_formula_is_none_in_both(reader: Formulas, html: str) -> None:
    assert reader.ask("readFormulas", f"<p>a {html} b</p>") == []


IMAGES = st.builds(
    '<img src="{}" class="{}" {}="{}">'.format,
    st.lists(st.sampled_from((
        "https://a.example/", "latex.codecogs.com/svg.image?", "latex.php?latex=", "mathtex.cgi?",
        "/equation?tex=", "/math/x.png", "?cht=tx", "&amp;chl=", "%5Cfrac", "%C3%BC", "%E3%81", "%",
        "%zz", "+", "a", "%2B", "é", "#b", "x=1",
    )), max_size=6).map("".join),
    st.sampled_from(("", "latex", "math", "tex big", "ql-img-inline-formula", "Equation-2", "eqn")),
    st.sampled_from(("alt", "data-alt", "eeimg")),
    st.sampled_from(("", "\\pi", "a_1", "$x$", "\\[ y \\]", "Children learn to count", "x", "a+b")),
)  # fmt: skip
CLEANED = st.lists(st.sampled_from((
    "$", "$$", "\\[", "\\]", "\\(", "\\)", "{", "}", "\\{", "\\\\", "\\displaystyle",
    "\\textstyle ", "\\displaystyles", "a", "x_1", " ", "\n", "% no\n", "\\%", "\u3000", "𝑥",
    "&lt;", "display",
)), max_size=9).map("".join)  # fmt: skip
DATA = st.builds(
    '<span {}="{}" class="{}">b</span>'.format,
    st.sampled_from(("data-tex", "data-latex", "data-formula", "data-value", "data-mathml")),
    st.one_of(CLEANED, st.sampled_from(("x", "é", "12", "&lt;math&gt;&lt;mi&gt;a&lt;/mi&gt;"))),
    st.sampled_from(("", "ql-formula", "katex-display", "displaystyle", "x block", "formulaDsp")),
)
SCRIPTS = st.builds(
    '{}<script type="{}">{}</script>'.format,
    st.lists(st.sampled_from((
        "<span class=MathJax_Preview>a</span>", "<span class=MathJax>b</span>", "text", " ",
        "<b>c</b>", "<i class='MJXp-math x'>d</i>", "<!-- e -->",
    )), max_size=5).map("".join),
    st.sampled_from((
        "math/tex", " Math/TeX; mode=display", "math/latex", "math/asciimath", "math/mml", "text/x",
    )),
    st.one_of(CLEANED, st.just("<math display='block'><mi>a</mi><mo>=</mo><mn>1</mn></math>")),
)  # fmt: skip
MATHS = st.builds(
    "<math {}='{}' {}>{}</math>".format,
    st.sampled_from(("alttext", "data-latex", "display", "class", "xmlns")),
    st.one_of(CLEANED, st.sampled_from(("block", "inline", "the length of it", "http://a.b"))),
    st.sampled_from(("", "display=block", "class='x displaystyle'")),
    st.sampled_from((
        "", "<mi>a</mi>", "a &lt; b",
        "<semantics><mi>b</mi><annotation encoding='TeX'>c^2</annotation>",
        "<semantics><mi>b</mi><annotation encoding='application/x-tex'> </annotation></semantics>",
    )),
)  # fmt: skip
WRAPPED = st.builds(
    lambda tag, words, inner: f"<{tag} class='{words}'>{inner}</{tag.split()[0]}>",
    st.sampled_from(("span", "mjx-container", "b", "span display=true", "i data-display=block")),
    st.sampled_from(("", "katex", "katex-display", "mwe-math-element", "MathJax_Display", "note")),
    st.one_of(IMAGES, DATA, MATHS, SCRIPTS, st.just("<math-field>a^2</math-field>")),
)
PAGES = st.lists(st.one_of(IMAGES, DATA, SCRIPTS, MATHS, WRAPPED), min_size=1, max_size=5)


@QUICK
@given(st.lists(PAGES.map(lambda parts: f"<p>a {' b '.join(parts)}</p>"), max_size=5))
def test_any_formulas_of_a_page_are_read_alike(reader: Formulas, pages: list[str]) -> None:
    for page in pages:
        assert reader.ask("readFormulas", page) == own_formulas(page), page


@pytest.mark.parametrize(("mathml", "tex"), MATHML)
def test_mathml_becomes_the_same_tex(reader: Formulas, mathml: str, tex: str) -> None:
    formula = f"<math>{mathml}</math>".replace("linethickness=0", "linethickness='0'")
    assert reader.ask("texOf", [formula]) == [tex]


SIGNS = sorted({
    *mathml_symbols.SYMBOLS, *mathml_symbols.FENCES, *mathml_symbols.ACCENTS,
    *mathml_symbols.FUNCTIONS, *mathml_symbols.RELATIONS, *mathml_symbols.INVISIBLE,
    *mathml_symbols.UNDER_ACCENTS, *"abxyzAZ019,;.!?{}%#$_^~\\'\"&<>", "mod", "rank", "größe", "ab",
    "''", "ℝ", "ℤ", "ℱ", "𝒜", "𝔤", "𝐱", "𝛼", "𝟙", "𝟎", "𝖠", "𝚊", "ℓ", "ﬁ", "é", "東", "٣", "∰", "¼",
})  # fmt: skip
TEXT = st.one_of(
    st.sampled_from(SIGNS),
    st.lists(st.sampled_from((*SIGNS, " ", "\n", "\u00a0", "\u2003", "\x1f".strip())), max_size=4)
    .map("".join),
    st.text(st.characters(blacklist_categories=("Cc", "Cs", "Cn")), max_size=3),
).filter(lambda text: "\ufffe" not in text and "\uffff" not in text)  # fmt: skip
ATTRIBUTES = st.dictionaries(
    st.sampled_from((
        "mathvariant", "width", "open", "close", "separators", "notation", "columnalign",
        "linethickness",
    )),
    st.one_of(
        st.sampled_from((
            *mathml_symbols.VARIANTS, "0", "1em", "2em", "0.5em", " thickmathspace", "", "[", "]",
            "|", "{", "⟨", "; ,", ",;", "box", "radical x", "0px", "constructor", "toString",
            "updiagonalstrike", "right left", "right  left right",
        )),
        TEXT,
    ),
    max_size=2,
)  # fmt: skip
TOKENS = (
    "mi", "mi", "mn", "mo", "mo", "mtext", "ms", "mspace", "annotation", "mprescripts", "none",
)  # fmt: skip
CONTAINERS = (
    "mrow", "mrow", "msup", "msub", "msubsup", "mfrac", "msqrt", "mroot", "mover", "munder",
    "munderover", "mmultiscripts", "mtable", "mtr", "mlabeledtr", "mtd", "mfenced", "menclose",
    "mphantom", "maction", "semantics", "mstyle", "mpadded", "annotation-xml", "mi", "unknown",
    "MFRAC",
)  # fmt: skip


def element_of(name: str, attributes: dict[str, str], parts: list[Any]) -> etree._Element:
    """Return an element of texts, comments and elements."""
    made = etree.Element(name, attributes)
    for part in parts:
        if not isinstance(part, str):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + part
        else:
            made.text = (made.text or "") + part
    return made


LEAVES = st.builds(element_of, st.sampled_from(TOKENS), ATTRIBUTES, st.lists(TEXT, max_size=1))
PARTS = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        element_of,
        st.sampled_from(CONTAINERS),
        ATTRIBUTES,
        st.lists(st.one_of(inner, inner, inner, TEXT, st.builds(etree.Comment)), max_size=4),
    ),
    max_leaves=12,
)
FORMULAS = st.builds(
    lambda parts: etree.tostring(element_of("math", {}, parts), encoding="unicode"),
    st.lists(PARTS, max_size=4),
)


@QUICK
@given(st.lists(FORMULAS, min_size=20, max_size=40))
def test_any_mathml_becomes_the_same_tex(reader: Formulas, formulas: list[str]) -> None:
    for formula, tex in zip(formulas, reader.ask("texOf", formulas), strict=True):
        assert [tex] == own_tex([formula]), formula


TABLE = (
    "<mtable{}><mtr><mtd><mi>a</mi></mtd><mtd><mn>1</mn></mtd></mtr>"
    "<mtr><mtd>b</mtd></mtr></mtable>"
)
INNER = (
    "", "<mi>x</mi>", "<mi>sin</mi>", "<mi>lim</mi>", "<mn>12</mn>", "<mi>α</mi>", "<mi>rank</mi>",
    "<mo>=</mo>", "<mo>+</mo>", "<mo>,</mo>", "<mo>(</mo>", "<mo>)</mo>", "<mo>{</mo>",
    "<mo>|</mo>", "<mo>∑</mo>", "<mo>→</mo>", "<mo>^</mo>", "<mo>_</mo>", "<mo>¯</mo>",
    "<mo>~</mo>",
    "<mo>⏞</mo>", "<mo>⏟</mo>", "<mo>′</mo>", "<mspace width='1em'/>", "<mtext>if a</mtext>",
    "<msup><mi>a</mi><mn>2</mn></msup>", "<msub><mi>a</mi><mi>i</mi></msub>",
    "<mrow><mi>a</mi><mo>≤</mo><mi>b</mi></mrow>", "<mfenced><mi>f</mi><mi>g</mi></mfenced>",
    "<mfrac><mn>1</mn><mi>b</mi></mfrac>", "<none/>", "<mprescripts/>", "<mphantom/>",
    "<mover><mi>a</mi><mo>⏞</mo></mover>", "<munder><mi>a</mi><mo>⏟</mo></munder>",
    TABLE.format(""), TABLE.format(" columnalign='right left'"),
)  # fmt: skip
GIVEN = {
    "mfrac": ("", " linethickness='0'", " linethickness=' 0pt'", " linethickness='1px'"),
    "mfenced": ("", " open='['", " open='{' close=''", " close='⟩' separators='; |'",
                " separators=''", " open='|' close='|'"),
    "menclose": ("", " notation='box'", " notation='top radical'",
                 " notation='updiagonalstrike downdiagonalstrike'"),
    "mtable": ("", " columnalign='right left right'", " columnalign='center'"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(set(CONTAINERS)))
def test_any_two_parts_become_the_same_tex(reader: Formulas, name: str) -> None:
    formulas = [
        f"<math><{name}{given}>{one}{other}</{name}><mi>y</mi></math>"
        for given in GIVEN.get(name, ("",)) for one in INNER for other in INNER
    ]  # fmt: skip
    assert reader.ask("texOf", formulas) == own_tex(formulas)


@pytest.mark.parametrize("name", ["mrow", "msubsup", "munderover", "mmultiscripts", "mtr", "mtd"])
def test_any_three_parts_become_the_same_tex(reader: Formulas, name: str) -> None:
    formulas = [
        f"<math><mn>2</mn><{name}>{one}{two}{three}</{name}></math>"
        for one in INNER for two in INNER for three in INNER[::3]
    ]  # fmt: skip
    assert reader.ask("texOf", formulas) == own_tex(formulas)


@pytest.mark.parametrize("name", ["mi", "mo", "mn", "mtext"])
def test_every_character_becomes_the_same_tex(reader: Formulas, name: str) -> None:
    codes = [*range(0x20, 0x3100), *range(0xFE00, 0xFFF0), *range(0x1D400, 0x1EF00)]
    chars = [char for char in map(chr, codes) if not 0xD800 <= ord(char) < 0xE000]
    formulas = [
        etree.tostring(element_of("math", {}, [element_of(name, {}, [char])]), encoding="unicode")
        for char in chars
    ]
    assert reader.ask("texOf", formulas) == own_tex(formulas)


@pytest.mark.parametrize("depth", [3, 48, 49, 50, 51, 60, 200])
@pytest.mark.parametrize("tag", ["mrow", "msqrt", "annotation"])
def test_deep_mathml_becomes_the_same_tex(reader: Formulas, tag: str, depth: int) -> None:
    inner = f"<{tag}>" * depth + "<mi>x</mi><mo>≤</mo>a_b" + f"</{tag}>" * depth
    formulas = [f"<math>{inner}</math>", f"<math><mi>y</mi>{inner}<mn>1</mn></math>"]
    assert reader.ask("texOf", formulas) == own_tex(formulas)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("forms", [DRAWN, LIMITS, SPOKEN], ids=["drawn", "limits", "spoken"])
def test_drawings_are_read_alike(reader: Formulas, forms: dict[str, str], around: str) -> None:
    for form in forms.values():
        page = around.replace("{}", form)
        assert reader.ask("readFormulas", page) == own_formulas(page)
