"""What a page states about itself: every syntax, and that no page makes it raise or take long."""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.json_ld import MAX_OBJECTS, read_json_ld
from scrapy_boilernet.extractor.metadata import Stated, StatedObject

PAGE = """<!DOCTYPE html><html lang="en-GB"><head><title>Tide pools warm | The Shore</title>
<base href="https://shore.example/news/">
<meta property="og:title" content="Tide pools warm"><meta NAME="Author" content=" Ann  Lee ">
<meta name="date" content="2024-05-01"><meta name="empty" content=" ">
<meta name="viewport" content="w">
<link rel="canonical" href="/pools"><link rel="stylesheet" href="/s.css">
<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
 {"@type": ["NewsArticle", "schema:Thing"], "headline": "Tide &amp; pools",
  "author": {"@id": "#ann"},
  "image": {"@type": "ImageObject", "url": "/pool.jpg"}, "isAccessibleForFree": false},
 {"@type": "http://schema.org/Person", "@id": "#ann", "name": "Ann Lee"}]}</script></head>
<body><nav><img src="/logo.png" width="50"></nav>
<article itemscope itemtype="https://schema.org/BlogPosting">
<h1 itemprop="headline">Tide pools warm</h1>
<div class="byline">By <span itemprop="author" itemscope itemtype="https://schema.org/Person">
<a rel="author" href="/ann"><b itemprop="name">Ann Lee</b></a></span></div>
<time datetime="2024-05-01T08:00:00Z" class="posted">May 1</time>
<img src="/pool.jpg" width="800" height="600px">
<p id="author-note">Pools along the shore warm up.</p>
</article><div id="root"></div><script>var x = 1</script></body></html>"""
any_html = st.one_of(
    st.binary(max_size=300),
    st.lists(
        st.sampled_from(
            [
                "<meta name=author content='",
                "'>",
                ">",
                '"',
                "<div class=author>",
                "<time datetime=",
                "<script type=application/ld+json>",
                '{"@type":',
                '"@graph":[',
                "\\ud800",
                "\\",
                "\\u12",
                "</script>",
                "<p itemprop=author itemscope>",
                "<b itemprop=name>",
                "<img src=//[",
                "<html lang=é prefix=x>",
                "<p property=dc:date>",
                "\x00",
                "[",
                "]",
                "<!--",
                "-->",
                "<?pi",
                "\ud800",
                "<base href=//[",
                "/*",
                "//",
                "2024-13-45",
                "</div>",
                "<a rel=author>",
            ]
        ),
        max_size=25,
    ).map(lambda parts: "".join(parts).encode("utf-8", "surrogatepass")),
)


def stated_of(html: str | bytes) -> Stated:
    stated = blockify(html, "https://shore.example/news/pools", stated=True).stated
    assert stated is not None
    return stated


STATED = stated_of(PAGE)


def test_a_page_states_nothing_unless_asked() -> None:
    assert blockify(PAGE).stated is None
    assert blockify(PAGE, stated=True).blocks == blockify(PAGE).blocks
    assert blockify(PAGE, stated=True).head == blockify(PAGE).head


def test_the_head_is_read() -> None:
    assert STATED.language == "en-GB"
    assert stated_of("<html xml:lang=ja><p>a").language == "ja"
    assert stated_of("<html xml:lang=ja lang=en><p>a").language == "en"
    assert STATED.base == "https://shore.example/news/"
    assert STATED.meta("og:title") == "Tide pools warm"
    assert STATED.meta("nothing", "author") == "Ann Lee"
    assert dict(STATED.metas).keys() == {"og:title", "author", "date"}
    assert STATED.links == (("canonical", "/pools"),)
    assert STATED.scripts == 2
    assert STATED.empty_app


def test_json_ld_refers_to_other_objects_of_its_page() -> None:
    article = STATED.objects[0]
    assert article.types == ("newsarticle", "thing")
    assert article.first("headline") == "Tide & pools"
    assert article.first("author") == "Ann Lee"
    assert article.first("image") == "/pool.jpg"
    assert article.first("isaccessibleforfree") == "false"


def test_microdata_is_read_as_objects() -> None:
    posting = next(one for one in STATED.objects if one.types == ("blogposting",))
    assert posting.syntax == "microdata"
    assert posting.first("headline") == "Tide pools warm"
    assert posting.first("author") == "Ann Lee"


def test_rdfa_in_the_body_is_read_as_objects() -> None:
    html = (
        '<html prefix="schema: http://schema.org/"><body><div typeof="schema:Article">'
        '<span property="schema:author">Bo Chan</span>'
        '<span property="schema:dateCreated" content="2023-01-02">Monday</span></div>'
    )
    (one,) = stated_of(html).objects
    assert one.types == ("article",)
    assert one.values == (("author", "Bo Chan"), ("datecreated", "2023-01-02"))


def test_marks_know_their_block() -> None:
    page = blockify(PAGE, stated=True)
    marks = {mark.names.split()[0]: mark for mark in STATED.marks if mark.names}
    assert marks["byline"].text == "By Ann Lee"
    assert page.blocks[marks["byline"].block].text == "By Ann Lee"
    assert marks["posted"].value == "2024-05-01T08:00:00Z"
    assert "May 1" in page.blocks[marks["posted"].block].text
    assert "author-note" in marks


def test_pictures_have_sizes_and_blocks() -> None:
    logo, pool = STATED.pictures
    assert (logo.width, logo.height, pool.width, pool.height) == (50, 0, 800, 600)
    assert logo.block <= pool.block


def test_no_pictures_are_read_where_the_head_names_one() -> None:
    img = "<body><img src=/pool.jpg>"
    assert not stated_of(
        f'<meta property="og:image" content="https://a.example/b.jpg">{img}'
    ).pictures
    assert stated_of(f'<meta property="og:image" content="/b.jpg">{img}').pictures


def test_dates_in_scripts_are_read_where_nothing_else_states_one() -> None:
    data = '{"props":{\\"publishedAt\\":\\"2024-05-01T08:00:00Z\\"}}'
    assert stated_of(f"<script>x={data}</script>").meta("script:published").startswith("2024-05-01")
    dated = f"<meta name=date content=2023-01-01><script>x={data}</script>"
    assert not stated_of(dated).meta("script:published")


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "Article", "headline": "Pools",}',
        '{"@type": "Article", "headline": "Pools"};',
        '<!-- {"@type": "Article", "headline": "Pools"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "Pools"}\n//]]>',
        '/*<![CDATA[*/ {"@type": "Article", "headline": "Pools"} /*]]>*/',
        '{"@type": "Article", /* the title */ "headline": "Pools" // end\n}',
        '{"@type": "Article", "description": "a\tb\nc", "headline": "Pools"}',
        r'{"@type": "Article", "description": "it\'s", "headline": "Pools"}',
        '[{"@type": "Person", "name": "A"}, {"@type": "Article", "headline": "Pools"}]',
        '{"@type": "Person", "name": "A"}{"@type": "Article", "headline": "Pools"}',
        "[{&quot;@type&quot;: &quot;Article&quot;, &quot;headline&quot;: &quot;Pools&quot;}]",
        '{"@type": "WebPage", "mainEntity": {"@type": "Article", "headline": ["Pools", 3]}}',
        '{"@type": "Article", "headline": "Pools", "author": "unclosed',
    ],
)
def test_json_ld_in_the_wild_is_read(script: str) -> None:
    assert any(one.first("headline") == "Pools" for one in read_json_ld([script]))


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["@type", "@id", "@graph", "name", "author", "image", "x"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
@QUICK
def test_any_json_gives_plain_objects(value: Any) -> None:
    for one in read_json_ld([json.dumps(value)]):
        assert isinstance(one, StatedObject)
        assert all(isinstance(text, str) and text for _, text in one.values)


@given(any_html)
@QUICK
def test_any_page_states_something_bounded(html: bytes) -> None:
    page = blockify(html, stated=True)
    assert page.stated is not None
    assert all(0 <= mark.block <= len(page.blocks) for mark in page.stated.marks)
    json.dumps(page.stated.metas + page.stated.links)


@pytest.mark.parametrize(
    "html",
    [
        "<script type=application/ld+json>" + opening * 200_000
        for opening in ("[", '{"a":', "/*", '"\\', ", ")
    ]
    + [
        "<div class=author>" * 3_000 + "x" * 1_000_000,
        "<p itemprop=author itemscope itemtype=x/Person>" * 3_000,
        "<meta name=author content=x>" * 20_000,
        "<time datetime=2024>" * 20_000,
        "<p class='" + "author " * 100_000 + "'>x",
        '<script type=application/ld+json>[{"@id": "a", '
        + ",".join(f'"{i}": 1' for i in range(9_000))
        + "}"
        + ',{"@type": "Article", "author": {"@id": "a"}}' * 9_000
        + "]",
    ],
)
def test_page_bombs_are_read(html: str) -> None:
    stated = stated_of(html)
    assert len(stated.marks) <= 400
    assert len(stated.objects) <= MAX_OBJECTS + 400


@pytest.mark.skipif(not importlib.util.find_spec("extruct"), reason="extruct is not installed")
def test_objects_are_those_of_extruct() -> None:
    import extruct

    found = extruct.extract(PAGE, syntaxes=["json-ld", "microdata"], uniform=True)
    types = [one["@type"] for graph in found["json-ld"] for one in graph.get("@graph", [graph])]
    plain = {str(t[0] if isinstance(t, list) else t).rpartition("/")[2].lower() for t in types}
    assert plain <= {t for one in STATED.objects for t in one.types}
    (posting,) = found["microdata"]
    own = next(one for one in STATED.objects if one.types == ("blogposting",))
    assert own.first("headline") == posting["headline"]
    assert own.first("author") == posting["author"]["name"]
