"""WARC files for tests."""

from __future__ import annotations

import gzip
from collections.abc import Iterable

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
TIME = "2026-03-01T12:00:00Z"


def warc_record(
    url: str,
    block: bytes,
    kind: str = "response",
    mime: str = "application/http; msgtype=response",
    length: int | None = None,
) -> bytes:
    """Return a WARC record; ``length``: the length in its header, by default the true one."""
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {TIME}\r\n"
        f"Content-Type: {mime}\r\nContent-Length: {len(block) if length is None else length}\r\n"
    )
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"


def warc_of(pages: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a WARC file, packed by record, of these pages as responses with the status 200."""
    return b"".join(gzip.compress(warc_record(url, RESPONSE + body), 1) for url, body in pages)
