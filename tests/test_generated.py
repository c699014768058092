"""Files that scripts write from Python's constants are up to date; those of docs: test_docs.py."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_boilernet.extractor.features.numbers import ROWS
from scrapy_boilernet.extractor.features.texts import COUNTS
from scrapy_boilernet.extractor.features.words import DIGIT

ROOT = Path(__file__).parent.parent
CONSTANTS = "scrapy_boilernet/extractor/features/constants.pxi"
EXTENSION = ROOT / "extension" / "src"
IN_HTML = "scrapy_boilernet/extractor/html/constants.pxi"


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, script, *arguments]
    # On the path, since a folder beside the script would hide a package that is installed editable.
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, capture_output=True, check=False, encoding="utf-8", cwd=ROOT, env=environment
    )


def test_compiled_code_reads_the_constants_of_the_python_modules() -> None:
    done = run("compiled_constants.py", "--check")
    assert done.returncode == 0, done.stderr


def test_the_extension_reads_the_constants_of_the_python_modules() -> None:
    pytest.importorskip("scipy")
    done = run("extension/tables.py", "--check")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["tables.json", "html/formulas.json"])
def test_the_extension_reads_each_constant_that_is_written_for_it(name: str) -> None:
    sources = [file.read_text(encoding="utf-8") for file in EXTENSION.rglob("*.js")]
    for module, constants in json.loads((EXTENSION / name).read_text(encoding="utf-8")).items():
        assert constants, module
        named = re.compile(rf'ables(\["{module}"\]|\.{module}\b)')
        words = {*re.findall(r"\w+", "\n".join(text for text in sources if named.search(text)))}
        assert not constants.keys() - words, module


def test_rows_of_counts_and_kinds_of_characters_have_their_names_in_compiled_code() -> None:
    text = (ROOT / CONSTANTS).read_text(encoding="utf-8")
    rows = re.findall(r"^    (\w+)_ROW = (\d+)$", text, re.MULTILINE)
    names = [*map(str.upper, COUNTS)], [re.sub(r"\W+", "_", name.upper()) for name in ROWS]
    assert rows == [(name, str(row)) for each in names for row, name in enumerate(each)]
    assert f"    DIGIT = {DIGIT}\n" in text


def test_a_stale_file_is_named_with_the_remedy(tmp_path: Path) -> None:
    copy = tmp_path / "compiled_constants.py"
    copy.write_text((ROOT / "compiled_constants.py").read_text("utf-8"), encoding="utf-8")
    stale = tmp_path / CONSTANTS
    stale.parent.mkdir(parents=True)
    stale.write_text("cdef enum:\n    DIGIT = 3\n", encoding="utf-8")
    (tmp_path / IN_HTML).parent.mkdir()
    (tmp_path / IN_HTML).write_bytes((ROOT / IN_HTML).read_bytes())
    done = run(str(copy), "--check")
    assert done.returncode == 1
    assert done.stderr == f"{stale} is out of date: run python compiled_constants.py\n"
    assert run(str(copy)).returncode == 0
    assert stale.read_bytes() == (ROOT / CONSTANTS).read_bytes()
