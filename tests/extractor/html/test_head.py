"""What a page states about itself: every key, and that no page makes it raise or grow."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.head import COUNTED_TAGS, MAX_BODY_CHARS, MAX_DESCRIPTION_CHARS
from scrapy_boilernet.extractor.page import Head

PAGE = """<!DOCTYPE html><html class="no-js" lang="en"><head><title>Tide pools warm</title>
<meta property="og:type" content="Article"><meta name="twitter:card" content="summary_large_image">
<meta name="generator" content="WordPress 6.4.2; shop edition"><meta name="author" content="Reef">
<meta name="Description" content="Pools along the shore are warming.">
<meta property="og:description" content="The sea stars leave."><meta name="viewport" content="w">
<meta property="article:published_time" content="2024-05-01"><meta itemprop="price" content="3">
<link rel="AMPHTML" href="/amp"><link rel="next" href="/2"><link rel="stylesheet" href="/s.css">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "NewsArticle",
"author": {"@type": ["Person", "http://schema.org/Thing"]},
"articleBody": "Pools \\"along\\" the\\nshore \\u2014 are warming."}</script>
<script>var x = {"@type": "Trap"}</script></head>
<body class="single postTemplate post-123" id="top"><article itemscope
itemtype="https://schema.org/BlogPosting"><h1>Tide pools warm</h1><p>One<p>Two<p>Three</article>
<ul><li>a<li>b<li>c<li>d</ul></body></html>"""
WORDS = blockify(PAGE).head.words

any_html = st.one_of(
    st.binary(max_size=300),
    st.lists(
        st.sampled_from(
            ["<meta ", "property=og:type ", "name=description ", "content='a b", "'>", ">", '"',
             "<script type=application/ld+json>", '{"@type":', '"articleBody":"', "\\ud800", "\\",
             "\\u12", "</script>", "<body class=", "<link rel=next", " itemtype=x/y", "<html id=é",
             "\x00", "[", "]", "<!--", "-->", "<?pi", "\ud800"]
        ),
        max_size=25,
    ).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass")),
)  # fmt: skip


def ld_body(source: str) -> str:
    return blockify(f'<script type="application/ld+json">{source}</script>').head.article_body


@pytest.mark.parametrize(
    "word",
    ["og:type:article", "twitter:card:summary large", "generator:wordpress shop", "m:author",
     "m:description", "m:og:description", "m:article:published_time", "m:price", "r:amphtml",
     "r:next", "ld:newsarticle", "ld:thing", "b:no", "b:single", "b:posttemplate", "b:top",
     "it:blogposting", "narticle:1", "nh1:1", "np:2", "nli:3", "ntable:0"],
)  # fmt: skip
def test_every_kind_of_key_is_read(word: str) -> None:
    assert word in WORDS


def test_what_says_nothing_of_the_kind_of_page_is_left_out() -> None:
    assert not {word for word in WORDS if "trap" in word or "viewport" in word or "123" in word}
    assert "r:stylesheet" not in WORDS
    assert len(WORDS) == len(set(WORDS))
    assert sum(word.startswith("n") for word in WORDS) == len(COUNTED_TAGS)


def test_descriptions_and_the_article_body_are_texts() -> None:
    head = blockify(PAGE).head
    assert head.description == "Pools along the shore are warming. The sea stars leave."
    assert head.article_body == 'Pools "along" the\nshore — are warming.'


@pytest.mark.parametrize(("number", "step"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (9, 3),
                                              (10, 4), (29, 4), (30, 5), (900, 5)])  # fmt: skip
def test_elements_are_counted_in_steps(number: int, step: int) -> None:
    assert f"nbutton:{step}" in blockify("<button>Buy</button>" * number).head.words


def test_the_longest_article_body_is_kept() -> None:
    bodies = [json.dumps({"articleBody": text}) for text in ("short", "the longest one", "middle")]
    page = "".join(f'<script type="application/ld+json">{body}</script>' for body in bodies)
    assert blockify(page).head.article_body == "the longest one"


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ('{"articleBody": "no end', ""),
        ('{"articleBody": "bad \\x escape"}', "bad \\x escape"),
        ('{"articleBody": "a\nb"', "a\nb"),
        ('[{"@graph": [{,,, "articleBody" : "in broken JSON"', "in broken JSON"),
        ('{"articleBody": null}', ""),
        ('{"articleBody": ["list"]}', ""),
        ("{" * 50_000, ""),
        ('{"articleBody": "' + '\\"' * 90_000 + '"}', '"' * 90_000),
        ('"articleBody":"' * 30_000, ""),
    ],
    ids=range(9),
)
def test_invalid_json_ld_is_read_as_far_as_possible(source: str, body: str) -> None:
    assert ld_body(source) == body


def test_huge_attributes_and_scripts_are_cut() -> None:
    huge = "word " * 400_000
    many = " ".join(f"name{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]}" for n in range(900))
    head = blockify(
        f'<html class="{huge}"><meta name="description" content="{huge}">'
        f'<meta name="og:type" content="{huge}"><meta name="article:{huge}" content="x">'
        f'<body class="{many}" itemtype="{huge}"><script type="application/ld+json">'
        f'{{"articleBody": "{huge[:900_000]}"}}</script>',
        max_bytes=100_000_000,
    ).head
    assert len(head.description) == MAX_DESCRIPTION_CHARS
    assert len(head.article_body) == MAX_BODY_CHARS
    assert len(head.words) <= 200
    assert max(map(len, head.words)) <= 64
    assert "og:type:word word" in head.words


def test_a_page_that_says_nothing_has_counts_only() -> None:
    head = blockify("").head
    assert (head.description, head.article_body) == ("", "")
    assert set(head.words) == {f"n{tag}:0" for tag in COUNTED_TAGS}
    assert Head().words == ()


@QUICK
@given(any_html)
def test_no_bytes_make_it_raise(html: bytes) -> None:
    head = blockify(html).head
    assert all(isinstance(word, str) and word for word in head.words)
    assert len(head.words) == len(set(head.words)) <= 200
    assert blockify(html).head == head


def test_item_types_are_those_below_the_root() -> None:
    page = blockify(
        '<html itemtype="a/WebPage"><?x itemtype="a/No"?><p itemtype="a/Thing">A<b itemtype>B'
    )
    assert [word for word in page.head.words if word.startswith("it:")] == ["it:thing", "it:"]
