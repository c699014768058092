"""The language of code is the one that its page names, in the forms of several programs."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.code import gutters_of, language_of
from scrapy_boilernet.extractor.html.elements import Elements
from scrapy_boilernet.extractor.html.tree import plain_tree


def language(html: str) -> str:
    pre = next(plain_tree(f"<article>{html}</article>".encode())[0].iter("pre"))
    return language_of(pre)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre><code class='hljs language-bash'>a</code></pre>", "bash"),
        ("<pre><code class='hljs python'>a</code></pre>", "python"),
        ("<pre class='sourceCode haskell'><code>a</code></pre>", "haskell"),
        ("<pre class='brush: java; toolbar: false'>a</pre>", "java"),
        ("<pre class='src src-python'>a</pre>", "python"),
        ("<pre class='lang:php decode:true'>a</pre>", "php"),
        ("<pre><code class='{.rust}'>a</code></pre>", "rust"),
        ("<pre class='code-block-go'>a</pre>", "go"),
        ("<pre class='code-block-wrapper'>a</pre>", ""),
        ("<pre lang='ruby'><code>a</code></pre>", "ruby"),
        ("<pre data-lang='c++'>a</pre>", "c++"),
        ("<pre><span></span><code class='lang-rust'>a</code></pre>", "rust"),
        (
            "<div class='language-cpp highlighter-rouge'><div class=highlight><code><table><tr>"
            "<td class=rouge-code><pre>a</pre></table></code></div></div>",
            "cpp",
        ),
        ("<figure class='highlight python'><table><tr><td><pre>a</pre></table></figure>", "python"),
        (
            "<div language=tsx><div class=px-4><div class=wrap><pre class=shiki><code>a</code>"
            "</pre></div></div></div>",
            "tsx",
        ),
        ("<div data-language='C#'><div><div><div><pre>a</pre></div></div></div></div>", "c#"),
        ("<div class='highlight-source-shell'><pre>a</pre></div>", "shell"),
        ("<pre class=EnlighterJSRAW data-enlighter-language=python>a</pre>", "python"),
        ("<div class='enlighter-default enlighter-l-python'><pre>a</pre></div>", "python"),
        ("<pre class='code highlight' data-canonical-lang=go>a</pre>", "go"),
        ("<pre class=devsite-click-to-copy syntax=Kotlin><code>a</code></pre>", "kotlin"),
        ("<div data-mode-id=rust><pre>a</pre></div>", "rust"),
        ("<pre class=shiki><div class=language-id>ts</div><code>a</code></pre>", "ts"),
        ("<pre class=shiki><div class=language-id>a b</div><code>a</code></pre>", ""),
        ("<div class=dp-highlighter><pre>a</pre></div>", ""),
        ("<pre class=x data-syntaxhighlighter-params='brush: py; gutter: false'>a</pre>", "py"),
        ("<div class='mw-highlight mw-highlight-lang-lua'><pre>a</pre></div>", "lua"),
        ("<div class='highlight hl-ipython3'><pre>a</pre></div>", "python"),
        ("<div class='highlight highlight-text-html-basic'><pre>a</pre></div>", "html"),
        ("<div class=lang-switcher><pre>a</pre></div>", ""),
        ("<div class='code-toolbar'><pre class='language-sql line-numbers'>a</pre></div>", "sql"),
        ("<pre class=python>a</pre>", "python"),
        ("<pre class='hljs objective-c'>a</pre>", "objective-c"),
        ("<pre class='hljs bg-gray-100 text-sm'>a</pre>", ""),
        ("<pre class='hljs overflow-x-auto language-ts'>a</pre>", "ts"),
        ("<pre class=r><code>a</code></pre>", "r"),
        ("<pre class='sourceCode r cell-code'>a</pre>", "r"),
        ("<pre class='code go px-4'>a</pre>", "go"),
        ("<pre class='mb mc python'>a</pre>", "python"),
        ("<pre class='language-diff-javascript'>a</pre>", "diff"),
        ("<pre class=language-js><code class=language-diff-js>a</code></pre>", "diff"),
        ("<pre class='brush: html-nolint notranslate'>a</pre>", "html"),
        ("<pre class='brush: js-nolint'>a</pre>", "js"),
        ("<pre class='language-differ'>a</pre>", "differ"),
    ],
)
def test_the_language_of_code(html: str, expected: str) -> None:
    assert language(html) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<code class='highlight-wrap'><pre><code>a</code></pre></code>",
        "<pre class='language-'><code class='language-'>a</code></pre>",
        "<pre class='language-none'>a</pre>",
        "<div class='lang-en'><pre>a</pre></div>",
        "<div lang=de><pre>a</pre></div>",
        "<pre lang=fr>a</pre>",
        "<section class='language-go'><p>b</p><pre>a</pre></section>",
        "<pre class='hljs language-plaintext'>a</pre>",
        "<div class='code wrap'><pre class='wrap'>a</pre></div>",
        "<div class='highlight js-file-line-container'><pre>a</pre></div>",
        "<pre data-lang='see the manual'>a</pre>",
        "<pre class='jq jr js jt ju'>a</pre>",
        "<pre class='pr ps pt py px'><span class='qb b'>a</span></pre>",
        "<pre class='x'><code class='gn go gp'>a</code></pre>",
        "<pre class='d md'>a</pre>",
        "<div class='highlight-myst-ansi notranslate'><pre>a</pre></div>",
        "<pre><code data-lang=curl class=lang-curl>a</code></pre>",
    ],
)
def test_what_names_no_language(html: str) -> None:
    assert not language(html)


LINES = ["def crossing(wind):", "    minutes = 15", "    return minutes + wind // 10"]
NUMBERED = {
    "spans": "<pre><code>" + "\n".join(
        f"<span class=lineno>{i}</span>{line}" for i, line in enumerate(LINES, 1)
    ) + "</code></pre>",
    "Pygments": "<pre>" + "\n".join(
        f"<span class='linenos'>{i} </span>{line}" for i, line in enumerate(LINES, 1)
    ) + "</pre>",
    "Hugo": "<table><tr><td><pre><code><span class=lnt>1\n</span><span class=lnt>2\n</span>"
    "<span class=lnt>3\n</span></code></pre><td><pre><code>" + "\n".join(LINES)
    + "</code></pre></table>",
    "Hexo": "<figure class='highlight'><table><tr><td class=gutter><pre><span class=line>1</span>"
    "<br><span class=line>2</span></pre></td><td class=code><pre>" + "<br>".join(LINES)
    + "</pre></td></tr></table></figure>",
    "Rouge": "<table class=rouge-table><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n3"
    "</pre></td><td class=rouge-code><pre>" + "\n".join(LINES) + "</pre></td></tr></table>",
    "Sphinx": "<table class=highlighttable><tr><td class=linenos><div class=linenodiv><pre>1\n2"
    "</pre></div></td><td class=code><pre>" + "\n".join(LINES) + "</pre></td></tr></table>",
    "React": "<pre><code>" + "\n".join(
        f"<span class='linenumber react-syntax-highlighter-line-number'>{i}</span>{line}"
        for i, line in enumerate(LINES, 1)
    ) + "</code></pre>",
    "Tailwind": "<pre><code>" + "".join(
        f"<div class=row><span class=select-none>{i}</span><div>{line}</div></div>"
        for i, line in enumerate(LINES, 1)
    ) + "</code></pre>",
    "a style": "<pre>" + "\n".join(
        f"<span style='user-select: none'>{i} </span>{line}" for i, line in enumerate(LINES, 1)
    ) + "</pre>",
    "a button": "<pre><button class=copy>Copy</button><code>" + "\n".join(LINES) + "</code></pre>",
    "Twoslash": "<pre class='shiki twoslash'><code>" + "\n".join(LINES).replace(
        "minutes =", "<span class=twoslash-hover>minutes<span class=twoslash-popup-container><code>int "
        "minutes: how many there are</code></span></span> ="
    ) + "<div class='twoslash-meta-line twoslash-error-line'>It is not known.</div></code></pre>",
    "the first Twoslash": "<pre class='shiki twoslash lsp'><code>" + "".join(
        f"<div class=line>{line}</div>" for line in LINES
    ).replace("minutes", "<span><data-lsp lsp='minutes: int'>minutes</data-lsp></span>").replace(
        "wind)", "<data-err><data-lsp lsp=x>wind</data-lsp></data-err>)"
    ) + "<span class=error><span>No.\n See</span><span class=code>2349</span></span><span "
    "class=error-behind>No.\n See</span></code></pre>",
    "mdBook": "<pre><code>" + LINES[0] + "\n<span class=\"boring\">    hours = 0\n</span>"
    + "\n".join(LINES[1:]) + "</code></pre>",
    "CSDN": "<pre><code>" + "\n".join(LINES) + "</code><div class=hide-preCode-box><span><img "
    "class=look-more src=/more.png></span></div></pre>",
    "DigitalOcean": "<pre class='code-pre '><code><div class='secondary-code-label ' title=Output>"
    "Output</div>" + "\n".join(LINES) + "</code></pre>",
    "Doxygen's numbers": "<pre>" + "\n".join(
        f"<span class=lineno>    {i}</span>&#160;{line}" for i, line in enumerate(LINES, 1)
    ) + "</pre>",
    "a header": "<pre><code><div class=code__header><span>python</span><button>Copy</button></div>"
    "<div>" + "\n".join(LINES) + "</div></code></pre>",
}  # fmt: skip


@pytest.mark.parametrize("form", NUMBERED)
def test_numbers_of_lines_and_buttons_are_no_code(form: str) -> None:
    made = written(blockify(f"<p>Before.</p>{NUMBERED[form]}<p>After.</p>", markup=True))
    code = "\n".join(LINES)
    assert made.markdown == f"Before.\n\n```\n{code}\n```\n\nAfter."
    assert made.text == f"Before.\n{code}\nAfter."


@pytest.mark.parametrize(
    "html",
    [
        "<pre><span class=ln>def</span> a</pre>",
        "<pre><span class=line-number>x = 1</span></pre>",
        "<pre>1\n2\n3</pre>",
        "<table><tr><td>1<td>2</table>",
        "<pre><i>1</i> <b>2</b></pre>",
        "<pre><span class=select-none>$</span> ls</pre>",
        "<pre><code class=copyright>copy</code></pre>",
        "<pre><span class=hljs-number>1</span></pre>",
        "<pre><span class=code-line>1</span></pre>",
        "<pre class=line-numbers>1</pre>",
        "<pre><span class=error>x = 1</span></pre>",
        "<pre><span class=error><b>x = 1</b></span></pre>",
        "<pre><span class=boring-name>x = 1</span></pre>",
        "<div class=ttc>Text</div><pre>x = 1</pre>",
        "<span class=boring>Text</span><pre>x = 1</pre>",
    ],
)
def test_code_that_looks_like_numbers_is_kept(html: str) -> None:
    assert not gutters_of(Elements(plain_tree(html.encode())))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("<span class=lineno>1</span>&nbsp;&nbsp;a", "  a"),
        ("<b>1</b>&nbsp;a", "1 a"),
        ("<span class=lineno>1</span> &nbsp;a", "  a"),
        ("x\n<unknown-tag>a</unknown-tag>b", "x\na\nb"),
    ],
)
def test_spaces_behind_numbers_and_unknown_elements(code: str, expected: str) -> None:
    page = blockify(f"<pre>{code}</pre>")
    assert "\n".join(block.preformatted for block in page.blocks) == expected
