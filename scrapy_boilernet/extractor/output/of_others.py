"""Finds the blocks of readers, of people who are quoted, and of other pages.

Who wrote them, and when, says nothing about the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.output.named import Place
from scrapy_boilernet.extractor.page import Ancestors, Page

_OTHER_PAGES = re.compile(
    r"\b(?:related|recommend(?:ed|ations?)|teasers?|trending|pull ?quotes?|quotes?|testimonials?|"
    r"(?:read|see) (?:also|next)|also read|(?:most|recent|latest|popular|other|similar) "
    r"(?:read|popular|news|posts?|articles?|stories)|more (?:news|posts|articles|stories|from)|"
    r"mehr zum thema|siehe auch|lire aussi|a lire|leia (?:mais|tambem)|leggi anche|lees ook|"
    r"zitate?)\b"
)
"""Class words of what stands for other pages, or is said by somebody else."""
_OF_READERS = re.compile(
    r"\b(?:comments?|commentlist|replies|reviews?|feedback|"
    r"(?:le[sz]er)?kommentar\w{0,2}|bewertung(?:en)?|rezension(?:en)?|commentaires?|avis|"
    r"comentarios?|rese(?:n|ñ)as?|coment(?:a|á)rios?|avalia(?:coes|ções)|commenti|recension[ei]|"
    r"reacties|beoordelingen|komentarz\w|opinie|отзывы|комментарии)\b"
)
"""Class words of what readers or customers write below a text."""
_STEMS = (
    "relat recommend teaser trending quote testimonial also next read recent latest popular other "
    "similar more mehr siehe aussi lire leia leggi lees zitat comment replies review feedback "
    "kommentar bewertung rezension avis coment rese avalia recension reactie beoordeling komentarz "
    "opinie отзыв комментар"
).split()
"""Every text in which one of the patterns finds something has one of these."""
_of_pages, _of_readers = (ClassNames(_STEMS, each) for each in (_OTHER_PAGES, _OF_READERS))
_LONG_CHARS = 80
_QUOTE_TAGS = frozenset({"blockquote", "figcaption"})
_HEADINGS = frozenset({"h2", "h3", "h4", "h5"})
_READERS_HEADING = re.compile(
    r"\W*\d{0,5}\s?(?:reader |user |customer |leser)?(?:comments?|replies|responses|reviews|"
    r"kommentare?|bewertungen|rezensionen|commentaires?|avis|comentarios|reseñas|opiniones|"
    r"comentários|avaliações|commenti|recensioni|reacties|beoordelingen|kommentarer|komentarze|"
    r"komentáře|комментарии|отзывы|yorumlar|コメント|评论|댓글)\W*\d{0,5}\W*\Z",
    re.IGNORECASE,
)
"""The heading above what readers or customers write."""
_HEADING_CHARS = 40
_REPORTER, _OF_REPORTER = re.compile("[记記]者\\s?[:：]"), "者"
_ASKS = re.compile("[？。！?!…][”」』]?\\s*\\Z|，(?!\\S{1,4}[:：])")
"""Signs of a sentence, which a list of reporters does not have."""


def place_in(labeled: LabeledPage, title: int) -> Place:
    """Return the place of a page's own byline; ``title`` is as in :meth:`Place.of`."""
    place = Place.of(title, labeled.kept)
    return place._replace(others=_blocks_of_others(labeled, place))


def _blocks_of_others(labeled: LabeledPage, place: Place) -> frozenset[int]:
    """Return the indexes of the blocks of readers, quotes and teasers.

    An element that holds the headline or the beginning of the text is the page's own, however it is
    named. So is what stands between both, and above them what seems to be of readers: it may be a
    critic's.
    """
    page = labeled.page
    blocks, (pairs, places_of) = page.blocks_without_xpaths, page.paths
    of_pages, by_readers = _of_pages.on(page), _of_readers.on(page)
    after = range(max(place.headline + 1, place.content.start), place.content.stop)
    start = next((i for i in after if len(blocks[i].text) >= _LONG_CHARS), len(blocks))
    own = {node for i in (place.headline, start) if i < len(blocks) for node in blocks[i].nodes}
    tags, class_words = zip(*pairs, strict=True) if pairs else ((), ())
    quotes = _places(tags, _QUOTE_TAGS.intersection(page.names[0]))
    other_pages, of_readers = (_places(class_words, words) for words in (of_pages, by_readers))
    found = {i for i, kind in enumerate(labeled.kinds) if kind == "comment"}
    is_named = [any(places) for places in zip(quotes, other_pages, of_readers, strict=True)]
    for i, number in enumerate(places_of):
        if not is_named[number]:
            continue
        depths = [*quotes[number]]
        if not place.headline < i < start:
            depths += other_pages[number]
        if i > start:
            depths += of_readers[number]
        if depths and not own.issuperset(map(blocks[i].nodes.__getitem__, depths)):
            found.add(i)
    return frozenset(found | _below_headings(page, start, own) | _questions(page, place))


def _questions(page: Page, place: Place) -> set[int]:
    """Return the indexes of the blocks of an interview that begin with "Reporter:" in Chinese, as
    far as a byline may stand there.
    """
    texts = page.texts
    if _OF_REPORTER not in "\n".join(texts):  # as in most pages
        return set()
    near = (i for part in (place.top, place.bottom) for i in part if i < len(texts))
    asked = {i for i in near if _REPORTER.match(texts[i])}
    return asked if any(_ASKS.search(texts[i]) for i in asked) else set()


def _below_headings(page: Page, start: int, own: AbstractSet[int]) -> set[int]:
    """Return the indexes of the blocks below the headings of readers' comments, in the elements of
    these headings that are not the page's ``own``; ``start``: the block where the text begins.
    """
    blocks, (pairs, places_of) = page.blocks_without_xpaths, page.paths
    is_heading = [not _HEADINGS.isdisjoint(tags[-1:]) for tags, _ in pairs]
    headings = [
        i
        for i in range(start + 1, len(blocks))
        if is_heading[places_of[i]]
        and len(blocks[i].text) <= _HEADING_CHARS
        and _READERS_HEADING.match(blocks[i].text)
    ]
    found: set[int] = set()
    for i, end in pairwise((*headings, len(blocks))):
        section = blocks[i].nodes[-2:][0]
        if section not in own:
            found.update(j for j in range(i, end) if section in blocks[j].nodes)
    return found


def _places(paths: Sequence[Ancestors], wanted: AbstractSet[str]) -> Sequence[Sequence[int]]:
    """Return per path the depths of the names that are wanted."""
    if not wanted:
        return [()] * len(paths)
    return [
        ()
        if wanted.isdisjoint(names)
        else [depth for depth, name in enumerate(names) if name in wanted]
        for names in paths
    ]
