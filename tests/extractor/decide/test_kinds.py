"""Kinds of content: headline, captions, readers' comments, and what settings make of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.captions import find_captions
from scrapy_boilernet.extractor.decide.comments import find_comments
from scrapy_boilernet.extractor.decide.headline import find_title
from scrapy_boilernet.extractor.decide.kinds import (
    apply_options,
    block_kinds,
    drops_comments,
    found_in,
)
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.options import KIND_OPTIONS, LabelOptions
from scrapy_boilernet.extractor.page import Page

TEXT = "Pools that the tide leaves behind warm up by several degrees before the water comes back."
COMMENT = "I have seen crabs in them at night, more than in any other place on that coast."
ARTICLE = (
    f"<title>Warm tide pools at night - The Coast</title><h1>Warm tide pools at night</h1><p>{TEXT}"
)


def comments(inner: str, before: str = ARTICLE) -> list[str]:
    """Texts of the comments if every block is content."""
    page = blockify(before + inner)
    return [page.blocks[i].text for i in sorted(find_comments(page, [True] * len(page.blocks)))]


def title(html: str, decided: list[bool] | None = None) -> list[str]:
    page = blockify(html)
    found = find_title(page, decided or [True] * len(page.blocks))
    return [page.blocks[i].text for i in sorted(found)]


@pytest.mark.parametrize(
    "inner",
    [
        f"<div id=comments><div class=comment><p>{COMMENT}</p></div></div>",
        f"<ul id=replies><li class=reply><p>{COMMENT}</p></li></ul>",
        f"<div id=reviews><div class=review-body><p>{COMMENT}</p></div></div>",
        f"<ol class=commentlist><li class='comment even'><div><p>{COMMENT}</p></div></li></ol>",
        f"<section class=post-replies><article class=user><p>{COMMENT}</p></article></section>",
        f"<div id=disqus_thread><div><p>{COMMENT}</p></div></div>",
        f"<div class=userComments><p>{COMMENT}</p></div>",
        f"<div class=commentBody><p>{COMMENT}</p></div>",
        f"<div class=customer-reviews><p>{COMMENT}</p></div>",
        *(
            f"<div id={word}><div class=body><p>{COMMENT}</p></div></div>"
            for word in (
                "kommentare",
                "leserkommentare",
                "kommentarer",
                "kommentit",
                "komentarze",
                "komentar-drzewo",
                "comentarios",
                "comentarii",
                "reacties",
                "yorumlar",
                "otzyvy",
                "hozzaszolasok",
                "binh-luan",
                "pinglun",
            )
        ),
    ],
)
def test_comments_are_found_by_the_words_of_their_area(inner: str) -> None:
    assert comments(inner) == [COMMENT]


@pytest.mark.parametrize(
    "inner",
    [
        *(
            f"<{tag}><h2>{heading}</h2><p>{COMMENT}</p>"
            f"<pre><b class=comment># {heading}</b></pre>"
            f"<section id={word}-style><h3>{heading}</h3><p>{COMMENT}</p></section></section></div>"
            for word, heading in (
                ("comments", "Comments"),
                ("comments", "Kommentare"),
                ("comments", "Commentaires"),
                ("replies", "Replies"),
                ("responses", "Respuestas"),
                ("reviews", "Reviews"),
                ("comments", "コメント"),
            )
            for tag in (
                f"section id={word}",
                f"div class=section id={word}",
                f"div class={word} id={word}",
                f"section class={word}",
                f"div id={word}",
            )
        ),
        f"<div class=recommended><p>{COMMENT}</p></div>",
        f"<div class=comment-form><p>{COMMENT}</p></div>",
        f"<div class=recent-comments><p>{COMMENT}</p></div>",
        f"<div class=widget><ul class=comments><li>{COMMENT}</ul></div>",
        f"<aside><ul class=comments><li>{COMMENT}</ul></aside>",
        f"<div id=comments><form><p>{COMMENT}</p></form></div>",
        f"<div id=comments><div id=respond><p>{COMMENT}</p></div></div>",
        f"<div id=comments hidden><p>{COMMENT}</p></div>",
        f"<div id=comments><div class=reply-link><p>{COMMENT}</p></div></div>",
        f"<div class='teaser label-comment'><p>{COMMENT}</p></div>",
        f"<a class=post-comments>{COMMENT}</a>",
    ],
)
def test_sections_of_manuals_forms_tools_and_teasers_are_no_comments(inner: str) -> None:
    assert comments(inner) == []


def test_comments_beside_the_main_text_in_a_layout_named_sidebar_are_the_pages() -> None:
    within = (
        f"<div class=content-sidebar-wrap>{ARTICLE}<div class=comment-list><p>{COMMENT}</p></div>"
    )
    assert comments(within, before="") == [COMMENT]
    inner = f"<p>{COMMENT}</p><p>{TEXT}</p></div>"
    beside = f"<div class=content-sidebar-wrap><div class=comment-list>{inner}"
    assert comments(beside) == []


def test_a_class_of_the_whole_page_makes_no_comments() -> None:
    assert comments("", f"<html><body class=comments-open>{ARTICLE}") == []


def test_a_thread_of_nothing_but_comments_is_the_main_text() -> None:
    thread = "".join(f"<div class=comment><p>{n}. {COMMENT}</p></div>" for n in range(9))
    assert comments(thread, "<title>Where are the crabs</title><h1>Where are the crabs</h1>") == []
    page = blockify(f"<h1>Where are the crabs</h1>{thread}")
    every = [True] * len(page.blocks)
    kinds = block_kinds(page, every, found_in(page, every))
    assert kinds[1:] == ("main",) * 9


def test_text_that_the_model_leaves_out_does_not_make_a_page_an_article() -> None:
    page = blockify(f"<p>{TEXT}</p><div class=comment-body><p>{COMMENT}</p></div>")
    assert find_comments(page, [True, False]) == {1}
    assert find_comments(page, [False, True]) == set()


@pytest.mark.parametrize(
    ("html", "found"),
    [
        (ARTICLE, "Warm tide pools at night"),
        (f"<title>Coast | Warm tide pools</title><b class=headline>Warm tide pools</b><p>{TEXT}",
         "Warm tide pools"),
        (f"<title>The Coast: Warm tide pools at night</title><h1>The Coast</h1><p>Monday"
         f"<h2>Warm tide pools at night</h2><p>{TEXT}", "Warm tide pools at night"),
        (f"<title>潮だまり | 海岸</title><h1>潮だまり</h1><p>{TEXT}", "潮だまり"),
        (f"<title>The Coast</title><h1>Warm tide pools</h1><p>{TEXT}", "Warm tide pools"),
        (f"<h1>Nature</h1><h1>Warm tide pools</h1><p>{TEXT}", "Warm tide pools"),
        (f"<title>The Coast</title><h1 class=site-title>The Coast</h1><h1>Warm tide pools</h1>"
         f"<p>{TEXT}", "Warm tide pools"),
        (f"<title>Warm tide pools at night</title><h2>Warm tide pools at night</h2>"
         f"<h1>Warm tide pools night</h1><p>{TEXT}", "Warm tide pools night"),
    ],
)  # fmt: skip
def test_the_title_is_the_heading_most_like_the_pages(html: str, found: str) -> None:
    assert title(html) == [found]


@pytest.mark.parametrize(
    "html",
    [
        f"<h2>Warm tide pools</h2><p>{TEXT}",  # a page without title
        f"<title>Warm tide pools</title><h2>News of the day</h2><p>{TEXT}",
        f"<title>Warm tide pools</title><div class=logo><h1>Warm tide pools</h1></div><p>{TEXT}",
        f"<title>Warm tide pools</title><p>Warm tide pools</p><p>{TEXT}",  # no heading
        f"<title>Warm tide pools</title><nav><h2>Warm tide pools</h2></nav><p>{TEXT}",
        f"<title>Warm tide pools</title><h1 hidden>Warm tide pools</h1><p>{TEXT}",
        f"<title>Warm tide pools</title><p>{TEXT * 4}</p><h2>Warm tide pools</h2>",  # too late
        "<title>Warm tide pools</title>",
    ],
)
def test_other_headings_are_no_title(html: str) -> None:
    assert title(html) == []


BOLD = [
    "<center><font size=5><b>{}</b></font></center>", "<p><strong>{}</strong></p>",
    "<div align=center><big>{}</big></div>", "<div><font size='+2'>{}</font></div>",
    "<center>{}</center>",
]  # fmt: skip


@pytest.mark.parametrize("bold", BOLD)
@pytest.mark.parametrize("name", ["Warm tide pools", "Warme Tümpel", "潮だまりの夜"])
def test_without_a_heading_a_bold_text_that_is_the_title_is_the_title(bold: str, name: str) -> None:
    html = f"<body bgcolor=white>{bold.format(name)}<p>{TEXT}"
    assert title(f"<title>{name}</title>{html}") == [name]
    assert title(f"<title>Coast | {name}</title>{html}") == [name]
    assert title(f"<title>News</title>{html}") == []
    assert title(f"<title>{name}</title>{html}<h1>Other</h1>") == ["Other"]
    assert title(f"<title>{name}</title><h2>{name}</h2><p>a</p>{html}") == [name]
    for around in (
        "<nav>{}</nav>",
        "<ul><li>{}</ul>",
        "<a href=/>{}</a>",
        "<div class=logo>{}</div>",
    ):
        menu = around.format(bold.format(name))
        assert title(f"<title>{name}</title>{menu}<p>{TEXT}") == []


def test_one_bold_word_is_no_title() -> None:
    assert title(f"<title>Contact</title><b>Contact</b><p>{TEXT}") == []


def test_a_headline_that_stands_twice_is_one_title() -> None:
    twice = "<title>Warm pools</title><h1>Warm pools</h1><h1>Warm pools</h1>"
    assert title(f"{twice}<p>{TEXT}") == ["Warm pools", "Warm pools"]
    assert title(f"{twice}<p>{TEXT}<h1>Warm pools</h1>") == ["Warm pools", "Warm pools"]


def test_a_page_without_content_has_no_title() -> None:
    assert title(ARTICLE, [False, False]) == []


def captions(inner: str) -> list[str]:
    page = blockify(inner)
    return [page.blocks[i].text for i in sorted(find_captions(page, [True] * len(page.blocks)))]


@pytest.mark.parametrize(
    "inner",
    [
        "<figure><img src=a.jpg><figcaption>{}</figcaption></figure>",
        "<figure><figcaption class=below><span>{}</span></figcaption></figure>",
        "<div class=wp-caption><p class=wp-caption-text>{}</p></div>",
        "<div class=photo><span class=photo-credit>{}</span></div>",
        "<div class=legende>{}</div>",
        "<div class=thumb><img src=a.jpg><div class=thumbcaption>{}</div></div>",
        "<img src=a.jpg><p class=storyPhotoCaption>{}</p>",
        "<img src=a.jpg><p class=image-attrib>{}</p>",
        "<p class=wp-caption-text><em>{}</em></p>",
        "<div class=picture><span class=img-description>{}</span></div>",
        "<table><tr><td><img src=a.jpg><tr><td><span class=caption><i>{}</i></span></table>",
        "<table><tr><td><img src=a.jpg><tr><td class=tr-caption>{}</table>",
    ],
)
def test_captions_are_found_by_their_own_element(inner: str) -> None:
    text = "A pool at night, two hours after the tide."
    assert captions(ARTICLE + inner.format(text) + f"<p>{TEXT}") == [text]
    assert captions(f"{ARTICLE}<nav>{inner.format(text)}</nav><p>{TEXT}") == []


def test_a_photo_credit_is_found_by_its_beginning() -> None:
    assert captions(f"{ARTICLE}<p>Foto: A. Diver</p><p>{TEXT}") == ["Foto: A. Diver"]
    assert captions(f"{ARTICLE}<p>(Image credit: A. Diver)</p>") == ["(Image credit: A. Diver)"]
    assert captions(f"{ARTICLE}<p>Photo: {TEXT * 2}</p><p>Photos of the pools</p>") == []


@pytest.mark.parametrize(
    "inner",
    [
        f"<div class=caption><p>{TEXT}</p></div>",  # a teaser of many cards
        f"<p class=caption>{TEXT * 9}</p>",
        f"<table><tr><td class=caption>{TEXT}</td></tr></table>",
        f"<p class=caption><a href=/a>{TEXT}</a></p>",  # a teaser
        f"<p class=copyright><span>{TEXT}</span></p>",
        f"<div class=image-description-list><div><i>{TEXT}</i></div></div>",
        "<figure><figcaption hidden>A pool</figcaption></figure>",
    ],
)
def test_other_blocks_are_no_captions(inner: str) -> None:
    assert captions(f"{ARTICLE}{inner}<p>{TEXT}") == []


def test_captions_far_from_the_content_are_of_other_articles() -> None:
    caption = "<figure><figcaption>A pool at night</figcaption></figure>"
    links = "".join(f"<p>Link {n}</p>" for n in range(30))
    page = blockify(f"{caption}{links}{caption}{ARTICLE}{caption}{caption}{links}{caption}")
    places = [i for i, block in enumerate(page.blocks) if block.text == "A pool at night"]
    decided = [block.text == TEXT for block in page.blocks]
    assert sorted(find_captions(page, decided)) == places[1:3]
    assert find_captions(page, [False] * len(decided)) == frozenset()


PAGE = blockify(
    f"{ARTICLE}<figure><figcaption>A pool</figcaption></figure>"
    f"<div id=comments><p>{COMMENT}</p></div><p>All rights reserved."
)


KINDS_OF_PAGE = ("title", "main", "caption", "comment", "boilerplate")


@pytest.mark.parametrize(
    ("options", "kept", "steps"),
    [
        ({}, "-mcr-", {}),
        ({"title": "keep"}, "tmcr-", {0: "title"}),
        ({"title": "drop"}, "-mcr-", {}),
        ({"comments": "drop"}, "-mc--", {3: "comments"}),
        ({"comments": "auto"}, "-mc--", {3: "comments"}),
        ({"comments": "auto", "threshold": 0.5}, "-mcr-", {}),
        ({"comments": "keep"}, "-mcr-", {}),
        ({"captions": "drop"}, "-m-r-", {2: "captions"}),
        ({"captions": "keep", "comments": "keep"}, "-mcr-", {}),
        (
            {"comments": "drop", "title": "keep", "captions": "drop"},
            "tm---",
            {0: "title", 2: "captions", 3: "comments"},
        ),
    ],
)
def test_options_overrule_the_model_and_change_no_kind(
    options: dict[str, Any], kept: str, steps: dict[int, str]
) -> None:
    decided = [False, True, True, True, False]
    found = found_in(PAGE, decided)
    own, own_steps = [*decided], ["model"] * 5
    given: dict[str, Any] = {"comments": "model", **options}
    apply_options(LabelOptions(**given), PAGE, found, own, own_steps, None)
    assert own == [letter != "-" for letter in kept]
    assert own_steps == [steps.get(i, "model") for i in range(5)]
    assert block_kinds(PAGE, own, found) == KINDS_OF_PAGE


@pytest.mark.parametrize(
    ("learned", "expected"), [(0.0, True), (0.25, True), (0.35, False), (1.0, False), (None, True)]
)
@pytest.mark.parametrize("url", ["https://example.org/pools", "https://example.org/forum/12"])
def test_comments_stay_on_threads_and_where_the_model_takes_them_for_the_text(
    learned: float | None, expected: bool, url: str
) -> None:
    page = replace(PAGE, url=url)
    scores = None if learned is None else np.full(5, learned, np.float32)
    found = found_in(page, [False, True, True, True, False])
    assert drops_comments(page, found.comments, scores) == (expected and "forum" not in url)
    assert not drops_comments(page, frozenset(), scores)


def test_the_mean_over_comments_weighs_their_words() -> None:
    html = "".join(f"<div class=comment-body><p>{n * COMMENT}</p></div>" for n in (1, 9))
    page = blockify(f"{ARTICLE}<div id=comments class=comment-thread>{html}</div>")
    long = max(range(len(page.blocks)), key=lambda i: len(page.blocks[i].text))
    found = found_in(page, [text == TEXT for text in page.texts])
    assert len(found.comments) == 2
    for kept in found.comments:
        learned = np.zeros(len(page.blocks), np.float32)
        learned[kept] = 1
        assert drops_comments(page, found.comments, learned) == (kept != long)


@pytest.mark.parametrize(
    ("head", "classes", "expected"),
    [
        ("", "comment-thread", False),
        ("<meta property=og:type content=website>", "comment-thread", False),
        ("<meta property=og:type content=article>", "comment-thread", True),
        ("<meta property=og:type content=article>", "post-replies", False),
        ("<meta property=og:type content=article>", "top-responses", False),
        ("<meta property=og:type content=product>", "comment-thread", True),
        ('<script type=application/ld+json>{"@type": "Product"}</script>', "reviews-list", True),
        ("", "commentlist", True),
        ("", "avatar-comment-indent", True),
        ("", "dsq-comments disqus-thread", True),
        ("", "product-reviews", True),
        ("<meta property=og:type content=article><body class=forum>", "commentlist", False),
    ],
)
def test_comments_below_articles_and_products_are_none_whatever_the_model_says(
    head: str, classes: str, expected: bool
) -> None:
    comments = f'<div class="comment-body"><p>{COMMENT}</p></div>'
    page = blockify(f"{head}{ARTICLE}<div id=comments class='{classes}'>{comments}</div>")
    found = found_in(page, [text == TEXT for text in page.texts])
    learned = np.ones(len(page.blocks), np.float32)
    assert found.comments
    assert drops_comments(page, found.comments, learned) == expected


def test_what_customers_say_of_a_product_in_a_text_of_the_site_is_no_comment() -> None:
    for classes in ("testimonials-comments", "comment testimonial"):
        html = f'{ARTICLE}<div class="{classes}"><p class=author>Ada</p><p>{COMMENT}</p></div>'
        page = blockify(html)
        assert not found_in(page, [text == TEXT for text in page.texts]).comments


@pytest.mark.parametrize(("mean", "kept"), [(0.0, "-mc--"), (0.29, "-mc--"), (0.31, "-mcr-")])
def test_auto_asks_a_model_that_has_learned_which_comments_are_content(
    mean: float, kept: str
) -> None:
    decided = [False, True, True, True, False]
    own, learned = [*decided], np.full(5, mean, np.float32)
    apply_options(LabelOptions(), PAGE, found_in(PAGE, decided), own, ["model"] * 5, learned)
    assert own == [letter != "-" for letter in kept]


pages = st.lists(
    st.sampled_from(
        [f"<p>{TEXT}", "<h1>Warm tide pools</h1>", f"<div class=comment><p>{COMMENT}</p></div>",
         "<h2 class=title>Warm pools</h2>", "<figure><figcaption>Photo: me</figcaption></figure>",
         "<form><p>Name</p></form>", "<p>!"]
    ), max_size=12,
).map(lambda parts: blockify("<title>Warm tide pools</title>" + "".join(parts)))  # fmt: skip


choices = st.sampled_from(KIND_OPTIONS)


@given(pages, st.data(), choices, choices, choices)
def test_options_decide_by_kind_and_the_steps_tell_what_they_changed(
    page: Page, data: st.DataObject, title: Any, comments: Any, captions: Any
) -> None:
    size = len(page.blocks)
    decided = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    found = found_in(page, decided)
    kept, steps = [*decided], ["model"] * size
    options = LabelOptions(title=title, comments=comments, captions=captions)
    apply_options(options, page, found, kept, steps, False)
    kinds = block_kinds(page, kept, found)
    assert [kind == "boilerplate" for kind in kinds] == [
        not keep and i not in frozenset().union(*found) for i, keep in enumerate(kept)
    ]
    choices = {"title": title, "comment": comments, "caption": captions}
    for kind, keep in zip(kinds, kept, strict=True):
        if choices.get(kind, "model") != "model":
            assert keep == (choices[kind] == "keep")
    assert [step != "model" for step in steps] == [
        keep != before for keep, before in zip(kept, decided, strict=True)
    ]
    if {title, comments, captions} == {"model"}:
        assert kept == decided


@pytest.mark.parametrize("hides", ["hidden", "style='display: none'", "class=d-none"])
@pytest.mark.parametrize("options", [{}, {"hidden": "model"}])
def test_hidden_text_that_is_content_has_its_kinds(hides: str, options: dict[str, Any]) -> None:
    html = (
        f"<title>Council votes</title><main><article {hides}><h1>Council votes</h1>"
        f"{f'<p>{TEXT}</p>' * 6}<div id=comments class=comment-list><div class=comment-body>"
        f"<p>{COMMENT}</p></div></div></article></main>"
    )
    given: dict[str, Any] = {"title": "keep", "comments": "keep", "formats": ["markdown"]}
    result = extract(html, engine="numpy", **given, **options)
    assert result.source == ("hidden" if not options else "model")
    assert (result.kinds[0], result.kinds[-1]) == ("title", "comment")
    assert result.text.startswith("Council votes\n")
    assert result.text.endswith(COMMENT)
    assert (result.markdown or "").startswith("# Council votes\n")


def test_hidden_text_beside_an_article_has_no_kinds() -> None:
    html = f"<title>Council votes</title><main><h1 hidden>Council votes</h1>{ARTICLE}</main>"
    assert extract(html, engine="numpy", title="keep").kinds[0] == "hidden"
