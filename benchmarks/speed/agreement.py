r"""How far the engines agree: probabilities and labels of each against those of NumPy.

    python -m benchmarks.speed.agreement SET... --pages 300 \
        --out-markdown docs/results/speed/agreement.md

ONNX Runtime runs the graph that the model ships with, and both graphs that can be exported of it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labelers.model_folder import GRAPH_FILE, model_folder
from scrapy_boilernet.extractor.labelers.registry import Labeler, load_labeler
from scrapy_boilernet.extractor.labeling import label_page
from scrapy_boilernet.extractor.page import Page
from scrapy_boilernet.workers.progress import progress

REFERENCE = "numpy"
SHIPPED, WHOLE, ROUNDED = "onnx, the shipped graph", "onnx, float32", "onnx, int8"
_QUANTILE = 0.999


def main() -> None:
    """Measure and write the report."""
    options = arguments()
    report = Report("Agreement of the engines")
    sets = draw_pages(report, options.sets, {}, options.pages, options.cache)
    drawn = [page for pages in sets.values() for page in pages]
    pages = [blockify(page.html, page.url) for page in drawn]
    with labelers(report, options.model) as by_name:
        rows = [row(name, labeler, by_name[REFERENCE], pages) for name, labeler in by_name.items()]
    counts = ", ".join(f"{len(pages)} of {name}" for name, pages in sets.items())
    report.text(
        f"The model `{options.model}` on {counts}, each page alone: P(content) of each block and "
        f"the labels by each page's own threshold, against those of the engine {REFERENCE}."
    )
    columns = ["difference of P, largest", "99.9 % of blocks within", "other labels", "on pages"]
    report.table(["engine", *columns], rows)
    report.figures["rows"] = rows
    report.write(options, None)


def arguments() -> argparse.Namespace:
    """Return the command's options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=300, help="of each set")
    parser.add_argument("--model", default="default")
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    return parser.parse_args()


@contextmanager
def labelers(report: Report, model: str) -> Iterator[dict[str, Labeler]]:
    """Yield the labelers to compare by name; report those that are missing."""
    by_name = {REFERENCE: load_labeler(model, REFERENCE)}
    if find_spec("torch"):
        by_name["torch"] = load_labeler(model, "torch")
    else:
        report.lacks("torch, which is not installed")
    if not (find_spec("onnxruntime") and find_spec("onnx")):
        report.lacks("onnxruntime or onnx, which are not installed: pip install '.[onnx,export]'")
        yield by_name
        return
    from scrapy_boilernet.extractor.labelers.boilernet.onnx_export import export_graph

    folder = model_folder(model)
    if (folder / GRAPH_FILE).is_file():
        by_name[SHIPPED] = load_labeler(model, "onnx")
    with tempfile.TemporaryDirectory() as made:
        for name in (WHOLE, ROUNDED):
            copy = Path(shutil.copytree(folder, Path(made) / name))
            graph = export_graph(copy, "int8" if name == ROUNDED else "float32")
            (copy / GRAPH_FILE).write_bytes(graph)
            by_name[name] = load_labeler(str(copy), "onnx")
        yield by_name


def row(name: str, labeler: Labeler, reference: Labeler, pages: Sequence[Page]) -> list[str]:
    """Return the table's row of one engine."""
    differences: list[float] = []
    blocks = others = on_pages = 0
    for page in progress(pages, len(pages), name):
        mine, theirs = label_page(page, labeler), label_page(page, reference)
        apart = np.subtract(mine.probabilities, theirs.probabilities)
        differences += np.abs(apart).tolist()
        other = sum(a != b for a, b in zip(mine.labels, theirs.labels, strict=True))
        blocks, others, on_pages = blocks + len(page.blocks), others + other, on_pages + bool(other)
    return [
        name,
        f"{max(differences, default=0.0):.1e}",
        f"{np.quantile(differences or [0.0], _QUANTILE):.1e}",
        f"{others} of {blocks}",
        f"{on_pages} of {len(pages)}",
    ]


if __name__ == "__main__":
    main()
