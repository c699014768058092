"""Puts what was said in the browser onto the blocks that the package reads from the bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_boilernet.annotations.sidecar import Sidecar, SidecarBlock
from scrapy_boilernet.evaluation.align import common_runs
from scrapy_boilernet.html.blockify import blockify
from scrapy_boilernet.html.decode import unpack
from scrapy_boilernet.options import MAX_BYTES
from scrapy_boilernet.page import Page


@dataclass(frozen=True)
class Placed:
    """An annotation on the blocks of its page."""

    sidecar: Sidecar
    page: Page
    given: tuple[SidecarBlock | None, ...]
    """Per block of the page what is said of it; None for a block that the browser did not show."""
    lost: tuple[SidecarBlock, ...]
    """What a person said of blocks that the page's bytes do not have."""
    share: float
    """Of the blocks that the browser showed, those that the page has, in [0, 1]; 1 if there were
    none."""

    @property
    def by_human(self) -> int:
        """How many blocks of the page a person labeled."""
        return sum(own is not None and own.by == "human" for own in self.given)

    def marks(self, kinds: frozenset[str]) -> list[bool]:
        """Return per block whether its kind is one of these; blocks without a label are not."""
        if self.sidecar.nothing:
            return [False] * len(self.given)
        return [own is not None and own.kind in kinds for own in self.given]


def read_page(sidecar: Sidecar) -> Page:
    """Return the page's blocks, without any if the sidecar has no bytes."""
    body = unpack(sidecar.body, MAX_BYTES)[0]
    order = {"encoding": "utf-8"} if sidecar.from_dom else {"charset": sidecar.charset or None}
    return blockify(body, sidecar.url, **order)


def place(sidecar: Sidecar) -> Placed:
    """Return the annotation on the page's blocks."""
    page = read_page(sidecar)
    places = places_of(sidecar, page.texts)
    given: list[SidecarBlock | None] = [None] * len(page.blocks)
    for own, other in places.items():
        given[other] = sidecar.blocks[own]
    lost = tuple(
        block for i, block in enumerate(sidecar.blocks) if block.by == "human" and i not in places
    )
    shown = sidecar.shown
    found = sum(own < shown for own in places)
    return Placed(sidecar, page, tuple(given), lost, found / shown if shown else 1.0)


def places_of(sidecar: Sidecar, texts: Sequence[str]) -> dict[int, int]:
    """Return per block of the annotation its place in a page's texts, if it has one.

    Blocks that the browser showed are those of equal text, in the same order, as many as possible.
    What else a person labeled, also before the page's scripts took it away, is wherever its text
    stands otherwise.
    """
    shown = [block.text for block in sidecar.blocks[: sidecar.shown]]
    places = {
        own + step: other + step
        for own, other, length in common_runs(shown, texts)
        for step in range(length)
    }
    taken = set(places.values())
    free: defaultdict[str, list[int]] = defaultdict(list)
    for other in range(len(texts) - 1, -1, -1):
        if other not in taken:
            free[texts[other]].append(other)
    for own, block in enumerate(sidecar.blocks):
        if own not in places and block.by == "human" and free[block.text]:
            places[own] = free[block.text].pop()
    return places
