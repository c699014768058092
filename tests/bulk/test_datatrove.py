"""Pipelines of datatrove: kept pages, counts, and runs after a failure."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from testing.every_input import EVERY
from testing.gates import GATED_URLS, WAITS, Gate, gate_of, gated_pages, is_alive, wait_for
from testing.models import PAGES
from testing.warcs import TIME, warc_of, warc_record

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.labelers.registry import ModelError
from scrapy_boilernet.settings.config import ConfigError

pytest.importorskip("datatrove")
pytest.importorskip("orjson")
pytest.importorskip("psutil")

import psutil
from datatrove.data import Document, Media
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers import JsonlWriter
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem

from scrapy_boilernet.bulk.datatrove import LabelPages, PageReader, StorageError

EXAMPLE = Path(__file__).parents[2] / "docs/examples/bulk_pipeline.py"
SITE = "https://example.com/"
NAMES = ("article", "recipe", "russian_windows_1251", "forum", "japanese", "old_web_tables")
GERMAN = (PAGES / "german.html").read_text(encoding="utf-8").replace('<meta charset="utf-8">', "")
MAC = GERMAN.encode("mac_roman")
"""A page whose charset is only in the response's header, and cannot be guessed."""


def http(body: bytes, kind: str = "text/html", status: int = 200, *fields: str) -> bytes:
    """Return a response as crawlers store it."""
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", *fields, "", ""]
    return "\r\n".join(lines).encode() + body


def chunked(body: bytes) -> bytes:
    parts = [body[at : at + 1000] for at in range(0, len(body), 1000)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in [*parts, b""])


def page(name: str) -> bytes:
    return (PAGES / f"{name}.html").read_bytes()


def packed(*records: bytes) -> bytes:
    return b"".join(map(gzip.compress, records))


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A folder of three WARC files, of seven pages and something else."""
    folder = tmp_path / "crawl"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(warc_of((SITE + name, page(name)) for name in NAMES[:4]))
    zipped = gzip.compress(page(NAMES[4]))
    others = [
        warc_record(SITE + "ask", b"GET / HTTP/1.1\r\n\r\n", "request", "application/http"),
        warc_record(
            SITE + NAMES[4],
            http(
                chunked(zipped), "text/html", 200, "Content-Encoding: gzip",
                "Transfer-Encoding: chunked",
            ),
        ),
        warc_record(SITE + "german", http(MAC, "text/html; charset=macintosh")),
        warc_record(SITE + "gone", http(page("article"), status=404)),
        warc_record(SITE + "picture", http(b"\x89PNG\r\n", "image/png")),
    ]  # fmt: skip
    (folder / "b.warc.gz").write_bytes(packed(*others))
    (folder / "c.warc").write_bytes(warc_record(SITE + NAMES[5], http(page(NAMES[5]))))
    return folder


def run(
    steps: Iterable[PipelineStep], out: Path, tasks: int = 1, workers: int = 1
) -> dict[str, dict[str, float]]:
    """Run the steps, write their output; return the totals of the stats by the step's name."""
    pipeline = [*steps, JsonlWriter(str(out / "pages"))]
    logs = str(out / "logs")
    LocalPipelineExecutor(pipeline, tasks=tasks, workers=workers, logging_dir=logs).run()
    return totals(out)


def totals(out: Path) -> dict[str, dict[str, float]]:
    steps = json.loads((out / "logs/stats.json").read_text(encoding="utf-8"))
    return {
        step["name"].rpartition(": ")[2]: {
            name: value["total"] if isinstance(value, dict) else value
            for name, value in step["stats"].items()
        }
        for step in steps
    }


def rows(folder: Path) -> list[dict[str, Any]]:
    files = sorted(folder.glob("*.jsonl.gz"))
    return [json.loads(line) for path in files for line in gzip.open(path)]


def by_name(found: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the rows' metadata with their texts, by the end of the URL."""
    return {
        row["metadata"]["url"].removeprefix(SITE): {"text": row.get("text", ""), **row["metadata"]}
        for row in found
    }


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals and shell of POSIX")
READER, LABELS = "📰 Stored pages", "🏷 Main text"


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_have_the_text_that_extract_gives(crawl: Path, tmp_path: Path, workers: int) -> None:
    stats = run([PageReader(str(crawl)), LabelPages()], tmp_path, tasks=3, workers=workers)
    found = rows(tmp_path / "pages")
    pages = by_name(found)
    assert len(found) == len(pages)
    assert pages.keys() == {*NAMES, "german"}
    for name in NAMES:
        expected = extract(page(name), url=SITE + name)
        assert pages[name]["text"] == expected.text
        assert pages[name]["main_text_confidence"] == round(expected.confidence, 4)
    assert pages["german"]["text"] == extract(GERMAN).text != extract(MAC).text
    article = pages["article"]
    assert article["source"] == str(crawl / "a.warc.gz")
    assert (article["fetched"], article["status"]) == (TIME, 200)
    assert (article["main_text_source"], article["model"][:8]) == ("model", "default ")
    assert article["digest"].startswith("sha256:")
    assert not {"main_text_markdown", "main_text_html", "metadata", "block_labels"} & {*article}
    assert all("media" not in row for row in found)
    assert len({row["id"] for row in found}) == len(found)
    assert stats[READER]["documents"] == stats[LABELS]["total"] == stats[LABELS]["forwarded"] == 7
    assert stats[READER]["left_out_WARC request"] == 1
    assert stats[READER]["left_out_status 404"] == stats[READER]["left_out_type"] == 1
    assert stats[LABELS]["content_blocks"] < stats[LABELS]["blocks"]
    assert stats[LABELS]["doc_len"] == sum(len(row["text"]) for row in found)


@pytest.mark.parametrize("kind", EVERY)
def test_each_kind_of_input_is_read(tmp_path: Path, kind: str) -> None:
    (tmp_path / "crawl").mkdir()
    pages = [(f"{SITE}{number}", f"<p>Page {number}".encode()) for number in range(5)]
    (tmp_path / "crawl" / "a").write_bytes(EVERY[kind](pages, tmp_path / "crawl"))
    reader = PageReader(str(tmp_path / "crawl"), glob_pattern="a")
    found = [*reader.run()]
    assert [(one.metadata["url"], one.media[0].media_bytes) for one in found] == pages


def test_formats_labels_and_language_come_if_they_are_asked_for(
    crawl: Path, tmp_path: Path
) -> None:
    pytest.importorskip("py3langid")
    labels = LabelPages(
        formats=["markdown", "html", "metadata"], with_blocks=True, detect_language=True,
        threshold=0.5, title="keep",
    )  # fmt: skip
    run([PageReader(str(crawl), glob_pattern="a.*"), labels], tmp_path)
    found = by_name(rows(tmp_path / "pages"))
    assert found.keys() == {*NAMES[:4]}
    for name, row in found.items():
        expected = extract(
            page(name), url=SITE + name, threshold=0.5, title="keep",
            formats=["markdown", "html", "metadata"], detect_language=True,
        )  # fmt: skip
        assert expected.metadata
        assert row["main_text_markdown"] == expected.markdown
        assert row["main_text_html"] == expected.html
        assert row["metadata"] == json.loads(json.dumps(expected.metadata.as_dict()))
        assert row["block_labels"] == json.loads(json.dumps(expected.block_labels()))
        assert row["language"] == expected.metadata.language


def test_damage_is_counted_and_what_follows_is_read(tmp_path: Path) -> None:
    good = [gzip.compress(warc_record(f"{SITE}{n}", http(page("article")))) for n in range(4)]
    damaged = bytearray(good[1])
    damaged[200:260] = bytes(60)
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    (crawl / "a.warc.gz").write_bytes(good[0] + damaged + good[2] + good[3][:-90])
    (crawl / "notes.txt").write_text("No page.", encoding="utf-8")
    stats = run([PageReader(str(crawl)), LabelPages()], tmp_path)
    assert by_name(rows(tmp_path / "pages")).keys() == {"0", "2"}
    assert stats[READER]["damaged"] == 2
    assert stats[READER]["left_out_not a page"] == 1
    log = (tmp_path / "logs/logs/task_00000.log").read_text(encoding="utf-8")
    assert "a.warc.gz, from byte 0: gzip data is damaged" in log


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = gate_of(tmp_path, monkeypatch)
    yield gate
    gate.open()  # so that no process waits for ever


def paragraph(text: str) -> bytes:
    return f"<nav>Menu</nav><p>{text}</p>".encode()


def test_what_comes_in_goes_out_or_is_dropped_with_its_reason(tmp_path: Path, gate: Gate) -> None:
    crawl, dropped = tmp_path / "crawl", tmp_path / "dropped"
    crawl.mkdir()
    long = b"<p>" + b"Long. " * 1000
    odd = {
        "pdf": http(b"%PDF-1.7\n1 0 obj"),
        "long": http(long),
        "hangs": http(paragraph(WAITS)),
        "odd": http(b"nothing of it", "text/html", 200, "Content-Encoding: compress"),
        "unsure": http(b"<nav>Menu</nav>"),
    }
    good = {str(n): http(paragraph(f"Text {n}.")) for n in range(30)}
    records = [warc_record(SITE + name, block) for name, block in (good | odd).items()]
    (crawl / "a.warc.gz").write_bytes(packed(*records))
    labels = LabelPages(
        model="gated", timeout=1, max_bytes=5000, over_max_bytes="skip", fallback=False,
        min_confidence=0.2,
        exclusion_writer=JsonlWriter(str(dropped), save_media_bytes=True),
    )  # fmt: skip
    stats = run([PageReader(str(crawl), max_bytes=5000), labels], tmp_path)
    assert by_name(rows(tmp_path / "pages")).keys() == good.keys()
    found = by_name(rows(dropped))
    assert {name: row["filter_reason"] for name, row in found.items()} == {
        "pdf": "NotHtmlError",
        "long": "TooLargeError",
        "hangs": "PageTimeoutError",
        "odd": "BrokenBodyError",
        "unsure": "confidence",
    }
    assert "compress" in found["odd"]["error"]
    media = {row["metadata"]["url"]: row["media"][0] for row in rows(dropped)}
    assert base64.b64decode(media[SITE + "pdf"]["media_bytes"]) == b"%PDF-1.7\n1 0 obj"
    assert media[SITE + "odd"]["metadata"]["codings"] == ["compress"]
    counts = stats[LABELS]
    assert counts["total"] == counts["forwarded"] + counts["dropped"] == len(records)
    assert all(counts[f"dropped_{row['filter_reason']}"] == 1 for row in found.values())
    assert counts["workers_restarted"] >= 1


def test_each_file_goes_to_one_task(crawl: Path) -> None:
    shares = [[*PageReader(str(crawl)).run(None, rank, 3)] for rank in range(3)]
    assert [len(share) for share in shares] == [4, 2, 1]
    assert [*PageReader(str(crawl), limit=2).run(None, 0, 3)] == shares[0][:2]
    assert len([*PageReader(str(crawl), statuses=[404]).run(None, 1, 3)]) == 1


def test_any_file_system_of_fsspec_will_do() -> None:
    files = MemoryFileSystem()
    files.pipe("/crawl/a.warc.gz", warc_of([(SITE + "a", page("article"))]))
    with zipfile.ZipFile(archive := io.BytesIO(), "w") as pages:
        pages.writestr("one.html", page("recipe"))
    files.pipe("/crawl/b.zip", archive.getvalue())
    files.pipe("/crawl/below/c.html", page("forum"))
    files.pipe("/crawl/d.jsonl", json.dumps({"url": SITE + "d", "page": "<p>Hello"}).encode())
    reader = PageReader("memory://crawl", html_field="page", default_metadata={"of": "test"})
    found = {one.metadata["source"]: one for one in reader.run()}
    assert [*found] == [
        "memory:///crawl/a.warc.gz", "memory:///crawl/b.zip/one.html",
        "memory:///crawl/below/c.html", "memory:///crawl/d.jsonl",
    ]  # fmt: skip
    assert [one.media[0].media_bytes for one in found.values()] == [
        page("article"), page("recipe"), page("forum"), b"<p>Hello",
    ]  # fmt: skip
    assert all(one.metadata["of"] == "test" for one in found.values())
    files.rm("/crawl", recursive=True)


class Failing(LocalFileSystem):
    """Files that cannot be read to their ends, as when a network fails."""

    cachable = False

    def open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        file = super().open(path, mode, **options)
        if ".warc" not in path:
            return file
        start = io.BytesIO(file.read(3000))
        start.read = self.fail(start.read)
        return start

    @staticmethod
    def fail(read: Any) -> Any:
        def read_or_fail(size: int) -> bytes:
            data = read(size)
            if not data:
                raise OSError("the connection was reset")
            return data

        return read_or_fail


def test_a_failure_of_the_storage_is_no_damage_and_the_task_is_run_again(
    crawl: Path, tmp_path: Path
) -> None:
    pages = warc_of((f"{SITE}{n}", f"<p>{os.urandom(1000).hex()}".encode()) for n in range(20))
    (crawl / "b.warc.gz").write_bytes(pages)
    with pytest.raises(StorageError, match=r"b\.warc\.gz.*the connection was reset"):
        run([PageReader((str(crawl), Failing()), glob_pattern="b*"), LabelPages()], tmp_path)
    assert not [*tmp_path.glob("logs/completions/*")]
    run([PageReader(str(crawl), glob_pattern="b*"), LabelPages()], tmp_path)
    assert len(by_name(rows(tmp_path / "pages"))) == 20


def test_documents_of_other_readers_are_labeled_too() -> None:
    html = page("german").decode()
    one = Document(html, "one", metadata={"url": SITE, "date": "today"})
    other = Document("", "other", [Media("other", 3, SITE, media_bytes=page("japanese"))])
    labeled, by_bytes = LabelPages().run([one, other])
    assert labeled.text == extract(html, url=SITE).text
    assert labeled.metadata["url"] == SITE
    assert labeled.metadata["date"] == "today"
    assert "status" not in labeled.metadata
    assert by_bytes.text == extract(page("japanese")).text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 2}, r"LabelPages: threshold = 2: must be a number in \[0, 1\]"),
        ({"treshold": 0.5}, "LabelPages: no option 'treshold'; did you mean threshold"),
        ({"favor": "both"}, "LabelPages: favor = 'both'"),
        ({"formats": ["pdf"]}, "LabelPages: formats must be a list of markdown, html, metadata"),
        ({"formats": "markdown"}, "LabelPages: formats must be a list"),
        ({"min_confidence": 50}, r"LabelPages: min_confidence = 50: must be in \[0, 1\]"),
    ],
)
def test_a_wrong_option_raises_when_the_step_is_made(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        LabelPages(**options)


def test_a_wrong_option_of_the_reader_and_an_unknown_model_raise_too(crawl: Path) -> None:
    with pytest.raises(ConfigError, match="PageReader: statuses = 'all'"):
        PageReader(str(crawl), statuses="all")
    with pytest.raises(ConfigError, match="PageReader: max_bytes = 0"):
        PageReader(str(crawl), max_bytes=0)
    with pytest.raises(ModelError, match="no model 'defualt'"):
        LabelPages(model="defualt")


@pytest.fixture
def gated_crawl(tmp_path: Path) -> Path:
    return gated_pages(tmp_path / "gated-crawl")


def example(*arguments: str | Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, EXAMPLE, *arguments]
    return subprocess.Popen(command)


@POSIX
def test_after_the_launcher_was_killed_the_same_command_does_the_rest(
    gated_crawl: Path, tmp_path: Path, gate: Gate
) -> None:
    corpus = tmp_path / "corpus"
    command = (gated_crawl, corpus, "--model", "gated", "--tasks", "4", "--workers", "2")
    launcher = example(*command)
    wait_for(lambda: len(gate.waiting()) == 2)
    below = psutil.Process(launcher.pid).children(recursive=True)
    labeling = [process for process in below if process.pid in gate.waiting()]
    tasks = [process.parent() for process in labeling]
    launcher.kill()
    launcher.wait()
    try:
        wait_for(lambda: not any(map(is_alive, [*labeling, *tasks])))
    finally:
        for process in filter(is_alive, below):  # the manager of the executor waits for ever
            process.kill()
    gate.open()
    assert example(*command).wait() == 0
    urls = [row["url"] for row in rows(corpus / "pages")]
    assert sorted(urls) == GATED_URLS
    written = {path: path.stat().st_mtime_ns for path in corpus.glob("pages/*")}
    assert example(*command).wait() == 0
    assert {path: path.stat().st_mtime_ns for path in corpus.glob("pages/*")} == written


SLURM = {
    "sbatch": """
        while [ $# -gt 1 ]; do shift; done
        cp "$1" "$SLURM_STAND_IN/$(date +%s%N)"
        last=$(sed -n 's/#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' "$1")
        export SLURM_NODELIST=localhost RUN_OFFSET=0
        for SLURM_ARRAY_TASK_ID in $(seq 0 "$last"); do
            export SLURM_ARRAY_TASK_ID
            bash "$1" >&2 || exit 1
        done
        echo Submitted batch job 7
    """,
    "srun": 'while [ "$1" != launch_pickled_pipeline ]; do shift; done; exec "$@"',
    "scontrol": 'echo "$3"',
}
"""Stand-ins that run the tasks of an array one after the other, at once."""


@POSIX
def test_the_example_runs_as_slurm_runs_it(
    crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, script in SLURM.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    monkeypatch.setenv("SLURM_STAND_IN", str(tmp_path))
    corpus = tmp_path / "corpus"
    command = (crawl, corpus, "--executor", "slurm", "--tasks", "3", "--workers", "2")
    assert example(*command).wait() == 0
    assert {row["url"] for row in rows(corpus / "pages")} == {SITE + n for n in (*NAMES, "german")}
    assert totals(corpus)[LABELS]["forwarded"] == 7


def test_the_step_obeys_rules_of_sites(tiny_model: Path) -> None:
    sites = {"example.com": {"keep": "h1"}}
    step = LabelPages(model=str(tiny_model), engine="numpy", sites=sites)
    html = "<h1>Only this</h1><p>Not this.</p>"
    document = Document(html, "a", metadata={"url": f"{SITE}a"})
    assert [done.text for done in step.run([document])] == ["Only this"]
    with pytest.raises(ConfigError, match=r"LabelPages: sites .*known are"):
        LabelPages(model=str(tiny_model), engine="numpy", sites={"a.example": {"kep": "p"}})
