"""The documents agree with the code."""

from __future__ import annotations

import configparser
import importlib.util
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.commands.extras import PACKAGES
from scrapy_boilernet.crawl.runtime import STATS
from scrapy_boilernet.settings.config import OVERRIDES, PREFIX, SETTINGS

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("docs/settings.md", "docs/stats.md", "docs/commands.md", "docs/api.md")


def script(name: str) -> ModuleType:
    """A script of the folder docs."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """The script that writes the tables."""
    return script("generate")


@pytest.fixture
def copied(generate: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the documents, which the script works on."""
    (tmp_path / "docs").mkdir()
    for name in DOCUMENTS:
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    return tmp_path


@pytest.mark.parametrize("document", DOCUMENTS)
def test_tables_are_what_the_code_says(generate: ModuleType, document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    assert text == generate.written(text), "run python docs/generate.py"


def test_every_setting_has_help(generate: ModuleType) -> None:
    texts = generate.setting_help()
    assert list(texts) == list(SETTINGS)
    assert all(re.fullmatch(r"[A-Z].+[.]", text) for text in texts.values())


def test_the_charts_are_what_the_reports_say() -> None:
    charts = script("charts").CHARTS
    assert len(charts) == 3
    for name, draw in charts.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == draw(), (
            "run python docs/charts.py"
        )


def test_the_pictures_paint_each_block_as_what_it_is() -> None:
    pictures = script("pictures")
    html = (ROOT / "tests" / "pages" / "article.html").read_bytes()
    result = extract(html, engine="numpy", title="keep")
    styles = pictures.by_kind(result, pictures.LIGHT)
    painted = pictures.painted(html, result, styles, pictures.LIGHT)
    counts = Counter(
        kind if kind in ("title", "comment") else label
        for kind, label in zip(result.kinds, result.labels, strict=True)
    )
    assert counts["title"] == painted.count(f"background:{pictures.LIGHT.title}") == 1
    assert counts["content"] == painted.count(f"background:{pictures.LIGHT.main}") > 0
    assert counts["boilerplate"] == painted.count(f"background:{pictures.LIGHT.boilerplate}") > 0


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_pages_list_every_setting_key_and_stat() -> None:
    settings = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(BOILERNET_\w+)`", settings, re.MULTILINE)
    assert rows == [PREFIX + name.upper() for name in SETTINGS]
    keys = settings.split("## Keys of a request")[1].split("-->")[1]
    assert set(re.findall(r"`(\w+)`", keys)) == OVERRIDES
    stats = (ROOT / "docs/stats.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `boilernet/([^`]+)`", stats, re.MULTILINE)
    assert rows == list(STATS)


def test_check_names_the_stale_document_and_the_remedy(
    generate: ModuleType, copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = copied / "docs/stats.md"
    right = page.read_text(encoding="utf-8")
    page.write_text(right.replace("pages labeled |", "pages |"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["generate.py", "--check"])
    with pytest.raises(SystemExit, match=r"docs/stats\.md .* run python docs/generate\.py"):
        generate.main()
    monkeypatch.setattr(sys, "argv", ["generate.py"])
    generate.main()
    assert page.read_text(encoding="utf-8") == right


def test_light_requirements_are_the_packages_without_torch_and_with_onnx_runtime() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    required = requirements(setup["options"]["install_requires"])
    torch = [line for line in required if re.match(r"torch\b", line)]
    assert len(torch) == 1
    without = [line for line in required if line not in torch]
    onnx = requirements(setup["options.extras_require"]["onnx"])
    assert requirements((ROOT / "light.txt").read_text(encoding="utf-8")) == without + onnx


NAMES_IN_A_FILE = re.compile(r"((?:`\w+`(?:,|\sand|,\sand)?\s)+)(?:in|of)\s`([\w/]+\.(?:py|js))`")
"""Such as: `READ` and `WRONG` in `tests/settings/test_config.py`."""


@pytest.mark.parametrize("document", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_names_are_in_the_files_that_a_document_names(document: str) -> None:
    found = NAMES_IN_A_FILE.findall((ROOT / document).read_text(encoding="utf-8"))
    assert len(found) > 10
    for names, path in found:
        file = next(
            each for each in (ROOT / path, ROOT / "scrapy_boilernet" / path) if each.exists()
        )
        for name in re.findall(r"\w+", re.sub(r"\band\b", "", names)):
            assert re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")), (name, path)


@pytest.mark.parametrize("folder", ["decide", "features", "html", "output", "sites"])
def test_each_module_of_the_extractor_is_in_the_document_on_its_structure(folder: str) -> None:
    described = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    modules = (ROOT / "scrapy_boilernet/extractor" / folder).glob("*.py*")
    names = {path.stem for path in modules if path.suffix in (".py", ".pyx")} - {"__init__"}
    assert len(names) > 3
    assert not [name for name in sorted(names) if f"`{name}`" not in described]


def test_confidence_of_a_rule_is_that_of_the_guide() -> None:
    page = "<div id=product><p>A kettle."
    sites = {"shop.example": {"keep": ["#product"]}}
    confidence = extract(page, "https://shop.example/1", sites=sites).confidence
    guide = (ROOT / "docs/sites.md").read_text(encoding="utf-8")
    assert f": .{confidence * 100:.0f} with the model `default`" in guide


def test_packages_of_extras_are_named_as_setup_has_them() -> None:
    """Messages and the guide name them for installations without torch."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", encoding="utf-8")
    packages = {
        extra: {re.match(r"[\w.-]+", line)[0] for line in requirements(lines)}  # type: ignore[index]
        for extra, lines in setup["options.extras_require"].items()
    }
    assert {name: {*text.split()} for name, text in PACKAGES.items()} == {
        name: packages[name] for name in PACKAGES
    }
    guide = (ROOT / "docs/install.md").read_text(encoding="utf-8")
    table = guide.partition("| extra | packages |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [
        [re.findall(r"`([^`]+)`", cell) for cell in row.split("|")] for row in table.split("\n")
    ]
    assert len(rows) == 8
    for _, extras, named, _ in rows:
        wanted = set().union(*(packages[extra] for extra in extras if extra in packages))
        assert {*" ".join(named).split()} == wanted, extras


def requirements(text: str) -> list[str]:
    """Return the lines of a list of requirements that are neither empty nor comments."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
