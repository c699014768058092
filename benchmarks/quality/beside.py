"""How often what stands beside an article is taken for content, and how often a dialog costs the
headline.

    python -m benchmarks.quality.beside by-hand wcxb-dev --model FOLDS --out-markdown FILE

A consent dialog, a sign-up box or "read also" lines are put into real articles. Their products,
languages and phrases are those of ``beside.toml``, which trains no model. Articles get a dialog
after they were cut to 60 to 250 words, since a long article makes it easy to tell a dialog.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.splits import evaluation_pages
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.evaluation.systems import System, labeler_systems
from scrapy_boilernet.lab.training.boxes import read_forms
from scrapy_boilernet.lab.training.gold import GoldBlocks, gold_blocks
from scrapy_boilernet.lab.training.page_tree import Changed
from scrapy_boilernet.lab.training.varied import Variations, Varier
from scrapy_boilernet.workers.progress import progress

FORMS = Path(__file__).with_name("beside.toml")
KINDS = {
    "consent dialogs, short articles": Variations(consent=1.0, short=1.0),
    "consent dialogs": Variations(consent=1.0),
    "sign-up boxes": Variations(sign_up=1.0),
    '"read also" lines': Variations(read_also=1.0),
    "further articles": Variations(further=1.0),
    "further articles, short articles": Variations(further=1.0, short=1.0),
    "related threads": Variations(threads=1.0),
}
_EXPLAINED = """\
Shares of pages, with 95 % bootstrap intervals. `kept`: a block of what was added is content. `half
kept`: blocks with at least half of its words are. `recall`: the share of the words of the article
that is content. `headline lost`: of pages whose headline is found without the dialog and stands
behind it, those on which it is not found with the dialog. What is added to articles stands on pages
of the types `article` and `documentation` and of no type, threads on pages of the type `forum`."""


TYPES = (None, "article", "documentation", "forum")


@dataclass(frozen=True)
class Kept:
    """What is kept of a page with an addition."""

    any: bool
    half: bool
    recall: float
    headline_lost: bool | None
    """None if there is no headline behind the addition."""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", action="append", help="as for evaluate; repeatable")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    parser.add_argument("--pages", type=int, default=150, help="of each set at most (default: 150)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: 0)")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("What stands beside the article")
    report.text(_EXPLAINED)
    rows = []
    for system in labeler_systems(options.model or ["default"]):
        pages = list(readable(pages_for(system, options)))
        for kind, variations in KINDS.items():
            found = measured(system, pages, variations, options.seed)
            rows.append(row_of(system.name, kind, found, report))
    report.table(["model", "what", "pages", "kept", "half kept", "recall", "headline lost"], rows)
    report.write(options, None)


def pages_for(system: System, options: argparse.Namespace) -> list[GoldPage]:
    """Return the articles and threads that the system may label."""
    only = system.folds.model_of if system.folds else None
    chosen = evaluation_pages(options.sets, options.cache, "all", None, only).pages
    pages = []
    for name in dict.fromkeys(page.dataset for page in chosen):
        own = [p for p in chosen if p.dataset == name and p.gold and p.page_type in TYPES]
        picks = np.random.default_rng(options.seed).permutation(len(own))[: options.pages]
        pages += [own[i] for i in sorted(picks)]
    return pages


def readable(pages: Sequence[GoldPage]) -> Iterator[tuple[GoldPage, GoldBlocks]]:
    """Yield the pages whose gold is on them, with their blocks."""
    for source in pages:
        if gold := gold_blocks(source, "block"):
            yield source, gold


def measured(
    system: System, pages: Sequence[tuple[GoldPage, GoldBlocks]], variations: Variations, seed: int
) -> list[Kept]:
    """Return what is kept of each page to which something could be added."""
    varier = Varier(variations, [gold for _, gold in pages], seed, read_forms(FORMS))
    found = []
    for source, gold in progress(pages, len(pages), system.name):
        made = varier.varied(source, gold)
        if made is not None and (kept := kept_of(system, source, made)):
            found.append(kept)
    return found


def kept_of(system: System, source: GoldPage, made: Changed) -> Kept | None:
    """Return what is kept; None if nothing was added, or the page is not read as it was made."""
    before, result = system.extract(source).labeled, system.extract(made.source).labeled
    added, after = made.added, made.gold
    if before is None or result is None or result.page.texts != after.page.texts:
        return None
    if not added.any():
        return None
    kept = np.array(result.kept, dtype=np.bool_)
    own = after.tokens * after.targets
    return Kept(
        bool((kept & added).any()),
        bool(after.tokens[kept & added].sum() >= after.tokens[added].sum() / 2),
        float(own[kept].sum() / max(own.sum(), 1)),
        headline_lost(before, result, int(np.argmax(added))),
    )


def headline_lost(before: LabeledPage, after: LabeledPage, first: int) -> bool | None:
    """Return whether the headline is not found any more; ``first``: the first block added."""
    titles = [t for t, kind in zip(before.page.texts, before.kinds, strict=True) if kind == "title"]
    if not titles or titles[0] not in after.page.texts[first:]:
        return None
    pairs = zip(after.page.texts, after.kinds, strict=True)
    return not any(kind == "title" and text == titles[0] for text, kind in pairs)


def row_of(model: str, kind: str, found: Sequence[Kept], report: Report) -> list[str]:
    """Return the row of a model and a kind; add its figures to the report."""
    lost = [kept.headline_lost for kept in found if kept.headline_lost is not None]
    shares = {
        "kept": [kept.any for kept in found], "half kept": [kept.half for kept in found],
        "recall": [kept.recall for kept in found], "headline lost": lost,
    }  # fmt: skip
    cells = []
    for name, values in shares.items():
        mean, (low, high) = float(np.mean(values or [0.0])), bootstrap_interval(values)
        figures = report.figures.setdefault(model, {}).setdefault(kind, {})
        figures[name] = {"pages": len(values), "share": mean, "low": low, "high": high}
        cells.append(f"{mean:.3f} [{low:.3f}, {high:.3f}]")
    cells[-1] = f"{sum(lost)} of {len(lost)}"
    return [model, kind, str(len(found)), *cells]


if __name__ == "__main__":
    main()
