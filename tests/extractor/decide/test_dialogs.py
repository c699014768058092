"""Dialogs and consent boxes: never content, unless the page has nothing else."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract

ARTICLES = {
    "en": (
        "The bakery on the hill",
        "For most of its history the bakery on Cordwainer Street had no sign at all, because "
        "everyone who needed bread already knew where to find it.",
        "It takes nine hours to reach the right heat and almost two days to cool down, so the fire "
        "is let out only once a year for repairs.",
        "We and our 640 partners store and read information on your device, such as cookies, and "
        "process personal data to show you advertisements. You can change your choice at any time.",
    ),
    "de": (
        "Die Mühle am Fluss",
        "Die meiste Zeit ihrer Geschichte hatte die Mühle an der Uferstraße kein Schild, denn "
        "jeder, der Mehl brauchte, wusste ohnehin, wo sie zu finden war.",
        "Neun Stunden dauert es, bis der Ofen heiß genug ist, und fast zwei Tage, bis er abkühlt, "
        "also geht das Feuer nur einmal im Jahr aus.",
        "Wir und unsere 640 Partner speichern Informationen auf Ihrem Gerät, zum Beispiel Cookies, "
        "und verarbeiten personenbezogene Daten, um Ihnen Werbung zu zeigen.",
    ),
    "fr": (
        "La gare du canal",
        "Pendant la plus grande partie de son histoire, la gare du canal n'avait pas d'enseigne, "
        "parce que tous ceux qui prenaient le train savaient déjà où elle se trouvait.",
        "Il faut neuf heures pour chauffer le four et presque deux jours pour qu'il refroidisse, "
        "si bien que le feu ne s'éteint qu'une fois par an.",
        "Nous et nos 640 partenaires stockons des informations sur votre appareil, comme des "
        "cookies, et traitons vos données pour vous montrer de la publicité.",
    ),
}
BOXES = (
    '<div role="dialog" aria-modal="true">{}</div>',
    '<div class="layer" role="alertdialog"><div>{}</div></div>',
    "<dialog open>{}</dialog>",
    '<div id="onetrust-consent-sdk"><div class="ot-sdk-container">{}</div></div>',
    '<div id="CybotCookiebotDialog">{}</div>',
    '<div id="qc-cmp2-container"><div class="qc-cmp2-main">{}</div></div>',
    '<div id="didomi-host"><div class="didomi-popup-notice">{}</div></div>',
    '<div class="cky-consent-container">{}</div>',
    '<div id="cmplz-cookiebanner-container">{}</div>',
    '<div id="iubenda-cs-banner">{}</div>',
    '<div id="BorlabsCookieBox">{}</div>',
    '<div class="fc-consent-root">{}</div>',
    '<div id="usercentrics-root">{}</div>',
    '<div id="cookie-bar">{}</div>',
    '<div class="gdpr-cookie-notice">{}</div>',
    '<div class="cc-window cc-banner">{}</div>',
)


def page_of(language: str, box: str, place: str) -> tuple[str, str, str]:
    """Return the page, a sentence of its article, and the text of its consent box."""
    title, first, second, asked = ARTICLES[language]
    consent = box.format(f"<h2>Cookies</h2><p>{asked}</p><button>OK</button>")
    article = f"<h1>{title}</h1><p>{first}</p>{{}}<p>{second}</p>"
    inside = consent if place == "inside" else ""
    main = f"<main><article>{article.format(inside)}</article></main>"
    body = {"before": consent + main, "after": main + consent}.get(place, main)
    html = f"<html lang={language}><title>{title}</title><body>{body}</body></html>"
    return html, second, asked


@pytest.mark.parametrize("place", ["before", "inside", "after"])
@pytest.mark.parametrize("language", ARTICLES)
@pytest.mark.parametrize("box", BOXES)
def test_a_consent_box_is_no_content_beside_an_article(box: str, language: str, place: str) -> None:
    html, sentence, asked = page_of(language, box, place)
    text = extract(html).text
    assert sentence in text
    assert asked not in text


@pytest.mark.parametrize("language", ARTICLES)
@pytest.mark.parametrize("box", BOXES[:3])
def test_a_main_element_that_a_dialog_hides_is_content(box: str, language: str) -> None:
    html, sentence, asked = page_of(language, box, "before")
    result = extract(html.replace("<main>", "<main aria-hidden=true>"))
    assert sentence in result.text
    assert asked not in result.text
    assert result.source == "hidden"


@pytest.mark.parametrize("box", ["<dialog open>{}</dialog>", "<div role=dialog>{}</div>"])
def test_an_article_that_opens_in_a_dialog_is_content(box: str) -> None:
    sentences = [text for _, first, second, _ in ARTICLES.values() for text in (first, second)]
    article = "".join(f"<p>{text} {text}</p>" for text in sentences)
    nav = "<nav><a href=/>Home</a> <a href=/a>About us</a></nav>"
    text = extract(f"<title>Ovens</title>{nav}" + box.format(f"<h1>Ovens</h1>{article}")).text
    assert all(sentence in text for sentence in sentences)


@pytest.mark.parametrize(
    "section",
    [
        "<section id=cookie-banner><h2>Cookie banner</h2><p>{}</p></section>",
        "<div class=section id=cookie-notice><h2>Cookie notice</h2><p>{}</p></div>",
        "<section id=consent-dialog><h2>The dialog</h2><p>{}</p></section>",
        "<div class=section id=the-print-dialog><h2>The dialog</h2><p>{}</p></div>",
        "<div class=sect2><h3 id=the-print-dialog>The dialog</h3><p>{}</p></div>",
    ],
)
def test_a_section_about_cookie_banners_is_content(section: str) -> None:
    text = (
        "The banner is drawn by the theme, and its colours come from the file of settings that "
        "stands beside the templates of the page."
    )
    title, first, second, _ = ARTICLES["en"]
    about = f"<main><h1>{title}</h1><p>{first}</p>{section.format(text)}<p>{second}</p></main>"
    assert text in extract(f"<title>{title}</title>{about}").text
