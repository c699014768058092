"""Reads HTTP responses as crawlers store them: status, headers, and bodies as they were sent."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import Any

from scrapy_boilernet.bulk.compression import DamagedError, Members, is_packed
from scrapy_boilernet.extractor.metadata import OPT_OUT_FIELDS, opt_outs

_STATUS = re.compile(rb"(?:HTTP(?:/\d+(?:\.\d+)?)?|ICY)[ \t]++([1-9]\d\d)(?!\d)", re.IGNORECASE)
"""Some servers write ``http/1.1 200``, or ``ICY 200 OK`` as SHOUTcast does."""
_FOLDED = re.compile(rb"\r?\n[ \t]+")
_CHARSET = re.compile(r"""charset\s*+=\s*+["']?\s*+([^\s"';,]+)""", re.IGNORECASE)
"""Possessive, so that spaces after ``charset=`` do not take quadratic time."""
_NOT_IN_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_TAG = re.compile(rb"<[a-zA-Z/!?]")
_TEXT_BYTES = 1_000
"""By so many first bytes, a text is told from packed data."""
MAX_HEADER_BYTES = 1 << 20
MAX_CODINGS = 5
"""As in curl. Servers use one or two."""


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


def http_status(value: Any) -> int | None:
    """Return the value if it is the number of an HTTP status, else None."""
    return value if type(value) is int and 100 <= value <= 999 else None


def headers_of(lines: bytes) -> dict[str, str]:
    """Return the fields by their lower-case names; the values of a repeated field are joined."""
    fields: dict[str, list[str]] = {}
    for line in _FOLDED.sub(b" ", lines).splitlines():
        name, colon, value = line.partition(b":")
        if colon:
            key, text = name.strip().lower().decode("latin-1"), value.strip().decode("latin-1")
            fields.setdefault(key, []).append(text)
    return {key: ", ".join(texts) for key, texts in fields.items()}


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
        codings=tuple(one for one in codings if one and one != "identity")[: MAX_CODINGS + 1],
        opt_out=" ".join(opt_outs(*([headers.get(name, "")] for name in OPT_OUT_FIELDS))),
    )


def decoded_body(body: bytes, codings: tuple[str, ...], max_bytes: int) -> bytes:
    """Return the body without its codings, at most ``max_bytes`` bytes and one more.

    Archives often contain bodies that were unpacked already, with the original header. So a body
    that does not look packed is left as it is. Raises :class:`BrokenBodyError` for a coding that is
    unknown or whose package is missing, for more than :data:`MAX_CODINGS`, or if no byte could be
    unpacked.
    """
    if len(codings) > MAX_CODINGS:
        raise BrokenBodyError(f"the body is packed more than {MAX_CODINGS} times")
    for coding in reversed(codings):
        body = _DECODERS.get(coding, _unknown(coding))(body, max_bytes + 1)
    return body[: max_bytes + 1]


def _looks_unpacked(body: bytes) -> bool:
    """Return whether the body is a text by its first bytes."""
    return not _NOT_IN_TEXT.search(body, 0, _TEXT_BYTES)


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


def _unpacked(body: bytes, most: int) -> bytes:
    """Return the data of all gzip members or Zstandard frames, up to a damaged place."""
    if not is_packed(body):
        return body
    whole = bytearray()
    try:
        for piece in Members(BytesIO(body)).pieces():
            whole += piece.data
            if len(whole) >= most:
                break
    except ImportError as error:
        raise BrokenBodyError(str(error)) from error
    except DamagedError as error:
        if not whole:
            raise BrokenBodyError(f"the body is not packed as its header says: {error}") from error
    return bytes(whole[:most])


def _deflated(body: bytes, most: int) -> bytes:
    for bits in (zlib.MAX_WBITS, -zlib.MAX_WBITS):  # with and without the zlib header
        try:
            whole, ended = _inflated(body, zlib.decompressobj(bits), most)
        except BrokenBodyError:
            continue
        if ended or not _looks_unpacked(body):
            return whole
    return body


def _inflated(body: bytes, inflate: Any, most: int) -> tuple[bytes, bool]:
    """Return (at most ``most`` bytes, up to a damaged place; whether there is no such place)."""
    whole, ended = bytearray(), False
    try:
        while body and not inflate.eof and len(whole) < most:
            whole += inflate.decompress(body, min(1 << 20, most - len(whole)))
            body = inflate.unconsumed_tail
        ended = inflate.eof or len(whole) >= most
    except zlib.error as error:
        if not whole:
            raise BrokenBodyError(f"the body is not packed as its header says: {error}") from error
    return bytes(whole), ended


def _unbrotlied(body: bytes, most: int) -> bytes:
    if body.lstrip()[:1] == b"<":
        return body
    try:
        brotli = import_module("brotli")
    except ImportError as error:
        raise BrokenBodyError(
            "a body packed with Brotli needs the package brotli: pip install brotli"
        ) from error
    is_text = _looks_unpacked(body)
    try:
        decoder = brotli.Decompressor()
        whole = bytearray(decoder.process(body, output_buffer_limit=1 << 20))
        while len(whole) < most and not decoder.is_finished():
            piece = decoder.process(b"", output_buffer_limit=1 << 20)
            if not piece:
                break
            whole += piece
    except brotli.error as error:
        if is_text:
            return body
        raise BrokenBodyError(f"the body is not Brotli, as its header says: {error}") from error
    ended = decoder.is_finished() or len(whole) >= most
    return bytes(whole) if ended or not is_text else body


def _unknown(coding: str) -> Callable[[bytes, int], bytes]:
    def fail(body: bytes, most: int) -> bytes:
        if _looks_unpacked(body) and _TAG.search(body, 0, _TEXT_BYTES):
            return body[:most]
        raise BrokenBodyError(f"the body is packed with {coding!r}, which is unknown")

    return fail


_DECODERS: dict[str, Callable[[bytes, int], bytes]] = {
    "chunked": _unchunked,
    "gzip": _unpacked,
    "x-gzip": _unpacked,
    "deflate": _deflated,
    "br": _unbrotlied,
    "zstd": _unpacked,
}
