"""Writes inputs of stored crawls that are made to be expensive."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from scrapy_boilernet.extractor.options import LabelOptions
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.store import PageStore
from tests.testing.warcs import RESPONSE, warc_record

PAGE = b"<html><p>The tide pools of the northern coast.</p></html>"
ROW = json.dumps({"html": PAGE.decode()}).encode() + b"\n"
_PIECE_BYTES = 1_000_000
Pieces = Iterator[bytes]


def write(name: str, folder: Path, share: float) -> tuple[int, int]:
    """Write the input into the folder; return its bytes on the disk, and its bytes unpacked."""
    size, make = INPUTS[name]
    unpacked = make(folder, int(size * share))
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()), unpacked


def _many(piece: bytes, size: int) -> Pieces:
    """Yield about ``size`` bytes that repeat the piece."""
    large = piece * max(1, _PIECE_BYTES // len(piece))
    for _ in range(size // len(large)):
        yield large
    yield large[: size % len(large) // len(piece) * len(piece)]


def _gzipped(pieces: Iterable[bytes]) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*map(packer.compress, pieces), packer.flush()])


def _file(make: Callable[[int], Iterable[bytes]], *, packed: bool) -> Callable[[Path, int], int]:
    """Return a function that writes the file of these pieces, gzipped or not."""

    def written(folder: Path, size: int) -> int:
        pieces = make(size)
        data = _gzipped(pieces) if packed else b"".join(pieces)
        (folder / "input").write_bytes(data)
        return max(size, len(data))

    return written


def _line(before: bytes, piece: bytes, after: bytes) -> Callable[[int], Pieces]:
    def pieces(size: int) -> Pieces:
        yield before
        yield from _many(piece, size)
        yield after + b"\n" + ROW

    return pieces


def _tar_member(name: str, size: int, kind: bytes, content: Iterable[bytes]) -> Pieces:
    header = tarfile.TarInfo(name)
    header.size, header.type = size, kind
    yield header.tobuf(tarfile.USTAR_FORMAT)
    yield from content
    yield b"\0" * (-size % tarfile.BLOCKSIZE)


def _tar(kind: bytes, piece: bytes) -> Callable[[int], Pieces]:
    """Return a function that makes a large member of this kind, and a page behind it."""

    def pieces(size: int) -> Pieces:
        size -= size % len(piece)
        yield from _tar_member("large.html", size, kind, _many(piece, size))
        yield from _tar_member("a.html", len(PAGE), tarfile.REGTYPE, [PAGE])
        yield b"\0" * 2 * tarfile.BLOCKSIZE

    return pieces


def _zip(method: int) -> Callable[[int], Pieces]:
    def pieces(size: int) -> Pieces:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", method) as archive:
            with archive.open("large.html", "w") as member:
                for piece in _many(b"<", size):
                    member.write(piece)
            archive.writestr("a.html", PAGE)
        yield out.getvalue()

    return pieces


def _response(head: bytes, piece: bytes) -> Callable[[int], Pieces]:
    def pieces(size: int) -> Pieces:
        block = head + b"".join(_many(piece, size)) + b"\r\n\r\n" + PAGE
        yield warc_record("https://a.example/", block)
        yield warc_record("https://a.example/", RESPONSE + PAGE)

    return pieces


def _wrong_lengths(claimed: int) -> Callable[[int], Pieces]:
    record = warc_record("https://a.example/", RESPONSE + PAGE, length=claimed)
    return lambda size: _many(record, size)


def _cache(folder: Path, size: int) -> int:
    meta = {"url": "https://a.example/", "status": 200, "timestamp": 1.7e9}
    (folder / "meta").write_bytes(gzip.compress(repr(meta).encode()))
    (folder / "response_headers").write_bytes(gzip.compress(b"Content-Type: text/html"))
    (folder / "response_body").write_bytes(_gzipped(_many(b"<", size)))
    return size


def _store(folder: Path, size: int) -> int:
    jobs = [PageJob(PAGE + b"%d" % n, "https://a.example/", LabelOptions()) for n in range(2)]
    PageStore(folder).label(jobs)
    body = next(folder.glob(f"bodies/*/{jobs[0].digest}.gz"))
    body.write_bytes(_gzipped(_many(b"<", size)))
    return size


_HEAD = b"HTTP/1.1 200 OK\r\n"
_TYPE = _HEAD + b"Content-Type: text/html; charset="
INPUTS: dict[str, tuple[int, Callable[[Path, int], int]]] = {
    "a JSON line of empty lists, gzip": (
        99_000_000, _file(_line(b'{"html": "<p>", "a": [', b"[],", b"0]}"), packed=True)
    ),
    "a JSON line with a long page, gzip": (
        1_000_000_000, _file(_line(b'{"html": "', b"x", b'"}'), packed=True)
    ),
    "a JSON line of open quotes": (10_000_000, _file(_line(b'{"a": "', b'\\"', b""), packed=False)),
    "a tar with a pax header, gzip": (800_000_000, _file(_tar(b"x", b"1"), packed=True)),
    "a tar with a long name, gzip": (800_000_000, _file(_tar(b"L", b"a"), packed=True)),
    "a tar with a pax header of digits": (200_000, _file(_tar(b"x", b"1"), packed=False)),
    "a tar with a long page, gzip": (1_000_000_000, _file(_tar(b"0", b"<"), packed=True)),
    "a zip in gzip": (1_000_000_000, _file(_zip(zipfile.ZIP_STORED), packed=True)),
    "a zip, deflate": (1_000_000_000, _file(_zip(zipfile.ZIP_DEFLATED), packed=False)),
    "a zip, bzip2": (1_000_000_000, _file(_zip(zipfile.ZIP_BZIP2), packed=False)),
    "a zip, LZMA": (1_000_000_000, _file(_zip(zipfile.ZIP_LZMA), packed=False)),
    "a WARC header: charset= and spaces": (80_000, _file(_response(_TYPE, b" "), packed=False)),
    "a WARC header: a repeated field": (
        1_000_000, _file(_response(_HEAD, b"a:b\r\n"), packed=False)
    ),
    "a WARC header: many codings": (
        1_000_000, _file(_response(_HEAD + b"Content-Encoding: ", b"gzip,"), packed=False)
    ),
    "WARC records that claim 10^14 bytes": (4_000_000, _file(_wrong_lengths(10**14), packed=False)),
    "WARC records that claim half the file": (
        4_000_000, _file(_wrong_lengths(2_000_000), packed=False)
    ),
    "a body in an HTTP cache": (1_000_000_000, _cache),
    "a body in the deferred store": (1_000_000_000, _store),
}  # fmt: skip
"""Per input its size in bytes, and the function that writes it into a folder, at another size if
asked, and returns its bytes unpacked."""
