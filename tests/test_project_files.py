"""The files around the code agree with each other: versions, tools, environments, paths."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import pytest

from scrapy_boilernet import __version__

ROOT = Path(__file__).parent.parent
MADE = ("dist/", ".tox/")
"""Beginnings of paths that exist only after a build."""


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tox() -> configparser.ConfigParser:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(ROOT / "tox.ini", encoding="utf-8")
    return parser


def environments(tox: configparser.ConfigParser) -> list[str]:
    """Return the environments that tox runs by default, with their braces expanded."""
    names: list[str] = []
    for line in tox["tox"]["env_list"].split():
        before, _, choices = line.partition("{")
        names += [before + choice for choice in choices.rstrip("}").split(",")]
    return names


def test_pre_commit_runs_the_ruff_of_tox(tox: configparser.ConfigParser) -> None:
    found = re.findall(r'"(ruff[^"]*)"', text_of(".pre-commit-config.yaml"))
    assert found == [tox["testenv:lint"]["deps"]] * 2
    assert tox["testenv:lint"]["deps"].startswith("ruff==")


def test_all_hooks_are_local() -> None:
    assert re.findall(r"repo: (.+)", text_of(".pre-commit-config.yaml")) == ["local"]


def test_read_the_docs_installs_what_tox_installs(tox: configparser.ConfigParser) -> None:
    (file,) = re.findall(r"requirements: (.+)", text_of(".readthedocs.yaml"))
    assert tox["testenv:docs"]["deps"] == f"-r {file}"
    assert (ROOT / file).is_file()
    assert "fail_on_warning: true" in text_of(".readthedocs.yaml")
    assert "sphinx-build -W " in tox["testenv:docs"]["commands"]


def test_the_workflow_runs_every_environment_of_tox(tox: configparser.ConfigParser) -> None:
    rows = re.findall(r'env: (\w+), python: "([\d.]+)"', text_of(".github/workflows/tests.yml"))
    assert sorted(env for env, _ in rows) == sorted(environments(tox))
    for env, python in rows:
        own = re.fullmatch(r"py(3)(\d\d)", env)
        assert python == (f"{own[1]}.{own[2]}" if own else "3.11"), env


@pytest.mark.parametrize("name", ["tests", "build"])
def test_a_workflow_may_only_read_and_does_not_run_for_ever(name: str) -> None:
    text = text_of(f".github/workflows/{name}.yml")
    assert "\npermissions:\n  contents: read\n" in text
    assert "write" not in re.findall(r"^ *[a-z-]+: (\w+)$", text, re.MULTILINE)
    assert text.count("timeout-minutes:") == text.count("runs-on:") > 0
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    uses = re.findall(r"uses: (.+)", text)
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in uses), uses


def test_the_citation_has_the_version() -> None:
    text = text_of("CITATION.cff")
    assert re.findall(r"^version: (.+)$", text, re.MULTILINE) == [__version__]
    assert re.findall(r"^license: (.+)$", text, re.MULTILINE) == ["BSD-3-Clause"]


def test_the_extension_has_the_version() -> None:
    package = json.loads(text_of("extension/package.json"))
    lock = json.loads(text_of("extension/package-lock.json"))
    assert {package["version"], lock["version"], lock["packages"][""]["version"]} == {__version__}


def test_contributing_names_files_and_environments_that_exist(
    tox: configparser.ConfigParser,
) -> None:
    text = text_of("CONTRIBUTING.md")
    linked = [target.partition("#")[0] for target in re.findall(r"\]\(([^)]+)\)", text)]
    named = re.findall(r"`([\w.-]+/[\w./-]*|[\w-]+\.(?:md|cff|cfg|ini|py|txt))`", text)
    paths = {path for path in {*linked, *named} if "NAME" not in path and not path.startswith(MADE)}
    assert len(paths) > 20
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []
    commands = set(re.findall(r"tox -e (\w+)", text))
    assert commands <= {*environments(tox), "quality"}
    assert len(commands) > 8


def test_every_folder_of_the_package_is_installed() -> None:
    setup = configparser.ConfigParser(interpolation=None)
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = {name for name in setup["options"]["packages"].split() if "models" not in name}
    folders = {file.parent for file in (ROOT / "scrapy_boilernet").rglob("*.py")}
    assert listed == {".".join(folder.relative_to(ROOT).parts) for folder in folders}
