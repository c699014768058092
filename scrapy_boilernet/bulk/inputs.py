"""Finds the inputs of a run, and reads each in its format."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from glob import has_magic, iglob
from heapq import nsmallest
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, Literal

from scrapy_boilernet.bulk.arc import ARC
from scrapy_boilernet.bulk.compression import DamagedError
from scrapy_boilernet.bulk.formats import (
    START_BYTES,
    FileKind,
    Format,
    format_of_bytes,
    format_of_start,
)
from scrapy_boilernet.bulk.http_cache import cached_response
from scrapy_boilernet.bulk.index import index_pages, resolved
from scrapy_boilernet.bulk.pages import Entry, LeftOut, Pointed, Reading
from scrapy_boilernet.bulk.readers import (
    READ_ERRORS,
    UNREAD_FORMAT,
    deferred_pages,
    html_page,
    page_body,
    reason_of,
    warc_pages,
)
from scrapy_boilernet.bulk.row_files import csv_pages, json_pages, lines_pages
from scrapy_boilernet.bulk.storage import addresses_of, escaped, is_address, opened, shown_name
from scrapy_boilernet.bulk.tables import (
    DATABASE,
    database_of,
    database_pages,
    parquet_pages,
    sqlite_pages,
)
from scrapy_boilernet.bulk.tar_archives import tar_pages
from scrapy_boilernet.bulk.warc import START, Damage, Position
from scrapy_boilernet.bulk.zip_archives import zip_pages

STANDARD_INPUT = "-"
LIST = "list:"
"""Begins the name of a list of inputs."""
MAX_NAMES = 50_000
"""Of a folder, so many names are in memory."""
_PEEK_BYTES = 1 << 20
"""Of a pipe, so much is read to see what it is. A block of bzip2 may take .9 MB."""


@dataclass(frozen=True)
class Input:
    """A file, or a folder in which Scrapy's HTTP cache or a deferred crawl has stored pages."""

    path: str
    """``-``: standard input. It may be an address, or of a database its name."""
    kind: Literal["file", "database", "cached response", "deferred store", "unreadable"]
    named: bool
    """Whether the user named it, or it was found in a folder."""
    size_bytes: int
    """0 if the size is not known."""
    reason: str = ""
    """Why it cannot be read, if its kind is ``"unreadable"``."""
    stamp: str = ""
    """Of an address, what changes when the file is replaced; see ``Facts`` of ``storage``."""


Reader = Callable[[BufferedReader, str, Position, Reading], Iterator[Entry | Pointed]]
READERS: dict[FileKind, Reader] = {
    "warc": warc_pages,
    "arc": partial(warc_pages, grammar=ARC),
    "zip": zip_pages,
    "tar": tar_pages,
    "lines": lines_pages,
    "json": json_pages,
    "csv": csv_pages,
    "parquet": parquet_pages,
    "sqlite": sqlite_pages,
    "index": index_pages,
    "page": html_page,
}
"""Per kind of file what yields its items from a position on, with the name to show for the file."""


def inputs_of(names: Iterable[str], within: tuple[str, ...] = ()) -> Iterator[Input]:
    """Yield the named files, and those in the named folders at any depth, in a fixed order.

    A name may be a path, an address, a pattern such as ``crawls/*.warc.gz``, a database
    (``sqlite:///a.db?table=pages``), and a list of names in a file (``list:names.txt``).

    Raises ``FileNotFoundError`` for a name that is neither a file nor a folder,
    :class:`~scrapy_boilernet.bulk.storage.StorageError` for such an address, ``ImportError`` if a
    package is missing for it, ``ValueError`` for a wrong name of a database, and for a list that
    lists itself. ``within``: the lists in which the names stand.
    """
    for name in names:
        if name == STANDARD_INPUT:
            yield Input(name, "file", named=True, size_bytes=0)
        elif name.startswith(LIST):
            path = name.removeprefix(LIST)
            yield from inputs_of(_listed(path, within), (*within, path))
        elif name.startswith(DATABASE):
            path, *_ = database_of(name)
            yield Input(name, "database", named=True, size_bytes=_size(path))
        elif is_address(name):
            for one, facts in addresses_of(name):
                yield Input(one, "file", one == name, facts.size_bytes, stamp=facts.stamp)
        elif os.path.isdir(name):  # noqa: PTH112 - a folder may have a million entries
            yield from _folder(name)
        elif os.path.exists(name) or not has_magic(name):  # noqa: PTH110
            yield Input(name, "file", named=True, size_bytes=_size(name))
        else:
            found = sorted(iglob(name, recursive=True))  # noqa: PTH207
            if not found:
                raise FileNotFoundError(f"no file matches {name!r}")
            yield from inputs_of(found, within)


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except FileNotFoundError:
        raise FileNotFoundError(f"no file or folder {path!r}; use - for standard input") from None


def _listed(path: str, within: tuple[str, ...]) -> Iterator[str]:
    """Yield the names in a file, one per line, without blank lines and those that begin with #.

    ``within``: the lists that list it. Raises ``ValueError`` if it is one of them, or is no file.
    """
    if path in within:
        raise ValueError(f"the list {path} lists itself: take the line {LIST}{path} out")
    if Path(path).exists() and not Path(path).is_file():
        raise ValueError(f"the list {path} must be a file, as it is read twice; a pipe cannot be")
    with Path(path).open(encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
        for line in lines:
            name = line.removesuffix("\n").removesuffix("\r")
            if name.strip() and not name.startswith("#"):
                yield name


def _folder(folder: str) -> Iterator[Input]:
    """Yield what is in the folder at any depth, also behind symbolic links, each folder once."""
    seen: set[tuple[int, int]] = set()
    todo = [iter((folder,))]
    while todo:
        path = next(todo[-1], None)
        if path is None:
            todo.pop()
            continue
        try:
            facts = os.stat(path)  # noqa: PTH116 - a folder may have a million entries
            if stat.S_ISREG(facts.st_mode):
                yield Input(path, "file", named=False, size_bytes=facts.st_size)
                continue
            if not stat.S_ISDIR(facts.st_mode):
                raise OSError("neither a file nor a folder")  # noqa: TRY301
            names = _next_names(path, "")
        except OSError as error:  # such as a symbolic link that leads nowhere
            reason = f"{path}: {error.strerror or error}"
            yield Input(path, "unreadable", named=False, size_bytes=0, reason=reason)
            continue
        if (facts.st_dev, facts.st_ino) in seen:
            continue
        seen.add((facts.st_dev, facts.st_ino))
        if stored := _stored_in(path, {*names}):
            yield stored
        else:
            todo.append(_paths_in(path, names))


def _next_names(folder: str, after: str) -> list[str]:
    """Return the first names in the folder, in order, that come after one; "": after none."""
    with os.scandir(folder) as entries:
        return nsmallest(MAX_NAMES, (one.name for one in entries if one.name > after))


def _paths_in(folder: str, names: list[str]) -> Iterator[str]:
    """Yield the paths of all entries of the folder, of which ``names`` are the first.

    A large folder is listed again for each :data:`MAX_NAMES` names, so that only these are in
    memory.
    """
    while names:
        for name in names:
            yield os.path.join(folder, name)  # noqa: PTH118
        try:
            names = _next_names(folder, names[-1]) if len(names) == MAX_NAMES else []
        except OSError:  # it was removed meanwhile
            return


def _stored_in(folder: str, names: set[str]) -> Input | None:
    """Return the folder as one input if it is one by the names in it, else None."""
    if {"response_body", "meta"} <= names:
        try:
            size = (Path(folder) / "response_body").stat().st_size
        except OSError:
            size = 0
        return Input(folder, "cached response", named=False, size_bytes=size)
    if "bodies" in names and any(name.startswith("index-") for name in names):
        return Input(folder, "deferred store", named=False, size_bytes=0)
    return None


class OpenInput:
    """The items of an input from a position on.

    Reading raises only ``ImportError``, and
    :class:`~scrapy_boilernet.bulk.storage.StorageError` for an address that cannot be read.
    """

    def __init__(
        self,
        source: Input,
        reading: Reading,
        start: Position = START,
        opened: Callable[[str], AbstractContextManager[BufferedReader]] | None = None,
    ) -> None:
        """``opened``: opens a file by its path; None: opens files of this machine."""
        self._source = source
        self._reading = reading
        self._start = start
        self._opened = opened or _opened
        self._file: BinaryIO | None = None

    @property
    def read_bytes(self) -> int:
        """How many bytes of the file have been read."""
        try:
            return self._file.tell() if self._file else 0
        except (OSError, ValueError):  # a pipe, a closed file
            return 0

    def items(self) -> Iterator[Entry]:
        """Yield the items; if the rest cannot be read, one :class:`Damage` at the end."""
        following, items = self._start, 0
        try:
            for item in self._items():
                following, items = item.position.after(), items + 1
                yield item
        except READ_ERRORS as error:
            if items or not self._start.skip or self._file is None:
                yield Damage(reason_of(error), following)
            # else this error was the last item of a run that was stopped

    def _items(self) -> Iterator[Entry]:
        path, start = self._source.path, self._start
        if self._source.kind == "cached response":
            yield from cached_response(Path(path), start, self._reading.max_bytes)
        elif self._source.kind == "deferred store":
            yield from deferred_pages(Path(path), start)
        elif self._source.kind == "unreadable":
            if start.skip == 0:
                yield Damage(self._source.reason, START, "Unreadable")
        elif self._source.kind == "database":
            yield from resolved(database_pages(path, start, self._reading), path, self._reading)
        else:
            with self._opened(path) as file:
                self._file = file
                yield from self._of_file(file)

    def _of_file(self, file: BufferedReader) -> Iterator[Entry]:
        name, start = self._source.path, self._start
        found = _format(file, name, named=self._source.named)
        if reader := READERS.get(found.kind):
            yield from resolved(
                reader(file, shown_name(name), start, self._reading), name, self._reading
            )
        elif start.skip == 0 and found.refusal:
            yield Damage(f"{shown_name(name)} is {found.refusal}", START, UNREAD_FORMAT)
        elif start.skip == 0:
            yield LeftOut("not a page", START, shown_name(name))


def kind_of(source: Input) -> FileKind | Literal["database", "cached response", "deferred store"]:
    """Return the kind of the input, by its first bytes; ``"unknown"`` if it cannot be read.

    Raises ``ImportError`` with the remedy if a package is missing for a file that the user named.
    """
    if source.kind in ("database", "cached response", "deferred store"):
        return source.kind
    try:
        return _format_of(source).kind
    except OSError:
        return "unknown"
    except ImportError:
        if source.named:
            raise
        return "unknown"


def refusal(names: Sequence[str]) -> str:
    """Return why none of the named files can be read, and the remedy; "" if one may be."""
    reasons: list[str] = []
    for name in names:
        if name.startswith((LIST, DATABASE)) or is_address(name):
            return ""
        try:
            found = _format_of(Input(name, "file", named=True, size_bytes=0))
        except OSError:
            return ""
        if not found.refusal:
            return ""
        shown = "standard input" if name == STANDARD_INPUT else escaped(name)
        reasons.append(f"{shown} is {found.refusal}")
    more = f" (and {len(reasons) - 1} more files that are not read)" if len(reasons) > 1 else ""
    return f"{reasons[0]}{more}" if reasons else ""


def read_page(file: BufferedReader, name: str, max_bytes: int) -> bytes:
    """Return the bytes of a file that is one page; raises ``ValueError`` for other files.

    Gzip data stays packed. Of a page with more bytes, ``max_bytes`` and one more are returned.
    """
    found = _format(file, name, named=True)
    if found.kind != "page":
        raise ValueError(
            found.refusal
            or f"{found.name}, which is not one page: read it with scrapy boilernet bulk"
        )
    return page_body(file, max_bytes)


def _format_of(source: Input) -> Format:
    """Return the format of an input that is a file; a pipe that has a name is not read."""
    if source.path == STANDARD_INPUT:
        return _format(standard_input(), source.path, named=True)
    if not os.path.isfile(source.path):  # noqa: PTH113
        return Format("unknown")
    with Path(source.path).open("rb") as file:
        return _format(file, source.path, named=source.named)


def _format(file: BufferedReader, name: str, *, named: bool) -> Format:
    """Return the format of a file at its beginning, where it stays."""
    first = file.peek(START_BYTES)
    if not file.seekable():
        try:
            return format_of_start(BytesIO(first), first, name, named=named)
        except DamagedError:  # or cut off here
            return format_of_bytes(b"", name, named=named)
    found = format_of_start(file, first, name, named=named)
    file.seek(0)
    return found


class _Whole(RawIOBase):
    """A pipe whose reads are never shorter than asked, but at its end."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self._ended = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = b"" if self._ended else self._pipe.read(len(buffer))
        self._ended = len(data) < len(buffer)  # a terminal would wait for more
        buffer[: len(data)] = data
        return len(data)


@lru_cache(maxsize=1)
def _whole(pipe: BinaryIO) -> BufferedReader:
    return BufferedReader(_Whole(pipe), _PEEK_BYTES)


def standard_input() -> BufferedReader:
    """Return standard input, always the same, so that its beginning can be looked at before."""
    return _whole(sys.stdin.buffer)


@contextmanager
def _opened(path: str) -> Iterator[BufferedReader]:
    if path == STANDARD_INPUT:
        yield standard_input()
        return
    if is_address(path):
        with opened(path) as file:
            yield file if file.seekable() else BufferedReader(_Whole(file), _PEEK_BYTES)
        return
    with Path(path).open("rb") as file:
        yield file if file.seekable() else BufferedReader(_Whole(file), _PEEK_BYTES)
