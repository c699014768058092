"""What a memory of the templates of a site gives, on sites that a model has not seen.

    python -m benchmarks.quality.site_memory FOLDS SET... --out-markdown FILE

FOLDS is what ``scrapy boilernet crossvalidate`` writes; its folds are of whole sites.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from benchmarks.common.reporting import Report
from benchmarks.common.unseen_pages import options_of_folds, unseen_pages
from scrapy_boilernet.extractor.decide.pooling import CLASS_STEPS, TAG_STEPS
from scrapy_boilernet.extractor.decide.threshold import Decider, log_odds
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.options import CONTENT, LabelOptions
from scrapy_boilernet.extractor.page import Ancestors, Page
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.lab.training.calibration import Calibration, calibrate, word_f1_of
from scrapy_boilernet.lab.training.gold import GoldBlocks

SHARES = (0.0, 0.3, 0.5, 0.8)
SHARE, MIN_PAGES = 0.5, 5
_MIN_SEEN = 2
"""Pages of a site that must have a template before its blocks move."""
Template = tuple[Ancestors, Ancestors]
Templates = dict[Template, tuple[float, int]]
"""By template, the sum of its means over pages, and the number of pages."""
Scores = NDArray[np.float32]
Site = list[tuple[GoldBlocks, Scores]]


class SiteMemory:
    """The templates of a site: the mean log-odds of each over the pages that were seen."""

    def __init__(self, share: float = SHARE) -> None:
        """Remember nothing; ``share``: how far blocks move, in [0, 1]."""
        self.share = share
        self._known: Templates = {}

    def learn(self, page: Page, probabilities: NDArray[np.float32]) -> None:
        """Take in a page. ``probabilities``: P(content) per block, (blocks,)."""
        if not len(probabilities):
            return
        templates, places = _templates_of(page)
        sums = np.bincount(places, log_odds(probabilities), len(templates))
        means = (sums / np.maximum(np.bincount(places, minlength=len(templates)), 1)).tolist()
        for template, mean in zip(templates, means, strict=True):
            total, pages = self._known.get(template, (0.0, 0))
            self._known[template] = (total + mean, pages + 1)

    def moved(self, page: Page, probabilities: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return P(content) per block after the move, (blocks,); the same array if two pages
        share no template of this one.
        """
        if not len(probabilities):
            return probabilities
        templates, places = _templates_of(page)
        seen = [self._known.get(template, (0.0, 0)) for template in templates]
        if all(pages < _MIN_SEEN for _, pages in seen):
            return probabilities
        shares = np.array([self.share * (pages >= _MIN_SEEN) for _, pages in seen])[places]
        means = np.array([total / max(pages, 1) for total, pages in seen])[places]
        odds = (1 - shares) * log_odds(probabilities) + shares * means
        moved = (1 / (1 + np.exp(-odds))).astype(np.float32)
        return np.where(shares > 0, moved, probabilities)


def _templates_of(page: Page) -> tuple[list[Template], NDArray[np.int64]]:
    """Return (the page's templates, per block the place of its template)."""
    places: dict[Template, int] = {}
    of_pairs = [
        places.setdefault((tags[-TAG_STEPS:], class_words[-CLASS_STEPS:]), len(places))
        for tags, class_words in page.paths.pairs
    ]
    return [*places], np.array(of_pairs, dtype=np.int64)[page.path_places]


def site_of(url: str | None) -> str:
    """Return the host of a URL without ``www.``, in lower case; "" if it has none.

    >>> site_of("https://www.Example.org:8000/a"), site_of("a.html")
    ('example.org', '')
    """
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:  # such as "http://[a"
        return ""
    return host.removeprefix("www.")


class Scored(Decider):
    """A labeler of one page, whose scores are known."""

    def __init__(self, calibration: Calibration, scores: Scores) -> None:
        super().__init__(
            "folds", "block", calibration.floor, calibration.decision, judges_comments=True
        )
        self.scores = scores

    def probabilities(self, pages: Sequence[Page]) -> list[Scores]:
        """Return the scores, which are those of the one page."""
        return [self.scores for _ in pages]


def main() -> None:
    """Measure and write."""
    options = options_of_folds(__doc__)
    report = Report("Memory of a site")
    report.text(
        f"Pages of sites with at least {MIN_PAGES} pages in their set. Word-F1 from the token "
        f"alignment. The log-odds of a block move by a share of the distance to the mean of its "
        f"template over the pages of its site. `in order`: over the pages before it only, as in a "
        f"crawl. Consistency: of the blocks whose template stands on several pages of a site, the "
        f"share with the label that most of them have. The gain is that of the share {SHARE}, with "
        f"its 95 % bootstrap interval over pages, paired."
    )
    sites, calibration = sites_of(options)
    names = dict.fromkeys(name for name, _ in sites)
    columns = [*(f"share {share}" for share in SHARES), f"share {SHARE}, in order"]
    rows, gains, consistency = [], [], []
    for name in names:
        measured = measure([pages for of, pages in sites if of == name], calibration)
        means = [float(scores.mean()) for scores, _ in measured]
        gain = measured[SHARES.index(SHARE)][0] - measured[0][0]
        low, high = bootstrap_interval(gain.tolist())
        count = len(gain)
        rows.append([name, str(sum(of == name for of, _ in sites)), f"{count:,}"]
                    + [f"{mean:.4f}" for mean in means]
                    + [f"{gain.mean():+.4f} [{low:+.4f}, {high:+.4f}]"])  # fmt: skip
        gains.append([mean - means[0] for mean in means])
        consistency.append([name, *(f"{share:.4f}" for _, share in measured)])
        report.figures[name] = {
            "pages": count, "word_f1": dict(zip(columns, means, strict=True)),
            "gain": [float(gain.mean()), low, high],
            "consistency": dict(zip(columns, (share for _, share in measured), strict=True)),
        }  # fmt: skip
    mean_gain = np.mean(gains, axis=0)
    report.figures["mean gain"] = dict(zip(columns, map(float, mean_gain), strict=True))
    rows.append(["**mean gain**", "", "", *(f"{gain:+.4f}" for gain in mean_gain), ""])
    report.table(["data set", "sites", "pages", *columns, "gain"], rows)
    report.table(["consistency", *columns], consistency)
    report.write(options, None)


def sites_of(options: argparse.Namespace) -> tuple[list[tuple[str, Site]], Calibration]:
    """Return (set, pages with their scores) of the sites with enough pages, and the calibration
    that is best on all pages.
    """
    pages, logits = unseen_pages(options)
    calibration = calibrate(pages, logits, "correlated-f")[0]
    groups: dict[tuple[str, str], Site] = defaultdict(list)
    for page, own in zip(pages, logits, strict=True):
        if site := site_of(page.page.url):
            groups[page.source.dataset, site].append((page, calibration.probabilities(own)))
    found = [(name, site) for (name, _), site in groups.items() if len(site) >= MIN_PAGES]
    return found, calibration


def measure(
    sites: Sequence[Site], calibration: Calibration
) -> list[tuple[NDArray[np.float64], float]]:
    """Return (word-F1 per page, consistency) for each share, and in order."""
    measured = []
    for share, in_order in [*((share, False) for share in SHARES), (SHARE, True)]:
        scores, agreeing, blocks = [], 0, 0
        for site in sites:
            labels = labels_of(site, calibration, SiteMemory(share), in_order=in_order)
            scores += [word_f1_of(gold, own) for (gold, _), own in zip(site, labels, strict=True)]
            same, all_blocks = agreement(site, labels)
            agreeing, blocks = agreeing + same, blocks + all_blocks
        measured.append((np.array(scores), agreeing / max(1, blocks)))
    return measured


def labels_of(
    site: Site, calibration: Calibration, memory: SiteMemory, *, in_order: bool
) -> list[NDArray[np.bool_]]:
    """Return per page of a site which blocks are content."""
    for gold, own in site if not in_order else ():
        memory.learn(gold.page, own)
    labels = []
    for gold, own in site:
        if in_order:
            memory.learn(gold.page, own)
        scores = memory.moved(gold.page, own)
        result = label_page(gold.page, Scored(calibration, scores), LabelOptions(fallback=()))
        labels.append(np.array([label == CONTENT for label in result.labels]))
    return labels


def agreement(site: Site, labels: Sequence[NDArray[np.bool_]]) -> tuple[int, int]:
    """Return (blocks with the label of most blocks of their template, blocks), over templates that
    stand on several pages.
    """
    counts: dict[object, list[int]] = defaultdict(lambda: [0, 0])
    pages: dict[object, int] = defaultdict(int)
    for (gold, _), own in zip(site, labels, strict=True):
        keys = [(tags[-TAG_STEPS:], words[-CLASS_STEPS:]) for tags, words in gold.page.paths.pairs]
        places = gold.page.paths.places
        for key in {keys[place] for place in places}:
            pages[key] += 1
        for place, label in zip(places, own.tolist(), strict=True):
            counts[keys[place]][label] += 1
    shared = [pair for key, pair in counts.items() if pages[key] > 1]
    return sum(map(max, shared)), sum(map(sum, shared))


if __name__ == "__main__":
    main()
