"""What a run of the fuzzer is told to people as: Markdown in the manner of the benchmarks."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

from measuring import all_versions
from reporting import Report

from scrapy_boilernet.evaluation.provenance import shown_arguments

LINES_OF = ("", "classical/", "labelers/")
"""Folders whose modules' lines are told; evaluation, training and commands read no pages."""


@dataclass
class Figures:
    """What the runs of the fuzzer told."""

    executions: int = 0
    edges: int = 0
    features: int = 0
    inputs: int = 0
    """In the corpus."""
    peak_mb: int = 0
    slowest_seconds: int = 0
    """The slowest input, instrumented, on a machine that may do other work; whole seconds."""
    starts: int = 0
    seconds: float = 0.0
    findings: dict[str, int] = field(default_factory=dict)
    """Bytes of the shortest input, by what was found."""
    lines: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Per module the lines that the corpus runs, and all."""


def write(report: Report, figures: Figures, options: argparse.Namespace) -> None:
    """Write the report to the file that the options name, or to standard output."""
    number = len(figures.findings)
    report.text(
        f"{figures.executions:,} executions in {figures.seconds / 60:.1f} minutes "
        f"({figures.executions / max(figures.seconds, 1):.0f} per second) of the whole way from "
        "bytes to labels, text, a worker's pipe and back, by five labelers in both units; at every "
        "second input twice, compared, and at some explained in text and HTML. Findings: "
        f"{number or 'none'}."
    )
    report.table(
        ["", ""],
        [
            ["executions", f"{figures.executions:,}"],
            ["branches of the package reached, as atheris counts them", f"{figures.edges:,}"],
            ["inputs in the corpus", f"{figures.inputs:,}"],
            ["peak memory of the fuzzer", f"{figures.peak_mb} MB of {options.memory_mb} allowed"],
            ["slowest input, instrumented", f"{figures.slowest_seconds} s"],
            ["starts of the fuzzer", f"{figures.starts}"],
        ],
    )
    if number:
        rows = [[f"`{name}`", f"{size:,}"] for name, size in figures.findings.items()]
        report.table(["finding", "bytes of the shortest input"], rows)
    if figures.lines:
        _add_lines(report, figures)
    text = _markdown(report)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _add_lines(report: Report, figures: Figures) -> None:
    report.text(
        "Lines that the corpus runs, of the modules that are loaded. lxml, NumPy, LightGBM and "
        "ONNX Runtime are not instrumented: libFuzzer sees what they return, not their branches."
    )
    rows = []
    for folder in LINES_OF:
        found = [lines for name, lines in figures.lines.items() if _folder(name) == folder]
        run, lines = (sum(column) for column in zip(*found, strict=True)) if found else (0, 1)
        rows.append([f"`scrapy_boilernet/{folder}`", f"{len(found)}", f"{run / lines:.1%}"])
    report.table(["", "modules", "lines run"], rows)


def _markdown(report: Report) -> str:
    command = shlex.join(["python", "fuzz/run.py", *shown_arguments(sys.argv[1:])])
    versions = ", ".join(f"{name} {version}" for name, version in all_versions().items())
    host = report.machine
    missing = [f"Missing: {what}." for what in report.missing]
    lines = [
        f"# {report.title}", "", *report.lines, *missing, *[""] * bool(missing),
        f"Command: `{command}`", "", f"Versions: {versions}.", "",
        f"Machine: {host['processor']}, {host['cores']} cores, {host['memory_gb']} GB, "
        f"{host['system']}; load {host['load_1_min']} at the start.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _folder(module: str) -> str:
    return module[: module.rfind("/") + 1]
