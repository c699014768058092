"""Blocks for pipelines of datatrove: a reader that keeps the bytes of pages, and their labels.

The same pipeline runs with datatrove's executors: on one machine, on Ray and on Slurm.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import cache
from io import BufferedReader, RawIOBase
from threading import Thread
from typing import Any

import attrs
from datatrove.data import Document, Media, MediaType
from datatrove.io import DataFileLike, DataFolderLike
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers.base import BaseDiskReader
from datatrove.pipeline.writers.disk_base import DiskWriter
from datatrove.utils.logging import logger
from datatrove.utils.typeshelper import StatHints
from multiprocess import parent_process

from scrapy_boilernet.bulk.inputs import Input, OpenInput, Reading
from scrapy_boilernet.bulk.pages import RawPage, unwanted
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import Record, StoredJob, Unwanted, Wanted, kind_and_text
from scrapy_boilernet.bulk.warc import START, Damage
from scrapy_boilernet.config import Config, ConfigError, read_value
from scrapy_boilernet.labelers.registry import which_labeler
from scrapy_boilernet.options import formats_of

LABEL_SETTINGS = (
    "model", "engine", "batch_pages", "timeout", "threshold", "domain_thresholds",
    "favor", "fallback", "title", "comments", "captions", "hidden", "detect_language", "max_bytes",
    "over_max_bytes", "max_blocks", "over_max_blocks",
)  # fmt: skip
"""The settings that :class:`LabelPages` takes, by their names in ``Config``."""
_DEFAULTS = Config()
_READ_BYTES = 1 << 20
_OF_THE_BYTES = ("mime", "charset", "encoding", "codings")
"""What a document's media say of a page: how its bytes are to be read."""
_OF_THE_RECORD = ("source", "url", "fetched", "status")
"""What a document's metadata say of a page before it is labeled."""


class StorageError(Exception):
    """A file could not be read, though it may be whole: its task is to be run again."""


class PageReader(BaseDiskReader):
    """Reads the pages of stored crawls: WARC files, zip and tar archives, JSON lines, HTML files.

    A file's contents say what it is. Each task reads its share of the folder's files. A document
    has no text yet. Its ``media`` hold the page's bytes as they were sent, with the declared type,
    charset and codings; its ``metadata`` hold the file, the URL, when it was fetched and the HTTP
    status. A damaged record is logged and counted, and reading goes on after it.

    ``data_folder``, ``paths_file``, ``glob_pattern``, ``recursive``, ``limit``, ``skip`` and
    ``default_metadata`` are those of datatrove's readers. ``statuses`` and ``types``: which pages
    are kept; those that do not say them are, too. ``html_field``: the field of JSON lines that
    holds the page. ``max_bytes``: the most that is read of a page, and one more.

    Raises ``ConfigError`` for a value that cannot be meant. Reading raises :class:`StorageError`.
    """

    name = "📰 Stored pages"

    def __init__(
        self,
        data_folder: DataFolderLike,
        paths_file: DataFileLike | None = None,
        *,
        glob_pattern: str | None = None,
        recursive: bool = True,
        limit: int = -1,
        skip: int = 0,
        statuses: Iterable[int] = _DEFAULTS.statuses,
        types: Iterable[str] = _DEFAULTS.content_types,
        html_field: str | None = None,
        max_bytes: int = _DEFAULTS.max_bytes,
        default_metadata: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            data_folder, paths_file, limit=limit, skip=skip, recursive=recursive,
            glob_pattern=glob_pattern, default_metadata=default_metadata,
        )  # fmt: skip
        self.statuses = read_value("statuses", "PageReader: statuses", statuses)
        self.types = read_value("content_types", "PageReader: types", types)
        most = read_value("max_bytes", "PageReader: max_bytes", max_bytes)
        self.reading = Reading(most, html_field)

    def read_file(self, filepath: str) -> Iterator[Document]:
        """Yield the file's pages as documents."""
        path = self.data_folder.resolve_paths(filepath)
        source = Input(path, "file", named=False, size_bytes=0)
        items = OpenInput(source, self.reading, opened=lambda _: self._opened(filepath)).items()
        while True:
            with self.track_time():
                item = next(items, None)
            if item is None:
                return
            if isinstance(item, Damage):
                logger.warning(f"{path}, from byte {item.position.offset}: {item.reason}")
                self.stat_update("damaged")
            elif not isinstance(item, RawPage):
                self.stat_update(f"left_out_{item.reason}")
            elif reason := unwanted(item, self.statuses, self.types):
                self.stat_update(f"left_out_{reason}")
            else:
                yield self._document(item, filepath)

    def update_doc_stats(self, document: Document) -> None:
        """Count a page's bytes: a document has no text yet."""
        self.stat_update("bytes", value=len(document.media[0].media_bytes))

    def _document(self, page: RawPage, filepath: str) -> Document:
        skipped = f"+{page.position.skip}" if page.position.skip else ""
        name = f"{filepath}/{page.position.offset}{skipped}"
        how = {key: getattr(page, key) for key in _OF_THE_BYTES}
        media = Media(name, MediaType.DOCUMENT, page.url, media_bytes=page.body, metadata=how)
        metadata = {key: getattr(page, key) for key in _OF_THE_RECORD}
        return Document("", name, [media], {**(self.default_metadata or {}), **metadata})

    @contextmanager
    def _opened(self, filepath: str) -> Iterator[BufferedReader]:
        try:
            file = self.data_folder.open(filepath, "rb")
        except Exception as error:  # each file system has its own
            raise StorageError(f"{filepath}: {error!r}") from error
        with file:
            yield BufferedReader(_Stored(file, filepath), _READ_BYTES)


class _Stored(RawIOBase):
    """A file of any file system, of which a failure to read is not taken for damaged data."""

    def __init__(self, file: Any, name: str) -> None:
        self._file = file
        self._name = name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._file.seek(offset, whence))

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as error:  # each file system has its own
            raise StorageError(f"{self._name}: {error!r}") from error
        buffer[: len(data)] = data
        return len(data)


class LabelPages(PipelineStep):
    """Gives each document its main text, and in its metadata what a record of a stored page has.

    These are ``title``, ``main_text_confidence``, ``main_text_source``, ``digest`` and ``model``,
    and if asked for ``main_text_markdown``, ``main_text_html``, ``metadata``, ``block_labels`` and
    ``language``. The bytes of the page are dropped. The text of a document without media is taken
    for the page, so that other readers will do, too.

    The pages of a task are labeled in a process of their own, which loads the model once. A page
    that hangs longer than ``timeout`` seconds or ends that process costs that page alone. A page
    that fails, or whose confidence is below ``min_confidence``, is dropped and counted; it goes to
    the ``exclusion_writer``, if there is one, with ``filter_reason`` and ``error``.

    ``formats``: of ``"markdown"``, ``"html"`` and ``"metadata"``; ``with_blocks``: whether all
    blocks with their labels are kept; ``settings``: those of :data:`LABEL_SETTINGS`.

    Raises ``ConfigError`` for a value that cannot be meant, ``ModelError`` for an unknown model.
    Running raises ``ModelError`` if the model cannot be loaded, and
    :class:`~scrapy_boilernet.bulk.pool.WorkersEndedError`.
    """

    name = "🏷 Main text"
    type = "🛢 - EXTRAC"

    def __init__(
        self,
        *,
        formats: Iterable[str] = (),
        with_blocks: bool = False,
        min_confidence: float = 0.0,
        exclusion_writer: DiskWriter | None = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        if not 0 <= min_confidence <= 1:
            raise ConfigError(f"LabelPages: min_confidence = {min_confidence!r}: must be in [0, 1]")
        self.config = _label_config(formats, settings)
        self.wanted = Wanted(
            self.config.formats, with_blocks, self.config.detect_language, min_confidence
        )
        self.exclusion_writer = exclusion_writer

    def run(
        self, data: Iterable[Document], rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Yield the documents that have a main text, in their order."""
        _end_with_parent(os.getpid())
        with Pool(self.config) as pool, self.exclusion_writer or nullcontext() as writer:
            for document, outcome in pool.outcomes(data, self._job):
                self.stat_update(StatHints.total)
                if isinstance(outcome, Record):
                    self._fill(document, outcome)
                    yield document
                elif outcome is not None:  # each document has a job, and so an outcome
                    self._drop(document, outcome)
                    if writer:
                        writer.write(document, rank)
            if pool.workers.restarted:
                self.stat_update("workers_restarted", value=pool.workers.restarted)

    def _job(self, document: Document) -> StoredJob:
        url = document.metadata.get("url")
        if document.media:
            media = document.media[0]
            body = media.media_bytes or b""
            how = {key: media.metadata[key] for key in _OF_THE_BYTES if key in media.metadata}
        else:
            body = document.text.encode("utf-8", "replace")
            how = {"encoding": "utf-8"}
        known = url if isinstance(url, str) else None
        page = RawPage(source=document.id, body=body, position=START, url=known, **how)
        return StoredJob.of(page, self.config, self.wanted)

    def _fill(self, document: Document, record: Record) -> None:
        row = json.loads(record.line)
        document.text = row.pop("main_text")
        document.media = []
        document.metadata |= {key: row[key] for key in row if key not in _OF_THE_RECORD}
        self.stat_update(StatHints.forwarded)
        self.stat_update("blocks", value=record.blocks)
        self.stat_update("content_blocks", value=record.content)
        self.update_doc_stats(document)
        self.stats.time_stats.update(record.seconds)

    def _drop(self, document: Document, outcome: Unwanted | Exception) -> None:
        if isinstance(outcome, Unwanted):
            reason, error = outcome.reason, ""
        else:
            reason, error = kind_and_text(outcome)
        document.metadata |= {"filter_reason": reason, "error": error}
        self.stat_update(StatHints.dropped, f"dropped_{reason}")


def _label_config(formats: Iterable[str], settings: Mapping[str, Any]) -> Config:
    """The config of the labeling process: pages are not expected to come again, so none is kept."""
    values: dict[str, Any] = {"mode": "process", "cache_blocks": 0}
    for name, value in settings.items():
        if name not in LABEL_SETTINGS:
            close = difflib.get_close_matches(name, LABEL_SETTINGS, n=1) or LABEL_SETTINGS
            raise ConfigError(f"LabelPages: no option {name!r}; did you mean {', '.join(close)}?")
        values[name] = read_value(name, f"LabelPages: {name}", value)
    try:
        values |= {f"{name}_field": name for name in formats_of(formats)}
    except ValueError as error:
        raise ConfigError(f"LabelPages: {error}") from None
    config = attrs.evolve(_DEFAULTS, **values).checked()
    which_labeler(config.model)
    return config


@cache
def _end_with_parent(pid: int) -> None:
    """End this process, whose number is ``pid``, at once when the executor's process ends.

    Executors run tasks in processes that they fork. Without this, one that was killed, as Ray does
    with workers, leaves its task running, and whoever runs the task again writes the same files.
    """
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), name=f"parent-of-{pid}", daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)
