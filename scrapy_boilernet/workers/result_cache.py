"""The results cache: labeled pages in an SQLite file, which crawls and processes share.

The key of a result is made from everything that the result depends on: the page's bytes and URL,
the options, the labeler, and the versions of the code that reads pages. If the file or the disk
fails, the page is labeled again and the crawl continues.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import platform
import sqlite3
import struct
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
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
from scrapy_boilernet.metadata import Metadata, well_formed
from scrapy_boilernet.options import Format, Source
from scrapy_boilernet.page import Units
from scrapy_boilernet.version import __version__
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.wire import SentPage, job_head, sent_parts

BUSY_SECONDS = 0.1
"""How long to wait for the lock of another process, which holds it while it writes a result."""
MAX_TOUCHED = 256
"""How many values are read before their use is written to the file."""
_MAX_VALUE_BYTES = 64 * 2**20
_DROPPED_AT_ONCE, _MAX_DROPPINGS = 16, 64

_TABLES = (
    "CREATE TABLE results (number INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE uses (number INTEGER PRIMARY KEY, used INTEGER NOT NULL)",
    "CREATE INDEX uses_in_order ON uses (used)",
)
"""Two tables, since SQLite writes the whole row again when one number of it changes."""
_READ = "SELECT value FROM results WHERE number = ?"
_USE = (
    "REPLACE INTO uses SELECT ?, ifnull(max(used), 0) + 1 FROM uses "
    "WHERE used < 4611686018427387904"
)
"""Ignores numbers from 2**62 on, which only a damaged row has, so that the sum never overflows."""
_OLDEST = "SELECT number FROM uses ORDER BY used LIMIT ?"
_SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")
"""SQLite recommends these settings for a file that somebody else may have written."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_LASTING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""Failures after which reopening the file does not help: on a full disk, it could fail too."""
_FILE_ENDINGS = ("", "-wal", "-shm", "-journal")
"""The endings of the names of the database file and the files beside it."""


class ForeignFileError(sqlite3.DatabaseError):
    """The file is a database of another program."""

    sqlite_errorcode = sqlite3.SQLITE_NOTADB


class ResultFile:
    """The SQLite file, which is opened at the first use, and again after a failure.

    Methods raise ``sqlite3.Error`` or ``OSError``. A file that is damaged or belongs to another
    program is then renamed to ``*.broken``, and the next use creates a new one. Only one thread may
    use it at a time.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self.max_bytes = max_bytes
        """If more bytes of the file are in use, the least recently used values are dropped."""
        self._db: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._touched: dict[int, None] = {}

    @property
    def unwritten(self) -> int:
        """How many values were read whose use is not in the file yet; at most 256."""
        return len(self._touched)

    def read(self, number: int) -> Any:
        """Return the value of the number; None if there is none.

        The value is ``bytes``, unless somebody altered the file.
        """
        row = self._with_db(lambda db: db.execute(_READ, (number,)).fetchone())
        if row is None:
            return None
        if self.unwritten < MAX_TOUCHED:
            self._touched[number] = None
        return row[0]

    def write(self, number: int | None = None, value: bytes = b"") -> None:
        """Write the value, if it fits into the file, and the uses of the values that were read."""
        self._with_db(lambda db: self._write(db, number, value))
        self._touched.clear()

    def close(self) -> None:
        """Close the file, without writing; never raises an ``Exception``."""
        db, self._db = self._db, None
        if db:
            with suppress(sqlite3.Error):
                db.close()

    def _write(self, db: sqlite3.Connection, number: int | None, value: bytes) -> None:
        db.execute("BEGIN IMMEDIATE")
        db.executemany(_USE, ((touched,) for touched in self._touched))
        if number is not None and len(value) <= min(self.max_bytes, _MAX_VALUE_BYTES):
            db.execute("REPLACE INTO results VALUES (?, ?)", (number, value))
            db.execute(_USE, (number,))
            self._make_room(db)
        db.execute("COMMIT")

    def _make_room(self, db: sqlite3.Connection) -> None:
        """Drop the least recently used values, in several writes if there are many."""
        for _ in range(_MAX_DROPPINGS):
            pages, free, size = (
                db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
            if (pages - free) * size <= self.max_bytes:
                return
            oldest = db.execute(_OLDEST, (_DROPPED_AT_ONCE,)).fetchall()
            if not oldest:  # values without a use: the file was altered
                db.execute("DELETE FROM results")
                return
            for table in ("results", "uses"):
                db.executemany(f"DELETE FROM {table} WHERE number = ?", oldest)  # noqa: S608

    def _with_db(self, do: Callable[[sqlite3.Connection], Any]) -> Any:
        try:
            return do(self._db or self._open())
        except BaseException as error:
            code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
            if code not in _LASTING or not self._roll_back():
                self.close()
            if code in _DAMAGED:
                self._rename_to_broken()
            raise

    def _roll_back(self) -> bool:
        """Roll back an open transaction; return whether the file can still be used."""
        try:
            if self._db and self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            return False
        return True

    def _open(self) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if any(os.path.lexists(path) and not path.is_file() for path in self._paths()):
            self._identity = _identity(self.path)
            self._rename_to_broken()
            raise FileExistsError(f"{self.path} or a file beside it was not a file")
        db = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._identity = _identity(self.path)
        try:
            _set_up(db)
        except BaseException:
            db.close()
            raise
        self._db = db
        return db

    def _rename_to_broken(self) -> None:
        if _identity(self.path) != self._identity:
            return  # another process has renamed the file and created a new one
        for path, broken in zip(self._paths(), self._paths(".broken"), strict=True):
            with suppress(FileNotFoundError):
                path.replace(broken)

    def _paths(self, suffix: str = "") -> list[Path]:
        return [Path(f"{self.path}{suffix}{end}") for end in _FILE_ENDINGS]


def _identity(path: Path) -> tuple[int, int] | None:
    """Return (device, inode) of the file; None if it does not exist."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def _set_up(db: sqlite3.Connection) -> None:
    """Set up the connection and create missing tables; raises if there are other tables."""
    db.text_factory = bytes  # the file contains no text, unless somebody altered it
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    for setting in _SETTINGS:
        db.execute(f"PRAGMA {setting}")
    if not _has_tables(db):
        db.execute("BEGIN IMMEDIATE")
        if not _has_tables(db):  # another process may have created them meanwhile
            for table in _TABLES:
                db.execute(table)
        db.execute("COMMIT")
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    # Without the write-ahead log, each write would wait for the disk. OFF avoids that, but a power
    # cut may damage the file.
    db.execute(f"PRAGMA synchronous = {'NORMAL' if mode == b'wal' else 'OFF'}")


def _has_tables(db: sqlite3.Connection) -> bool:
    tables = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master")}
    if tables and tables != {table.encode() for table in _TABLES}:
        raise ForeignFileError("the file belongs to another program")
    return bool(tables)


logger = logging.getLogger(__name__)
T = TypeVar("T")

FORMAT_VERSION = 3
"""Increase it with every change of the file's tables or values."""
FILE_NAME = f"results-{FORMAT_VERSION}.sqlite"
MAX_RAW_BYTES = 64 * 2**20
"""The size of the largest result that is stored, before compression."""
MAX_FAILURES, PAUSE_SECONDS = 3, 60.0
"""After so many failures in a row, and after each further one, the disk is not used for so many
seconds."""

_FAILED = "the results cache %s failed, other failures are only counted: %s: %s"
_SIZES = struct.Struct(">3I")
_CHECKSUM_BYTES = 32
_BLOCK_TYPES: Sequence[set[type]] = [
    {str}, {tuple}, {tuple}, {tuple}, {str}, {int}, {str}, {bool}, {str},
]  # fmt: skip
_FORMAT_TYPES: dict[Format, type] = {"markdown": str, "html": str, "metadata": Metadata}


class ResultCache:
    """The most recently used results, in one file on disk with at most ``max_bytes`` in use.

    Raises ``OSError`` if the folder cannot be created. Later failures are only counted. Safe to
    call from any thread. Several processes may use one folder, if it is on a local disk.
    """

    def __init__(self, folder: str | Path, labeler_identity: str, max_bytes: int) -> None:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        self.errors = 0
        """How often the disk failed, or returned other data than was written."""
        self._file = ResultFile(path / FILE_NAME, max_bytes)
        self._reading, self._writing = _DiskAccess(), _DiskAccess()
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
        """Return the result of an equal job, or None; never raises an ``Exception``."""
        with self._lock:
            result = self._tried(self._reading, lambda: self._read(job))
            if self._file.unwritten >= MAX_TOUCHED:
                self._tried(self._writing, self._file.write)
        return result

    def put(self, job: PageJob, result: LabeledPage) -> None:
        """Store the result of the job; never raises an ``Exception``."""
        with self._lock:
            self._tried(self._writing, lambda: self._keep(job, result))

    def close(self) -> None:
        """Close the file; later calls return None and store nothing."""
        with self._lock:
            if self._file.unwritten:
                self._tried(self._writing, self._file.write)
            self._closed = True
            self._file.close()

    def _read(self, job: PageJob) -> LabeledPage | None:
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
        del head["rows"]  # says whether rows are wanted; the result is the same
        whole = json.dumps({**self._same, "job": head, "body": job.body_sha256}, sort_keys=True)
        return hashlib.sha256(whole.encode()).digest()

    def _tried(self, access: _DiskAccess, do: Callable[[], T]) -> T | None:
        """Return the value of ``do()``; None if it fails, or if the disk is not used at present."""
        if self._closed or monotonic() < access.paused_until:
            return None
        try:
            result = do()
        except Exception as error:  # a fault of the cache must not lose a page
            if not self.errors:
                logger.warning(_FAILED, self._file.path, type(error).__name__, error)
            self.errors += 1
            if isinstance(error, (OSError, sqlite3.Error)):
                access.count_failure()
            return None
        access.failures = 0
        return result


class _DiskAccess:
    """Counts failures of reading or of writing. A full disk, for example, can still be read."""

    failures = 0
    paused_until = 0.0

    def count_failure(self) -> None:
        self.failures += 1
        if self.failures >= MAX_FAILURES:
            self.paused_until = monotonic() + PAUSE_SECONDS


def _number(key: bytes) -> int:
    """Return the row number of the key's result; the checksum distinguishes keys of one number."""
    return int.from_bytes(key[:8], "big", signed=True)


def _packed(key: bytes, result: LabeledPage) -> bytes | None:
    """Return a checksum, three sizes and the compressed parts as bytes; None if too large."""
    small, *large = sent_parts(result)
    parts = [json.dumps(small).encode(), *large]
    sizes = [len(part) for part in parts]
    if sum(sizes) > MAX_RAW_BYTES:
        return None
    packed = _SIZES.pack(*sizes) + zlib.compress(b"".join(parts), 1)
    return hashlib.sha256(key + packed).digest() + packed


def _unpacked(key: bytes, value: bytes) -> SentPage:
    """Return the result from a value of :func:`_packed`; raises ``ValueError`` for another key."""
    checksum, packed = value[:_CHECKSUM_BYTES], value[_CHECKSUM_BYTES:]
    if hashlib.sha256(key + packed).digest() != checksum:
        raise ValueError("a stored result is damaged")
    sizes = _SIZES.unpack_from(packed)
    rows, page, end = accumulate(sizes)
    if not 0 < end <= MAX_RAW_BYTES:
        raise ValueError(f"a stored result of {end} bytes")
    raw = zlib.decompressobj().decompress(packed[_SIZES.size :], end)
    return SentPage.of(json.loads(raw[:rows]), raw[rows:page], raw[page:])


def _checked(result: SentPage, job: PageJob) -> SentPage:
    """Parse the whole result and return it; raises ``ValueError`` if no labeler could give it."""
    # The first check is cheap. The others create the blocks, whose paths can be long.
    lengths = {len(column) for column in (*result.label_columns.values(), result.xpaths)}
    if len(lengths) != 1 or max(lengths) > job.limits.max_blocks:
        raise ValueError("a stored result of too many blocks, or of unequal columns")
    page, head = result.page, result.page.head
    columns: list[tuple[Any, ...]] = [*zip(*page.blocks, strict=True)] or [()] * len(_BLOCK_TYPES)
    names = {path for column in columns[1:3] for path in column}
    texts = (result.text, result.model, page.title, page.digest, head.description, page.not_html)
    depths = zip(*([*map(len, column)] for column in columns[1:4]), strict=True)
    if not (
        all({*map(type, col)} <= types for col, types in zip(columns, _BLOCK_TYPES, strict=True))
        and {*map(type, chain(texts, [head.article_body], head.words, *names))} == {str}
        and {*map(type, chain.from_iterable(columns[3]))} <= {int}
        and {len({*lengths}) for lengths in depths} <= {1}
        and {*map(type, chain.from_iterable(page.invisible))} <= {str}
        and {*map(type, result.probabilities)} <= {float}
        and 0 <= result.confidence <= 1
        and 0 <= result.threshold <= 1
        and all(
            type(getattr(result, name)) is (kind if name in job.formats else type(None))
            for name, kind in _FORMAT_TYPES.items()
        )
        and page.url == (job.url and well_formed(job.url))
        and page.units in get_args(Units)
        and result.source in get_args(Source)
        and {*map(type, (page.over_max_bytes, page.over_max_blocks, page.flat))} == {bool}
        and type(result.shortened) is bool
    ):
        raise ValueError("a stored result that no labeler gave")
    return result
