"""``scrapy boilernet testbed``: what people said of pages against what labelers say of them.

After the test bed of Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields for
Boilerplate Removal in Web Browsers*: a browser opens each page, and precision and recall over its
elements are averaged over the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from scrapy_boilernet.annotations.browser import Chromium, started
from scrapy_boilernet.annotations.placing import Placed, place, places_of
from scrapy_boilernet.annotations.sidecar import AnnotationError, Sidecar, read_sidecars
from scrapy_boilernet.annotations.stored_site import StoredSite
from scrapy_boilernet.classical.block_graph import GraphOptions, block_graph
from scrapy_boilernet.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.labeled import CONTENT
from scrapy_boilernet.labelers.base import Labeler
from scrapy_boilernet.labeling import label_page
from scrapy_boilernet.progress import counted, progress
from scrapy_boilernet.training.adapt import spread_labels

BROWSER = "extension"
SPREAD = "grf"
EVEN = 0.5
_PICTURE_WIDTH, _PICTURE_HEIGHT = 1000, 750


class Judged(NamedTuple):
    """A block with what a person, and what a labeler says of it: whether it is content."""

    right: bool
    said: bool


@dataclass(frozen=True)
class Score:
    """How well one labeler did on one page, by blocks."""

    url: str
    system: str
    blocks: int
    precision: float
    """The share of right ones among the blocks that it calls content; 1 if it calls none so."""
    recall: float
    """The share of the content that it finds; 1 if there is none."""
    accuracy: float
    """The share of blocks that it labels rightly."""

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class Look:
    """A page as it was tested."""

    url: str
    title: str
    scores: tuple[Score, ...]
    picture: bytes
    """PNG of its beginning with what the extension painted; empty if no browser was used."""


def scored(url: str, system: str, judged: Sequence[Judged]) -> Score:
    """Return the scores of one page; ``judged`` has its blocks.

    >>> scored("", "x", [Judged(True, True), Judged(False, True), Judged(False, False)]).precision
    0.5
    """
    kept = sum(block.said for block in judged)
    content = sum(block.right for block in judged)
    both = sum(block.right and block.said for block in judged)
    right = sum(block.right == block.said for block in judged)
    return Score(
        url, system, len(judged),
        precision=both / kept if kept else 1.0,
        recall=both / content if content else 1.0,
        accuracy=right / len(judged) if judged else 1.0,
    )  # fmt: skip


class Extension(NamedTuple):
    """The browser extension that is tested."""

    folder: Path
    """As it is built for tests."""
    model: Path
    """The file of the model that it runs."""


@dataclass(frozen=True)
class Testbed:
    """What is tested, and how."""

    labelers: Sequence[Labeler]
    kinds: frozenset[str]
    """Of the blocks that are content: ``"main"`` and perhaps others."""
    extension: Extension | None
    """None: without a browser."""
    share: float | None
    """Of the labels that are given to the random field, in (0, 1); None: it is not tested."""
    seed: int = 0

    def run(self, paths: Sequence[Path]) -> Iterator[Look]:
        """Yield each page that people annotated.

        Raises ``AnnotationError`` for annotations that cannot be used, or if there is no browser.
        """
        sidecars = [own for own in read_sidecars(paths) if own.is_judged and not own.problem]
        if not sidecars:
            raise AnnotationError(
                "no annotation has its page and a label by a person: correct pages in the browser"
            )
        if self.extension is None:
            yield from self._looks(sidecars, None)
            return
        with StoredSite() as site, started(self.extension.folder, site.resolver) as browser:
            browser.use_model(self.extension.model)
            yield from self._looks(sidecars, partial(_in_browser, browser, site, self.kinds))

    def _looks(
        self,
        sidecars: Sequence[Sidecar],
        browse: Callable[[Sidecar], tuple[Score | None, bytes]] | None,
    ) -> Iterator[Look]:
        for sidecar in progress(sidecars, len(sidecars), "test"):
            placed = place(sidecar)
            scores = [labeler_score(placed, own, self.kinds) for own in self.labelers]
            picture = b""
            if browse:
                own, picture = browse(sidecar)
                scores = [own, *scores] if own else scores
            if self.share is not None:
                spread = spread_score(placed, self.kinds, self.share, self.seed)
                scores += [spread] if spread else []
            yield Look(sidecar.url, sidecar.title, tuple(scores), picture)


def labeler_score(placed: Placed, labeler: Labeler, kinds: frozenset[str]) -> Score:
    """Return how well a labeler does on the page's bytes."""
    said = [label == CONTENT for label in label_page(placed.page, labeler).labels]
    judged = [
        Judged(right, own)
        for right, own, given in zip(placed.marks(kinds), said, placed.given, strict=True)
        if given
    ]
    return scored(placed.sidecar.url, labeler.name, judged)


def spread_score(placed: Placed, kinds: frozenset[str], share: float, seed: int) -> Score | None:
    """Return how well a Gaussian random field does that is given a share of the labels of each
    class, one at least, and judged on the others; None if the page has one class only.

    Which ones are given depends on the seed and the page's bytes, wherever the page stands.
    """
    marks = placed.marks(kinds)
    rng = np.random.default_rng([seed, crc32(placed.sidecar.body)])
    given: dict[tuple[int, int], bool] = {}
    for mark in (True, False):
        own = [i for i, said in enumerate(placed.given) if said and marks[i] == mark]
        if not own:
            return None
        drawn = rng.choice(own, max(round(share * len(own)), 1), replace=False)
        given |= {(0, i): mark for i in drawn.tolist()}
    graph = block_graph([placed.page], GraphOptions())
    (found,) = spread_labels([placed.page], given, False, graph)
    judged = [
        Judged(marks[i], bool(found[i] >= EVEN))
        for i, said in enumerate(placed.given)
        if said and (0, i) not in given
    ]
    return scored(placed.sidecar.url, f"{SPREAD}, {share:.0%} given", judged)


def _in_browser(
    browser: Chromium, site: StoredSite, kinds: frozenset[str], sidecar: Sidecar
) -> tuple[Score | None, bytes]:
    """What the extension says of the page, which runs no scripts, and a picture of that; no score
    if it cannot read it.
    """
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    charset = "utf-8" if sidecar.from_dom else sidecar.charset
    browser.open(site.put(sidecar.url, sidecar.body, charset))
    found = browser.ask_page("labeled") if browser.toggle() else None
    browser.driver.switch_to.window(browser.page_tab)
    picture = browser.driver.get_screenshot_as_png()
    if not found or "texts" not in found:
        return None, picture
    right = [block.kind in kinds and not sidecar.nothing for block in sidecar.blocks]
    judged = [
        Judged(right[own], found["labels"][other] == CONTENT)
        for own, other in places_of(sidecar, found["texts"]).items()
    ]
    return scored(sidecar.url, BROWSER, judged), picture


@dataclass(frozen=True)
class Mean:
    """The mean of a labeler's scores over the pages, each with its 95 % bootstrap interval."""

    system: str
    pages: int
    figures: dict[str, tuple[float, float, float]]
    """Per figure of a score its mean and the interval's ends."""


FIGURES = ("precision", "recall", "f1", "accuracy")


def means(looks: Sequence[Look]) -> list[Mean]:
    """Return the means of each labeler, in the order of the pages' scores."""
    scores: dict[str, list[Score]] = {}
    for look in looks:
        for score in look.scores:
            scores.setdefault(score.system, []).append(score)
    return [
        Mean(
            system, len(own),
            {
                name: (
                    sum(getattr(score, name) for score in own) / len(own),
                    *bootstrap_interval([getattr(score, name) for score in own]),
                )
                for name in FIGURES
            },
        )
        for system, own in scores.items()
    ]  # fmt: skip


def table(looks: Sequence[Look]) -> Iterator[str]:
    """Yield the lines of a Markdown table: each page, then the means."""
    yield "| page | system | blocks | precision | recall | F1 | accuracy |"
    yield "|---|---|---|---|---|---|---|"
    for look in looks:
        for score in look.scores:
            shown = " | ".join(f"{getattr(score, name):.3f}" for name in FIGURES)
            yield f"| {look.url} | {score.system} | {score.blocks} | {shown} |"
    for mean in means(looks):
        shown = " | ".join(
            f"{own:.3f} [{low:.3f}, {high:.3f}]" for own, low, high in mean.figures.values()
        )
        yield f"| mean of {counted(mean.pages, 'page')} | {mean.system} | | {shown} |"
