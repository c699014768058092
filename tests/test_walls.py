"""The walls of the house: who may import what, and that importing changes nothing."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from conftest import write_graph

import scrapy_boilernet

ROOT = Path(scrapy_boilernet.__file__).parent
PACKAGE = "scrapy_boilernet"
MAX_MODULE_LINES, MAX_FUNCTION_LINES = 400, 40
SHELLS = ("runtime.py", "downloadermiddlewares.py", "spidermiddlewares.py", "pipelines.py")
TORCH_DOORS = ("labelers/boilernet.py", "labelers/network.py")
TRAINING_DOORS = ("commands/train.py", "commands/crossvalidate.py", "commands/card.py")
EVALUATION_DOORS = (*TRAINING_DOORS, "commands/evaluate.py", "commands/vote.py")
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def tree_of(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


TREES = {file: tree_of(file) for file in FILES}
NAMES = {
    f"{PACKAGE}.{file}".removesuffix(".py").removesuffix("/__init__").replace("/", "."): file
    for file in FILES
} | {PACKAGE: "__init__.py"}


def imported(file: str) -> set[str]:
    """Dotted names that the file imports, anywhere in it; also what it imports by a string."""
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
    return {
        file
        for file in FILES
        if any(name == package or name.startswith(f"{package}.") for name in imported(file))
    }


def outside(files: set[str], folders: tuple[str, ...], doors: tuple[str, ...]) -> set[str]:
    return {file for file in files if not file.startswith(folders) and file not in doors}


def test_there_is_something_to_check() -> None:
    assert {"extract.py", "labelers/boilernet.py", *SHELLS, *TORCH_DOORS, *EVALUATION_DOORS} <= {
        *FILES
    }
    assert "labelers/boilernet.py" in importers("torch")
    assert "runtime.py" in importers("scrapy")


def test_only_training_and_its_three_commands_import_training() -> None:
    found = importers(f"{PACKAGE}.training")
    assert found >= set(TRAINING_DOORS)
    assert outside(found, ("training/",), TRAINING_DOORS) == set()


def test_only_training_and_five_commands_import_evaluation() -> None:
    found = importers(f"{PACKAGE}.evaluation")
    assert found >= set(EVALUATION_DOORS)
    assert outside(found, ("evaluation/", "training/"), EVALUATION_DOORS) == set()


def test_only_the_torch_engine_and_training_import_torch() -> None:
    assert outside(importers("torch"), ("training/",), TORCH_DOORS) == set()


def test_onnx_runtime_and_onnx_have_a_door_each() -> None:
    assert importers("onnxruntime") == {"labelers/onnx_engine.py"}
    assert importers("onnx") == {"labelers/onnx_export.py"}
    assert importers(f"{PACKAGE}.labelers.onnx_export") == {"commands/export.py"}


CLASSICAL_DOORS = {
    "lightgbm": {"labelers/gbdt.py", "training/gbdt.py"},
    "pycrfsuite": {"training/crf.py"},
    "scipy": {"classical/block_graph.py", "classical/harmonic.py"},
    "sklearn": {"training/platt.py", "training/svm.py"},
}
"""What the extra ``[classical]`` brings, and who may import it."""


@pytest.mark.parametrize("package", CLASSICAL_DOORS)
def test_the_classical_labelers_libraries_have_their_doors(package: str) -> None:
    assert importers(package) == CLASSICAL_DOORS[package]


def test_what_reads_a_page_for_a_classical_labeler_knows_no_labeler() -> None:
    for file in FILES:
        if file.startswith("classical/"):
            above = (f"{PACKAGE}.labelers", f"{PACKAGE}.training", f"{PACKAGE}.evaluation")
            assert not any(name.startswith(above) for name in imported(file)), file


def test_only_the_shells_and_commands_import_scrapy() -> None:
    assert outside(importers("scrapy"), ("commands/",), SHELLS) == set()


def test_only_evaluation_and_training_import_matplotlib() -> None:
    found = importers("matplotlib")
    assert found
    assert outside(found, ("evaluation/", "training/"), ()) == set()


@pytest.mark.parametrize("package", ["rapidfuzz", "tldextract", "trafilatura", "rouge_score"])
def test_what_only_evaluation_needs_is_imported_there_only(package: str) -> None:
    assert outside(importers(package), ("evaluation/",), ()) == set()


def test_imports_form_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for file in FILES:
        graph[file] = set()
        for name in imported(file):
            target = NAMES.get(name) or NAMES.get(name.rpartition(".")[0])
            if target and target != file:
                graph[file].add(target)
    assert sum(map(len, graph.values())) > len(FILES)
    assert len(list(TopologicalSorter(graph).static_order())) == len(FILES)


@pytest.mark.parametrize("module", ["pickle", "cPickle", "dill", "joblib", "marshal", "shelve"])
def test_nothing_unpickles(module: str) -> None:
    assert importers(module) == set()


@pytest.mark.parametrize("file", FILES)
def test_nothing_runs_data_as_code(file: str) -> None:
    calls = {ast.unparse(node.func) for node in ast.walk(TREES[file]) if isinstance(node, ast.Call)}
    assert not calls & {"eval", "exec", "compile", "__import__", "torch.load", "np.load"}


@pytest.mark.parametrize("file", FILES)
def test_modules_and_functions_are_short(file: str) -> None:
    lines = len((ROOT / file).read_text(encoding="utf-8").splitlines())
    assert lines <= MAX_MODULE_LINES
    for node in ast.walk(TREES[file]):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, node.name


def loaded_after(code: str, *arguments: str) -> set[str]:
    """Names of the modules that a fresh Python has loaded after running ``code``."""
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules))"
    command = [sys.executable, "-c", script, *arguments]
    return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_no_torch_no_scrapy_and_no_reactor() -> None:
    loaded = loaded_after(f"import {PACKAGE}")
    assert PACKAGE in loaded
    assert not loaded & {"torch", "scrapy", "twisted", "twisted.internet.reactor"}


@pytest.mark.parametrize("shell", [*SHELLS, "commands/__init__.py", "addon.py", "modes.py"])
def test_importing_a_shell_installs_no_reactor_and_loads_no_torch(shell: str) -> None:
    name = f"{PACKAGE}.{shell}".removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    loaded = loaded_after(f"import {name}")
    assert name in loaded
    assert not loaded & {"torch", "twisted.internet.reactor"}


def test_extracting_with_numpy_never_loads_torch_or_scrapy(tiny_model: Path) -> None:
    code = (
        f"from {PACKAGE} import extract\n"
        "result = extract('<p>Tide pools.', model=sys.argv[1], engine='numpy')\n"
        "assert result.model == 'tiny' and result.text is not None"
    )
    loaded = loaded_after(code, str(tiny_model))
    assert f"{PACKAGE}.labelers.numpy_engine" in loaded
    assert not loaded & {"torch", "scrapy", "twisted.internet.reactor"}
    gold_only = (f"{PACKAGE}.training", f"{PACKAGE}.evaluation")
    assert not any(name.startswith(gold_only) for name in loaded)


def test_extracting_with_onnx_runtime_never_loads_torch_onnx_or_scrapy(
    tiny_model: Path, tmp_path: Path
) -> None:
    pytest.importorskip("onnxruntime")
    folder = write_graph(Path(shutil.copytree(tiny_model, tmp_path / "with-graph")))
    code = (
        f"from {PACKAGE} import extract\n"
        "result = extract('<p>Tide pools.', model=sys.argv[1], engine='onnx')\n"
        "assert result.model == 'tiny' and result.text is not None"
    )
    loaded = loaded_after(code, str(folder))
    assert "onnxruntime" in loaded
    assert not loaded & {"torch", "onnx", "google.protobuf", "scrapy", "twisted.internet.reactor"}


def test_importing_evaluation_loads_no_torch_and_no_scrapy() -> None:
    pytest.importorskip("rapidfuzz")
    modules = [name for name, file in NAMES.items() if file.startswith("evaluation/")]
    drawing = (f"{PACKAGE}.evaluation.html_", f"{PACKAGE}.evaluation.plots")  # need matplotlib
    code = "\n".join(f"import {name}" for name in modules if not name.startswith(drawing))
    loaded = loaded_after(code)
    assert f"{PACKAGE}.evaluation.evaluate" in loaded
    assert not loaded & {"torch", "scrapy", "twisted.internet.reactor"}
