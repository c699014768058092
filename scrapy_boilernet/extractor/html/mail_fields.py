"""Fields in which readers write their e-mail address, and the elements around them.

Fields of forms in which they write a message do not count: those stand beside addresses.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements

SIGNS = (b'"email"', b"'email'", b"=email", b'"Email"', b'"EMAIL"')
"""Every page with such a field has one of these."""
_MAIL = "email"
_TYPED = ("", "text", _MAIL)
"""The types of fields in which readers write."""
_MAX_FIELDS, _MAX_AROUND = 50, 12


def mail_fields(
    elements: Elements | CompiledElements, signs: AbstractSet[bytes]
) -> tuple[tuple[int, ...], ...]:
    """Return per field for an e-mail address the numbers of the elements around it, the innermost
    first.

    ``signs``: those of ``SIGNS`` in the page.
    """
    if signs.isdisjoint(SIGNS):
        return ()
    inputs = (elements[place] for place in elements.of_tags(("input",)))
    fields = islice((one for one in inputs if _is_for_mail(one.get)), _MAX_FIELDS)
    around = ([*islice(field.iterancestors(), _MAX_AROUND)] for field in fields)
    alone = (above for above in around if not any(map(_is_for_messages, above)))
    return tuple(tuple(1 + place for place in elements.places(above)) for above in alone)


def _is_for_mail(attribute: Callable[[str], str | None]) -> bool:
    kind = (attribute("type") or "").lower()
    names = (kind, *((attribute(name) or "").lower() for name in ("name", "autocomplete")))
    return kind in _TYPED and _MAIL in names


def _is_for_messages(element: etree._Element) -> bool:
    return element.tag == "form" and next(element.iter("textarea"), None) is not None
