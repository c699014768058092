"""What stands apart from the text by its class: the footer of the page, what is said of its author,
the menu of a blog, details of delivery; what a thread says of the authors of posts; and the places
that a script would have filled.

A model that is not sure of a page keeps some of it. ``docs/results/quality/steps.md`` tells what it
gains to leave it out. Each pattern was chosen on pages by models that had not seen them, where it
gained on several pages and lost on hardly any, or says the same in another language.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.about_lines import tell_of_rights, tell_of_the_text
from scrapy_boilernet.extractor.decide.class_names import NAME_TAGS, OF_FUNCTION, ClassNames
from scrapy_boilernet.extractor.decide.control_labels import label_controls
from scrapy_boilernet.extractor.decide.members import dates_of_posts, tell_of_members
from scrapy_boilernet.extractor.decide.placeholders import are_placeholders
from scrapy_boilernet.extractor.decide.threads import is_thread
from scrapy_boilernet.extractor.page import HEADING_TAGS, Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_APART = lazy_pattern(
    r"\bauthor ?(?:info|box|bio|card|profile|about|description)\b|\b(?:post|article) author\b|"
    r"\b(?:autor(?:en|in)?|auteur|autore|forfatter) ?(?:info|box|bio|kasten|profile?|vita)\b|"
    r"\b(?:ueber|uber|sobre) (?:den |el |o )?autor\b|\b(?:about (?:the )?author|bio box)\b|"
    r"\b(?:entry|post) (?:meta|footer)\b|"
    r"\b(?:delivery|shipping) (?:table|info|details?|options?|policy|highlights?|summary|"
    r"(?:and )?returns?)\b|\bproduct (?:deliver(?:y|ies)?|shipping|returns?)\b|"
    r"\breturns? (?:conditions?|polic(?:y|ies)|methods?|content|info|details?|options?)\b|"
    r"\bwarranty (?:container|polic(?:y|ies)|info|details?|options?)\b|"
    r"\b(?:versand|liefer|rueckgabe) ?(?:info|infos|informationen|details|bedingungen|optionen)\b|"
    r"\b(?:infos?|details?|options?|modes?) (?:de )?livraison\b|"
    r"\blivraison (?:et )?(?:retours?|infos?|details?)\b|"
    r"\b(?:envios? (?:y )?devoluciones|spedizion[ei] (?:e )?resi)\b|\bbuyer protection\b|"
    r"\b(?:promo|announcement|notification) bar\b|\bsign ?in group\b|"
    r"\brelated ?(?:stories|articles|posts|news|products)\b|\bdisclaimer\b|"
    r"(?<!note )\bpopover\b(?! \w*note)|\bmethod source code\b|\blegalnotice\b"
)
"""Class words of what stands apart, whatever its tag is. The last ones are of manuals, of which
readers see the source of a function only if they ask for it, and the terms of use that DocBook has
on the page of the title."""
_STEMS = (
    "author", "autor", "auteur", "forfatter", "bio", "meta", "footer", "deliver", "shipping",
    "return", "warranty", "versand", "liefer", "rueckgabe", "livraison", "devoluciones",
    "spedizion", "buyer", "promo", "announcement", "notification", "sign", "related", "source",
    "disclaimer", "popover", "legalnotice",
)  # fmt: skip
"""Every text in which ``_APART`` finds something has one of these."""
_NOTICE = (
    r"\bdismiss(?:able|ible|ed)? ?(?:message|notice|alert|banner)\b|"
    r"\b(?:message|notice|alert|banner) ?dismiss(?:able|ible)?\b"
)
"""Class words of a notice that readers can close."""
_APART_OF_TAG = {
    "div": re.compile(rf"{_NOTICE}|\bai ?summary\b"),
    "li": re.compile(rf"{_NOTICE}|\bmenu item type\b"),
    "table": re.compile(r"\Asource code\Z"),
}
"""Those that are so with a tag: notices that readers can close, summaries by a machine, items of
WordPress's menus, and the source of a function."""
_PLACES_IN_CODE = frozenset(("definition", "reference"))
_OF_DOXYGEN = re.compile(r"\b(?:memdoc|textblock)\b")
"""The class of a paragraph that says where something is defined and used, and those of elements
around it in manuals made by Doxygen."""
_STEMS_OF_TAGS = ("dismiss", "ai summary", "aisummary", "menu item", "source", *_PLACES_IN_CODE)
"""Every text in which one of the others finds something has one of these."""
_BESIDE_POSTS = lazy_pattern(
    r"\buser ?(?:infos?|details?|block|card|pane)\b|\bposter ?(?:infos?|details?)\b|"
    r"\bk?post ?profile\b|\blast ?edit(?:ed)?\b|\blikes? (?:summary|bar)\b|\blike text\Z|"
    r"\breactions? ?(?:bar|links?|list|summary)\b|\b(?:onebox|unfurl)\b"
)
"""Class words of what stands beside posts, on pages that say that they are a thread: what is said
of the author, when the post was edited, who likes it, and the preview of a page that it links to.
"""
_STEMS_OF_POSTS = (
    "user", "poster", "profile", "last edit", "lastedit", "like", "reaction", "onebox", "unfurl",
)  # fmt: skip
"""Every text in which ``_BESIDE_POSTS`` finds something has one of these."""
_beside_posts = ClassNames(_STEMS_OF_POSTS, _BESIDE_POSTS)
_NO_BOXES = NAME_TAGS | {"article", "section"}
"""Tags of elements whose ids, which are class words, are those of what their text is about."""
_OF_HEADING = re.compile(r"\b(?:titles?|headings?|headlines?|headers?|labels?)\b")
"""Class words of the heading of what stands apart. Without them, the words of a heading are most
often its id, which is made of its text."""
_POPOVER, _OF_DOCUTILS, _WORD = "popover", "section ", re.compile(r"[^\W\d_]{2,}")
"""A name of which manuals of interfaces have sections; what stands before the id of a section that
Docutils writes; and the words of an id."""
_MAX_HEADING_CHARS, _MAX_ID_WORDS, _NEAR = 200, 8, 3
"""So much of a heading is compared with an id; and how many of the innermost tags around a block
are looked at for one of a heading."""
_PAGE_FOOTER = "footer"
_OF_TEXT = frozenset(("article", "blockquote", "section", "figure", "li"))
"""A footer in one of these is not that of the page."""
_MIN_WORDS = 20
"""Words of six characters that a page keeps without what stands apart. If it has fewer, that is its
text, such as the address on a page of contacts."""
_BY_LINE = (are_placeholders, tell_of_members, label_controls, tell_of_the_text)
"""What tells by their text which of the kept lines stand apart."""


def stands_apart(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which of the kept blocks stand apart from the text: (blocks,)."""
    found, places = kept & _named_apart(page), kept.nonzero()[0].tolist()
    by_text = [*dates_of_posts(page, places), *tell_of_rights(page, places)]
    for rule in _BY_LINE:
        by_text += rule(page, kept)
    if by_text:
        found[by_text] = True
    elif not found.any():
        return found
    rest = float(page.words[kept & ~found].sum())
    return found if rest >= _MIN_WORDS else np.zeros_like(kept)


def _named_apart(page: Page) -> NDArray[np.bool_]:
    """Return which blocks stand apart by their tags and class words: (blocks,)."""
    sure, of_tags = _apart.on(page), _apart_of_tags.on(page)
    sure = sure - _ids_of_sections(page, sure) if sure else sure
    posts = _beside_posts.on(page) if is_thread(page) else frozenset[str]()
    named = sure | of_tags | posts
    if not (named or _PAGE_FOOTER in page.names[0]):
        return np.zeros(len(page.texts), dtype=np.bool_)
    apart = [
        (_PAGE_FOOTER in tags and _OF_TEXT.isdisjoint(tags[: tags.index(_PAGE_FOOTER)]))
        or (not named.isdisjoint(words) and _is_apart(tags, words, sure, posts))
        for tags, words in page.paths.pairs
    ]
    return np.array(apart, np.bool_)[page.path_places]


def _ids_of_sections(page: Page, sure: frozenset[str]) -> set[str]:
    """Return which of these class words are the id of a section, which is made of its heading, such
    as "using the popover". A heading that is nothing but such a name may be that of a box.
    """
    texts, (pairs, places), found = page.texts, page.paths, set[str]()
    likely = {
        place: own
        for place, (tags, class_words) in enumerate(pairs)
        if (own := sure.intersection(class_words)) and not HEADING_TAGS.isdisjoint(tags[-_NEAR:])
    }
    for i in [i for i, place in enumerate(places) if place in likely]:
        words = dict.fromkeys(_WORD.findall(texts[i][:_MAX_HEADING_CHARS].lower()))
        slug = " ".join([*words][:_MAX_ID_WORDS])
        if slug == _POPOVER or not _APART.fullmatch(slug):
            found |= {own for own in likely[places[i]] if own.removeprefix(_OF_DOCUTILS) == slug}
    return found


def _is_apart(
    tags: Ancestors, class_words: Ancestors, sure: AbstractSet[str], posts: AbstractSet[str]
) -> bool:
    """Return whether the class words of a path say that its blocks stand apart.

    ``sure``: those that say it whatever the tag is. ``posts``: those of what stands beside posts.
    """
    if tags[-1:] == ("p",) and class_words[-1] in _PLACES_IN_CODE:
        return any(map(_OF_DOXYGEN.search, class_words))
    for tag, words in zip(tags, class_words, strict=True):
        of_tag = _APART_OF_TAG.get(tag)
        if words in sure and (tag not in NAME_TAGS or _OF_HEADING.search(words)):
            return True
        if of_tag and of_tag.search(words) and not OF_FUNCTION.search(words):
            return True
        if words in posts and tag not in _NO_BOXES:
            return True
    return False


def _names_apart(words: str) -> bool:
    """Return whether class words are those of what stands apart, and of no function of a manual."""
    return _APART.search(words) is not None and not OF_FUNCTION.search(words)


def _names_by_tag(words: str) -> bool:
    """Return whether class words may be those of what stands apart if it has a certain tag."""
    of_tags = any(pattern.search(words) for pattern in _APART_OF_TAG.values())
    return of_tags or words in _PLACES_IN_CODE


_apart = ClassNames(_STEMS, _names_apart)
_apart_of_tags = ClassNames(_STEMS_OF_TAGS, _names_by_tag)
