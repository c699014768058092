"""Labels beside code, which are not read: the name of its language, and buttons that copy it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice

from lxml import etree

from scrapy_boilernet.extractor.html.code import (
    KNOWN_LANGUAGES,
    MAX_CLASS_CHARS,
    NO_CODE,
    TOOLBAR,
    names_gutter,
)
from scrapy_boilernet.extractor.html.elements import CompiledElements, Elements, is_only_child
from scrapy_boilernet.extractor.html.reading import Reading
from scrapy_boilernet.extractor.patterns import lazy_pattern

_WRAPPERS = frozenset(("div", "figure", "span", "section"))
_LABEL_TAGS = frozenset("div span button small a i b strong em header svg path use p dt".split())
_LABELS_IN_CODE = ("div", "header", "button")
"""Elements in a ``<pre>`` that may be labels of the ``<code>`` in it."""
_NAMED_WRAPPERS, _WRAPPER_NAME = ("dl", "dd"), "codebox"
"""Elements that are wrappers if phpBB writes them, whose label is a ``<dt>``."""
_HEADER = lazy_pattern(
    r"(?:code|snippet|highlight)[\w-]{0,20}(?:header|head|title|toolbar|bar|top|info|meta)(?![a-z])",
    re.IGNORECASE,
)
"""The class of what stands right before a piece of code; SMF writes "codeheader"."""
_CELLS = ("td", "th")
_BUTTON, _BUTTON_TAGS = "button", frozenset(("button", "a", "span", "div"))
"""What may be a button that copies code: beside other words, and in a header."""
_COPY_WORDS = frozenset(
    "copy copied kopieren kopiert copier copié copiar copiado copia copiato kopiëren gekopieerd "
    "kopiera kopier kopioi kopiuj kopírovat másolás kopyala copiază копировать скопировать "
    "скопировано копіювати 复制 复制代码 已复制 複製 コピー コードをコピー 복사 نسخ העתק".split()
)
_MAX_WRAPPERS, _MAX_CHILDREN, _MAX_LABEL_ELEMENTS, _MAX_LABEL_CHARS = 3, 8, 12, 60
_EDGES = ".,:;!·•|()[]<>…\u200b"
_WORD = re.compile(r"\w")
_OTHER_NAMES = frozenset(
    "abap actionscript ada apache apex arduino asciidoc asm assembly awk basic bat batch c/c++ cmd "
    "crystal cs csv cuda curl cypher delphi docker dotenv ejs elisp env erb f# fish glsl gradle "
    "haml handlebars haxe hcl hlsl htm jinja jinja2 js json5 jsonc kt liquid lisp log make "
    "markup md mdx mermaid mongodb mysql nasm ndjson objective-c++ opencl plsql postgresql "
    "processing properties proto protobuf ps1 pug py python3 racket rb regex rs rst sas sed "
    "shell-session solidity sparql sqlite stata svelte systemverilog terraform tex tsql tsv twig "
    "txt vb.net visualbasic wat wgsl xhtml xslt".split()
)
"""Names of languages that no class alone tells."""
_BUTTON_WORDS = frozenset(
    "plain plaintext text code snippet console terminal raw view wrap expand collapse download "
    "copy copied clipboard to kopieren kopiert code-block copier copié copiar copiado código copia "
    "copiato codice kopiëren gekopieerd kopiera kopier kopioi kopiuj kopírovat másolás kopyala "
    "copiază копировать скопировать скопировано код копіювати 复制 复制代码 已复制 複製 コピー "
    "コードをコピー 복사 코드 نسخ העתק "
    "select all selected alles auswählen tout sélectionner seleccionar todo seleziona tutto "
    "selecionar tudo todos selecteren zaznacz cały wszystko vybrat vše markera allt tümünü seç "
    "выделить всё все виділити 全选 すべて選択 全て選択 quelltext quellcode kod kód koodi kode "
    "代码 代碼".split()
)
"""Words of buttons beside code, and of labels that name no language."""
_NOT_READ, _PROMPT = ("gist-meta", "enlighter-raw", "documentation-examplebuttons"), "prompt"
"""Classes of what is never read: the line below a gist, code that EnlighterJS shows in lines, too,
and the buttons of pkg.go.dev; and those of prompts."""
SIGNS = (b"gist-meta", b"enlighter-raw", b"documentation-examplebuttons", b"rompt")
"""A page with one of them has its sign."""
_PROMPT_TEXT = re.compile(r"(?:In|Out)\s*\[[\d*\s]*\]\s*:?")
"""What Jupyter writes beside its cells."""


def labels_of(
    elements: Elements | CompiledElements,
    listings: Mapping[etree._Element, Reading],
    signs: AbstractSet[bytes],
) -> dict[etree._Element, Reading]:
    """Return a reading of nothing for the labels that stand beside code, and for nothing else, in
    an element.

    ``listings``: the elements that are code as a ``<pre>`` is. ``signs``: those of ``SIGNS`` that
    the page has.
    """
    found: dict[etree._Element, Reading] = {}
    pres = [elements[place] for place in elements.of_tags(("pre",))]
    for code in (*pres, *listings):
        found |= dict.fromkeys(_labels_beside(code), NO_CODE)
    for pre in pres:
        found |= dict.fromkeys(_labels_in(pre), NO_CODE)
    *others, has_prompts = (sign in signs for sign in SIGNS)
    for place in elements.naming("class", _NOT_READ, MAX_CLASS_CHARS) if any(others) else ():
        found[elements[place]] = NO_CODE
    for place in elements.naming("class", (_PROMPT,), MAX_CLASS_CHARS) if has_prompts else ():
        texts = islice(elements[place].itertext(), _MAX_LABEL_ELEMENTS)
        if _PROMPT_TEXT.fullmatch("".join(map(str, texts)).strip()):
            found[elements[place]] = NO_CODE
    return found


def _labels_in(pre: etree._Element) -> Iterable[etree._Element]:
    """Yield the labels in a ``<pre>`` beside the only ``<code>`` in it."""
    codes = [*islice(pre.iter("code"), 2)]
    if len(codes) != 1 or (codes[0].getparent() is pre and len(pre) == 1):
        return
    yield from (one for one in _labels_beside(codes[0], pre) if one.tag in _LABELS_IN_CODE)


def _labels_beside(
    code: etree._Element, pre: etree._Element | None = None
) -> Iterable[etree._Element]:
    """Yield the labels in the elements that hold the code and nothing but labels; ``pre``: the
    outermost of these elements.
    """
    code = _table_of(code)
    header = code.getprevious()
    if header is not None and _HEADER.search((header.get("class") or "")[:MAX_CLASS_CHARS]):
        yield from [header] if _is_label(header) else _buttons_in(header, _BUTTON_TAGS)
    for _ in range(_MAX_WRAPPERS):
        wrapper = code.getparent()
        if code is pre or wrapper is None or not _may_wrap(wrapper, pre):
            return
        texts = (wrapper.text, *(child.tail for child in wrapper))
        others = [one for one in wrapper.iterchildren(etree.Element) if one is not code]
        labels = [one for one in others if not names_gutter(one.get("class") or "")]
        if any(text and not text.isspace() for text in texts):
            return
        if not all(map(_is_label, labels)):
            yield from (button for one in labels for button in _buttons_in(one, (_BUTTON,)))
            return
        yield from labels
        code = wrapper


def _buttons_in(element: etree._Element, tags: Collection[str]) -> Iterable[etree._Element]:
    """Yield the elements of these tags in a small one that are buttons to copy code."""
    inside = [*islice(element.iter(etree.Element), _MAX_LABEL_ELEMENTS + 1)]
    for one in inside[1:] if len(inside) <= _MAX_LABEL_ELEMENTS else ():
        if one.tag in tags and _is_label(one):
            words = " ".join(map(str, one.itertext())).lower().split()
            if not _COPY_WORDS.isdisjoint(words):
                yield one


def _may_wrap(element: etree._Element, pre: etree._Element | None) -> bool:
    """Return whether an element may hold a piece of code with its labels."""
    if next(islice(element, _MAX_CHILDREN, None), None) is not None:  # len() counts all children
        return False
    if element is pre or element.tag in _WRAPPERS:
        return True
    around = islice(element.iterancestors(), 1)
    classes = " ".join(one.get("class") or "" for one in (element, *around))
    return element.tag in _NAMED_WRAPPERS and _WRAPPER_NAME in classes


def _table_of(code: etree._Element) -> etree._Element:
    """Return the table whose only cell, but for the numbers of lines, is the code, or the code."""
    cell = code.getparent()
    if cell is None or cell.tag not in _CELLS or not is_only_child(code):
        return code
    table = next(cell.iterancestors("table"), None)
    if table is None:
        return code
    cells = [*islice(table.iter(_CELLS), 3)]
    others = [one for one in cells if one is not cell]
    is_alone = len(cells) < 3 and all(names_gutter(one.get("class") or "") for one in others)
    return table if is_alone else code


def _is_label(element: etree._Element) -> bool:
    """Return whether all words of an element name languages or are those of buttons."""
    inside = [*islice(element.iter(etree.Element), _MAX_LABEL_ELEMENTS + 1)]
    tags = {one.tag for one in inside} - _LABEL_TAGS
    if len(inside) > _MAX_LABEL_ELEMENTS or (
        tags and not (tags == {"img"} and TOOLBAR.search(element.get("class") or ""))
    ):
        return False
    text = " ".join(map(str, element.itertext()))
    if len(text) > _MAX_LABEL_CHARS and not text.isspace():
        return False
    words = (word.strip(_EDGES) for word in text.lower().split())
    return all(not _WORD.search(word) or _is_name(word) for word in words)


def _is_name(word: str) -> bool:
    return word in KNOWN_LANGUAGES or word in _OTHER_NAMES or word in _BUTTON_WORDS
