"""The imports of the package's modules, read from their source, and those of a fresh Python."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import scrapy_boilernet

ROOT = Path(scrapy_boilernet.__file__).parent
PACKAGE = "scrapy_boilernet"
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*.py")
    if path.parent != ROOT / "models"  # a folder of data, which stands here once it is installed
)


def tree_of(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


TREES = {file: tree_of(file) for file in FILES}
NAMES = {
    f"{PACKAGE}.{file}".removesuffix(".py").removesuffix("/__init__").replace("/", "."): file
    for file in FILES
} | {PACKAGE: "__init__.py"}


def imported(file: str) -> set[str]:
    """Return the dotted names that the file imports, anywhere in it, also by a string."""
    found: set[str] = set()
    for node in ast.walk(TREES[file]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} has a relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__")
            and isinstance(node.args[0], ast.Constant)
        ):
            found.add(str(node.args[0].value))
    return found


def importers(package: str) -> set[str]:
    """Return the files that import the package or a module of it."""
    return {
        file
        for file in FILES
        if any(name == package or name.startswith(f"{package}.") for name in imported(file))
    }


def outside(files: set[str], folders: tuple[str, ...], allowed: tuple[str, ...]) -> set[str]:
    """Return the files that are neither in the folders nor allowed."""
    return {file for file in files if not file.startswith(folders) and file not in allowed}


def loaded_after(code: str, *arguments: str) -> set[str]:
    """Return the names of the modules that a fresh Python has loaded after running ``code``."""
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", script, *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())
