"""Finds and reads the files of pages in a folder, and reads files of JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

PACKED_ENDINGS = (".gz", ".zst", ".bz2", ".xz")
"""The endings of names of compressed files that are read."""
ENDINGS = tuple(
    name + packed for packed in ("", *PACKED_ENDINGS) for name in (".html", ".htm", ".xhtml")
)
"""The endings of names of HTML files, in upper or lower case."""
ENDINGS_TEXT = ".html, .htm, .xhtml, .html.gz and so on, also with .zst, .bz2 and .xz"
MAX_GZIP_BYTES = 50_000_000
"""The most bytes of gzip data that are read of a page, unless the limit of a page is higher."""
_CHUNK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"


class Readable(Protocol):
    """A file, a pipe or a response, open for bytes."""

    def read(self, size: int, /) -> bytes:
        """Return ``size`` bytes; fewer only at the end."""
        ...


def private(path: str, flags: int) -> int:
    """Open a file that, if it is new, only its owner can read: an ``opener`` for ``open``."""
    return os.open(path, flags, 0o600)


def make_private_folder(folder: Path) -> None:
    """Create the folder and those above it that are missing, for their owner only."""
    if not folder.parent.is_dir():
        make_private_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def html_files(folder: Path) -> list[Path]:
    """Return the files in the folder, at any depth, whose names have one of :data:`ENDINGS`."""
    named = (path for path in folder.rglob("*") if path.name.lower().endswith(ENDINGS))
    return sorted(path for path in named if path.is_file())


def read_body(stream: Readable, max_bytes: int) -> bytes:
    """Return the page's bytes, at most ``max_bytes`` and one more, which shows that there are more.

    Gzip data is not unpacked here. Of gzip data, at most :data:`MAX_GZIP_BYTES` bytes and one more
    are returned, if ``max_bytes`` is less.
    """
    body = read_at_most(stream, max_bytes + 1)
    packed = body.startswith(_GZIP)
    return body + read_at_most(stream, MAX_GZIP_BYTES + 1 - len(body)) if packed else body


def read_at_most(stream: Readable, most: int) -> bytes:
    """Return at most ``most`` bytes. Reads in parts, since a reader allocates each size at once."""
    body = bytearray()
    while len(body) < most:
        size = min(_CHUNK_BYTES, most - len(body))
        chunk = stream.read(size)
        body += chunk
        if len(chunk) < size:  # the end; a terminal would wait for more input
            break
    return bytes(body)


def json_lines(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield (position, value) of each line that is not blank; a position: ``"a.jsonl, line 3"``.

    Raises ``OSError`` if the file cannot be read, and ``ValueError`` with the file and the line if
    a line is not JSON in UTF-8.
    """
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            where = f"{file}, line {number}"
            try:
                text = line.decode("utf-8")
                value = json.loads(text) if text.strip() else None
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{where} is not JSON in UTF-8 ({error})") from error
            if text.strip():
                yield where, value
