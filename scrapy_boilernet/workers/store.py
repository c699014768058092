"""Stores pages in a folder during the crawl, to be labeled after it.

``bodies/<two digits>/<digest>.gz``
    The bytes of a page, once for all equal pages. The file is complete, or does not exist.
``index-<number>.jsonl``
    One file per crawl, with a line of JSON per page: its key, and everything that its labels depend
    on. A crawl that is killed leaves at most part of a line at the end, which reading skips.

File names consist of digests and numbers only, never of a page's text or URL.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import Any

from scrapy_boilernet.html.decode import digest
from scrapy_boilernet.labeling import attempt
from scrapy_boilernet.workers.jobs import PageJob, Stored
from scrapy_boilernet.workers.wire import job_head, job_of


class PageStore:
    """A worker that stores pages instead of labeling them. Raises ``OSError`` if it cannot."""

    model = ""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._index = _new_index(self._folder)
        self._torn = False
        """Whether the index may end with part of a line."""

    def label(self, jobs: Sequence[PageJob]) -> list[Stored | Exception]:
        """Store the pages; return the key of each, or the exception that storing its body raised.

        Raises ``OSError`` if the index cannot be written. Then none of the pages counts as stored.
        """
        records = [attempt(self._record, job) for job in jobs]
        lines = [json.dumps(record) for record in records if not isinstance(record, Exception)]
        with self._index.open("ab") as index:
            if self._torn:
                index.write(b"\n")
            self._torn = True
            index.write("".join(f"{line}\n" for line in lines).encode())
        self._torn = False
        return [
            record if isinstance(record, Exception) else Stored(record["key"]) for record in records
        ]

    def close(self) -> None:
        """Do nothing, since everything is on the disk."""

    def _record(self, job: PageJob) -> dict[str, Any]:
        """Store the body; return the page's record for the index."""
        head = {"digest": job.digest, **job_head(job)}
        path = _body_path(self._folder, head["digest"])
        if not _holds(path, head["digest"]):
            path.parent.mkdir(parents=True, exist_ok=True)
            # Several crawls, also of one process, may store the same body at the same time.
            part = path.with_suffix(f".{os.getpid()}-{get_ident()}.part")
            part.write_bytes(gzip.compress(job.body, 6, mtime=0))
            part.replace(path)
        return {"key": digest(json.dumps(head)), **head}


@dataclass(frozen=True)
class StoredPage:
    """A page of the index; its body is read when the job is made."""

    key: str
    folder: Path
    head: Mapping[str, Any]

    @property
    def url(self) -> str:
        """The page's URL."""
        return str(self.head["url"])

    def job(self) -> PageJob:
        """Return the job that the crawl stored; raises ``ValueError`` if its body is damaged."""
        path = _body_path(self.folder, self.head["digest"])
        try:
            body = gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        if digest(body) != self.head["digest"]:
            raise ValueError(f"{path} is damaged: it contains another page")
        return job_of(self.head, body)


def stored_pages(folder: Path) -> tuple[dict[str, StoredPage], int]:
    """Return (the folder's pages by key, in the order of the crawl; the number of broken lines).

    Raises ``FileNotFoundError`` if no crawl has stored pages in the folder.
    """
    pages: dict[str, StoredPage] = {}
    broken = 0
    for page in read_index(folder):
        if page:
            pages[page.key] = page
        else:
            broken += 1
    return pages, broken


def read_index(folder: Path) -> Iterator[StoredPage | None]:
    """Yield the folder's pages in the order of the crawl, each key once, and None per broken line.

    Raises ``FileNotFoundError`` if no crawl has stored pages in the folder.
    """
    indexes = sorted(folder.glob("index-*.jsonl"))
    if not indexes:
        raise FileNotFoundError(f"{folder}: no crawl has stored pages here")
    seen: set[str] = set()
    for index in indexes:
        with index.open("rb") as lines:
            for line in lines:
                page = _stored_page(folder, line)
                if page and page.key not in seen:
                    seen.add(page.key)
                    yield page
                elif not page and line.strip():
                    yield None


def _stored_page(folder: Path, line: bytes) -> StoredPage | None:
    """Return the page of a line of the index; None if the line is damaged."""
    try:
        head = json.loads(line)
        job_of(head, b"")
        bytes.fromhex(head["digest"])  # the digest becomes a file name
        return StoredPage(str(head.pop("key")), folder, head)
    except (ValueError, KeyError, TypeError):
        return None


def _holds(path: Path, name: str) -> bool:
    """Return whether the file exists and is undamaged."""
    try:
        return digest(gzip.decompress(path.read_bytes())) == name
    except (OSError, EOFError, zlib.error):
        return False


def _new_index(folder: Path) -> Path:
    """Create the index of this crawl and return its path. Several crawls may share a folder."""
    for number in count(1):
        path = folder / f"index-{number:04}.jsonl"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        return path
    raise AssertionError


def _body_path(folder: Path, name: str) -> Path:
    return folder / "bodies" / name[:2] / f"{name}.gz"
