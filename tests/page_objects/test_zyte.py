"""Zyte's items from a labeled page: each value where zyte-common-items wants it, in its form."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import parsel
import pytest

pytest.importorskip("scrapy_poet")
pytest.importorskip("zyte_common_items")

from web_poet.serialization import deserialize_leaf, serialize

from scrapy_boilernet import LabeledPage, extract
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.page_objects.zyte import article_of, page_content_of

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*.html"))
URL = "https://example.org/pools.html"
HTML = """<!doctype html><html lang="en-GB"><head><title>Tide pools | Shoreline Notes</title>
<link rel="canonical" href="/pools">
<meta property="og:image" content="/pools.jpg">
<meta name="description" content="Why pools warm at night.">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tide pools",
"datePublished": "2024-05-03", "dateModified": "2024-05-04T10:20:30+01:00",
"author": [{"@type": "Person", "name": "Mara Lindqvist"}, {"@type": "Person", "name": "Jo Ek"}]}
</script></head><body><main><h1>Tide pools</h1><p>Most people expect a pool to be coldest before
dawn.</p><p>In sheltered bays the opposite is true.</p></main></body></html>"""
TEXT = (
    "Tide pools\nMost people expect a pool to be coldest before dawn.\n"
    "In sheltered bays the opposite is true."
)

NOTE_MARK = re.compile(r"\[\w+\],?")
"""A note without a number of its own gets one."""


@pytest.fixture(scope="module")
def page(tiny_model: Path) -> LabeledPage:
    return labeled(HTML, tiny_model)


def labeled(html: str | bytes, model: Path) -> LabeledPage:
    return extract(html, url=URL, model=str(model), engine="numpy", threshold=0.0, formats=FORMATS)


def stating(page: LabeledPage, **values: Any) -> LabeledPage:
    return replace(page, metadata=Metadata(**values))


def test_article_has_what_the_page_states_and_its_text(page: LabeledPage) -> None:
    item = article_of(page)
    assert (item.url, item.canonicalUrl) == (URL, "https://example.org/pools")
    assert (item.headline, item.description) == ("Tide pools", "Why pools warm at night.")
    assert (item.datePublished, item.datePublishedRaw) == ("2024-05-03T00:00:00", "2024-05-03")
    assert item.dateModified == item.dateModifiedRaw == "2024-05-04T10:20:30+01:00"
    assert [author.name for author in item.authors or ()] == ["Mara Lindqvist", "Jo Ek"]
    assert item.inLanguage == "en"
    assert item.mainImage
    assert item.mainImage.url == "https://example.org/pools.jpg"
    assert item.articleBody == TEXT
    assert item.articleBodyHtml == page.html
    assert item.metadata
    assert item.metadata.probability == page.confidence


def test_page_content_has_title_headline_and_text(page: LabeledPage) -> None:
    item = page_content_of(page)
    assert (item.url, item.canonicalUrl) == (URL, "https://example.org/pools")
    assert (item.title, item.headline) == ("Tide pools | Shoreline Notes", "Tide pools")
    assert item.itemMain == TEXT
    assert item.metadata
    assert item.metadata.probability == page.confidence


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_xpath_finds_one_element_which_has_all_of_the_text(
    path: Path, tiny_model: Path
) -> None:
    html = path.read_bytes().decode("utf-8", "replace")
    page = labeled(html, tiny_model)
    item = page_content_of(page)
    if item.itemMainXPath is None:
        assert any(not block.xpath.startswith("/") for block in page.content) or not page.content
        return
    (element,) = parsel.Selector(html).xpath(item.itemMainXPath)
    texts = element.xpath(".//text()[not(parent::script or parent::style)]").getall()
    text = unsigned("".join("".join(texts).split()))
    words = [word for block in page.content for word in block.text.split()]
    assert all(unsigned(word) in text for word in words if not NOTE_MARK.fullmatch(word))


def unsigned(text: str) -> str:
    """Return the text without the signs of superscripts, notes, ruby and quotations."""
    return re.sub(r"[][()^_“”]", "", unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_items_are_saved_and_read_back_whole(path: Path, tiny_model: Path) -> None:
    page = labeled(path.read_bytes(), tiny_model)
    for item in (article_of(page), page_content_of(page)):
        saved = serialize([item])
        ((_, leaf),) = saved.items()
        again = deserialize_leaf(type(item), leaf)
        assert type(again) is type(item)
        assert {**serialize([again])} == saved  # an empty list may stand for None


@pytest.mark.parametrize(
    ("published", "modified", "expected"),
    [
        ("2024-05-03", None, "2024-05-03T00:00:00"),
        ("2024-05-03T10:00:00+00:00", "2024-06-01", "2024-05-03T10:00:00+00:00"),
        ("2024-05", None, None),
        (None, "2024-06-01", "2024-06-01T00:00:00"),
        (None, None, None),
    ],
)
def test_date_has_a_time_and_that_of_the_change_stands_in(
    page: LabeledPage, published: str | None, modified: str | None, expected: str | None
) -> None:
    item = article_of(stating(page, date_published=published, date_modified=modified))
    assert item.datePublished == expected


def test_month_without_a_day_is_kept_as_the_page_has_it(page: LabeledPage) -> None:
    item = article_of(stating(page, date_published="2024-05", date_published_raw="May 2024",
                              date_modified="2024-06-01", date_modified_raw="1 June"))  # fmt: skip
    assert (item.datePublished, item.datePublishedRaw) == (None, "May 2024")


@pytest.mark.parametrize(
    ("stated", "code"),
    [("en", "en"), ("pt-BR", "pt"), ("zh_Hant", "zh"), ("DE", "de"), ("fil", None), ("", None),
     (None, None)],
)  # fmt: skip
def test_language_is_a_code_of_two_letters(
    page: LabeledPage, stated: str | None, code: str | None
) -> None:
    assert article_of(stating(page, language=stated)).inLanguage == code


def test_page_without_text_gives_none_and_probability_zero(tiny_model: Path) -> None:
    page = labeled("<title>Empty</title><body></body>", tiny_model)
    article, content = article_of(page), page_content_of(page)
    assert (article.articleBody, article.articleBodyHtml, article.authors) == (None, None, None)
    assert (content.itemMain, content.itemMainXPath) == (None, None)
    assert article.metadata
    assert content.metadata
    assert article.metadata.probability == content.metadata.probability == 0


@pytest.mark.parametrize("make", [article_of, page_content_of])
def test_page_without_metadata_is_refused(page: LabeledPage, make: Any) -> None:
    with pytest.raises(ValueError, match=r"has no metadata; label it with formats=\('metadata',\)"):
        make(replace(page, metadata=None))
