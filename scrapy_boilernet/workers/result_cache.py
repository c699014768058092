"""The results cache: labeled pages in a file that outlives the crawl and that processes share.

A result is found again by all that it depends on: the page's bytes and URL, the options, the
labeler, and what reads the page. Whatever becomes of the file or the disk, a page is labeled anew
rather than wrongly, and the crawl goes on.
"""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import sqlite3
import struct
import zlib
from collections.abc import Callable, Sequence
from itertools import accumulate, chain
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, TypeVar, get_args

from lxml import etree

from scrapy_boilernet.features.counts import PAPER_FEATURIZER_VERSION
from scrapy_boilernet.features.hashed import FEATURIZER_VERSION
from scrapy_boilernet.html.blockify import BLOCKIFIER_VERSION
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.options import Source
from scrapy_boilernet.page import Units
from scrapy_boilernet.version import __version__
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.result_file import MAX_TOUCHED, ResultFile
from scrapy_boilernet.workers.wire import SentPage, job_head, sent_parts

logger = logging.getLogger(__name__)
Found = TypeVar("Found")

FORMAT_VERSION = 1
"""Raise it whenever the file's tables or values would be read otherwise."""
FILE_NAME = f"results-{FORMAT_VERSION}.sqlite"
MAX_RAW_BYTES = 64 * 2**20
"""Largest result before compression; larger ones are not kept."""
PATIENCE, PAUSE_SECONDS = 3, 60.0
"""After so many failures in a row the disk is left alone so long; then one is enough."""

_FAILED = "the results cache %s failed, other failures are only counted: %s: %s"
_SIZES = struct.Struct(">3I")
_CHECKSUM_BYTES = 32
_BLOCK_TYPES: Sequence[set[type]] = [{str}, {tuple}, {tuple}, {tuple}, {str}, {int}, {bool}, {bool}]


class ResultCache:
    """Results on disk, in one file of which at most ``max_bytes`` are in use: those last used.

    Raises ``OSError`` if the folder cannot be made; what fails later is counted. Safe to call from
    any thread, and several processes may use one folder, on a local disk.
    """

    def __init__(self, folder: str | Path, labeler_identity: str, max_bytes: int) -> None:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        self.errors = 0
        """How often the disk failed, or gave something else than what was written."""
        self._file = ResultFile(path / FILE_NAME, max_bytes)
        self._reading, self._writing = _Door(), _Door()
        self._closed = False
        self._lock = Lock()
        self._same = {
            "format": FORMAT_VERSION,
            "package": __version__,
            "blocks": BLOCKIFIER_VERSION,
            "features": [FEATURIZER_VERSION, PAPER_FEATURIZER_VERSION],
            "parsers": [platform.python_version(), etree.LXML_VERSION, etree.LIBXML_VERSION],
            "labeler": labeler_identity,
        }

    def get(self, job: PageJob) -> LabeledPage | None:
        """Return the result of the same job, or None; never raises an ``Exception``."""
        with self._lock:
            result = self._tried(self._reading, lambda: self._found(job))
            if self._file.unwritten >= MAX_TOUCHED:
                self._tried(self._writing, self._file.write)
        return result

    def put(self, job: PageJob, result: LabeledPage) -> None:
        """Keep the result of the job; never raises an ``Exception``."""
        with self._lock:
            self._tried(self._writing, lambda: self._keep(job, result))

    def close(self) -> None:
        """Let go of the file; from now on nothing is found and nothing kept."""
        with self._lock:
            if self._file.unwritten:
                self._tried(self._writing, self._file.write)
            self._closed = True
            self._file.close()

    def _found(self, job: PageJob) -> LabeledPage | None:
        key = self._key(job)
        value = self._file.read(_number(key))
        return None if value is None else _checked(_unpacked(key, value), job)

    def _keep(self, job: PageJob, result: LabeledPage) -> None:
        key = self._key(job)
        value = _packed(key, result)
        if value is not None:
            self._file.write(_number(key), value)

    def _key(self, job: PageJob) -> bytes:
        head = job_head(job)
        del head["rows"]  # whether they are wanted; they are made of the result
        whole = json.dumps({**self._same, "job": head, "body": job.body_sha256}, sort_keys=True)
        return hashlib.sha256(whole.encode()).digest()

    def _tried(self, door: _Door, do: Callable[[], Found]) -> Found | None:
        """What ``do`` returns; None if it fails, or has failed too often of late."""
        if self._closed or monotonic() < door.shut_until:
            return None
        try:
            found = do()
        except Exception as error:  # a cache must not cost a page
            if not self.errors:
                logger.warning(_FAILED, self._file.path, type(error).__name__, error)
            self.errors += 1
            if isinstance(error, (OSError, sqlite3.Error)):
                door.failed()
            return None
        door.failures = 0
        return found


class _Door:
    """The way to the disk, in one direction: a full disk can be read."""

    failures = 0
    shut_until = 0.0

    def failed(self) -> None:
        self.failures += 1
        if self.failures >= PATIENCE:
            self.shut_until = monotonic() + PAUSE_SECONDS


def _number(key: bytes) -> int:
    """Where the key's result is in the file; the checksum tells keys of one number apart."""
    return int.from_bytes(key[:8], "big", signed=True)


def _packed(key: bytes, result: LabeledPage) -> bytes | None:
    """The result as bytes: checksum over key and rest, three sizes, compressed; None if large."""
    small, *large = sent_parts(result)
    parts = [json.dumps(small).encode(), *large]
    sizes = [len(part) for part in parts]
    if sum(sizes) > MAX_RAW_BYTES:
        return None
    rest = _SIZES.pack(*sizes) + zlib.compress(b"".join(parts), 1)
    return hashlib.sha256(key + rest).digest() + rest


def _unpacked(key: bytes, value: bytes) -> SentPage:
    """The result that :func:`_packed` made the value of; raises if it was not under this key."""
    checksum, rest = value[:_CHECKSUM_BYTES], value[_CHECKSUM_BYTES:]
    if hashlib.sha256(key + rest).digest() != checksum:
        raise ValueError("a stored result is damaged")
    sizes = _SIZES.unpack_from(rest)
    rows, page, end = accumulate(sizes)
    if not 0 < end <= MAX_RAW_BYTES:
        raise ValueError(f"a stored result of {end} bytes")
    raw = zlib.decompressobj().decompress(rest[_SIZES.size :], end)
    return SentPage.of(json.loads(raw[:rows]), raw[rows:page], raw[page:])


def _checked(result: SentPage, job: PageJob) -> SentPage:
    """The result, all of it read; raises if no labeler gave it, whatever its checksum says."""
    if len(result.rows) > job.limits.max_blocks:  # before there are blocks: their paths can be long
        raise ValueError("a stored result of too many blocks")
    page, head = result.page, result.page.head
    columns: list[tuple[Any, ...]] = [*zip(*page.blocks, strict=True)] or [()] * len(_BLOCK_TYPES)
    names = {each for column in columns[1:3] for each in column}
    texts = (result.text, result.model, page.title, page.digest, head.description, page.not_html)
    depths = zip(*([*map(len, column)] for column in columns[1:4]), strict=True)
    if not (
        all({*map(type, each)} <= types for each, types in zip(columns, _BLOCK_TYPES, strict=True))
        and {*map(type, chain(texts, [head.article_body], head.words, *names))} == {str}
        and {*map(type, chain.from_iterable(columns[3]))} <= {int}
        and {len({*each}) for each in depths} <= {1}
        and {*map(type, result.probabilities)} <= {float}
        and 0 <= result.confidence <= 1
        and 0 <= result.threshold <= 1
        and page.url == job.url
        and page.units in get_args(Units)
        and result.source in get_args(Source)
        and {*map(type, (page.over_max_bytes, page.over_max_blocks, page.flat))} == {bool}
    ):
        raise ValueError("a stored result that no labeler gave")
    return result
