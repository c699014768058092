"""Lines of a thread that tell of the members who wrote it: "Posts: 1,226", "Joined: May 2008"; and
when they did: "Sat Jan 04, 2020 10:34 pm", "2 years ago".

They stand beside each post, in a box whose class words often say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.decide.threads import is_surely_thread
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_SINCE = (
    "joined|join date|member since|registered|registriert(?: seit)?|dabei seit|mitglied seit|"
    "anmeldedatum|inscrit(?:e)?(?: le| depuis)?|inscription|date d['’]inscription|registrado|"
    "fecha de (?:registro|ingreso)|registado em|cadastrado|iscritto(?: il| dal)?|registrato|"
    "lid sinds|geregistreerd|registrerad|medlem sedan|rejestracja|dołączył[ay]?|registrován|"
    "csatlakozott|înregistrat|зарегистрирован[а]?|регистрация|зареєстрован(?:ий|о)?|"
    "εγγραφή|üyelik tarihi|katılım|注册时间|註冊時間|登録日|가입일"
)
"""Since when somebody is a member."""
_POSTS = (
    "posts|post count|messages|beiträge|mensajes|mensagens|messaggi|post|berichten|"
    "inlägg|indlæg|innlegg|viestit|posty|příspěvky|hozzászólások|mesaje|сообщени[яй]|"
    "повідомлен(?:ня|ь)|δημοσιεύσεις|mesajlar|帖子|文章|投稿数|게시글"
)
"""How much somebody wrote. A page with both of these tells of its members, and so does a thread
with one of them."""
_MORE = (
    "location|from|threads|topics|likes(?: received)?|liked|thanks|thanked|points|trophy points|"
    "reaction score|reputation|rank|status|wohnort|ort|themen|ubicación|localisation|lieu|"
    "localização|località|woonplaats|plats|skąd|miejscowość|bydliště|откуда|город|звідки|"
    "yer|konum|来自|來自"
)
"""What else is said beside these."""
_LINE = lazy_pattern(
    rf"(?:({_SINCE})|({_POSTS})(?=\s?[:：]\s?\d)|({_MORE}))\s?[:：]\s?\S.{{0,40}}\Z",
    re.IGNORECASE,
)
_DAY = (
    r"(?:\d{1,2}(?:st|nd|rd|th)?\.? (?:de |of )?[^\W\d]{3,12}\.?,? (?:de )?\d{2,4}|"
    r"[^\W\d]{3,12}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|"
    r"\d{4}[./年-] ?\d{1,2}[./月-] ?\d{1,2}日?)"
)
_DAY_WORD = (
    "(?:today|yesterday|heute|gestern|aujourd['’]hui|hier|hoy|ayer|oggi|ieri|hoje|ontem|vandaag|"
    "gisteren|idag|igår|i dag|i går|dzisiaj|wczoraj|сегодня|вчера|今天|昨天)"
)
_WEEKDAY = (
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mié|jue|vie|"
    r"sáb|dom|gio|sab|seg|ter|qua|qui|sex|ma|wo|vr|za|zo|mån|tis|ons|tor|lör|sön|man|tir|lør|søn|"
    r"pn|wt|śr|czw|pt|sob|nd|пн|вт|ср|чт|пт|сб|вс)"
)
_TIME = (
    r"(?:,? ?[^\W\d]{0,3} ?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})? ?(?:[ap]\.?m\.?|uhr|(?:[a-z]{2,4}))?)"
)
_WHEN = lazy_pattern(
    r"(?:\W|(?:posted|on|am|le|el|date|datum|fecha)\b)*"
    rf"(?:{_WEEKDAY}[^\W\d]{{0,8}}\.?,? )?(?:{_DAY}{_TIME}?|{_DAY_WORD}{_TIME})"
    r"(?:\W*#?\d{1,5})?\W*\Z|"
    r"(?:over |about |almost |edited )?(?:\d+|an?|one) (?:sec|min|hour|hr|day|week|month|year|yr)"
    r"\w* ago\W*\Z|vor \d+ [^\W\d]+\W*\Z|il y a \d+ [^\W\d]+\W*\Z|hace \d+ [^\W\d]+\W*\Z",
    re.IGNORECASE,
)
"""When a post was written, and its number, if that is all that a block says."""
_signs = LineSigns(":：")
_OF_MORE = 3
"""The last group of ``_LINE``."""
_MAX_CHARS, _MIN_TEXT_CHARS = 60, 80
_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6 dt th".split())
_LEAST = 3
"""Posts beside which the same is said."""


def tell_of_members(page: Page, kept: NDArray[np.bool_]) -> list[int]:
    """Return which of the kept blocks are such lines. ``kept``: (blocks,)."""
    lines, texts = list[tuple[int, int, str]](), page.texts
    with_colon = [i for i in _signs.on(page) if kept[i]]
    for i in with_colon if len(with_colon) >= _LEAST else ():
        line = _LINE.match(texts[i]) if len(texts[i]) <= _MAX_CHARS else None
        if line and line.lastindex:
            lines.append((i, line.lastindex, line[line.lastindex].lower()))
    if len(lines) < _LEAST:
        return []
    counts = Counter(label for _, _, label in lines)
    often = [line for line in lines if counts[line[2]] >= _LEAST]
    of_members = {kind for _, kind, _ in often} - {_OF_MORE}
    is_told = len(of_members) > 1 or (bool(of_members) and is_surely_thread(page))
    return [i for i, _, _ in often] if is_told else []


def dates_of_posts(page: Page, kept: Sequence[int]) -> list[int]:
    """Return which of the kept blocks of a thread say only when a post was written, if several do
    and there are as many texts. A page that lists threads has dates, too, but no texts.
    """
    if not is_surely_thread(page):
        return []
    texts, link_chars, (pairs, places) = page.texts, page.marks[0], page.paths
    lines = [i for i in kept if len(texts[i]) <= _MAX_CHARS and _WHEN.match(texts[i])]
    found = [i for i in lines if _HEADINGS.isdisjoint(pairs[places[i]][0][-2:])]
    long = [i for i in kept if len(texts[i]) >= _MIN_TEXT_CHARS] if len(found) >= _LEAST else []
    posts = sum(2 * link_chars[i] <= len(texts[i]) for i in long)
    return found if found and posts >= len(found) else []
