"""Selectors of site rules: CSS, or XPath where they begin with ``/``, ``./``, ``.//`` or ``(``.

cssselect translates CSS, and lxml evaluates XPath. Evaluated as a whole, ``div p`` takes libxml2
time quadratic in the page: it walks the inside of each of many nested elements, and compares each
element that it finds with all that it has found. So a path is evaluated step by step. Before a step
looks at all that is inside, elements inside of others of the step before are left out.

What remains are predicates that look at other elements, such as ``:nth-child(odd)`` or ``[.//a]``.
They take time quadratic in the page, so they are evaluated only on pages up to a size. One inside
another is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cssselect import ExpressionError, SelectorSyntaxError
from cssselect.xpath import XPathExpr
from lxml import etree
from parsel.csstranslator import HTMLTranslator

from scrapy_boilernet.extractor.sites.numbering import Numbering, outermost
from scrapy_boilernet.extractor.sites.xpaths import (
    SelectorError,
    Step,
    TooCostlyError,
    check_functions,
    count_costly,
    paths_of,
    tokens_of,
)

MAX_CHARS = 1_000
"""Characters of a selector."""
_MAX_FOUND = 1_000_000
"""Elements that a step may find, each counted as often as it is found."""

Found = Sequence[Any]
"""What a selector finds: elements, or the strings of ``::text``, ``::attr(...)`` and ``@name``."""

_ATTRIBUTE = r"""\[[a-zA-Z_][\w-]*(?:[~|^$*]?=(?:[a-zA-Z_][\w-]*|"[\w ./-]+"|'[\w ./-]+'))?\]"""
_SIMPLE = rf"(?:[a-zA-Z][a-zA-Z0-9]*|\*)?(?:[.#][a-zA-Z_][\w-]*|{_ATTRIBUTE})*"
_PLAIN_CSS = re.compile(rf"(?=[^\s>]){_SIMPLE}(?:\s*[ >]\s*(?=[\w.#*\[]){_SIMPLE})*", re.ASCII)
"""CSS that is right, and that need not be translated to know it."""
_NAMED = re.compile(
    r"""\s*(?:(?P<sign>[.#])(?P<word>[a-zA-Z_][\w-]+)
    |\[(?P<attribute>[a-z][a-z-]*)=["']?(?P<value>[a-zA-Z_][\w-]+)["']?\])""",
    re.ASCII | re.VERBOSE,
)
"""The beginning of CSS that looks for a class, an id or the value of an attribute."""
_ANY = "descendant-or-self::*["
_PSEUDO = re.compile(r":(?!not\([^\s>+~()]*\))|~(?!=)")
"""What may look at other elements in CSS, except at the next sibling alone."""
_IS_XPATH = re.compile(r"\s*(?:\.{0,2}/|\()")
_OF_STRINGS = re.compile(r"(?:^|/)\s*(?:@|attribute::|text\(\s*\))[\w:.*-]*\s*$")


class _Translator(HTMLTranslator):
    """Translates CSS to XPaths that libxml2 evaluates sooner; they find the same."""

    def xpath_attrib_includes(self, xpath: XPathExpr, name: str, value: str | None) -> XPathExpr:
        """Look for the word anywhere first; most elements do not have it."""
        if value:
            xpath.add_condition(f"contains({name}, {self.xpath_literal(value)})")
        found: XPathExpr = super().xpath_attrib_includes(xpath, name, value)
        return found

    def xpath_direct_adjacent_combinator(self, left: XPathExpr, right: XPathExpr) -> XPathExpr:
        """Stop at the next sibling."""
        found: XPathExpr = left.join("/following-sibling::*[1]/self::", right)
        return found

    def xpath_first_child_pseudo(self, xpath: XPathExpr) -> XPathExpr:
        """Stop at the sibling before."""
        return xpath.add_condition("not(preceding-sibling::*[1])")

    def xpath_last_child_pseudo(self, xpath: XPathExpr) -> XPathExpr:
        """Stop at the next sibling."""
        return xpath.add_condition("not(following-sibling::*[1])")


_translator = _Translator()


@dataclass(frozen=True)
class PageSelector:
    """A selector that is ready to be used."""

    costly: int
    """How many of its predicates look at other elements."""
    paths: tuple[tuple[tuple[etree.XPath, Step], ...], ...]
    """The steps of each of its alternatives."""
    named: tuple[str, str, etree.XPath] | None = None
    """Of the only alternative, whose first step finds elements of any tag: an attribute, a part of
    its value, and an XPath that finds such an element itself if the first step finds it."""

    def find(self, page: Numbering) -> Found:
        """Return what it finds in the page, in document order, each element once.

        Raises :class:`TooCostlyError`.
        """
        if self.costly and page.is_large:
            raise TooCostlyError
        found = [one for steps in self.paths for one in _followed(page, steps, self._first(page))]
        return found if len(self.paths) == 1 else _in_order(page, found)

    def _first(self, page: Numbering) -> Found | None:
        """Return what the first step finds, if the page has few elements that it may find."""
        if self.named is None:
            return None
        attribute, word, itself = self.named
        named = page.naming(attribute, word)
        return None if named is None else [one for one in named if itself(one)]


def check(source: str, elements_only: bool) -> int:
    """Return how many predicates of the selector look at other elements.

    ``elements_only``: whether it may not find strings. Raises :class:`SelectorError`.
    """
    if len(source) > MAX_CHARS:
        raise SelectorError(
            f"{len(source):,} characters, and at most {MAX_CHARS:,} are read; write a shorter one"
        )
    if _PLAIN_CSS.fullmatch(source):
        return 0
    if elements_only and _OF_STRINGS.search(source):
        raise SelectorError("it selects strings; select the element that has them")
    if elements_only and ("::text" in source or "::attr(" in source):
        raise SelectorError("it selects strings; leave out ::text or ::attr(...)")
    return _checked(source)[1]


@lru_cache(4_096)
def selector_of(source: str) -> PageSelector:
    """Return the selector, ready to be used; raises :class:`SelectorError`."""
    xpath, costly = _checked(source)
    paths = tuple(
        tuple((etree.XPath(step.path, regexp=False, smart_strings=False), step) for step in steps)
        for steps in paths_of(xpath, [*tokens_of(xpath)])
    )
    named = _named(source, paths[0][0][1].path) if len(paths) == 1 else None
    return PageSelector(costly, paths, named)


def _named(source: str, first: str) -> tuple[str, str, etree.XPath] | None:
    """Return ``named`` of a CSS selector; ``first``: the XPath of its first step."""
    match = _NAMED.match(source)
    if match is None or not first.startswith(_ANY):
        return None
    attribute = {".": "class", "#": "id"}.get(match["sign"] or "", match["attribute"])
    itself = etree.XPath(f"self::*[{first.removeprefix(_ANY)}", regexp=False)
    return attribute, (match["word"] or match["value"]).lower(), itself


@lru_cache(4_096)
def _checked(source: str) -> tuple[str, int]:
    """Return the XPath of a selector, and how many of its predicates look at other elements."""
    if not _IS_XPATH.match(source):
        xpath = _translated(source)
        return xpath, count_costly([*tokens_of(xpath)]) if _PSEUDO.search(source) else 0
    xpath = source.strip()
    try:
        result = etree.XPath(xpath, regexp=False)(etree.Element("html"))
        tokens = [*tokens_of(xpath)]
        check_functions(tokens)
    except etree.XPathError as error:
        raise SelectorError(
            f"not an XPath: {error}; see https://www.w3.org/TR/xpath-10/, or write CSS"
        ) from None
    if not isinstance(result, list):
        raise SelectorError("it computes a value; write an XPath that selects elements")
    return xpath, count_costly(tokens)


def _translated(css: str) -> str:
    try:
        return str(_translator.css_to_xpath(css))
    except (ExpressionError, SelectorSyntaxError) as error:
        raise SelectorError(
            f"not a CSS selector: {error}; an XPath must begin with /, ./ or ("
        ) from None
    except RecursionError:
        raise SelectorError("not a CSS selector: nested too deep; write a shorter one") from None


def _followed(
    page: Numbering, steps: Sequence[tuple[etree.XPath, Step]], known: Found | None
) -> Found:
    """Return what the steps find; ``known``: what the first of them finds, if that is known."""
    (first, _), *others = steps
    found = _list(first(page.root)) if known is None else known
    for path, step in others:
        page.held.append(found)
        around = [one for one in found if not isinstance(one, str)]
        if len(around) > 1 and step.is_deep:
            # In document order, and so is what is inside of them.
            found = _of_each(outermost(around), path)
        elif len(around) > 1:
            if step.is_after:
                around = [*{one.getparent(): one for one in reversed(around)}.values()]
            found = _in_order(page, _of_each(around, path))
        else:
            found = _of_each(around, path)
    page.held.append(found)
    return found


def _list(found: Any) -> list[Any]:
    """Return what an XPath found, which :func:`_checked` has seen to be a list."""
    return [*found]


def _of_each(around: Sequence[Any], path: Any) -> list[Any]:
    found: list[Any] = []
    for element in around:
        found += path(element)
        if len(found) > _MAX_FOUND:
            raise TooCostlyError
    return found


def _in_order(page: Numbering, found: Sequence[Any]) -> list[Any]:
    """Return the elements in document order, each once; strings stay as they are."""
    if any(isinstance(one, str) for one in found) or len(found) < 2:
        return [*found]
    return page.in_order(found)
