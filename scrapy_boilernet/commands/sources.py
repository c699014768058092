"""Pages from files, folders, URLs and standard input, read up to their limits."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from io import BufferedReader, BytesIO
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from scrapy.exceptions import UsageError

from scrapy_boilernet.bulk.inputs import (
    STANDARD_INPUT,
    inputs_of,
    read_page,
    refusal,
    standard_input,
)
from scrapy_boilernet.extractor.metadata import OPT_OUT_FIELDS, opt_outs
from scrapy_boilernet.extractor.options import Format
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.files import ENDINGS, ENDINGS_TEXT, read_body
from scrapy_boilernet.workers.jobs import PageJob
from scrapy_boilernet.workers.progress import say

_UNPRINTABLE = r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
TIMEOUT_SECONDS = 30
MAX_DOWNLOAD_BYTES = 50_000_000
MAX_SHOWN = 5
"""So many files that were left out are named."""
UNREADABLE = (OSError, HTTPException, ValueError, ImportError)
"""The exceptions that reading a source may raise."""


@dataclass(frozen=True)
class Source:
    """A page to be read."""

    name: str
    """The path or URL as given; ``-`` for standard input."""
    location: Path | str

    @property
    def shown_name(self) -> str:
        """The page's name in messages."""
        return "standard input" if self.location == STANDARD_INPUT else self.name


def is_url(name: str) -> bool:
    """Return whether the name is the address of a page, which is downloaded."""
    return name.startswith(("http://", "https://"))


def sources_of(names: Sequence[str], url: str | None = None) -> list[Source]:
    """Return the pages of the names: files, folders, URLs, or ``-``.

    Raises ``UsageError`` for a missing file, files of which none can be read, a folder without
    pages, an invalid ``url``, or a ``url`` for several pages.
    """
    if url is not None:
        _check_url(url, names)
    if reason := refusal(names):
        raise UsageError(reason, print_help=False)
    return [source for name in names for source in _sources(name)]


def _check_url(url: str, names: Sequence[str]) -> None:
    try:
        host = urlsplit(url).hostname
    except ValueError:  # such as "http://[::1"
        host = None
    if not host:
        raise UsageError(
            f"--url {url}: give the whole address, such as https://example.com/1.html",
            print_help=False,
        )
    if len(names) > 1 or any(Path(name).is_dir() for name in names):
        raise UsageError(
            f"--url {url} is the address of one page, but several are given: {', '.join(names)}; "
            "name one file",
            print_help=False,
        )


def _sources(name: str) -> list[Source]:
    path = Path(name)
    if name == STANDARD_INPUT or is_url(name):
        return [Source(name, name)]
    if path.is_file():
        return [Source(name, path)]
    if not path.is_dir():
        raise UsageError(
            f"no file, folder or http(s) URL {name!r}; use - for standard input",
            print_help=False,
        )
    return _sources_in(name)


def _sources_in(folder: str) -> list[Source]:
    """Return the pages in a folder, by the endings of their names; say which files are left out."""
    sources: list[Source] = []
    others: list[str] = []
    for found in inputs_of([folder]):
        path = Path(found.path)
        if found.kind == "file" and path.name.lower().endswith(ENDINGS):
            sources.append(Source(str(path), path))
        else:
            others.append(found.path)
    remedy = f"it is searched for {ENDINGS_TEXT}; name files with other endings one by one"
    listed = f" (left out: {first_of(others, len(others))})" if others else ""
    if not sources:
        raise UsageError(f"no page in the folder {folder}: {remedy}{listed}", print_help=False)
    if others:
        say(f"not all files of the folder {folder} are read: {remedy}{listed}")
    return sources


def first_of(names: Sequence[str], number: int) -> str:
    """Return the first names for a message, and how many there are besides.

    >>> first_of(["a.png", "b.css"], 9)
    'a.png, b.css and 7 more'
    """
    shown = [re.sub(_UNPRINTABLE, "\ufffd", name) for name in names[:MAX_SHOWN]]
    more = number - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def page_job(
    source: Source,
    options: argparse.Namespace,
    config: Config,
    *,
    rows: bool = False,
    formats: tuple[Format, ...] = (),
) -> PageJob:
    """Read the source and return it as a worker's job; raises one of :data:`UNREADABLE`."""
    body, url, charset, opt_out = _read(source, config.max_bytes)
    url = options.url or url
    return PageJob(
        body=body,
        url=url,
        options=config.label_options(url),
        limits=config.limits,
        charset=charset,
        encoding=options.encoding,
        rows=rows,
        formats=formats,
        detect_language=config.detect_language,
        opt_out=opt_out,
    )


def _read(source: Source, max_bytes: int) -> tuple[bytes, str | None, str | None, str]:
    """Return at most ``max_bytes`` + 1 bytes, and of a response URL, charset and opt-outs."""
    if isinstance(source.location, Path):
        with source.location.open("rb") as file:
            return read_page(file, source.name, max_bytes), None, None, ""
    if source.location == STANDARD_INPUT:
        return read_page(standard_input(), STANDARD_INPUT, max_bytes), None, None, ""
    headers = {"User-Agent": "scrapy-boilernet", "Accept": "text/html"}
    request = Request(source.location, headers=headers)  # noqa: S310 - http(s) only, by _sources
    with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
        body = read_body(response, min(max_bytes, MAX_DOWNLOAD_BYTES))
        if len(body) > MAX_DOWNLOAD_BYTES:
            raise ValueError(f"more than {MAX_DOWNLOAD_BYTES} bytes; download it to a file first")
        file = BufferedReader(BytesIO(body))
        page = read_page(file, source.location, max_bytes)
        opt_out = opt_outs(*(response.headers.get_all(name, []) for name in OPT_OUT_FIELDS))
        return page, response.url, response.headers.get_content_charset(), " ".join(opt_out)
