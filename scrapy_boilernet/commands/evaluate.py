"""Measure models and installed peers on data sets with gold text."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.cache import add_cache_argument
from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_files, check_outputs, complain, local
from scrapy_boilernet.extractor.labelers.model_folder import read_json
from scrapy_boilernet.extractor.labelers.registry import ENGINES, ModelError
from scrapy_boilernet.extractor.options import HIDDEN, KIND_OPTIONS, LabelOptions
from scrapy_boilernet.extractor.sites.rules import SiteRules, SitesError
from scrapy_boilernet.workers.progress import counted, progress

ALL_PEERS, OWN_FLOORS = "all", ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "datasets", nargs="*", type=Path, metavar="DATASET",
        help="folder with html/ and gold/, or its .tar.xz",
    )  # fmt: skip
    parser.add_argument(
        "--model", action="append", default=[],
        help="name, model folder, or folder of cross-validated models; repeatable "
        "(default: default)",
    )  # fmt: skip
    parser.add_argument(
        "--peer", action="append", default=[],
        help="another extractor, such as trafilatura; all: every installed one; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--part", choices=("test", "all"), default="test", help="part of the sets (default: test)"
    )
    parser.add_argument(
        "--metrics", choices=("core", "labelers", "all"),
        help="all: also metrics that take longer than the extraction; labelers: only those of them "
        "that are in the table of labelers (default: labelers with --labelers, else core)",
    )  # fmt: skip
    parser.add_argument("--engine", choices=ENGINES, default="auto", help="(default: auto)")
    parser.add_argument(
        "--hidden", choices=HIDDEN, default="drop", help="text that pages hide (default: drop)"
    )
    parser.add_argument(
        "--title", choices=KIND_OPTIONS, default="model", help="headlines (default: model)"
    )
    parser.add_argument(
        "--sites", type=Path, metavar="FILE", help="TOML file with rules of sites (default: none)"
    )
    parser.add_argument(
        "--except-pages-of", action="append", type=Path, default=[], metavar="DATASET",
        help="leave out pages that this set also has, by their bytes or URL; repeatable",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, help="at most so many pages per set, by a fixed draw")
    add_cache_argument(parser)
    _add_outputs(parser)


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--markdown", type=local, help="write a report (default: standard output)")
    parser.add_argument("--html", type=local, help="write a report with plots and the worst pages")
    parser.add_argument("--json", type=local, help="write the summary and the scores of all pages")
    parser.add_argument(
        "--labelers", type=local, metavar="FILE",
        help="write a table of the labelers, with published figures",
    )  # fmt: skip
    parser.add_argument(
        "--check", nargs="?", const=OWN_FLOORS, metavar="FLOORS.json",
        help="fail if the first model is below a floor (default: floors.json of the model)",
    )  # fmt: skip


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Evaluate and write the reports; return the exit status, 1 if a score is below a floor."""
    if options.check and not _is_floors_file(Path(options.check)):
        options.datasets = [Path(options.check), *options.datasets]
        options.check = OWN_FLOORS
    if not options.datasets:
        raise UsageError(
            "no data set is given: name a folder with html/ and gold/, or its .tar.xz",
            print_help=False,
        )
    outputs = (options.markdown, options.html, options.json, options.labelers)
    check_outputs(outputs, [*options.datasets, *options.except_pages_of])
    check_files(outputs)
    with needs_extra("evaluating", "train"):
        from scrapy_boilernet.lab.evaluation import evaluate, floors, summary
        from scrapy_boilernet.lab.evaluation.datasets import DatasetError
        from scrapy_boilernet.lab.evaluation.peers import PeerError

        if options.html:  # so that a missing package is reported before the work
            import_module("scrapy_boilernet.lab.report.html")
    models = options.model or ["default"]
    with explained(ModelError, DatasetError, floors.FloorsError, PeerError):
        systems = _systems(models, options)
        limits = _floors(models[0], options.check)
        measured = _pages(options, systems, limits)
    pages = measured.pages
    _complain_of_learned(systems, pages, by_part=options.part == "test")
    _complain_of_rows(options)
    worst_pages = evaluate.WorstPages()
    metrics: Any = options.metrics or ("labelers" if options.labelers else "core")
    rows = evaluate.evaluate(progress(pages, len(pages), "evaluate"), systems, metrics, worst_pages)
    if options.labelers:
        _write_labelers(options.labelers, rows, systems)
    results = {**summary.summarize(rows, systems), **_left_out(measured.left_out)}
    _report(options, results, rows, worst_pages)
    if limits is None:
        return 0
    kept, lines = floors.compare(results, limits)
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 0 if kept else 1


def _is_floors_file(path: Path) -> bool:
    """Return whether the argument after ``--check`` is its value, not the first data set."""
    return path.suffix == ".json" or (path.is_file() and not path.name.endswith(".tar.xz"))


def _systems(models: list[str], options: argparse.Namespace) -> list[Any]:
    """Return the systems in the given order, each peer once."""
    from scrapy_boilernet.lab.evaluation.peers import PEERS, installed_peers
    from scrapy_boilernet.lab.evaluation.systems import labeler_systems, peer_system

    names = list(options.peer)
    if ALL_PEERS in names:
        installed, missing = installed_peers()
        names = [name for name in names if name != ALL_PEERS] + installed
        if missing:
            sys.stderr.write(f"peers that are not installed, skipped: {', '.join(missing)}\n")
    try:
        chosen = LabelOptions(title=options.title, hidden=options.hidden)
        with explained(SitesError):
            sites = SiteRules.of(options.sites)
        ours = labeler_systems(models, options.engine, chosen, sites)
        return [*ours, *map(peer_system, dict.fromkeys(names))]
    except KeyError as error:
        known = ", ".join(PEERS)
        raise UsageError(f"no peer {error}; known are {known}", print_help=False) from error


def _complain_of_learned(systems: list[Any], pages: list[Any], *, by_part: bool) -> None:
    """Write a message for each set whose pages a model has learned by ``train --from``.

    ``pages``: those to measure; ``by_part``: whether they are the test parts of their sets.
    """
    measured = {page.dataset for page in pages}
    unmarked = {page.dataset for page in pages if page.split != "test"}
    by_part = by_part and all(system.folds is None for system in systems)
    for system in systems:
        for folder in system.folders:
            training = read_json(folder).get("training", {})
            learned = training.get("datasets", {}).keys() if "from" in training else set()
            beside = set(training.get("fine_tuning", {}).get("beside", ()))
            for name in sorted(unmarked & (learned - beside)):
                complain(
                    f"{system.name} was trained on the pages of {name} that do not have the split "
                    "'test' in pages.jsonl: on these pages, its figures are too good"
                )
            for name in sorted(measured & beside) if not by_part else ():
                complain(
                    f"{system.name} was trained on pages of {name} outside of its test part: on "
                    "these pages, its figures are too good"
                )


def _complain_of_rows(options: argparse.Namespace) -> None:
    """Write a message for each set with rows in ``pages.jsonl`` that have no page."""
    from scrapy_boilernet.lab.evaluation.datasets import open_dataset, rows_without_page

    for path in options.datasets:
        if without := rows_without_page(open_dataset(path, options.cache)):
            complain(
                f"{path}: {counted(len(without), 'row')} of pages.jsonl without a page, such as "
                f"{without[0]!r}; the ids are the names of the files in html/ without their ending"
            )


def _floors(model: str, check: str | None) -> Any:
    from scrapy_boilernet.lab.evaluation import floors

    if check is None:
        return None
    return floors.read_floors(floors.floors_file(model) if check == OWN_FLOORS else Path(check))


def _pages(options: argparse.Namespace, systems: list[Any], limits: Any) -> Any:
    """Return the pages of the sets; for cross-validated models only the pages they held out."""
    from scrapy_boilernet.lab.evaluation.splits import evaluation_pages

    if limits is not None and options.part == "all":
        raise UsageError("--check measures the test part: leave out --part all", print_help=False)
    sample = limits.sample if limits is not None and options.sample is None else options.sample
    known = [set(system.folds.model_of) for system in systems if system.folds is not None]
    only = set.intersection(*known) if known else None
    return evaluation_pages(
        options.datasets, options.cache, options.part, sample, only, options.except_pages_of
    )


def _left_out(left_out: Any) -> dict[str, Any]:
    """Return the summary of pages that were left out; also write it to standard error."""
    from scrapy_boilernet.lab.report.markdown import left_out_sentence

    if left_out is None:
        return {}
    summary = {"sets": list(left_out.sets), "counts": left_out.counts}
    sys.stderr.write(f"{left_out_sentence(summary)}\n")
    return {"left_out": summary}


def _write_labelers(file: Path, rows: Any, systems: list[Any]) -> None:
    from scrapy_boilernet.lab.evaluation import provenance
    from scrapy_boilernet.lab.report import labeler_table

    command, versions = provenance.command_line("evaluate"), provenance.versions()
    page = labeler_table.labelers_page(rows, systems, command, versions)
    file.write_text(page, encoding="utf-8")


def _report(options: argparse.Namespace, results: dict[str, Any], rows: Any, worst: Any) -> None:
    """Write the reports that the options ask for."""
    from scrapy_boilernet.lab.evaluation import evaluate, provenance
    from scrapy_boilernet.lab.report.markdown import markdown

    command, versions = provenance.command_line("evaluate"), provenance.versions()
    text = markdown(results, command, versions)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    if options.json:
        document = {
            "command": command,
            "versions": versions,
            "summary": results,
            "pages": evaluate.as_json(rows),
        }
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if options.html:
        from scrapy_boilernet.lab.report.html import html_report

        page = html_report(results, rows, worst.pages(), command, versions)
        options.html.write_text(page, encoding="utf-8")
