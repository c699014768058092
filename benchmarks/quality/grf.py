"""How well a few labels spread over a page, and over a site, by a Gaussian random field.

    python -m benchmarks.quality.grf --news L3S-GN1 GOOGLETRENDS2017 --sites DANIEL-WADDLE

The first part is the experiment of Bose and Mukherjee: a fifth of the blocks of every page is
labeled, at random, and the others' labels are measured. The second is ``scrapy boilernet adapt``:
twenty blocks of three pages of a site are labeled, and its other pages are measured.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.labelers.grf.block_graph import (
    BlockGraph,
    GraphOptions,
    block_graph,
)
from scrapy_boilernet.extractor.labelers.grf.harmonic import spread
from scrapy_boilernet.extractor.labelers.grf.labeler import GrfLabeler, rule_seeds
from scrapy_boilernet.lab.evaluation.datasets import GoldPage, open_dataset, read_pages
from scrapy_boilernet.lab.evaluation.splits import domain
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval, interval_of, resamples
from scrapy_boilernet.lab.training.adapt import spread_labels
from scrapy_boilernet.lab.training.gold import GoldBlocks, all_gold_blocks
from scrapy_boilernet.workers.progress import progress

OURS = GraphOptions()
OUT = float("inf")
GRAPHS = {
    "all": OURS,
    "text only": GraphOptions(numbers=OUT, path=OUT, classes=OUT, adjacent=0.0),
    "text and numbers": replace(OURS, path=OUT, classes=OUT, adjacent=0.0),
    "tag path and classes": replace(OURS, text=OUT, numbers=OUT, adjacent=0.0),
    "all but adjacent blocks": replace(OURS, adjacent=0.0),
    "adjacent blocks, text and numbers": replace(OURS, path=OUT, classes=OUT),
}
SHARE, SEEDS = 0.2, range(5)
MIN_BLOCKS = 5
"""Least blocks of a page, so that a fifth of them can be labeled."""
LABELED_PAGES, LABELED_BLOCKS, MIN_PAGES = 3, 20, 15

LINK = re.compile(rb"""href=["'](?:[^"']*/web/\d+[^/"']*/)?https?://([\w.-]+)""", re.IGNORECASE)
ARCHIVED = re.compile(r"^https?://[^/]*archive\.org/web/\w+/")
ARCHIVE = b"archive.org"

Marks = NDArray[np.bool_]
Labels = dict[str, list[Marks]]


@dataclass
class Counted:
    """Counts of a page, summed over seeds."""

    right: float = 0.0
    hits: float = 0.0
    wrong: float = 0.0
    blocks: float = 0.0

    def add(self, kept: Marks, gold: Marks) -> None:
        self.right += float((kept == gold).sum())
        self.hits += float((kept & gold).sum())
        self.wrong += float((kept != gold).sum())
        self.blocks += len(gold)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--news", type=Path, nargs="*", default=[], help="sets of single pages")
    parser.add_argument("--sites", type=Path, nargs="*", default=[], help="sets of many-page sites")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--most", type=int, help="so many pages of each set only")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Labels spread by a Gaussian random field")
    for path in options.news:
        news(read(path, options), report)
    for path in options.sites:
        sites(read(path, options), report)
    report.write(options, None)


def read(path: Path, options: argparse.Namespace) -> list[GoldBlocks]:
    """Return the pages of a set whose gold text is found in their blocks; see :func:`with_host`."""
    pages = [page for page in read_pages(open_dataset(path, options.cache)) if page.gold]
    pages = [with_host(page) for page in pages]
    pages_or_none = all_gold_blocks(pages[: options.most], "block")
    return [page for page in pages_or_none if page is not None]


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


def news(pages: Sequence[GoldBlocks], report: Report) -> None:
    """Label a fifth of each page's blocks and measure the others."""
    counted: dict[str, list[Counted]] = {}
    pages = [page for page in pages if len(page.labels) >= MIN_BLOCKS]
    for number, page in enumerate(progress(pages, len(pages), "news")):
        graphs = {name: block_graph([page.page], options) for name, options in GRAPHS.items()}
        rules = np.array([bool(seed and seed.content) for seed in rule_seeds(page.page)])
        alone = GrfLabeler().probabilities([page.page])[0] >= 0.5
        mine: dict[str, Counted] = {}
        for seed in SEEDS:
            known = drawn(len(page.labels), np.random.default_rng([seed, number]))
            kept = {"all boilerplate": np.zeros_like(known), "rules alone": rules}
            kept["rules, spread (no block labeled)"] = alone
            for name, graph in graphs.items():
                kept[f"labels spread: {name}"] = spread_page(page.labels, known, graph)
            name = "labels spread: all, class mass normalized"
            kept[name] = spread_page(page.labels, known, graphs["all"], True)
            for name, marks in kept.items():
                mine.setdefault(name, Counted()).add(marks[~known], page.labels[~known])
        for name, count in mine.items():
            counted.setdefault(name, []).append(count)
    write_news(pages, counted, report)


def drawn(blocks: int, rng: np.random.Generator) -> Marks:
    """Mark a random fifth of the blocks."""
    known = np.zeros(blocks, dtype=np.bool_)
    known[rng.permutation(blocks)[: max(1, round(SHARE * blocks))]] = True
    return known


def spread_page(gold: Marks, known: Marks, graph: BlockGraph, mass: bool = False) -> Marks:
    """Return per block whether it is content when the known labels are spread."""
    nodes, count = graph.nodes[0], len(graph.pages)
    sizes = np.bincount(nodes[known], minlength=count)
    labels = np.bincount(nodes[known], gold[known], minlength=count) / np.maximum(sizes, 1)
    share = float(gold[known].mean())
    content = spread(graph.weights, labels, sizes > 0, share, share if mass else None)
    return np.asarray(content[nodes] >= 0.5)


def write_news(
    pages: Sequence[GoldBlocks], counted: dict[str, list[Counted]], report: Report
) -> None:
    """Add the table of a set."""
    name = pages[0].source.dataset
    draws = resamples(len(pages))
    rows, figures = [], {}
    for system, counts in counted.items():
        columns = [[getattr(c, f) for c in counts] for f in ("right", "hits", "wrong", "blocks")]
        right, hits, wrong, blocks = np.array(columns)
        accuracy = right.sum() / blocks.sum()
        low, high = interval_of((draws @ right) / (draws @ blocks))
        f1 = 2 * hits.sum() / max(2 * hits.sum() + wrong.sum(), 1)
        by_page = float((right / blocks).mean())
        figures[system] = {
            "accuracy": accuracy, "low": low, "high": high, "page accuracy": by_page, "f1": f1,
        }  # fmt: skip
        shown = f"{accuracy:.3f} ({low:.3f} to {high:.3f})"
        rows.append([system, shown, f"{by_page:.3f}", f"{f1:.3f}"])
    report.text(
        f"## {name}: a fifth of each page's blocks labeled\n\n{len(pages)} pages of "
        f"{MIN_BLOCKS} blocks or more; random labels of seeds {SEEDS[0]} to {SEEDS[-1]}; measured "
        "on the other blocks, with the 95 % bootstrap interval over pages."
    )
    report.table(["labels", "accuracy by blocks", "mean of pages", "F1 of content blocks"], rows)
    report.figures[f"news {name}"] = figures


def sites(pages: Sequence[GoldBlocks], report: Report) -> None:
    """Label twenty blocks of three pages of each site and measure its other pages."""
    by_site: dict[str, list[GoldBlocks]] = {}
    for page in pages:
        by_site.setdefault(domain(page.source), []).append(page)
    large = {name: pages for name, pages in by_site.items() if len(pages) >= MIN_PAGES}
    scores: dict[str, list[tuple[float, float]]] = {}
    for site in progress(large.values(), len(large), "sites"):
        for system, values in of_site(site).items():
            scores.setdefault(system, []).extend(values)
    write_sites(pages[0].source.dataset, large, scores, report)


def of_site(site: Sequence[GoldBlocks]) -> dict[str, list[tuple[float, float]]]:
    """Return per system and page (block accuracy, word-F1), means over the seeds."""
    pages = [page.page for page in site]
    graph = block_graph(pages, OURS)
    labeler = GrfLabeler()
    fixed = {
        "rules alone": [
            np.array([bool(s and s.content) for s in rule_seeds(page)], dtype=np.bool_)
            for page in pages
        ],
        "rules, spread over each page": [p >= 0.5 for p in labeler.probabilities(pages)],
        "rules, spread over the site": kept_of(spread_labels(pages, {}, True, graph)),
    }
    sums: dict[str, dict[int, list[tuple[float, float]]]] = {}
    for seed in SEEDS:
        given = drawn_blocks(site, np.random.default_rng(seed))
        systems: Labels = {
            **fixed,
            "20 labels, spread": kept_of(spread_labels(pages, given, False, graph)),
            "20 labels and rules, spread": kept_of(spread_labels(pages, given, True, graph)),
        }
        seen = {number for number, _ in given}
        for system, marks in systems.items():
            for number in set(range(len(site))) - seen:
                value = measured(site[number], marks[number])
                sums.setdefault(system, {}).setdefault(number, []).append(value)
    return {
        system: [
            (float(np.mean([a for a, _ in v])), float(np.mean([f for _, f in v])))
            for v in by.values()
        ]
        for system, by in sums.items()
    }


def kept_of(scores: Sequence[NDArray[np.float32]]) -> list[Marks]:
    """Return per page which blocks are content."""
    return [content >= 0.5 for content in scores]


def drawn_blocks(
    site: Sequence[GoldBlocks], rng: np.random.Generator
) -> dict[tuple[int, int], bool]:
    """Draw blocks of three pages, half of them content where there are so many."""
    given: dict[tuple[int, int], bool] = {}
    numbers = rng.permutation(len(site))[:LABELED_PAGES].tolist()
    for turn, number in enumerate(numbers):
        left = LABELED_BLOCKS - len(given)
        wanted = left // (len(numbers) - turn)
        gold = site[number].labels
        content, others = (rng.permutation(np.flatnonzero(gold == kind)) for kind in (True, False))
        both = [*content[: wanted // 2].tolist()]
        both += others[: wanted - len(both)].tolist()
        given |= {(number, i): bool(gold[i]) for i in both}
    return given


def measured(page: GoldBlocks, kept: Marks) -> tuple[float, float]:
    """Return block accuracy and the F1 of the words that are kept."""
    gold, words = page.labels, page.tokens
    total = float((words * kept).sum() + (words * gold).sum())
    f1 = 2 * float((words * (kept & gold)).sum()) / total if total else 1.0
    return float((kept == gold).mean()), f1


def write_sites(
    name: str,
    large: dict[str, list[GoldBlocks]],
    scores: dict[str, list[tuple[float, float]]],
    report: Report,
) -> None:
    """Add the table of the sites."""
    rows, figures = [], {}
    base = np.array(scores["rules alone"])
    for system, values in scores.items():
        figures_of_pages = np.array(values)
        low, high = bootstrap_interval(figures_of_pages[:, 1].tolist())
        less, more = bootstrap_interval((figures_of_pages - base)[:, 1].tolist())
        accuracy, f1 = figures_of_pages.mean(axis=0).tolist()
        gain = f1 - float(base[:, 1].mean())
        figures[system] = {
            "accuracy": accuracy, "f1": f1, "low": low, "high": high, "gain": gain,
        }  # fmt: skip
        rows.append(
            [
                system, f"{accuracy:.3f}", f"{f1:.3f} ({low:.3f} to {high:.3f})",
                f"{gain:+.3f} ({less:+.3f} to {more:+.3f})",
            ]
        )  # fmt: skip
    report.text(
        f"## {name}: {LABELED_BLOCKS} blocks of {LABELED_PAGES} pages of a site labeled\n\n"
        f"{len(large)} sites of {MIN_PAGES} pages or more, {len(base)} pages; labels drawn for "
        f"seeds {SEEDS[0]} to {SEEDS[-1]}; measured on the pages without given labels; means over "
        "pages with 95 % bootstrap intervals."
    )
    report.table(["labels", "block accuracy", "word F1", "word F1 over rules alone"], rows)
    report.figures[f"sites {name}"] = figures


if __name__ == "__main__":
    main()
