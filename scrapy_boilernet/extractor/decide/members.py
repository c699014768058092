"""Lines of a thread that tell of the members who wrote it: "Posts: 1,226", "Joined: May 2008".

They stand beside each post, in a box whose class words often say nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scrapy_boilernet.extractor.decide.threads import is_thread
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
    rf"(?:({_SINCE})|({_POSTS})|({_MORE}))\s?[:：]\s?\S.{{0,40}}\Z",
    re.IGNORECASE,
)
_OF_MORE = 3
"""The last group of ``_LINE``."""
_MAX_CHARS = 60
_LEAST = 3
"""Posts beside which the same is said."""


def tell_of_members(page: Page, kept: Sequence[int]) -> list[int]:
    """Return which of these kept blocks are such lines."""
    lines, texts = list[tuple[int, int, str]](), page.texts
    for i in kept:
        text = texts[i]
        if len(text) > _MAX_CHARS or not (":" in text or "：" in text):
            continue
        line = _LINE.match(text)
        if line and line.lastindex:
            lines.append((i, line.lastindex, line[line.lastindex].lower()))
    counts = Counter(label for _, _, label in lines)
    often = [line for line in lines if counts[line[2]] >= _LEAST]
    of_members = {kind for _, kind, _ in often} - {_OF_MORE}
    if len(of_members) > 1 or (of_members and is_thread(page)):
        return [i for i, _, _ in often]
    return []
