"""The links below a heading such as "See also" or "References" at the end of a text.

A model keeps the heading, which looks like the others of the text, and drops the links, which look
like those below an article. Both are content, or none.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.odds import are_likely, middle_odds
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_NAMES = lazy_pattern(
    r"\W*(?:\d+(?:\.\d+)*\.?\s)?(?:see also|references?|external links?|further reading|"
    r"api references?|bibliography|works cited|siehe auch|weblinks|einzelnachweise|literatur|"
    r"voir aussi|références|liens externes|bibliographie|véase también|ver también|referencias|"
    r"enlaces externos|bibliografía|ver também|veja também|referências|ligações externas|"
    r"bibliografia|vedi anche|collegamenti esterni|riferimenti|zie ook|externe links|"
    r"literatuur|se även|externa länkar|referenser|se også|eksterne lenker|henvisninger|"
    r"katso myös|lähteet|zobacz też|zobacz także|linki zewnętrzne|související články|"
    r"externí odkazy|lásd még|külső hivatkozások|vezi și|legături externe|виж също|"
    r"външни препратки|см\. также|смотрите также|внешние ссылки|литература|див\. також|"
    r"посилання|δείτε επίσης|βιβλιογραφία|ayrıca bakınız|dış bağlantılar|lihat pula|"
    r"pranala luar|xem thêm|liên kết ngoài|関連項目|外部リンク|参考文献|参见|參見|"
    r"外部链接|外部連結|같이 보기|외부 링크|انظر أيضا|وصلات خارجية|ראו גם|קישורים חיצוניים)\W*\Z",
    re.IGNORECASE,
)
"""What such a heading says."""
_HEADINGS = frozenset("h2 h3 h4 h5 h6".split())
_MAX_CHARS, _MAX_LINKS = 60, 30
_MIN_LINK_SHARE = 0.5
_BELOW = 2.0
"""By how much the mean log-odds of the links may be below the middle between those of the threshold
and of the most likely block below it. Sites of news have the same words above other articles."""


def complete_references(
    page: Page, kept: NDArray[np.bool_], probabilities: NDArray[np.float32], threshold: float
) -> NDArray[np.bool_]:
    """Return ``kept`` with the links in the element behind such a kept heading, if none of them is
    kept, and if they are not unlikely. Hidden blocks are not added.

    ``probabilities``: per block, those by which ``threshold`` decided.
    """
    if _HEADINGS.isdisjoint(page.names[0]):
        return kept
    pairs, places = page.paths
    may_be = kept[:-1] & ~kept[1:] & page.shown[1:] & (page.chars[:-1] <= _MAX_CHARS)
    above = may_be.nonzero()[0].tolist()
    headings = [i for i in above if _is_in_heading(pairs[places[i]][0])]
    named = [i for i in headings if _NAMES.match(page.texts[i])]
    middle = middle_odds(probabilities, threshold) if named else None
    if middle is None:
        return kept
    completed = kept.copy()
    for i in named:
        links = _links_behind(page, i)
        is_dropped = bool(links) and not kept[links].any()
        if is_dropped and are_likely(page, links, probabilities, middle - _BELOW):
            completed[links] = page.shown[links]
    return completed


def _is_in_heading(tags: Ancestors) -> bool:
    return not _HEADINGS.isdisjoint(tags)


def _links_behind(page: Page, index: int) -> list[int]:
    """Return the indexes of the blocks in the element behind the heading of a block; [] if they
    are too many, or not for the most part links.
    """
    end = min(index + _MAX_LINKS + 2, len(page.texts))
    heading, first, *rest = page.blocks_at(range(index, end))
    step = next(step for step, tag in enumerate(heading.tags) if tag in _HEADINGS)
    if first.nodes[:step] != heading.nodes[:step] or _is_in_heading(first.tags):
        return []
    inside = [first]
    for block in rest:
        if block.nodes[: step + 1] != first.nodes[: step + 1]:
            break
        inside.append(block)
    chars = sum(len(block.text) for block in inside)
    is_list = sum(block.link_chars for block in inside) >= _MIN_LINK_SHARE * chars
    links = range(index + 1, index + 1 + len(inside))
    return [*links] if is_list and len(inside) <= _MAX_LINKS else []
