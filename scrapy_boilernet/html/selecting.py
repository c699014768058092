"""Finds the elements of the kept content in a response, for a spider to go on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrapy_boilernet.page import Page

if TYPE_CHECKING:
    from parsel import Selector, SelectorList


def content_selectors(page: Page, kept: Sequence[bool], response: Any) -> SelectorList[Selector]:
    """Return the elements of the kept blocks, in document order, each once.

    ``response``: the page's, or a selector of it. Raises ``ValueError`` if it is another page's.
    """
    selector = _selector(response)
    if page.flat:
        return _list(selector, [])
    numbers = {block.nodes[-1] for block, keep in zip(page.blocks, kept, strict=True) if keep}
    _check(page, selector)
    return _list(selector, [e for i, e in _elements(selector) if i in numbers])


def link_selectors(
    page: Page, kept: Sequence[bool], response: Any, *, outside: bool
) -> SelectorList[Selector]:
    """Return the ``<a href>`` elements of the kept content, or all others, in document order.

    A link is of the content if its text is, and one without text if the text around it is.
    ``response`` and errors are those of :func:`content_selectors`.
    """
    selector = _selector(response)
    if page.flat:
        return _list(selector, [])
    _check(page, selector)
    own: dict[int, bool] = {}
    around: dict[int, bool] = {}
    for block, keep in zip(page.blocks, kept, strict=True):
        own[block.nodes[-1]] = own.get(block.nodes[-1], False) or keep
        for tag, node in zip(block.tags, block.nodes, strict=True):
            if tag == "a":
                around[node] = around.get(node, False) or keep
    inside: dict[Any, bool] = {}
    links = []
    for number, element in _elements(selector):
        is_kept = own.get(number, inside.get(element.getparent(), False))
        inside[element] = is_kept
        is_link = element.tag == "a" and element.get("href") is not None
        if is_link and around.get(number, is_kept) != outside:
            links.append(element)
    return _list(selector, links)


def _selector(response: Any) -> Selector:
    selector: Selector = getattr(response, "selector", response)
    return selector


def _elements(selector: Selector) -> Iterator[tuple[int, Any]]:
    """The elements of the page with their numbers in document order, as in ``Block.nodes``."""
    root: Any = selector.root
    roots = [root, *root.itersiblings("*")]
    return enumerate(chain.from_iterable(each.iter("*") for each in roots), 1)


def _check(page: Page, selector: Selector) -> None:
    """Raise ``ValueError`` if the elements are not those of the page."""
    tags = {block.nodes[-1]: block.tags[-1] for block in page.blocks}
    found = {number: element.tag for number, element in _elements(selector) if number in tags}
    for number, tag in tags.items():
        # A bare <div> around all of the body counts as the body.
        if found.get(number) != tag and (found.get(number), tag) != ("div", "body"):
            raise ValueError(
                f"element {number} is {found.get(number)!r} in the response and {tag!r} in the "
                f"labeled page {page.url!r}: give the response that was labeled"
            )


def _list(selector: Selector, elements: Sequence[Any]) -> SelectorList[Selector]:
    made = [type(selector)(root=element, type=selector.type) for element in elements]
    return selector.selectorlist_cls(made)
