"""The paper's table beside ours, from the ``results.json`` of ``train --recipe paper`` runs and the
report of ``evaluate`` on the model that one of them wrote.

python -m benchmarks.quality.paper_table RESULTS.json... > docs/results/paper.md
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

PUBLISHED = {
    "googletrends2017": {"content": (0.70, 0.88, 0.78), "boilerplate": (None, None, 0.90)},
    "cleaneval-leaves": {"content": (0.87, 0.86, 0.87), "boilerplate": (None, None, 0.82)},
}
"""(precision, recall, F1) of Leonhardt et al. 2020; None if not compared."""
MEASURES = ("precision", "recall", "f1")
REPORT = Path(__file__).parents[2] / "docs/results/quality/paper.md"

HEAD = """# The paper's experiment, reproduced

BoilerNet as Leonhardt, Anand and Khosla describe it (2020): leaves of the DOM as units, counts of
the top 1,000 words and top 50 tags with an unknown slot each, dense 256, two BiLSTM layers of 256,
dropout 0.5, class-weighted cross-entropy, 50 epochs of batches of 16 pages, the epoch with the best
mean F1 on the dev part. Scores are pooled over all leaves of the test part, threshold 0.5.

"""
NOTES = """
## Choices

- **Unknown words add up.** The published code overwrites: the unknown slot holds the count of the
  last unknown word. Kept: the sum, which is what the paper says.
- **Padding is masked.** The published code puts its mask after a dense layer with bias, so padded
  steps are not zero, are read by the backward LSTM and are trained on as boilerplate. Kept: no
  padded step is read or trained on, so a page's scores do not depend on its batch neighbours.
- The vocabulary comes from the training pages alone; the published code counts words over all
  pages, test pages too.
- Words are found by a regular expression; NLTK's tokenizer would need a download.
- Comments in the markup are not leaves.
- Weights start as in Keras (Glorot uniform, orthogonal, forget bias 1); gradients are clipped at 5.
"""

INPUTS = (
    "## What the inputs are worth",
    "",
    "Recipes `paper-tags-only` and `paper-words-only`: what is left out is not counted at all, in "
    "training and in serving.",
    "",
)


def main() -> None:
    """Print the report."""
    documents = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    kept = [d for d in documents if not faults(d) and not unread(d)]
    lines = [HEAD]
    for document in kept:
        lines += table(document)
    report = REPORT.read_text(encoding="utf-8")
    for document in kept:
        if "dev_f1" in document["runs"][0]:
            lines += model_table(document, report)
    lines += ["## The published code's two faults, measured", "", *variant_table(documents, faults)]
    lines += ["", *INPUTS, *variant_table(documents, unread), NOTES]
    versions = ", ".join(f"{k} {v}" for k, v in documents[0]["versions"].items())
    command = "python -m benchmarks.quality.paper_table docs/results/paper/*.json"
    lines.append(f"Versions: {versions}. This page: `{command}`.")
    sys.stdout.write("\n".join(lines) + "\n")


def faults(document: dict[str, Any]) -> list[str]:
    """Return the faults that the runs copied."""
    return [f for f in ("unknown_overwrites", "unmasked_padding") if document["runs"][0][f]]


def unread(document: dict[str, Any]) -> list[str]:
    """Return the inputs that the runs' network did not get, by the variant's name."""
    names = {"words": "tags only", "tags": "words only"}
    return [names[name] for name in (document["runs"][0].get("unread"),) if name]


def table(document: dict[str, Any]) -> list[str]:
    """Return one data set's table: ours, mean and spread over seeds, beside the paper's."""
    name, pages, runs = document["dataset"], document["pages"], document["runs"]
    seeds = ", ".join(str(run["seed"]) for run in runs)
    lines = [
        f"## {name}",
        "",
        f"{pages['train']} pages train, {pages['dev']} choose the epoch, {pages['test']} test. "
        f"Seeds {seeds}; mean ± standard deviation of the sample (over n - 1).",
        "",
        f"Command: `scrapy boilernet train --recipe paper --seeds {len(runs)} --out FOLDER {name}`",
        "",
        "| class | measure | paper | ours | each seed |",
        "|---|---|---|---|---|",
    ]
    for label in ("content", "boilerplate"):
        for measure, published in zip(MEASURES, PUBLISHED[name][label], strict=True):
            values = [run[label][measure] for run in runs]
            each = " ".join(f"{value:.3f}" for value in values)
            theirs = "" if published is None else f"{published:.2f}"
            lines.append(f"| {label} | {measure} | {theirs} | {spread(values)} | {each} |")
    rounded = ", ".join(
        f"{label} {np.mean([run[label]['f1'] for run in runs]):.2f} against the paper's "
        f"{PUBLISHED[name][label][2]:.2f}"
        for label in ("content", "boilerplate")
    )
    best = ", ".join(str(run["best_epoch"]) for run in runs)
    minutes = sum(run["seconds"] for run in runs) / 60
    lines += ["", f"Mean F1 rounded as the paper prints it: {rounded}.", ""]
    lines += [f"Best epochs {best}; {minutes:.0f} minutes in all on one core.", ""]
    return lines


def model_table(document: dict[str, Any], report: str) -> list[str]:
    """Return the scores of the model that the runs wrote beside the published ones.

    ``report``: of ``evaluate --metrics all`` on the runs' set, in Markdown, with this model first
    and the default one second.
    """
    name, runs = document["dataset"], document["runs"]
    best = max(runs, key=lambda run: run["dev_f1"])
    measured = dict(re.findall(r"^\| leaf_(\w+) \| (.+) \|$", report, re.MULTILINE))
    lines = [
        f"## The model of {name}",
        "",
        f"Training writes the model of the best seed on the development part, here seed "
        f"{best['seed']} of {', '.join(str(run['seed']) for run in runs)}. On the leaves of the "
        "test part, as training scores them, and as [`evaluate` scores every "
        "system](quality/paper.md): from the text that comes out, without what pages hide.",
        "",
        "| class | measure | published | this model, by training | this model, by `evaluate` "
        "| `default`, by `evaluate` |",
        "|---|---|---|---|---|---|",
    ]
    for label in ("content", "boilerplate"):
        for measure, published in zip(MEASURES, PUBLISHED[name][label], strict=True):
            theirs = "" if published is None else f"{published:.2f}"
            ours = f"{best[label][measure]:.3f}"
            lines.append(
                f"| {label} | {measure} | {theirs} | {ours} | {measured[f'{label}_{measure}']} |"
            )
    return [*lines, ""]


def variant_table(
    documents: list[dict[str, Any]], variants_of: Callable[[dict[str, Any]], list[str]]
) -> list[str]:
    """Return the test F1 of both classes with and without each variant."""
    lines = [
        "| data set | variant | seeds | content F1 | boilerplate F1 |",
        "|---|---|---|---|---|",
    ]
    plain = [d for d in documents if not faults(d) and not unread(d)]
    shown = plain + [d for d in documents if variants_of(d)]
    for document in sorted(shown, key=lambda d: (d["dataset"], len(variants_of(d)))):
        runs = document["runs"]
        cells = [spread([run[label]["f1"] for run in runs]) for label in ("content", "boilerplate")]
        variant = ", ".join(variants_of(document)) or "as kept"
        lines.append(f"| {document['dataset']} | {variant} | {len(runs)} | {' | '.join(cells)} |")
    return lines


def spread(values: list[float]) -> str:
    """Return the mean and the sample's standard deviation, since the seeds are a few of many."""
    if len(values) == 1:
        return f"{values[0]:.3f}"
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


if __name__ == "__main__":
    main()
