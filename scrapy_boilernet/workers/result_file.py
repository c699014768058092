"""Values under numbers in an SQLite file that several processes share, bounded by what they use."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

BUSY_SECONDS = 0.1
"""How long another process's lock is waited for; writing a result holds it for a moment."""
MAX_TOUCHED = 256
"""Values read after which the file should be told that they were used."""
_MAX_VALUE_BYTES = 64 * 2**20
_DROPPED_AT_ONCE, _MAX_DROPPINGS = 16, 64

_TABLES = (
    "CREATE TABLE results (number INTEGER PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE uses (number INTEGER PRIMARY KEY, used INTEGER NOT NULL)",
    "CREATE INDEX uses_in_order ON uses (used)",
)
"""Two tables, since SQLite writes the whole row anew when one number of it changes."""
_READ = "SELECT value FROM results WHERE number = ?"
_USE = (
    "REPLACE INTO uses SELECT ?, ifnull(max(used), 0) + 1 FROM uses "
    "WHERE used < 4611686018427387904"
)
"""Not after the last of all numbers, which only a damaged row can have: counting must go on."""
_OLDEST = "SELECT number FROM uses ORDER BY used LIMIT ?"
_SETTINGS = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0")
"""As SQLite advises for a file that somebody else may have written."""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_LASTING = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
"""Failures after which to open the file anew is of no use: on a full disk it could fail, too."""
_FILES = ("", "-wal", "-shm", "-journal")
"""What the names of the file and its companions end with."""


class ForeignFileError(sqlite3.DatabaseError):
    """The file is a database, but not of results."""

    sqlite_errorcode = sqlite3.SQLITE_NOTADB


class ResultFile:
    """The file, opened when it is first used, and anew after a failure.

    Methods raise ``sqlite3.Error`` or ``OSError``. A file that turns out to be damaged or another
    program's is then renamed to ``*.broken``, and the next use makes a new one. Not to be used by
    two threads at once.
    """

    def __init__(self, path: Path, max_bytes: int) -> None:
        self.path = path
        self.max_bytes = max_bytes
        """Bytes of the file that may be in use before the least recently used values go."""
        self._db: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        self._touched: dict[int, None] = {}

    @property
    def unwritten(self) -> int:
        """Values that were read and that the file does not know of as used; at most 256."""
        return len(self._touched)

    def read(self, number: int) -> Any:
        """Return the value of that number, ``bytes`` if nobody altered it; None: not there."""
        row = self._with_db(lambda db: db.execute(_READ, (number,)).fetchone())
        if row is None:
            return None
        if self.unwritten < MAX_TOUCHED:
            self._touched[number] = None
        return row[0]

    def write(self, number: int | None = None, value: bytes = b"") -> None:
        """Write the value, if there can be room for it, and which ones were read."""
        self._with_db(lambda db: self._write(db, number, value))
        self._touched.clear()

    def close(self) -> None:
        """Let go of the file, as it is; never raises an ``Exception``."""
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
        """Drop the least recently used values; not all at once if the bound was lowered by far."""
        for _ in range(_MAX_DROPPINGS):
            pages, free, size = (
                db.execute(f"PRAGMA {name}").fetchone()[0]
                for name in ("page_count", "freelist_count", "page_size")
            )
            if (pages - free) * size <= self.max_bytes:
                return
            oldest = db.execute(_OLDEST, (_DROPPED_AT_ONCE,)).fetchall()
            if not oldest:  # values that nobody ever uses: somebody altered the file
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
                self._put_aside()
            raise

    def _roll_back(self) -> bool:
        """Whether what was begun could be ended, so that the file can be read on."""
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
            self._put_aside()
            raise FileExistsError(f"{self.path} or a file beside it was no file")
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

    def _put_aside(self) -> None:
        if _identity(self.path) != self._identity:
            return  # another process did, and has made a new one
        for path, broken in zip(self._paths(), self._paths(".broken"), strict=True):
            with suppress(FileNotFoundError):
                path.replace(broken)

    def _paths(self, suffix: str = "") -> list[Path]:
        return [Path(f"{self.path}{suffix}{end}") for end in _FILES]


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another of its name; None if there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _set_up(db: sqlite3.Connection) -> None:
    """Make the tables if there are none, and settings; raises if there are others."""
    db.text_factory = bytes  # text stands nowhere in the file, unless it was altered
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
    for setting in _SETTINGS:
        db.execute(f"PRAGMA {setting}")
    if not _has_tables(db):
        db.execute("BEGIN IMMEDIATE")
        if not _has_tables(db):  # another process may have made them meanwhile
            for table in _TABLES:
                db.execute(table)
        db.execute("COMMIT")
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    # Without a log each write would wait for the disk; a power cut may cost the file.
    db.execute(f"PRAGMA synchronous = {'NORMAL' if mode == b'wal' else 'OFF'}")


def _has_tables(db: sqlite3.Connection) -> bool:
    found = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master")}
    if found and found != {table.encode() for table in _TABLES}:
        raise ForeignFileError("the file is another program's")
    return bool(found)
