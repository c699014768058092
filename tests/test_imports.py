"""Imports: no heavy module is loaded before a crawl labels pages; public names are there."""

from __future__ import annotations

import ast
import sys

import pytest
from testing.imports import NAMES, PACKAGE, TREES, imported, loaded_after

import scrapy_boilernet

SHELLS = ("addon", "downloadermiddlewares", "pipelines", "spidermiddlewares")
LIGHT = {
    *SHELLS, "crawl", "crawl.health", "crawl.interpreter", "crawl.item_values", "crawl.items",
    "crawl.responses", "crawl.runtime", "crawl.templates", "crawl.unused_rules", "extractor",
    "extractor.options", "extractor.sites",
    "extractor.sites.domains", "extractor.sites.numbering", "extractor.sites.rules",
    "extractor.sites.selectors", "extractor.sites.xpaths", "settings", "settings.config",
    "settings.values", "version", "workers", "workers.jobs", "workers.queue",
}  # fmt: skip
"""The modules that Scrapy loads with the shells, whether or not the crawl labels pages."""
LATE_IMPORTS = {
    "crawl.runtime": {"scrapy_boilernet.workers.modes", "scrapy_boilernet.workers.templates"},
    "crawl.responses": {"scrapy_boilernet.extractor.labeled"},
    "downloadermiddlewares": {"scrapy_boilernet.extractor.metadata"},
    "crawl.items": {"itemadapter"},
}
"""Per module what its functions import, when they are called."""
IMPORT_SHELLS = "\n".join(f"import {PACKAGE}.{name}" for name in SHELLS)
SWITCHED_OFF = """
from scrapy.exceptions import NotConfigured
class Crawler:
    settings = {}
for component in (
    scrapy_boilernet.downloadermiddlewares.BoilerNetDownloaderMiddleware,
    scrapy_boilernet.spidermiddlewares.BoilerNetSpiderMiddleware,
    scrapy_boilernet.pipelines.BoilerNetPipeline,
):
    try:
        component.from_crawler(Crawler())
    except NotConfigured:
        continue
    raise AssertionError(component)
"""


def own(names: set[str]) -> set[str]:
    return {name.removeprefix(f"{PACKAGE}.") for name in names if name.startswith(f"{PACKAGE}.")}


def foreign(names: set[str]) -> set[str]:
    """Return the modules that belong neither to the package nor to Python."""
    known = {PACKAGE, *sys.stdlib_module_names}
    return {name for name in names if name.partition(".")[0] not in known}


def test_importing_the_package_loads_nothing_but_python() -> None:
    loaded = loaded_after(f"import {PACKAGE}") - loaded_after("")
    assert PACKAGE in loaded
    assert own(loaded) == {"version"}
    assert foreign(loaded) == set()


def test_scrapy_finds_the_command_without_its_actions() -> None:
    loaded = loaded_after(f"import {PACKAGE}.commands")
    assert own(loaded) == {"commands", "version"}
    assert "numpy" not in loaded


@pytest.mark.parametrize("then", ["", SWITCHED_OFF], ids=["imported", "switched off"])
def test_shells_load_nothing_that_scrapy_does_not_load_itself(then: str) -> None:
    loaded = loaded_after(f"import scrapy\n{IMPORT_SHELLS}\n{then}")
    assert own(loaded) == LIGHT
    assert foreign(loaded - loaded_after("import scrapy")) == set()


def test_only_these_imports_are_late() -> None:
    found: dict[str, set[str]] = {}
    for name in LIGHT:
        for function in ast.walk(TREES[NAMES[f"{PACKAGE}.{name}"]]):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for node in ast.walk(function):
                    assert not isinstance(node, ast.Import)
                    if isinstance(node, ast.ImportFrom):
                        found.setdefault(name, set()).add(str(node.module))
    assert found == LATE_IMPORTS


def test_public_names_are_those_that_type_checkers_see() -> None:
    names = scrapy_boilernet.__all__
    homes = {name: getattr(scrapy_boilernet, name).__module__ for name in names}
    homes |= {"ModelError": f"{PACKAGE}.extractor.labelers.registry"}
    seen = {name for name in imported("__init__.py") if name.startswith(PACKAGE)}
    seen.remove(f"{PACKAGE}.version.__version__")
    assert seen == {f"{home}.{name}" for name, home in homes.items()}
    assert {*names, "__version__"} <= {*dir(scrapy_boilernet)}


def test_a_missing_name_raises_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'scrapy_boilernet' has no attribute 'Pages'"):
        _ = scrapy_boilernet.Pages  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="cannot import name 'Pages' from 'scrapy_boilernet'"):
        from scrapy_boilernet import Pages  # type: ignore[attr-defined]  # noqa: F401
