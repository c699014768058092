"""The pages of a stored crawl that wait for the other pages of their article or thread.

A page that names a next or a previous page is set aside in a file. When all inputs were read, the
pages that name each other are labeled once more, together, and become one record.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urldefrag

from scrapy_boilernet.bulk.output import LinesFile
from scrapy_boilernet.bulk.pages import RawPage
from scrapy_boilernet.bulk.warc import START
from scrapy_boilernet.workers.wire import frame_of, read_frame, read_head

MAX_WAITING = 200_000
"""Pages that are looked at together. Of more, those set aside first are joined first, so an article
whose pages lie further apart in the input becomes two records."""
MAX_PAGES, MAX_BYTES = 200, 50_000_000
"""The most pages of a record, and bytes of these pages as they were stored. The rest becomes
further records."""


class Links(NamedTuple):
    """The address of a page, and those of the pages around it, without fragments; "": none."""

    url: str
    next: str
    previous: str

    @classmethod
    def of(cls, url: str | None, following: str | None, previous: str | None) -> Links:
        """Return the links of a page by its metadata."""
        return cls(*(urldefrag(each or "")[0] for each in (url, following, previous)))


class _Waiting(NamedTuple):
    """Where a page is in the file."""

    links: Links
    offset: int
    size: int
    """The bytes of its body."""


class JoiningFile:
    """A file of pages that were set aside, each a frame with its links and its body.

    ``size``: how many bytes of it count, those of its last mark.
    """

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._file = LinesFile(path, size)

    def add(self, page: RawPage, links: Links) -> None:
        """Set a page aside."""
        stated = asdict(replace(page, body=b""))
        del stated["body"], stated["position"]
        self._file.write(frame_of({"page": stated, "links": links}, [page.body]))

    def groups(self) -> Iterator[list[int]]:
        """Yield the offsets of the pages of each record, in the order of their first pages.

        Call :meth:`mark` before. The order is the same each time.
        """
        waiting: list[_Waiting] = []
        for one in self._all():
            waiting.append(one)
            if len(waiting) == MAX_WAITING:
                yield from _groups(waiting)
                waiting = []
        yield from _groups(waiting)

    def _all(self) -> Iterator[_Waiting]:
        with self._path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            offset = file.seek(0)
            while offset < end:
                head = read_head(file)
                size = sum(head["parts"])
                yield _Waiting(Links(*head["links"]), offset, size)
                offset = file.seek(size, os.SEEK_CUR)

    def pages(self, offsets: Sequence[int]) -> list[RawPage]:
        """Return the pages at these offsets."""
        found = []
        with self._path.open("rb") as file:
            for offset in offsets:
                file.seek(offset)
                head, (body,) = read_frame(file)
                stated = {
                    **head["page"],
                    "codings": tuple(head["page"]["codings"]),
                    "kept": tuple((name, value) for name, value in head["page"]["kept"]),
                }
                found.append(RawPage(**stated, body=body, position=START))
        return found

    def mark(self) -> int:
        """Write everything to the disk; return the file's size in bytes."""
        return self._file.mark()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _groups(waiting: Sequence[_Waiting]) -> Iterator[list[int]]:
    for order in chains([one.links for one in waiting]):
        group: list[int] = []
        size = 0
        for number in order:
            size += waiting[number].size
            if group and (len(group) == MAX_PAGES or size > MAX_BYTES):
                yield group
                group, size = [], waiting[number].size
            group.append(waiting[number].offset)
        yield group


def chains(links: Sequence[Links]) -> list[list[int]]:
    """Return the numbers of the pages in the order in which they name each other.

    It is enough that one of two pages names the other. Each page is in one list: of several pages
    with one address, the first counts. A circle begins with its first page in the input.
    """
    place = {one.url: number for number, one in reversed([*enumerate(links)]) if one.url}
    after: dict[int, int] = {}
    before: dict[int, int] = {}
    named = (
        *((number, place.get(one.next)) for number, one in enumerate(links)),
        *((place.get(one.previous), number) for number, one in enumerate(links)),
    )
    for first, second in named:
        if first is None or second is None or first == second:
            continue
        if first not in after and second not in before:
            after[first], before[second] = second, first
    done: set[int] = set()
    found = []
    begins = (number for number in range(len(links)) if number not in before)
    for begin in chain(begins, range(len(links))):
        order: list[int] = []
        number: int | None = begin
        while number is not None and number not in done:
            done.add(number)
            order.append(number)
            number = after.get(number)
        if order:
            found.append(order)
    return sorted(found, key=min)
