"""A benchmark's report: Markdown and JSON with where the figures come from, and a plot."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from measuring import all_versions, machine, shown_command


def add_outputs(parser: argparse.ArgumentParser, plot: bool = True) -> None:
    """Add the options that say where the report goes; ``plot``: whether there is one."""
    parser.add_argument("--out-markdown", type=Path, metavar="FILE", help="else standard output")
    parser.add_argument("--json", type=Path, metavar="FILE", help="all figures, times in seconds")
    if plot:
        parser.add_argument("--plot", type=Path, metavar="FILE", help=".svg or .png")
    else:
        parser.set_defaults(plot=None)


class Report:
    """Lines and figures, gathered while a benchmark runs.

    Made at its beginning: the machine's load is that from before the work.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.machine = machine()
        self.missing: list[str] = []
        self.lines: list[str] = []
        self.figures: dict[str, Any] = {}

    def lacks(self, what: str) -> None:
        """Say at once, and in the report, what is missing; the benchmark goes on without it."""
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
            self.lacks("matplotlib, so there is no plot: pip install '.[train]'")
            plot = None
        for file in (options.out_markdown, options.json, plot):
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
        if plot and draw:
            draw(plot)
        if options.json:
            text = json.dumps(self._document(), indent=1, ensure_ascii=False)
            options.json.write_text(text + "\n", encoding="utf-8")
        if options.out_markdown:
            options.out_markdown.write_text(self._markdown(plot, options), encoding="utf-8")
        else:
            sys.stdout.write(self._markdown(None, options))

    def _markdown(self, plot: Path | None, options: argparse.Namespace) -> str:
        lines = [f"# {self.title}", "", *self.lines]
        if plot:
            place = Path(os.path.relpath(plot, options.out_markdown.parent)).as_posix()
            lines += [f"![{self.title}, plotted]({place})", ""]
        lines += [f"Missing: {what}." for what in self.missing] + [""] * bool(self.missing)
        versions = ", ".join(f"{name} {version}" for name, version in all_versions().items())
        host = self.machine
        lines += [
            f"Command: `{shown_command()}`",
            "",
            f"Versions: {versions}.",
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
