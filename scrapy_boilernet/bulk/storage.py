"""Files by address: ``s3://``, ``https://`` and all others that fsspec knows.

A failure of the storage is a :class:`StorageError`, so that it is not taken for damaged data.
Credentials are those that fsspec finds. Messages and records have addresses without credentials.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from importlib import import_module
from io import SEEK_CUR, SEEK_END, BufferedReader, RawIOBase
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")
_ADDRESS = re.compile(r"(?!sqlite:)[A-Za-z][A-Za-z0-9+.-]+:{1,2}//")
_SECRETS = re.compile(
    r"(?<=://)[^/@\s'\"]+(?=@)|"
    r"(?<=[?&;])((?:[\w.-]*(?:token|sig|key|secret|credential|password|auth|policy)[\w.-]*)=)[^&\s'\"]+",
    re.IGNORECASE,
)
"""A user's name and password in an address, and the values of fields that may be secret."""
_UNSHOWN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Controls of terminals, line ends, and what changes the direction of text."""
_BLOCK_BYTES = 1 << 22
_BUFFER_BYTES = 1 << 20
_FINAL_STATUSES = (401, 403, 404, 410)
RETRIES = 5
FIRST_WAIT_SECONDS = 0.5
"""Doubled after each further failure."""


class StorageError(Exception):
    """A file could not be read or written, although it may be undamaged. Run its task again."""


class Facts(NamedTuple):
    """What is known about a file without reading it."""

    size_bytes: int
    """0 if it is not known."""
    stamp: str
    """Changes when the file is replaced, such as an ETag; "" if there is none."""


def is_address(name: str) -> bool:
    """Return whether the name is an address, and not a path of this machine."""
    return _ADDRESS.match(name) is not None


def shown(text: str) -> str:
    """Return a name or a message without the credentials of the addresses in it.

    >>> shown("https://me:pass@example.com/a.warc?page=1&X-Amz-Signature=12ab")
    'https://...@example.com/a.warc?page=1&X-Amz-Signature=...'
    """
    return _SECRETS.sub(lambda found: f"{found[1] or ''}...", text)


def shown_name(name: str) -> str:
    """Return the name of an input without the credentials of an address; a path as it is."""
    return shown(name) if is_address(name) else name


def escaped(text: str) -> str:
    r"""Return a name or a message as one line, with the escapes of Python for what does not show.

    >>> escaped("odd\nname")
    'odd\\nname'
    """
    return _UNSHOWN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def file_system(address: str) -> tuple[Any, str]:
    """Return (the file system of an address, the path in it).

    Raises ``ImportError`` that names the missing package, :class:`StorageError` if there is no such
    file system.
    """
    try:
        fsspec = import_module("fsspec")
    except ImportError as error:
        raise ImportError(
            f"{shown(address)} needs the package fsspec: pip install fsspec"
        ) from error
    try:
        fs, path = fsspec.core.url_to_fs(address)
    except ImportError as error:
        raise ImportError(f"{shown(address)} needs another package: {error}") from error
    except Exception as error:  # each file system has its own errors
        raise StorageError(_reason(address, error)) from error
    return fs, path


def retried(address: str, action: Callable[[], T]) -> T:
    """Return what the action returns; after a failure, try again a little later.

    Raises :class:`StorageError` after :data:`RETRIES` failures, or if there is no such file or no
    permission.
    """
    for number in range(RETRIES):
        try:
            return action()
        except Exception as error:
            if number == RETRIES - 1 or _is_final(error):
                raise StorageError(_reason(address, error)) from error
            time.sleep(FIRST_WAIT_SECONDS * 2**number)
    raise AssertionError


def _is_final(error: Exception) -> bool:
    """Return whether it makes no sense to try again.

    To fsspec, a page is not found whatever the server answers; the answer is the error's cause.
    """
    status = getattr(error.__cause__, "status", None)
    if isinstance(status, int) and status not in _FINAL_STATUSES:
        return False
    if "Credential" in type(error).__name__:
        return True
    return isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError)


def _reason(address: str, error: Exception) -> str:
    # To fsspec, a server that does not answer has no such file; the cause says so.
    known = error.__cause__ if isinstance(error, FileNotFoundError) and error.__cause__ else error
    return f"{shown(address)}: {type(known).__name__}: {shown(str(known))}"


def _facts(info: Mapping[str, Any]) -> Facts:
    names = ("ETag", "etag", "LastModified", "mtime", "updated", "last_modified", "created")
    stamp = next((str(info[name]) for name in names if info.get(name)), "")
    return Facts(int(info.get("size") or 0), stamp)


def addresses_of(address: str) -> Iterator[tuple[str, Facts]]:
    """Yield (address, facts) of the file, of those in the folder, or of those that match.

    Raises :class:`StorageError` if there is none.
    """
    fs, path = file_system(address)
    is_web = address.startswith("http")
    if "*" in path or ("[" in path and not is_web):
        found = retried(address, lambda: sorted(fs.glob(path)))
        if not found:
            raise StorageError(f"no file matches {shown(address)}")
        for one in found:
            yield from _files_at(fs, one, fs.unstrip_protocol(one))
    else:
        yield from _files_at(fs, path, address)


def _files_at(fs: Any, path: str, address: str) -> Iterator[tuple[str, Facts]]:
    """Yield what :func:`addresses_of` yields of a path in which nothing is a pattern."""
    info = retried(address, lambda: fs.info(path))
    if info.get("type") != "directory":
        yield address, _facts(info)
        return
    todo = [path]
    while todo:
        folder = todo.pop()
        listed = retried(address, lambda folder=folder: fs.ls(folder, detail=True))  # type: ignore[misc]
        for one in sorted(listed, key=lambda one: str(one["name"])):
            if one["type"] != "directory":
                yield fs.unstrip_protocol(one["name"]), _facts(one)
        folders = (one["name"] for one in listed if one["type"] == "directory")
        todo += sorted(
            (name for name in folders if name.rstrip("/") != folder.rstrip("/")), reverse=True
        )


def opened(address: str) -> BufferedReader:
    """Return the file, open to be read; failures are retried, from where the reading was."""
    return BufferedReader(_Remote(address), _BUFFER_BYTES)


def read_range(address: str, offset: int, length: int) -> bytes:
    """Return a part of a file; of an address, failures are retried."""
    if not is_address(address):
        with Path(address).open("rb") as file:
            file.seek(offset)
            return file.read(length)
    fs, path = file_system(address)
    return bytes(retried(address, lambda: fs.cat_file(path, start=offset, end=offset + length)))


def put(local: Path, address: str) -> None:
    """Store a file under an address, where it appears whole or not at all; or each of a folder."""
    if local.is_dir():
        for one in sorted(local.iterdir()):
            put(one, f"{address}/{one.name}")
        return
    fs, path = file_system(address)
    with suppress(Exception):  # of storage that has no folders
        fs.makedirs(fs._parent(path), exist_ok=True)
    retried(address, lambda: fs.put_file(str(local), path))


class _Remote(RawIOBase):
    """A file of any file system."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._fs, self._path = file_system(address)
        self._at = 0
        self._file = retried(address, self._open)
        self._seeks = bool(self._file.seekable())

    def _open(self) -> Any:
        return self._fs.open(self._path, "rb", block_size=_BLOCK_BYTES, cache_type="readahead")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seeks

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == SEEK_END:
            offset += int(self._file.size)
        elif whence == SEEK_CUR:
            offset += self._at
        self._at = offset
        return offset

    def readinto(self, buffer: Any, /) -> int:
        data = retried(self._address, lambda: self._read(len(buffer)))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def _read(self, size: int) -> bytes:
        try:
            if self._file is None:
                self._file = self._open()
                if not self._seeks:  # a stream that broke off begins anew
                    left = self._at
                    while left and (part := self._file.read(min(left, _BUFFER_BYTES))):
                        left -= len(part)
            if self._seeks and self._file.tell() != self._at:
                self._file.seek(self._at)
            return bytes(self._file.read(size))
        except Exception:
            self._file = None
            raise

    def close(self) -> None:
        if not self.closed and self._file is not None:
            with suppress(Exception):
                self._file.close()
        super().close()
