"""Finds pages without content of their own: errors, empty searches, walls, requests for consent.

The words of such a page read like a short article, so that the expected word-F1 does not tell them
from one. What tells them is what they say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import compress

from scrapy_boilernet.extractor.decide.dialogs import CONSENT_TEXT, CONSENT_TEXT_STEMS
from scrapy_boilernet.extractor.decide.threads import is_surely_thread
from scrapy_boilernet.extractor.html.scan import SignFinder
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

STUB_CONFIDENCE = 0.3
"""The greatest confidence of such a page."""
_MAX_STUB_CHARS, _LOOKED_AT_CHARS = 1_000, 300
"""The most characters of content that a page without content has, and those of a text and of the
title that are looked at."""
_LEADING_TEXTS, _MIN_SAID_SHARE = 2, 0.6
"""If one of so many first texts of a longer content says so, by this share of its characters, the
rest is what else the page has."""
_STATUS = re.compile(r"\b[45]\d\d\b")
"""The status of a response, which a longer text may be about."""
_MIN_CONSENT_SHARE = 0.6
"""Share of the content's characters in dialogs, and in texts that ask for consent."""
WALL = lazy_pattern(
    r"(?:subscribe|become a (?:member|subscriber))\b.{0,40}"
    r"\b(?:to (?:continue|keep|read|unlock|access)|reading|full (?:article|story|access))|"
    r"(?:sign in|log in|register|join)\b.{0,40}"
    r"\bto (?:(?:continue|keep) reading|read (?:the|this|more|full)|unlock)|"
    r"already (?:a )?subscribe[rd]|subscribers? only|for (?:our )?(?:paying )?subscribers|"
    r"(?:jetzt|artikel|weiter) (?:weiter)?lesen mit|mit .{0,20}(?:abo|plus)\b.{0,20}lesen|"
    r"bereits abonnent|nur für abonnent|réservée? aux abonnés|il vous reste .{0,20}à lire|"
    r"(?:contenido|exclusivo|solo|sólo) para (?:sus? )?su[bs]*criptores|ya eres suscriptor|"
    r"(?:riservato agli|solo per gli) abbonati|(?:exclusivo|só) para assinantes|"
    r"alleen voor abonnees|prenumer\w+ (?:by|aby)|dostęp dla subskrybentów|"
    r"только для подписчиков|endast för prenumeranter|kun for abonnenter|vain tilaajille|"
    r"会員限定|この記事は有料|仅限(?:会员|订阅)",
    re.IGNORECASE,
)
"""A text that asks readers to pay or to sign in for the rest."""
WALL_STEMS = (
    "subscri", "become a ", "sign in", "log in", "register", "join", "lesen", "abonn", "reste",
    "criptor", "abbonati", "assinantes", "prenumer", "subskryb", "подписчиков", "tilaajille",
    "会員限定", "有料", "仅限",
)  # fmt: skip
"""Every text in which ``WALL`` finds something has one of these in lower case."""
ERROR = lazy_pattern(
    r"\b(?:page|file|url|document|article|content|product|item)\b.{0,40}?\b(?:(?:was |were |"
    r"could |can)"
    r"?not (?:be )?(?:found|available|exist)|no longer (?:exists?|available)|does(?: not|"
    r"n['’]t) exist|"
    r"(?:has|have) been (?:moved|removed|deleted))|\bnot found\b.{0,20}\b404|\b404\b.{0,30}"
    r"(?:error|not found|page|fehler|erreur|errore|erro)|\berror (?:40[0-9]|50[0-9])\b|"
    r"\b(?:403 forbidden|access (?:is |was )?denied|internal server error|service "
    r"(?:temporarily )?unavailable|bad gateway|something went wrong|oops!)|"
    r"seite (?:wurde |konnte )?(?:leider )?nicht (?:gefunden|mehr)|(?:gesuchte|"
    r"angeforderte) seite|"
    r"zugriff verweigert|page (?:introuvable|non trouvée|demandée)|page que vous (?:re)?cherchez|"
    r"accès refusé|página (?:no (?:encontrada|existe|disponible)|não (?:encontrada|existe))|"
    r"página (?:solicitada|que busca|que procura)|acc?ess?o (?:denegado|negato|negado)|"
    r"pagina (?:non (?:trovata|esiste|disponibile)|richiesta|niet gevonden|nu (?:a fost|există))|"
    r"pagina die (?:je|u) zoekt|nie znaleziono (?:strony|takiej)|strona nie (?:istnieje|została)|"
    r"страниц[аы] не (?:найден|существует)|доступ запрещ[её]н|сторінк[уа] не знайден|"
    r"sidan (?:hittades inte|kunde inte hittas|finns inte)|siden (?:blev ikke fundet|"
    r"ble ikke funnet|"
    r"findes ikke|finnes ikke|kunne ikke findes)|sivua ei löyd|stránk[ay] (?:nebyla nalezena|"
    r"nenalezena|neexistuje|sa nenašla)|oldal nem található|sayfa bulunamadı|"
    r"σελίδα δεν (?:βρέθηκε|"
    r"υπάρχει)|ページが見つかりません|お探しのページ|页面(?:不存在|未找到|无法)|找不到(?:该|"
    r"此)?(?:页面|网页|頁面|網頁)|페이지를 찾을 수 없|الصفحة (?:غير موجودة|المطلوبة)|"
    r"halaman tidak ditemukan|không tìm thấy trang",
    re.IGNORECASE,
)
"""What the text of an error page says."""
_NOTHING_FOUND = lazy_pattern(
    r"\b(?:no|0|zero) (?:\w+ )?(?:results?|matches|hits)\b|\bno (?:items|posts|products|articles|"
    r"entries|records|pages|documents|listings)\b.{0,30}\b(?:found|match\w*|available)|"
    r"\bnothing (?:was )?found|did(?: not|n['’]t) match any|"
    r"\b(?:keine|0) (?:\w+ )?(?:ergebnisse|treffer|suchergebnisse)|keine (?:artikel|beiträge|"
    r"produkte) "
    r"gefunden|\b(?:aucun|0) (?:\w+ )?résultats?|\b(?:ningún|sin|0) (?:\w+ )?resultados?|"
    r"no se (?:han? )?encontr\w+ (?:\w+ )?(?:resultado|coincidencia)|"
    r"ness?un (?:risultato|articolo|prodotto)|nenhum (?:resultado|produto|artigo)|sem resultados|"
    r"geen (?:\w+ )?(?:zoek)?resultaten|brak wyników|nie znaleziono (?:żadnych |"
    r"pasujących )?wyników|"
    r"ничего не (?:найдено|нашлось)|нет результатов|нічого не знайдено|"
    r"(?:inga|ingen) (?:\w+ )?(?:sök)?(?:resultat\w*|träffar|treff)\b|ei (?:haku)?tuloksia|"
    r"(?:žádné|nebyly nalezeny) (?:žádné )?výsledky|nincs találat|sonuç bulunamadı|"
    r"(?:該当|検索結果).{0,12}(?:ありません|見つかりません)|(?:没有|沒有|"
    r"未)找到.{0,12}(?:结果|結果|内容)|검색 결과가 없|"
    r"لا توجد نتائج|tidak ada hasil|không có kết quả",
    re.IGNORECASE,
)


_ERROR_STEMS = (
    "not found", "not be found", "not available", "not be available", "not exist", "be exist",
    "no longer", "n't exist", "n’t exist", "been moved", "been removed", "been deleted", "404",
    "error 4", "error 5", "forbidden", "denied", "server error", "unavailable", "bad gateway",
    "went wrong", "oops!", "seite", "zugriff", "introuvable", "non trouvée", "demandée",
    "page que vous", "accès refusé", "página", "denegado", "negato", "negado", "pagina ",
    "nie znaleziono", "strona nie", "страниц", "доступ запрещ", "сторінк", "sidan ", "siden ",
    "sivua ei", "stránk", "oldal nem", "sayfa bulunamad", "σελίδα δεν", "ページが", "お探し",
    "页面", "找不到", "페이지를", "الصفحة", "halaman tidak", "không tìm",
)  # fmt: skip
"""Every text in which ``ERROR`` finds something has one of these in lower case."""
_NOTHING_STEMS = (
    "result", "match", "hits", "no items", "no posts", "no products", "no articles", "no entries",
    "no records", "no pages", "no documents", "no listings", "nothing", "ergebnisse", "treffer",
    "gefunden", "résultat", "coincidencia", "risultat", "nessun", "nesun", "nenhum", "wynik",
    "ничего не", "нет результатов", "нічого не", "träff", "treff", "tuloksia", "výsledky",
    "nincs találat", "sonuç bulunamad", "ありません", "見つかりません", "找到", "검색 결과",
    "لا توجد", "tidak ada hasil", "không có kết",
)  # fmt: skip
"""The same of ``_NOTHING_FOUND``."""
_WALL_SIGNS, _NOTHING_SIGNS, _ERROR_SIGNS, _CONSENT_SIGNS = (
    frozenset(stem.encode() for stem in stems)
    for stems in (WALL_STEMS, _NOTHING_STEMS, _ERROR_STEMS, CONSENT_TEXT_STEMS)
)
_signs_in = SignFinder(_WALL_SIGNS | _NOTHING_SIGNS | _ERROR_SIGNS | _CONSENT_SIGNS)


def is_stub(page: Page, kept: Sequence[bool], dialog: Sequence[bool]) -> bool:
    """Return whether the page has no content of its own, as its short content or its title says.

    ``kept``: whether each block is content. ``dialog``: whether it is in a dialog.
    """
    texts = [*compress(page.texts, kept)]
    chars = sum(map(len, texts))
    if chars > _MAX_STUB_CHARS:
        return _leads_with_a_message(page, texts)
    together = "\n".join([*texts, page.title[:_LOOKED_AT_CHARS]]).lower()
    signs = _signs_in(together.encode("utf-8", "surrogatepass"))
    if True in dialog or not signs.isdisjoint(_CONSENT_SIGNS):
        asking = sum(
            len(text)
            for text, is_kept, in_dialog in zip(page.texts, kept, dialog, strict=True)
            if is_kept and (in_dialog or CONSENT_TEXT.search(text))
        )
        if asking > _MIN_CONSENT_SHARE * chars:
            return True
    said = [text[:_LOOKED_AT_CHARS] for text in texts]
    if _say(said, WALL, signs & _WALL_SIGNS) or _say(said, _NOTHING_FOUND, signs & _NOTHING_SIGNS):
        return True
    said.append(page.title[:_LOOKED_AT_CHARS])
    return _say(said, ERROR, signs & _ERROR_SIGNS)


def _leads_with_a_message(page: Page, texts: Sequence[str]) -> bool:
    """Return whether a content begins with the message that there is none, but for other texts of
    the page, such as recommendations. In a thread, it is what the thread is about.
    """
    first = [text for text in texts[:_LEADING_TEXTS] if len(text) <= _LOOKED_AT_CHARS]
    signs = _signs_in("\n".join(first).lower().encode("utf-8", "surrogatepass"))
    if signs.isdisjoint(_NOTHING_SIGNS | _ERROR_SIGNS) or is_surely_thread(page):
        return False
    return any(
        len(said[0]) >= _MIN_SAID_SHARE * len(text)
        for text in first
        for said in (ERROR.search(text), _NOTHING_FOUND.search(text))
        if said and not _STATUS.search(text)
    )


def _say(texts: Iterable[str], pattern: re.Pattern[str], signs: AbstractSet[bytes]) -> bool:
    """Return whether one of the texts matches; ``signs``: what such a text must have, one of them.

    To look for a few signs takes less time than to try a pattern of a hundred alternatives.
    """
    for text in texts if signs else ():
        plain = text.lower().encode("utf-8", "surrogatepass")
        if any(sign in plain for sign in signs) and pattern.search(text):
            return True
    return False
