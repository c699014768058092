"""The formulas of a page as TeX, as their renderers leave it in the page.

KaTeX, MathJax 2 to 4, Temml, LaTeXML, MediaWiki and the makers of formula images show a formula,
and keep its TeX beside it: in an annotation, an attribute, a script or an alternative text. MathML
without TeX is converted, and so is what KaTeX and MathJax draw, if a page has only that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, islice
from typing import Any
from urllib.parse import unquote, unquote_plus

from lxml import etree

from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements
from scrapy_boilernet.extractor.html.equations import stands_alone
from scrapy_boilernet.extractor.html.mathml import tex_of
from scrapy_boilernet.extractor.html.reading import NOTHING, READ_INSIDE, Reading
from scrapy_boilernet.extractor.html.rendered_math import drawn_math
from scrapy_boilernet.extractor.html.scan import may_have
from scrapy_boilernet.extractor.html.stated_tex import SIGNS as STATED_SIGNS
from scrapy_boilernet.extractor.html.stated_tex import (
    expression_of,
    is_prose,
    plain_markup,
    stated_tex,
    without_settings,
)
from scrapy_boilernet.extractor.markup import DISPLAY, FORMULA

_ELEMENT_SIGNS = (b"<math", b":math>", b":math ", b"math/tex", b"math/latex", b"math/mml", b"mjx-",
                  b"<la-tex", b"<tex-math", b"katex", b'role="math',
                  b"data-math-style=", *STATED_SIGNS)  # fmt: skip
_IMAGE_SIGNS = (
    b"atex", b"tex=", b"ormula", b"quation", b"mathcode", b"texrender", b"cgi?", b"chl=", b'"math',
    b'"tex"', b'"tex ', b' tex"', b"'tex'", b"=tex ", b"=tex>", b"mwe-math", b"/math/", b"/tex/",
    b"eeimg", b"imgmath", b"=math", b"mathtex", b"?math=",
)  # fmt: skip
"""Pages with formulas have one of these, or the name of one of the attributes below."""
_BLOCKS = frozenset("p div h1 h2 h3 h4 h5 h6 ul ol table section article blockquote pre".split())
_DATA = ("data-tex", "data-latex", "data-formula", "data-math", "data-equation", "data-katex",
         "data-latex-formula", "data-original-latex", "data-asciimath-tex", "data-mathml",
         "data-value", "data-attrs")  # fmt: skip
_STYLE_OF_TEXT = "data-math-style"
"""An attribute of elements whose text is TeX, as GitLab writes it."""
_DATA_SIGNS = tuple(f"{name}=".encode() for name in _DATA)  # "data-text" is none
SIGNS = (*_ELEMENT_SIGNS, *_IMAGE_SIGNS, *_DATA_SIGNS)
_ENOUGH = frozenset(SIGNS) - {b"data-value=", b"data-attrs="}
_WRAPPER = re.compile(
    r"(?:^|\s)(?:katex(?!-eq)[\w-]*|mwe-math[\w-]*|MathJax\w*|MJX\w*(?:-display)?|mjx-[\w-]+|"
    r"MJXc-display|ltx_Math|temml[\w-]*|tml-[\w-]+|wp-katex-eq|ql-formula)(?!\S)"
)
"""Classes of what a renderer writes around its formula."""
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", " "), ("&quot;", '"'), ("&amp;", "&"))
"""Those that a page writes into a script, in which a browser does not read them."""
_RENDERED = re.compile(r"(?:^|\s)(?:MathJax\w*|MJXc?-display|mjx-chtml|MJXp?-\w+)(?!\S)")
_DISPLAYED = re.compile(r"display(?:ed)?(?![a-z]*style)|Dsp(?!\w)|\bblock\b", re.IGNORECASE)
_FORMULA_IMAGE = re.compile(
    r"(?:^|\s)(?:latex\S*|tex|mwe-math\S*|mwe-tex|ql-img-\S*|formulaInl|formulaDsp|mathcode|"
    r"texrender|mathtex\S*|mimetex)(?!\S)",
    re.IGNORECASE,
)
_PERHAPS_IMAGE = re.compile(
    r"(?:^|[\s_-])(?:math\w*|formula\w*|equation\w*|eqn?|inline-eq\w*)(?![a-z])", re.IGNORECASE
)
_FORMULA_ADDRESS = re.compile(
    r"latex\.php\?|codecogs\.com/[^?]*\?|[?&]cht=tx|/math/render/|/equation\?tex=|"
    r"(?:mathtex|mimetex)[^/?]*\?|[?&](?:latex|tex|math)=|/(?:latex|tex|imgmath|math)/[^?]*\.(?:png|svg|gif)",
    re.IGNORECASE,
)
_IMAGE_STEMS = ("tex", "math", "formula", "codecogs", "cht=tx", "ql-img-", "eq")
"""Every class and address in which one of the three above finds something has one of these."""
_QUERY = re.compile(r"[?&](?:latex|tex|math|chl)=([^&#]*)", re.IGNORECASE)
_CODECOGS = re.compile(r"(?:codecogs\.com/[^?]*|(?:mathtex|mimetex)[^/?]*)\?([^#]*)", re.IGNORECASE)
_LOOKS_TEX = re.compile(r"\\[a-zA-Z]+|[\^_={}]|[a-zA-Z0-9)]\s*[+*/<>-]\s*[a-zA-Z0-9(\\]")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_FENCED = (("$$", "$$", True), ("\\[", "\\]", True), ("\\(", "\\)", False), ("$", "$", False))
_STYLE = re.compile(r"\\(?:display|text)style(?![a-zA-Z])\s*")
_TEX_ENCODINGS = ("tex", "latex")
_MAX_CHARS = 3_000
"""A longer address is not looked through."""
_MAX_LEVELS = 8
"""Elements of a renderer around a formula."""
_MOST_SPOKEN = 500
"""Elements of a formula that are searched for a text, before its label is read."""
_BESIDE = 3
"""Elements before a script of MathJax that may show its formula."""


def may_have_formulas(signs: AbstractSet[bytes]) -> bool:
    """Return whether a page with these of ``SIGNS`` can have formulas beside TeX in its text."""
    return not signs.isdisjoint(_ENOUGH)


def formulas_of(
    page: Elements | CompiledElements, signs: AbstractSet[bytes]
) -> dict[etree._Element, Reading]:
    """Return the TeX of the formulas of a page by their outermost elements.

    ``signs``: those of ``SIGNS`` that it has. Without signs of elements only images, and elements
    with an attribute for TeX, are looked at.
    """
    readings: dict[etree._Element, Reading] = {}
    names = [name for name in _DATA if f"{name}=".encode() in signs]
    is_wide = not signs.isdisjoint(_ELEMENT_SIGNS)
    places: Iterable[int] = range(len(page))
    if not is_wide:
        places = sorted({*_images(page), *(page.having(names) if names else ())})
    elements = [page[place] for place in places]
    for element in elements if is_wide else ():
        if element.tag == "script" and (found := _of_script(element)):
            readings[element] = found
            for shown in _shown_beside(element):
                readings[shown] = NOTHING
    unclosed = _unclosed(elements) if is_wide else set()
    readings.update(dict.fromkeys(unclosed, READ_INSIDE))
    done: set[etree._Element] = set()  # elements in which nothing more is looked for
    for element in elements:
        if (done and _is_inside(element, done, is_wide)) or (
            element in readings and element not in unclosed
        ):
            done.add(element)
        elif element not in unclosed and (source := _source(element, names)) is not None:
            tex, is_display = source
            wrapper, shows = _outermost(element, unclosed)
            done.update((element, wrapper))
            is_display = is_display or shows or stands_alone(wrapper)
            if wrapper not in readings and (found := _reading(tex, is_display)):
                readings[wrapper] = found
    return readings | _spoken(elements, readings) if is_wide else readings


def _images(page: Elements | CompiledElements) -> set[int]:
    """Return the places of the images that may be formulas by their classes and addresses."""
    named = (page.naming(name, _IMAGE_STEMS, _MAX_CHARS) for name in ("class", "src", "data-src"))
    return {*chain(page.having(("eeimg",)), *named)}.intersection(page.of_tags(("img",)))


def _is_inside(
    element: etree._Element, outer: AbstractSet[etree._Element], knows_parent: bool
) -> bool:
    """Return whether one of ``outer`` is around an element; ``knows_parent``: the parent is one of
    them if another one is.
    """
    above = element.iterancestors()
    return any(one in outer for one in (islice(above, 1) if knows_parent else above))


def _spoken(
    elements: Sequence[etree._Element], readings: Mapping[etree._Element, Reading]
) -> dict[etree._Element, Reading]:
    """Return the labels for screen readers of formulas that have neither TeX nor a text."""
    found: dict[etree._Element, Reading] = {}
    for element in elements:
        if element.get("role") != "math" and _tag(element) != "mjx-container":
            continue
        label = " ".join((element.get("aria-label") or "")[:_MAX_CHARS].split())
        inner = islice(element.iter(etree.Element), _MOST_SPOKEN)
        if label and not any(one in readings or (one.text or "").strip() for one in inner):
            found[element] = Reading(label)
    return found


def _unclosed(elements: Sequence[etree._Element]) -> set[etree._Element]:
    """Return the ``<math>`` elements that hold blocks of the page, since nothing closes them."""
    if not any(_tag(element) == "math" for element in elements):
        return set()
    math_of: dict[etree._Element, etree._Element] = {}
    unclosed: set[etree._Element] = set()
    for element in elements:
        around = math_of.get(element.getparent())  # type: ignore[arg-type]
        if element.tag in _BLOCKS:
            while around is not None and around not in unclosed:
                unclosed.add(around)
                around = math_of.get(around.getparent())  # type: ignore[arg-type]
        if _tag(element) == "math":
            math_of[element] = element
        elif around is not None and element.tag != "annotation-xml":
            math_of[element] = around
    return unclosed


def _above(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements around one, as far as a formula can reach."""
    above = element.getparent()
    for _ in range(_MAX_LEVELS):
        if above is None:
            return
        yield above
        above = above.getparent()


def _outermost(
    element: etree._Element, unclosed: AbstractSet[etree._Element]
) -> tuple[etree._Element, bool]:
    """Return the outermost element of the formula, and whether it stands on a line of its own."""
    shows = _is_displayed(element)
    for above in _above(element):
        if above in unclosed or not _is_wrapper(above):
            break
        element, shows = above, shows or _is_displayed(above)
    return element, shows


def _is_wrapper(element: etree._Element) -> bool:
    tag = _tag(element)
    is_named = tag.startswith(("mjx-", "math-", "la-tex", "semantics")) or tag in ("svg", "g")
    return is_named or bool(_WRAPPER.search(element.get("class") or ""))


def _is_displayed(element: etree._Element) -> bool:
    stated = element.get("display") or element.get("data-display") or ""
    if stated:
        return stated.strip().lower() in ("block", "true")
    return bool(_DISPLAYED.search(element.get("class") or ""))


def _tag(element: etree._Element) -> str:
    tag: Any = element.tag
    return tag.rpartition(":")[2] if isinstance(tag, str) else ""


def _of_script(script: etree._Element) -> Reading | None:
    kind = (script.get("type") or "").strip().lower()
    if not kind.startswith("math/"):
        return None
    text = script.text or ""
    if kind.startswith("math/mml"):
        math = _parsed(text)
        return _reading(_of_math(math), "display" in text[:300]) if math is not None else None
    if not kind.startswith(("math/tex", "math/latex")):
        return None
    for entity, char in _ENTITIES if "&" in text else ():
        text = text.replace(entity, char)
    return _reading(text, "display" in kind)


def _shown_beside(script: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements before a script in which MathJax shows its formula."""
    before = script.getprevious()
    for _ in range(_BESIDE):
        if before is None or (before.tail or "").strip():
            return
        if not (isinstance(before.tag, str) and _RENDERED.search(before.get("class") or "")):
            return
        yield before
        before = before.getprevious()


def _source(element: etree._Element, names: Sequence[str]) -> tuple[str, bool] | None:
    """Return the TeX that an element has, and whether it shows that it stands alone."""
    tag = _tag(element)
    if tag == "math":
        return _of_math(element), False
    if tag == "img":
        return _of_image(element) or (_of_names(element, names) if names else None)
    is_mathjax = tag == "mjx-math" or element.get("data-mml-node") == "math"
    if is_mathjax and (tex := element.get("data-latex")):
        return tex, False
    if tag == "annotation" and _is_tex(element):
        return element.text or "", False
    if _is_drawing(element, tag) and not _is_repeated(element):
        drawn = drawn_math(element)
        return tex_of(drawn) if drawn is not None else "", False
    stated = _of_text(element, tag)
    return _of_names(element, names) if stated is None else stated


def _of_names(element: etree._Element, names: Sequence[str]) -> tuple[str, bool] | None:
    """Return the TeX of the first of these attributes that an element has, likewise."""
    given = ((name, value) for name in names if (value := element.get(name)))
    return next((_of_data(element, name, value) for name, value in given), None)


def _of_text(element: etree._Element, tag: str) -> tuple[str, bool] | None:
    """Return the TeX that is the text of an element, or the label of its drawing."""
    style = element.get(_STYLE_OF_TEXT)
    if style or tag in ("math-field", "la-tex", "tex-math"):
        return "".join(map(str, element.itertext())), style == "display"
    return stated_tex(element, tag)


def _is_drawing(element: etree._Element, tag: str) -> bool:
    """Return whether an element is what KaTeX or MathJax draws of a formula."""
    if tag == "mjx-math" or element.get("data-mml-node") == "math":
        return True
    return tag == "span" and "katex-html" in (element.get("class") or "").split()


def _is_repeated(drawing: etree._Element) -> bool:
    """Return whether MathML for screen readers follows a drawing."""
    levels = (drawing, *_above(drawing))
    return any(_tag(after) == "mjx-assistive-mml" for one in levels for after in _next(one))


def _next(element: etree._Element) -> tuple[etree._Element, ...]:
    following = element.getnext()
    return () if following is None else (following,)


def _is_tex(annotation: etree._Element) -> bool:
    return (annotation.get("encoding") or "").lower().endswith(_TEX_ENCODINGS)


def _of_data(element: etree._Element, name: str, value: str) -> tuple[str, bool] | None:
    if name == "data-mathml":
        math = _parsed(plain_markup(value))
        has_math = next((e for e in element.iter() if _tag(e) == "math"), None) is not None
        return None if math is None or has_math else (_of_math(math), False)
    if name == "data-value" and "formula" not in (element.get("class") or ""):
        return None
    if name == "data-attrs":
        return expression_of(value)
    is_one = len(value) == 1 and value.isalpha()
    is_tex = (is_one or _LOOKS_TEX.search(value)) and not is_prose(value)
    return (value, False) if is_tex and "://" not in value else None


def _parsed(text: str) -> etree._Element | None:
    """Return the ``<math>`` of a piece of markup."""
    if not 0 < len(text) <= 10 * _MAX_CHARS:
        return None
    try:
        root = etree.fromstring(text, etree.HTMLParser(no_network=True))
    except (etree.XMLSyntaxError, ValueError):
        return None
    elements = () if root is None else root.iter(etree.Element)
    return next((element for element in elements if _tag(element) == "math"), None)


def _of_math(math: etree._Element) -> str:
    """Return the TeX that a ``<math>`` names, or the one that it is converted to."""
    if named := math.get("data-latex"):
        return named
    for element in math.iter(etree.Element):
        is_tex = _tag(element) == "annotation" and _is_tex(element)
        if is_tex and (text := (element.text or "").strip()):
            return text
    named = (math.get("alttext") or "").strip()
    return named if named and not is_prose(named) else tex_of(math)


def _of_image(image: etree._Element) -> tuple[str, bool] | None:
    """Return the TeX of a formula's image: its alternative text, or what its address names."""
    classes, address = image.get("class") or "", image.get("src") or image.get("data-src") or ""
    address = address[:_MAX_CHARS]
    if not may_have(f"{classes} {address}", _IMAGE_STEMS) and not image.get("eeimg"):
        return None  # as most images
    alt = (image.get("alt") or image.get("data-alt") or "").strip()
    named = _FORMULA_IMAGE.search(classes) or _FORMULA_ADDRESS.search(address)
    is_formula = named is not None or image.get("eeimg")
    if not is_formula and not (_PERHAPS_IMAGE.search(classes) and _LOOKS_TEX.search(alt)):
        return None
    if alt and not is_prose(alt) and (_LOOKS_TEX.search(alt) or len(alt) <= 20):
        return alt, False
    query = _QUERY.search(address) or _CODECOGS.search(address)
    if query:
        unquoted = unquote_plus if query.re is _QUERY else unquote
        return without_settings(unquoted(query[1])), False
    return None


def _reading(tex: str, is_display: bool) -> Reading | None:
    """Return the reading of a formula, cleaned; None without characters."""
    tex = _COMMENT.sub("", tex).strip()
    for opening, closing, displays in _FENCED:
        inner = tex[len(opening) : -len(closing)]
        if tex.startswith(opening) and tex.endswith(closing) and inner and "$" not in inner:
            tex, is_display = inner.strip(), is_display or displays
            break
    tex = _without_style(tex)
    text = " ".join(tex.split())
    if is_display and text:
        return Reading(f" {text} ", FORMULA | DISPLAY)
    return Reading(text, FORMULA) if text else None


def _without_style(tex: str) -> str:
    """Return the TeX without a style of display around all of it."""
    inner = tex[1:-1].strip() if tex.startswith("{") and tex.endswith("}") else ""
    if inner and _STYLE.match(inner) and _is_balanced(inner):
        tex = inner
    style = _STYLE.match(tex)
    return tex[style.end() :] if style else tex


def _is_balanced(tex: str) -> bool:
    """Return whether each ``}`` closes a ``{`` before it."""
    depth, is_escaped = 0, False
    for char in tex:
        if not is_escaped and char in "{}":
            depth += 1 if char == "{" else -1
            if depth < 0:
                return False
        is_escaped = char == "\\" and not is_escaped
    return depth == 0
