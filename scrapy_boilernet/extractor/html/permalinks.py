"""Signs beside headings, terms and captions that link to what they stand in, and links from a
heading to the page's begin.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.invisible import ZERO_WIDTH_SIGNS
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.html.scan import may_have
from scrapy_boilernet.extractor.page import HEADING_TAGS
from scrapy_boilernet.extractor.patterns import lazy_pattern

_PERMALINK = lazy_pattern(
    r"perma-?link|header-?link|heading-?(?:link|anchor)|anchor|hash-?link|self-?link|direct-?link|"
    r"headline-?link|section-?link|copy-?(?:link|heading)|link (?:to|zu)\b|lien (?:vers|permanent)|"
    r"enlace",
    re.IGNORECASE,
)
_PERMALINK_STEMS = ("link", "anchor", "heading", "lien", "enlace")
"""Every name in which it finds something has one of these."""
_NAMES = ("class", "title", "aria-label", "rel")
SIGNS = (
    b"ermalink",
    b"eaderlink",
    b"nchor",
    b"heading",
    b"-link",
    b"<button",
    b"#top",
    b"#_top",
    b"#toc",
    b"#content",
    b'"#"',
    b"'#'",
    b"=#>",
    *ZERO_WIDTH_SIGNS,
)
_WORD = re.compile(r"\w")
_BUTTON = "button"
_LINKS, _HERE = ("a", _BUTTON), "#"
"""The beginning of the address of a place in the page."""
_NOTHING = Reading("", 0, "span")
_TEXT = lazy_pattern(
    r"\s*(?:(?:copy|get|share)? ?(?:direct |perma)?(?:link|url|anchor)(?: (?:to|for) (?:this )?"
    r"(?:section|heading|headline|header|title))?|(?:perma)?link zu (?:diese[mrs] )?(?:abschnitt|"
    r"überschrift)|(?:perma)?link kopieren|lien (?:permanent|vers cette section)|"
    r"enlace (?:permanente|a esta sección)|ссылка на (?:этот )?раздел|"
    r"(?:この(?:セクション|見出し)への)?(?:パーマ)?リンク|复制链接|copy)\s*",
    re.IGNORECASE,
)
"""What such a link says."""
_TOP_ADDRESS = re.compile(r"#(?:_?top[\w-]*|toc|contents?)?")
_TOP = lazy_pattern(
    r"\W*(?:(?:(?:(?:back |return |go )?to (?:the )?)?top|(?:back|return|go) to (?:the )?"
    r"(?:table of )?contents)(?: of (?:the |this )?page)?|"
    r"(?:zurück )?(?:nach oben|zum (?:seiten)?anfang|zum inhalt(?:sverzeichnis)?)|"
    r"(?:retour )?(?:en haut|au sommaire|haut)(?: de (?:la )?page)?|"
    r"(?:volver )?(?:arriba|al índice)|(?:voltar )?ao topo|torna (?:su|all['’]inizio)|"
    r"(?:terug )?naar boven|(?:do|na) góry|till? toppen|"
    r"наверх|вверх|(?:к|в) (?:началу|содержанию|оглавлению)|"
    r"(?:ページの?)?(?:トップ|先頭)[へに](?:戻る)?|"
    r"(?:返回|回到)(?:顶部|頂部|目录|目錄)|맨 ?위로)\W*",
    re.IGNORECASE,
)
"""What a link to the beginning of the page or to its contents says."""
_SIGN_NAMES, _NOTE = ("headerlink", "header-link", "permalink", "anchor", "hash-link"), "note"
"""What the class of a sign outside of headings has in it, and what it has not."""
_SIGN_TEXT, _DIGIT_AFTER = re.compile(r"\s*[¶§#🔗⚓][\ufe0e\ufe0f]?\s*"), re.compile(r"\A\s*[0-9]")
"""Such a sign, and what no sign stands before: § 5."""
_MAX_TEXTS, _MAX_TEXT_CHARS, _MAX_CLASS_CHARS = 5, 40, 500


def may_have_permalinks(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have such links."""
    return not signs.isdisjoint(SIGNS)


def permalinks_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for each sign that links to its heading, term or caption."""
    links = elements.inside(HEADING_TAGS, _LINKS)
    found = [one for place in links if _is_sign(one := elements[place])]
    named = elements.naming("class", _SIGN_NAMES, _MAX_CLASS_CHARS)
    found += [one for place in named if _is_sign_outside(one := elements[place])]
    return dict.fromkeys(found, _NOTHING)


def _is_sign_outside(element: etree._Element) -> bool:
    """Return whether an element of such a class is a sign in a term, a caption or a text."""
    if element.tag != "a" or not (element.get("href") or "").startswith(_HERE):
        return False
    if _NOTE in (element.get("class") or "").lower() or _DIGIT_AFTER.match(element.tail or ""):
        return False
    return _SIGN_TEXT.fullmatch(_text_of(element)) is not None


def _is_sign(element: etree._Element) -> bool:
    named = " ".join([element.get(name) or "" for name in _NAMES])
    is_named = may_have(named, _PERMALINK_STEMS) and _PERMALINK.search(named) is not None
    is_button, address = element.tag == _BUTTON, element.get("href") or ""
    if not is_named and not is_button and not address.startswith(_HERE):
        return False
    text = _text_of(element)
    if not _WORD.search(text):
        return is_named or not is_button
    if is_named and _TEXT.fullmatch(text):
        return True
    pattern = _TEXT if is_button else _TOP if _TOP_ADDRESS.fullmatch(address) else None
    return bool(pattern and pattern.fullmatch(text)) and _is_beside_words(element, text)


def _text_of(element: etree._Element) -> str:
    parts = islice(element.itertext(), _MAX_TEXTS)
    return "".join(str(text)[:_MAX_TEXT_CHARS] for text in parts)


def _is_beside_words(element: etree._Element, text: str) -> bool:
    """Return whether the heading around an element has more than this text of it, and no bracket
    that ends behind it.
    """
    heading = next(element.iterancestors(*HEADING_TAGS), None)
    if heading is None or (element.tail or "").lstrip().startswith("]"):
        return False
    return _WORD.search(_text_of(heading).replace(text, "", 1)) is not None
