"""The deferred mode: pages are stored, survive a kill, and are labeled later as in the crawl."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import stat
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from testing.crawling import Crawl, crawl, run_python
from testing.loopback import Site
from testing.standins import job_of

from scrapy_boilernet.commands import fill
from scrapy_boilernet.extractor.labelers.registry import load_labeler, model_version
from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.jobs import DeferredPage
from scrapy_boilernet.workers.store import PageStore, stored_pages

HOSTILE = job_of(b"<p>\x00\xff", "http://a/../../etc/passwd\udcff?\n\x00", encoding=None)


def store(folder: Path, *jobs: Any) -> list[str]:
    """Store the jobs as one crawl and return their keys."""
    outcomes = PageStore(folder).label(jobs)
    assert all(isinstance(each, DeferredPage) for each in outcomes)
    return [each.key for each in outcomes if isinstance(each, DeferredPage)]


def indexes(folder: Path) -> list[Path]:
    return sorted(folder.glob("index-*.jsonl"))


def bodies(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "bodies").rglob("*") if path.is_file())


def test_jobs_come_back_as_they_were_stored(tmp_path: Path) -> None:
    options = LabelOptions(0.25, "recall", ("json-ld",), "keep", "drop")
    jobs = [job_of(b"<p>1", options=options, max_blocks=7, rows=True), HOSTILE, job_of(b"")]
    keys = store(tmp_path / "a" / "b", *jobs)
    pages, broken = stored_pages(tmp_path / "a" / "b")
    assert list(pages) == keys
    assert [page.job() for page in pages.values()] == jobs
    assert broken == 0
    assert pages[keys[1]].url == HOSTILE.url


def test_a_body_that_cannot_be_written_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> bytes:
        raise OSError("No space left on device")

    monkeypatch.setattr("scrapy_boilernet.workers.store.gzip.compress", full)
    (failure,) = PageStore(tmp_path).label([job_of(b"<p>1")])
    assert isinstance(failure, OSError)
    assert bodies(tmp_path) == []


def test_equal_bodies_are_stored_once_and_equal_pages_are_one(tmp_path: Path) -> None:
    first, copy = job_of(b"<p>same", "http://a/1"), job_of(b"<p>same", "http://a/2")
    keys = store(tmp_path, first, copy, first)
    assert keys[0] == keys[2] != keys[1]
    assert store(tmp_path, first) == keys[:1]  # another crawl
    assert len(bodies(tmp_path)) == 1
    assert len(indexes(tmp_path)) == 2
    assert list(stored_pages(tmp_path)[0]) == keys[:2]


def test_crawls_of_one_process_store_the_same_body_at_the_same_time(tmp_path: Path) -> None:
    bodies = [b"<p>%d" % n + b"x" * 100_000 for n in range(30)]
    together = Barrier(4)

    def crawl_on(number: int) -> list[object]:
        pages = PageStore(tmp_path)
        found: list[object] = []
        for body in bodies:
            together.wait()
            found += pages.label([job_of(body, f"http://a/{number}")])
        return found

    with ThreadPoolExecutor(4) as pool:
        outcomes = [outcome for found in pool.map(crawl_on, range(4)) for outcome in found]
    keys = {outcome.key for outcome in outcomes if isinstance(outcome, DeferredPage)}
    assert {*stored_pages(tmp_path)[0]} == keys
    assert len(keys) == 120


def test_no_name_in_the_folder_comes_from_a_page(tmp_path: Path) -> None:
    store(tmp_path / "pages", HOSTILE)
    names = [path.name for path in (tmp_path / "pages").rglob("*") if path.is_file()]
    assert sorted(map(len, names)) == [len("index-0001.jsonl"), 32 + len(".gz")]
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


def test_index_cut_off_at_any_place_gives_all_whole_lines(tmp_path: Path) -> None:
    keys = store(tmp_path, *(job_of(b"<p>%d" % n) for n in range(3)))
    (index,) = indexes(tmp_path)
    whole = index.read_bytes()
    begin = whole.rindex(b"\n", 0, -1) + 1
    for end in range(begin, len(whole) - 1):
        index.write_bytes(whole[:end])
        pages, broken = stored_pages(tmp_path)
        assert (list(pages), broken) == (keys[:2], int(end > begin))
    index.write_bytes(whole[:-1])  # the line feed alone is missing
    assert list(stored_pages(tmp_path)[0]) == keys


@pytest.mark.parametrize(
    "line", ["{}", "[]", "nonsense", "\udcff", '{"key": "k", "digest": "../../x"}', "1" * 5000]
)
def test_line_that_no_crawl_wrote_is_passed_over(tmp_path: Path, line: str) -> None:
    keys = store(tmp_path, job_of(b"<p>1"))
    (index,) = indexes(tmp_path)
    text = line.encode(errors="surrogateescape") + b"\n" + index.read_bytes()
    index.write_bytes(text)
    pages, broken = stored_pages(tmp_path)
    assert (list(pages), broken) == (keys, 1)


def test_digest_that_leads_out_of_the_folder_is_passed_over(tmp_path: Path) -> None:
    store(tmp_path, job_of(b"<p>1"))
    (index,) = indexes(tmp_path)
    head = json.loads(index.read_text())
    index.write_text(json.dumps({**head, "digest": "../../secret"}))
    assert stored_pages(tmp_path) == ({}, 1)


WRONG = {
    "brackets": "[" * 100_000,
    "brackets in a line of a page": '{"url": ' + "[" * 100_000,
    "objects": '{"a":' * 100_000,
    "a line of 3 MB": '"' + "x" * 3_000_000 + '"',
    "a line of 3 MB of a page": {"url": "http://a/" + "x" * 3_000_000},
    "a URL that is a number": {"url": 5},
    "a URL that is a list": {"url": ["http://a/"]},
    "a charset that is a number": {"charset": 1e300},
    "an encoding that is a list": {"encoding": ["utf-8"]},
    "a limit that is a word": {"limits": {"max_bytes": "x"}},
    "a limit below nothing": {"limits": {"max_blocks": -5}},
    "a limit without end": {"limits": {"max_bytes": 1e400}},
    "a limit of 5,000 digits": '{"limits": {"max_bytes": ' + "9" * 5000 + "}}",
    "limits that are a list": {"limits": [1]},
    "an unknown limit": {"limits": {"max_words": 1}},
    "another setting as a limit": {"limits": {"workers": 1}},
    "a threshold that is a word": {"options": {"threshold": "x"}},
    "a threshold of 1e300": {"options": {"threshold": 1e300}},
    "options that are a word": {"options": "x"},
    "formats that are a number": {"formats": 4},
    "an unknown format": {"formats": ["pickle"]},
    "a digest that is a number": {"digest": 4},
    "no key": {"key": ...},
}
"""Lines of an index that no crawl writes: as they are, or as changes of a line that one wrote."""


@pytest.mark.parametrize("wrong", WRONG)
def test_a_line_of_the_index_that_is_wrong_costs_itself_alone(tmp_path: Path, wrong: str) -> None:
    keys = store(tmp_path, job_of(b"<p>1", "http://a/1"), job_of(b"<p>2", "http://a/2"))
    (index,) = indexes(tmp_path)
    first, *others = index.read_text(encoding="utf-8").splitlines()
    change, head = WRONG[wrong], json.loads(first)
    if isinstance(change, dict):
        for name, value in change.items():
            if value is ...:
                del head[name]
            elif isinstance(value, dict):
                head[name].update(value)
            else:
                head[name] = value
        change = json.dumps(head)
    index.write_text("\n".join([change, *others, change, first]) + "\n", encoding="utf-8")
    pages, broken = stored_pages(tmp_path)
    assert (list(pages), broken) == (keys[::-1], 2)
    assert all(page.job().body for page in pages.values())


@pytest.mark.parametrize("size", [10_000_002, 60_000_000, 300_000_000])
def test_a_body_that_unpacks_to_more_than_a_crawl_stores_is_a_failure(
    tmp_path: Path, size: int
) -> None:
    (key,) = store(tmp_path, job_of(b"<p>1"))
    (body,) = bodies(tmp_path)
    with gzip.open(body, "wb", 1) as file:
        for _ in range(-(-size // 1_000_000)):
            file.write(bytes(1_000_000))
    page = stored_pages(tmp_path)[0][key]
    for limits, given in ((page.head["limits"], 0), ({"max_bytes": 10**15}, 55_000_000)):
        hostile = replace(page, head={**page.head, "limits": {**page.head["limits"], **limits}})
        tracemalloc.start()
        with pytest.raises(ValueError, match=body.name):
            hostile.job(given)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 180_000_000


URLS = {
    "https://alice:s3cret@example.org/a": "https://example.org/a",
    "https://alice@example.org/a@b?c=d@e": "https://example.org/a@b?c=d@e",
    "http://:s3cret@example.org": "http://example.org",
    "http://alice:s3@cret@example.org:8080/": "http://example.org:8080/",
    "http://alice:s3cret@[::1]:80/?q": "http://[::1]:80/?q",
    "ftp://alice:s3cret@example.org#x@y": "ftp://example.org#x@y",
    "//alice:s3cret@example.org/": "//example.org/",
    "https://example.org/~alice:s3cret@x": "https://example.org/~alice:s3cret@x",
    "https://example.org?to=alice:x@example.org": "https://example.org?to=alice:x@example.org",
    "mailto:alice@example.org": "mailto:alice@example.org",
    "https://%61lice:%73@example.org/é": "https://example.org/é",
}


@pytest.mark.parametrize("url", URLS)
def test_no_user_and_no_password_are_written(tmp_path: Path, url: str) -> None:
    (key,) = store(tmp_path, job_of(b"<p>1", url))
    pages, _ = stored_pages(tmp_path)
    assert pages[key].url == URLS[url]
    written = b"".join(path.read_bytes() for path in indexes(tmp_path))
    assert URLS[url] == url or b"s3cret" not in written


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_only_the_owner_can_read_what_is_stored(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "pages"
    old = os.umask(0)
    try:
        store(folder, job_of(b"<p>1"), job_of(b"<p>2"))
        indexes(folder)[0].unlink()
        pages = PageStore(folder)
        indexes(folder)[0].unlink()
        pages.label([job_of(b"<p>3")])
    finally:
        os.umask(old)
    for path in (folder.parent, folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def test_damaged_body_is_reported_with_its_file(tmp_path: Path) -> None:
    (key,) = store(tmp_path, job_of(b"<p>1"))
    (body,) = bodies(tmp_path)
    page = stored_pages(tmp_path)[0][key]
    for damaged in (gzip.compress(b"<p>1")[:-9], b"no gzip", b"", gzip.compress(b"<p>2")):
        body.write_bytes(damaged)
        with pytest.raises(ValueError, match=body.name):
            page.job()
    body.unlink()
    with pytest.raises(ValueError, match=body.name):
        page.job()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk is made of /dev/full")
def test_line_after_one_that_did_not_fit_on_the_disk_is_whole(tmp_path: Path) -> None:
    pages = PageStore(tmp_path)
    (index,) = indexes(tmp_path)
    index.unlink()
    index.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        pages.label([job_of(b"<p>1")])
    index.unlink()
    index.write_bytes(b'{"key": "half a li')
    (stored,) = pages.label([job_of(b"<p>1")])
    assert isinstance(stored, DeferredPage)
    found, broken = stored_pages(tmp_path)
    assert (list(found), broken) == ([stored.key], 1)


def test_body_that_cannot_be_stored_harms_no_other(tmp_path: Path) -> None:
    pages = PageStore(tmp_path)
    (tmp_path / "bodies").write_text("a file where the folder should be")
    (failed,) = pages.label([job_of(b"<p>1")])
    assert isinstance(failed, OSError)
    (tmp_path / "bodies").unlink()
    (stored,) = pages.label([job_of(b"<p>1")])
    assert isinstance(stored, DeferredPage)


@pytest.fixture(scope="module")
def settings(tiny_model: Path) -> dict[str, Any]:
    return {
        "BOILERNET_ENABLED": True,
        "BOILERNET_ENGINE": "numpy",
        "BOILERNET_MODEL": str(tiny_model),
        "BOILERNET_THRESHOLD": 0.4,
        "BOILERNET_SOURCE_FIELD": "source",
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("deferred") / "pages"


@pytest.fixture(scope="module")
def deferred(site: Site, settings: dict[str, Any], folder: Path) -> Crawl:
    mode = {"BOILERNET_MODE": "deferred", "BOILERNET_DEFERRED_FOLDER": str(folder)}
    return crawl("many_pages", site.url, {**settings, **mode, "BOILERNET_MODEL": "not needed"})


def run(settings: dict[str, Any], *arguments: str | Path) -> int:
    parser = argparse.ArgumentParser()
    fill.add_arguments(parser)
    return fill.run(parser.parse_args([str(each) for each in arguments]), Settings(settings))


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_crawl_stores_every_page_and_puts_its_key_on_the_item(
    deferred: Crawl, folder: Path
) -> None:
    pages, broken = stored_pages(folder)
    items = deferred.fields()
    assert broken == 0
    assert {item["boilernet_page"] for item in items} == set(pages)
    assert [item["key"] for item in items] == [item["boilernet_page"] for item in items]
    assert "main_text" not in items[0]
    assert deferred.counts("many") == {"stored": len(items), "items/stored": len(items)}
    assert deferred.stats["many"]["loaded"] == []


def test_items_filled_later_are_those_of_a_crawl_that_labels(
    deferred: Crawl, folder: Path, site: Site, settings: dict[str, Any], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    items, out = tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    fields = [*deferred.fields(), {"path": "of no page"}, {"boilernet_page": "unknown"}]
    items.write_text("\n".join(map(json.dumps, fields)) + "\n\n", encoding="utf-8")
    assert run(settings, folder, "--items", items, "--out", out) == 0
    *filled, other, unknown = rows(out)
    assert (other, unknown) == tuple(fields[-2:])
    assert "2 items not filled" in capsys.readouterr().err
    now = crawl("many_pages", site.url, settings)
    expected = {item["path"]: item for item in now.fields()}
    assert len(filled) == len(expected)
    for item in filled:
        names = ("main_text", "block_labels", "main_text_confidence", "source")
        found, wanted = expected[item["path"]], {name: item.pop(name) for name in names}
        assert wanted["main_text"] == found["main_text"]
        assert wanted["source"] == found["source"]
        assert wanted["main_text_confidence"] == pytest.approx(
            found["main_text_confidence"], abs=2e-4
        )
        assert [row["label"] for row in wanted["block_labels"]] == [
            row["label"] for row in found["block_labels"]
        ]


def test_an_items_file_may_hold_line_ends_of_other_kinds_in_its_texts(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    folder, items, out = tmp_path / "pages", tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    (key,) = store(folder, job_of(b"<p>1"))
    note = "one\u2028two\x85three\u2029four"
    line = json.dumps({"boilernet_page": key, "note": note}, ensure_ascii=False)
    items.write_bytes(f"{line}\r\n".encode())
    assert run(settings, folder, "--items", items, "-o", out) == 0
    (item,) = (json.loads(line) for line in out.read_bytes().split(b"\n") if line)
    assert item["note"] == note
    assert "main_text" in item


def test_a_format_of_the_crawl_without_a_field_is_reported(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, items, out = tmp_path / "pages", tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    (key,) = store(folder, job_of(b"<p>1", formats=("markdown",)))
    items.write_text(json.dumps({"boilernet_page": key}) + "\n")
    options = (folder, "--items", items, "-o", out)
    assert run(settings, *options) == 0
    message = "the crawl made markdown, but BOILERNET_MARKDOWN_FIELD is not set here"
    assert message in capsys.readouterr().err
    assert run({**settings, "BOILERNET_MARKDOWN_FIELD": "md"}, *options) == 0
    assert message not in capsys.readouterr().err


def test_chunks_of_the_crawl_without_a_field_are_reported(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, items, out = tmp_path / "pages", tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    (key,) = store(folder, job_of(b"<p>1", formats=("markdown",), chunk_tokens=50))
    items.write_text(json.dumps({"boilernet_page": key}) + "\n")
    options = (folder, "--items", items, "-o", out)
    assert run(settings, *options) == 0
    said = capsys.readouterr().err
    assert "the crawl made chunks, but BOILERNET_CHUNKS_FIELD is not set here" in said
    assert "MARKDOWN" not in said
    assert run({**settings, "BOILERNET_CHUNKS_FIELD": "chunks"}, *options) == 0
    assert "the crawl made" not in capsys.readouterr().err


def test_every_stored_page_gives_a_row(
    deferred: Crawl, folder: Path, settings: dict[str, Any], tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    assert run(settings, folder, "--blocks", "-o", out, "--threshold", "0") == 0
    by_key = {row["boilernet_page"]: row for row in rows(out)}
    assert {item["boilernet_page"] for item in deferred.fields()} == set(by_key)
    for row in by_key.values():
        assert row["url"].startswith("http://127.0.0.1:")
        assert row["main_text"]
        assert {label["label"] for label in row["block_labels"]} == {"content"}


def test_damaged_page_is_reported_and_the_others_are_extracted(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out, items = tmp_path / "pages", tmp_path / "out.jsonl", tmp_path / "items.jsonl"
    jobs = [job_of(b"<p>%d" % n, f"http://a/{n}") for n in range(3)]
    keys = store(folder, *jobs)
    bodies(folder)[0].write_bytes(b"")
    (indexes(folder)[0]).open("a").write("cut o")
    items.write_text("".join(json.dumps({"boilernet_page": key}) + "\n" for key in keys))
    assert run(settings, folder, "-o", out) == 1
    assert len(rows(out)) == 2
    assert run(settings, folder, "--items", items, "-o", out) == 1
    assert sorted("main_text" in row for row in rows(out)) == [False, True, True]
    errors = capsys.readouterr().err
    assert errors.count("cannot extract http://a/") == 2
    assert errors.count("1 broken lines skipped") == 2


def test_what_cannot_be_read_is_refused_in_one_line(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    store(tmp_path / "pages", job_of(b"<p>1"))
    (tmp_path / "list.json").write_text("[1]")
    (tmp_path / "text").write_text("nonsense")
    for said, arguments in [
        (f"deferred crawl: type scrapy boilernet fill {tmp_path / 'pages'}$", [tmp_path]),
        ("no crawl has stored pages here", [tmp_path / "missing"]),
        ("must be JSON lines", [tmp_path / "pages", "--items", "list.json"]),
        (
            "text, line 1 is not JSON",
            [tmp_path / "pages", "--items", tmp_path / "text"],
        ),
        ("cannot read", [tmp_path / "pages", "--items", tmp_path / "missing"]),
    ]:
        given = [tmp_path / each if each == "list.json" else each for each in arguments]
        with pytest.raises(UsageError, match=said):
            run(settings, *given)


def test_command_shows_progress(deferred: Crawl, folder: Path, tiny_model: Path) -> None:
    completed = run_python(
        "-m", "scrapy", "boilernet", "fill", str(folder), "--model",
        str(tiny_model), "--engine", "numpy",
    )  # fmt: skip
    assert completed.returncode == 0, completed.stderr.decode()
    assert len(completed.stdout.splitlines()) == len(deferred.items)
    assert "fill: " in completed.stderr.decode()


def test_a_dataclass_must_declare_the_field_of_its_stored_page(
    site: Site, settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "pages", tmp_path / "filled.jsonl"
    feed = str(tmp_path / "%(name)s.jsonl")
    mode = {
        "BOILERNET_MODE": "deferred",
        "BOILERNET_DEFERRED_FOLDER": str(folder),
        "FEEDS": {feed: {"format": "jsonlines"}},
    }
    crawl("item_classes", site.url, {**settings, **mode})
    options = (folder, "-o", out, "--threshold", "0")
    assert run(settings, *options, "--items", tmp_path / "without.jsonl") == 1
    (error,) = capsys.readouterr().err.splitlines()
    assert "without.jsonl: no item has a stored page" in error
    assert "'boilernet_page' (BOILERNET_PAGE_FIELD)" in error
    assert "'boilernet_page: str | None = None'" in error
    assert not out.exists()
    assert run(settings, *options, "--items", tmp_path / "with.jsonl") == 0
    items = rows(out)
    assert {item["url"] for item in items} == {f"{site.url}/article", f"{site.url}/copy"}
    for item in items:
        assert item["main_text"].startswith("Home\nThe mill on the river\n")
        assert set(item) == {
            "url", "main_text", "block_labels", "boilernet_page", "main_text_confidence", "source",
        }  # fmt: skip


def test_items_are_filled_as_the_pipeline_fills_them(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, items, out = tmp_path / "pages", tmp_path / "items.jsonl", tmp_path / "out.jsonl"
    (key,) = store(folder, job_of(b"<p>One<p>Two", rows=True))
    unset: list[Any] = [None, "", [], {}]
    lines = [{"boilernet_page": key, "main_text": value} for value in unset]
    kept = {"boilernet_page": key, "main_text": "The spider's", "block_labels": [1], "source": "x"}
    items.write_text("".join(json.dumps(each) + "\n" for each in [*lines, kept]))
    chosen = {
        **settings,
        "BOILERNET_THRESHOLD": 0,
        "BOILERNET_LABELS_KEYS": ["label", "xpath"],
        "BOILERNET_MODEL_FIELD": "model",
        "BOILERNET_ITEM_CLASSES": ["scrapy.Item"],
    }
    options = (folder, "--items", items, "-o", out, "--threshold", "0")
    assert run(chosen, *options) == 0
    *filled, own = rows(out)
    assert [item["main_text"] for item in filled] == ["One\nTwo"] * 4
    assert [set(row) for row in filled[0]["block_labels"]] == [{"label", "xpath"}] * 2
    model = load_labeler(chosen["BOILERNET_MODEL"], "numpy")
    assert own["model"] == model_version(model, chosen["BOILERNET_MODEL"])
    assert {name: own[name] for name in kept} == kept
    assert isinstance(own["main_text_confidence"], float)
    warning = "3 values of the items were kept; set BOILERNET_OVERWRITE to replace them"
    assert warning in capsys.readouterr().err
    assert run({**chosen, "BOILERNET_OVERWRITE": True}, *options) == 0
    assert rows(out)[-1]["main_text"] == "One\nTwo"
    assert capsys.readouterr().err == ""


def test_the_reason_why_there_is_nothing_to_label_is_reported(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, empty, items = tmp_path / "pages", tmp_path / "empty", tmp_path / "items.jsonl"
    store(folder, job_of(b"<p>One"))
    store(empty)
    for text, of, reason in (
        ("", folder, f"{items}: no items; name the file that the crawl has written"),
        ('{"boilernet_page": "other"}', folder, f"no item has the key of a page of {folder}"),
        ('{"boilernet_page": null}', folder, "none has the field 'boilernet_page'"),
        ("{}", folder, "none has the field 'boilernet_page'"),
        ('{"boilernet_page": "other"}', empty, f"{empty}: no page is stored here"),
    ):
        items.write_text(text)
        out = tmp_path / "out.jsonl"
        assert run(settings, of, "--items", items, "-o", out) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert reason in line
        assert not out.exists()
    assert run(settings, empty) == 1
    assert "no page is stored here; crawl with BOILERNET_MODE" in capsys.readouterr().err


def test_pages_over_the_limits_of_their_crawl_and_binaries_are_reported(
    settings: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, out = tmp_path / "pages", tmp_path / "out.jsonl"
    body = b"<p>One</p><p>Two</p>"
    store(
        folder,
        job_of(body, "http://a/cut", max_blocks=1),
        job_of(body, "http://a/skipped", max_blocks=1, over_max_blocks="skip"),
        job_of(b"%PDF-1.7", "http://a/pdf"),
    )
    given = (folder, "--blocks", "-o", out, "--threshold", "0")
    assert run({**settings, "BOILERNET_MAX_BLOCKS": 99}, *given) == 0
    (row,) = rows(out)
    assert (row["url"], row["main_text"]) == ("http://a/cut", "One")
    cut, skipped, pdf = capsys.readouterr().err.splitlines()
    assert cut.startswith("http://a/cut: cut off, since it has more blocks or elements than")
    assert "BOILERNET_MAX_BLOCKS = 1 allows" in cut
    assert skipped.startswith("cannot extract http://a/skipped: more blocks or elements than")
    assert pdf == "cannot extract http://a/pdf: a PDF document, not HTML"


def test_an_encoding_is_used_and_a_url_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    folder, out = tmp_path / "pages", tmp_path / "out.jsonl"
    store(folder, job_of("<p>Żółw".encode("iso-8859-2"), charset="cp1252"))
    given = (folder, "-o", out, "--threshold", "0")
    assert run(settings, *given, "--encoding", "iso-8859-2") == 0
    assert rows(out)[0]["main_text"] == "Żółw"
    with pytest.raises(
        UsageError, match=r"--url https://example\.com/ is for scrapy boilernet ext"
    ):
        run(settings, *given, "--url", "https://example.com/")
