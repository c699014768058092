"""``PageContent`` and ``Article`` of zyte-common-items from a labeled page, and their providers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import commonpath

from zyte_common_items import (
    Article,
    ArticleMetadata,
    Author,
    Image,
    PageContent,
    PageContentMetadata,
)

from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.metadata import Metadata
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.page_objects import PageProvider

_LANGUAGE = re.compile(r"[a-z]{2}(?![a-z])")


class PageContentProvider(PageProvider):
    """Gives page objects a ``PageContent``."""

    provided_classes = {PageContent}
    name = "boilernet_page_content"
    formats = ("metadata",)

    def make(self, result: LabeledPage) -> PageContent:
        """Return the page's ``PageContent``; see :func:`page_content_of`."""
        return page_content_of(result)


class ArticleProvider(PageProvider):
    """Gives page objects an ``Article``."""

    provided_classes = {Article}
    name = "boilernet_article"
    formats = ("html", "metadata")

    def make(self, result: LabeledPage) -> Article:
        """Return the page's ``Article``; see :func:`article_of`."""
        return article_of(result)


def page_content_of(result: LabeledPage) -> PageContent:
    """Return the main text, title, headline and canonical URL of a page with its metadata.

    ``metadata.probability`` is the page's confidence. Breadcrumbs, navigation and next pages are
    None. Raises ``ValueError`` if the page has no metadata.
    """
    metadata = _metadata(result)
    return PageContent(
        url=result.page.url or "",
        canonicalUrl=metadata.canonical_url,
        headline=metadata.title,
        title=result.page.title or None,
        itemMain=result.text.strip() or None,
        itemMainXPath=_common_xpath(result.content),
        metadata=PageContentMetadata(probability=result.confidence),
    )


def article_of(result: LabeledPage) -> Article:
    """Return the article of a page with its HTML and metadata.

    ``metadata.probability`` is the page's confidence. A date without a time becomes midnight, and a
    month without a day is left out. Without a date of publication, ``datePublished`` is the date of
    the last change. Breadcrumbs, other images, videos and audios are None. Raises ``ValueError`` if
    the page has no metadata.
    """
    metadata = _metadata(result)
    modified = _moment(metadata.date_modified), metadata.date_modified_raw
    published = _moment(metadata.date_published), metadata.date_published_raw
    published = published if any(published) else modified
    return Article(
        url=result.page.url or "",
        canonicalUrl=metadata.canonical_url,
        headline=metadata.title,
        datePublished=published[0],
        datePublishedRaw=published[1],
        dateModified=modified[0],
        dateModifiedRaw=modified[1],
        authors=[Author(name=name) for name in metadata.authors] or None,
        inLanguage=_language(metadata.language),
        mainImage=Image(url=metadata.image) if metadata.image else None,
        description=metadata.description,
        articleBody=result.text.strip() or None,
        articleBodyHtml=result.html or None,
        metadata=ArticleMetadata(probability=result.confidence),
    )


def _metadata(result: LabeledPage) -> Metadata:
    if result.metadata is None:
        raise ValueError(
            f"{result.page.url or 'the page'} has no metadata; label it with formats=('metadata',)"
        )
    return result.metadata


def _moment(date: str | None) -> str | None:
    """Return the date with a time of day, as Zyte's items always have it; None for a month."""
    if not date or len(date) < len("2024-05-03"):
        return None
    return date if "T" in date else f"{date}T00:00:00"


def _language(stated: str | None) -> str | None:
    """Return the two-letter code, such as "pt" of "pt-BR"; None if there is none."""
    code = _LANGUAGE.match((stated or "").lower())
    return code[0] if code else None


def _common_xpath(blocks: Sequence[Block]) -> str | None:
    """Return the XPath of the smallest element with all blocks; None if a block has no XPath."""
    if not blocks or not all(block.xpath.startswith("/") for block in blocks):
        return None
    return commonpath([block.xpath for block in blocks])
