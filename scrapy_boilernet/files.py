"""Files of pages and files of JSON lines: which of a folder they are, and how they are read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
"""Names of files that a folder is searched for end so, in upper or lower case."""
MAX_GZIP_BYTES = 50_000_000
"""Bytes of gzip data that are read, if a page may not have more than that anyway."""
_CHUNK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"


class Readable(Protocol):
    """A file, a pipe or a response, open for bytes."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes; fewer only at the end."""
        ...


def html_files(folder: Path) -> list[Path]:
    """Return the files in the folder, at any depth, whose names have one of the endings."""
    found = (path for path in folder.rglob("*") if path.name.lower().endswith(ENDINGS))
    return sorted(path for path in found if path.is_file())


def read_body(stream: Readable, max_bytes: int) -> bytes:
    """Return the page's bytes, at most one more than ``max_bytes``, by which it shows that there
    are more; gzip, which is yet to be unpacked, up to one more than :data:`MAX_GZIP_BYTES`, too.
    """
    body = _read(stream, max_bytes + 1)
    packed = body.startswith(_GZIP)
    return body + _read(stream, MAX_GZIP_BYTES + 1 - len(body)) if packed else body


def _read(stream: Readable, most: int) -> bytes:
    """The bytes up to so many; in parts, since a reader makes room for all that it is asked for."""
    found = bytearray()
    while len(found) < most:
        size = min(_CHUNK_BYTES, most - len(found))
        chunk = stream.read(size)
        found += chunk
        if len(chunk) < size:  # the end; a terminal would wait for another one
            break
    return bytes(found)


def json_lines(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield per line that is not blank where it stands, such as ``"a.jsonl, line 3"``, and its
    value.

    Raises ``OSError`` for a file that cannot be read, and ``ValueError``, naming file and line, for
    a line that is not JSON in UTF-8.
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
