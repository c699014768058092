"""Finds pages whose bytes lack the text: empty shells of scripts, consent dialogs, and walls."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import compress

from scrapy_boilernet.extractor.decide.dialogs import CONSENT_TEXT, CONSENT_TEXT_STEMS
from scrapy_boilernet.extractor.decide.stubs import WALL, WALL_STEMS
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.metadata import Rendering, Stated
from scrapy_boilernet.extractor.output.folding import has_one_of, stem_finder

_NOTHING_CHARS, _HIDDEN_CHARS, _SHELL_CHARS, _FEW_CHARS, _TEASER_CHARS = 60, 1_000, 400, 600, 1_500
_MIN_CONSENT_SHARE = 0.6
_CONSENT_STEMS = stem_finder(CONSENT_TEXT_STEMS)
_SCRIPT_NOTICE = re.compile(
    r"(?:enable|requires?|turn on|activate|needs?|without|disabled?|aktivieren|activer|activez|"
    r"habilit\w*|activa\w*|włącz\w*|включит\w*|attiva\w*|ativ\w*|inschakelen)\b.{0,60}"
    r"\bjava ?scripts?\b|"
    r"\bjava ?scripts?\b.{0,60}(?:enabled?|required|disabled|turned off|activ\w*|aktivier\w*|"
    r"habilit\w*|nicht verfügbar|désactivé|включ\w*|отключ\w*|włącz\w*|необходим\w*)|"
    r"JavaScriptを有効|启用\s?JavaScript|啟用\s?JavaScript|\Aloading(?:\.{3}|…)?\Z",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    r"just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|"
    r"are you a robot|attention required|access (?:to this page has been )?denied|captcha|"
    r"unusual traffic|security check|ddos protection|enable javascript and cookies",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"subscribe(?!r)|become|sign in|log in|register|join|already|lesen|bereits|reste|ya eres|"
    r"prenumer|この記事",
    re.IGNORECASE,
)
"""What a wall tells the reader, unlike a label that says who may read another page."""


def needs_rendering(
    labeled: LabeledPage, others: AbstractSet[int] = frozenset()
) -> Rendering | None:
    """Return why the bytes lack the page's text, or None if there is no sign that they do.

    ``others``: the indexes of the blocks about other pages, whose labels may say that members only
    can read them, and of those of readers and quotes. Calls to the reader count there, too, but
    not in comments.

    ``"script"``: a script loads it. ``"consent"``: a consent dialog is all that the page holds.
    ``"wall"``: readers must pay, sign in or prove that they are human.
    """
    page, stated = labeled.page, labeled.page.stated or Stated()
    if page.not_html:
        return None
    _, hidden, noscript = page.marks
    shown = [*compress(page.texts, (hidden + noscript == 0).tolist())]
    shown_chars = sum(map(len, shown))
    chars = len(labeled.text)
    hides_text = labeled.source == "hidden" and chars >= _HIDDEN_CHARS
    if shown_chars < _SHELL_CHARS:
        if any(_CHALLENGE.search(text) for text in (page.title[:500], *shown)):
            return "wall"
        notice = any(_SCRIPT_NOTICE.search(text[:500]) for text in page.texts)
        unseen = shown_chars < _NOTHING_CHARS and stated.scripts
        if not hides_text and (notice or stated.empty_app or unseen):
            return "script"
    if chars < _FEW_CHARS and stated.empty_app:
        return "script"
    if chars < _FEW_CHARS and shown_chars:
        consent = sum(len(text) for text in shown if _asks_consent(text[:2_000]))
        if consent >= _MIN_CONSENT_SHARE * shown_chars:
            return "consent"
    if chars < _TEASER_CHARS:
        seen = enumerate((hidden + noscript).tolist())
        kinds, texts = labeled.kinds, page.texts
        said = [(texts[i], i not in others) for i, no in seen if not no and kinds[i] != "comment"]
        return "wall" if _is_walled(stated, said) else None
    return None


def _asks_consent(text: str) -> bool:
    return has_one_of(_CONSENT_STEMS, text) and CONSENT_TEXT.search(text) is not None


def _is_walled(stated: Stated, shown: Sequence[tuple[str, bool]]) -> bool:
    """Return whether readers must pay or sign in for the text.

    ``shown``: (text, whether a label in it is about the page) of each block.
    """
    if any(one.first("isaccessibleforfree") == "false" for one in stated.objects):
        return True
    together = "\n".join([text for text, _ in shown]).lower()
    stems = [stem for stem in WALL_STEMS if stem in together]
    for text, may_label in ((text[:500], own) for text, own in shown) if stems else ():
        lower = text.lower()
        walls = WALL.finditer(text) if any(map(lower.__contains__, stems)) else ()
        if any(may_label or _CALL.search(wall[0]) for wall in walls):
            return True
    return False
