"""Takes the names out of a byline or a list of authors."""

from __future__ import annotations

import re

from scrapy_boilernet.extractor.output.credits import writers_of
from scrapy_boilernet.extractor.output.dates import DATE_WORDS, found_dates
from scrapy_boilernet.extractor.output.named import distinct
from scrapy_boilernet.extractor.output.names import AGENCY, NOBODY

MAX_AUTHORS, MAX_NAME_CHARS, _MAX_NAME_WORDS = 50, 100, 8
EDGES = " \t\u00a0.,:;-–—|\"'()[]»«⋅●·•/〔〕【】（）"
KIND_BY = (
    r"(?:propos recueillis|interview réalisée|entretien réalisé|"
    r"une? (?:article|reportage|entretien|enquête|texte)) par|"
    r"une? (?:article|reportage|enquête|texte) de|"
    r"(?:ein(?:e|en)?\s)?(?:interview|gespräch|bericht|beitrag|text|artikel|gastbeitrag|kommentar|"
    r"essay|reportage|analyse|kolumne) von|(?:protokolliert|aufgezeichnet) von|"
    r"(?:die fragen stellt|das (?:interview|gespräch) führt)en?|"
    r"(?:an? )?(?:interview|report|essay|comment|column|analysis|review) by|"
    r"(?:as told to|interviewed by|edited and condensed by)|"
    r"una? (?:artículo|reportaje|crónica|entrevista) (?:de|por)|"
    r"(?:uma? )?(?:reportagem|artigo|entrevista) (?:de|por)|"
    r"(?:un['’]?\s?|una )?(?:articolo|intervista) di|(?:intervista )?a cura di|"
    r"(?:een )?(?:interview|reportage|artikel|column) door|opgetekend door|"
    r"(?:en )?(?:intervju|reportage|artikel|krönika) av|rozmawiała?|беседовала?|聞き手|"
    r"(?:gepostet|eingestellt|veröffentlicht|geschrieben|verfasst) von|"
    r"(?:publiée?|postée?|rédigée?) par|(?:publicad|postad)[oa] por|(?:pubblicato|postato) da|"
    r"(?:geplaatst|geschreven) door|(?:publicerad|postad|skriv[ea][nt]|lagt inn) av|indsendt af|"
    r"zamieszczone przez|(?:diposkan|ditulis|diposting) oleh|được đăng bởi|"
    r"(?:interview|text|words|texte|texto|testo|인터뷰)(?=\s?:)"
)
"""What stands before the names of the writers of an interview, an essay and the like."""
_BY = (
    rf"(?:{KIND_BY}|"
    r"(?:(?:article|story|text|words|post|report|reporting|recipe|photos?|reviews?|interview)\s+)?"
    r"(?:(?:written|posted|published|authored|created|reported|started|reviewed|contributed|"
    r"submitted|asked)\s+by|by|byline|author(?:\(s\)|s)?|writers?|von|par|por|di|de la mano de|"
    r"autore?n?|auteure?s?|autori|verfasst von|geschrieben von|durch|scritto da|escrito por|"
    r"écrit par|"
    r"publié par|door|av|af|przez|opracował[a]?|teksti?|автор|текст|από|著者|文|作者|記者|記事|"
    r"redaktion|από|كتبت?|بقلم|الكاتبة?|نویسنده|撰文|작성자|기자명|글쓴이|글|记者|执笔|"
    r"執筆者?|(?:本文|文章)作者|撰稿|取材・文|rédigé par))"
)
_REPORTER_OF = r"(?:[\u3400-\u9fff]{1,8}[╱／/])?[\u3400-\u9fff]{0,10}?(?:記者|记者)"
"""A reporter and the newspaper that the reporter is of."""
_ROLE_BEFORE = (
    r"(?:staff writer|reporter(?:in)?|correspondent|redakteur(?:in)?|korrespondent(?:in)?|"
    r"envoyée? spéciale?|correspondante?|corresponsal|inviat[oa]|redactora?|журналист(?:ка)?|"
    r"корреспондент)\s+(?=(?-i:[^\W\d_a-zß-ÿа-я])\w+\s(?-i:[^\W\d_a-zß-ÿа-я]))"
)
"""What a person is, before a name of two words."""
PREFIX = re.compile(
    rf"[\s〔【（]*(?:{_BY}(?:\s*[:\uff1a=\uff1d\uff0f]\s*|\s+)|by\.\s*|(?-i:By)(?=(?-i:[A-Z])[^\W\d_]+\s(?-i:[A-Z]))|"
    rf"{_ROLE_BEFORE}|(?:原创|原創)\s+|"
    rf"{_REPORTER_OF}(?:\s+(?=[\u3400-\u9fff])|(?=[\u3400-\u9fff]{{2,3}}(?:[\s、〕】）]|\Z))))+",
    re.IGNORECASE,
)
_SURE_PREFIX = re.compile(
    rf"\s*(?:{KIND_BY})\s?[:\uff1a]?\s*(?=\S)|"
    r"\s*(?:(?:written|posted|published|reported)\s+)?by\s+|\s*(?:author|autor)\s*:\s*|"
    r"\s*(?:aut(?:h?or\w{0,2}|eure?s?)|автор\w?|текст|tekst|作者|著者|執筆者?|記者|记者|文|撰文|작성자|"
    r"글쓴이)\s?[:：]\s*|"
    r"\s*(?-i:Von)\s(?!d[eai]|zu)(?=[^\s,;]+\s[^\s,;]+)|"
    r"\s*(?-i:von|di|par|por|door|av|af|przez)\s(?=(?:(?-i:[^\W\d_a-zß-ÿ])[\w'’.-]+(?:\s|\Z)){2})",
    re.IGNORECASE,
)
"""Beginnings that are hardly part of a name, unlike "Von" before one word, or "Di"."""
_BY_INSIDE = re.compile(r"(?<=\w),\s(?:by|par|por)\s(?=(?:[^\W\d_a-zß-ÿ][\w'’.-]+(?:,?\s|\Z)){2})")
"""What stands between an organization and the persons of it who wrote a text."""
DOT = (
    r"(?:(?<![\u3400-\u9fff])·|·(?![\u3400-\u9fff])|"
    r"·(?=[\u3400-\u9fff]{1,10}?(?:[报報网網社台臺刊]|新闻|新聞|编辑|編輯|记者|記者)(?![\u3400-\u9fff])))"
)
"""A dot that is not inside a foreign name in Chinese signs."""
_SPLIT = re.compile(
    rf"\s*(?:(?:[;|•/、,]|{DOT})(?:\s*(?:and|und|et|y|e|&)\s(?=[^\W\d_a-z]))?|\s(?:and|und|et|y|e|i|и|og|och|en|&|with|mit)\s"
    r"(?=[^\W\d_a-z]|(?:dpa|afp|epd|kna|sid|apa|sda|ap|efe|ansa)\b))\s*"
)
_DEGREE = re.compile(
    r"(?:[A-Z][A-Za-z]?[A-Z.-]{1,6}|Ph\.?D\.?|Jr\.?|Sr\.?|Inc\.?|LLC|Esq\.?|M\.?D\.?)"
    r"(?:\s[A-Z]{2,6})*\Z"
)
_NO_NAME = re.compile(
    r"https?:|www\.|://|@|\.(?:com|org|net)/|\{|\}|<|\bminutes?\b|\bread\b|\bcomments?\b|"
    r"\bsubscribe\b|\bfollow\b|\A\W*(?:image|photo|foto|bild|copyright|©)\b|"
    r"\A\W*(?:(?:visit the|besuche den|visita (?:lo|la)|visite[rz]? la|bezoek de)\s"
    r"(?=.*\b(?:store|shop|boutique|winkel|tienda|loja|negozio)\b)|"
    r"(?:brand|mar(?:ca|que|ke|ka)|merk|märke|categor\w+)\s?:)|"
    r"\bposts?\b\s*:|\bshare\b|\bview (?:all|profile)\b|\bmore (?:by|from)\b",
    re.IGNORECASE,
)
_INITIALS_AFTER = re.compile(r"\s\([a-zäöü/]{2,5}\.?\)?(?=\W*\Z)")
"""An editor's sign after the name, such as "(obe.)"."""
_CONTACT = re.compile(
    r"[<(\[]?(?:mailto:)?(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+[>)\]]?|[(\[]?(?<!\w)@\w{2,30}[)\]]?"
)
_STAFF = re.compile(
    r"(?:,|\s(?:and|with|und|mit|et|avec|y|con|e|og|och|en))\s(?:the\s|news\s|wire\s)?"
    r"(?:staff|agencies|wires?|services|reports|agenturen|agences|agencias|agenzie|bureaus?)\b.*",
    re.IGNORECASE,
)
_AFTER_COMMA = re.compile(
    r",\s(?=[^,;]*\b(?:editor|writer|reporter|correspondent|columnist|contributor|journalist|"
    r"producer|president|director|professor|analyst|engineer|founder|blogger|host|ceo|cto|redakteur\w*|korrespondent\w*|reporterin|journaliste|correspondante?|envoyée?|"
    r"corresponsal|redactora?|periodista|inviat[oa]|giornalista|redacteur|verslaggever|"
    r"корреспондент|журналист|dpa|afp|ap|reuters|efe|ansa|epd|kna|apa|courier|times|news|"
    r"post|herald|tribune|gazette)\b)[^,;]*?(?=\s(?:and|und|et)\s(?-i:[^\W\d_a-z])|[,;]|\Z)",
    re.IGNORECASE,
)
"""A role, an agency or a newspaper after the comma that follows a name."""
_LOWER_AFTER_COMMA = re.compile(
    r"(\w[^\s,;|]*+\s[^,;|]*+),\s"
    r"(?!(?:by|von|par|por|door|av|and|und|et|y|e|og|och|en|de|da|di|du|la|van|bin|al|el)\b)"
    r"[a-zß-ÿ][^,;|]*"
)
"""A role after the comma that follows a name of several words."""
_EMPLOYER = re.compile(r"(?<=\w),\sThe\s[^,;|]*")
"""A newspaper after the comma that follows a name."""
_LAST_FIRST = re.compile(
    r"\s*(?P<last>(?:(?:de|da|del|van|von|der|den|la|le|bin|al) )*[^\W\d_a-z][\w'’-]+),\s"
    r"(?P<first>[^\W\d_a-z][\w'’-]*\.?(?:\s[^\W\d_a-z][\w'’-]*\.?)?)\s*"
)
_SUFFIX = re.compile(
    r"(?:Ph\.?D|M\.?D|M\.?A|M\.?S|B\.?A|R\.?N|R\.?D|MBA|MPH|Jr|Sr|II|III|IV|Inc|LLC|Ltd|Esq|"
    r"DO|DDS|CPA|LCSW)\.?\Z",
    re.IGNORECASE,
)
KOREAN_DATE = r"(?:기사\s?|최종\s?)?(?:입력|수정|등록|승인|송고|발행)"
"""What stands before a date."""
_REPORTER = re.compile(
    r"\s+(?:关注|關注|フォロー|팔로우|(?:企鹅|百家|头条|搜狐|网易|澎湃|大鱼)号)\Z|"
    rf"\s*(?:기자|특파원|記者|记者)(?:\s{KOREAN_DATE})?\Z|(?:\A|(?<!\s)\s){KOREAN_DATE}\Z"
)
_INITIALS = re.compile(r"[A-Z]{1,2}")
_AGE = re.compile(
    r"(?:(?:vor|il y a|hace|há|for) )?\d{1,3}\s?(?:sec|min|hours?|hrs?|days?|weeks?|months?|years?|"
    r"sekunde|stunde|tag|woche|monat|jahre?|heure|jour|semaine|mois|ans?\b|hora|d[ií]as?\b|mes|año|"
    r"or[ae]\b|giorn|settiman|uur|dag|week|timm?[ae]|godzin|dni|час|дн|день|недел|[分秒日天時时]|"
    r"시간|일 전)\w*(?:\s(?-i:[^\W\d_A-Z])\w*)?\Z",
    re.IGNORECASE,
)
"""How long ago something was written."""


def split_names(text: str, shown: bool = True) -> tuple[str, ...]:
    """Return the names in a byline or a list of authors, without "By" and text that is not a name.

    ``shown``: whether the page shows the text as a byline, in which "Von" is not part of a name.

    >>> split_names("By Ann Lee, PhD and Bo Chan")
    ('Ann Lee, PhD', 'Bo Chan')
    """
    prefix = PREFIX if shown else _SURE_PREFIX
    text = writers_of(" ".join(text[:2_000].split()))
    if not shown and (by := _BY_INSIDE.search(text)):
        text = text[by.end() :]
    text = without_extras(without_by(text, prefix), shown)
    if _NO_NAME.search(text):
        return ()
    names: list[str] = []
    parts = _SPLIT.split(text)[: 2 * MAX_AUTHORS]
    degree = _SUFFIX if parts[0].isupper() else _DEGREE
    for part in parts:
        if names and degree.match(part) and not AGENCY.search(part):
            names[-1] += f", {part}"
        elif name := _name(part, prefix):
            names.append(name)
    return distinct(names)[:MAX_AUTHORS]


def without_extras(text: str, shown: bool) -> str:
    """Return the text without addresses, staff, agencies and roles; "Last, First" turned round."""
    if "@" in text:
        text = _CONTACT.sub(" ", text)
    text = _STAFF.sub("", text)
    if "," not in text:
        return text
    text = _AFTER_COMMA.sub("", text)
    if shown:
        return _LOWER_AFTER_COMMA.sub(r"\1", _EMPLOYER.sub("", text))
    return ";".join(_turned(part) for part in text.split(";"))


def _turned(text: str) -> str:
    """Return "First Last" for "Last, First", else the text."""
    match = _LAST_FIRST.fullmatch(text)
    if not match or _SUFFIX.match(match["first"]) or max(text) > "\u0600":
        return text
    return f" {match['first']} {match['last']}"


def without_by(text: str, prefix: re.Pattern[str]) -> str:
    """Return the text without "By" or the like at its begin."""
    while match := prefix.match(text):
        text = text[match.end() :]
    return text


def _name(text: str, prefix: re.Pattern[str]) -> str:
    """Return the text if it may be a name, else ""."""
    text = _INITIALS_AFTER.sub("", without_by(text, prefix))
    words = text.strip(EDGES).split()
    while words and words[-1].strip(EDGES).lower() in DATE_WORDS:
        words.pop()
    if words[: len(words) // 2] == words[len(words) // 2 :]:
        words = words[: len(words) // 2]  # shown twice, for small and for large screens
    name = _REPORTER.sub("", " ".join(words)).strip(EDGES)
    if not 1 < len(name) <= MAX_NAME_CHARS or len(words) > _MAX_NAME_WORDS:
        return ""
    if name.casefold() in NOBODY or name.isdigit() or _INITIALS.fullmatch(name):
        return ""
    return "" if is_moment(name) else name


def is_moment(text: str) -> bool:
    """Return whether the text is a date or an age, such as "2 hours ago"."""
    if not any(map(str.isdigit, text)):
        return False
    date = next(found_dates(text), None)
    return bool(_AGE.match(text)) or (date is not None and not date.before.strip(EDGES))
