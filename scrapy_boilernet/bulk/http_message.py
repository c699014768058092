"""Reads HTTP responses as crawlers store them: status, headers, and bodies as they were sent."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from scrapy_boilernet.bulk.compression import ZSTD, zstd
from scrapy_boilernet.metadata import opt_outs

_STATUS = re.compile(rb"HTTP/\d+(?:\.\d+)?[ \t]+(\d{3})\b")
_FOLDED = re.compile(rb"\r?\n[ \t]+")
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s"';,]+)""", re.IGNORECASE)
_OPT_OUT_FIELDS = ("x-robots-tag", "tdm-reservation", "tdm-policy")
MAX_HEADER_BYTES = 1 << 20


class BrokenBodyError(ValueError):
    """The body is not encoded as its header says, or its coding is not supported."""


@dataclass(frozen=True)
class HttpHead:
    """The fields of a response's head that are used."""

    status: int | None
    mime: str
    """The type without parameters, lower-case; "" if none is declared."""
    charset: str | None
    codings: tuple[str, ...]
    """The codings of the body, in the order of their use: ``("gzip", "chunked")``. Lower-case."""
    opt_out: str = ""
    """What the fields state against the use in training, as in ``PageJob``."""


def parse_http(message: bytes) -> tuple[HttpHead, bytes]:
    """Return (head, body as sent) of a response; raises ``ValueError`` for other data."""
    line = _STATUS.match(message)
    if line is None:
        raise ValueError("not an HTTP response")
    end, length = _end_of_head(message)
    headers = headers_of(message[message.find(b"\n") + 1 : end])
    return head_of(headers, int(line[1])), message[end + length :]


def _end_of_head(message: bytes) -> tuple[int, int]:
    """Return (where the head ends, how many bytes separate it from the body)."""
    for blank in (b"\r\n\r\n", b"\n\n"):
        if (end := message.find(blank, 0, MAX_HEADER_BYTES)) >= 0:
            return end, len(blank)
    if len(message) >= MAX_HEADER_BYTES:
        raise ValueError(f"no end of the HTTP headers in {MAX_HEADER_BYTES} bytes")
    return len(message), 0


def headers_of(lines: bytes) -> dict[str, str]:
    """Return the fields by their lower-case names; the values of a repeated field are joined."""
    fields: dict[str, str] = {}
    for line in _FOLDED.sub(b" ", lines).splitlines():
        name, colon, value = line.partition(b":")
        if colon:
            key, text = name.strip().lower().decode("latin-1"), value.strip().decode("latin-1")
            fields[key] = f"{fields[key]}, {text}" if key in fields else text
    return fields


def head_of(headers: dict[str, str], status: int | None) -> HttpHead:
    """Return the head with these header fields, whose names are lower-case."""
    declared = headers.get("content-type", "")
    charset = _CHARSET.search(declared)
    packed = (headers.get(name, "") for name in ("content-encoding", "transfer-encoding"))
    codings = [coding.strip().lower() for value in packed for coding in value.split(",")]
    return HttpHead(
        status=status,
        mime=re.split("[;,]", declared, maxsplit=1)[0].strip().lower(),
        charset=charset[1] if charset else None,
        codings=tuple(coding for coding in codings if coding and coding != "identity"),
        opt_out=" ".join(opt_outs(*([headers.get(name, "")] for name in _OPT_OUT_FIELDS))),
    )


def decoded_body(body: bytes, codings: tuple[str, ...], max_bytes: int) -> bytes:
    """Return the body without its codings, at most ``max_bytes`` bytes and one more.

    Archives often contain bodies that were unpacked already, with the original header. So a body
    that does not look packed is left as it is. Raises :class:`BrokenBodyError` for a coding that is
    unknown or whose package is missing, or if no byte could be unpacked.
    """
    for coding in reversed(codings):
        body = _DECODERS.get(coding, _unknown(coding))(body, max_bytes + 1)
    return body[: max_bytes + 1]


def _unchunked(body: bytes, most: int) -> bytes:
    """Return the chunks' bytes; from a missing or wrong length on, all bytes as they are."""
    whole = bytearray()
    at = 0
    while at < len(body) and len(whole) < most:
        end = body.find(b"\n", at, at + 1000)
        size = _chunk_size(body[at:end]) if end >= 0 else None
        if size is None:
            return bytes(whole + body[at:])
        if size == 0:
            break
        whole += body[end + 1 : end + 1 + size]
        at = end + 1 + size
        at += 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
    return bytes(whole)


def _chunk_size(line: bytes) -> int | None:
    digits = line.partition(b";")[0].strip()
    return int(digits, 16) if re.fullmatch(rb"[0-9a-fA-F]{1,15}", digits) else None


def _gunzipped(body: bytes, most: int) -> bytes:
    if not body.startswith(b"\x1f\x8b"):
        return body
    return _inflated(body, zlib.decompressobj(31), most)


def _deflated(body: bytes, most: int) -> bytes:
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):  # with and without the zlib header
        try:
            return _inflated(body, zlib.decompressobj(bits), most)
        except BrokenBodyError:
            continue
    return body


def _inflated(body: bytes, inflate: Any, most: int) -> bytes:
    """Return at most ``most`` bytes, up to the place where the data is damaged or cut off."""
    whole = bytearray()
    try:
        while body and not inflate.eof and len(whole) < most:
            whole += inflate.decompress(body, min(1 << 20, most - len(whole)))
            body = inflate.unconsumed_tail
    except zlib.error as error:
        if not whole:
            raise BrokenBodyError(f"the body is not packed as its header says: {error}") from error
    return bytes(whole)


def _unbrotlied(body: bytes, most: int) -> bytes:
    if body.lstrip()[:1] == b"<":
        return body
    try:
        brotli = import_module("brotli")
    except ImportError as error:
        raise BrokenBodyError(
            "a body packed with Brotli needs the package brotli; "
            "pip install '.[bulk]' in a checkout"
        ) from error
    try:
        decoder = brotli.Decompressor()
        whole = bytearray(decoder.process(body, output_buffer_limit=1 << 20))
        while len(whole) < most and not decoder.is_finished():
            piece = decoder.process(b"", output_buffer_limit=1 << 20)
            if not piece:
                break
            whole += piece
    except brotli.error as error:
        raise BrokenBodyError(f"the body is not Brotli, as its header says: {error}") from error
    return bytes(whole)


def _unzstd(body: bytes, most: int) -> bytes:
    if not body.startswith(ZSTD):
        return body
    try:
        module = zstd()
    except ImportError as error:
        raise BrokenBodyError(str(error)) from error
    decoder = module.ZstdDecompressor()
    try:
        whole = bytearray(decoder.decompress(body, 1 << 20))
        while len(whole) < most and not decoder.eof and not decoder.needs_input:
            whole += decoder.decompress(b"", 1 << 20)
    except module.ZstdError as error:
        raise BrokenBodyError(f"the body is not Zstandard, as its header says: {error}") from error
    return bytes(whole)


def _unknown(coding: str) -> Callable[[bytes, int], bytes]:
    def fail(body: bytes, most: int) -> bytes:
        if body.lstrip()[:1] == b"<":
            return body[:most]
        raise BrokenBodyError(f"the body is packed with {coding!r}, which is unknown")

    return fail


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "chunked": _unchunked,
    "gzip": _gunzipped,
    "x-gzip": _gunzipped,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unzstd,
}
