"""Lines and small boxes among the paragraphs of an article that ask readers to sign up for a
newsletter.

A model decides by the place of a block, and such a line stands where a paragraph does.
``benchmarks/quality/boxes.py`` measures how many of them are in the gold.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise, takewhile

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.extractor.decide.class_names import ClassNames
from scrapy_boilernet.extractor.decide.line_signs import LineSigns
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.extractor.patterns import lazy_pattern

_ASKING = (
    (
        r"(?:sign[ -]?up|subscribe|register|join|get|receive)\b",
        "newsletters?|mailing lists?|mail (?:lists?|updates|alerts|digest)|your (?:e-?mail )?inbox|"
        "(?:daily|weekly|morning|evening|monthly) (?:briefing|digest|bulletin|round-?up|e-?mail)|"
        "(?:news|breaking) (?:alerts|updates|bulletins?)",
    ),
    (r"(?:sign[ -]?up|subscribe|receive)\b", r"(?:by|via) e-?mail\b"),
    (
        r"(?:jetzt |hier )?(?:abonnier\w*|melde\w* (?:sie sich|dich|euch)|bestelle\w*|erhalten sie|"
        r"hol\w* (?:sie |dir ))|newsletter (?:abonnieren|bestellen)|zum newsletter",
        r"newsletter\w*|posteingang|(?:per|via) e-?mail|e-?mail-updates?",
    ),
    (
        "inscrivez-vous|inscris-toi|abonne(?:z-vous|-toi)|recevez|reçois",
        r"newsletters?|infolettres?|lettre d['’]info\w*|boîte (?:mail|de réception)|"
        "par (?:e-?mail|courriel|mail)",
    ),
    (
        "suscríb(?:ete|ase|anse)|apúntate|regístrate|inscríb(?:ete|ase)|recibe",
        r"newsletters?|bolet[ií]n\w*|bandeja de entrada|"
        "(?:por|en) (?:(?:tu|su) )?(?:correo|e-?mail)",
    ),
    (
        "assine|inscreva-se|subscreva|receba|cadastre-se|registe-se",
        "newsletters?|boletim|boletins|caixa de entrada|(?:por|no) (?:seu )?e-?mail",
    ),
    (
        "iscriv(?:iti|etevi)|abbonat(?:i|evi)|ricevi|registrati",
        "newsletter|mailing list|(?:via|per) e-?mail",
    ),
    ("subscriu(?:-te|-vos|['’]t)", "newsletters?|butllet(?:í|ins)"),
    (
        "schrijf (?:je|u) |meld (?:je|u) |abonneer (?:je|u)|ontvang",
        "newsletter|nieuwsbrie[fv]|per e-?mail",
    ),
    (
        "prenumerera|anmäl dig|skriv upp dig|registrera dig|tilmeld dig|abonn[eé]r|meld deg på",
        "newsletter|nyhetsbrev|nyhedsbrev|(?:via|per|på) e-?(?:mail|post)",
    ),
    ("tilaa", "uutiskirj"),
    (
        "zapisz się|zapisz|subskrybuj|dołącz|otrzymuj",
        "newsletter|biuletyn|na (?:swój |twój )?e-?mail|skrzynk",
    ),
    (
        "přihlaste se|odebírejte|prihláste sa|odoberajte",
        "newsletter|novin(?:ky|ek|iek)|zpravodaj|spravodaj",
    ),
    ("iratkozz|iratkozzon|iratkozzatok", "hírlev"),
    ("abonează-te|abonați-vă|înscrie-te", "newsletter|buletin"),
    ("подпишитесь|подписывайтесь|подпишись|получайте", "рассылк|дайджест|вашу почту"),
    ("підпишіться|підписуйтесь|підписуйтеся|підпишись", "розсилк|дайджест"),
    ("εγγραφείτε|γραφτείτε", "newsletter|ενημερωτικ"),
    ("bülten|e-bülten", "abone ol|kaydol|üye ol"),
    ("berlangganan|daftar|dapatkan", "newsletter|buletin"),
    ("đăng ký", "bản tin|nhận tin"),
    ("メルマガ|メールマガジン|ニュースレター", "登録|購読"),
    ("뉴스레터", "구독|신청"),
    ("订阅|訂閱", "通讯|通訊|电子报|電子報|newsletter"),
    ("اشترك|اشتركوا", "نشرتنا|النشرة"),
    ("הירשמו", "ניוזלטר|תפוצה"),
    ("न्यूज़लेटर|न्यूजलेटर", "सदस्यता|सब्सक्राइब"),
)
"""How a sentence that asks readers to sign up begins, and what it names, in some 30 languages."""
_ASKS = lazy_pattern(
    r"(?:\A[\W_]*|[.?!…:|–—]\s[\W_]{0,3})(?:(?:then|please|just) )?(?:"
    + "|".join(rf"(?:{begin}).{{0,80}}?(?:{named})" for begin, named in _ASKING)
    + ")",
    re.IGNORECASE,
)
_BESIDE = lazy_pattern(
    r"your (?:e-?mail )?inbox|unsubscribe|\bspam\b|privacy policy|e-?mail[- ]address|"
    r"thank(?:s| you) for (?:subscribing|signing up)|desabonn|désabonn|désinscri|abbestell|abmeld|"
    r"datenschutz|posteingang|darse de baja|cancelar (?:a|la|tu) suscripción|disiscri|afmelden|"
    r"wypisa|отписа|avregistrera|afmeld|e-?mail-?adres|adresse e-?mail|correo electrónico",
    re.IGNORECASE,
)
"""What a line next to such a line says."""
_signs = LineSigns((
    "newsletter", "mail", "inbox", "daily ", "weekly ", "morning ", "evening ", "monthly ", "news ",
    "breaking ", "e-post", "epost", "courriel", "correo", "skrzynk", "posteingang", "infolettre",
    "lettre d", "boîte ", "bolet", "bandeja de entrada",
    "caixa de entrada", "butllet", "nieuwsbrie", "nyhetsbrev", "nyhedsbrev", "uutiskirj",
    "biuletyn", "novin", "zpravodaj", "spravodaj", "hírlev", "buletin", "рассылк", "дайджест",
    "вашу почту", "розсилк", "ενημερωτικ", "bülten", "bản tin", "nhận tin", "メルマガ",
    "メールマガジン", "ニュースレター", "뉴스레터", "通讯", "通訊", "电子报", "電子報", "نشر",
    "ניוזלטר", "תפוצה", "न्यूज",
))  # fmt: skip
"""Every text in which ``_ASKS`` finds something has one of these in lower case."""
_NAMED = lazy_pattern(
    r"\b(?:newsletter (?:sign ?up|subscri\w*|form|box|cta|promo|widget|module|inline|block|banner|"
    r"teaser|container|wrapper|embed)|(?:inline|embed|in article|article|cta|box|block|widget|form|"
    r"module) newsletter|e ?mail (?:sign ?up|capture|subscri\w*|form|optin|opt in)|mc embed|"
    r"mc wp form|mail(?:chimp|poet|erlite)|mailing list|(?:sign ?up|subscri(?:be|ption)) (?:form|"
    r"box|widget|module|block|cta|inline|unit|embed|newsletter)|opt ?in (?:form|box|monster)|"
    r"convertkit|klaviyo|beehiiv|substack embed|jetpack subscri\w*)\b"
)
"""Class words of the element of a box in which readers sign up."""
_STEMS = (
    "newsletter", "mail", "mc embed", "mc wp", "sign up", "signup", "subscri", "optin", "opt in",
    "convertkit", "klaviyo", "beehiiv", "substack",
)  # fmt: skip
"""Every text in which ``_NAMED`` finds something has one of these."""
_named = ClassNames(_STEMS, _NAMED)
_MAX_CHARS, _MAX_BESIDE_CHARS, _MAX_BOX_CHARS = 220, 150, 300
_MAX_SHARE = 0.3
"""Share of what a page keeps. A page of which more asks readers to sign up is about that."""
_STEPS = "ol"
"""The list of the steps of instructions, one of which may be to sign up."""
_BOX_TAGS = frozenset("div section aside form fieldset blockquote figure table center".split())


def ask_to_sign_up(page: Page, kept: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which kept blocks ask readers to sign up for a newsletter, with those in the same
    small box, in one whose class says so or in one with a field for an e-mail address, and the
    lines beside that promise or explain. Shape (blocks,).
    """
    none, texts = np.zeros(len(kept), dtype=np.bool_), page.texts
    places = kept.nonzero()[0].tolist()
    lines = [
        i
        for i in _signs.on(page)
        if kept[i]
        and len(texts[i]) <= _MAX_CHARS
        and _ASKS.search(texts[i])
        and _STEPS not in page.paths.pairs[page.paths.places[i]][0]
    ]
    named = _named.on(page)
    if not (lines or named or page.mail_fields):
        return none
    found = none.copy()
    found[lines] = True
    found |= kept & _in_boxes(page, lines, named)
    for ordered in (places, places[::-1]):
        for before, i in pairwise(ordered):
            if found[before] and not found[i]:
                text = texts[i]
                found[i] = len(text) <= _MAX_BESIDE_CHARS and _BESIDE.search(text) is not None
    chars = page.words
    return found if chars[found].sum() <= _MAX_SHARE * chars[kept].sum() else none


def _in_boxes(page: Page, lines: Sequence[int], named: AbstractSet[str]) -> NDArray[np.bool_]:
    """Return which blocks are in the largest small box around one of the lines or around a field
    for an e-mail address, or in a small box with such class words.
    """
    (nodes, depths), starts = page.nodes, page.starts
    owner = np.arange(len(depths)).repeat(depths)
    is_small = np.bincount(nodes, 6 * page.words[owner]) < _MAX_BOX_CHARS + 0.5
    is_box = np.zeros(len(is_small), dtype=np.bool_)
    for i in lines:
        tags = page.paths.pairs[page.path_places[i]][0]
        path = nodes[starts[i] : starts[i] + depths[i]].tolist()
        around = (n for tag, n in zip(tags, path, strict=True) if tag in _BOX_TAGS and is_small[n])
        is_box[[*islice(around, 1)]] = True
    for above in page.mail_fields:
        with_text = (n for n in above if n < len(is_small))
        is_box[[*takewhile(is_small.__getitem__, with_text)][-1:]] = True
    for place, (tags, class_words) in enumerate(page.paths.pairs) if named else ():
        if named.isdisjoint(class_words):
            continue
        for step, (tag, words) in enumerate(zip(tags, class_words, strict=True)):
            if tag in _BOX_TAGS and words in named:
                boxes = nodes[starts[page.path_places == place] + step]
                is_box[boxes[is_small[boxes]]] = True
    inside = np.zeros(len(depths), dtype=np.bool_)
    inside[owner[is_box[nodes]]] = True
    return inside
