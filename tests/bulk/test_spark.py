"""The recipe for Spark, on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from testing.models import PAGES

from scrapy_boilernet import extract

pytest.importorskip("pyspark")
pytest.importorskip("pandas")
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Spark needs Java", allow_module_level=True)

ROOT = Path(__file__).parents[2]
NAMES = ("article", "recipe", "forum", "japanese", "russian_windows_1251")


def test_spark_writes_the_texts_that_extract_gives(tmp_path: Path) -> None:
    rows = [
        {"url": f"https://example.com/{name}", "html": (PAGES / f"{name}.html").read_bytes()}
        for name in NAMES
    ]
    rows += [{"url": None, "html": b""}, {"url": "https://example.com/none", "html": None}]
    (tmp_path / "pages").mkdir()
    for number in range(2):
        table = arrow.Table.from_pylist(rows[number::2])
        parquet.write_table(table, tmp_path / "pages" / f"{number}.parquet")
    subprocess.run(
        [sys.executable, ROOT / "docs/examples/bulk_spark.py", "pages", "texts"],
        cwd=tmp_path,
        check=True,
        timeout=300,
        env={
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_LOCAL_DIRS": str(tmp_path / "spark"),
            "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell",
        },
    )
    found = parquet.read_table(tmp_path / "texts").to_pylist()
    assert len(found) == len(rows)
    texts = {row["url"]: row["main_text"] for row in found}
    assert texts == {row["url"]: extract(row["html"] or b"", url=row["url"]).text for row in rows}
    assert sum(map(bool, texts.values())) == len(NAMES)
