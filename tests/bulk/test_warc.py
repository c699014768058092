"""WARC files: whole, damaged, cut off, and read again from any record."""

from __future__ import annotations

import gzip
import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from testing.warcs import RESPONSE, warc_record

from scrapy_boilernet.bulk.warc import START, Damage, Position, WarcRecord, read_warc

RECORDS = [warc_record(f"https://example.com/{n}", RESPONSE + b"x" * n * 40_000) for n in range(6)]
PLAIN = b"".join(RECORDS)
PACKED = b"".join(map(gzip.compress, RECORDS))


def read(
    data: bytes, start: Position = START, most: int = 10**7, *, gzipped: bool | None = None
) -> list[WarcRecord | Damage]:
    packed = data.startswith(b"\x1f\x8b") if gzipped is None else gzipped
    return [*read_warc(io.BytesIO(data), start, gzipped=packed, max_block_bytes=most)]


def urls(items: list[WarcRecord | Damage]) -> list[str]:
    """Return the end of each record's address, or the error of a damaged one."""
    return [
        item.reason.partition(":")[0]
        if isinstance(item, Damage)
        else item.headers["warc-target-uri"].rpartition("/")[2]
        for item in items
    ]


ALL = ["0", "1", "2", "3", "4", "5"]


@pytest.mark.parametrize("data", [PLAIN, PACKED, gzip.compress(PLAIN)], ids=["plain", "gz", "one"])
def test_every_record_is_read_and_can_be_begun_at(data: bytes) -> None:
    items = read(data)
    assert urls(items) == ALL
    assert [len(item.block) for item in items if isinstance(item, WarcRecord)] == [
        len(RESPONSE) + n * 40_000 for n in range(6)
    ]
    for number, item in enumerate(items):
        assert read(data, item.position) == items[number:]


def test_each_record_in_its_own_member_begins_at_its_offset() -> None:
    positions = [item.position for item in read(PACKED)]
    assert [position.skip for position in positions] == [0] * 6
    assert all(one.offset < other.offset for one, other in pairwise(positions))


def test_members_may_end_anywhere() -> None:
    """Like those of block gzip, which have 64 kB each."""
    data = b"".join(gzip.compress(PLAIN[at : at + 50_000]) for at in range(0, len(PLAIN), 50_000))
    items = read(data)
    assert urls(items) == ALL
    for number, item in enumerate(items):
        assert read(data, item.position) == items[number:]


def test_only_the_beginning_of_a_large_block_is_kept() -> None:
    items = read(PLAIN, most=1000)
    assert urls(items) == ALL
    assert max(len(item.block) for item in items if isinstance(item, WarcRecord)) == 1000


def damaged(number: int, record: bytes) -> bytes:
    return b"".join([*RECORDS[:number], record, *RECORDS[number + 1 :]])


def packed(number: int, member: bytes) -> bytes:
    members = [gzip.compress(record) for record in RECORDS]
    return b"".join([*members[:number], member, *members[number + 1 :]])


WITHOUT_LENGTH = RECORDS[2].replace(b"Content-Length:", b"Content-Size:")
TOO_LONG = RECORDS[2].replace(b"Content-Length: 8", b"Content-Length: 28")
TWO_GB = warc_record("https://example.com/2", RESPONSE, length=2_000_000_000)
LONG_HEADER = RECORDS[2].replace(b"WARC-Type", b"X-Filler: " + b"x" * 3_000_000 + b"\r\nWARC-Type")


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (WITHOUT_LENGTH, "a record without a valid length"),
        (TOO_LONG, "a record with another length than its header says"),
        (TWO_GB, "a record that is cut off"),
        (LONG_HEADER, "a record with a header of more than 1048576 bytes"),
        (b"\r\n\r\nnothing that anyone knows\r\n\r\n", "not a WARC record where one should begin"),
    ],
)  # fmt: skip
def test_a_damaged_record_is_one_item_and_the_next_is_read(record: bytes, reason: str) -> None:
    expected = ["0", "1", reason, "3", "4", "5"]
    assert urls(read(damaged(2, record))) == expected
    items = read(packed(2, gzip.compress(record)))
    assert [*urls(items)[:2], *urls(items)[3:]] == ["0", "1", "3", "4", "5"]
    assert isinstance(items[2], Damage)
    for number, item in enumerate(items):
        assert urls(read(packed(2, gzip.compress(record)), item.position)) == urls(items[number:])


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


@pytest.mark.parametrize("at", [0, 2, 15, 60, -6, -1])
def test_a_damaged_member_is_one_item_and_the_next_is_read(at: int) -> None:
    member = gzip.compress(RECORDS[2])
    items = read(packed(2, flipped(member, at % len(member))), gzipped=True)
    assert [url for url in urls(items) if url in "01345"] == ["0", "1", "3", "4", "5"]
    assert len([item for item in items if isinstance(item, Damage)]) == 1


def test_a_member_that_is_cut_off_in_the_middle_hides_no_other() -> None:
    member = gzip.compress(RECORDS[2])
    items = read(packed(2, member[: len(member) // 2]))
    assert [url for url in urls(items) if url in "01345"] == ["0", "1", "3", "4", "5"]


@pytest.mark.parametrize("data", [PLAIN, PACKED], ids=["plain", "gz"])
@given(st.data())
def test_a_file_cut_off_anywhere_gives_what_is_whole_and_one_damage(
    data: bytes, drawn: st.DataObject
) -> None:
    end = drawn.draw(st.integers(0, len(data)))
    names = urls(read(data[:end], gzipped=data is PACKED))
    whole = [name for name in names if name in ALL]
    assert whole == ALL[: len(whole)]
    assert len(names) <= len(whole) + 1


@given(st.binary(max_size=3000), st.booleans())
def test_anything_is_read_without_an_exception(data: bytes, gzipped: bool) -> None:
    whole = data + (PACKED if gzipped else PLAIN)
    names = urls(read(whole, gzipped=gzipped))
    assert names[-5:] == ALL[1:]


def test_nothing_has_no_record() -> None:
    assert read(b"") == []
    assert read(b"", gzipped=True) == []
    assert read(b"\r\n\r\n") == []
