"""The page in a row of JSON lines, a table or a database."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Container, Iterable, Mapping
from datetime import date
from itertools import chain, islice
from typing import Any

from scrapy_boilernet.bulk.http_message import http_status
from scrapy_boilernet.bulk.pages import Entry, Pointed, RawPage, Reading
from scrapy_boilernet.bulk.warc import Damage, Position

HTML_FIELDS = ("html", "body", "browserHtml", "httpResponseBody", "content")
"""The fields of rows that are searched for a page, in this order."""
POINTER_FIELDS = (
    ("filename", "offset", "length"),
    ("warc_filename", "warc_record_offset", "warc_record_length"),
)
"""The fields that say where the record of a page is: those of CDXJ, and of Common Crawl's table."""
TIME_FIELDS = ("fetched", "timestamp")
_BASE64_FIELD = "httpResponseBody"
_ROW_BYTES_PER_BYTE, _MORE_ROW_BYTES = 4, 1_000_000
"""A row may have so many times the largest page's bytes, and so many more for its other fields.
JSON with only ASCII characters writes two bytes of UTF-8 as six."""
_PART = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[,\[{]', re.DOTALL)
_MAX_PARTS = 300_000
"""The most texts, commas and brackets of a row. Empty lists take twenty times the row's bytes."""
_MAX_TIME_CHARS = 100
_LENGTH = re.compile(r"\d{1,15}")
_SHOWN_FIELDS, _SHOWN_CHARS = 20, 40
"""Of a row without a page, so many names of fields are shown, and so much of each."""
NO_HTML_FIELD = "NoHtmlField"
"""The kind of a failure of a row without a page, in a file that is not damaged."""


class _NoHtmlFieldError(ValueError):
    """A row without a page."""


def max_row_bytes(max_bytes: int) -> int:
    """Return how many bytes a row may have whose page has at most ``max_bytes``."""
    return _ROW_BYTES_PER_BYTE * max_bytes + _MORE_ROW_BYTES


def columns_of(reading: Reading) -> tuple[str, ...]:
    """Return the names of the fields that are read, for files whose fields are read one by one."""
    html = (reading.html_field,) if reading.html_field else HTML_FIELDS
    html = html if reading.html_field else (*html, *chain(*POINTER_FIELDS))
    others = (reading.url_field or "url", reading.charset_field or "", "status", *TIME_FIELDS)
    return (*html, *others, *(name for name, _ in reading.keep))


def json_page(
    text: bytes, where: str, source: str, position: Position, reading: Reading
) -> Entry | Pointed:
    """Return the item of a row that is written as JSON."""
    if sum(1 for _ in islice(_PART.finditer(text), _MAX_PARTS + 1)) > _MAX_PARTS:
        return Damage(f"{where}: more than {_MAX_PARTS:,} texts, commas and brackets", position)
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        return Damage(f"{where}: {error}", position)
    if not isinstance(row, dict):
        return Damage(f"{where}: not a JSON object", position)
    return row_page(row, where, source, position, reading)


def row_page(
    row: Mapping[str, Any], where: str, source: str, position: Position, reading: Reading
) -> Entry | Pointed:
    """Return the page of a row, or where it is, or why it has none.

    A page is a text or bytes, or base64 of bytes: in the field ``httpResponseBody``, and in all if
    the reading says so. Other fields that are read: the URL, ``status``, and ``fetched`` or
    ``timestamp``. ``where``: the row, for messages; ``source``: its file.
    """
    try:
        kept = tuple((new, plain(row.get(name))) for name, new in reading.keep)
        if pointer := _pointer(row, reading):
            return Pointed(*pointer, position, kept)
        body, encoding = _body(row, reading)
    except _NoHtmlFieldError as error:
        return Damage(f"{where}: {error}", position, NO_HTML_FIELD)
    except (ValueError, RecursionError) as error:
        return Damage(f"{where}: {error}", position)
    url, charset = row.get(reading.url_field or "url"), row.get(reading.charset_field or "")
    fetched = next((row[name] for name in TIME_FIELDS if _is_time(row.get(name))), None)
    return RawPage(
        source=source,
        body=body,
        position=position,
        url=url if isinstance(url, str) and url else None,
        fetched=None if fetched is None else str(plain(fetched))[:_MAX_TIME_CHARS],
        status=http_status(row.get("status")),
        charset=charset[:_SHOWN_CHARS] if isinstance(charset, str) else None,
        encoding=encoding,
        kept=kept,
    )


def _is_time(value: Any) -> bool:
    return (type(value) in (str, int, float) and bool(value)) or isinstance(value, date)


def _pointer(row: Mapping[str, Any], reading: Reading) -> tuple[str, int, int] | None:
    """Return (file, offset, length) of the record that the row points to; None if it has a page."""
    if reading.html_field or any(_is_page(row.get(name)) for name in HTML_FIELDS):
        return None
    for names in POINTER_FIELDS:
        file, *numbers = (row.get(name) for name in names)
        if isinstance(file, str) and all(_LENGTH.fullmatch(str(one)) for one in numbers):
            return file, int(str(numbers[0])), int(str(numbers[1]))
    return None


def _is_page(value: Any) -> bool:
    return isinstance(value, str | bytes) and bool(value)


def has_pages(columns: Container[str], reading: Reading) -> bool:
    """Return whether rows with these fields may have pages, or point to them."""
    html = (reading.html_field,) if reading.html_field else HTML_FIELDS
    pointed = () if reading.html_field else POINTER_FIELDS
    return any(one in columns for one in html) or any(
        all(one in columns for one in names) for names in pointed
    )


def no_page(columns: Iterable[str], reading: Reading) -> str:
    """Return the message for a row, or a table, with these fields, of which none has a page."""
    wanted = (reading.html_field,) if reading.html_field else HTML_FIELDS
    names = [*columns]
    there = ", ".join(repr(str(one)[:_SHOWN_CHARS]) for one in names[:_SHOWN_FIELDS])
    more = f" and {len(names) - _SHOWN_FIELDS} more" if len(names) > _SHOWN_FIELDS else ""
    return (
        f"no text in {' or '.join(map(repr, wanted))}; name the field with --html-field, out of "
        f"{there or 'none'}{more}"
    )


def _body(row: Mapping[str, Any], reading: Reading) -> tuple[bytes, str | None]:
    """Return (the page's bytes, their encoding if it is known).

    Of a page with more bytes, ``max_bytes`` and some more are returned.

    Raises ``ValueError`` if the row has no page.
    """
    names = (reading.html_field,) if reading.html_field else HTML_FIELDS
    name = next((name for name in names if isinstance(row.get(name), str | bytes)), None)
    if name is None:
        raise _NoHtmlFieldError(no_page(row, reading))
    value = row[name]
    if reading.is_base64 or (name == _BASE64_FIELD and isinstance(value, str)):
        return base64.b64decode(value, validate=True)[: reading.max_bytes + 1], None
    if isinstance(value, bytes):
        return value[: reading.max_bytes + 1], None
    return value[: reading.max_bytes + 1].encode("utf-8", "replace"), "utf-8"


def plain(value: Any) -> Any:
    """Return the value of a field as plain JSON: bytes as base64, dates in ISO 8601.

    Numbers that JSON does not have are None.
    """
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else None
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [*map(plain, value)]
    return str(value)
