"""Dates of events, periods, embedded posts, files and tools are none of the page."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.labeling import extract

TEXT = (
    "<p>Sixty boats sail three races in the old harbour. There is music on the quay from noon, and "
    "the museum ship is open to all who want to see how the crew lived.</p>"
)
H1 = "<h1>Harbour regatta</h1>"
OTHERS = {
    "event": f"{H1}<dl><dt>Date</dt><dd>Saturday, 6 July 2024, 10:00–18:00</dd></dl>{TEXT}",
    "event in German": f"{H1}<p>6. Juli 2024, 10 bis 18 Uhr</p>{TEXT}",
    "event with halves": f"{H1}<p>July 6, 2024, 10 am - 6 pm</p>{TEXT}",
    "period": f"{H1}<ul class=job-meta><li>Leer</li><li>From 1 May 2024</li></ul>{TEXT}",
    "period in German": f"{H1}<p>ab dem 1. Mai 2024</p><p>bis 1. Juni 2024</p>{TEXT}".replace(
        "ab dem", "ab"
    ),
    "period in French": f"{H1}<p>À partir du 1er mai 2024</p>{TEXT}",
    "tweet": f'{H1}{TEXT}<blockquote class="twitter-tweet"><p>A boat is a hole.</p>&mdash; Ole '
    f'(@ole) <a href="https://twitter.com/ole/status/99">March 3, 2024</a></blockquote>{TEXT}',
    "quote": f"{H1}<blockquote><p>We sail.</p><footer>Ole, <time datetime=2024-03-03>3 March"
    f"</time></footer></blockquote>{TEXT}",
    "files": "<table><tr><td><a>src</a></td><td><a>Fix</a></td><td><time datetime=2024-01-13>Jan "
    "13, 2024</time></td></tr><tr><td><a>README</a></td><td><a>Docs</a></td><td><time "
    f"datetime=2023-12-01>Dec 1, 2023</time></td></tr></table>{H1}{TEXT}",
    "tool": f"{H1}{TEXT}<footer>Generated on Mon Jan 1 2024 by <a>LaTeXML</a></footer>",
}
CHANGES = {
    "docusaurus": '<span class="theme-last-updated">Last updated on <b><time datetime='
    '"2024-04-02T00:00:00+00:00">Apr 2, 2024</time></b> by <b>kim</b></span>',
    "mkdocs": '<aside><span title="Last update"><span class="git-revision-date-localized-plugin">'
    "April 2, 2024</span></span></aside>",
    "german": "<p>Zuletzt aktualisiert: <time datetime=2024-04-02>2. April</time></p>",
    "label in the time": "<time datetime=2024-04-02>Updated April 2, 2024</time>",
    "label behind": "<p>Am 2. April 2024 geändert (3 Kommentare)</p>",
}

LAST_CHANGES = (
    "This page was last edited on 2 April 2024, at 10:11 (UTC).",
    "Diese Seite wurde zuletzt am 2. April 2024 um 10:11 Uhr bearbeitet.",
    "La dernière modification de cette page a été faite le 2 avril 2024 à 10:11.",
    "Esta página se editó por última vez el 2 abr 2024 a las 10:11.",
    "Questa pagina è stata modificata per l'ultima volta il 2 apr 2024 alle 10:11.",
    "Deze pagina is voor het laatst bewerkt op 2 apr 2024 om 10:11.",
    "Sidan redigerades senast den 2 april 2024 kl. 10.11.",
    "Esta página foi editada pela última vez às 10h11min de 2 de abril de 2024.",
    "本页面最后修订于2024年4月2日 (星期二) 10:11。",
    "最終更新 2024年4月2日 (火) 10:11 （日時は個人設定で未設定ならばUTC）。",
    "Stránka byla naposledy editována 2. 4. 2024 v 10:11.",
    "Цю сторінку востаннє відредаговано о 10:11, 2 квітня 2024.",
    "آخر تعديل لهذه الصفحة كان يوم 2 أبريل 2024، الساعة 10:11.",
    "Sivua on viimeksi muutettu 2. huhtikuuta 2024 kello 10.11.",
    "Denne side blev senest ændret den 2. april 2024 kl. 10:11.",
    "A lap utolsó módosítása: 2024. április 2., 10:11",
    "Эта страница в последний раз была отредактирована 2 апреля 2024 в 10:11.",
    "Bu sayfa en son 10.11, 2 Nisan 2024 tarihinde değiştirilmiştir.",
    "이 문서는 2024년 4월 2일 (화) 10:11에 마지막으로 편집되었습니다.",
    "Tę stronę ostatnio edytowano 2 kwi 2024, 10:11.",
    "Última modificación: 2 de abril de 2024",
    "Ultima modifica: 2 aprile 2024",
    "最后更新：2024年4月2日",
    "更新时间：2024-04-02",
    "最終更新日：2024年4月2日",
    "Poslední úprava: 2. dubna 2024",
    "Cập nhật lần cuối: 2.4.2024",
    "Terakhir diperbarui: 2 April 2024",
    "עודכן לאחרונה: 2.4.2024",
    "Последња измена: 2.4.2024",
    "Review date: 2 April 2024",
)
OF_CHANGES_AND_WRITERS = (
    "Created by <span class=author><a href=x>Ana Ruiz</a></span>, last modified on "
    "<a class=last-modified href=x>Apr 02, 2024</a>",
    "Erstellt von Ana Ruiz, zuletzt geändert am 2. April 2024",
    "Publié par Ana Ruiz, mis à jour le 2 avril 2024",
)
CREATIONS = "Created by Ana Ruiz, 2 April 2024", "Published and updated 2 April 2024"
PERIODS = (
    "March 3, 1938 – January 9, 2024",
    "12 May 2024 – 3 June 2024",
    "12. Mai 2024 bis 3. Juni 2024",
    "12 mai 2024 au 3 juin 2024",
    "12. Mai – 3. Juni 2024",
    "12–14 May 2024",
    "2024-05-12 – 2024-06-03",
    "2024年5月12日～2024年6月3日",
    "Argued January 12, 1994—Decided May 2, 1994",
    "Received 12 January 2020; accepted 3 March 2020",
)
OWN = (
    "2 April 2024 – 7 min read",
    "2 April 2024 - updated 3 April 2024",
    "2 April 2024 – LONDON",
    "LONDON – 2 April 2024",
    "Received: 12 January 2024 / Accepted: 3 March 2024 / Published online: 2 April 2024",
    "Received: 12 January 2024 / Revised: 3 March 2024 / Published: 2 April 2024",
    "2 April 2024 in Modifications",
    "Τελευταία νέα | 2 Απριλίου 2024",
    "Изменения в расписании, 2 апреля 2024",
    "2 Nisan 2024'te düzenlenen toplantı",
    "Editada por Casa Azul, 2 de abril de 2024",
    "Bewerkt door Jan Keel, 2 april 2024",
    "Frissítő italok – 2024. április 2.",
)


def dates_of(html: str) -> tuple[str | None, str | None]:
    page = f"<html lang=en><title>Harbour regatta</title><body><main>{html}</main></body></html>"
    found = extract(page, "https://x.example/a", formats=("metadata",)).metadata
    assert found
    return found.date_published, found.date_modified


@pytest.mark.parametrize("other", OTHERS)
def test_a_date_of_another_thing_is_not_the_pages(other: str) -> None:
    html = OTHERS[other]
    assert dates_of(html)[0] is None
    assert dates_of(html.replace(H1, f"{H1}<p class=date>5 March 2024</p>"))[0] == "2024-03-05"


def test_the_stated_date_of_a_job_stays() -> None:
    stated = '{"@context":"https://schema.org","@type":"JobPosting","datePosted":"2024-03-01"}'
    html = f'<script type="application/ld+json">{stated}</script>{OTHERS["period"]}'
    assert dates_of(html)[0] == "2024-03-01"


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("above", [True, False])
def test_a_page_that_only_says_when_it_changed_has_no_other_date(change: str, above: bool) -> None:
    shown = CHANGES[change]
    html = f"{H1}{shown}{TEXT * 3}" if above else f"{H1}{TEXT * 3}{shown}"
    published, modified = dates_of(html)
    assert published is None
    assert modified
    assert modified[:10] == "2024-04-02"


LINES = (
    "Published {} – Updated {}",
    "Veröffentlicht {}, aktualisiert {}",
    "Updated {1} · Published {0}",
    "<span>Publié {}</span> <span>Mise à jour {}</span>",
)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("text", ["12 Mar 2024", "12 March 2024, 11:30", "today"])
def test_both_dates_keep_their_zones(line: str, text: str) -> None:
    dates = "2024-03-12T06:00:00+01:00", "2024-03-12T11:30:00+01:00"
    marks = [f"<time datetime={date}>{text}</time>" for date in dates]
    html = f"{H1}<div class=timestamp>{line.format(*marks)}</div>{TEXT * 3}"
    assert dates_of(html) == dates


@pytest.mark.parametrize("line", LAST_CHANGES)
@pytest.mark.parametrize("form", ["{h}{t}<p>{}</p>", "{h}<p>{}</p>{t}", "{h}{t}{l}"])
def test_a_footer_that_says_when_the_page_changed_is_of_no_publication(
    line: str, form: str
) -> None:
    item = f"<footer><ul><li id=footer-info-lastmod>{line}</li></ul></footer>"
    published, modified = dates_of(form.format(line, h=H1, t=TEXT * 3, l=item))
    assert published is None
    assert modified
    assert modified[:10] == "2024-04-02"


@pytest.mark.parametrize("names", ["id=footer-info-lastmod", "class=page-last-modified"])
def test_an_element_that_is_called_a_change_needs_no_word(names: str) -> None:
    html = f"{H1}{TEXT * 3}<footer><div {names}>Ar 2 April 2024 e oa</div></footer>"
    assert dates_of(html) == (None, "2024-04-02")
    assert dates_of(html.replace(names, "class=date"))[0] == "2024-04-02"


@pytest.mark.parametrize("line", OF_CHANGES_AND_WRITERS)
def test_the_date_of_a_change_is_not_that_of_a_creation_without_one(line: str) -> None:
    assert dates_of(f"{H1}<div class=meta>{line}</div>{TEXT * 3}") == (None, "2024-04-02")


@pytest.mark.parametrize(
    "line", ["Created by Ana Ruiz, 2 April 2024", "Published and updated 2 April 2024"]
)
def test_a_creation_with_a_date_stays(line: str) -> None:
    assert dates_of(f"{H1}<div class=meta>{line}</div>{TEXT * 3}")[0] == "2024-04-02"


@pytest.mark.parametrize(
    "label", ["Last updated:", "Zuletzt aktualisiert:", "最后更新：", "Published:"]
)
def test_a_time_that_a_script_shows_is_what_its_label_says(label: str) -> None:
    time = '<time datetime="2024-04-02T07:03:12.000Z"></time>'
    published, modified = dates_of(f"{H1}{TEXT * 3}<div><p>{label} {time}</p></div>")
    day = (published or modified or "")[:10]
    assert (day, bool(published)) == ("2024-04-02", label == "Published:")


@pytest.mark.parametrize("line", PERIODS)
def test_days_of_a_life_or_a_period_are_of_no_publication(line: str) -> None:
    assert dates_of(f"{H1}<p class=dates>{line}</p>{TEXT * 3}") == (None, None)


@pytest.mark.parametrize("line", OWN)
def test_a_publication_beside_other_dates_or_signs_stays(line: str) -> None:
    published, _ = dates_of(f"{H1}<p class=date>{line}</p>{TEXT * 3}")
    assert published
    assert published[:10] == "2024-04-02"


def both_dates_of(body: str, head: str = "", lang: str = "en") -> tuple[str | None, str | None]:
    """Return the dates of publication and of the last change of a page with this body."""
    html = f"<html lang={lang}><head>{head}</head><body>{body}</body></html>"
    metadata = extract(html, "https://h.example/a", formats=("metadata",)).metadata
    assert metadata
    return metadata.date_published, metadata.date_modified


@pytest.mark.parametrize(
    "line",
    [
        "This document was created by <a href=/m>man2html</a>, using the manual pages.<br>"
        "Time: 02:36:01 GMT, November 25, 2026",
        "This page was generated by a script on November 25, 2026",
        "This HTML was automatically generated on 2026-11-25",
        "The documentation was built with a tool, 25 November 2026",
    ],
)
def test_a_moment_at_which_a_program_wrote_the_page(line: str) -> None:
    assert both_dates_of(f"{H1}{TEXT * 3}<hr>{line}") == (None, None)


@pytest.mark.parametrize(
    ("line", "published", "modified"),
    [
        ("This documentation was built with a tool. Last updated on May 4, 2024.",
         None, "2024-05-04"),
        ("Last updated: 4 May 2024. This page was generated by a script.", None, "2024-05-04"),
        ("The page was rendered by a script, last updated 4 May 2024", None, "2024-05-04"),
        ("Published: 4 May 2024. This file was converted from Word.", "2024-05-04", None),
        ("This manual was produced by Ole Berg, published 4 May 2024.", "2024-05-04", None),
        ("4 May 2024. This document was compiled by Ole Berg.", "2024-05-04", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["{h}<p>{}</p>{t}", "{h}{t}<p>{}</p>"])
def test_a_sentence_on_how_the_page_was_made_leaves_its_date(
    line: str, published: str | None, modified: str | None, form: str
) -> None:
    body = form.format(line, h=H1, t=TEXT * 3)
    assert both_dates_of(body) == (published, modified)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("This page was created by Ole Berg on 25 November 2026", "2026-11-25"),
        ("Created 25 November 2026", "2026-11-25"),
        ("Published: November 25, 2026", "2026-11-25"),
    ],
)
def test_a_date_of_publication_below_the_text_stays(line: str, found: str) -> None:
    assert both_dates_of(f"{H1}{TEXT * 3}<p>{line}</p>") == (found, None)


@pytest.mark.parametrize(
    "footer",
    [
        "© Copyright 2003-2023, Harbour Project. Last updated on 2023-01-01. Created using a tool.",
        "Last updated on Jan 1, 2023. Published by the harbour.",
        "Last updated on 2023-01-01",
    ],
)
def test_a_footer_that_tells_the_last_change(footer: str) -> None:
    assert both_dates_of(f"{H1}{TEXT * 3}<div class=footer>{footer}</div>") == (None, "2023-01-01")


@pytest.mark.parametrize(
    "box",
    [
        "<aside><h2>About the forum</h2><p>All about boats.</p><span>{}</span></aside>",
        "<div class=sidebar><div><p>1.2m members</p><span>{}</span></div></div>",
        "<div data-testid=x id=subreddit-id-card><span>{}</span></div>",
    ],
)
def test_the_day_on_which_a_forum_was_created(box: str) -> None:
    line = "Created Oct 18, 2011"
    assert both_dates_of(f"<div>{H1}{TEXT * 3}</div>{box.format(line)}") == (None, None)
    assert both_dates_of(f"{H1}<p>{line}</p>{TEXT * 3}") == ("2011-10-18", None)


@pytest.mark.parametrize(
    "form",
    [
        "<article><header>{h}</header><aside class=article-aside><dl class=article-info><dt>Details"
        "</dt><dd class=create>{line}</dd></dl></aside>{t}</article>",
        "<article>{h}{t}<aside><h3>About the text</h3><p>{line}</p></aside></article>",
        "<div><div class='elementor-element elementor-widget'>{h}</div><div class='elementor-widget"
        " elementor-element'><p>{line}</p></div><div class='elementor-widget'>{t}</div></div>",
        "<div>{h}<aside><h4>Details</h4><p>{line}</p></aside>{t}</div>",
        "<div>{h}{t}</div><div class=sidebar><p>Author: Mara Holt</p><p>{line}</p></div>",
        "<div class=sidebar><p>Author: Mara Holt</p><p>{line}</p></div><div>{h}{t}</div>",
        "<div>{h}{t}</div><aside class=page-info><ul><li>{line}</li></ul></aside>",
    ],
)
@pytest.mark.parametrize("mark", ["{}", "<time datetime=2015-05-04>{}</time>"])
def test_the_day_on_which_a_page_was_created(form: str, mark: str) -> None:
    line = mark.format("Created: May 4, 2015")
    assert both_dates_of(form.format(h=H1, t=TEXT * 3, line=line)) == ("2015-05-04", None)


@pytest.mark.parametrize(
    ("value", "line", "published", "modified"),
    [
        ("2022-10-14T16:20:52Z", "Posted: Oct 14, 2022 9:27 AM ET | Last Updated: 24 minutes ago",
         "2022-10-14T09:27:00", "2022-10-14T16:20:52+00:00"),
        ("2022-10-14T16:20:52Z", "Posted: Oct 14, 2022 9:27 AM | Updated: Oct 14, 2022 12:20 PM",
         "2022-10-14T09:27:00", "2022-10-14T16:20:52+00:00"),
        ("2022-10-20", "Posted: Oct 14, 2022 | Last Updated: Oct 20, 2022",
         "2022-10-14", "2022-10-20"),
        ("2022-10-14T13:27:00Z", "Posted: Oct 14, 2022 9:27 AM ET | Updated: Oct 20, 2022",
         "2022-10-14T13:27:00+00:00", "2022-10-20"),
        ("2022-10-14T13:27:00Z", "Posted: Oct 14, 2022 9:27 AM ET",
         "2022-10-14T13:27:00+00:00", None),
        ("2022-10-14T16:20:52Z", "Oct 14, 2022 9:27 AM (updated 24 minutes ago)",
         "2022-10-14T09:27:00", "2022-10-14T16:20:52+00:00"),
        ("2024-04-05T10:03:11Z", "5 April 2024, 10:00 (updated 7 April 2024)",
         "2024-04-05T10:03:11+00:00", "2024-04-07"),
        ("2024-04-07T10:03:11Z", "5 April 2024, 10:00 (updated 7 April 2024)",
         "2024-04-05T10:00:00", "2024-04-07T10:03:11+00:00"),
        ("2024-04-06T00:32:00Z", "5 April 2024, 7:32 PM (updated 6 April 2024, 9:45 AM)",
         "2024-04-06T00:32:00+00:00", "2024-04-06T09:45:00"),
        ("2024-05-04", "Updated: May 4, 2024 | Published: May 1, 2024", "2024-05-01", "2024-05-04"),
        ("2024-05-01", "Updated: May 4, 2024 | Published: May 1, 2024", "2024-05-01", "2024-05-04"),
    ],
)  # fmt: skip
def test_a_time_whose_text_has_both_dates(
    value: str, line: str, published: str, modified: str | None
) -> None:
    body = f"{H1}<p><time datetime={value}>{line}</time></p>{TEXT * 3}"
    assert both_dates_of(body) == (published, modified)


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("fr", "Publié le {} à 10:00, mis à jour le {} à 12:00"),
        ("it", "Pubblicato il {} 10:00, aggiornato il {} 12:00"),
        ("es", "Publicado el {} 10:00 | Actualizado el {} 12:00"),
        ("en-GB", "Published: {} Updated: {}"),
    ],
)
@pytest.mark.parametrize("changed", ["06/04/2024", "08/04/2024", "04/05/2024"])
@pytest.mark.parametrize("of_change", [True, False])
def test_a_time_whose_text_has_the_day_before_the_month(
    lang: str, line: str, changed: str, of_change: bool
) -> None:
    days = ["2024-04-05", "-".join(reversed(changed.split("/")))]
    value = f"{days[of_change]}T10:00:00+02:00"
    text = line.format("05/04/2024", changed)
    found = both_dates_of(f"{H1}<time datetime={value}>{text}</time>{TEXT * 3}", lang=lang)
    assert [(date or "")[:10] for date in found] == days
    assert value in found


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "Updated: May 4, 2024 | Published: May 1, 2024"),
        ("en", "Last updated on 4 May 2024. Posted by Ana Ruiz on 1 May 2024."),
        ("de", "Aktualisiert: 4. Mai 2024 | Veröffentlicht: 1. Mai 2024"),
        ("fr", "Mis à jour le 4 mai 2024 | Publié le 1er mai 2024"),
        ("es", "Actualizado: 4 de mayo de 2024 | Publicado: 1 de mayo de 2024"),
        ("ru", "Обновлено: 4 мая 2024. Опубликовано: 1 мая 2024"),
        ("zh", "更新时间：2024-05-04 发布时间：2024-05-01"),
        ("ja", "更新日：2024年5月4日 公開日：2024年5月1日"),
    ],
)
@pytest.mark.parametrize("tag", ["p", "time", "li", "div class=date"])
@pytest.mark.parametrize("form", ["{h}{}{t}", "{h}{t}{}"])
def test_the_date_of_publication_behind_that_of_the_change(
    lang: str, line: str, tag: str, form: str
) -> None:
    shown = f"<{tag}>{line}</{tag.split()[0]}>"
    body = form.format(shown, h=H1, t=TEXT * 3)
    assert both_dates_of(body, lang=lang) == ("2024-05-01", "2024-05-04")


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("en", "May 4, 2024, updated 3 hours ago"),
        ("de", "4. Mai 2024 (aktualisiert vor 3 Stunden)"),
        ("fr", "4 mai 2024, mis à jour il y a 3 heures"),
        ("es", "4 de mayo de 2024 (actualizado hace 3 horas)"),
        ("ja", "2024年5月4日（更新：3時間前）"),
    ],
)
def test_a_publication_before_a_change_some_hours_ago(lang: str, line: str) -> None:
    assert both_dates_of(f"{H1}<p>{line}</p>{TEXT * 3}", lang=lang) == ("2024-05-04", None)


@pytest.mark.parametrize(
    ("one", "other", "lang", "found"),
    [
        ("12-15-2016", "05-04-2021", "en", ("2016-12-15", "2021-05-04")),
        ("05-04-2016", "12-15-2021", "en", ("2016-05-04", "2021-12-15")),
        ("12/15/2016", "05/04/2021", "de", ("2016-12-15", "2021-05-04")),
        ("15-12-2016", "05-04-2021", "en", ("2016-12-15", "2021-04-05")),
        ("06-07-2016", "05-04-2021", "en", ("2016-07-06", "2021-04-05")),
        ("2016-12-15", "05-04-2021", "en", ("2016-12-15", "2021-04-05")),
    ],
)
def test_one_stated_date_tells_the_order_of_the_other(
    one: str, other: str, lang: str, found: tuple[str, str]
) -> None:
    head = (
        f"<meta property=article:published_time content='{one}'>"
        f"<meta property=article:modified_time content='{other}'>"
    )
    assert both_dates_of(f"{H1}{TEXT * 3}", head, lang) == found
