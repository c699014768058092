"""The labeler ``grf``: labels by rules, spread over the page by a Gaussian random field.

After Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields for Boilerplate
Removal in Web Browsers*, where people label a part of each page. It needs no trained model: rules
label the blocks whose place or look says what they are, and what is like those gets their label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scrapy_boilernet.classical.block_graph import BlockGraph, GraphOptions, block_graph
from scrapy_boilernet.classical.harmonic import spread, strongest_sources
from scrapy_boilernet.classical.seeds import Seed, rule_seeds
from scrapy_boilernet.labelers.base import ModelError
from scrapy_boilernet.labelers.deciding import Decider
from scrapy_boilernet.labelers.model_folder import SPEC_FILE, read_document
from scrapy_boilernet.labelers.reasons import Reason
from scrapy_boilernet.page import Page

FORMAT_VERSION = 1
PRIOR = 0.1
"""P(content) of a block that no label reaches: the share of content in Dragnet's training part."""
THRESHOLD = 0.5
_MAX_REASONS, _SHOWN_CHARS = 3, 40


@dataclass(frozen=True)
class _Field:
    """A page's graph with what the rules label."""

    graph: BlockGraph
    seeds: list[Seed | None]
    known: NDArray[np.bool_]
    """Per node whether a block of it is labeled."""
    labels: NDArray[np.float64]
    """Per node the mean of its labels."""
    first: NDArray[np.int64]
    """Per node a labeled block of it, or 0."""


class GrfLabeler(Decider):
    """Labels each page by itself; the same page gives the same labels."""

    reason_unit = "share of the label that came from there"

    def __init__(self, options: GraphOptions | None = None) -> None:
        super().__init__("grf", "block", THRESHOLD)
        self.options = options or GraphOptions()

    @classmethod
    def load(cls, folder: Path | None) -> Self:
        """Return the labeler with the ``options`` of ``model.json`` in ``folder``, or its own.

        Raises ``ModelError``, naming the folder, if the file is missing or broken.
        """
        if folder is None:
            return cls()
        options: Any = read_document(folder, FORMAT_VERSION).get("options")
        try:
            return cls(GraphOptions(**options))
        except (TypeError, ValueError) as error:
            raise ModelError(
                f"the options of {SPEC_FILE} in {folder} are none of the labeler 'grf': {error}; "
                "see GraphOptions, or leave the folder out"
            ) from error

    def probabilities(self, pages: Sequence[Page]) -> list[NDArray[np.float32]]:
        """Return P(content) per block: per page float32 of shape (len(page.blocks),), in [0, 1]."""
        return [self._spread(page) for page in pages]

    def reasons(self, page: Page) -> list[list[Reason]]:
        """Return per block the rule that labeled it, or the labeled blocks that most of its label
        came from; a weight is a block's share in the label, below 0 for boilerplate.
        """
        if not page.blocks:
            return []
        field = self._field(page)
        found = strongest_sources(field.graph.weights, field.known, _MAX_REASONS)
        return [
            [Reason(seed.rule, "", 1.0 if seed.content else -1.0)]
            if seed
            else _told(page, field, found[0][node], found[1][node])
            for seed, node in zip(field.seeds, field.graph.nodes[0].tolist(), strict=True)
        ]

    def _spread(self, page: Page) -> NDArray[np.float32]:
        if not page.blocks:
            return np.zeros(0, dtype=np.float32)
        field = self._field(page)
        found = spread(field.graph.weights, field.labels, field.known, PRIOR)
        return found[field.graph.nodes[0]].astype(np.float32)

    def _field(self, page: Page) -> _Field:
        graph, seeds = block_graph([page], self.options), rule_seeds(page)
        nodes = graph.nodes[0]
        labeled = np.array([i for i, seed in enumerate(seeds) if seed], dtype=np.int64)
        content = np.array([seed.content for seed in seeds if seed], dtype=np.float64)
        count = len(graph.pages)
        sizes = np.bincount(nodes[labeled], minlength=count)
        sums = np.bincount(nodes[labeled], content, minlength=count)
        first = np.zeros(count, dtype=np.int64)
        first[nodes[labeled[::-1]]] = labeled[::-1]
        return _Field(graph, seeds, sizes > 0, sums / np.maximum(sizes, 1), first)


def _told(
    page: Page, field: _Field, sources: NDArray[np.int64], shares: NDArray[np.float64]
) -> list[Reason]:
    """The labeled blocks behind the label of a block that no rule labels."""
    reasons = []
    for node, share in zip(sources.tolist(), shares.tolist(), strict=True):
        block = int(field.first[node])
        seed = field.seeds[block]
        if share and seed:
            text = page.blocks[block].text[:_SHOWN_CHARS]
            reasons.append(Reason(f'like "{text}"', seed.rule, share if seed.content else -share))
    return reasons
