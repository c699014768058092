"""``Stated``, what a page states about itself, and ``Metadata``, the values chosen from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple, get_args

LearnedKind = Literal[
    "article", "forum", "product", "collection", "listing", "documentation", "service"
]
LEARNED_KINDS: tuple[LearnedKind, ...] = get_args(LearnedKind)
"""``collection``: products of a category. ``listing``: links to articles or entries. ``service``:
pages that present a company, a service or a tool. A model tells these kinds apart."""
PageKind = Literal[LearnedKind, "recipe", "job", "faq", "event", "how-to", "course", "video"]
PAGE_KINDS: tuple[PageKind, ...] = get_args(PageKind)
"""The others are kinds that a page states, or shows by the headings of its parts."""
Rendering = Literal["script", "consent", "wall"]
"""Why a page shows its text only in a browser: a script loads the text, the page holds only a
consent dialog, or readers must pay, sign in or prove that they are human."""

Syntax = Literal["json-ld", "microdata"]

YEAR_DIGITS = re.compile(r"[\d年](?:\d|(?<=年))")
"""Every date matches, by two digits or by 年, as years of Japanese eras have one digit."""
_ILL_FORMED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 excludes; UTF-8 cannot hold half surrogates either."""


def well_formed(text: str) -> str:
    r"""Return the text without characters that UTF-8, XML or JSON cannot hold.

    >>> well_formed("Ann\x00 Lee\ud800")
    'Ann Lee'
    """
    return text if text.isprintable() else _ILL_FORMED.sub("", text)


SHOWN_NEXT, SHOWN_PREVIOUS = "a next", "a prev"
"""Stand for the rel of links in the text that say that they lead to the next or previous page."""
NUMBERED_NEXT, NUMBERED_PREVIOUS = "a next number", "a previous number"
"""Stand for the rel of links with the numbers after and before the number of the page."""
NEAR_NEXT, NEAR_PREVIOUS = "a next anywhere", "a prev anywhere"
"""Stand for the rel of such links outside of a pagination, which may lead to another article."""
SHOWN_LICENSE = "a license"
"""Stands for the rel of a link to a license in the text."""
_NO_TRAINING = ("noai", "noimageai")
_ROBOTS_VALUES = frozenset({
    "max-snippet", "max-image-preview", "max-video-preview", "unavailable_after"
})  # fmt: skip
"""Words before a colon that are no names of robots."""
_MAX_OPT_OUTS, _MAX_POLICY_CHARS = 50, 500
_POLICY = re.compile(rf"tdm-policy=(?:https?:/)?/\S{{1,{_MAX_POLICY_CHARS}}}")


OPT_OUT_FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy")
"""The header fields whose values :func:`opt_outs` takes, in the order of its parameters."""


def opt_outs(
    robots: Iterable[str], reservations: Iterable[str], policies: Iterable[str]
) -> tuple[str, ...]:
    """Return the statements against the use in training, without blanks.

    ``robots``: the values of ``X-Robots-Tag`` or of ``<meta name=robots>``; what is said to one
    robot only does not count. ``reservations``, ``policies``: those of ``TDM-Reservation`` and
    ``TDM-Policy``, from headers or from ``<meta>``.

    >>> opt_outs(["noindex, NOAI", "somebot: noimageai"], ["1"], ["https://a.example/p.json"])
    ('noai', 'tdm-reservation', 'tdm-policy=https://a.example/p.json')
    """
    words = {word for value in islice(robots, _MAX_OPT_OUTS) for word in _for_all_robots(value)}
    found = [word for word in _NO_TRAINING if word in words]
    if any(value.strip() == "1" for value in islice(reservations, _MAX_OPT_OUTS)):
        found.append("tdm-reservation")
    found += [f"tdm-policy={value.strip()}" for value in islice(policies, 1)]
    return tuple(filter(is_opt_out, found))


def is_opt_out(word: str) -> bool:
    """Return whether this is a statement of :func:`opt_outs`."""
    return word in (*_NO_TRAINING, "tdm-reservation") or (
        _POLICY.fullmatch(word) is not None and word == well_formed(word)
    )


def _for_all_robots(value: str) -> Iterator[str]:
    for word in value[:_MAX_POLICY_CHARS].lower().split(","):
        name, colon, _ = word.partition(":")
        if colon and name.strip() not in _ROBOTS_VALUES:
            return  # from here on, the value is for the robot of this name
        yield word.strip()


class StatedObject(NamedTuple):
    """An object of JSON-LD, or an item of microdata or RDFa."""

    syntax: Syntax
    """RDFa in the body is read like microdata and counts as microdata."""
    types: tuple[str, ...]
    """Lower case, without the vocabulary, such as ``("newsarticle",)``."""
    place: str
    """The property that holds the object, in lower case; "" at the top or in ``@graph``."""
    values: tuple[tuple[str, str], ...]
    """(property in lower case, text), in order. A property of many values comes more than once. If
    the value is an object, the text is its name, or else its URL."""

    def all(self, *names: str) -> Iterator[str]:
        """Yield the values of the first of the properties that has one."""
        for name in names:
            found = [value for key, value in self.values if key == name]
            if found:
                yield from found
                return

    def first(self, *names: str) -> str:
        """Return the first value of the first of the properties that has one, or ""."""
        return next(self.all(*names), "")


class Mark(NamedTuple):
    """An element whose names say that it holds an author, a date or the like."""

    tag: str
    names: str
    """Its class, id, rel and property in lower case, joined by spaces."""
    value: str
    """Its ``datetime``, ``content`` or ``title``; "" if it has none of them."""
    text: str
    """Its text; "" if that has more than 200 characters."""
    block: int
    """Index of the block that it holds or is in, else of the block before it; 0 if there is none.
    """


class Picture(NamedTuple):
    """An ``<img>`` with an address."""

    source: str
    """As the page has it, perhaps relative."""
    width: int
    """In pixels as stated; 0: not stated."""
    height: int
    block: int
    """Index of the block that it is in, else of the block before it; 0 if there is none."""


@dataclass(frozen=True)
class Stated:
    """What a page states about itself, in the page's order; all is bounded in number and length."""

    language: str = ""
    """``lang`` of the root, or else the ``Content-Language`` metadata."""
    base: str = ""
    """``href`` of ``<base>``."""
    metas: tuple[tuple[str, str], ...] = ()
    """(name or property in lower case, content), without empty ones."""
    links: tuple[tuple[str, str], ...] = ()
    """(rel in lower case, href) of ``<link>``: canonical, shortlink, author, image_src, license,
    next, prev; then (:data:`SHOWN_LICENSE`, href) of ``<a rel=license>``; then the links of
    :func:`~scrapy_boilernet.extractor.html.page_links.shown_page_links`."""
    objects: tuple[StatedObject, ...] = ()
    marks: tuple[Mark, ...] = ()
    pictures: tuple[Picture, ...] = ()
    """Empty if ``og:image`` is an absolute address."""
    scripts: int = 0
    """How many ``<script>`` elements it has."""
    empty_app: bool = False
    """Whether an element that a script fills, with an id such as ``root``, is empty."""
    own_links: tuple[int, ...] = ()
    """The numbers of the links to the page itself that are in or around headings."""

    def meta(self, *names: str) -> str:
        """Return the first content of the first of the names that has one, or ""."""
        return next((self._contents[name][0] for name in names if name in self._contents), "")

    def all_metas(self, name: str) -> Iterator[str]:
        """Yield the contents of the name."""
        return iter(self._contents.get(name, ()))

    def present(self, names: Iterable[str]) -> list[str]:
        """Return the names that :attr:`metas` has, in the order given."""
        return [name for name in names if name in self._contents]

    @cached_property
    def _contents(self) -> Mapping[str, Sequence[str]]:
        """The contents of :attr:`metas` by name."""
        contents: dict[str, list[str]] = {}
        for name, content in self.metas:
            contents.setdefault(name, []).append(content)
        return contents


class Offer(NamedTuple):
    """What a product costs, as the page states it."""

    price: str
    """A decimal number, such as ``1299.00``; of a range the lowest."""
    currency: str = ""
    """ISO 4217, such as ``EUR``; "" if it is not stated."""
    availability: str = ""
    """A word of schema.org, such as ``InStock``; "" if it is not stated."""


_LISTS = ("authors", "training_opt_out", "keywords")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. A value that the page does not give is None or empty."""

    title: str | None = None
    """Without the site's name."""
    authors: tuple[str, ...] = ()
    """Names without "By" and roles; for a thread, the person who began it."""
    date_published: str | None = None
    """ISO 8601, with time and zone if the page gives them; ``2024-05`` if it gives a month."""
    date_published_raw: str | None = None
    """As the page has it."""
    date_modified: str | None = None
    date_modified_raw: str | None = None
    language: str | None = None
    """As the page states it, such as ``en`` or ``pt-BR``, or as detected in the main text if that
    is asked for."""
    site_name: str | None = None
    description: str | None = None
    image: str | None = None
    """An absolute URL, if the page's URL is known."""
    canonical_url: str | None = None
    license: str | None = None
    """The license of the page as it states it: an absolute URL, or a text."""
    training_opt_out: tuple[str, ...] = ()
    """Statements against the use in training: ``noai``, ``noimageai``, ``tdm-reservation`` and
    ``tdm-policy=<URL>``, from ``<meta>`` and from the headers of the response."""
    keywords: tuple[str, ...] = ()
    next_page: str | None = None
    """The URL of the next page of the article or thread; None on the last one."""
    previous_page: str | None = None
    offer: Offer | None = None
    """The price of the product that the page is about."""
    page_kind: PageKind | None = None
    word_count: int = 0
    """Words of the main text; CJK, Thai, Lao, Myanmar and Khmer by character."""
    fingerprint: str | None = None
    """Of the main text, 16 hexadecimal digits. Near-duplicates differ in few bits, see
    :func:`scrapy_boilernet.extractor.output.fingerprint.distance`."""
    needs_rendering: Rendering | None = None
    """Why the bytes lack the page's text; None if nothing shows that they do."""
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Where the values come from, by field: ``"json-ld"``, ``"microdata"``, ``"open-graph"``,
    ``"meta"``, ``"html"``, ``"link"``, ``"title"``, ``"script"``, ``"time"``, ``"text"``,
    ``"url"``, ``"header"`` or ``"meta, header"``."""

    @property
    def date(self) -> str | None:
        """``date_published``, or else ``date_modified``."""
        return self.date_published or self.date_modified

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain JSON: strings, numbers, lists, None."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        lists = {name: [*value] for name, value in values.items() if isinstance(value, tuple)}
        offer = self.offer and self.offer._asdict()
        return {**values, **lists, "offer": offer, "sources": dict(self.sources)}

    def flat(self) -> dict[str, str | int]:
        """Return the known values as strings and numbers only, as vector stores take them.

        Values of a list are joined by ``", "``, and an offer becomes ``offer_price``,
        ``offer_currency`` and ``offer_availability``. What is not known, and where values come
        from, is left out.
        """
        values = self.as_dict()
        del values["sources"]
        offer = values.pop("offer") or {}
        values |= {f"offer_{name}": value for name, value in offer.items()}
        joined = {n: ", ".join(v) if isinstance(v, list) else v for n, v in values.items()}
        return {name: value for name, value in joined.items() if value not in (None, "")}

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Metadata:
        """Return the metadata of a dict from :meth:`as_dict`; raises ``ValueError`` for others."""
        own = {one.name: one.default for one in fields(cls)}
        sources, offer = values.get("sources"), values.get("offer")
        texts = [
            *(v for n, v in values.items() if own.get(n, ...) is None and v not in (None, offer)),
            *((*offer, *offer.values()) if isinstance(offer, dict) else ()),
            *(text for n in _LISTS for text in values.get(n) or ()),
            *((*sources, *sources.values()) if isinstance(sources, dict) else (None,)),
        ]
        if (
            values.keys() != own.keys()
            or (offer is not None and {*offer} != {*Offer._fields})
            or not all(isinstance(text, str) for text in texts)
            or any(not isinstance(values[name], list) for name in _LISTS)
            or type(values["word_count"]) is not int
            or values["page_kind"] not in (None, *PAGE_KINDS)
            or values["needs_rendering"] not in (None, *get_args(Rendering))
        ):
            raise ValueError("these values are not metadata")
        lists = {name: tuple(values[name]) for name in _LISTS}
        made = offer and Offer(**offer)
        return cls(**{**values, **lists, "offer": made, "sources": dict(values["sources"])})
