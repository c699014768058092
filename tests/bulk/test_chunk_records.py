"""Records of chunks, in JSON lines and Parquet, of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy.cmdline import execute

from scrapy_boilernet.extractor.labeling import extract

PAGE = (
    "<h1>Tide pools</h1>" + "<p>The water has warmed since May, and limpets cling on. " * 20
    + "<h2>Code</h2><pre>for i in pools:\n    print(i)</pre>"
)  # fmt: skip


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        execute(["scrapy", "boilernet", *words])
    return int(ended.value.code or 0)


def test_a_record_per_chunk_is_written(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "pages" / "b.html").write_text("<p>", encoding="utf-8")
    out = tmp_path / "chunks.jsonl"
    pages = str(tmp_path / "pages")
    assert run("bulk", pages, "--chunks", "100", "--workers", "1", "-o", str(out)) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["chunk"] for row in rows] == [*range(1, len(rows) + 1)]
    assert {row["chunks"] for row in rows} == {len(rows)}
    assert len(rows) > 1
    assert all(row["tokens"] <= 100 and row["markdown"] and row["model"] for row in rows)


def test_records_of_chunks_have_types_in_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    out = tmp_path / "chunks.parquet"
    page = str(tmp_path / "a.html")
    assert run("bulk", page, "--chunks", "100", "--workers", "1", "-o", str(out)) == 0
    rows = parquet.read_table(out).to_pylist()
    assert len(rows) > 1
    assert all(isinstance(row["start"], int) for row in rows)
    chunks = extract(PAGE, formats=("markdown",)).chunks(100)
    assert [row["headings"] for row in rows] == [[*chunk.headings] for chunk in chunks]
    assert "## Code" in rows[-1]["markdown"]


def test_chunks_and_pages_are_counted_at_the_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    for name, page in (("a", PAGE), ("b", "<p>"), ("c", PAGE.replace("limpets", "mussels"))):
        (tmp_path / "pages" / f"{name}.html").write_text(page, encoding="utf-8")
    out, summary = tmp_path / "chunks.jsonl", tmp_path / "summary.json"
    words = ("bulk", str(tmp_path / "pages"), "--workers", "1", "--summary", str(summary), "-o")
    assert run(*words, str(out), "--chunks", "100", "--with", "markdown,metadata") == 0
    lines = len(out.read_text(encoding="utf-8").splitlines())
    assert lines > 2
    assert f"wrote {out}: {lines} chunks of 2 pages, out of 3 items in" in capsys.readouterr().err
    counts = json.loads(summary.read_text(encoding="utf-8"))
    assert (counts["rows"], counts["records"], counts["items"]) == (lines, 2, 3)
    whole = tmp_path / "whole.jsonl"
    assert run(*words, str(whole)) == 0
    assert f"wrote {whole}: 3 records of 3 items in" in capsys.readouterr().err


@pytest.mark.parametrize("program", ["extract", "bulk"])
@pytest.mark.parametrize(
    ("formats", "refused"), [("posts", "posts"), ("html", "html"), ("markdown,posts", "posts")]
)
def test_formats_that_no_chunk_has_are_refused(
    tmp_path: Path, program: str, formats: str, refused: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text(PAGE, encoding="utf-8")
    out = tmp_path / "out.jsonl"
    assert run(program, str(pages), "--chunks", "9", "--with", formats, "-o", str(out)) == 2
    assert f"--with {refused} has no effect on the records of --chunks" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(
    "words", [("--chunks", "0"), ("--chunks", "-1"), ("--chunks", "5", "--blocks")]
)
def test_wrong_sizes_of_chunks_are_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    assert run("extract", str(tmp_path / "a.html"), *words) == 2
