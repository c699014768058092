"""Whether a page says that it is a thread, such as a discussion or a question with answers, or that
it is an article or a product, of which readers' comments are no part; and how posts are marked up.
"""

from __future__ import annotations

import re

from scrapy_boilernet.extractor.decide.addresses import address_of
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_THREAD_WORDS = (
    "forum", "thread", "topic", "qapage", "discussion", "question", "b:vb", "reddit.com/r/",
    "news.ycombinator.com/", "lobste.rs/", "lemmy", "tildes.net/", "github.com/", "gitlab.com/",
)  # fmt: skip
"""Words in the head or the URL of a thread: ``b:vb`` is vBulletin's class of the body, and the last
ones are sites whose addresses have no such word."""
_SURE_WORDS = frozenset(
    (
        "og:type:forum", "ld:qapage", "ld:discussionforumposting", "it:qapage",
        "it:discussionforumposting", "b:forum", "b:forums", "b:thread", "b:topic", "b:discussion",
        "b:discussions", "b:viewtopic", "b:showthread",
    )
)  # fmt: skip
"""Words in the head of pages that surely are threads, or lists of threads."""
_SURE_STEPS = lazy_pattern(
    r"(?:forums?|foros?|foren|threads?|topics?|discuss(?:ions?)?|viewt(?:opic|hread)(?:\.php)?|"
    r"showt(?:opic|hread)(?:\.php)?|questions?|(?:message[-_]?)?boards?|themen|temas?|hilos?|sujets?)"
)
_SURE_HOSTS = re.compile(r"forums?|foros?|foren|discuss(?:ions?)?|boards?|bbs|lemmy|answers|ask")
"""Steps in the address of such pages, and names in that of their site, as a whole."""
_SURE_SITES = re.compile(
    r"(?:\w+\.)?reddit\.com/(?:r|user)/[^/]+/comments/.*|news\.ycombinator\.com/item|"
    r"lobste\.rs/s/.*|tildes\.net/~[^/]+/\w+/.*"
)
"""Hosts and paths of such pages, on sites whose addresses have none of these."""
_ARTICLES, _PRODUCTS, _THREADS = (
    frozenset(f"{source}:{kind}" for source in ("og:type", "ld", "it") for kind in kinds)
    for kinds in (
        ("article", "newsarticle", "blogposting"),
        ("product", "productgroup"),
        ("qapage", "discussionforumposting"),
    )
)
"""Words in the head of articles, of products and of threads."""
_ARTICLES_AND_PRODUCTS = _ARTICLES | _PRODUCTS
_KINDS = _ARTICLES_AND_PRODUCTS | _THREADS
POST_TEXT = (
    "(?:post|comments?|message|msg|reply|response|topic|entry|user|answer|question|discussion|forum|"
    "review|status) ?(?:body|content|text|message|copy|entry|md)|toptext|posting text|postmsg|"
    "bb wrapper|cooked|commtext|usertext|prose|text comment"
)
"""Class words of the element in a post that holds its text, as a part of a pattern."""
BESIDE_POST_TEXT = (
    "head|header|foot|footer|meta|author|user ?info|user ?details|avatar|profile|postprofile|date|"
    "time|toolbar|tools|actions?|buttons?|menu|controls?|signature|sig|likes?|votes?|rating|"
    "reactions?|badges?|share|nav|title|subject|attribution|tagline|stats|form|notice|edited|"
    "last ?edit|report|cell user|author pane|user ?cell"
)
"""Those of what stands in a post beside its text, likewise."""


def is_thread(page: Page) -> bool:
    """Return whether the page's head or URL shows that it is a forum, discussion or question."""
    stated = " ".join(page.head.words) + " " + (page.url or "").lower()
    return any(word in stated for word in _THREAD_WORDS)


def is_surely_thread(page: Page) -> bool:
    """Return whether the head states it, or a whole step of the URL; a word in the title of an
    article is not enough.
    """
    if not _SURE_WORDS.isdisjoint(page.head.words):
        return True
    address = address_of(page)
    if address is None:
        return False
    if _SURE_SITES.fullmatch(address.host + address.path):
        return True
    names, steps = address.host.split(".")[:-1], address.path.split("/")
    return any(map(_SURE_HOSTS.fullmatch, names)) or any(map(_SURE_STEPS.fullmatch, steps))


def states_article_or_product(page: Page) -> bool:
    """Return whether the page's head states one of these."""
    return not _ARTICLES_AND_PRODUCTS.isdisjoint(page.head.words)


def states_kind(page: Page) -> bool:
    """Return whether the page's head states an article, a product or a thread."""
    return not _KINDS.isdisjoint(page.head.words)


def states_product(page: Page) -> bool:
    """Return whether the page's head states a product, and no article."""
    words = page.head.words
    return not _PRODUCTS.isdisjoint(words) and _ARTICLES.isdisjoint(words)
