"""The tags and the layout words that a block tree's nodes are asked for, as bits."""

from __future__ import annotations

import re
from functools import lru_cache

TAG_KINDS = {
    "heading": "h1 h2 h3 h4 h5 h6 hgroup",
    "p": "p",
    "list item": "li dd dt",
    "table cell": "td th caption",
    "article": "article",
    "main": "main",
    "section": "section",
    "nav": "nav menu",
    "aside": "aside",
    "header": "header",
    "footer": "footer address",
    "form": "form fieldset label button legend",
    "a": "a",
    "emphasis": "b strong em i",
    "quote or code": "blockquote pre code",
    "figure": "figure figcaption",
    "list": "ul ol dl",
    "table": "table",
}
"""Kinds of elements by the tags that stand for them."""
CLASS_KINDS = {
    "navigation": r"nav\w*|\w*menu\w*|breadcrumb\w*|crumbs?|tabs?|toolbar|topbar|"
    r"pag(?:er|ination|ing)",
    "footer": r"foot\w*|bottom|copyright|legal|colophon|disclaimer",
    "header": r"head(?!line)\w*|masthead|top|logo|brand\w*|banner",
    "sidebar": r"\w*sidebar\w*|side|aside|rail|right\w*|left\w*|secondary|tertiary",
    "comment": r"\w*comment\w*|disqus\w*|repl(?:y|ies)|respond\w*|discussion\w*|thread|forum|"
    r"kommentare?|comentarios?|commentaires?|avis",
    "article": r"\w*article\w*|story\w*|artikel\w*|articulo|news\w*|blog\w*",
    "content": r"\w*content\w*|contenido|contenu|inhalt|main\w*|primary|center|centre",
    "body": r"\w*body\w*|\w*text\w*|entry\w*|paragraph|para|prose|copy|description|desc",
    "post": r"post\w*|hentry|single|message",
    "related": r"relat\w*|similar|recommend\w*|popular|trending|latest|recent|more|most|also|"
    r"see|read|archives?|categor\w*",
    "share": r"shar(?:e|ing)\w*|social\w*|facebook|fb|twitter|tweet|like\w*|follow\w*|addthis|"
    r"bookmark\w*|digg|email|print|rss|feed",
    "advertisement": r"ads?|adv\w*|advert\w*|sponsor\w*|dfp|gpt|google|promo\w*|partner\w*|"
    r"offer\w*|deal\w*|shop\w*",
    "widget": r"widget\w*|module\w*|mod|plugin|gadget|block|box\w*|panel|portlet|card|teaser",
    "byline": r"author\w*|byline|by|date\w*|time\w*|posted|meta\w*|info|publish\w*|credit\w*|"
    r"source|dateline|bio",
    "title": r"title\w*|headline\w*|heading|subtitle|deck|lead|intro|summary|abstract|excerpt",
    "tag": r"tags?|topics?|keywords?|labels?|taxonomy|filed",
    "form": r"\w*form|search\w*|login|signin|signup|sign|subscri\w*|newsletter|register|poll|"
    r"vote|rating|input|captcha|cookie\w*|consent|modal|popup|overlay|dialog",
    "media": r"image\w*|img|photo\w*|gallery|caption\w*|video\w*|player|slide\w*|carousel|"
    r"thumb\w*|media|picture\w*",
    "hidden": r"hidden|hide|skip|invisible|noprint|screen|sr|accessibility",
    "list": r"list\w*|items?|index|table|row|grid|col\w*|results?",
}
"""Kinds of layout words in classes and ids; whole words, lower case."""

_TAG_BITS = {tag: 1 << bit for bit, tags in enumerate(TAG_KINDS.values()) for tag in tags.split()}
_CLASS_PATTERN = re.compile("|".join(f"({pattern})" for pattern in CLASS_KINDS.values()))


def tag_bits(tags: tuple[str, ...]) -> int:
    """Return which of :data:`TAG_KINDS` the tags are, the first kind as the lowest bit.

    >>> tag_bits(("ul", "li")) == tag_bits(("ul",)) | tag_bits(("li",))
    True
    """
    bits = 0
    for tag in tags:
        bits |= _TAG_BITS.get(tag, 0)
    return bits


@lru_cache(maxsize=1 << 13)
def class_bits(words: str) -> int:
    """Return which of :data:`CLASS_KINDS` are among an element's class words; the first kind that
    fits a word counts.
    """
    bits = 0
    for word in words.split():
        if found := _CLASS_PATTERN.fullmatch(word):
            bits |= 1 << (found.lastindex or 1) - 1
    return bits
