"""The results on disk: only the same page gives the same result."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from threading import Barrier
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.crawling import python_path
from testing.standins import Half, job_of, labeled_page
from testing.synthetic import QUICK, article

from scrapy_boilernet.decide.kinds import block_kinds
from scrapy_boilernet.labeled import LabeledPage, to_text
from scrapy_boilernet.options import Source
from scrapy_boilernet.workers import result_cache
from scrapy_boilernet.workers.jobs import Labeling, PageJob
from scrapy_boilernet.workers.page_worker import CachedBlockifier, PageWorker
from scrapy_boilernet.workers.result_cache import (
    FILE_NAME,
    MAX_FAILURES,
    MAX_TOUCHED,
    PAUSE_SECONDS,
    ResultCache,
)
from scrapy_boilernet.workers.wire import job_head, sent_parts

ROOM = 2**26
JOBS = [job_of(article(seed)[0], f"http://example.com/{seed}") for seed in range(6)]


def labeled(job: PageJob) -> LabeledPage:
    (outcome,) = PageWorker(Half(), CachedBlockifier(0)).label([job])
    assert isinstance(outcome, Labeling)
    return outcome.result


RESULTS = [labeled(job) for job in JOBS]


def opened(folder: Path, identity: str = "half", max_bytes: int = ROOM) -> ResultCache:
    return ResultCache(folder, identity, max_bytes)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ResultCache]:
    cache = opened(tmp_path)
    yield cache
    cache.close()


def filled(folder: Path, **options: Any) -> ResultCache:
    """A cache with all of ``JOBS``."""
    cache = opened(folder, **options)
    for job, result in zip(JOBS, RESULTS, strict=True):
        cache.put(job, result)
    assert cache.errors == 0
    return cache


def right(cache: ResultCache) -> int:
    """Return how many of ``JOBS`` are found; assert that each is right and usable."""
    found = 0
    for job, result in zip(JOBS, RESULTS, strict=True):
        hit = cache.get(job)
        if hit is not None:
            assert_same(hit, result)
            found += 1
    return found


def assert_same(hit: LabeledPage | None, result: LabeledPage) -> None:
    assert hit is not None
    assert hit == result
    assert hit.block_labels() == result.block_labels()
    assert hit.kinds == result.kinds
    assert hit.text == result.text
    assert hit.content == result.content


# What is found


@pytest.mark.parametrize("name", ["article.html", "forum.html", "japanese.html"])
def test_real_page_comes_back_as_it_was_labeled(
    cache: ResultCache, read_page: Callable[[str], bytes], name: str
) -> None:
    job = job_of(read_page(name))
    result = labeled(job)
    assert cache.get(job) is None
    cache.put(job, result)
    for again in (job, replace(job, rows=True), replace(job, body=bytes([*job.body]))):
        assert_same(cache.get(again), result)
    assert cache.errors == 0


@QUICK
@given(
    bodies=st.lists(
        st.binary(max_size=300) | st.text(max_size=100).map(lambda t: f"<p>{t}<b>{t}".encode()),
        max_size=4,
    ),
    url=st.text(max_size=30),
)
def test_any_page_comes_back_as_it_was_labeled(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[bytes], url: str
) -> None:
    cache = opened(tmp_path_factory.getbasetemp() / "any-page")
    for job in (job_of(body, url) for body in bodies):
        result = labeled(job)
        cache.put(job, result)
        assert_same(cache.get(job), result)
    cache.close()
    assert cache.errors == 0


def other(value: Any, hint: Any) -> Any:
    """Return another value of a field of this type."""
    if get_origin(hint) is Literal:
        return next(word for word in get_args(hint) if word != value)
    if get_origin(hint) is UnionType:
        return None if value is not None else other(value, get_args(hint)[0])
    if get_origin(hint) is tuple:
        return value[1:] if value else (other(None, get_args(hint)[0]),)
    return {bytes: b"<p>other", str: "other", int: 77, float: 0.25, bool: not value}[hint]


def changed_jobs(job: PageJob) -> dict[str, PageJob]:
    """Per field of the job and its options the job with that field changed."""
    hints = get_type_hints(PageJob)
    found = {
        field.name: replace(job, **{field.name: other(getattr(job, field.name), hints[field.name])})
        for field in fields(PageJob)
        if field.name not in ("options", "limits", "rows")
    }
    for group in ("options", "limits"):
        whole = getattr(job, group)
        for name, hint in get_type_hints(type(whole)).items():
            changed = replace(whole, **{name: other(getattr(whole, name), hint)})
            found[f"{group}.{name}"] = replace(job, **{group: changed})
    return found


CHANGED = changed_jobs(JOBS[0])


def test_all_of_a_job_is_changed_below() -> None:
    groups = {name.split(".")[0] for name in CHANGED}
    assert {*groups, "rows"} == {*job_head(JOBS[0]), "body"}
    assert {"url", "charset", "options.threshold", "limits.over_max_bytes"} <= {*CHANGED}


@pytest.mark.parametrize("name", CHANGED)
def test_job_that_differs_in_any_field_is_another(cache: ResultCache, name: str) -> None:
    cache.put(JOBS[0], RESULTS[0])
    assert cache.get(CHANGED[name]) is None
    result = labeled(CHANGED[name])
    cache.put(CHANGED[name], result)
    assert_same(cache.get(CHANGED[name]), result)
    assert_same(cache.get(JOBS[0]), RESULTS[0])
    assert cache.errors == 0


def test_body_that_differs_in_its_last_bit_is_another(cache: ResultCache) -> None:
    cache.put(JOBS[0], RESULTS[0])
    body = JOBS[0].body
    assert cache.get(replace(JOBS[0], body=body[:-1] + bytes([body[-1] ^ 1]))) is None


def test_labelers_of_one_folder_do_not_mix(tmp_path: Path) -> None:
    caches = [opened(tmp_path, identity) for identity in ("default", "open", "")]
    results = [replace(RESULTS[0], confidence=number / 10) for number in range(len(caches))]
    for cache, result in zip(caches, results, strict=True):
        assert cache.get(JOBS[0]) is None
        cache.put(JOBS[0], result)
    for cache, result in zip(caches, results, strict=True):
        assert_same(cache.get(JOBS[0]), result)
        cache.close()
        assert cache.errors == 0


@pytest.mark.parametrize(
    "name",
    [
        "FORMAT_VERSION",
        "__version__",
        "BLOCKIFIER_VERSION",
        "FEATURIZER_VERSION",
        "PAPER_FEATURIZER_VERSION",
    ],
)
def test_results_of_other_versions_are_not_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    filled(tmp_path).close()
    with monkeypatch.context() as patched:
        patched.setattr(result_cache, name, 99)
        cache = opened(tmp_path)
        assert right(cache) == 0
        cache.close()
    cache = opened(tmp_path)
    assert right(cache) == len(JOBS)
    cache.close()


def test_result_that_comes_again_takes_the_place_of_the_old_one(cache: ResultCache) -> None:
    for confidence in (0.1, 0.2):
        cache.put(JOBS[0], replace(RESULTS[0], confidence=confidence))
    found = cache.get(JOBS[0])
    assert found is not None
    assert found.confidence == 0.2
    cache.put(JOBS[0], found)  # a result that came out of a cache goes into one
    assert cache.get(JOBS[0]) == found


# How long it lasts, and for whom


def test_results_outlive_the_cache_also_one_that_was_never_closed(tmp_path: Path) -> None:
    folder = tmp_path / "made" / "for it"
    first = filled(folder)
    second = opened(folder)
    assert right(second) == len(JOBS)
    first.close()
    second.close()
    assert {path.name for path in folder.iterdir()} == {FILE_NAME}
    third = opened(folder)
    assert right(third) == len(JOBS)
    third.close()
    assert first.errors + second.errors + third.errors == 0


def test_closed_cache_finds_and_keeps_nothing(tmp_path: Path) -> None:
    cache = filled(tmp_path)
    cache.close()
    cache.close()
    cache.put(job_of(b"<p>late"), labeled(job_of(b"<p>late")))
    assert right(cache) == cache.errors == 0
    again = opened(tmp_path)
    assert again.get(job_of(b"<p>late")) is None
    again.close()


def test_threads_share_a_cache(cache: ResultCache) -> None:
    threads = 6
    start = Barrier(threads, timeout=60)

    def work(thread: int) -> int:
        start.wait()
        hits = 0
        for step in range(60):
            number = (step * (thread + 1)) % len(JOBS)
            hit = cache.get(JOBS[number])
            if hit is None:
                cache.put(JOBS[number], RESULTS[number])
            else:
                assert_same(hit, RESULTS[number])
                hits += 1
        return hits

    with ThreadPoolExecutor(threads) as pool:
        hits = list(pool.map(work, range(threads)))
    assert sum(hits) >= threads * (60 - len(JOBS))
    assert cache.errors == 0
    assert right(cache) == len(JOBS)


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that runs ``code`` after importing this module as ``t``."""
    start = (
        "from pathlib import Path\nfrom testing.crawling import module_of\n"
        f"t = module_of(Path({__file__!r}))\n"
    )
    command = [sys.executable, "-c", f"import sys\n{start}{code}", *map(str, arguments)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, **python_path()},
    )  # fmt: skip


def many(process: int) -> Iterator[tuple[PageJob, LabeledPage]]:
    """Return 60 pages of a process, and between them those that all processes have."""
    for number in range(60):
        url = f"http://example.com/{process}/{number}"
        page = replace(RESULTS[0].page, url=url)
        yield replace(JOBS[0], url=url), replace(RESULTS[0], page=page)
        yield JOBS[number % len(JOBS)], RESULTS[number % len(JOBS)]


def write_many(folder: Path, process: int) -> None:
    """Print a line when ready; from the first line of input on, put and get, then count errors."""
    cache = opened(folder)
    print("ready", flush=True)
    sys.stdin.readline()
    for job, result in many(process):
        cache.put(job, result)
        assert_same(cache.get(job), result)
    cache.close()
    print(cache.errors, flush=True)


def test_processes_share_a_folder_from_its_first_moment_on(tmp_path: Path) -> None:
    processes = [python("t.write_many(t.Path(sys.argv[1]), int(sys.argv[2]))", tmp_path, number)
                 for number in range(2)]  # fmt: skip
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60)[0] for process in processes] == ["0\n"] * 2
    cache = opened(tmp_path)
    for number in range(2):
        for job, result in many(number):
            assert_same(cache.get(job), result)
    cache.close()
    assert cache.errors == 0


def write_for_ever(folder: Path) -> None:
    """Put the results again and again, and print how many were put."""
    cache = opened(folder)
    for number in range(10**9):
        cache.put(JOBS[number % len(JOBS)], RESULTS[number % len(JOBS)])
        print(number + 1, flush=True)


def test_process_that_is_killed_takes_no_result_with_it(tmp_path: Path) -> None:
    with python("t.write_for_ever(t.Path(sys.argv[1]))", tmp_path) as process:
        assert process.stdout is not None
        for _ in range(500):
            assert process.stdout.readline()
        process.kill()
    cache = opened(tmp_path)
    assert right(cache) == len(JOBS)
    cache.close()
    assert cache.errors == 0
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


# How much it holds


def numbered(number: int) -> tuple[PageJob, LabeledPage]:
    url = f"http://example.com/{number}"
    result = replace(RESULTS[0], page=replace(RESULTS[0].page, url=url))
    return job_of(JOBS[0].body, url), result


def test_it_never_uses_more_of_the_disk_than_its_bound(tmp_path: Path) -> None:
    bound = 2**17
    cache = opened(tmp_path, max_bytes=bound)
    for number in range(200):
        cache.put(*numbered(number))
    cache.close()
    assert cache.errors == 0
    assert (tmp_path / FILE_NAME).stat().st_size <= bound + 2**14  # pages free for the next
    numbers = held(tmp_path, 200)
    assert numbers == list(range(numbers[0], 200))
    assert 20 < len(numbers) < 150


def held(folder: Path, upto: int) -> list[int]:
    """Return which of the numbered results are in the folder."""
    cache = opened(folder)
    numbers = [number for number in range(upto) if cache.get(numbered(number)[0])]
    cache.close()
    assert cache.errors == 0
    return numbers


def stored(folder: Path) -> int:
    """Return the number of results according to the file."""
    db = sqlite3.connect(folder / FILE_NAME)
    (number,) = db.execute("SELECT count(*) FROM results").fetchone()
    db.close()
    return int(number)


def test_least_recently_used_results_go_first(tmp_path: Path) -> None:
    cache = opened(tmp_path, max_bytes=2**17)
    for number in range(400):
        cache.put(*numbered(number))
        assert_same(cache.get(numbered(0)[0]), numbered(0)[1])
    cache.close()
    assert cache.errors == 0
    numbers = held(tmp_path, 400)
    assert numbers == [0, *range(numbers[1], 400)]
    assert numbers[1] > 200


def test_uses_are_known_to_the_next_crawl(tmp_path: Path) -> None:
    cache = opened(tmp_path, max_bytes=2**17)
    for number in range(30):
        cache.put(*numbered(number))
    cache.close()
    cache = opened(tmp_path, max_bytes=2**17)
    for number in (1, 3, *[5] * MAX_TOUCHED, 7):
        assert cache.get(numbered(number)[0]) is not None
    cache.close()
    cache = opened(tmp_path, max_bytes=2**17)
    number = 30
    while stored(tmp_path) == number:
        cache.put(*numbered(number))
        number += 1
    cache.close()
    assert cache.errors == 0
    assert held(tmp_path, number)[:4] == [1, 3, 5, 7]


def test_result_that_can_never_fit_drops_no_other(tmp_path: Path) -> None:
    cache = opened(tmp_path, max_bytes=2**16)
    cache.put(JOBS[0], RESULTS[0])
    noise = os.urandom(2**17).hex()
    large = labeled_page(noise, "http://example.com/")
    cache.put(job_of(b"large"), large)
    assert cache.get(job_of(b"large")) is None
    assert_same(cache.get(JOBS[0]), RESULTS[0])
    assert cache.errors == 0
    cache.close()


def test_bound_that_was_lowered_holds_again_after_a_few_results(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    for number in range(300):
        cache.put(*numbered(number))
    cache.close()
    cache = opened(tmp_path, max_bytes=2**16)
    cache.put(*numbered(300))
    cache.close()
    numbers = held(tmp_path, 301)
    assert numbers == list(range(numbers[0], 301))
    assert len(numbers) < 60


# What can happen to the disk


def test_folder_that_cannot_be_made_raises_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        opened(tmp_path / "file")
    with pytest.raises(OSError, match="file"):
        opened(tmp_path / "file" / "below")


def unwritable(tmp_path: Path) -> Path:
    """Return an existing folder in which no file can be made, not even by root."""
    if os.getuid():
        tmp_path.chmod(0o500)
        return tmp_path
    folder = Path("/proc/self")
    if not folder.exists():
        pytest.skip("root can write everywhere")
    return folder


def test_unwritable_folder_costs_a_few_errors_and_no_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = opened(unwritable(tmp_path))
    for _ in range(5):
        assert right(cache) == 0
        cache.put(JOBS[0], RESULTS[0])
    assert cache.errors == MAX_FAILURES + MAX_FAILURES  # to read, to write
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert FILE_NAME in caplog.text
    now = result_cache.monotonic() + PAUSE_SECONDS
    monkeypatch.setattr(result_cache, "monotonic", lambda: now)
    for _ in range(5):
        assert right(cache) == 0
    assert cache.errors == 2 * MAX_FAILURES + 1
    cache.close()


@contextmanager
def full_disk(size: int) -> Iterator[None]:
    """Limit the size of this process's files, which are also pytest's: only for a short time."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_full_disk_can_be_read_and_is_soon_left_alone(tmp_path: Path) -> None:
    cache = filled(tmp_path)
    with full_disk(2**20):
        for number in range(500):
            cache.put(*numbered(number))
        assert MAX_FAILURES <= cache.errors < 30
        found = [number for number in range(500) if cache.get(numbered(number)[0])]
        assert 10 < len(found) < 200
        assert right(cache) == len(JOBS)
        assert cache.errors < 30
        cache.close()
    assert right(opened(tmp_path)) == len(JOBS)


def test_full_disk_from_the_first_moment_on_stops_nothing(tmp_path: Path) -> None:
    with full_disk(100):
        cache = opened(tmp_path)
        for job, result in zip(JOBS, RESULTS, strict=True):
            assert cache.get(job) is None
            cache.put(job, result)
        assert cache.errors == 2 * MAX_FAILURES
        cache.close()


def test_file_that_another_process_has_locked_is_not_waited_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = filled(tmp_path)
    other_one = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)
    other_one.execute("BEGIN IMMEDIATE")
    for number in range(100):
        cache.put(*numbered(number))
    assert right(cache) == len(JOBS)
    assert cache.errors == MAX_FAILURES
    other_one.execute("ROLLBACK")
    other_one.close()
    now = result_cache.monotonic() + PAUSE_SECONDS
    monkeypatch.setattr(result_cache, "monotonic", lambda: now)
    cache.put(*numbered(1))
    assert cache.get(numbered(1)[0])
    assert cache.errors == MAX_FAILURES
    cache.close()


def goes_on_anew(folder: Path, broken: bool = True) -> None:
    """Assert that a cache puts aside what is in the folder, logs it once, and works."""
    cache = opened(folder)
    assert right(cache) == 0
    assert cache.errors == 1
    for job, result in zip(JOBS, RESULTS, strict=True):
        cache.put(job, result)
    assert right(cache) == len(JOBS)
    assert cache.errors == 1
    cache.close()
    assert (folder / f"{FILE_NAME}.broken").exists() == broken
    again = opened(folder)
    assert right(again) == len(JOBS)
    assert again.errors == 0
    again.close()


@pytest.mark.parametrize(
    "content", [b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 4096, b"tide"]
)
def test_file_that_is_no_database_is_put_aside(tmp_path: Path, content: bytes) -> None:
    for _ in range(2):
        (tmp_path / FILE_NAME).write_bytes(content)
        goes_on_anew(tmp_path)
        assert (tmp_path / f"{FILE_NAME}.broken").read_bytes() == content


def test_database_of_another_program_is_put_aside_as_it_was(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME) as db:
        db.execute("CREATE TABLE results (number INTEGER PRIMARY KEY, value TEXT)")
        db.execute("INSERT INTO results VALUES (1, 'theirs')")
    db.close()
    before = (tmp_path / FILE_NAME).read_bytes()
    goes_on_anew(tmp_path)
    assert (tmp_path / f"{FILE_NAME}.broken").read_bytes() == before


def test_folder_in_the_place_of_the_file_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME / "inside").mkdir(parents=True)
    goes_on_anew(tmp_path)
    assert (tmp_path / f"{FILE_NAME}.broken" / "inside").is_dir()


@pytest.mark.parametrize("end", ["-wal", "-shm", "-journal"])
def test_folder_in_the_place_of_a_companion_is_put_aside(tmp_path: Path, end: str) -> None:
    (tmp_path / f"{FILE_NAME}{end}" / "inside").mkdir(parents=True)
    goes_on_anew(tmp_path, broken=False)
    assert (tmp_path / f"{FILE_NAME}.broken{end}" / "inside").is_dir()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_pipe_device_or_link_to_nowhere_is_put_aside(tmp_path: Path) -> None:
    for number, make in enumerate(
        (os.mkfifo, lambda path: path.symlink_to("/dev/full"), lambda path: path.symlink_to("no/x"))
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        make(folder / FILE_NAME)
        broken = folder / f"{FILE_NAME}.broken"
        goes_on_anew(folder, broken=number != 2)
        assert os.path.lexists(broken)


def test_second_thing_in_the_way_that_cannot_be_put_aside_stops_nothing(tmp_path: Path) -> None:
    for name in (FILE_NAME, f"{FILE_NAME}.broken"):
        (tmp_path / name / "inside").mkdir(parents=True)
    cache = opened(tmp_path)
    for job, result in zip(JOBS, RESULTS, strict=True):
        assert cache.get(job) is None
        cache.put(job, result)
    assert cache.errors == 2 * MAX_FAILURES
    cache.close()


def test_folder_that_is_removed_while_it_is_used_is_made_again(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    filled(folder).close()
    cache = opened(folder)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    cache.put(JOBS[0], RESULTS[0])
    assert_same(cache.get(JOBS[0]), RESULTS[0])
    cache.close()
    assert cache.errors == 0


def test_two_caches_that_find_the_file_damaged_put_it_aside_once(tmp_path: Path) -> None:
    filled(tmp_path).close()
    first, second = opened(tmp_path), opened(tmp_path)
    assert right(first) == right(second) == len(JOBS)
    os.truncate(tmp_path / FILE_NAME, 4096)
    for cache in (first, second, first, second):
        for job, result in zip(JOBS, RESULTS, strict=True):
            cache.get(job)
            cache.put(job, result)
    assert right(first) == right(second) == len(JOBS)
    first.close()
    second.close()
    third = opened(tmp_path)
    assert right(third) == len(JOBS)
    assert third.errors == 0
    third.close()


# What can happen to what is in the file


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """A file with all of ``JOBS``, and the log of one that was not closed."""
    folder = tmp_path_factory.mktemp("whole")
    filled(folder / "closed").close()
    cache = filled(folder / "open")
    log = (folder / "open" / LOG).read_bytes()
    cache.close()
    return (folder / "closed" / FILE_NAME).read_bytes(), log


LOG = f"{FILE_NAME}-wal"


def survives(folder: Path) -> None:
    """Assert that any content of the folder gives right results or none, and new ones are found."""
    cache = opened(folder)
    for job, result in zip(JOBS, RESULTS, strict=True):
        hit = cache.get(job)
        if hit is not None:
            assert_same(hit, result)
        else:
            cache.put(job, result)
    right(cache)
    cache.close()


@pytest.mark.parametrize("name", [FILE_NAME, LOG])
def test_file_cut_off_anywhere(tmp_path: Path, whole: tuple[bytes, bytes], name: str) -> None:
    content = whole[name == LOG]
    ends = [1, 16, 99, 100, 101, *range(512, len(content), len(content) // 12), len(content) - 1]
    for end in ends:
        folder = tmp_path / str(end)
        folder.mkdir()
        (folder / name).write_bytes(content[:end])
        if name == LOG:
            (folder / FILE_NAME).write_bytes(whole[0])
        survives(folder)


EDITS = st.lists(
    st.tuples(st.integers(0, 2**20), st.binary(min_size=1, max_size=40)), min_size=1, max_size=8
)


@QUICK
@given(EDITS, EDITS, st.booleans())
def test_file_damaged_anywhere(
    tmp_path_factory: pytest.TempPathFactory,
    whole: tuple[bytes, bytes],
    edits: list[tuple[int, bytes]],
    log_edits: list[tuple[int, bytes]],
    with_log: bool,
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    (folder / FILE_NAME).write_bytes(damaged(whole[0], edits))
    if with_log:
        (folder / LOG).write_bytes(damaged(whole[1], log_edits))
    survives(folder)


def damaged(content: bytes, edits: list[tuple[int, bytes]]) -> bytes:
    made = bytearray(content)
    for place, new in edits:
        place %= len(made)
        made[place : place + len(new)] = new[: len(made) - place]
    return bytes(made)


def altered(folder: Path, statement: str, *values: object) -> None:
    db = sqlite3.connect(folder / FILE_NAME)
    with db:
        db.execute(statement, values)
    db.close()


@pytest.mark.parametrize(
    "value",
    ["CAST(value AS TEXT)", "1", "1.5", "''", "x''", "zeroblob(30)", "substr(value, 1, 40)",
     "substr(value, 1, length(value) - 1)", "CAST(value || x'00' AS BLOB)", "zeroblob(1000000)",
     "(SELECT max(value) FROM results)"],
)  # fmt: skip
def test_pages_with_values_altered_by_hand_are_labeled_again(tmp_path: Path, value: str) -> None:
    filled(tmp_path).close()
    altered(tmp_path, f"UPDATE results SET value = {value}")  # noqa: S608
    cache = opened(tmp_path)
    found = right(cache)
    assert found == (len(JOBS) if "TEXT" in value else 1 if "SELECT" in value else 0)
    assert cache.errors == len(JOBS) - found
    for job, result in zip(JOBS, RESULTS, strict=True):
        cache.put(job, result)
    assert right(cache) == len(JOBS)
    cache.close()


def test_pages_with_results_under_other_numbers_are_labeled_again(tmp_path: Path) -> None:
    filled(tmp_path).close()
    db = sqlite3.connect(tmp_path / FILE_NAME)
    rows = db.execute("SELECT number, value FROM results").fetchall()
    moved = [(value, rows[place - 1][0]) for place, (_, value) in enumerate(rows)]
    with db:
        db.executemany("UPDATE results SET value = ? WHERE number = ?", moved)
    db.close()
    cache = opened(tmp_path)
    assert right(cache) == 0
    assert cache.errors == len(JOBS)
    cache.close()


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM uses", "UPDATE uses SET used = 9223372036854775807", "DELETE FROM results",
     "UPDATE uses SET used = 'text'", "INSERT INTO uses VALUES (5, x'00')"],
)  # fmt: skip
def test_uses_altered_by_hand_stop_nothing(tmp_path: Path, statement: str) -> None:
    filled(tmp_path).close()
    altered(tmp_path, statement)
    cache = opened(tmp_path, max_bytes=2**17)
    for number in range(150):
        cache.put(*numbered(number))
        assert cache.get(numbered(number)[0])
    assert cache.errors == 0
    cache.close()


def test_values_that_nobody_uses_make_room(tmp_path: Path) -> None:
    cache = opened(tmp_path)
    for number in range(100):
        cache.put(*numbered(number))
    cache.close()
    altered(tmp_path, "DELETE FROM uses")
    cache = opened(tmp_path, max_bytes=2**17)
    cache.put(*numbered(100))
    cache.put(*numbered(101))
    cache.close()
    assert held(tmp_path, 102) == [101]


@pytest.mark.parametrize(
    "statement", ["DROP TABLE uses", "CREATE TABLE more (x)",
                  "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END"],
)  # fmt: skip
def test_file_with_other_tables_is_put_aside(tmp_path: Path, statement: str) -> None:
    filled(tmp_path).close()
    altered(tmp_path, statement)
    goes_on_anew(tmp_path)


def test_table_that_is_dropped_while_the_file_is_used(tmp_path: Path) -> None:
    cache = filled(tmp_path)
    altered(tmp_path, "DROP TABLE results")
    for _ in range(2):
        for job, result in zip(JOBS, RESULTS, strict=True):
            cache.get(job)
            cache.put(job, result)
    assert right(cache) == len(JOBS)
    assert 0 < cache.errors < MAX_FAILURES
    cache.close()


# A file that somebody made on purpose: every checksum is right


def sealed(key: bytes, small: Any, rows: Any, page: Any, sizes: Any = None) -> bytes:
    """Return a value as the cache would have written it."""
    parts = [
        part if isinstance(part, bytes) else json.dumps(part).encode()
        for part in (small, rows, page)
    ]
    rest = struct.pack(">3I", *(sizes or map(len, parts))) + zlib.compress(b"".join(parts))
    return hashlib.sha256(key + rest).digest() + rest


def parts_of(result: LabeledPage) -> list[dict[str, Any]]:
    small, rows, page = sent_parts(result)
    return [small, json.loads(rows), json.loads(page)]


def planted(cache: ResultCache, value: Callable[[bytes], bytes]) -> LabeledPage | None:
    """Return the cache's result for the first page after the value was written for its key."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(result_cache, "_packed", lambda key, _: value(key))
        cache.put(JOBS[0], RESULTS[0])
    return cache.get(JOBS[0])


def test_value_as_it_should_be_is_taken(cache: ResultCache) -> None:
    hit = planted(cache, lambda key: sealed(key, *parts_of(RESULTS[0])))
    assert_same(hit, RESULTS[0])
    assert cache.errors == 0


LEAVES: list[Any] = [
    None, "text", 7, -1, 10**400, 0.5, True, [], [[]], {}, [None], ["x"], [7], [0, 7], [[], [], 7],
]  # fmt: skip
FIELDS = [(number, name) for number, part in enumerate(parts_of(RESULTS[0])) for name in part]


@pytest.mark.parametrize(("part", "name"), FIELDS)
def test_no_field_can_be_what_fails_later(cache: ResultCache, part: int, name: str) -> None:
    whole = parts_of(RESULTS[0])[part][name]
    others = [[leaf, *whole[1:]] for leaf in LEAVES] if isinstance(whole, list) and whole else []
    for value in (*LEAVES, *others):
        parts = parts_of(RESULTS[0])
        parts[part][name] = value
        hit = planted(cache, partial(sealed, small=parts[0], rows=parts[1], page=parts[2]))
        if hit is not None:
            assert_usable(hit)
    parts = parts_of(RESULTS[0])
    del parts[part][name]
    errors = cache.errors
    assert planted(cache, lambda key: sealed(key, *parts)) is None
    assert cache.errors == errors + 1


def assert_usable(hit: LabeledPage) -> None:
    """Assert that all fields that the pipeline and a user read of a result can be read."""
    assert isinstance(hit.text, str)
    assert len(hit.labels) == len(hit.probabilities) == len(hit.kinds) == len(hit.page.blocks)
    assert {*hit.labels} <= {"content", "boilerplate"}
    assert hit.source in get_args(Source)
    assert 0 <= hit.confidence + hit.threshold <= 2
    for row in hit.block_labels():
        assert [*map(type, row.values())] == [str, str, str, float, str]
    assert isinstance(to_text(hit.content), str)
    assert isinstance(hash(hit), int)
    assert json.dumps(sent_parts(hit)[0])
    blocks = len(hit.labels)
    assert len(block_kinds(hit.page, [True] * blocks, [True] * blocks, frozenset())) == blocks


@pytest.mark.parametrize(
    "make",
    [
        lambda key: sealed(key, [], {}, {}),
        lambda key: sealed(key, {}, {}, {}, sizes=(0, 0, 0)),
        lambda key: sealed(key, {}, {}, {}, sizes=(2**32 - 1, 2**32 - 1, 2**32 - 1)),
        lambda key: sealed(key, *parts_of(RESULTS[0]), sizes=(9**9, 0, 0)),
        lambda key: sealed(key, *parts_of(RESULTS[0]), sizes=(10, 10, 10)),
        lambda key: sealed(key, bytes(2**24), {}, {}, sizes=(9, 9, 9)),
        lambda key: sealed(key, *parts_of(RESULTS[0])[:2], b"[" * 10**5),
        lambda key: sealed(key, *parts_of(RESULTS[1])),
        lambda key: sealed(key, *swollen(6000)),
    ],
    ids=["empty", "no-sizes", "sizes", "size", "cut", "bomb", "deep", "other-page", "blocks"],
)
def test_hostile_value_is_refused(cache: ResultCache, make: Callable[[bytes], bytes]) -> None:
    assert planted(cache, make) is None
    assert cache.errors == 1
    cache.put(JOBS[0], RESULTS[0])
    assert_same(cache.get(JOBS[0]), RESULTS[0])


def swollen(blocks: int) -> list[dict[str, Any]]:
    """The parts of a page of so many blocks, each deeper than the one before."""
    small, rows, page = parts_of(RESULTS[0])
    for part in (rows, page):
        for name, column in part.items():
            if isinstance(column, list) and name not in ("head", "paths"):
                part[name] = column[:1] * blocks
    page["nodes"] = [[number, number] for number in range(blocks)]
    return [small, rows, page]
