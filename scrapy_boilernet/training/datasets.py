"""Data sets on disk: a folder (or its ``.tar.xz``) with ``html/``, ``gold/`` and ``pages.jsonl``.

A user's own folder needs ``html/<id>.html`` and ``gold/<id>.txt`` only.
"""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HTML_SUFFIXES = (".html", ".htm", ".xhtml")


class DatasetError(Exception):
    """A data set cannot be read; the message names the folder and what it needs."""


@dataclass(frozen=True)
class GoldPage:
    """A page with its gold text, as found on disk."""

    dataset: str
    id: str
    html: bytes
    gold: str | None
    """Main text, a paragraph a line; None if the set has none for this page."""
    encoding: str | None = None
    url: str | None = None
    split: str | None = None
    page_type: str | None = None
    language: str | None = None


def open_dataset(path: Path, cache: Path) -> Path:
    """Return the folder of a data set, unpacking ``<name>.tar.xz`` below ``cache`` once.

    Raises ``DatasetError`` if there is neither a folder with ``html/`` nor an archive.
    """
    if (path / "html").is_dir():
        return path
    archive = path if path.name.endswith(".tar.xz") else path.with_name(path.name + ".tar.xz")
    if not archive.is_file():
        raise DatasetError(
            f"no data set at {path}: need a folder with html/ and gold/, or {archive}"
        )
    name = archive.name.removesuffix(".tar.xz")
    if not (cache / name / "html").is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive, "r:xz") as tar:
            tar.extractall(cache, filter="data")
    return cache / name


def read_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of a data set in the order of their ids."""
    rows = _rows(folder)
    files = sorted(path for path in (folder / "html").iterdir() if path.suffix in HTML_SUFFIXES)
    if not files:
        raise DatasetError(f"no pages in {folder / 'html'}: need files named <id>.html")
    for file in files:
        row = rows.get(file.stem, {})
        gold = folder / "gold" / f"{file.stem}.txt"
        yield GoldPage(
            dataset=folder.name,
            id=file.stem,
            html=file.read_bytes(),
            gold=gold.read_text(encoding="utf-8") if gold.is_file() else None,
            encoding=_encoding(row),
            url=row.get("url"),
            split=row.get("split"),
            page_type=row.get("page_type"),
            language=row.get("lang"),
        )


def dataset_digest(folder: Path) -> str:
    """Return a SHA-256 over names and bytes of the set's pages and gold, hexadecimal."""
    digest = hashlib.sha256()
    for part in ("html", "gold"):
        for file in sorted((folder / part).glob("*")):
            digest.update(file.name.encode())
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _rows(folder: Path) -> dict[str, dict[str, Any]]:
    path = folder / "pages.jsonl"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return {str(row["id"]): row for row in rows}


def _encoding(row: dict[str, Any]) -> str | None:
    """What stands in for the response header; a guess (``cp1252?``) is not one."""
    encoding = row.get("enc")
    return None if encoding is None or encoding.endswith("?") else str(encoding)
