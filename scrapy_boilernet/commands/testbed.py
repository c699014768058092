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
from scrapy_boilernet.labelers.extension_file import write_extension_file
from scrapy_boilernet.labelers.registry import ModelError, load_labeler

EXTENSION = Path("extension") / "dist" / "test-chromium"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    add_sidecar_arguments(parser)
    parser.add_argument(
        "--model", default="default", help="that the extension runs (default: default)"
    )
    parser.add_argument(
        "--labeler", action="append", default=[],
        help="name or model folder, run in Python on the same bytes; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--share", type=float, metavar="SHARE",
        help="also give this share of the labels to a Gaussian random field, and measure on the "
        "others; such as 0.2",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: 0)")
    parser.add_argument(
        "--extension", type=Path, default=EXTENSION, metavar="FOLDER",
        help=f"the extension as it is built for tests (default: {EXTENSION})",
    )  # fmt: skip
    parser.add_argument(
        "--no-browser", action="store_true", help="leave the extension out, test labelers only"
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="report with pictures to write")


def run(options: argparse.Namespace, _settings: BaseSettings | None = None) -> int:
    """Test and print; return the exit status."""
    if options.share is not None and not 0 < options.share < 1:
        raise UsageError(f"--share {options.share} must be above 0 and below 1")
    if options.no_browser and not options.labeler and options.share is None:
        raise UsageError("--no-browser leaves nothing to test: give --labeler or --share")
    with needs_extra("the test bed", "browser,classical,train"):
        from scrapy_boilernet.annotations.sidecar import AnnotationError
        from scrapy_boilernet.annotations.testbed import Extension, Testbed, table
        from scrapy_boilernet.annotations.testbed_report import report
    with explained(AnnotationError, ModelError, OSError), tempfile.TemporaryDirectory() as folder:
        extension = None
        if not options.no_browser:
            model = write_extension_file(options.model, Path(folder))
            extension = Extension(options.extension, model)
        testbed = Testbed(
            labelers=[load_labeler(name) for name in options.labeler],
            kinds=content_kinds(options),
            extension=extension,
            share=options.share,
            seed=options.seed,
        )
        looks = list(testbed.run(options.sidecars))
        for line in table(looks):
            sys.stdout.write(f"{line}\n")
        if options.html:
            options.html.write_text(report(looks), encoding="utf-8")
            sys.stderr.write(f"wrote {options.html}\n")
    return 0
