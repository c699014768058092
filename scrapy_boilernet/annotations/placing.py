"""Puts what was said in the browser onto the blocks that the package reads from the bytes."""

from __future__ import annotations

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

    @property
    def share(self) -> float:
        """The share of the annotated blocks that the page has, in [0, 1]; 1 if there are none."""
        blocks = len(self.sidecar.blocks)
        return sum(own is not None for own in self.given) / blocks if blocks else 1.0

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
    """Return the annotation on the page's blocks: those of equal text, in the same order, as many
    as possible.
    """
    page = read_page(sidecar)
    given: list[SidecarBlock | None] = [None] * len(page.blocks)
    placed: set[int] = set()
    texts = [block.text for block in sidecar.blocks]
    for own, other, length in common_runs(texts, page.texts):
        for step in range(length):
            given[other + step] = sidecar.blocks[own + step]
            placed.add(own + step)
    lost = tuple(
        block for i, block in enumerate(sidecar.blocks) if block.by == "human" and i not in placed
    )
    return Placed(sidecar, page, tuple(given), lost)
