"""Fail unless the wheel and the sdist in the given folder are complete and hold nothing strange."""

import sys
import tarfile
import zipfile
from pathlib import Path

IN_WHEEL = (
    "scrapy_boilernet/py.typed",
    "scrapy_boilernet/models/default/model.json",
    "scrapy_boilernet/models/default/model.safetensors",
    "scrapy_boilernet/models/default/model.onnx",
    "scrapy_boilernet/models/default/README.md",
    "scrapy_boilernet/models/default/calibration.svg",
    "scrapy_boilernet/models/default/floors.json",
    "scrapy_boilernet/extractor/explain/templates/explanation.css",
    "scrapy_boilernet/extractor/explain/templates/explanation.html",
    "scrapy_boilernet/lab/report/published.toml",
    "scrapy_boilernet/lab/report/templates/parts.html",
    "scrapy_boilernet/lab/report/templates/report.css",
    "scrapy_boilernet/lab/report/templates/report.html",
    "scrapy_boilernet/lab/evaluation/readability.cjs",
    "scrapy_boilernet/models/crf/model.safetensors",
    "scrapy_boilernet/models/gbdt/model.safetensors",
    "scrapy_boilernet/models/open/model.safetensors",
    "scrapy_boilernet/models/open/model.onnx",
    "scrapy_boilernet/models/paper/model.safetensors",
    "scrapy_boilernet/models/svm/model.safetensors",
    "scrapy_boilernet/lab/training/card.md",
    "scrapy_boilernet/lab/training/recipes.toml",
    "LICENSE",
    "scrapy_boilernet/extractor/html/compiled_walk.pyi",
    "scrapy_boilernet/extractor/labelers/boilernet/compiled_network.pyi",
)
IN_SDIST = (
    ".github/workflows/tests.yml",
    ".pre-commit-config.yaml",
    ".readthedocs.yaml",
    "CHANGES.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "constraints.txt",
    "light.txt",
    "tox.ini",
    "docs/settings.md",
    "example_project/site/expected.json",
    "models/default/model.safetensors",
    "models/default/model.onnx",
    "tests/conftest.py",
    "tests/pages/article.html",
    "tests/testing/spiders/every_page.py",
    "tests/testing/synthetic.py",
    "setup.py",
    "scrapy_boilernet/extractor/html/compiled_walk.pyx",
    "scrapy_boilernet/extractor/html/compiled_walk.pxd",
    "scrapy_boilernet/extractor/html/compiled_bytes.h",
    "scrapy_boilernet/extractor/labelers/boilernet/compiled_network.h",
)
STRANGE = (".tar.xz", ".pkl", ".pyc", ".pyx", ".c")
NOT_IN_WHEEL = ("CHANGES.md", "CITATION.cff", "CONTRIBUTING.md", ".yaml", ".yml")
"""What is for those who work on the project."""
MAX_WHEEL_BYTES = 9_000_000

folder = Path(sys.argv[1])
wheel = next(folder.glob("*.whl"))
sdist = next(folder.glob("*.tar.gz"))
problems = []
with zipfile.ZipFile(wheel) as in_wheel, tarfile.open(sdist) as in_sdist:
    contents = (
        (wheel, in_wheel.namelist(), IN_WHEEL),
        (sdist, in_sdist.getnames(), IN_SDIST),
    )
for path, names, wanted in contents:
    problems += [f"{path.name} lacks {w}" for w in wanted if not any(n.endswith(w) for n in names)]
    strange = (*STRANGE, *NOT_IN_WHEEL) if path is wheel else tuple(set(STRANGE) - {".pyx"})
    problems += [f"{path.name} holds {n}" for n in names if n.endswith(strange)]
if wheel.stat().st_size > MAX_WHEEL_BYTES:
    problems.append(f"{wheel.name} has {wheel.stat().st_size} bytes")
if problems:
    sys.exit("\n".join(problems))
sys.stdout.write(f"{wheel.name}, {sdist.name}: complete, {wheel.stat().st_size} bytes\n")
