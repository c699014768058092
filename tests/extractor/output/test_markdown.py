"""Markdown of a page, element by element."""

from __future__ import annotations

from textwrap import dedent

import pytest
from testing.rendered import html_of, written

from scrapy_boilernet.extractor.html.blockify import blockify

URL = "https://example.org/guide/pools.html"
LONG = "It is high tide in the morning, so come after noon, when the pools are dry again."


def markdown(html: str, url: str | None = URL) -> str:
    page = blockify(html, url=url, markup=True)
    return written(page).markdown or ""


CASES = {
    "headings": ("<h1>Pools</h1><p>a</p><h3><b>Night</b> #</h3>", "# Pools\n\na\n\n### Night \\#"),
    "heading of two lines": ("<h2>One<br>two</h2>", "## One two"),
    "permalink": ("<h2>P<a href=#a>¶</a></h2>b <a href=#n>1</a>", f"## P\n\nb [1]({URL}#n)"),
    "headings that link to their page": (
        f"<h1><a href={URL}>A</a></h1>b<h2><a href=pools.html#c>C</a></h2>d<h2><a href=e>E</a></h2>"
        "f <a href=pools.html>g</a>",
        f"# A\n\nb\n\n## C\n\nd\n\n## [E](https://example.org/guide/e)\n\nf [g]({URL})",
    ),
    "line breaks": ("<p>One<br>two<br><br>three", "One\\\ntwo\n\nthree"),
    "blocks beside each other": ("<div>One<div>two</div>three</div>", "One\n\ntwo\n\nthree"),
    "marks": (
        "<p>A <b>b</b>, <em>c</em>, <b><i>d</i></b>, <s>e</s> and <code>f_*</code>.",
        "A **b**, *c*, ***d***, ~~e~~ and `f_*`.",
    ),
    "spaces stay outside of marks": ("<p>A<b> b </b>c<i> </i>d", "A **b** c d"),
    "marks within a word": ("<p>un<b>like</b>ly <b>(a)</b>b", "un**like**ly (a)b"),
    "no mark from above the paragraph": ("<b><p>One</p><p>two</p></b>", "One\n\ntwo"),
    "code with backticks": ("<p><code>a `b`</code>", "`` a `b` ``"),
    "links": (
        "<p><a href=a.html>a</a> <a href=//x.y>b</a> <a href='#c'>[c]</a>"
        " <a href=javascript:x>d</a> <a href='mailto:e@f.g'>e</a> <a>f</a> <a href='h_(i)'>g</a>",
        "[a](https://example.org/guide/a.html) [b](https://x.y) [\\[c\\]]("
        "https://example.org/guide/pools.html#c) d [e](mailto:e@f.g) f "
        "[g](https://example.org/guide/h_%28i%29)",
    ),
    "link around a heading": (
        "<a href=a><h2>Title</h2><p>Text</p></a>",
        "## [Title](https://example.org/guide/a)\n\n[Text](https://example.org/guide/a)",
    ),
    "link after an exclamation mark": ("<p>Oh!<a href=/a>a</a>", "Oh\\![a](https://example.org/a)"),
    "base of the page": ("<base href=/b/><p><a href=c>d</a>", "[d](https://example.org/b/c)"),
    "images in a line": (
        "<p>A <img src=/i.png alt='an [i]'> b<a href=c><img src=j.png></a>",
        "A ![an \\[i\\]](https://example.org/i.png) b"
        "[![](https://example.org/guide/j.png)](https://example.org/guide/c)",
    ),
    "lists": (
        "<ul><li>a<li>b<ul><li>c<li>d</ul><li>e</ul>",
        "- a\n- b\n  - c\n  - d\n- e",
    ),
    "ordered lists": (
        "<ol start=9><li>a<li>b<ol><li>c</ol><li value=20>d</ol>",
        "9. a\n10. b\n    1. c\n20. d",
    ),
    "paragraphs in items": ("<ol><li><p>a<p>b<li>c</ol><p>d", "1. a\n\n   b\n2. c\n\nd"),
    "list beside a list": ("<ul><li>a</ul><ul><li>b</ul><p>c", "- a\n\n* b\n\nc"),
    "item outside of lists": ("<li>a<li>b", "- a\n- b"),
    "quotes": (
        "<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote><p>d",
        "> a\n>\n> b\n>\n> > c\n\nd",
    ),
    "code in an item": ("<ul><li>a<pre>b\n  c</pre></ul>", "- a\n\n  ```\n  b\n    c\n  ```"),
    "fence in code": ("<pre>````\na</pre>", "`````\n````\na\n`````"),
    "definitions": ("<dl><dt>a<dd>b</dl>", "**a**\n\nb"),
    "table": (
        "<table><caption>T</caption><thead><tr><th>a<th>b|c</thead>"
        "<tr><td>1<td>2<br>3<tr><td><code>x|y</code><td></table>",
        "T\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2<br>3 |\n| `x\\|y` |  |",
    ),
    "table without header cells": (
        "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "| a | b |\n| --- | --- |\n| c | d |",
    ),
    "table with headers of rows": (
        "<table><tr><th>a<td>b<tr><th>c<td>d</table>",
        "|  |  |\n| --- | --- |\n| a | b |\n| c | d |",
    ),
    "spans of cells": (
        "<table><tr><th>a<th>b<th>c<tr><td rowspan=2>1<td colspan=2>2<tr><td>3<td>4"
        "<tr><td><td><td>5</table>",
        "| a | b | c |\n| --- | --- | --- |\n| 1 | 2 |  |\n|  | 3 | 4 |\n|  |  | 5 |",
    ),
    "layout table": (
        "<table><tr><td>Menu<td><h1>Title</h1><p>Text</table>", "Menu\n\n# Title\n\nText",
    ),
    "layout by its role": (
        f"<table role=presentation><tr><td>a<td>{LONG}<tr><td>c<td>{LONG}<tr><td>e<td>f</table>",
        f"a\n\n{LONG}\n\nc\n\n{LONG}\n\ne\n\nf",
    ),
    "data in spite of its role": (
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "| a | b |\n| --- | --- |\n| c | d |",
    ),
    "long cells": (
        f"<table><tr><td>a<td>{LONG}<tr><td>c<td>{LONG}<tr><td>e<td>{LONG}</table>",
        f"| a | {LONG} |\n| --- | --- |\n| c | {LONG} |\n| e | {LONG} |",
    ),
    "table in a layout": (
        "<table><tr><td>Menu<td>Text<table><tr><td>a<td>b<tr><td>c<td>d</table></table>",
        "Menu\n\nText\n\n| a | b |\n| --- | --- |\n| c | d |",
    ),
    "what looks like markup": (
        "<p># a<p>- b<p>+ c<p>1. d<p>2024. e<p>&gt; f<ul><li>---<li>* * *<li>~~~</ul><p>g<br>===<p>"
        "```<p>| h |"
        "<p>&lt;i&gt; &amp;amp; [j](k) *l* _m_ n_o \\ p",
        "\\# a\n\n\\- b\n\n\\+ c\n\n1\\. d\n\n2024\\. e\n\n\\> f\n\n- \\---\n- \\* \\* \\*\n"
        "- \\~\\~\\~\n\ng\\\n\\===\n\n\\`\\`\\`\n\n\\| h |\n\n"
        "\\<i> \\&amp; \\[j\\](k) \\*l\\* \\_m\\_ n_o \\\\ p",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_markdown_is_the_expected_one(name: str) -> None:
    html, expected = CASES[name]
    assert markdown(html) == expected


def test_addresses_stay_relative_where_the_pages_is_not_known() -> None:
    assert markdown("<p><a href=a.html>a</a><img src=/b.png>", None) == "[a](a.html)![](/b.png)"


@pytest.mark.parametrize(
    ("attributes", "language"),
    [
        ("<pre><code class=language-python>", "python"),
        ("<pre class='brush: js; toolbar: false'>", "js"),
        ("<div class='highlight highlight-source-shell'><pre>", "shell"),
        ("<div class='highlight-rst notranslate'><div class=highlight><pre>", "rst"),
        ("<pre class=lang-c++>", "c++"),
        ("<pre data-lang=go>", "go"),
        ("<pre><code class='hljs rust'>", "rust"),
        ("<pre class='highlight'>", ""),
        ("<pre><code class='language-none'>", ""),
        ("<pre class='language-<b>'>", ""),
    ],
)
def test_code_has_the_language_that_the_page_names(attributes: str, language: str) -> None:
    assert markdown(f"{attributes}a\n\n  b") == f"```{language}\na\n\n  b\n```"


@pytest.mark.parametrize("name", sorted(CASES))
def test_markdown_is_read_with_the_same_structure(name: str) -> None:
    """The headings, items, cells and lines of code of the page, by a parser that is not ours."""
    html, _ = CASES[name]
    rendered = html_of(markdown(html))
    if name not in (
        "layout by its role",
        "layout table",
        "item outside of lists",
        "table in a layout",
    ):
        for tag in ("<h1", "<h2", "<h3", "<blockquote", "<pre", "<li"):
            assert rendered.count(tag) == html.count(tag), tag


def test_a_picture_between_two_paragraphs_of_the_content_is_kept() -> None:
    page = blockify(
        dedent("""\
            <nav><img src=logo.png>Home</nav>
            <article><img src=lead.jpg><p>One</p>
            <figure><img src=one.jpg alt=Pool><figcaption>Left out</figcaption></figure>
            <p>Two</p>
            <div class=teaser><a href=x><img src=teaser.jpg>Another page</a></div>
            <aside><img src=aside.jpg></aside>
            <noscript><img src=lazy.jpg></noscript><img src=data:image/gif,x data-src=lazy.jpg>
            <img src=small/lazy.jpg><img src=pixel.gif width=1 height=1><img src=arrow.svg>
            <p>Three <img src=smile.png alt=":)"></p><img src=after.jpg></article>"""),
        url=URL,
        markup=True,
    )
    kept = [block.text.startswith(("One", "Two", "Three")) for block in page.blocks]
    assert written(page, kept).markdown == (
        "![](https://example.org/guide/lead.jpg)\n\nOne\n\n![Pool](https://example.org/guide/one.jpg)\n\nTwo\n\n"
        "![](https://example.org/guide/lazy.jpg)\n\n"
        "Three ![:)](https://example.org/guide/smile.png)\n\n"
        "![](https://example.org/guide/after.jpg)"
    )


@pytest.mark.parametrize("hides", ["hidden", "style='display:none'", "class='fade sr-only'"])
def test_pictures_are_hidden_with_the_text_around_them(hides: str) -> None:
    pictures = "<p>One</p><figure><img src=one.jpg alt=Pool></figure><p>Two</p>"
    shown = "![Pool](https://example.org/guide/one.jpg)"
    for html, expected in (
        (f"<div {hides}>{pictures}</div>", f"One\n\n{shown}\n\nTwo"),
        (pictures.replace("<figure", f"<figure {hides}"), "One\n\nTwo"),
        (pictures, f"One\n\n{shown}\n\nTwo"),
    ):
        page = blockify(html, url=URL, markup=True)
        assert written(page, [True] * len(page.blocks)).markdown == expected


@pytest.mark.parametrize("end", ["Two<br>Three", "Two Three"])
def test_pictures_in_a_row_are_paragraphs_whatever_ends_the_page(end: str) -> None:
    page = blockify(
        f"<article><p>One</p><img src=a.jpg><img src=b.jpg><p>{end}</p></article>",
        url=URL,
        markup=True,
    )
    text = written(page, [True] * len(page.blocks)).markdown
    assert text.split("\n\n")[1:3] == [
        f"![](https://example.org/guide/{name}.jpg)" for name in "ab"
    ]


def test_a_table_of_which_a_row_is_left_out_is_still_a_table() -> None:
    page = blockify(
        "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>advert<td>advert<tr><td>3<td>4</table>",
        markup=True,
    )
    kept = [block.text != "advert" for block in page.blocks]
    text = written(page, kept).markdown
    assert text == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"


@pytest.mark.parametrize(
    "drawn",
    [
        "* * *",
        "***",
        "⁂",
        "• • •",
        "~ ~ ~",
        "———",
        "– – –",
        "# # #",
        "◆◆◆",
        "＊ ＊ ＊",
        "※",
    ],
)
@pytest.mark.parametrize("tag", ["p", "div", "center", "p style='text-align:center'"])
def test_a_row_of_signs_between_paragraphs_is_a_break(drawn: str, tag: str) -> None:
    row = f"<{tag}><b>{drawn}</b></{tag.split()[0]}>"
    assert markdown(f"<p>One</p>{row}<p>Two</p>") == "One\n\n---\n\nTwo"
    assert markdown(f"<p>One</p><hr>{row}{row}<p>Two</p>") == "One\n\n---\n\nTwo"
    assert "---" not in markdown(f"<p>One</p><p>Two</p>{row}")
    assert "---" not in markdown(f"<p>One</p><ul><li>{drawn}<li>x</ul><p>Two</p>")


@pytest.mark.parametrize("text", ["...", "…", "* * * x", "**", "-", "=>", "1 2 3", "===>", "- -"])
def test_other_signs_are_text(text: str) -> None:
    assert "---" not in markdown(f"<p>One</p><p>{text}</p><p>Two</p>")


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("<a href='#'>knot</a>", "knot"),
        ("<a href=' # ' onclick='x()'><b>knot</b></a>", "**knot**"),
        ("<a href='#'><img src=/k.png alt=K></a>", "![K](https://e.example/k.png)"),
        ("<a href='#knot'>knot</a>", "[knot](https://e.example/a#knot)"),
        ("<a href='/b#'>knot</a>", "[knot](https://e.example/b)"),
    ],
)
def test_a_link_to_nowhere_is_its_text(link: str, shown: str) -> None:
    page = blockify(f"<p>The {link} is old.</p>", "https://e.example/a", markup=True)
    assert written(page).markdown == f"The {shown} is old."
