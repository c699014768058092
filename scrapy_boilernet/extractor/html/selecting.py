"""Finds the elements of the kept content in a response, so that a spider can select in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrapy_boilernet.extractor.html.paths import SIDE_NOTES
from scrapy_boilernet.extractor.html.sentences import COUNTS_AS
from scrapy_boilernet.extractor.page import Page

if TYPE_CHECKING:
    from parsel import Selector, SelectorList

_COUNTED_AS = SIDE_NOTES | {
    COUNTS_AS, "math", "img", "pre", "div", "blockquote", "sup", "sub",
    "ul", "li", "table", "tbody", "tr", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6",
}  # fmt: skip
"""Tags as which other elements count: those in a sentence, formulas, emoji and notes; code, quotes
and raised texts by their names; lists, tables and headings by their roles."""


def content_selectors(page: Page, kept: Sequence[bool], response: Any) -> SelectorList[Selector]:
    """Return the elements of the kept blocks, in document order, each once.

    ``response``: the response of the page, or its selector. Raises ``ValueError`` if it is of
    another page.
    """
    selector = _selector(response)
    if page.flat:
        return _selector_list(selector, [])
    numbers = {block.nodes[-1] for block, keep in zip(page.blocks, kept, strict=True) if keep}
    _check(page, selector)
    return _selector_list(selector, [e for i, e in _elements(selector) if i in numbers])


def link_selectors(
    page: Page, kept: Sequence[bool], response: Any, *, outside: bool
) -> SelectorList[Selector]:
    """Return the ``<a href>`` elements of the kept content in document order, or all others.

    A link belongs to the content if its text does. A link without text belongs to it if the text
    around the link does. ``response`` and errors are as in :func:`content_selectors`.
    """
    selector = _selector(response)
    if page.flat:
        return _selector_list(selector, [])
    _check(page, selector)
    kept_by_number: dict[int, bool] = {}
    kept_by_link: dict[int, bool] = {}
    for block, keep in zip(page.blocks, kept, strict=True):
        number = block.nodes[-1]
        kept_by_number[number] = kept_by_number.get(number, False) or keep
        for tag, node in zip(block.tags, block.nodes, strict=True):
            if tag == "a":
                kept_by_link[node] = kept_by_link.get(node, False) or keep
    kept_by_element: dict[Any, bool] = {}
    links = []
    for number, element in _elements(selector):
        is_kept = kept_by_number.get(number, kept_by_element.get(element.getparent(), False))
        kept_by_element[element] = is_kept
        is_link = element.tag == "a" and element.get("href") is not None
        if is_link and kept_by_link.get(number, is_kept) != outside:
            links.append(element)
    return _selector_list(selector, links)


def _selector(response: Any) -> Selector:
    selector: Selector = getattr(response, "selector", response)
    return selector


def _elements(selector: Selector) -> Iterator[tuple[int, Any]]:
    """Return the elements of the page in document order, with their numbers of ``Block.nodes``."""
    root: Any = selector.root
    roots = [root, *root.itersiblings("*")]
    return enumerate(chain.from_iterable(each.iter("*") for each in roots), 1)


def _check(page: Page, selector: Selector) -> None:
    """Raise ``ValueError`` if the elements are not the elements of the page."""
    tags = {block.nodes[-1]: block.tags[-1] for block in page.blocks}
    found = {number: element.tag for number, element in _elements(selector) if number in tags}
    for number, tag in tags.items():
        # A bare <div> around all of the body counts as the body, and other elements as one in line.
        own = found.get(number)
        counts_as = (own, tag) == ("div", "body") or (own is not None and tag in _COUNTED_AS)
        if own != tag and not counts_as:
            raise ValueError(
                f"element {number} is {found.get(number)!r} in the response and {tag!r} in the "
                f"labeled page {page.url!r}: give the response that was labeled"
            )


def _selector_list(selector: Selector, elements: Sequence[Any]) -> SelectorList[Selector]:
    made = [type(selector)(root=element, type=selector.type) for element in elements]
    return selector.selectorlist_cls(made)
