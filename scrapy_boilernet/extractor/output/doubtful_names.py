"""Tells stated names of accounts, hosts and sites, which are hardly the authors, from others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.output.eastern_names import (
    is_eastern_person,
    names_eastern_organization,
)
from scrapy_boilernet.extractor.output.names import is_person, names_organization
from scrapy_boilernet.extractor.output.titles import squeezed

_ACCOUNT = re.compile(r"[a-z0-9]+[._][a-z0-9._]+")
_HOST = re.compile(r"(?:https?://)?(?:[\w-]+\.)+(?:com|net|org|info|[a-z]{2})/?", re.IGNORECASE)
_FEED = re.compile(r"\w\s(?:feed|newsroom|newsdesk|rss)\Z", re.IGNORECASE)
_USER = re.compile(r"[a-z][a-z0-9]{2,29}")
_MIN_SITE_CHARS = 5
"""Characters of the name of a site that another name holds."""
_MIN_LIKE_CHARS = 3
"""Characters of a name of a site that is like another."""
_TITLE_END = re.compile(r"[|_｜»]\s*|\s[-–—·:]\s+|(?<=[\u3040-\uffff])[-–—]\s*")
_MAX_SITE_CHARS = 40
_BEHIND_NAME = re.compile(r"\s?[,(\[（|/].*|\s[-–—]\s.*", re.DOTALL)
"""Degrees, employers and the like behind a name."""


def is_shown_person(name: str) -> bool:
    """Return whether a name has the form of a person's, in Latin letters or in Chinese signs."""
    return is_person(name) or is_eastern_person(name)


def is_doubtful(names: Sequence[str], source: str, sites: AbstractSet[str]) -> bool:
    """Return whether the names are an account, a host, the site or an organization of the site.

    ``sites``: the site's names, letters and digits in lower case.
    """
    if not names:
        return False
    is_account = source != "microdata" and all(map(_ACCOUNT.fullmatch, names))
    return (
        is_account
        or all(map(_FEED.search, names))
        or all(map(_HOST.fullmatch, names))
        or names_site(names, sites)
    )


def names_site(names: Sequence[str], sites: AbstractSet[str]) -> bool:
    """Return whether all names are one of the site's, or all are of organizations of the site."""
    return all(squeezed(name) in sites for name in names) or is_of_site(names, sites)


def is_of_site(names: Sequence[str], sites: AbstractSet[str]) -> bool:
    """Return whether all names have the name of the site and a word of an organization in their
    own, such as "Staff of the Harbour Post".

    No name is that begins with a person's, such as "Mara Holt (Harbour Post)".
    """
    known = [site for site in sites if len(site) >= _MIN_SITE_CHARS]
    return all(
        _names_organization(name)
        and not _begins_with_person(name, sites)
        and any(site in plain and site != plain for site in known)
        for name, plain in zip(names, map(squeezed, names), strict=True)
    )


def _begins_with_person(name: str, sites: AbstractSet[str]) -> bool:
    """Return whether the name has the form of a person's, perhaps with more behind it, such as a
    degree or an employer.
    """
    if is_person(name):
        return True
    first = _BEHIND_NAME.sub("", name)
    rest = name[len(first) :]
    if not is_person(first) or _names_organization(first):
        return False
    return squeezed(first) not in sites or not _names_organization(rest)


def _names_organization(text: str) -> bool:
    return names_organization(text) or names_eastern_organization(text)


def is_user(names: Sequence[str]) -> bool:
    """Return whether the names are one that may be a user's, such as ``"annlee"``."""
    return len(names) == 1 and _USER.fullmatch(names[0]) is not None


def is_name_of_user(name: str, user: str) -> bool:
    """Return whether a person may have made the name of the user of the own one.

    >>> [is_name_of_user("Ann Lee", user) for user in ("annlee", "alee", "leea", "annl", "bob")]
    [True, True, True, True, False]
    """
    words = [squeezed(word) for word in name.split()]
    if len(words) < 2 or not all(words):
        return False
    first, last, plain = words[0], words[-1], squeezed(user)
    made = (first + last, first[0] + last, last + first, last + first[0], first + last[0])
    return plain in (*made, "".join(words))


def site_in_title(title: str, sites: AbstractSet[str]) -> str:
    """Return the site's name at the end of a title, squeezed; "" if the title has no such part, or
    if that is like the name of a person, or has no word of an organization and is not like one of
    the site's known names. An author's name may stand there, too.

    >>> [site_in_title(f"Odyssey - {end}", {"marlowexample"}) for end in ("Homer", "Sea Post")]
    ['', 'seapost']
    """
    parts = _TITLE_END.split(title[-200:].strip())
    last = parts[-1].strip()
    if len(parts) == 1 or len(last) > _MAX_SITE_CHARS or is_person(last):
        return ""
    plain = squeezed(last)
    is_site = _names_organization(last) or any(_is_like(plain, site) for site in sites)
    return plain if is_site else ""


def _is_like(one: str, other: str) -> bool:
    """Return whether one of two squeezed names of sites holds the other."""
    short, long = sorted((one, other), key=len)
    return len(short) >= _MIN_LIKE_CHARS and short in long
