"""Benchmarks, run like a user runs them, on few pages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 300
needs_shipped_model = pytest.mark.skipif(
    not (ROOT / "models" / "default" / "model.json").is_file(), reason="no shipped model"
)


def run_module(
    folder: Path, module: str, *arguments: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run a module of the repository by ``python -m``, with the folder as its working directory."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        timeout=TIMEOUT_SECONDS,
    )  # fmt: skip


def run(
    folder: Path, module: str, *arguments: str | Path, plot: bool = True
) -> tuple[str, dict[str, Any]]:
    """Return the benchmark's Markdown and JSON; with matplotlib, check that there is a plot."""
    outputs = ["--out-markdown", "out/r.md", "--json", "out/r.json"]
    outputs += ["--plot", "out/r.svg"] if plot else []
    completed = run_module(folder, module, *arguments, *outputs)
    assert completed.returncode == 0, completed.stderr
    text = (folder / "out" / "r.md").read_text(encoding="utf-8")
    assert f"Command: `python -m {module} " in text
    assert str(folder) not in text
    if not plot:
        assert ".svg" not in text
    elif find_spec("matplotlib"):
        assert "(r.svg)" in text
        assert (folder / "out" / "r.svg").stat().st_size > 1000
    else:
        assert "Missing: matplotlib" in text
    return text, json.loads((folder / "out" / "r.json").read_text(encoding="utf-8"))
