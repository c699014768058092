"""Reads compressed files: gzip, with damaged members too, Zstandard, bzip2 and xz."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple, cast

GZIP = b"\x1f\x8b\x08"
ZSTD = b"\x28\xb5\x2f\xfd"
_BZIP2, _XZ = b"BZh", b"\xfd7zXZ\x00"
CHUNK_BYTES = 1 << 16
_PIECE_BYTES = 1 << 20


class DamagedError(Exception):
    """Data that cannot be read. Reading may continue after it."""


def is_packed(start: bytes) -> bool:
    """Return whether a file with these first bytes is compressed."""
    return start.startswith((GZIP, ZSTD, _BZIP2, _XZ))


def unpacked(file: BinaryIO, start: bytes) -> BinaryIO:
    """Return a file with the uncompressed data of ``file``, whose first bytes are ``start``.

    Raises ``ImportError`` with the remedy if Zstandard is needed and not installed. Reading damaged
    data raises one of :data:`UNPACK_ERRORS`.
    """
    if start.startswith(GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=file))
    if start.startswith(ZSTD):
        return cast("BinaryIO", zstd().ZstdFile(file))
    if start.startswith(_BZIP2):
        return cast("BinaryIO", bz2.BZ2File(file))
    if start.startswith(_XZ):
        return cast("BinaryIO", lzma.LZMAFile(file))
    return file


UNPACK_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)
"""The errors that reading damaged data raises."""


def zstd() -> Any:
    """Return the module that reads and writes Zstandard; raises ``ImportError`` if there is none.

    It is part of Python from 3.14 on. For older versions, the extra ``bulk`` installs it.
    """
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return import_module(name)
        except ImportError:
            continue
    raise ImportError(
        "Zstandard needs Python 3.14 or the package backports.zstd; "
        "pip install '.[bulk]' in a checkout"
    )


class Piece(NamedTuple):
    """Unpacked bytes of one member of a gzip file."""

    data: bytes
    member: int
    """Where the member begins in the file, in bytes."""


class GzipMembers:
    """Reads the members of a gzip file one after the other, also after a damaged one.

    WARC files have a member per record, so reading can begin at any record.
    """

    def __init__(self, file: BinaryIO, offset: int = 0) -> None:
        self._file = file
        self._raw = b""
        self._at = offset
        """Where ``_raw`` begins in the file."""
        self.member = offset
        """Where the current member begins, in bytes."""
        self._inflate: Any = None

    def pieces(self) -> Iterator[Piece]:
        """Yield the bytes in order; raises :class:`DamagedError` for a damaged member.

        The next call of this method then continues at the next member.
        """
        while True:
            if not self._raw and not self._fill():
                if self._inflate is not None:
                    self._inflate = None
                    self.member = self._at
                    raise DamagedError("gzip data is cut off")
                return
            if self._inflate is None:
                self._begin()
                continue
            before = len(self._raw)
            try:
                data = self._inflate.decompress(self._raw, _PIECE_BYTES)
            except zlib.error as error:
                self._skip_damage()
                raise DamagedError(f"gzip data is damaged: {error}") from error
            member, ended = self.member, self._inflate.eof
            self._raw = self._inflate.unused_data if ended else self._inflate.unconsumed_tail
            self._at += before - len(self._raw)
            if ended:
                self._inflate, self.member = None, self._at
            if data:
                yield Piece(data, member)

    def _begin(self) -> None:
        """Begin the member at the current bytes; if none begins there, go to the next one."""
        while len(self._raw) < len(GZIP) and self._fill():
            pass
        zeros = len(self._raw) - len(self._raw.lstrip(b"\0"))  # padding, for example by tapes
        if zeros:
            self._drop(zeros)
        elif self._raw.startswith(GZIP):
            self.member = self._at
            self._inflate = zlib.decompressobj(31)
        else:
            self._skip_damage()
            raise DamagedError("bytes between gzip members that are not gzip data")

    def _skip_damage(self) -> None:
        """Go to the next bytes that look like the start of a member.

        The search begins one byte after the start of the damaged member, or at the first byte in
        the buffer if the start is no longer there.
        """
        self._inflate = None
        begin = max(0, self.member - self._at)
        self._drop(begin + 1 if self._at + begin == self.member else begin)
        while (found := self._raw.find(GZIP)) < 0:
            self._drop(max(0, len(self._raw) - len(GZIP) + 1))
            if not self._fill():
                self._drop(len(self._raw))
                break
        else:
            self._drop(found)
        self.member = self._at

    def _fill(self) -> bool:
        chunk = self._file.read(CHUNK_BYTES)
        self._raw += chunk
        return bool(chunk)

    def _drop(self, size: int) -> None:
        self._raw = self._raw[size:]
        self._at += size
