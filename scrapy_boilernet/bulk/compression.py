"""Reads compressed files: gzip, Zstandard, bzip2 and xz, with damaged parts too."""

from __future__ import annotations

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from io import BufferedReader, BytesIO, RawIOBase
from tempfile import TemporaryFile
from typing import Any, BinaryIO, NamedTuple, Protocol

CHUNK_BYTES = 1 << 16
_PIECE_BYTES = 1 << 16
"""At most so many bytes before a damaged place are lost."""
_START_PIECE_BYTES = 256
_SEARCHED_BYTES = 1 << 20
"""If the first members of a file are damaged, what it is is searched for in so many bytes."""
LZMA_MEMORY_BYTES = 1 << 28
"""What one xz stream may use; ``xz -9`` makes streams that need 65 MB."""


class DamagedError(OSError):
    """Data that cannot be read. Reading may continue after it."""


UNPACK_ERRORS = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)
"""The errors that reading damaged data raises."""


class _Unpacker(Protocol):
    """What ``bz2``, ``lzma`` and Zstandard offer to unpack one stream."""

    eof: bool
    needs_input: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Inflater:
    """Unpacks one gzip member, as an :class:`_Unpacker`."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(31)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inflate.decompress(self._inflate.unconsumed_tail + data, max_length)

    @property
    def eof(self) -> bool:
        return self._inflate.eof

    @property
    def needs_input(self) -> bool:
        return not self._inflate.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inflate.unused_data


class _Codec(NamedTuple):
    """A way to compress. A file is one or more members (streams, frames) behind each other."""

    name: str
    magic: re.Pattern[bytes]
    """The first bytes of a member."""
    unpacker: Callable[[], Any]


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
        "Zstandard needs Python 3.14 or the package backports.zstd: pip install backports.zstd"
    )


GZIP = b"\x1f\x8b\x08"
ZSTD = b"\x28\xb5\x2f\xfd"
_DICTIONARY = b"\x37\xa4\x30\xec"
_SKIPPABLE = rb"[\x50-\x5f]\x2a\x4d\x18"
"""A Zstandard frame without data of the file (RFC 8878), such as those that pzstd writes."""
_CODECS = (
    _Codec("gzip", re.compile(re.escape(GZIP)), _Inflater),
    _Codec(
        "Zstandard",
        re.compile(re.escape(ZSTD) + b"|" + _SKIPPABLE),
        lambda: zstd().ZstdDecompressor(),
    ),
    _Codec("bzip2", re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"), bz2.BZ2Decompressor),
    _Codec(
        "xz",
        re.compile(rb"\xfd7zXZ\x00"),
        lambda: lzma.LZMADecompressor(memlimit=LZMA_MEMORY_BYTES),
    ),
)
DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"
"""Begins the frame with the dictionary of all frames of the file, as in WARC files (IIPC)."""
_MAX_DICTIONARY_BYTES = 1 << 24
_MAGIC_BYTES = 10
"""The longest magic."""


def _codec(start: bytes) -> _Codec | None:
    return next((codec for codec in _CODECS if codec.magic.match(start)), None)


def is_packed(start: bytes) -> bool:
    """Return whether a file with these first bytes is compressed."""
    return _codec(start) is not None


def unpacked(file: BinaryIO, start: bytes) -> BinaryIO:
    """Return a file with the uncompressed data of ``file``, whose first bytes are ``start``.

    Reading raises ``ImportError`` with the remedy if Zstandard is needed and not installed, and
    :class:`DamagedError` once if the data is damaged or cut off.
    """
    return BufferedReader(_Unpacked(file)) if is_packed(start) else file


def unpacked_start(file: BinaryIO, size: int) -> bytes:
    """Return the first bytes of a packed file, unpacked, from its first undamaged member on.

    Raises :class:`DamagedError` if there is none.
    """
    start = bytearray()
    members = Members(file, piece_bytes=_START_PIECE_BYTES)
    damage: DamagedError | None = None
    while len(start) < size and members.member < _SEARCHED_BYTES:
        try:
            piece = next(members.pieces(), None)
        except DamagedError as error:
            damage = error
            if start:
                break
            continue
        if piece is None:
            break
        start += piece.data
    if damage and not start:
        raise damage
    return bytes(start[:size])


class Piece(NamedTuple):
    """Unpacked bytes of one member of a file."""

    data: bytes
    member: int
    """Where the member begins in the file, in bytes."""


class Members:
    """Reads the members of a packed file one after the other, also after a damaged one.

    WARC files have a member per record, so reading can begin at any record.
    """

    def __init__(self, file: BinaryIO, offset: int = 0, piece_bytes: int = _PIECE_BYTES) -> None:
        """``offset``: where the file is; ``piece_bytes``: the most bytes of a piece."""
        self._dictionary = _dictionary_before(file, offset) if offset else b""
        """The dictionary of all Zstandard frames; b"": they need none."""
        self._file = file
        self._piece_bytes = piece_bytes
        self._raw = b""
        """The bytes that were read last; ``_given``: whether the unpacker has them."""
        self._given = False
        self._at = offset
        """Where ``_raw`` begins in the file."""
        self.member = offset
        """Where the current member begins, in bytes."""
        self._codec = _CODECS[0]
        self._unpacker: _Unpacker | None = None

    def pieces(self) -> Iterator[Piece]:
        """Yield the bytes in order; raises :class:`DamagedError` for a damaged member.

        The next call of this method then continues at the next member.
        """
        while True:
            unpacker = self._unpacker or self._begin()
            if unpacker is None:
                return
            if self._given and unpacker.needs_input and not self._fill():
                self._unpacker, self._given, self.member = None, False, self._at
                raise DamagedError(f"{self._codec.name} data is cut off")
            new, self._given = b"" if self._given else self._raw, True
            try:
                data = unpacker.decompress(new, self._piece_bytes)
            except Exception as error:
                self._skip_damage()
                raise DamagedError(f"{self._codec.name} data is damaged: {error}") from error
            member = self.member
            if unpacker.eof:
                self._drop(len(self._raw) - len(unpacker.unused_data))
                self._unpacker, self._given, self.member = None, False, self._at
            if data:
                yield Piece(data, member)

    def _begin(self) -> _Unpacker | None:
        """Return what unpacks the member at the current bytes; None at the end of the file.

        If there are other bytes, go to the next member and raise :class:`DamagedError`.
        """
        while True:
            while len(self._raw) < _MAGIC_BYTES and self._fill():
                pass
            zeros = len(self._raw) - len(self._raw.lstrip(b"\0"))  # padding, for example by tapes
            if not zeros:
                break
            self._drop(zeros)
        if not self._raw:
            return None
        self.member = self._at
        if self._at == 0 and self._raw.startswith(DICTIONARY_FRAME):
            self._read_dictionary()
            return self._begin()
        if self._at_magic():
            is_zstandard = self._dictionary and self._codec.name == "Zstandard"
            try:
                self._unpacker = (
                    _with_dictionary(self._dictionary) if is_zstandard else self._codec.unpacker()
                )
            except DamagedError:
                self._skip_damage()
                raise
            return self._unpacker
        self._skip_damage()
        name = self._codec.name
        raise DamagedError(f"bytes between {name} members that are not {name} data")

    def _read_dictionary(self) -> None:
        while len(self._raw) < 8 and self._fill():
            pass
        size = int.from_bytes(self._raw[4:8], "little")
        while len(self._raw) < min(size, _MAX_DICTIONARY_BYTES) + 8 and self._fill():
            pass
        content = self._raw[8 : size + 8]
        self._drop(len(content) + 8)
        self._dictionary = _dictionary_of(content, size)

    def _at_magic(self) -> bool:
        self._codec = _codec(self._raw) or self._codec
        return bool(self._codec.magic.match(self._raw))

    def _skip_damage(self) -> None:
        """Go to the next bytes that look like the start of a member.

        The search begins one byte after the start of the damaged member, or at the first byte in
        the buffer if the start is no longer there.
        """
        self._unpacker, self._given = None, False
        if self._at == self.member:
            self._drop(1)
        while not (found := self._codec.magic.search(self._raw)):
            self._drop(max(0, len(self._raw) - _MAGIC_BYTES + 1))
            if not self._fill():
                self._drop(len(self._raw))
                break
        else:
            self._drop(found.start())
        self.member = self._at

    def _fill(self) -> bool:
        """Read more bytes behind those that the unpacker does not have; return whether any."""
        if self._given:
            self._drop(len(self._raw))
            self._given = False
        try:
            chunk = self._file.read(CHUNK_BYTES)
        except OSError as error:
            self._file = BytesIO()  # else the next call may fail in the same way, without an end
            raise DamagedError(f"the file cannot be read further: {error}") from error
        self._raw += chunk
        return bool(chunk)

    def _drop(self, size: int) -> None:
        self._raw = self._raw[size:]
        self._at += size


def _dictionary_before(file: BinaryIO, offset: int) -> bytes:
    """Return the dictionary at the beginning of a file; b"" if there is none."""
    if not file.seekable():
        return b""
    file.seek(0)
    head = file.read(8)
    found = b""
    if head.startswith(DICTIONARY_FRAME):
        size = int.from_bytes(head[4:8], "little")
        content = file.read(min(size, _MAX_DICTIONARY_BYTES))
        with suppress(DamagedError):  # reported when the file was read from its beginning
            found = _dictionary_of(content, size)
    file.seek(offset)
    return found


def _dictionary_of(content: bytes, size: int) -> bytes:
    """Return the dictionary in a frame of ``size`` bytes, which may be packed itself.

    Raises :class:`DamagedError`.
    """
    if size > _MAX_DICTIONARY_BYTES or len(content) < size or not content:
        raise DamagedError(f"a dictionary of {size:,} bytes that cannot be read")
    if not content.startswith(ZSTD):
        return content
    try:
        return bytes(zstd().ZstdDecompressor().decompress(content, _MAX_DICTIONARY_BYTES))
    except Exception as error:
        raise DamagedError(f"the dictionary is damaged: {error}") from error


def _with_dictionary(content: bytes) -> Any:
    """Return what unpacks a Zstandard frame with the dictionary; raises :class:`DamagedError`."""
    module = zstd()
    try:
        is_raw = not content.startswith(_DICTIONARY)
        return module.ZstdDecompressor(module.ZstdDict(content, is_raw=is_raw))
    except Exception as error:  # each module has its own errors
        raise DamagedError(f"the dictionary is damaged: {error}") from error


class _Unpacked(RawIOBase):
    """The unpacked data of a file. Where it is damaged, reading raises once, and then it ends."""

    def __init__(self, file: BinaryIO) -> None:
        self._pieces = Members(file).pieces()
        self._left = BytesIO()

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not (size := self._left.readinto(buffer)):
            piece = next(self._pieces, None)  # a generator that raised has ended
            if piece is None:
                return 0
            self._left = BytesIO(piece.data)
        return size


def seekable(file: BinaryIO, most: int | None = None) -> AbstractContextManager[BinaryIO]:
    """Return the file if it can seek, else a temporary copy.

    Raises :class:`DamagedError` if the copy would have more than ``most`` bytes.
    """
    if file.seekable():
        return nullcontext(file)
    copy = TemporaryFile()  # noqa: SIM115 - the caller closes it
    while chunk := file.read(1 << 20):
        copy.write(chunk)
        if most is not None and copy.tell() > most:
            copy.close()
            raise DamagedError(
                f"a zip of more than {most:,} bytes in a compressed file: unpack it first"
            )
    copy.seek(0)
    return copy
