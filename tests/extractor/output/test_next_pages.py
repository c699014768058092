"""The next and previous pages of an article or thread, and offers of products."""

from __future__ import annotations

import json

import pytest
from testing.labeled import from_kept

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.metadata import Metadata, Offer
from scrapy_boilernet.extractor.output.metadata import page_metadata
from scrapy_boilernet.extractor.output.offer import decimal

TEXT = "<h1>Tide pools</h1><p>The water has warmed since May, and limpets cling on.</p>"


def metadata(html: str, url: str | None) -> Metadata:
    page = blockify(html, url, stated=True)
    number = len(page.blocks)
    result = from_kept(page, [True] * number, [0.9] * number, 0.5, 0.9, "tiny", "model")
    return page_metadata(result)


BOX = (
    "<ul class=pagination><li><a href=/a?page=1>1</a><li class=active><a href='#'>2</a>"
    "<li><a href=/a?page=3>3</a></ul>"
)
PAGES = {
    "link": "<link rel=prev href='/a?page=1'><link rel=next href='/a?page=3'>",
    "a rel": "<a rel='prev nofollow' href='/a?page=1'>x</a><a rel=next href='/a?page=3'>y</a>",
    "bootstrap": BOX,
    "numbers": "<div class=pages><a href=/a?page=1>1</a> <b>2</b> <a href=/a?page=3>3</a></div>",
    "aria": "<nav class=pager><a href=/a?page=1>1</a><a aria-current=page href=/x>2</a>"
    "<a href=/a?page=3>3</a></nav>",
    "span": "<p class=page-links><a href=/a?page=1><span>1</span></a> <span>2</span> "
    "<a href=/a?page=3><span>3</span></a>",
    **{
        words: f"<div class=pagination><a href=/a?page=1>{words.split('|')[0]}</a>"
        f"<a href=/a?page=3>{words.split('|')[1]}</a></div>"
        for words in (
            "« Previous|Next »", "‹ Zurück|Nächste Seite ›", "Page précédente|Page suivante",
            "Anterior|Siguiente", "Назад|Вперёд", "上一页|下一页", "前へ|次へ", "Önceki|Sonraki",
            "←|→", "السابق|التالي",
            "Precedente|Successiva", "Vorige|Volgende",
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_around_are_named(name: str) -> None:
    found = metadata(PAGES[name] + TEXT, "https://a.example/a?page=2")
    assert found.next_page == "https://a.example/a?page=3"
    assert found.previous_page == "https://a.example/a?page=1"
    assert found.sources["next_page"] in ("link", "text")
    assert Metadata.of(json.loads(json.dumps(found.as_dict()))) == found


ANYWHERE = {
    "a paragraph": "<p><a href={next}>Next page</a></p><p><a href={previous}>Previous page</a></p>",
    "arrows": "<div><a href={previous}>« Previous</a> | <a href={next}>Next »</a></div>",
    "German": "<p><a href={previous}>Zurück</a> <a href={next}>Weiter</a>",
    "French": "<a href={previous}>Page précédente</a><a href={next}><b>Page suivante</b></a>",
    "Japanese": "<p><a href={previous}>前のページ</a><a href={next}>次のページ</a>",
    "a label": "<a href={previous} aria-label='Previous page'><svg></svg></a>"
    "<a href={next} aria-label='Next page'>›</a>",
    "a labelled box": "<nav aria-label=Pagination><a href={previous}>1</a> "
    "<span aria-current=page>2</span> <a href={next}>3</a></nav>",
    "a Spanish box": "<nav aria-label='Paginación de resultados'><ul><li><a href={previous}>1</a>"
    "<li><a aria-current=page>2</a><li><a href={next}>3</a></ul></nav>",
}
ADDRESSES = (
    "/story/{}", "/story/{}/", "/story?page={}", "/story-{}.html", "/story/page/{}/",
    "/s.php?id=7&p={}", "/artikel/seite-{}", "/thread-77-{}.html", "/top-10/{}",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", ANYWHERE)
def test_words_anywhere_name_the_page_with_the_next_number(name: str, address: str) -> None:
    links = ANYWHERE[name].format(next=address.format(3), previous=address.format(1))
    found = metadata(f"{TEXT}{links}", f"https://a.example{address.format(2)}")
    assert found.next_page == f"https://a.example{address.format(3)}"
    assert found.previous_page == f"https://a.example{address.format(1)}"


FIRST = [
    ("/story", "/story/2"), ("/story.html", "/story-2.html"), ("/story/", "/story/?page=2"),
    ("/story?a=1", "/story?a=1&page=2"), ("/top-10", "/top-10/2"),
]  # fmt: skip


@pytest.mark.parametrize(("own", "other"), FIRST)
def test_a_page_without_a_number_is_the_first(own: str, other: str) -> None:
    html = f"{TEXT}<p><a href='{other}'>Next page</a></p>"
    assert metadata(html, f"https://a.example{own}").next_page == f"https://a.example{other}"


ELSEWHERE = [
    ("/story/2", "/story/4", "Next"), ("/story/2", "/other/3", "Next"),
    ("/story/2", "/another-story", "Next page"), ("/blog/2", "/blog/3", "Next"),
    ("/book/chapter-2", "/book/chapter-3", "Next"), ("/kapitel/2", "/kapitel/3", "Weiter"),
    ("/2026/11/2", "/2026/11/3", "Next"), ("/news/1042", "/news/1043", "Next »"),
    ("/course/lesson_2.html", "/course/lesson_3.html", "Next »"),
    ("/story/2", "/story/3", "Crabs in pools"), ("/story/2", "/story/3", "→"),
    ("/story", "/story/3", "Next page"), ("/a?id=2", "/a?id=3", "Next"),
    ("/docs/v1", "/docs/v2", "Next"), ("/2026/11", "/2026/12", "Next"),
    ("/story/2", "https://b.example/story/3", "Next"), ("/story/2", "/story/3", "Next: crabs"),
]  # fmt: skip


@pytest.mark.parametrize(("own", "other", "text"), ELSEWHERE)
def test_words_may_lead_to_another_text(own: str, other: str, text: str) -> None:
    html = f"{TEXT}<p><a href='{other}'>{text}</a></p>"
    assert metadata(html, f"https://a.example{own}").next_page is None
    assert metadata(html, None).next_page is None


OTHERS = {
    "the next article": "<link rel=next href=/another-article><a rel=next href=/other>Next</a>",
    "a title": "<div class=nav-links><a href=/other-story>The next page of history</a></div>",
    "another host": "<link rel=next href='https://b.example/a?page=3'>",
    "itself": "<link rel=next href='/a?page=2#x'>",
    "a script": "<link rel=next href='javascript:next()'>",
    "broken": "<link rel=next href='http://[::1'>",
    "empty": "<a rel=next href=''>Next</a>",
    "numbers of years": "<div class=archive><a href=/2023>2023</a><b>2024</b></div>",
    "the last page": "<div class=pages><a href=/a?page=1>1</a> <a href=/z>9</a></div>",
    "no links": "<div class=pagination>1 2 3</div>",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_links_are_no_next_page(name: str) -> None:
    assert metadata(OTHERS[name] + TEXT, "https://a.example/a?page=2").next_page is None


STEMS = [
    ("/story", "/story/2"), ("/story.html", "/story-2.html"), ("/t/5/page/2/", "/t/5/page/3/"),
    ("/viewtopic.php?t=5", "/viewtopic.php?t=5&start=15"), ("/thread-5.html", "/thread-5-2.html"),
    ("/story/", "/story/page-2"), ("/x?a=1&p=2", "/x?a=1&p=3"), ("/artikel", "/artikel/seite-2"),
    ("/story_1.htm", "/story_2.htm"), ("/threads/pools.5/", "/threads/pools.5/page-2"),
]  # fmt: skip


@pytest.mark.parametrize(("own", "other"), STEMS)
def test_addresses_of_one_text_differ_in_the_number_of_a_page(own: str, other: str) -> None:
    html = f"<link rel=next href='{other}'>{TEXT}"
    assert metadata(html, f"https://a.example{own}").next_page == f"https://a.example{other}"


def ld(offers: object, kind: str = "Product") -> str:
    data = json.dumps({"@type": kind, "name": "Net", "offers": offers})
    return f'<script type="application/ld+json">{data}</script>'


OFFERS: dict[str, tuple[str, Offer | None]] = {
    "json-ld": (
        ld({"@type": "Offer", "price": 19.99, "priceCurrency": "EUR",
            "availability": "https://schema.org/InStock"}),
        Offer("19.99", "EUR", "InStock"),
    ),
    "a range": (
        ld({"@type": "AggregateOffer", "lowPrice": "5", "highPrice": "9", "priceCurrency": "usd"}),
        Offer("5", "USD"),
    ),
    "several": (
        ld([{"@type": "Offer", "price": "7"}, {"@type": "Offer", "price": "8"}]), Offer("7"),
    ),
    "microdata": (
        '<div itemscope itemtype="http://schema.org/Product"><b itemprop=name>Net</b>'
        "<div itemprop=offers itemscope "
        'itemtype="http://schema.org/Offer"><span itemprop=price content="1.299,00">1.299</span>'
        "<meta itemprop=priceCurrency content=USD><link itemprop=availability "
        'content="http://schema.org/OutOfStock"></div></div>',
        Offer("1299.00", "USD", "OutOfStock"),
    ),
    "a specification": (
        ld({"@type": "Offer", "availability": "InStock",
            "priceSpecification": {"price": "37.99", "priceCurrency": "USD"}}),
        Offer("37.99", "USD", "InStock"),
    ),
    "several specifications": (
        ld([{"@type": "Offer", "priceSpecification": [
            {"@type": "UnitPriceSpecification", "price": "5", "priceCurrency": "EUR"}, "x"]}]),
        Offer("5", "EUR"),
    ),
    "the price of a list": (
        ld({"@type": "Offer", "priceSpecification": [
            {"priceType": "https://schema.org/ListPrice", "price": "99", "priceCurrency": "EUR"},
            {"price": "49", "priceCurrency": "EUR"}]}),
        Offer("49", "EUR"),
    ),
    "an empty specification": (ld({"@type": "Offer", "priceSpecification": []}), None),
    "open graph": (
        "<meta property=og:type content=product><meta property=product:price:amount content=48.99>"
        "<meta property=product:price:currency content=usd>"
        "<meta property=product:availability content='in stock'>",
        Offer("48.99", "USD", "InStock"),
    ),
    "open graph of a shop": (
        "<meta property=og:price:amount content=1.039,00>"
        "<meta property=og:price:currency content=EUR>",
        Offer("1039.00", "EUR"),
    ),
    "open graph of an article": (
        "<meta property=og:type content=article><meta property=og:price:amount content=5>", None,
    ),
    "open graph of a group": (
        "<meta property=og:type content=product.group>"
        "<meta property=product:price:amount content=199.00>", None,
    ),
    "open graph of nothing": (
        "<meta property=og:type content=product><meta property=og:price:amount content=0.00>", None,
    ),
    "open graph with a lower price": (
        "<meta property=product:price:amount content=199>"
        "<meta property=product:price:currency content=EUR>"
        "<meta property=product:sale_price:amount content=149>", Offer("149", "EUR"),
    ),
    "open graph without a lower price": (
        "<meta property=product:sale_price:amount content=0>"
        "<meta property=product:price:amount content=199>", Offer("199"),
    ),
    "open graph beside several products": (
        ld(None) + ld(None).replace("Net", "Rope") + "<meta property=og:price:amount content=5>",
        None,
    ),
    "open graph beside products without names": (
        ld(None).replace("name", "sku") * 2 + "<meta property=og:price:amount content=5>", None,
    ),
    "open graph beside one product, stated twice": (
        ld(None) * 2 + "<meta property=og:price:amount content=5>", Offer("5"),
    ),
    "two products": (ld({"@type": "Offer", "price": 1}) + ld({"@type": "Offer", "price": 2}), None),
    "no price": (ld({"@type": "Offer", "price": "on request"}), None),
    "an event": (ld({"@type": "Offer", "price": 20}, "Event"), None),
    "nothing": ("", None),
    "wrong words": (
        ld({"@type": "Offer", "price": "3", "priceCurrency": "Euro", "availability": "<b>"}),
        Offer("3"),
    ),
    "null": (ld({"@type": "Offer", "price": None}), None),
}  # fmt: skip


@pytest.mark.parametrize("name", OFFERS)
def test_the_offer_of_a_product_is_read(name: str) -> None:
    html, expected = OFFERS[name]
    found = metadata(html + TEXT, "https://a.example/net")
    assert found.offer == expected
    assert Metadata.of(json.loads(json.dumps(found.as_dict()))) == found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.299,00 €", "1299.00"), ("$1,299", "1299"), ("12.5", "12.5"), ("1 299,00", "1299.00"),
        ("1'299.00", "1299.00"), ("0.999", "0.999"), ("1,234,567.89", "1234567.89"), ("free", ""),
        ("19,9", "19.9"), ("EUR 5", "5"), ("1\u00a0299", "1299"),
    ],
)  # fmt: skip
def test_prices_become_decimal_numbers(text: str, number: str) -> None:
    assert decimal(text) == number


def test_flat_metadata_has_strings_and_numbers_only() -> None:
    html = (
        "<html lang=en><meta name=keywords content='tide, pools'>"
        + ld({"@type": "Offer", "price": 3, "priceCurrency": "EUR"})
        + TEXT
    )
    flat = metadata(html, "https://a.example/net").flat()
    assert flat["keywords"] == "tide, pools"
    assert (flat["offer_price"], flat["offer_currency"]) == ("3", "EUR")
    assert all(type(value) in (str, int) for value in flat.values())
    assert not {"sources", "offer", "offer_availability", "image"} & flat.keys()


ARCHIVES = {
    "pipermail": "<UL><LI>Previous message: <A HREF=811.html>Release</A></li><LI>Next message: "
    "<A HREF=813.html>M4</A></li><LI><B>Messages sorted by:</B> <a href=d.html>[ date ]</a></UL>",
    "first": "<p>Next message: <A HREF=813.html>M4</A></p><p>Messages sorted by: [ date ]</p>",
    "mhonarc": "<hr>[<a href=811.html>Date Prev</a>][<a href=813.html>Date Next</a>]"
    "[<a href=x.html>Thread Prev</a>]",
    "hypermail": "<ul><li>Next in thread: <a href=813.html>Ann</a></li><li>Next message: "
    "<a href=813.html>Bo</a></li></ul>",
    "german": "<p>Vorherige Nachricht: <a href=811.html>A</a></p><p>Nächste Nachricht: "
    "<a href=813.html>B</a></p>",
}


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("url", ["https://x.example/2024-March/812.html", None])
def test_messages_of_an_archive_are_no_pages_of_one_text(name: str, url: str | None) -> None:
    links = "<link rel=Next href=813.html><link rel=Previous href=811.html>"
    assert metadata(f"{links}{TEXT}", url).next_page
    found = metadata(f"{links}{TEXT}{ARCHIVES[name]}", url)
    assert (found.next_page, found.previous_page) == (None, None)


@pytest.mark.parametrize("own", ["000812.html", "msg00012.html", "0012.html"])
def test_addresses_of_messages_are_no_pages_of_one_text(own: str) -> None:
    html = f"<link rel=next href={own.replace('2.', '3.')}>{TEXT}"
    assert metadata(html, f"https://x.example/2024-March/{own}").next_page is None
