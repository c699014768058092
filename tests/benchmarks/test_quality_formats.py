"""The benchmark of formats counts words and structure of what is kept."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from testing.benchmark_runs import needs_shipped_model, run
from testing.synthetic import write_set

from benchmarks.quality.formats import Kept, count, words_of

TEXT = "Pools that the tide leaves behind warm up by several degrees before it comes back."
HTML = (
    f"<title>Pools</title><article><h1>Pools</h1><p>{TEXT} <a href=/a>More</a></p>"
    f"<ul><li>{TEXT}<li>{TEXT}</ul><pre>a\n  b</pre><p>{TEXT}</p></article>"
)


def test_words_and_structure_are_counted() -> None:
    kept = Kept()
    structure = Counter({"headings": 2, "links": 1, "list items": 1})
    html = "<h1>a b</h1><ul><li>c</li><li><a href=x>d</a></li></ul>"
    count(kept, html, words_of("a b c e"), structure)
    assert (kept.lost, kept.added, kept.pages) == (1, 1, 1)
    assert kept.structure == {"headings": 1, "links": 1, "list items": 1}
    count(kept, "", words_of(""), Counter())
    assert kept.pages == 1


@needs_shipped_model
def test_the_reports_have_words_structure_and_times(tmp_path: Path) -> None:
    folder = write_set(tmp_path / "pools", {"pools": (HTML.encode(), TEXT)})
    text, document = run(tmp_path, "benchmarks.quality.formats", folder, "--pages", "1", plot=False)
    assert "1 pages: pools 1." in text
    assert document["ours, HTML"]["lost"] == document["ours, HTML"]["added"] == 0
    _, document = run(tmp_path, "benchmarks.speed.formats", folder, "--pages", "1", plot=False)
    assert {"Markdown", "metadata", "all, with posts"} < set(document["ratios"])
