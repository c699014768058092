"""The examples of the guide for retrieval, run with the frameworks' own packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from testing.benchmark_runs import needs_shipped_model

from scrapy_boilernet import extract

ROOT = Path(__file__).parents[2]
SITE = ROOT / "example_project" / "site"
FRAMEWORKS = {
    "langchain": "langchain_core",
    "llama_index": "llama_index.core",
    "haystack": "haystack",
}
"""The examples, each with the package that it needs."""
QUESTIONS = {
    "Why should one toast the pearl barley straight from the bag?": ("recipe-soup.html", "barley"),
    "How long do lockers and shops keep a parcel?": ("faq-parcels.html", "Lockers keep"),
    "Когда через реку Ольшанку снова пошёл паром?": ("article-ru-1251.html", "паром"),
}
"""Each with the page and a word of the chunk that answers it."""

pytestmark = needs_shipped_model


@pytest.fixture(scope="module")
def items(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The items that a crawl of the example site writes with the settings of the guide."""
    path = tmp_path_factory.mktemp("items") / "items.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for page in sorted(SITE.glob("*.html")):
            url = f"https://example.com/{page.name}"
            result = extract(page.read_bytes(), url, formats=("markdown", "metadata"))
            assert result.metadata
            item = {
                "url": url,
                "chunks": result.chunk_rows(100),
                "metadata": result.metadata.as_dict(),
            }
            file.write(f"{json.dumps(item)}\n")
    return path


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_an_example_finds_the_chunk_and_cites_it(
    items: Path, framework: str, question: str
) -> None:
    pytest.importorskip(FRAMEWORKS[framework])
    done = subprocess.run(
        [sys.executable, f"docs/examples/retrieval_{framework}.py", str(items), question],
        cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300,
        env={**os.environ, "HAYSTACK_TELEMETRY_ENABLED": "false", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    page, word = QUESTIONS[question]
    title, cite, *text = done.stdout.splitlines()
    assert title
    assert cite.startswith(f"https://example.com/{page}#:~:text=")
    assert word in "\n".join(text)
