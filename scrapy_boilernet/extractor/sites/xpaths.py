"""XPaths, split into steps, and what in them takes time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

MAX_COSTLY = 10
"""Predicates of a rule that look at other elements."""

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


class SelectorError(ValueError):
    """A selector is wrong; the message has the reason and the remedy."""


class TooCostlyError(Exception):
    """A selector would take too long on this page."""


class Token(NamedTuple):
    """A part of an XPath, and where it is."""

    kind: str
    text: str
    start: int
    end: int


class Step(NamedTuple):
    """A step of an XPath."""

    path: str
    """Of the first step, or below an element of the step before."""
    is_deep: bool
    """Whether it finds what is anywhere inside of an element."""
    is_after: bool
    """Whether it finds all siblings after an element."""


def tokens_of(xpath: str) -> Iterator[Token]:
    """Yield the tokens of an XPath; raises :class:`SelectorError` for what is none."""
    place = 0
    while match := _TOKEN.match(xpath, place):
        kind = str(match.lastgroup)
        yield Token(kind, match[kind], match.start(kind), match.end())
        place = match.end()
    if xpath[place:].strip():
        raise SelectorError(f"{xpath[place:].strip()!r} cannot be read; leave it out")


def check_functions(tokens: Sequence[Token]) -> None:
    """Raise :class:`SelectorError` for functions and prefixes that nobody knows."""
    for token, after in pairwise(tokens):
        called = token.kind == "name" and after.text == "("
        if ":" in token.text and token.kind == "name":
            raise SelectorError(f"{token.text} has a prefix, and none is known; leave it out")
        if called and token.text not in _FUNCTIONS | _NODE_TYPES | _OPERATORS:
            raise SelectorError(f"there is no function {token.text}(); see XPath 1.0")


def _is_operator(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a token joins two expressions."""
    token, before = tokens[i], tokens[i - 1].text if i else "("
    if token.text in _SIGNS:
        return token.kind == "sign"
    ends = before not in ("/", "//", "::", "@", "[", "(") and before not in _SIGNS
    return token.kind == "name" and token.text in _OPERATORS and ends


def count_costly(tokens: Sequence[Token]) -> int:
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


def _looks_far(tokens: Sequence[Token], i: int, inside: bool) -> bool:
    """Return whether a token finds any number of elements; ``inside``: it is in brackets."""
    if tokens[i].text == "//":
        return inside
    if tokens[i].text not in _FAR_AXES or [one.text for one in tokens[i + 1 : i + 2]] != ["::"]:
        return False
    after = [one.text for one in tokens[i + 2 : i + 6]]
    if after[:2] == ["*", "["] and after[3:] == ["]"] and tokens[i + 4].kind == "number":
        return False  # libxml2 stops at that one
    is_first = not i or tokens[i - 1].text == "|"
    return inside or not (is_first or _is_deep(tokens[i:]))


def _is_deep(tokens: Sequence[Token]) -> bool:
    """Return whether the step that begins here finds all that is inside of an element."""
    begin = "".join(token.text for token in tokens[:2])
    return begin in ("descendant::", f"{_INSIDE}::") and not _has_numbers(tokens)


def _has_numbers(tokens: Sequence[Token]) -> bool:
    """Return whether the step that begins here may number what it finds below each element."""
    brackets = 0
    for kind, text, *_ in tokens:
        brackets += kind == "sign" and ((text == "[") - (text == "]"))
        if brackets < 0 or (not brackets and kind == "sign" and text in ("/", "//", "|")):
            return False
        if brackets == 1 and (kind == "number" or text in ("position", "last")):
            return True
    return False


def _looks_near(tokens: Sequence[Token], i: int) -> bool:
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


def paths_of(xpath: str, tokens: Sequence[Token]) -> Iterator[list[Step]]:
    """Yield the steps of each alternative."""
    level, begin = 0, 0
    for i, token in enumerate((*tokens, Token("sign", "|", len(xpath), len(xpath)))):
        if token.kind == "sign":
            level += (token.text in ("[", "(")) - (token.text in ("]", ")"))
        if token.text == "|" and token.kind == "sign" and not level:
            yield [*_steps(xpath, tokens[begin:i])]
            begin = i + 1


def _steps(xpath: str, tokens: Sequence[Token]) -> Iterator[Step]:
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
            yield _step(own, slash, is_first, tokens[begin:])
            lead, slash = "", text
        begin = i + 1


def _step(own: str, slash: str, is_first: bool, tokens: Sequence[Token]) -> Step:
    if is_first:
        return Step(slash + own, is_deep=False, is_after=False)
    is_after = own.startswith("following-sibling::") and not _has_numbers(tokens)
    return Step(f".{slash}{own}", slash == "//" or _is_deep(tokens), is_after)
