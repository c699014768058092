"""Whole runs over stored crawls, in this process: their output, and resuming after a stop."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest
from testing.bulk_runs import Stopped, carried_out
from testing.warcs import RESPONSE, warc_of, warc_record

from scrapy_boilernet.bulk.output import format_of
from scrapy_boilernet.bulk.pages import Reading
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import RecordOptions, line_of
from scrapy_boilernet.bulk.run import total_bytes
from scrapy_boilernet.bulk.run_files import Files
from scrapy_boilernet.bulk.task import Run, RunError
from scrapy_boilernet.commands.bulk import report
from scrapy_boilernet.extractor.labeling import extract
from scrapy_boilernet.settings.config import Config

PAGES = [
    (f"https://example.com/{n}", f"<nav>Menu</nav><p>Text {n} is here.</p>".encode())
    for n in range(60)
]


@pytest.fixture(scope="module")
def config(tiny_model: Path) -> Config:
    return Config(model=str(tiny_model), engine="numpy", mode="process", workers=2, cache_blocks=0)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A crawl with pages, other items and damaged ones: 65 items."""
    members = [gzip.compress(warc_record(url, RESPONSE + body)) for url, body in PAGES]
    members[7:7] = [
        gzip.compress(warc_record("https://example.com/moved", b"HTTP/1.1 301 Moved\r\n\r\n")),
        gzip.compress(
            warc_record(
                "https://example.com/i.png",
                b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG",
            )
        ),
        gzip.compress(warc_record("https://example.com/doc", RESPONSE + b"%PDF-1.7 \x00\x01")),
        b"\x1f\x8b\x08 this is no gzip data",
        gzip.compress(warc_record("https://example.com/", b"GET / HTTP/1.1", "request")),
    ]
    (tmp_path / "crawl.warc.gz").write_bytes(b"".join(members))
    return tmp_path / "crawl.warc.gz"


def run_of(out: Path, *inputs: Path, **given: Any) -> Run:
    given = {"format": given.get("format") or format_of(out, None), **given}
    return Run(inputs=tuple(map(str, inputs)), output=out, **given)


def rows(path: Path) -> list[dict[str, Any]]:
    if path.is_dir():
        parquet = pytest.importorskip("pyarrow.parquet")
        return list(parquet.read_table(path).to_pylist())
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        from scrapy_boilernet.bulk.compression import zstd

        data = zstd().decompress(data)
    return [json.loads(line) for line in data.splitlines()]


def failures(out: Path) -> list[dict[str, Any]]:
    return rows(out.with_name(out.name + ".failures.jsonl"))


def needs(ending: str) -> None:
    if ending == ".parquet":
        pytest.importorskip("pyarrow")
    if ending == ".jsonl.zst":
        from scrapy_boilernet.bulk.compression import zstd

        try:
            zstd()
        except ImportError:
            pytest.skip("no Zstandard")


ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".parquet")


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_item_becomes_a_record_a_failure_or_is_left_out(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, ending: str
) -> None:
    needs(ending)
    out = tmp_path / f"pages{ending}"
    summary = carried_out(run_of(out, crawl), config, pool).summary
    assert (summary.read, summary.written, summary.complete) == (65, 60, True)
    assert summary.failed == {"NotHtmlError": 1, "Damage": 1}
    assert summary.left_out == {"status 301": 1, "type": 1, "WARC request": 1}
    assert [(row["url"]) for row in rows(out)] == [url for url, _ in PAGES]
    assert [(row["url"], row["error"]) for row in failures(out)] == [
        ("https://example.com/doc", "NotHtmlError"),
        (None, "Damage"),
    ]
    assert all(row["source"] == str(crawl) for row in failures(out))


def test_a_record_has_what_is_known_of_the_page(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    out = tmp_path / "a.jsonl"
    carried_out(run_of(out, crawl, limit=1), config, pool)
    (row,) = rows(out)
    url, body = PAGES[0]
    expected = extract(body, url, model=config.model, engine="numpy")
    assert row["main_text"] == expected.text
    assert row["main_text_confidence"] == pytest.approx(expected.confidence, abs=1e-4)
    assert [*row] == [
        "source", "url", "fetched", "status", "digest", "title", "main_text",
        "main_text_confidence", "main_text_source", "model",
    ]  # fmt: skip
    assert (row["source"], row["url"], row["status"]) == (str(crawl), url, 200)
    assert row["digest"].startswith("sha256:")
    assert row["model"].startswith("tiny 0.1.0 ") or row["model"]


def test_formats_blocks_and_language(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    pytest.importorskip("py3langid")
    wanted = RecordOptions(("markdown", "html", "metadata"), with_blocks=True, detect_language=True)
    for ending in (".jsonl", ".parquet"):
        needs(ending)
        out = tmp_path / f"a{ending}"
        carried_out(run_of(out, crawl, wanted=wanted), config, pool)
        row = rows(out)[0]
        assert {"main_text_markdown", "main_text_html", "metadata", "block_labels"} <= {*row}
        assert "language" in row
        blocks = row["block_labels"]
        assert "Text 0 is here." in str(blocks)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("stop_after", [1, 9, 31, 64])
def test_resuming_neither_loses_nor_doubles_a_record(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, ending: str, stop_after: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    needs(ending)
    monkeypatch.setattr("scrapy_boilernet.bulk.output.LinesFile.rows_per_mark", 5)
    monkeypatch.setattr("scrapy_boilernet.bulk.output.DEFAULT_PAGES", 5)
    out = tmp_path / f"pages{ending}"
    run = run_of(out, crawl)
    with pytest.raises(Stopped):
        carried_out(run, config, pool, stop_after=stop_after)
    with pytest.raises(Stopped):
        carried_out(run, config, pool, resume="same", stop_after=1)
    summary = carried_out(run, config, pool, resume="same").summary
    assert (summary.read, summary.written, summary.failures) == (65, 60, 2)
    assert [(row["url"]) for row in rows(out)] == [url for url, _ in PAGES]
    assert len(failures(out)) == 2


def test_a_run_over_several_inputs_of_several_kinds_is_resumed(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapy_boilernet.bulk.output.LinesFile.rows_per_mark", 3)
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (_, body) in enumerate(PAGES[:10]):
        (folder / f"{number}.html").write_bytes(body)
    lines = tmp_path / "a.jsonl.gz"
    lines.write_bytes(
        gzip.compress(
            b"".join(json.dumps({"html": body.decode(), "url": url}).encode() + b"\n"
                     for url, body in PAGES)
        )
    )  # fmt: skip
    run = run_of(tmp_path / "out.jsonl", lines, folder, crawl)
    for stop in (20, 40, 7, 30, 20):
        with pytest.raises(Stopped):
            carried_out(run, config, pool, resume="same", stop_after=stop)
    summary = carried_out(run, config, pool, resume="same").summary
    assert (summary.read, summary.written) == (135, 130)
    assert len(rows(run.output)) == 130


def test_a_limit_stops_and_a_higher_one_goes_on(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    out = tmp_path / "a.jsonl"
    summary = carried_out(run_of(out, crawl, limit=10), config, pool).summary
    assert (summary.labeled, summary.complete) == (10, False)
    summary = carried_out(run_of(out, crawl, limit=25), config, pool, resume="same").summary
    assert summary.labeled == 25
    summary = carried_out(run_of(out, crawl), config, pool, resume="same").summary
    assert (summary.written, summary.complete) == (60, True)
    assert carried_out(run_of(out, crawl), config, pool, resume="same").summary.written == 60


@pytest.mark.parametrize(
    ("given", "settings", "left_out"),
    [
        ({"url_pattern": r"/\d$"}, {}, {"URL": 51}),
        ({"wanted": RecordOptions(min_confidence=1.0)}, {}, {"confidence": 60}),
        ({}, {"statuses": frozenset([301])}, {"status 200": 62}),
        ({}, {"content_types": frozenset(["image/png"])}, {"type": 61}),
    ],
)
def test_filters_leave_pages_out_and_count_them(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, given: dict[str, Any],
    settings: dict[str, Any], left_out: dict[str, int],
) -> None:  # fmt: skip
    import attrs

    chosen = attrs.evolve(config, **settings)
    summary = carried_out(run_of(tmp_path / "a.jsonl", crawl, **given), chosen, pool).summary
    assert {**summary.left_out} == pytest.approx({**summary.left_out, **left_out})
    assert summary.read == summary.written + summary.failures + summary.left_out.total() == 65


def test_parquet_is_read_by_those_who_use_it(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    pyarrow = pytest.importorskip("pyarrow.dataset")
    pandas, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    out = tmp_path / "pages.parquet"
    wanted = RecordOptions(("markdown", "metadata"), with_blocks=True)
    carried_out(run_of(out, crawl, wanted=wanted), config, pool)
    urls = [url for url, _ in PAGES]
    assert pyarrow.dataset(out).to_table()["url"].to_pylist() == urls
    frame = pandas.read_parquet(out)
    assert list(frame["url"]) == urls
    assert isinstance(json.loads(frame["metadata"][0]), dict)
    assert len(duckdb.read_parquet(f"{out}/*.parquet").fetchall()) == 60


def test_duplicate_addresses_and_empty_pages_are_pages(
    tmp_path: Path, config: Config, pool: Pool
) -> None:
    url = "https://example.com/"
    (tmp_path / "a.warc").write_bytes(
        gzip.decompress(warc_of([(url, b""), (url, b"<p>One"), (url, b"<p>One")]))
    )
    summary = carried_out(run_of(tmp_path / "a.jsonl", tmp_path / "a.warc"), config, pool).summary
    assert summary.written == 3
    assert Counter(row["url"] for row in rows(tmp_path / "a.jsonl")) == {url: 3}


def test_a_run_that_cannot_be_resumed_is_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    out = tmp_path / "a.jsonl"
    run = run_of(out, crawl, limit=5)
    carried_out(run, config, pool)
    with pytest.raises(RunError, match="exists: add --resume to continue that run, or remove"):
        carried_out(run, config, pool)
    other = run_of(out, crawl, wanted=RecordOptions(("markdown",)))
    with pytest.raises(RunError, match="other values of --with "):
        carried_out(other, config, pool, resume="same")
    with (
        Files(run, run.asked(config), "same"),
        pytest.raises(RunError, match="another run is writing"),
    ):
        carried_out(run, config, pool, resume="same")
    progress = tmp_path / "a.jsonl.progress.json"
    progress.write_text("{")
    with pytest.raises(RunError, match="cannot be used"):
        carried_out(run, config, pool, resume="same")
    progress.unlink()
    with pytest.raises(RunError, match="which has the progress of its run"):
        carried_out(run, config, pool, resume="same")


HOSTILE_STATES = {
    "brackets": "[" * 100_000,
    "braces": '{"a":' * 100_000,
    "a list": "[]",
    "a number": "1" * 5_000,
    "nothing": "",
    "NUL": "\0" * 100,
}


@pytest.mark.parametrize("text", HOSTILE_STATES.values(), ids=HOSTILE_STATES)
def test_a_file_of_progress_with_other_contents_is_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, text: str
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=5)
    carried_out(run, config, pool)
    (tmp_path / "a.jsonl.progress.json").write_text(text)
    with pytest.raises(RunError, match=r"cannot be used .*: name another output, or remove"):
        carried_out(run, config, pool, resume="same")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("output", -1), ("output", 1e300), ("output", "9" * 400), ("output", 10**30),
        ("output", True), ("failures", None), ("input", [1]), ("input", -2),
        ("position", [0]), ("position", [0, -7, 0]), ("position", {"a": 1}), ("position", "ab"),
        ("summary", {}), ("summary", {"read": 1}), ("asked", []), ("inputs", {"a": 1}),
        ("inputs", [{"name": 3}]), ("format_version", 1), ("format_version", "2"),
    ],
)  # fmt: skip
def test_absurd_values_in_the_progress_are_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, name: str, value: Any
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=5)
    carried_out(run, config, pool)
    progress = tmp_path / "a.jsonl.progress.json"
    state = json.loads(progress.read_text())
    progress.write_text(json.dumps({**state, name: value}))
    with pytest.raises(RunError, match="cannot be used"):
        carried_out(run, config, pool, resume="same")


@pytest.mark.parametrize(
    ("name", "value"),
    [("read", 10**9), ("written", -1), ("seconds", 1e400), ("failed", {"a": "b"}), ("complete", 1),
     ("rows", -1), ("with_address", "1"), ("unknown", 1)],
)  # fmt: skip
def test_absurd_counts_in_the_progress_are_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, name: str, value: Any
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=5)
    carried_out(run, config, pool)
    progress = tmp_path / "a.jsonl.progress.json"
    state = json.loads(progress.read_text())
    state["summary"][name] = value
    progress.write_text(json.dumps(state))
    with pytest.raises(RunError, match="cannot be used"):
        carried_out(run, config, pool, resume="same")


@pytest.mark.parametrize("lacking", [("rows",), ("pages", "with_address", "rows")])
def test_progress_without_counts_that_came_later_can_be_resumed(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, lacking: tuple[str, ...]
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=5)
    assert carried_out(run, config, pool).summary.rows == 5
    progress = tmp_path / "a.jsonl.progress.json"
    state = json.loads(progress.read_text())
    for name in lacking:
        del state["summary"][name]
    progress.write_text(json.dumps(state))
    whole = carried_out(run_of(tmp_path / "a.jsonl", crawl), config, pool, resume="same").summary
    assert (whole.rows, whole.complete) == (whole.written - 5, True)


def test_progress_of_an_older_version_is_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=5)
    carried_out(run, config, pool)
    progress = tmp_path / "a.jsonl.progress.json"
    state = json.loads(progress.read_text())
    del state["format_version"], state["inputs"]
    progress.write_text(json.dumps(state))
    with pytest.raises(RunError, match=r"older version, which did not note the inputs.*remove"):
        carried_out(run, config, pool, resume="same")


def _append(crawl: Path) -> None:
    with crawl.open("ab") as file:
        file.write(gzip.compress(warc_record("https://example.com/new", RESPONSE + b"<p>New.")))


def _touch(crawl: Path) -> None:
    os.utime(crawl, (1, 1))


def _cut(crawl: Path) -> None:
    crawl.write_bytes(crawl.read_bytes()[:-40])


def _rewrite(crawl: Path) -> None:
    crawl.write_bytes(warc_of(list(reversed(PAGES))))


@pytest.mark.parametrize("change", [_append, _touch, _cut, _rewrite])
@pytest.mark.parametrize("limit", [5, None])
def test_a_run_over_a_changed_file_is_not_resumed(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, change: Any, limit: int | None
) -> None:
    run = run_of(tmp_path / "a.jsonl", crawl, limit=limit)
    carried_out(run, config, pool)
    before = (tmp_path / "a.jsonl").read_bytes()
    change(crawl)
    with pytest.raises(RunError, match=r"crawl\.warc\.gz .* changed since .* another output, or"):
        carried_out(run, config, pool, resume="same")
    assert (tmp_path / "a.jsonl").read_bytes() == before


FOLDER_CHANGES: dict[str, Any] = {
    "a page before": lambda folder: (folder / "00.html").write_text("<p>Zero."),
    "a page behind": lambda folder: (folder / "zz.html").write_text("<p>Last."),
    "a page in a new folder": lambda folder: ((folder / "sub").mkdir(),
                                              (folder / "sub" / "a.html").write_text("<p>A.")),
    "a page less": lambda folder: (folder / "1.html").unlink(),
    "a page renamed": lambda folder: (folder / "1.html").rename(folder / "0a.html"),
    "a page exchanged": lambda folder: (folder / "1.html").write_text("<p>Other."),
    "two pages swapped": lambda folder: ((folder / "1.html").rename(folder / "x"),
                                         (folder / "2.html").rename(folder / "1.html"),
                                         (folder / "x").rename(folder / "2.html")),
}  # fmt: skip


@pytest.mark.parametrize("change", FOLDER_CHANGES.values(), ids=FOLDER_CHANGES)
def test_a_run_over_a_changed_folder_is_not_resumed(
    tmp_path: Path, config: Config, pool: Pool, change: Any
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, (_, body) in enumerate(PAGES[:9], 1):
        (folder / f"{number}.html").write_bytes(body)
    run = run_of(tmp_path / "a.jsonl", folder, limit=4)
    carried_out(run, config, pool)
    change(folder)
    with pytest.raises(RunError, match=r"folder .* changed since that run began"):
        carried_out(run, config, pool, resume="same")


def test_other_inputs_and_the_same_input_twice_are_other_runs(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    carried_out(run_of(tmp_path / "a.jsonl", crawl, limit=5), config, pool)
    with pytest.raises(RunError, match=r"the inputs were .*, and are now"):
        carried_out(run_of(tmp_path / "a.jsonl", crawl, crawl), config, pool, resume="same")


def test_an_output_that_was_cut_is_not_continued(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool
) -> None:
    out = tmp_path / "a.jsonl"
    carried_out(run_of(out, crawl, limit=5), config, pool)
    out.write_bytes(out.read_bytes()[:10])
    with pytest.raises(RunError, match="has 10 bytes, but its run wrote"):
        carried_out(run_of(out, crawl), config, pool, resume="same")
    out.unlink()
    with pytest.raises(RunError, match="has 0 bytes, but its run wrote"):
        carried_out(run_of(out, crawl), config, pool, resume="same")


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
@pytest.mark.parametrize("ending", ["", ".failures.jsonl", ".progress.json", ".progress.json.new"])
@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("resume", ["same", "no"])
def test_no_symbolic_link_beside_the_output_is_followed(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, ending: str, *, there: bool,
    resume: Any,
) -> None:  # fmt: skip
    target = tmp_path / "precious"
    if there:
        target.write_text("precious")
    out = tmp_path / "a.jsonl"
    out.with_name(out.name + ending).symlink_to(target)
    with suppress(RunError, OSError):
        carried_out(run_of(out, crawl), config, pool, resume=resume)
    assert target.exists() == there
    assert not there or target.read_text() == "precious"


def _as_it_is(_: Path, crawl: Path) -> Path:
    return crawl


def _symbolic(folder: Path, crawl: Path) -> Path:
    (folder / "link.jsonl").symlink_to(crawl)
    return folder / "link.jsonl"


def _hard(folder: Path, crawl: Path) -> Path:
    os.link(crawl, folder / "hard.jsonl")
    return folder / "hard.jsonl"


def _spelled(folder: Path, crawl: Path) -> Path:
    return Path(f"{folder}/../{folder.name}/./{crawl.name}")


@pytest.mark.skipif(sys.platform == "win32", reason="links of POSIX")
@pytest.mark.parametrize("name", [_as_it_is, _symbolic, _hard, _spelled])
@pytest.mark.parametrize("resume", ["same", "no"])
def test_an_output_that_is_an_input_is_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, name: Any, *, resume: Any
) -> None:
    before, out = crawl.read_bytes(), name(tmp_path, crawl)
    with pytest.raises(RunError, match="is the input"):
        carried_out(run_of(out, crawl, format="jsonl"), config, pool, resume=resume)
    assert crawl.read_bytes() == before


@pytest.mark.parametrize("ending", [".failures.jsonl", ".progress.json"])
def test_a_file_beside_the_output_that_is_an_input_is_refused(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, ending: str
) -> None:
    crawl = crawl.rename(tmp_path / f"a.jsonl{ending}")
    before = crawl.read_bytes()
    with pytest.raises(RunError, match="is the input"):
        carried_out(run_of(tmp_path / "a.jsonl", crawl), config, pool)
    assert crawl.read_bytes() == before


@pytest.mark.parametrize("where", ["a.jsonl", "sub/a.jsonl", "new/folder/a.jsonl", "link/a.jsonl"])
def test_an_output_in_a_folder_that_is_read_is_refused(
    tmp_path: Path, config: Config, pool: Pool, where: str
) -> None:
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.html").write_bytes(PAGES[0][1])
    (tmp_path / "link").symlink_to(folder / "sub")
    out = (tmp_path if "link" in where else folder) / where
    with pytest.raises(RunError, match=r"lies in the input .* outside of that folder"):
        carried_out(run_of(out, folder), config, pool)
    assert [*folder.rglob("*.jsonl*")] == []


def test_half_surrogates_are_written() -> None:
    row = {"source": "a\udcffb.html", "title": "x\ud800y", "pair": "\U0001f600"}
    line = line_of(row).encode()
    assert json.loads(line) == {
        "source": "a\\xffb.html", "title": "x\ufffdy", "pair": "\U0001f600",
    }  # fmt: skip


def test_a_run_without_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no file in"):
        total_bytes((str(tmp_path),))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.jsonl", "jsonl"), ("a.ndjson.gz", "jsonl"), ("a.json.zst", "jsonl"),
        ("a.parquet", "parquet"), ("A.JSONL.GZ", "jsonl"), ("A.Parquet", "parquet"),
    ],
)  # fmt: skip
def test_the_format_is_that_of_the_name(name: str, expected: str) -> None:
    assert format_of(Path(name), None) == expected


@pytest.mark.parametrize("name", ["A.JSONL.GZ", "a.jsonl.Gz"])
def test_the_letters_of_the_ending_may_be_large(
    tmp_path: Path, crawl: Path, config: Config, pool: Pool, name: str
) -> None:
    carried_out(run_of(tmp_path / name, crawl), config, pool)
    assert len(gzip.decompress((tmp_path / name).read_bytes()).splitlines()) == len(PAGES)


@pytest.mark.parametrize("depth", [100, 300, 480, 700])
def test_a_kept_field_that_is_nested_deep_ends_no_run(
    tmp_path: Path, config: Config, pool: Pool, depth: int
) -> None:
    lines = [json.dumps({"url": url, "html": body.decode(), "x": 1}) for url, body in PAGES]
    lines[9] = lines[9].replace('"x": 1', f'"x": {"[" * depth}1{"]" * depth}')
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    out = tmp_path / "out.jsonl"
    wanted = Reading(0, keep=(("x", "x"),))
    files = carried_out(run_of(out, tmp_path / "a.jsonl", rows=wanted), config, pool)
    assert files.summary.written + files.summary.failures == len(PAGES)
    assert files.summary.failures <= 1


@pytest.mark.parametrize("model", ["gbdt", "grf", "crf", "svm", "paper"])
def test_any_labeler_labels_a_stored_crawl(tmp_path: Path, crawl: Path, model: str) -> None:
    if model in ("gbdt", "grf"):
        pytest.importorskip("lightgbm")
    config = Config(model=model, mode="process", workers=1, cache_blocks=0)
    with Pool(config) as pool:
        files = carried_out(run_of(tmp_path / "out.jsonl", crawl), config, pool)
    assert files.summary.written == len(PAGES)


def test_pages_that_are_cut_off_are_counted(tmp_path: Path, config: Config, pool: Pool) -> None:
    long = "".join(f"<p>Line {n} of a long log." for n in range(40))
    pages = [("https://a.b/1", "<p>Short."), ("https://a.b/2", long), ("https://a.b/3", long)]
    lines = [json.dumps({"url": url, "html": html}) for url, html in pages]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    run = run_of(tmp_path / "out.jsonl", tmp_path / "a.jsonl")
    few = attrs.evolve(config, max_blocks=20)
    files = carried_out(run, few, pool)
    assert files.summary.truncated == 2
    said = "\n".join(report(run, files))
    assert "2 cut off at BOILERNET_MAX_BLOCKS or BOILERNET_MAX_BYTES; raise them" in said


def test_a_run_over_nothing_says_so(tmp_path: Path, config: Config, pool: Pool) -> None:
    (tmp_path / "a.jsonl").touch()
    run = run_of(tmp_path / "out.jsonl", tmp_path / "a.jsonl")
    said = report(run, carried_out(run, config, pool))
    assert "no page has a record, since the inputs have no items" in said


def test_a_list_that_lists_itself_is_refused(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(f"list:{other}\n")
    other.write_text(f"# again\nlist:{one}\n")
    with pytest.raises(ValueError, match=r"lists itself: take the line list:.*one\.txt out"):
        total_bytes((f"list:{one}",))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_list_in_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "names")
    with pytest.raises(ValueError, match="must be a file, as it is read twice"):
        total_bytes((f"list:{tmp_path / 'names'}",))


def test_a_name_without_a_format_is_refused() -> None:
    with pytest.raises(ValueError, match="give --format jsonl or parquet"):
        format_of(Path("out"), None)
    assert format_of(Path("out"), "parquet") == "parquet"
