"""Further articles and threads behind a page's own, in its markup; articles cut short or taken out.

A further article is a copy of the page's article in which texts of another training page stand. So
nothing in its markup shows that it is not the page's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
from lxml import etree
from numpy.random import Generator

from scrapy_boilernet.lab.training.boxes import Forms, built
from scrapy_boilernet.lab.training.page_tree import (
    Element,
    PageTree,
    insert_after,
    insert_first,
    mark,
)

SHORT_WORDS = (60, 250)
"""Words to which an article is cut, at least and at most."""
_SLOT = "boilernet-slot"
"""An attribute of elements whose text is replaced; it is in no page that is written."""
_MIN_SHARE = 0.6
"""Share of the content's words that an article's element holds, and of its own words that are
content."""
_MIN_PARAGRAPH_WORDS = 8
_PARAGRAPHS = frozenset(("p", "div", "td", "font", "span", "li", "dd"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4"))
_ROOTS = frozenset(("html", "body"))


@dataclass(frozen=True)
class Donor:
    """The texts of another page."""

    title: str
    paragraphs: tuple[str, ...]

    def beginning(self, words: int) -> Donor:
        """Return the first paragraphs, up to about so many words, the last one cut."""
        kept, left = [], words
        for paragraph in self.paragraphs:
            kept.append(" ".join(paragraph.split()[:left])[: 8 * left])
            left -= len(paragraph.split())
            if left < _MIN_PARAGRAPH_WORDS:
                break
        return Donor(self.title, tuple(kept))


def container_of(tree: PageTree) -> Element | None:
    """Return the element whose children hold the most words of content; None without content."""
    words = tree.content_words()
    sums: dict[Element, float] = {}
    for element, count in zip(tree.elements, words, strict=True):
        parent = element.getparent()
        if count and parent is not None:
            sums[parent] = sums.get(parent, 0.0) + count
    best = max(sums, key=sums.__getitem__, default=None)
    return best if best is not None and sums[best] >= _MIN_SHARE * words.sum() else None


def places_among_paragraphs(tree: PageTree) -> list[Element]:
    """Return the children of the container between which a box can stand: content on both sides,
    and no text of the container itself.
    """
    container = container_of(tree)
    if container is None:
        return []
    words, holders = tree.content_words(), set()
    for i, element in enumerate(tree.elements):
        if words[i] >= _MIN_PARAGRAPH_WORDS and element.getparent() is container:
            holders.add(element)
    found = []
    for element in container:
        after = element.getnext()
        if element in holders and after in holders and not (element.tail or "").strip():
            found.append(element)
    return found


def cut_short(tree: PageTree, rng: Generator) -> bool:
    """Take out what follows the first words of the article; return whether it is short now."""
    container = container_of(tree)
    limit = int(rng.integers(SHORT_WORDS[0], SHORT_WORDS[1] + 1))
    if container is None:
        return False
    words, seen = tree.content_words(), 0.0
    if words.sum() <= limit:
        return True
    for child in [*container]:
        blocks = tree.blocks_in([child])
        count = float(words[blocks].sum())
        if seen >= limit / 2 and seen + count > limit and all(words[i] for i in blocks) and blocks:
            tree.remove(child)
        else:
            seen += count
    left = tree.content_words().sum()
    return bool(SHORT_WORDS[0] / 2 <= left <= 1.2 * SHORT_WORDS[1])


def take_out(tree: PageTree, lines: Sequence[str]) -> bool:
    """Take out all content, and put a message in its place, a heading before paragraphs.

    Return whether no content is left.
    """
    own = [
        element for element, is_own in zip(tree.elements, tree.gold.labels, strict=True) if is_own
    ]
    place = own[0].getparent() if own else None
    if place is None or any(element.tag in _ROOTS for element in own):
        return False
    for element in own:
        if element.getparent() is not None:
            tree.remove(element)
    for line in reversed(lines):
        insert_first(place, mark(built("h1" if line is lines[0] else "p", line)[0]))
    return not tree.content_words().any()


def add_articles(tree: PageTree, donors: Sequence[Donor], forms: Forms, rng: Generator) -> bool:
    """Add whole articles, or full-length teasers, after the page's own; return whether it could."""
    container = container_of(tree)
    if container is None:
        return False
    texts = forms.of_language(tree.gold.source.language)
    article = _article_of(tree, container)
    teasers = rng.random() < 0.5
    new: list[Element] = []
    if rng.random() < 0.4:
        new.append(_heading(article, _drawn(texts["further"], rng)))
    for donor in donors if teasers else donors[: int(rng.integers(1, 4))]:
        cut = donor.beginning(int(rng.integers(40, 160))) if teasers else donor
        more = _drawn(texts["read_more"], rng) if teasers and rng.random() < 0.5 else ""
        new += _filled(tree, article, cut, more)
    _insert(tree, article, [mark(element) for element in new])
    return bool(new)


def add_threads(tree: PageTree, donors: Sequence[Donor], forms: Forms, rng: Generator) -> bool:
    """Add related threads after the page's posts, in their markup; return whether it could."""
    words = tree.content_words()
    post = _last_post(tree)
    if post is None or not words.any():
        return False
    texts = forms.of_language(tree.gold.source.language)
    new: list[Element] = []
    if rng.random() < 0.8:
        new.append(_heading(post, _drawn(texts["threads"], rng)))
    for donor in donors:
        new += _filled(tree, post, donor.beginning(int(rng.integers(12, 70))), "")
    insert_after(post, [mark(element) for element in new])
    return bool(new)


def _article_of(tree: PageTree, container: Element) -> Element:
    """Return the outermost element around the container that is mostly content."""
    content, found = tree.content_words(), container
    words = np.asarray(tree.gold.tokens, dtype=np.float64)
    parent = container.getparent()
    while parent is not None and parent.tag not in _ROOTS and found.tag not in _ROOTS:
        blocks = tree.blocks_in([parent])
        if content[blocks].sum() < _MIN_SHARE * words[blocks].sum():
            break
        found, parent = parent, parent.getparent()
    return found


def _last_post(tree: PageTree) -> Element | None:
    """Return the last of the elements, of one tag and class, that hold the posts of a thread."""
    words = tree.content_words()
    holders = [e for e, count in zip(tree.elements, words, strict=True) if count]
    groups: dict[tuple[Element, str, str], list[Element]] = {}
    for holder in holders:
        for element in (holder, *holder.iterancestors()):
            parent = element.getparent()
            if parent is None or element.tag in _ROOTS:
                break
            group = groups.setdefault((parent, str(element.tag), element.get("class", "")), [])
            if element not in group[-1:]:
                group.append(element)
    several = [group for group in groups.values() if len(group) > 1 and group[0].tag != "p"]
    counted = [
        (sum(words[i] for i in tree.blocks_in(group)), -n, group) for n, group in enumerate(several)
    ]
    return max(counted)[2][-1] if counted else None


def _filled(tree: PageTree, template: Element, donor: Donor, more: str) -> list[Element]:
    """Return copies of the template's elements with the donor's texts."""
    words, inside = tree.content_words(), set(template.iter())
    headed = False
    for element, count in zip(tree.elements, words, strict=True):
        if element not in inside:
            continue
        if element.tag in _HEADINGS and not headed:
            element.set(_SLOT, "title")
            headed = True
        elif count:
            is_text = element.tag in _PARAGRAPHS and count >= _MIN_PARAGRAPH_WORDS
            element.set(_SLOT, "text" if is_text else "other")
    slotted = [element for element in inside if isinstance(element.tag, str) and element.get(_SLOT)]
    copy = deepcopy(template)
    copy.tail = None
    for element in slotted:
        element.attrib.pop(_SLOT)
    parts = [copy]
    if copy.tag in _ROOTS:  # the page itself: only the paragraphs, in an element of their own
        parts = [_paragraphs_of(copy)]
    _fill(parts[0], donor)
    if not headed:
        parts.insert(0, _heading(template, donor.title))
    if more:
        parts.append(_linked("p", more))
    return parts


def _paragraphs_of(root: Element) -> Element:
    box = etree.Element("div")
    for element in [*root.iter()]:
        if isinstance(element.tag, str) and element.get(_SLOT) in ("text", "title"):
            element.tail = None
            box.append(element)
    return box


def _fill(copy: Element, donor: Donor) -> None:
    """Replace the texts of the slots by the donor's; the last slot of a text is repeated."""
    texts, last = [*donor.paragraphs], None
    for slot in [e for e in copy.iter() if isinstance(e.tag, str) and e.get(_SLOT)]:
        kind = slot.attrib.pop(_SLOT)
        if slot is not copy and copy not in slot.iterancestors():  # a slot around it was replaced
            continue
        if kind == "title" or (kind == "text" and texts):
            text = donor.title if kind == "title" else texts.pop(0)
            for child in [*slot]:
                slot.remove(child)
            slot.text, slot.tail = text, None if kind == "text" else slot.tail
            last = slot if kind == "text" else last
        elif (parent := slot.getparent()) is not None:
            parent.remove(slot)
    if last is None or last is copy:
        return
    for text in reversed(texts):
        more = deepcopy(last)
        more.text, more.tail = text, None
        insert_after(last, [more])


def _heading(near: Element, text: str) -> Element:
    """Return a heading with a text; ``near``: the element beside which it will stand."""
    return built(
        "li > h3" if near.tag == "li" else "tr > td > h3" if near.tag == "tr" else "h3", text
    )[0]


def _linked(tag: str, text: str) -> Element:
    outer, inner = built(f"{tag} > a", text)
    inner.set("href", "/more")
    return outer


def _insert(tree: PageTree, article: Element, new: Sequence[Element]) -> None:
    if article.tag not in _ROOTS:
        insert_after(article, new)
        return
    words = tree.content_words()
    last = max(i for i in range(len(words)) if words[i])
    element = tree.elements[last]
    while (parent := element.getparent()) is not None and parent is not article:
        element = parent
    insert_after(element, new)


def _drawn(texts: Sequence[str], rng: Generator) -> str:
    return texts[int(rng.integers(len(texts)))]
