"""The lines of ``<pre>``: they stay in ``Block.preformatted`` and in plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import to_text


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>a\n  b\n\n    c</pre>", "a\n  b\n\n    c"),
        ("<pre>\n\n  a\n b  \n\n</pre>", "  a\n b"),
        ("<pre><code>a\n\tb</code></pre>", "a\n\tb"),
        ("<pre>  <b>if</b> a:\n    <i>b</i>\n</pre>", "  if a:\n    b"),
        ("<pre>a\r\n  b\rc</pre>", "a\n  b\nc"),
        ("<pre>a<br>  b<br><br>c</pre>", "a\n  b\n\nc"),
        ("<pre><div>a</div><div>  b</div>\n<div>c</div></pre>", "a\n  b\nc"),
        ("<pre><span class=line>a</span>\n<span class=line>  b</span></pre>", "a\n  b"),
        (
            "<pre><div class=line>a</div><div class=line></div><div class=line>  b</div></pre>",
            "a\n\n  b",
        ),
        (
            "<pre><code><div class=ec-line><div class=code>a</div></div><div class=ec-line><div "
            "class=code>\n</div></div><div class='ec-line ins'><div class=code>b</div></div></code>"
            "</pre>",
            "a\n\nb",
        ),
        (
            "<pre><code>f(\n<span class=gatsby-highlight-code-line>  <i>a</i></span><span "
            "class=gatsby-highlight-code-line></span><span class=gatsby-highlight-code-line>  b"
            "</span>)\n</code></pre>",
            "f(\n  a\n\n  b\n)",
        ),
        (
            "<pre>a\n\n<span class=gatsby-highlight-code-line>b</span>c\n\n<span "
            "class=gatsby-highlight-code-line>d</span>\n<span class=gatsby-highlight-code-line>e"
            "</span></pre>",
            "a\n\nb\nc\n\nd\n\ne",
        ),
        (
            "<pre><code><span class='token-line'>a</span><span class='token-line'></span><span "
            "class='token-line x'>  b</span></code></pre>",
            "a\n\n  b",
        ),
        (
            "<pre><span style='display: block'>a</span><span style='color:red;display:block;'>"
            " b</span>c</pre>",
            "a\n b\nc",
        ),
        ("<pre><span class=line>a\n</span><span class=line>  b\n</span>c</pre>", "a\n  b\nc"),
        ("<pre><span class=line>a</span><br><span class=line>  b</span></pre>", "a\n  b"),
        ("<pre><span class=underline>a</span><span class=underline> b</span></pre>", "a b"),
        ("<pre>a<span class=new-line>\\n</span><span class=new-line>\\n</span>b</pre>", r"a\n\nb"),
        ("<pre><span class=command-line>a</span><span class=command-line> b</span></pre>", "a b"),
        ("<pre><ol><li>a<li><br><li>  b</ol></pre>", "a\n\n  b"),
        ("<pre><span class=line>a</span> b\n<span class=inline>c</span></pre>", "a b\nc"),
        ("<pre><ol><li>a<li><li><li>b<li></ol></pre>", "a\n\n\nb"),
        ("<pre><div class=ln></div><div class=code>a</div><div class=ln></div></pre>", "a"),
        ("<pre><div class=copy></div>a<div class=toast></div>\nb</pre>", "a\nb"),
        ("<pre><div>a</div><div hidden></div><div>b</div></pre>", "a\nb"),
        ("<pre>a <!-- c --> b<script>x</script>\nc</pre>", "a  b\nc"),
        ("<pre>a<iframe>x</iframe>\n b</pre>", "a\n b"),
        ("<pre>a\n<pre>b\n  c</pre>\n  d</pre>", "a\nb\n  c\n  d"),
        ("<p>a</p><pre>\n\n</pre><p>b\nc</p>", "a\nb c"),
        ("<pre>a<br><br></pre><p>b</p><pre>c\nd</pre>", "a\nb\nc\nd"),
        (
            "<table><tr><td><pre>1\n3</pre><td><pre>a\n  b</pre></table>",
            "1\n3\na\n  b",
        ),
        ("<table><tr><td>Key<td><pre>a  b</pre></table>", "Key | a b"),
    ],
)  # fmt: skip
def test_lines_and_indents_stay(html: str, expected: str) -> None:
    assert to_text(blockify(html).blocks) == expected


LINE, TOKEN_LINE, END = "<span class=line>", "<span class=token-line>", "</span>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            f"{LINE}a = 1{END}\n<span class='line diff remove'>b = 2{END}<span "
            f"class='line diff add'>b = 3{END}\n{LINE}run(a, b){END}",
            "a = 1\nb = 2\nb = 3\nrun(a, b)",
        ),
        (
            f"{LINE}a = 1{END}\n{LINE}{END}\n{LINE}b = 2{END}\n{LINE}run(a, b){END}{LINE}{END}",
            "a = 1\n\nb = 2\nrun(a, b)",
        ),
        (f"{LINE}a{END}\n\n{LINE}b{END}\r\n{LINE}c{END}{LINE}{END}", "a\n\nb\nc"),
        (
            f"{LINE}b{END}\n<span class='line highlight' style='display:block'>  c{END}"
            f"{LINE}  d{END}\n{LINE}e{END}",
            "b\n  c\n  d\ne",
        ),
        (f"$ make\n{LINE}gcc{END}{LINE}-o a{END}\ndone", "$ make\ngcc\n-o a\ndone"),
        (f"{LINE}a{END}{LINE}b{END}<!-- c --> <i>\n</i>{LINE}d{END}", "a\nb\nd"),
        (f"{LINE}a{END}{LINE}b{END}<br>{LINE}c{END}<br><br>{LINE}d{END}", "a\nb\nc\n\nd"),
        (f"{LINE}a\n{END}\n{LINE}b{END}{LINE}c{END}", "a\n\nb\nc"),
        (
            f"{TOKEN_LINE}a{END}{TOKEN_LINE}b{END}{TOKEN_LINE}<span class='token plain' "
            f"style='display:inline-block'>\n{END}{END}{TOKEN_LINE}  run(){END}",
            "a\nb\n\n  run()",
        ),
        (
            f"{TOKEN_LINE}a{END}{TOKEN_LINE}b{END}{TOKEN_LINE}<br>{END}{TOKEN_LINE}  c{END}",
            "a\nb\n\n  c",
        ),
    ],
)  # fmt: skip
def test_the_line_end_behind_a_line_is_its_own(html: str, expected: str) -> None:
    assert to_text(blockify(f"<pre><code>{html}</code></pre>").blocks) == expected


def test_the_models_text_is_one_line_as_before() -> None:
    (block,) = blockify("<pre>a\n  b<b>\nc</b></pre>").blocks
    assert block.text == "a b c"
    assert block.preformatted == "a\n  b\nc"


def test_text_outside_and_leaves_have_none() -> None:
    assert [block.preformatted for block in blockify("<p>a\nb").blocks] == [""]
    leaves = blockify("<pre>a\n b<b>c</b></pre>", units="leaf").blocks
    assert [block.preformatted for block in leaves] == ["", ""]


def test_blank_lines_before_the_first_line_that_is_kept_are_left_out() -> None:
    blocks = blockify("<pre>a<br><br><br>b</pre>").blocks
    assert blocks[1].preformatted == "\n\nb"
    assert to_text(blocks) == "a\n\n\nb"
    assert to_text(blocks[1:]) == "b"


@QUICK
@given(
    st.lists(
        st.sampled_from([
            "<pre>", "</pre>", "<b>", "</b>", "<div>", "</div>", "<br>", "<br>", "a", " ", "\n",
            "\t", "b c", "<script>x</script>", "<!-- -->", "<a href=x>", "</a>", "<td>", "<select>",
            "</select>", "<iframe></iframe>", "<title>t</title>", "<p>", "\u00a0", "\u2028", "\x0c",
        ]),
        max_size=30,
    ).map("".join).map("<pre>".__add__)
)  # fmt: skip
def test_it_has_the_characters_of_the_text_and_each_block_in_pre_has_one(html: str) -> None:
    for block in blockify(html).blocks:
        assert bool(block.preformatted) == ("pre" in block.tags)
        raw = block.preformatted or block.text
        assert "".join(raw.split()) == block.text.replace(" ", "")
