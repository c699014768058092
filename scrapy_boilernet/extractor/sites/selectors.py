"""Selectors of site rules: CSS, or XPath where they begin with ``/``, ``./``, ``.//`` or ``(``.

cssselect translates CSS, and lxml evaluates XPath. Evaluated as a whole, ``div p`` takes libxml2
time quadratic in the page: it walks the inside of each of many nested elements, and compares each
element that it finds with all that it has found. So a path is evaluated step by step. Before a step
looks at all that is inside, elements inside of others of the step before are left out.

What remains are predicates that look at other elements, such as ``:first-child`` or ``[.//a]``.
They take time quadratic in the page, so they are evaluated only on pages up to a size. One inside
another is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from cssselect import ExpressionError, SelectorSyntaxError
from lxml import etree
from parsel.csstranslator import HTMLTranslator

MAX_CHARS = 1_000
"""Characters of a selector."""
MAX_COSTLY = 10
"""Predicates of a rule that look at other elements."""
_MAX_ELEMENTS, _MAX_TEXT_CHARS = 10_000, 1_000_000
"""The largest page on which such predicates are evaluated."""
_MAX_FOUND = 1_000_000
"""Elements that a step may find, each counted as often as it is found."""

Found = Sequence[Any]
"""What a selector finds: elements, or the strings of ``::text``, ``::attr(...)`` and ``@name``."""
Numbers = Mapping[etree._Element, int]

_translator = HTMLTranslator()
_ATTRIBUTE = r"""\[[a-zA-Z_][\w-]*(?:[~|^$*]?=(?:[a-zA-Z_][\w-]*|"[\w ./-]+"|'[\w ./-]+'))?\]"""
_SIMPLE = rf"(?:[a-zA-Z][a-zA-Z0-9]*|\*)?(?:[.#][a-zA-Z_][\w-]*|{_ATTRIBUTE})*"
_PLAIN_CSS = re.compile(rf"(?=[^\s>]){_SIMPLE}(?:\s*[ >]\s*(?=[\w.#*\[]){_SIMPLE})*", re.ASCII)
"""CSS that is right, and that need not be translated to know it."""
_IS_XPATH = re.compile(r"\s*(?:\.{0,2}/|\()")
_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"[^"]*"|'[^']*')|(?P<number>\d+(?:\.\d*)?|\.\d+)
    |(?P<sign>//|::|\.\.|!=|<=|>=|[/|\[\]()@,.*+=<>$-])
    |(?P<name>[^\W\d][\w.-]*(?::(?!:)[\w*][\w.-]*)?))""",
    re.VERBOSE,
)
_FAR_AXES = frozenset(
    "following following-sibling preceding preceding-sibling ancestor ancestor-or-self descendant "
    "descendant-or-self".split()
)
_INSIDE = "descendant-or-self"
_SIGNS = frozenset(("|", ",", "=", "!=", "<", ">", "<=", ">=", "+", "-"))
_OPERATORS = frozenset(("and", "or", "div", "mod"))
_OF_CONTEXT = frozenset(("string", "normalize-space", "string-length", "number"))
"""Functions that read the text of the element if they have no argument."""
_NODE_TYPES = frozenset(("text", "node", "comment", "processing-instruction"))
_FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains "
    "substring-before substring-after substring string-length normalize-space translate boolean "
    "not true false lang number sum floor ceiling round has-class".split()
)
"""Those of XPath 1.0, and parsel's."""
_OF_STRINGS = re.compile(r"(?:^|/)\s*(?:@|attribute::|text\(\s*\))[\w:.*-]*\s*$")


class SelectorError(ValueError):
    """A selector is wrong; the message has the reason and the remedy."""


class TooCostlyError(Exception):
    """A selector would take too long on this page."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


class _Step(NamedTuple):
    path: str
    """Of the first step, or below an element of the step before."""
    is_deep: bool
    """Whether it finds what is anywhere inside of an element."""
    is_after: bool
    """Whether it finds all siblings after an element."""


@dataclass(frozen=True)
class PageSelector:
    """A selector that is ready to be used."""

    costly: int
    """How many of its predicates look at other elements."""
    paths: tuple[tuple[tuple[etree.XPath, _Step], ...], ...]
    """The steps of each of its alternatives."""

    def find(self, root: etree._Element, numbers: Numbers) -> Found:
        """Return what it finds in the page, in document order, each element once.

        ``numbers``: the number of each element of the page. Raises :class:`TooCostlyError`.
        """
        if self.costly and is_large(root, numbers):
            raise TooCostlyError
        found = [one for steps in self.paths for one in _followed(root, steps, numbers)]
        return found if len(self.paths) == 1 else _in_order(found, numbers)


def is_large(root: etree._Element, numbers: Numbers) -> bool:
    """Return whether the page is too large for predicates that look at other elements."""
    return len(numbers) > _MAX_ELEMENTS or _text_chars(root) > _MAX_TEXT_CHARS


_text_chars: Any = etree.XPath("string-length(/)")


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
    return selector_of(source).costly


@lru_cache(4_096)
def selector_of(source: str) -> PageSelector:
    """Return the selector, ready to be used; raises :class:`SelectorError`."""
    xpath = _xpath(source)
    try:
        etree.XPath(xpath, regexp=False)
        tokens = [*_tokens(xpath)]
        _check_functions(tokens)
        costly = _costly(tokens)
        paths = tuple(
            tuple((etree.XPath(s.path, regexp=False, smart_strings=False), s) for s in steps)
            for steps in _paths(xpath, tokens)
        )
        result = etree.XPath(xpath, regexp=False)(etree.Element("html"))
    except etree.XPathError as error:
        raise SelectorError(
            f"not an XPath: {error}; see https://www.w3.org/TR/xpath-10/, or write CSS"
        ) from None
    if not isinstance(result, list):
        raise SelectorError("it computes a value; write an XPath that selects elements")
    return PageSelector(costly, paths)


def _xpath(source: str) -> str:
    if _IS_XPATH.match(source):
        return source.strip()
    try:
        return _translator.css_to_xpath(source)
    except (ExpressionError, SelectorSyntaxError) as error:
        raise SelectorError(
            f"not a CSS selector: {error}; an XPath must begin with / or ./"
        ) from None
    except RecursionError:
        raise SelectorError("not a CSS selector: nested too deep; write a shorter one") from None


def _tokens(xpath: str) -> Iterator[_Token]:
    place = 0
    while match := _TOKEN.match(xpath, place):
        kind = str(match.lastgroup)
        yield _Token(kind, match[kind], match.start(kind), match.end())
        place = match.end()
    if xpath[place:].strip():
        raise SelectorError(f"{xpath[place:].strip()!r} cannot be read; leave it out")


def _check_functions(tokens: Sequence[_Token]) -> None:
    for token, after in pairwise(tokens):
        called = token.kind == "name" and after.text == "("
        if ":" in token.text and token.kind == "name":
            raise SelectorError(f"{token.text} has a prefix, and none is known; leave it out")
        if called and token.text not in _FUNCTIONS | _NODE_TYPES | _OPERATORS:
            raise SelectorError(f"there is no function {token.text}(); see XPath 1.0")


def _is_operator(tokens: Sequence[_Token], i: int) -> bool:
    """Return whether a token joins two expressions."""
    token, before = tokens[i], tokens[i - 1].text if i else "("
    if token.text in _SIGNS:
        return token.kind == "sign"
    ends = before not in ("/", "//", "::", "@", "[", "(") and before not in _SIGNS
    return token.kind == "name" and token.text in _OPERATORS and ends


def _costly(tokens: Sequence[_Token]) -> int:
    """Return how many parts look at other elements in the predicates; raises
    :class:`SelectorError` if one of them does so inside another.
    """
    costly, levels = 0, [False]  # per open bracket, whether its path has looked far
    for i, (kind, text, *_) in enumerate(tokens):
        if kind == "sign" and text in ("[", "("):
            levels.append(False)
        elif kind == "sign" and text in ("]", ")"):
            was_far = len(levels) > 1 and levels.pop()
            levels[-1] |= was_far and text == ")"
        elif _is_operator(tokens, i) or (len(levels) == 1 and text in ("/", "//")):
            levels[-1] = False
        elif _looks_far(tokens, i, len(levels) > 1):
            if any(levels):
                raise SelectorError(
                    "it looks at other elements for each of other elements, which takes too long "
                    "on large pages; write it with fewer // and axes in brackets"
                )
            levels[-1] = True
            costly += 1
        elif len(levels) > 1 and _looks_near(tokens, i):
            costly += 1
    if costly > MAX_COSTLY:
        raise SelectorError(f"{costly} of its parts look at other elements; write a shorter one")
    return costly


def _looks_far(tokens: Sequence[_Token], i: int, inside: bool) -> bool:
    """Return whether a token finds any number of elements; ``inside``: it is in brackets."""
    if tokens[i].text == "//":
        return inside
    if tokens[i].text not in _FAR_AXES or [one.text for one in tokens[i + 1 : i + 2]] != ["::"]:
        return False
    after = [one.text for one in tokens[i + 2 : i + 4]]
    is_first = not i or tokens[i - 1].text == "|"
    return inside or not (is_first or (tokens[i].text == _INSIDE and after == ["*", "/"]))


def _looks_near(tokens: Sequence[_Token], i: int) -> bool:
    """Return whether a token in brackets finds the element itself, its children or its parent."""
    kind, text, *_ = tokens[i]
    before = tokens[i - 1].text
    after = [token.text for token in tokens[i + 1 : i + 3]]
    if kind == "sign":
        is_path = text in (".", "..") and after[:1] != ["//"]
        return is_path or (text == "*" and before not in ("@", "::", "/", "//"))
    if kind != "name" or _is_operator(tokens, i) or after[:1] == ["::"]:
        return False
    if before in ("@", "::", "/", "//"):
        return False
    if after[:1] == ["("]:
        return text in _NODE_TYPES or (text in _OF_CONTEXT and after == ["(", ")"])
    return True


def _paths(xpath: str, tokens: Sequence[_Token]) -> Iterator[list[_Step]]:
    """Yield the steps of each alternative."""
    level, begin = 0, 0
    for i, token in enumerate((*tokens, _Token("sign", "|", len(xpath), len(xpath)))):
        if token.kind == "sign":
            level += (token.text in ("[", "(")) - (token.text in ("]", ")"))
        if token.text == "|" and token.kind == "sign" and not level:
            yield [*_steps(xpath, tokens[begin:i])]
            begin = i + 1


def _steps(xpath: str, tokens: Sequence[_Token]) -> Iterator[_Step]:
    """Yield the steps of one alternative."""
    level, begin, slash, lead = 0, 0, "", ""
    for i in range(len(tokens) + 1):
        text = tokens[i].text if i < len(tokens) else "/"
        is_sign = i == len(tokens) or tokens[i].kind == "sign"
        level += is_sign and ((text in ("[", "(")) - (text in ("]", ")")))
        if level or not is_sign or text not in ("/", "//"):
            continue
        own = xpath[tokens[begin].start : tokens[i - 1].end] if begin < i else ""
        is_first = begin == 0 or lead == "first"
        if own in (".", "") and begin == 0 and i < len(tokens):
            lead, slash = "first", ("." if own else "") + text
        elif own in (f"{_INSIDE}::*", f"{_INSIDE}::node()") and text == "/" and i < len(tokens):
            slash, lead = (f"{slash}{own}/", "first") if is_first else ("//", lead)
        else:
            yield _step(own, slash, is_first)
            lead, slash = "", text
        begin = i + 1


def _step(own: str, slash: str, is_first: bool) -> _Step:
    if is_first:
        return _Step(slash + own, is_deep=False, is_after=False)
    counts = re.search(r"\d|position\(|last\(", own)
    is_after = own.startswith("following-sibling::") and not counts
    return _Step(f".{slash}{own}", slash == "//", is_after)


def _followed(
    root: etree._Element, steps: Sequence[tuple[etree.XPath, _Step]], numbers: Numbers
) -> Found:
    (first, _), *others = steps
    found = _list(first(root))
    for path, step in others:
        around = [one for one in found if not isinstance(one, str)]
        if len(around) > 1 and step.is_deep:
            around = _outermost(around)
        elif len(around) > 1 and step.is_after:
            around = [*{one.getparent(): one for one in reversed(around)}.values()]
        one = len(around) == 1
        found = _list(path(around[0])) if one else _of_each(around, path, numbers)
    return found


def _list(found: Any) -> list[Any]:
    """Return what an XPath found, which :func:`selector_of` has seen to be a list."""
    return [*found]


def _of_each(around: Sequence[Any], path: Any, numbers: Numbers) -> list[Any]:
    found: list[Any] = []
    for element in around:
        found += path(element)
        if len(found) > _MAX_FOUND:
            raise TooCostlyError
    return _in_order(found, numbers)


def _in_order(found: Sequence[Any], numbers: Numbers) -> list[Any]:
    """Return the elements in document order, each once; strings stay as they are."""
    if not any(isinstance(one, etree._Element) for one in found):
        return [*found]
    elements = dict.fromkeys(one for one in found if isinstance(one, etree._Element))
    return sorted(elements, key=lambda one: numbers.get(one, 0))


def _outermost(elements: Sequence[Any]) -> list[Any]:
    """Return the elements that are not inside of another of them, in linear time."""
    chosen, outermost = set(elements), []
    known: dict[Any, bool] = {}
    for element in elements:
        passed, above = [], element.getparent()
        while above is not None and above not in known and above not in chosen:
            passed.append(above)
            above = above.getparent()
        inside = above is not None and (above in chosen or known[above])
        known.update(dict.fromkeys(passed, inside))
        if not inside:
            outermost.append(element)
    return outermost
