"""Stores pages in a folder during the crawl, to be labeled after it.

``bodies/<two digits>/<digest>.gz``
    The bytes of a page, once for all equal pages. The file is complete, or does not exist.
``index-<number>.jsonl``
    One file per crawl, with a line of JSON per page: its key, and everything that its labels depend
    on. A crawl that is killed leaves at most part of a line at the end, which reading skips.

File names consist of digests and numbers only, never of a page's text or URL. Only the owner can
read new files and folders. User names and passwords in URLs are not stored.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from threading import get_ident
from typing import Any, BinaryIO

from scrapy_boilernet.extractor.html.encoding import digest
from scrapy_boilernet.extractor.labeling import attempt
from scrapy_boilernet.settings.config import SETTINGS
from scrapy_boilernet.workers.files import (
    MAX_GZIP_BYTES,
    make_private_folder,
    private,
    read_at_most,
)
from scrapy_boilernet.workers.jobs import DeferredPage, PageJob
from scrapy_boilernet.workers.wire import job_head, job_of

_USER = re.compile(r"^([^/?#]*//)[^/?#]*@")
"""The user name and password in a URL."""
_MAX_LINE_BYTES = 1 << 20
"""The longest line of an index that is read. One without its URL has some 600 bytes."""


class PageStore:
    """A worker that stores pages instead of labeling them. Raises ``OSError`` if it cannot."""

    model = ""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        make_private_folder(self._folder)
        self._index = _new_index(self._folder)
        self._torn = False
        """Whether the index may end with part of a line."""

    def label(self, jobs: Sequence[PageJob]) -> list[DeferredPage | Exception]:
        """Store the pages; return the key of each, or the exception that storing its body raised.

        Raises ``OSError`` if the index cannot be written. Then none of the pages counts as stored.
        """
        records = [attempt(self._record, job) for job in jobs]
        lines = [json.dumps(record) for record in records if not isinstance(record, Exception)]
        with open(self._index, "ab", opener=private) as index:
            if self._torn:
                index.write(b"\n")
            self._torn = True
            index.write("".join(f"{line}\n" for line in lines).encode())
        self._torn = False
        return [
            record if isinstance(record, Exception) else DeferredPage(record["key"])
            for record in records
        ]

    def _record(self, job: PageJob) -> dict[str, Any]:
        """Store the body; return the page's record for the index."""
        head = {"digest": job.digest, **job_head(job)}
        head["url"] = head["url"] and _USER.sub(r"\1", head["url"])
        path = _body_path(self._folder, head["digest"])
        if not _holds(path, head["digest"], len(job.body)):
            make_private_folder(path.parent)
            # Several crawls, also of one process, may store the same body at the same time.
            part = path.with_suffix(f".{os.getpid()}-{get_ident()}.part")
            try:
                with open(part, "wb", opener=private) as file:
                    file.write(gzip.compress(job.body, 6, mtime=0))
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)  # such as one that filled the disk
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

    def job(self, max_bytes: int = 0) -> PageJob:
        """Return the job that the crawl stored; raises ``ValueError`` if its body is damaged.

        It also raises if the body is larger than a crawl stores: one byte more than the page's
        limit. A limit above :data:`~scrapy_boilernet.workers.files.MAX_GZIP_BYTES` counts up to
        ``max_bytes``, since the folder may come from someone else.
        """
        path = _body_path(self.folder, self.head["digest"])
        most = min(self.head["limits"]["max_bytes"], max(max_bytes, MAX_GZIP_BYTES)) + 1
        try:
            body = _unpacked(path, most)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"{path} is damaged: {error}") from error
        if len(body) > most:
            raise ValueError(
                f"{path} is damaged: it has more than {most:,} bytes; if that is no damage, raise "
                "BOILERNET_MAX_BYTES"
            )
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
            for line in _lines(lines):
                page = _stored_page(folder, line)
                if page and page.key not in seen:
                    seen.add(page.key)
                    yield page
                elif not page and line.strip():
                    yield None


def _lines(index: BinaryIO) -> Iterator[bytes]:
    """Yield the lines; of a line that is longer than any that a crawl writes, only the start."""
    whole = True
    while line := index.readline(_MAX_LINE_BYTES):
        if whole:
            yield line
        whole = line.endswith(b"\n")


def _stored_page(folder: Path, line: bytes) -> StoredPage | None:
    """Return the page of a line of the index; None if the line is damaged."""
    try:
        head = json.loads(line)
        for part in ("options", "limits"):
            head[part] = {name: SETTINGS[name].read(value) for name, value in head[part].items()}
        job = job_of(head, b"")
        texts = (job.url, job.charset, job.encoding)
        if not all(text is None or isinstance(text, str) for text in texts):
            return None
        bytes.fromhex(head["digest"])  # the digest becomes a file name
        return StoredPage(str(head.pop("key")), folder, head)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _holds(path: Path, name: str, size: int) -> bool:
    """Return whether the file exists and has the body of this digest and size."""
    try:
        return digest(_unpacked(path, size)) == name
    except (OSError, EOFError, zlib.error):
        return False


def _unpacked(path: Path, most: int) -> bytes:
    """Return the unpacked bytes of a file, at most ``most`` and one more."""
    with gzip.open(path) as file:
        return read_at_most(file, most + 1)


def _new_index(folder: Path) -> Path:
    """Create the index of this crawl and return its path. Several crawls may share a folder."""
    for number in count(1):
        path = folder / f"index-{number:04}.jsonl"
        try:
            os.close(private(str(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            continue
        return path
    raise AssertionError


def _body_path(folder: Path, name: str) -> Path:
    return folder / "bodies" / name[:2] / f"{name}.gz"
