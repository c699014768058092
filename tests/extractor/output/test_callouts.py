"""Callouts of documentation tools, boxes to tick, thematic breaks and lists in Markdown."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from testing.rendered import html_words, words, written

from scrapy_boilernet.extractor.html.blockify import blockify

TEXT = "Take the first boat."
BODY = f"<p>{TEXT}</p>"


def markdown(html: str) -> str:
    made = written(blockify(html, markup=True))
    assert html_words(made.html or "") == words(made.text), made.html
    return made.markdown or ""


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ('<div class="admonition warning"><p class="admonition-title">Warning</p>{}</div>', "WARNING"),
        ('<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title"><svg></svg>'
         "Tip</p>{}</div>", "TIP"),
        ('<div class="important admonition"><p class="first admonition-title">Important</p>{}</div>',
         "IMPORTANT"),
        ('<details class="note"><summary>Note</summary>{}</details>', "NOTE"),
        ('<div class="theme-admonition theme-admonition-note admonition_xJq3 alert alert--secondary">'
         '<div class="admonitionHeading_G"><span class="admonitionIcon_R"></span>note</div>'
         '<div class="admonitionContent_B">{}</div></div>', "NOTE"),
        ('<div class="admonition admonition-caution alert alert--warning"><div '
         'class="admonition-heading"><h5>caution</h5></div><div class="admonition-content">{}</div>'
         "</div>", "CAUTION"),
        ('<div class="tip custom-block"><p class="custom-block-title">TIP</p>{}</div>', "TIP"),
        ('<div class="hint-container caution"><p class="hint-container-title">Caution</p>{}</div>',
         "CAUTION"),
        ('<div class="admonitionblock note"><table><tr><td class="icon"><div class="title">Note</div>'
         '</td><td class="content">{}</td></tr></table></div>', "NOTE"),
        ('<div class="admonitionblock tip"><table><tr><td class="icon"><i class="fa icon-tip"></i></td>'
         '<td class="content">{}</td></tr></table></div>', "TIP"),
        ('<div class="note"><h3 class="title">Note</h3>{}</div>', "NOTE"),
        ('<dl class="section warning"><dt>Warning</dt><dd>{}</dd></dl>', "WARNING"),
        ('<div class="alert alert-info" role="alert">{}</div>', "NOTE"),
        ('<div class="alert alert-danger">{}</div>', "CAUTION"),
        ('<div class="alert alert-warning"><strong>Warning!</strong> Take the first boat.</div>',
         "WARNING"),
        ('<div class="notecard note"><p><strong>Note:</strong> Take the first boat.</p></div>', "NOTE"),
        ('<div class="notecard warning"><h4>Warning</h4>{}</div>', "WARNING"),
        ('<div class="NOTE"><p>Note</p>{}</div>', "NOTE"),
        ('<div class="alert is-info"><p class="alert-title"><span></span> Important</p>{}</div>',
         "IMPORTANT"),
        ('<blockquote class="book-hint warning">{}</blockquote>', "WARNING"),
        ('<blockquote class="alert alert-note"><p class="alert-heading">Note</p>{}</blockquote>', "NOTE"),
        ('<div class="box notices cstyle tip"><div class="box-label">Tip</div>{}</div>', "TIP"),
        ('<div class="hint info">{}</div>', "NOTE"),
        ('<div class="confluence-information-macro confluence-information-macro-warning"><span '
         'class="aui-icon"></span><div class="confluence-information-macro-body">{}</div></div>',
         "WARNING"),
        ('<div class="ak-editor-panel" data-panel-type="success">{}</div>', "TIP"),
        ('<div role="note">{}</div>', "NOTE"), ('<aside role="doc-tip">{}</aside>', "TIP"),
        ('<div data-callout="note" class="callout"><div class="callout-title"><div '
         'class="callout-title-inner">Note</div></div><div class="callout-content">{}</div></div>',
         "NOTE"),
        ('<div class="callout callout-style-default callout-tip"><div class="callout-header">Tip</div>'
         '<div class="callout-body-container">{}</div></div>', "TIP"),
        ('<aside class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title">'
         'Caution</p><div class="starlight-aside__content">{}</div></aside>', "CAUTION"),
        ('<div class="note note_tip"><span class="note__title">Tip:</span> Take the first boat.</div>',
         "TIP"),
        ('<div class="admonition note"><p class="admonition-title">Hinweis</p>{}</div>', "NOTE"),
        ('<div class="admonition warning"><p class="admonition-title">Avertissement</p>{}</div>',
         "WARNING"),
        ('<div class="admonition tip"><p class="admonition-title">ヒント</p>{}</div>', "TIP"),
        ('<div class="admonition important"><p class="admonition-title">Важно</p>{}</div>', "IMPORTANT"),
        ('<div class="awsdocs-note"><div class="awsdocs-note-title"><awsui-icon></awsui-icon><h6>Note</h6>'
         '</div><div class="awsdocs-note-text">{}</div></div>', "NOTE"),
        ('<div class="awsdocs-note awsdocs-warning"><div class="awsdocs-note-title"><h6>Warnung</h6></div>'
         '<div class="awsdocs-note-text">{}</div></div>', "WARNING"),
        ('<div class="hint w-full bg-warning border-warning rounded-md"><div class="hint-icon"><svg></svg>'
         "</div><div>{}</div></div>", "WARNING"),
        ('<div class="callout my-4 flex" data-callout-type="danger"><div><svg></svg></div><div>{}</div>'
         "</div>", "CAUTION"),
        ('<div class="nextra-callout nx-mt-6"><div class="nx-text-xl">💡</div><div>{}</div></div>', "NOTE"),
        ('<div class="notion-callout notion-gray_background_co"><div><span>💡</span></div><div '
         'class="notion-callout-text">{}</div></div>', "NOTE"),
        ('<aside class="key-point"><span>{}</span></aside>', "NOTE"),
        ('<aside class="msg message"><span class="msg-symbol">!</span><div>{}</div></aside>', "NOTE"),
        ('<aside class="msg alert"><span class="msg-symbol">!</span><div>{}</div></aside>', "WARNING"),
        ('<div class="note warn"><span class="fa"></span>{}</div>', "WARNING"),
        ('<div class="note alert"><span class="fa"></span>{}</div>', "CAUTION"),
        ('<div class="plugin_note noteimportant">Take the first boat.</div>', "IMPORTANT"),
        ('<div class="wrap_tip plugin_wrap">{}</div>', "TIP"),
        ('<article class="message"><div class="message-header"><p>Note</p></div><div class="message-body">'
         "{}</div></article>", "NOTE"),
        ('<article class="message is-danger"><div class="message-body">{}</div></article>', "CAUTION"),
        ('<div class="message is-info"><div class="message-header"><p>Info</p><button class="delete">'
         '</button></div><div class="message-body">{}</div></div>', "NOTE"),
        ('<div class="note"><table border="0" summary="Note"><tr><td rowspan="2"><img alt="[Note]" '
         'src="images/note.png"></td><th align="left">Note</th></tr><tr><td>{}</td></tr></table></div>',
         "NOTE"),
        ('<div class="warning" style="margin: 1em"><table border="0" summary="Warning"><tr><td rowspan="2">'
         '<img alt="[Warning]" src="w.png"></td><th></th></tr><tr><td>{}</td></tr></table></div>',
         "WARNING"),
        ('<div class="tip"><table summary="Tipp"><tr><td><img alt="[Tipp]" src="t.png"></td><th>Tipp</th>'
         "</tr><tr><td>{}</td></tr></table></div>", "TIP"),
        ('<div class="admonitionblock"><table><tr><td class="icon"><img src="i/caution.png" alt="Caution">'
         '</td><td class="content">{}</td></tr></table></div>', "CAUTION"),
        ('<aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p class='
         '"starlight-aside__title" aria-hidden="true"><svg></svg>Tip</p><div>{}</div></aside>', "TIP"),
        ('<div class="govuk-warning-text"><span aria-hidden="true">!</span>{}</div>', "WARNING"),
    ],
)  # fmt: skip
def test_callout(html: str, kind: str) -> None:
    assert markdown(html.replace("{}", BODY)) == f"> [!{kind}]\n> {TEXT}"
    nested = markdown(f"<p>a</p><ul><li>b{html.replace('{}', BODY)}</ul><p>c</p>")
    assert nested == f"a\n\n- b\n\n  > [!{kind}]\n  > {TEXT}\n\nc"


@pytest.mark.parametrize(
    ("html", "kind", "title"),
    [
        ('<div class="admonition tip"><p class="admonition-title">Save money</p>{}</div>', "TIP",
         "Save money"),
        ('<div class="alert alert-success"><h4 class="alert-heading">Well</h4>{}</div>', "TIP", "Well"),
        ('<details class="warning" open><summary>Do not open</summary>{}</details>', "WARNING",
         "Do not open"),
        ('<div class="custom-block danger"><p class="custom-block-title">STOP</p>{}</div>', "CAUTION",
         "STOP"),
        ('<div class="warning"><h3 class="title">Wind</h3>{}</div>', "WARNING", "Wind"),
        ('<div class="admonition seealso"><p class="admonition-title">See also</p>{}</div>', "NOTE",
         "See also"),
        ('<div class="admonitionblock note"><table><tr><td class="icon"></td><td class="content"><div '
         'class="title">Sea</div>{}</td></tr></table></div>', "NOTE", "Sea"),
        ('<aside aria-label="Did you know?" class="starlight-aside starlight-aside--tip"><p aria-hidden="true" '
         'class="starlight-aside__title"><svg></svg>Did you know?</p><div>{}</div></aside>', "TIP",
         "Did you know?"),
        ('<div class="warning"><table border="0" summary="Warning: Keep away"><tr><td rowspan="2"><img alt='
         '"[Warning]" src="w.png"></td><th>Keep away</th></tr><tr><td>{}</td></tr></table></div>',
         "WARNING", "Keep away"),
        ('<article class="message"><div class="message-header"><p>Wind</p></div><div class="message-body">'
         "{}</div></article>", "NOTE", "Wind"),
        ('<div class="admonition danger"><p class="admonition-title">注記</p>{}</div>', "CAUTION", "注記"),
        ('<div class="admonition important"><p class="admonition-title">Uwaga</p>{}</div>', "IMPORTANT",
         "Uwaga"),
    ],
)  # fmt: skip
def test_a_title_of_its_own_is_kept(html: str, kind: str, title: str) -> None:
    expected = f"> [!{kind}]\n> **{title}**\n>\n> {TEXT}"
    assert markdown(html.replace("{}", BODY)) == expected


@pytest.mark.parametrize(
    "html",
    [
        '<div class="note">{}</div>', '<div class="callout">{}</div>', '<p class="important-news">{}',
        '<div role="note" class="hatnote">{}</div>', '<div class="alert-content">{}</div>',
        '<div class="text-warning">{}</div>', '<dl class="section return"><dd>{}</dd></dl>',
        '<div class="message">{}</div>', '<div class="hint">{}</div>',
        '<div class="card bg-warning"><p class="card-title">Wind</p>{}</div>',
        '<div class="plugin_wrap wrap_column">{}</div>', '<div class="msg">{}</div>',
        '<div class="awsdocs-note-text">{}</div>',
        '<div class="message"><p class="title">A bold beginning</p>{}</div>',
        '<article class="message"><div class="message-body"><h3 class="title">Wind</h3>{}</div></article>',
        '<article class="message message--post"><div class="message-body"><div class="bbWrapper"><blockquote '
        'class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">Ann said:</div>{}'
        "</blockquote>{}</div></div></article>",
        '<div class="message-header"><p>Note</p></div>{}',
        '<div class="note"><table summary="Boats"><tr><td><img alt="Boat" src="b.png"></td></tr><tr><td>{}'
        "</td></tr></table></div>",
        '<div class="infobox-row"><div class="head-title"><h2 class=title>Wind</h2></div>{}</div>',
        '<section class="page-infoboxes"><h2 class="main-title">Wind</h2>{}</section>',
        '<div class="column infobox"><h2 class="main-title">Wind</h2><h4>Sea</h4>{}<h4>Land</h4>{}</div>',
        '<section class="notice"><h2 class="title">Wind</h2>{}<h3>Sea</h3>{}</section>',
    ],
)  # fmt: skip
def test_no_callout(html: str) -> None:
    assert "[!" not in markdown(html.replace("{}", BODY))


@pytest.mark.parametrize("named", ["infobox", "infobox-large", "prompt", "alert", "infobox note"])
def test_a_box_with_one_title_is_a_callout(named: str) -> None:
    for html in (
        f'<div class="{named}"><h3 class="box-title">Wind</h3>{BODY}</div>',
        f'<div class="{named}"><div class="title">Wind</div><h4>Sea</h4>{BODY}</div>',
    ):
        assert markdown(html).startswith("> [!NOTE]\n> **Wind**")


def test_callout_in_a_callout_and_text_that_looks_like_one() -> None:
    inner = f'<div class="admonition tip"><p class="admonition-title">Tip</p>{BODY}</div>'
    html = f'<div class="admonition note"><p class="admonition-title">Note</p>{inner}</div>'
    assert markdown(html) == f"> [!NOTE]\n> > [!TIP]\n> > {TEXT}"
    assert markdown("<blockquote><p>[!NOTE]<p>a</blockquote>") == "> \\[!NOTE\\]\n>\n> a"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<ul><li><input type=checkbox checked disabled> a<li><input type=checkbox> b</ul>",
         "- [x] a\n- [ ] b"),
        ("<ul><li><label><input type=checkbox checked>a</label><li><p><input type=checkbox>b</p></ul>",
         "- [x] a\n- [ ] b"),
        ('<ol><li><span role=checkbox aria-checked=true></span>a<li>b</ol>', "1. [x] a\n2. b"),
        ('<ul><li><div class="checkbox checkbox-on"></div> a<li><div class="checkbox checkbox-off">'
         "</div>b</ul>", "- [x] a\n- [ ] b"),
        ("<ul><li>a<ul><li><input type=checkbox> b</ul></ul>", "- a\n  - [ ] b"),
        ("<ul><li>a <input type=checkbox> b</ul>", "- a\n\n  b"),
        ("<ul><li><input type=checkbox><ol><li><input type=checkbox>a</ol></ul>", "- 1. [ ] a"),
        ("<ul><li><input type=radio> a</ul>", "- a"), ("<ul><li>[x] a</ul>", "- \\[x\\] a"),
    ],
)  # fmt: skip
def test_box_to_tick(html: str, expected: str) -> None:
    assert markdown(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<hr><p>b", "a\n\n---\n\nb"), ("<p>a<hr><hr><p>b", "a\n\n---\n\nb"),
        ("<hr><p>a<hr>", "a"), ("<p>a<hr hidden><p>b", "a\n\nb"),
        ("<p>a<hr style='display:none'><p>b", "a\n\nb"),
        ("<blockquote><p>a<hr><p>b</blockquote>", "> a\n>\n> ---\n>\n> b"),
        ("<ul><li>a<hr>b<li><hr>c</ul>", "- a\n\n  ---\n\n  b\n\n---\n\n- c"),
        ("<ul><li>A<ul><li>a</ul></ul>", "- A\n  - a"),
        ("<ul><li>A</li><ul><li>a<li>b</ul><li>B</ul>", "- A\n  - a\n  - b\n- B"),
        ("<ol><li>A</li><ul><li>a<ul><li>c</ul></ul><li>B</ol>", "1. A\n   - a\n     - c\n2. B"),
        ("<ul><ul><li>a</ul></ul>", "- a"),
        ("<dl><div><dt>T</dt><dd>d</dd></div><dt>U<dd><p>e<p>f</dl>", "**T**\n\nd\n\n**U**\n\ne\n\nf"),
        ("<details><summary>More</summary>text</details>", "**More**\n\ntext"),
    ],
)  # fmt: skip
def test_breaks_lists_and_terms(html: str, expected: str) -> None:
    assert markdown(html) == expected


def test_a_break_between_dropped_texts_is_left_out() -> None:
    page = blockify("<p>a<p>x<hr><p>y<p>b<hr><p>z", markup=True)
    assert written(page, [True, False, False, True, False]).markdown == "a\n\nb"
    assert written(page, [True, True, False, True, False]).markdown == "a\n\nx\n\n---\n\nb"


@pytest.mark.parametrize(
    ("kind", "titles"),
    [
        (
            "note",
            "Bemerkung|Hinweis|注釈|注記|Notitie|Informacja|Anteckning|توجه|Muista|Napomena|信息|Uwaga|Aviso",
        ),
        (
            "tip",
            "Hinweis|Indication|힌트|小技巧|小訣竅|Podpowiedź|Ledtråd|Rada|Tüyo|İpucu|Fif|Підказка|सलाह",
        ),
        ("important", "Tärkeä|Važno|مهم|Dôležité"),
        (
            "warning",
            "Aviso|Avvertimento|Ostrzeżenie|Uwaga|Observera|Výstraha|Dikkat|注意|Obs|Avís|هشدار|Upozornění",
        ),
        (
            "danger",
            "Gefahr|Perigo|Niebezpieczeństwo|Nebezpečí|Tehlike|Fare|Небезпека|Κίνδυνος|Veszély|Pericol|סכנה",
        ),
        (
            "caution",
            "Prudencia|Attenzione|注意|조심|Pas op|Ostrzeżenie|Upozornění|Uyarı|Forsigtig|Advarsel|警示|Cảnh báo",
        ),
        (
            "error",
            "Fehler|Erreur|Errore|Erro|エラー|오류|Ошибка|错误|錯誤|Fout|Błąd|Fel|Chyba|Hata|Fejl|Feil|Помилка",
        ),
    ],
)
def test_titles_that_only_name_the_kind(kind: str, titles: str) -> None:
    for title in titles.split("|"):
        html = f'<div class="admonition {kind}"><p class="admonition-title">{title}</p>{BODY}</div>'
        assert markdown(html).endswith(f"]\n> {TEXT}"), title


@pytest.mark.parametrize("kind", ["warning", "note"])
def test_a_label_that_names_two_kinds_is_left_out_of_both(kind: str) -> None:
    html = f"<div class='{kind}'><p><b>Uwaga:</b> {TEXT}</p></div>"
    assert markdown(html) == f"> [!{kind.upper()}]\n> {TEXT}"
