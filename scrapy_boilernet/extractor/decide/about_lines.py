"""Lines about a text: when somebody edited it, who shared a picture, who edited an article, whose
rights it is under, and by which words it is filed.

"Last edited by Ada on May 3", "A post shared by Ada (@ada)", "Rate this book", "责任编辑：王晓",
"Tags: mills, weirs", "© 2025 Mill Review. All rights reserved."
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_EDITED = (
    "(?:(?:this post was |post |last )(?:last )?(?:edited|modified)) (?:by|on|at)\\b|"
    "edited (?:by|on|at)\\b.{0,60}\\d{1,2}:\\d{2}|"
    "(?:zuletzt (?:geändert|bearbeitet|editiert) (?:von|am)|"
    "dernière (?:édition|modification) par|última (?:edición|modificación) por|última edição por|"
    "ultima modifica di|laatst (?:gewijzigd|bewerkt) door|senast (?:redigerad|ändrad) av|"
    "ostatnio (?:edytowan[ey]|zmienion[ey]) przez|"
    "последний раз (?:отредактировано|редактировалось|изменено)|"
    "востаннє (?:відредаговано|редагувалось))\\b"
)
_SHARED = (
    "(?:a (?:post|photo|video|reel) (?:shared|posted) by|ein beitrag geteilt von|"
    "ein von .{1,60} geteilter beitrag|une publication partagée par|"
    "una publicación compartida (?:por|de)|un post condiviso da|"
    "uma publicação compartilhada por|публикация от)\\b"
)
_RATE = "rate this (?:book|article|post|product|recipe|video|page|story|item|movie|song)"
_FOLLOW = (
    "(?:follow (?:us|me) (?:on|at)|folge(?:n sie)? uns auf|suivez-nous sur|síguenos en|"
    "síganos en|seguici su|siga-nos no|volg ons op|följ oss på|følg os på|følg oss på|"
    "obserwuj nas na|подписывайтесь на|подпишитесь на) (?:@|(?:twitter|x|facebook|instagram|tiktok|"
    "youtube|linkedin|pinterest|telegram|threads|bluesky|mastodon|whatsapp|google|snapchat)\\b)"
)
_GIFT = (
    r"send (?:any|a) friend (?:a|this) (?:story|article)|"
    r"(?:as a subscriber,? )?you have \d+ (?:gift|free) (?:articles|stories|links) "
    r"(?:to (?:give|share)|left)\b|"
    r"(?:als abonnent(?:in)?,? )?sie können (?:noch )?\d+ artikel (?:im monat )?verschenken|"
    r"vous pouvez offrir \d+ articles|puedes regalar \d+ artículos|puoi regalare \d+ articoli"
)
"""That subscribers may give articles to others."""
_LIKES = "[0-9][0-9.,]* (?:likes?|people like this)\\W*\\Z"
_OF_CHINESE = (
    "[（(【[]?\\s?(?:责任编辑|責任編輯|责编|稿源)\\s?[:：丨/]|"
    "[（(【[]\\s?(?:编辑|編輯|(?:文章|本文|稿件|信息|新闻)?(?:来源|來源))\\s?[:：丨/]|"
    "最[后後][编編][辑輯][于於]|最終編集"
)
"""Who edited an article, and where it is from, at its end and below its headline; the same of
posts."""
_LINE = lazy_pattern(
    rf"{_EDITED}|{_SHARED}|{_RATE}\b|{_FOLLOW}|{_GIFT}|{_LIKES}|{_OF_CHINESE}", re.IGNORECASE
)
_FILED = lazy_pattern(
    r"(?:tag(?:s|ged(?: with| as| in)?)?|filed under|posted in|categor(?:y|ies)|labels|"
    r"(?:related )?topics?|schlag(?:wort|wörter)|stich(?:worte?|wörter)|themen|étiquettes|"
    r"mots-clés|catégories?|etiquetas|categorías?|categorias?|argomenti|categori[ae]|trefwoorden|"
    r"onderwerpen|categorieën|taggar|etiketter|kategori(?:er|en)?|tagi|kategorie|теги|метки|"
    r"рубрик[аи]|标签|关键[词字]|標籤|タグ|カテゴリー?|태그)\s?[:：]",
    re.IGNORECASE,
)
"""Beginnings of lines of links to what else is filed so."""
_RIGHTS = lazy_pattern(
    r"\W{0,3}copyright\b(?=\W*(?:\d{4}|by\b|©|\(c\)))|.{0,60}(?:©|\(c\) ?\d{4})|"
    r".{0,120}(?:all rights? reserved|"
    r"alle rechte vorbehalten|tous droits réservés|todos los derechos reservados|"
    r"tutti i diritti riservati|todos os direitos reservados|alle rechten voorbehouden|"
    r"wszelkie prawa zastrzeżone|minden jog fenntartva|все права защищены|版权所有)",
    re.IGNORECASE,
)
"""A line at the end that says who has the rights."""
_RIGHTS_SIGNS = ("©", "copyright", "(c)", "right", "recht", "droits", "derechos", "diritti",
                 "direitos", "prawa", "jog fenn", "права", "版权")  # fmt: skip
"""A text in which ``_RIGHTS`` finds something has one of these in lower case."""
_MAX_RIGHTS_CHARS, _LAST = 200, 3
"""The most characters of such a line, and among how many of the last kept blocks it is."""
_signs = LineSigns((
    "edited ", "modified ", "zuletzt ", "dernière ", "última ", "ultima ", "laatst ", "senast ",
    "ostatnio ", "последний раз ", "востаннє ", "shared by", "posted by", "beitrag",
    "partagée par", "compartida ", "condiviso da", "compartilhada por", "публикация от",
    "rate this ", "follow ", "folge", "suivez-nous ", "síguenos ", "síganos ", "seguici ",
    "siga-nos ", "volg ons ", "följ oss ", "følg os", "obserwuj nas ", "подписывайтесь на ",
    "подпишитесь на ", "send any friend", "send a friend", "you have ", "verschenken", "offrir ",
    "regalar", "like", "责任编辑", "責任編輯", "责编", "稿源", "编辑", "編輯", "来源",
    "來源", "最后", "最後", "最終編集", "tag", "filed under", "posted in", "categor", "labels",
    "topic", "schlag", "stich", "themen", "étiquettes", "mots-clés", "catégorie", "etiquetas",
    "argomenti", "trefwoorden", "onderwerpen", "etiketter", "kategori", "теги", "метки", "рубрик",
    "标签", "关键", "標籤", "タグ", "カテゴリ", "태그",
))  # fmt: skip
"""Every such line has one of these in lower case, but for those on rights."""
_MAX_CHARS, _MAX_FILED_CHARS, _MIN_LINK_SHARE = 100, 150, 0.3
_MAX_CHINESE_CHARS = 40
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt".split())
_NOT_IN = _HEADINGS | {"th", "td", "pre", "code"}


def tell_of_the_text(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return which of the kept blocks are such lines. ``kept``: (blocks,)."""
    texts, link_chars, (pairs, places) = page.texts, page.marks[0], page.paths
    found = []
    for i in _signs.on(page):
        text = texts[i]
        if not kept[i] or len(text) > _MAX_FILED_CHARS:
            continue
        most = _MAX_CHARS if text[:1] < "一" else _MAX_CHINESE_CHARS
        is_line = len(text) <= most and _LINE.match(text)
        is_filed = link_chars[i] >= _MIN_LINK_SHARE * len(text) and _FILED.match(text)
        if (is_line or is_filed) and _NOT_IN.isdisjoint(pairs[places[i]][0][-2:]):
            found.append(i)
    return found


def tell_of_rights(page: Page, kept: Sequence[int]) -> list[int]:
    """Return which of the last kept blocks say who has the rights. ``kept``: all kept blocks."""
    return [i for i in kept[-_LAST:] if _tells_of_rights(page, i)]


def _tells_of_rights(page: Page, place: int) -> bool:
    """Return whether a block says who has the rights, without a heading of its own."""
    pairs, places = page.paths
    text, before = page.texts[place], pairs[places[max(place - 1, 0)]][0]
    lower = text.lower() if len(text) <= _MAX_RIGHTS_CHARS else ""
    return (
        any(map(lower.__contains__, _RIGHTS_SIGNS))
        and _RIGHTS.match(text) is not None
        and _NOT_IN.isdisjoint(pairs[places[place]][0])
        and _HEADINGS.isdisjoint(before[-2:])
    )
