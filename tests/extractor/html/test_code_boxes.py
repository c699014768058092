"""Boxes of code of documentation tools and forums are code, with its lines and indents."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from testing.rendered import written as written_of

from scrapy_boilernet.extractor.html.blockify import blockify

LINES = ["if (b) {", "    b.sail(3);", "}"]
CODE = "\n".join(LINES)
BREAKS = "<br>".join(line.replace("    ", "&nbsp; &nbsp; ") for line in LINES)
DIVS = "\n".join(f"<div class='line'>{line}</div>" for line in LINES)
ANCHORED = "".join(
    f"<div class='line'><a id='l{n}' name='l{n}'></a><span class='lineno'>    {n}</span>{{}}{line}</div>\n"
    for n, line in enumerate(LINES, 1)
)
NBSP = "&#160;"
HIGHLIGHTED = "".join(
    f"<div class='line number{n} index{n - 1} alt1' data-bidi-marker=true><code class='java spaces'>"
    f"{'&nbsp;' * (len(line) - len(line.lstrip()))}</code><code class='java plain'>{line.lstrip()}</code></div>"
    for n, line in enumerate(LINES, 1)
)
ENLIGHTED = "".join(
    f"<div class=''><div><span class=enlighter-k0>{line}</span></div></div>" for line in LINES
)
GUTTER = "".join(f"<div class='line number{n}'>{n}</div>" for n in (1, 2, 3))
ITEMS = "".join(f"<li>{line.replace('    ', '&nbsp; &nbsp; ')}" for line in LINES)


def written(html: str) -> str:
    page = blockify(f"<article><p>Run:</p>{html}<p>Then wait.</p></article>", markup=True)
    return str(written_of(page).markdown)


def fenced(language: str = "") -> str:
    return f"Run:\n\n```{language}\n{CODE}\n```\n\nThen wait."


@pytest.mark.parametrize(
    "html",
    [
        f'<div class="fragment">{DIVS}</div><!-- fragment -->',
        f'<div class="fragment">{ANCHORED.replace("{}", "")}</div>',
        f'<div class="fragment">{ANCHORED.replace("{}", NBSP)}</div>',
        f'<div class="fragment"><div class="foldopen" id="fold1" data-start="{{">{DIVS}</div></div>',
        f'<div class="fragment">{DIVS}<div class="ttc" id="ax"><div class="ttname"><a href=/b>Boat</a>'
        '</div><div class="ttdeci">void sail(int)</div><div class="ttdoc">Sails.</div></div></div>',
        f'<div class="blockcode"><div><ol>{ITEMS}</ol></div><em onclick="copy()">复制代码</em></div>',
        f"<code class=bbc_code>{BREAKS}</code>",
        f"<div class=codeheader>Code: <a href='javascript:;'>[Select]</a></div><code class=bbc_code>{BREAKS}</code>",
        "<div class=codeheader><span class='code floatleft'>Code</span> <a class=codeoperation>[Auswählen]</a>"
        f" <a class=codeoperation>[Expand]</a></div><code class=bbc_code>{BREAKS}</code>",
        f"<dl class=codebox><dt>Code: <a href='#'>Select all</a></dt><dd><code>{BREAKS}</code></dd></dl>",
        f"<dl class=codebox><dt>Код: <a href='#'>Выделить всё</a></dt><dd><code>{BREAKS}</code></dd></dl>",
        f"<div class=codeblock><div class=title>Code:</div><div class=body dir=ltr><code>{BREAKS}</code></div></div>",
        f"<p><code>{BREAKS}</code></p>", f"<div>\n<code>{BREAKS.replace('<br>', '<br />')}</code>\n</div>",
        f"<p><code><span>{BREAKS}</span></code></p>",
        f"<table><tr><td><p>a</p><div class=codeblock><code>{BREAKS}</code></div></td></tr></table>",
    ],
)  # fmt: skip
def test_boxes_are_code(html: str) -> None:
    assert written(html).replace("a\n\n", "") == fenced()


@pytest.mark.parametrize(
    ("html", "language"),
    [
        (f'<div class="code-block" data-lang="kotlin">\n{CODE}\n</div>', "kotlin"),
        (f"<div class='code-block prompt' data-lang=shell>{CODE}</div>", "shell"),
        (f"<div class=phpcode><code><span>\n{BREAKS}\n</span></code></div>", "php"),
        (f"<div class='codeblock phpcodeblock'><div class=title>PHP Code:</div><div class=body><code>{BREAKS}"
         "</code></div></div>", "php"),
        ("<div class='enlighter-default enlighter-v-standard enlighter-l-php'><div class=enlighter-toolbar>"
         "<div class='enlighter-btn enlighter-btn-raw'></div></div><div class=enlighter-code><div class=enlighter>"
         f"{ENLIGHTED}</div><pre class=enlighter-raw>{CODE}</pre></div></div>", "php"),
        ("<div class='enlighter-default enlighter-l-generic '><div class=enlighter-code><div class='enlighter'>"
         f"{ENLIGHTED}</div></div></div>", ""),
        ("<div class=Documentation-exampleDetailsBody><textarea class='Documentation-exampleCode' spellcheck=false>"
         f"{CODE}\n</textarea><div class=Documentation-exampleButtonsContainer><button>Share</button><button>Format"
         "</button></div></div>", ""),
        ("<div><div class='syntaxhighlighter sh-confluence nogutter  java'><table><tbody><tr><td class=code>"
         f"<div class=container>{HIGHLIGHTED}</div></td></tr></tbody></table></div></div>", "java"),
        ("<div id=h class='syntaxhighlighter  java'><div class=toolbar><span><a href='#' class=toolbar_item>?</a>"
         f"</span></div><table><tbody><tr><td class=gutter>{GUTTER}</td><td class=code><div class=container>"
         f"{HIGHLIGHTED}</div></td></tr></tbody></table></div>", "java"),
    ],
)  # fmt: skip
def test_the_language_of_boxes(html: str, language: str) -> None:
    assert written(html) == fenced(language)


def test_the_title_of_a_box_is_no_code() -> None:
    html = (
        "<div class='syntaxhighlighter java'><table><caption>Boat.java</caption><tbody><tr><td class=gutter>"
        f"{GUTTER}</td><td class=code><div class=container>{HIGHLIGHTED}</div></td></tr></tbody></table></div>"
    )
    assert written(html) == fenced("java").replace("```java", "Boat.java\n\n```java", 1)


@pytest.mark.parametrize(
    "html",
    [
        '<div class="fragment"><p>A text of two</p><p>paragraphs.</p></div>',
        '<div class="fragment"><div class="headline">A text</div></div>',
        "<div class=code-block data-lang=kotlin><p>A text</p></div>",
        "<div class=code-block>A text of\n a promo</div>",
        "<div class=blockcode>A text</div>",
        f"<p>Use <code>{BREAKS}</code></p>",
        f"<p><code>{BREAKS}</code> is all.</p>",
        f"<p><code>{BREAKS}</code><b>x</b></p>",
        f"<table><tr><th>a<th>b<tr><td>1<td><code>{BREAKS}</code></table>",
        f"<table><tr><th>a<th>b<tr><td>1<td><p><code>{BREAKS}</code></p></table>",
        "<p><code>sail()<br></code></p>",
        "<div class=enlighter-box><div>A text</div><div>of two</div></div>",
        "<textarea>A text\n of a form</textarea>",
        "<p>A <span class='enlighter-default'><span class=enlighter>text</span></span> of two.</p>",
        "<p><code>sail(<br>a b\nc)</code></p>",
        f"<h2><code>{BREAKS}</code></h2>",
        f"<p class=zipcode><span><code>{BREAKS}</code></span>",
    ],
)
def test_other_elements_are_no_boxes(html: str) -> None:
    assert "```" not in written(html)


TYPED = "<br>\n".join(line.replace(" ", "&nbsp;") for line in LINES)
"""Lines as converters of old manuals write them."""


@pytest.mark.parametrize(
    "html",
    [
        f"so <tt><br>\n\n<br>\n{TYPED}<br>\n\n<br>\n\n</tt>The <tt>sail</tt> is", f"so<br><tt>{TYPED}</tt><br>is",
        f"<p>so<p><tt>{BREAKS}</tt><p>is", f"<p>so<br><code>{BREAKS}<br></code>is</p>",
        f"so <code><br>{TYPED}<br></code>is", f"<p>so<p><tt><br>{TYPED}<br>\n<p>\n</tt><h3>is</h3>",
        f"<p>so<table border=2><tr><td>\n<tt><br>\n{TYPED}<br>\n</tt></td></tr></table>is",
        f"<center>so<br><tt>{BREAKS}</tt><hr>is</center>", f"so<tt><br><b>{TYPED.replace('<br>', '</b><br>', 1)}<br></tt>is",
    ],
)  # fmt: skip
def test_lines_with_indents_are_code(html: str) -> None:
    assert f"so\n\n```\n{CODE}\n```\n\n" in written(html).replace(
        f"{LINES[0]}\n\n", f"{LINES[0]}\n"
    )


def test_a_line_without_other_spaces_than_no_break_ones_is_code() -> None:
    shown = written("so <tt><br>\n<br>\nmain&nbsp;=&nbsp;sail&nbsp;3<br>\n\n<br>\n</tt>is")
    assert "so\n\n```\nmain = sail 3\n```\n\nis" in shown


INDENT = "&nbsp;" * 4
LETTER = (
    f"<tt>{INDENT}Dear keeper of the gate, the brig has come in on the morning tide.<br>Her master is well.<br>"
    f"{INDENT}He brings “oranges and lemons” for your house, and says that the sea was calm. Write soon.</tt>"
)
WRAPPED = (
    f"<tt>{INDENT}Dear keeper, the brig has come in on the<br>morning tide, and her master is well. He<br>brings"
    f" oranges.<br>{INDENT}The sea was calm, he says, all the way from<br>the cape to the outer buoy.</tt>"
)


@pytest.mark.parametrize(
    "html",
    [
        LETTER, LETTER.replace("tt>", "code>"), WRAPPED, LETTER.replace("oranges", "<b>oranges</b>"),
        f"<tt>{INDENT}gate = 3<br>open(gate)<br>see <a href=/gates>gates</a></tt>",
        "<tt>潮門は朝に開く。&nbsp;船が入る。<br>番人は二人いる。<br>夜は閉まる。</tt>",
        f"<tt>{INDENT}Ворота открываются утром<br>{INDENT}и закрываются вечером</tt>",
        "<tt>Harbour&nbsp;office<br>Quay&nbsp;Street&nbsp;3<br>AB1&nbsp;2CD&nbsp;Porthaven<br>Tel.&nbsp;(0123)&nbsp;456</tt>",
    ],
)  # fmt: skip
def test_prose_and_addresses_are_no_code(html: str) -> None:
    assert "```" not in written(html)


@pytest.mark.parametrize(
    ("html", "code"),
    [
        (f"<tt>while the gate is open<br>{INDENT}wait for the tide<br>close the gate</tt>",
         "while the gate is open\n    wait for the tide\nclose the gate"),
        (f'<code>def sail():<br>{INDENT}"""Sail to the harbour when the tide is high."""<br>{INDENT}return 3</code>',
         'def sail():\n    """Sail to the harbour when the tide is high."""\n    return 3'),
        (f"<tt>sail():<br>{INDENT}# The gate opens when the tide is high.<br>{INDENT}# Wait for it.<br>{INDENT}go()</tt>",
         "sail():\n    # The gate opens when the tide is high.\n    # Wait for it.\n    go()"),
        ("<tt>cd&nbsp;/srv/gate<br>make&nbsp;install</tt>", "cd /srv/gate\nmake install"),
        ("<tt>gate&nbsp;--open<br>tide&nbsp;4</tt>", "gate --open\ntide 4"),
        (f"<tt>f&nbsp;=&nbsp;<a name=f></a>3<br>{INDENT}g</tt>", "f = 3\n    g"),
        (f"<tt>print('潮門')<br>{INDENT}open(gate)</tt>", "print('潮門')\n    open(gate)"),
    ],
)  # fmt: skip
def test_code_with_words_is_code(html: str, code: str) -> None:
    assert f"```\n{code}\n```" in written(html)


@pytest.mark.parametrize(
    "html",
    [
        f"so <tt>{BREAKS}</tt> is", f"so <tt>{BREAKS}<br></tt>is", f"so <tt><br>{BREAKS}</tt> is",
        "<tt>a letter of<br>two lines</tt>", "<tt>a letter&nbsp;of<br>two lines</tt>", "<tt>sail()<br></tt>",
        f"<tt><br>{BREAKS}<br><img src=/a.png></tt>", f"<tt><br><p>a</p>{BREAKS}<br></tt>", f"<h2><tt>{BREAKS}</tt></h2>",
        f"<table><tr><td>a<td><tt>{BREAKS}</tt><tr><td>b<td>c</table>", "<tt>&nbsp;<br>&nbsp;</tt>",
    ],
)  # fmt: skip
def test_other_lines_are_not(html: str) -> None:
    assert "```" not in written(html)


def test_a_box_in_code_is_part_of_it() -> None:
    assert written(f'<pre><div class="fragment">{DIVS}</div></pre>') == fenced()
    assert written(f"<pre><p><code>{BREAKS}</code></p></pre>") == fenced()
