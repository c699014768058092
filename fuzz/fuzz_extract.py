"""Runs a fuzz target with atheris, Google's libFuzzer for Python.

    python -m fuzz.fuzz_extract CORPUS... [-libFuzzer options]

``BOILERNET_FUZZ_TARGET`` is the name of the target's module: ``fuzz.target``, the default, or
``fuzz.reader_target``. Findings are written to the folder that ``BOILERNET_FUZZ_FINDINGS`` names
(default ``findings``): the shortest input per place in the code. Fuzzing continues after a finding.
libFuzzer itself reports inputs that end the process, and inputs that take too much time or memory.
"""

from __future__ import annotations

import os
import shlex
import sys
from importlib import import_module
from pathlib import Path

import atheris

from fuzz.mutations import mutated

TARGET = os.environ.get("BOILERNET_FUZZ_TARGET", "fuzz.target")
with atheris.instrument_imports(
    include=["scrapy_boilernet", "w3lib", "html", "_markupbase", "zipfile", "tarfile"]
):
    target = import_module(TARGET)
CHOOSING_BYTES = target.CHOOSING_BYTES

FOLDER = Path(os.environ.get("BOILERNET_FUZZ_FINDINGS", "findings"))


def check(data: bytes) -> None:
    """Label the input and check the result; write the findings."""
    for kind, message in target.findings(data).items():
        FOLDER.mkdir(parents=True, exist_ok=True)
        file = FOLDER / kind
        if not file.is_file() or file.stat().st_size > len(data):
            file.write_bytes(data)
            file.with_name(f"{kind}.txt").write_text(message, encoding="utf-8", errors="replace")


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Return the input mutated: by libFuzzer for odd seeds, by its tags for even ones."""
    if len(data) <= CHOOSING_BYTES or seed % 2 or TARGET != "fuzz.target":
        return bytes(atheris.Mutate(data, max_size))
    head, body = data[:CHOOSING_BYTES], data[CHOOSING_BYTES:]
    return head + mutated(body, max_size - CHOOSING_BYTES, seed)


def main() -> None:
    """Run libFuzzer with the target and the mutations; files in the arguments are not mutated."""
    # libFuzzer starts itself again with the first argument, such as for -minimize_crash=1.
    program = shlex.join([sys.executable, "-m", "fuzz.fuzz_extract"])
    atheris.Setup([program, *sys.argv[1:]], check, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
