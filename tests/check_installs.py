"""Install the wheel and the sdist of a folder in bare environments, with and without a compiler.

    python tests/check_installs.py dist python3.11 python3.12

Each environment has the packages of ``light.txt``. Fails unless every one gives the same text of a
page. The Pythons default to the one that runs this; those that the wheel is not for get the sdist
alone.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "example_project/site/news-bridge.html"
NO_COMPILER = {"CC": shutil.which("false") or "false"}
PARTS = """
import sys
from pathlib import Path
import scrapy_boilernet
folder = Path(scrapy_boilernet.__file__).parent
print(f"cp{sys.version_info[0]}{sys.version_info[1]}", len([*folder.rglob("*.so")]), folder)
"""


def run(*command: str | Path, cwd: str, **variables: str) -> str:
    """Return what a command prints; raises ``CalledProcessError`` if it fails."""
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [*map(str, command)], cwd=cwd, env=own | variables, check=True, capture_output=True,
        encoding="utf-8",
    )  # fmt: skip
    return done.stdout


def installed(python: str, package: Path, **variables: str) -> tuple[str, int, str]:
    """Install a package; return (Python's tag, the number of compiled modules, the page's text)."""
    with tempfile.TemporaryDirectory(prefix="installed-") as folder:
        run(python, "-m", "venv", "bare", cwd=folder)
        scripts = Path(folder, "bare", "Scripts" if os.name == "nt" else "bin")
        pip = (scripts / "python", "-m", "pip", "install", "--quiet")
        run(*pip, "-r", ROOT / "light.txt", cwd=folder)
        run(*pip, "--no-deps", "--no-cache-dir", package, cwd=folder, **variables)
        tag, compiled, where = run(scripts / "python", "-c", PARTS, cwd=folder).split(maxsplit=2)
        assert Path(folder).resolve() in Path(where.strip()).resolve().parents, where
        text = run(scripts / "scrapy", "boilernet", "extract", PAGE, cwd=folder)
    return tag, int(compiled), text


def results(dist: Path, python: str) -> Iterator[tuple[str, int, str]]:
    """Yield (what was installed, the number of compiled modules, the page's text)."""
    wheel, sdist = next(dist.glob("*.whl")).resolve(), next(dist.glob("*.tar.gz")).resolve()
    tag, compiled, text = installed(python, sdist, **NO_COMPILER)
    if compiled:
        raise AssertionError(f"{tag}: {compiled} modules were compiled without a compiler")
    yield f"{tag}, sdist without a compiler", compiled, text
    if shutil.which(os.environ.get("CC", "cc")):
        _, compiled, text = installed(python, sdist)
        if not compiled:
            raise AssertionError(f"{tag}: nothing was compiled, though there is a compiler")
        yield f"{tag}, sdist with a compiler", compiled, text
    if f"-{tag}-{tag}-" in wheel.name:
        _, compiled, text = installed(python, wheel)
        yield f"{tag}, wheel", compiled, text


def main(dist: str, *pythons: str) -> None:
    """Check all Pythons."""
    texts = set()
    for python in pythons or (sys.executable,):
        for name, compiled, text in results(Path(dist), python):
            sys.stdout.write(f"{name}: {compiled} compiled modules, {len(text.split())} words\n")
            texts.add(text)
    if len(texts) != 1 or not min(texts).strip():
        sys.exit(f"{len(texts)} different texts of {PAGE.name}, or an empty one")


if __name__ == "__main__":
    main(*sys.argv[1:])
