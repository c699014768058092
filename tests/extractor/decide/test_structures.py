"""Structures beside kept texts, by their probability and where they stand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.decide.structures import complete_structures
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "The water has warmed since May, and the crabs came early this year."
LIST = "<ul><li>Crabs</li><li>Limpets, many of them</li><li>Anemones</li></ul>"
TERMS = "<dl><dt>Crab</dt><dd>It walks sideways.</dd><dt>Limpet</dt><dd>It stays.</dd></dl>"
QUOTE = "<blockquote><p>Nobody had seen them before.</p><p>Nobody at all.</p></blockquote>"
TABLE = (
    "<table><tr><th>Pool</th><th>Crabs</th></tr><tr><td>North</td><td>12</td></tr>"
    "<tr><td>South</td><td>31</td></tr></table>"
)
HEADING = "<h3>What the keeper saw</h3>"


def labels(html: str, probabilities: dict[str, float], below: float = 0.4999) -> list[str]:
    """The texts that are content from 0.5 on if blocks have the probability of the first key they
    begin with, and 0.001 else.

    ``below``: the probability of a block behind them, the most likely one that is not content, so
    that what structures are measured from lies between it and 0.5.
    """
    page = blockify(html + "<footer><p>Perhaps</p></footer>")
    known = {"Perhaps": below, **probabilities}
    p = np.array(
        [
            next((p for begin, p in known.items() if text.startswith(begin)), 0.001)
            for text in page.texts
        ],
        dtype=np.float32,
    )
    kept = (p >= 0.5) & ~np.array(page.hidden, dtype=np.bool_)
    whole = complete_structures(page, kept, p, 0.5)
    return [text for text, keep in zip(page.texts, whole, strict=True) if keep]


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE, HEADING])
@pytest.mark.parametrize("around", ["article", "div", "section", "td"])
def test_what_stands_between_kept_texts_is_kept(structure: str, around: str) -> None:
    html = f"<{around}><p>{TEXT}</p>{structure}<p>{TEXT}</p></{around}>"
    html = f"<table><tr>{html}</tr></table>" if around == "td" else html
    every = blockify(html).texts
    assert labels(html, {"The water": 0.9, "": 0.06}) == [*every]
    assert labels(html, {"The water": 0.9, "": 0.04}) == [TEXT, TEXT]


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE])
def test_what_follows_a_kept_text_needs_more(structure: str) -> None:
    html = f"<article><p>{TEXT}</p>{structure}<footer><p>About us</p></footer></article>"
    assert labels(html, {"The water": 0.9, "About": 0.01, "": 0.3}) == [*blockify(html).texts[:-1]]
    assert labels(html, {"The water": 0.9, "About": 0.01, "": 0.2}) == [TEXT]


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE, HEADING])
def test_the_middle_between_what_is_kept_and_what_is_not_counts(structure: str) -> None:
    html = f"<article><p>{TEXT}</p>{structure}<p>{TEXT}</p></article>"
    every = [*blockify(html).texts]
    assert labels(html, {"The water": 0.9, "": 0.02}, below=0.4999) == [TEXT, TEXT]
    assert labels(html, {"The water": 0.9, "": 0.02}, below=0.03) == every
    assert labels(html, {"The water": 0.9, "": 0.0001}, below=0.03) == [TEXT, TEXT]


def test_a_heading_needs_the_text_that_it_heads() -> None:
    before = f"<article><p>{TEXT}</p>{HEADING}</article>"
    after = f"<article>{HEADING}<p>{TEXT}</p></article>"
    assert labels(before, {"The": 0.9, "What": 0.4}) == [TEXT]
    assert labels(after, {"The": 0.9, "What": 0.4}) == ["What the keeper saw", TEXT]


@pytest.mark.parametrize("wrappers", [["table-responsive"], ["wrap", "scroll", "inner"]])
def test_a_table_in_elements_that_hold_nothing_else_is_kept(wrappers: list[str]) -> None:
    begin = "".join(f"<div class={name}>" for name in wrappers)
    table = f"{begin}{TABLE}{'</div>' * len(wrappers)}"
    html = f"<article><p>{TEXT}</p>{table}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "": 0.06}) == [*blockify(html).texts]
    others = table.replace("<table>", "<p>Search</p><table>", 1)
    html = f"<article><p>{TEXT}</p>{others}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "Search": 0.001, "": 0.3}) == [TEXT, TEXT]


ASIDES = {
    "an aside": "<aside class=related><h3>More</h3><ul><li><a href=/1>Storm</a></ul></aside>",
    "a menu": "<nav><a href=/1>Ferries</a> <a href=/2>Tides</a></nav>",
    "two asides": "<aside><p>By mail</p></aside><aside><p>Read on</p></aside>",
}


@pytest.mark.parametrize("structure", [LIST, TERMS, QUOTE, TABLE, HEADING])
@pytest.mark.parametrize("aside", ASIDES)
def test_a_box_between_a_structure_and_the_text_is_passed(structure: str, aside: str) -> None:
    html = f"<article><p>{TEXT}</p>{ASIDES[aside]}{structure}<p>{TEXT}</p></article>"
    dropped = dict.fromkeys(blockify(ASIDES[aside]).texts, 0.0001)
    wanted = [*blockify(f"<p>{TEXT}</p>{structure}<p>{TEXT}</p>").texts]
    assert labels(html, {"The water": 0.9, **dropped, "": 0.06}) == wanted
    before = f"<article><p>{TEXT}</p>{structure}{ASIDES[aside]}<p>{TEXT}</p></article>"
    assert labels(before, {"The water": 0.9, **dropped, "": 0.06}) == wanted


def test_a_box_with_a_kept_text_is_not_passed() -> None:
    aside = "<aside><p>Tide</p><p>Low</p></aside>"
    html = f"<article><p>{TEXT}</p>{aside}{LIST}</article>"
    assert labels(html, {"The water": 0.9, "Tide": 0.9, "Low": 0.001, "": 0.06}) == [TEXT, "Tide"]


@pytest.mark.parametrize("heading", ["Contents", "Inhalt", "目次", "Jump to section"])
def test_a_list_of_contents_is_not_kept(heading: str) -> None:
    links = "<ul><li><a href=#a>Crabs</a></li><li><a href=#b>Limpets, many</a></li></ul>"
    html = f"<article><p>{TEXT}</p><h2>{heading}</h2>{links}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, heading: 0.6, "": 0.3}) == [TEXT, heading, TEXT]
    plain = html.replace("<a href=#a>Crabs</a>", "Crabs")
    assert "Crabs" in labels(plain, {"The water": 0.9, heading: 0.6, "": 0.3})


@pytest.mark.parametrize("tag", ["blockquote", "div"])
def test_the_caption_of_a_kept_quote_is_kept(tag: str) -> None:
    quote = f"<figure><{tag}><p>Nobody saw them.</p></{tag}><figcaption>Ann Reed</figcaption>"
    html = f"<article><p>{TEXT}</p>{quote}</figure><p>{TEXT}</p></article>"
    own = ["Ann Reed"] if tag == "blockquote" else []
    kept = labels(html, {"The water": 0.9, "Nobody": 0.6, "Ann": 0.1})
    assert kept == [TEXT, "Nobody saw them.", *own, TEXT]
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT, TEXT]  # it may repeat a sentence


OVER = {
    "a caption": "<figure><img src=a.jpg alt=''><figcaption>Anna Reed, 2024</figcaption></figure>",
    "a long caption": f"<figure><img src=a.jpg><figcaption>{'A crab. ' * 20}</figcaption></figure>",
    "a caption by its class": f"<img src=a.jpg><p class=photo-caption>{'A crab. ' * 20}</p>",
    "a rating": "<div class=stars>★★★★★</div>",
    "a button": "<p><a class=button href=/buy>120 € bei Amazon</a></p>",
    "two lines": "<p class=credit>写真：山田</p><div class=label>編集部おすすめ</div>",
}


@pytest.mark.parametrize("between", OVER.values(), ids=OVER.keys())
@pytest.mark.parametrize("heading", ["<h2>What the keeper saw</h2>", HEADING])
def test_a_heading_of_a_kept_text_behind_short_blocks_is_kept(heading: str, between: str) -> None:
    html = f"<article><p>{TEXT}</p>{heading}{between}<p>{TEXT}</p></article>"
    assert labels(html, {"The": 0.9, "What": 0.1}) == [TEXT, "What the keeper saw", TEXT]
    assert labels(html, {"The": 0.9, "What": 0.04}) == [TEXT, TEXT]
    head = f"<article>{heading}{between}<p>{TEXT}</p></article>"
    assert labels(head, {"The": 0.9, "What": 0.1}) == [TEXT]
    beside = f"<main><p>{TEXT}</p><div><aside>{heading}{between}</aside></div><p>{TEXT}</p></main>"
    assert labels(beside, {"The": 0.9, "What": 0.1}) == [TEXT, TEXT]


@pytest.mark.parametrize(
    "between", ["<p>More</p>" * 3, f"<p>{TEXT.replace('The', 'A') * 2}</p>", "<h4>More</h4>"]
)
def test_a_heading_heads_no_text_behind_more_than_that(between: str) -> None:
    html = f"<article><p>{TEXT}</p>{HEADING}{between}<p>{TEXT}</p></article>"
    assert labels(html, {"The": 0.9, "What": 0.3}) == [TEXT, TEXT]


@pytest.mark.parametrize("heading", ["<h1>{}</h1>", "<h1><a href=#n>{}</a></h1>"])
@pytest.mark.parametrize("section", ["section", "div"])
def test_several_h1_are_the_headings_of_sections(heading: str, section: str) -> None:
    parts = [
        f"<{section}>{heading.format(title)}<p>{TEXT}</p></{section}>"
        for title in ("NOM", "SYNOPSIS", "DESCRIPTION", "VOIR AUSSI")
    ]
    html = f"<main>{''.join(parts)}</main>"
    assert labels(html, {"The water": 0.9, "": 0.3}) == [*blockify(html).texts]
    few = f"<main>{''.join(parts[:2])}</main>"
    assert labels(few, {"The water": 0.9, "": 0.3}) == [TEXT, TEXT]


def test_a_list_of_which_some_is_kept_is_kept() -> None:
    html = f"<article>{LIST}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "Crabs": 0.8, "": 0.4})[0] == "Crabs"
    assert len(labels(html, {"The water": 0.9, "Crabs": 0.8, "": 0.4})) == 4
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT]


NOTE = "Pack a lamp, since the boat may be late."
BOXES = {
    "GitHub": f"<div class='markdown-alert markdown-alert-tip'><p>Tip</p><p>{NOTE}</p></div>",
    "Sphinx": f"<div class='admonition note'><p class=admonition-title>Note<p>{NOTE}</p></div>",
    "Asciidoctor": f"<div class='admonitionblock tip'><table><tr><td>Tip<td>{NOTE}</table></div>",
    "Obsidian": f"<div data-callout=warning class='callout'><div class=callout-title>Dunkel</div>"
    f"<div class=callout-content><p>{NOTE}</p><ul><li>Lampe</li></ul></div></div>",
    "Docusaurus": f"<div class='theme-admonition alert alert--info'><p>{NOTE}</p></div>",
    "VitePress": f"<div class='tip custom-block'><p>提示</p><p>{NOTE}</p></div>",
    "VuePress": f"<div class='hint-container warning'><p>Attention</p><p>{NOTE}</p></div>",
    "Starlight": f"<aside class='starlight-aside starlight-aside--tip'><p>{NOTE}</p></aside>",
    "MDN": f"<div class='notecard warning'><p>{NOTE}</p></div>",
    "Bootstrap": f"<div class='alert alert-warning' role=alert><h4>Night</h4><p>{NOTE}</p></div>",
    "Ghost": f"<div class='kg-card kg-callout-card'><div class=kg-callout-text>{NOTE}</div></div>",
    "Notion": f"<figure class='block-color-gray_background callout'><div>{NOTE}</div></figure>",
    "Google": f"<aside class=caution><strong>Caution:</strong><span> {NOTE}</span></aside>",
    "Qiita": f"<div class='note warn'><span class=fa></span><p>{NOTE}</p></div>",
    "DocBook": f"<div class=tip><h3 class=title>Tip</h3><p>{NOTE}</p></div>",
    "AWS": f"<div class=awsdocs-note><div><h6>Note</h6></div><div><p>{NOTE}</p></div></div>",
    "GOV.UK": f"<div class=govuk-warning-text><span>!</span><strong>{NOTE}</strong></div>",
    "a theorem": f"<div class=theorem><p><b>Theorem 3.1</b> (Reed). <i>{NOTE}</i></p></div>",
    "bookdown": f"<div class=lemma><p><span><b>Lemma 2</b></span>{NOTE}</p></div>",
    "LaTeXML": f"<div class='ltx_theorem x'><h6>Proposition 1</h6><p>{NOTE}</p></div>",
    "a page": "<div class='kg-card kg-bookmark-card'><a href=/x><p>The eel weir</p></a></div>",
    "Mantine": f"<div class='mantine-Alert-root' role=alert><div>{NOTE}</div></div>",
    "a post": f"<blockquote class=tiktok-embed><section>{NOTE}</section></blockquote>",
    "details": f"<details class=tip open><summary>Night</summary><p>{NOTE}</p></details>",
    "a pen": "<p class=codepen data-user=reed>See the Pen <a href=/p>Wheel</a> by Anna Reed</p>",
}


@pytest.mark.parametrize("box", BOXES.values(), ids=BOXES.keys())
def test_a_box_is_kept_as_a_whole(box: str) -> None:
    between = f"<article><p>{TEXT}</p>{box}<p>{TEXT}</p></article>"
    every = [*blockify(between).texts]
    assert labels(between, {"The water": 0.9, "": 0.06}) == every
    assert labels(between, {"The water": 0.9, "": 0.04}) == [TEXT, TEXT]
    behind = f"<article><p>{TEXT}</p>{box}</article>"
    assert labels(behind, {"The water": 0.9, "": 0.3}) == every[:-1]
    assert labels(behind, {"The water": 0.9, "": 0.2}) == [TEXT]
    alone = f"<article><p>{TEXT}</p></article><div>{box}</div>"
    assert labels(alone, {"The water": 0.9, "": 0.4}) == [TEXT]


@pytest.mark.parametrize(
    "named",
    [
        "alert-dismiss",
        "alertbar",
        "callout-title",
        "my-hint",
        "newsletter",
        "custom-block-x",
        "tooltip",
        "notebook",
        "remarks",
        "waterproof",
    ],
)
def test_other_classes_name_no_box(named: str) -> None:
    html = f"<article><p>{TEXT}</p><div class={named}><p>{NOTE}</p></div><p>{TEXT}</p></article>"
    expected = [TEXT, NOTE, TEXT] if named == "custom-block-x" else [TEXT, TEXT]
    assert labels(html, {"The water": 0.9, "": 0.4}) == expected


@pytest.mark.parametrize("named", ["postprofile", "user-info", "author__details", "poster_info"])
def test_who_wrote_a_post_is_no_structure(named: str) -> None:
    html = f"<div><p>{TEXT}</p><dl class={named}><dt>Reed</dt><dd>Posts: 12</dd></dl></div>"
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT]


@pytest.mark.parametrize("question", ["When is it open?", "Wann ist offen?", "何時に開きますか"])
@pytest.mark.parametrize(
    "item",
    [
        "<div><button class=faq-question>{}</button><div class=faq-answer><p>{}</div></div>",
        "<div><div class=accordion-header><button>{}</button></div><div><p>{}</div></div>",
        "<div><div class=elementor-tab-title role=button><a>{}</a></div><div><p>{}</p></div></div>",
        "<div><span class='c-accordion__trigger'>{}</span><div hidden-until><p>{}</p></div></div>",
        "<section><p class=toggle__title>{}</p><div><p>{}</p></div></section>",
        "<div><div class=elementor-tab-title><a class=elementor-accordion-title>{}</a></div><div>"
        "<p>{}</p></div></div>",
        "<div class=sd-tab-set><label class=sd-tab-label>{}</label><div><p>{}</p></div></div>",
    ],
)
def test_the_question_of_a_kept_answer_is_kept(item: str, question: str) -> None:
    html = item.format(question, TEXT)
    assert labels(html, {"The water": 0.9, "": 0.06}) == [question, TEXT]
    assert labels(html, {"The water": 0.9, "": 0.04}) == [TEXT]
    assert labels(item.format(TEXT, "Nothing"), {"The water": 0.9, "": 0.3}) == [TEXT]


@pytest.mark.parametrize("named", ["standfirst", "article__standfirst", "c-Standfirst"])
def test_what_leads_into_an_article_is_kept(named: str) -> None:
    html = f"<article><h1>Eels</h1><p class={named}>{NOTE}</p><p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "": 0.06}) == [NOTE, TEXT]
    assert labels(html, {"The water": 0.9, "": 0.04}) == [TEXT]


@pytest.mark.parametrize(
    "code",
    [
        "<pre>gate.open()</pre>",
        "<div class=highlight><pre><code>gate.open()</code></pre></div>",
        "<figure><pre>gate.open()</pre><figcaption>Listing 1</figcaption></figure>",
        "<figure><figcaption>Listing 1</figcaption><div><pre>gate.open()</pre></div></figure>",
    ],
)
def test_code_beside_kept_texts_is_kept_with_its_caption(code: str) -> None:
    for html in (f"<p>{TEXT}</p>{code}", f"{code}<p>{TEXT}</p>"):
        own = labels(f"<article>{html}</article>", {"The water": 0.9, "gate": 0.4})
        assert {*own} == {*blockify(html).texts}
        assert labels(f"<article>{html}</article>", {"The water": 0.9, "gate": 0.2}) == [TEXT]
    html = f"<article><p>{TEXT}</p></article><article>{code}</article>"
    assert labels(html, {"The water": 0.9, "gate": 0.4}) == [TEXT]


def test_code_and_its_caption_are_between_texts_although_a_label_stands_in_the_figure() -> None:
    code = "<pre>gate.open()</pre><figcaption>Listing 1</figcaption>"
    for label in ("<span>src/gate.py</span>", "<p>Run it", "<div><b>Python</b></div>Play"):
        figure = f"<figure>{label}{code}</figure>"
        html = f"<article><p>{TEXT}</p>{figure}<p>{TEXT}</p></article>"
        own = labels(html, {"The water": 0.9, "gate": 0.2})
        assert own == [TEXT, "gate.open()", "Listing 1", TEXT]
    picture = "<figure><img src=/a.jpg><div class=faq-question>When?</div></figure><p>Now."
    html = f"<article><p>{TEXT}</p>{picture}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9}) == [TEXT, TEXT]


@pytest.mark.parametrize("structure", [TABLE, "<pre>gate.open()</pre>"])
def test_the_caption_of_kept_code_and_tables_is_kept(structure: str) -> None:
    figure = f"<figure class=wp-block-table>{structure}<figcaption>Листинг 1</figcaption></figure>"
    html = f"<article><p>{TEXT}</p>{figure}</article>"
    own = labels(html, {"Листинг": 0.2, "": 0.9})
    assert own == [*blockify(html).texts]
    picture = "<figure><img src=/a.jpg><figcaption>The keeper</figcaption></figure>"
    html = f"<article><p>{TEXT}</p>{picture}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "The keeper": 0.4}) == [TEXT, TEXT]


def test_boxes_that_follow_each_other_are_between_the_same_texts() -> None:
    boxes = "<div class='hint-container tip'><p>{}</p></div>" * 3
    html = f"<article><p>{TEXT}</p>{boxes.format('Wind', 'Rain', 'Snow')}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "": 0.1}) == [TEXT, "Wind", "Rain", "Snow", TEXT]
    lists = f"<article><p>{TEXT}</p><ul><li>Wind</ul><ul><li>Rain</ul><p>{TEXT}</p></article>"
    assert labels(lists, {"The water": 0.9, "": 0.1}) == [TEXT, TEXT]


CELL = "<table width=100%><tr><td>{}</td></tr></table>"


@pytest.mark.parametrize(
    "inside",
    [
        "<b>In short</b><p>Wear boots, and go before noon.</p>",
        "Figure 2: the pools",
        "The pools are <a href=/map>on the map</a>, which you get at the office by the pier.",
        "<h4>Figures</h4>",
    ],
)
@pytest.mark.parametrize("cell", [CELL, "<table><tbody><tr><th>{}</th></tr></tbody></table>"])
def test_a_table_of_one_cell_between_kept_texts_is_a_box(cell: str, inside: str) -> None:
    html = f"<article><p>{TEXT}</p>{cell.format(inside)}<p>{TEXT}</p></article>"
    every = [*blockify(html).texts]
    assert labels(html, {"The water": 0.9, "": 0.1}) == every
    assert labels(html, {"The water": 0.9, "": 0.02}) == [TEXT, TEXT]


@pytest.mark.parametrize(
    "table",
    [
        CELL.format("<a href=/a>Read also: the crabs are back</a>"),
        "<table><tr><td>Share</td><td>Print</td></tr></table>",
        CELL.format("Around " + CELL.format("<a href=/a>Inside</a>")),
    ],
)
def test_other_tables_for_layout_are_no_boxes(table: str) -> None:
    html = f"<article><p>{TEXT}</p>{table}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "": 0.1}) == [TEXT, TEXT]


def test_an_element_that_holds_nothing_but_a_heading_does_not_count() -> None:
    heading = "<div class=mw-heading><h2>The keeper</h2></div>"
    html = f"<article>{heading}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "The keeper": 0.4}) == ["The keeper", TEXT]
    beside = heading.replace("</div>", "<p>More</p></div>")
    html = f"<article>{beside}<p>{TEXT}</p></article>"
    assert labels(html, {"The water": 0.9, "The keeper": 0.4}) == [TEXT]


def test_the_table_of_a_figure_is_kept() -> None:
    html = f"<article><p>{TEXT}</p><figure class=wp-block-table>{TABLE}</figure></article>"
    assert len(labels(html, {"The water": 0.9, "": 0.3})) == 7


def test_a_text_elsewhere_is_not_beside() -> None:
    html = f"<main><p>{TEXT}</p></main><nav>{LIST}</nav><main><p>{TEXT}</p></main>"
    assert labels(html, {"The water": 0.9, "": 0.4}) == [TEXT, TEXT]


def test_hidden_items_stay_out_and_hidden_texts_are_not_beside() -> None:
    html = (
        f"<div><p>{TEXT}</p><p hidden>About us</p>"
        f"{LIST.replace('<li>Anemones', '<li hidden>Anemones')}<p>{TEXT}</p></div>"
    )
    assert labels(html, {"The water": 0.9, "": 0.3}) == [
        TEXT,
        "Crabs",
        "Limpets, many of them",
        TEXT,
    ]


parts = st.lists(
    st.sampled_from(
        [f"<p>{TEXT}</p>", LIST, TERMS, QUOTE, TABLE, HEADING, "<p hidden>x</p>", "<hr>"]
    ),
    max_size=8,
)


@given(parts, st.data())
def test_nothing_kept_is_lost_and_no_other_text_is_added(
    found: list[str], data: st.DataObject
) -> None:
    page = blockify("<article>" + "".join(found) + "</article>")
    size = len(page.blocks)
    p = np.array(
        data.draw(st.lists(st.floats(0, 1, width=32), min_size=size, max_size=size)),
        dtype=np.float32,
    )
    kept = (p >= 0.5) & ~np.array(page.hidden, dtype=np.bool_)
    whole = complete_structures(page, kept, p, 0.5)
    assert (whole >= kept).all()
    added = np.flatnonzero(whole & ~kept).tolist()
    assert not any(page.hidden[i] or page.blocks[i].text == TEXT for i in added)


@pytest.mark.parametrize("wrapper", ["{}", "<div class=body>{}</div>", "<header>{}</header>"])
@pytest.mark.parametrize("title", ["Release process", "発行の手順"])
def test_the_first_section_below_the_headline_keeps_its_h1(wrapper: str, title: str) -> None:
    first = wrapper.format("<h1>Overview</h1>")
    html = (
        f"<title>{title} - Wiki</title><article><h1>{title}</h1>{first}<p>{TEXT}</p>"
        f"<h1>Afterwards</h1><p>{TEXT}</p></article>"
    )
    likely = {"The water": 0.9, "Overview": 0.1, "Afterwards": 0.1}
    assert labels(html, likely) == ["Overview", TEXT, "Afterwards", TEXT]
    assert labels(html, {**likely, "Overview": 0.04}) == [TEXT, "Afterwards", TEXT]
    headline = html.replace(f"<h1>{title}", "<h1>Wiki").replace(">Overview<", f">{title}<")
    assert labels(headline, {**likely, title: 0.1}) == [TEXT, "Afterwards", TEXT]
    hidden = html.replace("<h1>", "<h1 hidden>", 1)
    assert labels(hidden, likely) == [TEXT, "Afterwards", TEXT]


@pytest.mark.parametrize("wrapper", ["{}", "<div class=table-responsive>{}</div>"])
@pytest.mark.parametrize("around", ["article", "div", "section"])
def test_a_table_at_the_end_of_a_text_is_kept(wrapper: str, around: str) -> None:
    def page(table: str, behind: str = "") -> str:
        table = wrapper.format(table)
        return f"<{around}><p>{TEXT}</p>{table}{behind}</{around}><p>About</p>"

    likely = {"The water": 0.9, "About": 0.001, "": 0.1}
    cells = [*blockify(TABLE).texts]
    assert labels(page(TABLE), likely) == [TEXT, *cells]
    assert labels(page(TABLE), {**likely, "": 0.04}) == [TEXT]
    assert labels(page(TABLE, "<p>About it</p>"), likely) == [TEXT]
    links = TABLE.replace("<td>", "<td><a href=/x>").replace("</td>", "</a></td>")
    assert labels(page(links), likely) == [TEXT]
    assert labels(page(TABLE.replace("th>", "td>")), likely) == [TEXT]
    beside = f"<{around}><p>{TEXT}</p></{around}><{around}>{TABLE}</{around}><p>About</p>"
    assert labels(beside, likely) == [TEXT]
