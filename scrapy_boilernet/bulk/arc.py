"""The records of ARC files, which crawlers wrote before there were WARC files."""

from __future__ import annotations

import re

from scrapy_boilernet.bulk.warc import Grammar

_LINE = (
    rb"[A-Za-z][A-Za-z0-9+.-]{0,30}:[^\n]{0,4000}? [\w.:%-]{1,60} \d{12,14} "
    rb"(?:[^\n]{0,1000} )?\d{1,15}\r?\n"
)
"""URL, IP address, time, type, perhaps other fields (version 2), length."""
_FIELDS = re.compile(
    r"(?P<url>\S.*?) [\w.:%-]{1,60} (?P<time>\d{12,14}) "
    r"(?P<mime>[^\n]*?) ?(?P<length>\d{1,15})\r?\Z",
    re.DOTALL,
)


def _headers(line: bytes) -> dict[str, str]:
    """Return the fields of a record's line, under the names that they have in WARC."""
    found = _FIELDS.match(line.decode("utf-8", "replace"))
    if found is None:
        return {}
    url, time = found["url"], found["time"].ljust(14, "0")
    is_http = url[:5].lower() in ("http:", "https")
    return {
        "warc-type": "response" if is_http else "warcinfo" if url[:9] == "filedesc:" else "record",
        "warc-target-uri": url,
        "warc-date": f"{time[:4]}-{time[4:6]}-{time[6:8]}T{time[8:10]}:{time[10:12]}:{time[12:]}Z",
        "content-type": "application/http" if is_http else found["mime"].partition(" ")[0],
        "content-length": found["length"],
    }


ARC = Grammar(
    "ARC",
    re.compile(_LINE),
    5_200,
    re.compile(rb"(?:^|\n)(?=" + _LINE + rb")"),
    (b"\n",),
    _headers,
    b"",
)
