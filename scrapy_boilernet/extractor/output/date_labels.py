"""Tells by the words beside a date whether it is of a publication, a change or a member."""

from __future__ import annotations

import re

from scrapy_boilernet.extractor.output.dates import dates_in
from scrapy_boilernet.extractor.output.folding import folded, has_one_of

CHANGED = re.compile(
    r"updated|modified|edited|revised|last reviewed|last change|aktualisier|geändert|änderung|"
    r"\bstand(?::|\s\d)|mise? à jour|modifié|actualiza[dc]|aggiorna|atualiza[dç]|bijgewerkt|"
    r"gewijzigd|uppdatera|oppdatert|opdateret|päivitetty|zaktualizowan|aktualizacja|aktualizován|обновл|"
    r"оновлен|güncelle|eguneratu|ενημέρωση|수정|업데이트|تحديث",
    re.IGNORECASE,
)
PUBLISHED_TEXT = re.compile(
    r"publi|posted|written|created|veröffentlicht|erschienen|erstellt|posté|pubblicat|gepubliceerd|"
    r"utgitt|udgivet|julkaistu|zveřejněn|yayın|опубл|δημοσι|发布|發布|公開|投稿|入力|등록|نشر",
    re.IGNORECASE,
)
MEMBER = re.compile(
    r"\b(?:joined|join date|registered|member since|registriert|registrierung|mitglied seit|"
    r"dabei seit|beigetreten|inscrit|inscription|membre depuis|registrado|registro|"
    r"fecha de ingreso|miembro desde|membro desde|iscritto|registrazione|iscrizione|geregistreerd|"
    r"lid sinds|dołączył|rejestracja|регистрация|зарегистрирован|üyelik)\b|注册时间|註冊時間|"
    r"登録日",
    re.IGNORECASE,
)
"""Text that states when the writer of a post became a member."""


_STEMS = {
    pattern: tuple(map(folded, stems))
    for pattern, stems in (
        (CHANGED, (
            "updated", "modifi", "edited", "revised", "last review", "last change", "aktualisier",
            "änder", "stand", "à jour", "actualiza", "aggiorna", "atualiza", "bijgewerkt",
            "gewijzigd", "uppdatera", "oppdatert", "opdateret", "päivitetty", "zaktualizowan",
            "aktualizacja", "aktualizován", "обновл", "оновлен", "güncelle", "eguneratu",
            "ενημέρωση", "수정", "업데이트", "تحديث",
        )),
        (PUBLISHED_TEXT, (
            "publi", "posted", "written", "created", "veröffentlicht", "erschienen", "erstellt",
            "posté", "pubblicat", "gepubliceerd", "utgitt", "udgivet", "julkaistu", "zveřejněn",
            "yayın", "опубл", "δημοσι", "发布", "發布", "公開", "投稿", "入力", "등록", "نشر",
        )),
        (MEMBER, (
            "joined", "join date", "regist", "member", "mitglied", "dabei", "beigetreten",
            "inscri", "membre", "fecha de ingreso", "miembro", "membro", "iscri", "lid sinds",
            "dołączył", "rejestracja", "регистр", "üyelik", "注册时间", "註冊時間", "登録日",
        )),
    )
}  # fmt: skip
"""Every text in which one of the patterns finds something has one of these."""


def searched(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match of one of the patterns of this module in a text."""
    return pattern.search(text) if has_one_of(_STEMS[pattern], text) else None


def is_changed(text: str) -> bool:
    """Return whether the text is of a change, such as "Last edited"."""
    return bool(searched(CHANGED, text)) and not before_change(text)


def is_member(text: str) -> bool:
    """Return whether the text states when somebody became a member."""
    return bool(searched(MEMBER, text))


def before_change(text: str) -> str:
    """Return the text up to words such as "Updated on"; "" if it begins with them or has no date.

    >>> before_change("March 5, 2024 (updated March 6, 2024)")
    'March 5, 2024 ('
    """
    changed = searched(CHANGED, text)
    if not changed:
        return text
    before = text[: changed.start()]
    return before if any(dates_in(before)) and any(dates_in(text[changed.end() :])) else ""
