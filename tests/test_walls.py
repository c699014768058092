"""The import rules: which module may import what, and that importing changes nothing."""

from __future__ import annotations

import ast
import re
import shutil
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from testing.imports import (
    FILES,
    NAMES,
    PACKAGE,
    ROOT,
    TREES,
    imported,
    importers,
    loaded_after,
    outside,
)
from testing.models import write_graph

MAX_MODULE_LINES, MAX_FUNCTION_LINES = 400, 40
SHELLS = ("downloadermiddlewares.py", "spidermiddlewares.py", "pipelines.py")
MAX_ROOT_NAMES = 14
MAY_IMPORT = {
    "version": (),
    "extractor": (),
    "settings": ("extractor",),
    "workers": ("extractor", "settings"),
    "crawl": ("extractor", "settings", "workers"),
    "bulk": ("extractor", "settings", "version", "workers"),
    "lab": ("bulk", "extractor", "settings", "workers"),
    "pipelines": ("crawl", "extractor", "settings", "workers"),
    "downloadermiddlewares": ("crawl", "extractor", "settings", "workers"),
    "spidermiddlewares": ("crawl", "extractor", "settings", "workers"),
    "page_objects": ("crawl", "extractor", "settings", "workers"),
    "addon": ("downloadermiddlewares", "page_objects", "pipelines", "spidermiddlewares"),
    "commands": ("bulk", "crawl", "extractor", "lab", "pipelines", "settings", "workers"),
}
"""Per name in the root, a package or a module, the others that it may import."""
INSIDE = {
    "extractor": (
        "patterns", "options", "markup", "metadata", "posts", "sites", "page", "encodings", "html",
        "features", "decide", "labeled", "output", "labelers", "labeling", "templates", "explain",
    ),
    "lab": ("evaluation", "report", "training", "annotations"),
}  # fmt: skip
"""The order in a large package: a part of it imports only itself and earlier ones."""
LABELERS = ("boilernet", "crf", "gbdt", "grf", "svm")
"""The folders of labelers, of which none imports another."""
ENGINES = "extractor/labelers/boilernet/"
MAY_IMPORT_TORCH = (f"{ENGINES}torch_engine.py", f"{ENGINES}network.py")
MAY_IMPORT_TRAINING = (
    "commands/adapt.py", "commands/train.py", "commands/crossvalidate.py", "commands/card.py",
)  # fmt: skip
MAY_IMPORT_EVALUATION = (*MAY_IMPORT_TRAINING[1:], "commands/evaluate.py", "commands/vote.py")


def test_there_is_something_to_check() -> None:
    assert {"extractor/labeling.py", *SHELLS, *MAY_IMPORT_TORCH, *MAY_IMPORT_EVALUATION} <= {*FILES}
    assert set(MAY_IMPORT_TORCH) <= importers("torch")
    assert "crawl/runtime.py" in importers("scrapy")


def test_only_training_annotations_and_commands_import_training() -> None:
    found = importers(f"{PACKAGE}.lab.training")
    assert found >= set(MAY_IMPORT_TRAINING)
    assert outside(found, ("lab/annotations/", "lab/training/"), MAY_IMPORT_TRAINING) == set()


def test_only_training_annotations_reports_and_five_commands_import_evaluation() -> None:
    found = importers(f"{PACKAGE}.lab.evaluation")
    assert found >= set(MAY_IMPORT_EVALUATION)
    packages = ("lab/annotations/", "lab/evaluation/", "lab/report/", "lab/training/")
    assert outside(found, packages, MAY_IMPORT_EVALUATION) == set()


def test_only_the_torch_engine_and_training_import_torch() -> None:
    assert outside(importers("torch"), ("lab/training/",), MAY_IMPORT_TORCH) == set()


def test_one_module_each_imports_onnx_runtime_and_onnx() -> None:
    assert importers("onnxruntime") == {f"{ENGINES}onnx_engine.py"}
    assert importers("onnx") == {f"{ENGINES}onnx_export.py"}
    assert importers(f"{PACKAGE}.extractor.labelers.boilernet.onnx_export") == {
        "commands/export.py"
    }


CLASSICAL_IMPORTERS = {
    "lightgbm": {"extractor/labelers/gbdt/labeler.py", "lab/training/gbdt.py"},
    "pycrfsuite": {"lab/training/crf.py"},
    "scipy": {
        "extractor/labelers/grf/block_graph.py",
        "extractor/labelers/grf/harmonic.py",
    },
    "sklearn": {"lab/training/svm.py"},
}
"""Per package of the extra ``[classical]`` the modules that import it."""


@pytest.mark.parametrize("package", CLASSICAL_IMPORTERS)
def test_only_the_named_modules_import_libraries_of_classical_labelers(package: str) -> None:
    assert importers(package) == CLASSICAL_IMPORTERS[package]


@pytest.mark.parametrize("package", ["selenium", "cryptography"])
def test_only_annotations_drive_a_browser(package: str) -> None:
    assert outside(importers(package), ("lab/annotations/",), ()) == set()


def test_only_the_components_of_scrapy_and_commands_import_scrapy() -> None:
    assert (
        outside(importers("scrapy"), ("commands/", "page_objects/"), (*SHELLS, "crawl/runtime.py"))
        == set()
    )


BULK_IMPORTERS = {
    "backports.zstd": set(),
    "brotli": {"bulk/http_message.py"},
    "datatrove": {"bulk/datatrove.py"},
    "fsspec": {"bulk/storage.py"},
    "pyarrow": {"bulk/shards.py", "bulk/tables.py"},
    "ray": set(),
}
"""Per package of the extras ``[bulk]`` and ``[remote]`` the modules that may import it."""


@pytest.mark.parametrize("package", BULK_IMPORTERS)
def test_what_stored_crawls_need_is_imported_when_it_is_used(package: str) -> None:
    assert importers(package) <= BULK_IMPORTERS[package]


def test_only_page_objects_import_their_packages() -> None:
    assert importers("scrapy_poet") == {"page_objects/__init__.py"}
    assert importers("web_poet") == {"page_objects/__init__.py"}
    assert importers("zyte_common_items") == {"page_objects/zyte.py"}


def test_only_reports_and_training_import_matplotlib() -> None:
    found = importers("matplotlib")
    assert found
    assert outside(found, ("lab/report/", "lab/training/"), ()) == set()


@pytest.mark.parametrize("package", ["rapidfuzz", "tldextract", "trafilatura", "rouge_score"])
def test_what_only_evaluation_needs_is_imported_there_only(package: str) -> None:
    assert outside(importers(package), ("lab/evaluation/",), ()) == set()


def own_imports(file: str) -> set[str]:
    """Return the files of the package that the file imports."""
    names = imported(file)
    targets = {NAMES.get(name) or NAMES.get(name.rpartition(".")[0]) for name in names}
    return {target for target in targets if target and target != file}


def package_of(file: str) -> str:
    return file.partition("/")[0].removesuffix(".py")


def part_of(file: str) -> str:
    """Return the part of a large package that the file is in; "" for the package's docstring."""
    return file.split("/")[1].removesuffix(".py").removesuffix("__init__")


def test_the_root_has_few_names() -> None:
    """What counts is a module, or a folder with modules."""
    names = {file.partition("/")[0] for file in FILES}
    assert {name.removesuffix(".py") for name in names} == {"__init__", *MAY_IMPORT}
    assert len(names) <= MAX_ROOT_NAMES


@pytest.mark.parametrize("file", [file for file in FILES if file.endswith("/__init__.py")])
def test_a_package_has_a_docstring(file: str) -> None:
    assert ast.get_docstring(TREES[file])


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_the_packages_that_it_may(package: str) -> None:
    files = [file for file in FILES if package_of(file) == package]
    used = {package_of(name) for file in files for name in own_imports(file) - {"__init__.py"}}
    assert used - {package} <= {*MAY_IMPORT[package]}


def test_the_arrows_between_the_packages_form_no_circle() -> None:
    assert [*TopologicalSorter(MAY_IMPORT).static_order()]


@pytest.mark.parametrize("package", INSIDE)
def test_imports_in_a_large_package_run_down(package: str) -> None:
    order, folder = ("", *INSIDE[package]), f"{package}/"
    files = [file for file in FILES if file.startswith(folder)]
    assert {part_of(file) for file in files} == {*order}
    up = {
        (file, name)
        for file in files
        for name in own_imports(file)
        if name.startswith(folder) and order.index(part_of(name)) > order.index(part_of(file))
    }
    assert up == set()


def test_no_labeler_imports_another() -> None:
    folder = "extractor/labelers/"
    files = [file for file in FILES if file.startswith(folder)]
    assert {file.split("/")[2] for file in files if file.count("/") == 3} == {*LABELERS}
    for own in LABELERS:
        others = tuple(f"{folder}{name}/" for name in LABELERS if name != own)
        for file in files:
            if file.startswith(f"{folder}{own}/"):
                assert not [name for name in own_imports(file) if name.startswith(others)], file


def test_imports_form_no_circle() -> None:
    graph = {file: own_imports(file) for file in FILES}
    assert sum(map(len, graph.values())) > len(FILES)
    assert len(list(TopologicalSorter(graph).static_order())) == len(FILES)


ONE_MEANING = (
    "Ancestors", "BlockKind", "Cell", "ContentItem", "DeferredPage", "ElementPath", "Entry",
    "FileKind", "LabelCounts", "PartKind", "RecordOptions", "ScoreCell", "Wanted",
)  # fmt: skip
"""Types that one module defines."""
TOO_WIDE = ("Counts", "Item", "Items", "Kind", "Path")
"""Names that would say no more than that there are counts, items, kinds or paths. ``Path`` is
``pathlib``'s, an item Scrapy's."""


def types_of(file: str) -> set[str]:
    """Return the names of classes and types that the file defines, without leading underscores."""
    found: set[str] = set()
    for node in TREES[file].body:
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign) and not ast.unparse(node.value).startswith("TypeVar("):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {name.lstrip("_") for name in found}


def test_names_have_one_meaning() -> None:
    defined = {file: types_of(file) for file in FILES}
    for name in ONE_MEANING:
        assert len([file for file, types in defined.items() if name in types]) == 1, name
    for file, types in defined.items():
        assert not types & {*TOO_WIDE}, file


SOURCES = ROOT.parent / "extension" / "src"
JS_IMPORT = re.compile(r'^(?:import|export)\s[^;"]*?"(\.[^"]+\.js)"', re.MULTILINE)
"""An import of another module of the extension; ``@import`` of a type stands in a comment."""


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the extension is only in a checkout")
def test_imports_of_the_extension_form_no_circle() -> None:
    graph = {
        file: {
            (file.parent / name).resolve()
            for name in JS_IMPORT.findall(file.read_text(encoding="utf-8"))
        }
        for file in SOURCES.resolve().rglob("*.js")
    }
    assert set().union(*graph.values()) <= graph.keys()
    assert sum(map(len, graph.values())) > len(graph)
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


BESIDE = re.compile(r"\b(childNodes|(next|previous)Sibling|(first|last)Child|nodeType|SHOW_TEXT)\b")
"""What of the DOM finds comments, too."""


@pytest.mark.skipif(not SOURCES.is_dir(), reason="the extension is only in a checkout")
def test_one_module_of_the_extension_meets_comments() -> None:
    found = {
        file.name
        for file in (SOURCES / "html").glob("*.js")
        if BESIDE.search(file.read_text(encoding="utf-8"))
    }
    assert found == {"dom.js"}


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
            length -= len((ast.get_docstring(node) or "").splitlines())
            assert length <= MAX_FUNCTION_LINES, node.name


def test_importing_the_package_loads_no_torch_no_scrapy_and_no_reactor() -> None:
    loaded = loaded_after(f"import {PACKAGE}")
    assert PACKAGE in loaded
    assert not loaded & {"torch", "scrapy", "twisted", "twisted.internet.reactor"}


@pytest.mark.parametrize(
    "shell", [*SHELLS, "crawl/runtime.py", "commands/__init__.py", "addon.py", "workers/modes.py"]
)
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
    assert f"{PACKAGE}.extractor.labelers.boilernet.numpy_engine" in loaded
    assert not loaded & {"torch", "scrapy", "twisted.internet.reactor"}
    gold_only = (f"{PACKAGE}.lab.training", f"{PACKAGE}.lab.evaluation")
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
    modules = [name for name, file in NAMES.items() if file.startswith("lab/evaluation/")]
    code = "\n".join(f"import {name}" for name in modules)
    loaded = loaded_after(code)
    assert f"{PACKAGE}.lab.evaluation.evaluate" in loaded
    assert not loaded & {"torch", "scrapy", "twisted.internet.reactor"}
