"""Runs of the command over stored crawls while something fails, and their outcomes."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from pathlib import Path

import psutil

from scrapy_boilernet.bulk.compression import zstd

from .warcs import RESPONSE, warc_record

WAIT_SECONDS = 300
"""A run has failed if it takes longer; none takes nearly that long."""
LEAST_SECONDS, MOST_SECONDS = 0.8, 2.5
"""A process is killed at a random moment between these after its start."""
LIMITED = """
import os, resource, sys
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Runs a command whose files cannot grow beyond a size in bytes."""
PDF = b"%PDF-1.7 \x00\x01 nothing that is HTML"


@dataclass(frozen=True)
class Outcome:
    """Counts of the items of a crawl, and what was lost or doubled."""

    items: int
    """Items in the summary of the last run."""
    records: int
    failures: int
    left_out: int
    lost: int
    """Good pages without a record."""
    doubled: int
    """Records beyond the pages of the input with the same address."""
    faults: int
    """How often the fault happened."""


class StoredCrawl:
    """A WARC file of these ``members`` in a folder; ``model`` None: the default one."""

    def __init__(
        self,
        folder: Path,
        model: Path | None,
        members: Sequence[bytes],
        urls: int,
        options: Sequence[str] = (),
        out: str = "out.jsonl.gz",
    ) -> None:
        self.folder = folder
        self.good_urls = Counter(f"https://example.com/{number}" for number in range(urls))
        self.address = out
        self.out = folder / out.rpartition("/")[2]
        (folder / "crawl.warc.gz").write_bytes(b"".join(members))
        self._command = [
            sys.executable, "-m", "scrapy", "boilernet", "bulk", "crawl.warc.gz", "--resume",
            "--workers", "2", "-o", out, *options,
        ]  # fmt: skip
        if model:
            self._command += ["--model", str(model), "--engine", "numpy"]

    def start(self, *before: str) -> subprocess.Popen[str]:
        """Start or resume a run; ``before`` is put before the command."""
        environment = {k: v for k, v in os.environ.items() if k != "SCRAPY_SETTINGS_MODULE"}
        return subprocess.Popen(
            [*before, *self._command],
            cwd=self.folder,
            env=environment,
            text=True,
            stderr=subprocess.PIPE,
        )

    def finish(self) -> None:
        """Resume the run and wait for its end."""
        process = self.start()
        _, said = process.communicate(timeout=WAIT_SECONDS)
        assert process.returncode == 0, said

    def outcome(self, faults: int) -> Outcome:
        """Return the outcome of all runs together, read from their files."""
        progress = json.loads(self._beside(".progress.json").read_text())
        assert progress["summary"]["complete"]
        found = self._urls()
        urls = Counter(found)
        failed = self._beside(".failures.jsonl").read_bytes().splitlines()
        return Outcome(
            items=progress["summary"]["read"],
            records=len(found),
            failures=len(failed),
            left_out=sum(progress["summary"]["left_out"].values()),
            lost=(self.good_urls - urls).total(),
            doubled=(urls - self.good_urls).total(),
            faults=faults,
        )

    def _beside(self, ending: str) -> Path:
        return self.out.with_name(self.out.name + ending)

    def _urls(self) -> list[str]:
        """Return the address of the page of each record."""
        if self.out.is_file():
            return _urls_of("a.gz", self.out.read_bytes())
        if "://" in self.address:
            storage = import_module("fsspec").core.url_to_fs(self.address)[0]
            storage.invalidate_cache()
            parts = [(name, storage.cat_file(name)) for name in storage.find(self.address)]
        else:
            parts = [(one.name, one.read_bytes()) for one in self.out.rglob("part-*")]
        return [url for name, data in parts for url in _urls_of(name, data)]


def _urls_of(name: str, data: bytes) -> list[str]:
    if name.endswith(".parquet"):
        table = import_module("pyarrow.parquet").read_table(BytesIO(data), columns=["url"])
        return list(table["url"].to_pylist())
    lines = gzip.decompress(data) if name.endswith(".gz") else zstd().decompress(data)
    return [json.loads(line)["url"] for line in lines.splitlines()]


def member(number: int, body: bytes | None = None) -> bytes:
    """Return the gzip member of a page, a good one if no body is given."""
    text = f"<nav>Menu</nav><p>Text {number} of the tide pools.</p>" * (1 + number % 20)
    content = text.encode() if body is None else body
    return gzip.compress(warc_record(f"https://example.com/{number}", RESPONSE + content), 1)


def crawl_of(
    folder: Path,
    model: Path | None,
    pages: int,
    options: Sequence[str] = (),
    out: str = "out.jsonl.gz",
) -> StoredCrawl:
    """Return a stored crawl of good pages, and how it is processed."""
    members = [member(number) for number in range(pages)]
    return StoredCrawl(folder, model, members, pages, options, out)


def crawl_with_copies(folder: Path, model: Path | None, texts: int) -> StoredCrawl:
    """Return a stored crawl of so many texts, each of which comes again 50 pages later.

    It is processed with ``--dedupe``, and each block is content.
    """
    draw = random.Random(0)
    bodies = [
        f"<p>{' '.join(f'word{draw.randrange(9_000)}' for _ in range(90))}".encode()
        for _ in range(texts)
    ]
    order = [*range(50), *(n for one in range(texts - 50) for n in (one, one + 50))]
    members = [member(place, bodies[number]) for place, number in enumerate(order)]
    crawl = StoredCrawl(folder, model, members, 0, ("--dedupe", "--threshold", "0"))
    firsts = {number: place for place, number in reversed([*enumerate(order)])}
    crawl.good_urls.update(f"https://example.com/{place}" for place in firsts.values())
    return crawl


def crawl_of_articles(folder: Path, model: Path | None, articles: int) -> StoredCrawl:
    """Return a stored crawl of so many articles of two pages each, the second pages first.

    It is processed with ``--join``, and each block is content.
    """
    order = [*range(1, 2 * articles, 2), *range(0, 2 * articles, 2)]
    members = []
    for number in order:
        rel, other = ("prev", number - 1) if number % 2 else ("next", number + 1)
        link = f"<link rel={rel} href=https://example.com/{other}>"
        members.append(member(number, f"{link}<p>Page {number} of its own.".encode()))
    crawl = StoredCrawl(folder, model, members, 0, ("--join", "--threshold", "0"))
    crawl.good_urls.update(f"https://example.com/{number}" for number in range(0, 2 * articles, 2))
    return crawl


def killed(crawl: StoredCrawl, kills: int) -> Outcome:
    """Kill the run's main process so often at random moments, and resume each time."""
    draw, done = random.Random(0), 0
    while done < kills:
        process = crawl.start()
        try:
            _, said = process.communicate(timeout=draw.uniform(LEAST_SECONDS, MOST_SECONDS))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            done += 1
        else:
            assert process.returncode == 0, said
            break
    crawl.finish()
    return crawl.outcome(done)


def workers_killed(crawl: StoredCrawl, kills: int) -> Outcome:
    """Kill one of the run's workers so often at random moments."""
    draw, done = random.Random(0), 0
    process = crawl.start()
    while done < kills:
        try:
            process.wait(draw.uniform(0.3, LEAST_SECONDS))
        except subprocess.TimeoutExpired:
            workers = psutil.Process(process.pid).children()
            if workers and crawl.out.exists() and crawl.out.stat().st_size:
                os.kill(draw.choice(workers).pid, signal.SIGKILL)
                done += 1
        else:
            break
    _, said = process.communicate(timeout=WAIT_SECONDS)
    assert process.returncode == 0, said
    return crawl.outcome(done)


def disk_full(crawl: StoredCrawl, times: int) -> Outcome:
    """Limit the files' size, with a higher limit each time; then resume without a limit."""
    for number in range(times):
        process = crawl.start(sys.executable, "-c", LIMITED, str(2_000 * (1 + number)))
        _, said = process.communicate(timeout=WAIT_SECONDS)
        assert process.returncode == 1, said
        assert "run the same command with --resume to continue" in said, said
    crawl.finish()
    return crawl.outcome(times)


def damaged(folder: Path, model: Path | None, pages: int, kind: str) -> Outcome:
    """Process a crawl in which every 20th record has the damage."""
    damage = DAMAGE[kind]
    members = [member(number) for number in range(pages)]
    wrong = range(10, pages, 20)
    for number in wrong:
        members[number] = damage(number)
    crawl = StoredCrawl(folder, model, members, pages)
    if kind not in HARMLESS:
        for number in wrong:
            del crawl.good_urls[f"https://example.com/{number}"]
    if kind == "the same address again":
        crawl.good_urls.update(f"https://example.com/{number - 1}" for number in wrong)
        for number in wrong:
            del crawl.good_urls[f"https://example.com/{number}"]
    crawl.finish()
    return crawl.outcome(len(wrong))


def _flipped(number: int) -> bytes:
    data = bytearray(member(number))
    data[len(data) // 2] ^= 0x55
    return bytes(data)


def _two_gb(number: int) -> bytes:
    url = f"https://example.com/{number}"
    return gzip.compress(warc_record(url, RESPONSE, length=2_147_483_648))


def _long_header(number: int) -> bytes:
    record = warc_record(f"https://example.com/{number}", RESPONSE)
    return gzip.compress(
        record.replace(b"WARC-Type", b"X: " + b"x" * 20_000_000 + b"\r\nWARC-Type")
    )


def _without_length(number: int) -> bytes:
    record = warc_record(f"https://example.com/{number}", RESPONSE + b"<p>Text")
    return gzip.compress(record.replace(b"Content-Length", b"Content-Size"))


DAMAGE: dict[str, Callable[[int], bytes]] = {
    "a gzip member that is cut off": lambda number: member(number)[:-30],
    "a gzip member with a wrong byte": _flipped,
    "a length of 2 GB": _two_gb,
    "a header of 20 MB": _long_header,
    "no length": _without_length,
    "no HTML": lambda number: member(number, PDF),
    "an empty page": lambda number: member(number, b""),
    "the same address again": lambda number: member(number - 1),
    "a status of 404": lambda number: gzip.compress(
        warc_record(f"https://example.com/{number}", b"HTTP/1.1 404 Not Found\r\n\r\n")
    ),
}
HARMLESS = ("an empty page", "the same address again")
"""Kinds of damage with which the page still has a record."""
