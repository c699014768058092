"""Finds and reads the files of pages in a folder, and reads files of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

ENDINGS = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
"""Endings of the file names that a folder is searched for, in upper or lower case."""
MAX_GZIP_BYTES = 50_000_000
"""Bytes of gzip data that are read of a page; more only if a page may have more bytes than that."""
_CHUNK_BYTES = 1 << 20
_GZIP = b"\x1f\x8b"


class Readable(Protocol):
    """A file, a pipe or a response, open for bytes."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes; fewer only at the end."""
        ...


def html_files(folder: Path) -> list[Path]:
    """Return the files in the folder, at any depth, whose names have one of the endings."""
    named = (path for path in folder.rglob("*") if path.name.lower().endswith(ENDINGS))
    return sorted(path for path in named if path.is_file())


def read_body(stream: Readable, max_bytes: int) -> bytes:
    """Return the page's bytes, at most ``max_bytes`` and one more, which shows that there are more.

    Of gzip, which is not unpacked here, up to :data:`MAX_GZIP_BYTES` and one more, if that is more.
    """
    body = _read(stream, max_bytes + 1)
    packed = body.startswith(_GZIP)
    return body + _read(stream, MAX_GZIP_BYTES + 1 - len(body)) if packed else body


def _read(stream: Readable, most: int) -> bytes:
    """Up to ``most`` bytes, read in parts: a reader allocates all bytes that it is asked for."""
    body = bytearray()
    while len(body) < most:
        size = min(_CHUNK_BYTES, most - len(body))
        chunk = stream.read(size)
        body += chunk
        if len(chunk) < size:  # the end; a terminal would wait for another one
            break
    return bytes(body)


def json_lines(file: Path) -> Iterator[tuple[str, Any]]:
    """Yield (position, such as ``"a.jsonl, line 3"``, value) of each line that is not blank.

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
