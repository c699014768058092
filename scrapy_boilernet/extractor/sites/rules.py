"""The rules of sites: what is content on the pages of a domain, as users write it.

::

    ["shop.example"]
    keep = ["#product", "section.specs"]
    drop = ".also-bought"
    title = "h1.name"
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

from scrapy_boilernet.extractor.sites.domains import domain_of, longest_domain
from scrapy_boilernet.extractor.sites.selectors import check
from scrapy_boilernet.extractor.sites.xpaths import MAX_COSTLY, SelectorError

Inside = Literal["all", "model"]
"""``"all"``: all blocks inside of ``keep`` are content; ``"model"``: those that the model keeps."""
INSIDE: tuple[Inside, ...] = get_args(Inside)
BLOCK_KEYS, VALUE_KEYS = ("keep", "drop"), ("title", "author", "date")
KEYS = (*BLOCK_KEYS, "inside", *VALUE_KEYS)
MAX_SELECTORS = 100
"""Selectors of a rule."""
MAX_PATTERNS = 1_000
"""Rules whose key is a URL pattern: each is tried on the URL of each page."""
MAX_PATTERN_CHARS = 1_000
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.?")
_HEADER = re.compile(r"\s*\[\s*(?P<key>[^\[].*?)\s*\]\s*(?:#.*)?$")


class SitesError(ValueError):
    """The rules of sites cannot be used; the message has the file, the line and the remedy."""


@dataclass(frozen=True)
class SiteRule:
    """The rule of a domain with its subdomains, or of the URLs that a pattern matches."""

    key: str
    """The domain, without ``www.``, or the pattern, as it was written."""
    is_pattern: bool = False
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    inside: Inside = "all"
    title: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    date: tuple[str, ...] = ()


@dataclass(frozen=True)
class SiteRules:
    """The rules of all sites; plain values, which can be sent to another process."""

    rules: tuple[SiteRule, ...] = ()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of all rules, hexadecimal."""
        return hashlib.sha256(json.dumps(self.as_rows()).encode()).hexdigest()

    @cached_property
    def _by_domain(self) -> dict[str, SiteRule]:
        return {rule.key: rule for rule in self.rules if not rule.is_pattern}

    @cached_property
    def _by_pattern(self) -> tuple[tuple[re.Pattern[str], SiteRule], ...]:
        return tuple((re.compile(rule.key), rule) for rule in self.rules if rule.is_pattern)

    def rule_for(self, url: str | None) -> SiteRule | None:
        """Return the rule of a page: that of the first pattern that matches anywhere in its URL,
        else that of its longest domain; None if there is none.
        """
        for pattern, rule in self._by_pattern:
            if url and pattern.search(url):
                return rule
        known = self._by_domain
        domain = longest_domain(url, known) if url and known else None
        return None if domain is None else known[domain]

    def as_rows(self) -> list[dict[str, Any]]:
        """Return the rules as plain JSON."""
        return [asdict(rule) for rule in self.rules]

    @classmethod
    def of_rows(cls, rows: list[dict[str, Any]]) -> SiteRules:
        """Return the rules from :meth:`as_rows`, which are not checked again."""
        return cls(tuple(SiteRule(**{**row, **_tuples(row)}) for row in rows))

    @classmethod
    def of(cls, value: SiteRules | Mapping[str, Any] | str | Path | None) -> SiteRules | None:
        """Return rules from a dict of domain to rule, or from the path of a TOML file.

        None for None. Raises :class:`SitesError` for wrong ones, and for a file that cannot be
        read.
        """
        if value is None or isinstance(value, SiteRules):
            return value
        if isinstance(value, Mapping):
            return _Reader("sites", "").rules(value)
        if not isinstance(value, (str, Path)):
            raise SitesError(f"sites = {value!r}: must be the path of a TOML file, or a dict")
        return _read(Path(value))


def _tuples(row: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(row[name]) for name in (*BLOCK_KEYS, *VALUE_KEYS)}


def _read(path: Path) -> SiteRules:
    try:
        text = path.read_text(encoding="utf-8-sig")
        table = tomllib.loads(text)
    except OSError as error:
        raise SitesError(
            f"{path}: cannot be read: {error.strerror or error}; name a TOML file with rules"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SitesError(
            f'{path}: no TOML: {error}; each rule begins with a line such as ["shop.example"], '
            "and has each key once"
        ) from error
    return _Reader(str(path), text).rules(table)


class _Reader:
    """Checks rules; its errors name the file and the line."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._lines = text.splitlines()

    def rules(self, table: Mapping[Any, Any]) -> SiteRules:
        """Return the rules of a table of domain to rule."""
        rules: dict[str, SiteRule] = {}
        written: dict[str, str] = {}
        patterns = 0
        for key, values in table.items():
            rule = self._rule(key, values)
            if rule.key in written:
                raise self._error(
                    key,
                    f"there is a rule of this domain, {written[rule.key]!r}; make them one rule",
                )
            rules[rule.key], written[rule.key] = rule, key
            patterns += rule.is_pattern
            if patterns > MAX_PATTERNS:
                raise self._error(key, f"more than {MAX_PATTERNS:,} URL patterns; use domains")
        return SiteRules(tuple(rules.values()))

    def _rule(self, key: Any, values: Any) -> SiteRule:
        if not isinstance(key, str) or not key.strip():
            raise self._error(str(key), "must be a domain, such as shop.example")
        if not isinstance(values, Mapping):
            raise self._error(key, f'{values!r} is no rule; write ["{key}"] in a line above it')
        if any(map(str.isspace, key)):
            raise self._error(key, "neither a domain nor a URL has white space; write \\s for it")
        for name, value in values.items():
            if name not in KEYS:
                problem = f"unknown key {name!r}; {_remedy(key, name, value)}"
                raise self._error(key, problem, str(name))
        selectors: dict[str, Any] = {
            name: tuple(self._selectors(key, name, values[name]))
            for name in (*BLOCK_KEYS, *VALUE_KEYS)
            if name in values
        }
        if sum(map(len, selectors.values())) > MAX_SELECTORS:
            raise self._error(key, f"more than {MAX_SELECTORS} selectors; write fewer")
        self._check_costs(key, selectors)
        inside = values.get("inside", "all")
        if inside not in INSIDE:
            raise self._error(key, f'inside = {inside!r}: must be "all" or "model"', "inside")
        if "inside" in values and not selectors.get("keep"):
            raise self._error(key, "inside has no effect without keep; leave it out", "inside")
        if not any(selectors.values()):
            raise self._error(key, "the rule is empty; give it keep or drop, or leave it out")
        return SiteRule(*self._key(key), inside=inside, **selectors)

    def _key(self, key: str) -> tuple[str, bool]:
        """Return the domain or the pattern, and whether it is a pattern."""
        if _DOMAIN.fullmatch(key):
            return domain_of(key).removeprefix("www."), False
        if len(key) > MAX_PATTERN_CHARS:
            raise self._error(key, f"longer than {MAX_PATTERN_CHARS:,} characters; shorten it")
        try:
            re.compile(key)
        except (re.error, OverflowError, RecursionError) as error:
            bare = key.removeprefix("*.")
            remedy = "correct it"
            if bare != key and _DOMAIN.fullmatch(bare):
                remedy = f'write ["{bare}"], which includes its subdomains'
            raise self._error(
                key, f"neither a domain nor a regular expression for URLs: {error}; {remedy}"
            ) from None
        return key, True

    def _selectors(self, key: str, name: str, value: Any) -> Iterator[str]:
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, (list, tuple)) or not all(isinstance(v, str) for v in listed):
            raise self._error(key, f"{name} = {value!r}: must be a selector, or a list", name)
        for source in listed:
            try:
                check(source, name in BLOCK_KEYS)
            except SelectorError as error:
                shown = source if len(source) < 80 else f"{source[:79]}…"
                raise self._error(key, f"{name} {shown!r}: {error}", name, source) from None
            yield source

    def _check_costs(self, key: str, selectors: Mapping[str, tuple[str, ...]]) -> None:
        costly = sum(
            check(source, name in BLOCK_KEYS)
            for name, sources in selectors.items()
            for source in sources
        )
        if costly > MAX_COSTLY:
            raise self._error(
                key,
                f"its selectors look at other elements in {costly} places, as :first-child and "
                f"[.//a] do, and at most {MAX_COSTLY} are evaluated; write simpler ones",
            )

    def _error(self, key: str, problem: str, name: str = "", part: str = "") -> SitesError:
        """Return the error; ``name``: the key of the problem, ``part``: a text in its line."""
        shown = key if len(key) < 80 else f"{key[:79]}…"
        line = self._line_of(key, name, part)
        where = f"{self._name}, line {line}" if line else self._name
        return SitesError(f"{where}: {shown!r}: {problem}")

    def _line_of(self, key: str, name: str, part: str) -> int:
        """Return the number of the line of a part of a rule, else that of its key or of its rule; 0
        if none is known.
        """
        begin, is_named = 0, False
        for number, line in enumerate(self._lines, 1):
            header = _HEADER.match(line)
            if begin and header:
                break
            if is_rule := bool(header and _unquoted(header["key"]) == key):
                begin = number
            if begin and not is_rule and name and not is_named and _name_of(line) == name:
                begin, is_named = number, True
            if is_named and part and part in line:
                return number
        return begin


def _name_of(line: str) -> str:
    """Return the key of a line of TOML such as ``keep = "p"``; "" for another line."""
    name, equals, _ = line.partition("=")
    return name.strip().strip("\"'") if equals else ""


def _remedy(key: str, name: Any, value: Any) -> str:
    """Return what to write instead of an unknown key of a rule, which may be a part of a domain."""
    known = f"known are {', '.join(KEYS)}"
    if not _DOMAIN.fullmatch(key):
        return known
    if isinstance(value, Mapping):
        return f'write ["{_whole_name((key, name), value)}"], with quotes'
    if "." in key:
        return known
    return f'{known}; or is it a domain? Then write ["{key}.{name}"], with quotes'


def _whole_name(names: tuple[str, ...], table: Any) -> str:
    """Return the domain whose parts TOML reads as tables in one another, without quotes.

    ``names``: those of the tables around ``table``, and its own.
    """
    name, inside = names[-1], table
    parts = [*names[:-1]]
    while isinstance(inside, Mapping):
        parts.append(str(name))
        name, inside = next(iter(inside.items()), ("", None))
    return ".".join(parts)


def _unquoted(key: str) -> str:
    """Return the name in the header of a table of TOML."""
    try:
        return next(iter(tomllib.loads(f"[{key}]")))
    except (tomllib.TOMLDecodeError, StopIteration):
        return key
