"""Formulas as the renderers of pages write them, formulas in MathML, and what is no formula."""

from __future__ import annotations


def math_of(attributes: str) -> str:
    return MATH.replace("{}", attributes)


TEX = "\\frac{c}{f}"
MATH = (
    "<math{}><semantics><mfrac><mi>c</mi><mi>f</mi></mfrac>"
    '<annotation encoding="application/x-tex">\\frac{c}{f}</annotation></semantics></math>'
)
PLAIN = "<math><mfrac><mi>c</mi><mi>f</mi></mfrac></math>"
SHOWN = '<span class="{}" aria-hidden="true"><span>f</span><span>c</span></span>'
INLINE = {
    "KaTeX": '<span class="katex"><span class="katex-mathml">' + math_of("") + "</span>"
    + SHOWN.format("katex-html") + "</span>",
    "KaTeX without HTML": '<span class="katex">' + math_of("") + "</span>",
    "MathJax 2 script": '<script type="math/tex">\\frac{c}{f}</script>',
    "MathJax 2 preview": '<span class="MathJax_Preview">c over f</span>'
    '<script type="math/tex" id="MathJax-Element-1">\\frac{c}{f}</script>',
    "MathJax 2 rendered": '<span class="MathJax_Preview" style="color: inherit;"></span>'
    '<span class="MathJax" id="MathJax-Element-1-Frame"><nobr>fc</nobr>'
    '<span class="MJX_Assistive_MathML">' + PLAIN + "</span></span>"
    '<script type="math/tex" id="MathJax-Element-1">\\frac{c}{f}</script>',
    "MathJax 2 data": '<span class="MathJax" data-mathml="&lt;math&gt;&lt;mfrac&gt;&lt;mi&gt;c'
    '&lt;/mi&gt;&lt;mi&gt;f&lt;/mi&gt;&lt;/mfrac&gt;&lt;/math&gt;"><nobr>fc</nobr></span>',
    "MathJax 3": '<mjx-container class="MathJax" jax="CHTML"><mjx-math aria-hidden="true">'
    "<mjx-mfrac>f c</mjx-mfrac></mjx-math><mjx-assistive-mml>" + PLAIN
    + "</mjx-assistive-mml></mjx-container>",
    "MathJax 4": '<mjx-container class="MathJax"><mjx-math data-latex="\\frac{c}{f}">'
    "<mjx-c>f</mjx-c></mjx-math></mjx-container>",
    "Temml": '<span class="temml">' + math_of(' class="tml"') + "</span>",
    "LaTeXML": '<math id="S1.m1" class="ltx_Math" alttext="\\frac{c}{f}" display="inline">'
    "<mfrac><mi>c</mi><mi>f</mi></mfrac></math>",
    "MathML": PLAIN,
    "MathML with a prefix": PLAIN.replace("<", "<m:").replace("<m:/", "</m:"),
    "a speaking alttext": PLAIN.replace("<math", '<math alttext="a fraction of two letters"'),
    "Wikipedia": '<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="'
    'display: none;">' + math_of("").replace(TEX, "{\\displaystyle \\frac{c}{f}}") + "</span>"
    '<img src="https://w.example/math/render/svg/0a" class="mwe-math-fallback-image-inline" '
    'alt="{\\displaystyle \\frac{c}{f}}"></span>',
    "WordPress": '<img src="https://s0.wp.com/latex.php?latex=%5Cfrac" alt="\\frac{c}{f}" '
    'class="latex">',
    "Codecogs": '<img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Bc%7D%7Bf%7D">',
    "Zhihu": '<img src="https://www.zhihu.com/equation?tex=%5Cfrac%7Bc%7D%7Bf%7D" alt="">',
    "QuickLaTeX": '<img class="ql-img-inline-formula" src="/q.png" alt="&#92;&#102;rac{c}{f}">',
    "Doxygen": '<img class="formulaInl" alt="$\\frac{c}{f}$" src="form_0.png">',
    "Sphinx": '<img class="math" src="_images/math/9f.png" alt="\\frac{c}{f}">',
    "data-tex": '<span class="tex" data-tex="\\frac{c}{f}"><span>f</span><span>c</span></span>',
    "data-latex": '<span data-latex="\\frac{c}{f}">f c</span>',
    "Quill": '<span class="ql-formula" data-value="\\frac{c}{f}">f c</span>',
    "Codecogs with settings": '<img src="https://latex.codecogs.com/gif.latex?%5Cdpi%7B120%7D%20'
    '&amp;space;%5Cinline%20%5Cfrac%7Bc%7D%7Bf%7D">',
    "GitHub's old images": '<img src="https://render.githubusercontent.com/render/math?math='
    '%5Cfrac%7Bc%7D%7Bf%7D">',
    "WIRIS": '<img class="Wirisformula" role="math" alt="c over f" data-mathml="«math»«mfrac»'
    '«mi»§#99;«/mi»«mi»f«/mi»«/mfrac»«/math»" src="/showimage?formula=1">',
    "class math": '<span class="math">\\frac{c}{f}</span>',
    "class math-inline": '<code class="language-math math-inline">\\frac{c}{f}</code>',
    "MathJax on a server": '<span class="mjx-chtml"><span class="mjx-math" '
    'aria-label="\\frac{c}{f}"><span class="mjx-char" aria-hidden="true">c</span></span></span>',
    "a comment in TeX": '<script type="math/tex">% length\n\\frac{c}{f}</script>',
}  # fmt: skip
DISPLAYED = {
    "KaTeX": '<span class="katex-display"><span class="katex"><span class="katex-mathml">'
    + math_of(' display="block"') + "</span>" + SHOWN.format("katex-html") + "</span></span>",
    "MathJax 2": '<div class="MathJax_Display"><span class="MathJax"><nobr>fc</nobr></span></div>'
    '<script type="math/tex; mode=display">\\frac{c}{f}</script>',
    "MathJax 3": '<mjx-container class="MathJax" display="true"><svg><path></path></svg>'
    "<mjx-assistive-mml>" + PLAIN + "</mjx-assistive-mml></mjx-container>",
    "MathML": math_of(' display="block"'),
    "Temml": math_of(' class="tml-display" display="block"'),
    "Doxygen": '<img class="formulaDsp" alt="\\[ \\frac{c}{f} \\]" src="form_1.png">',
    "QuickLaTeX": '<img class="ql-img-displayed-equation" src="/q.png" alt="\\frac{c}{f}">',
    "class math": '<div class="math">\n\\frac{c}{f}\n</div>',
    "Substack": '<div class="latex-rendered" data-attrs="{&quot;persistentExpression&quot;:&quot;'
    '\\\\frac{c}{f}&quot;,&quot;id&quot;:&quot;AB&quot;}"></div>',
    "dollars": '<span data-tex="$$\\frac{c}{f}$$">f c</span>',
}  # fmt: skip
NO_FORMULAS = [
    '<img src="/car.jpg" alt="Formula 1 car at the start" class="formula">',
    '<img src="/math/school.jpg" alt="Children learn to count" class="math-lesson">',
    '<img src="/latex-gloves.jpg" alt="Gloves">',
    '<span data-formula="true">bold text</span>',
    '<span data-math="12">twelve boats</span>',
    '<span data-value="x=1">one</span>',
    '<span data-tex="https://e.example/a_b.tex">source</span>',
    "<script type='math/tex'></script>",
    "<math></math>",
    '<div class="math">Mathematics</div>',
    '<span class="math">two and two = four</span>',
    '<div data-attrs="{&quot;persistentExpression&quot;: 1}">one</div>',
    '<div data-attrs="{persistentExpression">one</div>',
    '<div data-attrs="[&quot;persistentExpression&quot;]">one</div>',
    "<script>var math = 'math/tex'; data-tex = 1</script>",
]
MATHML = [
    ("<mi>a</mi><mtext>\xa0if\xa0</mtext><mi>b</mi>", "a \\text{ if }b"),
    ("<mtext> if </mtext><mi>b</mi><mtext>\xa0</mtext>", "\\text{if}b"),
    ("<mi>b</mi> c", "b \\text{c}"),
    ("a <mi>b</mi> c <mrow><mn>1</mn>d</mrow>", "\\text{a}b \\text{c}1\\text{d}"),
    ("<mi>E</mi><mo>=</mo><mi>k</mi><msup><mi>H</mi><mn>2</mn></msup>", "E = k H^2"),
    ("<msup><mi>d</mi><mn>2</mn></msup><mo>+</mo><mn>1</mn>", "d^2+1"),
    ("<msqrt><mi>x</mi><mo>−</mo><mn>1</mn></msqrt>", "\\sqrt{x-1}"),
    ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
    (
        "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>"
        "</munderover><msub><mi>x</mi><mi>i</mi></msub>",
        "\\sum_{i = 1}^n x_i",
    ),
    (
        "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr>"
        "<mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mo>)</mo></mrow>",
        "\\begin{pmatrix} 1 & 0 \\\\ a & b \\end{pmatrix}",
    ),
    ("<mi>sin</mi><mo>⁡</mo><mi>α</mi><mo>≤</mo><mn>1</mn>", "\\sin \\alpha \\leq 1"),
    ("<mover><mi>x</mi><mo>→</mo></mover>", "\\vec{x}"),
    ("<mi>x</mi><mo>∈</mo><mi>ℝ</mi>", "x \\in \\mathbb{R}"),
    ("<mfenced><mi>a</mi><mi>b</mi></mfenced>", "(a, b)"),
    ("<mtext>if a_b</mtext>", "\\text{if a\\_b}"),
    ("<msup><mi>f</mi><mo>′</mo></msup>", "f'"),
    ("<msub><mi>x</mi></msub><mfrac><mi>y</mi></mfrac>", "x y"),
    ("<mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>", "\\binom{n}{k}"),
    (
        "<mo>(</mo><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac><mo>)</mo><mi>x</mi>",
        "\\binom{n}{k}x",
    ),
    (
        "<mfenced><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac></mfenced>",
        "\\binom{n}{k}",
    ),
    (
        "<mi>f</mi><mrow><mo>(</mo><mi>a</mi><mfrac linethickness=0><mi>n</mi><mi>k</mi></mfrac>"
        "<mo>)</mo></mrow>",
        "f\\left(a\\binom{n}{k}\\right)",
    ),
    ("<mo>(</mo><mfrac><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>", "\\left(\\frac{n}{k}\\right)"),
    (
        "<mfrac><mrow><mi>d</mi><mi>x</mi><mspace width='0.2em'></mspace></mrow><mi>y</mi></mfrac>",
        "\\frac{d x}{y}",
    ),
    ("<msqrt><mspace width='0.2em'></mspace></msqrt><mi>x</mi>", "\\sqrt{}x"),
    (
        "<mroot><mi>x</mi><mrow><mn>3</mn><mspace width='0.2em'></mspace></mrow></mroot>",
        "\\sqrt[3]{x}",
    ),
    (
        "<mi>a</mi><mspace width='0.2em'></mspace><mi>b</mi><mspace width='0.2em'></mspace>",
        "a \\ b",
    ),
    ("<mi>X</mi><mo>~</mo><mi>N</mi>", "X \\sim N"),
    ("<mover><mi>x</mi><mo>~</mo></mover>", "\\tilde{x}"),
    ("<menclose notation='top'><mi>z</mi></menclose>", "\\overline{z}"),
    ("<menclose notation='bottom'><mi>z</mi></menclose>", "\\underline{z}"),
    ("<menclose notation='circle'><mi>z</mi></menclose>", "z"),
    (
        "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi><mo>=</mo><mi>b</mi></mtd>"
        "</mlabeledtr></mtable>",
        "a = b \\tag{1}",
    ),
    (
        "<mtable><mlabeledtr><mtd><mo>(</mo><mn>2.1</mn><mo>)</mo></mtd><mtd><mi>a</mi></mtd>"
        "</mlabeledtr></mtable>",
        "a \\tag{2.1}",
    ),
    (
        "<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi></mtd><mtd><mi>b</mi>"
        "</mtd></mlabeledtr></mtable>",
        "\\begin{matrix} a & b \\end{matrix}",
    ),
]
