"""Measure models, in the browser and in Python, on pages that people labeled."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.commands.annotations import add_sidecar_arguments, content_kinds
from scrapy_boilernet.commands.extras import explained, needs_extra
from scrapy_boilernet.commands.output import check_outputs, local
from scrapy_boilernet.extractor.labelers.boilernet.extension_file import write_extension_file
from scrapy_boilernet.extractor.labelers.registry import (
    Labeler,
    ModelError,
    load_labeler,
    which_labeler,
)

EXTENSION = Path("extension") / "dist" / "test-chromium"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_sidecar_arguments(parser)
    parser.add_argument(
        "--model", default="default", help="model of the extension (default: default)"
    )
    parser.add_argument(
        "--labeler", action="append", default=[],
        help="model to run in Python on the same bytes, by name or folder; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--share", type=float, metavar="SHARE",
        help="also spread this share of the labels by a Gaussian random field, and measure on the "
        "others; such as 0.2",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=int, default=0, help="random seed for the draw of this share (default: 0)"
    )
    parser.add_argument(
        "--extension", type=Path, default=EXTENSION, metavar="FOLDER",
        help=f"the extension, built for tests (default: {EXTENSION})",
    )  # fmt: skip
    parser.add_argument(
        "--no-browser", action="store_true", help="test only labelers, without the extension"
    )
    parser.add_argument("--html", type=local, metavar="FILE", help="write a report with pictures")


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Test and print; return the exit status."""
    if options.share is not None and not 0 < options.share < 1:
        raise UsageError(f"--share {options.share} must be above 0 and below 1")
    if options.no_browser and not options.labeler and options.share is None:
        raise UsageError("--no-browser leaves nothing to test: give --labeler or --share")
    check_outputs([options.html], options.sidecars)
    with needs_extra("the test bed", "browser", "classical", "train"):
        from scrapy_boilernet.lab.annotations.sidecar import AnnotationError
        from scrapy_boilernet.lab.annotations.testbed import Extension, Testbed, table
        from scrapy_boilernet.lab.annotations.testbed_report import report
    with explained(AnnotationError, ModelError, OSError), tempfile.TemporaryDirectory() as folder:
        extension = None
        if not options.no_browser:
            model = write_extension_file(options.model, Path(folder))
            extension = Extension(options.extension, model)
        testbed = Testbed(
            labelers=[_labeler(name) for name in options.labeler],
            kinds=content_kinds(options),
            extension=extension,
            share=options.share,
            seed=options.seed,
        )
        results = list(testbed.run(options.sidecars))
        for line in table(results):
            sys.stdout.write(f"{line}\n")
        if options.html:
            options.html.write_text(report(results), encoding="utf-8")
            sys.stderr.write(f"wrote {options.html}\n")
    return 0


def _labeler(name: str) -> Labeler:
    which_labeler(name, "give --labeler")
    return load_labeler(name)
