"""TeX that stands in texts is not escaped, and prices are no TeX."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.output.tex import formulas_in


def markdown(html: str) -> str:
    return written(blockify(html, markup=True)).markdown or ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Es ist $\\lambda_{1} * x_{2}$ heute.", "Es ist $\\lambda_{1} * x_{2}$ heute."),
        ("It is \\(x_{1} * y_{2}\\) now.", "It is $x_{1} * y_{2}$ now."),
        ("$$E_{k} = \\frac{1}{8} H^2$$", "$$E_{k} = \\frac{1}{8} H^2$$"),
        ("\\[E_{k} = [a]_2\\]", "$$E_{k} = [a]_2$$"),
        ("Soit $x$ et $y_1$.", "Soit $x$ et $y_1$."),
        ("\\begin{align} a_1 &= b_1 \\end{align}", "$$\\begin{align} a_1 &= b_1 \\end{align}$$"),
        ("長さは$a_{1}*b_{1}$です", "長さは$a_{1}*b_{1}$です"),
        ("It is [latex]x_{1} * y[/latex] now.", "It is $x_{1} * y$ now."),
        ("It is $latex x_{1} * y$ now.", "It is $x_{1} * y$ now."),
        ("an unclosed [latex] * y", "an unclosed \\[latex\\] \\* y"),
        ("A ticket costs $5 for *adults* and $3.", "A ticket costs $5 for \\*adults\\* and $3."),
        ("US$ and A$ *rise*", "US$ and A$ \\*rise\\*"),
        ("from $5-$10, _now_", "from $5-$10, \\_now\\_"),
        ("the *name* of $HOME and *more* of $PATH", None),
        ("unclosed $x_{1} * y", "unclosed $x\\_{1} \\* y"),
        ("unclosed \\(x * y", "unclosed \\\\(x \\* y"),
        ("unclosed \\[x * y and $$z", "unclosed \\\\\\[x \\* y and $$z"),
        ("a\\begin{itemize} * b\\end{itemize}", "a\\\\begin{itemize} \\* b\\\\end{itemize}"),
    ],
)
def test_raw_tex_is_kept(text: str, expected: str | None) -> None:
    expected = expected or text.replace("*", "\\*")
    assert markdown(f"<p>{text}</p>") == expected
    assert written(blockify(f"<p>{text}</p>", markup=True)).text == text


def test_each_sign_is_looked_for_once() -> None:
    class Counted(str):
        __slots__ = ()
        finds = 0

        def find(self, *args: object) -> int:  # type: ignore[override]
            Counted.finds += 1
            return str.find(self, *args)  # type: ignore[arg-type]

    assert not [*formulas_in(Counted("\\( \\[ $ a " * 10_000))]
    assert Counted.finds <= 10_010


def test_raw_tex_is_no_markup() -> None:
    made = markdown("<p>$a_1 &lt;script>x[y](javascript:z) &amp;lt;b>$</p>")
    assert made == "$a_1 < script>x[y] (javascript:z) & lt;b>$"
