"""A benchmark's report: Markdown and JSON with the origin of the figures, and a plot."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import sys
from collections.abc import Callable, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

from scrapy_boilernet import __version__
from scrapy_boilernet.lab.evaluation.provenance import shown_arguments, versions

_MORE_VERSIONS = ("onnxruntime", "lxml", "scrapy", "chardetng-py")


def add_outputs(parser: argparse.ArgumentParser, plot: bool = True) -> None:
    """Add the options for the report's files; ``plot``: whether the benchmark draws one."""
    parser.add_argument("--out-markdown", type=Path, metavar="FILE", help="else standard output")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, times in seconds")
    if plot:
        parser.add_argument("--plot", type=Path, metavar="FILE", help=".svg or .png")
    else:
        parser.set_defaults(plot=None)


class Report:
    """Lines and figures, collected while a benchmark runs.

    Create it before the work: it notes the machine's load.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.machine = machine()
        self.missing: list[str] = []
        self.lines: list[str] = []
        self.figures: dict[str, Any] = {}

    def lacks(self, what: str) -> None:
        """Report what is missing, here and on standard error; the benchmark goes on without it."""
        if what not in self.missing:
            self.missing.append(what)
            print(f"missing: {what}", file=sys.stderr)

    def text(self, paragraph: str) -> None:
        """Add a paragraph."""
        self.lines += [paragraph, ""]

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table."""
        self.lines += [_row(header), "|" + "---|" * len(header), *map(_row, rows), ""]

    def write(self, options: argparse.Namespace, draw: Callable[[Path], None] | None) -> None:
        """Write what the options of :func:`add_outputs` name; ``draw`` writes the plot."""
        plot = options.plot
        if plot and not find_spec("matplotlib"):
            self.lacks("matplotlib, so there is no plot: pip install '.[bench]'")
            plot = None
        for file in (options.out_markdown, options.json, plot):
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
        if plot and draw:
            draw(plot)
        if options.json:
            text = json.dumps(self._document(), indent=1, ensure_ascii=False)
            options.json.write_text(text + "\n", encoding="utf-8")
        if not options.out_markdown:
            sys.stdout.write(self.markdown())
            return
        folder = options.out_markdown.parent
        picture = Path(os.path.relpath(plot, folder)).as_posix() if plot else ""
        options.out_markdown.write_text(self.markdown(picture), encoding="utf-8")

    def markdown(self, picture: str = "") -> str:
        """Return the whole report; ``picture``: the path of its plot, relative to the report."""
        lines = [f"# {self.title}", "", *self.lines]
        if picture:
            lines += [f"![{self.title}, plotted]({picture})", ""]
        lines += [f"Missing: {what}." for what in self.missing] + [""] * bool(self.missing)
        shown_versions = ", ".join(f"{name} {version}" for name, version in all_versions().items())
        host = self.machine
        lines += [
            f"Command: `{shown_command()}`",
            "",
            f"Versions: {shown_versions}.",
            "",
            f"Machine: {host['processor']}, {host['cores']} cores, {host['memory_gb']} GB, "
            f"{host['system']}; load {host['load_1_min']} at the start.",
        ]
        return "\n".join(lines) + "\n"

    def _document(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "command": shown_command(),
            "versions": all_versions(),
            "machine": self.machine,
            "missing": self.missing,
            **self.figures,
        }


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def all_versions() -> dict[str, str]:
    """Return the versions of the installed packages that times depend on."""
    installed = {"scrapy-boilernet": __version__, **versions()}
    for distribution in _MORE_VERSIONS:
        try:
            installed[distribution] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            continue
    return installed


def machine() -> dict[str, str | int | float]:
    """Return the processor's model, the number of cores, the memory in GB and the load."""
    return {
        "processor": _processor() or platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(psutil.virtual_memory().total / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
        "load_1_min": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else -1.0,
    }


def shown_command() -> str:
    """Return the running command, ``python -m ...``; paths are cut to their last part."""
    program = sys.modules["__main__"].__spec__
    assert program, "benchmarks are run by python -m"
    return shlex.join(["python", "-m", program.name, *shown_arguments(sys.argv[1:])])


def _processor() -> str:
    """Return the processor's model on Linux, "" elsewhere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, "")
