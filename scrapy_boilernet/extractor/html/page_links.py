"""Links of a page to the next and the previous page of the same article or thread."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, inner_text
from scrapy_boilernet.extractor.metadata import (
    NEAR_NEXT,
    NEAR_PREVIOUS,
    NUMBERED_NEXT,
    NUMBERED_PREVIOUS,
    SHOWN_NEXT,
    SHOWN_PREVIOUS,
    well_formed,
)

_NAMES = ("pagin", "pager", "page-nav", "page_nav", "pagenav", "page-links", "page-numbers",
          "pagelink", "nav-links", "wp-pagenavi", "post-page", "pages")  # fmt: skip
"""Parts of the class of an element with the numbers of pages."""
_NEXT = re.compile(
    r"(?:(?:next|older)(?: page| ?posts?| ?part)?|nächste(?: seite)?|weiter(?:lesen)?|"
    r"(?:page )?suivante?|(?:página )?siguiente|(?:pagina )?successiva|avanti|"
    r"(?:próxima|página seguinte|seguinte|próximo)(?: página)?|volgende(?: pagina)?|"
    r"nästa(?: sida)?|neste(?: side)?|næste(?: side)?|seuraava|"
    r"(?:następna|następny)(?: strona)?|dalej|další|следующая(?: страница)?|вперёд|вперед|далее|"
    r"наступна|sonraki(?: sayfa)?|ileri|következő|următoarea|επόμενη|下一[页頁]|次へ|次のページ|"
    r"次の ?ページへ|다음|التالي|التالية|הבא|trang sau|ถัดไป|selanjutnya|berikutnya)?"
    r"\s*[›»→>⟩▶]{0,3}",
    re.IGNORECASE,
)
_PREVIOUS = re.compile(
    r"[‹«←<⟨◀]{0,3}\s*"
    r"(?:(?:prev(?:ious)?|newer)(?: page| ?posts?| ?part)?|vorherige(?: seite)?|zurück|"
    r"(?:page )?précédente?|(?:página )?anterior|(?:pagina )?precedente|indietro|"
    r"(?:página )?anterior|vorige(?: pagina)?|föregående(?: sida)?|forrige(?: side)?|edellinen|"
    r"poprzednia(?: strona)?|wstecz|předchozí|предыдущая(?: страница)?|назад|попередня|"
    r"önceki(?: sayfa)?|geri|előző|anterioara|προηγούμενη|上一[页頁]|前へ|前のページ|이전|السابق|"
    r"السابقة|הקודם|trang trước|ก่อนหน้า|sebelumnya)?",
    re.IGNORECASE,
)
_CURRENT = re.compile(r"(?:^|[\s_-])(?:current|active|selected|aktiv|actual)(?:$|[\s_-])")
_NUMBER = re.compile(r"\d{1,5}")
_MAX_BOXES, _MAX_INSIDE, _MAX_CHARS = 12, 300, 60
_MAX_ADDRESS_CHARS = 2_000
_LABELS = ("pagin", "seitennummer", "seitenzahl")
"""Parts of the label of such an element; "pagin" is one in most languages of Europe."""
_NUMBERED_ADDRESS = re.compile(r"\d(?<!\d\d)\d{0,3}(?:/|\.\w{2,5}|[&;#?][^/]*)?\Z")
"""The end of an address that may have the number of a page. What is before the number is looked at
behind its first digit, since a search for a digit is quick."""
_MAX_NEAR, _END_CHARS = 300, 80
_NOT_TEXT = frozenset({"script", "style"})


def shown_page_links(
    elements: Elements | CompiledElements, url: str | None
) -> Iterator[tuple[str, str]]:
    """Yield (what stands for the link's rel, address), best first.

    First come links with ``rel``, then the numbers and words in the boxes of a pagination, then
    words elsewhere, of links that may have the next or the previous number of the page's ``url``.
    """
    relations = elements.values("rel")
    for place, value in relations.items():
        words = value[:_MAX_CHARS].lower().split()
        kind = SHOWN_NEXT if "next" in words else SHOWN_PREVIOUS if "prev" in words else ""
        if kind and elements[place].tag == "a" and (address := _address(elements[place])):
            yield kind, address
    named = elements.naming("class", _NAMES, 200)
    boxes = dict.fromkeys((*named, *elements.naming("aria-label", _LABELS, _MAX_CHARS)))
    left = _MAX_INSIDE
    for place in islice(boxes, _MAX_BOXES):
        inside = [*islice(elements[place].iter("a", "span", "strong", "b", "em", "li"), left)]
        left -= len(inside)
        yield from _numbered(inside)
        yield from _named(inside)
    near = {SHOWN_NEXT: NEAR_NEXT, SHOWN_PREVIOUS: NEAR_PREVIOUS}
    beside = [elements[i] for i in _beside(elements, url)] if url else []
    for kind, address in _named(beside, in_words=True):
        yield near[kind], address


def _beside(elements: Elements | CompiledElements, url: str) -> list[int]:
    """Return the places of the last links that may lead to the page before or after this one."""
    own = {1, *map(int, _NUMBER.findall(url[-_END_CHARS:]))}
    wanted = {str(number + step) for number in own for step in (1, -1)}
    found = []
    for place, address in elements.numbered_links().items():
        end = address[-_END_CHARS:]
        if any(map(end.__contains__, wanted)) and _NUMBERED_ADDRESS.search(end.strip()):
            found.append(place)
    return found[-_MAX_NEAR:]


def _numbered(inside: list[etree._Element]) -> Iterator[tuple[str, str]]:
    """Yield the links with the numbers after and before that of the page itself."""
    links: dict[int, str] = {}
    current = 0
    for element in inside:
        text = _text(element)
        if not _NUMBER.fullmatch(text):
            continue
        address = _address(element)
        if element.get("aria-current") or _CURRENT.search(element.get("class") or ""):
            current = int(text)
        elif element.tag == "a" and address:
            links.setdefault(int(text), address)
        elif element.find(".//a") is None and not current and _is_beside_links(element):
            current = int(text)
    for kind, number in ((NUMBERED_NEXT, current + 1), (NUMBERED_PREVIOUS, current - 1)):
        if current and number in links:
            yield kind, links[number]


def _is_beside_links(element: etree._Element) -> bool:
    """Return whether the element is no part of a link."""
    return not any(above.tag == "a" for above in islice(element.iterancestors(), 4))


def _named(inside: list[etree._Element], *, in_words: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the links whose texts or labels say that they lead to the next or previous page.

    ``in_words``: an arrow alone does not say so.
    """
    for element in inside:
        kind = _kind(element, in_words) if element.tag == "a" else ""
        if kind and (address := _address(element)):
            yield kind, address


def _kind(link: etree._Element, in_words: bool) -> str:
    """Return what a link to the next or previous page stands for; "" for others."""
    for text in (_text(link), (link.get("aria-label") or "")[:_MAX_CHARS].strip()):
        if in_words and not any(map(str.isalpha, text)):
            continue
        if text and _NEXT.fullmatch(text):
            return SHOWN_NEXT
        if text and _PREVIOUS.fullmatch(text):
            return SHOWN_PREVIOUS
    return ""


def _text(element: etree._Element) -> str:
    text, _ = inner_text(element, _NOT_TEXT, 10, _MAX_CHARS)
    return " ".join(text.split())


def _address(element: etree._Element) -> str:
    address = (element.get("href") or "").strip()
    return well_formed(address) if len(address) <= _MAX_ADDRESS_CHARS else ""
