"""Runs inputs again without atheris: findings, or a corpus to measure its coverage.

python -m fuzz.replay FILE|FOLDER... [--target MODULE] [--coverage FILE.json]
"""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

PACKAGE = "scrapy_boilernet"


def main() -> int:
    """Run the inputs and print the findings; return 1 if there are any, else 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("inputs", nargs="+", type=Path, metavar="FILE|FOLDER")
    parser.add_argument(
        "--coverage", type=Path, metavar="FILE.json",
        help="write the number of lines of each module, and of those that ran",
    )  # fmt: skip
    parser.add_argument("--target", default="fuzz.target", metavar="MODULE")
    options = parser.parse_args()
    with traced(options.coverage) if options.coverage else contextlib.nullcontext():
        # here, so that lines that run at import are traced
        findings = import_module(options.target).findings
        number = 0
        for file in files_in(options.inputs):
            for kind, message in findings(file.read_bytes()).items():
                print(f"{file.name}: {kind}\n{message}\n")
                number += 1
    return int(number > 0)


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files and the files in the folders, without ``.txt`` files, which hold messages."""
    for path in paths:
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        yield from (file for file in files if file.suffix != ".txt")


@contextlib.contextmanager
def traced(out: Path) -> Iterator[None]:
    """Trace the body of a ``with`` statement; write (lines run, lines) per module of the package
    that it loads.
    """
    from coverage import Coverage

    coverage = Coverage(data_file=None, source_pkgs=[PACKAGE])
    coverage.start()
    yield
    coverage.stop()
    lines_run = {}
    for name in sorted(coverage.get_data().measured_files()):
        _, lines, _, missing, _ = coverage.analysis2(name)
        module = Path(name).as_posix().rpartition(f"{PACKAGE}/")[2]
        if len(missing) < len(lines):
            lines_run[module] = (len(lines) - len(missing), len(lines))
    out.write_text(json.dumps(lines_run, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
