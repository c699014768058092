"""Files of pages: which of a folder they are, and how much is read of one."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

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
