"""Rules of a site: selectors of what is its content, and what is not.

A file ``sites.toml`` has a table per site::

    ["shop.example"]
    keep = ["#product", "section.specs"]
    drop = [".also-bought"]
    title = "h1.name"

All of it is read and checked once, at the start. A page gets the rule of its URL.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from parsel.csstranslator import HTMLTranslator

Inside = Literal["all", "model"]
"""What of the elements that a rule keeps is content: all, or only what the model keeps, too."""
INSIDE: tuple[Inside, ...] = get_args(Inside)
_LISTS, _VALUES = ("keep", "drop"), ("title", "author", "date")
_KEYS = (*_LISTS, "inside", *_VALUES)
MAX_SELECTOR_CHARS = 1_000
MAX_SELECTORS = 100
"""Selectors of one site, of one kind."""
_MAX_NESTED = 1
"""How deep ``:has()``, or a step to descendants in a predicate, may be nested: each level
multiplies the time by the number of elements."""
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.?")
_NESTING = re.compile(r"\[|\]|//|(?:descendant|following|preceding|ancestor)[\w-]*::")
_HEADER = re.compile(r"""\s*\[\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*\]""")


class SiteRuleError(ValueError):
    """A rule is wrong; the message names the site, the value and the remedy."""


@dataclass(frozen=True)
class SiteRule:
    """The selectors of a site: CSS, or XPath if they begin with ``/`` or ``.``."""

    site: str
    """The domain or the pattern that it is for, as it was written."""
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    inside: Inside = "all"
    title: str = ""
    author: str = ""
    date: str = ""

    @property
    def values(self) -> dict[str, str]:
        """The selectors of title, author and date, as far as there are any."""
        return {name: own for name in _VALUES if (own := getattr(self, name))}


class SiteRules:
    """The rules of many sites. Safe to use from any thread."""

    def __init__(self, rules: Sequence[SiteRule] = ()) -> None:
        """Take checked rules; raises :class:`SiteRuleError` if two are for one domain."""
        self._of_domain: dict[str, SiteRule] = {}
        self._of_pattern: list[tuple[re.Pattern[str], SiteRule]] = []
        for rule in rules:
            if not _DOMAIN.fullmatch(rule.site):
                self._of_pattern.append((re.compile(rule.site), rule))
                continue
            domain = _plain(rule.site)
            if domain in self._of_domain:
                other = self._of_domain[domain].site
                raise SiteRuleError(
                    f"{rule.site!r} and {other!r} are the same domain; write one rule for it, "
                    "which covers its subdomains, too"
                )
            self._of_domain[domain] = rule

    def __bool__(self) -> bool:
        return bool(self._of_domain or self._of_pattern)

    def __len__(self) -> int:
        return len(self._of_domain) + len(self._of_pattern)

    @cached_property
    def digest(self) -> str:
        """The first 12 digits of the SHA-256 of the rules; "" without any."""
        rules = [*map(repr, (*self._of_domain.values(), *dict(self._of_pattern).values()))]
        return sha256("\n".join(sorted(rules)).encode()).hexdigest()[:12] if rules else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SiteRules) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def rule_for(self, url: str | None) -> SiteRule | None:
        """Return the rule of the first pattern that matches the URL, else that of the longest of
        its domains; None if there is none.
        """
        if not url:
            return None
        matching = (rule for pattern, rule in self._of_pattern if pattern.search(url))
        labels = _host(url).split(".") if self._of_domain else []
        domains = (".".join(labels[begin:]) for begin in range(len(labels)))
        of_domains = (self._of_domain[domain] for domain in domains if domain in self._of_domain)
        return next(matching, None) or next(of_domains, None)


def read_site_rules(source: str | Path | Mapping[str, Any]) -> SiteRules:
    """Return the rules of a TOML file, or of a mapping with the same keys.

    Raises :class:`SiteRuleError` with the file, the line and the remedy for a wrong one, and
    ``OSError`` if the file cannot be read.
    """
    if isinstance(source, Mapping):
        return SiteRules([_rule(str(site), table) for site, table in source.items()])
    path = Path(source)
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SiteRuleError(f"{path}: this is no TOML: {error}") from None
    rules = []
    lines = dict(_headers(text))
    for site, table in tables.items():
        try:
            rules.append(_rule(site, table))
        except SiteRuleError as error:
            raise SiteRuleError(f"{path}, line {lines.get(site, 1)}: {error}") from None
    try:
        return SiteRules(rules)
    except SiteRuleError as error:
        raise SiteRuleError(f"{path}: {error}") from None


def saved_rule(saved: Mapping[str, Any]) -> SiteRule:
    """Return the rule of the fields of a :class:`SiteRule`, as JSON has them.

    Raises ``KeyError`` or :class:`SiteRuleError` for any others.
    """
    table = {name: value for name, value in saved.items() if value and name != "site"}
    return _rule(str(saved["site"]), table)


def _headers(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), 1):
        if match := _HEADER.match(line):
            yield match[match.lastindex or 0], number


def _rule(site: str, table: object) -> SiteRule:
    """Return the checked rule of a table."""
    _check_site(site)
    if not isinstance(table, Mapping):
        raise SiteRuleError(f"{site!r} must be a table with some of {', '.join(_KEYS)}")
    unknown = [str(key) for key in table if key not in _KEYS]
    if unknown:
        raise SiteRuleError(f"{site!r}: unknown key {unknown[0]!r}; known: {', '.join(_KEYS)}")
    if not table:
        raise SiteRuleError(f"{site!r} has no rule; write some of {', '.join(_KEYS)}")
    inside = table.get("inside", "all")
    if inside not in INSIDE:
        raise SiteRuleError(f"{site!r}: inside is {inside!r}; it must be 'all' or 'model'")
    keep, drop = (_selectors(site, name, table.get(name, ())) for name in _LISTS)
    values = {}
    for name in _VALUES:
        values[name] = own = table.get(name, "")
        if not isinstance(own, str):
            raise SiteRuleError(f"{site!r}: {name} is {own!r}; it must be one selector, as a text")
        if own:
            check_selector(site, name, own)
    return SiteRule(site, keep, drop, inside, **values)


def _check_site(site: str) -> None:
    if "*" in site and _DOMAIN.fullmatch(site.replace("*.", "")):
        raise SiteRuleError(
            f"{site!r}: a domain covers its subdomains; write {site.replace('*.', '')!r}"
        )
    if not _DOMAIN.fullmatch(site):
        try:
            re.compile(site)
        except re.error as error:
            raise SiteRuleError(
                f"{site!r} is neither a domain nor a regular expression of URLs: {error}"
            ) from None


def _selectors(site: str, name: str, value: object) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, str) for one in listed):
        raise SiteRuleError(f"{site!r}: {name} is {value!r}; it must be a list of selectors")
    if len(listed) > MAX_SELECTORS:
        raise SiteRuleError(f"{site!r}: {name} has more than {MAX_SELECTORS} selectors; join some")
    for selector in listed:
        check_selector(site, name, selector)
    return tuple(listed)


def check_selector(site: str, name: str, selector: str) -> None:
    """Raise :class:`SiteRuleError` if the selector is wrong, or could take very long."""
    if not selector.strip():
        raise SiteRuleError(f"{site!r}: {name} has an empty selector; leave it out")
    if len(selector) > MAX_SELECTOR_CHARS:
        raise SiteRuleError(
            f"{site!r}: a selector of {name} has {len(selector):,} characters, more than "
            f"{MAX_SELECTOR_CHARS:,}; split it"
        )
    if name in _LISTS and "::" in selector and not selector.startswith(("/", ".//", "./")):
        raise SiteRuleError(f"{site!r}: {name} has {selector!r}, which selects no elements; "
                            "leave out what stands from '::' on")  # fmt: skip
    try:
        xpath = xpath_of(selector)
        if is_xpath(selector):  # those of CSS are right
            _compiled(xpath)
    except ValueError as error:
        raise SiteRuleError(f"{site!r}: {name} has the selector {selector!r}: {error}") from None
    if _nested(xpath) > _MAX_NESTED:
        raise SiteRuleError(
            f"{site!r}: {name} has the selector {selector!r}, which looks through the page in a "
            "look through the page; that may take very long, so write it without nesting"
        )


def is_xpath(selector: str) -> bool:
    """Return whether a selector is XPath, not CSS: ``.a`` is CSS, ``./a`` and ``.//a`` are not."""
    return selector.startswith(("/", "./", "("))


@lru_cache(maxsize=1 << 15)  # sites share selectors
def xpath_of(selector: str) -> str:
    """Return the XPath of a selector; raises ``ValueError`` for a wrong one."""
    if is_xpath(selector):
        return selector
    from cssselect import SelectorError

    try:
        return _translator().css_to_xpath(selector)
    except SelectorError as error:
        raise ValueError(f"{error}; XPath begins with '/' or './'") from None


@lru_cache(maxsize=1)
def _translator() -> HTMLTranslator:
    from parsel.csstranslator import HTMLTranslator

    return HTMLTranslator()


@lru_cache(maxsize=1 << 15)
def _compiled(xpath: str) -> Any:
    from lxml import etree

    try:
        return etree.XPath(xpath, smart_strings=False)
    except etree.XPathSyntaxError as error:
        raise ValueError(str(error)) from None


def selected(selector: str, root: Any) -> list[Any]:
    """Return the elements and texts that a checked selector finds in a tree; [] if it fails."""
    from lxml import etree

    try:
        found = _compiled(xpath_of(selector))(root)
    except etree.XPathError:  # such as a call with a wrong number of arguments
        return []
    if isinstance(found, (bool, float)):
        return []
    return [found] if isinstance(found, str) else list(found)


def _nested(xpath: str) -> int:
    """Return how deep steps to many elements are nested in predicates."""
    depth = deepest = 0
    inside: list[bool] = []
    for match in _NESTING.finditer(xpath):
        if match[0] == "[":
            inside.append(False)
        elif match[0] == "]":
            if inside and inside.pop():
                depth -= 1
        elif inside and not inside[-1]:
            inside[-1] = True
            depth += 1
            deepest = max(deepest, depth)
    return deepest


def _plain(domain: str) -> str:
    return domain.lower().rstrip(".").removeprefix("www.")


def _host(url: str | None) -> str:
    try:
        return (urlsplit(url or "").hostname or "").rstrip(".")
    except ValueError:  # such as "http://[::1"
        return ""
