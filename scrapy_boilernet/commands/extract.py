"""Extract main text from files, folders, URLs or standard input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from http.client import HTTPException
from pathlib import Path
from typing import TextIO
from urllib.request import Request, urlopen

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from scrapy_boilernet.choices import CHOICES, ENGINES, FAVORS, HIDDEN
from scrapy_boilernet.commands import deferred
from scrapy_boilernet.commands.output import FORMATS, complain, for_terminal, opened, written
from scrapy_boilernet.config import Config, ConfigError, SettingsLike
from scrapy_boilernet.extract import extract
from scrapy_boilernet.labeled import LabeledPage
from scrapy_boilernet.labelers import ModelError
from scrapy_boilernet.progress import progress

SUFFIXES = frozenset({".html", ".htm", ".xhtml"})
STANDARD_INPUT = "-"
TIMEOUT_SECONDS = 30
MAX_DOWNLOAD_BYTES = 50_000_000


@dataclass(frozen=True)
class Source:
    """A page that waits to be read."""

    name: str
    """The path or URL as given; ``-`` for standard input."""
    location: Path | str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the action's arguments."""
    parser.add_argument(
        "sources", nargs="*", default=[STANDARD_INPUT], metavar="FILE|DIR|URL",
        help="pages; a folder is searched for .html, .htm and .xhtml; - or none: standard input",
    )  # fmt: skip
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--blocks", action="store_true", help="jsonl: every block with its label")
    parser.add_argument(
        "-o", "--output", type=Path, help="file to write (default: standard output)"
    )
    parser.add_argument("--model", help="name or folder of a model (default: BOILERNET_MODEL)")
    parser.add_argument("--threshold", type=float, help="in [0, 1] (default: by BOILERNET_*)")
    parser.add_argument("--favor", choices=FAVORS, help="(default: BOILERNET_FAVOR)")
    parser.add_argument(
        "--no-fallback", dest="fallback", action="store_const", const=(),
        help="leave a page empty of which the model keeps nothing (default: BOILERNET_FALLBACK)",
    )  # fmt: skip
    parser.add_argument("--title", choices=CHOICES, help="(default: BOILERNET_TITLE)")
    parser.add_argument("--comments", choices=CHOICES, help="(default: BOILERNET_COMMENTS)")
    parser.add_argument("--hidden", choices=HIDDEN, help="(default: BOILERNET_HIDDEN)")
    parser.add_argument("--engine", choices=ENGINES, help="(default: BOILERNET_ENGINE)")
    parser.add_argument("--device", help="such as cuda (default: BOILERNET_DEVICE)")
    parser.add_argument("--encoding", help="encoding that ranks above what the pages declare")
    deferred.add_arguments(parser)


def run(options: argparse.Namespace, settings: BaseSettings | None = None) -> int:
    """Extract, with a project's settings where an option is not given.

    Returns 1 if any source could not be read, else 0.
    """
    if options.threshold is not None and not 0 <= options.threshold <= 1:
        raise UsageError(f"--threshold {options.threshold} is outside [0, 1]", print_help=False)
    try:
        config = config_of(options, settings or {})
    except ConfigError as error:
        raise UsageError(str(error), print_help=False) from error
    stored = deferred.Stored.of(options)
    sources = [] if stored else list(sources_of(options.sources))
    try:
        with opened(options.output) as out:
            if stored:
                failures = stored.extract(options, config, out)
            else:
                failures = _extract_all(sources, options, config, out)
    except ModelError as error:
        raise UsageError(str(error), print_help=False) from error
    except BrokenPipeError:  # such as "| head"
        sys.stdout = None  # nothing is left to flush at exit
        return 0
    return 1 if failures else 0


def config_of(options: argparse.Namespace, settings: SettingsLike) -> Config:
    """The project's config, with the options that are given in their settings' places."""
    names = (
        "model", "engine", "device", "threshold", "favor", "fallback", "title", "comments",
        "hidden",
    )  # fmt: skip
    given = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    if "threshold" in given:  # what the option says goes before what a page's domain says
        given["domain_thresholds"] = {}
    return replace(Config.from_settings(settings), **given)


def _extract_all(
    sources: Sequence[Source], options: argparse.Namespace, config: Config, out: TextIO
) -> int:
    """Write one result per source; return how many could not be read or labeled."""
    failures, number = 0, len(sources)
    for source in progress(sources, number, "extract") if number > 1 else sources:
        try:
            page = read_source(source)
        except (OSError, HTTPException, ValueError) as error:
            complain(f"cannot read {source.name}: {error}")
            failures += 1
            continue
        try:
            result = _extracted(*page, options, config)
        except ModelError:
            raise
        except Exception as error:  # a labeler from outside may fail on a page
            complain(f"cannot label {source.name}: {error!r}")
            failures += 1
            continue
        if result.source != "model":  # no text is missing, or found by other means, in silence
            found = f"main text found by: {result.source}"
            nothing = result.source == "nothing"
            complain(f"{source.name}: {'no main text found' if nothing else found}")
        out.write(for_terminal(written(source.name, result, options, config, number), out))
    return failures


def _extracted(
    html: bytes,
    url: str | None,
    encoding: str | None,
    options: argparse.Namespace,
    config: Config,
) -> LabeledPage:
    return extract(
        html,
        url=url,
        encoding=options.encoding or encoding,
        model=config.model,
        threshold=config.threshold_for(url),
        engine=config.engine,
        device=config.device,
        favor=config.favor,
        fallback=config.fallback,
        title=config.title,
        comments=config.comments,
        hidden=config.hidden,
    )


def sources_of(names: list[str]) -> Iterator[Source]:
    """Yield the pages behind the names; raises ``UsageError`` for a file that is not there."""
    for name in names:
        if name == STANDARD_INPUT or name.startswith(("http://", "https://")):
            yield Source(name, name)
            continue
        path = Path(name)
        if path.is_dir():
            for file in sorted(path.rglob("*")):
                if file.suffix.lower() in SUFFIXES and file.is_file():
                    yield Source(str(file), file)
        elif path.is_file():
            yield Source(name, path)
        else:
            raise UsageError(
                f"no file, folder or http(s) URL {name!r}; use - for standard input",
                print_help=False,
            )


def read_source(source: Source) -> tuple[bytes, str | None, str | None]:
    """Return (bytes, URL, encoding of the response header)."""
    if isinstance(source.location, Path):
        return source.location.read_bytes(), None, None
    if source.location == STANDARD_INPUT:
        return sys.stdin.buffer.read(), None, None
    headers = {"User-Agent": "scrapy-boilernet", "Accept": "text/html"}
    request = Request(source.location, headers=headers)  # noqa: S310 - http(s) only, by _sources
    with urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
        body = response.read(MAX_DOWNLOAD_BYTES + 1)
        if len(body) > MAX_DOWNLOAD_BYTES:
            raise ValueError(f"more than {MAX_DOWNLOAD_BYTES} bytes; download it to a file first")
        return body, response.url, response.headers.get_content_charset()
