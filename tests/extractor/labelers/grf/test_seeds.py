"""Labels by rules: blocks that they label, and blocks that they leave open."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from testing.synthetic import QUICK, article, page_of

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.grf.labeler import Seed, rule_seeds

PROSE = "This is a sentence of some eight or nine words. " * 4


def seeds_of(html: str) -> dict[str, Seed | None]:
    page = blockify(html)
    return dict(zip([block.text for block in page.blocks], rule_seeds(page), strict=True))


def test_an_article_is_content_and_its_surroundings_are_not() -> None:
    html, gold = article(1)
    page = blockify(html)
    lines = set(gold.splitlines())
    for block, seed in zip(page.blocks, rule_seeds(page), strict=True):
        if seed:
            assert seed.content == (block.text in lines)
        else:
            assert block.text == page.title  # a heading is left open
    rules = {seed.rule for seed in rule_seeds(page) if seed}
    assert rules == {
        "inside <header>",
        "prose inside <article>",
        "inside <aside>",
        "inside <footer>",
    }


def test_places_and_classes_are_rules() -> None:
    found = seeds_of(
        f"<p>{PROSE}<div class='left side-menu'>Menu</div><form><p>Name</form><p hidden>Secret"
        "</p><nav>Up</nav><ul><li><a href=/>One</a></ul><p><a href=/>Next</a><p>Plain words"
    )
    rules = {text: seed.rule for text, seed in found.items() if seed}
    assert rules == {
        PROSE.strip(): "long prose",
        "Menu": "inside class menu",
        "Name": "inside <form>",
        "Secret": "hidden",
        "Up": "inside <nav>",
        "One": "list of links",
        "Next": "short link",
    }
    assert [seed.rule for seed in found.values() if seed and seed.content] == ["long prose"]


def test_an_element_around_most_of_the_prose_is_layout() -> None:
    found = seeds_of(f"<body class=menu><form><div class='with-sidebar'><p>{PROSE}</div></form>")
    assert found[PROSE.strip()] == Seed(True, "long prose")


def test_only_the_header_of_the_page_is_boilerplate() -> None:
    found = seeds_of(f"<header>Site</header><article><header>Story</header><p>{PROSE}</article>")
    assert found["Site"] == Seed(False, "inside <header>")
    assert found["Story"] is None


def test_the_longest_sentences_of_a_page_without_long_prose_are_content() -> None:
    found = seeds_of("<nav>Home</nav><p>It has only this one short sentence here.<p>Yes.<p>No end")
    assert found["It has only this one short sentence here."] == Seed(True, "longest sentences")
    assert found["Yes."] is None
    assert found["No end"] is None


def test_scripts_without_spaces_have_prose() -> None:
    text = f"{'潮は満ちて引く' * 12}。"
    assert seeds_of(f"<p>{text}")[text] == Seed(True, "long prose")


@QUICK
@given(st.lists(st.text(min_size=1), max_size=8))
def test_any_texts_can_be_read(texts: list[str]) -> None:
    page = page_of(texts)
    found = rule_seeds(page)
    assert len(found) == len(texts)
    assert all(seed is None or seed.rule for seed in found)


def test_an_empty_page_has_no_seeds() -> None:
    assert rule_seeds(blockify("")) == []
