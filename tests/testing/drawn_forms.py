"""What KaTeX 0.19 and MathJax 3 draw of formulas, without what they keep of its TeX."""

from __future__ import annotations

DRAWN = {
    "KaTeX: \\lambda = \\frac{c}{f}": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mord mathnormal">\u03bb</span><span class="mspace"></span>'
        '<span class="mrel">=</span><span class="mspace"></span></span>'
        '<span class="katex-base"><span class="mord"><span class="mopen nulldelimiter">'
        '</span><span class="mfrac"><span class="vlist-t vlist-t2"><span class="vlist-r">'
        '<span class="vlist"><span style="top:-2.655em">'
        '<span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight">'
        '<span class="mord mathnormal mtight">f</span></span></span></span>'
        '<span style="top:-3.23em"><span class="frac-line"></span></span>'
        '<span style="top:-3.394em"><span class="katex-sizing reset-size6 size3 mtight">'
        '<span class="mord mtight"><span class="mord mathnormal mtight">c</span></span>'
        '</span></span></span><span class="vlist-s">&#8203;</span></span>'
        '<span class="vlist-r"><span class="vlist"><span></span></span></span></span></span>'
        '<span class="mclose nulldelimiter"></span></span></span></span></span>'
    ),
    "KaTeX: x_i^2+y_{n}": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mord"><span class="mord mathnormal">x</span><span class="msupsub">'
        '<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist">'
        '<span style="top:-2.4413em"><span class="katex-sizing reset-size6 size3 mtight">'
        '<span class="mord mathnormal mtight">i</span></span></span>'
        '<span style="top:-3.063em"><span class="katex-sizing reset-size6 size3 mtight">'
        '<span class="mord mtight">2</span></span></span></span><span class="vlist-s">'
        '&#8203;</span></span><span class="vlist-r"><span class="vlist"><span></span></span>'
        '</span></span></span></span><span class="mspace"></span><span class="mbin">+</span>'
        '<span class="mspace"></span></span><span class="katex-base"><span class="mord">'
        '<span class="mord mathnormal">y</span><span class="msupsub">'
        '<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist">'
        '<span style="top:-2.55em"><span class="katex-sizing reset-size6 size3 mtight">'
        '<span class="mord mtight"><span class="mord mathnormal mtight">n</span></span>'
        '</span></span></span><span class="vlist-s">&#8203;</span></span>'
        '<span class="vlist-r"><span class="vlist"><span></span></span></span></span></span>'
        '</span></span></span></span>'
    ),
    "KaTeX: \\sum_{i=1}^n i": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mop"><span class="mop op-symbol small-op" style="top:0em">\u2211</span>'
        '<span class="msupsub"><span class="vlist-t vlist-t2"><span class="vlist-r">'
        '<span class="vlist"><span style="top:-2.4003em">'
        '<span class="katex-sizing reset-size6 size3 mtight"><span class="mord mtight">'
        '<span class="mord mathnormal mtight">i</span><span class="mrel mtight">=</span>'
        '<span class="mord mtight">1</span></span></span></span><span style="top:-3.2029em">'
        '<span class="katex-sizing reset-size6 size3 mtight">'
        '<span class="mord mathnormal mtight">n</span></span></span></span>'
        '<span class="vlist-s">&#8203;</span></span><span class="vlist-r">'
        '<span class="vlist"><span></span></span></span></span></span></span>'
        '<span class="mspace"></span><span class="mord mathnormal">i</span></span></span>'
        '</span>'
    ),
    "KaTeX: \\hat{a}+\\vec{b}": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mord katex-accent"><span class="vlist-t"><span class="vlist-r">'
        '<span class="vlist"><span style="top:-3em"><span class="mord mathnormal">a</span>'
        '</span><span style="top:-3em"><span class="accent-body"><span class="mord">^</span>'
        '</span></span></span></span></span></span><span class="mspace"></span>'
        '<span class="mbin">+</span><span class="mspace"></span></span>'
        '<span class="katex-base"><span class="mord katex-accent"><span class="vlist-t">'
        '<span class="vlist-r"><span class="vlist"><span style="top:-3em">'
        '<span class="mord mathnormal">b</span></span><span style="top:-3.2634em">'
        '<span class="accent-body"><span class="katex-overlay"><svg></svg></span></span>'
        '</span></span></span></span></span></span></span></span>'
    ),
    "KaTeX: \\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="minner"><span class="mopen delimcenter" style="top:0em">'
        '<span class="delimsizing size3">(</span></span><span class="mord">'
        '<span class="mtable"><span class="col-align-c"><span class="vlist-t vlist-t2">'
        '<span class="vlist-r"><span class="vlist"><span style="top:-3.61em">'
        '<span class="mord"><span class="mord mathnormal">a</span></span></span>'
        '<span style="top:-2.41em"><span class="mord"><span class="mord mathnormal">c</span>'
        '</span></span></span><span class="vlist-s">&#8203;</span></span>'
        '<span class="vlist-r"><span class="vlist"><span></span></span></span></span></span>'
        '<span class="arraycolsep"></span><span class="arraycolsep"></span>'
        '<span class="col-align-c"><span class="vlist-t vlist-t2"><span class="vlist-r">'
        '<span class="vlist"><span style="top:-3.61em"><span class="mord">'
        '<span class="mord mathnormal">b</span></span></span><span style="top:-2.41em">'
        '<span class="mord"><span class="mord mathnormal">d</span></span></span></span>'
        '<span class="vlist-s">&#8203;</span></span><span class="vlist-r">'
        '<span class="vlist"><span></span></span></span></span></span></span></span>'
        '<span class="mclose delimcenter" style="top:0em"><span class="delimsizing size3">'
        ')</span></span></span></span></span></span>'
    ),
    "KaTeX: \\sqrt[3]{x}": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mord sqrt"><span class="katex-root"><span class="vlist-t">'
        '<span class="vlist-r"><span class="vlist"><span style="top:-2.8363em">'
        '<span class="katex-sizing reset-size6 size1 mtight"><span class="mord mtight">'
        '<span class="mord mtight">3</span></span></span></span></span></span></span></span>'
        '<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist">'
        '<span class="svg-align" style="top:-3em"><span class="mord">'
        '<span class="mord mathnormal">x</span></span></span><span style="top:-2.7603em">'
        '<span class="hide-tail"><svg></svg></span></span></span><span class="vlist-s">'
        '&#8203;</span></span><span class="vlist-r"><span class="vlist"><span></span></span>'
        '</span></span></span></span></span></span>'
    ),
    "KaTeX: a\\le b \\cdot 3.14": (
        '<span class="katex"><span class="katex-html"><span class="katex-base">'
        '<span class="mord mathnormal">a</span><span class="mspace"></span>'
        '<span class="mrel">\u2264</span><span class="mspace"></span></span>'
        '<span class="katex-base"><span class="mord mathnormal">b</span><span class="mspace">'
        '</span><span class="mbin">\u22c5</span><span class="mspace"></span></span>'
        '<span class="katex-base"><span class="mord">3.14</span></span></span></span>'
    ),
    "MathJax in HTML: \\lambda = \\frac{c}{f}": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D706 TEX-I"></mjx-c></mjx-mi><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c3D"></mjx-c></mjx-mo><mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut>'
        '</mjx-nstrut><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D450 TEX-I"></mjx-c></mjx-mi>'
        '</mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut>'
        '</mjx-dstrut><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D453 TEX-I"></mjx-c></mjx-mi>'
        '</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac></mjx-math>'
        '</mjx-container>'
    ),
    "MathJax in HTML: x_i^2+y_{n}": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-msubsup>'
        '<mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c></mjx-mi><mjx-script>'
        '<mjx-mn class="mjx-n"><mjx-c class="mjx-c32"></mjx-c></mjx-mn><mjx-spacer>'
        '</mjx-spacer><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D456 TEX-I"></mjx-c></mjx-mi>'
        '</mjx-script></mjx-msubsup><mjx-mo class="mjx-n"><mjx-c class="mjx-c2B"></mjx-c>'
        '</mjx-mo><mjx-msub><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D466 TEX-I"></mjx-c>'
        '</mjx-mi><mjx-script><mjx-TeXAtom texclass="ORD"><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D45B TEX-I"></mjx-c></mjx-mi></mjx-TeXAtom></mjx-script>'
        '</mjx-msub></mjx-math></mjx-container>'
    ),
    "MathJax in HTML: \\sum_{i=1}^n i": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-munderover>'
        '<mjx-mo class="mjx-sop"><mjx-c class="mjx-c2211 TEX-S1"></mjx-c></mjx-mo>'
        '<mjx-script><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D45B TEX-I"></mjx-c></mjx-mi>'
        '<mjx-spacer></mjx-spacer><mjx-TeXAtom texclass="ORD"><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D456 TEX-I"></mjx-c></mjx-mi><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c3D"></mjx-c></mjx-mo><mjx-mn class="mjx-n">'
        '<mjx-c class="mjx-c31"></mjx-c></mjx-mn></mjx-TeXAtom></mjx-script></mjx-munderover>'
        '<mjx-mi class="mjx-i"><mjx-c class="mjx-c1D456 TEX-I"></mjx-c></mjx-mi></mjx-math>'
        '</mjx-container>'
    ),
    "MathJax in HTML: \\hat{a}+\\vec{b}": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX">'
        '<mjx-TeXAtom texclass="ORD"><mjx-mover><mjx-over><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c5E"></mjx-c></mjx-mo></mjx-over><mjx-base><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D44E TEX-I"></mjx-c></mjx-mi></mjx-base></mjx-mover>'
        '</mjx-TeXAtom><mjx-mo class="mjx-n"><mjx-c class="mjx-c2B"></mjx-c></mjx-mo>'
        '<mjx-TeXAtom texclass="ORD"><mjx-mover><mjx-over><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c20D7 TEX-V"></mjx-c></mjx-mo></mjx-over><mjx-base>'
        '<mjx-mi class="mjx-i"><mjx-c class="mjx-c1D44F TEX-I"></mjx-c></mjx-mi></mjx-base>'
        '</mjx-mover></mjx-TeXAtom></mjx-math></mjx-container>'
    ),
    "MathJax in HTML: \\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-mrow>'
        '<mjx-mo class="mjx-s3"><mjx-c class="mjx-c28 TEX-S3"></mjx-c></mjx-mo><mjx-mtable>'
        '<mjx-table><mjx-itable><mjx-mtr><mjx-mtd><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D44E TEX-I"></mjx-c></mjx-mi><mjx-tstrut></mjx-tstrut></mjx-mtd>'
        '<mjx-mtd><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D44F TEX-I"></mjx-c></mjx-mi>'
        '<mjx-tstrut></mjx-tstrut></mjx-mtd></mjx-mtr><mjx-mtr><mjx-mtd>'
        '<mjx-mi class="mjx-i"><mjx-c class="mjx-c1D450 TEX-I"></mjx-c></mjx-mi><mjx-tstrut>'
        '</mjx-tstrut></mjx-mtd><mjx-mtd><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D451 TEX-I"></mjx-c></mjx-mi><mjx-tstrut></mjx-tstrut></mjx-mtd>'
        '</mjx-mtr></mjx-itable></mjx-table></mjx-mtable><mjx-mo class="mjx-s3">'
        '<mjx-c class="mjx-c29 TEX-S3"></mjx-c></mjx-mo></mjx-mrow></mjx-math>'
        '</mjx-container>'
    ),
    "MathJax in HTML: \\sqrt[3]{x}": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-mroot><mjx-root>'
        '<mjx-mn class="mjx-n"><mjx-c class="mjx-c33"></mjx-c></mjx-mn></mjx-root><mjx-sqrt>'
        '<mjx-surd><mjx-mo class="mjx-n"><mjx-c class="mjx-c221A"></mjx-c></mjx-mo>'
        '</mjx-surd><mjx-box><mjx-mi class="mjx-i"><mjx-c class="mjx-c1D465 TEX-I"></mjx-c>'
        '</mjx-mi></mjx-box></mjx-sqrt></mjx-mroot></mjx-math></mjx-container>'
    ),
    "MathJax in HTML: a\\le b \\cdot 3.14": (
        '<mjx-container class="MathJax"><mjx-math class=" MJX-TEX"><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D44E TEX-I"></mjx-c></mjx-mi><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c2264"></mjx-c></mjx-mo><mjx-mi class="mjx-i">'
        '<mjx-c class="mjx-c1D44F TEX-I"></mjx-c></mjx-mi><mjx-mo class="mjx-n">'
        '<mjx-c class="mjx-c22C5"></mjx-c></mjx-mo><mjx-mn class="mjx-n">'
        '<mjx-c class="mjx-c33"></mjx-c><mjx-c class="mjx-c2E"></mjx-c>'
        '<mjx-c class="mjx-c31"></mjx-c><mjx-c class="mjx-c34"></mjx-c></mjx-mn></mjx-math>'
        '</mjx-container>'
    ),
    "MathJax in SVG: \\lambda = \\frac{c}{f}": (
        '<mjx-container class="MathJax"><svg><g><g data-mml-node="math">'
        '<g data-mml-node="mi"><path data-c="1D706"></path></g><g data-mml-node="mo">'
        '<path data-c="3D"></path></g><g data-mml-node="mfrac"><g data-mml-node="mi">'
        '<path data-c="1D450"></path></g><g data-mml-node="mi"><path data-c="1D453"></path>'
        '</g></g></g></g></svg></mjx-container>'
    ),
    "MathJax in SVG: x_i^2+y_{n}": (
        '<mjx-container class="MathJax"><svg><g><g data-mml-node="math">'
        '<g data-mml-node="msubsup"><g data-mml-node="mi"><path data-c="1D465"></path></g>'
        '<g data-mml-node="mn"><path data-c="32"></path></g><g data-mml-node="mi">'
        '<path data-c="1D456"></path></g></g><g data-mml-node="mo"><path data-c="2B"></path>'
        '</g><g data-mml-node="msub"><g data-mml-node="mi"><path data-c="1D466"></path></g>'
        '<g data-mml-node="TeXAtom"><g data-mml-node="mi"><path data-c="1D45B"></path></g>'
        '</g></g></g></g></svg></mjx-container>'
    ),
    "MathJax in SVG: \\sum_{i=1}^n i": (
        '<mjx-container class="MathJax"><svg><g><g data-mml-node="math">'
        '<g data-mml-node="munderover"><g data-mml-node="mo"><path data-c="2211"></path></g>'
        '<g data-mml-node="mi"><path data-c="1D45B"></path></g><g data-mml-node="TeXAtom">'
        '<g data-mml-node="mi"><path data-c="1D456"></path></g><g data-mml-node="mo">'
        '<path data-c="3D"></path></g><g data-mml-node="mn"><path data-c="31"></path></g></g>'
        '</g><g data-mml-node="mi"><path data-c="1D456"></path></g></g></g></svg>'
        '</mjx-container>'
    ),
    "MathJax in SVG: \\sqrt[3]{x}": (
        '<mjx-container class="MathJax"><svg><g><g data-mml-node="math">'
        '<g data-mml-node="mroot"><g><g data-mml-node="mi"><path data-c="1D465"></path></g>'
        '</g><g data-mml-node="mn"><path data-c="33"></path></g><g data-mml-node="mo">'
        '<path data-c="221A"></path></g></g></g></g></svg></mjx-container>'
    ),
}  # fmt: skip
"""Per name, which ends with the TeX, the HTML."""
_KATEX = (
    '<span class="katex"><span class="katex-html"><span class="katex-base">{}</span></span></span>'
)
_OVER = (
    '<span class="mord vbox"><span class="thinbox"><span class="{}"><span class="strut"></span>'
    '<span class="inner"><span class="mord"><span class="{}">{}</span></span></span></span>'
    "</span></span>"
)
_ROW = '<span style="top:{}em"><span class="mord mathnormal">{}</span></span>'
_SVG = '<svg role="img"><g transform="scale(1,-1)"><g data-mml-node="math"{}>{}</g></g></svg>'
DRAWN |= {
    "KaTeX: x \\neq y": _KATEX.format(
        '<span class="mord">x</span><span class="mrel"><span class="mrel">'
        + _OVER.format("rlap", "mrel", "\ue020")
        + '</span><span class="mspace"></span><span class="mrel">=</span></span>'
        '<span class="mord">y</span>'
    ),
    "KaTeX: x \\notin y": _KATEX.format(
        '<span class="mord">x</span><span class="mrel"><span class="mord"><span class="mrel">∈'
        "</span></span>" + _OVER.format("llap", "mord", "/") + '</span><span class="mord">y</span>'
    ),
    "KaTeX: \\binom{n}{k}": _KATEX.format(
        '<span class="mord"><span class="mopen delimcenter"><span class="delimsizing">('
        '</span></span><span class="mfrac"><span class="vlist-t"><span class="vlist-r"><span '
        'class="vlist">'
        + _ROW.format("-2.3", "k") + _ROW.format("-3.1", "n")
        + '</span></span></span></span><span class="mclose delimcenter"><span class="delimsizing">)'
        "</span></span></span>"
    ),
    "KaTeX: \\sin x": _KATEX.format(
        '<span class="mop mtight"><span class="mtight">s</span><span class="mtight">i</span><span '
        'class="mtight">n</span></span><span class="mspace"></span><span class="mord">x</span>'
    ),
    "KaTeX: a / b": _KATEX.format(
        '<span class="mord">a</span><span class="mord">/</span><span class="mord">b</span>'
    ),
    "MathJax 4 in SVG: E=mc^2": '<mjx-container class="MathJax" jax="SVG">'
    + _SVG.format(
        ' data-latex="E=mc^2"', '<g data-mml-node="mi"><use data-c="1D438"></use></g>'
    ) + '<mjx-break size="4"> </mjx-break>' + _SVG.format(
        ' data-latex="E=mc^2"', '<g data-mml-node="mi"><use data-c="1D45A"></use></g>'
    ) + "</mjx-container>",
}  # fmt: skip
AS_READ = {
    "x_i^2+y_{n}": "x_i^2+y_n",
    "\\sum_{i=1}^n i": "\\sum_{i = 1}^n i",
    "\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}": (
        "\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}"
    ),
    "a\\le b \\cdot 3.14": "a \\leq b\\cdot3.14",
}
"""The TeX that is read, where it is written in another way."""
LIMITS = {
    "KaTeX": '<span class="katex-display"><span class="katex"><span class="katex-html"><span class='
    '"base"><span class="mop op-limits"><span class="vlist-t vlist-t2"><span class="vlist-r"><span '
    'class="vlist"><span style="top:-1.8723em"><span class="pstrut"></span><span class="sizing">'
    '<span class="mord mathnormal">i</span></span></span><span style="top:-3.05em"><span class='
    '"pstrut"></span><span><span class="mop op-symbol large-op">\u2211</span></span></span><span '
    'style="top:-4.3em"><span class="pstrut"></span><span class="sizing">'
    '<span class="mord">n</span>'
    '</span></span></span></span></span></span><span class="mord mathnormal">i</span></span></span>'
    "</span></span>",
    "MathJax": '<mjx-container class="MathJax" display="true"><mjx-math><mjx-munderover><mjx-over>'
    '<mjx-mi><mjx-c class="mjx-c6E"></mjx-c></mjx-mi></mjx-over><mjx-box><mjx-munder><mjx-row>'
    '<mjx-base><mjx-mo><mjx-c class="mjx-c2211"></mjx-c></mjx-mo></mjx-base></mjx-row><mjx-row>'
    '<mjx-under><mjx-mi><mjx-c class="mjx-c69"></mjx-c></mjx-mi></mjx-under></mjx-row></mjx-munder>'
    '</mjx-box></mjx-munderover><mjx-mi><mjx-c class="mjx-c69"></mjx-c></mjx-mi></mjx-math>'
    "</mjx-container>",
}
"""A displayed sum."""
LIMITS["MathJax in SVG"] = (
    '<mjx-container class="MathJax" jax="SVG" display="true">'
    + _SVG.format(
        "",
        '<g data-mml-node="munderover"><g data-mml-node="mo"><use data-c="2211"></use></g><g '
        'data-mml-node="mi" transform="translate(148.2,-1087.9) scale(0.7)"><use data-c="1D456">'
        '</use></g><g data-mml-node="mi" transform="translate(509.9,1150) scale(0.7)"><use '
        'data-c="1D45B"></use></g></g><g data-mml-node="mi"><use data-c="1D456"></use></g>',
    )
    + "</mjx-container>"
)
SPOKEN = {
    "MathJax": '<mjx-container aria-label="x squared"><svg><path></path></svg></mjx-container>',
    "any": '<span role="math" aria-label="x squared"><i></i></span>',
    "with a text": '<span role="math" aria-label="x squared">x<sup>2</sup></span>',
    "an annotation": '<span class="katex"><annotation encoding="application/x-tex">x^2</annotation>'
    "</span>",
}
