"""The extension's code gives what the package gives: arrays, probabilities, labels, formats."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.extension import DATA, SETS, Node
from testing.food_pages import APART, CARDS, UNFILLED, food_page
from testing.golden import Golden, compare, decide_alike, same_markdown
from testing.hostile_texts import hostile_page
from testing.large_outputs import BOMBS
from testing.manual_headings import LINES as HEADING_LINES
from testing.manual_headings import NO_PARTS, PARTS
from testing.manual_headings import TEXT as MANUAL
from testing.models import PAGE_FILES
from testing.museum import museum_page
from testing.navigation_lines import LINES
from testing.navigation_lines import TEXTS as NO_LINES
from testing.reading_cases import READING_CASES
from testing.reference_sections import NAMES, SECTIONS
from testing.reference_sections import OTHERS as OTHER_SECTIONS
from testing.reference_sections import TEXT as CASTING
from testing.ruled_sites import article, product
from testing.sidecars import sidecar, write_sidecar
from testing.synthetic import QUICK
from testing.textless_pages import (
    ACCOUNT_PAGES,
    FIELDS_PAGES,
    INDEXES,
    account_page,
    fields_page,
    index_page,
)
from testing.thread_pages import REPLY, members_page, thread_page

from scrapy_boilernet.extractor.features.words import basic_kinds, tokens, url_words
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import to_utf8
from scrapy_boilernet.extractor.html.tree import plain_tree
from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.options import FAVORS, KIND_OPTIONS, LabelOptions
from scrapy_boilernet.extractor.output import budget
from scrapy_boilernet.extractor.output.tex import CUT_SIGNS, formulas_in, harmless
from scrapy_boilernet.extractor.output.urls import IMAGE_SCHEMES, LINK_SCHEMES, safe_url
from scrapy_boilernet.extractor.page import Block, Head, Page
from scrapy_boilernet.lab.annotations.placing import place
from scrapy_boilernet.lab.annotations.sidecar import read_sidecars
from scrapy_boilernet.lab.annotations.site_rules import derive, judged
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

FROM_EACH = 40
URL = "https://blog.example.com/2021/05/ten-things-to-do.html?page=2"


@pytest.mark.parametrize("file", PAGE_FILES, ids=lambda file: file.stem)
def test_pages_are_read_alike(node: Node, labeler: Labeler, file: Path) -> None:
    page = blockify(file.read_bytes(), URL, markup=True)
    found = compare(node, page, labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("name", READING_CASES)
def test_notes_code_and_formulas_are_written_alike(node: Node, labeler: Labeler, name: str) -> None:
    page = blockify(READING_CASES[name], URL, markup=True)
    assert same_markdown(node, page, [True] * len(page.blocks))
    assert same_markdown(node, page, [i != 1 for i in range(len(page.blocks))])
    found = compare(node, page, labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("name", CARDS)
def test_recipes_are_labeled_alike(node: Node, labeler: Labeler, name: str) -> None:
    page = blockify(food_page(CARDS[name]), URL, markup=True)
    found = compare(node, page, labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("url", [URL, "https://forum.example.com/t/stuck-gate/12"])
@pytest.mark.parametrize("name", REPLY)
def test_replies_are_labeled_alike(node: Node, labeler: Labeler, name: str, url: str) -> None:
    found = compare(node, blockify(thread_page(REPLY[name]), url, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize(
    "part",
    [
        *APART.values(),
        *map("<p>{}</p>".format, UNFILLED.values()),
        "<p>» Show more…</p><div><a href=/a>Reply</a></div><h3>Reply</h3>",
        "<p>Last edited by Ada on May 3</p><p>责任编辑：王晓</p><p>Tags: <a href=/a>mills</a></p>",
        "<p>Copyright 2025 Mill Review. All rights reserved.</p>",
        "<section id=using-the-popover><h2>Using the popover</h2><p>Open it first.</p></section>",
        "<section class=disclaimer><h2>Disclaimer</h2><p>Own risk.</p></section>",
        "<div class=method-detail id=method-i-popover><b>popover</b><p>Opens it.</p></div>",
        "<h2 id=how-to-post-meta class=x>How to</h2><h3 class='post-meta title'>By Ada</h3>",
    ],
)
def test_what_stands_apart_is_labeled_alike(node: Node, labeler: Labeler, part: str) -> None:
    found = compare(node, blockify(food_page(part), URL, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize(
    "label", ["Posts: 1,226", "Joined: May 2008", "Location: Upper mill", "Jan 4, 2020"]
)
def test_lines_about_members_are_told_alike(node: Node, labeler: Labeler, label: str) -> None:
    lines = f"<div>{label}</div><div>Status: here</div>"
    for url in ("https://mills.example/forum/viewtopic.php?t=12", URL):
        found = compare(node, blockify(members_page(lines), url, markup=True), labeler)
        assert found.is_same(), found


@pytest.mark.parametrize("name", ACCOUNT_PAGES)
def test_forms_of_accounts_are_labeled_alike(node: Node, labeler: Labeler, name: str) -> None:
    url, title, password = ACCOUNT_PAGES[name]
    page = blockify(account_page(title, password), url or None, markup=True)
    found = compare(node, page, labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("kind", ["product", "article"])
@pytest.mark.parametrize(
    "heading", ["<h1>Lentils, 1 kg</h1>", "<h1 hidden>A</h1><h1>B <b>c</b></h1>"]
)
def test_names_of_products_are_labeled_alike(
    node: Node, labeler: Labeler, kind: str, heading: str
) -> None:
    html = food_page("").replace('<h1 class="entry-title">Lentil soup</h1>', heading)
    html = html.replace("<head>", f'<head><meta property="og:type" content="{kind}">')
    found = compare(node, blockify(html, URL, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("name", FIELDS_PAGES)
def test_forms_of_fields_are_labeled_alike(node: Node, labeler: Labeler, name: str) -> None:
    url, title = FIELDS_PAGES[name]
    found = compare(node, blockify(fields_page(title), url or None, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("name", INDEXES)
def test_indexes_are_labeled_alike(node: Node, labeler: Labeler, name: str) -> None:
    found = compare(node, blockify(index_page(INDEXES[name]), URL, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("url", ["https://herald.example/", URL])
def test_lists_below_titles_and_tables_of_one_cell_are_labeled_alike(
    node: Node, labeler: Labeler, url: str
) -> None:
    entries = "".join(
        f"<li><h3><a href=/{n}>Chapter {n}: nets, knots and floats</a></h3>"
        f"<ul><li><a href=/{n}/a>The first knot</a></li><li><a href=/{n}/b>Floats</a></li></ul>"
        for n in range(4)
    )
    text = "<p>The water has warmed since May, and the crabs came early this year, said Jan.</p>"
    box = "<table><tr><td><b>In short</b><p>Wear boots, and go before noon.</p></td></tr></table>"
    html = f"<article>{text * 3}{box}{text * 2}</article><ul>{entries}</ul>"
    found = compare(node, blockify(html, url, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("beside", ["navbox", "toc", "hatnote", "plainlist"])
def test_lists_of_wikis_are_labeled_alike(node: Node, labeler: Labeler, beside: str) -> None:
    entries = "".join(f"<li><a href=/{n}>Light {n}</a></li>" for n in range(60))
    lead = "This is a list of the lighthouses of the coast, from north to south, with their years."
    html = (
        f'<div class="mw-content-ltr mw-parser-output"><p>{lead}</p><h2>North</h2><ul>{entries}'
        f"</ul><div class={beside}><a href=/a>Beacons</a></div></div>"
    )
    found = compare(node, blockify(html, URL, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("second", ["lg:hidden", "print-only", "swiper-slide-duplicate", "box"])
def test_copies_are_labeled_alike(node: Node, labeler: Labeler, second: str) -> None:
    card = CARDS["tasty"]
    html = food_page(f'<div class="hidden lg:block">{card}</div><div class="{second}">{card}</div>')
    found = compare(node, blockify(html, URL, markup=True), labeler)
    assert found.is_same(), found


@pytest.mark.parametrize("line", [*LINES, *NO_LINES])
def test_lines_of_links_are_labeled_alike(node: Node, labeler: Labeler, line: str) -> None:
    page = blockify(f"<h1>Bells</h1><p>A bell is cast.</p>{line}</table><p>It is tuned.</p>", URL)
    assert decide_alike(node, page, labeler, np.full(len(page.blocks), 0.9, np.float32))


@pytest.mark.parametrize(("name", "heading"), [*PARTS, *NO_PARTS, *HEADING_LINES])
def test_headlines_of_manuals_are_found_alike(
    node: Node, labeler: Labeler, name: str, heading: str
) -> None:
    page = blockify(f"<title>{name}</title><body>{heading}<p>{MANUAL}</p><p>{MANUAL}</p>", URL)
    probabilities = np.array([0.9 if text == MANUAL else 0.1 for text in page.texts], np.float32)
    assert decide_alike(node, page, labeler, probabilities)


@pytest.mark.parametrize("section", [*SECTIONS, *OTHER_SECTIONS])
@pytest.mark.parametrize("likely", [0.15, 0.03])
def test_links_below_references_are_labeled_alike(
    node: Node, labeler: Labeler, section: str, likely: float
) -> None:
    page = blockify(f"<article><p>{CASTING}</p>{section}</article><footer>About us</footer>", URL)
    probabilities = [0.9 if text.startswith(NAMES) else likely for text in page.texts]
    assert decide_alike(node, page, labeler, np.array(probabilities, np.float32))


@pytest.mark.parametrize("tag", ["p", "td", "a", "i"])
@pytest.mark.parametrize("word", ["thumbcaption", "image-attrib", "tr-caption", "copyright", "box"])
def test_captions_are_found_alike(node: Node, labeler: Labeler, tag: str, word: str) -> None:
    cell = f"<td class={word}>The second bell"
    own = f"<p class={word}><{tag}>The second bell</{tag}>"
    picture = cell if tag == "td" else own
    page = blockify(f"<p>{MANUAL}<table><tr><td><img src=a.jpg><tr><td>{picture}</table>", URL)
    assert decide_alike(node, page, labeler, np.array([0.9, 0.1], np.float32))


@pytest.mark.parametrize("caption", ["figcaption", "p class=photo-caption", "p class=photo"])
def test_headings_above_captions_are_labeled_alike(
    node: Node, labeler: Labeler, caption: str
) -> None:
    picture = f"<figure><img src=a.jpg><{caption}>{'The second bell. ' * 10}</figure>"
    page = blockify(
        f"<div><p>A bell is cast.</p><h2>Tuning</h2>{picture}<p>It is tuned.</div>", URL
    )
    probabilities = np.array([0.9, 0.3, 0.05, 0.9], np.float32)
    assert decide_alike(node, page, labeler, probabilities)


TEXTS = st.one_of(
    st.sampled_from((
        "tide", "Tide Pools", "2021", "1999-12-31", "12:30", "3.4", "1/2x", "x1:20", "a word", ".",
        "It is late. The mill stands by the river, and its wheel turned until 1911, says Ann.",
        '."', "。", "東京都", "ภาษาไทย", "Ⱥ", "İstanbul", "ΟΔΟΣ", "ǅ", "🦀 crab", "\u0301", "@you",
        "www.", "Foto: Jo", "| •", "٢٠٢١", "x" * 1500, "y z " * 700, "\ud800", "a\u0085b", "\ufeff",
        "𝔄𝔟 𠀀",
    )),
    st.text(min_size=1, max_size=20),
)  # fmt: skip
TAGS = st.sampled_from(
    "div p article main h1 h2 h3 table tr td th ul li nav aside footer form figcaption pre".split()
)
HEAD_WORDS = ("og:type:article", "np:4", "ld:product", "m:author")
WORDS = st.sampled_from((
    "", "content", "main content", "comment list", "comments", "widget recent", "form", "caption",
    "mobile", "hidden lg block", "print", "recipe", "ingredients", "instructions",
    "headline title", "logo", "été x", "site header brand",
))  # fmt: skip
STEPS = st.lists(st.tuples(TAGS, WORDS), min_size=1, max_size=9)


@st.composite
def made_pages(draw: st.DrawFn) -> Page:
    """Return a page with any texts, whose elements make a tree."""
    paths = draw(st.lists(STEPS, min_size=1, max_size=4))
    blocks = []
    for i, (text, path) in enumerate(
        draw(st.lists(st.tuples(TEXTS, st.sampled_from(paths)), max_size=25))
    ):
        collapsed = " ".join(text.split())
        if not collapsed:
            continue
        shared = draw(st.integers(0, len(path)))
        first = 1 + 100 * paths.index(path)
        nodes = [*range(first, first + shared), *range(10_000 + 10 * i, 10_000 + 10 * i + 9)]
        blocks.append(Block(
            collapsed, ("html", "body", *(tag for tag, _ in path)),
            ("", "", *(words for _, words in path)), (1, 2, *(n + 2 for n in nodes[: len(path)])),
            "/html", draw(st.integers(0, len(collapsed))),
            draw(st.sampled_from(("", "", "", "aria-hidden"))),
            draw(st.booleans()), "",
        ))  # fmt: skip
    head = Head(
        tuple(draw(st.lists(st.sampled_from(HEAD_WORDS)))),
        draw(TEXTS), draw(st.one_of(st.just(""), TEXTS)),
    )  # fmt: skip
    return Page(
        draw(st.sampled_from((URL, None, "https://forum.x/t/1"))),
        draw(TEXTS),
        tuple(blocks),
        "",
        head=head,
    )


KIND = st.sampled_from(KIND_OPTIONS)
OPTIONS = st.builds(
    LabelOptions, favor=st.sampled_from(FAVORS), title=KIND, captions=KIND,
    comments=st.sampled_from(("auto", *KIND_OPTIONS)),
)  # fmt: skip


@QUICK
@given(made_pages(), OPTIONS)
def test_any_page_is_labeled_alike(
    node: Node, labeler: Labeler, page: Page, options: LabelOptions
) -> None:
    found = compare(node, page, labeler, options)
    assert found.is_same(), found


@pytest.mark.skipif(not DATA.is_dir(), reason="the labeled sets are not here")
@pytest.mark.parametrize("name", SETS)
def test_real_pages_are_labeled_alike(
    node: Node, labeler: Labeler, name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    archive = next(DATA.glob(f"{name}*"))
    every = list(read_pages(open_dataset(archive, tmp_path_factory.mktemp("sets"))))
    random.Random(0).shuffle(every)
    different: dict[str, Golden] = {}
    for gold in every[:FROM_EACH]:
        page = blockify(gold.html, gold.url, markup=True)
        found = compare(node, page, labeler)
        if not (found.is_same() and found.own_labels):
            different[gold.id] = found
    assert not different


@pytest.mark.parametrize("left", [0, 20_000, 1_000_000])
@pytest.mark.parametrize("name", BOMBS)
def test_markdown_is_bounded_alike(node: Node, name: str, left: int) -> None:
    page = blockify(BOMBS[name], URL, markup=True)
    assert page.markup is not None
    size = page.markup.page_bytes + (left - budget.FREE_BYTES) // budget.TIMES_BYTES
    markup = replace(page.markup, page_bytes=size)
    assert same_markdown(node, replace(page, markup=markup), [True] * len(page.blocks))


def test_hostile_texts_are_escaped_alike(node: Node) -> None:
    for seed in range(300):
        page = blockify(hostile_page(seed), (None, URL)[seed % 2], markup=True)
        assert same_markdown(node, page, [True] * len(page.blocks)), seed


def test_every_character_is_of_the_same_kinds_where_both_know_it(node: Node) -> None:
    every = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    kinds = node.ask("kinds", characters=every)
    known = basic_kinds()
    different = [c for c, own in zip(every, kinds, strict=True) if own != known[ord(c)]]
    # Characters that one of the two Unicode versions does not have yet.
    assert len(different) <= 100, "".join(different)


@QUICK
@given(st.lists(TEXTS, max_size=20))
def test_texts_have_the_same_tokens_and_spaces(node: Node, texts: list[str]) -> None:
    assert node.ask("tokens", texts=texts) == [tokens(text) for text in texts]
    assert node.ask("collapsed", texts=texts) == [" ".join(text.split()) for text in texts]


PARTS = st.sampled_from((
    "https:", "HTTP:", "//", "/", "www.example.com", "blog.", "ann@", ":80", "[::1]", "a-b-c",
    "2021", "page.html", "?", "q=1", "#", "x", "..", ".", " ", "%20", "ü", "javascript:",
    "data:image/png,", "mailto:a@b.c", ";", "&", "&colon;", "\t", "'", "(", "\\", "\x00", "{", ":",
))  # fmt: skip
URLS = st.lists(PARTS, max_size=8).map("".join)


@QUICK
@given(st.lists(URLS, max_size=20))
def test_addresses_have_the_same_words(node: Node, urls: list[str]) -> None:
    assert node.ask("urls", urls=urls) == [list(url_words(url)) for url in urls]


@QUICK
@given(
    st.lists(URLS, max_size=20), st.sampled_from(("", "https://a.example/b/c.html?d", "http://x"))
)
def test_addresses_are_made_harmless_alike(node: Node, urls: list[str], base: str) -> None:
    for schemes in (LINK_SCHEMES, IMAGE_SCHEMES):
        own = node.ask("safe", urls=urls, base=base, schemes=sorted(schemes))
        assert own == [safe_url(url, base, schemes) for url in urls]


FENCES = (
    ("$", "$"), ("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("\\begin{align*}", "\\end{align*}"),
    ("\\begin{math}", "\\end{math}"), ("\\begin{tabular}", "\\end{tabular}"), ("\\$", "$"),
)  # fmt: skip
TEX = st.sampled_from((
    "x", "x'", "x_1", "\\frac{a}{b}", "a+b", "a = b", " ", "\n", "\u3000", "5", "5.99", "to", "-",
    "the price of", "<b>", "</b>", "<!--", "&lt;", "&#60;", "&é;", "& b", "](", "][", "] [", "`",
    "``", "東", "é", "²", "𝑥", CUT_SIGNS[0], CUT_SIGNS[-1], "a" * 1_990, "_" * 3, "{", "}", "\\",
    *(sign for fence in FENCES for sign in fence),
))  # fmt: skip
WRITTEN = st.lists(st.one_of(TEX, TEX, st.text(max_size=2)), min_size=1, max_size=4).map("".join)
FENCED = st.builds(
    lambda fence, tex, after: f"{fence[0]}{tex}{fence[1]}{after}",
    st.sampled_from(FENCES), WRITTEN, st.sampled_from(("", " ", ".", "s", "1", "é", "²", "東")),
)  # fmt: skip
TEX_TEXTS = st.lists(st.one_of(FENCED, FENCED, TEX), max_size=6).map("".join)


@QUICK
@given(st.lists(TEX_TEXTS, min_size=10, max_size=40))
def test_tex_in_texts_is_found_and_made_harmless_alike(node: Node, texts: list[str]) -> None:
    assert node.ask("harmless", texts=texts) == [harmless(text) for text in texts]
    for text, found in zip(texts, node.ask("formulas", texts=texts), strict=True):
        own = formulas_in(text)  # the extension counts code units
        assert [_with_code_points(text, each) for each in found] == [list(each) for each in own]


def _with_code_points(text: str, formula: list[Any]) -> list[Any]:
    units = text.encode("utf-16-le", "surrogatepass")
    places = [len(units[: 2 * at].decode("utf-16-le", "surrogatepass")) for at in formula[:2]]
    return [*places, *formula[2:]]


RULED = [museum_page(3), product(4).html, article(5).html]


@pytest.mark.parametrize("html", [*RULED, *(file.read_bytes() for file in PAGE_FILES[:8])])
@pytest.mark.parametrize("seed", range(3))
def test_rules_of_sites_are_alike(node: Node, html: str | bytes, seed: int, tmp_path: Path) -> None:
    """Of a page with some of its longer blocks as content."""
    body = html.encode() if isinstance(html, str) else html
    page = blockify(body)
    chosen = random.Random(seed)
    content = {text for text in page.texts if len(text) > 40 and chosen.random() < 0.7}
    kinds = {
        text: "main" if text in content else chosen.choice(("boilerplate", "title"))
        for text in page.texts
    }
    document = sidecar(body, lambda text: (kinds[text], "human"))
    write_sidecar(tmp_path, "page", body, document)
    (own,) = read_sidecars([tmp_path])
    rule = derive([judged(place(own), frozenset({"main"}))])
    elements = [*plain_tree(to_utf8(body, None, None, own.url))[0].iter("*")]
    places = {element: i for i, element in enumerate(elements)}
    found = node.ask(
        "rule", url=own.url, texts=[*page.texts], kinds=[kinds[text] for text in page.texts],
        elements=[
            {"tag": e.tag, "attributes": dict(e.attrib), "parent": places.get(e.getparent(), -1)}
            for e in elements
        ],
        containers=[block.nodes[-1] - 1 for block in page.blocks],
    )  # fmt: skip
    lines = [f"{name} = {json.dumps([*ones])}" for name, ones in rule._asdict().items() if ones]
    wanted = "\n".join(('["museum.example"]', *lines, "")) if rule.keep else ""
    assert found == wanted
