"""How much text of dialogs, notes and lines that lead away is in the gold, and how much is kept.

    python -m benchmarks.quality.boxes by-hand docs mercury wcxb-dev --out-markdown boxes.md

The rules are those of ``decide.dialogs``, ``decide.notes``, ``decide.read_also`` and
``decide.sign_up``. Of a set with its own split, only the training part is read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from scrapy_boilernet.extractor.decide.ad_labels import label_ads
from scrapy_boilernet.extractor.decide.dialogs import dialogs_of
from scrapy_boilernet.extractor.decide.notes import complete_notes
from scrapy_boilernet.extractor.decide.read_also import lead_elsewhere
from scrapy_boilernet.extractor.decide.sign_up import ask_to_sign_up
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.lab.evaluation.align import soft_labels
from scrapy_boilernet.lab.evaluation.datasets import open_dataset, read_pages

KINDS = (
    "consent boxes", "other dialogs", "footnotes that the model drops",
    "“read also” lines that the model keeps", "sign-up lines that the model keeps",
    "labels of advertisements that the model keeps",
)  # fmt: skip
_MAX_BLOCKS = 3_000
"""Pages with more blocks are left out: the alignment with the gold takes too much memory."""
_EXPLAINED = """\
Characters of visible blocks. A block is in the gold if more than .6 of its tokens are. `kept by the
model`: its probability reaches the page's threshold. `kept now`: it is content in the result."""


def counted(folder: Path, labeler: Labeler) -> Iterator[tuple[str, np.ndarray]]:
    """Yield per page and kind: (characters, in the gold, kept by the model, kept now)."""
    for source in read_pages(folder):
        if source.split not in (None, "train", "dev") or source.gold is None:
            continue
        page = blockify(source.html, source.url, source.encoding)
        if len(page.blocks) > _MAX_BLOCKS:
            continue
        result = label_page(page, labeler)
        gold = soft_labels(page, source.gold)[0] > 0.6
        by_model = np.array(result.probabilities) >= result.threshold
        now = np.array(result.kept, dtype=bool)
        chars = np.array([*map(len, page.texts)]) * ~np.array(page.hidden, dtype=bool)
        dialog, consent = dialogs_of(page)
        notes = complete_notes(page, by_model) & ~by_model
        elsewhere = lead_elsewhere(page, by_model)
        asking = ask_to_sign_up(page, by_model & ~elsewhere)
        ads = label_ads(page, by_model & ~(elsewhere | asking))
        masks = (consent, dialog & ~consent, notes, elsewhere, asking, ads)
        for kind, mask in zip(KINDS, masks, strict=True):
            if chars[mask].sum():
                parts = (mask, mask & gold, mask & by_model, mask & now)
                yield kind, np.array([chars[part].sum() for part in parts])


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", type=Path, nargs="+", help="folders or their .tar.xz")
    parser.add_argument("--model", default="default", help="a shipped model or a model folder")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Dialogs, footnotes, “read also” and sign-up lines")
    labeler = load_labeler(options.model)
    report.text(_EXPLAINED)
    rows = []
    for path in options.sets:
        folder = open_dataset(path, options.cache)
        sums = {kind: np.zeros(4, dtype=int) for kind in KINDS}
        pages: Counter[str] = Counter()
        for kind, counts in counted(folder, labeler):
            sums[kind] += counts
            pages[kind] += 1
        rows += [[folder.name, kind, *map(str, (pages[kind], *sums[kind]))] for kind in KINDS]
    header = ["set", "kind", "pages", "characters", "in the gold", "kept by the model", "kept now"]
    report.table(header, rows)
    report.write(options, None)


if __name__ == "__main__":
    main()
