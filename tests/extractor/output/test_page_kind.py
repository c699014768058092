"""Kinds of pages, by what they state and by the headings of their parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from scrapy_boilernet import extract

TEXT = (
    "Mix the flour with the water and leave the bowl in a warm place until it has doubled in size."
)
TYPES = {
    "Recipe": "recipe", "JobPosting": "job", "Product": "product", "ProductGroup": "product",
    "Event": "event", "MusicEvent": "event", "SportsEvent": "event", "QAPage": "forum",
    "DiscussionForumPosting": "forum", "HowTo": "how-to", "Course": "course",
    "VideoObject": "video", "NewsArticle": "article", "BlogPosting": "article",
}  # fmt: skip
URLS = [
    None,
    "https://x.example/river",
    "https://x.example/p/river",
    "https://x.example/2024/river",
]


def kind_of(
    body: str, head: str = "", title: str = "River", url: str | None = None, lang: str = "en"
) -> str | None:
    html = (
        f"<html lang={lang}><head><title>{title}</title>{head}</head><body><nav><a href=/>Home</a>"
        f"</nav><main><h1>{title}</h1>{body}</main></body></html>"
    )
    found = extract(html, url, formats=("metadata",)).metadata
    assert found
    return found.page_kind


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
@pytest.mark.parametrize("paragraphs", [1, 3, 5])
def test_a_short_page_that_states_nothing_is_an_article(lang: str, paragraphs: int) -> None:
    body = f"<article>{f'<p>{TEXT}</p>' * paragraphs}</article>"
    assert kind_of(body, lang=lang) == "article"
    assert kind_of(body, url="https://forum.example/threads/river.12/") == "forum"


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{json.dumps(value)}</script>'


FORMS: Mapping[str, Callable[[dict[str, Any]], Any]] = {
    "alone": lambda one: one,
    "graph": lambda one: {"@graph": [{"@type": "WebPage"}, {"@type": "Organization"}, one]},
    "main entity": lambda one: {"@type": "WebPage", "mainEntity": one},
    "two types": lambda one: [{**one, "@type": [one["@type"], "Thing"]}],
    "full address": lambda one: {**one, "@type": f"https://schema.org/{one['@type']}"},
}


@pytest.mark.parametrize("stated", TYPES)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("url", URLS)
def test_json_ld_states_the_kind(stated: str, form: str, url: str | None) -> None:
    head = ld(FORMS[form]({"@type": stated, "name": "River", "headline": "River"}))
    assert kind_of(f"<p>{TEXT}</p>" * 3, head, url=url) == TYPES[stated]


@pytest.mark.parametrize("stated", TYPES)
@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_microdata_states_the_kind(stated: str, url: str | None, scheme: str) -> None:
    body = (
        f'<div itemscope itemtype="{scheme}://schema.org/{stated}"><b itemprop=name>River</b>'
        f"<p>{TEXT}</p></div>"
    )
    assert kind_of(body, url=url) == TYPES[stated]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("recipe", "recipe"), ("food:recipe", "recipe"), ("cooks:recipe", "recipe"),
        ("event", "event"), ("product", "product"), ("product.item", "product"),
        ("og:product", "product"), ("video.other", "video"), ("video", "video"),
        ("video.movie", "video"), ("job", "job"), ("course", "course"),
    ],
)  # fmt: skip
def test_open_graph_states_the_kind(value: str, kind: str) -> None:
    assert kind_of(f"<p>{TEXT}</p>", f"<meta property=og:type content={value}>") == kind


RECIPES = {
    "en": ("Ingredients", "Instructions"), "de": ("Zutaten für 4 Personen", "Zubereitung"),
    "fr": ("Ingrédients", "Préparation"), "es": ("Ingredientes:", "Elaboración"),
    "it": ("Ingredienti", "Preparazione"), "pl": ("Składniki", "Przygotowanie"),
    "ru": ("Ингредиенты", "Приготовление"), "ja": ("材料", "作り方"),
    "nl": ("Ingrediënten", "Bereidingswijze"), "tr": ("Malzemeler", "Hazırlanışı"),
    "ar": ("المقادير", "طريقة التحضير"), "eu": ("Osagaiak", "Prestaketa"),
}  # fmt: skip


@pytest.mark.parametrize("lang", RECIPES)
@pytest.mark.parametrize("tag", ["h2", "h4", "strong", "div", "dt"])
def test_the_parts_of_a_recipe(lang: str, tag: str) -> None:
    first, second = RECIPES[lang]
    body = f"<{tag}>{first}</{tag}><ul><li>1<li>2</ul><{tag}>{second}</{tag}><p>{TEXT}</p>"
    assert kind_of(body, lang=lang) == "recipe"
    many = "".join(f"<h2><a href=/{i}>Bread {i}</a></h2>{body}" for i in range(4))
    assert kind_of(many, lang=lang) != "recipe"


@pytest.mark.parametrize(
    ("lang", "title", "tasks", "skills"),
    [
        ("en", "Software Engineer (m/f/d)", "Responsibilities", "Requirements"),
        ("en", "Join us: we are hiring a baker", "What you'll do", "Who you are"),
        ("de", "Bäcker (m/w/d)", "Deine Aufgaben", "Dein Profil"),
        ("de", "Stellenangebot: Gärtnerin", "Aufgaben", "Anforderungen:"),
        ("fr", "Boulanger (h/f) - offre d'emploi", "Vos missions", "Profil recherché"),
        ("es", "Oferta de empleo: panadero", "Funciones", "Requisitos"),
        ("pt", "Vaga de padeiro", "Responsabilidades", "Requisitos"),
        ("it", "Offerta di lavoro: fornaio", "Mansioni", "Requisiti"),
        ("nl", "Vacature bakker", "Taken", "Functie-eisen"),
        ("pl", "Praca: piekarz", "Zakres obowiązków", "Wymagania"),
        ("ru", "Вакансия: пекарь", "Обязанности", "Требования"),
        ("ja", "採用情報：パン職人", "仕事内容", "応募資格"),
    ],
)
@pytest.mark.parametrize("tag", ["h3", "strong"])
def test_the_parts_of_a_job(lang: str, title: str, tasks: str, skills: str, tag: str) -> None:
    parts = "".join(
        f"<{tag}>{name}</{tag}><ul><li>{TEXT}<li>{TEXT}</ul>" for name in (tasks, skills)
    )
    assert kind_of(parts, title=title, lang=lang) == "job"


QUESTIONS = {
    "headings": "<h3>{}</h3><p>" + TEXT + "</p>",
    "details": "<details><summary>{}</summary><p>" + TEXT + "</p></details>",
    "list": "<dl><dt>{}</dt><dd>" + TEXT + "</dd></dl>",
    "buttons": "<button>{}</button><div>" + TEXT + "</div>",
    "classes": "<div class=faq-question>{}</div><div class=answer>" + TEXT + "</div>",
}


@pytest.mark.parametrize("form", QUESTIONS)
@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("FAQ", "How long does part {} take?"),
        ("Frequently asked questions", "Q{}: Where is the river?"),
        ("Häufige Fragen", "Wie lange dauert Teil {}?"),
        ("Questions fréquentes", "Combien de temps dure la partie {} ?"),
        ("Preguntas frecuentes", "¿Cuánto dura la parte {}?"),
        ("Domande frequenti", "Quanto dura la parte {}?"),
        ("Veelgestelde vragen", "Hoe lang duurt deel {}?"),
        ("Często kładzione", "Jak długo trwa część {}?"),
        ("よくある質問", "第{}部はどのくらいかかりますか？"),
        ("Часто задаваемые вопросы", "Сколько длится часть {}?"),
        ("الأسئلة الشائعة", "كم يستغرق الجزء {}؟"),
    ],
)
def test_questions_and_answers_of_the_site(form: str, title: str, question: str) -> None:
    body = "".join(QUESTIONS[form].format(question.format(i)) for i in range(5))
    stated = ld({"@type": "FAQPage"})
    assert kind_of(body, stated, title=title) == "faq"
    if "kładzione" not in title:
        assert kind_of(body, title=title) == "faq"


def test_an_article_with_questions_is_an_article() -> None:
    questions = "".join(f"<h3>Why is part {i} so long?</h3><p>{TEXT}</p>" for i in range(4))
    stated = ld([{"@type": "NewsArticle", "headline": "River"}, {"@type": "FAQPage"}])
    assert kind_of(f"<p>{TEXT * 4}</p>" * 5 + questions, stated) == "article"


@pytest.mark.parametrize("stated", ["Recipe", "JobPosting", "Event", "Product", "HowTo", "Course"])
@pytest.mark.parametrize("place", ["list", "top", "related"])
def test_a_list_of_such_things_is_not_one(stated: str, place: str) -> None:
    things = [{"@type": stated, "name": f"Number {i}"} for i in range(6)]
    value = {
        "list": {"@type": "ItemList", "itemListElement": [{"item": one} for one in things]},
        "top": things,
        "related": {"@type": "WebPage", "mentions": things[:1]},
    }[place]
    body = "".join(f"<li><a href=/{i}>Number {i} of the things by the river</a>" for i in range(6))
    if (stated, place) != ("Product", "related"):  # the model counts that type for a product
        assert kind_of(f"<ul>{body}</ul>", ld(value)) != TYPES[stated]


@pytest.mark.parametrize("stated", ["Recipe", "HowTo"])
def test_a_recipe_that_states_an_article_and_a_video_is_a_recipe(stated: str) -> None:
    others = [{"@type": "Article", "headline": "River"}, {"@type": "VideoObject", "name": "River"}]
    assert kind_of(f"<p>{TEXT}</p>", ld([*others, {"@type": stated}])) == TYPES[stated]


PROSE = {
    "en": "The harbour master said on Monday that the old crane will be taken down before the "
    "winter, since its foundations have moved by more than a hand's breadth in the last three "
    "years and nobody wants to answer for it any longer.",
    "ja": "港の管理者は月曜日、古いクレーンを冬までに撤去すると発表した。"
    "基礎がこの三年間で大きく動いており、"
    "これ以上安全を保証できないという。撤去の費用は市が負担し、跡地には小さな公園が作られる予定である。"
    "地元の漁師たちは決定を歓迎している。",
    "zh": "港口负责人周一表示，旧起重机将在冬季之前拆除，因为过去三年里它的地基移动了很多，"
    "没有人愿意继续为它承担责任。拆除费用由市政府承担，原址将建成一个小公园，当地渔民对这一决定表示欢迎，"
    "并希望工程能够尽快开始。",
}


@pytest.mark.parametrize("lang", PROSE)
@pytest.mark.parametrize("tag", ["aside", "div"])
@pytest.mark.parametrize("links", [60, 120])
def test_an_article_beside_many_links_is_an_article(lang: str, tag: str, links: int) -> None:
    items = "".join(
        f"<h3><a href=/s{i}>{PROSE[lang][:12]} {i}</a></h3><ul><li><a href=/n{i}>"
        f"{PROSE[lang][:25]} {i}</a></ul>"
        for i in range(links)
    )
    body = f"<p>{PROSE[lang]}</p>" * 3
    aside = f"</main><{tag} class=sidebar>{items}</{tag}><main>"
    assert kind_of(body + aside, title="Harbour", lang=lang) == "article"


@pytest.mark.parametrize("lang", PROSE)
@pytest.mark.parametrize("summary", [True, False])
def test_a_list_of_linked_titles_is_a_listing(lang: str, summary: bool) -> None:
    items = "".join(
        f"<article><h3><a href=/s{i}>{PROSE[lang][:20]} {i}</a></h3>"
        + (f"<p>{PROSE[lang][:90]}</p>" if summary else "")
        + "</article>"
        for i in range(30)
    )
    assert kind_of(items, lang=lang, url="https://x.example/tag/harbour") == "listing"


TITLES = [f"Ferry service to the islands resumes after strike {i}" for i in range(20)]
SHORT = (
    "The ferry sails again after the long strike of its crew, and the first boat left on Monday "
    "with two hundred on board, all of them glad to be on their way."
)
SUBJECT = f"<p>{PROSE['en']}</p>" * 3
LISTS = {
    "titles with days": SUBJECT
    + "<ul>"
    + "".join(f"<li><a href=/{t[-2:]}>{t}</a> <span>5 May 2024</span>" for t in TITLES)
    + "</ul>",
    "cards": SUBJECT + "".join(f"<div class=card><a href=/{t[-2:]}>{t}</a></div>" for t in TITLES),
    "teasers": "".join(f"<h3>{t}</h3><p>{SHORT}</p>" for t in TITLES),
}
ARTICLES = {
    "paragraphs": SUBJECT,
    "sections": "".join(f"<h2>Part {i}</h2>{SUBJECT}" for i in range(3)),
    "few sections": SUBJECT + "".join(f"<h2>Part {i}</h2><p>{SHORT}</p>" for i in range(4)),
    "links in the main element": SUBJECT
    + "<aside><ul>"
    + "".join(f"<li><a href=/{t[-2:]}>{t}</a>" for t in TITLES)
    + "</ul></aside>",
}
MANY_LINKS = "".join(
    f"<h3><a href=/s{i}>The harbour {i}</a></h3>"
    f"<ul><li><a href=/n{i}>The harbour master {i}</a></ul>"
    for i in range(300)
)


def kind_beside_links(body: str, url: str) -> str | None:
    html = (
        f"<html lang=en><head><title>Boats</title></head><body class='archive category'><nav>"
        f"<a href=/>Home</a></nav><main><h1>Boats</h1>{body}</main>"
        f"<aside class=sidebar>{MANY_LINKS}</aside>"
    )
    found = extract(html, url, formats=("metadata",)).metadata
    assert found
    return found.page_kind


@pytest.mark.parametrize("body", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("path", ["tag/boats/", "news", "category/boats/page/2", "topics/boats"])
def test_a_list_below_its_subject_is_a_listing(body: str, path: str) -> None:
    assert kind_beside_links(body, f"https://x.example/{path}") == "listing"


@pytest.mark.parametrize("body", ARTICLES.values(), ids=ARTICLES)
def test_an_article_of_the_same_words_is_none(body: str) -> None:
    assert kind_beside_links(body, "https://x.example/news") == "article"
    assert kind_beside_links(body, "https://x.example/tag/boats/") != "article"
