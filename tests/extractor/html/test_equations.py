"""TeX in several lines, rows of equations, and what stands beside the numbers of equations."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify


def markdown(html: str) -> str:
    return written(blockify(html, markup=True)).markdown or ""


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (r"<p>$$<br />\int_0^1 x_1 * y_1<br />$$</p>", r"$$\int_0^1 x_1 * y_1$$"),
        (r"<p>So \[<br>a_1 = b * c<br>\] is</p>", r"So $$a_1 = b * c$$ is"),
        ("<p>Также $$<br>\nx_1<br>\n= y_1 $$ есть</p>", "Также $$x_1 = y_1$$ есть"),
        (
            r"<div>\begin{align*}<br />a &= b * c\\<br />d &= e * f<br />\end{align*}</div>",
            r"$$\begin{align*} a &= b * c\\ d &= e * f \end{align*}$$",
        ),
        (r"<td>$$x_1$$<br>$$<br>y_1 * z<br>$$</td>", "$$x_1$$\\\n$$y_1 * z$$"),
    ],
)
def test_line_breaks_between_the_signs_of_a_formula_are_spaces(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>Dear: $$<br>Cheap: $<br>Very dear: $$</p>", 3),
        ("<p>$$<br>x_1 = y</p>", 2),
        ("<p>$$<br>x_1 <b>or</b> y_1<br>$$</p>", 3),
        (r"<p>a \\[<br>x_1 = y<br>\]</p>", 3),
        ("<p>$$x_1$$<br>and<br>$$y_1$$</p>", 3),
        (r"<p>\begin{verse}<br>x_1<br>\end{verse}</p>", 3),
    ],
)
def test_other_line_breaks_stay(html: str, lines: int) -> None:
    assert len(markdown(html).split("\n")) == lines


def test_code_keeps_its_lines() -> None:
    assert markdown("<pre>$$<br>x_1 = y<br>$$</pre>") == "```\n$$\nx_1 = y\n$$\n```"


ROW = (
    "<tr class='ltx_equation ltx_eqn_row'><td class='ltx_eqn_cell ltx_eqn_center_padleft'></td>"
    "<td class='ltx_td ltx_align_right ltx_eqn_cell'>{}</td><td class='ltx_td ltx_eqn_cell'>{}</td>"
    "<td class='ltx_eqn_cell ltx_eqn_eqno'><span class=ltx_tag>({})</span></td></tr>"
)
MATH = "<math class=ltx_Math alttext='\\displaystyle {}' display=inline><mi>a</mi></math>"


@pytest.mark.parametrize("kind", ["align", "gather", "eqnarray"])
def test_a_row_of_equations_is_a_formula_and_its_number(kind: str) -> None:
    first = ROW.format(MATH.format("a"), MATH.format("=b"), 2)
    second = ROW.format("", MATH.format("=c"), 3)
    table = f"<table class='ltx_equationgroup ltx_eqn_{kind} ltx_eqn_table'><tbody>{first}{second}"
    made = written(blockify(f"<p>As</p>{table}</tbody></table><p>so</p>", markup=True))
    formulas = "As\n\n$$\na =b\n$$\n\n(2)\n\n$$\n=c\n$$\n\n(3)\n\nso"
    assert made.markdown == formulas
    assert made.text == "As\na =b\n(2)\n=c\n(3)\nso"


def test_other_tables_with_formulas_stay() -> None:
    row = f"<tr><td>{MATH.format('a')}</td><td>{MATH.format('b')}</td><td>word</td></tr>"
    assert markdown(f"<table class=ltx_tabular>{row}{row}</table>").count("|") > 8


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (r"<span class=eqno>(1)</span>\[E = mc^2\]", r"E = mc^2 \tag{1}"),
        (r"<span class=eqno>(2.1)<a class=headerlink href='#e'>¶</a></span>\[a = b\]",
         r"a = b \tag{2.1}"),
        ("\n<span class=eqno>(A3)<a class=headerlink href='#e'>#</a></span>\\[\\frac{a}{b}\\]\n",
         r"\frac{a}{b} \tag{A3}"),
    ],
)  # fmt: skip
def test_a_numbered_formula_that_no_script_has_drawn(inside: str, expected: str) -> None:
    page = f'<p>As</p><div class="math notranslate nohighlight" id=e>{inside}</div>'
    made = written(blockify(page, markup=True))
    assert made.markdown == f"As\n\n$$\n{expected}\n$$"
    assert made.text == f"As\n{expected}"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<span class=eqno>(1)<a class=headerlink href='#e'>¶</a></span><b>x</b>", "(1)x"),
        ("<span class=eqno>(1)<a class=headerlink href='#e'>#</a></span> a text", "(1) a text"),
        ("<span class=eqno>(1)<a href='#e'>see e</a></span> a text", "(1)see e a text"),
        ("<span class=number>(1)<a href='#e'>¶</a></span> a text", "(1)¶ a text"),
    ],
)
def test_a_number_has_no_link_to_itself(inside: str, text: str) -> None:
    page = blockify(f"<div class=math id=e>{inside}</div>")
    assert [block.text for block in page.blocks] == [text]


INLINE = "<math alttext='a = b'><mi>a</mi></math>"


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dd>{}</dd></dl>",
        "<dl><dd><span class=mwe-math-element> {} </span></dd></dl>",
        "<p align=center>{}</p>",
        "<div style='text-align: center'><span>{}</span></div>",
        "<center>{}</center>",
        "<p align=center><img class=latex alt='a = b' src=/x.png></p>",
        "<div class=display><span class=display><span class=formula><span class=math>{}</span>"
        "</span></span></div>",
    ],
)
def test_a_formula_alone_on_its_line_is_displayed(html: str) -> None:
    assert markdown(f"<p>As</p>{html.format(INLINE)}").endswith("\n\n$$\na = b\n$$")


def test_the_number_of_a_displayed_formula_stays() -> None:
    html = (
        "<div class=display><span class=formula><span class=label>(1)</span><span class=math>"
        f"{INLINE}</span></span></div>"
    )
    assert markdown(html) == "(1)\n\n$$\na = b\n$$"


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dd>{} is</dd></dl>",
        "<dl><dd>If {}</dd></dl>",
        "<p>{}</p>",
        "<ul><li>{}</li></ul>",
        "<p align=right>{}</p>",
        "<p align=center>So <span>{}</span></p>",
        "<div class=display>So {}</div>",
        "<table><tr><td align=center>{}</td><td>1</td></tr></table>",
    ],
)
def test_other_formulas_stay_in_their_line(html: str) -> None:
    assert "$a = b$" in markdown(f"<p>As</p>{html.format(INLINE)}")


def test_many_open_formulas_take_no_time() -> None:
    page = "<p>" + "$$ a_1 <br> \\[ b <br>" * 20_000
    assert len(blockify(page, max_blocks=100_000).blocks) > 1
