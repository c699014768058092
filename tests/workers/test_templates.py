"""The templates of a page: the same numbers on all pages of a site, and what is kept of each."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from testing.standins import Half, Says, job_of

from scrapy_boilernet import LabeledPage
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import BOILERPLATE, CONTENT
from scrapy_boilernet.extractor.sites.rules import SiteRules
from scrapy_boilernet.workers.jobs import Labeling
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.templates import MAX_TEMPLATES, judged_templates, shown_template

URL = "https://news.example/1"


def news(lead: str, *texts: str, tag: str = "p") -> str:
    body = "".join(f"<{tag}>{text}</{tag}>" for text in texts)
    return f'<body><nav><a href="/">Home</a></nav><div class="lead">{lead}</div><main>{body}</main>'


def labeled(html: str, kept: set[str], rule: dict[str, Any] | None = None) -> LabeledPage:
    """Return the page, of which the blocks with these texts are kept."""
    sites = SiteRules.of({"news.example": rule} if rule else None)
    page = blockify(html, URL, rule=sites.rule_for(URL) if sites else None)
    result = label_page(page, Says(0.1))
    labels = tuple(CONTENT if text in kept else BOILERPLATE for text in page.texts)
    return replace(result, labels=labels)


@pytest.mark.parametrize("tag", ["p", "h2", "blockquote", "section"])
@pytest.mark.parametrize(
    "texts",
    [("The lead.", "One.", "Two."), ("Der Vorspann.", "Eins."), ("まえがき。", "本文です。")],
)
def test_templates_have_the_same_numbers_on_pages_with_other_texts(
    tag: str, texts: tuple[str, ...]
) -> None:
    first = judged_templates(labeled(news("A", "B, the second.", tag=tag), {"B, the second."}))
    assert [number > 0 for number in first] == [True, False, False]
    other = judged_templates(labeled(news(*texts, tag=tag), {*texts}))
    assert {*map(abs, other)} == {*map(abs, first)}
    assert sum(number < 0 for number in other) == 1


def test_a_template_is_kept_if_half_of_its_words_are() -> None:
    html = news("Lead of a few words", "A longer text of the page.", "Short.")
    main, lead, home = judged_templates(labeled(html, {"A longer text of the page."}))
    assert (main > 0, lead < 0, home < 0) == (True, True, True)
    dropped = judged_templates(labeled(html, {"Short."}))
    assert {*dropped} == {-main, lead, home}
    assert judged_templates(labeled("", set())) == ()


@pytest.mark.parametrize("rule", [{"keep": "main"}, {"keep": ["main", ".lead"], "drop": "nav"}])
def test_blocks_that_a_rule_decides_are_left_out(rule: dict[str, Any]) -> None:
    assert judged_templates(labeled(news("Lead", "Text"), {"Text"}, rule)) == ()
    dropped = judged_templates(labeled(news("Lead", "Text"), {"Text"}, {"drop": [".lead", "nav"]}))
    assert [number > 0 for number in dropped] == [True]


def test_few_templates_of_a_large_page_are_reported() -> None:
    names = ["".join(three) for three in product("bdfhklmp", repeat=3)]
    html = "".join(f"<div class={name}><p>{'x ' * n}y</div>" for n, name in enumerate(names))
    result = labeled(html, {"y"})
    numbers = judged_templates(result)
    assert len(numbers) == MAX_TEMPLATES < len(names)
    assert shown_template(result, -numbers[0]).startswith("html > body > div > p (ppp)")


def test_a_template_is_shown_by_its_tags_class_words_and_first_text() -> None:
    result = labeled(news("The tide is low.", "Text \x1b[31m \u202ered", "x" * 99), set())
    numbers = judged_templates(result)
    shown = {shown_template(result, -number) for number in numbers}
    assert 'html > body > div (lead) "The tide is low."' in shown
    assert all(text.isprintable() for text in shown)
    long = labeled(news("Lead", "x" * 99), {"x" * 99})
    assert shown_template(long, judged_templates(long)[0]).endswith(f'"{"x" * 59}…"')
    assert shown_template(result, 5) == "a template"


@pytest.mark.parametrize("html", ["", "<p>", "<div>" * 3_000 + "deep", "<p class='\ud800\t'>Text"])
def test_any_page_has_templates(html: str) -> None:
    for number in judged_templates(labeled(html, set())):
        assert 0 < abs(number) <= 1 << 32


def test_a_worker_says_them_only_if_it_is_asked() -> None:
    worker = PageWorker(Half(), CachedBlockifier(0))
    body = news("Lead", "Text").encode()
    plain, asked = worker.label([job_of(body), job_of(body, judge_templates=True)])
    assert isinstance(plain, Labeling)
    assert isinstance(asked, Labeling)
    assert plain.templates == ()
    assert asked.templates == judged_templates(asked.result)
    assert len(asked.templates) == 3
