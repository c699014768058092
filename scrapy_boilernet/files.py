"""Finds and reads the files of pages in a folder, and reads files of JSON lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
"""The endings of names of HTML files, in upper or lower case."""
MAX_GZIP_BYTES = 50_000_000
"""The most bytes of gzip data that are read of a page, unless the limit of a page is higher."""
_CHUNK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"
_ADDRESS = re.compile(r"\s*([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
"""A URL, not the drive of a path of Windows, which has one letter."""


class Readable(Protocol):
    """A file, a pipe or a response, open for bytes."""

    def read(self, size: int, /) -> bytes:
        """Return ``size`` bytes; fewer only at the end."""
        ...


def local_path(path: str) -> str:
    """Return the path; raises ``ValueError`` if it is a URL, such as ``s3://bucket/pages``.

    As a path, a URL would become a local folder with the name ``s3:``.
    """
    url = _ADDRESS.match(path)
    if url:
        raise ValueError(
            f"{url[1]}:// addresses cannot be read or written here; name a path on a local disk, "
            "and copy the files before or after the run"
        )
    return path


def html_files(folder: Path) -> list[Path]:
    """Return the files in the folder, at any depth, whose names have one of :data:`ENDINGS`."""
    named = (path for path in folder.rglob("*") if path.name.lower().endswith(ENDINGS))
    return sorted(path for path in named if path.is_file())


def read_body(stream: Readable, max_bytes: int) -> bytes:
    """Return the page's bytes, at most ``max_bytes`` and one more, which shows that there are more.

    Gzip data is not unpacked here. Of gzip data, at most :data:`MAX_GZIP_BYTES` bytes and one more
    are returned, if ``max_bytes`` is less.
    """
    body = _read(stream, max_bytes + 1)
    packed = body.startswith(_GZIP)
    return body + _read(stream, MAX_GZIP_BYTES + 1 - len(body)) if packed else body


def _read(stream: Readable, most: int) -> bytes:
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
