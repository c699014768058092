"""Classifies pages: a small linear model of the head, the URL and the blocks knows seven kinds.

WCXB defines these kinds; pages state others. ``page_kind.json`` beside this module has the weights.
``benchmarks/quality/page_kind.py`` writes this file, and measures the weights by folds of domains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import compress
from math import log1p
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.features.words import url_words
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.metadata import LEARNED_KINDS, LearnedKind, PageKind
from scrapy_boilernet.extractor.output.stated_kind import stated_kind
from scrapy_boilernet.extractor.output.titles import is_home
from scrapy_boilernet.extractor.page import Page

_THREAD = re.compile(
    r"forum|/threads?/|/topic/|viewtopic|showthread|/t/[^/]+/\d+|discuss|/questions/\d"
)
_DOCUMENTS_HOST = re.compile(r"docs?\.|developer|learn\.|api\.|help\.|manual|wiki")
_DOCUMENTS = re.compile(
    r"/(?:docs?|documentation|manual|reference|guide/|tutorial|api)(?:/|$)|readthedocs|\.github\.io"
)
_COLLECTION = re.compile(
    r"/(?:collections?|categor(?:y|ies)|c|shop|department)/[^/]+/?$|/(?:shop|collections?)/?$"
)
_PRODUCT = re.compile(r"/(?:products?|dp|p|item|itm)/")
_ARTICLE = re.compile(r"/(?:blog|news|articles?|20\d\d)/.+")
_LISTING = re.compile(r"/(?:tag|topics?|search|list|directory|categor|archive|news|blog)")
_OF_LIST = re.compile(
    r"/(?:tags?|topics?|themen?|categor(?:y|ies?|ias?)|kategorien?|labels?|search|authors?)/[^/]+/?\Z|"
    r"/page/\d+/?\Z"
)
"""The end of a path of a list of pages, which may begin with a long text about their subject."""
_SERVICE = re.compile(r"service|solution|pricing|about|platform|features")
_POSTINGS = frozenset({"discussionforumposting", "qapage", "question"})
_ARTICLES = frozenset({
    "article", "newsarticle", "blogposting", "report", "scholarlyarticle", "recipe"
})  # fmt: skip
_HEADINGS = frozenset({"h2", "h3", "h4"})
_ASIDE = re.compile(r"\b(?:aside|side ?bar|related|recommended|widget|nav|menu|footer)\b")
_OUTSIDE = frozenset({"aside", "nav", "footer"})
_CODE = frozenset({"pre", "code"})
_LONG_CHARS, _MAX_URL_CHARS, _FEW_BLOCKS = 150, 2_000, 10
_EASTERN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Signs of which one says as much as three letters."""
_MOST_LINKED, _LEAST_PROSE_CHARS, _LEAST_PROSE = 0.1, 300, 0.5
"""Of the main text of an article: the largest share of linked characters, the least characters of
long paragraphs, and the least share of these."""
_MANY_TEASERS, _MANY_TITLES, _TITLE_CHARS = 6, 15, 20
"""Of a list of pages: the least teasers in the main text, and linked titles beside it in the same
``<main>``; the least characters of such a title."""


def page_kind(page: Page) -> PageKind:
    """Return the kind of the page: the one that it states, if that is sure, else the likeliest."""
    likeliest = likeliest_kind(page)
    return stated_kind(page, page.stated, likeliest) if page.stated else likeliest


def kind_of_labeled(labeled: LabeledPage, headed: bool) -> PageKind:
    """Return the kind of a labeled page: an ``article`` if the whole page is like a listing, for
    example by the links beside the text, but the main text is of long paragraphs.

    ``headed``: whether the page has a headline.
    """
    page = labeled.page
    kind = page_kind(page)
    if kind != "listing" or not headed or is_home(page.url) or not _has_prose(labeled):
        return kind
    is_list = _OF_LIST.search(_host_and_path(page.url)[1]) or _has_teasers(labeled)
    return kind if is_list or _has_titles(labeled) else "article"


def _has_prose(labeled: LabeledPage) -> bool:
    """Return whether the main text has hardly a link, and mostly long paragraphs."""
    texts = [*compress(labeled.page.texts, labeled.kept)]
    linked: list[int] = [*compress(labeled.page.marks[0].tolist(), labeled.kept)]
    most_linked = _MOST_LINKED * sum(map(len, texts))
    is_link = (2 * n > len(text) for text, n in zip(texts, linked, strict=True))
    if sum(linked) > most_linked or sum(is_link) > 1:
        return False
    lengths = [
        len(text) - n + (0 if text.isascii() else 2 * len(_EASTERN.findall(text)))
        for text, n in zip(texts, linked, strict=True)
    ]
    long = sum(length for length in lengths if length >= _LONG_CHARS)
    return long >= max(_LEAST_PROSE_CHARS, _LEAST_PROSE * sum(lengths))


def _has_teasers(labeled: LabeledPage) -> bool:
    """Return whether nearly all headings of the main text have one paragraph each."""
    pairs, places = labeled.page.paths
    sections = [0]
    for place in compress(places, labeled.kept):
        if _HEADINGS.isdisjoint(pairs[place][0][-3:]):
            sections[-1] += 1
        else:
            sections.append(0)
    teasers = sections[1:].count(1)
    return teasers >= _MANY_TEASERS and 5 * teasers >= 4 * (len(sections) - 1)


def _has_titles(labeled: LabeledPage) -> bool:
    """Return whether ``<main>`` holds many linked titles that are no content, outside of boxes
    called "related" or the like.
    """
    page = labeled.page
    pairs, places = page.paths
    of_main = {
        place
        for place, (tags, words) in enumerate(pairs)
        if "main" in tags
        and _OUTSIDE.isdisjoint(tags)
        and not any(map(_ASIDE.search, words[tags.index("main") + 1 :]))
    }
    linked: list[int] = page.marks[0].tolist()
    rows = zip(places, labeled.kept, linked, page.texts, strict=True)
    titles = sum(
        place in of_main and not kept and chars >= _TITLE_CHARS and 2 * chars > len(text)
        for place, kept, chars, text in rows
    )
    return titles >= _MANY_TITLES


def likeliest_kind(page: Page) -> LearnedKind:
    """Return the likeliest kind of the page by the model; of a page of few blocks, which tell it
    too little, by the URL and the declared types.
    """
    if len(page.blocks) < _FEW_BLOCKS:
        return declared_kind(page)
    rows, weights = _weights()
    known = {rows[name]: value for name, value in kind_features(page).items() if name in rows}
    known[rows[""]] = 1.0
    sums = np.array([*known.values()]) @ weights[[*known]]
    return LEARNED_KINDS[int(sums.argmax())]


@cache
def _weights() -> tuple[Mapping[str, int], NDArray[np.float64]]:
    """Return (row of each feature, weights of shape (features, kinds)); "" has the biases."""
    text = (
        files("scrapy_boilernet.extractor.output")
        .joinpath("page_kind.json")
        .read_text(encoding="utf-8")
    )
    hundredths = json.loads(text)["hundredths"]
    weights = np.array([*hundredths.values()]) / 100
    return {name: row for row, name in enumerate(hundredths)}, weights


def kind_features(page: Page) -> dict[str, float]:
    """Return the features of the model: words of head and URL as 1.0, numbers of the blocks."""
    values = dict.fromkeys((*page.head.words, *url_words(page.url)), 1.0)
    values[f"declared:{declared_kind(page)}"] = 1.0
    lengths = np.fromiter(map(len, page.texts), dtype=np.int64, count=len(page.texts))
    links, chars = page.marks[0], max(int(lengths.sum()), 1)
    long_texts = lengths[lengths - links >= _LONG_CHARS]
    counts = np.bincount(page.path_places, minlength=len(page.paths.pairs)).tolist()
    paths = [(tags, n) for (tags, _), n in zip(page.paths.pairs, counts, strict=True)]
    numbers = {
        "#blocks": log1p(len(links)),
        "#chars": log1p(chars),
        "#links": int(links.sum()) / chars,
        "#long": log1p(len(long_texts)),
        "#long chars": int(long_texts.sum()) / chars,
        "#prices": log1p(sum(map("".join(page.texts).count, "$€£"))),
        "#headings": log1p(sum(n for tags, n in paths if not _HEADINGS.isdisjoint(tags[-2:]))),
        "#code": log1p(sum(n for tags, n in paths if not _CODE.isdisjoint(tags))),
    }
    return values | numbers


def declared_kind(page: Page) -> LearnedKind:
    """Return the kind by the URL and the declared types alone; ``"article"`` if no rule holds."""
    return next((kind for kind, holds in _rules(page) if holds), "article")


def _rules(page: Page) -> Iterator[tuple[LearnedKind, object]]:
    """Yield the kinds with what is true if the page is of the kind, the surest first."""
    host, path = _host_and_path(page.url)
    words = set(page.head.words)
    types = {word[3:] for word in words if word.startswith(("ld:", "it:"))}
    yield "forum", (types & _POSTINGS and "faqpage" not in types) or _THREAD.search(host + path)
    yield "documentation", _DOCUMENTS_HOST.match(host) or _DOCUMENTS.search(host + path)
    yield "documentation", "techarticle" in types
    yield "collection", _COLLECTION.search(path) and "/products/" not in path
    yield "product", types & {"product", "productgroup"} and "collectionpage" not in types
    yield "product", "og:type:product" in words or _PRODUCT.search(path)
    yield "article", types & _ARTICLES or "og:type:article" in words or _ARTICLE.search(path)
    yield "collection", "collectionpage" in types
    yield "listing", types & {"itemlist", "searchresultspage", "blog"} or _LISTING.search(path)
    yield "service", types & {"service", "localbusiness", "organization", "softwareapplication"}
    yield "service", (host and path in ("", "/")) or _SERVICE.search(path)


def _host_and_path(url: str | None) -> tuple[str, str]:
    try:
        parts = urlsplit((url or "")[:_MAX_URL_CHARS].lower())
        return (parts.hostname or "").removeprefix("www."), parts.path
    except ValueError:  # such as "http://[::1"
        return "", ""
