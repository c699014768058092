"""``scrapy boilernet testbed``: measures labelers on pages that people labeled.

It follows the test bed of Bose and Mukherjee, *Semi-Supervised Method using Gaussian Random Fields
for Boilerplate Removal in Web Browsers*: a browser opens each page, and precision and recall over
its elements are averaged over the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from scrapy_boilernet.extractor.labelers.base import Labeler
from scrapy_boilernet.extractor.labelers.grf.block_graph import GraphOptions, block_graph
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import CONTENT
from scrapy_boilernet.lab.annotations.browser import Chromium, started
from scrapy_boilernet.lab.annotations.placing import Placed, place, places_of
from scrapy_boilernet.lab.annotations.sidecar import AnnotationError, Sidecar, read_sidecars
from scrapy_boilernet.lab.annotations.stored_site import StoredSite
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.adapt import spread_labels
from scrapy_boilernet.workers.progress import counted, progress

BROWSER = "extension"
SPREAD = "grf"
_THRESHOLD = 0.5


class Judged(NamedTuple):
    """Whether a block is content, by a person and by a labeler."""

    gold: bool
    label: bool


@dataclass(frozen=True)
class Score:
    """How well one labeler did on one page, by blocks."""

    url: str
    system: str
    blocks: int
    precision: float
    """The share of the blocks labeled content that are content; 1 if none is labeled so."""
    recall: float
    """The share of the content blocks that are labeled content; 1 if there are none."""
    accuracy: float
    """The share of the blocks with the right label; 1 if there are none."""

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True)
class PageResult:
    """The results on one page."""

    url: str
    title: str
    scores: tuple[Score, ...]
    picture: bytes
    """PNG of the beginning of the page, painted by the extension; empty without a browser."""


def scored(url: str, system: str, judged: Sequence[Judged]) -> Score:
    """Return the scores on one page; ``judged``: its blocks.

    >>> scored("", "x", [Judged(True, True), Judged(False, True), Judged(False, False)]).precision
    0.5
    """
    kept = sum(block.label for block in judged)
    content = sum(block.gold for block in judged)
    both = sum(block.gold and block.label for block in judged)
    right = sum(block.gold == block.label for block in judged)
    return Score(
        url, system, len(judged),
        precision=both / kept if kept else 1.0,
        recall=both / content if content else 1.0,
        accuracy=right / len(judged) if judged else 1.0,
    )  # fmt: skip


class Extension(NamedTuple):
    """The browser extension to test."""

    folder: Path
    """The folder with the extension, built for tests."""
    model: Path
    """The file with the model that it runs."""


@dataclass(frozen=True)
class Testbed:
    """The labelers to test, and the options of the test."""

    labelers: Sequence[Labeler]
    kinds: frozenset[str]
    """The kinds of blocks that are content: ``"main"`` and perhaps others."""
    extension: Extension | None
    """The extension; None: no browser is used."""
    share: float | None
    """The share of the labels that the random field gets, in (0, 1); None: it is not tested."""
    seed: int = 0

    def run(self, paths: Sequence[Path]) -> Iterator[PageResult]:
        """Yield the results on each page that people annotated.

        Raises ``AnnotationError`` for annotations that cannot be used, or if there is no browser.
        """
        sidecars = [each for each in read_sidecars(paths) if each.is_judged and not each.problem]
        if not sidecars:
            raise AnnotationError(
                "no annotation has its page and a label by a person: correct pages in the browser"
            )
        if self.extension is None:
            yield from self._results(sidecars, None)
            return
        with StoredSite() as site, started(self.extension.folder, site.resolver) as browser:
            browser.use_model(self.extension.model)
            yield from self._results(sidecars, partial(_in_browser, browser, site, self.kinds))

    def _results(
        self,
        sidecars: Sequence[Sidecar],
        browse: Callable[[Sidecar], tuple[Score | None, bytes]] | None,
    ) -> Iterator[PageResult]:
        for sidecar in progress(sidecars, len(sidecars), "test"):
            placed = place(sidecar)
            scores = [labeler_score(placed, labeler, self.kinds) for labeler in self.labelers]
            picture = b""
            if browse:
                score, picture = browse(sidecar)
                scores = [score, *scores] if score else scores
            if self.share is not None:
                spread = spread_score(placed, self.kinds, self.share, self.seed)
                scores += [spread] if spread else []
            yield PageResult(sidecar.url, sidecar.title, tuple(scores), picture)


def labeler_score(placed: Placed, labeler: Labeler, kinds: frozenset[str]) -> Score:
    """Return the score of a labeler on the page's bytes."""
    labels = label_page(placed.page, labeler).labels
    judged = [
        Judged(gold, label == CONTENT)
        for gold, label, given in zip(placed.marks(kinds), labels, placed.given, strict=True)
        if given
    ]
    return scored(placed.sidecar.url, labeler.name, judged)


def spread_score(placed: Placed, kinds: frozenset[str], share: float, seed: int) -> Score | None:
    """Return the score of a Gaussian random field; None if the page has one class only.

    The field gets a share of the labels of each class, at least one, and is scored on the others.
    The draw depends on the seed and the page's bytes, not on its URL.
    """
    marks = placed.marks(kinds)
    rng = np.random.default_rng([seed, crc32(placed.sidecar.body)])
    given: dict[tuple[int, int], bool] = {}
    for mark in (True, False):
        of_class = [i for i, block in enumerate(placed.given) if block and marks[i] == mark]
        if not of_class:
            return None
        drawn = rng.choice(of_class, max(round(share * len(of_class)), 1), replace=False)
        given |= {(0, i): mark for i in drawn.tolist()}
    graph = block_graph([placed.page], GraphOptions())
    (found,) = spread_labels([placed.page], given, False, graph)
    judged = [
        Judged(marks[i], bool(found[i] >= _THRESHOLD))
        for i, block in enumerate(placed.given)
        if block and (0, i) not in given
    ]
    return scored(placed.sidecar.url, f"{SPREAD}, {share:.0%} given", judged)


def _in_browser(
    browser: Chromium, site: StoredSite, kinds: frozenset[str], sidecar: Sidecar
) -> tuple[Score | None, bytes]:
    """Return (score of the extension, screenshot of the page) without the page's scripts.

    The score is None if the extension cannot read the page.
    """
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    charset = "utf-8" if sidecar.from_dom else sidecar.charset
    browser.open(site.put(sidecar.url, sidecar.body, charset))
    found = browser.ask_page("labeled") if browser.toggle() else None
    browser.driver.switch_to.window(browser.page_tab)
    picture = browser.driver.get_screenshot_as_png()
    if not found or "texts" not in found:
        return None, picture
    gold = [block.kind in kinds and not sidecar.nothing for block in sidecar.blocks]
    judged = [
        Judged(gold[i], found["labels"][index] == CONTENT)
        for i, index in places_of(sidecar, found["texts"]).items()
    ]
    return scored(sidecar.url, BROWSER, judged), picture


@dataclass(frozen=True)
class Mean:
    """The mean of a labeler's scores over the pages, each with its 95 % bootstrap interval."""

    system: str
    pages: int
    figures: dict[str, tuple[float, float, float]]
    """(mean, lower end, upper end of the interval) by the name of the figure."""


FIGURES = ("precision", "recall", "f1", "accuracy")


def means(pages: Sequence[PageResult]) -> list[Mean]:
    """Return the means of each labeler, in the order of the pages' scores."""
    scores: dict[str, list[Score]] = {}
    for page in pages:
        for score in page.scores:
            scores.setdefault(score.system, []).append(score)
    return [
        Mean(
            system, len(of_system),
            {
                name: (
                    sum(getattr(score, name) for score in of_system) / len(of_system),
                    *bootstrap_interval([getattr(score, name) for score in of_system]),
                )
                for name in FIGURES
            },
        )
        for system, of_system in scores.items()
    ]  # fmt: skip


def table(pages: Sequence[PageResult]) -> Iterator[str]:
    """Yield the lines of a Markdown table: each page, then the means."""
    yield "| page | system | blocks | precision | recall | F1 | accuracy |"
    yield "|---|---|---|---|---|---|---|"
    for page in pages:
        for score in page.scores:
            shown = " | ".join(f"{getattr(score, name):.3f}" for name in FIGURES)
            yield f"| {page.url} | {score.system} | {score.blocks} | {shown} |"
    for mean in means(pages):
        shown = " | ".join(
            f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in mean.figures.values()
        )
        yield f"| mean of {counted(mean.pages, 'page')} | {mean.system} | | {shown} |"
