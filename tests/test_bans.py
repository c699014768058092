"""Nothing in the tree runs data as code or gives text to a shell; ruff forbids each such call."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
SUSPECT = """
import os, subprocess, tempfile
import numpy as np
{line}
"""
FORBIDDEN = {
    "import pickle": "TID251",
    "import cloudpickle": "TID251",
    "import dill": "TID251",
    "import jsonpickle": "TID251",
    "import joblib": "TID251",
    "import marshal": "TID251",
    "import shelve": "TID251",
    "from pickle import loads": "TID251",
    "np.load('x', allow_pickle=True)": "TID251",
    "import torch; torch.load('x')": "TID251",
    "import torch; torch.load('x', weights_only=True)": "TID251",
    "from torch import load": "TID251",
    "import torch; torch.jit.load('x')": "TID251",
    "import torch; torch.hub.load('x')": "TID251",
    "import pandas; pandas.read_pickle('x')": "TID251",
    "import yaml; yaml.load('x', Loader=yaml.Loader)": "TID251",
    "import yaml; yaml.unsafe_load('x')": "TID251",
    "import builtins; builtins.eval('1')": "TID251",
    "import runpy": "TID251",
    "eval('1')": "S307",
    "exec('1')": "S102",
    "os.system('ls')": "TID251",
    "os.popen('ls')": "TID251",
    "subprocess.getoutput('ls')": "TID251",
    "subprocess.run('ls', shell=True)": "S602",
    "subprocess.Popen(f'ls {os}', shell=True)": "S602",
    "tempfile.mktemp()": "TID251",
}
CHECKED = ("scrapy_boilernet/x.py", "scrapy_boilernet/lab/training/x.py", "tests/test_x.py",
           "benchmarks/x.py", "example_project/x.py", "docs/conf.py")  # fmt: skip
"""Paths in every folder, as ruff's settings are per folder."""


@pytest.mark.parametrize("path", CHECKED)
def test_ruff_catches_each_thing_that_runs_data(path: str) -> None:
    ruff = shutil.which("ruff") or shutil.which("ruff", path=Path(sys.executable).parent)
    if ruff is None:
        pytest.skip("ruff is not installed")
    source = "\n".join(FORBIDDEN)
    command = [
        ruff,
        "check",
        "--no-cache",
        "--output-format",
        "json",
        "--stdin-filename",
        path,
        "-",
    ]
    text = f"import os, subprocess, tempfile\nimport numpy as np\n{source}\n"
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=REPOSITORY)
    caught = {(each["location"]["row"] - 3, each["code"]) for each in json.loads(done.stdout)}
    missed = [line for i, (line, rule) in enumerate(FORBIDDEN.items()) if (i, rule) not in caught]
    assert missed == []


CODE_RUNNERS = {"eval", "exec", "compile", "__import__", "builtins.eval", "builtins.exec"}
PICKLERS = ("pickle", "_pickle", "cloudpickle", "dill", "jsonpickle", "joblib", "marshal", "shelve")
LOADERS = {"numpy.load", "torch.load", "torch.jit.load", "torch.hub.load", "pandas.read_pickle",
           "yaml.load", "yaml.unsafe_load", "yaml.full_load", "os.system", "os.popen",
           "subprocess.getoutput", "subprocess.getstatusoutput"}  # fmt: skip
MAY_PICKLE = (
    "test_labeled.py",
    "test_page.py",
    "test_wire.py",
    "test_items_feeds.py",
    "test_meta_held_crawl.py",
    "test_pipelines.py",
)
"""Tests that pickle results, since users may."""


def suspects(source: str) -> set[str]:
    """Return the imports and calls of a module that run data as code, or a shell, by full name."""
    nodes = list(ast.walk(ast.parse(source)))
    names: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    found = {name for name in names.values() if name.split(".")[0] in PICKLERS}
    found |= {full_name(node.func, names) for node in calls} | set(names.values()) & LOADERS
    found = {n for n in found if n in CODE_RUNNERS | LOADERS or n.split(".")[0] in PICKLERS}
    for node in calls:
        for keyword in node.keywords:
            called = full_name(node.func, names).split(".")[0]
            if ast.unparse(keyword) == "allow_pickle=True":
                found.add("allow_pickle=True")
            if ast.unparse(keyword) == "shell=True" and called in ("subprocess", "asyncio"):
                found.add("shell=True")
    return found


def full_name(function: ast.expr, names: Mapping[str, str]) -> str:
    """Return the full name of what is called; "" if it has none."""
    if isinstance(function, ast.Attribute):
        return f"{full_name(function.value, names)}.{function.attr}"
    return names.get(function.id, function.id) if isinstance(function, ast.Name) else ""


def modules() -> list[Path]:
    folders = ("scrapy_boilernet", "models", "tests", "benchmarks", "example_project", "docs")
    return sorted(path for folder in folders for path in (REPOSITORY / folder).rglob("*.py"))


def test_nothing_in_the_tree_runs_data_or_a_shell() -> None:
    found = {
        path.relative_to(REPOSITORY).as_posix(): names
        for path in modules()
        if path.name not in MAY_PICKLE
        and (names := sorted(suspects(path.read_text(encoding="utf-8"))))
    }
    assert found == {}
    assert len(modules()) > 100


@pytest.mark.parametrize("line", [line for line in FORBIDDEN if "runpy" not in line
                                  and "mktemp" not in line])  # fmt: skip
def test_the_search_of_the_tree_finds_each(line: str) -> None:
    assert suspects(SUSPECT.format(line=line))
