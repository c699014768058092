"""Measure models and installed peers on data sets with gold text."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.labelers import ENGINES, ModelError
from scrapy_boilernet.progress import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "datasets", nargs="+", type=Path, metavar="DATASET",
        help="folder with html/ and gold/, or its .tar.xz",
    )  # fmt: skip
    parser.add_argument(
        "--model", action="append", default=[], help="repeatable (default: default)"
    )
    parser.add_argument(
        "--peer", action="append", default=[], help="repeatable, such as trafilatura"
    )
    parser.add_argument("--part", choices=("test", "all"), default="test", help="default: test")
    parser.add_argument("--engine", choices=ENGINES, default="auto")
    parser.add_argument("--sample", type=int, help="at most so many pages per set, a fixed draw")
    parser.add_argument(
        "--cache", type=Path, default=Path(".boilernet-cache"), help="unpacked sets"
    )
    parser.add_argument("--markdown", type=Path, help="report to write (default: standard output)")
    parser.add_argument("--json", type=Path, help="summary and all page scores")


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Evaluate and report; return the exit status."""
    try:
        from scrapy_boilernet.training import evaluate as evaluation
        from scrapy_boilernet.training import report, runs
        from scrapy_boilernet.training.datasets import DatasetError
        from scrapy_boilernet.training.peers import PEERS
    except ImportError as error:
        raise UsageError(
            f"evaluating needs {error.name}: pip install 'scrapy-boilernet[train]'",
            print_help=False,
        ) from error
    try:
        systems = evaluation.labeler_systems(options.model or ["default"], options.engine)
        systems += [evaluation.peer_system(peer) for peer in options.peer]
        pages = runs.evaluation_pages(options.datasets, options.cache, options.part, options.sample)
    except (ModelError, DatasetError) as error:
        raise UsageError(str(error), print_help=False) from error
    except (ImportError, KeyError) as error:
        known = ", ".join(PEERS)
        raise UsageError(
            f"no such peer, or not installed ({error}); known are {known}", print_help=False
        ) from error
    rows = evaluation.evaluate(progress(pages, len(pages), "evaluate"), systems)
    summary = evaluation.summarize(rows, systems)
    command = runs.command_line("evaluate")
    text = report.markdown(summary, command, runs.versions())
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    if options.json:
        document = {"command": command, "summary": summary, "pages": evaluation.as_json(rows)}
        options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0
