"""Code: its programming language, and what stands beside it, such as the numbers of its lines."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import chain, islice

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.preformatted import TOKEN_TAGS, lines_of
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

LANGUAGE = lazy_pattern(
    r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|highlight|mw-highlight-lang|hl|"
    r"snippet-code|src|code-block|enlighter-l|geshifilter|dp)-([a-z0-9][a-z0-9+#._-]{0,29})(?!\S)"
    r"|(?:\b(?:brush|lang):\s*|\{\.)([a-z0-9+#._-]{1,30})"
    r"|(?:^|\s)(?:sourceCode|prettyprint\s+lang-?)\s+([a-z0-9][a-z0-9+#._-]{0,29})(?!\S)"
    r"|(?:^|\s)(?:(php)code(?:block)?|has-(diff)|(diff)-table)(?!\S)"
    r"|(?:^|\s)hljs\s+([a-z0-9][a-z0-9+#._]{0,29})(?!\S)",  # with a hyphen it is a class of style
    re.IGNORECASE,
)
NO_LANGUAGES = frozenset(
    "default none notranslate text plain plaintext nohighlight wrapper wrap container content code "
    "block box line lines copy inline toolbar line-numbers undefined auto null switch switcher "
    "select selector toggle tab tabs link links list menu picker nav button highlighter id "
    "curl myst-ansi generic".split()
)
MAX_CLASS_CHARS, MAX_LANGUAGE_CHARS = 500, 30
LANGUAGE_LEVELS = 8
"""Ancestors of a ``<pre>`` that may name its language."""
_ATTRIBUTES = (
    "data-lang", "data-language", "data-code-language", "data-code-lang", "language", "data-syntax",
    "data-enlighter-language", "data-canonical-lang", "data-code-wrap", "data-mode-id",
    "data-tagsearch-lang", "syntax",
)  # fmt: skip
_ALIASES = {"ipython3": "python", "ipython": "python", "html-basic": "html", "css-scss": "scss",
            "j": "java"}  # fmt: skip
"""Names that only one highlighter has, and the usual ones."""
_PARAMETERS = "data-syntaxhighlighter-params"
"""The attribute in which Confluence writes what SyntaxHighlighter has as a class."""
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9+#._-]{0,29}\Z")
_PREFIX = re.compile(r"(?:language|lang)-+|-nolint\Z", re.IGNORECASE)
"""What is no part of a language's name: MDN writes ``html-nolint``."""
_DIFF, _DIFF_OF = "diff", "diff-"
"""The language of changes, and how Prism begins the name of one with that of the changed code."""
_SHORT, _MANY_SHORT = 2, 2
"""Characters of a class that may name a language alone, but not among other short ones: sites such
as Medium give out such classes by count."""
_OUTERMOST = frozenset(("article", "main", "body", "section", "html"))
"""Elements whose classes name no language of a piece of code in them."""
_SPOKEN = frozenset(
    "ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nb nl no pl pt ro ru sk "
    "sl sr sv th tr uk vi zh".split()
)
KNOWN_LANGUAGES = frozenset(
    "bash c cpp c++ c# csharp css clojure cmake cobol console coffeescript d dart diff dockerfile "
    "elixir elm erlang fortran fsharp go golang graphql groovy haskell html http ini java "
    "javascript js json jsx julia kotlin latex less lisp lua makefile markdown matlab nginx nim "
    "objective-c objectivec ocaml pascal perl php powershell prolog python py r ruby rust sass "
    "scala scheme scss sh shell sql swift tcl toml ts tsx typescript vb verilog vhdl vim vue wasm "
    "xml yaml yml zig zsh".split()
)
"""Languages that are told by a class of their own, as in ``<pre class="python">``."""
_MAX_CODE_ELEMENTS, _MAX_LINES, _MAX_LABEL_CHARS = 20, 20_000, 60
NO_CODE = Reading("", 0, "span")
_LINE, _TOKEN = Reading(None, 0, "div"), Reading(None, 0, "span")
_GUTTER_SIGNS = (
    b"lineno", b"gutter", b"line-num", b"linenum", b"line_num", b"lnt", b"ln-num", b'"ln"',
    b"select-none", b"user-select", b"<button", b"copy", b"code-num", b"pre-numbering",
    b"language-id", b'"ttc', b"twoslash", b"error-behind", b'"boring"', b"hide-precode",
    b"secondary-code-label",
)  # fmt: skip
MAY_BE = b"<pre"
"""A page with code has this, or a sign of ``listings``."""
SIGNS = (MAY_BE, *_GUTTER_SIGNS)
_GUTTER = lazy_pattern(
    r"(?:^|[\s_-])(?:linenos?|linenodiv|gutters?(?:element)?|crayon-nums?|line-?_?numbers?|linenumber\w*|lnt|ln|lnum|"
    r"ln-num\w*|hljs-ln-numbers|pre-numbering|blob-num|code-num\w*)(?![a-z])",
    re.IGNORECASE,
)
_GUTTER_STEMS = ("lineno", "gutter", "crayon-num", "number", "ln", "blob-num", "code-num")
"""Every class in which ``_GUTTER`` finds something has one of these."""
_UNSELECTABLE = re.compile(r"(?:^|\s)(?:user-)?select-none(?!\S)|user-select:\s*none")
_LINE_NUMBERS = re.compile(r"[\s\d.:|]+")
_LINE_LANGUAGE = "data-language"
"""An attribute of code that lines of it may have, too, as Quill writes it."""
_LABEL_CLASS = "language-id"
"""The class of the label in code of TypeScript's Twoslash, which names its language."""
TOOLBAR = lazy_pattern(
    r"(?:^|[\s_-])(?:copy|clipboard|toolbar|language-id|playground-link|hide-preCode-box|"
    r"secondary-code-label|code[\w-]*(?:header|title|lang(?:uage)?|copy))(?![a-z])",
    re.IGNORECASE,
)
"""Classes of buttons and labels in code."""
_HIDDEN = re.compile(
    r"(?:^|\s)(?:ttc|twoslash-(?:popup-container|meta-line|completion-list)|error-behind|boring)(?!\S)"
)
"""Classes of what no reader of the code sees at first, or what only explains it: the boxes of
Doxygen and Twoslash that the pointer opens, Twoslash's errors, and the lines that mdBook hides."""
_ERROR, _ERROR_NUMBER = "error", "code"
"""Classes of an error of the first Twoslash, and of its number, its last child."""


def may_have_gutters(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have code with line numbers or buttons."""
    return MAY_BE in signs and not signs.isdisjoint(_GUTTER_SIGNS)


def code_lines_of(elements: Elements | CompiledElements) -> dict[etree._Element, Reading]:
    """Return the readings of elements in ``<pre>`` that are lines, though their tag is none, and of
    those that are in a line, though their tag is unknown.
    """
    found: dict[etree._Element, Reading] = {}
    for place in elements.of_tags(("pre", *TOKEN_TAGS)):
        element = elements[place]
        if element.tag == "pre":
            found.update(dict.fromkeys(lines_of(element), _LINE))
        else:
            found[element] = _TOKEN
    return found


def gutters_of(
    elements: Elements | CompiledElements, listings: Collection[etree._Element] = ()
) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for numbers of lines, and for buttons and labels in code.

    ``listings``: the elements that are code as a ``<pre>`` is.
    """
    of_listings = (range(first + 1, last + 1) for first, last in elements.ranges(listings))
    in_code = {*elements.inside(("pre",)), *chain.from_iterable(of_listings)}
    named = elements.naming("class", _GUTTER_STEMS, MAX_CLASS_CHARS)
    found: dict[etree._Element, Reading] = {}
    for place in sorted(in_code.union(named)):
        element = elements[place]
        is_code = element.tag == "pre" or element in listings
        if element not in found and not is_code and _is_beside(element, place in in_code):
            found.update(dict.fromkeys(element.iter(etree.Element), NO_CODE))
    return found


def _is_beside(element: etree._Element, in_code: bool) -> bool:
    """Return whether an element holds numbers of lines, or a button or label of code."""
    if in_code and element.tag == "button":
        return True
    classes = (element.get("class") or "")[:MAX_CLASS_CHARS]
    if in_code and classes and (_HIDDEN.search(classes) or _is_error(element, classes)):
        return True
    style = element.get("style") or "" if in_code else ""
    if names_gutter(classes) or (in_code and _UNSELECTABLE.search(f"{classes} {style}")):
        text = "".join(map(str, islice(element.itertext(), _MAX_LINES)))
        return text.isspace() or bool(_LINE_NUMBERS.fullmatch(text))
    if not in_code or not TOOLBAR.search(classes):
        return False
    texts = [str(text).strip() for text in islice(element.itertext(), _MAX_CODE_ELEMENTS)]
    return len(" ".join(texts)) <= _MAX_LABEL_CHARS


def _is_error(element: etree._Element, classes: str) -> bool:
    """Return whether an element is an error that a compiler reported of the code."""
    has_number = classes == _ERROR and len(element) > 0
    return has_number and element[-1].get("class") == _ERROR_NUMBER


@lru_cache(maxsize=1 << 12)  # elements of a site have few different classes
def names_gutter(classes: str) -> bool:
    """Return whether a class is one of the numbers of lines."""
    return _GUTTER.search(classes) is not None


def language_of(pre: etree._Element) -> str:
    """Return the programming language that a ``<pre>``, a ``<code>`` in it or an element around it
    names, or "".
    """
    inside = [*islice(pre.iter(etree.Element), _MAX_CODE_ELEMENTS)]
    own = [pre, *(e for e in inside if e.tag == "code" or e.get(_LINE_LANGUAGE))]
    names = [name for element in own if (name := next(_names(element, is_own=True), ""))]
    if names:
        return _DIFF if _DIFF in names else names[0]
    labels = (e.text or "" for e in inside if e.get("class") == _LABEL_CLASS)
    if name := next((text for text in map(str.strip, labels) if _NAME.match(text)), ""):
        return name.lower()
    above = pre.getparent()
    for _ in range(LANGUAGE_LEVELS):
        if above is None or above.tag in _OUTERMOST:
            return ""
        if name := next(_names(above, is_own=above.tag in ("code", "figure")), ""):
            return name
        above = above.getparent()
    return ""


def names_language(element: etree._Element) -> bool:
    """Return whether an element names the language of its code."""
    return next(_names(element, is_own=False), "") != ""


def _names(element: etree._Element, *, is_own: bool) -> Iterator[str]:
    """Yield the languages that an element names; ``is_own``: whether it is the code itself."""
    stated = [element.get(name) or "" for name in _ATTRIBUTES]
    stated += [element.get("lang") or ""] if element.tag in ("pre", "code") else []
    classes = (element.get("class") or "")[:MAX_CLASS_CHARS]
    stated_by = f"{classes} {(element.get(_PARAMETERS) or '')[:MAX_CLASS_CHARS]}"
    found = [name.strip() for name in stated if _NAME.match(name.strip())]
    found += [group for match in LANGUAGE.finditer(stated_by) for group in match.groups() if group]
    if is_own:
        words = classes.split()
        counts_short = sum(len(word) <= _SHORT for word in words) < _MANY_SHORT
        found += [
            word
            for word in words
            if word.lower() in KNOWN_LANGUAGES and (counts_short or len(word) > _SHORT)
        ]
    for name in found:
        plain = _PREFIX.sub("", name).lower()
        plain = _DIFF if plain.startswith(_DIFF_OF) else _ALIASES.get(plain, plain)
        if plain and plain not in NO_LANGUAGES and plain not in _SPOKEN:
            yield plain[:MAX_LANGUAGE_CHARS]
