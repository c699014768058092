"""Damaged inputs: each is a failure, reading ends, and a run that was stopped can go on."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import random
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from testing.foreign import tar_of, zip_of
from testing.packing import PACKERS
from testing.warcs import RESPONSE, warc_record

from scrapy_boilernet.bulk.compression import Members, unpacked
from scrapy_boilernet.bulk.inputs import OpenInput, inputs_of
from scrapy_boilernet.bulk.pages import Entry, RawPage, Reading
from scrapy_boilernet.bulk.warc import START, Damage, Position

MAX_BYTES = 10**6
PLACES = 10
"""How many places of a file are tried."""


def _text(number: int) -> str:
    """A text that is hard to pack, in one of three languages."""
    words = ("Die Flut kommt", "\u041f\u0440\u0438\u043b\u0438\u0432", "\u6f6e\u6c34")
    noise = random.Random(number).randbytes
    return " ".join(f"{words[number % 3]} {noise(9).hex()}" for _ in range(150))


PAGES = [(f"https://a.example/{n}", f"<html><p>{_text(n)}</html>".encode()) for n in range(8)]
BODIES = [body for _, body in PAGES]


def _warc() -> list[bytes]:
    return [warc_record(url, RESPONSE + body) for url, body in PAGES]


def _lines() -> list[bytes]:
    return [json.dumps({"url": url, "html": body.decode()}).encode() + b"\n" for url, body in PAGES]


def _tar() -> list[bytes]:
    whole = tar_of([(f"{number}.html", body) for number, body in enumerate(BODIES)])
    return [whole[at : at + 4096] for at in range(0, len(whole), 4096)]


def _zip() -> list[bytes]:
    whole = zip_of([(f"{number}.html", body) for number, body in enumerate(BODIES)])
    return [whole[at : at + 4096] for at in range(0, len(whole), 4096)]


CONTAINERS = {"warc": _warc, "lines": _lines, "tar": _tar, "zip": _zip}
"""Per format the parts of a file, each of which may be packed by itself."""


def packed(container: str, packer: str, *, by_part: bool) -> bytes:
    parts = CONTAINERS[container]()
    if packer == "nothing":
        return b"".join(parts)
    return b"".join(map(PACKERS[packer], parts if by_part else [b"".join(parts)]))


def read(file: Path, data: bytes | None = None, start: Position = START) -> list[Entry]:
    if data is not None:
        file.write_bytes(data)
    (source,) = inputs_of([str(file)])
    return [*OpenInput(source, Reading(MAX_BYTES), start).items()]


def pages_of(items: list[Entry]) -> list[bytes]:
    return [item.body for item in items if isinstance(item, RawPage)]


def check_resuming(file: Path, items: list[Entry]) -> None:
    """Check that a run that was stopped after any item continues with the next one."""
    for number, item in enumerate(items):
        assert read(file, start=item.position) == items[number:]
        behind = item.position.after()
        assert read(file, start=behind) == items[number + 1 :]


@pytest.mark.parametrize("by_part", [False, True])
@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("container", CONTAINERS)
def test_members_of_any_compression_are_one_file(
    tmp_path: Path, container: str, packer: str, *, by_part: bool
) -> None:
    items = read(tmp_path / "a", packed(container, packer, by_part=by_part))
    assert pages_of(items) == BODIES
    assert len(items) == len(BODIES)
    check_resuming(tmp_path / "a", items)


@pytest.mark.parametrize("parts", [1, 2, 3, 10])
@pytest.mark.parametrize("packer", PACKERS)
def test_members_of_any_compression_are_one_page(tmp_path: Path, packer: str, parts: int) -> None:
    size = len(BODIES[0]) // parts + 1
    data = b"".join(
        PACKERS[packer](BODIES[0][at : at + size]) for at in range(0, len(BODIES[0]), size)
    )
    (page,) = read(tmp_path / "a.html", data)
    (member,) = read(tmp_path / "a.zip", zip_of([("a.html", data)]))
    for one in (page, member):
        assert isinstance(one, RawPage)
        body = gzip.decompress(one.body) if packer == "gzip" else one.body  # for the worker
        assert body == BODIES[0]


@pytest.mark.parametrize("place", range(PLACES))
@pytest.mark.parametrize("by_part", [False, True])
@pytest.mark.parametrize("packer", ["nothing", *PACKERS])
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_file_that_is_cut_off_is_a_failure(
    tmp_path: Path, container: str, packer: str, place: int, *, by_part: bool
) -> None:
    data = packed(container, packer, by_part=by_part)
    end = len(data) - 10
    if (container, packer) == ("tar", "nothing"):
        end = _member_offsets(data)[-1] + 1_000
    items = read(tmp_path / "a", data[: end - place * end // PLACES * 9 // 10])
    assert isinstance(items[-1], Damage)
    assert pages_of(items) == BODIES[: len(items) - 1]
    check_resuming(tmp_path / "a", items)


@pytest.mark.parametrize("place", range(PLACES))
@pytest.mark.parametrize("by_part", [False, True])
@pytest.mark.parametrize("packer", ["bzip2", "xz", "gzip"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_byte_that_is_wrong_is_a_failure(
    tmp_path: Path, container: str, packer: str, place: int, *, by_part: bool
) -> None:
    data = bytearray(packed(container, packer, by_part=by_part))
    data[200 + place * (len(data) - 220) // PLACES] ^= 0xFF
    items = read(tmp_path / "a", bytes(data))
    assert any(isinstance(item, Damage) for item in items)
    assert {*pages_of(items)} <= {*BODIES}
    check_resuming(tmp_path / "a", items)


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("number", range(len(PAGES)))
def test_the_records_behind_a_damaged_member_are_read(
    tmp_path: Path, packer: str, number: int
) -> None:
    members = [*map(PACKERS[packer], _warc())]
    middle = len(members[number]) // 2
    members[number] = members[number][:middle] + bytes(40) + members[number][middle + 40 :]
    items = read(tmp_path / "a.warc.gz", b"".join(members))
    assert pages_of(items) == BODIES[:number] + BODIES[number + 1 :]
    assert sum(isinstance(item, Damage) for item in items) == 1
    check_resuming(tmp_path / "a.warc.gz", items)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_nothing_raises_and_everything_ends(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    container = data.draw(st.sampled_from([*CONTAINERS]))
    packer = data.draw(st.sampled_from(["nothing", *PACKERS]))
    whole = packed(container, packer, by_part=data.draw(st.booleans()))
    at, size = data.draw(st.integers(0, len(whole))), data.draw(st.integers(0, 3000))
    put = data.draw(st.binary(max_size=60))
    file = tmp_path_factory.mktemp("damage") / "a"
    items = read(file, whole[:at] + put + whole[at + size :])
    # A few bytes can make a bomb of bzip2, of which no more is unpacked than may be of a page.
    assert all(len(body) <= MAX_BYTES + 1 for body in pages_of(items))
    check_resuming(file, items[-3:])


class _Broken(io.RawIOBase):
    """A file of which only the first bytes can be read, as on a disk that fails."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._data.seek(offset, whence)

    def tell(self) -> int:
        return self._data.tell()

    def readinto(self, buffer: bytearray, /) -> int:  # type: ignore[override]
        size = self._data.readinto(buffer)
        if not size:
            raise OSError(5, "Input/output error")
        return size


@pytest.mark.parametrize("packer", ["nothing", *PACKERS])
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_disk_that_fails_is_a_failure(tmp_path: Path, container: str, packer: str) -> None:
    data = packed(container, packer, by_part=True)
    (tmp_path / "a").write_bytes(data)
    (source,) = inputs_of([str(tmp_path / "a")])
    file = io.BufferedReader(_Broken(data[: len(data) * 2 // 3]))
    items = [*OpenInput(source, Reading(10**6), opened=lambda _: file).items()]
    assert [isinstance(item, Damage) for item in items][-1:] == [True]
    assert sum(isinstance(item, Damage) for item in items) == 1


def _member_offsets(data: bytes) -> list[int]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        return [member.offset for member in archive]


def _zeroed(data: bytearray, at: int) -> None:
    data[at : at + 512] = bytes(512)


def _noise(data: bytearray, at: int) -> None:
    data[at : at + 512] = b"\x9d" * 512


def _checksum(data: bytearray, at: int) -> None:
    data[at + 148] ^= 0x01


def _size(data: bytearray, at: int) -> None:
    data[at + 124 : at + 135] = b"zzzzzzzzzzz"


def _one_bit(data: bytearray, at: int) -> None:
    data[at] ^= 0x10


HEADER_DAMAGES = (_zeroed, _noise, _checksum, _size, _one_bit)


@pytest.mark.parametrize("damage", HEADER_DAMAGES)
@pytest.mark.parametrize("number", range(1, len(PAGES)))
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_the_members_behind_a_damaged_header_of_a_tar_are_read(
    tmp_path: Path,
    damage: Callable[[bytearray, int], None],
    number: int,
    pack: Callable[[bytes], bytes],
) -> None:
    data = bytearray(b"".join(_tar()))
    damage(data, _member_offsets(bytes(data))[number])
    items = read(tmp_path / "a", pack(bytes(data)))
    assert pages_of(items) == BODIES[:number] + BODIES[number + 1 :]
    (failure,) = (item for item in items if isinstance(item, Damage))
    assert "a damaged header at byte" in failure.reason
    check_resuming(tmp_path / "a", items)


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
@pytest.mark.parametrize("which", [0, 1])
def test_a_damaged_header_of_a_long_name_is_a_failure(
    tmp_path: Path, form: int, which: int
) -> None:
    name = "m\u00e4r" * 60
    members = [(f"{name}{number}.html", body) for number, body in enumerate(BODIES)]
    data = bytearray(tar_of(members, form))
    _checksum(data, _member_offsets(bytes(data))[4] + which * 1024)
    items = read(tmp_path / "a", bytes(data))
    assert [body for body in pages_of(items) if body in BODIES[:4] + BODIES[5:]] == (
        BODIES[:4] + BODIES[5:]
    )
    assert any(isinstance(item, Damage) for item in items)
    check_resuming(tmp_path / "a", items)


@pytest.mark.parametrize("padding", [0, 512, 1024, 10_240, 700])
def test_tar_archives_behind_each_other_are_read(tmp_path: Path, padding: int) -> None:
    whole = b"".join(_tar())
    items = read(tmp_path / "a", whole + bytes(padding // 512 * 512) + whole + bytes(padding))
    assert pages_of(items) == BODIES * 2
    assert len(items) == len(BODIES) * 2


@pytest.mark.parametrize("cut", [*range(1, 11)])
def test_a_tar_that_ends_with_a_whole_member_is_cut_off(tmp_path: Path, cut: int) -> None:
    whole = b"".join(_tar())
    offsets = [*_member_offsets(whole), *range(len(whole) - 20 * 512, 0, -512)]
    at = offsets[cut] if cut < len(PAGES) else offsets[1] + 100 * cut
    items = read(tmp_path / "a", whole[:at])
    assert isinstance(items[-1], Damage)
    check_resuming(tmp_path / "a", items)


def _patched(data: bytes, signature: bytes, offset: int, value: bytes, number: int) -> bytes:
    at = [n for n in range(len(data)) if data.startswith(signature, n)][number] + offset
    return data[:at] + value + data[at + len(value) :]


def _archive() -> bytes:
    return b"".join(_zip())


LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
MEMBER_DAMAGES: dict[str, bytes] = {
    **{
        f"method {method}": _patched(_archive(), CENTRAL, 10, struct.pack("<H", method), 3)
        for method in (1, 6, 9, 12, 14, 93, 95, 97, 98, 99, 65535)
    },
    "encrypted": _patched(_archive(), CENTRAL, 8, b"\x01\x00", 3),
    "a wrong checksum": _patched(_archive(), CENTRAL, 16, b"\x01\x02\x03\x04", 3),
    "a wrong place": _patched(_archive(), CENTRAL, 42, b"\xff\xff\xff\x00", 3),
    "another name": _patched(_archive(), LOCAL, 30, b"x", 3),
    "no header": _patched(_archive(), LOCAL, 0, b"NONE", 3),
    "a patch": _patched(_archive(), CENTRAL, 8, b"\x20\x00", 3),
    "strongly encrypted": _patched(_archive(), CENTRAL, 8, b"\x41\x00", 3),
}
ZIP_DAMAGES: dict[str, bytes] = {
    "a version of the future": _patched(_archive(), CENTRAL, 6, b"\xff\x00", 3),
    "no directory": _patched(_archive(), CENTRAL, 0, b"NONE", 0),
    "a name that is not UTF-8": _patched(
        _patched(_archive(), CENTRAL, 8, b"\x00\x08", 3), CENTRAL, 46, b"\xff", 3
    ),
    "a directory elsewhere": _patched(_archive(), END, 16, b"\xff\xff\xff\x7f", 0),
    "a directory that is too long": _patched(_archive(), END, 12, b"\xff\xff\x00\x7f", 0),
    "an extra field that is cut off": _patched(_archive(), CENTRAL, 30, b"\x03\x00", 3),
    "no end": _archive()[:-22],
    "the end alone": b"PK\x03\x04" + _archive()[-22:],
    "only the beginning": _archive()[:40],
}


@pytest.mark.parametrize("data", MEMBER_DAMAGES.values(), ids=MEMBER_DAMAGES)
def test_a_member_of_a_zip_that_cannot_be_read_is_a_failure(tmp_path: Path, data: bytes) -> None:
    items = read(tmp_path / "a.zip", data)
    assert pages_of(items) == BODIES[:3] + BODIES[4:]
    (failure,) = (item for item in items if isinstance(item, Damage))
    assert failure.reason.startswith(f"{tmp_path / 'a.zip'}/3.html: ")
    check_resuming(tmp_path / "a.zip", items)


@pytest.mark.parametrize("data", ZIP_DAMAGES.values(), ids=ZIP_DAMAGES)
def test_a_zip_that_cannot_be_read_is_a_failure(tmp_path: Path, data: bytes) -> None:
    items = read(tmp_path / "a.zip", data)
    assert any(isinstance(item, Damage) for item in items)
    check_resuming(tmp_path / "a.zip", items)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_any_method_is_a_failure(tmp_path: Path, method: int) -> None:
    data = bytearray(zip_of([(f"{n}.html", body) for n, body in enumerate(BODIES)], method))
    data[data.index(b"3.html") + 100] ^= 0xFF
    items = read(tmp_path / "a.zip", bytes(data))
    assert pages_of(items) == BODIES[:3] + BODIES[4:]
    check_resuming(tmp_path / "a.zip", items)


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("place", range(PLACES))
def test_reading_damaged_data_raises_once_and_then_ends(packer: str, place: int) -> None:
    data = PACKERS[packer](BODIES[0] * 20)
    file = unpacked(io.BytesIO(data[: 12 + place * (len(data) - 14) // PLACES]), data)

    def chunks() -> Iterator[bytes]:
        while chunk := file.read(1000):
            yield chunk

    with pytest.raises(OSError, match=f"{packer} data is cut off"):
        [*chunks()]
    assert [*chunks()] == []


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("junk", [b"\0" * 7, b"junk", b"\x1f", b"BZh", b"<p>text", b"\xfd7z"])
def test_bytes_between_members(packer: str, junk: bytes) -> None:
    """Zeros are skipped; other bytes are damage, and the members behind them are read."""
    pack = PACKERS[packer]
    members = Members(cast("BinaryIO", io.BytesIO(pack(b"one") + junk + pack(b"two") + junk)))
    found: list[bytes] = []
    failures = 0
    while True:
        try:
            for piece in members.pieces():
                found.append(piece.data)  # noqa: PERF401 - what was read before an error
        except OSError:
            failures += 1
            continue
        break
    assert b"".join(found) == b"onetwo"
    assert failures == (2 if junk.strip(b"\0") else 0)
