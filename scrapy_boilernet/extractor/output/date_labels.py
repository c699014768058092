"""Tells by the words beside a date whether it is of a publication, a change or a member."""

from __future__ import annotations

import re

from scrapy_boilernet.extractor.output.dates import dates_in, found_dates
from scrapy_boilernet.extractor.output.folding import has_one_of, stem_finder

CHANGED = re.compile(
    r"updated|modified|edited|revised|last reviewed|last change|aktualisier|geändert|änderung|"
    r"\bstand(?::|\s\d)|mise? à jour|modifié|actualiza[dc]|aggiorna|atualiza[dç]|bijgewerkt|"
    r"gewijzigd|uppdatera|oppdatert|opdateret|päivitetty|zaktualizowan|aktualizacja|aktualizován|обновл|"
    r"оновлен|güncelle|eguneratu|ενημέρωση|수정|업데이트|تحديث|"
    r"review date|modifica(?!tions)|última (?:vez|edici[oó]n|edição)|editad[oa](?! por)|"
    r"ultima editare|"
    r"zuletzt|letzte bearbeitung|bearbeitet (?:am|um)|bewerkt(?! door)|wijziging|"
    r"redige(?:ra|rt|ret)|ændret|sist endret|senast ändra|viimeksi|muokattu|módosít|"
    r"frissít(?:ve|és)|"
    r"ostatnio zmien|ostatnia (?:zmiana|mod)|edytowan|modyfik|naposledy|upraven|"
    r"posledn[íáj]\w{0,3} (?:úprav|změn|aktualiz|zmen|izm)|отредактирован|измен[её]н[оа]?\b|"
    r"послед\w{2,4} (?:изменен|измена|промян)|востаннє|остання зміна|değiştiril|düzenlenme|"
    r"son düzenle|τελευταία (?:επεξ|τροπο)|cập nhật|lần cuối|diperbarui|terakhir diubah|עודכן|"
    r"נערך לאחרונה|마지막으로 편집|آخر تعديل|ویرایش|به\W?روزرسانی|แก้ไข(?:ล่าสุด|ครั้ง|เมื่อ)|อัปเดต|अपडेट|"
    r"最[后後終近](?:更新|修[订改訂]|[编編][辑輯])|"
    r"更新(?:日|[时時][间間]|[于於:：])|[编編][辑輯集][于於]",
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
_NEXT_LABEL = re.compile(r"[,;|•·]\s")
_TIME_AGO = re.compile(r"[^\d,;|•·()]{0,20}\d{1,2}\s?[^\W\d]")
"""How long ago a change was, behind words of it."""


_STEMS = {
    CHANGED: (
        "updated", "modifi", "edited", "revised", "last review", "last change", "aktualisier",
        "änder", "stand", "à jour", "actualiza", "aggiorna", "atualiza", "bijgewerkt",
        "gewijzigd", "uppdatera", "oppdatert", "opdateret", "päivitetty", "zaktualizowan",
        "aktualizacja", "aktualizován", "обновл", "оновлен", "güncelle", "eguneratu",
        "ενημέρωση", "수정", "업데이트", "تحديث", "review date", "última", "editad",
        "ultima editare", "zuletzt", "bearbeit", "bewerkt", "wijziging", "redige", "ændret",
        "sist endret", "senast ändra", "viimeksi",
        "muokattu", "módosít", "frissít", "ostatni", "edytowan",
        "modyfik", "naposledy", "posledn", "upraven", "отредакт", "измен", "послед", "востаннє",
        "остання", "değiştiril", "düzenle", "τελευταία", "cập nhật", "lần cuối", "diperbarui",
        "terakhir", "עודכן", "נערך", "편집", "تعديل", "ویرایش", "روزرسانی", "แก้ไข", "อัปเดต",
        "अपडेट", "更新", "修", "编", "編",
    ),
    PUBLISHED_TEXT: (
        "publi", "posted", "written", "created", "veröffentlicht", "erschienen", "erstellt",
        "posté", "pubblicat", "gepubliceerd", "utgitt", "udgivet", "julkaistu", "zveřejněn",
        "yayın", "опубл", "δημοσι", "发布", "發布", "公開", "投稿", "入力", "등록", "نشر",
    ),
    MEMBER: (
        "joined", "join date", "regist", "member", "mitglied", "dabei", "beigetreten",
        "inscri", "membre", "fecha de ingreso", "miembro", "membro", "iscri", "lid sinds",
        "dołączył", "rejestracja", "регистр", "üyelik", "注册时间", "註冊時間", "登録日",
    ),
}  # fmt: skip
"""Every text in which one of the patterns finds something has one of these."""
_FINDERS = {id(pattern): stem_finder(stems) for pattern, stems in _STEMS.items()}
"""What finds them. The hash of a long pattern would take longer than the search."""


def searched(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the first match of one of the patterns of this module in a text."""
    return pattern.search(text) if has_one_of(_FINDERS[id(pattern)], text) else None


def is_changed(text: str) -> bool:
    """Return whether the text is of a change, such as "Last edited"."""
    changed = searched(CHANGED, text)
    if not changed:
        return False
    before, behind = text[: changed.start()], text[changed.end() :]
    has_both = any(dates_in(before)) and any(dates_in(behind))
    return not has_both and not _of_publication_behind(behind)


def is_member(text: str) -> bool:
    """Return whether the text states when somebody became a member."""
    return bool(searched(MEMBER, text))


def of_publication(text: str) -> str:
    """Return the part of the text up to words of a change, or from words of a publication on that
    stand behind the date of the change; "" if no date is in it or all dates are of the change.

    >>> of_publication("March 5, 2024 (updated March 6, 2024)")
    'March 5, 2024 ('
    >>> of_publication("Updated: March 6, 2024 | Published: March 5, 2024")
    'Published: March 5, 2024'
    >>> of_publication("Posted: Mar 4, 2024 | Last updated: 24 minutes ago")
    'Posted: Mar 4, 2024 | Last '
    >>> of_publication("On March 5, 2024 last edited")
    ''
    """
    changed = searched(CHANGED, text)
    if not changed:
        return text
    before, behind = text[: changed.start()], text[changed.end() :]
    if any(dates_in(before)):
        is_dated = any(dates_in(behind)) or _TIME_AGO.match(behind)
        return before if is_dated or searched(PUBLISHED_TEXT, before) else ""
    published = _of_publication_behind(behind)
    return published if any(dates_in(published)) else ""


def _of_publication_behind(text: str) -> str:
    """Return a text from words of a publication behind a date on; "" if there are none."""
    published = searched(PUBLISHED_TEXT, text)
    is_behind = published is not None and any(dates_in(text[: published.start()]))
    return text[published.start() :] if published and is_behind else ""


def of_change(text: str) -> str:
    """Return the part of the text from words of a change on; without a date in it, the whole text,
    or "" if its date is that of the publication.

    >>> of_change("March 5, 2024 (updated March 6, 2024)")
    'updated March 6, 2024)'
    >>> of_change("Posted: Mar 4, 2024 | Last updated: 24 minutes ago")
    ''
    """
    changed = searched(CHANGED, text)
    behind = text[changed.start() :] if changed else ""
    if any(dates_in(behind)):
        return behind
    return "" if of_publication(text) else text


def is_only_changed(text: str) -> bool:
    """Return whether the first date is of a change, although the text has words of a publication.

    >>> is_only_changed("Created by Ana Ruiz, last modified on Mar 4, 2024")
    True
    >>> is_only_changed("Last updated on 2024-03-04. Created using a tool.")
    True
    >>> is_only_changed("Posted: Mar 4, 2024 | Last updated: 24 minutes ago")
    False
    """
    published, changed = searched(PUBLISHED_TEXT, text), searched(CHANGED, text)
    if not published or not changed or of_publication(text):
        return False
    if published.start() > changed.start():
        date = next(found_dates(text), None)
        return date is not None and published.start() >= len(date.before)
    return bool(_NEXT_LABEL.search(text, published.end(), changed.start()))
