"""A disk that is full, read-only or gone, and damaged files: the crawl goes on, and stores again
when it can."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from testing.faulty import (
    WAIT_SECONDS,
    FaultySite,
    crawl_faults,
    page,
    settings,
    spawn,
    text_of,
)  # fmt: skip

from scrapy_boilernet.workers.store import stored_pages

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")

DISK = 'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"'
"""A separate disk, only for the processes of one crawl, so that it really gets full."""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Make a folder "disk", if possible as a separate file system; return whether it is one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    command = ["unshare", "-rm", "sh", "-c", DISK, str(disk)]
    try:
        subprocess.run([*command, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    python = tmp_path / "python"
    words = " ".join(f"'{word}'" for word in [*command, sys.executable])
    python.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    return True


def troubled(disk: bool) -> list[dict[str, Any]]:
    """Return pages of which every other one comes while the disk fails."""
    acts = ["forbid_writing", "allow_writing"]
    if disk:
        acts += ["fill_disk", "empty_disk", "make_disk_read_only", "make_disk_writable"]
    acts += ["keep_store put_file_in_place_of_folder", "take_file_away", "remove_folder", ""]
    return [page(n, "trouble" if n % 2 and act else "", act) for n, act in enumerate(acts)]


def test_pages_are_stored_whenever_the_disk_can_hold_them(
    faulty_site: FaultySite, tmp_path: Path, disk: bool
) -> None:
    pages = troubled(disk)
    given = settings("deferred", BOILERNET_DEFERRED_FOLDER=str(tmp_path / "disk" / "store"))
    result = crawl_faults(faulty_site, tmp_path, pages, given, chained=True)
    result.check(len(pages))
    keys = {item["n"]: item.get("boilernet_page") for item in result.crawl.fields()}
    trouble = [item["n"] for item in result.of("trouble")]
    assert [n for n, key in keys.items() if key is None] == trouble
    assert result.counts["stored"] == result.counts["items/stored"] == len(pages) - len(trouble)
    errors = {name: n for name, n in result.counts.items() if name.startswith("errors/")}
    assert sum(errors.values()) == result.counts["items/unlabeled"] == len(trouble)
    assert errors["errors/OSError"] == len(trouble) - 1  # the last finds a file, not a folder
    kept, _ = stored_pages(tmp_path / "kept")
    wanted = {str(each["path"])[len("/page?n=") :] for each in pages if not each.get("fault")}
    assert set(kept) == {keys[n] for n in wanted if int(n) < len(pages) - 3}
    assert all(b"Sentence" in stored.job().body for stored in kept.values())


def damage(folder: Path) -> None:
    """Cut off every file, and write nonsense into it."""
    for file in folder.rglob("*"):
        if file.is_file():
            file.write_bytes(file.read_bytes()[:10] + b"\xff nonsense")


def test_pages_whose_stored_bodies_were_damaged_are_stored_again(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    given = settings("deferred", BOILERNET_DEFERRED_FOLDER=str(tmp_path / "store"))
    for _ in range(2):
        damage(tmp_path / "store")
        result = crawl_faults(faulty_site, tmp_path, [page(n) for n in range(4)], given)
        result.check(4)
        assert result.counts == {"stored": 4, "items/stored": 4}
    pages, broken = stored_pages(tmp_path / "store")
    assert broken == 1
    assert {item["boilernet_page"] for item in result.crawl.fields()} == set(pages)
    assert all(b"Sentence" in stored.job().body for stored in pages.values())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder that root cannot write")
def test_folder_that_cannot_be_written_stops_the_crawl_before_its_first_request(
    tmp_path: Path,
) -> None:
    folder = "/proc/boilernet"  # read-only for root, too
    given = settings("deferred", FAULTS_PLAN='{"pages": []}', BOILERNET_DEFERRED_FOLDER=folder)
    with FaultySite() as site:
        process = spawn("faults", site.url, tmp_path, given)
        _, log = process.communicate(timeout=WAIT_SECONDS)
    assert site.requests == {}
    assert f"BOILERNET_DEFERRED_FOLDER = '{folder}'" in log


def test_pages_of_scrapys_http_cache_are_labeled_alike(
    faulty_site: FaultySite, tmp_path: Path
) -> None:
    once = [page(200), page(201), {"path": "/untyped"}, {"path": "/zero"}]
    given = settings("thread", HTTPCACHE_ENABLED=True, HTTPCACHE_DIR=str(tmp_path / "http"))
    result = crawl_faults(faulty_site, tmp_path, [*once, *once], given, chained=True)
    result.check(8)
    items = result.crawl.fields()
    assert items[:4] == items[4:]
    assert [item["main_text"] for item in items[:2]] == [text_of(200), text_of(201)]
    assert result.stats["httpcache/hit"] == 4
    assert [faulty_site.requests[each["path"]] for each in once] == [1] * 4
    assert result.counts["pages"] == 8
