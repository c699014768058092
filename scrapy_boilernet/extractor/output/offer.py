"""The offer of the product that a page is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from scrapy_boilernet.extractor.metadata import Offer, Stated, StatedObject

_PRODUCTS = frozenset("product productgroup productmodel individualproduct".split())
_OFFERS = frozenset("offer aggregateoffer demand".split())
_ELSEWHERE = frozenset("itemlistelement isrelatedto issimilarto hasvariant isvariantof".split())
_PRICE = re.compile(
    r"\d{1,3}(?:[.,'\s\u00a0\u202f]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d{1,12}(?:[.,]\d{1,4})?"
)
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_AVAILABILITY = {
    "instock": "InStock", "available": "InStock", "outofstock": "OutOfStock", "oos": "OutOfStock",
    "preorder": "PreOrder", "backorder": "BackOrder", "discontinued": "Discontinued",
}  # fmt: skip
"""The words of schema.org for those of Open Graph, in lower case without other signs."""
_NO_PRODUCTS = ("article", "profile", "video", "music", "product.group")
"""Beginnings of the types of other pages."""
_WORD = re.compile(r"[A-Za-z]{3,30}")


def find_offer(stated: Stated) -> tuple[Offer | None, str]:
    """Return the offer, and its source; (None, "") if there is none.

    It is that of the only product in JSON-LD or else in microdata, or else that in metadata of
    Open Graph, if the page has not several products and these metadata state no other kind of page.
    """
    is_single = True
    for syntax in ("json-ld", "microdata"):
        own = [one for one in stated.objects if one.syntax == syntax]
        products = [i for i, one in enumerate(own) if _is_product(one)]
        names = {own[i].first("name", "url").casefold() or str(i) for i in products}
        is_single = is_single and len(names) <= 1
        if len(products) == 1:
            after = takewhile(lambda one: not _is_product(one), own[products[0] + 1 :])
            for one in [own[products[0]], *(o for o in after if _OFFERS & {*o.types})]:
                if offer := _offer(one):
                    return offer, syntax
    offer = _offer_of_metas(stated) if is_single else None
    return offer, "open-graph" if offer else ""


def _offer_of_metas(stated: Stated) -> Offer | None:
    """Return the offer in metadata of Open Graph, unless that states another kind of page."""
    kinds = [kind.lower().startswith(_NO_PRODUCTS) for kind in stated.all_metas("og:type")]
    groups = ("product:sale_price", "product:price", "og:price")
    prices = [(group, decimal(stated.meta(f"{group}:amount"))) for group in groups]
    group, price = next(((group, price) for group, price in prices if price.strip("0.")), ("", ""))
    if not price or (kinds and all(kinds)):
        return None
    currency = stated.meta(*(f"{name}:currency" for name in (group, *groups))).strip()
    word = stated.meta("product:availability", "og:availability")
    return Offer(
        price,
        currency.upper() if _CURRENCY.fullmatch(currency) else "",
        _AVAILABILITY.get(re.sub(r"[^a-z]", "", word.lower()), ""),
    )


def _is_product(one: StatedObject) -> bool:
    return bool(_PRODUCTS & {*one.types}) and one.place not in _ELSEWHERE


def _offer(one: StatedObject) -> Offer | None:
    price = decimal(one.first("lowprice", "price"))
    if not price:
        return None
    currency = one.first("pricecurrency").strip()
    word = one.first("availability").strip().rstrip("/").rpartition("/")[2].rpartition(":")[2]
    return Offer(
        price,
        currency.upper() if _CURRENCY.fullmatch(currency) else "",
        word if _WORD.fullmatch(word) else "",
    )


def decimal(text: str) -> str:
    """Return the first number of a text with a point and without separators; "" without one.

    >>> decimal("1.299,00 EUR"), decimal("$1,299"), decimal("12.5")
    ('1299.00', '1299', '12.5')
    """
    found = _PRICE.search(text[:50])
    if not found:
        return ""
    number = re.sub(r"['\s\u00a0\u202f]", "", found[0])
    signs: Sequence[str] = re.findall(r"[.,]", number)
    if not signs:
        return number
    digits_after = len(number) - max(number.rfind("."), number.rfind(",")) - 1
    is_point = (digits_after != 3 or number[0] == "0") and signs.count(signs[-1]) == 1
    whole, part = number, ""
    if is_point:
        whole, part = number[: -digits_after - 1], number[-digits_after:]
    return re.sub(r"[.,]", "", whole) + (f".{part}" if part else "")
