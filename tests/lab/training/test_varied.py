"""Varied pages: what is added is boilerplate, and nothing of the article changes."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from itertools import product

import numpy as np
import pytest
from lxml import etree

from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.training.boilernet import DefaultOptions, with_changes
from scrapy_boilernet.lab.training.boxes import Forms, built, read_forms
from scrapy_boilernet.lab.training.examples import learning_page, varied_pages
from scrapy_boilernet.lab.training.further import SHORT_WORDS, Donor
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.lab.training.page_tree import MARK, close_page, open_page
from scrapy_boilernet.lab.training.varied import Variations, Varier

FORMS = read_forms()
KINDS = [field.name for field in fields(Variations)]
SENTENCES = {
    "en": "The ferry to the northern islands leaves at seven, and in winter only when the wind "
    "allows it, which the harbour office decides an hour before",
    "de": "Die Fähre zu den nördlichen Inseln legt um sieben Uhr ab, im Winter nur dann, wenn "
    "der Wind es erlaubt, worüber das Hafenamt eine Stunde vorher entscheidet",
    "ru": "Паром на северные острова уходит в семь часов, а зимой только тогда, когда "
    "позволяет ветер, и об этом портовая служба сообщает за час до отхода",
    "ja": "北の島へ向かう船は朝七時に出航しますが、冬は風が許すときだけ運航し、"
    "一時間前に港の事務所が決めます",
}
WRAPPERS = {
    "article": ("<main><article class='post'>", "</article></main>"),
    "divs": ("<div id='content'><div class='text'>", "</div></div>"),
    "table": ("<table><tr><td class='left'>", "</td></tr></table>"),
    "bare body": ("", ""),
}
NAVIGATION = "<ul class='nav'><li><a href='/'>Start</a></li><li><a href='/news'>News</a></li></ul>"
FOOTER = "<div class='footer'>© 2024 Harbour Times</div>"


def paragraphs(language: str, number: int, name: str = "") -> list[str]:
    return [f"{SENTENCES[language]} ({name}{n})." for n in range(1, number + 1)]


def article(
    language: str = "en", wrapper: str = "article", number: int = 9, name: str = "a"
) -> GoldPage:
    texts = paragraphs(language, number, name)
    begin, end = WRAPPERS[wrapper]
    title = f"<h1>Harbour {name}</h1>"
    body = "".join(f"<p>{text}</p>\n" for text in texts)
    html = (
        f"<html><head><title>Harbour {name}</title></head><body>{NAVIGATION}"
        f"{begin}{title}{body}{end}{FOOTER}</body></html>"
    )
    return GoldPage(
        "news", name, html.encode(), "\n".join(texts), "utf-8", language=language,
        page_type="article",
    )  # fmt: skip


def thread(language: str = "en", posts: int = 4, name: str = "t") -> GoldPage:
    texts = paragraphs(language, posts, name)
    items = "".join(
        f"<div class='post'><div class='user'>user{n}</div>"
        f"<div class='body'><p>{text}</p></div></div>"
        for n, text in enumerate(texts)
    )
    html = (
        f"<title>Ferry {name}</title><body>{NAVIGATION}<div id='posts'>{items}</div>{FOOTER}</body>"
    )
    return GoldPage(
        "forum", name, html.encode(), "\n".join(texts), "utf-8", language=language,
        page_type="forum",
    )  # fmt: skip


def labeled(source: GoldPage) -> GoldBlocks:
    gold = gold_blocks(source, "block")
    assert gold is not None
    return gold


def varied(
    source: GoldPage, kind: str, seed: int = 0, forms: Forms = FORMS
) -> tuple[GoldPage, GoldBlocks, GoldBlocks]:
    """Return (the varied page, its labels, the labels before)."""
    make = thread if source.page_type == "forum" else article
    language = source.language or "en"
    others = [make(language, name=name) for name in ("x", "y", "z")]
    gold = labeled(source)
    varier = Varier(Variations(**{kind: 1.0}), [gold, *map(labeled, others)], seed, forms)
    made = varier.varied(source, gold)
    assert made is not None
    assert not made.gold.targets[made.added].any()
    return made.source, made.gold, gold


def added(after: GoldBlocks, before: GoldBlocks) -> list[str]:
    """Check that all blocks before are there with their labels; return the texts of all others."""
    texts, place, new = before.page.texts, 0, []
    for text, target in zip(after.page.texts, after.targets, strict=True):
        if place < len(texts) and text == texts[place] and target == before.targets[place]:
            place += 1
        else:
            assert target == 0
            new.append(text)
    assert place == len(texts)
    assert after.gold_tokens == before.gold_tokens
    return new


def only(kind: str, number: int) -> Forms:
    return replace(FORMS, forms={**FORMS.forms, kind: [FORMS.forms[kind][number]]})


def test_there_are_enough_forms_and_languages() -> None:
    assert len(FORMS.texts) >= 12
    assert [len(FORMS.forms[kind]) >= 12 for kind in ("consent", "sign_up", "read_also")] == [
        True
    ] * 3


@pytest.mark.parametrize("language", FORMS.texts)
def test_every_language_has_all_texts(language: str) -> None:
    own = FORMS.texts[language]
    assert {name: bool(texts) for name, texts in own.items()} == dict.fromkeys(
        FORMS.texts["en"], True
    )
    assert len(own["consent"]) == 4
    assert len(own["sign_up"]) == 5


@pytest.mark.parametrize("number", range(len(FORMS.forms["consent"])))
@pytest.mark.parametrize("language", SENTENCES)
def test_a_consent_dialog_stands_first_or_last_in_the_body(number: int, language: str) -> None:
    places = set()
    for seed in range(6):
        source, after, before = varied(article(language), "consent", seed, only("consent", number))
        new = added(after, before)
        assert new[0].startswith(FORMS.texts[language]["consent"][0])  # it may be an inline element
        places.add(after.page.texts.index(new[0]) == 0)
        assert MARK not in source.html.decode()
    assert places == {True, False}


@pytest.mark.parametrize("kind", ["sign_up", "read_also"])
@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("number", range(12))
def test_boxes_and_lines_stand_among_the_paragraphs(kind: str, wrapper: str, number: int) -> None:
    for language in SENTENCES:
        _, after, before = varied(article(language, wrapper), kind, number, only(kind, number))
        new = added(after, before)
        own = [i for i, target in enumerate(after.targets) if target > 0.5]
        places = [after.page.texts.index(text) for text in new]
        assert new
        assert all(own[0] < place < own[-1] for place in places)


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("seed", range(3))
def test_further_articles_stand_behind_in_the_markup_of_the_page(
    wrapper: str, language: str, seed: int
) -> None:
    _, after, before = varied(article(language, wrapper, number=4), "further", seed)
    new = added(after, before)
    last = max(i for i, target in enumerate(after.targets) if target > 0.5)
    blocks = after.page.blocks
    further = [i for i, block in enumerate(blocks) if block.text in new and block.tags[-1] == "p"]
    assert len(further) >= 1
    assert min(further) > last
    assert any(
        blocks[i].tags[-2:] == blocks[last].tags[-2:] or wrapper == "bare body" for i in further
    )
    assert any(name in text for text in new for name in ("Harbour x", "Harbour y", "Harbour z"))


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("seed", range(4))
def test_a_short_article_keeps_its_beginning(wrapper: str, language: str, seed: int) -> None:
    _, after, before = varied(article(language, wrapper, number=30), "short", seed)
    kept = [
        text for text, target in zip(after.page.texts, after.targets, strict=True) if target > 0.5
    ]
    whole = [t for t, target in zip(before.page.texts, before.targets, strict=True) if target > 0.5]
    assert kept == whole[: len(kept)]
    assert SHORT_WORDS[0] / 2 <= after.gold_tokens <= 1.2 * SHORT_WORDS[1]
    assert after.gold_tokens == sum(len(text.split()) for text in kept)
    dropped = [
        t for t, target in zip(before.page.texts, before.targets, strict=True) if target < 0.5
    ]
    assert [t for t, g in zip(after.page.texts, after.targets, strict=True) if g < 0.5] == dropped


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("posts", [2, 4, 12])
def test_related_threads_stand_behind_a_thread(language: str, posts: int) -> None:
    _, after, before = varied(thread(language, posts), "threads", posts)
    new = added(after, before)
    last = max(i for i, target in enumerate(after.targets) if target > 0.5)
    assert min(after.page.texts.index(text, last) for text in new if "(" in text) > last
    assert any(
        block.class_words[-1:] == ("body",) or "post" in block.class_words
        for block in after.page.blocks[last + 1 :]
    )


@pytest.mark.parametrize("language", FORMS.texts)
@pytest.mark.parametrize("wrapper", ["article", "divs", "table"])
def test_a_message_stands_in_the_place_of_the_content(wrapper: str, language: str) -> None:
    source = replace(article("en", wrapper), language=language)
    made = Varier(Variations(missing=1.0), [], 0).varied(source, labeled(source))
    assert made is not None
    assert not made.gold.targets.any()
    assert made.gold.gold_tokens == 0
    messages = ["".join(text.split("|")) for text in FORMS.texts[language]["missing"]]
    new = [t for t, is_new in zip(made.gold.page.texts, made.added, strict=True) if is_new]
    assert "".join(new) in messages
    assert {"Start", "News"} <= {*made.gold.page.texts}
    assert not any(SENTENCES["en"] in text for text in made.gold.page.texts)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_page_and_another_seed_another(kind: str) -> None:
    source = thread() if kind == "threads" else article(number=30)
    first, again = varied(source, kind, 1), varied(source, kind, 1)
    assert first[0].html == again[0].html
    others = {varied(source, kind, seed)[0].html for seed in range(8)}
    assert len(others) > 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_without_content_stays_as_it_is(kind: str) -> None:
    source = replace(article(), gold="")
    assert Varier(Variations(**{kind: 1.0}), [], 0).varied(source, labeled(source)) is None


@pytest.mark.parametrize(
    ("kind", "language"), [*product(("consent", "sign_up"), ("ko", "en-GB", None))]
)
def test_a_language_without_texts_gets_english_ones(kind: str, language: str | None) -> None:
    source = replace(article(), language=language)
    made = Varier(Variations(**{kind: 1.0}), [], 0).varied(source, labeled(source))
    assert made is not None
    assert any(FORMS.texts["en"][kind][0] in text for text in made.gold.page.texts)


def test_a_change_that_alters_a_text_is_refused() -> None:
    source = article()
    tree = open_page(source, labeled(source))
    assert tree is not None
    tree.elements[-2].text = "Another text"
    assert close_page(tree) is None


def test_a_page_that_cannot_be_read_as_one_tree_is_left_alone() -> None:
    source = article()
    deep = replace(source, html=source.html.replace(b"<p>", b"<div>" * 3000 + b"<p>", 1))
    assert open_page(deep, labeled(deep)) is None


def test_varied_pages_train_beside_the_pages_that_they_are_made_of() -> None:
    sources = [article(name=name) for name in "abcdef"]
    pages = [
        page for source in sources if (page := learning_page(source, np.random.default_rng(0)))
    ]
    made = varied_pages(pages, sources, Variations(consent=1.0), 0)
    assert [page.source.id for page in made] == [*"abcdef"]
    assert all(
        len(page.targets) > len(before.targets) for page, before in zip(made, pages, strict=True)
    )
    assert varied_pages(pages, sources, Variations(), 0) == []


def test_each_kind_is_an_option_of_the_recipe_and_off_by_default() -> None:
    assert set(asdict(DefaultOptions().varied).values()) == {0.0}
    for kind in KINDS:
        changed = with_changes(DefaultOptions(), [f"varied.{kind}=0.25"])
        assert asdict(changed.varied) == {**asdict(Variations()), kind: 0.25}


@pytest.mark.parametrize("description", ["", "div >", "div#a > .b", "DIV", "p.a[b"])
def test_a_form_that_is_no_element_is_named(description: str) -> None:
    with pytest.raises(ValueError, match="is no element"):
        built(description)


@pytest.mark.parametrize(
    ("description", "written"),
    [
        ("p", "<p>x</p>"),
        ("div.a.b > b", '<div class="a b"><b>x</b></div>'),
        ("a#c[button]", '<a id="c" role="button">x</a>'),
    ],
)
def test_a_form_is_written_in_short(description: str, written: str) -> None:
    assert etree.tostring(built(description, "x")[0]).decode() == written


def test_the_beginning_of_another_article_is_cut_inside_a_paragraph() -> None:
    donor = Donor("T", tuple(paragraphs("en", 5)))
    assert sum(len(text.split()) for text in donor.beginning(60).paragraphs) == pytest.approx(
        60, abs=10
    )
