"""Instructions per page over fixed pages, as a multiple of the parse; fails if they grew.

    python -m benchmarks.speed.cost --check
    python -m benchmarks.speed.cost --write

The pages are in the repository, so that everybody counts the same ones: ``tests/pages``, the
example site, and one page of each shape of ``growth.py``. Instructions do not depend on what else
the machine does; the parse has some 2 % more or fewer from run to run, since libxml2 draws a number
at its start by which it hashes names. The figures are in ``cost.json``, for compiled code and for
Python's: of plain ``extract``, and of ``extract`` with Markdown and metadata.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.util import find_spec
from pathlib import Path

from benchmarks.common.measuring import ROOT, one_core
from benchmarks.common.subjects import BASELINE, OURS, our_formats
from benchmarks.speed.counting import instructions
from benchmarks.speed.growth import SHAPES, page_of
from scrapy_boilernet.lab.evaluation.datasets import GoldPage

FIGURES = Path(__file__).with_name("cost.json")
MOST_GROWTH = 1.1
"""The check fails if the figure is more than so many times that in ``cost.json``."""
_BLOCKS = 150
_SUBJECTS = {
    "text": f"{OURS}auto",
    "markdown and metadata": our_formats("auto", ("markdown", "metadata")).name,
}
"""By what is asked for, which is also its name in ``cost.json``; the model is run as in a crawl: by
compiled code, or by ONNX Runtime beside Python's."""


def main() -> None:
    """Count, and print, check or write."""
    one_core()
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a page costs 10 % more")
    parser.add_argument("--write", action="store_true", help="write the figure to cost.json")
    options = parser.parse_args()
    kind = "compiled" if find_spec("scrapy_boilernet.extractor.html.compiled_walk") else "python"
    counter, counts = instructions([BASELINE, *_SUBJECTS.values()], fixed_pages())
    parse, known = counts.get(BASELINE), json.loads(FIGURES.read_text("utf-8"))
    problems, ratios = [], {}
    for name, subject in _SUBJECTS.items():
        own = counts.get(subject)
        if parse is None or own is None:
            sys.exit(
                "no instructions were counted: install valgrind, with a package manager such as apt"
            )
        ratio = ratios[name] = round(own / parse, 2)
        shown = f"{own / 1e6:.2f} million instructions per page"
        print(f"{name}: {shown}, {ratio:.2f} times the parse ({counter})")
        problems.append(too_costly(name, ratio, known[kind].get(name, ratio)))
    if options.write:
        FIGURES.write_text(json.dumps({**known, kind: ratios}, indent=1) + "\n", "utf-8")
    if options.check and any(problems):
        sys.exit("\n".join(filter(None, problems)))


def fixed_pages() -> list[GoldPage]:
    """Return the pages, the same on every machine."""
    folders = (ROOT / "tests" / "pages", ROOT / "example_project" / "site")
    files = [file for folder in folders for file in sorted(folder.glob("*.html"))]
    bodies = [*(file.read_bytes() for file in files), *(page_of(s, _BLOCKS) for s in SHAPES)]
    return [GoldPage("fixed", str(i), body, None) for i, body in enumerate(bodies)]


def too_costly(name: str, ratio: float, known: float) -> str:
    """Return the error if a page costs too much more than before, else ``""``; ``name``: what is
    made of it.
    """
    if ratio <= MOST_GROWTH * known:
        return ""
    return (
        f"{name}: a page costs {ratio:.2f} times the parse, over {MOST_GROWTH} times the "
        f"{known:.2f} of {FIGURES.name}; make it cheaper, or accept it with: "
        "python -m benchmarks.speed.cost --write"
    )


if __name__ == "__main__":
    main()
