"""The domains of URLs, in one form."""

from __future__ import annotations

from collections.abc import Container
from urllib.parse import urlsplit

_MAX_HOST_CHARS = 253
"""The longest name that DNS has. The time below is quadratic in the labels of a name."""


def host_of(url: str) -> str:
    """Return the host of the URL in lower case, without its port; "" if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:  # such as "http://[::1"
        return ""


def longest_domain(url: str, known: Container[str]) -> str | None:
    """Return the longest of the known domains that the URL's host is in; None if it is in none."""
    host = host_of(url)
    labels = host.split(".") if len(host) <= _MAX_HOST_CHARS else []
    domains = (".".join(labels[begin:]) for begin in range(len(labels)))
    return next((domain for domain in domains if domain in known), None)


def domain_of(name: str) -> str:
    """Return the domain as in Scrapy's URLs: in lower case, an international name in ASCII."""
    plain = name.lower().strip(".")
    if plain.isascii():
        return plain
    try:
        return plain.encode("idna").decode("ascii")
    except UnicodeError:
        return plain
