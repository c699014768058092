"""Parts that stand twice on a page, for another device or the like."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.food_pages import PARAGRAPHS

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.copies import copied
from scrapy_boilernet.extractor.html.blockify import blockify

PART = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS[:2])
OTHER = f"<p>{PARAGRAPHS[2]}</p>"


def left(html: str, dropped: str = "") -> list[tuple[str, str]]:
    """The texts that are left, each with the class words of the outermost element below the body,
    if all blocks but those that begin with ``dropped`` are kept.
    """
    page = blockify(f"<body>{html}</body>")
    kept = np.array([not (dropped and text.startswith(dropped)) for text in page.texts])
    found = copied(page, kept)
    return [
        (block.text, block.class_words[2])
        for block, keep in zip(page.blocks, kept & ~found, strict=True)
        if keep
    ]


@pytest.mark.parametrize(
    ("first", "second", "stays"),
    [
        ("desktop", "mobile", 0),
        ("mobile", "desktop", 1),
        ("show-desktop", "show-tablet", 0),
        ("d-none d-md-block", "d-md-none", 0),
        ("d-md-none", "d-none d-md-block", 1),
        ("hidden md:block", "md:hidden", 0),
        ("md:hidden", "hidden md:flex", 1),
        ("hidden-xs", "visible-xs", 0),
        ("visible-xs", "hidden-xs", 1),
        ("elementor-hidden-mobile", "elementor-hidden-desktop", 0),
        ("hide-for-small", "hide-for-large", 0),
        ("content", "print-only", 0),
        ("print-only", "content", 1),
        ("content", "mobile-content", 0),
        ("mobile-content", "content", 1),
        ("content", "desktop-content", 0),
        ("slide", "slide slick-cloned", 0),
        ("testimonial-slide", "testimonial-slide", 0),
        ("carousel-item", "carousel-item", 0),
        ("marquee", "marquee", 0),
        ("swiper-slide swiper-slide-duplicate", "swiper-slide", 1),
        ("ssr-variant hidden-a1b2c3", "ssr-variant hidden-d4e5f6", 0),
        ("mobile", "mobile", 0),
    ],
)
def test_one_of_two_parts_stays(first: str, second: str, stays: int) -> None:
    html = f'<div class="{first}">{PART}</div>{OTHER}<div class="{second}">{PART}</div>'
    page = blockify(html)
    words = [page.blocks[0].class_words[2], page.blocks[-1].class_words[2]][stays]
    assert [text for text, _ in left(html)] == [
        *(PARAGRAPHS[:2] if not stays else ()),
        PARAGRAPHS[2],
        *(PARAGRAPHS[:2] if stays else ()),
    ]
    assert {around for text, around in left(html) if text != PARAGRAPHS[2]} == {words}


def test_what_is_for_browsers_without_scripts_is_a_copy() -> None:
    html = f"<div class=app>{PART}</div><noscript><div>{PART}</div></noscript>"
    assert [text for text, _ in left(html)] == [*PARAGRAPHS[:2]]
    assert [text for text, _ in left(f"<noscript><div>{PART}</div></noscript>")] == [
        *PARAGRAPHS[:2]
    ]


def test_the_beginning_of_the_answered_post_is_a_copy() -> None:
    post = f'<div class="post"><div class="content">{PART}</div></div>'
    above = f'<button class="btn-ghost"><div class="line-clamp-1">{PART}</div></button>'
    answer = f'<div class="post">{above}<div class="content">{OTHER}</div></div>'
    assert [text for text, _ in left(post + answer)] == [*PARAGRAPHS[:3]]


@pytest.mark.parametrize(
    "html",
    [
        f"<div class=post>{PART}</div><div class=post><blockquote>{PART}</blockquote></div>",
        f"<div class=content>{PART}</div><div class=content>{PART}</div>",
        f'<body class="mobile-menu"><div>{PART}</div><div>{PART}</div>',
        f'<main class="desktop"><div>{PART}</div><div>{PART}</div></main>',
        f'<div class=a>{PART}</div><div class="overflow-hidden md-flex">{PART}</div>',
        f'<div class=a>{PART}</div><div class="text-decoration-none md-4">{PART}</div>',
        f'<div class=a>{PART}</div><div class="columns is-mobile">{PART}</div>',
        f'<div class=a>{PART}</div><div class="md-flex col-sm-6">{PART}</div>',
    ],
)
def test_other_texts_that_stand_twice_stay(html: str) -> None:
    assert [text for text, _ in left(html)] == [*PARAGRAPHS[:2], *PARAGRAPHS[:2]]


def test_a_part_with_a_text_of_its_own_stays() -> None:
    html = f"<div class=a>{PART}</div><div class=mobile><p>{PARAGRAPHS[0]}</p>{OTHER}</div>"
    assert [text for text, _ in left(html)] == [*PARAGRAPHS[:2], PARAGRAPHS[0], PARAGRAPHS[2]]


def test_a_part_whose_other_copy_is_dropped_stays() -> None:
    html = f"<div class=desktop><p>Home</p></div><div class=mobile>{PART}</div>"
    assert [text for text, _ in left(html, "Home")] == [*PARAGRAPHS[:2]]


@pytest.mark.parametrize("classes", ["slide", "promo-carousel-cell", "ticker-text"])
def test_a_slide_that_recurs_is_in_the_text_once(classes: str) -> None:
    slides = f'<div class="{classes}"><p>{PARAGRAPHS[0]}</p></div>' * 6
    assert [text for text, _ in left(slides + OTHER)] == [PARAGRAPHS[0], PARAGRAPHS[2]]


def test_slides_with_one_button_stay() -> None:
    slide = '<div class="slide"><p>{}</p><p>Read the whole story</p></div>'
    html = "".join(map(slide.format, PARAGRAPHS))
    assert len(left(html)) == 2 * len(PARAGRAPHS)


def test_labels_that_recur_stay() -> None:
    row = '<tr><td>{}</td><td class="hidden-xs">Available in all of our stores</td></tr>'
    html = "<table>" + "".join(map(row.format, "abcde")) + "</table>"
    assert len(left(html)) == 10


def test_a_short_label_stays() -> None:
    html = "<div class=desktop><p>Share</p></div><div class=mobile><p>Share</p></div>"
    assert len(left(html)) == 2


def test_markdown_and_text_have_it_once() -> None:
    long = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    html = (
        "<html><head><title>Soup</title></head><body><article><h1>Soup</h1>"
        f'<div class="hidden lg:block">{long}</div><div class="lg:hidden">{long}</div></article>'
    )
    result = extract(html, "https://blog.example.com/soup", formats=("markdown",))
    assert result.text.count(PARAGRAPHS[1]) == 1
    assert result.markdown is not None
    assert result.markdown.count(PARAGRAPHS[1]) == 1
    steps = [
        step
        for block, step in zip(result.page.blocks, result.steps, strict=True)
        if block.text == PARAGRAPHS[1]
    ]
    assert steps == ["model", "copy"]


PARTS = st.lists(
    st.tuples(
        st.sampled_from(("mobile", "desktop", "print", "a", "md:hidden", "swiper-slide-duplicate")),
        st.lists(st.sampled_from(PARAGRAPHS), min_size=1, max_size=3),
    ),
    min_size=1,
    max_size=6,
)


@given(PARTS)
def test_no_text_is_lost(parts: list[tuple[str, list[str]]]) -> None:
    html = "".join(
        f'<div class="{words}">{"".join(f"<p>{text}</p>" for text in texts)}</div>'
        for words, texts in parts
    )
    assert {text for text, _ in left(html)} == {text for _, texts in parts for text in texts}


def thread(subjects: list[str], headline: str = "Stuck gate at the lower weir") -> str:
    posts = "".join(
        f"<div class=post><h3><a>{subject}</a></h3><p>{n}. {PARAGRAPHS[0]}</p></div>"
        for n, subject in enumerate(subjects)
    )
    return f"<h2>{headline}</h2>{posts}"


@pytest.mark.parametrize("reply", ["Re: ", "RE:", "Re : ", "AW: ", "Re[2]: ", "Ответ: ", "回复："])
@pytest.mark.parametrize("behind", ["", " by Ada: 3:21pm on May 9"])
def test_subjects_of_replies_say_the_headline_again(reply: str, behind: str) -> None:
    subject = f"{reply}Stuck gate at the lower weir{behind}"
    texts = [text for text, _ in left(thread([subject, subject.upper(), subject]))]
    assert not any("gate" in text.lower() for text in texts[1:])
    assert len(texts) == 4
    assert texts[0] == "Stuck gate at the lower weir"


@pytest.mark.parametrize(
    "subjects",
    [
        ["Re: Stuck gate at the lower weir", "The gate again"],  # one
        ["Re: Geese at the lower weir", "Re: Geese at the lower weir"],  # no headline of the page
        ["Re: Geese", "Re: Stuck gate at the lower weir"],  # two
        ["Stuck gate at the lower weir", "Stuck gate at the lower weir"],  # no replies
        [f"Re: Stuck gate at the lower weir, {PARAGRAPHS[0]}"] * 2,  # sentences
        ["Re: Stuck gate at the lower weir again", "Re: Stuck gate at the lower weir, no"],
    ],
)
def test_other_subjects_stay(subjects: list[str]) -> None:
    texts = [text for text, _ in left(thread(subjects))][1:]
    assert [*filter(subjects.__contains__, texts)] == subjects


def test_a_list_of_replies_is_no_thread() -> None:
    items = "".join(f"<li><a>Re: Stuck gate</a> {name}</li>" for name in ("Ada", "Bob", "Cid"))
    assert len(left(f"<h1>Stuck gate</h1><ul>{items}</ul>")) == 4
