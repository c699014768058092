"""Write WARC files of labeled sets as a crawler does: a gzip member per response."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


def pages_of(sets: Sequence[Path]) -> Iterator[tuple[str, bytes]]:
    """Yield (URL, body) of every page of the sets, which are ``.tar.xz`` archives."""
    for path in sets:
        yield from _pages(path)


def _pages(path: Path) -> Iterator[tuple[str, bytes]]:
    bodies: dict[str, bytes] = {}
    rows: list[dict[str, Any]] = []
    with tarfile.open(path, "r:xz") as archive:
        for member in archive:
            name = PurePosixPath(member.name)
            if not member.isreg():
                continue
            if name.name == "pages.jsonl" and len(name.parts) == 2:
                rows = [json.loads(line) for line in archive.extractfile(member) or ()]
            elif len(name.parts) == 3 and name.parts[1] == "html":
                file = archive.extractfile(member)
                bodies[name.stem] = file.read() if file else b""
    for row in rows:
        if str(row["id"]) in bodies:
            url = row.get("url") or f"https://{path.name.partition('.')[0]}.example/{row['id']}"
            yield url, bodies[str(row["id"])]


def write_archives(sets: Sequence[Path], folder: Path, files: int) -> list[Path]:
    """Write each page into two of ``files`` WARC files, in turn, and return the files.

    So each file has a similar share of each set, and with two or more files no page twice. Files
    that exist are not written again.
    """
    paths = [folder / f"pages-{files}-{number:02}.warc.gz" for number in range(files)]
    if all(path.exists() for path in paths):
        return paths
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = [path.with_suffix(".unfinished") for path in paths]
    outs = [path.open("wb") for path in unfinished]
    for number, (url, body) in enumerate(pages_of(sets)):
        member = gzip.compress(record(url, body), 6)
        outs[number % files].write(member)
        outs[(number + files // 2) % files].write(member)
    for out, temporary, path in zip(outs, unfinished, paths, strict=True):
        out.close()
        temporary.replace(path)
    return paths


def record(url: str, body: bytes) -> bytes:
    """Return a page's response as a WARC record."""
    block = _HEAD + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n"
        "WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode("utf-8", "replace") + block + b"\r\n\r\n"
