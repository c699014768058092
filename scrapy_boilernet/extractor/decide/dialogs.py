"""Dialogs and consent boxes, which are not content unless the page has nothing else.

A stored page may hold the dialog that its script opened: a request for consent, a sign-up form, a
shopping cart. Of the 357,000 characters that dialogs on 519 pages of nine labeled sets show, the
gold has 1,500, and the model kept 5,000 (``docs/results/quality/boxes.md``).
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import OF_FUNCTION, ClassNames
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_DIALOG_WORDS = re.compile(r"(?:^| )(?:alert ?)?dialog\Z")
"""Class words of an element with the role ``dialog``, which is the last of its words."""
_MORE = r"\w*"
_PRODUCTS: Final = {
    "optanon": _MORE, "cookiebot": _MORE, "usercentrics": _MORE, "tarteaucitron": _MORE,
    "cmpbox": _MORE, "cookielaw": _MORE, "uc": " (?:banner|container)", "consent": " blackbar",
    "iubenda": " cs", "cky": r" (?:\w+ )?(?:consent|modal|overlay|notice|preference|box)",
    "moove": " gdpr", "ketch": " (?:consent|banner|modal)", "sp": " message", "qc": " cmp",
    "fc": " (?:consent|dialog|ab)", "eu": " cookie", "cookie": " (?:law|control)",
    "cc": " (?:window|cookies?)", "real": " cookie", "wt": " cli", "gdpr": " cookie",
    "ccc": " (?:notify|module|overlay|panel|region)", "privacy": " manager", "ppms": " cm",
    "shopify": " pc", "coi": " banner", "transcend": " consent", "secure": " privacy",
    **dict.fromkeys((
        "onetrust", "cybot", "didomi", "truste", "trustarc", "osano", "cookieyes", "cmplz",
        "borlabs", "klaro", "axeptio", "termly", "evidon", "cookiefirst", "consentmanager",
        "cmpwrapper", "cookiescript", "cookieconsent", "privacymanager", "cookiehub", "termsfeed",
    ), ""),
}  # fmt: skip
"""Class words and ids of the boxes of products that ask for consent: the first word of each, and
what follows it."""
_CONSENT_PRODUCTS = lazy_pattern(
    rf"\b(?:{'|'.join(first + rest for first, rest in _PRODUCTS.items())})\b"
)
_CONSENT_BOX = lazy_pattern(
    r"\b(?:cookies?|consent|gdpr|dsgvo|rgpd|lgpd|ccpa|privacy|datenschutz) "
    r"(?:[a-z]+ )?(?:banner|notice|notification|bar|popup|pop|modal|dialog|alert|disclaimer|"
    r"warning|overlay|layer|wall|hinweis|message|bandeau|aviso|box)\b|"
    r"\b(?:bandeau|aviso|banner|banniere|hinweis|meldung) (?:de )?(?:los )?cookies?\b|"
    r"\bcookie(?:banner|bar|notice|hinweis|popup|alert|warning|overlay|meldung|layer)\b"
)
"""Class words that name such a box in other pages."""
_SECTION = re.compile(r"\b(?:section|sect|chapter|level|article|post)\b")
"""Class words of a manual's section, which may have such an id."""
_CONSENT_STEMS = ("cook", "consent", "gdpr", "dsgvo", "rgpd", "lgpd", "ccpa", "privacy", "datens")
_STEMS = (
    "dialog", *_CONSENT_STEMS,
    *(f"{first} " if rest.startswith(" ") else first for first, rest in _PRODUCTS.items()),
)  # fmt: skip
"""All names of dialogs have one of these."""
CONSENT_TEXT = lazy_pattern(
    r"cookies?\b|consent|datenschutz|einwillig|tracking|privacy|gdpr|rgpd|dsgvo|"
    r"confidentialité|privacidad|przetwarza|prywatno|"
    r"personuppgift|samtyck|samtykke|toestemming|privacyverklaring|riservatezza|"
    r"конфиденциальност|файлы? куки|souhlas|súhlas|hozzájárul|çerez|同意|クッキー|쿠키|개인정보",
    re.IGNORECASE,
)
"""Words of a text that asks for consent."""
CONSENT_TEXT_STEMS = (
    "cookie", "consent", "datenschutz", "einwillig", "tracking", "privac", "gdpr", "rgpd", "dsgvo",
    "confidentialité", "przetwarza", "prywatno", "personuppgift", "samty", "toestemming",
    "riservatezza", "конфиденциальност", "куки", "souhlas", "súhlas", "hozzájárul", "çerez", "同意",
    "クッキー", "쿠키", "개인정보",
)  # fmt: skip
"""Every text in which ``CONSENT_TEXT`` finds something has one of these in lower case."""
_ROOT_TAGS = frozenset(("html", "body"))
_BOX_TAGS = frozenset(("div", "aside", "form"))
"""Elements that are a dialog by their class words. Headings of manuals have such ids."""
_MIN_PAGE_CHARS, _MOSTLY = 1_500, 0.75
"""Characters that a dialog must hold to be the page itself, such as an article that opens in a
dialog, and their share of what the model keeps."""
_MAX_ASKING = 0.3
"""Share of a dialog's characters in blocks of ``CONSENT_TEXT`` from which it asks for consent."""

_Place = Literal["consent", "dialog", ""]


def dialogs_of(page: Page) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return per block whether it is in a dialog, and whether that is a consent box by its names.

    Two bool arrays of shape (blocks,). A consent box counts as a dialog, whatever its tag and role.
    """
    pairs = page.paths.pairs
    names = _of_dialogs.on(page)
    dialog, consent = np.zeros((2, len(pairs)), dtype=np.bool_)
    if names or "dialog" in page.names[0]:  # as on few pages
        for i, (tags, class_words) in enumerate(pairs):
            if "dialog" in tags or not names.isdisjoint(class_words):
                kinds = _kinds_of(tags, class_words, names)
                dialog[i], consent[i] = any(kinds), "consent" in kinds
    return dialog[page.path_places], consent[page.path_places]


def _names_a_dialog(words: str) -> bool:
    """Return whether the class words may be a dialog's or a consent box's."""
    return _asks_consent(words) or _DIALOG_WORDS.search(words) is not None


def is_the_page(
    page: Page, kept: NDArray[np.bool_], dialog: NDArray[np.bool_], consent: NDArray[np.bool_]
) -> bool:
    """Return whether dialogs that ask for no consent are the page itself.

    They are if the model keeps nothing else, or if they hold an article and nearly all kept text.
    ``kept``: per block whether the model keeps it if nothing is known of dialogs. ``dialog``,
    ``consent``: as :func:`dialogs_of` returns them.
    """
    chars, others = np.array([*map(len, page.texts)]), dialog & ~consent
    own = chars[kept & others].sum()
    is_article = own >= _MIN_PAGE_CHARS and own >= _MOSTLY * chars[kept].sum()
    if not own or ((kept & ~dialog).any() and not is_article):
        return False
    asking = sum(chars[i] for i in np.flatnonzero(others) if CONSENT_TEXT.search(page.texts[i]))
    return bool(asking < _MAX_ASKING * chars[others].sum())


def _kinds_of(tags: Ancestors, class_words: Ancestors, names: AbstractSet[str]) -> set[_Place]:
    """Return what the elements of a path are that may be dialogs.

    ``names``: the class words that may be a dialog's.
    """
    steps = zip(tags, class_words, strict=True)
    return {_kind_of(tag, words) for tag, words in steps if tag == "dialog" or words in names}


def _kind_of(tag: str, words: str) -> _Place:
    """Return what an element is: a consent box, another dialog, or neither."""
    if tag in _ROOT_TAGS:
        return ""
    if words and tag != "section" and _asks_consent(words):
        return "consent"
    return "dialog" if _is_dialog(tag, words) else ""


def _is_dialog(tag: str, words: str) -> bool:
    if tag == "dialog" or (tag == "section" and words == "dialog"):
        return True
    named = (tag in _BOX_TAGS or "-" in tag) and bool(_DIALOG_WORDS.search(words))
    return named and not (_SECTION.search(words) or OF_FUNCTION.search(words))


def _asks_consent(words: str) -> bool:
    if _CONSENT_PRODUCTS.search(words):
        return True
    named = any(map(words.__contains__, _CONSENT_STEMS)) and _CONSENT_BOX.search(words)
    return bool(named) and not _SECTION.search(words)


_of_dialogs = ClassNames(_STEMS, _names_a_dialog)
