"""Places annotations from the browser on the blocks that are read from the page's bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.encoding import unpack
from scrapy_boilernet.extractor.options import MAX_BYTES
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.lab.annotations.sidecar import Sidecar, SidecarBlock
from scrapy_boilernet.lab.evaluation.align import common_runs


@dataclass(frozen=True)
class Placed:
    """An annotation on the blocks of its page."""

    sidecar: Sidecar
    page: Page
    given: tuple[SidecarBlock | None, ...]
    """Per block of the page its label; None for a block that the browser did not show."""
    lost: tuple[SidecarBlock, ...]
    """Blocks with a person's label that the page's bytes do not have."""
    share: float
    """The share of the blocks shown by the browser that the page has, in [0, 1]; 1 if there were
    none."""

    @property
    def by_human(self) -> int:
        """The number of the page's blocks that a person labeled."""
        return sum(given is not None and given.by == "human" for given in self.given)

    def marks(self, kinds: frozenset[str]) -> list[bool]:
        """Return per block whether its kind is one of these; blocks without a label are not."""
        if self.sidecar.nothing:
            return [False] * len(self.given)
        return [given is not None and given.kind in kinds for given in self.given]


def read_page(sidecar: Sidecar) -> Page:
    """Return the page's blocks, without any if the sidecar has no bytes."""
    body = unpack(sidecar.body, MAX_BYTES)[0]
    known = {"encoding": "utf-8"} if sidecar.from_dom else {"charset": sidecar.charset or None}
    return blockify(body, sidecar.url, **known)


def place(sidecar: Sidecar) -> Placed:
    """Return the annotation on the page's blocks."""
    page = read_page(sidecar)
    places = places_of(sidecar, page.texts)
    given: list[SidecarBlock | None] = [None] * len(page.blocks)
    for i, index in places.items():
        given[index] = sidecar.blocks[i]
    lost = tuple(
        block for i, block in enumerate(sidecar.blocks) if block.by == "human" and i not in places
    )
    shown = sidecar.shown
    found = sum(i < shown for i in places)
    return Placed(sidecar, page, tuple(given), lost, found / shown if shown else 1.0)


def places_of(sidecar: Sidecar, texts: Sequence[str]) -> dict[int, int]:
    """Return the indexes of the annotation's blocks in a page's texts, without those not found.

    Blocks that the browser showed are aligned with equal texts in the same order, as many as
    possible. Other blocks with a person's label, such as those that scripts removed later, get an
    equal text that is left.
    """
    shown = [block.text for block in sidecar.blocks[: sidecar.shown]]
    places = {
        i + step: index + step
        for i, index, length in common_runs(shown, texts)
        for step in range(length)
    }
    taken = set(places.values())
    free: defaultdict[str, list[int]] = defaultdict(list)
    for index in range(len(texts) - 1, -1, -1):
        if index not in taken:
            free[texts[index]].append(index)
    for i, block in enumerate(sidecar.blocks):
        if i not in places and block.by == "human" and free[block.text]:
            places[i] = free[block.text].pop()
    return places
