"""This checkout beside another one, in turns: CPU time of ``extract``, and of a crawl.

    git worktree add ../before COMMIT
    python -m benchmarks.speed.versions ../before wcxb-dev daniel-waddle --out-markdown FILE

The pages are real ones that are valid UTF-8. A round runs a process of each checkout. The ratio is
taken within a round, so that it does not depend on changes of the machine's speed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Sequence
from operator import eq
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from benchmarks.common.measuring import ROOT, commit_of, environment, module_command
from benchmarks.common.page_server import serving
from benchmarks.common.reporting import Report, add_outputs
from benchmarks.common.subjects import draw_pages
from benchmarks.speed.crawl import crawl
from scrapy_boilernet.extractor.options import FORMATS
from scrapy_boilernet.lab.evaluation.datasets import GoldPage
from scrapy_boilernet.lab.evaluation.statistics import bootstrap_interval
from scrapy_boilernet.workers.progress import progress

WORKER = "benchmarks.speed.worker"


def main() -> None:
    """Run all rounds and write the report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("other", type=Path, metavar="CHECKOUT", help="of another commit")
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET", help="folder or .tar.xz")
    parser.add_argument("--pages", type=int, default=200, help="of all sets (default: 200)")
    parser.add_argument("--rounds", type=int, default=10, help="default: 10")
    parser.add_argument("--responses", type=int, default=1000, help="of a crawl; 0: no crawls")
    parser.add_argument("--mode", default="thread", help="BOILERNET_MODE (default: thread)")
    parser.add_argument("--engine", default="auto")
    parser.add_argument(
        "--formats", nargs="*", default=[], choices=FORMATS, help="of extract, not of crawls"
    )
    parser.add_argument("--cache", type=Path, default=Path(".boilernet-cache"))
    add_outputs(parser, plot=False)
    options = parser.parse_args()
    trees = {"this": ROOT, "other": options.other.resolve()}
    report = Report("This checkout beside another")
    pages = drawn(report, options)
    shown = {name: commit_of(tree) for name, tree in trees.items()}
    report.text(
        f"{len(pages)} pages in UTF-8 of {', '.join(sorted({page.dataset for page in pages}))}; "
        f"{options.rounds} rounds, in each a process of either checkout, in turns. This: "
        f"{shown['this']}; other: {shown['other']}. CPU seconds of the process; the ratio is this "
        "by other within a round, with the 95 % bootstrap interval of its mean over rounds."
    )
    with tempfile.TemporaryDirectory() as name:
        packages = {each: package_alone(tree, Path(name) / each) for each, tree in trees.items()}
        seconds, equal = extractions(pages, packages, options)
        with_formats = "".join(f", with {name}" for name in options.formats)
        rows = [row_of(f"extract, one page after the other{with_formats}", seconds)]
        if options.responses:
            what = f"a crawl of {options.responses:,} responses, mode {options.mode}"
            rows.append(row_of(what, crawls(pages, packages, options)))
    report.table(["what", "this, s", "other, s", "ratio"], rows)
    report.text(
        f"{', '.join(('Labels, probabilities, confidence', *options.formats))} and text are the "
        f"same, bit by bit, on {equal} of the {len(pages)} pages."
    )
    report.figures["equal_pages"] = equal
    report.write(options, None)


def drawn(report: Report, options: argparse.Namespace) -> list[GoldPage]:
    """Return pages that are valid UTF-8, drawn with a fixed seed."""
    share = -(-options.pages // len(options.sets))
    sets = draw_pages(report, options.sets, {}, share, options.cache)
    return [page for pages in sets.values() for page in pages if is_utf8(page.html)]


def is_utf8(html: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    try:
        html.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def package_alone(tree: Path, folder: Path) -> Path:
    """Create the folder with links to the checkout's package and models, and return it.

    It goes before this checkout on the path of a process. The other checkout itself cannot, since
    it has benchmarks, too. The models are in the package, as where it is installed, since those of
    an editable installation of this checkout would be found else.
    """
    package = folder / "scrapy_boilernet"
    package.mkdir(parents=True)
    for one in (*(tree / "scrapy_boilernet").iterdir(), tree / "models"):
        (package / one.name).symlink_to(one)
    return folder


Seconds = dict[str, list[float]]
"""Per checkout the CPU seconds of each round."""


def extractions(
    pages: Sequence[GoldPage], packages: dict[str, Path], options: argparse.Namespace
) -> tuple[Seconds, int]:
    """Return the CPU seconds of extracting all pages, per checkout and round, and on how many pages
    both give the same.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pages.json"
        sent = [[page.html.decode("utf-8"), page.url] for page in pages]
        file.write_text(json.dumps(sent), encoding="utf-8")
        command = module_command(WORKER, "time", str(file), options.engine, *options.formats)

        digests: dict[Path, list[str]] = {}

        def work(package: Path) -> float:
            done = subprocess.run(
                command, env=environment(package), capture_output=True, text=True, check=True
            )
            figures = json.loads(done.stdout)
            digests[package] = figures["digests"]
            return float(figures["cpu_seconds"])

        seconds = in_turns(packages, options.rounds, work, "extract")
        return seconds, sum(map(eq, *digests.values()))


def crawls(
    pages: Sequence[GoldPage], packages: dict[str, Path], options: argparse.Namespace
) -> Seconds:
    """Return the CPU seconds of crawling, per checkout and round."""
    settings = {
        "BOILERNET_ENABLED": True,
        "BOILERNET_MODE": options.mode,
        "BOILERNET_ENGINE": options.engine,
        "BOILERNET_CACHE_BLOCKS": 0,
    }
    how: Any = SimpleNamespace(responses=options.responses, sample_every=10**9, select=False)
    with serving(list(pages)) as server:

        def work(package: Path) -> float:
            return float(crawl(server, how, options.mode, settings, package)["cpu_seconds"])

        return in_turns(packages, max(2, options.rounds // 2), work, "crawl")


def in_turns(packages: dict[str, Path], rounds: int, work: Any, label: str) -> Seconds:
    """Return what ``work`` returns per checkout and round; the checkouts take turns to begin."""
    seconds: Seconds = {name: [] for name in packages}
    for number in progress(range(rounds), rounds, label):
        names = list(packages) if number % 2 else list(packages)[::-1]
        for name in names:
            seconds[name].append(work(packages[name]))
    return seconds


def row_of(what: str, seconds: Seconds) -> list[str]:
    """Return the row of a measure."""
    ratios = [a / b for a, b in zip(seconds["this"], seconds["other"], strict=True)]
    low, high = bootstrap_interval(ratios)
    means = [sum(seconds[name]) / len(seconds[name]) for name in ("this", "other")]
    ratio = sum(ratios) / len(ratios)
    return [what, *(f"{mean:.2f}" for mean in means), f"{ratio:.3f} [{low:.3f}, {high:.3f}]"]


if __name__ == "__main__":
    main()
