"""Reads what the markup of a page says of its posts: names, types, authors, dates and ids.

Only pages whose posts are asked for are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import (
    NOT_TEXT,
    CompiledElements,
    Elements,
    inner_text,
)
from scrapy_boilernet.extractor.html.head import Seen
from scrapy_boilernet.extractor.html.json_ld import read_json_ld, stated_text
from scrapy_boilernet.extractor.html.places import BlockPlaces
from scrapy_boilernet.extractor.metadata import YEAR_DIGITS, StatedObject, well_formed
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import Thread, ThreadMark


def _ordered(*names: str) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(names)}


_STEMS = (
    "post", "comment", "comtr", "message", "msg", "reply", "answer", "question", "response",
    "thing", "topic", "discussion", "status", "entry", "cite", "email", "review", "beitrag",
    "author", "user", "name", "poster", "nick", "creator", "fn", "byline", "autor", "auteur",
    "person", "member", "authi", "auth", "date", "time", " age", "-age", "when", "publi", "created",
    "written", "datum", "fecha", "submitted", "keyinfo", "smalltext", "fatitem", "parent",
    "in-reply",
)  # fmt: skip
"""Parts of the class, id, rel or role of elements of posts."""
_ROLES = ("listitem", "link")
"""Parts of a role that tell an element of a post, too."""
_NAMED = ("class", "itemprop", "rel", "role", "component", "data-role", "data-testid", "slot")
"""The attributes that name an element."""
_IDS = _ordered(
    "data-post-id", "data-postid", "data-pid", "data-comment-id", "data-commentid", "data-node-id",
    "data-questionid", "data-answerid", "data-message-id", "data-fullname", "thingid", "data-id",
)  # fmt: skip
TURN = "data-message-author-role"
"""The attribute that names who speaks in a shared conversation."""
_AUTHORS = _ordered(
    "data-author", "data-username", "data-user-name", "data-author-name", "data-comment-author",
    "data-user-card", "data-nick", "author", TURN,
)  # fmt: skip
_DATES = _ordered(
    "datetime", "data-datetime", "created-timestamp", "data-timestamp", "data-time", "ts",
    "data-utime", "data-date", "data-created", "content", "title", "data-original-title",
    "data-bs-original-title", "data-tippy-content", "data-content",
)  # fmt: skip
_PARENTS = _ordered(
    "data-parent-id", "data-parentid", "data-parent-comment-id", "data-parent", "parentid",
    "data-in-reply-to-id", "data-reply-to", "data-ipsquote-contentcommentid", "data-source",
    "indent", "data-post",
)  # fmt: skip
"""Attributes of ids, names, dates and parents by their order, the surest first."""
_SHOWN_DATES = ("title", "content")
"""Attributes that are rarely of a post unless they may hold a date."""
_TELLING = {*_NAMED, "itemtype", *_IDS, *_AUTHORS, *_DATES, *_PARENTS}.difference(
    ("class", "rel", "role"), _SHOWN_DATES
)
"""Attributes that are read wherever they are."""
TIME_TAGS = ("time", "relative-time", "time-ago", "local-time", "faceplate-timeago")
_TEXTS = ("b", "strong", "i", "cite")
"""Elements that messages in old archives have around names and dates."""
_READ_TAGS = frozenset((*TIME_TAGS, *_TEXTS))
_PROFILES = (
    "member.php", "memberlist", "/member", "profile", "/user", "user=", "/u/", "uid", "/author",
    "u=", "mailto:", "/~", "/people/", "/usuario", "/nutzer", "/membre", "/benutzer", "/person",
)  # fmt: skip
"""Parts of the addresses of pages of users."""
_ALL_USERS = re.compile(
    r"(?:\A|/)(?:members?|memberlist(?:\.php)?|users?|people|profiles?|authors?)/?\Z", re.IGNORECASE
)
"""The address of a list of all users, or of the reader's own page."""
_ANSWERING = re.compile(
    r"\b(?:in reply to|replying to|replied to|reply to|parent|in response to|antwort auf|"
    r"en réponse à|en respuesta a|in risposta a|em resposta a|w odpowiedzi|в ответ|ответ на)\b|"
    r"回复|回覆|返信|답글",
    re.IGNORECASE,
)
"""The text of a link to the post that is answered."""
_DIGITS = re.compile(r"\d+")
_PARENT_ADDRESS = re.compile(r"(?:#|\bid=)[^\d#]{0,30}?(\d{1,15})\Z")
_READ_TEXT = re.compile(
    r"author|user|name|poster|nick|creator|\bfn\b|byline|autor|auteur|person|member|authi|\bauth\b|"
    r"date|time|\bage\b|when|publi|created|written|datum|fecha|submitted|keyinfo|smalltext|posted|email|"
    r"profile|info|head|meta|desc"
)
_TYPES = frozenset(
    {"comment", "answer", "question", "discussionforumposting", "socialmediaposting"}
)
_QUOTE_LEVELS = 4
"""Elements around a link in which a quote is searched."""
_NO_MARKS = frozenset("meta link html head body input script iframe".split())
_MAX_NAMES_CHARS, _MAX_VALUE_CHARS, _MAX_TEXT_CHARS = 300, 200, 200
_MAX_SOURCE_CHARS, _MAX_TEXT_ELEMENTS = 1_000, 30


def read_thread(
    elements: Elements | CompiledElements, seen: Seen, blocks: Sequence[Block]
) -> Thread:
    """Return what the page's markup says of its posts; no tree raises.

    ``blocks``: all blocks of the page. The time is linear in the page's size.
    """
    noted = [element for element in seen.noted if isinstance(element.tag, str)]
    scripts = (
        e.text or ""
        for e in noted
        if e.tag == "script" and "ld+json" in (e.get("type") or "") and '"text"' in (e.text or "")
    )
    language = next((e.get("lang") for e in noted if e.tag == "html" and e.get("lang")), "") or ""
    marks = tuple(_marks(elements, BlockPlaces(blocks, elements))) if len(blocks) else ()
    return Thread(well_formed(language[:60]), marks, tuple(_postings(scripts)))


def _postings(scripts: Iterable[str]) -> Iterator[StatedObject]:
    """Yield the postings of JSON-LD, each with its text."""
    for one in read_json_ld(scripts, ("text", "articlebody")):
        if not _TYPES.isdisjoint(one.types) and one.first("text", "articlebody"):
            yield one


def _marks(elements: Elements | CompiledElements, places: BlockPlaces) -> Iterator[ThreadMark]:
    """Yield the marks in document order."""
    links = elements.values("href")
    named = elements.naming("href", _PROFILES, _MAX_NAMES_CHARS)
    profiles = {place for place in named if not _ALL_USERS.search(links[place][-60:])}
    with_ids = ((place, link) for place, link in links.items() if "#" in link or "id=" in link)
    answered = {place for place, link in with_ids if _PARENT_ADDRESS.search(link[-60:])}
    wanted = {*profiles, *answered, *elements.of_tags(_READ_TAGS)}
    for name in ("class", "id", "rel"):
        wanted.update(elements.naming(name, _STEMS, _MAX_NAMES_CHARS))
    wanted.update(elements.naming("role", (*_STEMS, *_ROLES), _MAX_NAMES_CHARS))
    wanted.update(elements.having(_TELLING))
    for name in _SHOWN_DATES:
        values = elements.values(name).items()
        wanted.update(place for place, value in values if YEAR_DIGITS.search(value))
    for place in sorted(wanted):
        element = elements[place]
        is_data = element.tag == "meta" and element.get("itemprop")
        if not is_data and element.tag in _NO_MARKS:
            continue
        yield _mark(element, place, places, place in profiles, place in answered)


def _mark(
    element: etree._Element, place: int, places: BlockPlaces, is_profile: bool, is_answered: bool
) -> ThreadMark:
    own = {str(name): str(value) for name, value in element.items()}
    found = " ".join([own[name] for name in _NAMED if name in own])
    names = " ".join(found[:_MAX_NAMES_CHARS].lower().split())
    own_id = own.get("id", "")
    if _READ_TEXT.search(own_id):
        names = f"{names} {_DIGITS.sub('', own_id[:_MAX_NAMES_CHARS]).lower()}".strip()
    if is_profile:
        names = f"{names} @profile".strip()
    if own.get(TURN):
        names = f"{names} @turn".strip()
    kind = own.get("itemtype", "").rstrip("/").rpartition("/")[2].lower()
    reads = is_profile or is_answered or element.tag in _READ_TAGS or _tells_text(names)
    text = _short_text(element) if reads else ""
    parent = _first(own, _PARENTS)
    if is_answered and not parent:
        parent = _answered(element, names, text)
    return ThreadMark(
        place + 1, element.tag, names, kind[:60],
        _plain(own_id if _DIGITS.search(own_id) else _first(own, _IDS) or own_id),
        _plain(_first(own, _AUTHORS)), _plain(_first(own, _DATES)), _plain(parent), text,
        places.block_of(place + 1),
    )  # fmt: skip


@lru_cache(maxsize=1 << 12)
def _tells_text(names: str) -> bool:
    """Return whether elements with these names likely have a name or a date as their text."""
    return bool(_READ_TEXT.search(names))


def _answered(element: etree._Element, names: str, text: str) -> str:
    """Return the id of the post to which a link to an answered post leads, else ""."""
    address = element.get("href") or ""
    named = _ANSWERING.search(text) or "parent" in names or "in-reply-to" in names
    if not named and not _is_quoting(element):
        return ""
    match = _PARENT_ADDRESS.search(address[-60:])
    return match[1] if match else ""


def _is_quoting(element: etree._Element) -> bool:
    """Return whether the element is in a quote."""
    above = islice(element.iterancestors(), _QUOTE_LEVELS)
    return any(one.tag == "blockquote" or "uote" in (one.get("class") or "") for one in above)


def _first(attributes: Mapping[str, str], names: Mapping[str, int]) -> str:
    """Return the value of the first of these names that has one; "" if none has."""
    if names.keys().isdisjoint(attributes):
        return ""
    found = ((names[name], value) for name, value in attributes.items() if value and name in names)
    return min(found, default=(0, ""))[1]


def _plain(value: str) -> str:
    return " ".join(well_formed(value[:_MAX_VALUE_CHARS]).split()) if value else ""


def _short_text(element: etree._Element) -> str:
    """Return the element's text, or "" if the text is long or the element holds many others."""
    text, chars = inner_text(element, NOT_TEXT, _MAX_TEXT_ELEMENTS, _MAX_SOURCE_CHARS)
    plain = stated_text(text) if chars <= _MAX_SOURCE_CHARS else ""
    return plain if len(plain) <= _MAX_TEXT_CHARS else ""
