"""Labels and buttons beside code, lines of code without line ends, and what editors write."""

# ruff: noqa: E501
from __future__ import annotations

import re

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

CODE = "<pre><code class=language-js>open();\nfill();</code></pre>"
TEXT = "open(); fill();"


def texts(html: str) -> list[str]:
    return [*blockify(f"<article><p>Run:</p>{html}<p>Then wait.</p></article>").texts]


@pytest.mark.parametrize(
    "html",
    [
        "<div class=language-ts><button class=copy></button><span class=lang>ts</span>{}</div>",
        "<div class=highlight><div class=code-header><span>JavaScript</span> <span>Copy</span>"
        "</div>{}</div>",
        "<div class=bbCodeBlock><div class=bbCodeBlock-title>Python:</div><div>{}</div></div>",
        "<div>{}<span style='display:flex'>C++</span></div>",
        "<div><div class=toolbar><a href='#'>?</a></div>{}</div>",
        "<div><div><p>Shell</p><button>复制代码</button></div><div>{}</div></div>",
        "<div>{}<div><button><svg><path/></svg>Copier</button></div></div>",
        "<div><small>C#</small> <b>|</b> <i>コピー</i>{}</div>",
        "<figure><div>Código <span>copiar</span></div>{}</figure>",
        "<div><!-- x -->{}<div class=line-numbers><span>1</span><br><span>2</span></div></div>",
        "<div><span>YAML</span><div><div>{}</div></div></div>",
        "<div class=codebox><p>Code: <a href='#'>Select all</a></p>{}</div>",
        "<div class=codebox><p>Code: <a href='#'>Alles auswählen</a></p>{}</div>",
        "<div class=cnblogs_code><div class=cnblogs_code_toolbar><a title='复制代码'><img src=/c.gif "
        "alt='复制代码'></a></div>{}<div class=cnblogs_code_toolbar><img src=/c.gif></div></div>",
        "<div><span>Go</span><table><tr><td class=gutter>1<td class=code>{}</table></div>",
    ],
)
def test_labels_and_buttons_beside_code_are_not_read(html: str) -> None:
    assert texts(html.format(CODE)) == ["Run:", TEXT, "Then wait."]


@pytest.mark.parametrize(
    ("html", "label"),
    [
        ("<p>Python</p>{}", "Python"),
        ("<div><div>src/gate.js</div>{}</div>", "src/gate.js"),
        ("<div><div>Python is best</div>{}</div>", "Python is best"),
        ("<div>{}<div>Output</div></div>", "Output"),
        ("<div><h3>JavaScript</h3>{}</div>", "JavaScript"),
        ("<div><label>Bash</label>{}</div>", "Bash"),
        ("<section><div>Bash</div>{}<p>Say yes.</p></section>", "Bash"),
        ("<div>Listing: <span>Bash</span>{}</div>", "Listing: Bash"),
        ("<div><span>Go</span><div><div><div>{}</div></div></div></div>", "Go"),
    ],
)
def test_other_texts_beside_code_are_read(html: str, label: str) -> None:
    assert label in texts(html.format(CODE))


def test_what_hosts_write_under_an_embedded_file_is_not_read() -> None:
    meta = "<div class=gist-meta><a href=/raw>view raw</a> <a href=/f>gate.py</a> hosted</div>"
    table = "<table><tr><td class=blob-num><td>open()<tr><td class=blob-num><td>fill()</table>"
    assert texts(f"<div class=gist>{table}{meta}</div>") == [
        "Run:", "open()", "fill()", "Then wait.",
    ]  # fmt: skip


@pytest.mark.parametrize("prompt", ["In&nbsp;[1]:", "Out[12]:", "In [*]:", "In [ ]:"])
def test_the_numbers_of_cells_of_notebooks_are_not_read(prompt: str) -> None:
    cell = f"<div class=cell><div class='jp-InputPrompt'>{prompt}</div><div>{CODE}</div></div>"
    assert texts(cell) == ["Run:", TEXT, "Then wait."]
    assert texts(cell.replace("jp-InputPrompt", "x"))[1] != TEXT
    assert texts(f"<div class=prompt>Say yes</div>{CODE}")[1] == "Say yes"


def preformatted(html: str) -> str:
    return "\n".join(block.preformatted for block in blockify(html).blocks)


def test_elements_that_are_lines_end_them() -> None:
    lines = "<span id=a1>npm install</span><span id=b2>npm run<br>echo <b>a</b></span>"
    assert preformatted(f"<pre>{lines}</pre>") == "npm install\nnpm run\necho a"
    assert blockify(f"<pre>{lines}</pre>").texts[0] == "npm install"


@pytest.mark.parametrize(
    "html",
    [
        "<span id=a>a</span> <span id=b>b</span>",
        "<span>a</span><span>b</span>",
        "<span id=a>a</span>",
        "x<span id=a>a</span><span id=b>b</span>",
        "<span id=a>a</span><b id=b>b</b>",
    ],
)
def test_other_elements_do_not_end_lines(html: str) -> None:
    assert "\n" not in preformatted(f"<pre>{html}</pre>")


@pytest.mark.parametrize(
    "html",
    [
        "<div class='cm-editor'><div class=cm-gutters><div"
        " class=cm-gutterElement>1</div></div><div "
        "class='cm-content x' data-language=python><div class=cm-line>if a:</div><div"
        " class=cm-line>"
        "    b()</div></div></div>",
        "<div class=view-lines><div class=view-line><span>if&nbsp;a:</span></div><div "
        "class=view-line><span>&nbsp;&nbsp;&nbsp;&nbsp;b()</span></div></div>",
        "<div class=CodeMirror-code><div><div class=CodeMirror-gutter-wrapper><div "
        "class=CodeMirror-linenumber>1</div></div><pre>if a:</pre></div><div><pre>    b()</pre>"
        "</div></div>",
        "<table><tr><td class=crayon-nums><div class=crayon-num>1</div><div"
        " class=crayon-num>2</div>"
        "</td><td><div class=crayon-pre><div class=crayon-line>if a:</div><div class=crayon-line>"
        "    b()</div></div></table>",
        "<div class=ace_text-layer><div class=ace_line>if a:</div><div class=ace_line>    b()</div>"
        "</div>",
    ],
    ids=["CodeMirror 6", "Monaco", "CodeMirror 5", "Crayon", "Ace"],
)
def test_what_editors_write_is_code(html: str) -> None:
    assert preformatted(html) == "if a:\n    b()"


HEADS = [
    "<div class='flex items-center px-4 h-9'>python</div><div class=sticky><div><button>Copy code"
    "</button></div></div>",
    "<div class=header><span>C++</span><button><svg></svg>Copy</button></div>",
    "<div><div><div>TypeScript</div></div></div>",
    "<button aria-label=Copy><svg></svg></button><div>bash</div>",
    "<header>Plain text</header>",
]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize(
    "html",
    [
        "<pre><div class=box>{}<div class=p-4><code>open();\nfill();</code></div></div></pre>",
        "<pre>{}<code class=language-js>open();\nfill();</code></pre>",
        "<pre><div>{}<code>open();\nfill();</code></div></pre>",
    ],
)
def test_labels_in_code_beside_its_element_are_not_read(html: str, head: str) -> None:
    page = blockify(f"<p>Run:</p>{html.replace('{}', head)}<p>Then wait.</p>")
    assert [*page.texts] == ["Run:", TEXT, "Then wait."]
    assert page.blocks[1].preformatted == "open();\nfill();"


@pytest.mark.parametrize(
    "html",
    [
        "<pre><span>$</span> <code>ls</code></pre>",
        "<pre><b>bash</b><code>ls</code></pre>",
        "<pre>bash <code>ls</code></pre>",
        "<pre><code>bash</code>\n<code>ls</code></pre>",
        "<pre><div>run</div><code>ls</code></pre>",
        "<pre><div>bash</div> and <code>ls</code></pre>",
        "<pre><code><div>bash</div>ls</code></pre>",
        "<div><div><img src=/shot.png alt='A harbour'></div><pre>ls</pre></div>",
    ],
)
def test_code_beside_its_element_is_kept(html: str) -> None:
    page = blockify(html, markup=True)
    words = ["".join(block.text.split()) for block in page.blocks]
    expected = "".join(str(text) for text in html_texts(html))
    assert "".join(words) == expected
    assert "img" not in html or "shot.png" in str(written(page).markdown)


def html_texts(html: str) -> list[str]:
    return "".join(re.split("<[^>]*>", html)).split()
