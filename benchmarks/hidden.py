"""What leaving out the text that pages hide costs or gives: runs of evaluate, page by page.

    scrapy boilernet evaluate --hidden drop --json drop.json SET...
    scrapy boilernet evaluate --hidden model --json model.json SET...
    python benchmarks/hidden.py drop.json model.json --out-markdown FILE

Several pairs of runs stand below each other.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from reporting import Report, add_outputs

from scrapy_boilernet.evaluation.statistics import bootstrap_interval

Scores = dict[tuple[str, str], float]


def main() -> None:
    """Compare the runs and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runs", nargs="+", type=Path, help="pairs: of drop, then of model")
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    report = Report("Text that pages hide: left out, or left to the model")
    report.text(
        "Word-F1 of the same pages by the two values of the setting, and the difference, page by "
        "page, with its 95 % bootstrap interval. Last, how many pages `hidden` was the source of: "
        "most of their content is hidden, and kept."
    )
    header = ["data set", "pages", "pages that differ", "drop", "model", "difference", "source"]
    pairs = zip(options.runs[::2], options.runs[1::2], strict=True)
    report.table(header, [row for pair in pairs for row in rows_of(*pair)])
    report.write(options, None)


def rows_of(drop_file: Path, model_file: Path) -> Iterator[list[str]]:
    """Yield a row per data set of the two runs."""
    (drop, rescued), (model, _) = read(drop_file), read(model_file)
    for name in dict.fromkeys(dataset for dataset, _ in drop):
        pages = [key for key in drop if key[0] == name]
        changes = [drop[page] - model[page] for page in pages]
        low, high = bootstrap_interval(changes)
        yield [
            name,
            f"{len(pages):,}",
            str(sum(change != 0 for change in changes)),
            f"{sum(drop[page] for page in pages) / len(pages):.4f}",
            f"{sum(model[page] for page in pages) / len(pages):.4f}",
            f"{sum(changes) / len(pages):+.4f} [{low:+.4f}, {high:+.4f}]",
            str(rescued[name]),
        ]


def read(file: Path) -> tuple[Scores, Counter[str]]:
    """Return a run's word-F1 per page, and per set the pages whose source is ``hidden``."""
    rows = json.loads(file.read_text(encoding="utf-8"))["pages"]
    scores = {(row["dataset"], row["page"]): row["metrics"]["word_f1"] for row in rows}
    return scores, Counter(row["dataset"] for row in rows if row["source"] == "hidden")


if __name__ == "__main__":
    main()
