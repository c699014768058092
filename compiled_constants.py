"""Writes the constants of Python modules that compiled code reads, as ``constants.pxi``.

A constant is defined once, in a Python module. ``python compiled_constants.py`` writes it where
Cython includes it; run it after you change one of them, and compile again. With ``--check`` it
writes nothing, and fails if a file is out of date. A test checks the same.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

PACKAGE = "scrapy_boilernet"
FILES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "extractor/html/constants.pxi": {
        "extractor.html.paths": (
            "NOSCRIPT", "CODE", "PREFORMATTED", "MARKED", "ASIDE", "INNER_FLAGS",
        ),
    },
    "extractor/features/constants.pxi": {
        "extractor.features.words": (
            "PUNCTUATION", "STOP", "DIGIT", "WORD", "CAPITAL", "SYMBOL", "HIGH", "UNSPACED",
            "SINGLES_ABOVE",
        ),
        "extractor.features.texts": (
            "COUNTS", "MAX_TEXT_CHARS", "HEAD_TOKENS", "TAIL_TOKENS", "MIN_CLAIM_TOKENS",
            "ADDRESSES",
        ),
        "extractor.features.numbers": ("ROWS", "FAR_BLOCKS", "SUBTREES"),
        "extractor.features.block_numbers": ("HEADING_ANCESTORS", "PROSE_WORDS"),
        "extractor.decide.threshold": ("NORMAL_STEPS",),
    },
}  # fmt: skip
"""Per file, the modules and the names of their constants."""
_NO_NAME = re.compile(r"\W+")
"""What cannot stand in a name of C."""


def text_of(modules: Mapping[str, Sequence[str]]) -> str:
    """Return the text of a file; raises ``TypeError`` for a constant that C cannot express."""
    lines = ["# Written by compiled_constants.py from the Python modules; do not change it here."]
    for module, names in modules.items():
        values = {name: getattr(import_module(f"{PACKAGE}.{module}"), name) for name in names}
        numbers = [line for name in names for line in _numbers(name, values[name])]
        lines += ["", f"# {PACKAGE}/{module.replace('.', '/')}.py", "cdef enum:", *numbers]
        lines += [line for name in names for line in _texts(name, values[name])]
    return "\n".join(lines) + "\n"


def _numbers(name: str, value: object) -> Iterator[str]:
    """Yield the lines of an enum: a number, a code point, or the names of rows, ``DIGITS_ROW``."""
    if isinstance(value, int):
        yield f"    {name} = {value}"
    elif isinstance(value, str) and len(value) == 1:
        yield f"    {name} = {ord(value):#x}"
    elif isinstance(value, Mapping):
        yield from (
            f"    {_NO_NAME.sub('_', row.upper())}_ROW = {i}" for i, row in enumerate(value)
        )
        yield f"    {name} = {len(value)}"
    elif isinstance(value, tuple):
        yield f"    {name}_LENGTH = {len(value)}"
    else:
        raise TypeError(f"{name} = {value!r} is no number, character, mapping or tuple")


def _texts(name: str, value: object) -> Iterator[str]:
    """Yield the lines of an array of ASCII texts, without quotes and backslashes."""
    if isinstance(value, tuple):
        yield f"cdef const char *{name}[{name}_LENGTH]"
        for index, text in enumerate(value):
            yield f'{name}[{index}] = b"{text.encode("ascii").decode()}"'


def main() -> int:
    """Write or check the files; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one differs")
    options = parser.parse_args()
    status = 0
    for name, modules in FILES.items():
        path, text = Path(__file__).parent / PACKAGE / name, text_of(modules)
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            sys.stderr.write(f"{path} is out of date: run python compiled_constants.py\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
