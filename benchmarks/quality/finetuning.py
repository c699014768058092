"""What `train --from` gains on sites and guidelines that the model has not seen, and its costs.

    python -m benchmarks.quality.finetuning --model default --part test \
        --sites DANIEL-WADDLE MSVCODE-BIG9 --guidelines CLEANEVAL L3S-GN1 --world TRAFILATURA-EVAL

The model learns from a few pages of each site, and other pages of the site are labeled before and
after. The world is pages of other sets. With ``--ways labels`` the model learns from twenty labeled
blocks instead of gold; ``adapt`` spreads them over the same pages. For training sets give a folder
of cross-validated models and ``--part train``: each site starts from a model that saw none of its
pages.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.quality.twenty_blocks import spread_over
from scrapy_boilernet.extractor.labelers.model_folder import Tensors
from scrapy_boilernet.lab.evaluation.datasets import (
    DatasetError,
    GoldPage,
    open_dataset,
    read_pages,
)
from scrapy_boilernet.lab.evaluation.floors import is_fold_folder, read_folds
from scrapy_boilernet.lab.evaluation.splits import (
    Part,
    assign,
    domain,
    drawn,
    groups,
    without_leaks,
)
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.boilernet import pooled_predictions
from scrapy_boilernet.lab.training.calibration import decided_f1
from scrapy_boilernet.lab.training.examples import LearningPage, learning_pages
from scrapy_boilernet.lab.training.finetune import (
    FineTuning,
    Start,
    choose,
    loaded,
    open_start,
    taught,
)
from scrapy_boilernet.workers.progress import progress

MIN_PAGES = 14
MOST_TESTED, LEAST_TESTED = 60, 6
MOST_WORLD, MOST_BESIDE = 150, 400
WAYS = {"gold": "gold", "mixed": "gold, others mixed in", "labels": "20 blocks"}
"""What the model learns from, and its name in the report."""
LINK = re.compile(rb"""href=["'](?:[^"']*/web/\d+[^/"']*/)?https?://([\w.-]+)""", re.IGNORECASE)
ARCHIVED = re.compile(r"^https?://[^/]*archive\.org/web/\w+/")
ARCHIVE = b"archive.org"


@dataclass(frozen=True)
class Site:
    """Pages of one site or guideline, and the model that has not seen them."""

    name: str
    model: str
    pages: list[LearningPage]
    """In a random order that is always the same."""


@dataclass(frozen=True)
class Measured:
    """A site after learning from a few of its pages."""

    site: str
    taught_by: int
    """Pages."""
    tested: int
    way: str
    """One of :data:`WAYS`."""
    steps: int
    before: float
    """Mean word-F1 of the start on the tested pages."""
    always: float
    """The same after learning, whether or not a gain was shown."""
    proven: bool
    promised: float
    """The gain in the cross-validation on the pages that teach."""
    world: float
    """Change of the mean word-F1 on pages of other sets."""

    @property
    def decided(self) -> float:
        """Word-F1 with the model that the command keeps: the start where no gain is shown."""
        return self.always if self.proven else self.before


def main() -> None:
    """Measure and write."""
    options = parsed()
    torch.set_num_threads(1)
    report = Report("A few pages of a site teach the model")
    models = Models(options.model)
    sites = [site for path in options.sites for site in of_set(path, options, models, True)]
    sites += [site for path in options.guidelines for site in of_set(path, options, models, False)]
    around = Around(options, models)
    rows: list[Measured] = []
    for site in progress(sites, len(sites), "sites"):
        for number in options.pages:
            rows += measured(site, number, models.start(site.model), around, options)
    write(rows, options, report)


def parsed() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="default", help="or a folder of cross-validated models")
    parser.add_argument("--part", choices=("test", "train", "all"), default="test")
    parser.add_argument("--sites", type=Path, nargs="*", default=[], help="sets of many-page sites")
    parser.add_argument("--guidelines", type=Path, nargs="*", default=[], help="sets taken whole")
    parser.add_argument("--pages", type=int, nargs="+", default=[6, 12, 24], help="that teach")
    parser.add_argument("--world", type=Path, nargs="*", default=[], help="sets of other sites")
    parser.add_argument("--ways", choices=WAYS, nargs="+", default=["gold"], help="what teaches")
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="sets for mixed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser)
    return parser.parse_args()


class Models:
    """The model, or the cross-validated models, to start from."""

    def __init__(self, model: str) -> None:
        folder = Path(model)
        self._model_of = read_folds(folder).model_of if is_fold_folder(folder) else None
        self._folder, self._model = folder, model
        self._starts: dict[str, Start] = {}

    def unseen_by(self, page: GoldPage) -> str | None:
        """Return the model that did not see the page; None if all of them did."""
        if self._model_of is None:
            return self._model
        name = self._model_of.get((page.dataset, page.id))
        return None if name is None else str(self._folder / name)

    def may_know(self, page: GoldPage, model: str) -> bool:
        """Whether the page was not held out of this model, as far as that is known."""
        return self._model_of is None or self.unseen_by(page) != model

    def start(self, name: str) -> Start:
        """Return a model, loaded once."""
        if name not in self._starts:
            self._starts[name] = open_start(name)
        return self._starts[name]


def gold_pages(path: Path, part: str, options: argparse.Namespace) -> list[GoldPage]:
    """Return the pages of a set's part that have gold text."""
    pages = [page for page in read_pages(open_dataset(path, options.cache)) if page.gold]
    parts = assign(pages)
    wanted = {"test": ("test",), "train": ("train", "validation")}.get(part)
    return [p for p, part in zip(pages, parts, strict=True) if wanted is None or part in wanted]


def with_host(page: GoldPage) -> GoldPage:
    """Return the page with its URL, without an archive's prefix. A page without a URL gets that of
    the host that it links to most.
    """
    page = replace(page, url=ARCHIVED.sub("", page.url or "") or None)
    known = not domain(page).endswith(f"/{page.id}")
    return page if known else replace(page, url=linked_host(page.html))


def linked_host(html: bytes) -> str | None:
    """Return the URL of the host that a page links to most, also in an archive's links."""
    hosts = Counter(host for host in LINK.findall(html) if ARCHIVE not in host).most_common(1)
    return f"http://{hosts[0][0].decode('ascii', 'replace')}/" if hosts else None


def of_set(
    path: Path, options: argparse.Namespace, models: Models, by_domain: bool
) -> Iterator[Site]:
    """Yield the sites of a set that have enough pages, or the whole set as one."""
    by_name: dict[tuple[str, str], list[GoldPage]] = defaultdict(list)
    for page in gold_pages(path, options.part, options):
        model = models.unseen_by(page)
        if model is not None:
            site = f"{page.dataset}: {domain(with_host(page))}" if by_domain else page.dataset
            by_name[site, model].append(page)
    for (name, model), pages in sorted(by_name.items()):
        if len(pages) < MIN_PAGES:
            continue
        order = np.random.default_rng(options.seed).permutation(len(pages))
        some = [pages[i] for i in order[: max(options.pages) + MOST_TESTED + LEAST_TESTED]]
        yield Site(name, model, aligned(some, name))


def aligned(pages: Sequence[GoldPage], label: str) -> list[LearningPage]:
    """Return the pages whose gold text is found in them, ready to learn from and to measure."""
    return [page for page in learning_pages(pages, label) if page is not None]


class Around:
    """Pages of other sites: the world that is measured, and those that are mixed in."""

    def __init__(self, options: argparse.Namespace, models: Models) -> None:
        self._models = models
        self._of_world = [p for path in options.world for p in gold_pages(path, "all", options)]
        self._to_mix = [p for path in options.beside for p in gold_pages(path, "train", options)]
        self._worlds: dict[str, list[LearningPage]] = {}
        self._mixed: dict[str, list[LearningPage]] = {}

    def world(self, model: str) -> list[LearningPage]:
        """Return a draw of the world that the model has not seen."""
        if model not in self._worlds:
            pages = [page for page in self._of_world if self._models.unseen_by(page) == model]
            self._worlds[model] = aligned(drawn(pages, MOST_WORLD), "world")
        return self._worlds[model]

    def beside(self, site: Site) -> list[LearningPage]:
        """Return pages to mix in: not held out of the start, and close to no page that is measured.

        "Close" is a near-duplicate, or of the same domain.
        """
        if site.model not in self._mixed:
            pages = [page for page in self._to_mix if self._models.may_know(page, site.model)]
            self._mixed[site.model] = aligned(drawn(pages, MOST_BESIDE), "beside")
        tested = [page.source for page in (*site.pages, *self.world(site.model))]
        pages = self._mixed[site.model]
        both = [*tested, *(page.source for page in pages)]
        first: list[Part] = ["test"] * len(tested)
        parts = without_leaks(both, [*first, *(["train"] * len(pages))])[len(tested) :]
        return [page for page, part in zip(pages, parts, strict=True) if part == "train"]


def measured(
    site: Site, number: int, start: Start, around: Around, options: argparse.Namespace
) -> Iterator[Measured]:
    """Yield the results on the site after learning from so many of its pages, in each way."""
    teaching, others = teaching_and_tested(site.pages, number)
    if len(others) < LEAST_TESTED:
        return
    world = around.world(site.model)
    before = word_f1(start.tensors, start, others)
    world_before = word_f1(start.tensors, start, world)
    settings = FineTuning(seed=options.seed)
    for way in options.ways:
        pages = spread_over(teaching) if way == "labels" else teaching
        beside = around.beside(site) if way == "mixed" else []
        try:
            choice = choose(start, pages, settings, lambda _: None, beside)
        except DatasetError:  # fewer than six different texts
            continue
        _, tensors = taught(start, pages, choice, settings, beside)
        yield Measured(
            site=site.name,
            taught_by=number,
            tested=len(others),
            way=way,
            steps=choice.steps,
            before=float(before.mean()),
            always=float(word_f1(tensors, start, others).mean()),
            proven=choice.proven,
            promised=choice.gain,
            world=float((word_f1(tensors, start, world) - world_before).mean()) if world else 0.0,
        )


def teaching_and_tested(
    pages: Sequence[LearningPage], number: int
) -> tuple[list[LearningPage], list[LearningPage]]:
    """Return the pages that teach, the first ones, and those that are measured, the last ones.

    No measured page is a near-duplicate of one that teaches.
    """
    texts = groups([page.source for page in pages], domains=False)
    learned = set(texts[:number])
    others = [p for p, text in zip(pages, texts, strict=True) if text not in learned]
    return list(pages[:number]), others[-MOST_TESTED:]


def word_f1(tensors: Tensors, start: Start, pages: Sequence[LearningPage]) -> NDArray[np.float64]:
    """Return the word-F1 of each page, as the start decides: (pages,)."""
    network = loaded(start, tensors)
    logits = pooled_predictions(network, pages, start.spec.template_share)
    return decided_f1(pages, logits, start.calibration)


def write(rows: Sequence[Measured], options: argparse.Namespace, report: Report) -> None:
    """Write the tables and the plot."""
    report.text(
        "Word-F1 on other pages of the site or guideline. *Always*: after learning, whether or not "
        "a gain was shown. *Decided*: with the model that the command keeps, the start where no "
        "gain was shown. "
        f"Seed {options.seed}; 95 % bootstrap intervals over sites."
    )
    report.table(
        ["pages", "by", "sites", "before", "gain, always", "worst", "gain, decided", "worst",
         "accepted", "rest of the world"],
        [summed([row for row in rows if (row.way, row.taught_by) == key])
         for key in sorted({(row.way, row.taught_by) for row in rows})],
    )  # fmt: skip
    report.text("Each site. *Promised*: the gain in the cross-validation on the pages that teach.")
    report.table(
        ["site", "pages", "by", "other pages", "steps", "promised", "before", "always",
         "decided", "rest of the world"],
        [
            [row.site, f"{row.taught_by}", WAYS[row.way], f"{row.tested}",
             f"{row.steps}", f"{row.promised:+.3f}", f"{row.before:.3f}", f"{row.always:.3f}",
             f"{row.decided:.3f}", f"{row.world:+.3f}"]
            for row in rows
        ],
    )  # fmt: skip
    report.figures["rows"] = [asdict(row) for row in rows]
    report.write(options, lambda file: plot(rows, file))


def summed(rows: Sequence[Measured]) -> list[str]:
    """Return a row of the summary, over sites with equally many pages that teach."""
    always = [row.always - row.before for row in rows]
    decided = [row.decided - row.before for row in rows]
    before = float(np.mean([row.before for row in rows]))
    world = float(np.mean([row.world for row in rows]))
    return [
        f"{rows[0].taught_by}", WAYS[rows[0].way], f"{len(rows)}", f"{before:.3f}",
        gain(always), f"{min(always):+.3f}", gain(decided), f"{min(decided):+.3f}",
        f"{sum(row.proven for row in rows)}", f"{world:+.3f}",
    ]  # fmt: skip


def gain(gains: Sequence[float]) -> str:
    """Return a mean gain with its interval over sites."""
    low, high = bootstrap_interval(gains)
    return f"{float(np.mean(gains)):+.3f} ({low:+.3f} to {high:+.3f})"


def plot(rows: Sequence[Measured], file: Path) -> None:
    """Draw the gain as decided against the number of pages: a line per site, and their mean.

    If there are several ways, it shows the first.
    """
    from benchmarks.common.drawing import fan  # needs matplotlib

    plain = [row for row in rows if row.way == rows[0].way]
    lines = []
    for site in dict.fromkeys(row.site for row in plain):
        of_site = [row for row in plain if row.site == site]
        gains = [row.decided - row.before for row in of_site]
        lines.append(([0.0, *(float(row.taught_by) for row in of_site)], [0.0, *gains]))
    numbers = sorted({row.taught_by for row in plain})
    means = [
        float(np.mean([row.decided - row.before for row in plain if row.taught_by == number]))
        for number in numbers
    ]
    counts = [sum(row.taught_by == number for row in plain) for number in numbers]
    label = f"mean of the sites with so many pages: {', '.join(map(str, counts))}"
    fan(file, lines, ([0.0, *map(float, numbers)], [0.0, *means]), label,
        ("pages with gold", "gain in word-F1"))  # fmt: skip


if __name__ == "__main__":
    main()
