"""Superscripts, subscripts and ruby in the text of blocks; shadow trees that a page declares."""

from __future__ import annotations

import re
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.raised_cases import ALL, FORMULAS, NO_RUBY, NOTES, RUBY, WORDS
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.raised import (
    SUBSCRIPTS,
    SUPERSCRIPTS,
    as_plain_text,
    mark_inside,
)
from scrapy_boilernet.extractor.labeled import to_text


def texts(html: str) -> list[str]:
    return [block.text for block in blockify(html).blocks]


@pytest.mark.parametrize(("html", "expected"), FORMULAS)
def test_superscripts_and_subscripts_of_formulas_are_raised_and_lowered(
    html: str, expected: str
) -> None:
    assert texts(f"<p>{html}") == [expected]


@pytest.mark.parametrize(("html", "expected"), WORDS)
def test_ordinals_prices_and_small_words_stay_plain(html: str, expected: str) -> None:
    assert texts(f"<p>{html}") == [expected]


@pytest.mark.parametrize(("html", "expected"), NOTES)
def test_note_marks_stand_apart_from_their_word(html: str, expected: str) -> None:
    assert texts(f"<p>{html}") == [expected]


@pytest.mark.parametrize(("html", "expected"), RUBY)
def test_readings_stand_in_parentheses(html: str, expected: str) -> None:
    assert texts(f"<p>{html}") == [expected]


@pytest.mark.parametrize(("html", "expected"), NO_RUBY)
def test_a_reading_outside_of_a_ruby_is_plain_text(html: str, expected: str) -> None:
    assert texts(f"<p>{html}") == [expected]


@pytest.mark.parametrize("tag", ["p", "li", "td", "h2", "dd", "figcaption", "blockquote", "div"])
def test_every_kind_of_block_has_them(tag: str) -> None:
    assert texts(f"<{tag}>up to 10<sup>6</sup> or <i>CO<sub>2</sub></i></{tag}>") == [
        "up to 10⁶ or CO₂"
    ]


def test_leaves_of_the_paper_keep_their_texts() -> None:
    leaves = blockify("<p>10<sup>6</sup> m", units="leaf").blocks
    assert [block.text for block in leaves] == ["10", "6", "m"]


def test_a_block_in_a_superscript_stays_plain() -> None:
    assert texts("<sup><p>10<b>6</b></p><div>x 1 <i>y</i></div></sup>") == ["106", "x 1 y"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<pre>O(n<sup>2</sup>)\n  H<sub>2</sub>O</pre>", "O(n²)\n  H₂O"),
        ("<pre><code>a = 1<sup><a href='#1'>1</a></sup>\nb</code></pre>", "a = 1 [1]\nb"),
        ("<pre>x\n<i>y<sup>n+1</sup></i>\n  z<sub>max</sub></pre>", "x\nyⁿ⁺¹\n  z_max"),
        ("<pre>x<span hidden>1<sup>2</sup></span>\n y<sup>2</sup></pre>", "x\n y²"),
        ("<pre><ruby>漢字<rt>かんじ</rt></ruby>\n  を</pre>", "漢字(かんじ)\n  を"),
        ("<pre>10<sup>6</sup><br>  10<sup>7</sup></pre>", "10⁶\n  10⁷"),
    ],
)
def test_lines_of_code_have_them_too(html: str, expected: str) -> None:
    blocks = [block for block in blockify(html).blocks if not block.hidden]
    assert to_text(blocks) == expected


def test_hidden_text_beside_a_superscript_does_not_change_it() -> None:
    html = '<p>mill<sup><span class="sr-only">footnote</span><a href="#1">1</a></sup> stands'
    assert texts(html) == ["mill [1] stands", "footnote"]


@pytest.mark.parametrize(("html", "expected"), ALL)
def test_spans_of_the_markup_mark_what_is_raised(html: str, expected: str) -> None:
    page = blockify(f"<p>{html} <b>end</b>", markup=True)
    unmarked = re.sub(r"</?su[pb][^>]*>", "", html)
    as_in_ruby = blockify(f"<p>{unmarked} <b>end</b>", markup=True)
    assert page.markup is not None
    assert as_in_ruby.markup is not None
    assert page.blocks[0].text.endswith(" end")
    texts = ["".join(span.text for span in m.spans[0]) for m in (page.markup, as_in_ruby.markup)]
    marked, plain = (normalize("NFKC", "".join(text.split())) for text in texts)
    assert marked == plain
    assert expected


PIECES = ("a", "10", " ", "[1]", "st", "x ", "*", "n+1", "漢", "かな", ")", "word", ".", "1,2", "é")
PARTS = st.lists(
    st.tuples(
        st.sampled_from(PIECES),
        st.lists(st.sampled_from(("sup", "sub", "ruby", "rt", "rb")), max_size=4),
        st.integers(0, 1),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@QUICK
@given(PARTS)
def test_where_parts_are_split_changes_nothing(
    parts: list[tuple[str, list[str], int]],
) -> None:
    whole, split = [], []
    for text, tags, link in parts:
        mark = None
        for tag in tags:
            mark = mark_inside(mark, tag, "")
        whole.append((text, mark, link))
        split += [(char, mark, link) for char in text]
    assert "".join(as_plain_text(whole)) == "".join(as_plain_text(split))


def test_no_character_has_two_forms() -> None:
    assert set(SUPERSCRIPTS) & set(SUPERSCRIPTS.values()) == set()
    assert set(SUBSCRIPTS) & set(SUBSCRIPTS.values()) == set()


SHADOW = (
    "<x-note><template shadowrootmode=open>{}</template></x-note>",
    "<x-note><template shadowrootmode=closed>{}</template></x-note>",
    "<x-note><template shadowroot=open>{}</template></x-note>",
    '<div><template class="t" shadowrootmode="open" shadowrootdelegatesfocus>{}</template></div>',
    "<section><TEMPLATE ShadowRootMode=open>{}</TEMPLATE></section>",
    "<x-a><template shadowrootmode=open><x-b><template shadowrootmode=open>{}</template></x-b>"
    "</template></x-a>",
    "<x-a><template shadowrootmode=open><style>p{{}}</style><slot></slot>{}</template></x-a>",
    "<template shadowrootmode>{}</template>",
    "<article><template shadowrootmode=open><main>{}</main></template></article>",
    "<x-note><template shadowrootmode=open><template><p>no</template>{}</template></x-note>",
)  # fmt: skip


@pytest.mark.parametrize("around", SHADOW)
@pytest.mark.parametrize(
    "text",
    ["The first boat leaves at six.", "Das erste Boot fährt um sechs.", "一番船は六時に出る。"],
)
def test_the_text_of_a_declared_shadow_tree_is_read(around: str, text: str) -> None:
    page = blockify(f"<p>a</p>{around.format(f'<p>{text}</p>')}<p>b</p>")
    assert [block.text for block in page.blocks] == ["a", text, "b"]
    assert not any(block.hidden for block in page.blocks)


@pytest.mark.parametrize(
    "template",
    ["<template>", "<template id=row>", "<template hidden>", "<template data-shadowroot=open>"],
)
def test_other_templates_are_not_shown(template: str) -> None:
    assert texts(f"<p>a</p>{template}<p>no</p></template><p>b</p>") == ["a", "b"]


def test_many_marks_take_no_time_beyond_their_number() -> None:
    page = blockify("<p>" + "<sup>1</sup><a href=/><sub>2</sub></a>" * 30_000)
    assert len(page.blocks[0].text) == 60_000
    deep = blockify("<p>x" + "<sup>1" * 200 + "<i>2</i>3<br>" * 3_000)
    assert len(deep.blocks) == 3_000


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>He said <q>all hands</q>, twice.", "He said “all hands”, twice."),
        ("<p><q>all hands</q>", "“all hands”"), ("<p>a <q><b>all</b> hands</q>", "a “all hands”"),
        ("<p>a <q>one <q>two</q> three</q>", "a “one ‘two’ three”"),
        ("<p>a <q>“all hands”</q>", "a “all hands”"), ("<p>a <q>«all hands»</q>", "a «all hands»"),
        ("<p>a <q></q> b", "a b"), ("<p>a <q> b </q> c", "a “b” c"),

        ("<p>a <q>x<sup>2</sup></q>", "a “x²”"), ("<p>a <a href=/b><q>b</q></a> c", "a “b” c"),
    ],
)  # fmt: skip
def test_a_short_quotation_has_quotation_marks(html: str, text: str) -> None:
    page = blockify(html, markup=True)
    assert page.blocks[0].text == text
    spans = page.markup.spans[0] if page.markup else ()
    assert not spans or "".join(span.text for span in spans).replace("2", "²") == text
