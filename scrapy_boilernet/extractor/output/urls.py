"""Makes addresses of links and images absolute, and drops those that are not safe to open."""

from __future__ import annotations

import re
from functools import cached_property
from urllib.parse import urljoin, urlsplit

LINK_SCHEMES = frozenset(("http", "https", "mailto", "tel"))
IMAGE_SCHEMES = frozenset(("http", "https"))
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PLAIN = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?(?:[/?#][!#-;=?-Z_a-z~]*)?", re.IGNORECASE)
"""An address that can be used unchanged."""
_CHARS = r"A-Za-z0-9_.~%!$&()*+,=:@-"
_PLAIN_PATH = re.compile(
    rf"/(?![/.])(?:[{_CHARS}]|/(?!\.))*(?:\?[;/?{_CHARS}]+)?(?:#[;/?{_CHARS}]+)?"
)
"""An absolute path that can be appended unchanged to the site's scheme and host."""
_DROPPED = re.compile(r"[\t\n\r]+")
"""Characters that browsers remove anywhere in an address (WHATWG URL, "URL parsing")."""
_EDGES = "".join(map(chr, range(0x21)))
"""Control characters and the space, which browsers remove at both ends."""
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_UNSAFE = re.compile(r"[\s\"'<>\\^`{|}]")
_MAX_CHARS = 4_000


def safe_url(url: str, base: str, schemes: frozenset[str]) -> str:
    """Return the address, absolute if ``base`` is, percent-encoded; "" if it must not be used.

    An address must not be used if its scheme is not one of ``schemes``, if it has http without a
    host, control characters, or more than 4,000 characters, or if it cannot be parsed. Without a
    base a relative address stays relative.
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
    if not parts.scheme and "&" in _first_segment(url):
        url = f"./{url}"  # "javascript&colon;x" would be a script to whoever decodes it once more
    return _UNSAFE.sub(_percent_encoded, url)


class SafeUrls(dict[str, str]):
    """The results of :func:`safe_url` for the addresses of one page, each computed once."""

    def __init__(self, base: str, schemes: frozenset[str]) -> None:
        super().__init__()
        self._base, self._schemes = base, schemes

    @cached_property
    def _site(self) -> str:
        """The scheme and host, without a path; "" if there is none."""
        return safe_url("/", self._base, self._schemes).removesuffix("/")

    def __missing__(self, url: str) -> str:
        if len(url) <= _MAX_CHARS and _PLAIN_PATH.fullmatch(url) and self._site:
            safe = self[url] = self._site + url
        else:
            safe = self[url] = safe_url(url, self._base, self._schemes)
        return safe


def base_url(url: str | None, base: str) -> str:
    """Return the address that the page's addresses are relative to; "" if none is known.

    ``url``: the page's URL; ``base``: its ``<base href>``, or "".
    """
    page = url if url and _is_absolute(url) else ""
    stated = safe_url(base, page, IMAGE_SCHEMES)
    return stated if _is_absolute(stated) else page


def _is_absolute(url: str) -> bool:
    scheme = _SCHEME.match(url)
    return scheme is not None and scheme[1].lower() in IMAGE_SCHEMES


def _is_allowed(url: str, schemes: frozenset[str]) -> bool:
    """Return whether the address has one of the schemes, or nothing that looks like a scheme."""
    scheme = _SCHEME.match(url)
    if scheme:
        return scheme[1].lower() in schemes
    return ":" not in _first_segment(url)


def _first_segment(url: str) -> str:
    return re.split(r"[/?#\\]", url, maxsplit=1)[0]


def _percent_encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
