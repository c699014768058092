"""Steps for datatrove pipelines: a reader of stored pages, and a step that labels them.

The same pipeline runs with each of datatrove's executors: on one machine, on Ray and on Slurm.
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

from scrapy_boilernet.bulk.inputs import Input, OpenInput
from scrapy_boilernet.bulk.pages import RawPage, Reading, unwanted
from scrapy_boilernet.bulk.pool import Pool
from scrapy_boilernet.bulk.records import (
    Record,
    RecordOptions,
    StoredJob,
    Unwanted,
    kind_and_text,
)
from scrapy_boilernet.bulk.storage import StorageError
from scrapy_boilernet.bulk.warc import START, Damage
from scrapy_boilernet.extractor.labelers.registry import which_labeler
from scrapy_boilernet.extractor.options import formats_of
from scrapy_boilernet.settings.config import Config, ConfigError, read_value

LABEL_SETTINGS = (
    "model", "engine", "batch_pages", "timeout", "threshold", "domain_thresholds",
    "favor", "fallback", "title", "comments", "captions", "hidden", "detect_language", "max_bytes",
    "over_max_bytes", "max_blocks", "over_max_blocks", "sites",
)  # fmt: skip
"""The settings that :class:`LabelPages` takes, by their names in ``Config``."""
_DEFAULTS = Config()
_READ_BYTES = 1 << 20
_MEDIA_FIELDS = ("mime", "charset", "encoding", "codings", "opt_out")
"""The fields of ``RawPage`` in the metadata of a document's media: how to read its bytes."""
_METADATA_FIELDS = ("source", "url", "fetched", "status")
"""The fields of ``RawPage`` in a document's metadata."""


class PageReader(BaseDiskReader):
    """Reads the pages of stored crawls: the files that ``scrapy boilernet bulk`` reads.

    The format of a file is detected from its contents. Each task reads its share of the folder's
    files. The documents have no text yet. Their ``media`` contain the page's bytes as they were
    sent, with the declared type, charset and codings. Their ``metadata`` contain the file, the URL,
    the time of the download and the HTTP status. A damaged record is logged and counted, and
    reading continues after it.

    ``data_folder``, ``paths_file``, ``glob_pattern``, ``recursive``, ``limit``, ``skip`` and
    ``default_metadata`` are those of datatrove's readers. ``statuses`` and ``types``: the HTTP
    statuses and the types of the pages that are kept; pages whose status or type is not known are
    kept too. ``html_field``, ``url_field``, ``charset_field``: the fields of rows that contain the
    page, its address and its charset; ``base64``: whether the pages of rows are base64; ``keep``:
    other fields of rows that the metadata get, each with its name there. ``max_bytes``: how
    many bytes of a page are read; one more is read to see whether there are more.

    Raises ``ConfigError`` for a wrong value. Reading raises :class:`StorageError`.
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
        url_field: str | None = None,
        charset_field: str | None = None,
        base64: bool = False,
        keep: Mapping[str, str] | None = None,
        max_bytes: int = _DEFAULTS.max_bytes,
        default_metadata: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            data_folder, paths_file, limit=limit, skip=skip, recursive=recursive,
            glob_pattern=glob_pattern, default_metadata=default_metadata,
        )  # fmt: skip
        self.statuses = read_value("statuses", "PageReader: statuses", statuses)
        self.types = read_value("content_types", "PageReader: types", types)
        checked_max_bytes = read_value("max_bytes", "PageReader: max_bytes", max_bytes)
        self.reading = Reading(
            checked_max_bytes, html_field, url_field, charset_field, base64,
            keep=tuple((keep or {}).items()),
        )  # fmt: skip

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
        """Count a page's bytes, since a document has no text yet."""
        self.stat_update("bytes", value=len(document.media[0].media_bytes))

    def _document(self, page: RawPage, filepath: str) -> Document:
        skipped = f"+{page.position.skip}" if page.position.skip else ""
        name = f"{filepath}/{page.position.offset}{skipped}"
        of_media = {key: getattr(page, key) for key in _MEDIA_FIELDS}
        media = Media(name, MediaType.DOCUMENT, page.url, media_bytes=page.body, metadata=of_media)
        metadata = {key: getattr(page, key) for key in _METADATA_FIELDS} | dict(page.kept)
        return Document("", name, [media], {**(self.default_metadata or {}), **metadata})

    @contextmanager
    def _opened(self, filepath: str) -> Iterator[BufferedReader]:
        try:
            file = self.data_folder.open(filepath, "rb")
        except Exception as error:  # each file system has its own errors
            raise StorageError(f"{filepath}: {error!r}") from error
        with file:
            yield BufferedReader(_StoredFile(file, filepath), _READ_BYTES)


class _StoredFile(RawIOBase):
    """A file of any file system. If it cannot be read, it raises ``StorageError``.

    So a failure of the storage is not taken for damaged data.
    """

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
        except Exception as error:  # each file system has its own errors
            raise StorageError(f"{self._name}: {error!r}") from error
        buffer[: len(data)] = data
        return len(data)


class LabelPages(PipelineStep):
    """Labels each document's page, and sets the document's text to the main text.

    Adds the other fields of a record to its metadata: ``title``, ``main_text_confidence``,
    ``main_text_source``, ``digest`` and ``model``, and on request ``main_text_markdown``,
    ``main_text_html``, ``metadata``, ``block_labels`` and ``language``. The bytes of the page are
    dropped. If a document has no media, its text is labeled as the page, so other readers work too.

    The pages of a task are labeled in a separate process, which loads the model once. A page that
    takes longer than ``timeout`` seconds, or ends that process, does not affect other pages. A page
    that fails, or whose confidence is below ``min_confidence``, is dropped and counted. It goes to
    the ``exclusion_writer``, if there is one, with ``filter_reason`` and ``error``.

    ``formats``: some of ``"markdown"``, ``"html"`` and ``"metadata"``; ``with_blocks``: whether the
    metadata get all blocks with their labels; ``settings``: some of :data:`LABEL_SETTINGS`.

    Raises ``ConfigError`` for a wrong value, ``ModelError`` for an unknown model. Running raises
    ``ModelError`` if the model cannot be loaded, and
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
        self.wanted = RecordOptions(
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
                elif isinstance(outcome, Unwanted | Exception):  # one of them is left
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
            of_media = {key: media.metadata[key] for key in _MEDIA_FIELDS if key in media.metadata}
        else:
            body = document.text.encode("utf-8", "replace")
            of_media = {"encoding": "utf-8"}
        page_url = url if isinstance(url, str) else None
        page = RawPage(source=document.id, body=body, position=START, url=page_url, **of_media)
        return StoredJob.of(page, self.config, self.wanted)

    def _fill(self, document: Document, record: Record) -> None:
        row = json.loads(record.line)
        document.text = row.pop("main_text")
        document.media = []
        document.metadata |= {key: row[key] for key in row if key not in _METADATA_FIELDS}
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
    """Return the config of the labeling process, which caches no pages, since few come twice."""
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
    """End this process, whose id is ``pid``, at once when the executor's process ends.

    Executors run tasks in processes that they fork. Without this, an executor that is killed, for
    example by Ray, leaves its task running. When the task is run again, both write the same files.
    """
    parent = parent_process()
    if parent is not None:
        Thread(target=_end_after, args=(parent,), name=f"parent-of-{pid}", daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)
