"""Writes ``src/tables.json``, ``src/html/formulas.json`` and ``src/labelers/grf/mixing.json``: the
Python package's constants.

The extension reads the constants, tables and patterns that it shares with the package from these
files, which leave out what no JavaScript reads. Run ``python extension/tables.py`` after you change
one in a Python module, or read another one in JavaScript; a test fails until you do. With
``--check`` it writes nothing, and fails if a file is out of date.
"""

from __future__ import annotations

import argparse
import ast
import base64
import inspect
import json
import re
import sys
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from scrapy_boilernet.extractor.features.numbers import BLOCK_NUMBERS
from scrapy_boilernet.extractor.html import (
    formulas,
    mathml,
    mathml_symbols,
    mathml_tokens,
    rendered_math,
    stated_tex,
)
from scrapy_boilernet.extractor.labelers.grf.block_graph import GraphOptions, column_mixing
from scrapy_boilernet.extractor.options import LabelOptions

SOURCES = Path(__file__).parent / "src"
TABLES = SOURCES / "tables.json"
FORMULAS = SOURCES / "html" / "formulas.json"
MIXING = SOURCES / "labelers" / "grf" / "mixing.json"
MODULES = (
    "html.blockify", "html.walk", "html.hiding", "html.style_sheets", "html.invisible",
    "html.paths", "html.sentences", "html.head", "html.note_links", "html.note_marks",
    "html.page_names", "html.side_notes",
    "html.aria", "html.code", "html.code_boxes", "html.code_changes",
    "html.code_labels", "html.code_tables",
    "html.linked_notes",
    "html.listings",
    "html.home_links",
    "html.mail_fields",
    "html.equations",
    "html.permalinks", "html.callouts", "html.cells", "html.classifiers", "html.controls",
    "html.heading_separators",
    "html.map_tiles", "html.poem_lines",
    "html.quotes", "html.raising", "html.tasks",
    "html.remarks", "html.icon_words", "html.link_texts", "html.post_lists", "html.word_lists",
    "html.fields", "html.list_pieces", "html.selects", "html.tabs",
    "html.titles_in_attributes", "html.tooltips",
    "html.images", "html.embeds", "html.embed_boxes", "html.emphasis", "html.emoji", "html.markup",
    "html.preformatted", "html.raised",
    "html.reading",
    "features.words", "features.texts", "features.numbers", "features.table",
    "features.block_numbers", "features.hashed",
    "decide.about_lines", "decide.ad_labels", "decide.addresses", "decide.apart", "decide.asides",
    "decide.threshold", "decide.pooling", "decide.structures", "decide.tables", "decide.captions",
    "decide.class_names",
    "decide.comments", "decide.control_labels", "decide.copies", "decide.headline", "decide.kinds",
    "decide.fallback", "decide.dialogs", "decide.members", "decide.navigation",
    "decide.no_text", "decide.notes", "decide.odds", "decide.placeholders", "decide.post_tables",
    "decide.quotes",
    "decide.read_also", "decide.recipes", "decide.references",
    "decide.replies", "decide.sign_up", "decide.speakers",
    "decide.stubs", "decide.teasers", "decide.terms", "decide.threads", "decide.wikis",
    "output.beside", "output.budget", "output.callouts", "output.document", "output.flat_lists",
    "output.entry_tables", "output.tables", "output.asterisks", "output.cell_labels",
    "output.pictures", "output.urls", "output.inline", "output.markdown", "output.tex",
    "labelers.spec", "labelers.model_folder", "labelers.grf.block_graph",
    "labelers.grf.harmonic", "options", "page", "markup",
)  # fmt: skip
"""The modules of the package ``extractor`` whose constants the extension uses."""
OF_LAB = ("annotations.sidecar", "annotations.site_rules")
"""Those of ``lab``."""
OPTIONS = ("favor", "title", "comments", "captions")
"""The label options that the extension has; its others are the package's defaults."""

_READ = re.compile(
    r"(?:(\{[^{}]*\}|\w+)\s*=\s*)?"  # what gets it
    r"\b(?:tables|formulaTables)(?:\[\"([\w.]+)\"\]|\.(\w+))"  # the module
    r"(?:\.([A-Z]\w*))?"  # its constant
)
"""How JavaScript reads a constant of these files, or all of a module."""


class _NotPlainError(Exception):
    """JSON cannot express a value."""


def _plain(value: object) -> Any:
    """Return the value as JSON; a pattern as its source and flags, which ``src/python.js`` reads.

    Raises ``_NotPlainError`` for a value that JSON cannot express.
    """
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    if hasattr(value, "pattern"):
        flags = "".join(
            sign for sign, flag in (("i", re.IGNORECASE), ("s", re.DOTALL)) if value.flags & flag
        )
        return {"pattern": _plain(value.pattern), "flags": flags}
    if type(value) is dict:  # not a cache, which is a subclass
        if not all(isinstance(key, str | int) for key in value):
            raise _NotPlainError
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, AbstractSet):
        return sorted(_plain(each) for each in value if isinstance(each, str | bytes | int))
    if isinstance(value, tuple | list | range):
        return [_plain(each) for each in value]
    raise _NotPlainError


def _constants(module: ModuleType) -> dict[str, Any]:
    """Return the constants that the module itself defines, as JSON, by name without leading
    underscores.
    """
    found = {}
    for node in ast.parse(inspect.getsource(module)).body:
        targets: Iterable[ast.expr] = ()
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = (node.target,)
        names = [
            part.id
            for target in targets
            for part in (target.elts if isinstance(target, ast.Tuple) else (target,))
            if isinstance(part, ast.Name) and part.id.isupper()
        ]
        for name in names:
            try:
                value = _plain(getattr(module, name))
            except _NotPlainError:
                continue
            if name.lstrip("_") in found:
                raise ValueError(f"{module.__name__} has two constants {name}, with and without _")
            found[name.lstrip("_")] = value
    return found


def read_constants(source: str) -> set[tuple[str, str]]:
    """Return the module and the name of each constant that the JavaScript reads."""
    found = set()
    for target, quoted, plain, name in _READ.findall(source):
        module = quoted or plain
        if name:
            found.add((module, name))
            continue
        names = _names(target)
        for holder in [each for each in names if each.islower()]:
            names += re.findall(rf"\b{holder}\.([A-Z]\w*)", source)
            for inner in re.findall(rf"(\{{[^{{}}]*\}})\s*=\s*{holder};", source):
                names += _names(inner)
        found |= {(module, each) for each in names if each.isupper()}
    return found


def _names(target: str) -> list[str]:
    """Return the names that an assignment in JavaScript fills."""
    return re.findall(r"\w+", target)


def _read(found: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return those of the constants that JavaScript reads."""
    files = SOURCES.rglob("*.js")
    read = set().union(*(read_constants(file.read_text(encoding="utf-8")) for file in files))
    return {
        module: {name: value for name, value in constants.items() if (module, name) in read}
        for module, constants in found.items()
    }


def tables() -> str:
    """Return the text of ``tables.json``."""
    found: dict[str, Any] = {
        name: _constants(import_module(f"scrapy_boilernet.extractor.{name}")) for name in MODULES
    }
    found |= {name: _constants(import_module(f"scrapy_boilernet.lab.{name}")) for name in OF_LAB}
    numbers = [asdict(number) for group in BLOCK_NUMBERS.values() for number in group]
    found["features.numbers"]["LIST"] = [
        {key: value for key, value in number.items() if key != "what"} for number in numbers
    ]
    found["options"]["DEFAULTS"] = {name: getattr(LabelOptions, name) for name in OPTIONS}
    found["python"] = {"SPACE": _space()}
    found["labelers.grf.block_graph"]["OPTIONS"] = asdict(GraphOptions())
    return json.dumps(_read(found), indent=1, ensure_ascii=True, sort_keys=True) + "\n"


def _space() -> str:
    """Return the characters that Python counts as white space, for a character class."""
    codes = [code for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    begins = [code for code in codes if code - 1 not in codes]
    ends = [code for code in codes if code + 1 not in codes]
    return "".join(
        f"\\u{begin:04x}" + (f"-\\u{end:04x}" if end > begin else "")
        for begin, end in zip(begins, ends, strict=True)
    )


def formula_tables() -> str:
    """Return the text of ``formulas.json``."""
    symbols = {name: value for name, value in vars(mathml_symbols).items() if name[0].isupper()}
    styled: dict[str, str] = {}  # the letters by the command of their style
    for char in map(chr, range(128, sys.maxunicode + 1)):
        written = mathml_tokens._char(char)
        if written != char and char not in mathml_symbols.SYMBOLS:
            command = written.partition("{")[0] if written.endswith("}") else ""
            styled[command] = styled.get(command, "") + char
    matrices = [[*fences, name] for fences, name in mathml._MATRICES.items()]
    found = {
        "html.formulas": _constants(formulas),
        "html.mathml": _constants(mathml)
        | _constants(mathml_tokens)
        | {
            "MATRICES": matrices,
            "STYLED": styled,
        },
        "html.mathml_symbols": _plain(symbols),
        "html.rendered_math": _constants(rendered_math),
        "html.stated_tex": _constants(stated_tex),
    }
    return json.dumps(_read(found), indent=1, ensure_ascii=True, sort_keys=True) + "\n"


def mixing() -> str:
    """Return the text of ``mixing.json``.

    By the number of hashed columns, it has one byte per column, in base64: the index of the sum
    that the column goes to, plus 128 if the column is negated.
    """
    found = {}
    for groups in (1, 2):
        signs, sums = column_mixing(groups)
        packed = (sums + 128 * (signs < 0)).astype("uint8").tobytes()
        found[str(len(sums))] = base64.b64encode(packed).decode()
    return json.dumps(found, indent=1) + "\n"


def main() -> int:
    """Write or check the files; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if one differs")
    options = parser.parse_args()
    status = 0
    written = ((TABLES, tables()), (FORMULAS, formula_tables()), (MIXING, mixing()))
    for file, text in written:
        if not options.check:
            file.write_text(text, encoding="utf-8")
        elif not file.is_file() or file.read_text(encoding="utf-8") != text:
            sys.stderr.write(f"{file} is out of date: run python extension/tables.py\n")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
