"""What stands apart from the text by its class."""

from __future__ import annotations

import numpy as np
import pytest
from testing.food_pages import ABOUT as LINE
from testing.food_pages import APART as PARTS
from testing.food_pages import BESIDE_POSTS, PARAGRAPHS, UNFILLED

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.decide.apart import stands_apart
from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)


THREAD = "https://gardens.example/forum/soup"


def apart(html: str, keep: bool = True, url: str = "") -> list[str]:
    """The kept texts that stand apart, of a page of which all is kept, or nothing."""
    page = blockify(html, url or None)
    found = stands_apart(page, np.full(len(page.blocks), keep, np.bool_))
    return [text for text, is_apart in zip(page.texts, found, strict=True) if is_apart]


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("before", [True, False])
def test_parts_of_a_page_are_no_text(name: str, before: bool) -> None:
    html = f"{PARTS[name]}{TEXT}" if before else f"{TEXT}{PARTS[name]}"
    found = apart(f"<main>{html}</main>")
    assert LINE in found
    assert not {*found} & {*PARAGRAPHS}


@pytest.mark.parametrize("name", BESIDE_POSTS)
def test_what_stands_beside_posts_is_no_text_of_a_thread(name: str) -> None:
    html = f"<main>{TEXT}{BESIDE_POSTS[name]}</main>"
    found = apart(html, url=THREAD)
    assert LINE in found
    assert not {*found} & {*PARAGRAPHS}
    assert apart(html, url="https://gardens.example/people") == []


@pytest.mark.parametrize(
    "part",
    [
        f'<section id="get-user-info"><p>{LINE}</p></section>',
        f'<h2 id="user-details">{LINE}</h2>',
        f'<dl><dt id="client.last_edit">{LINE}</dt></dl>',
        f'<div class="post edited"><p>{LINE}</p></div>',
        f'<div class="facebook-like post-content"><p>{LINE}</p></div>',
        f'<div class="like text-block"><p>{LINE}</p></div>',
    ],
)
def test_in_a_thread_other_texts_stay(part: str) -> None:
    assert apart(f"<main>{TEXT}{part}</main>", url=THREAD) == []


@pytest.mark.parametrize("name", UNFILLED)
@pytest.mark.parametrize("part", ["<p>{}</p>", "<div><span>{}</span></div>", "<h3>{}</h3>"])
def test_places_that_a_script_would_have_filled_are_no_text(name: str, part: str) -> None:
    assert apart(f"<main>{TEXT}{part.format(UNFILLED[name])}</main>") == [UNFILLED[name]]
    assert apart(part.format(UNFILLED[name])) == []


@pytest.mark.parametrize(
    "part",
    [
        "<pre>{{ recipe.summary }}</pre>",
        "<p><code>{{ recipe.summary }}</code></p>",
        "<dl><dt>{{ recipe.summary }}</dt><dd>What it is.</dd></dl>",
        "<table><tr><td>{{ recipe.summary }}</td><td>What it is.</td></tr></table>",
        "<p>Write {{ recipe.summary }} where the summary shall stand.</p>",
        "<p>A set of sets: {{1, 2}, {3}}.</p>",
        "<p>{{Stub|mills}}</p>",
        "<p>{{Citation needed}}</p>",
        "<p>{{</p>",
    ],
)
def test_what_is_said_of_such_places_stays(part: str) -> None:
    assert apart(f"<main>{TEXT}{part}</main>") == []


@pytest.mark.parametrize("name", PARTS)
def test_they_are_the_text_of_a_page_without_another(name: str) -> None:
    assert apart(f"<h1>About</h1>{PARTS[name]}") == []
    assert apart(f"{TEXT}{PARTS[name]}", keep=False) == []


@pytest.mark.parametrize(
    "part",
    [
        f"<blockquote><p>Soup.</p><footer>{LINE}</footer></blockquote>",
        f"<section><footer><p>{LINE}</p></footer></section>",
        f'<p class="author">{LINE}</p>',
        f'<div class="authority-information"><p>{LINE}</p></div>',
        f'<div class="menu-item"><h3>Soup of the day</h3><p>{LINE}</p></div>',
        f'<div class="source-code"><pre>{LINE}</pre></div>',
        f'<div class="glossary"><p class="definition">{LINE}</p></div>',
        f'<div class="delivery"><p>{LINE}</p></div>',
        f'<div class="delivery-note"><p>{LINE}</p></div>',
        f'<section class="section return"><p>{LINE}</p></section>',
        f'<div class="return-value toggle-wrapper"><p>{LINE}</p></div>',
        f'<div class="lieferumfang"><p>{LINE}</p></div>',
        f'<div class="product-warranty"><p>{LINE}</p></div>',
        f'<aside class="footnote-popover"><p>{LINE}</p></aside>',
        f'<aside class="popover-sidenote"><p>{LINE}</p></aside>',
        f'<div class="sign-in-sheet"><p>{LINE}</p></div>',
        f'<div class="message-user-content"><p>{LINE}</p></div>',
        f'<div class="movie-poster"><p>{LINE}</p></div>',
        f'<div class="dismissal-of-a-member"><p>{LINE}</p></div>',
        f'<div class="edit-distance"><p>{LINE}</p></div>',
        f'<div class="likelihood-summary"><p>{LINE}</p></div>',
        f'<div class="chemical-reaction"><p>{LINE}</p></div>',
        f'<h2 id="ai-summary">{LINE}</h2>',
        f'<section id="alert-dismissible"><p>{LINE}</p></section>',
        f'<div class="message dismissed"><p>{LINE}</p></div>',
    ],
)
def test_what_only_has_such_a_word_stays(part: str) -> None:
    assert apart(f"{TEXT}{part}") == []


@pytest.mark.parametrize(
    "section",
    [
        "<section id={}><h2>{}</h2><p>{}</p></section>",
        "<div class=section id={}><h2>{}<a href='#x'>¶</a></h2><p>{}</p></div>",
        "<section id={}><h2><span>2.1</span> {}</h2><div><p>{}</p></div></section>",
    ],
)
@pytest.mark.parametrize("name", ["Using the popover", "Popover", "Disclaimer of warranty"])
def test_an_id_that_is_made_of_a_heading_names_no_box(section: str, name: str) -> None:
    html = section.format(name.lower().replace(" ", "-"), name, LINE)
    assert apart(f"<main>{TEXT}{html}</main>") == []
    box = "<section class=disclaimer><h2>Disclaimer</h2><p>Own risk.</p></section>"
    assert apart(f"<main>{TEXT}{html}{box}</main>") == ["Disclaimer", "Own risk."]


@pytest.mark.parametrize(
    "member",
    [
        "<h2 id={0}>{1}</h2><p>{2}</p>",
        "<h2 id=how-to-use-{0}>How to use {1}</h2><p>{2}</p>",
        "<h4 class=name id={0}>{1}</h4><p>{2}</p>",
        "<dl><dt id={0}>{1}</dt><dd>{2}</dd></dl>",
        "<dl class='py method'><dt class='sig sig-object py' id=Post.{0}>{1}</dt><dd>{2}</dd></dl>",
        "<div class=method-detail id=method-i-{0}><b>{1}</b><p>{2}</p></div>",
        "<section class=detail id={0}()><h3>{1}</h3><p>{2}</p></section>",
        "<details><summary id={0}>{1}</summary><p>{2}</p></details>",
        "<section id={0} class=level2><h2>{1}</h2><p>{2}</p></section>",
        "<section id=method.{0} class=method><h4>{1}</h4></section><div class=docblock>{2}</div>",
    ],
)
@pytest.mark.parametrize("name", ["popover", "disclaimer", "postMeta", "returnPolicy", "aiSummary"])
def test_the_name_of_a_function_is_no_class_of_what_stands_apart(member: str, name: str) -> None:
    members = "".join(member.format(own, own, LINE) for own in ("body", name))
    assert apart(f"<main>{TEXT}{members}</main>") == []


@pytest.mark.parametrize("name", ["author", "shipping", "RDoc"])
def test_the_step_is_named_and_a_fixed_threshold_switches_it_off(name: str) -> None:
    html = f"<title>Soup</title><article><h1>Soup</h1>{TEXT}{PARTS[name]}</article>"
    result = extract(html, "https://blog.example.com/soup")
    assert LINE not in result.text
    assert PARAGRAPHS[-1] in result.text
    assert "apart" not in extract(html, threshold=0.0).steps


def test_a_footer_of_an_article_is_no_part_of_the_page() -> None:
    assert apart(f"<article>{TEXT}<footer><p>{LINE}</p></footer></article>") == []
