"""Callouts: boxes such as a note, a tip or a warning, by the markup of documentation tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.reading import NOTHING, Reading

NOTE, TIP, IMPORTANT, WARNING, CAUTION = "note", "tip", "important", "warning", "caution"
"""The kinds of callouts that GitHub's Markdown has."""
_TAGS = ("div", "aside", "section", "blockquote", "dl", "details", "p", "article", "figure")
_KINDS = {
    "note": NOTE, "info": NOTE, "information": NOTE, "seealso": NOTE, "abstract": NOTE,
    "summary": NOTE, "question": NOTE, "example": NOTE, "quote": NOTE, "todo": NOTE, "bug": NOTE,
    "remark": NOTE, "remarks": NOTE, "secondary": NOTE, "primary": NOTE, "default": NOTE,
    "notice": NOTE, "neutral": NOTE, "special": NOTE, "experimental": NOTE,
    "nonstandard": NOTE, "deprecated": WARNING,
    "noteclassic": NOTE, "notetip": TIP, "noteimportant": IMPORTANT, "notewarning": WARNING,
    "tip": TIP, "hint": TIP, "success": TIP, "check": TIP, "done": TIP,
    "important": IMPORTANT, "key": IMPORTANT,
    "warning": WARNING, "warn": WARNING, "attention": WARNING,
    "caution": CAUTION, "danger": CAUTION, "error": CAUTION, "failure": CAUTION, "fail": CAUTION,
    "critical": CAUTION,
}  # fmt: skip
"""Kinds by words of a class or a ``data`` attribute."""
_OWN_KINDS = frozenset((NOTE, TIP, IMPORTANT, WARNING, CAUTION, "attention", "danger", "hint"))
"""Words that name a callout alone, if it has a title or a label, too."""
_ALONE = _OWN_KINDS - {NOTE, "hint", "attention"}
"""Those that need neither if the class has no other word."""
_DETAILS = _OWN_KINDS | {"info", "success", "failure", "bug", "abstract"}
"""Those of ``<details>``."""
_STATED = _OWN_KINDS
"""Words that a title does not overrule; others may be names of colours only."""
_STRONG = (
    "admonition", "admonitionblock", "notecard", "markdown alert", "information macro",
    "hint container", "kg callout card", "gdoc hint", "book hint", "blockquote tag",
    "starlight aside", "awsdocs note", "nextra callout", "notion callout",
    "editor panel", "callout", "custom block", "custom container", "notices", "plugin note",
    "plugin wrap",
)  # fmt: skip
"""Words of a class that name callouts."""
_SURE = frozenset(_STRONG[:-6])
"""Those that need neither a kind nor a title."""
_WHOLE = {
    "key-point": NOTE, "msg message": NOTE, "note info": NOTE, "msg alert": WARNING,
    "note warn": WARNING, "govuk-warning-text": WARNING, "note alert": CAUTION,
}  # fmt: skip
"""Kinds by the whole class of an element, as Google's, Zenn's, Qiita's and GOV.UK's pages have
it."""
_STYLES = frozenset(("bg", "border", "wrap"))
"""Words before a kind in a class that names a kind beside one that names a callout."""
_WEAK = frozenset(("alert", "hint", "message", "notification", "notice", "infobox", "prompt"))
"""Words of a class that name callouts if it also names their kind."""
_POST, _POST_HEADER = "message", "message-header"
"""A word of Bulma's callouts that posts of forums and mails have, too, and the class of the first
element in such a callout."""
_NAMES = frozenset((*_KINDS, *_WEAK, "msg", "key-point", *(name.split()[0] for name in _STRONG)))
_NAMING = tuple(sorted(name for name in _NAMES if not any(one in name for one in _NAMES - {name})))
"""Every class that names a callout has one of these."""
_PARTS = frozenset(
    "title heading header content contents body icon inner label close link text list item "
    "group caption titlebar emoji footer button toggle number ref reference description row col "
    "column grid".split()
)
"""Words of the classes of parts of callouts."""
_TITLE = re.compile(r"title|heading|header|(?:^|[\s_-])label|summary|caption", re.IGNORECASE)
_HEADINGS, _MAX_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6"), 1
_TITLE_TAGS = frozenset(("summary", "dt", *_HEADINGS))
_ROLES = {"note": NOTE, "doc-notice": NOTE, "doc-tip": TIP}
_DATA = (
    "data-callout",
    "data-callout-type",
    "data-panel-type",
    "data-admonition",
    "data-type",
    "data-kind",
)
_NO_CALLOUT = "part"
"""What stands for the name of a part of a callout."""
_INFOBOX = re.compile(r"infobox(?!es(?![a-z]))(?=[a-z])")
_NOT_ROLE = re.compile(r"hatnote|footnote|navigation|noprint")
_SPLIT = re.compile(r"[-_]+")
_WORD = re.compile(r"\w")
_MAX_CHARS = 1_000_000_000
_MAX_TOKENS, _MAX_PARTS, _MAX_TITLE_CHARS, _MAX_SIGN_CHARS, _LEVELS = 20, 16, 200, 8, 6
_MAX_ICON_PARTS = 7
"""Elements of a callout among which its icon is."""
_LABEL = re.compile(
    r"[\W_]*([^\W_](?:[^:：!！.\n]{0,28}[^\s:：!！.])?)(?:\s*[:!！.](?:\s+|\Z|(?=\W))|\s*：\s*|\W*\Z)"
)
"""What may be the label of a callout, at the beginning of its text."""
_LABELS_OF = {
    kind: tuple(labels.split("|"))
    for kind, labels in {
        NOTE: "note|notes|info|information|remark|hinweis|anmerkung|info box|remarque|nota|"
        "nota bene|opmerking|merk|merknad|obs|bemærk|anmärkning|huomautus|uwaga|poznámka|"
        "megjegyzés|примечание|заметка|примітка|σημείωση|ملاحظة|הערה|not|catatan|ghi chú|"
        "หมายเหตุ|注|注意事項|备注|備註|备考|備考|说明|說明|メモ|ノート|補足|情報|참고|"
        "노트|टिप्पणी|notă|observação|aviso|নোট|nodyn|bemerkung|märkus|oharra|توجه|muista|"
        "napomena|athugasemd|注釈|ნოტი|pastaba|piezīme|notitie|informacja|සටහන|opomba|"
        "shënim|белешка|anteckning|注記|notiz|信息|資訊|informação|información|информация|"
        "к сведению",
        TIP: "tip|tips|hint|pro tip|tipp|astuce|conseil|consejo|sugerencia|truco|"
        "suggerimento|consiglio|dica|wskazówka|porada|совет|подсказка|порада|συμβουλή|"
        "نصيحة|טיפ|ipucu|mẹo|提示|小贴士|技巧|ヒント|コツ|팁|sfat|vinkki|تلميح|পরামর্শ|"
        "আভাস|truc|suggeriment|rada|awgrym|fif|hinweis|πρακτική συμβουλή|nõuanne|vihje|"
        "iradokizuna|argibidea|نکته|راهنمایی|indication|suxestión|רמז|सलाह|संकेत|savjet|"
        "javaslat|petunjuk|ábending|რჩევა|მინიშნება|힌트|patarimas|padoms|mājiens|सङ्केत|"
        "podpowiedź|sugestie|හැඟවීම|nasvet|ndihmëz|савет|путоказ|ledtråd|tüyo|i̇pucu|"
        "підказка|gợi ý|小技巧|小訣竅|nápověda",
        IMPORTANT: "important|wichtig|importante|belangrijk|viktigt|viktig|vigtigt|tärkeää|"
        "ważne|důležité|fontos|важно|важливо|σημαντικό|هام|חשוב|önemli|quan trọng|penting|"
        "重要|중요|مهم|গুরুত্বপূর্ণ|pwysig|tähtis|garrantzitsua|tärkeä|महत्त्वपूर्ण|važno|"
        "mikilvægt|მნიშვნელოვანი|svarbu|svarīgi|जरुरी|dôležité|pomembno|e rëndësishme",
        WARNING: "warning|attention|warnung|achtung|avertissement|mise en garde|"
        "advertencia|atención|avvertenza|avviso|attenzione|advertência|atenção|"
        "waarschuwing|let op|varning|advarsel|varoitus|ostrzeżenie|varování|upozornění|"
        "figyelem|figyelmeztetés|внимание|предупреждение|увага|попередження|προσοχή|"
        "προειδοποίηση|تحذير|אזהרה|uyarı|cảnh báo|peringatan|警告|注意|경고|주의|"
        "avertisment|تنبيه|সতর্কতা|দৃষ্টি আকর্ষণ|avís|atenció|výstraha|rhybudd|sylw|"
        "vær opmærksom|averto|hoiatus|tähelepanu|kontuz|adi|هشدار|دقت|huom|תשומת לב|"
        "चेतावनी|सावधानी|upozorenje|pozor|pehatian|aðvörun|athugið|avvertimento|ყურადღება|"
        "įspėjimas|dėmesio|brīdinājums|uzmanību|obs|साबधान|ध्यानाकर्षण|uwaga|aviso|"
        "atenționare|atenție|අනතුරු ඇඟවීම|varovanie|opozorilo|sinjalizim|vëmendje|"
        "упозорење|пажња|observera|dikkat|chú ý|警示",
        CAUTION: "caution|danger|error|vorsicht|gefahr|prudence|precaución|peligro|cautela|"
        "pericolo|cuidado|perigo|voorzichtig|gevaar|försiktighet|fara|niebezpieczeństwo|"
        "осторожно|опасно|обережно|危险|危險|危険|小心|위험|احتياط|خطر|خطأ|সতর্কীকরণ|"
        "বিপজ্জনক|compte|perill|upozornění|nebezpečí|chyba|gofal|perygl|gwall|forsigtig|"
        "fare|fejl|fehler|προσοχή|κίνδυνος|σφάλμα|eraro|prudencia|ettevaatust|oht|viga|"
        "kontuz|arriskua|errorea|ملاحظه|خطا|varoitus|vaara|virhe|erreur|erro|זהירות|סכנה|"
        "שגיאה|चेतावनी|खतरा|गलती|pažnja|opasnost|greška|figyelem|veszély|hiba|hati-hati|"
        "bahaya|kesalahan|aðgát|hætta|villa|attenzione|errore|注意|エラー|გაფრთხილება|"
        "საფრთხე|შეცდომა|조심|오류|atsargiai|pavojinga|klaida|uzmanies|bīstami|kļūda|"
        "advarsel|feil|होसियार|गलत|pas op|fout|ostrzeżenie|błąd|avertisment|pericol|eroare|"
        "ошибка|දෝෂය|upozornenie|nebezpečné|previdno|nevarno|napaka|kujdes|rrezik|gabim|"
        "грешка|fel|uyarı|tehlike|hata|застереження|небезпека|помилка|cảnh báo|nguy hiểm|"
        "lỗi|错误|警示|錯誤",
    }.items()
}
"""The titles that only name a kind; some languages have one for two kinds."""
_LABELS = {
    label: tuple(kind for kind, labels in _LABELS_OF.items() if label in labels)
    for label in chain.from_iterable(_LABELS_OF.values())
}
"""Kinds by these titles, the usual one first."""


def callouts_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of callouts and of their titles, whose own texts are read."""
    found: dict[etree._Element, Reading] = {}
    stated = {*elements.having(_DATA)}
    places = stated.union(
        elements.naming("class", _NAMING, _MAX_CHARS),
        elements.naming("role", (*_ROLES,), _MAX_CHARS),
    )
    for place in sorted(places.intersection(elements.of_tags(_TAGS)) if places else ()):
        element = elements[place]
        if element in found:
            continue
        get = element.get
        data = tuple(filter(None, map(get, _DATA))) if place in stated else ()
        named = _named(element.tag, get("class") or "", get("role") or "", data)
        kind = named.kind
        if not kind or (named.needs_header and not _has_header(element)):
            continue
        title = _title(element)
        icon, of_icon = _icon(element)
        labels = _labels(title if title is not None else element) or of_icon
        has_own = title is not None and _is_own_title(title, element)
        is_sure = named.is_sure or named.needs_header or labels or has_own
        if not is_sure or (title is None and _is_in(element, found, kind)):
            continue
        if labels and not named.is_stated and kind not in labels:
            kind = labels[0]
        if icon is not None:
            found[icon] = NOTHING
        found[element] = Reading(None, 0, str(element.tag), "", f"callout {kind}")
        if title is not None:
            found[title] = Reading(None, 0, str(title.tag), "", "title")
    return found


def label_of(text: str) -> tuple[tuple[str, ...], int]:
    """Return the kinds that the label at the beginning of a text may name, the usual one first, and
    where the text after the label begins; ((), 0) without one.
    """
    match = _LABEL.match(text[:_MAX_TITLE_CHARS])
    kinds = _LABELS.get(match[1].lower(), ()) if match else ()
    return (kinds, match.end()) if match and kinds else ((), 0)


class _Named(NamedTuple):
    """What the attributes of an element name."""

    kind: str
    """The kind of callout; "" if it is none."""
    is_stated: bool = False
    """Whether a title does not overrule the kind."""
    is_sure: bool = False
    """Whether it is a callout also without a title."""
    needs_header: bool = False
    """Whether it is one only with the header that Bulma writes."""


@lru_cache(maxsize=1 << 12)  # elements of a site have few different classes
def _named(tag: str, class_value: str, role: str, data: tuple[str, ...]) -> _Named:
    """Return what the tag and these attributes name; ``data``: the values of those of ``_DATA``."""
    class_value, role = class_value.lower(), role.lower()
    if whole := _WHOLE.get(class_value.strip()):
        return _Named(whole, False, True)
    strong, weak, words = _words(class_value)
    if weak == _NO_CALLOUT:
        return _Named("")
    words = [*(word for word in map(str.lower, data) if word in _KINDS), *words]
    if weak in _KINDS and not words and not strong:
        words, weak = [weak], ""  # as in ``class="hint"``
    word = min(words, key=lambda each: each not in _STATED, default="")
    stated = (_KINDS.get(word, NOTE), word in _STATED)
    if role in _ROLES and not _NOT_ROLE.search(class_value):
        return _Named(_KINDS.get(word, _ROLES[role]), word in _STATED, True)
    if tag == "dl" and not (strong or "section" in class_value.split()):
        return _Named("")
    if strong or weak:
        is_sure = strong in _SURE or (strong == "callout" and tag == "figure")  # as Notion has it
        needs_header = weak == _POST and not (word or strong)
        return _Named(*stated, bool(word or (strong and data)) or is_sure, needs_header)
    if (word and tag == "dl") or (word in _DETAILS and tag == "details"):
        return _Named(*stated, True)
    if word not in _OWN_KINDS:
        return _Named("")
    is_alone = class_value.strip() == word and word in _ALONE
    return _Named(_KINDS[word], False, tag == "aside" or is_alone)


def _words(class_value: str) -> tuple[str, str, list[str]]:
    """Return the strong and the weak name of a callout in a class, and its words of kinds.

    Of a part of a callout, the weak name is ``_NO_CALLOUT``.
    """
    strong = weak = ""
    words: list[str] = []
    styled: list[str] = []
    for token in class_value.split()[:_MAX_TOKENS]:
        parts = [word for word in _SPLIT.split(_INFOBOX.sub("infobox-", token)) if word]
        joined = f" {' '.join(parts)} "
        own = next((name for name in _STRONG if f" {name} " in joined), "")
        own_weak = next((word for word in parts[:2] if word in _WEAK), "") if not own else ""
        rest = [word for word in parts if word not in (*own.split(), own_weak)]
        if (own or own_weak) and not _PARTS.isdisjoint(rest):
            return "", _NO_CALLOUT, []
        strong, weak = strong or own, weak or own_weak
        kinds = [word for word in rest if word in _KINDS]
        if own or own_weak or len(parts) == 1 or parts[:1] == ["is"]:
            words += kinds
        elif not _STYLES.isdisjoint(parts[:1]):
            styled += kinds
    return strong, weak, words + (styled if strong or weak else [])


def _title(callout: etree._Element) -> etree._Element | None:
    """Return the element of a callout's title, if it has one before all other text; without one,
    the element of a sign such as an emoji.
    """
    sign: etree._Element | None = None
    for element in islice(callout.iter(etree.Element), 1, _MAX_PARTS):
        is_named = _TITLE.search(element.get("class") or "") or element.tag in _TITLE_TAGS
        is_named = is_named or (element.tag == "th" and _is_of_table(callout))
        text = "".join(_texts(element)).strip()
        if is_named and _WORD.search(text):
            return element if len(text) <= _MAX_TITLE_CHARS else None
        if not is_named and _WORD.search(element.text or ""):
            return sign
        if _WORD.search(element.tail or ""):
            return sign
        if sign is None and text and not _WORD.search(text) and len(text) <= _MAX_SIGN_CHARS:
            sign = element
    return sign


def _is_own_title(title: etree._Element, callout: etree._Element) -> bool:
    """Return whether the title makes a callout of an element, which a section with several headings
    is not.
    """
    if "title" not in (title.get("class") or ""):
        return False
    return len([*islice(callout.iter(_HEADINGS), _MAX_HEADINGS + 1)]) <= _MAX_HEADINGS


def _is_of_table(callout: etree._Element) -> bool:
    """Return whether a callout is a table, as DocBook writes those with icons."""
    inner = [*islice(callout.iterchildren(etree.Element), 2)]
    return len(inner) == 1 and inner[0].get("summary") is not None


def _has_header(callout: etree._Element) -> bool:
    """Return whether a callout begins with a header as those of Bulma do."""
    first = next(callout.iterchildren(etree.Element), None)
    return first is not None and _POST_HEADER in (first.get("class") or "").split()


def _icon(callout: etree._Element) -> tuple[etree._Element | None, tuple[str, ...]]:
    """Return the image of a callout that is only its icon, and the kinds that it may name."""
    for element in islice(callout.iter(etree.Element), 1, _MAX_ICON_PARTS):
        if element.tag == "img":
            kinds, _ = label_of((element.get("alt") or "").strip(" []"))
            return (element, kinds) if kinds else (None, ())
    return None, ()


def _labels(element: etree._Element) -> tuple[str, ...]:
    """Return the kinds that the label of a title, or at the beginning of a callout, may name."""
    kinds, _ = label_of("".join(_texts(element)).lstrip())
    return kinds or _lone_labels(element)


def _lone_labels(callout: etree._Element) -> tuple[str, ...]:
    """Return the kinds that the first text in a callout may name, if it is in an element of its
    own.
    """
    first = next((text for text in map(str.strip, _texts(callout)) if _WORD.search(text)), "")
    return label_of(first)[0]


def _texts(element: etree._Element) -> Iterator[str]:
    return (str(text) for text in islice(element.itertext(), _MAX_PARTS))


def _is_in(element: etree._Element, found: dict[etree._Element, Reading], kind: str) -> bool:
    """Return whether a callout of the same kind is near around an element."""
    above = element.getparent()
    for _ in range(_LEVELS):
        if above is None:
            return False
        if above in found:
            return found[above].role == f"callout {kind}"
        above = above.getparent()
    return False
