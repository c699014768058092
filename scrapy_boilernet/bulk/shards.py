"""Writes folders of shards: parts with so many pages each, which appear whole or not at all.

The records of the current part are in one file beside the others. When it is full, it becomes the
part, or with partitions a part in the folder of each host or language.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from scrapy_boilernet.bulk.compression import zstd
from scrapy_boilernet.bulk.progress_file import open_plain
from scrapy_boilernet.bulk.storage import put

Partition = Literal["host", "language"]
DEFAULT_PAGES = 10_000
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""The partition of records without a host or a language, as Hive, Spark and DuckDB name it."""
_MAX_NAME_BYTES = 255
"""The longest name of a folder that file systems take. The URL of a page may have a longer host."""
_SPOOL = "records.unfinished"
_PART = re.compile(r"part-(\d{5,})\.")
_GROUP_ROWS, _GROUP_BYTES = 1_000, 32_000_000
"""If the rows in memory reach one of these limits, they are written to the Parquet file."""
_TYPES = {
    "status": "int16", "main_text_confidence": "float",
    **dict.fromkeys(
        ("chunk", "chunks", "start", "end", "text_start", "text_end", "tokens"), "int32"
    ),
    **dict.fromkeys(("headings", "pages", "missing"), "strings"),
}  # fmt: skip
"""The types of the columns of Parquet files; the others are texts, or JSON as text."""
Write = Callable[[Path, Iterator[bytes]], None]


class Shards:
    """A folder with ``part-00001.jsonl.zst`` and so on, or the same in folders ``host=a.example``.

    ``parts``: how many parts there are since the last mark. ``address``: where finished parts are
    moved to; "": they stay in the folder.
    """

    def __init__(
        self,
        path: Path,
        ending: str,
        parts: int = 0,
        *,
        pages: int = DEFAULT_PAGES,
        partition: Partition | None = None,
        address: str = "",
    ) -> None:
        self.rows_per_mark = pages
        self._folder = path
        self._ending = ending
        self._write = writer_of(ending)
        self._parts = parts
        self._partition = partition
        self._address = address
        self._places: dict[str, list[tuple[int, int]]] = {}
        """Per partition, where its records begin in the spool, and their sizes."""
        path.mkdir(parents=True, exist_ok=True)
        self._remove_later_parts()
        self._spool = open_plain(path / _SPOOL, os.O_RDWR | os.O_CREAT | os.O_TRUNC)

    def write(self, line: bytes) -> None:
        """Write the line as a record of the current part."""
        place = (self._spool.tell(), len(line))
        self._spool.write(line)
        self._places.setdefault(_folder_of(line, self._partition), []).append(place)

    def mark(self) -> int:
        """Finish the part; return the number of finished parts."""
        if self._places:
            self._spool.flush()
            for folder, places in self._places.items():
                self._finish(folder, places)
            self._parts += 1
            self._places = {}
            self._spool.seek(0)
            self._spool.truncate()
        return self._parts

    def close(self) -> None:
        """Close and remove the unfinished part."""
        self._spool.close()
        (self._folder / _SPOOL).unlink(missing_ok=True)

    def _finish(self, folder: str, places: Sequence[tuple[int, int]]) -> None:
        name = part_name(self._parts + 1, self._ending)
        part = self._folder / folder / name
        part.parent.mkdir(parents=True, exist_ok=True)
        unfinished = part.with_name(f"{name}.unfinished")
        self._write(unfinished, self._lines(places))
        if self._address:
            names = [f"{folder}/{name}"] if folder else [name]
            put(unfinished, "/".join([self._address.rstrip("/"), *names]))
            rmtree(unfinished) if unfinished.is_dir() else unfinished.unlink()
        else:
            unfinished.replace(part)

    def _lines(self, places: Sequence[tuple[int, int]]) -> Iterator[bytes]:
        for offset, size in places:
            self._spool.seek(offset)
            yield self._spool.read(size)

    def _remove_later_parts(self) -> None:
        """Remove what a run that was killed wrote after its last mark."""
        for one in chain(self._folder.glob("part-*"), self._folder.glob("*=*/part-*")):
            found = _PART.match(one.name)
            if found and (int(found[1]) > self._parts or one.name.endswith(".unfinished")):
                rmtree(one) if one.is_dir() else one.unlink()


def part_name(number: int, ending: str) -> str:
    """Return the name of a part, by its number from 1."""
    return f"part-{number:05}{ending}"


def _folder_of(line: bytes, partition: Partition | None) -> str:
    """Return the folder of a record: "" without partitions."""
    if partition is None:
        return ""
    row = json.loads(line)
    if partition == "host":
        try:
            value = urlsplit(row.get("url") or "").hostname
        except ValueError:
            value = None
    else:
        value = row.get("language")
    name = f"{partition}={quote(value, safe='') if value else NO_VALUE}"
    return name if len(name) <= _MAX_NAME_BYTES else f"{partition}={NO_VALUE}"


def writer_of(ending: str) -> Write:
    """Return what writes a part; raises ``ImportError`` with the remedy if a package is missing."""
    if ending == ".parquet":
        return partial(_write_parquet, *_pyarrow())
    if ending == ".md":
        return _write_markdown
    if ending.endswith(".zst"):
        zstd()
    return _write_lines


def _write_lines(path: Path, lines: Iterator[bytes]) -> None:
    kinds: dict[str, Callable[[Any], Any]] = {
        ".zst": lambda file: zstd().ZstdFile(file, "wb"),
        ".gz": lambda file: gzip.GzipFile("", "wb", 6, file, mtime=0),
    }
    packing = Path(path.name.removesuffix(".unfinished")).suffix
    with path.open("wb") as file:
        packed = kinds[packing](file) if packing in kinds else file
        for line in lines:
            packed.write(line)
        if packed is not file:
            packed.close()
        _sync(file)


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError("Parquet needs the package pyarrow: pip install pyarrow") from error


def _write_parquet(arrow: Any, parquet: Any, path: Path, lines: Iterator[bytes]) -> None:
    """Write records as rows.

    Metadata, block labels and other values that are no texts are columns of JSON, since their keys
    differ from page to page.
    """
    first = json.loads(next(lines))
    schema = _schema(arrow, first)
    rows, size = [_flat(first)], 0
    with path.open("wb") as file:
        with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for line in lines:
                if len(rows) >= _GROUP_ROWS or size >= _GROUP_BYTES:
                    writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
                    rows, size = [], 0
                rows.append(_flat(json.loads(line)))
                size += len(line)
            writer.write_table(arrow.Table.from_pylist(rows, schema=schema))
        _sync(file)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        if name in _TYPES or isinstance(value, str | None)
        else json.dumps(value, ensure_ascii=False)
        for name, value in row.items()
    }


def _schema(arrow: Any, row: Mapping[str, Any]) -> Any:
    """Return the columns of a record. All records of a run have the same."""
    types = {
        "int16": arrow.int16(), "int32": arrow.int32(), "float": arrow.float32(),
        "string": arrow.string(), "strings": arrow.list_(arrow.string()),
    }  # fmt: skip
    return arrow.schema([(name, types[_TYPES.get(name, "string")]) for name in row])


def _write_markdown(path: Path, lines: Iterator[bytes]) -> None:
    """Write a folder with a file per record: its Markdown, after its other fields as YAML."""
    if path.exists():
        rmtree(path)
    path.mkdir()
    for number, line in enumerate(lines, 1):
        row = json.loads(line)
        text = row.pop("main_text_markdown", None) or row.get("text") or row.get("main_text") or ""
        for name in ("main_text", "main_text_html", "text", "block_labels"):
            row.pop(name, None)
        # JSON is YAML, if no line is broken and its separators are spaced.
        facts = "".join(f"{name}: {json.dumps(value)}\n" for name, value in row.items())
        with (path / f"{number:05}.md").open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"---\n{facts}---\n\n{text.rstrip()}\n")


def _sync(file: Any) -> None:
    file.flush()
    os.fsync(file.fileno())
