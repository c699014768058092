"""The domains of URLs, in one form."""

from __future__ import annotations

from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """Return the host of the URL in lower case, without its port; "" if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # such as "http://[::1"
        return ""


def domain_of(name: str) -> str:
    """Return the domain as in Scrapy's URLs: in lower case, an international name in ASCII."""
    plain = name.lower().strip(".")
    if plain.isascii():
        return plain
    try:
        return plain.encode("idna").decode("ascii")
    except UnicodeError:
        return plain
