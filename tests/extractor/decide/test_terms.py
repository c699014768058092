"""Terms, summaries and titles of callouts are kept above a kept text."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilernet.extractor.decide.terms import complete_terms
from scrapy_boilernet.extractor.html.blockify import blockify


def completed(html: str, kept: list[bool]) -> list[bool]:
    return complete_terms(blockify(html), np.array(kept, dtype=np.bool_)).tolist()


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>A<dd>b</dl>", "<dl><div><dt>A</dt><dd>b</dd></div></dl>",
        "<dl><dt><b>A</b></dt><dd><p>b</p></dd></dl>",
        "<details><summary>A</summary>b</details>",
        "<details><summary><h3>A</h3></summary><p>b</details>",
        "<div class='admonition tip'><p class=admonition-title>A</p><p>b</div>",
        "<div class='theme-admonition alert alert--info'><div class=admonitionHeading_G>A</div>"
        "<div>b</div></div>",
        "<div class=note><h3 class=title>A</h3><p>b</div>",
        "<div class=awsdocs-note><div class=awsdocs-note-title><h6>A</h6></div><div>b</div></div>",
        "<div class='alert alert-info'><h4 class=alert-heading>A</h4>b</div>",
        "<div class='admonitionblock note'><table><tr><td class=icon><div class=title>A</div><td>"
        "b</table></div>",
    ],
)  # fmt: skip
def test_what_names_a_kept_text_is_kept(html: str) -> None:
    assert completed(html, [False, True]) == [True, True]
    assert completed(html, [False, False]) == [False, False]
    assert completed(f"{html}<p>c", [False, False, True]) == [False, False, True]
    assert completed(html.replace("A", "<i hidden>A</i>"), [False, True]) == [False, True]


def test_several_terms_are_kept_and_other_texts_are_not() -> None:
    assert completed("<dl><dt>A<dt>B<dd>c</dl>", [False, False, True]) == [True] * 3
    assert completed("<dl><dt>A<dd>b<dd>c</dl>", [False, False, True]) == [False, False, True]
    html = "<div class=alert><p class=title>A</p></div><p>b"
    assert completed(html, [False, True]) == [False, True]


@pytest.mark.parametrize(
    "name",
    [
        "src/lib.rs", "Filename: src/lib.rs", "File name: app.py", "main.c", "~/.config/fish.conf",
        "app\\models\\User.java", "pages/[id].tsx", "docker/Dockerfile", "Gemfile",
        "Datei: a.b.ts", "文件：主.py",
    ],
)  # fmt: skip
def test_the_name_of_a_file_above_kept_code_is_kept(name: str) -> None:
    for html in (
        f"<figure><span>{name}</span><pre>a</pre></figure>",
        f"<div><div class=head><b>{name}</b></div><div><pre><code>a</code></pre></div></div>",
    ):
        assert completed(html, [False, True]) == [True, True]
        assert completed(html, [False, False]) == [False, False]
    assert completed(f"<div><p>{name}</p><p>a</p></div>", [False, True]) == [False, True]
    assert completed(f"<div><p hidden>{name}</p><pre>a</pre></div>", [False, True]) == [False, True]
    apart = f"<div><div><div><b>{name}</b></div></div><pre>a</pre></div>"
    assert completed(apart, [False, True]) == [False, True]


@pytest.mark.parametrize("name", ["Run", "Output", "See main.c", "v1.2", "GitHub", "e.g.", "rs"])
def test_other_texts_above_kept_code_name_no_file(name: str) -> None:
    html = f"<figure><span>{name}</span><pre>a</pre></figure>"
    assert completed(html, [False, True]) == [False, True]


PRODUCT, ARTICLE = (
    f'<meta property="og:type" content="{kind}">' for kind in ("product", "article")
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"{PRODUCT}<h1>A</h1><p>b", [True, True]),
        (f"{PRODUCT}<div><h1>A <a href=/>B</a></h1></div><p>b<h1>C</h1>", [True, True, False]),
        (f"{PRODUCT}<h1 hidden>A</h1><p>b<h1>C</h1>", [False, True, True]),
        (f"{PRODUCT}<h2>A</h2><p>b", [False, True]),
        (f"{ARTICLE}<h1>A</h1><p>b", [False, True]),
        ("<h1>A</h1><p>b", [False, True]),
    ],
)
def test_the_name_of_a_product_is_kept(html: str, expected: list[bool]) -> None:
    kept = [text == "b" for text in blockify(html).texts]
    assert completed(html, kept) == expected
    assert not any(completed(html, [False] * len(kept)))


def test_a_page_that_is_also_an_article_has_no_product_to_name() -> None:
    stated = '<script type="application/ld+json">{"@type": "Product", "name": "A"}</script>'
    assert completed(f"{stated}<h1>A</h1><p>b", [False, True]) == [True, True]
    assert completed(f"{stated}{ARTICLE}<h1>A</h1><p>b", [False, True]) == [False, True]


def tabs(panel: str, *labels: str, text: str = "b", inner: str = "p") -> str:
    return "".join(f"<div class='{panel}'>{one}<{inner}>{text}</{inner}></div>" for one in labels)


@pytest.mark.parametrize(
    "panel",
    ["tab-pane active", "tabbed-block", "tabpanel", "TabPanel", "x-tab-content", "tabs-pane"],
)
@pytest.mark.parametrize("inner", ["p", "pre", "ul"])
def test_labels_of_tabs_whose_panels_are_kept_are_kept(panel: str, inner: str) -> None:
    html = tabs(panel, "Summer", "冬", inner=inner)
    assert completed(html, [False, True] * 2) == [True] * 4
    assert completed(html, [False, True, False, False]) == [False, True, False, False]
    assert completed(html, [False] * 4) == [False] * 4
    assert completed(tabs(panel, "Summer", "W" * 81), [False, True] * 2) == [False, True] * 2
    assert completed(tabs("panel", "Summer", "Winter"), [False, True] * 2) == [False, True] * 2
    inside = tabs(panel, "<p>Summer</p>", "<p>Winter</p>")
    assert completed(inside, [False, True] * 2) == [False, True] * 2


TABS = {
    "Bootstrap": """<ul class="nav nav-tabs" role="tablist"><li><a data-bs-toggle="tab" href="#t1"
    role="tab">Summer</a></li><li><a data-bs-toggle="tab" href="#t2" role="tab">Winter</a></li></ul>
    <div class="tab-content"><div class="tab-pane active" id="t1" role="tabpanel"><p>{}</p></div>
    <div class="tab-pane" id="t2" role="tabpanel"><p>{}</p></div></div>""",
    "ARIA": """<div role=tablist><button role=tab aria-controls=t1>Summer</button><button role=tab
    aria-controls=t2>Winter</button></div><div id=t1 role=tabpanel><p>{}</p></div>
    <div id=t2 role=tabpanel><p>{}</p></div>""",
    "MkDocs": """<div class="tabbed-set tabbed-alternate"><input checked id=t1 name=t type=radio>
    <input id=t2 name=t type=radio><div class=tabbed-labels><label for=t1>Summer</label><label
    for=t2>Winter</label></div><div class=tabbed-content><div class=tabbed-block><p>{}</p></div>
    <div class=tabbed-block><p>{}</p></div></div></div>""",
}


@pytest.mark.parametrize("name", TABS)
def test_labels_that_are_read_in_panels_are_kept(name: str) -> None:
    boats = ["The boat leaves at six.", "The boat leaves at seven."]
    html = f"<p>Boats</p>{TABS[name].format(*boats)}"
    texts = [*blockify(html).texts]
    assert texts == ["Boats", "Summer", boats[0], "Winter", boats[1]]
    kept = [text not in ("Summer", "Winter") for text in texts]
    assert completed(html, kept) == [True] * 5


GRID = "<table><tr><th>Rank<th>n<tr><td>Mate<td>301</table>"
CAPTIONS = {
    "PMC": f"<section class='tw xbox'><div class='caption p'><p>A</div><div>{GRID}</div></section>",
    "JATS": f"<div class=table-wrap><div class=caption><p>A</div>{GRID}</div>",
    "below": f"<div class=table-wrap>{GRID}<div class=caption><p>A</div></div>",
    "a paragraph": f"<p class=table-caption>A</p>{GRID}",
    "behind": f"{GRID}<p class=tableCaption>A</p>",
    "a wrapper": f"<p class=tbl-title>A</p><div class=scroll>{GRID}</div>",
    "German": f"<div class=tabellen-titel><b>A</b></div>{GRID}",
    "French": f"<div class=tableau-titre>A</div>{GRID}",
}
NO_CAPTIONS = {
    "of a picture": f"<div class=wp-caption><p class=caption>A</div>{GRID}",
    "apart": f"<p class=table-caption>A</p><p>b</p>{GRID}",
    "elsewhere": f"<div><p class=table-caption>A</p></div>{GRID}",
    "a link": f"<p class=table-caption><a href=/t>A</a></p>{GRID}",
    "of a list": "<p class=table-caption>A</p><ul><li>Rank<li>n<li>Mate<li>301</ul>",
    "no class": f"<p>A</p>{GRID}",
    "hidden": f"<p class=table-caption hidden>A</p>{GRID}",
}


@pytest.mark.parametrize("name", CAPTIONS)
def test_the_caption_of_a_kept_table_is_kept(name: str) -> None:
    html = f"<article><p>c</p>{CAPTIONS[name]}<p>d</p></article>"
    kept = [text != "A" for text in blockify(html).texts]
    assert completed(html, kept) == [True] * len(kept)
    none = [text in ("c", "d") for text in blockify(html).texts]
    assert completed(html, none) == none


@pytest.mark.parametrize("name", NO_CAPTIONS)
def test_what_is_no_caption_of_a_kept_table_is_not(name: str) -> None:
    html = f"<article><p>c</p>{NO_CAPTIONS[name]}<p>d</p></article>"
    kept = [text not in ("A", "b") for text in blockify(html).texts]
    assert completed(html, kept) == kept


def test_all_parts_of_a_caption_are_kept() -> None:
    caption = "<div class=caption><h4>A</h4><p>B</p><p>C</p></div>"
    html = f"<div class=table-wrap>{caption}{GRID}</div>"
    assert completed(html, [False] * 3 + [True] * 4) == [True] * 7
