"""Puts the titles of callouts at their beginning, and tells which of them only name the kind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from scrapy_boilernet.extractor.html.callouts import label_of
from scrapy_boilernet.extractor.markup import FORMULA, NOTE, Markup
from scrapy_boilernet.extractor.output.parts import Container, ContentItem, Line, Part, Place

_ROLE = "callout "
_WORD = re.compile(r"\w")


def callouts_and_titles(markup: Markup) -> tuple[Mapping[int, str], AbstractSet[int]]:
    """Return the kind of each callout and the titles, by the numbers of their elements."""
    callouts = {
        node: role.removeprefix(_ROLE) for node, role in markup.roles if role.startswith(_ROLE)
    }
    return callouts, {node for node, role in markup.roles if role == "title"}


def with_titles(
    items: Sequence[ContentItem], places: Sequence[Place], titles: AbstractSet[int]
) -> tuple[list[ContentItem], list[Place]]:
    """Return the items and their places, with a title at the beginning of each callout.

    It is the title of the page, a label such as "Note:" at the beginning of the text, or it has no
    text.
    """
    made: list[ContentItem] = []
    made_places: list[Place] = []
    begun: dict[int, int] = {}
    """The number of the title's element by the number of the callout's; 0: none."""
    for i, (item, place) in enumerate(zip(items, places, strict=True)):
        opened = [
            depth
            for depth, one in enumerate(place.within)
            if is_callout(one) and one.node not in begun
        ]
        own = next((node for node in item.nodes if node in titles), 0)
        for depth in opened:
            callout, around = place.within[depth], place.within[: depth + 1]
            at_title = Place("title", ("title", callout.node), around)
            has_more = i + 1 < len(items) and callout in places[i + 1].within
            begun[callout.node] = own if has_more and depth == opened[-1] else 0
            if not begun[callout.node]:
                is_text = place.kind == "paragraph" and depth == len(place.within) - 1
                label, item = _split(item, callout.label) if is_text else ((), item)
                if not item.line and item.block >= 0 and has_more:  # the label is all of its text
                    item, place = item._replace(line=label), at_title
                    break
                made.append(ContentItem(item.tags, item.nodes, label, -1, "", False))
                made_places.append(at_title)
        last = next((one for one in reversed(place.within) if is_callout(one)), None)
        if own and last is not None and begun.get(last.node) == own:
            depth = place.within.index(last)
            place = Place("title", ("title", last.node), place.within[: depth + 1])
        made.append(item)
        made_places.append(place)
    return made, made_places


def is_callout(container: Container) -> bool:
    """Return whether the container is a callout."""
    return container.kind == "quote" and container.label != ""


def own_title(part: Part) -> tuple[Line, ...]:
    """Return the lines of the title of a callout; () if it only names the kind of the callout, or
    has no word.
    """
    text = " ".join("".join(span.text for span in line) for line in part.lines).strip()
    kinds, end = label_of(text)
    names_kind = end == len(text) and part.within and part.within[-1].label in kinds
    return part.lines if not names_kind and _WORD.search(text) else ()


def _split(item: ContentItem, kind: str) -> tuple[Line, ContentItem]:
    """Return the label of the kind at the beginning of an item, and the item without it.

    The label is in spans of its own, such as bold ones, or ends with a colon or the like.
    """
    text = "".join(span.text for span in item.line)
    kinds, end = label_of(text)
    if kind not in kinds and item.line and item.line[0].marks:
        kinds, end = label_of(item.line[0].text)[0], len(item.line[0].text)
    if kind not in kinds or any(span.src or span.marks & (FORMULA | NOTE) for span in item.line):
        return (), item
    label, rest, place = [], [], 0
    for span in item.line:
        cut = min(max(end - place, 0), len(span.text))
        if cut:
            label.append(span._replace(text=span.text[:cut]))
        if span.text[cut:]:
            rest.append(span._replace(text=span.text[cut:]))
        place += len(span.text)
    return tuple(label), item._replace(line=tuple(rest))
