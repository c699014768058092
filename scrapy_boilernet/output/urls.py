"""Addresses of links and images: absolute, and only such as do no harm when they are opened."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

LINK_SCHEMES = frozenset(("http", "https", "mailto", "tel"))
IMAGE_SCHEMES = frozenset(("http", "https"))
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PLAIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?:[/?#][!#-;=?-Z_a-z~]*)?", re.IGNORECASE)
"""An address to which nothing needs to be done."""
_CHARS = r"A-Za-z0-9_.~%!$&()*+,=:@-"
_PLAIN_PATH = re.compile(
    rf"/(?![/.])(?:[{_CHARS}]|/(?!\.))*(?:\?[;/?{_CHARS}]+)?(?:#[;/?{_CHARS}]+)?"
)
"""An address below the site's first page to which nothing needs to be done."""
_DROPPED = re.compile(r"[\t\n\r]+")
"""What browsers leave out of an address, wherever it stands (WHATWG URL, "URL parsing")."""
_EDGES = "".join(map(chr, range(0x21)))
"""Control characters and the space, which browsers leave out at both ends."""
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSAFE = re.compile(r"[\s\"'<>\\^`{|}]")
_MAX_CHARS = 4_000


def safe_url(url: str, base: str, schemes: frozenset[str]) -> str:
    """Return the address, absolute if ``base`` is, percent-encoded; "" if it must not be used.

    It must not if it has a scheme that is not one of ``schemes``, http without a host, control
    characters, or more than 4,000 characters, or if it cannot be parsed. Without a base a
    relative address stays relative.
    """
    if len(url) <= _MAX_CHARS and _PLAIN.fullmatch(url):
        return url
    url = _DROPPED.sub("", url.strip(_EDGES))
    if not url or len(url) > _MAX_CHARS or _FORBIDDEN.search(url):
        return ""
    if not _is_allowed(url, schemes):
        return ""
    try:
        url = urljoin(base, url) if base else url
        parts = urlsplit(url)
    except ValueError:  # such as "http://[::1"
        return ""
    if not _is_allowed(url, schemes) or (parts.scheme in IMAGE_SCHEMES and not parts.netloc):
        return ""
    return _UNSAFE.sub(_percent_encoded, url)


class SafeUrls(dict[str, str]):
    """What :func:`safe_url` returns of the addresses of one page, each looked at once."""

    def __init__(self, base: str, schemes: frozenset[str]) -> None:
        super().__init__()
        self._base, self._schemes = base, schemes

    @cached_property
    def _site(self) -> str:
        """The scheme and host, before a path; "" if there is none."""
        return safe_url("/", self._base, self._schemes).removesuffix("/")

    def __missing__(self, url: str) -> str:
        if len(url) <= _MAX_CHARS and _PLAIN_PATH.fullmatch(url) and self._site:
            safe = self[url] = self._site + url
        else:
            safe = self[url] = safe_url(url, self._base, self._schemes)
        return safe


def base_url(url: str | None, base: str) -> str:
    """Return the address against which those of the page are resolved; "" if none is known.

    ``url``: the page's; ``base``: its ``<base href>``, or "".
    """
    page = url if url and _is_absolute(url) else ""
    own = safe_url(base, page, IMAGE_SCHEMES)
    return own if _is_absolute(own) else page


def _is_absolute(url: str) -> bool:
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[1].lower() in IMAGE_SCHEMES


def _is_allowed(url: str, schemes: frozenset[str]) -> bool:
    """Whether the address has one of the schemes, or none and nothing that looks like one."""
    scheme = _SCHEME.match(url)
    if scheme:
        return scheme[1].lower() in schemes
    return ":" not in re.split(r"[/?#\\]", url, maxsplit=1)[0]


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
