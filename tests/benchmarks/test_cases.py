"""The check of small pages against their right values."""

from __future__ import annotations

from pathlib import Path

import pytest
from testing.benchmark_runs import needs_shipped_model, run_module

TEXT = "Pools that the tide leaves behind warm up by several degrees before it comes back."
HTML = f"""<title>Tide pools</title>
<nav><a href="/">Home</a> <a href="/news">News</a> <a href="/sports">Sports</a></nav>
<article><h1>Tide pools</h1><p>{TEXT}</p><p>{TEXT.replace("Pools", "Small pools")}</p>
<p>{TEXT.replace("degrees", "degrees or more")}</p></article>"""
RULES = f"[in the text, in this order] {TEXT}\n[not in the text] Sports\n"


def write_case(folder: Path, **texts: str) -> Path:
    """Write a page with its right values, by the suffix of their file; return the folder."""
    folder.mkdir()
    for suffix, text in {"html": HTML, **texts}.items():
        (folder / f"pools.{suffix}").write_text(text, encoding="utf-8")
    return folder


@needs_shipped_model
@pytest.mark.parametrize(
    ("name", "texts", "shown"),
    [
        ("reports", {"txt": RULES, "md": TEXT, "json": '{"title": "Tide pools"}'}, "1 right, 0"),
        (
            "reports",
            {"txt": "[not in the text] Small pools\n", "json": '{"title": "Pools"}'},
            "pools: kept: 'Small pools'; title 'Tide pools', right is 'Pools'\n1 pages: 0 right, 1",
        ),
        ("markdown", {"md": TEXT}, "0 right, 1"),
    ],
)
def test_each_page_that_is_wrong_is_shown_with_its_faults(
    tmp_path: Path, name: str, texts: dict[str, str], shown: str
) -> None:
    folder = write_case(tmp_path / name, **texts)
    completed = run_module(tmp_path, "benchmarks.quality.cases", folder)
    assert completed.stderr == ""
    assert shown in completed.stdout
    assert completed.returncode == int("0 right" in shown)


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    completed = run_module(tmp_path, "benchmarks.quality.cases", tmp_path)
    assert completed.returncode == 2
    assert "no pages NAME.html" in completed.stderr
